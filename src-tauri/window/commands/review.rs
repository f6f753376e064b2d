//! The review queue and the answers.

use afterword_app::note_change::WaitingPlace;
use afterword_app::review::{Decision, EditedWords, QueueFilter, RecordedAnswer, ReviewItem, UndoReport};
use afterword_app::{ErrorKind, rendered, review};
use afterword_core::{Confidence, Kind, LessonScope, NoteId, Reason};
use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};
use tauri::AppHandle;

use super::{Answer, answering, ask};
use crate::failure::Failure;

/// Answers that are listed at most.
const MOST_ANSWERS: usize = 200;

/// A waiting lesson with its text rendered.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Item"))]
pub(crate) struct ItemView {
    #[serde(flatten)]
    item: ReviewItem,
    /// Why it was found, reason by reason.
    reasons: Vec<Reason>,
    /// What it says besides its title and its evidence, as safe HTML.
    html: String,
}

/// An answer as the window gives it.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Answer"))]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub(crate) enum ReviewAnswer {
    Approve { ids: Vec<String> },
    KeepBoth { ids: Vec<String> },
    Skip { ids: Vec<String> },
    Archive { ids: Vec<String> },
    Reject { ids: Vec<String>, reason: String, everywhere: bool },
    Edit { id: String, title: String, body: String },
    Supersede { id: String, old: String, title: Option<String>, body: Option<String> },
}

/// What became of an answer.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct AnswerReport {
    decisions: Vec<Decision>,
    failures: Vec<Failure>,
}

/// A waiting lesson in the list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "QueueLine"))]
pub(crate) struct QueueView {
    id: NoteId,
    title: String,
    kind: Kind,
    confidence: Option<Confidence>,
    project: Option<String>,
    /// Put up for review, or put by in the inbox.
    waits: WaitingPlace,
    created: Option<Date>,
    age_days: i64,
    skipped_at: Option<Timestamp>,
}

impl From<ReviewItem> for QueueView {
    fn from(item: ReviewItem) -> Self {
        let ReviewItem { id, title, kind, confidence, project, waits, created, age_days, skipped_at, .. } =
            item;
        Self { id, title, kind, confidence, project, waits, created, age_days, skipped_at }
    }
}

/// Lists what waits.
#[tauri::command]
pub(crate) async fn queue(app: AppHandle) -> Answer<Vec<QueueView>> {
    ask(&app, |app| {
        let list = review::review_list(&app, &QueueFilter::default(), &Zoned::now())?;
        Ok(list.into_iter().map(QueueView::from).collect())
    })
    .await
}

/// Shows one lesson that waits, or was answered.
#[tauri::command]
pub(crate) async fn item(app: AppHandle, id: String) -> Answer<ItemView> {
    ask(&app, move |app| {
        let item = review::review_item(&app, &id, &Zoned::now())?;
        let reasons = Reason::read(&item.rationale);
        Ok(ItemView { html: rendered(&item.body_without_evidence()), reasons, item })
    })
    .await
}

impl ReviewAnswer {
    /// The lessons that are answered, and how.
    fn split(self) -> (Vec<String>, review::Answer) {
        match self {
            Self::Approve { ids } => (ids, review::Answer::approve()),
            Self::KeepBoth { ids } => (ids, review::Answer::KeepBoth(EditedWords::default())),
            Self::Skip { ids } => (ids, review::Answer::Skip),
            Self::Archive { ids } => (ids, review::Answer::Archive),
            Self::Reject { ids, reason, everywhere } => {
                let scope = if everywhere { LessonScope::Everywhere } else { LessonScope::Project };
                (ids, review::Answer::Reject { reason, scope })
            }
            Self::Edit { id, title, body } => {
                let words = EditedWords { title: Some(title), body: Some(body) };
                (vec![id], review::Answer::Approve(words))
            }
            Self::Supersede { id, old, title, body } => {
                (vec![id], review::Answer::Supersede { old, words: EditedWords { title, body } })
            }
        }
    }

    /// Words were typed for it, which the page keeps where it fails.
    fn is_typed(&self) -> bool {
        matches!(self, Self::Edit { .. } | Self::Supersede { .. })
    }
}

/// Carries out an answer; it is on disk once this returns.
#[tauri::command]
pub(crate) async fn answer(app: AppHandle, answer: ReviewAnswer) -> Answer<AnswerReport> {
    let is_typed = answer.is_typed();
    let (ids, answer) = answer.split();
    answering(&app, move |app| {
        let mut answered = AnswerReport::default();
        for decided in review::answer_without_follow_up(&app, &ids, &answer, &Zoned::now())? {
            match decided {
                Ok(decision) => answered.decisions.push(decision),
                Err(error) if is_typed => return Err(error),
                Err(error) => answered.failures.push(error.into()),
            }
        }
        Ok(answered)
    })
    .await
}

/// Lists the answers that stand, the latest first, as far back as anybody looks.
#[tauri::command]
pub(crate) async fn answers(app: AppHandle) -> Answer<Vec<RecordedAnswer>> {
    ask(&app, |app| {
        let mut answers = review::list_answers(&app, None)?;
        answers.truncate(MOST_ANSWERS);
        Ok(answers)
    })
    .await
}

/// What became of decisions that were to be taken back.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct UndoResult {
    undone: Vec<UndoReport>,
    /// Those that still stand and can be tried again.
    left: Vec<i64>,
    failures: Vec<Failure>,
}

/// Takes decisions back, in the order given; without any those of the last answer.
#[tauri::command]
pub(crate) async fn undo(app: AppHandle, decisions: Vec<i64>) -> Answer<UndoResult> {
    answering(&app, move |app| {
        let ids = if decisions.is_empty() { review::last_answer(&app)? } else { decisions };
        let mut taken_back = UndoResult::default();
        for (id, undone) in ids.iter().zip(review::undo_without_follow_up(&app, &ids, &Zoned::now())?) {
            match undone {
                Ok(undone) => taken_back.undone.push(undone),
                Err(error) => {
                    let stands = error.kind() != ErrorKind::NotFound;
                    taken_back.left.extend(stands.then_some(*id));
                    taken_back.failures.push(error.into());
                }
            }
        }
        Ok(taken_back)
    })
    .await
}
