//! Joining and splitting: what would change as a value, then the change, then taking it back.
//!
//! Notes first, the settings after: a crash in between leaves folders that count as they did, and doing the same again ends
//! what was begun.

use std::collections::HashSet;
use std::path::Path;

use afterword_core::{NoteId, ProjectKey, SessionId};
use afterword_platform::files::real_path;
use afterword_vault::{NoteEntry, NoteKind, VaultIndex};
use jiff::Zoned;
use serde::{Deserialize, Serialize};

use super::census::Census;
use super::record::ProjectRecord;
use crate::config::ProjectFolders;
use crate::config::folders::check_name;
use crate::error::{ProjectError, UnfitProject};
use crate::projects::census;
use crate::vault_session::VaultSession;
use crate::{App, ConfigFile, Error, checks, indexing};

/// The setting that has what the person said.
const SETTING: &str = "projects.folders";

/// Which way projects change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub enum ChangeKind {
    /// One project counts as another.
    Join,
    /// A folder is a project of its own.
    Split,
}

/// What joining or splitting changes, or has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ProjectChange {
    /// Which way.
    pub kind: ChangeKind,
    /// The project that folders and notes go to.
    pub to: String,
    /// The project they come from.
    pub from: String,
    /// The folders that count as `to` from now on.
    pub folders: Vec<String>,
    /// Sessions so far that count as `to` from now on.
    pub sessions: usize,
    /// Notes whose `project` changes.
    pub notes: Vec<ProjectNote>,
    /// The setting `projects.folders` before.
    #[serde(rename = "setting_before")]
    pub(super) before: Vec<String>,
    /// The setting afterwards.
    #[serde(rename = "setting_after")]
    pub(super) after: Vec<String>,
}

/// A note whose project changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ProjectNote {
    /// The note.
    pub id: NoteId,
    /// Its file, below the vault's root.
    pub path: String,
    /// Its title.
    pub title: String,
}

/// How a change ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ProjectChangeReport {
    /// Notes that were changed.
    pub notes: usize,
    /// Notes that could not be changed, and why.
    pub refused: Vec<String>,
}

/// Plans to let the folders, sessions and notes of `from` count as `into`; changes nothing. Both are names, or folders of
/// the projects.
///
/// # Errors
/// [`ProjectError`], and [`Error::Vault`] or [`Error::Store`].
pub fn plan_join(app: &App, into: &str, from: &str) -> Result<ProjectChange, Error> {
    let census = census::project_census(app)?;
    let to = census.find(into, &folder_named(app, into))?;
    let from = census.find(from, &folder_named(app, from))?;
    if to == from {
        return Err(ProjectError::Unfit { problem: UnfitProject::OneAlready { project: to } }.into());
    }
    check_name(&to).map_err(|problem| ProjectError::BadName { name: to.clone(), problem })?;
    let folders = census.folders_of(&from);
    let sessions = census.sessions_of(&from).count();
    let is_moved = |_: &NoteEntry| true;
    Ok(planned_change(&census, (ChangeKind::Join, to, from), folders, sessions, is_moved))
}

/// Plans to make a folder of a project one of its own, called `name`, or by its path; changes nothing. Lessons go with it
/// that rest on sessions below the folder alone.
///
/// # Errors
/// As [`plan_join`].
pub fn plan_split(
    app: &App,
    project: &str,
    folder: &Path,
    name: Option<&str>,
) -> Result<ProjectChange, Error> {
    let census = census::project_census(app)?;
    let from = census.find(project, &folder_named(app, project))?;
    let folder = folder_named(app, &folder.to_string_lossy());
    check_part(&census, &from, &folder)?;
    let to = match name {
        Some(name) => name.to_owned(),
        None => census.names.free_name(&folder),
    };
    check_name(&to).map_err(|problem| ProjectError::BadName { name: to.clone(), problem })?;
    let is_same = |other: &String| other.to_lowercase() == to.to_lowercase();
    if to.eq_ignore_ascii_case(&from) || census.names.folders().values().any(is_same) {
        return Err(ProjectError::NameTaken { name: to }.into());
    }
    let inside = |session: &&super::census::KnownSession| {
        is_below(&session.directory(&census.settings), &folder) || is_below(&session.project, &folder)
    };
    let sessions: HashSet<SessionId> =
        census.sessions_of(&from).filter(inside).map(|one| one.session.clone()).collect();
    let is_moved = |entry: &NoteEntry| rests_on(entry, &sessions);
    let count = sessions.len();
    Ok(planned_change(&census, (ChangeKind::Split, to, from), vec![folder.clone()], count, is_moved))
}

/// Joins or splits as planned.
///
/// # Errors
/// [`ConfigError::Unusable`](crate::error::ConfigError::Unusable), [`Error::Vault`] or [`Error::Store`].
pub fn change_projects(
    app: &App,
    planned: &ProjectChange,
    now: &Zoned,
) -> Result<ProjectChangeReport, Error> {
    let mut record = ProjectRecord::read(&app.paths.state);
    record.changes.push(planned.clone());
    record.write(&app.paths.state)?;
    let changed = move_notes(app, &planned.notes, (&planned.from, &planned.to), now)?;
    write_folders(app, &planned.before, &planned.after)?;
    Ok(changed)
}

/// Takes the last change back that stands: folders count as before, and its notes are of the project they were of. What was
/// learned since stays.
///
/// # Errors
/// [`ProjectError::NothingToUndo`], and as [`change_projects`].
pub fn undo_projects(app: &App, now: &Zoned) -> Result<(ProjectChange, ProjectChangeReport), Error> {
    let mut record = ProjectRecord::read(&app.paths.state);
    let last = record.changes.last().cloned().ok_or(ProjectError::NothingToUndo)?;
    let changed = move_notes(app, &last.notes, (&last.to, &last.from), now)?;
    write_folders(app, &last.after, &last.before)?;
    record.changes.pop();
    record.write(&app.paths.state)?;
    Ok((last, changed))
}

/// Gives notes another project, those that still have the one they come from.
fn move_notes(
    app: &App,
    notes: &[ProjectNote],
    (from, to): (&str, &str),
    now: &Zoned,
) -> Result<ProjectChangeReport, Error> {
    let mut changed = ProjectChangeReport::default();
    if notes.is_empty() {
        return Ok(changed);
    }
    let mut session = VaultSession::begin(app)?;
    for note in notes {
        let entry = session.index.by_id(note.id);
        if entry.is_none_or(|entry| entry.properties.project.as_deref() != Some(from)) {
            continue;
        }
        match session.revise(note.id, &mut Vec::new(), |editor, entry| editor.set_project(entry, to)) {
            Ok(_) => changed.notes += 1,
            Err(error) if error.stops_everything() => return Err(error),
            Err(error) => changed.refused.push(error.chain()),
        }
    }
    session.renew_overviews_or_log(now)?;
    Ok(changed)
}

/// Changes in the setting what one state has and the other has not; what was set since stays. Then tells all who keep
/// projects' names.
fn write_folders(app: &App, before: &[String], after: &[String]) -> Result<(), Error> {
    let file = ConfigFile::new(&app.paths.config_file, app.environment.home.as_deref());
    let parsed = |lines: &[String]| ProjectFolders::new(lines).unwrap_or_default();
    let said = with_changes(file.read()?.folders, &parsed(before), parsed(after));
    let lines = said.lines();
    if lines != file.read()?.folders.lines() {
        file.set(SETTING, &lines)?;
    }
    let now = app.with_settings_read_again()?;
    if now.config.vault.is_some() {
        if checks::has_binding_checks(&now) {
            checks::renew_binding_checks(&now, &now.open_vault()?.scan()?)?;
        }
        indexing::index_new_projects(&now)?;
    }
    Ok(())
}

/// The folder that a person names, as sessions have it.
fn folder_named(app: &App, argument: &str) -> ProjectKey {
    let path = afterword_platform::paths::expand_home(argument, app.environment.home.as_deref());
    let path = app.environment.project_directory(&path);
    let path = real_path(&path).unwrap_or(path);
    ProjectKey::from_cwd(&path.to_string_lossy())
}

/// The folders as they are now, with what `after` has and `before` has not, and without the contrary.
fn with_changes(now: ProjectFolders, before: &ProjectFolders, after: ProjectFolders) -> ProjectFolders {
    if now == *before {
        return after;
    }
    let is_in = |all: &ProjectFolders, line: (&ProjectKey, &str)| all.iter().any(|one| one == line);
    let mut changed = now;
    for line in before.iter().filter(|line| !is_in(&after, *line)) {
        if is_in(&changed, line) {
            changed.remove(line.0);
        }
    }
    for (folder, name) in after.iter().filter(|line| !is_in(before, *line)) {
        // Somebody has set it otherwise since.
        let is_set = changed.iter().any(|(other, _)| other == folder);
        if !is_set {
            changed.put(folder.clone(), name);
        }
    }
    changed
}

fn planned_change(
    census: &Census,
    (kind, to, from): (ChangeKind, String, String),
    folders: Vec<ProjectKey>,
    sessions: usize,
    is_moved: impl Fn(&NoteEntry) -> bool,
) -> ProjectChange {
    let mut said = census.settings.clone();
    if kind == ChangeKind::Join {
        // Without the database nothing else tells that this folder has the name first.
        for folder in census.folders_of(&to) {
            if said.name_of(folder.as_str()).is_none() {
                said.put_first(folder, &to);
            }
        }
    }
    for folder in &folders {
        said.put(folder.clone(), &to);
    }
    keep_others(&mut said, census, &from);
    let notes = census.index.iter().flat_map(VaultIndex::notes);
    let of_project = notes.filter(|entry| entry.properties.project.as_ref() == Some(&from));
    let moved = of_project.filter(|entry| entry.properties.kind != Some(NoteKind::Project));
    let notes = moved.filter(|entry| is_moved(entry)).filter_map(|entry| {
        let title = entry.properties.title.clone();
        let title = title.unwrap_or_else(|| entry.path.name().to_owned());
        Some(ProjectNote { id: entry.properties.id?, path: entry.path.to_string(), title })
    });
    ProjectChange {
        notes: notes.collect(),
        folders: folders.iter().map(|folder| folder.as_str().to_owned()).collect(),
        before: census.settings.lines(),
        after: said.lines(),
        kind,
        to,
        from,
        sessions,
    }
}

/// Whether a folder is a part of the project that can be set apart.
fn check_part(census: &Census, project: &str, folder: &ProjectKey) -> Result<(), ProjectError> {
    let unfit = |problem| Err(ProjectError::Unfit { problem });
    let names = census.names.folders();
    let mut above = Path::new(folder.as_str()).ancestors().filter_map(Path::to_str);
    let own = above.find_map(|folder| names.get(&ProjectKey::from_cwd(folder)));
    // A worktree lies elsewhere.
    let repository = crate::repository::project_folder(folder.as_str(), &census.settings);
    let own = own.or_else(|| names.get(&ProjectKey::from_cwd(&repository)));
    let folders = census.folders_of(project);
    let (project, folder_name) = (project.to_owned(), folder.as_str().to_owned());
    match own {
        Some(own) if *own == project => {}
        Some(own) => {
            return unfit(UnfitProject::OfAnother { folder: folder_name, own: own.clone(), project });
        }
        None if folders.is_empty() => return unfit(UnfitProject::NoFolder { project }),
        None => {
            let folders = folders.iter().map(|one| one.as_str().to_owned()).collect();
            return unfit(UnfitProject::NotItsFolder { folder: folder_name, project, folders });
        }
    }
    match folders.iter().all(|one| is_below(one, folder)) {
        true => unfit(UnfitProject::OnlyFolder { project, folder: folder_name }),
        false => Ok(()),
    }
}

/// Lets every other folder count as it does now: one below a folder of which something else was said now.
fn keep_others(said: &mut ProjectFolders, census: &Census, from: &str) {
    let mut others: Vec<_> = census.names.folders().iter().filter(|(_, name)| *name != from).collect();
    others.sort();
    for (folder, name) in others {
        let is_other = said.name_of(folder.as_str()).is_some_and(|said| said != name);
        if is_other && check_name(name).is_ok() {
            said.put(folder.clone(), name);
        }
    }
}

/// Whether a lesson rests on these sessions alone.
fn rests_on(entry: &NoteEntry, sessions: &HashSet<SessionId>) -> bool {
    let properties = &entry.properties;
    let evidence = properties.evidence.iter().filter_map(|reference| reference.split('/').next());
    let mut all = evidence.chain(properties.session.as_deref()).peekable();
    all.peek().is_some() && all.all(|one| SessionId::parse(one).is_some_and(|one| sessions.contains(&one)))
}

fn is_below(folder: &ProjectKey, of: &ProjectKey) -> bool {
    Path::new(folder.as_str()).starts_with(of.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_since_stays() {
        let folders = |lines: &[&str]| {
            ProjectFolders::new(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()).unwrap()
        };
        let check = |now: &[&str], before: &[&str], after: &[&str], expected: &[&str]| {
            let changed = with_changes(folders(now), &folders(before), folders(after));
            assert_eq!(changed, folders(expected));
        };
        let (joined, alone) = (["/shop = shop", "/store = shop"], [""; 0]);
        check(&alone, &alone, &joined, &joined);
        check(&joined, &joined, &alone, &alone);
        let more = ["/store = other", "/blog = notes", "/shop = shop"];
        check(&more, &joined, &alone, &["/store = other", "/blog = notes"]);
        check(&["/store = other"], &alone, &joined, &["/store = other", "/shop = shop"]);
        check(&["/blog = notes"], &["/api = shop"], &["/api = api"], &["/blog = notes", "/api = api"]);
    }
}
