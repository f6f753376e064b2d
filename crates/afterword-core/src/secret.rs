//! A key that is never shown.

use std::fmt;

/// A key. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key, white space around it removed.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The key itself, for whoever keeps it or sends it where it belongs.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Takes the key out of words that may repeat it.
    pub fn redact_from(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[the key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_taken_out_of_words_and_the_words_stay() {
        let key = Secret::new(" k3y-of-the-mill\n");
        assert_eq!(key.reveal(), "k3y-of-the-mill");
        assert_eq!(key.redact_from("no k3y-of-the-mill, 401"), "no [the key], 401");
        assert_eq!(key.redact_from("401"), "401");
        assert_eq!(Secret::new(" ").redact_from("a b"), "a b");
        assert_eq!(format!("{key:?}"), "Secret(…)");
    }
}
