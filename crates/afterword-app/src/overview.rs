//! How things stand, in one look: for the tray's icon and the window's corner.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::config::{Appearance, Language};
use crate::conversations::{TaskAttention, task_attention};
use crate::note_change::WaitingPlace;
use crate::{App, Error, review};

/// What the tray's icon shows. What needs a person comes before what does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum TrayState {
    /// Sessions are watched; nothing is to be done.
    Watching,
    /// Sessions are being reflected.
    Reflecting,
    /// Lessons wait for the person, or a task asks or has news.
    Review,
    /// Paused by the person.
    Paused,
    /// Something does not work.
    Error,
}

/// What the program is doing, as who runs it knows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentActivity {
    /// A reflection is under way.
    pub reflecting: bool,
    /// The person paused it.
    pub paused: bool,
    /// Why its last work failed, if it did.
    pub failure: Option<String>,
}

/// How things stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Overview {
    /// What the icon shows.
    pub face: TrayState,
    /// The same in words.
    pub words: String,
    /// What tasks have to say; the window counts them where it lists them.
    #[serde(skip)]
    #[cfg_attr(feature = "contract", ts(skip))]
    pub tasks: TaskAttention,
    /// The person paused it.
    pub paused: bool,
    /// The vault; `None` before one was chosen.
    pub vault: Option<PathBuf>,
    /// Lessons that wait for an answer.
    pub waiting: usize,
    /// Lessons put by in the inbox.
    pub inbox: usize,
    /// An answer was given that can be taken back.
    pub can_undo: bool,
    /// How the window looks.
    pub appearance: Appearance,
    /// The language of the window.
    pub language: Language,
}

/// Looks how things stand. What cannot be looked at is said in the words, not returned as an error.
pub fn overview(app: &App, doing: &AgentActivity) -> Overview {
    let vault = app.config.vault.clone();
    let counts = if vault.is_some() { review::review_counts(app) } else { Ok(Default::default()) };
    let count = |waits| counts.as_ref().ok().and_then(|counts| counts.get(&waits)).copied().unwrap_or(0);
    let waiting = count(WaitingPlace::Review);
    // A database that cannot be read is said by whoever works with it.
    let tasks = app.existing_store().and_then(|store| store.as_ref().map(task_attention).transpose());
    let tasks = tasks.ok().flatten().unwrap_or_default();
    let (face, words) = tray_state(doing, counts.as_ref().err(), vault.is_some(), waiting, &tasks);
    Overview {
        face,
        words,
        tasks,
        paused: doing.paused,
        vault,
        waiting,
        inbox: count(WaitingPlace::Inbox),
        can_undo: can_undo(app),
        appearance: app.config.appearance,
        language: app.config.language,
    }
}

/// Where the database cannot be read, there is nothing to be offered.
fn can_undo(app: &App) -> bool {
    let stands = app.existing_store().map(|store| store.map(|store| store.decisions().has_undoable()));
    matches!(stands, Ok(Some(Ok(true))))
}

fn tray_state(
    doing: &AgentActivity,
    unreadable: Option<&Error>,
    has_vault: bool,
    waiting: usize,
    tasks: &TaskAttention,
) -> (TrayState, String) {
    if let Some(error) = unreadable {
        return (TrayState::Error, error.chain());
    }
    if !has_vault {
        return (TrayState::Review, "Choose where notes go".to_owned());
    }
    if doing.paused {
        return (TrayState::Paused, "Paused".to_owned());
    }
    if doing.reflecting {
        return (TrayState::Reflecting, "Reflecting".to_owned());
    }
    if let Some(failure) = &doing.failure {
        return (TrayState::Error, failure.clone());
    }
    // A task that asks stands still until it is answered.
    let mut words = tasks.describe();
    match waiting {
        0 => {}
        1 => words.push("1 lesson to review".to_owned()),
        many => words.push(format!("{many} lessons to review")),
    }
    if words.is_empty() {
        return (TrayState::Watching, "Watching your sessions".to_owned());
    }
    (TrayState::Review, words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::VaultSetupError;

    #[test]
    fn what_needs_a_person_shows_first() {
        let idle = AgentActivity::default();
        let paused = AgentActivity { paused: true, ..AgentActivity::default() };
        let busy = AgentActivity {
            reflecting: true,
            failure: Some("disk full".to_owned()),
            ..AgentActivity::default()
        };
        let failed = AgentActivity { failure: Some("disk full".to_owned()), ..AgentActivity::default() };
        let check = |doing, error, vault, waiting, expected| {
            assert_eq!(tray_state(doing, error, vault, waiting, &TaskAttention::default()).0, expected);
        };
        check(&idle, None, true, 0, TrayState::Watching);
        check(&idle, None, true, 3, TrayState::Review);
        check(&idle, None, false, 0, TrayState::Review);
        check(&paused, None, true, 3, TrayState::Paused);
        check(&busy, None, true, 3, TrayState::Reflecting);
        check(&failed, None, true, 3, TrayState::Error);
        check(&paused, Some(&Error::from(VaultSetupError::NotChosen)), true, 0, TrayState::Error);
        let words = |waiting, tasks| tray_state(&idle, None, true, waiting, &tasks);
        assert_eq!(words(1, TaskAttention::default()).1, "1 lesson to review");
        let tasks = TaskAttention { asking: 1, reported: 2, next: None };
        assert_eq!(words(0, tasks), (TrayState::Review, "1 task asks you, 2 tasks have news".to_owned()));
        let asks = TaskAttention { reported: 0, ..tasks };
        assert_eq!(words(3, asks).1, "1 task asks you, 3 lessons to review");
    }
}
