//! `afterword install claude-code`, `afterword install service`, and `uninstall` of both

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use afterword_app::install::{self, Direction, LastingProgram};
use afterword_app::service;
use afterword_app::{App, Error, environment_of_process};
use serde::Serialize;

use crate::arguments::{ClaudeCode, Consent, Install, Scope};
use crate::failure::Failure;
use crate::output::{BAD, BOLD, DIM, GOOD, Output, plain};

#[derive(Serialize)]
struct InstallView {
    version: u32,
    changed: bool,
    files: Vec<FileView>,
    commands: Vec<String>,
}

#[derive(Serialize)]
struct FileView {
    path: String,
    before: Option<String>,
    after: Option<String>,
}

pub(crate) fn run(what: &Install, direction: Direction, output: &mut Output) -> Result<ExitCode, Failure> {
    match what {
        Install::ClaudeCode(arguments) => claude_code(arguments, direction, output),
        Install::Service(consent) => service(consent, direction, output),
    }
}

fn claude_code(
    arguments: &ClaudeCode,
    direction: Direction,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let scope = match arguments.scope {
        Scope::User => install::Scope::User,
        Scope::Project => install::Scope::Project(environment_of_process().working_directory),
    };
    let app = super::app()?;
    let program = program(&app)?;
    let plan = install::plan(&app, direction, &scope, program.path())?;
    let done = match direction {
        Direction::Install => "Sessions that start from now on are followed, and have the `afterword` tools.",
        Direction::Uninstall => {
            "Claude Code no longer knows Afterword; sessions that run keep what they have."
        }
    };
    let proposal = Proposal { changes: plan.changes().iter().collect(), commands: Vec::new(), done };
    let apply = || {
        put_in_place(&program, direction)?;
        Ok(plan.apply()?)
    };
    carry_out(&proposal, &apply, &arguments.consent, output)
}

fn service(consent: &Consent, direction: Direction, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let program = program(&app)?;
    let plan = service::plan(&app, direction, program.path())?;
    let done = match direction {
        Direction::Install => "The agent runs, and starts with your session from now on.",
        Direction::Uninstall => "The agent no longer starts with your session.",
    };
    let commands = plan.before.iter().chain(&plan.after).map(|words| words.join(" ")).collect();
    let proposal = Proposal { changes: plan.change.iter().collect(), commands, done };
    let apply = || {
        put_in_place(&program, direction)?;
        plan.apply()
    };
    carry_out(&proposal, &apply, consent, output)
}

/// The program to be started, by the path that lives longest.
fn program(app: &App) -> Result<LastingProgram, Failure> {
    Ok(install::program(app, std::env::current_exe()?)?)
}

fn put_in_place(program: &LastingProgram, direction: Direction) -> Result<(), Error> {
    match direction {
        Direction::Install => install::put_in_place(program),
        Direction::Uninstall => Ok(()),
    }
}

/// What is shown before anything changes.
struct Proposal<'a> {
    changes: Vec<&'a install::Change>,
    commands: Vec<String>,
    done: &'static str,
}

/// Shows what would change, asks, and applies it.
fn carry_out(
    proposal: &Proposal<'_>,
    apply: &dyn Fn() -> Result<(), Error>,
    consent: &Consent,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    if !output.json {
        for change in &proposal.changes {
            show_file(&change.path, &change.before, &change.after, output)?;
        }
        for command in &proposal.commands {
            writeln!(output.data(), "{BOLD}${BOLD:#} {}", plain(command))?;
        }
    }
    let nothing = proposal.changes.is_empty() && proposal.commands.is_empty();
    let agreed = !nothing && !consent.dry_run && (consent.yes || (!output.json && ask(output)?));
    if agreed {
        apply()?;
    }
    if output.json {
        let view = |change: &&install::Change| FileView {
            path: change.path.to_string_lossy().into_owned(),
            before: change.before.clone(),
            after: change.after.clone(),
        };
        let files = proposal.changes.iter().map(view).collect();
        let commands = proposal.commands.clone();
        output.print_json(&InstallView { version: 1, changed: agreed, files, commands })?;
    } else if nothing {
        let _ = writeln!(output.talk(), "Nothing to change: all is as it should be.");
    } else if agreed {
        let _ = writeln!(output.talk(), "{}", proposal.done);
    } else {
        let _ = writeln!(output.talk(), "Nothing was changed.");
        if !consent.dry_run && !io::stdin().is_terminal() {
            output.hint("give `--yes` to change the files without being asked");
        }
    }
    let refused = !nothing && !agreed && !consent.dry_run;
    Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

pub(super) fn ask(output: &mut Output) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    let _ = write!(output.talk(), "{BOLD}Change this?{BOLD:#} [y/N] ");
    // Nobody reads what cannot be shown; the answer is read all the same.
    let _ = output.talk().flush();
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// The difference, three lines around what changes.
pub(super) fn show_file(
    path: &Path,
    before: &Option<String>,
    after: &Option<String>,
    output: &mut Output,
) -> Result<(), Failure> {
    let note = match (before, after) {
        (None, _) => "  (new)",
        (_, None) => "  (removed)",
        _ => "",
    };
    let text = |side: &Option<String>| side.clone().unwrap_or_default();
    let (before, after) = (text(before), text(after));
    let out = output.data();
    writeln!(out, "{BOLD}{}{BOLD:#}{DIM}{note}{DIM:#}", plain(&path.to_string_lossy()))?;
    let difference = similar::TextDiff::from_lines(&before, &after);
    for (at, hunk) in difference.unified_diff().context_radius(3).iter_hunks().enumerate() {
        if at > 0 {
            writeln!(out, "{DIM}  …{DIM:#}")?;
        }
        for line in hunk.iter_changes() {
            let (sign, style) = match line.tag() {
                similar::ChangeTag::Delete => ('-', BAD),
                similar::ChangeTag::Insert => ('+', GOOD),
                similar::ChangeTag::Equal => (' ', DIM),
            };
            // `plain` makes one blank of a tab, and indentation would be gone.
            let text = line.value().trim_end_matches(['\r', '\n']).replace('\t', "    ");
            writeln!(out, "{style}{sign} {}{style:#}", plain(&text))?;
        }
    }
    writeln!(out)?;
    Ok(())
}
