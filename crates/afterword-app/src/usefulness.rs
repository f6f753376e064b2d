//! Whether it works: whether what is known is still said again, whether checks hold, what lessons cost a session, and which of
//! them nobody needs.
//!
//! Only from what is written down as it happens. Where nothing was, a figure is `None`: that is not nought. Start at
//! [`usefulness`].

use std::collections::{HashMap, HashSet};

use afterword_core::{Kind, NoteId};
use afterword_store::{FeedbackKind, InjectionSum, Store};
use afterword_vault::{NoteEntry, Status, VaultIndex, expired_on};
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::Serialize;

use crate::checks::figures::CheckFigures;
use crate::feedback::{RestatedLesson, restated_lessons_in};
use crate::note;
use crate::note_change::WaitingPlace;
use crate::review::waits_in;
use crate::{App, Error, checks, injection, review};

/// Whether it works.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "UsefulnessFigures"))]
pub struct Usefulness {
    /// The lessons there are.
    pub lessons: LessonCounts,
    /// Wishes said again; none before a session began after the first lesson was written.
    pub repeated: Option<RepeatedWishes>,
    /// Lessons that were given and said again all the same in several sessions, for which more can be done.
    pub said_again: Vec<RestatedLesson>,
    /// How often checks held.
    pub checks: CheckFigures,
    /// What sessions were given; none where no session asked.
    pub given: Option<InjectionFigures>,
    /// Days that a lesson must have been there for what follows.
    pub days: u32,
    /// Active lessons that no session was given for so long, although sessions of their project asked; none where that is
    /// not known for so long.
    pub never_given: Option<Vec<IdleLesson>>,
    /// Active lessons that were given, and that for so long nothing showed to be of use; none where nobody ever said of any
    /// lesson that it was of use.
    pub never_used: Option<Vec<IdleLesson>>,
}

/// Lessons by where they stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct LessonCounts {
    /// Active ones.
    pub active: usize,
    /// Those to review, as the window and `afterword status` count them.
    pub to_review: usize,
    /// Those in the inbox.
    pub inbox: usize,
    /// Those that went to the archive because nobody answered them.
    pub expired: usize,
}

/// Wishes that were said again although a note said them when the session began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct RepeatedWishes {
    /// How many, each counted once a session.
    pub wishes: usize,
    /// Of those, the ones whose session had been given the lesson.
    pub given: usize,
    /// Of those, the ones whose session had not been given the lesson.
    pub not_given: usize,
    /// Of those, the ones whose session asked for nothing: without hooks, or before they were installed.
    pub unknown: usize,
    /// The sessions that were looked at: those that began after the first lesson was written.
    pub sessions: u64,
}

/// What sessions were given, prompts included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct InjectionFigures {
    /// Sessions that were given something.
    pub sessions: usize,
    /// Sessions that were given nothing.
    pub with_nothing: usize,
    /// Bytes a session that was given something; none where they were not counted.
    pub bytes: Option<AmountSummary>,
    /// Tokens, estimated, a session that was given something.
    pub tokens: AmountSummary,
    /// Since when it is known.
    pub since: Option<Timestamp>,
}

/// Some amounts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct AmountSummary {
    /// Of so many sessions.
    pub sessions: usize,
    /// On average.
    pub average: u64,
    /// The largest.
    pub most: u64,
}

/// A lesson that nobody needs, as far as is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct IdleLesson {
    /// Its note.
    pub id: NoteId,
    /// Its title.
    pub title: String,
    /// Its note, below the vault's root.
    pub path: String,
    /// When it was given last.
    pub last_given: Option<Timestamp>,
}

/// A lesson that sessions said again although a note says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct RepeatedLesson {
    /// Its note.
    pub id: NoteId,
    /// Its title.
    pub title: String,
    /// Its note, below the vault's root.
    pub path: String,
    /// In so many sessions.
    pub sessions: usize,
    /// Of those, the ones that had been given it.
    pub given: usize,
    /// When a session that says it began last.
    pub last: Timestamp,
}

/// Looks whether it works; lessons are of no use that were not for `days`.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn usefulness(app: &App, days: u32, now: &Zoned) -> Result<Usefulness, Error> {
    usefulness_in(app, &app.open_vault()?.scan()?, days, now)
}

/// The same, and the active lessons that are said again most, those said most often first; at most `most`. The vault is looked at
/// once.
///
/// # Errors
/// As [`usefulness`].
pub fn usefulness_and_repeated(
    app: &App,
    days: u32,
    most: usize,
    now: &Zoned,
) -> Result<(Usefulness, Vec<RepeatedLesson>), Error> {
    let index = app.open_vault()?.scan()?;
    Ok((usefulness_in(app, &index, days, now)?, repeated_lessons(app, &index, most)?))
}

fn repeated_lessons(app: &App, index: &VaultIndex, most: usize) -> Result<Vec<RepeatedLesson>, Error> {
    let Some(store) = app.existing_store()? else { return Ok(Vec::new()) };
    let mut by_note: HashMap<NoteId, RepeatedLesson> = HashMap::new();
    for one in store.comparisons().repeated_wishes(&app.vault_root())? {
        let Some(entry) = index.by_id(one.note).filter(|entry| is_active_lesson(entry)) else { continue };
        let repeated = by_note.entry(one.note).or_insert_with(|| RepeatedLesson {
            id: one.note,
            title: note::title_of(entry),
            path: entry.path.to_string(),
            sessions: 0,
            given: 0,
            last: one.at,
        });
        repeated.sessions += 1;
        repeated.given += usize::from(one.given == Some(true));
        repeated.last = repeated.last.max(one.at);
    }
    let mut repeated: Vec<RepeatedLesson> = by_note.into_values().collect();
    repeated.sort_by(|one, other| {
        (other.sessions, other.last, &one.path).cmp(&(one.sessions, one.last, &other.path))
    });
    repeated.truncate(most);
    Ok(repeated)
}

fn usefulness_in(app: &App, index: &VaultIndex, days: u32, now: &Zoned) -> Result<Usefulness, Error> {
    let mut useful = Usefulness {
        lessons: counts(index),
        repeated: None,
        said_again: restated_lessons_in(app, index, now.timestamp())?,
        checks: checks::check_figures(app)?,
        given: None,
        days,
        never_given: None,
        never_used: None,
    };
    let Some(store) = app.existing_store()? else { return Ok(useful) };
    injection::absorb_records(app, &store)?;
    useful.repeated = repeated_wishes(app, &store)?;
    let first_at = store.injections().first_at()?;
    useful.given = injection_figures(&store, first_at)?;
    let before = now.timestamp().checked_sub(SignedDuration::from_hours(24 * i64::from(days)));
    let before = before.unwrap_or(Timestamp::MIN);
    let idle = Idle {
        index,
        store: &store,
        before,
        now,
        since: review::waiting_since(app, Some(&store))?,
        shown: store.injections().last_given_at()?,
    };
    if first_at.is_some_and(|since| since <= before) {
        useful.never_given = Some(idle.lessons_never_given()?);
    }
    useful.never_used = idle.never_used()?;
    Ok(useful)
}

fn repeated_wishes(app: &App, store: &Store) -> Result<Option<RepeatedWishes>, Error> {
    let root = app.vault_root();
    let sessions = store.comparisons().sessions_that_could_repeat(&root)?;
    if sessions == 0 {
        return Ok(None);
    }
    let all = store.comparisons().repeated_wishes(&root)?;
    let count = |given| all.iter().filter(|one| one.given == given).count();
    Ok(Some(RepeatedWishes {
        wishes: all.len(),
        given: count(Some(true)),
        not_given: count(Some(false)),
        unknown: count(None),
        sessions,
    }))
}

fn counts(index: &VaultIndex) -> LessonCounts {
    let mut counts = LessonCounts::default();
    for entry in index.notes() {
        match waits_in(entry) {
            Some(WaitingPlace::Review) => counts.to_review += 1,
            Some(WaitingPlace::Inbox) => counts.inbox += 1,
            None => {}
        }
    }
    for entry in index.notes().filter(|entry| is_lesson(entry)) {
        match entry.properties.effective_status() {
            Some(Status::Active) | None => counts.active += 1,
            Some(Status::Inbox) => {}
            _ => counts.expired += usize::from(expired_on(entry).is_some()),
        }
    }
    counts
}

fn is_lesson(entry: &NoteEntry) -> bool {
    note::lesson_kind(entry).is_some_and(|kind| kind != Kind::Idea)
}

fn is_active_lesson(entry: &NoteEntry) -> bool {
    is_lesson(entry) && entry.properties.is_active()
}

fn injection_figures(store: &Store, since: Option<Timestamp>) -> Result<Option<InjectionFigures>, Error> {
    if since.is_none() {
        return Ok(None);
    }
    let sums = store.injections().sums_by_session()?;
    let (some, nothing): (Vec<InjectionSum>, Vec<InjectionSum>) =
        sums.into_iter().partition(|sum| sum.tokens > 0);
    let bytes: Vec<u64> = some.iter().filter_map(|sum| sum.bytes).collect();
    let tokens: Vec<u64> = some.iter().map(|sum| sum.tokens).collect();
    Ok(Some(InjectionFigures {
        sessions: some.len(),
        with_nothing: nothing.len(),
        bytes: (!bytes.is_empty()).then(|| AmountSummary::of(&bytes)),
        tokens: AmountSummary::of(&tokens),
        since,
    }))
}

impl AmountSummary {
    fn of(amounts: &[u64]) -> Self {
        let sum: u64 = amounts.iter().sum();
        Self {
            sessions: amounts.len(),
            average: sum / (amounts.len() as u64).max(1),
            most: amounts.iter().copied().max().unwrap_or(0),
        }
    }
}

/// Looks for lessons that nobody needs.
struct Idle<'a> {
    index: &'a VaultIndex,
    store: &'a Store,
    /// What happened since then makes a lesson needed.
    before: Timestamp,
    now: &'a Zoned,
    /// When notes were first written.
    since: HashMap<NoteId, Timestamp>,
    /// When each was given last.
    shown: HashMap<NoteId, Timestamp>,
}

impl Idle<'_> {
    fn lessons_never_given(&self) -> Result<Vec<IdleLesson>, Error> {
        let asked = self.store.injections().projects_since(self.before)?;
        let is_idle = |entry: &NoteEntry, id: NoteId| {
            let project = entry.properties.project.as_ref();
            let has_asked = project.map_or(!asked.is_empty(), |project| asked.contains(project));
            has_asked && self.shown.get(&id).is_none_or(|at| *at < self.before)
        };
        Ok(self.lessons(is_idle))
    }

    fn never_used(&self) -> Result<Option<Vec<IdleLesson>>, Error> {
        let feedback = self.store.feedback().all()?;
        let is_of_use = |worth: &FeedbackKind| matches!(worth, FeedbackKind::Applied | FeedbackKind::Helped);
        if !feedback.iter().any(|(_, worth, _)| is_of_use(worth)) {
            return Ok(None);
        }
        // One that had to be said again is needed most.
        let is_needed = |worth: &FeedbackKind| is_of_use(worth) || *worth == FeedbackKind::Ignored;
        let needed = feedback.iter().filter(|(_, worth, at)| is_needed(worth) && *at >= self.before);
        let needed: HashSet<NoteId> = needed.map(|(note, ..)| *note).collect();
        let is_idle = |_: &NoteEntry, id: NoteId| {
            self.shown.get(&id).is_some_and(|at| *at >= self.before) && !needed.contains(&id)
        };
        Ok(Some(self.lessons(is_idle)))
    }

    /// The active lessons that were there before and are idle, those given longest ago first.
    fn lessons(&self, is_idle: impl Fn(&NoteEntry, NoteId) -> bool) -> Vec<IdleLesson> {
        let found = self.index.notes().filter(|entry| is_active_lesson(entry)).filter_map(|entry| {
            let id = entry.properties.id?;
            let is_old = self.created_at(entry, id).is_some_and(|at| at < self.before);
            // What the person loads always is theirs to judge.
            let is_found = is_old && !entry.properties.always_load && is_idle(entry, id);
            is_found.then(|| IdleLesson {
                id,
                title: note::title_of(entry),
                path: entry.path.to_string(),
                last_given: self.shown.get(&id).copied(),
            })
        });
        let mut found: Vec<IdleLesson> = found.collect();
        found.sort_by(|one, other| (one.last_given, &one.path).cmp(&(other.last_given, &other.path)));
        found
    }

    /// When a note was written here, or else the day it says.
    fn created_at(&self, entry: &NoteEntry, id: NoteId) -> Option<Timestamp> {
        self.since.get(&id).copied().or_else(|| {
            let day = entry.properties.created?;
            day.to_zoned(self.now.time_zone().clone()).ok().map(|day| day.timestamp())
        })
    }
}
