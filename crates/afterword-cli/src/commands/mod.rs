//! The commands, one file each.

mod attempts;
mod bind;
mod completions;
mod config;
mod connections;
mod doctor;
mod engine;
mod export;
mod feedback;
mod find;
mod forget;
mod ideas;
mod import;
mod index;
mod init;
mod inspect;
mod install;
mod jobs;
mod keys;
mod licences;
mod logs;
mod mcp;
mod polish;
mod preview;
mod projects;
mod reference;
mod reflect;
mod reflect_again;
mod review;
mod run;
mod search;
mod sessions;
mod spend;
mod stats;
mod status;
mod task;
mod vault;
mod why;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use afterword_app::install::Direction;
use afterword_app::log::{self, LogFile};
use afterword_app::{App, EngineCallError, EngineName, Error, environment_of_process};

use crate::arguments::{Command, Consent};
use crate::failure::Failure;
use crate::output::Output;

/// Carries out a command; gives the exit code.
pub(crate) fn run(command: Command, output: &mut Output) -> Result<ExitCode, Failure> {
    start_log(&command);
    match command {
        Command::Init(arguments) => init::run(&arguments, output),
        Command::Reflect(arguments) => reflect::run(&arguments, output),
        Command::Run => run::run(output),
        Command::Status => status::run(output),
        Command::Jobs(arguments) => jobs::run(&arguments, output),
        Command::Logs(arguments) => logs::run(&arguments, output),
        Command::Forget(what) => forget::run(&what, output),
        Command::Config(command) => config::run(command, output),
        Command::Completions(arguments) => completions::run(&arguments, output),
        Command::Review { command } => review::run(command, output),
        Command::Connections { command } => connections::run(command, output),
        Command::Task(command) => task::run(command, output),
        Command::Export(arguments) => export::run(&arguments, output),
        Command::Import(arguments) => import::run(&arguments, output),
        Command::Vault(command) => vault::run(&command, output),
        Command::Search(arguments) => search::run(&arguments, output),
        Command::Attempts(command) => attempts::run(command, output),
        Command::Summary(of) => attempts::summary(&of, output),
        Command::Stats(arguments) => stats::run(&arguments, output),
        Command::Feedback(arguments) => feedback::run(&arguments, output),
        Command::Bind(arguments) => bind::run(&arguments, output),
        Command::Unbind(arguments) => bind::unbind(&arguments, output),
        Command::Checks => bind::list(output),
        Command::Why(arguments) => why::run(&arguments, output),
        Command::Index(command) => index::run(&command, output),
        Command::Inspect(arguments) => inspect::run(&arguments, output),
        Command::Engine { command } => engine::run(command.as_ref(), output),
        Command::Polish(arguments) => polish::run(&arguments, output),
        Command::Ideas(command) => ideas::run(&command, output),
        Command::Spend(arguments) => spend::run(&arguments, output),
        Command::Preview(arguments) => preview::run(&arguments, output),
        Command::Find(arguments) => find::run(&arguments, output),
        Command::Sessions(arguments) => sessions::run(&arguments, output),
        Command::Projects { command } => projects::run(command.as_ref(), output),
        Command::Mcp => mcp::run(),
        Command::Hook(arguments) => Ok(crate::hook::Call::new(Some(arguments.event), arguments.home).run()),
        Command::Install(what) => install::run(&what, Direction::Install, output),
        Command::Uninstall(what) => install::run(&what, Direction::Uninstall, output),
        Command::Doctor => doctor::run(output),
        Command::Licences => licences::run(output),
        Command::Reference(what) => reference::run(&what),
    }
}

/// Says how a change that was shown first ended.
fn print_end(nothing: bool, agreed: bool, consent: &Consent, done: &str, output: &mut Output) {
    let text = match (nothing, agreed) {
        (true, _) => "Nothing to change: all is there already.",
        (_, true) => done,
        _ => "Nothing was changed.",
    };
    let _ = writeln!(output.talk(), "{text}");
    if !nothing && !agreed && !consent.dry_run && !io::stdin().is_terminal() {
        output.hint("give `--yes` to change this without being asked");
    }
}

/// The engine that an argument names.
fn engine_named(name: &str) -> Result<EngineName, Error> {
    let unknown = || EngineCallError::UnknownEngine { name: name.to_owned() };
    EngineName::parse(name).ok_or_else(unknown).map_err(Error::from)
}

fn app() -> Result<App, Failure> {
    Ok(App::new(environment_of_process())?)
}

/// Begins to write down what fails, and what the work goes on without. What stays running has a log of its own, and where the settings
/// cannot be read there is none: the command says so itself.
fn start_log(command: &Command) {
    if !matches!(command, Command::Run | Command::Mcp | Command::Hook(_))
        && let Ok(app) = App::new(environment_of_process())
    {
        // A command needs no log.
        drop(log::start(&app, LogFile::Command));
    }
}
