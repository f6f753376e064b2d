//! Whether everything works, and what to do where it does not.

mod set_aside;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use afterword_claude_code::dirs::nested;
use afterword_claude_code::{ClaudeDirs, ClaudeHome, other_directories};
use afterword_core::NoteId;
use afterword_core::hidden::escape_hidden;
use afterword_core::job::saturating_add;
use afterword_store::{Store, StoreError, TranscriptOutcome};
use afterword_vault::{NoteEntry, Vault};
use jiff::Timestamp;

use crate::app::{claude_dirs, vault_root};
use crate::error::replace_database_advice;
use crate::health::{Check, Verdict};
use crate::install::{asks_before_tools, check_projects};
use crate::known_transcripts::known_transcripts;
use crate::sessions::{Transcript, discover, is_current};
use crate::{Config, ConfigFile, Environment, Paths};
use crate::{checks, model_calls, worth};
use afterword_claude_code::retention;
use set_aside::{FOLLOW_DIRECTORIES, SetAside};

/// Looks at everything; changes nothing but a temporary file in the vault, which shows that it can be written to, and what is
/// remembered of the latest version where one is looked for.
pub fn doctor(environment: &Environment, now: Timestamp) -> Vec<Check> {
    let paths = match Paths::new(environment) {
        Ok(paths) => paths,
        Err(error) => return vec![Check::error("settings", &error.into())],
    };
    let (settings, config) = settings(&paths, environment);
    let mut checks = vec![settings];
    if checks.iter().all(|check| check.verdict == Verdict::Ok) {
        checks.push(vault(&config));
    } else {
        checks.push(Check::warn("vault", "not known", "mend the settings first"));
    }
    let store = match Store::open_existing(&paths.database()) {
        Ok(store) => store,
        Err(error) => {
            checks.push(Check::error("state", &error.into()));
            None
        }
    };
    if let Some(store) = &store {
        checks.push(state(store, &paths));
        checks.extend(written_notes(store, &config));
        checks.extend(lessons(store, &config));
    } else if checks.iter().all(|check| check.name != "state") {
        checks.push(Check::ok("state", "nothing reflected yet"));
    }
    match claude_dirs(environment, &config) {
        Ok(claude) => {
            let unfollowed = SetAside::find(&claude, &config, &paths);
            checks.extend(sessions(&claude, environment, &config, store.as_ref(), &unfollowed, now));
            checks
                .extend(config.claude_other_dirs.iter().filter_map(|other| other_directory(other, &claude)));
            checks.extend(unfollowed.checks());
        }
        Err(error) => checks.push(Check::error("Claude Code", &error)),
    }
    // Settings that cannot be read have a check of their own.
    let app = crate::App::new(environment.clone()).ok();
    checks.extend(app.as_ref().map(|app| crate::install::check(app, store.as_ref())));
    checks.extend(app.as_ref().zip(store.as_ref()).and_then(|(app, store)| check_projects(app, store)));
    checks.extend(store.as_ref().map(format_canary));
    checks.extend(app.as_ref().and_then(engine));
    checks.extend(crate::search_model::check(environment, store.as_ref()));
    checks.extend(app.as_ref().and_then(|app| checks::checks_finding(app, asks_before_tools(app))));
    checks.extend(crate::status::checks(environment, now));
    let logs = crate::log::directory(&paths);
    checks.extend([&paths.state, &paths.cache, &logs].into_iter().flat_map(|folder| folder_checks(folder)));
    checks.push(crate::disk::check(&paths, &config));
    checks.extend(app.as_ref().and_then(|app| crate::updates::check(app, now)));
    let written = if logs.is_dir() { "" } else { ", nothing so far: it begins with the agent" };
    checks.push(Check::ok("log", format!("{}{written}", logs.display())));
    checks
}

/// Whether the settings can be read, and what they are; the defaults where they cannot.
fn settings(paths: &Paths, environment: &Environment) -> (Check, Config) {
    const NAME: &str = "settings";
    match ConfigFile::new(&paths.config_file, environment.home.as_deref()).read() {
        Ok(config) => {
            let is_written = paths.config_file.exists();
            let place = paths.config_file.display();
            let message = if is_written { place.to_string() } else { "all at their defaults".into() };
            (Check::ok(NAME, message), config)
        }
        Err(error) => (Check::error(NAME, &error), Config::default()),
    }
}

/// Whether the chosen engine could be asked; nothing of the built-in one, which always can.
fn engine(app: &crate::App) -> Option<Check> {
    const NAME: &str = "engine";
    let engine = app.config.engine;
    match model_calls::engine_fault(app) {
        Some(fault) => {
            let message = format!("{}; the built-in engine goes on meanwhile", fault.message);
            Some(Check::fail(NAME, message, fault.advice))
        }
        None => (engine != crate::EngineName::Builtin).then(|| Check::ok(NAME, engine.as_str())),
    }
}

fn vault(config: &Config) -> Check {
    const NAME: &str = "vault";
    let Some(root) = &config.vault else {
        return Check::warn(NAME, "none is set up", "choose one with `afterword init --vault DIR`");
    };
    let vault = match Vault::open(root) {
        Ok(vault) => vault,
        Err(error) => return Check::error(NAME, &error.into()),
    };
    let home = vault.root().join("Afterword");
    if let Err(error) = tempfile::Builder::new().prefix(".afterword-check-").tempfile_in(&home) {
        let message = format!("{}: cannot be written to: {error}", home.display());
        return Check::fail(NAME, message, "give yourself the right to write there, or free some space");
    }
    match vault.scan() {
        Err(error) => Check::error(NAME, &error.into()),
        Ok(index) => match index.problems() {
            [] => {
                let notes = counted(index.notes().count(), "note");
                Check::ok(NAME, format!("{}, {notes}", vault.root().display()))
            }
            [first, ..] => Check::warn(
                NAME,
                format!(
                    "{} of its notes cannot be read: {}:{}: {}",
                    index.problems().len(),
                    first.path,
                    first.line,
                    first.what
                ),
                "Afterword leaves them alone; mend their front matter in your editor",
            ),
        },
    }
}

fn state(store: &Store, paths: &Paths) -> Check {
    const NAME: &str = "state";
    match store.check() {
        Err(error) => Check::error(NAME, &error.into()),
        Ok(wrong) if !wrong.is_empty() => Check::fail(
            NAME,
            format!("{}: damaged: {}", store.path().display(), wrong.join("; ")),
            replace_database_advice(store.path()),
        ),
        Ok(_) if is_open_to_others(&paths.database()) => Check::warn(
            NAME,
            format!("{}: other users of this machine can read it", store.path().display()),
            format!("run `chmod 600 {}`", store.path().display()),
        ),
        Ok(_) => Check::ok(NAME, store.path().display().to_string()),
    }
}

/// Rows about written notes that say too little: the notes are left alone, and the person may want to know.
fn written_notes(store: &Store, config: &Config) -> Option<Check> {
    const NAME: &str = "written notes";
    match crate::vault_session::unreadable(store, &vault_root(config)) {
        Ok(0) => None,
        Ok(count) => Some(Check::warn(
            NAME,
            format!("{}: rows that cannot be read: {count}", store.path().display()),
            "their notes are left as they are; mend the database from a copy to have them kept up again",
        )),
        Err(error) => Some(Check::error(NAME, &error.into())),
    }
}

/// Lessons that this machine did not learn are named at most so many.
const MOST_NAMED: usize = 3;

/// How many lessons sessions can be given, and which of them this machine neither learned nor approved: they came with the vault, from
/// another machine or from whatever else writes there.
fn lessons(store: &Store, config: &Config) -> Option<Check> {
    const NAME: &str = "lessons";
    // What keeps the vault or the database from being read is said of these.
    let vault = Vault::open(config.vault.as_ref()?).ok()?.scan().ok()?;
    let own = learned_or_approved(store, config).ok()?;
    let counts = |entry: &&NoteEntry| {
        let properties = &entry.properties;
        let title = properties.title.as_deref().unwrap_or_default();
        properties.id.is_some() && properties.is_active() && worth::weight(properties, title) > 0.0
    };
    let counting: Vec<&NoteEntry> = vault.notes().filter(counts).collect();
    let is_own = |entry: &NoteEntry| entry.properties.id.is_some_and(|id| own.contains(&id));
    let mut others: Vec<&NoteEntry> = counting.iter().copied().filter(|entry| !is_own(entry)).collect();
    if others.is_empty() {
        let message =
            format!("{} that sessions can be given, all learned or approved on this machine", counting.len());
        return Some(Check::ok(NAME, message));
    }
    let day = |entry: &&NoteEntry| entry.properties.updated.or(entry.properties.created);
    others.sort_by_key(|entry| std::cmp::Reverse(day(entry)));
    let named: Vec<String> = others
        .iter()
        .take(MOST_NAMED)
        .map(|entry| escape_hidden(&entry.path.to_string()).into_owned())
        .collect();
    let message = format!(
        "{} that sessions can be given, of which {} came with the vault, the newest first: {}",
        counting.len(),
        others.len(),
        named.join(", ")
    );
    let advice =
        "they are given to sessions as your own; delete what neither you nor a machine of yours wrote";
    Some(Check { advice: Some(advice.to_owned()), ..Check::ok(NAME, message) })
}

/// The notes that this machine wrote, or about which the person decided here.
fn learned_or_approved(store: &Store, config: &Config) -> Result<HashSet<NoteId>, StoreError> {
    let written = store.written_notes(&vault_root(config)).all()?.into_iter().map(|row| row.note);
    let decided = store.decisions().all(None)?.into_iter().filter(|decided| decided.undone_at.is_none());
    Ok(written.chain(decided.filter_map(|decided| decided.decision.note)).collect())
}

/// What is wrong with one of Afterword's own folders: others may look into it, or it holds what nobody here makes.
fn folder_checks(folder: &Path) -> Vec<Check> {
    const NAME: &str = "own folders";
    let place = folder.display();
    let open = (folder.is_dir() && is_open_to_others(folder)).then(|| {
        let message = format!("{place}: open to other users of this machine");
        Check::warn(NAME, message, format!("run `chmod 700 {place}`"))
    });
    let strange = strange_in(folder).map(|path| {
        let message = format!("{}: no file, and passed over", path.display());
        Check::warn(NAME, message, "remove it: no part of Afterword made it")
    });
    open.into_iter().chain(strange).collect()
}

/// What is no file where only files are made.
fn strange_in(folder: &Path) -> Option<PathBuf> {
    let strange = ["spool", "markers", "given"].into_iter().find_map(|name| {
        let entries = std::fs::read_dir(folder.join(name)).ok()?;
        let is_strange = |entry: &std::fs::DirEntry| !entry.file_type().is_ok_and(|kind| kind.is_file());
        entries.flatten().find(is_strange)
    })?;
    Some(strange.path())
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

/// Elsewhere the user's own directories are closed to others by the system.
#[cfg(not(unix))]
fn is_open_to_others(_path: &Path) -> bool {
    false
}

const NAME_DIRECTORY: &str = "afterword config set claude.config_dir";

/// What to do where there are no sessions; `others` are Claude Code's directories that have some.
fn where_sessions_are(others: &[PathBuf]) -> String {
    match others {
        [] => format!(
            "start Claude Code once, or name its directory with `{NAME_DIRECTORY} DIR`; with WSL it may be on the other side"
        ),
        found => format!("there are some elsewhere: {}", commands_for(found)),
    }
}

/// What is typed to have one of the directories read.
fn commands_for(directories: &[PathBuf]) -> String {
    let commands = directories.iter().map(|claude| format!("`{NAME_DIRECTORY} '{}'`", claude.display()));
    commands.collect::<Vec<_>>().join(" or ")
}

/// Claude Code's other directories that could be followed, too; `named` are those that are.
fn also_there(others: &[PathBuf], named: &[PathBuf]) -> Option<String> {
    let all = named.iter().chain(others).map(|claude| format!(" '{}'", claude.display()));
    (!others.is_empty()).then(|| {
        let (has, them) = if others.len() == 1 { ("another has", "it") } else { ("others have", "them") };
        let command: String = all.collect();
        format!("{has} sessions that are not followed; follow {them} with `{FOLLOW_DIRECTORIES}{command}`")
    })
}

/// What is wrong with a directory that is to be followed with the main one.
fn other_directory(directory: &Path, claude: &ClaudeDirs) -> Option<Check> {
    const NAME: &str = "Claude Code";
    let place = directory.display();
    if !directory.is_dir() {
        let message = format!("{place}: no such folder, so that no session of it is found");
        let advice = format!("make it reachable, or name the others alone with `{FOLLOW_DIRECTORIES}`");
        return Some(Check::warn(NAME, message, advice));
    }
    let nested = nested(directory, claude.iter().map(ClaudeHome::root))?;
    Some(Check::warn(NAME, nested.to_string(), format!("name only one of them with `{FOLLOW_DIRECTORIES}`")))
}

/// How many sessions were found, in each directory where there are several.
fn found_in(claude: &ClaudeDirs, found: &[Transcript]) -> String {
    let in_home = |home: &ClaudeHome| {
        let theirs = found.iter().filter(|one| claude.home_naming(&one.path) == Some(home)).count();
        format!("{}, {theirs} sessions found", home.root().display())
    };
    let there = claude.iter().filter(|home| *home == claude.main() || home.root().is_dir());
    there.map(in_home).collect::<Vec<_>>().join("; ")
}

fn sessions(
    claude: &ClaudeDirs,
    environment: &Environment,
    config: &Config,
    store: Option<&Store>,
    unfollowed: &SetAside,
    now: Timestamp,
) -> Vec<Check> {
    const NAME: &str = "Claude Code";
    let home = environment.home.as_deref();
    let mut others =
        home.map_or_else(Vec::new, |home| other_directories::other_directories(home, unfollowed.followed()));
    // Those that are set aside have a line of their own.
    others.retain(|other| !unfollowed.has(other));
    if !claude.projects().iter().any(|projects| projects.is_dir()) {
        // What the environment names comes before the setting: no other can be chosen.
        let mut others = if environment.claude_config_dir.is_some() { Vec::new() } else { others };
        if others.is_empty() {
            others = other_directories::claude_directories();
        }
        let place = claude.main().root().display();
        let advice = where_sessions_are(&others);
        return vec![Check::warn(NAME, format!("{place}: no sessions there"), advice)];
    }
    let found = discover(claude);
    let mut checks = Vec::new();
    match found.problems.first() {
        None => checks.push(Check {
            advice: also_there(&others, unfollowed.listed()),
            ..Check::ok(NAME, found_in(claude, &found.transcripts))
        }),
        Some(first) => checks.push(Check::warn(
            NAME,
            format!("{}; {first}", found_in(claude, &found.transcripts)),
            first.kind.advice(),
        )),
    }
    let known = match store.map(|store| known_transcripts(store, found.transcripts.iter())).transpose() {
        Ok(known) => known.unwrap_or_default().0,
        Err(error) => return vec![Check::error(NAME, &error)],
    };
    let vault = vault_root(config);
    let waiting: Vec<_> = found
        .transcripts
        .iter()
        .filter(|transcript| match known.get(&transcript.path) {
            None => true,
            Some(known) if known.outcome == TranscriptOutcome::Own => false,
            Some(known) if known.project.as_ref().is_some_and(|project| config.exclude.covers(project)) => {
                false
            }
            Some(known) => !is_current(known, transcript, &vault),
        })
        .collect();
    let kept_days = claude.retention_days();
    checks.push(backlog(
        &waiting.iter().map(|waiting| waiting.modified()).collect::<Vec<_>>(),
        kept_days,
        store,
        now,
    ));
    checks
}

fn backlog(waiting: &[Timestamp], kept_days: u32, store: Option<&Store>, now: Timestamp) -> Check {
    const NAME: &str = "reflection";
    let last = match store.map(|store| store.runs().last_success()).transpose() {
        Ok(last) => last.flatten(),
        Err(error) => return Check::error(NAME, &error.into()),
    };
    let last = last.map_or("never".to_owned(), |run| format!("{} ago", age(run.started_at, now)));
    let Some(oldest) = waiting.iter().min() else {
        return Check::ok(NAME, format!("every session is reflected; last {last}"));
    };
    let wait = if waiting.len() == 1 { "session waits" } else { "sessions wait" };
    let oldest_age = age(*oldest, now);
    let message = format!("{} {wait}, the oldest for {oldest_age}; last reflected {last}", waiting.len());
    if saturating_add(*oldest, retention::vanishing_after(kept_days)) <= now {
        let advice = format!(
            "run `afterword reflect --all` soon: Claude Code deletes transcripts after {kept_days} days"
        );
        return Check::warn(NAME, message, advice);
    }
    Check { advice: Some("run `afterword reflect --all`".to_owned()), ..Check::ok(NAME, message) }
}

fn age(then: Timestamp, now: Timestamp) -> String {
    let seconds = (now.as_second() - then.as_second()).max(0);
    let (number, unit) = match seconds {
        0..60 => return "less than a minute".to_owned(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    counted(number, unit)
}

/// "1 note", "2 notes".
fn counted<N: std::fmt::Display + PartialEq + From<u8>>(number: N, unit: &str) -> String {
    format!("{number} {unit}{}", if number == N::from(1) { "" } else { "s" })
}

fn format_canary(store: &Store) -> Check {
    const NAME: &str = "transcript format";
    match store.census().unknown() {
        Err(error) => Check::error(NAME, &error.into()),
        Ok(unknown) => match unknown.as_slice() {
            [] => Check::ok(NAME, "nothing unknown in what was read"),
            [first, ..] => {
                let values: Vec<_> =
                    unknown.iter().map(|one| format!("{} `{}`", one.field, one.value)).collect();
                let message = format!("unknown: {}; first in {}", values.join(", "), first.first_seen_in);
                // An entry of a new type is passed over whole: nothing else of its session is lost.
                if unknown.iter().all(|one| one.field == "type") {
                    let note = "new entries of Claude Code are passed over; nothing else is lost".to_owned();
                    return Check { advice: Some(note), ..Check::ok(NAME, message) };
                }
                Check::warn(NAME, message, "look for a newer Afterword; what it does not know it passes over")
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_elsewhere_are_named_with_what_to_type() {
        assert!(where_sessions_are(&[]).starts_with("start Claude Code once"));
        let found = ["/mnt/c/Users/ada/.claude", "/mnt/c/Users/eve/.claude"].map(PathBuf::from);
        assert_eq!(
            where_sessions_are(&found),
            "there are some elsewhere: `afterword config set claude.config_dir '/mnt/c/Users/ada/.claude'` or \
             `afterword config set claude.config_dir '/mnt/c/Users/eve/.claude'`"
        );
        assert_eq!(also_there(&[], &["/home/ada/.claude-work".into()]), None);
        assert_eq!(
            also_there(&["/home/ada/.claude-play".into()], &["/home/ada/.claude-work".into()]).unwrap(),
            "another has sessions that are not followed; follow it with `afterword config set claude.other_dirs \
             '/home/ada/.claude-work' '/home/ada/.claude-play'`"
        );
    }
}
