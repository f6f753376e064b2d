//! `afterword preview SESSION [--engine ENGINE]`, `afterword preview --all|--since TIME [--engine ENGINE]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::engine_preview::{Estimate, Preview};
use afterword_app::{EngineName, Target};
use jiff::Zoned;
use serde::Serialize;

use super::engine_named;
use crate::arguments;
use crate::failure::Failure;
use crate::output::{BOLD, Output, plain};
use crate::progress::Bar;
use crate::wording::{count, parse_since};
use afterword_app::engine_preview;

#[derive(Serialize)]
struct PreviewView {
    version: u32,
    #[serde(flatten)]
    preview: Preview,
}

#[derive(Serialize)]
struct EstimateView {
    version: u32,
    #[serde(flatten)]
    estimate: Estimate,
}

pub(crate) fn run(arguments: &arguments::Preview, output: &mut Output) -> Result<ExitCode, Failure> {
    let engine = arguments.engine.as_deref().map(engine_named).transpose()?;
    let Some(session) = &arguments.session else {
        let now = Zoned::now();
        let since = arguments.since.as_deref().map(|text| parse_since(text, &now)).transpose()?;
        return estimate(&Target::Changed { since }, engine, output);
    };
    let preview = engine_preview::preview(&super::app()?, session, engine)?;
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
    let calls = if preview.calls > 1 { format!(" in {} calls", preview.calls) } else { String::new() };
    let _ =
        writeln!(output.talk(), "{}{model}: about {} tokens{calls}{cost}", preview.engine, preview.tokens);
    for (rule, times) in &preview.removed {
        let _ = writeln!(output.talk(), "taken out: {} ({times})", plain(rule));
    }
    if preview.messages_left_out > 0 {
        let messages = count(preview.messages_left_out, "message");
        let _ = writeln!(output.talk(), "left out for length: the first {messages}");
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

fn estimate(target: &Target, engine: Option<EngineName>, output: &mut Output) -> Result<ExitCode, Failure> {
    let mut bar = Bar::new();
    let estimate = engine_preview::estimate(&super::app()?, target, engine, &mut bar)?;
    drop(bar);
    if output.json {
        output.print_json(&EstimateView { version: 1, estimate })?;
        return Ok(ExitCode::SUCCESS);
    }
    let data = output.data();
    let asked = estimate.tokens.len();
    let model =
        if estimate.model.is_empty() { String::new() } else { format!(", {}", plain(&estimate.model)) };
    writeln!(data, "{BOLD}{}{BOLD:#}{model}", estimate.engine)?;
    let quiet = estimate.nothing_to_ask;
    writeln!(
        data,
        "  {}, {asked} with something to ask about, {quiet} without",
        count(estimate.sessions, "session")
    )?;
    if estimate.unreadable > 0 {
        writeln!(data, "  {} cannot be read", estimate.unreadable)?;
    }
    if let Some(median) = estimate.tokens.get(asked / 2) {
        let most = estimate.tokens.last().unwrap_or(median);
        writeln!(
            data,
            "  about {} tokens to read in {}; half the sessions at most {median}, none over {most}",
            estimate.tokens_total,
            count(estimate.calls, "call")
        )?;
    }
    match (estimate.most_usd, estimate.per_job_usd) {
        (Some(usd), _) => writeln!(data, "  at most ${usd:.2}")?,
        (None, Some(usd)) => writeln!(data, "  its price is not known; at most ${usd:.2} a session")?,
        (None, None) => writeln!(data, "  its price is not known, and there is no limit a session")?,
    }
    if let Some(days) = estimate.days {
        let days = count(usize::try_from(days).unwrap_or(usize::MAX), "day");
        writeln!(data, "  at most {days} under budget.daily_usd")?;
    }
    Ok(ExitCode::SUCCESS)
}
