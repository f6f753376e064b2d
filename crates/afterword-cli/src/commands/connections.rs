//! `afterword connections [list|add|remove]`

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

use afterword_agent::connections::{ConnectionSettings, ConnectionView};
use jiff::Timestamp;
use serde::Serialize;

use crate::arguments::Connections;
use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, Output, plain};

#[derive(Serialize)]
struct ListView {
    version: u32,
    connections: Vec<ConnectionView>,
}

pub(crate) fn run(command: Option<Connections>, output: &mut Output) -> Result<ExitCode, Failure> {
    let connections = super::agent()?.connections()?;
    match command.unwrap_or(Connections::List) {
        Connections::List => list(connections.list()?, output)?,
        Connections::Add { name, url, variable, pass_on, program } => {
            let settings = match (url, program.split_first()) {
                (Some(url), _) => ConnectionSettings::Http { url },
                (None, program) => {
                    let (command, arguments) =
                        program.map(|(one, rest)| (one.clone(), rest.to_vec())).unzip();
                    ConnectionSettings::Stdio {
                        command: command.unwrap_or_default(),
                        arguments: arguments.unwrap_or_default(),
                        variables: variables(&variable)?,
                        passed_on: pass_on,
                    }
                }
            };
            connections.add(&name, &settings, Timestamp::now())?;
            let _ = writeln!(output.talk(), "added {}", plain(&name));
        }
        Connections::Remove { name } => {
            connections.remove(&name)?;
            let _ = writeln!(output.talk(), "removed {}", plain(&name));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn variables(given: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let pair = |text: &String| {
        let wrong = || Failure::Usage { argument: "--variable", problem: "it is not NAME=VALUE".to_owned() };
        text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())).ok_or_else(wrong)
    };
    given.iter().map(pair).collect()
}

fn list(connections: Vec<ConnectionView>, output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return Ok(output.print_json(&ListView { version: 1, connections })?);
    }
    for one in &connections {
        let reached = match &one.settings {
            ConnectionSettings::Stdio { command, arguments, .. } => {
                format!("{command} {}", arguments.join(" "))
            }
            ConnectionSettings::Http { url } => url.clone(),
        };
        let state = if one.needs_sign_in { "turned a run away" } else { "" };
        writeln!(
            output.data(),
            "{BOLD}{:<20}{BOLD:#} {}  {ATTENTION}{state}{ATTENTION:#}",
            plain(&one.name),
            plain(&reached)
        )?;
    }
    if connections.is_empty() {
        let _ =
            writeln!(output.talk(), "no connections; `afterword connections add NAME -- PROGRAM` adds one");
    }
    Ok(())
}
