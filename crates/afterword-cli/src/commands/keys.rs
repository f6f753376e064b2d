//! `afterword config keys|set-key|delete-key`: a key comes from the terminal or stdin, never from an argument.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use afterword_app::model_calls::{self, KeyView};
use afterword_core::Secret;
use console::Term;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{BOLD, DIM, GOOD, Output, plain};

/// No key is longer, in bytes.
const MOST: u64 = 1 << 16;

#[derive(Serialize)]
struct KeysView {
    version: u32,
    keys: Vec<KeyView>,
}

#[derive(Serialize)]
struct DeletedView {
    version: u32,
    deleted: bool,
}

pub(super) fn list(output: &mut Output) -> Result<ExitCode, Failure> {
    let keys = model_calls::keys(&super::app()?)?;
    if output.json {
        output.print_json(&KeysView { version: 1, keys })?;
        return Ok(ExitCode::SUCCESS);
    }
    for key in keys {
        let (style, state) = if key.kept { (GOOD, "kept") } else { (DIM, "none") };
        let engine = key.engine.as_str();
        writeln!(output.data(), "{BOLD}{engine:<18}{BOLD:#} {style}{state}{style:#}  {}", plain(&key.host))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn set(engine: &str, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let key = read_secret(&format!("Key of {engine}"))?;
    let view = model_calls::set_key(&app, engine, &key)?;
    if output.json {
        output.print_json(&KeysView { version: 1, keys: vec![view] })?;
    } else {
        let host = plain(&view.host);
        let _ = writeln!(output.talk(), "the key of {} for {host} is in the keyring", view.engine);
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn delete(engine: &str, output: &mut Output) -> Result<ExitCode, Failure> {
    let deleted = model_calls::delete_key(&super::app()?, engine)?;
    if output.json {
        output.print_json(&DeletedView { version: 1, deleted })?;
    } else {
        let said = if deleted { "removed from the keyring" } else { "no key was kept" };
        let _ = writeln!(output.talk(), "{said}");
    }
    Ok(ExitCode::SUCCESS)
}

/// What the person types, unseen, or what comes on stdin.
pub(super) fn read_secret(what: &str) -> io::Result<Secret> {
    let terminal = Term::stderr();
    if terminal.is_term() && Term::stdout().is_term() && io::IsTerminal::is_terminal(&io::stdin()) {
        terminal.write_str(&format!("{}: ", plain(what)))?;
        return Ok(Secret::new(&terminal.read_secure_line()?));
    }
    let mut text = String::new();
    io::stdin().take(MOST).read_to_string(&mut text)?;
    Ok(Secret::new(&text))
}
