//! What waits for an answer.

use std::collections::HashMap;

use afterword_core::hidden::escape_hidden;
use afterword_core::{Confidence, Kind, NoteId};
use afterword_recall::{NearestNotes, Relation};
use afterword_reflect::builtin::{Difference, difference};
use afterword_store::{Store, Verdict};
use afterword_vault::{NoteEntry, NoteKind, StatedEvidence, Status, VaultIndex, layout};
use jiff::{Timestamp, Zoned};

use super::evidence;
use super::item::{ReviewItem, Similar};
use super::likely::older_of;
use crate::lesson_filter::lessons_with_status;
use crate::note;
use crate::note_change::WaitingPlace;
use crate::review::inbox;
use crate::search_model::built_in_model;
use crate::worth::waiting_weight;
use crate::{App, Error, indexing, search_model};

/// Lessons shown beside one that waits.
const MOST_SIMILAR: usize = 3;
/// How close a lesson must be to be shown beside one that waits.
const CLOSE_ENOUGH: f32 = 0.5;

/// Which of the waiting lessons to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueFilter {
    /// Only those of this project: its name, or the end of it.
    pub project: Option<String>,
    /// Only those that wait there.
    pub waits: Option<WaitingPlace>,
    /// At most this many.
    pub limit: Option<usize>,
}

/// Lists what waits for an answer: what was put up for review before the inbox, the surest and strongest first, those put
/// off last. What is strong is what a session would be given first once it counts. The transcript around the evidence is left out; [`review_item`] has it.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn review_queue(app: &App, filter: &QueueFilter, now: &Zoned) -> Result<Vec<ReviewItem>, Error> {
    let index = app.open_vault()?.scan()?;
    let store = app.existing_store()?;
    let skipped = last_postponed(store.as_ref())?;
    let since = inbox::waiting_since(app, store.as_ref())?;
    let waiting = waiting_notes(&index, filter, &skipped);
    let mut beside = ActiveLessons::refreshed(app);
    let item = |(entry, id)| {
        let mut item = item(&index, entry, id, now);
        item.skipped_at = skipped.get(&id).copied();
        item.waiting_days = days_since(&since, id, now);
        item.similar = beside.both_sides(&index, entry);
        evidence::add_transcripts(store.as_ref(), &mut item.evidence);
        item
    };
    Ok(waiting.into_iter().map(item).collect())
}

/// The same without what each rests on and what is close to it: for a list of thousands.
///
/// # Errors
/// As [`review_queue`].
pub fn review_list(app: &App, filter: &QueueFilter, now: &Zoned) -> Result<Vec<ReviewItem>, Error> {
    let index = app.open_vault()?.scan()?;
    let store = app.existing_store()?;
    let skipped = last_postponed(store.as_ref())?;
    let since = inbox::waiting_since(app, store.as_ref())?;
    let bare = |(entry, id)| ReviewItem {
        skipped_at: skipped.get(&id).copied(),
        waiting_days: days_since(&since, id, now),
        evidence: Vec::new(),
        ..item(&index, entry, id, now)
    };
    Ok(waiting_notes(&index, filter, &skipped).into_iter().map(bare).collect())
}

/// How many lessons wait, by where.
///
/// # Errors
/// As [`review_queue`].
pub fn review_counts(app: &App) -> Result<HashMap<WaitingPlace, usize>, Error> {
    let index = app.open_vault()?.scan()?;
    let mut counts = HashMap::new();
    for entry in index.notes().filter(|entry| is_waiting(entry)) {
        *counts.entry(waiting_for(entry)).or_default() += 1;
    }
    Ok(counts)
}

/// One lesson, waiting or decided, with a few turns of the transcript around each piece of its evidence. What is close to
/// it is looked up in the search index as it was filled last: a person who goes from lesson to lesson does not wait for it.
///
/// # Errors
/// [`NoteError::NoSuch`](crate::error::NoteError::NoSuch) and [`NoteError::Ambiguous`](crate::error::NoteError::Ambiguous) for the argument (a note's id or the start of one, its path, or
/// its file's name), otherwise as [`review_queue`].
pub fn review_item(app: &App, argument: &str, now: &Zoned) -> Result<ReviewItem, Error> {
    let index = app.open_vault()?.scan()?;
    let store = app.existing_store()?;
    let entry = note::find(&index, argument)?;
    let id = note::id_of(entry)?;
    let mut item = item(&index, entry, id, now);
    item.skipped_at = last_postponed(store.as_ref())?.get(&id).copied();
    item.waiting_days = days_since(&inbox::waiting_since(app, store.as_ref())?, id, now);
    item.similar = ActiveLessons::as_filled(app).both_sides(&index, entry);
    evidence::add_turns(app, store.as_ref(), &mut item.evidence);
    Ok(item)
}

impl QueueFilter {
    fn matches(&self, entry: &NoteEntry) -> bool {
        let fits = |wanted: &String| {
            let project = entry.properties.project.as_deref().unwrap_or_default().to_lowercase();
            let wanted = wanted.to_lowercase();
            project == wanted || project.strip_suffix(&wanted).is_some_and(|rest| rest.ends_with('/'))
        };
        self.project.as_ref().is_none_or(fits) && self.waits.is_none_or(|wanted| waiting_for(entry) == wanted)
    }
}

/// The notes that wait and fit, in the order they are offered.
fn waiting_notes<'a>(
    index: &'a VaultIndex,
    filter: &QueueFilter,
    skipped: &HashMap<NoteId, Timestamp>,
) -> Vec<(&'a NoteEntry, NoteId)> {
    let mut waiting: Vec<(f64, &NoteEntry, NoteId)> = index
        .notes()
        .filter(|entry| is_waiting(entry) && filter.matches(entry))
        .filter_map(|entry| Some((entry, entry.properties.id?)))
        .map(|(entry, id)| (waiting_weight(&entry.properties, &note::title_of(entry)), entry, id))
        .collect();
    let place = |entry: &NoteEntry, id| {
        let confidence = entry.properties.confidence.unwrap_or(Confidence::Low);
        (skipped.get(&id).copied(), waiting_for(entry) == WaitingPlace::Inbox, confidence)
    };
    waiting.sort_by(|(weight, entry, id), (others, other, other_id)| {
        place(entry, *id)
            .cmp(&place(other, *other_id))
            .then_with(|| others.total_cmp(weight))
            .then_with(|| entry.path.cmp(&other.path))
    });
    waiting.truncate(filter.limit.unwrap_or(usize::MAX));
    waiting.into_iter().map(|(_, entry, id)| (entry, id)).collect()
}

/// Whether a note is a lesson that no one has answered.
pub(super) fn is_waiting(entry: &NoteEntry) -> bool {
    let properties = &entry.properties;
    properties.effective_status() == Some(Status::Inbox)
        && note::lesson_kind(entry).is_some()
        && properties.id.is_some()
}

/// Where a lesson waits; `None` for one that does not.
pub(crate) fn waits_in(entry: &NoteEntry) -> Option<WaitingPlace> {
    is_waiting(entry).then(|| waiting_for(entry))
}

fn waiting_for(entry: &NoteEntry) -> WaitingPlace {
    if entry.path.is_below(layout::INBOX) || entry.properties.confidence == Some(Confidence::Low) {
        WaitingPlace::Inbox
    } else {
        WaitingPlace::Review
    }
}

/// When lessons were last put off.
fn last_postponed(store: Option<&Store>) -> Result<HashMap<NoteId, Timestamp>, Error> {
    let mut skipped = HashMap::new();
    for row in store.map(|store| store.decisions().all(Some(Verdict::Skip))).transpose()?.unwrap_or_default()
    {
        if let (Some(note), None) = (row.decision.note, row.undone_at) {
            let at: &mut Timestamp = skipped.entry(note).or_default();
            *at = row.decision.decided_at.max(*at);
        }
    }
    Ok(skipped)
}

fn days_since(since: &HashMap<NoteId, Timestamp>, id: NoteId, now: &Zoned) -> Option<i64> {
    let day = since.get(&id)?.to_zoned(now.time_zone().clone()).date();
    now.date().since(day).ok().map(|span| i64::from(span.get_days()))
}

fn item(index: &VaultIndex, entry: &NoteEntry, id: NoteId, now: &Zoned) -> ReviewItem {
    let properties = &entry.properties;
    let stated = StatedEvidence::of(&entry.note);
    let age = properties.created.and_then(|created| now.date().since(created).ok());
    ReviewItem {
        id,
        kind: note::lesson_kind(entry).unwrap_or(afterword_core::Kind::Idea),
        title: escape_hidden(&note::title_of(entry)).into_owned(),
        body: entry.note.lesson_text().to_owned(),
        confidence: properties.confidence,
        signal: properties.signal,
        rationale: escape_hidden(&stated.why).into_owned(),
        evidence: evidence::evidence_items(stated.pieces),
        similar: Vec::new(),
        may_supersede: older_of(index, entry).map(|(older, _)| older),
        waits: waiting_for(entry),
        created: properties.created,
        age_days: age.map_or(0, |age| i64::from(age.get_days())),
        waiting_days: None,
        project: properties.project.clone(),
        path: entry.path.to_string(),
        skipped_at: None,
    }
}

/// The lessons that count already; nothing where the index or the model cannot be used.
struct ActiveLessons {
    nearest: Option<NearestNotes>,
}

impl ActiveLessons {
    fn refreshed(app: &App) -> Self {
        // The log says why it cannot be filled; what it holds is looked at all the same.
        indexing::index_changes(app);
        Self::as_filled(app)
    }

    fn as_filled(app: &App) -> Self {
        let filter = lessons_with_status(Status::Active);
        let nearest = || {
            let (index, of_index) = search_model::index_and_model(app).ok()?;
            NearestNotes::of(index, of_index?, built_in_model()?.clone(), &filter).ok()
        };
        Self { nearest: nearest() }
    }

    /// What it likely takes the place of, and then what else is close.
    fn both_sides(&mut self, index: &VaultIndex, entry: &NoteEntry) -> Vec<Similar> {
        let mut similar = self.similar(entry);
        if let Some((id, older)) = older_of(index, entry) {
            let known = similar.iter().position(|one| one.id == id).map(|at| similar.remove(at));
            let closeness = known.map_or(0.0, |known| known.closeness);
            similar.insert(0, older_side(id, older, closeness));
            similar.truncate(MOST_SIMILAR);
        }
        similar
    }

    fn similar(&mut self, entry: &NoteEntry) -> Vec<Similar> {
        let Some(nearest) = &mut self.nearest else { return Vec::new() };
        let near = nearest.to(&note::text_of(entry), MOST_SIMILAR + 1).unwrap_or_default();
        let similar = near.into_iter().filter_map(|near| {
            let id = NoteId::parse(&near.note.id).filter(|id| Some(*id) != entry.properties.id)?;
            let differs = difference(&note::title_of(entry), &near.note.title);
            let contradicts = near.relation == Relation::Opposed
                || matches!(differs, Difference::OneThing | Difference::Exchanged);
            Some(Similar {
                id,
                kind: Kind::parse(&near.note.kind),
                title: escape_hidden(&near.note.title).into_owned(),
                path: near.note.path,
                project: near.note.project,
                closeness: near.closeness,
                contradicts,
            })
        });
        similar.filter(|one| one.closeness >= CLOSE_ENOUGH).take(MOST_SIMILAR).collect()
    }
}

/// The rule that a waiting one likely takes the place of.
fn older_side(id: NoteId, older: &NoteEntry, closeness: f32) -> Similar {
    Similar {
        id,
        kind: older.properties.kind.and_then(NoteKind::lesson_kind),
        title: escape_hidden(&note::title_of(older)).into_owned(),
        path: older.path.to_string(),
        project: older.properties.project.clone().unwrap_or_default(),
        closeness,
        contradicts: true,
    }
}
