//! What a person can do about an error.

use afterword_platform::keyring::KeyringError;
use afterword_reflect::engine::{EngineError, SpendLimit, is_local};
use afterword_store::StoreError;
use afterword_vault::VaultError;

use crate::{EngineName, Error};

impl Error {
    /// What the user can do about it, one sentence each; may be none.
    pub fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::Conversation(error) => return error.hints(),
            Self::Connection(error) => return error.hint().into_iter().collect(),
            Self::Config { advice: Some(advice), .. } => advice.clone(),
            Self::UnknownSetting { meant: Some(key), .. } => format!("did you mean `{key}`?"),
            Self::UnknownSetting { .. } => "`afterword config show` lists every setting".to_owned(),
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
            Self::PersonAnswers { .. } => {
                "the user answers it in the window, in its note, or with `afterword review`".to_owned()
            }
            Self::NotSaid => "ask the user to type the new title or text, and give it as they typed it; or they change it \
                 with `afterword review edit`, in the window or in its note"
                .to_owned(),
            Self::ForeignTranscript { .. } => "look at it with `--dry-run` or `afterword inspect PATH`; \
                 `afterword reflect PATH --foreign` takes what it holds for your own sessions' words"
                .to_owned(),
            Self::NoSuchSession { .. } | Self::NoSuchProject { .. } => {
                "`afterword sessions` lists them".to_owned()
            }
            Self::NoSessionAsked => {
                "connect Claude Code with `afterword install claude-code`, then start a session".to_owned()
            }
            Self::NotArchived { .. } => {
                "`afterword sessions archive` says what is kept; `afterword config set archive.sessions true` \
                 keeps a copy of every session from now on"
                    .to_owned()
            }
            Self::OtherTranscript { .. } => "give `--to DIR` to restore it elsewhere".to_owned(),
            Self::NoClient => {
                "install Claude Code, or say where it is with `afterword config set claude.binary PATH`"
                    .to_owned()
            }
            Self::NoSuchJob { .. } => "`afterword jobs` lists them".to_owned(),
            Self::JobNotOver { .. } => "only one that failed or was cancelled can be tried again".to_owned(),
            Self::AgentRunning { .. } => {
                "`afterword status` shows what it does; the tray app and `afterword run` are both agents"
                    .to_owned()
            }
            Self::AmbiguousSession { sessions, .. } => {
                format!("give more of the id; it fits {}", sessions.join(", "))
            }
            Self::NoSuchNote { .. } => {
                "`afterword review list` shows what waits and `afterword ideas list` the ideas; a note is named by its id or its path"
                    .to_owned()
            }
            Self::AmbiguousNote { notes, .. } => {
                format!("give its path or its id; it fits {}", notes.join(", "))
            }
            Self::NotWaiting { .. } => {
                "`afterword review undo` takes the last answer back, `undo ID` an earlier one".to_owned()
            }
            Self::NoteUnchangeable { .. } => {
                "set `status` and `review` in the note yourself, or mend its front matter".to_owned()
            }
            Self::NoAnswerToUndo => "`afterword review list` shows what waits".to_owned(),
            Self::NoSuchDecision { .. } => "`afterword review answers` lists those that can be taken back".to_owned(),
            Self::Excluded { .. } => "change `privacy.exclude` with `afterword config set`".to_owned(),
            Self::NoKey { engine, .. } => format!("`afterword config set-key {engine}`"),
            Self::UnknownKey { .. } => "`anthropic` and `openai-compatible` take one".to_owned(),
            Self::Keyring(KeyringError::NoKeyring { .. }) => no_keyring().to_owned(),
            Self::Keyring(KeyringError::Locked { .. } | KeyringError::TooLong { .. }) => {
                "unlock the keyring, and try again".to_owned()
            }
            Self::AlreadyResearched { .. } => {
                "delete the section `Research` of the page to have it done again".to_owned()
            }
            Self::Model(error) => error.hint().to_owned(),
            Self::NoSearchModel => {
                "install Afterword anew, or choose a folder with `recall.model`".to_owned()
            }
            Self::NoModel => "`afterword config set engine.model MODEL`, as the server names it".to_owned(),
            Self::Engine { source, .. } | Self::Asked { source, .. }
                if matches!(**source, EngineError::Budget { limit: SpendLimit::PerJob, .. }) =>
            {
                "raise it with `afterword config set budget.per_job_usd N`, or choose a cheaper model: it is the same tomorrow"
                    .to_owned()
            }
            Self::Engine { source, .. } | Self::Asked { source, .. }
                if matches!(**source, EngineError::Budget { .. }) =>
            {
                "raise it with `afterword config set`, or go on tomorrow: what is not done is found again"
                    .to_owned()
            }
            Self::Asked { source, .. } if matches!(&**source, EngineError::Unreachable { url, .. } if is_local(url)) => {
                "start the server that is to listen there, or change it with `afterword config set engine.address URL`"
                    .to_owned()
            }
            Self::Asked { engine, source } if matches!(**source, EngineError::Address { .. }) => {
                let key = match engine {
                    EngineName::Anthropic => "engine.anthropic_address",
                    _ => "engine.address",
                };
                format!("`afterword config set {key} URL`")
            }
            Self::UnknownEngine { .. } => {
                let names: Vec<_> = EngineName::ALL.iter().map(|engine| format!("`{engine}`")).collect();
                format!("the engines that exist are {}", names.join(", "))
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
