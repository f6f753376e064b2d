//! One agent a state directory: a lock that the system frees when its holder dies, and a card that says who holds it.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use afterword_platform::files::{create_private_directory, open_private_file, read_text, replace_file};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::AgentError;
use crate::{Error, Paths};

/// What the agent is doing, as the tray shows it. Where several hold, the first of this list
/// counts: an error, a pause, work, what waits for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum AgentState {
    /// Something keeps it from working; it tries again by itself.
    Error {
        /// What, and what to do.
        message: String,
    },
    /// The user paused it: sessions are followed, nothing is reflected.
    Paused,
    /// A reflection runs.
    Reflecting,
    /// Notes wait for the user's review.
    NeedsReview {
        /// How many.
        count: usize,
    },
    /// Sessions are followed, and there is nothing to do.
    Watching,
}

impl fmt::Display for AgentState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error { message } => write!(f, "error: {message}"),
            Self::Paused => f.write_str("paused"),
            Self::Reflecting => f.write_str("reflecting"),
            Self::NeedsReview { count } => write!(f, "watching, {count} to review"),
            Self::Watching => f.write_str("watching"),
        }
    }
}

/// How the agent learns of changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "how")]
pub enum WatchMode {
    /// The system tells of each.
    Events,
    /// Claude Code's directory is not there yet; the system tells when it appears.
    Waiting,
    /// The system cannot tell; all transcripts are looked at again and again.
    Polling {
        /// Why it cannot.
        reason: String,
    },
}

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
    pub watching: WatchMode,
    /// The directories of Claude Code that it follows, as its own environment and the settings name them.
    #[serde(default, with = "any_paths")]
    pub claude_dirs: Vec<PathBuf>,
    /// What it is doing.
    #[serde(flatten)]
    pub state: AgentState,
}

/// Paths as text, and as the system has them where they are none: a card with a path of either sort is left and read.
mod any_paths {
    use std::ffi::OsString;
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum AnyPath {
        Text(String),
        Os(OsString),
    }

    pub(super) fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        let any = |path: &PathBuf| match path.to_str() {
            Some(text) => AnyPath::Text(text.to_owned()),
            None => AnyPath::Os(path.clone().into_os_string()),
        };
        serializer.collect_seq(paths.iter().map(any))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        let any = Vec::<AnyPath>::deserialize(deserializer)?.into_iter();
        Ok(any
            .map(|path| match path {
                AnyPath::Text(text) => text.into(),
                AnyPath::Os(path) => path.into(),
            })
            .collect())
    }
}

/// Held while the agent runs.
#[derive(Debug)]
pub struct AgentLock {
    file: File,
}

impl AgentLock {
    /// Takes the lock, or says who holds it.
    pub fn take(paths: &Paths) -> Result<Self, Error> {
        let file = open_lock(paths)?;
        // Whoever only looks is gone in a moment; whoever works stays.
        while !was_acquired(paths, file.try_lock())? {
            if !was_acquired(paths, file.try_lock_shared())? {
                let pid = card(paths).map(|card| card.pid);
                return Err(AgentError::AlreadyRunning { state: paths.state.clone(), pid }.into());
            }
            file.unlock().map_err(|source| lock_error(paths, "give back the lock", source))?;
            thread::yield_now();
        }
        // What an agent that was killed told of itself counts no more.
        remove_card(paths);
        Ok(Self { file })
    }
}

impl Drop for AgentLock {
    /// Windows takes its time to free the locks of a file that is closed.
    fn drop(&mut self) {
        // Closing the file frees them in any case.
        let _ = self.file.unlock();
    }
}

/// The agent at work in this state directory; `None` when none is. One that has just begun may not have told of itself.
///
/// # Errors
/// [`Error::Io`].
pub fn running_agent(paths: &Paths) -> Result<Option<Option<AgentCard>>, Error> {
    // Looking must not make anything.
    if !paths.agent_lock().exists() {
        return Ok(None);
    }
    let file = open_lock(paths)?;
    // Shared among all who look, so that an agent that begins can tell them from one at work.
    if !was_acquired(paths, file.try_lock_shared())? {
        return Ok(Some(card(paths)));
    }
    // Closing the file does it at the latest.
    let _ = file.unlock();
    Ok(None)
}

fn open_lock(paths: &Paths) -> Result<File, Error> {
    create_private_directory(&paths.state)
        .map_err(|source| lock_error(paths, "make the state directory", source))?;
    open_private_file(&paths.agent_lock()).map_err(|source| lock_error(paths, "open the lock", source))
}

/// Whether the lock was had.
fn was_acquired(paths: &Paths, tried: Result<(), TryLockError>) -> Result<bool, Error> {
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(source)) => Err(lock_error(paths, "take the lock", source)),
    }
}

fn lock_error(paths: &Paths, action: &'static str, source: io::Error) -> Error {
    Error::Io { path: paths.agent_lock(), action, source }
}

fn card(paths: &Paths) -> Option<AgentCard> {
    serde_json::from_str(&read_text(&paths.agent_card()).ok()?).ok()
}

/// Leaves the card, whole. That it cannot be left keeps nobody from working.
pub fn write_agent_card(paths: &Paths, card: &AgentCard) {
    let Ok(text) = serde_json::to_vec(card) else { return };
    if replace_file(&paths.agent_card(), &text).is_err() {
        // On a full disk the space of the one before is left, and that the disk is full has to be told.
        let _ = write_over(&paths.agent_card(), &text);
    }
}

fn write_over(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(text)?;
    file.set_len(text.len() as u64)
}

/// Removes the card of the agent that runs: it ends.
pub fn remove_card(paths: &Paths) {
    // A card that stays counts for nothing: nobody holds the lock it speaks of.
    let _ = fs::remove_file(paths.agent_card());
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn below(home: &Path) -> Paths {
        let home = home.to_owned();
        Paths { config_file: home.join("config.toml"), state: home.join("state"), cache: home.join("cache") }
    }

    #[test]
    fn whoever_looks_keeps_no_agent_from_beginning() {
        let home = tempfile::tempdir().unwrap();
        let paths = below(home.path());
        drop(AgentLock::take(&paths).unwrap());
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        running_agent(&paths).unwrap();
                    }
                });
            }
            for _ in 0..2_000 {
                if let Err(error) = AgentLock::take(&paths) {
                    done.store(true, Ordering::Relaxed);
                    panic!("one that looked was taken for an agent: {error}");
                }
            }
            done.store(true, Ordering::Relaxed);
        });
    }

    #[cfg(unix)]
    #[test]
    fn card_with_a_directory_that_is_no_text_is_left_and_read() {
        use std::os::unix::ffi::OsStringExt;
        let home = tempfile::tempdir().unwrap();
        let paths = below(home.path());
        let _lock = AgentLock::take(&paths).unwrap();
        let no_text = std::ffi::OsString::from_vec(b"/home/ada/caf\xe9/.claude".to_vec());
        let left = AgentCard {
            pid: 1,
            version: "0.1.0".to_owned(),
            since: Timestamp::UNIX_EPOCH,
            watching: WatchMode::Events,
            claude_dirs: vec!["/home/ada/.claude".into(), no_text.into()],
            state: AgentState::Watching,
        };
        write_agent_card(&paths, &left);
        assert_eq!(running_agent(&paths).unwrap(), Some(Some(left)));
    }

    #[test]
    fn a_second_agent_is_refused_and_seen() {
        let home = tempfile::tempdir().unwrap();
        let paths = below(home.path());
        let lock = AgentLock::take(&paths).unwrap();
        assert!(matches!(AgentLock::take(&paths), Err(Error::Agent(AgentError::AlreadyRunning { .. }))));
        assert_eq!(running_agent(&paths).unwrap(), Some(None));
        drop(lock);
        assert_eq!(running_agent(&paths).unwrap(), None);
    }
}
