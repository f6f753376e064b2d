//! `afterword init [--vault DIR]`

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use afterword_app::archive::RATIO;
use afterword_app::{App, environment_of_process, init, setup};
use serde::Serialize;

use crate::arguments::Init;
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output};
use crate::wording::{bytes, count, path};
use afterword_app::settings;

#[derive(Serialize)]
struct InitView {
    version: u32,
    vault: String,
    config: String,
    config_created: bool,
    installed: Vec<String>,
}

pub(crate) fn run(arguments: &Init, output: &mut Output) -> Result<ExitCode, Failure> {
    let done = init::init(&environment_of_process(), arguments.vault.as_deref())?;
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
    if done.config_created {
        offer_archive(output)?;
    }
    let _ = writeln!(output.talk(), "\nNext: afterword reflect --all");
    let has_claude = App::new(environment_of_process()).is_ok_and(|app| app.has_client());
    if has_claude {
        let _ = writeln!(
            output.talk(),
            "Better sentences, with your own Claude Code: afterword engine  (what it would cost you)"
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Asks whether sessions are to be kept beyond Claude Code's deletion; where nobody can answer, says how.
fn offer_archive(output: &mut Output) -> Result<(), Failure> {
    let app = super::app()?;
    let found = setup::scan_setup(&app)?;
    if found.sessions == 0 {
        return Ok(());
    }
    let size = bytes(found.bytes / RATIO);
    let talk = output.talk();
    let _ = writeln!(
        talk,
        "\nClaude Code deletes a session 30 days after its last use. Afterword can keep a compressed copy of each\n\
         on this machine, as it is: about {} for the {} there are now.",
        size.trim(),
        count(found.sessions, "session")
    );
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        output.hint("`afterword config set archive.sessions true` keeps them");
        return Ok(());
    }
    let _ = write!(talk, "Keep them? [y/N] ");
    // Nobody reads what cannot be shown; the answer is read all the same.
    let _ = talk.flush();
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    if matches!(answer.trim(), "y" | "Y" | "yes") {
        settings::change_setting(app.environment(), "archive.sessions", &["true".to_owned()])?;
        let _ = writeln!(
            output.talk(),
            "The agent keeps them from now on; `afterword sessions archive` does so now."
        );
    }
    Ok(())
}
