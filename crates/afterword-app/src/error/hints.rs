//! What a person can do about an error.

use std::path::Path;

use afterword_claude_code::ClaudeCodeError;
use afterword_store::StoreError;
use afterword_vault::VaultError;

use super::keyring;
use crate::Error;

impl Error {
    /// What the user can do about it, one sentence each; may be none.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Conversation(error) => error.hints(),
            other => other.hint().into_iter().collect(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Config(error) => return error.hint(),
            Self::Session(error) => return error.hint(),
            Self::EngineCall(error) => return error.hint(),
            Self::Connection(error) => return error.hint(),
            Self::Note(error) => return error.hint(),
            Self::Project(error) => error.hint()?,
            Self::Review(error) => error.hint()?,
            Self::Agent(error) => error.hint()?,
            Self::VaultSetup(error) => error.hint()?,
            Self::Keyring(error) => keyring::hint(error)?,
            Self::Install(error) => error.hint(),
            Self::Export(error) => error.hint(),
            Self::SearchModel(error) => error.hint(),
            Self::ClaudeCode(ClaudeCodeError::ForeignSettings { .. }) => {
                "mend the file and run this again; nothing was changed"
            }
            Self::ClaudeCode(ClaudeCodeError::ChangedMeanwhile { .. }) => "run this again",
            Self::NoHome | Self::ClaudeCode(ClaudeCodeError::NoHome) => "set AFTERWORD_HOME to a directory",
            Self::Vault(VaultError::NotAVault { .. }) => {
                "bring back the disk it is on; where the vault was moved, run `afterword init --vault DIR`; `afterword init` \
                 begins an empty one there"
            }
            Self::Store(StoreError::Newer { .. }) => "update this Afterword, or use another AFTERWORD_HOME",
            Self::Store(StoreError::Damaged { path, .. }) => {
                return Some(replace_database_advice(path));
            }
            Self::Store(StoreError::Moved { .. }) => "try again: it is opened anew",
            Self::Store(StoreError::Busy { .. }) => "try again when the other Afterword is done",
            other => return other.obstacle_hint(),
        };
        Some(hint.to_owned())
    }
}

/// What to do about a database that is damaged. What SQLite left beside it would be taken for the new one's.
pub(crate) fn replace_database_advice(database: &Path) -> String {
    format!(
        "end Afterword, move {0} aside, with {0}-wal and {0}-shm where they are there, and run `afterword reflect --all`: the \
         notes in the vault are not touched",
        database.display()
    )
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use super::*;
    use crate::ErrorKind;
    use crate::error::obstacle::Obstacle;

    #[test]
    fn errors_of_claude_codes_files_say_what_to_do_as_others_do() {
        let path = PathBuf::from("/home/ada/.claude/settings.json");
        let check = |error: ClaudeCodeError, kind: ErrorKind, hint: &str| {
            let error = Error::from(error);
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.hints().concat().contains(hint), "{error}: {:?}", error.hints());
        };
        let foreign =
            ClaudeCodeError::ForeignSettings { path: path.clone(), line: 3, problem: "no text".to_owned() };
        check(foreign, ErrorKind::Invalid, "mend the file");
        check(
            ClaudeCodeError::ChangedMeanwhile { path: path.clone() },
            ErrorKind::Conflict,
            "run this again",
        );
        check(ClaudeCodeError::NoHome, ErrorKind::Precondition, "set AFTERWORD_HOME");
        let full = || ClaudeCodeError::Io {
            path: path.clone(),
            action: "write the settings",
            source: io::ErrorKind::StorageFull.into(),
        };
        check(full(), ErrorKind::External, "on the disk of /home/ada/.claude/settings.json");
        assert_eq!(Error::from(full()).obstacle(), Some(Obstacle::Full));
    }
}
