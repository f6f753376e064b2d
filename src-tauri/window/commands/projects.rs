//! Projects: which folders count as which, changed and changed back.

use std::path::PathBuf;

use afterword_app::projects::{self, ListedProject, ProjectChange, ProjectChangeReport};
use afterword_app::{App, Error};
use jiff::Zoned;
use serde::Deserialize;
use tauri::AppHandle;

use super::{Answer, ask, change};

/// What is to become of projects.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum ProjectChangeRequest {
    /// One counts as another.
    Join { into: String, from: String },
    /// A folder of one is a project of its own; without a name it is called by the folder.
    Split { project: String, folder: PathBuf, name: Option<String> },
}

impl ProjectChangeRequest {
    fn plan(&self, app: &App) -> Result<ProjectChange, Error> {
        match self {
            Self::Join { into, from } => projects::plan_join(app, into, from),
            Self::Split { project, folder, name } => {
                projects::plan_split(app, project, folder, name.as_deref())
            }
        }
    }
}

/// Lists the projects.
#[tauri::command]
pub(crate) async fn projects(app: AppHandle) -> Answer<Vec<ListedProject>> {
    ask(&app, |app| projects::projects(&app)).await
}

/// Shows what joining or splitting would change.
#[tauri::command]
pub(crate) async fn plan_projects(app: AppHandle, wish: ProjectChangeRequest) -> Answer<ProjectChange> {
    ask(&app, move |app| wish.plan(&app)).await
}

/// Joins or splits.
#[tauri::command]
pub(crate) async fn change_projects(
    app: AppHandle,
    wish: ProjectChangeRequest,
) -> Answer<ProjectChangeReport> {
    change(&app, move |app| projects::change_projects(&app, &wish.plan(&app)?, &Zoned::now())).await
}

/// Takes the last change back.
#[tauri::command]
pub(crate) async fn undo_projects(app: AppHandle) -> Answer<ProjectChange> {
    change(&app, |app| projects::undo_projects(&app, &Zoned::now()).map(|(undone, _)| undone)).await
}
