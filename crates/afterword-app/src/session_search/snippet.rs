//! The part of a row that shows why it was found.

use afterword_core::hidden::escape_hidden;
use serde::Serialize;

use super::pack::is_word_by_itself;

/// Characters of a snippet.
const LENGTH: usize = 180;
/// Characters before the first word that was found.
const BEFORE: usize = 60;

/// A piece of a snippet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct SnippetPiece {
    /// Its text.
    pub text: String,
    /// It is what was looked for.
    pub is_match: bool,
}

/// A word that was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SearchTerm {
    pub(super) word: String,
    pub(super) is_prefix: bool,
}

impl SearchTerm {
    /// Whether a word of the text is this one, or a form of it. It only decides what is marked.
    fn matches(&self, token: &str) -> bool {
        if self.word == token || (self.is_prefix && token.starts_with(&self.word)) {
            return true;
        }
        let (short, long) =
            if token.len() < self.word.len() { (token, &*self.word) } else { (&*self.word, token) };
        short.len() >= 3 && long.len() - short.len() <= 4 && long.starts_with(short)
    }
}

/// A stretch of a text: a word, or what lies between words.
struct Stretch<'t> {
    text: &'t str,
    is_match: bool,
}

/// The words around the first that was looked for, on one line.
pub(super) fn snippet(text: &str, wanted: &[SearchTerm]) -> Vec<SnippetPiece> {
    let line = escape_hidden(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned();
    let stretches = stretches(&line, wanted);
    let first = stretches.iter().position(|stretch| stretch.is_match).unwrap_or(0);
    let mut start = first;
    let mut before = 0;
    while start > 0 {
        before += stretches[start - 1].text.chars().count();
        if before > BEFORE {
            break;
        }
        start -= 1;
    }
    let mut pieces: Vec<SnippetPiece> = Vec::new();
    let mut add = |text: &str, is_match| match pieces.last_mut() {
        Some(last) if last.is_match == is_match => last.text.push_str(text),
        _ => pieces.push(SnippetPiece { text: text.to_owned(), is_match }),
    };
    if start > 0 {
        add("…", false);
    }
    let mut length = 0;
    for stretch in &stretches[start..] {
        let room = LENGTH.saturating_sub(length);
        length += stretch.text.chars().count();
        if length > LENGTH {
            // A word longer than all there is room for is cut; any other is left out.
            let cut: String = stretch.text.chars().take(room).collect();
            if pieces_are_empty(start, first, room) {
                add(&cut, stretch.is_match);
            }
            add("…", false);
            break;
        }
        add(stretch.text, stretch.is_match);
    }
    pieces
}

fn pieces_are_empty(start: usize, first: usize, room: usize) -> bool {
    start == first && room == LENGTH
}

fn stretches<'t>(line: &'t str, wanted: &[SearchTerm]) -> Vec<Stretch<'t>> {
    let mut stretches = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() && !is_word_by_itself(c);
        let end = if is_word_by_itself(c) {
            c.len_utf8()
        } else {
            let kind = is_word(c);
            rest.find(|c: char| is_word(c) != kind || is_word_by_itself(c)).unwrap_or(rest.len())
        };
        let (text, after) = rest.split_at(end);
        let is_match = c.is_alphanumeric() && {
            let token = text.to_lowercase();
            wanted.iter().any(|one| one.matches(&token))
        };
        stretches.push(Stretch { text, is_match });
        rest = after;
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: &[&str], expected: &str) {
        let wanted: Vec<_> =
            words.iter().map(|word| SearchTerm { word: (*word).to_owned(), is_prefix: false }).collect();
        let marked: String = snippet(text, &wanted)
            .iter()
            .map(|piece| if piece.is_match { format!("[{}]", piece.text) } else { piece.text.clone() })
            .collect();
        assert_eq!(marked, expected);
    }

    #[test]
    fn what_was_found_is_marked_in_all_its_forms() {
        check("Lock the tables.\n\nThen unlock", &["lock"], "[Lock] the tables. Then unlock");
        check("they were locked", &["locking"], "they were locked");
        check("they were locked", &["lock"], "they were [locked]");
        check("请锁定数据库", &["数", "据", "库"], "请锁定[数据库]");
        check("nothing of it", &["other"], "nothing of it");
        check("", &["other"], "");
    }

    #[test]
    fn long_texts_are_cut_around_the_first_match() {
        let text = format!("{}needle {}", "before ".repeat(40), "after ".repeat(80));
        let wanted = [SearchTerm { word: "needle".to_owned(), is_prefix: false }];
        let pieces = snippet(&text, &wanted);
        let all: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        assert!(all.starts_with("…") && all.ends_with('…') && all.contains("before needle after"), "{all}");
        assert!(all.chars().count() <= LENGTH + 2, "{}", all.chars().count());
        let word = "x".repeat(10_000);
        let all: String = snippet(&word, &wanted).iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(all.chars().count(), LENGTH + 1);
    }
}
