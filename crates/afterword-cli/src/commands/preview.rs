//! `afterword preview SESSION [--engine ENGINE]`

use std::io::Write;
use std::process::ExitCode;

use afterword_agent::consulting::Preview;
use afterword_agent::{EngineName, Error};
use serde::Serialize;

use crate::arguments;
use crate::failure::Failure;
use crate::output::{BOLD, Output, plain};

#[derive(Serialize)]
struct PreviewView {
    version: u32,
    #[serde(flatten)]
    preview: Preview,
}

pub(crate) fn run(arguments: &arguments::Preview, output: &mut Output) -> Result<ExitCode, Failure> {
    let engine = match &arguments.engine {
        Some(name) => {
            Some(EngineName::parse(name).ok_or_else(|| Error::UnknownEngine { name: name.clone() })?)
        }
        None => None,
    };
    let preview = super::agent()?.preview(&arguments.session, engine)?;
    if output.json {
        output.print_json(&PreviewView { version: 1, preview })?;
        return Ok(ExitCode::SUCCESS);
    }
    if preview.prompt.is_empty() {
        let _ = writeln!(
            output.talk(),
            "Nothing in this session is worth a call; {} would not be asked.",
            preview.engine
        );
        return Ok(ExitCode::SUCCESS);
    }
    let model = if preview.model.is_empty() { String::new() } else { format!(", {}", plain(&preview.model)) };
    let cost = preview.most_usd.map_or_else(String::new, |usd| format!(", at most ${usd:.4}"));
    let _ = writeln!(output.talk(), "{}{model}: about {} tokens{cost}", preview.engine, preview.tokens);
    for (rule, times) in &preview.removed {
        let _ = writeln!(output.talk(), "taken out: {} ({times})", plain(rule));
    }
    if preview.episodes_left_out > 0 {
        let _ = writeln!(output.talk(), "left out for length: {} stretches", preview.episodes_left_out);
    }
    let data = output.data();
    writeln!(data, "{BOLD}Instructions ({}){BOLD:#}\n", preview.instructions_version)?;
    for line in preview.instructions.lines() {
        writeln!(data, "{}", plain(line))?;
    }
    writeln!(data, "{BOLD}Session{BOLD:#}\n")?;
    for line in preview.prompt.lines() {
        writeln!(data, "{}", plain(line))?;
    }
    Ok(ExitCode::SUCCESS)
}
