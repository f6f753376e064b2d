//! Projects as a person sees them: listed, joined, split.
//!
//! A project is its name; folders count as it, and notes have it in their front matter. Which folder counts as which is told
//! by git and by the folder's name (`naming.rs`), and before all by what the person said, which the settings keep
//! (`projects.folders`). Start at [`projects`] for the list, at [`change`] for joining and splitting.

mod census;
pub mod change;
mod record;

use jiff::Timestamp;
use serde::Serialize;

use crate::{App, Error};
pub use change::{
    ChangeKind, ProjectChange, ProjectChangeReport, ProjectNote, change_projects, plan_join, plan_split,
    undo_projects,
};

/// A project in the list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ListedProject {
    /// What it is called.
    pub name: String,
    /// The folders on this machine that count as it; none where only another machine has worked in it.
    pub folders: Vec<String>,
    /// Of those, the ones that stand in the setting `projects.folders`.
    pub in_settings: Vec<String>,
    /// Its sessions.
    pub sessions: usize,
    /// Its active lessons.
    pub lessons: usize,
    /// Its lessons that wait.
    pub waiting: usize,
    /// When a session of it was last written to.
    pub last_active: Option<Timestamp>,
}

/// Lists the projects, the latest active first. What the user excludes is not among them.
///
/// # Errors
/// [`Error::Vault`] or [`Error::Store`].
pub fn projects(app: &App) -> Result<Vec<ListedProject>, Error> {
    Ok(census::project_census(app)?.by_latest_activity())
}
