//! The text of an idea: two sentences that are true, what it is and where it came up.
//!
//! A model's sentence stays where enough of it was said. Where one is missing, what was said stands in its place, word for
//! word.

use afterword_core::{Evidence, Role};

use super::line::Line;
use crate::builtin::phrase::flat;
use crate::builtin::words::{head, sentences};

/// Sentences of an idea.
const SENTENCES: usize = 2;
/// Longest quotation in one, in bytes.
const QUOTE: usize = 140;

/// The text of an idea: of what a model wrote the first two sentences that `is_said`, and quotations for those that are missing.
pub(super) fn text(
    written: &str,
    evidence: &[Evidence],
    lines: &[Line],
    is_said: impl Fn(&str) -> bool,
) -> String {
    let ends = ['。', '！', '？'];
    let parts = written.split_inclusive(ends).flat_map(sentences);
    let mut told: Vec<String> =
        parts.filter(|part| is_said(part)).take(SENTENCES).map(|part| closed(&flat(part))).collect();
    let own = evidence.iter().find(|piece| piece.role == Role::User);
    let put_off = own.map(|piece| format!("It was put off with the words “{}”.", quoted(&piece.quote)));
    let came_up = own.map(|piece| came_up(piece, lines));
    let missing = SENTENCES.saturating_sub(told.len());
    told.extend([put_off, came_up].into_iter().flatten().take(missing));
    told.join(" ")
}

/// Where the person spoke of it.
fn came_up(own: &Evidence, lines: &[Line]) -> String {
    let before = lines.iter().rev().find(|line| line.role == Role::Assistant && line.number < own.line);
    let last =
        before.and_then(|line| sentences(&line.text).into_iter().rfind(|part| part.len() >= SAYS_SOMETHING));
    match last {
        Some(said) => format!("It came up after “{}”.", quoted(said)),
        None => format!("It stands in line {} of the session.", own.line),
    }
}

/// Shorter ends of a message say nothing, in bytes.
const SAYS_SOMETHING: usize = 12;

fn quoted(text: &str) -> String {
    let text = flat(text);
    let short = head(&text, QUOTE);
    let mark = if short.len() < text.len() { "…" } else { "" };
    format!("{}{mark}", short.trim_end().trim_end_matches('.'))
}

/// A sentence with an end.
fn closed(sentence: &str) -> String {
    let is_open = sentence.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '`' | '"' | '”'));
    format!("{sentence}{}", if is_open { "." } else { "" })
}
