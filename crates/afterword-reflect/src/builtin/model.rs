//! Logistic models: named weights, read from `models/*.json`, learnt by `training/train.py`.

use std::collections::HashMap;

use serde::Deserialize;

use super::features::Features;

/// A logistic model over named features.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    bias: f32,
    weights: HashMap<String, Weight>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weight {
    /// The feature's mean where the model was learnt; a feature at its mean says nothing.
    mean: f32,
    /// What one unit above the mean adds to the log-odds.
    weight: f32,
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// When it is not the JSON it should be.
    pub fn parse(source: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(source)
    }

    /// How likely it is that the features are those of what the model was taught to notice: 0 to 1.
    pub fn probability(&self, features: &Features) -> f32 {
        1.0 / (1.0 + (-self.log_odds(features)).exp())
    }

    fn log_odds(&self, features: &Features) -> f32 {
        features.iter().fold(self.bias, |sum, (name, value)| {
            sum + self.weights.get(name).map_or(0.0, |weight| weight.weight * (value - weight.mean))
        })
    }

    /// The features that speak loudest for it, strongest first, with what each adds to the log-odds.
    pub fn reasons<'f>(&self, features: &'f Features, most: usize) -> Vec<(&'f str, f32)> {
        let mut reasons: Vec<_> = features
            .iter()
            .filter_map(|(name, value)| {
                let weight = self.weights.get(name)?;
                let adds = weight.weight * (value - weight.mean);
                (value > 0.0 && adds > 0.02).then_some((name, adds))
            })
            .collect();
        reasons.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        reasons.truncate(most);
        reasons
    }
}
