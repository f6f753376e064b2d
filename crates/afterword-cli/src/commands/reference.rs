//! `afterword reference guide|package FOLDER`

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::{Command, CommandFactory, ValueEnum};
use clap_complete::{Generator, Shell};

use crate::arguments::{Arguments, Reference};
use crate::failure::Failure;
use crate::reference;

pub(crate) fn run(what: &Reference) -> Result<ExitCode, Failure> {
    match what {
        Reference::Guide { folder } => guide(folder)?,
        Reference::Package { folder } => package(folder)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn guide(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, text) in reference::pages() {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn package(folder: &Path) -> io::Result<()> {
    let pages = folder.join("man");
    fs::create_dir_all(&pages)?;
    clap_mangen::generate_to(Arguments::command(), &pages)?;
    let scripts = folder.join("completions");
    fs::create_dir_all(&scripts)?;
    for shell in Shell::value_variants() {
        fs::write(
            scripts.join(shell.file_name("afterword")),
            completions(*shell, &mut Arguments::visible_commands()),
        )?;
    }
    Ok(())
}

/// A shell's script, made in memory: the generator panics when its writer fails.
fn completions(shell: Shell, command: &mut Command) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, command, "afterword", &mut script);
    script
}
