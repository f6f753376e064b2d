//! `afterword completions SHELL`

use std::process::ExitCode;

use crate::arguments::{Arguments, Completions};
use crate::failure::Failure;
use crate::output::Output;
use std::io::Write;

pub(crate) fn run(arguments: &Completions, output: &mut Output) -> Result<ExitCode, Failure> {
    // Into memory first: the generator panics when its writer fails, as a closed pipe does.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::visible_commands(), "afterword", &mut script);
    output.data().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
