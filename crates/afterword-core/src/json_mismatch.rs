//! What is wrong with JSON that a model wrote, without a word of it: such a problem is written into logs, which hold nothing a model said.

use serde_json::error::Category;

/// How serde's messages begin that quote what they found. Behind it stands what was expected, in words of our types.
const QUOTING: [&str; 5] =
    ["invalid type", "invalid value", "invalid length", "unknown field", "unknown variant"];
/// How its messages begin that name a field of our types and nothing else.
const NAMING: [&str; 2] = ["missing field", "duplicate field"];

/// What is wrong with JSON, and where; nothing of the JSON itself.
pub fn json_mismatch(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // An error of syntax quotes nothing.
    if error.classify() != Category::Data || NAMING.iter().any(|start| text.starts_with(start)) {
        return text;
    }
    let Some(kind) = QUOTING.iter().find(|start| text.starts_with(**start)) else {
        return format!("it has another form{}", place(error));
    };
    match text.rfind(", expected ") {
        Some(at) if !text[at..].contains("`, there are no ") => format!("{kind}{}", &text[at..]),
        _ => format!("{kind}{}", place(error)),
    }
}

/// Where it is; JSON that was no text has no lines.
fn place(error: &serde_json::Error) -> String {
    match error.line() {
        0 => String::new(),
        line => format!(" at line {line} column {}", error.column()),
    }
}

#[cfg(test)]
mod tests {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::{Deserialize, Deserializer};
    use serde_json::Value;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it can be read matters")]
    struct Lesson {
        title: String,
        line: Option<u32>,
        kind: Option<Kind>,
        own: Option<Own>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Fix,
        Idea,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}

    #[derive(Debug)]
    struct Own;

    impl<'de> Deserialize<'de> for Own {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let text = String::deserialize(from)?;
            Err(D::Error::custom(format!("invalid: {text}, expected another")))
        }
    }

    #[track_caller]
    fn check<T: DeserializeOwned + std::fmt::Debug>(text: &str, expected: &str) {
        assert_eq!(json_mismatch(&serde_json::from_str::<T>(text).unwrap_err()), expected);
        // JSON that was no text has no lines; of two fields of a name it keeps the last.
        if let Ok(value) = serde_json::from_str::<Value>(text)
            && let Err(error) = T::deserialize(&value)
        {
            assert!(!json_mismatch(&error).contains("plum"), "{error}");
        }
    }

    #[test]
    fn nothing_of_the_json_is_said() {
        check::<Lesson>(
            r#"{"title": "a", "line": "plum"}"#,
            "invalid type, expected u32 at line 1 column 29",
        );
        check::<Lesson>(
            r#"{"title": "a", "line": "plum, expected plum"}"#,
            "invalid type, expected u32 at line 1 column 44",
        );
        check::<Lesson>(
            r#"{"title": "a", "plum": 1}"#,
            "unknown field, expected one of `title`, `line`, `kind`, `own` at line 1 column 21",
        );
        check::<Lesson>(
            r#"{"title": "a", "kind": "plum"}"#,
            "unknown variant, expected `fix` or `idea` at line 1 column 29",
        );
        check::<Lesson>(
            r#"{"title": "a", "own": "plum, expected plum"}"#,
            "it has another form at line 1 column 44",
        );
        check::<Lesson>(r#"{"title": "a", "line": -7}"#, "invalid value, expected u32 at line 1 column 25");
        check::<Nothing>(r#"{"plum, expected plum": 1}"#, "unknown field at line 1 column 22");
        check::<Lesson>(r#"{"line": 7}"#, "missing field `title` at line 1 column 11");
        check::<Lesson>(r#"{"title": "a", "title": "plum"}"#, "duplicate field `title` at line 1 column 22");
        check::<Lesson>(r#"{"title": "plum"#, "EOF while parsing a string at line 1 column 15");
    }
}
