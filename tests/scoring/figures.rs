//! Precision and recall over a set, and the floors they must not fall below.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Scored, Verdict};

/// The figures of one group of labels and candidates.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Row {
    /// Labels that must be found.
    pub labels: usize,
    /// Candidates that are a label.
    pub found: usize,
    /// Candidates that are none.
    pub noise: usize,
    /// Share of the candidates that are a label; absent where there is no candidate.
    pub precision: Option<f64>,
    /// Share of the labels that were found; absent where there is no label.
    pub recall: Option<f64>,
    /// The harmonic mean of the two.
    pub f1: Option<f64>,
}

/// All figures by the name of their group: overall, high, preference, workflow, fix, idea.
#[derive(Debug)]
pub struct Figures(pub BTreeMap<&'static str, Row>);

/// Figures that must be reached, as `"high.precision": 0.85`.
pub type Floors = BTreeMap<String, f64>;

const KINDS: [&str; 4] = ["preference", "workflow", "fix", "idea"];

impl Figures {
    /// Counts.
    #[must_use]
    pub fn of(scored: &[Scored]) -> Self {
        let mut rows = BTreeMap::from([("overall", row(scored, |_| true)), ("high", high(scored))]);
        for kind in KINDS {
            rows.insert(kind, row(scored, |other| other == kind));
        }
        Self(rows)
    }

    /// What lies below its floor, in words; a floor for something that does not exist is one of them.
    #[must_use]
    pub fn below(&self, floors: &Floors) -> Vec<String> {
        floors
            .iter()
            .filter_map(|(name, floor)| {
                let (group, figure) = name.split_once('.')?;
                let row = self.0.get(group)?;
                let value = match figure {
                    "precision" => row.precision,
                    "recall" => row.recall,
                    "f1" => row.f1,
                    _ => None,
                };
                let value = value.unwrap_or(0.0);
                (value < *floor).then(|| format!("{name} is {value:.3}, must be {floor}"))
            })
            .chain(floors.keys().filter(|name| !self.knows(name)).map(|name| format!("{name} is no figure")))
            .collect()
    }

    fn knows(&self, name: &str) -> bool {
        name.split_once('.').is_some_and(|(group, figure)| {
            self.0.contains_key(group) && ["precision", "recall", "f1"].contains(&figure)
        })
    }
}

/// A table, as a person reads it.
impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |figure: Option<f64>| figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.3}"));
        write!(
            out,
            "{:11}{:>7}{:>7}{:>7}{:>11}{:>8}{:>7}",
            "", "labels", "found", "noise", "precision", "recall", "f1"
        )?;
        for name in ["overall", "preference", "workflow", "fix", "idea", "high"] {
            let Row { labels, found, noise, precision, recall, f1 } = self.0[name];
            let (precision, recall, f1) = (shown(precision), shown(recall), shown(f1));
            write!(out, "\n{name:11}{labels:7}{found:7}{noise:7}{precision:>11}{recall:>8}{f1:>7}")?;
        }
        Ok(())
    }
}

fn row(scored: &[Scored], of_kind: impl Fn(&str) -> bool) -> Row {
    let candidates =
        || scored.iter().flat_map(|one| &one.found).filter(|found| of_kind(&found.candidate.kind));
    let found = candidates().filter(|found| found.verdict == Verdict::Match).count();
    let noise = candidates().filter(|found| counts_against(found.verdict)).count();
    let needed = |labels: &[crate::Label]| {
        labels.iter().filter(|label| !label.optional && of_kind(&label.kind)).count()
    };
    let labels = scored.iter().map(|one| needed(&one.labels)).sum();
    let missed: usize = scored.iter().map(|one| needed(&one.missed)).sum();
    finished(labels, labels - missed, found, noise)
}

/// Of what is saved without asking: precision over all high candidates, recall over the high labels they found.
fn high(scored: &[Scored]) -> Row {
    let candidates =
        || scored.iter().flat_map(|one| &one.found).filter(|found| found.candidate.confidence == "high");
    let found = candidates().filter(|found| found.verdict == Verdict::Match).count();
    let noise = candidates().filter(|found| counts_against(found.verdict)).count();
    let is_high = |label: &crate::Label| label.tier == "high" && !label.optional;
    let labels = scored.iter().flat_map(|one| &one.labels).filter(|label| is_high(label)).count();
    let reached = candidates()
        .filter(|found| found.verdict == Verdict::Match && found.label.as_ref().is_some_and(is_high))
        .count();
    Row { f1: None, ..finished(labels, reached, found, noise) }
}

fn counts_against(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Noise | Verdict::Duplicate | Verdict::WrongKind)
}

fn finished(labels: usize, reached: usize, found: usize, noise: usize) -> Row {
    let precision = share(found, found + noise);
    let recall = share(reached, labels);
    let f1 = precision.zip(recall).map(|(p, r)| if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 });
    Row { labels, found, noise, precision, recall, f1 }
}

#[expect(clippy::cast_precision_loss, reason = "counts of candidates, far below 2^52")]
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
