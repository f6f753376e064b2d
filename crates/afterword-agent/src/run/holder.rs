//! One agent a state directory: a lock that the system frees when its holder dies, and a card that says who holds it.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::event::AgentState;
use super::watch::Watching;
use crate::files::{create_private_directory, open_private_file, read_text};
use crate::{Error, Paths};

/// What the running agent tells of itself to other processes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentCard {
    /// Its process's number.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// When it began.
    pub since: Timestamp,
    /// How it learns of changes.
    pub watching: Watching,
    /// What it is doing.
    #[serde(flatten)]
    pub state: AgentState,
}

/// Held while the agent runs.
#[derive(Debug)]
pub(super) struct AgentLock {
    _file: File,
}

impl AgentLock {
    /// Takes the lock, or says who holds it.
    pub(super) fn take(paths: &Paths) -> Result<Self, Error> {
        match try_lock(paths)? {
            Some(file) => Ok(Self { _file: file }),
            None => {
                let pid = card(paths).map(|card| card.pid);
                Err(Error::AgentRunning { state: paths.state.clone(), pid })
            }
        }
    }
}

/// The agent at work in this state directory; `None` when none is. One that has just begun may not have told of itself.
pub(crate) fn running(paths: &Paths) -> Result<Option<Option<AgentCard>>, Error> {
    // Looking must not make anything.
    if !paths.agent_lock().exists() {
        return Ok(None);
    }
    Ok(match try_lock(paths)? {
        Some(_) => None,
        None => Some(card(paths)),
    })
}

fn try_lock(paths: &Paths) -> Result<Option<File>, Error> {
    let path = paths.agent_lock();
    let error = |action| {
        let path = path.clone();
        move |source| Error::Io { path, action, source }
    };
    create_private_directory(&paths.state).map_err(error("make the state directory"))?;
    let file = open_private_file(&path).map_err(error("open the lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(error("take the lock")(source)),
    }
}

fn card(paths: &Paths) -> Option<AgentCard> {
    serde_json::from_str(&read_text(&paths.agent_card()).ok()?).ok()
}

/// Leaves the card, whole. That it cannot be left keeps nobody from working.
pub(super) fn leave_card(paths: &Paths, card: &AgentCard) {
    let Ok(text) = serde_json::to_vec(card) else { return };
    let written = tempfile::NamedTempFile::new_in(&paths.state)
        .and_then(|mut file| file.write_all(&text).map(|()| file));
    let left = written.and_then(|file| Ok(file.persist(paths.agent_card())?));
    if left.is_err() {
        // On a full disk the space of the one before is left, and that the disk is full has to be told.
        let _ = write_over(&paths.agent_card(), &text);
    }
}

fn write_over(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(text)?;
    file.set_len(text.len() as u64)
}

pub(super) fn remove_card(paths: &Paths) {
    let _ = fs::remove_file(paths.agent_card());
}
