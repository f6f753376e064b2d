//! What is saved unasked, and what is asked about: few and good. What is certain is saved where it says what to do. What is likely is put
//! up for review while there is room, what says best what to do first; the rest waits in the inbox, where it can be reviewed any time.

use std::time::Duration;

use afterword_core::{Confidence, Destination, Kind, NoteId, Signal};
use afterword_reflect::builtin::{guidance, says_for_good};
use afterword_store::Store;
use afterword_vault::{Lesson, NoteEntry, Status, VaultIndex, WriteHistory, is_known, layout};
use jiff::Timestamp;

use crate::{Error, worth};

/// So many times what is asked in a week may wait at once: a first run over years of sessions asks about no more.
const WAITING: usize = 4;
/// How likely a lesson must say by itself what to do, to be asked about at all.
const GUIDES: f32 = 0.15;
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Puts into the inbox what is certain but says nobody what to do: no session would start with it. Told once more in plain words, or
/// often, it counts. A rule whose own words say that it holds for good is saved all the same.
pub(super) fn move_to_inbox(lesson: &mut Lesson) {
    let candidate = &lesson.candidate;
    if lesson.destination == Destination::Saved
        && candidate.kind == Kind::Preference
        && !worth::is_worth_giving(candidate.signal, &candidate.title)
        && !(candidate.signal == Signal::StandingRule && says_for_good(&candidate.title))
    {
        lesson.destination = Destination::Inbox;
    }
}

/// Lets the best of the new lessons that are likely be asked about, `per_week` of those said within the last week, and puts the
/// others by. What goes against a lesson that counts is asked about in any case.
pub(super) fn choose(
    lessons: &mut [Lesson],
    index: &VaultIndex,
    store: &Store,
    ledger: &dyn WriteHistory,
    per_week: usize,
    now: Timestamp,
) -> Result<(), Error> {
    let is_asked = |lesson: &&mut Lesson| {
        lesson.destination == Destination::Review
            && lesson.candidate.confidence == Confidence::Medium
            && lesson.strengthens.is_none()
            && lesson.joins.is_none()
            && !is_known(index, ledger, lesson)
    };
    let mut likely: Vec<(f32, &mut Lesson)> = lessons
        .iter_mut()
        .filter(is_asked)
        .map(|lesson| (guidance(&lesson.candidate.title), lesson))
        .collect();
    if likely.is_empty() {
        return Ok(());
    }
    // What may be somebody else's words takes no room from what is the person's.
    let is_unproven = |lesson: &Lesson| lesson.candidate.signal == Signal::Unproven;
    likely.sort_by(|(one, first), (other, second)| {
        is_unproven(first).cmp(&is_unproven(second)).then_with(|| other.total_cmp(one))
    });
    let is_recent = |when: Timestamp| now.duration_since(when).unsigned_abs() < WEEK;
    let waiting: Vec<&NoteEntry> = index.notes().filter(|entry| is_waiting(entry)).collect();
    let said = |entry: &&NoteEntry| entry.properties.id.is_some_and(|id| id.made_at().is_some_and(is_recent));
    let answered = store.decisions().all(None)?;
    let answered = answered.iter().filter(|one| {
        let note = one.decision.note.and_then(NoteId::made_at);
        is_recent(one.decision.decided_at) && note.is_some_and(is_recent)
    });
    let mut room = (WAITING * per_week).saturating_sub(waiting.len());
    let mut this_week =
        per_week.saturating_sub(waiting.iter().copied().filter(said).count() + answered.count());
    for (guides, lesson) in likely {
        let recent = is_recent(lesson.when);
        if guides < GUIDES || room == 0 || recent && this_week == 0 {
            lesson.destination = Destination::Inbox;
            continue;
        }
        room -= 1;
        this_week -= usize::from(recent);
    }
    Ok(())
}

/// Leaves what was put by where it is when it is found once more.
pub(super) fn keep_in_inbox(lesson: &mut Lesson, entry: &NoteEntry) {
    if lesson.destination == Destination::Review && entry.path.is_below(layout::INBOX) {
        lesson.destination = Destination::Inbox;
    }
}

fn is_waiting(entry: &NoteEntry) -> bool {
    entry.path.is_below(layout::REVIEW) && entry.properties.effective_status() == Some(Status::Inbox)
}
