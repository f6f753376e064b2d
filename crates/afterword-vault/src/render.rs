//! What a new note looks like: properties people sort by first, then the lesson, then what it rests on.

use afterword_core::{ContentKey, Destination, Evidence, Kind, NoteId, Role, SessionId};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::lesson::Lesson;
use crate::note::HEADING;
use crate::properties::{NoteKind, Status, confidence_word, signal_word};
use crate::yaml::Value;
use crate::{block, markdown, plain, quotation};

/// The name of the generated block that holds the evidence.
pub(crate) const EVIDENCE: &str = "evidence";
/// The most pieces of evidence a note collects; more of the same convinces nobody.
pub(crate) const MAX_PIECES: usize = 12;
/// The longest title, in characters.
const TITLE_CHARS: usize = 160;
/// The longest quotation of a person, in characters.
const PERSON_QUOTE_CHARS: usize = 2_000;
/// The longest quotation of the agent or a tool, in characters: enough to follow what the person answered.
const MACHINE_QUOTE_CHARS: usize = 600;
/// The longest rationale, in characters.
const RATIONALE_CHARS: usize = 400;

/// The title as it is written: one visible line, never empty.
pub(crate) fn title_of(lesson: &Lesson) -> String {
    let title = plain::one_line(&lesson.candidate.title, TITLE_CHARS);
    if title.is_empty() { "Untitled lesson".to_owned() } else { title }
}

/// The id of the note a lesson becomes: the same lesson gets the same id on every machine.
///
/// A UUIDv7 of the time it was said whose random part is taken from the lesson's key.
pub(crate) fn derive_note_id(key: &ContentKey, when: Timestamp) -> Option<NoteId> {
    let digest = blake3::hash(key.0.as_bytes());
    let mut random = [0; 10];
    random.copy_from_slice(digest.as_bytes().get(..10)?);
    let milliseconds = u64::try_from(when.as_millisecond()).unwrap_or(0);
    let id = uuid::Builder::from_unix_timestamp_millis(milliseconds, &random).into_uuid();
    NoteId::parse(&id.to_string())
}

/// When the lesson that a note was made of was said, as its id has it, in milliseconds since 1970; `None` for an id
/// that was made elsewhere.
pub fn timestamp_millis(id: NoteId) -> Option<i64> {
    let id = uuid::Uuid::parse_str(&id.to_string()).ok()?;
    let (seconds, nanoseconds) = id.get_timestamp().filter(|_| id.get_version_num() == 7)?.to_unix();
    i64::try_from(seconds).ok()?.checked_mul(1_000)?.checked_add(i64::from(nanoseconds / 1_000_000))
}

/// A whole new note; days are those of `zone`.
pub(crate) fn render_note(lesson: &Lesson, id: NoteId, zone: &TimeZone) -> String {
    let mut note = render_front_matter(&lesson_properties(lesson, id, zone));
    let block = block::render(EVIDENCE, &render_evidence(lesson, zone), "\n");
    note.push_str(&format!("\n{}\n\n{HEADING}\n\n{block}", body_of(lesson)));
    note
}

/// The lesson's own text as it is written; never empty.
pub(crate) fn body_of(lesson: &Lesson) -> String {
    let body = markdown::sanitize(&lesson.candidate.body);
    if body.is_empty() { markdown::escaped_line(&title_of(lesson), TITLE_CHARS) } else { body }
}

/// What stands in the block over the evidence.
pub(crate) fn render_evidence(lesson: &Lesson, zone: &TimeZone) -> String {
    let pieces =
        kept_evidence(lesson, zone).map(|(evidence, session, date)| render_piece(evidence, session, date));
    std::iter::once(render_reason(lesson)).chain(pieces).collect::<Vec<_>>().join("\n\n")
}

/// The entries a note of the lesson names in its properties, in the order of [`evidence`].
pub(crate) fn references(lesson: &Lesson, zone: &TimeZone) -> Vec<String> {
    kept_evidence(lesson, zone).map(|(evidence, session, _)| reference(evidence, session)).collect()
}

/// What of a lesson's evidence is written: all of its own, and of other sessions what still fits.
fn kept_evidence<'a>(
    lesson: &'a Lesson,
    zone: &TimeZone,
) -> impl Iterator<Item = (&'a Evidence, &'a SessionId, Date)> {
    lesson.all_evidence(zone).take(lesson.candidate.evidence.len().max(MAX_PIECES))
}

/// Front matter with its fences.
pub(crate) fn render_front_matter(properties: &[(&str, Value)]) -> String {
    let lines: String = properties.iter().map(|(name, value)| value.render_property(name, "\n")).collect();
    format!("---\n{lines}---\n")
}

fn lesson_properties(lesson: &Lesson, id: NoteId, zone: &TimeZone) -> Vec<(&'static str, Value)> {
    let date = lesson.date(zone);
    let candidate = &lesson.candidate;
    let word = |word: &str| Value::Text(word.to_owned());
    let waits = matches!(lesson.destination, Destination::Review | Destination::Inbox);
    let is_idea = candidate.kind == Kind::Idea;
    let mut properties = vec![
        ("title", Value::Text(title_of(lesson))),
        ("kind", word(NoteKind::from(candidate.kind).as_str())),
        ("status", word(if waits && !is_idea { Status::Inbox } else { Status::Active }.as_str())),
    ];
    if waits && !is_idea {
        properties.push(("review", Value::Empty));
    }
    properties.push(("confidence", word(confidence_word(candidate.confidence))));
    let project = lesson.project.as_ref().map(|project| plain::one_line(&project.name, TITLE_CHARS));
    if let Some(project) = project.filter(|project| !project.is_empty()) {
        properties.push(("project", Value::Text(project)));
    }
    properties.push(("tags", Value::List(vec!["afterword".to_owned()])));
    properties.push(("created", Value::Date(date)));
    properties.push(("updated", Value::Date(date)));
    if !is_idea {
        properties.push(("always_load", Value::Flag(false)));
    }
    properties.push(("signal", word(signal_word(candidate.signal))));
    properties.push(("session", Value::Text(lesson.session.to_string())));
    properties.push(("evidence", Value::List(references(lesson, zone))));
    properties.push(("id", Value::Text(id.to_string())));
    properties.push(("key", Value::Text(plain::one_line(&lesson.key.0, TITLE_CHARS))));
    properties
}

/// Why it was found, on one line: `Why: You objected; Claude changed its work accordingly. Medium confidence.`
pub(crate) fn render_reason(lesson: &Lesson) -> String {
    let candidate = &lesson.candidate;
    let confidence = confidence_word(candidate.confidence);
    let rationale = markdown::escaped_line(&candidate.rationale, RATIONALE_CHARS);
    let reason = match rationale.trim_end_matches('.') {
        "" => String::new(),
        rationale => format!("{}. ", capitalised(rationale)),
    };
    format!("Why: {reason}{} confidence.", capitalised(confidence))
}

fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// One piece of evidence: the words, then who said them, when and where.
pub(crate) fn render_piece(evidence: &Evidence, session: &SessionId, date: Date) -> String {
    let who = match evidence.role {
        Role::User => "User",
        Role::Assistant => "Assistant",
        Role::Tool => "Tool output",
    };
    let short: String = session.as_str().chars().take(8).collect();
    let line = evidence.line;
    format!("{}\n\n{who} · {date} · session `{short}` · line {line}", render_quotation(evidence))
}

/// The words of a piece of evidence as they stand in a note.
pub(crate) fn render_quotation(evidence: &Evidence) -> String {
    match evidence.role {
        Role::User => quotation::quote(&evidence.quote, PERSON_QUOTE_CHARS),
        Role::Assistant => quotation::quote(&evidence.quote, MACHINE_QUOTE_CHARS),
        Role::Tool => quotation::quote_output(&evidence.quote, MACHINE_QUOTE_CHARS),
    }
}

/// How the `evidence` property names an entry: `<session>/<entry uuid>`, or `<session>/L<line>` where it has none.
pub(crate) fn reference(evidence: &Evidence, session: &SessionId) -> String {
    let uuid = evidence.uuid.trim();
    let usable = (8..=64).contains(&uuid.len())
        && uuid.bytes().all(|byte| byte == b'-' || byte.is_ascii_alphanumeric());
    if usable { format!("{session}/{uuid}") } else { format!("{session}/L{}", evidence.line) }
}

/// What makes two references name the same entry: its uuid wherever it has one (forks and resumed sessions repeat
/// entries under another session), otherwise session and line.
pub(crate) fn entry_identity(reference: &str) -> &str {
    match reference.rsplit_once('/') {
        Some((_, entry)) if !is_line(entry) => entry,
        _ => reference,
    }
}

/// Whether a reference names an entry by its line, as it has no uuid.
pub(crate) fn is_by_line(reference: &str) -> bool {
    reference.rsplit_once('/').is_some_and(|(_, entry)| is_line(entry))
}

fn is_line(entry: &str) -> bool {
    entry
        .strip_prefix('L')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
