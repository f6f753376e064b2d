//! Connecting Claude Code, and what `doctor` says of the hooks. What is changed in its files, and how, is
//! `afterword_claude_code::install`'s; here is only what the settings and the lessons that bind have to do with it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use afterword_claude_code::install as files;
use afterword_claude_code::install::project_settings_on_hooks;
pub use afterword_claude_code::install::{Change, Direction, Plan, Scope};
use afterword_claude_code::{ClaudeHome, other_directories};
use afterword_core::listing::join_with_and;
pub use afterword_platform::program::LastingProgram;
use afterword_platform::program::{ProgramFile, lasting_program};

use afterword_store::Store;

use crate::health::Check;
use crate::log::OrLog;
use crate::session_location::session_location;
use crate::{App, Error, checks};

/// So many projects are named.
const MOST_PROJECTS: usize = 3;
/// So many transcripts of a folder are asked where their sessions were.
const ASKED: usize = 20;

fn installation(app: &App) -> files::Installation<'_> {
    installation_of(app, app.claude().main())
}

fn installation_of<'a>(app: &'a App, home: &'a ClaudeHome) -> files::Installation<'a> {
    let is_named = if home == app.claude().main() {
        app.environment.claude_config_dir.is_some() || app.config.claude_config_dir.is_some()
    } else {
        ClaudeHome::resolve(None, app.environment.home.as_deref()).as_ref() != Some(home)
    };
    files::Installation { home, environment: &app.environment, is_named }
}

/// Claude Code in each directory that is connected: the one it runs with here, and of the others those that are there and whose
/// Claude Code can start a program of this side.
fn installations(app: &App) -> impl Iterator<Item = files::Installation<'_>> {
    let others = app.claude().iter().filter(|home| *home != app.claude().main());
    let others =
        others.filter(|home| home.root().is_dir() && !other_directories::is_of_other_side(home.root()));
    std::iter::once(app.claude().main()).chain(others).map(|home| installation_of(app, home))
}

/// By which path other programs are to start the `afterword` command, which runs or lies at `command`.
///
/// # Errors
/// [`InstallError::Translocated`](crate::error::InstallError::Translocated).
pub fn program(app: &App, command: PathBuf) -> Result<LastingProgram, Error> {
    Ok(lasting_program(&ProgramFile::of_process(command), app.paths.command_copy())?)
}

/// Makes the copy of the command that [`program`] may have promised.
///
/// # Errors
/// [`Error::Io`].
pub fn put_in_place(program: &LastingProgram) -> Result<(), Error> {
    let path = program.path().to_owned();
    program.put_in_place().map_err(|source| Error::Io { path, action: "put the command in place", source })
}

/// Renews the copy of the command at `command`, where other programs were told to start one.
pub fn renew_copy(app: &App, command: PathBuf) {
    if let Ok(program) = program(app, command) {
        program.renew().or_log("renewing the copy of the command");
    }
}

/// Plans to put Afterword into Claude Code's files, or to take it out, in each directory that is followed; changes nothing. `program` is the program that
/// Claude Code is to start; see [`program`].
///
/// # Errors
/// [`Error::ClaudeCode`] for a file that is not what Claude Code would read or cannot be read, and for a path that cannot stand in
/// one.
pub fn plan(app: &App, direction: Direction, scope: &Scope, program: &Path) -> Result<Plan, Error> {
    let what = (program, checks::has_binding_checks(app));
    Ok(files::plan(&installations(app).collect::<Vec<_>>(), &app.paths.state, direction, scope, what)?)
}

/// Whether Claude Code asks before a tool runs: by the user's own settings, those of the project in the working directory, or
/// the plugin.
pub fn asks_before_tools(app: &App) -> bool {
    installation(app).asks_before_tools()
}

/// What `doctor` says of the hooks: whether Claude Code tells of its sessions, and by what.
pub(crate) fn check(app: &App, store: Option<&Store>) -> Check {
    const NAME: &str = "hooks";
    let claude = installation(app);
    let settings = claude.settings_with_session_hooks();
    let mut places: Vec<String> = settings.iter().map(|path| path.display().to_string()).collect();
    if claude.has_plugin() {
        places.push("the plugin".to_owned());
    }
    let by = join_with_and(&places);
    if let Some(off) = claude.settings_without_hooks().filter(|_| !places.is_empty()) {
        let (settings, setting) = (off.settings.display(), off.setting);
        let is_user = claude.user_settings_without_hooks().as_ref() == Some(&off.settings);
        // Of projects that switch on what the user's settings switch off.
        let on_again = store.filter(|_| is_user).map(|store| project_settings(app, store, false));
        let on_again = on_again.filter(|on_again| !on_again.is_empty());
        let except = on_again
            .map(|on_again| format!(" except in projects that switch them on ({})", some_of(&on_again)));
        let message = format!(
            "connected by {by}, but Claude Code runs no hook of ours{}: {settings} has `{setting}`",
            except.unwrap_or_default()
        );
        return Check::warn(NAME, message, format!("take `{setting}` out of these settings"));
    }
    if let Some(user) = claude.user_settings_without_hooks().filter(|_| !places.is_empty()) {
        let message = format!(
            "connected by {by} in this folder, whose own settings switch hooks on; elsewhere {} switches them off",
            user.display()
        );
        let advice = "take `disableAllHooks` out of it to have them run everywhere";
        return Check { advice: Some(advice.to_owned()), ..Check::ok(NAME, message) };
    }
    let without: Vec<String> = installations(app)
        .skip(1)
        .filter(|other| other.settings_with_session_hooks().is_empty() && !other.has_plugin())
        .map(|other| other.home.root().display().to_string())
        .collect();
    match places.len() {
        1.. if !without.is_empty() => Check {
            advice: Some("`afterword install claude-code` connects these as well".to_owned()),
            ..Check::ok(NAME, format!("connected by {by}, but not in {}", join_with_and(&without)))
        },
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

/// The settings of sessions' folders that switch all hooks off, or else those that switch them on.
fn project_settings(app: &App, store: &Store, off: bool) -> BTreeSet<PathBuf> {
    let said = session_directories(app, store).into_iter().filter_map(|one| project_settings_on_hooks(&one));
    said.filter(|said| said.off == off).map(|said| said.settings).collect()
}

/// What `doctor` says of folders of sessions whose own settings switch hooks off; nothing where no hook of ours would run anyway.
pub(crate) fn check_projects(app: &App, store: &Store) -> Option<Check> {
    let claude = installation(app);
    if claude.settings_with_session_hooks().is_empty() && !claude.has_plugin() {
        return None;
    }
    let off = project_settings(app, store, true);
    let message = format!(
        "Claude Code runs no hook in folders whose own settings have `disableAllHooks`, so that sessions there are given no lessons and no check binds: {}",
        some_of(&off)
    );
    let advice = "take `disableAllHooks` out of these settings if you did not want that";
    (!off.is_empty()).then(|| Check::warn("hooks", message, advice))
}

/// The folders where sessions that are followed were started.
fn session_directories(app: &App, store: &Store) -> BTreeSet<PathBuf> {
    let mut followed = store.followed_sessions().all().ok_or_log("listing the sessions").unwrap_or_default();
    followed.sort_by_key(|row| Reverse(row.last_activity));
    // Claude Code keeps the sessions of one folder together: one of them tells where they were, though perhaps not the first.
    let mut transcripts: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for row in followed.into_iter().filter(|row| row.transcript.is_file()) {
        let Some(folder) = row.transcript.parent() else { continue };
        transcripts.entry(folder.to_owned()).or_default().push(row.transcript);
    }
    let place = |transcript: &PathBuf| session_location(transcript, &app.config().folders).ok().flatten();
    let told = transcripts.into_values().filter_map(|of_folder| of_folder.iter().take(ASKED).find_map(place));
    told.map(|place| PathBuf::from(place.directory.as_str())).collect()
}

/// The first paths, and how many more there are.
fn some_of(paths: &BTreeSet<PathBuf>) -> String {
    let mut named: Vec<String> =
        paths.iter().take(MOST_PROJECTS).map(|path| path.display().to_string()).collect();
    let more = paths.len() - named.len();
    if more > 0 {
        named.push(format!("{more} more"));
    }
    join_with_and(&named)
}
