//! What a person can do about an error.

use std::path::Path;

use afterword_claude_code::ClaudeCodeError;
use afterword_store::StoreError;
use afterword_vault::VaultError;

use super::{keyring, obstacle};
use crate::Error;

/// What the user can do about it, one sentence each; may be none.
pub(super) fn hints(error: &Error) -> Vec<String> {
    match error {
        Error::Conversation(error) => error.hints(),
        other => hint(other).into_iter().collect(),
    }
}

fn hint(error: &Error) -> Option<String> {
    let hint = match error {
        Error::Config(error) => return error.hint(),
        Error::Session(error) => return error.hint(),
        Error::EngineCall(error) => return error.hint(),
        Error::Connection(error) => return error.hint(),
        Error::Note(error) => return error.hint(),
        Error::Project(error) => error.hint()?,
        Error::Review(error) => error.hint()?,
        Error::Agent(error) => error.hint()?,
        Error::VaultSetup(error) => error.hint()?,
        Error::Keyring(error) => keyring::hint(error)?,
        Error::Install(error) => error.hint(),
        Error::Export(error) => error.hint(),
        Error::SearchModel(error) => error.hint(),
        Error::ClaudeCode(ClaudeCodeError::ForeignSettings { .. }) => {
            "mend the file and run this again; nothing was changed"
        }
        Error::ClaudeCode(ClaudeCodeError::ChangedMeanwhile { .. }) => "run this again",
        Error::NoHome | Error::ClaudeCode(ClaudeCodeError::NoHome) => "set AFTERWORD_HOME to a directory",
        Error::Vault(VaultError::NotAVault { .. }) => {
            "bring back the disk it is on; where the vault was moved, run `afterword init --vault DIR`; `afterword init` \
             begins an empty one there"
        }
        Error::Store(StoreError::Newer { .. }) => "update this Afterword, or use another AFTERWORD_HOME",
        Error::Store(StoreError::Damaged { path, .. }) => {
            return Some(replace_database_advice(path));
        }
        Error::Store(StoreError::Moved { .. }) => "try again: it is opened anew",
        Error::Store(StoreError::Busy { .. }) => "try again when the other Afterword is done",
        other => return obstacle::hint(other),
    };
    Some(hint.to_owned())
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
