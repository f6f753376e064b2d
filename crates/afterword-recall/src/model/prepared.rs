//! A chosen model as Afterword keeps it in its cache: one file that loads as fast as the disk gives it.
//!
//! The first line is JSON and says what it is and what it was made of; the tokens follow, one a line, then the rows of
//! bytes, then the weights. It can be deleted at any time and is made again from the folder.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::folder::{TABLE, TOKENIZER};
use super::{EmbeddingModel, ModelError, Token};

const VERSION: u32 = 1;
/// Bytes of the first line at most: it holds a path.
const LONGEST_HEADER: u64 = 64 * 1024;

/// What a prepared model says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreparedModel {
    version: u32,
    /// The model's name, as an index knows it.
    pub name: String,
    /// Numbers in a vector.
    pub dimensions: usize,
    tokens: usize,
    vocabulary_bytes: usize,
    /// The state of the folder that it was made of.
    pub source: String,
}

/// The state of a model's folder: its path, and the sizes and times of its files. `None` where a file is missing.
pub fn folder_state(folder: &Path) -> Option<String> {
    let mut state = folder.to_string_lossy().into_owned();
    for name in [TOKENIZER, TABLE] {
        let metadata = fs::metadata(folder.join(name)).ok()?;
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        state.push_str(&format!(" {}@{}", metadata.len(), modified.as_nanos()));
    }
    Some(state)
}

/// [`EmbeddingModel::to_prepared`].
pub(super) fn to_bytes(model: &EmbeddingModel, source: &str) -> Result<Vec<u8>, ModelError> {
    let broken = ModelError::Sizes { tokens: model.weights.len(), bytes: model.rows.len() };
    let mut tokens = vec![""; model.weights.len()];
    for (token, number) in &model.vocabulary {
        if let Some(place) = tokens.get_mut(usize::from(*number)) {
            *place = token;
        }
    }
    let mut vocabulary = tokens.join("\n");
    vocabulary.push('\n');
    let prepared = PreparedModel {
        version: VERSION,
        name: model.name.clone().into_owned(),
        dimensions: model.dimensions,
        tokens: model.weights.len(),
        vocabulary_bytes: vocabulary.len(),
        source: source.to_owned(),
    };
    let mut bytes = serde_json::to_vec(&prepared).map_err(|_| broken)?;
    bytes.push(b'\n');
    bytes.extend_from_slice(vocabulary.as_bytes());
    bytes.extend_from_slice(&model.rows);
    bytes.extend(model.weights.iter().flat_map(|weight| weight.to_le_bytes()));
    Ok(bytes)
}

/// [`EmbeddingModel::prepared`].
pub(super) fn load(path: &Path) -> Result<EmbeddingModel, ModelError> {
    let (header, mut file) = open(path)?;
    let unreadable = |source| ModelError::Unreadable { path: path.to_owned(), source };
    let mut rest = Vec::new();
    file.read_to_end(&mut rest).map_err(unreadable)?;
    let damaged = |problem: &str| ModelError::Unusable { path: path.to_owned(), problem: problem.to_owned() };
    let table = header.tokens.saturating_mul(header.dimensions);
    let sizes = [header.vocabulary_bytes, table, header.tokens.saturating_mul(4)];
    let whole = sizes.into_iter().fold(0_usize, usize::saturating_add);
    if rest.len() != whole || header.tokens > usize::from(Token::MAX) {
        return Err(damaged("it is not as long as it says"));
    }
    let weights = rest.split_off(header.vocabulary_bytes + table);
    let rows = rest.split_off(header.vocabulary_bytes);
    let vocabulary = String::from_utf8(rest).map_err(|_| damaged("its vocabulary is no text"))?;
    let tokens: Vec<_> = vocabulary.split_terminator('\n').map(|one| Cow::Owned(one.to_owned())).collect();
    let weights = weights.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    EmbeddingModel::from_parts(Cow::Owned(header.name), header.dimensions, Cow::Owned(rows), weights, tokens)
}

impl PreparedModel {
    /// Reads what a prepared model says of itself, and nothing more.
    ///
    /// # Errors
    /// As [`EmbeddingModel::prepared`].
    pub fn header(path: &Path) -> Result<Self, ModelError> {
        open(path).map(|(header, _)| header)
    }
}

fn open(path: &Path) -> Result<(PreparedModel, BufReader<File>), ModelError> {
    let unreadable = |source: io::Error| ModelError::Unreadable { path: path.to_owned(), source };
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut line = Vec::new();
    file.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line).map_err(unreadable)?;
    let header: Option<PreparedModel> = serde_json::from_slice(&line).ok();
    let header = header.filter(|header| header.version == VERSION);
    let problem = "it is no model that this Afterword prepared".to_owned();
    Ok((header.ok_or(ModelError::Unusable { path: path.to_owned(), problem })?, file))
}
