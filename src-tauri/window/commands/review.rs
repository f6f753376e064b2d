//! The review queue and the answers.

use afterword_app::note_change::Waiting;
use afterword_app::review::{Decision, EditedWords, QueueFilter, RejectScope, ReviewItem, Undone};
use afterword_app::{rendered, review};
use afterword_core::{Confidence, Kind, NoteId};
use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};
use tauri::AppHandle;

use super::{Answer, ask, change};
use crate::failure::Failure;
use crate::window::follow_up;

/// A waiting lesson with its text rendered.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Item"))]
pub(crate) struct ItemView {
    #[serde(flatten)]
    item: ReviewItem,
    /// Its text as safe HTML.
    html: String,
}

/// An answer as the window gives it.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Answer"))]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub(crate) enum Given {
    Approve { ids: Vec<String> },
    Skip { ids: Vec<String> },
    Reject { ids: Vec<String>, reason: String, everywhere: bool },
    Edit { id: String, title: String, body: String },
    Supersede { id: String, old: String, title: Option<String>, body: Option<String> },
}

/// What became of an answer.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct Answered {
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
    waits: Waiting,
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
    ask(&app, |agent| {
        let list = review::review_list(&agent, &QueueFilter::default(), &Zoned::now())?;
        Ok(list.into_iter().map(QueueView::from).collect())
    })
    .await
}

/// Shows one lesson that waits, or was answered.
#[tauri::command]
pub(crate) async fn item(app: AppHandle, id: String) -> Answer<ItemView> {
    ask(&app, move |agent| {
        let item = review::review_item(&agent, &id, &Zoned::now())?;
        Ok(ItemView { html: rendered(&item.body), item })
    })
    .await
}

impl Given {
    /// The lessons that are answered, and how.
    fn split(self) -> (Vec<String>, review::Answer) {
        match self {
            Self::Approve { ids } => (ids, review::Answer::approve()),
            Self::Skip { ids } => (ids, review::Answer::Skip),
            Self::Reject { ids, reason, everywhere } => {
                let scope = if everywhere { RejectScope::Everywhere } else { RejectScope::Project };
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
pub(crate) async fn answer(app: AppHandle, answer: Given) -> Answer<Answered> {
    let is_typed = answer.is_typed();
    let (ids, answer) = answer.split();
    follow_up::after(&app, move |agent| {
        let mut answered = Answered::default();
        for decided in review::answer_only(&agent, &ids, &answer, &Zoned::now())? {
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

/// Takes a decision back; without a number the last one.
#[tauri::command]
pub(crate) async fn undo(app: AppHandle, decision: Option<i64>) -> Answer<Undone> {
    change(&app, move |agent| review::undo_decision(&agent, decision, &Zoned::now())).await
}
