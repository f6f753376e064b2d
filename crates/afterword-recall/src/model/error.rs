//! What is wrong with a model, and what to do about it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A model that cannot be used.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The model's files do not fit each other.
    #[error("the embedding model is broken: {tokens} tokens, {bytes} bytes of vectors")]
    Sizes {
        /// Tokens of the vocabulary.
        tokens: usize,
        /// Bytes of the table.
        bytes: usize,
    },
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {problem}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

impl ModelError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Sizes { .. } => "install Afterword anew, or choose another model folder",
            _ => {
                "`recall.model` takes a folder of a static model (model2vec) with model.safetensors and a WordPiece \
                 tokenizer.json, like potion-retrieval-32M; or \"built-in\""
            }
        }
    }
}
