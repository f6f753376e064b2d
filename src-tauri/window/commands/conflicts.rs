//! Notes of which there are two versions, and which one counts.

use afterword_app::vault_sync;
use afterword_app::vault_sync::conflicts::{ConflictItem, VersionChoice};
use jiff::Zoned;
use serde::Deserialize;
use tauri::AppHandle;

use super::{Answer, ask, change};

/// What to do about two versions, as the window says it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Resolution {
    /// The note as it is counts.
    Here,
    /// The other version counts.
    There,
    /// Both stay, as two notes.
    Both,
    /// One note with what both hold, where that can be made.
    Join,
}

/// Lists the notes of which there are two versions.
#[tauri::command]
pub(crate) async fn conflicts(app: AppHandle) -> Answer<Vec<ConflictItem>> {
    ask(&app, |app| vault_sync::conflicts(&app)).await
}

/// Makes one of two versions, or two notes; false where they could not be joined.
#[tauri::command]
pub(crate) async fn resolve_conflict(app: AppHandle, path: String, resolution: Resolution) -> Answer<bool> {
    change(&app, move |app| {
        let choice = match resolution {
            Resolution::Here => VersionChoice::Here,
            Resolution::There => VersionChoice::There,
            Resolution::Both => VersionChoice::Both,
            Resolution::Join => return vault_sync::join_conflict(&app, &path, &Zoned::now()),
        };
        vault_sync::decide_conflict(&app, &path, choice, &Zoned::now())
    })
    .await
}
