//! The hash of a file's content, by which Afterword knows its own writes from a person's.

use std::fmt;

use afterword_core::ContentKey;
use serde::{Deserialize, Serialize};

/// Digits of a content key, as `afterword_core::content_key` makes them.
const KEY_DIGITS: usize = 32;

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

    /// The key of what the hashed words say: the first half of the digits.
    pub(crate) fn into_key(mut self) -> ContentKey {
        self.0.truncate(KEY_DIGITS);
        ContentKey(self.0)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
