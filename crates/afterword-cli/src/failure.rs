//! What ends a command early, and how it is told.

use std::io;
use std::process::ExitCode;

use afterword_app::{Error, ErrorKind, Paths, environment_of_process, log};
use afterword_mcp::ServeError;

use crate::output::{Output, plain};

/// Something the user can mend.
const MENDABLE: u8 = 1;
/// The command was typed wrong.
const USAGE: u8 = 2;

/// What ends a command early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A use case could not be carried out.
    App(Error),
    /// The MCP server ended before its client did.
    Serve(ServeError),
    /// An argument cannot be understood.
    Usage { argument: &'static str, problem: String },
    /// stdout cannot be written to.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::App(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// Tells the failure on stderr; gives the exit code.
    pub(crate) fn report(&self, output: &mut Output) -> ExitCode {
        match self {
            Self::App(error) => {
                output.error(&chain(error));
                for hint in error.hints() {
                    output.hint(&hint);
                }
                if error.kind() == ErrorKind::Bug {
                    output.hint("this is a mistake in Afterword; please report it");
                }
                // What the person can mend by the words above needs no log.
                if hint_log(error.kind(), output) {
                    log::failure(error);
                }
                ExitCode::from(MENDABLE)
            }
            Self::Serve(error) => {
                output.error(&plain(&error.to_string()));
                hint_log(ErrorKind::External, output);
                ExitCode::from(MENDABLE)
            }
            Self::Usage { argument, problem } => {
                output.error(&format!("{argument}: {problem}"));
                ExitCode::from(USAGE)
            }
            // Whoever read our output has seen enough; there is nobody left to tell.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                output.error(&format!("cannot write the output: {error}"));
                ExitCode::from(MENDABLE)
            }
        }
    }
}

/// Tells where the log is, where the failure is none that the person can mend; says whether it is such a one.
pub(crate) fn hint_log(kind: ErrorKind, output: &mut Output) -> bool {
    let paths = Paths::new(&environment_of_process()).ok();
    let hint = paths.and_then(|paths| log::hint(&paths, kind));
    if let Some(hint) = &hint {
        output.hint(&plain(hint));
    }
    hint.is_some()
}

/// The error and what caused it, on one line that a terminal can be given.
pub(crate) fn chain(error: &Error) -> String {
    plain(&error.chain())
}
