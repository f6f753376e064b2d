//! What the person's messages mean: a vector for each of them, and which of them come close to what is looked for.
//!
//! Only what a person said has one: it is what people remember of a session, and it is a hundredth of the text. Closeness is of use
//! from [`FLOOR`] on; below it anything is close to anything.

use afterword_recall::EmbeddingModel;
use afterword_recall::model::Halves;
use afterword_store::{RowVector, SessionIndex, StoreError};

use crate::search_model::embedded_model;

/// How close a message comes to what is looked for, at least. Of two messages of real sessions taken at random, half come to less than
/// 0.26 and nine in ten to less than 0.45.
const FLOOR: f32 = 0.44;
/// Messages that are taken, the closest.
const MOST: usize = 40;
/// Words that say something, from which on there is a meaning to look for: one alone is looked for as it is written.
const FEWEST_WORDS: usize = 2;

/// A message that comes close.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SimilarRow {
    pub(super) block: i64,
    pub(super) place: usize,
    /// From 0, as far as is of any use, to 1, the same.
    pub(super) closeness: f64,
}

/// The vectors of what a person said, each with its place in its block.
pub(super) fn vectors<'t>(said: impl Iterator<Item = (u8, &'t str)>) -> Vec<RowVector> {
    let Some(model) = embedded_model() else { return Vec::new() };
    let vector = |(place, text): (u8, &str)| Some(RowVector { place, bytes: vector_of(model, text)? });
    said.filter_map(vector).collect()
}

/// The messages closest to what is looked for, the closest first.
pub(super) fn close_rows(index: &SessionIndex, query: &str) -> Result<Vec<SimilarRow>, StoreError> {
    let Some(wanted) = embedded_model().and_then(|model| vector_of(model, query)) else {
        return Ok(Vec::new());
    };
    let (row, length) = (Halves::of(&wanted), length(&wanted));
    let mut close: Vec<SimilarRow> = Vec::new();
    index.vectors(wanted.len(), |block, place, bytes| {
        #[expect(clippy::cast_precision_loss, reason = "closeness needs no more than seven digits")]
        let cosine = row.dot_row(bytes) as f32 / (length * self::length(bytes)).max(1.0);
        if cosine >= FLOOR {
            let closeness = f64::from((cosine - FLOOR) / (1.0 - FLOOR)).min(1.0);
            close.push(SimilarRow { block, place, closeness });
        }
    })?;
    close.sort_by(|one, other| other.closeness.total_cmp(&one.closeness).then(other.block.cmp(&one.block)));
    close.truncate(MOST);
    Ok(close)
}

/// What a text means, each number of its vector as a signed byte; nothing where it has too few words that say something.
fn vector_of(model: &EmbeddingModel, text: &str) -> Option<Vec<u8>> {
    let telling = model.informative_tokens(&model.tokens(text));
    if telling.len() < FEWEST_WORDS {
        return None;
    }
    let vector = model.vector(&telling, |_| 1.0)?;
    let largest = vector.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    // Of a cosine the length is taken out again, so that every vector may use all of a byte.
    #[expect(clippy::cast_possible_truncation, reason = "it is at most 127")]
    let number = |x: &f32| (x / largest.max(f32::MIN_POSITIVE) * 127.0).round() as i8;
    Some(vector.iter().map(|x| number(x).cast_unsigned()).collect())
}

#[expect(clippy::cast_precision_loss, reason = "closeness needs no more than seven digits")]
fn length(vector: &[u8]) -> f32 {
    let square = |byte: &u8| i32::from(byte.cast_signed()).pow(2);
    (vector.iter().map(square).sum::<i32>() as f32).sqrt()
}
