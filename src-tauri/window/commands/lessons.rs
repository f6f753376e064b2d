//! Lessons, ideas, figures, and opening notes where the person reads them.

use afterword_app::ideas::{Idea, IdeaMark};
use afterword_app::lesson_history::LessonEvent;
use afterword_app::lessons::{Lesson, LessonList, LessonsRequest};
use afterword_app::model_calls::Spend;
use afterword_app::stats::Stats;
use afterword_app::usefulness::{RepeatedLesson, Usefulness};
use afterword_app::{ideas, lesson_history, lessons, model_calls, review, stats, usefulness};
use jiff::Zoned;
use serde::Serialize;
use tauri::{AppHandle, Emitter};

use super::{Answer, ask, change};
use crate::desktop_error::DesktopError;
use crate::failure::Failure;
use crate::opening;
use crate::window::GO;

/// Lists lessons.
#[tauri::command]
pub(crate) async fn lessons(app: AppHandle, request: LessonsRequest) -> Answer<LessonList> {
    ask(&app, move |app| lessons::list_lessons(&app, &request)).await
}

/// Shows one.
#[tauri::command]
pub(crate) async fn lesson(app: AppHandle, id: String) -> Answer<Lesson> {
    ask(&app, move |app| lessons::lesson(&app, &id)).await
}

/// Archives one, or brings it back.
#[tauri::command]
pub(crate) async fn archive(app: AppHandle, id: String, archived: bool) -> Answer<()> {
    change(&app, move |app| review::archive_lesson(&app, &id, archived, &Zoned::now())).await
}

/// Archives many, or brings them back.
#[tauri::command]
pub(crate) async fn archive_many(app: AppHandle, ids: Vec<String>, archived: bool) -> Answer<()> {
    change(&app, move |app| review::archive_lessons(&app, &ids, archived, &Zoned::now())).await
}

/// What happened to one, the first first.
#[tauri::command]
pub(crate) async fn lesson_history(app: AppHandle, id: String) -> Answer<Vec<LessonEvent>> {
    ask(&app, move |app| lesson_history::lesson_history(&app, &id, &Zoned::now())).await
}

/// Lists ideas.
#[tauri::command]
pub(crate) async fn ideas(app: AppHandle) -> Answer<Vec<Idea>> {
    ask(&app, |app| ideas::ideas(&app)).await
}

/// Has Claude Code research an idea in the background; gives the task.
#[tauri::command]
pub(crate) async fn research_idea(app: AppHandle, idea: String) -> Answer<String> {
    change(&app, move |app| {
        ideas::research_in_background(&app, &idea, &Zoned::now()).map(|id| id.to_string())
    })
    .await
}

/// Marks an idea in the ledger: `open`, `done` or `dismissed`.
#[tauri::command]
pub(crate) async fn mark_idea(app: AppHandle, id: String, mark: IdeaMark) -> Answer<()> {
    change(&app, move |app| ideas::mark_idea(&app, &id, mark)).await
}

/// What engines cost in the last days.
#[tauri::command]
pub(crate) async fn spend(app: AppHandle, days: u32) -> Answer<Spend> {
    ask(&app, move |app| model_calls::spend(&app, days, &Zoned::now())).await
}

/// Counts.
#[tauri::command]
pub(crate) async fn stats(app: AppHandle) -> Answer<Stats> {
    ask(&app, |app| stats::stats(&app, &Zoned::now())).await
}

/// Days that a lesson must be of no use to be called so.
const IDLE_DAYS: u32 = 30;
/// Lessons said again that are named.
const MOST_REPEATED: usize = 12;

/// Whether lessons are of use.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Usefulness"))]
pub(crate) struct UsefulnessView {
    #[serde(flatten)]
    figures: Usefulness,
    /// The lessons said again most.
    repeated_most: Vec<RepeatedLesson>,
}

/// Looks whether lessons are of use.
#[tauri::command]
pub(crate) async fn usefulness(app: AppHandle) -> Answer<UsefulnessView> {
    ask(&app, |app| {
        let (figures, repeated_most) =
            usefulness::usefulness_and_repeated(&app, IDLE_DAYS, MOST_REPEATED, &Zoned::now())?;
        Ok(UsefulnessView { figures, repeated_most })
    })
    .await
}

/// Opens a note of the vault in the editor that belongs to it.
#[tauri::command]
pub(crate) async fn open_note(app: AppHandle, path: String) -> Answer<()> {
    let file = ask(&app, move |app| lessons::note_file(&app, &path)).await?;
    opening::open_path(&file).await
}

/// Opens a lesson's note in Obsidian.
#[tauri::command]
pub(crate) async fn open_in_obsidian(app: AppHandle, id: String) -> Answer<()> {
    let address = ask(&app, move |app| Ok(lessons::lesson(&app, &id)?.obsidian)).await?;
    let address = address.ok_or(DesktopError::NotObsidian)?;
    opening::open_address(address).await
}

/// Shows the vault in the file manager.
#[tauri::command]
pub(crate) async fn open_vault(app: AppHandle) -> Answer<()> {
    match ask(&app, |app| Ok(app.config().vault.clone())).await? {
        Some(vault) => opening::open_path(&vault).await,
        None => app.emit(GO, "settings").map_err(Failure::of_system),
    }
}

/// Opens a web page in the browser; nothing but a web page.
#[tauri::command]
pub(crate) async fn open_link(address: String) -> Answer<()> {
    opening::open_web_page(&address).await
}
