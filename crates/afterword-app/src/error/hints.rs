//! What a person can do about an error.

use afterword_platform::keyring::KeyringError;
use afterword_store::StoreError;
use afterword_vault::VaultError;

use crate::Error;

impl Error {
    /// What the user can do about it, one sentence each; may be none.
    pub fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::Config(error) => return error.hint().into_iter().collect(),
            Self::Session(error) => return error.hint().into_iter().collect(),
            Self::Review(error) => return error.hint().map(str::to_owned).into_iter().collect(),
            Self::EngineCall(error) => return error.hint().into_iter().collect(),
            Self::Agent(error) => return error.hint().map(str::to_owned).into_iter().collect(),
            Self::Conversation(error) => return error.hints(),
            Self::Connection(error) => return error.hint().into_iter().collect(),
            Self::NoHome => "set AFTERWORD_HOME to a directory".to_owned(),
            Self::Translocated(_) => {
                "move Afterword into the Applications folder and start it from there, then try again".to_owned()
            }
            Self::NoVault => {
                "choose one with `afterword init --vault DIR`, or look first with `--dry-run`".to_owned()
            }
            Self::OtherVault { .. } => {
                "to use another one, run `afterword config set vault.path DIR`, then `afterword init`"
                    .to_owned()
            }
            Self::ForeignSettings { .. } => {
                "mend the file and run this again; nothing was changed".to_owned()
            }
            Self::CommandFailed { .. } => {
                "the file was changed; run the command yourself, or begin with `afterword run`".to_owned()
            }
            Self::ChangedMeanwhile { .. } => "run this again".to_owned(),
            Self::Vault(VaultError::NotAVault { .. }) => {
                "bring back the disk it is on; where the vault was moved, run `afterword init --vault DIR`; `afterword init` \
                 begins an empty one there"
                    .to_owned()
            }
            Self::NoSuchProject { .. } => {
                "`afterword sessions` lists them".to_owned()
            }
            Self::NoSuchNote { .. } => {
                "`afterword review list` shows what waits and `afterword ideas list` the ideas; a note is named by its id or its path"
                    .to_owned()
            }
            Self::AmbiguousNote { notes, .. } => {
                format!("give its path or its id; it fits {}", notes.join(", "))
            }
            Self::Keyring(KeyringError::NoKeyring { .. }) => no_keyring().to_owned(),
            Self::Keyring(KeyringError::Locked { .. } | KeyringError::TooLong { .. }) => {
                "unlock the keyring, and try again".to_owned()
            }
            Self::Model(error) => error.hint().to_owned(),
            Self::NoSearchModel => {
                "install Afterword anew, or choose a folder with `recall.model`".to_owned()
            }
            Self::Store(StoreError::Newer { .. }) => {
                "update this Afterword, or use another AFTERWORD_HOME".to_owned()
            }
            Self::Store(StoreError::Damaged { path, .. }) => format!(
                "move {} aside and run `afterword reflect --all`: the notes in the vault are not touched",
                path.display()
            ),
            Self::Store(StoreError::Busy { .. }) => "try again when the other Afterword is done".to_owned(),
            other => return other.obstacle_hint().into_iter().collect(),
        };
        vec![hint]
    }
}

fn no_keyring() -> &'static str {
    if cfg!(any(target_os = "macos", windows)) {
        "keys are kept in the system's keyring and nowhere else"
    } else {
        "install and unlock one that speaks Secret Service (GNOME Keyring, KWallet, KeePassXC); keys are kept nowhere else"
    }
}
