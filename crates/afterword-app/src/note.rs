//! A note as a decision sees it: finding it by what a person typed, and what the database is told about it.

use afterword_core::{ContentKey, Kind, NoteId, ProjectKey, SessionId, UserId};
use afterword_reflect::builtin::essence;
use afterword_store::{Decision as DecisionRow, Scope, Store, Verdict};
use afterword_vault::{NoteEntry, VaultIndex, VaultPath};
use jiff::Timestamp;

use crate::Error;
use crate::error::NoteError;
use crate::spelling::comparable;

/// Characters of an id that are enough to name a note by, where they fit one only.
const SHORTEST_PREFIX: usize = 4;

/// The note called `argument`: its id or the start of one, its path, or its file's name.
pub(crate) fn find<'i>(index: &'i VaultIndex, argument: &str) -> Result<&'i NoteEntry, Error> {
    let argument = argument.trim();
    if let Some(entry) = NoteId::parse(argument).and_then(|id| index.by_id(id)) {
        return Ok(entry);
    }
    if let Some(entry) = VaultPath::parse(argument).and_then(|path| index.at(&path)) {
        return Ok(entry);
    }
    let stem = argument.strip_suffix(".md").unwrap_or(argument);
    let stem = comparable(stem);
    let is_named = |entry: &&NoteEntry| {
        entry.path.name().strip_suffix(".md").is_some_and(|name| comparable(name) == stem)
    };
    let starts = |entry: &&NoteEntry| {
        let id = entry.properties.id.map(|id| id.to_string()).unwrap_or_default();
        argument.len() >= SHORTEST_PREFIX && id.starts_with(&argument.to_lowercase())
    };
    let mut found: Vec<&NoteEntry> = index.notes().filter(|entry| is_named(entry) || starts(entry)).collect();
    match found.len() {
        0 => Err(NoteError::NoSuch { argument: argument.to_owned() }.into()),
        1 => Ok(found.remove(0)),
        count => {
            let notes = found.iter().take(5).map(|entry| entry.path.to_string()).collect();
            Err(NoteError::Ambiguous { argument: argument.to_owned(), count, notes }.into())
        }
    }
}

/// What kind of lesson a note is; `None` for those that nobody reviews.
pub(crate) fn lesson_kind(entry: &NoteEntry) -> Option<Kind> {
    entry.properties.kind?.lesson_kind()
}

/// The note's title, or its file's name.
pub(crate) fn title_of(entry: &NoteEntry) -> String {
    let name = || entry.path.name().trim_end_matches(".md").to_owned();
    entry.properties.title.clone().unwrap_or_else(name)
}

/// What a note says, for comparing it in meaning: its title, and its text without the circumstances.
pub(crate) fn text_of(entry: &NoteEntry) -> String {
    afterword_recall::document::meaning(&title_of(entry), &essence(entry.note.lesson_text()))
}

/// A note's id; a note without one cannot be answered.
pub(crate) fn id_of(entry: &NoteEntry) -> Result<NoteId, Error> {
    entry.properties.id.ok_or_else(|| NoteError::NoSuch { argument: entry.path.to_string() }.into())
}

/// The row that remembers a decision about a note.
pub(crate) fn decision(
    entry: &NoteEntry,
    verdict: Verdict,
    scope: Scope,
    reason: &str,
    superseded: Option<NoteId>,
    at: Timestamp,
) -> DecisionRow {
    let id = entry.properties.id;
    let key = entry.properties.key.clone();
    let words = text_of(entry);
    DecisionRow {
        user: UserId::default(),
        candidate: key.unwrap_or_else(|| ContentKey(id.map(|id| id.to_string()).unwrap_or_default())),
        verdict,
        kind: lesson_kind(entry).unwrap_or(Kind::Preference),
        title: title_of(entry),
        reason: reason.to_owned(),
        scope,
        session: entry.properties.session.as_deref().and_then(SessionId::parse),
        note: id,
        superseded,
        words: words.split_whitespace().map(str::to_owned).collect(),
        decided_at: at,
    }
}

/// Where decisions about a note hold: its project, as this machine knows it, or everywhere.
pub(crate) fn scope_of(store: &Store, entry: &NoteEntry) -> Result<Scope, Error> {
    let Some(name) = &entry.properties.project else { return Ok(Scope::Global) };
    let names = store.projects().names()?;
    let key = names.into_iter().find(|(_, known)| known == name).map(|(key, _)| key);
    // A project that only another machine has worked in is known by its name alone.
    Ok(Scope::Project(key.unwrap_or_else(|| ProjectKey::from_cwd(name))))
}
