//! What lessons are worth by what came of them.

use std::collections::HashMap;

use afterword_core::NoteId;
use afterword_store::FeedbackKind;
use jiff::Timestamp;
use serde::Serialize;

use crate::note;
use crate::{App, Error, injection};

/// Days after which what was said of a lesson weighs half.
const HALF_LIFE: f64 = 90.0;
/// Sessions a lesson was given to without ever helping, from which on it sinks.
const OFTEN: u64 = 10;
/// By how much it sinks then.
const SINKS: f64 = -0.5;
/// What bonuses are held between: worth decides among lessons of a kind, and never makes a fix of a preference
/// (`worth::weight` has kinds half a point apart).
const MOST: f64 = 1.0;
/// The bonus down from which a lesson is offered for archiving.
const ARCHIVED_FROM: f64 = -0.5;

/// What came of a lesson.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LessonUsefulness {
    /// Sessions it was given to.
    pub shown: u64,
    /// Times the agent went by it.
    pub applied: u64,
    /// Times it made a difference for the better.
    pub helped: u64,
    /// Times it was given and not followed.
    pub ignored: u64,
    /// Times it turned out wrong.
    pub contradicted: u64,
    /// What that adds to its weight, from -1 to 1.
    pub bonus: f64,
}

impl LessonUsefulness {
    /// It never helps, and may as well be archived.
    pub fn is_worthless(&self) -> bool {
        self.bonus <= ARCHIVED_FROM && self.helped == 0
    }
}

/// A lesson and its worth.
#[derive(Debug, Clone, PartialEq)]
pub struct WeighedLesson {
    /// Its note.
    pub id: NoteId,
    /// Its title.
    pub title: String,
    /// Its note, below the vault's root.
    pub path: String,
    /// What came of it.
    pub worth: LessonUsefulness,
}

/// The lessons in the vault of whose worth something is known, those that are worth least first.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn weighed_lessons(app: &App, now: Timestamp) -> Result<Vec<WeighedLesson>, Error> {
    let index = app.open_vault()?.scan()?;
    if let Some(store) = app.existing_store()? {
        injection::absorb_records(app, &store)?;
    }
    let worths = usefulness_by_lesson(app, now)?.into_iter();
    let mut lessons: Vec<WeighedLesson> = worths
        .filter_map(|(id, worth)| {
            let entry = index.by_id(id)?;
            Some(WeighedLesson { id, title: note::title_of(entry), path: entry.path.to_string(), worth })
        })
        .collect();
    lessons.sort_by(|one, other| {
        one.worth.bonus.total_cmp(&other.worth.bonus).then_with(|| one.path.cmp(&other.path))
    });
    Ok(lessons)
}

/// What is known of the worth of each lesson that was ever given, or spoken of.
///
/// # Errors
/// [`Error::Store`].
pub fn usefulness_by_lesson(app: &App, now: Timestamp) -> Result<HashMap<NoteId, LessonUsefulness>, Error> {
    let mut worths: HashMap<NoteId, LessonUsefulness> = HashMap::new();
    let Some(store) = app.existing_store()? else { return Ok(worths) };
    for (note, shown) in store.injections().counts_by_lesson()? {
        worths.entry(note).or_default().shown = shown;
    }
    for (note, worth, at) in store.feedback().all()? {
        let one = worths.entry(note).or_default();
        let days = now.duration_since(at).as_secs_f64().max(0.0) / 86_400.0;
        one.bonus += value(worth) * 0.5_f64.powf(days / HALF_LIFE);
        *match worth {
            FeedbackKind::Applied => &mut one.applied,
            FeedbackKind::Helped => &mut one.helped,
            FeedbackKind::Ignored => &mut one.ignored,
            FeedbackKind::Contradicted => &mut one.contradicted,
        } += 1;
    }
    for one in worths.values_mut() {
        if one.shown >= OFTEN && one.helped == 0 && one.applied == 0 {
            one.bonus += SINKS;
        }
        one.bonus = one.bonus.clamp(-MOST, MOST);
    }
    Ok(worths)
}

/// What one word on a lesson adds. That it was gone by says it is in use; that it helped says more; one that was given and had to be said again
/// all the same is needed most, and comes first; one that was wrong does harm.
fn value(worth: FeedbackKind) -> f64 {
    match worth {
        FeedbackKind::Applied => 0.15,
        FeedbackKind::Helped => 0.3,
        FeedbackKind::Ignored => 0.4,
        FeedbackKind::Contradicted => -0.6,
    }
}
