//! The hash of a file's content, by which Afterword knows its own writes from a person's.

use std::fmt;

use serde::{Deserialize, Serialize};

/// BLAKE3 of a file's bytes, 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(String);

impl ContentHash {
    /// Hashes the bytes of a file.
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex().to_string())
    }

    /// Takes a hash that was stored; `None` unless it is 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let valid = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        valid.then(|| Self(text.to_ascii_lowercase()))
    }

    /// The hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
