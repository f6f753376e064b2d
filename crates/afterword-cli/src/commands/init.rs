//! `afterword init [--vault DIR]`

use std::io::Write;
use std::process::ExitCode;

use afterword_agent::{Agent, Environment, init};
use serde::Serialize;

use crate::arguments::Init;
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output};
use crate::wording::path;

#[derive(Serialize)]
struct InitView {
    version: u32,
    vault: String,
    config: String,
    config_created: bool,
    installed: Vec<String>,
}

pub(crate) fn run(arguments: &Init, output: &mut Output) -> Result<ExitCode, Failure> {
    let done = init::init(&Environment::of_process(), arguments.vault.as_deref())?;
    if output.json {
        output.print_json(&InitView {
            version: 1,
            vault: done.vault.to_string_lossy().into_owned(),
            config: done.config_file.to_string_lossy().into_owned(),
            config_created: done.config_created,
            installed: done.installed.iter().map(|file| file.to_string_lossy().into_owned()).collect(),
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let new = |is_new: bool| if is_new { "" } else { "  (was there)" };
    let out = output.data();
    writeln!(
        out,
        "{BOLD}Vault{BOLD:#}     {}{DIM}{}{DIM:#}",
        path(&done.vault),
        new(!done.installed.is_empty())
    )?;
    writeln!(
        out,
        "{BOLD}Settings{BOLD:#}  {}{DIM}{}{DIM:#}",
        path(&done.config_file),
        new(done.config_created)
    )?;
    if done.in_obsidian {
        writeln!(out, "The vault is open in Obsidian: look for the folder `Afterword` in it.")?;
    }
    let _ = writeln!(output.talk(), "\nNext: afterword reflect --all");
    let has_claude = Agent::new(Environment::of_process()).is_ok_and(|agent| agent.has_client());
    if has_claude {
        let _ = writeln!(
            output.talk(),
            "Better sentences, with your own Claude Code: afterword engine  (what it would cost you)"
        );
    }
    Ok(ExitCode::SUCCESS)
}
