//! Identifiers as people write them in code, and the words inside: `camelCase`, `snake_case`, paths, error codes.
//!
//! FTS5's own tokenizer keeps `readTimeout` whole and splits `E-0502` into two words nobody looks for; both forms are
//! wanted, so the parts of every identifier are indexed in a column beside the text.

/// The longest identifier that is taken apart, in characters; longer ones are data.
const LONGEST: usize = 120;
/// Bytes of parts kept of one text.
const MOST_BYTES: usize = 16 * 1024;

/// The parts of all identifiers of a text, between blanks: for `readTimeout` `read timeout`, for `ERR_1001` also
/// `err1001`. Plain words have no parts.
pub fn parts(text: &str) -> String {
    let mut found = String::new();
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '\\');
    for word in text.split(|c: char| !is_inside(c)) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() || word.chars().count() > LONGEST {
            continue;
        }
        let parts = split(word);
        if parts.len() < 2 {
            continue;
        }
        for part in &parts {
            found.push_str(part);
            found.push(' ');
        }
        if parts.len() <= 4 {
            found.push_str(&parts.concat());
            found.push(' ');
        }
        if found.len() > MOST_BYTES {
            break;
        }
    }
    found.truncate(found.trim_end().len());
    found
}

/// Cuts one identifier where its case or its sort of character changes, and at its separators; in lower case.
pub fn split(identifier: &str) -> Vec<String> {
    let characters: Vec<char> = identifier.chars().collect();
    let mut parts = Vec::new();
    let mut part = String::new();
    for (at, &c) in characters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| characters.get(at)).copied();
        let after = characters.get(at + 1).copied();
        let begins = before.is_some_and(|before| {
            let humps = before.is_lowercase() && c.is_uppercase();
            let end_of_capitals =
                before.is_uppercase() && c.is_uppercase() && after.is_some_and(char::is_lowercase);
            let number = before.is_alphabetic() && c.is_numeric() || before.is_numeric() && c.is_alphabetic();
            humps || end_of_capitals || number
        });
        if (begins || !c.is_alphanumeric()) && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        if c.is_alphanumeric() {
            part.extend(c.to_lowercase());
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_cut_where_people_see_words() {
        let check = |identifier: &str, expected: &str| assert_eq!(split(identifier).join(" "), expected);
        check("readTimeout", "read timeout");
        check("HTTPServerError", "http server error");
        check("snake_case_name", "snake case name");
        check("SCREAMING_SNAKE", "screaming snake");
        check("kebab-case", "kebab case");
        check("src/store/open.rs", "src store open rs");
        check(r"C:\Users\ada", "c users ada");
        check("E0502", "e 0502");
        check("std::fs::File", "std fs file");
        check("größeÄndern", "größe ändern");
        check("word", "word");
        check("", "");
        check("___", "");
    }

    #[test]
    fn only_identifiers_have_parts() {
        assert_eq!(parts("a plain sentence, nothing else."), "");
        assert_eq!(parts("see `readTimeout` (E0502)"), "read timeout readtimeout e 0502 e0502");
        assert_eq!(parts(&"a".repeat(10_000)), "");
        assert!(parts(&"aB ".repeat(100_000)).len() < MOST_BYTES + 100);
    }
}
