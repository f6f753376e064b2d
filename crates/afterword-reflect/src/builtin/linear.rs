//! Linear models over hashed features (`ngrams`), as the training writes them.
//!
//! A file has one or more heads, each a little-endian `f32` of the bias and one of the scale, then [`BUCKETS`] signed bytes.

use super::ngrams::BUCKETS;

/// Models that weigh the same features, each for another question.
#[derive(Debug)]
pub struct Heads<const N: usize>([Head; N]);

#[derive(Debug)]
struct Head {
    bias: f32,
    scale: f32,
    weights: Vec<i8>,
}

/// Why the weights cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the weights of the model are {found} bytes, not {expected}")]
pub struct SizeError {
    found: usize,
    expected: usize,
}

impl<const N: usize> Heads<N> {
    /// Reads the weights.
    ///
    /// # Errors
    /// When there are too few or too many bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, SizeError> {
        let size = 8 + BUCKETS as usize;
        let error = SizeError { found: bytes.len(), expected: N * size };
        let mut heads = Vec::with_capacity(N);
        for part in bytes.chunks(size) {
            let number =
                |bytes: Option<&[u8]>| bytes.and_then(|bytes| bytes.try_into().ok()).map(f32::from_le_bytes);
            heads.push(Head {
                bias: number(part.get(..4)).ok_or(error)?,
                scale: number(part.get(4..8)).ok_or(error)?,
                weights: part[8..].iter().map(|byte| i8::from_ne_bytes([*byte])).collect(),
            });
        }
        match <[Head; N]>::try_from(heads) {
            Ok(heads) if bytes.len() == N * size => Ok(Self(heads)),
            _ => Err(error),
        }
    }

    /// How likely the answer to each question is yes, 0 to 1.
    pub fn likely(&self, row: &[u32]) -> [f32; N] {
        self.0.each_ref().map(|head| 1.0 / (1.0 + (-head.log_odds(row)).exp()))
    }
}

impl Head {
    #[expect(clippy::cast_precision_loss, reason = "rows are short, and single weights are bytes")]
    fn log_odds(&self, row: &[u32]) -> f32 {
        let sum: i32 = row.iter().map(|place| i32::from(self.weights[*place as usize])).sum();
        self.bias + self.scale * sum as f32 / (row.len().max(1) as f32).sqrt()
    }
}
