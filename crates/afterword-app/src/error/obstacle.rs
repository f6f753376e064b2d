//! What of the machine stands in the way of work: a full disk, one that can only be read, a right that is missing, a
//! database or a vault that cannot be used, an engine that cannot be asked.
//!
//! Owns which errors are of this sort and what is to be done about each. Work that meets one is put off, not given up:
//! nothing is wrong with it. Start at [`Error::obstacle`].

use std::io;
use std::path::Path;
use std::time::Duration;

use afterword_claude_code::ClaudeCodeError;
use afterword_reflect::engine::{EngineError, SpendLimit};
use afterword_store::StoreError;
use afterword_vault::VaultError;

use super::{EngineCallError, NoteError, VaultSetupError};
use crate::Error;

/// Before an engine is tried again that could not be asked.
const A_WHILE: Duration = Duration::from_secs(300);
/// Before an engine is asked again whose answer was paid for and could not be used.
const AN_HOUR: Duration = Duration::from_secs(3_600);
/// No engine is left alone longer.
const A_DAY: Duration = Duration::from_secs(86_400);

/// Something that has to be mended outside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Obstacle {
    /// No space is left.
    Full,
    /// The place can only be read.
    ReadOnly,
    /// The system refuses access.
    Denied,
    /// The vault or the database is there and cannot be used, or is not there.
    Unusable,
    /// The chosen engine cannot be asked now: no key, no money, nobody there.
    Engine,
}

impl Obstacle {
    /// What the system said, if that is what stands in the way.
    pub(crate) fn of_io(error: &io::Error) -> Option<Self> {
        Some(match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::PermissionDenied => Self::Denied,
            _ => return None,
        })
    }

    /// What the vault said, if that is what stands in the way.
    pub(crate) fn of_vault(error: &VaultError) -> Option<Self> {
        match error {
            VaultError::NotAVault { .. } => Some(Self::Unusable),
            VaultError::Io { source, .. } => Self::of_io(source),
            VaultError::Root { source, .. } => Self::of_io(source).or(Some(Self::Unusable)),
            VaultError::LeavesVault { .. } => None,
        }
    }

    fn of_store(error: &StoreError) -> Option<Self> {
        match error {
            StoreError::Full { .. } => Some(Self::Full),
            StoreError::ReadOnly { .. } => Some(Self::ReadOnly),
            StoreError::Io { source, .. } => Self::of_io(source).or(Some(Self::Unusable)),
            StoreError::Damaged { .. }
            | StoreError::Moved { .. }
            | StoreError::Newer { .. }
            | StoreError::Sql { .. } => Some(Self::Unusable),
            _ => None,
        }
    }

    /// What to do about it, where nothing more is known than the place.
    pub(crate) fn hint(self, place: Option<&Path>) -> Option<String> {
        let place = place.map(|path| format!(" {}", path.display())).unwrap_or_default();
        match self {
            Self::Full if place.is_empty() => Some("free some space on the disk".to_owned()),
            Self::Full => Some(format!("free some space on the disk of{place}, or move it to another disk")),
            Self::ReadOnly if place.is_empty() => {
                Some("make the disk writable again: it may have been mounted read-only".to_owned())
            }
            Self::ReadOnly => {
                Some(format!("make the disk of{place} writable again: it may have been mounted read-only"))
            }
            Self::Denied => Some(format!("give yourself the right to read and write{place}")),
            Self::Unusable | Self::Engine => None,
        }
    }
}

/// What of the machine stands in the way; `None` for every other error.
pub(super) fn obstacle(error: &Error) -> Option<Obstacle> {
    match error {
        Error::Note(NoteError::NotWritten { obstacle, .. }) => *obstacle,
        Error::Vault(error) => Obstacle::of_vault(error),
        Error::Store(error) => Obstacle::of_store(error),
        Error::Io { source, .. } | Error::ClaudeCode(ClaudeCodeError::Io { source, .. }) => {
            Obstacle::of_io(source)
        }
        Error::VaultSetup(VaultSetupError::NotChosen) => Some(Obstacle::Unusable),
        Error::Keyring(_) => Some(Obstacle::Engine),
        Error::EngineCall(error) => error.is_about_the_engine().then_some(Obstacle::Engine),
        _ => None,
    }
}

/// No other session can be asked about either: more than the money for this one, or for its project, is missing.
pub(super) fn stops_asking(error: &Error) -> bool {
    let own_limit = |source: &EngineError| matches!(source, EngineError::Budget { limit, .. } if *limit != SpendLimit::Daily);
    obstacle(error) == Some(Obstacle::Engine)
        && !matches!(error, Error::EngineCall(EngineCallError::FailedInSession { source, .. }) if own_limit(source))
}

/// How long to leave it alone at least: an engine may say so itself, and money comes back slowly.
pub(super) fn min_wait(error: &Error) -> Duration {
    match error {
        Error::EngineCall(error) => match error.source_of_engine() {
            Some(EngineError::Busy { again_after, .. }) => (*again_after).clamp(A_WHILE, A_DAY),
            Some(_) => A_WHILE,
            None if error.is_about_the_engine() => A_WHILE,
            None => Duration::ZERO,
        },
        Error::Keyring(_) => A_WHILE,
        _ => Duration::ZERO,
    }
}

/// How long to leave alone what failed after it was paid for: the next try may cost as much, so what is in the way gets time
/// to pass.
pub(super) fn rest_after_paying(error: &Error) -> Duration {
    match error {
        Error::EngineCall(error) if error.source_of_engine().is_some_and(EngineError::was_paid_for) => {
            AN_HOUR
        }
        _ => Duration::ZERO,
    }
}

/// What to do about the obstacle, with the place where it is.
pub(super) fn hint(error: &Error) -> Option<String> {
    let place = match error {
        Error::Vault(VaultError::Root { path, .. })
        | Error::Store(
            StoreError::Full { path, .. } | StoreError::ReadOnly { path, .. } | StoreError::Io { path, .. },
        )
        | Error::Io { path, .. }
        | Error::ClaudeCode(ClaudeCodeError::Io { path, .. }) => Some(path.as_path()),
        _ => None,
    };
    obstacle(error)?.hint(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_sentences_with_a_place_and_without() {
        let check = |obstacle: Obstacle, place: Option<&str>, expected: &str| {
            let hint = obstacle.hint(place.map(Path::new)).unwrap();
            assert!(
                hint.contains(expected) && !hint.contains("  ") && !hint.contains("of writable"),
                "{hint}"
            );
        };
        check(Obstacle::Full, None, "free some space on the disk");
        check(Obstacle::Full, Some("/vault"), "on the disk of /vault, or");
        check(Obstacle::ReadOnly, None, "make the disk writable again");
        check(Obstacle::ReadOnly, Some("/vault"), "make the disk of /vault writable again");
        check(Obstacle::Denied, None, "the right to read and write");
    }
}
