//! `afterword polish [--engine ENGINE] [--limit N] [--dry-run | --show | --apply]`

use std::io::{self, Write};
use std::process::ExitCode;

use afterword_app::reflect;
use afterword_app::reflect::polish::{Polish, PolishEstimate, PolishRequest, Rewording};
use jiff::Zoned;
use serde::Serialize;

use super::engine_named;
use crate::arguments;
use crate::failure::Failure;
use crate::output::{BAD, BOLD, DIM, GOOD, Output, plain};
use crate::wording::count;

#[derive(Serialize)]
struct EstimateView {
    version: u32,
    #[serde(flatten)]
    estimate: PolishEstimate,
}

#[derive(Serialize)]
struct PolishView<'a> {
    version: u32,
    #[serde(flatten)]
    polish: &'a Polish,
}

pub(crate) fn run(arguments: &arguments::Polish, output: &mut Output) -> Result<ExitCode, Failure> {
    let (app, now) = (super::app()?, Zoned::now());
    let engine = arguments.engine.as_deref().map(engine_named).transpose()?;
    let request = PolishRequest { engine, most: arguments.limit };
    if arguments.dry_run {
        estimate(reflect::polish_estimate(&app, &request)?, output)?;
        return Ok(ExitCode::SUCCESS);
    }
    let polish = match (arguments.show, arguments.apply) {
        (true, _) => reflect::stored_polish(&app)?,
        (_, true) => reflect::polish_apply(&app, &now)?,
        _ => reflect::polish_plan(&app, &request, &now)?,
    };
    if output.json {
        output.print_json(&PolishView { version: 1, polish: &polish })?;
    } else {
        print(&polish, arguments, output)?;
    }
    if let Some(stopped) = &polish.stopped {
        output.warning(&format!("not all notes were asked about: {}", plain(stopped)));
    }
    if !polish.applied && !polish.notes.is_empty() {
        output.hint("nothing was written; `afterword polish --apply` does it");
    }
    Ok(ExitCode::SUCCESS)
}

fn estimate(estimate: PolishEstimate, output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return Ok(output.print_json(&EstimateView { version: 1, estimate })?);
    }
    let (notes, calls) = (count(estimate.notes, "note"), count(estimate.calls, "call"));
    let cost = match estimate.most_usd {
        Some(usd) => format!(", at most ${usd:.2}"),
        None => ", its price is not known before; the budget holds".to_owned(),
    };
    writeln!(output.data(), "{notes} nobody touched: about {} tokens in {calls}{cost}", estimate.tokens)?;
    Ok(())
}

fn print(polish: &Polish, arguments: &arguments::Polish, output: &mut Output) -> io::Result<()> {
    let heading = match polish.applied {
        true => "Worded anew",
        false => "Plan",
    };
    if !polish.notes.is_empty() {
        writeln!(output.data(), "{BOLD}{heading}{BOLD:#} {DIM}by {}{DIM:#}", plain(&polish.by))?;
    }
    for one in &polish.notes {
        difference(one, output)?;
    }
    let notes = polish.notes.iter().filter(|one| one.refused.is_none()).count();
    let refused = polish.notes.len() - notes;
    let end = match (polish.applied, arguments.show) {
        (true, _) if refused > 0 => {
            format!("{} worded anew, {refused} left as they are", count(notes, "note"))
        }
        (true, _) => format!("{} worded anew", count(notes, "note")),
        (_, true) => format!("{} in the plan", count(notes, "note")),
        _ => format!("{} asked about, {} to word anew", count(polish.asked, "note"), notes),
    };
    writeln!(output.data(), "{end}")
}

/// What would go, and what would come.
fn difference(one: &Rewording, output: &mut Output) -> io::Result<()> {
    writeln!(output.data(), "  {}", plain(&one.path))?;
    if let Some(why) = &one.refused {
        return writeln!(output.data(), "    {BAD}!{BAD:#} left as it is: {}", plain(why));
    }
    let pairs = [(&one.title_before, &one.title), (&one.body_before, &one.body)];
    for (before, after) in pairs.into_iter().filter(|(before, after)| before.trim() != after.trim()) {
        for line in before.lines() {
            writeln!(output.data(), "    {BAD}-{BAD:#} {}", plain(line))?;
        }
        for line in after.lines() {
            writeln!(output.data(), "    {GOOD}+{GOOD:#} {}", plain(line))?;
        }
    }
    Ok(())
}
