//! Everything that is known of projects, in one look: their folders, sessions and notes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use afterword_core::{ProjectKey, SessionId};
use afterword_store::TranscriptOutcome;
use afterword_vault::{NoteKind, Status, VaultIndex};
use jiff::Timestamp;

use super::ListedProject;
use crate::config::ProjectFolders;
use crate::error::ProjectError;
use crate::naming::ProjectNames;
use crate::session_location::session_location;
use crate::sessions::{ListRequest, ReflectionState, session_of};
use crate::{App, Error, naming, sessions};

/// What is known of projects.
pub(super) struct Census {
    pub(super) names: ProjectNames,
    pub(super) settings: ProjectFolders,
    pub(super) sessions: Vec<KnownSession>,
    pub(super) index: Option<VaultIndex>,
}

/// A session with the project it belongs to.
pub(super) struct KnownSession {
    pub(super) session: SessionId,
    pub(super) transcript: PathBuf,
    pub(super) project: ProjectKey,
    at: Option<Timestamp>,
}

impl KnownSession {
    /// The directory it began in; its project's where the transcript does not say it any more.
    pub(super) fn directory(&self, folders: &ProjectFolders) -> ProjectKey {
        let place = session_location(&self.transcript, folders).unwrap_or_default();
        place.map_or_else(|| self.project.clone(), |place| place.directory)
    }
}

/// The project of a session as the settings are now; it may have been read when the person had not yet said what its worktree is.
fn project_now(app: &App, transcript: &Path) -> Option<ProjectKey> {
    let folders = &app.config.folders;
    folders.iter().next()?;
    session_location(transcript, folders).unwrap_or_default().map(|place| place.project)
}

/// Looks at all there is; names no project for good.
pub(super) fn project_census(app: &App) -> Result<Census, Error> {
    let index = match &app.config.vault {
        Some(_) => Some(app.open_vault()?.scan()?),
        None => None,
    };
    let store = app.existing_store()?;
    let mut names = naming::remembered_names(app, store.as_ref())?;
    let mut sessions = Vec::new();
    let listed = sessions::sessions(app, &ListRequest::default())?;
    let there: BTreeSet<PathBuf> = listed.iter().map(|one| one.transcript.clone()).collect();
    // The oldest first, as names are given.
    for one in listed.into_iter().rev() {
        let Some(project) = one.project else { continue };
        if matches!(one.state, ReflectionState::Excluded | ReflectionState::Own | ReflectionState::Forgotten)
        {
            continue;
        }
        let (session, transcript) = (one.session, one.transcript);
        let project = project_now(app, &transcript).unwrap_or(project);
        sessions.push(KnownSession { session, transcript, project, at: Some(one.modified) });
    }
    let known = store.map(|store| store.sessions().all_by_path()).transpose()?.unwrap_or_default();
    for (path, row) in known {
        let Some(project) = row.project else { continue };
        let is_excluded = app.config.exclude.covers(&project);
        if row.outcome != TranscriptOutcome::Reflected || there.contains(&path) || is_excluded {
            continue;
        }
        let at = Timestamp::from_nanosecond(i128::from(row.fingerprint.mtime_ns)).ok();
        sessions.push(KnownSession { session: session_of(&path), transcript: path, project, at });
    }
    for session in &sessions {
        names.name(&session.project);
    }
    Ok(Census { names, settings: app.config.folders.clone(), sessions, index })
}

impl Census {
    /// The projects, the latest active first.
    pub(super) fn by_latest_activity(&self) -> Vec<ListedProject> {
        let mut all: BTreeMap<&str, ListedProject> = BTreeMap::new();
        for (folder, name) in self.names.folders() {
            let one = all.entry(name).or_default();
            one.folders.push(folder.as_str().to_owned());
            if self.settings.iter().any(|(said, _)| said == folder) {
                one.in_settings.push(folder.as_str().to_owned());
            }
        }
        for session in &self.sessions {
            let Some(name) = self.names.folders().get(&session.project) else { continue };
            let one = all.entry(name).or_default();
            one.sessions += 1;
            one.last_active = one.last_active.max(session.at);
        }
        for entry in self.index.iter().flat_map(VaultIndex::notes) {
            let properties = &entry.properties;
            let Some(name) = &properties.project else { continue };
            if !properties.kind.is_some_and(is_lesson) {
                continue;
            }
            let one = all.entry(name).or_default();
            match properties.effective_status() {
                Some(Status::Inbox) => one.waiting += 1,
                Some(Status::Active) | None => one.lessons += 1,
                Some(_) => {}
            }
        }
        let mut listed: Vec<ListedProject> = all
            .into_iter()
            .map(|(name, mut one)| {
                name.clone_into(&mut one.name);
                one.folders.sort();
                one.in_settings.sort();
                one
            })
            .collect();
        listed.sort_by(|one, other| other.last_active.cmp(&one.last_active).then(one.name.cmp(&other.name)));
        listed
    }

    /// The name of the project that a person means: by its name, case not counting, or by one of its folders.
    pub(super) fn find(&self, argument: &str, folder: &ProjectKey) -> Result<String, ProjectError> {
        let listed = self.by_latest_activity();
        let exactly = listed.iter().find(|one| one.name == argument);
        let nearly = || listed.iter().find(|one| one.name.to_lowercase() == argument.to_lowercase());
        let by_folder = || listed.iter().find(|one| one.folders.iter().any(|one| one == folder.as_str()));
        if let Some(found) = exactly.or_else(nearly).or_else(by_folder) {
            return Ok(found.name.clone());
        }
        let known = listed.into_iter().map(|one| one.name).collect();
        Err(ProjectError::Unknown { argument: argument.to_owned(), known })
    }

    /// The folders that count as a project.
    pub(super) fn folders_of(&self, name: &str) -> Vec<ProjectKey> {
        let own = self.names.folders().iter().filter(|(_, of)| *of == name);
        let mut own: Vec<ProjectKey> = own.map(|(folder, _)| folder.clone()).collect();
        own.sort();
        own
    }

    /// The sessions of a project.
    pub(super) fn sessions_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a KnownSession> {
        let is_own =
            move |one: &&KnownSession| self.names.folders().get(&one.project).is_some_and(|of| of == name);
        self.sessions.iter().filter(is_own)
    }
}

fn is_lesson(kind: NoteKind) -> bool {
    kind.lesson_kind().is_some_and(|kind| kind != afterword_core::Kind::Idea)
}
