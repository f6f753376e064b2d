//! The keys of engines: a page may put one into the system's keyring and take it out, never read it.

use afterword_app::model_calls::{self, KeyView};
use afterword_core::Secret;
use tauri::AppHandle;

use super::{Answer, ask};

/// Tells for which engines a key is kept, and where it is sent.
#[tauri::command]
pub(crate) async fn keys(app: AppHandle) -> Answer<Vec<KeyView>> {
    ask(&app, |app| model_calls::keys(&app)).await
}

/// Keeps an engine's key.
#[tauri::command]
pub(crate) async fn set_key(app: AppHandle, engine: String, key: String) -> Answer<()> {
    ask(&app, move |app| model_calls::set_key(&app, &engine, &Secret::new(&key)).map(drop)).await
}

/// Removes it.
#[tauri::command]
pub(crate) async fn delete_key(app: AppHandle, engine: String) -> Answer<()> {
    ask(&app, move |app| model_calls::delete_key(&app, &engine).map(drop)).await
}
