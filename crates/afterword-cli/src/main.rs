//! The `afterword` command: arguments in, use cases of the agent called, results printed.
//!
//! It knows no rules of its own. Data goes to stdout, everything else to stderr; exit code 0 is done, 1 is something
//! the user can mend, 2 is wrong usage. Start reading at [`arguments::Command`]; each command has a file below
//! `commands`.

mod arguments;
mod commands;
mod failure;
mod hook;
mod notify;
mod output;
mod progress;
mod reference;
mod wording;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::output::Output;

fn main() -> ExitCode {
    // A hook runs inside the user's session: nothing else is set up for it.
    if let Some(call) = hook::Call::of_process() {
        return call.run();
    }
    let arguments = Arguments::parse();
    let mut output = Output::new(arguments.json);
    match commands::run(arguments.command, &mut output) {
        Ok(code) => code,
        Err(failure) => failure.report(&mut output),
    }
}
