//! An error told with what brought it about.

use std::error::Error;

/// An error and what caused it, on one line; what an error and its cause both end with is not said twice.
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut last = text.clone();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !text.ends_with(&words) {
            if words.ends_with(&last) {
                text.truncate(text.len() - last.len());
            } else {
                text.push_str(": ");
            }
            text.push_str(&words);
            last = words;
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Layer>>);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|cause| cause as _)
        }
    }

    #[test]
    fn causes_follow_and_none_is_said_twice() {
        let caused = |text, cause| Layer(text, Some(Box::new(cause)));
        let error = caused("a.md: cannot be read", caused("not found", Layer("os error 2", None)));
        assert_eq!(error_chain(&error), "a.md: cannot be read: not found: os error 2");
        assert_eq!(error_chain(&caused("a.md: denied", Layer("denied", None))), "a.md: denied");
        let coded = caused("a.db: damaged", caused("no database", Layer("code 26: no database", None)));
        assert_eq!(error_chain(&coded), "a.db: damaged: code 26: no database");
        // Words that stand in the middle say something else.
        assert_eq!(error_chain(&caused("denied: a.md", Layer("denied", None))), "denied: a.md: denied");
    }
}
