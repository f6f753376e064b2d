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
pub(crate) enum ProjectWish {
    /// One counts as another.
    Join { into: String, from: String },
    /// A folder of one is a project of its own; without a name it is called by the folder.
    Split { project: String, folder: PathBuf, name: Option<String> },
}

impl ProjectWish {
    fn plan(&self, agent: &App) -> Result<ProjectChange, Error> {
        match self {
            Self::Join { into, from } => projects::plan_join(agent, into, from),
            Self::Split { project, folder, name } => {
                projects::plan_split(agent, project, folder, name.as_deref())
            }
        }
    }
}

/// Lists the projects.
#[tauri::command]
pub(crate) async fn projects(app: AppHandle) -> Answer<Vec<ListedProject>> {
    ask(&app, |agent| projects::projects(&agent)).await
}

/// Shows what joining or splitting would change.
#[tauri::command]
pub(crate) async fn plan_projects(app: AppHandle, wish: ProjectWish) -> Answer<ProjectChange> {
    ask(&app, move |agent| wish.plan(&agent)).await
}

/// Joins or splits.
#[tauri::command]
pub(crate) async fn change_projects(app: AppHandle, wish: ProjectWish) -> Answer<ProjectChangeReport> {
    change(&app, move |agent| projects::change_projects(&agent, &wish.plan(&agent)?, &Zoned::now())).await
}

/// Takes the last change back.
#[tauri::command]
pub(crate) async fn undo_projects(app: AppHandle) -> Answer<ProjectChange> {
    change(&app, |agent| projects::undo_projects(&agent, &Zoned::now()).map(|(undone, _)| undone)).await
}
