//! The review queue and the answers.

use afterword_app::note_change::Waiting;
use afterword_app::review::{
    BulkAnswer, Decision, EditedWords, QueueFilter, RejectScope, ReviewItem, Undone,
};
use afterword_app::{rendered, review};
use afterword_core::{Confidence, Kind, NoteId};
use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};
use tauri::AppHandle;

use super::{Answer, ask, change};
use crate::failure::Failure;

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

/// Carries out an answer.
#[tauri::command]
pub(crate) async fn answer(app: AppHandle, answer: Given) -> Answer<Answered> {
    change(&app, move |agent| {
        let now = Zoned::now();
        let one = |decision: Decision| Answered { decisions: vec![decision], failures: Vec::new() };
        let words = |title, body| EditedWords { title, body };
        let (ids, answer) = match answer {
            Given::Edit { id, title, body } => {
                return review::edit(&agent, &id, &words(Some(title), Some(body)), &now).map(one);
            }
            Given::Supersede { id, old, title, body } => {
                return review::supersede(&agent, &id, &old, &words(title, body), &now).map(one);
            }
            Given::Approve { ids } => (ids, BulkAnswer::Approve),
            Given::Skip { ids } => (ids, BulkAnswer::Skip),
            Given::Reject { ids, reason, everywhere } => {
                let scope = if everywhere { RejectScope::Everywhere } else { RejectScope::Project };
                (ids, BulkAnswer::Reject { reason, scope })
            }
        };
        let mut answered = Answered::default();
        for decided in review::answer_all(&agent, &ids, &answer, &now)? {
            match decided {
                Ok(decision) => answered.decisions.push(decision),
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
