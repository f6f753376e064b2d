//! `afterword mcp`

use std::process::ExitCode;

use afterword_app::environment_of_process;

use crate::failure::Failure;

/// Serves until the client leaves. Nothing else may be written to stdout.
pub(crate) fn run() -> Result<ExitCode, Failure> {
    afterword_mcp::serve(environment_of_process()).map_err(Failure::Serve)?;
    Ok(ExitCode::SUCCESS)
}
