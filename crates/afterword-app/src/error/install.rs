//! Why Afterword cannot be started by Claude Code or with the desktop.

use afterword_platform::program::TranslocatedProgram;
use thiserror::Error;

use super::ErrorKind;

/// Why Afterword cannot be started by Claude Code or with the desktop. Why Claude Code's own files cannot be changed is its room's
/// [`ClaudeCodeError`](afterword_claude_code::ClaudeCodeError).
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InstallError {
    /// A command of the system failed.
    #[error("`{command}` failed: {problem}")]
    CommandFailed {
        /// The command.
        command: String,
        /// What it said.
        problem: String,
    },
    /// The path of the program is gone once it ends.
    #[error(transparent)]
    Translocated(#[from] TranslocatedProgram),
}

impl InstallError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Translocated(_) => ErrorKind::Precondition,
            Self::CommandFailed { .. } => ErrorKind::External,
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::CommandFailed { .. } => {
                "the file was changed; run the command yourself, or begin with `afterword run`"
            }
            Self::Translocated(_) => {
                "move Afterword into the Applications folder and start it from there, then try again"
            }
        }
    }
}
