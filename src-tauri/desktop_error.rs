//! What the desktop app itself cannot do: open a file, a terminal, another program; what belongs to no use case.

use std::path::{Path, PathBuf};

use afterword_app::ErrorKind;
use serde::Serialize;
use thiserror::Error;

/// What the desktop app itself cannot do.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub(crate) enum DesktopError {
    /// A reflection is under way.
    #[error("a reflection is under way already")]
    Reflecting,
    /// The lesson is not the one whose check was seen.
    #[error("the lesson was changed meanwhile: look at its check again")]
    LessonChanged,
    /// What the person wrote is no check.
    #[error("{detail}")]
    NoCheck {
        /// What is wrong with it, in English.
        detail: String,
        /// What a check may be.
        forms: String,
    },
    /// A file or a folder is gone.
    #[error("{} is not there any more", path.display())]
    Gone {
        /// Where it was.
        path: PathBuf,
    },
    /// No program opened a file or a folder.
    #[error("{} could not be opened, as if no program were set for it: {detail}", path.display())]
    NotOpened {
        /// What was to be opened.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// An address is not that of a web page.
    #[error("not the address of a web page")]
    NoWebPage,
    /// No program took an address.
    #[error("no program took the address {address}: {detail}")]
    NoProgram {
        /// The address.
        address: String,
        /// What the system said.
        detail: String,
    },
    /// No terminal is known here.
    #[error("no terminal was found; copy the command and type it in yours")]
    NoTerminal,
    /// A terminal ended at once or could not be started.
    #[error("the terminal {name} could not be opened: {detail}")]
    TerminalFailed {
        /// Its program.
        name: String,
        /// What the system or it said.
        detail: String,
    },
    /// A session cannot be gone on with.
    #[error("Claude Code has nothing to go on with of this session")]
    NothingToResume,
    /// A file could not be written.
    #[error("{} could not be written: {detail}", path.display())]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// The other program of this app is gone.
    #[error("the program in the tray does not answer")]
    TrayGone,
    /// The vault is no Obsidian vault.
    #[error("the vault is not one of Obsidian's")]
    NotObsidian,
    /// The command is not beside this program.
    #[error("the `afterword` command is not beside this program")]
    NoCommand,
}

impl DesktopError {
    pub(crate) fn gone(path: &Path) -> Self {
        Self::Gone { path: path.to_owned() }
    }

    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            Self::Reflecting | Self::LessonChanged => ErrorKind::Conflict,
            Self::NoCheck { .. } => ErrorKind::Invalid,
            _ => ErrorKind::External,
        }
    }

    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::NoCheck { forms, .. } => Some(format!("a check is one of: {forms}")),
            _ => None,
        }
    }
}
