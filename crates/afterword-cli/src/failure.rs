//! What ends a command early, and how it is told.

use std::io;
use std::process::ExitCode;

use afterword_app::{Environment, Error, ErrorKind, Paths, log};
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
                if matches!(error.kind(), ErrorKind::External | ErrorKind::Bug) {
                    log::failure(error);
                    hint_log(output);
                }
                ExitCode::from(MENDABLE)
            }
            Self::Serve(error) => {
                output.error(&plain(&error.to_string()));
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

fn hint_log(output: &mut Output) {
    if let Ok(paths) = Paths::new(&Environment::of_process()) {
        let directory = log::directory(&paths);
        output.hint(&plain(&format!("what went before is in {}: `afterword logs`", directory.display())));
    }
}

/// The error and what caused it, on one line that a terminal can be given.
pub(crate) fn chain(error: &Error) -> String {
    plain(&error.chain())
}
