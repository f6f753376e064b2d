//! The ledger of ideas: one line each in `Ideas.md`, each with a block id made of the idea's key.
//!
//! The line is the user's from the moment it is written: ticked, moved, reworded or deleted, it stays so. Only new
//! lines are added, behind the last open idea.

use std::collections::BTreeSet;
use std::ops::Range;

use afterword_core::ContentKey;
use serde::{Deserialize, Serialize};

use crate::block::code_spans;
use crate::hash::ContentHash;
use crate::lesson::Lesson;
use crate::note::Note;
use crate::note_entry::NoteEntry;
use crate::path::VaultPath;
use crate::revise::Revision;
use crate::{markdown, plain, render};

/// The heading that new ideas go under while there are none.
const HEADING: &str = "## Open";
/// The longest summary in a line, in characters: two sentences.
const SUMMARY_CHARS: usize = 320;

/// The block id of an idea's line, without the `^`.
pub fn block_id(key: &ContentKey) -> String {
    let plain = key.0.len() >= 12 && key.0.bytes().all(|byte| byte.is_ascii_hexdigit());
    let digits = if plain { key.0.clone() } else { ContentHash::of(key.0.as_bytes()).as_str().to_owned() };
    format!("idea-{}", digits[..12].to_ascii_lowercase())
}

/// One idea of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdeaLine {
    /// The block id, without the `^`.
    pub block_id: String,
    /// Whether the user ticked it.
    pub done: bool,
}

/// How an idea stands in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum IdeaMark {
    /// `[ ]`
    Open,
    /// Any other box, as `[x]`.
    Done,
    /// `[-]`, as Obsidian's task plugins have it: it is not to be done.
    Dismissed,
}

impl IdeaMark {
    fn letter(self) -> &'static str {
        match self {
            Self::Open => " ",
            Self::Done => "x",
            Self::Dismissed => "-",
        }
    }
}

/// The block ids in the ledger, each with how its idea stands.
pub fn idea_marks(note: &Note) -> Vec<(String, IdeaMark)> {
    let body = note.body();
    let mark = |(end, line): (usize, IdeaLine)| {
        let letter = checkbox_range(body, end).map(|span| &body[span]);
        let mark = match letter {
            Some("-") => IdeaMark::Dismissed,
            _ if line.done => IdeaMark::Done,
            _ => IdeaMark::Open,
        };
        (line.block_id, mark)
    };
    idea_lines(note).into_iter().map(mark).collect()
}

/// The ledger with an idea marked; `None` where it has no such line, or the line has no box to mark.
pub fn mark_idea(ledger: &NoteEntry, block_id: &str, mark: IdeaMark) -> Option<Revision> {
    let mut note = ledger.note.clone();
    let (end, _) = idea_lines(&note).into_iter().find(|(_, line)| line.block_id == block_id)?;
    let span = checkbox_range(note.body(), end)?;
    note.replace_in_body(span, mark.letter());
    Some(Revision {
        path: ledger.path.clone(),
        before: ledger.hash.clone(),
        content: note.print().to_owned(),
        to: ledger.path.clone(),
    })
}

/// What stands in the box of the item whose first line ends at `end`.
fn checkbox_range(body: &str, end: usize) -> Option<Range<usize>> {
    let start = body[..end].trim_end_matches(['\n', '\r']).rfind('\n').map_or(0, |at| at + 1);
    let line = &body[start..end];
    let bullet = line.len() - line.trim_start().trim_start_matches(['-', '*', '+']).trim_start().len();
    let inside = line[bullet..].strip_prefix('[')?;
    let letter = inside.chars().next()?.len_utf8();
    let from = start + bullet + 1;
    inside[letter..].starts_with(']').then_some(from..from + letter)
}

/// The ideas that stand in the ledger, in its order; lines inside code do not count.
pub fn parse_ideas(note: &Note) -> Vec<IdeaLine> {
    idea_lines(note).into_iter().map(|(_, line)| line).collect()
}

/// The line of a new idea, without line break.
pub(crate) fn render_idea_line(lesson: &Lesson, page: &VaultPath) -> String {
    let link = markdown::wikilink(page.link_target(), &render::title_of(lesson));
    let first = lesson.candidate.body.split("\n\n").next().unwrap_or_default();
    let summary = plain::one_line(&markdown::plain_text(first), SUMMARY_CHARS);
    let mut line = format!("- [ ] {link}");
    if !summary.is_empty() && summary != render::title_of(lesson) {
        line.push_str(&format!(" – {}", markdown::escaped_line(&summary, SUMMARY_CHARS)));
    }
    let project = lesson.project.as_ref().map(|project| markdown::escaped_line(&project.name, 80));
    if let Some(project) = project.filter(|project| !project.is_empty()) {
        line.push_str(&format!(" ({project})"));
    }
    line.push_str(&format!(" ^{}", block_id(&lesson.key)));
    line
}

/// The block ids in the ledger.
pub(crate) fn block_ids(note: &Note) -> BTreeSet<String> {
    parse_ideas(note).into_iter().map(|line| line.block_id).collect()
}

/// Adds lines to the ledger.
pub(crate) fn add_idea_lines(note: &mut Note, new: &[String]) {
    if new.is_empty() {
        return;
    }
    let newline = note.newline();
    let body = note.body();
    let mut lines: String = new.iter().map(|line| format!("{line}{newline}")).collect();
    let last_open = idea_lines(note).into_iter().rfind(|(_, line)| !line.done).map(|(end, _)| end);
    let at = match last_open.map(|end| item_end(body, end)).or_else(|| heading_end(body)) {
        Some(at) => at,
        None => {
            if !body.trim().is_empty() && !body.ends_with("\n\n") && !body.ends_with("\n\r\n") {
                lines.insert_str(0, newline);
            }
            body.len()
        }
    };
    if last_open.is_none() && at < body.len() {
        lines.insert_str(0, newline);
    }
    if !body[..at].is_empty() && !body[..at].ends_with('\n') {
        lines.insert_str(0, newline);
    }
    note.insert_in_body(at, &lines);
}

/// Adds lines at the end of a note.
pub(crate) fn append_lines(note: &mut Note, new: &[String]) {
    let newline = note.newline();
    let body = note.body();
    let is_list = body.trim_end().lines().next_back().is_some_and(|line| line.starts_with("- "));
    let gap = match (body.ends_with('\n'), is_list) {
        (true, true) => String::new(),
        (true, false) | (false, true) => newline.to_owned(),
        (false, false) => newline.repeat(2),
    };
    let lines: String = new.iter().map(|line| format!("{line}{newline}")).collect();
    let end = body.len();
    note.insert_in_body(end, &format!("{gap}{lines}"));
}

/// Each idea with the end of its line in the body.
fn idea_lines(note: &Note) -> Vec<(usize, IdeaLine)> {
    let body = note.body();
    let code = if body.contains("^idea-") { code_spans(body) } else { Vec::new() };
    let mut found = Vec::new();
    let mut end = 0;
    for line in body.split_inclusive('\n') {
        let start = end;
        end += line.len();
        let Some(id) = line.split_whitespace().next_back().and_then(|word| word.strip_prefix('^')) else {
            continue;
        };
        let is_id =
            id.starts_with("idea-") && id.bytes().all(|byte| byte == b'-' || byte.is_ascii_alphanumeric());
        if !is_id || code.iter().any(|code| code.contains(&start)) {
            continue;
        }
        let item = line.trim_start().trim_start_matches(['-', '*', '+']).trim_start();
        let done = item.starts_with('[') && !item.starts_with("[ ]");
        found.push((end, IdeaLine { block_id: id.to_owned(), done }));
    }
    found
}

/// The end of the list item whose first line ends at `end`: indented lines below belong to it.
fn item_end(body: &str, end: usize) -> usize {
    let below = body[end..]
        .split_inclusive('\n')
        .take_while(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
    end + below.map(str::len).sum::<usize>()
}

fn heading_end(body: &str) -> Option<usize> {
    let mut end = 0;
    for line in body.split_inclusive('\n') {
        end += line.len();
        if line.trim_end() == HEADING {
            return Some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEDGER: &str = "# Ideas\n\n## Open\n\n- [ ] one ^idea-aaaaaaaaaaaa\n  * [x] two [ ] ^idea-bbbbbbbbbbbb\r\n- [-] three ^idea-cccccccccccc\n- four ^idea-dddddddddddd\n";

    fn box_at(id: &str) -> Option<String> {
        let note = Note::parse(LEDGER.to_owned());
        let (end, _) = idea_lines(&note).into_iter().find(|(_, line)| line.block_id.ends_with(id)).unwrap();
        checkbox_range(note.body(), end).map(|span| note.body()[span].to_owned())
    }

    #[test]
    fn box_is_the_one_after_the_bullet() {
        let boxes: Vec<_> = ["a", "b", "c", "d"].into_iter().map(box_at).collect();
        assert_eq!(boxes, [Some(" ".to_owned()), Some("x".to_owned()), Some("-".to_owned()), None]);
        let marks: Vec<_> =
            idea_marks(&Note::parse(LEDGER.to_owned())).into_iter().map(|(_, mark)| mark).collect();
        assert_eq!(marks, [IdeaMark::Open, IdeaMark::Done, IdeaMark::Dismissed, IdeaMark::Open]);
    }

    #[test]
    fn only_a_line_of_a_list_with_an_id_of_ours_is_an_idea() {
        let text = "```\n- [ ] code ^idea-eeeeeeeeeeee\n```\n- [ ] odd ^idea-f/g\n- [ ] other ^rule-a\n- [ ] one ^idea-aaaaaaaaaaaa\n";
        let ids: Vec<_> =
            parse_ideas(&Note::parse(text.to_owned())).into_iter().map(|line| line.block_id).collect();
        assert_eq!(ids, ["idea-aaaaaaaaaaaa"]);
    }

    #[test]
    fn new_ideas_stand_apart_from_what_is_no_list() {
        for (body, expected) in [
            ("", "- new\n"),
            ("Text", "Text\n\n- new\n"),
            ("Text\n", "Text\n\n- new\n"),
            ("Text\n\n", "Text\n\n- new\n"),
            (
                "- [ ] one ^idea-aaaaaaaaaaaa\n  more\n\nText\n",
                "- [ ] one ^idea-aaaaaaaaaaaa\n  more\n- new\n\nText\n",
            ),
        ] {
            let mut note = Note::parse(body.to_owned());
            add_idea_lines(&mut note, &["- new".to_owned()]);
            assert_eq!(note.print(), expected, "{body:?}");
        }
    }
}
