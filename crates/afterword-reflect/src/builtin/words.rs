//! Cutting and cleaning text: heads, tails, a person's own words, sentences.

use std::iter;
use std::ops::Range;
use std::sync::OnceLock;

use regex::Regex;

/// A pattern that is written into the code. Its `\w` are the letters and digits of ASCII and of the blocks of [`LETTERS`].
///
/// # Panics
/// When it is none, which the tests of each module that has one would show.
pub(super) fn pattern(text: &str) -> Regex {
    let mut with_blocks = String::with_capacity(text.len());
    // Where the class begins that is being read, and whether it has letters.
    let mut class: Option<(usize, bool)> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, &mut class) {
            ('\\', class) => match (characters.next(), class) {
                (Some('w'), Some((_, has_letters))) => {
                    *has_letters = true;
                    with_blocks.push_str(LETTERS);
                }
                (Some('w'), None) => with_blocks.extend(["(?-i:[", LETTERS, "])"]),
                (escaped, _) => with_blocks.extend(iter::once('\\').chain(escaped)),
            },
            ('[', None) => {
                class = Some((with_blocks.len(), false));
                with_blocks.push('[');
            }
            (']', Some((start, has_letters))) => {
                with_blocks.push(']');
                if *has_letters {
                    // All letters of both cases: to look for the other case of each takes long.
                    with_blocks.insert_str(*start, "(?-i:");
                    with_blocks.push(')');
                }
                class = None;
            }
            _ => with_blocks.push(character),
        }
    }
    Regex::new(&with_blocks).expect("checked by the tests of the module that has it")
}

/// Letters and digits by the blocks of Unicode 16 that hold them (its `Blocks.txt`), without the blocks of signs between. The class
/// `\w` names each of some 750 ranges, and a pattern that repeats it forty times takes tens of milliseconds to build.
const LETTERS: &str = concat!(
    r"0-9A-Z_a-z\x{aa}\x{b5}\x{ba}\x{c0}-\x{d6}\x{d8}-\x{f6}\x{f8}-\x{1fff}\x{2c00}-\x{2dff}\x{3005}-\x{3007}\x{3031}-\x{3035}\x{3041}-\x{d7ff}",
    r"\x{f900}-\x{fdff}\x{fe70}-\x{fefe}\x{ff10}-\x{ff19}\x{ff21}-\x{ff3a}\x{ff41}-\x{ff5a}\x{ff66}-\x{ffdc}",
    r"\x{10000}-\x{1cfff}\x{1e000}-\x{1efff}\x{20000}-\x{3ffff}",
);

/// The last part of a path, with either stroke; a text that is none is its own.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The first `limit` bytes of `text`, cut at a character.
pub fn head(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// The last `limit` bytes of `text`, cut at a character.
pub fn tail(text: &str, limit: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(limit))..]
}

/// How the client begins the first message of a session that carries out a plan, before the plan in the agent's words.
pub(super) const PLAN: &str = "Implement the following plan:";

/// What of an utterance is the person's own words: fenced code, spans judged pasted, and lines that look like a log, a
/// diff or a prompt are left out. When nothing is left, the text's head stands in.
pub fn own_words(text: &str, pasted: &[Range<usize>]) -> String {
    let accepts_plan = text.starts_with(PLAN) && text[PLAN.len()..].starts_with(['\n', '\r']);
    let text = if accepts_plan { PLAN } else { text };
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for span in pasted {
        if span.start >= from && span.end <= text.len() {
            kept.push_str(text.get(from..span.start).unwrap_or_default());
            kept.push('\n');
            from = span.end;
        }
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    let mut own = String::new();
    let mut fenced = false;
    let many = kept.len() > 700 || kept.lines().count() > 8;
    for line in kept.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !tagged(line) && !(many && (line.len() > 500 || machine_line().is_match(line))) {
            own.push_str(line);
            own.push('\n');
        }
    }
    let own = own.trim();
    if own.split_whitespace().count() < 2 && text.split_whitespace().count() > 2 {
        return head(text, 300).trim().to_owned();
    }
    own.to_owned()
}

/// A log's line however short the message: `[warn] …`, `[ops-bot] …`.
fn tagged(line: &str) -> bool {
    line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("] ")).is_some_and(|(tag, rest)| {
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
        (2..24).contains(&tag.len()) && tag.chars().all(word) && !rest.is_empty()
    })
}

/// A line no person types in a message.
fn machine_line() -> &'static Regex {
    static LINE: OnceLock<Regex> = OnceLock::new();
    LINE.get_or_init(|| {
        Regex::new(
            r#"^\s*([{\[}\]]|at [\w.$<]+ ?\(|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[✓✗×✖│┃├└┌━─╭╰]|[+\-|] ?\w|[$>#❯%] |diff --git|@@ |import |from \w+ import|func |fn |def |class |const |let |var |return\b|npm ERR|error(\[\w+\])?:|warning:|Traceback|File "|=+ |-{3,}|\w+(/\w+){2,}|[A-Z]+ \[)|"level":|\b\w+=\w+ \w+=\w+|\\n\\t"#,
        )
        .expect("the pattern is checked by every test that uses it")
    })
}

/// Words between a refusal and what it refuses, at most.
pub(super) const REFUSED_WITHIN: usize = 3;

/// Whether the word at a place, of words in lower case, stands behind one that refuses it: "never with the brush".
pub(super) fn is_refused(words: &[String], at: usize) -> bool {
    words[at.saturating_sub(REFUSED_WITHIN)..at].iter().any(|word| refuses(word))
}

fn refuses(word: &str) -> bool {
    const REFUSES: [&str; 26] = [
        "not",
        "no",
        "never",
        "without",
        "instead",
        "than",
        "over",
        "don't",
        "dont",
        "stop",
        "avoid",
        "nicht",
        "kein",
        "keine",
        "statt",
        "nie",
        "sin",
        "nunca",
        "ni",
        "pas",
        "jamais",
        "sans",
        "sem",
        "не",
        "вместо",
        "from",
    ];
    REFUSES.contains(&word)
}

/// Whether the words before a full stop end in an abbreviation or are the number of a list: "e.g. this", "Dr. Ito", "1. that" and "z.B. dies"
/// do not end a sentence.
pub(super) fn is_abbreviation(before: &str) -> bool {
    let word =
        before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default().to_lowercase();
    matches!(
        word.as_str(),
        "e.g"
            | "i.e"
            | "eg"
            | "ie"
            | "etc"
            | "vs"
            | "cf"
            | "ca"
            | "approx"
            | "z.b"
            | "bzw"
            | "d.h"
            | "usw"
            | "p.ej"
            | "т.е"
            | "т.д"
            | "др"
            | "nr"
            | "dr"
            | "mr"
            | "mrs"
            | "ms"
            | "prof"
            | "st"
            | "hr"
            | "fr"
            | "mme"
            | "sra"
    ) || !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) && before.trim().len() == word.len()
}

/// The sentences of a text, in order, as slices of it: ended by `.`, `!`, `?`, a line break, or ` - `.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        let end = match bytes[index] {
            b'\n' => Some(index + 1),
            b'.' | b'!' | b'?' => {
                let mut end = index + 1;
                while end < bytes.len() && matches!(bytes[end], b'.' | b'!' | b'?' | b')' | b'"' | b'\'') {
                    end += 1;
                }
                let breaks = end == bytes.len() || bytes[end].is_ascii_whitespace();
                // "v1.2" does not end a sentence.
                let short = bytes[index] == b'.' && is_abbreviation(&text[start..index]);
                (breaks && !short).then_some(end)
            }
            _ => None,
        };
        if let Some(end) = end {
            let sentence = text[start..end].trim();
            if !sentence.is_empty() {
                found.push(sentence);
            }
            start = end;
            index = end;
        } else {
            index += 1;
        }
    }
    let rest = text[start..].trim();
    if !rest.is_empty() {
        found.push(rest);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_a_pattern_are_those_of_every_script_and_no_signs() {
        let (word, named) = (pattern(r"^\w+$"), pattern(r"(?i)^[\w.-]+$"));
        for letters in ["use_2", "größer", "правило", "規則", "ルール", "규칙", "قاعدة", "नियम"]
        {
            assert!(word.is_match(letters) && named.is_match(letters), "{letters}");
        }
        for signs in ["a b", "“a”", "a—b", "a。b", "a，b", "a…", "🙂", "×"] {
            assert!(!word.is_match(signs), "{signs}");
        }
        assert!(named.is_match("A-b.C") && !pattern(r"^[^\w]+$").is_match("é"));
    }

    #[test]
    fn own_words_leave_out_fences_and_pasted_spans() {
        assert_eq!(own_words("use this\n```\nlet x = 1;\n```\nnot that", &[]), "use this\nnot that");
        let text = "this fails: LOG LOG LOG please keep the old name";
        assert_eq!(
            own_words(text, std::slice::from_ref(&(12..24))),
            "this fails: \nplease keep the old name"
        );
    }

    #[test]
    fn own_words_survive_ranges_that_do_not_fit() {
        let _ = own_words("größer", &[2..3, 9..99]);
    }

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        assert_eq!(
            sentences("No. Use v1.2 of e.g. serde! Why?\nnext"),
            ["No.", "Use v1.2 of e.g. serde!", "Why?", "next"]
        );
        assert_eq!(sentences("Wait for Dr. Ito. Then go"), ["Wait for Dr. Ito.", "Then go"]);
    }

    #[test]
    fn cuts_fall_on_characters() {
        assert_eq!(head("aé", 2), "a");
        assert_eq!(tail("éa", 2), "a");
    }
}
