//! `afterword mcp`

use std::process::ExitCode;

use afterword_app::Environment;

use crate::failure::Failure;

/// Serves until the client leaves. Nothing else may be written to stdout.
pub(crate) fn run() -> Result<ExitCode, Failure> {
    afterword_mcp::serve(Environment::of_process()).map_err(Failure::Serve)?;
    Ok(ExitCode::SUCCESS)
}
