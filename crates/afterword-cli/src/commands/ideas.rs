//! `afterword ideas list`, `afterword ideas research IDEA [--engine ENGINE | --background]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::ideas;
use afterword_app::ideas::{Idea, ResearchedIdea};
use jiff::Zoned;
use serde::Serialize;

use super::engine_named;
use crate::arguments::Ideas;
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output, plain};

#[derive(Serialize)]
struct ListView {
    version: u32,
    ideas: Vec<Idea>,
}

#[derive(Serialize)]
struct ResearchView {
    version: u32,
    #[serde(flatten)]
    researched: ResearchedIdea,
}

#[derive(Serialize)]
struct TaskView {
    version: u32,
    task: String,
}

pub(crate) fn run(command: &Ideas, output: &mut Output) -> Result<ExitCode, Failure> {
    match command {
        Ideas::List => list(output)?,
        Ideas::Research { idea, background: true, .. } => {
            let id = ideas::research_in_background(&super::app()?, idea, &Zoned::now())?;
            if output.json {
                output.print_json(&TaskView { version: 1, task: id.to_string() })?;
            } else {
                writeln!(output.data(), "{id}")?;
                let _ = writeln!(
                    output.talk(),
                    "`afterword task show {id}` follows it; what it finds goes to the idea's page"
                );
            }
        }
        Ideas::Research { idea, engine, background: false } => {
            let engine = engine.as_deref().map(engine_named).transpose()?;
            let researched = ideas::research_idea(&super::app()?, idea, engine, &Zoned::now())?;
            if output.json {
                output.print_json(&ResearchView { version: 1, researched })?;
            } else {
                let _ = writeln!(output.talk(), "added to {}", plain(&researched.path));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list(output: &mut Output) -> Result<(), Failure> {
    let ideas = ideas::ideas(&super::app()?)?;
    if output.json {
        output.print_json(&ListView { version: 1, ideas })?;
        return Ok(());
    }
    for idea in ideas {
        let mark = if idea.done { "done" } else { "open" };
        let path = plain(&idea.line.path);
        writeln!(
            output.data(),
            "{DIM}{mark}{DIM:#}  {BOLD}{}{BOLD:#}  {DIM}{path}{DIM:#}",
            plain(&idea.line.title)
        )?;
    }
    Ok(())
}
