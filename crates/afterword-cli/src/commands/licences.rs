//! `afterword licences`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::{MODEL_NOTICES, RULE_NOTICES};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;

const MIT: &str = include_str!("../../../../LICENSE-MIT");
const APACHE: &str = include_str!("../../../../LICENSE-APACHE");

#[derive(Serialize)]
struct LicencesView {
    version: u32,
    licence: &'static str,
    mit: &'static str,
    apache: &'static str,
    model: &'static str,
    /// Of the rules by which secrets are recognised.
    rules: &'static str,
}

pub(crate) fn run(output: &mut Output) -> Result<ExitCode, Failure> {
    if output.json {
        let view = LicencesView {
            version: 1,
            licence: "MIT OR Apache-2.0",
            mit: MIT,
            apache: APACHE,
            model: MODEL_NOTICES,
            rules: RULE_NOTICES,
        };
        output.print_json(&view)?;
        return Ok(ExitCode::SUCCESS);
    }
    let own = "Afterword may be used under the MIT licence or the Apache License 2.0, as you choose. Both follow what is to be told of the model and of the rules that recognise secrets.";
    writeln!(output.data(), "{own}\n\n{MODEL_NOTICES}\n{RULE_NOTICES}\n{MIT}\n{APACHE}")?;
    Ok(ExitCode::SUCCESS)
}
