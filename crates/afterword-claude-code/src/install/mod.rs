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

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use json::Document;
use record::InstallRecord;

use afterword_platform::files::{create_private_directory, read_bytes, replace_file};

use crate::ClaudeCodeError;

pub use place::{
    HooksOff, Installation, ProjectHooks, project_settings_on_hooks, project_settings_without_hooks,
};

/// The name of the user's settings in a directory of Claude Code.
const SETTINGS: &str = "settings.json";

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

/// Plans to put Afterword into Claude Code's files, or to take it out, in each of its directories; changes nothing. `program` is the program that
/// Claude Code is to start, with `asking` also before each use of a tool; what is needed to restore the
/// files is kept in the directory `state`.
///
/// # Errors
/// [`ClaudeCodeError::ForeignSettings`] for a file that is not what Claude Code would read, [`ClaudeCodeError::NotUnicode`] for a path that
/// cannot stand in one, and [`ClaudeCodeError::Io`].
pub fn plan(
    claude: &[Installation<'_>],
    state: &Path,
    direction: Direction,
    scope: &Scope,
    (program, asking): (&Path, bool),
) -> Result<Plan, ClaudeCodeError> {
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| ClaudeCodeError::NotUnicode { path: path.to_owned() })
    };
    let environment = claude.first().map(|claude| claude.environment);
    let home = environment.and_then(|environment| {
        environment.afterword_home.as_ref().map(|home| environment.working_directory.join(home))
    });
    let command = Command { program: text(program)?, home: home.map(|home| text(&home)).transpose()? };
    let record = InstallRecord::read(state);
    let mut changes: Vec<Change> = Vec::new();
    for claude in claude {
        let files = [
            File {
                path: claude.settings(scope),
                locked: false,
                add: &|document| hooks::add(document, &command, asking),
                remove: &hooks::remove,
            },
            File {
                path: claude.servers()?,
                locked: true,
                add: &|document| servers::add(document, scope, &command),
                remove: &|document| servers::remove(document, scope),
            },
        ];
        for file in files {
            // The settings of a project are one file for all directories.
            if changes.iter().all(|change| change.path != file.path) {
                changes.extend(file.change(direction, &record, &scope.to_string())?);
            }
        }
    }
    Ok(Plan { direction, changes, scope: scope.to_string(), state: state.to_owned() })
}

/// The directories of Claude Code whose settings still have the hooks that were put into them, by what is kept in the directory
/// `state`.
pub fn connected_directories(state: &Path) -> Vec<PathBuf> {
    let (record, scope) = (InstallRecord::read(state), Scope::User.to_string());
    let settings = record.paths_of(&scope).filter(|path| path.ends_with(SETTINGS));
    let connected = settings.filter(|path| place::has_session_hooks(path));
    connected.filter_map(|path| path.parent().map(Path::to_owned)).collect()
}

/// A file of Claude Code, and what is ours in it.
struct File<'a> {
    path: PathBuf,
    /// Claude Code takes a lock when it writes it.
    locked: bool,
    add: &'a dyn Fn(&Document) -> Result<(), ClaudeCodeError>,
    remove: &'a dyn Fn(&Document) -> Result<(), ClaudeCodeError>,
}

impl File<'_> {
    fn change(
        &self,
        direction: Direction,
        record: &InstallRecord,
        scope: &str,
    ) -> Result<Option<Change>, ClaudeCodeError> {
        let before = read(&self.path)?;
        let text = before.as_deref();
        let without = match text {
            Some(_) => Some(apply_edit(&self.path, text, self.remove)?),
            None => None,
        };
        let after = match direction {
            Direction::Install => Some(apply_edit(&self.path, text, self.add)?),
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
fn apply_edit(
    path: &Path,
    before: Option<&str>,
    edit: &dyn Fn(&Document) -> Result<(), ClaudeCodeError>,
) -> Result<String, ClaudeCodeError> {
    let document = Document::parse(path, before)?;
    edit(&document)?;
    Ok(document.to_text())
}

fn read(path: &Path) -> Result<Option<String>, ClaudeCodeError> {
    match read_bytes(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
            ClaudeCodeError::ForeignSettings {
                path: path.to_owned(),
                line,
                problem: "not valid UTF-8".to_owned(),
            }
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => {
            Err(ClaudeCodeError::Io { path: path.to_owned(), action: "read the settings", source })
        }
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
    /// [`ClaudeCodeError::ChangedMeanwhile`] when a file is not what the plan was made on, and [`ClaudeCodeError::Io`].
    pub fn apply(&self) -> Result<(), ClaudeCodeError> {
        for change in &self.changes {
            change.must_be_current()?;
        }
        let mut made = Vec::new();
        for change in &self.changes {
            let _lock = change.locked.then(|| place::ForeignLock::take(&change.path)).transpose()?;
            change.must_be_current()?;
            let mut record = InstallRecord::read(&self.state);
            match self.direction {
                // First the record: kept for a change that never came, it fits no text and is never used.
                Direction::Install => {
                    record.add(change, &self.scope);
                    record.write(&self.state)?;
                    change.write()?;
                }
                Direction::Uninstall => {
                    change.write()?;
                    if change.after.is_none() && record.made_directory(&change.path, &self.scope) {
                        made.extend(change.path.parent());
                    }
                    record.forget(&change.path, &self.scope);
                    record.write(&self.state)?;
                }
            }
        }
        for directory in made {
            // Refused where something is in it: then it stays.
            let _ = fs::remove_dir(directory);
        }
        Ok(())
    }
}

impl Change {
    /// What becomes of a file that is all ours: its text where it is installed, and no file otherwise; `None` where it is that already.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`] where the file cannot be read, and [`ClaudeCodeError::ForeignSettings`] where it is no text.
    pub fn of_own_file(
        path: PathBuf,
        text: String,
        direction: Direction,
    ) -> Result<Option<Self>, ClaudeCodeError> {
        let before = read(&path)?;
        let after = match direction {
            Direction::Install => Some(text),
            Direction::Uninstall => None,
        };
        Ok((before != after).then_some(Self { path, before, after, locked: false, untouched: true }))
    }

    /// # Errors
    /// [`ClaudeCodeError::ChangedMeanwhile`] where the file is no longer what the change was planned on.
    pub fn must_be_current(&self) -> Result<(), ClaudeCodeError> {
        let unchanged = read(&self.path)? == self.before;
        if unchanged { Ok(()) } else { Err(ClaudeCodeError::ChangedMeanwhile { path: self.path.clone() }) }
    }

    /// Writes the file as a whole, or removes it.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn write(&self) -> Result<(), ClaudeCodeError> {
        let error = |action| move |source| ClaudeCodeError::Io { path: self.path.clone(), action, source };
        let Some(text) = &self.after else {
            return fs::remove_file(&self.path).map_err(error("remove the file"));
        };
        let directory = self.path.parent().unwrap_or(Path::new("."));
        create_private_directory(directory).map_err(error("make the directory"))?;
        replace_file(&self.path, text.as_bytes()).map_err(error("write the settings"))
    }
}
