//! What a model said of an idea, added to the idea's page and marked as the model's.

use jiff::civil::Date;

use crate::markdown::escaped_line;
use crate::note_editor::make_revision;
use crate::note_entry::NoteEntry;
use crate::revise::Revision;

/// The heading over it.
const HEADING: &str = "## Research";
/// Longest sentence kept, in characters, and sentences of a list.
const CHARS: usize = 500;
const ITEMS: usize = 6;

/// What was said of an idea.
#[derive(Debug, Clone, Copy)]
pub struct Research<'a> {
    /// Who said it.
    pub by: &'a str,
    /// When.
    pub on: Date,
    /// What it would solve.
    pub problem: &'a str,
    /// Lists with their headings.
    pub lists: &'a [(&'a str, &'a [String])],
}

/// Whether an idea's page has it already.
pub fn is_researched(entry: &NoteEntry) -> bool {
    entry.note.lesson_text().lines().any(|line| line.trim_end() == HEADING)
}

/// The idea's page with what was said of it, after its own words and before its evidence. No form of markdown in what was
/// said counts.
pub fn with_research(entry: &NoteEntry, research: &Research<'_>) -> Revision {
    let by = escaped_line(research.by, 120);
    let mut words = format!(
        "{}\n\n{HEADING}\n\n*Written by {by} on {}: nothing of it was said in a session.*\n\n{}\n",
        entry.note.lesson_text(),
        research.on,
        escaped_line(research.problem, CHARS)
    );
    for (heading, items) in research.lists.iter().filter(|(_, items)| !items.is_empty()) {
        words.push_str(&format!("\n### {heading}\n\n"));
        for item in items.iter().take(ITEMS) {
            words.push_str(&format!("- {}\n", escaped_line(item, CHARS)));
        }
    }
    let mut note = entry.note.clone();
    note.set_lesson_text(&words);
    make_revision(entry, &note, entry.path.clone())
}
