//! Lessons that sessions were given and that the person had to say again all the same: more can be done for them than giving them.

use afterword_claude_code::home::SKILLS;
use afterword_core::{Kind, NoteId, SessionId};
use afterword_store::{FeedbackKind, RepeatedFeedback, Store};
use afterword_vault::VaultIndex;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::checks::bindings::Bindings;
use crate::note;
use crate::{App, Error};

/// In how many sessions, before more is offered.
const OFTEN: u64 = 2;
/// How long it is of weight that a lesson was said again.
const RECENT: SignedDuration = SignedDuration::from_hours(24 * 90);

/// A lesson that was given and said again in several sessions, and that no check enforces yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct RestatedLesson {
    /// Its note.
    pub id: NoteId,
    /// Its title.
    pub title: String,
    /// What sort of lesson: a workflow may become a skill.
    pub kind: Kind,
    /// Its note, below the vault's root.
    pub path: String,
    /// Sessions that had been given it and in which it was said again.
    pub sessions: u64,
    /// When that was seen last.
    #[cfg_attr(feature = "contract", ts(type = "string"))]
    pub last: Timestamp,
}

impl RestatedLesson {
    /// The commands by which more can be done for it, each with what it does.
    pub fn offers(&self) -> Vec<(String, &'static str)> {
        let id = self.id;
        let mut offers = vec![
            (format!("afterword bind {id}"), "have Claude Code's hooks enforce it"),
            (
                format!("afterword export --note {id} --as claude-md --to CLAUDE.md"),
                "write it into the project's instructions",
            ),
        ];
        if self.kind == Kind::Workflow {
            offers.push((
                format!("afterword export --note {id} --as skill --to {SKILLS}"),
                "draft a skill from it",
            ));
        }
        offers
    }
}

/// The lessons for which more can be done, those that were said again most often first.
///
/// # Errors
/// [`Error::Vault`], [`Error::Store`] or [`Error::Io`].
pub fn restated_lessons(app: &App, now: Timestamp) -> Result<Vec<RestatedLesson>, Error> {
    if app.config.vault.is_none() {
        return Ok(Vec::new());
    }
    let often = often_restated(app, now)?;
    if often.is_empty() { Ok(Vec::new()) } else { unbound(app, often, &app.open_vault()?.scan()?) }
}

/// The same where the vault was looked at already.
pub(crate) fn restated_lessons_in(
    app: &App,
    index: &VaultIndex,
    now: Timestamp,
) -> Result<Vec<RestatedLesson>, Error> {
    unbound(app, often_restated(app, now)?, index)
}

fn often_restated(app: &App, now: Timestamp) -> Result<Vec<RepeatedFeedback>, Error> {
    let Some(store) = app.existing_store()? else { return Ok(Vec::new()) };
    let mut often = store.feedback().restated_lessons()?;
    often.retain(|one| one.sessions >= OFTEN && is_recent(one.last, now));
    Ok(often)
}

/// Those that are active and that no check enforces.
fn unbound(
    app: &App,
    often: Vec<RepeatedFeedback>,
    index: &VaultIndex,
) -> Result<Vec<RestatedLesson>, Error> {
    let bound = Bindings::read(&app.paths)?;
    let unbound = often.into_iter().filter(|one| bound.bound_note(one.note).is_none());
    let mut found: Vec<RestatedLesson> = unbound
        .filter_map(|one| {
            let entry = index.by_id(one.note)?;
            Some(RestatedLesson {
                id: one.note,
                title: note::title_of(entry),
                kind: note::lesson_kind(entry).filter(|_| entry.properties.is_active())?,
                path: entry.path.to_string(),
                sessions: one.sessions,
                last: one.last,
            })
        })
        .collect();
    found.sort_by(|one, other| other.sessions.cmp(&one.sessions).then_with(|| one.path.cmp(&other.path)));
    Ok(found)
}

/// Those of them that a session said again as the one from which on more is offered: what is to be told once.
///
/// # Errors
/// As [`restated_lessons`].
pub fn restated_lessons_by(
    app: &App,
    session: &SessionId,
    now: Timestamp,
) -> Result<Vec<RestatedLesson>, Error> {
    let Some(store) = app.existing_store()? else { return Ok(Vec::new()) };
    let own: Vec<NoteId> = store
        .feedback()
        .of_session(session)?
        .into_iter()
        .filter_map(|(note, worth)| (worth == FeedbackKind::Ignored).then_some(note))
        .collect();
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let mut again = restated_lessons(app, now)?;
    again.retain(|one| one.sessions == OFTEN && own.contains(&one.id));
    Ok(again)
}

/// The lessons that were said again although they had been given, and not long ago: they come first.
pub(super) fn most_needed_lessons(store: &Store, now: Timestamp) -> Result<Vec<NoteId>, Error> {
    let again = store.feedback().restated_lessons()?.into_iter();
    Ok(again.filter(|one| is_recent(one.last, now)).map(|one| one.note).collect())
}

fn is_recent(at: Timestamp, now: Timestamp) -> bool {
    now.duration_since(at) < RECENT
}
