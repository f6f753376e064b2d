//! What a note says it rests on, read back: why it was found, and each piece with its words, speaker and place.
//!
//! The form is the one `render` writes. A person may have changed it; what is not understood is left out.

use afterword_core::{Role, SessionId};
use jiff::civil::Date;

use crate::markdown;
use crate::note::Note;
use crate::properties::Properties;

/// What a note says it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatedEvidence {
    /// Signal, confidence and rationale, on one line; empty where the note does not say.
    pub why: String,
    /// The pieces of evidence.
    pub pieces: Vec<EvidencePiece>,
}

/// One piece of evidence as the note has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidencePiece {
    /// Who wrote the words.
    pub role: Role,
    /// The words, on one line and without markdown's forms.
    pub quote: String,
    /// The day.
    pub date: Option<Date>,
    /// The session: whole where the note's properties name it, else its first characters.
    pub session: String,
    /// The entry's uuid; empty where it has none.
    pub uuid: String,
    /// The entry's line in the transcript, counted from 1.
    pub line: u64,
}

impl StatedEvidence {
    /// Reads what stands below the heading over the evidence.
    pub fn of(note: &Note) -> Self {
        let references = Properties::of(note).evidence;
        let body = note.body();
        let from = body.find("%% afterword:begin evidence").unwrap_or(body.len());
        let mut stated = Self::default();
        let mut quote: Vec<&str> = Vec::new();
        for line in body[from..].lines().map(str::trim_end) {
            if let Some(words) = line.strip_prefix('>') {
                quote.push(words.strip_prefix(' ').unwrap_or(words));
            } else if let Some(why) = line.strip_prefix("Why: ").filter(|_| stated.why.is_empty()) {
                stated.why = markdown::plain_text(why);
            } else if let Some((role, date, session, line)) = parse_attribution(line) {
                let words = markdown::plain_text(&quote.join("\n"));
                quote.clear();
                let at = stated.pieces.len();
                let named = references.get(at).and_then(|reference| reference.rsplit_once('/'));
                let named = named.filter(|(whole, _)| whole.starts_with(session));
                let uuid = named.map(|(_, entry)| entry).filter(|entry| !is_line(entry)).unwrap_or("");
                stated.pieces.push(EvidencePiece {
                    role,
                    quote: words,
                    date,
                    session: named.map_or(session, |(whole, _)| whole).to_owned(),
                    uuid: uuid.to_owned(),
                    line,
                });
            }
        }
        stated
    }
}

impl EvidencePiece {
    /// The session, where its whole id is known.
    pub fn session_id(&self) -> Option<SessionId> {
        SessionId::parse(&self.session)
    }
}

/// `User · 2026-03-01 · session `0f0e0d0c` · line 3`
fn parse_attribution(line: &str) -> Option<(Role, Option<Date>, &str, u64)> {
    let mut parts = line.split(" · ");
    let role = match parts.next()? {
        "User" => Role::User,
        "Assistant" => Role::Assistant,
        "Tool output" => Role::Tool,
        _ => return None,
    };
    let date = parts.next()?.parse().ok();
    let session = parts.next()?.strip_prefix("session `")?.strip_suffix('`')?;
    let line = parts.next()?.strip_prefix("line ")?.parse().ok()?;
    parts.next().is_none().then_some((role, date, session, line))
}

fn is_line(entry: &str) -> bool {
    entry.strip_prefix('L').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}
