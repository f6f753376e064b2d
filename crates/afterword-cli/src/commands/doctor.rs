//! `afterword doctor`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::doctor::doctor;
use afterword_app::environment_of_process;
use afterword_app::health::{Check, Verdict};
use jiff::Timestamp;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{ATTENTION, BAD, DIM, GOOD, Output, plain};

#[derive(Serialize)]
struct DoctorView {
    version: u32,
    verdict: Verdict,
    checks: Vec<Check>,
}

pub(crate) fn run(output: &mut Output) -> Result<ExitCode, Failure> {
    let checks = doctor(&environment_of_process(), Timestamp::now());
    let verdict = checks.iter().map(|check| check.verdict).max().unwrap_or(Verdict::Ok);
    if output.json {
        output.print_json(&DoctorView { version: 1, verdict, checks })?;
    } else {
        for check in &checks {
            let (style, word) = match check.verdict {
                Verdict::Ok => (GOOD, "ok"),
                Verdict::Warn => (ATTENTION, "warn"),
                Verdict::Fail => (BAD, "fail"),
            };
            let out = output.data();
            writeln!(out, "{style}{word:<5}{style:#} {:<18} {}", check.name, plain(&check.message))?;
            if let Some(advice) = &check.advice {
                writeln!(out, "{:<24} {DIM}{}{DIM:#}", "", plain(advice))?;
            }
        }
    }
    Ok(if verdict == Verdict::Fail { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
