//! `afterword connections [list|add|secret|connect|disconnect|remove]`

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use afterword_app::connections::{
    self, ConnectionSettings, ConnectionView, OwnClient, SignInOptions, SignOutReport,
};
use afterword_app::conversations::{self, SignInReport};
use jiff::{Timestamp, Zoned};
use serde::Serialize;

use crate::arguments::Connections;
use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, Output, plain};

/// How long a person may take to sign in.
const SIGN_IN_LIMIT: Duration = Duration::from_secs(10 * 60);

#[derive(Serialize)]
struct VersionedView<T> {
    version: u32,
    #[serde(flatten)]
    value: T,
}

#[derive(Serialize)]
struct ListView {
    version: u32,
    connections: Vec<ConnectionView>,
}

pub(crate) fn run(command: Option<Connections>, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let connections = connections::connections(&app)?;
    match command.unwrap_or(Connections::List) {
        Connections::List => list(connections.list()?, output)?,
        Connections::Add { name, url, client_id, callback_port, variable, pass_on, program } => {
            let client = client_id.map(|id| OwnClient { id, callback_port });
            let settings = match (url, program.split_first()) {
                (Some(url), _) => ConnectionSettings::Http { url, client },
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
        Connections::Secret { name } => {
            let secret = super::keys::read_secret("Secret of the address")?;
            connections.set_address_secret(&name, &secret)?;
            let _ = writeln!(output.talk(), "the secret of {}'s address is in the keyring", plain(&name));
        }
        Connections::Connect { name, client_secret, scope, no_browser } => {
            let secret =
                client_secret.then(|| super::keys::read_secret("Secret of the client")).transpose()?;
            let wishes = SignInOptions { client_secret: secret, scopes: scope };
            let waiting = connections.begin_sign_in(&name, wishes)?;
            let address = plain(waiting.address());
            let _ = writeln!(output.talk(), "sign in to {} at\n{address}", plain(&name));
            // Where no browser opens, the address is there to be opened by hand.
            if !no_browser && let Err(error) = open::that_detached(waiting.address()) {
                output.warning(&format!("no browser opened: {error}"));
            }
            let signed_in =
                conversations::finish_sign_in(&app, waiting, SIGN_IN_LIMIT, &|| false, &Zoned::now())?;
            print_signed_in(signed_in, output)?;
        }
        Connections::Disconnect { name } => {
            print_signed_out(connections.sign_out(&name, &Zoned::now())?, output)?;
        }
        Connections::Remove { name } => {
            connections.remove(&name, Timestamp::now())?;
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

fn print_signed_in(signed_in: SignInReport, output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return Ok(output.print_json(&VersionedView { version: 1, value: signed_in })?);
    }
    let _ = writeln!(output.talk(), "signed in to {}", plain(&signed_in.connection));
    for id in &signed_in.going_on {
        let _ = writeln!(output.talk(), "  the task {id} goes on");
    }
    Ok(())
}

fn print_signed_out(signed_out: SignOutReport, output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return Ok(output.print_json(&VersionedView { version: 1, value: signed_out })?);
    }
    if !signed_out.was_signed_in {
        let _ = writeln!(output.talk(), "nobody was signed in to {}", plain(&signed_out.connection));
        return Ok(());
    }
    let rest = if signed_out.taken_back { "" } else { "; the server did not take its tokens back" };
    let _ = writeln!(output.talk(), "signed out of {}{rest}", plain(&signed_out.connection));
    Ok(())
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
            ConnectionSettings::Http { url, .. } => url.clone(),
        };
        let state = match (one.needs_sign_in, &one.signed_in_at) {
            (true, _) => "has to be signed in to",
            (false, Some(_)) => "signed in",
            (false, None) => "",
        };
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
