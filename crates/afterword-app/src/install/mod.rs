//! Joining Claude Code: the hooks in its settings, the MCP server in its own file, and taking both out again.
//!
//! This module owns what is written there and nothing else: every other setting keeps its bytes. What would change is
//! a [`Plan`], a value that can be shown, and applying it checks that the files are still what the plan was made
//! on. It does not know what the hooks do. Start reading at [`plan`].

mod hooks;
mod json;
mod place;
mod record;
mod servers;
pub mod service;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use json::Document;
use record::Record;

use afterword_platform::files::{create_private_directory, replace_file};

use crate::health::Check;
use crate::{App, Error, checks};

pub use place::stable_program;

/// Where Claude Code is to know Afterword.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// In all the user's projects.
    User,
    /// In the project in this directory, for this user alone: nothing is written that a repository would share, as the
    /// path of a program means nothing on another machine.
    Project(PathBuf),
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User => f.write_str("user"),
            Self::Project(directory) => write!(f, "project {}", directory.display()),
        }
    }
}

/// Which way to change the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Put Afterword in.
    Install,
    /// Take it out.
    Uninstall,
}

/// What Claude Code is to start.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Command {
    program: String,
    /// `AFTERWORD_HOME`, where it is set: the client's processes may not have it.
    home: Option<String>,
}

/// What would change, file by file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    direction: Direction,
    changes: Vec<Change>,
    scope: String,
    state: PathBuf,
}

/// One file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// Its text now; `None` where there is no such file.
    pub before: Option<String>,
    /// Its text afterwards; `None` where it is removed.
    pub after: Option<String>,
    locked: bool,
    /// Nothing of ours stands in it before.
    untouched: bool,
}

/// Plans to put Afterword into Claude Code's files, or to take it out; changes nothing. `program` is the program that
/// Claude Code is to start; see [`stable_program`].
///
/// # Errors
/// [`Error::ForeignSettings`] for a file that is not what Claude Code would read, [`Error::NotUnicode`] for a path that
/// cannot stand in one, and what the file system said.
pub fn plan(app: &App, direction: Direction, scope: &Scope, program: &Path) -> Result<Plan, Error> {
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| Error::NotUnicode { path: path.to_owned() })
    };
    let home = app.environment.afterword_home.as_ref();
    let home = home.map(|home| text(&app.environment.working_directory.join(home))).transpose()?;
    let command = Command { program: text(program)?, home };
    let checks_bind = checks::has_bound(app);
    let record = Record::read(&app.paths.state);
    let files = [
        File {
            path: place::settings(app, scope),
            locked: false,
            add: &|document| hooks::add(document, &command, checks_bind),
            remove: &hooks::remove,
        },
        File {
            path: place::servers(app)?,
            locked: true,
            add: &|document| servers::add(document, scope, &command),
            remove: &|document| servers::remove(document, scope),
        },
    ];
    let mut changes = Vec::new();
    for file in files {
        changes.extend(file.change(direction, &record, &scope.to_string())?);
    }
    Ok(Plan { direction, changes, scope: scope.to_string(), state: app.paths.state.clone() })
}

/// Whether Claude Code asks before a tool runs: by the user's own settings, those of the project in the working directory, or
/// the plugin.
pub fn asks_before_tools(app: &App) -> bool {
    settings_with(app, hooks::asks_before_tools).next().is_some() || place::has_plugin(app)
}

/// The settings of the user and of the project in the working directory in which this holds.
fn settings_with(
    app: &App,
    holds: impl Fn(&Document) -> Result<bool, Error>,
) -> impl Iterator<Item = PathBuf> {
    let scopes = [Scope::User, Scope::Project(app.environment.working_directory.clone())];
    let paths = scopes.map(|scope| place::settings(app, &scope));
    paths.into_iter().filter(move |path| {
        let text = read(path).ok().flatten();
        // Settings that cannot be read ask nothing; Claude Code says so itself.
        text.is_some_and(|text| {
            Document::parse(path, Some(&text)).and_then(|document| holds(&document)).unwrap_or(false)
        })
    })
}

/// What `doctor` says of the hooks: whether Claude Code tells of its sessions, and by what.
pub(crate) fn check(app: &App) -> Check {
    const NAME: &str = "hooks";
    let settings: Vec<PathBuf> = settings_with(app, hooks::tells_of_sessions).collect();
    let mut places: Vec<String> = settings.iter().map(|path| path.display().to_string()).collect();
    if place::has_plugin(app) {
        places.push("the plugin".to_owned());
    }
    let by = places.join(" and ");
    if !places.is_empty() && place::disables_hooks(app) {
        let message = format!("connected by {by}, but Claude Code runs no hook: `disableAllHooks` is set");
        return Check::warn(NAME, message, "take `disableAllHooks` out of Claude Code's settings");
    }
    match places.len() {
        0 => Check {
            advice: Some("`afterword install claude-code` connects Claude Code".to_owned()),
            ..Check::ok(NAME, "not connected: sessions are found by their files")
        },
        1 => Check::ok(NAME, format!("connected by {by}")),
        _ => Check {
            advice: Some(
                "one of them is enough; `afterword uninstall claude-code` takes ours out".to_owned(),
            ),
            ..Check::ok(NAME, format!("connected twice: by {by}"))
        },
    }
}

/// A file of Claude Code, and what is ours in it.
struct File<'a> {
    path: PathBuf,
    /// Claude Code takes a lock when it writes it.
    locked: bool,
    add: &'a dyn Fn(&Document) -> Result<(), Error>,
    remove: &'a dyn Fn(&Document) -> Result<(), Error>,
}

impl File<'_> {
    fn change(&self, direction: Direction, record: &Record, scope: &str) -> Result<Option<Change>, Error> {
        let before = read(&self.path)?;
        let text = before.as_deref();
        let without = match text {
            Some(_) => Some(edited(&self.path, text, self.remove)?),
            None => None,
        };
        let after = match direction {
            Direction::Install => Some(edited(&self.path, text, self.add)?),
            Direction::Uninstall => {
                let exactly = text.and_then(|text| record.undo(&self.path, scope, text));
                exactly.unwrap_or_else(|| without.clone())
            }
        };
        let (path, locked, untouched) = (self.path.clone(), self.locked, without == before);
        Ok((before != after).then_some(Change { path, before, after, locked, untouched }))
    }
}

/// The text with the edit made; where it changes no value, the text as it was.
fn edited(
    path: &Path,
    before: Option<&str>,
    edit: &dyn Fn(&Document) -> Result<(), Error>,
) -> Result<String, Error> {
    let document = Document::parse(path, before)?;
    edit(&document)?;
    Ok(document.to_text())
}

fn read(path: &Path) -> Result<Option<String>, Error> {
    match fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
            Error::ForeignSettings { path: path.to_owned(), line, problem: "not valid UTF-8".to_owned() }
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Io { path: path.to_owned(), action: "read the settings", source }),
    }
}

impl Plan {
    /// The files that would change; none when all is as it should be.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Changes the files, each as a whole or not at all. Keeps what is needed to restore them exactly.
    ///
    /// # Errors
    /// [`Error::ChangedMeanwhile`] when a file is not what the plan was made on, and what the file system said.
    pub fn apply(&self) -> Result<(), Error> {
        for change in &self.changes {
            change.must_be_current()?;
        }
        for change in &self.changes {
            let _lock = change.locked.then(|| place::ForeignLock::take(&change.path)).transpose()?;
            change.must_be_current()?;
            let mut record = Record::read(&self.state);
            match self.direction {
                // First the record: kept for a change that never came, it fits no text and is never used.
                Direction::Install => {
                    record.keep(change, &self.scope);
                    record.write(&self.state)?;
                    change.write()?;
                }
                Direction::Uninstall => {
                    change.write()?;
                    record.forget(&change.path, &self.scope);
                    record.write(&self.state)?;
                }
            }
        }
        Ok(())
    }
}

impl Change {
    fn must_be_current(&self) -> Result<(), Error> {
        let unchanged = read(&self.path)? == self.before;
        if unchanged { Ok(()) } else { Err(Error::ChangedMeanwhile { path: self.path.clone() }) }
    }

    fn write(&self) -> Result<(), Error> {
        let error = |action| move |source| Error::Io { path: self.path.clone(), action, source };
        let Some(text) = &self.after else {
            return fs::remove_file(&self.path).map_err(error("remove the file"));
        };
        let directory = self.path.parent().unwrap_or(Path::new("."));
        create_private_directory(directory).map_err(error("make the directory"))?;
        replace_file(&self.path, text.as_bytes()).map_err(error("write the settings"))
    }
}
