//! Forgetting: everything that was derived from a session or a project, but for what a person made of it.
//!
//! Notes that nobody but Afterword wrote are removed; those a person changed stay and are told. The transcripts are Claude
//! Code's and are left alone, but not read again by themselves. Start at [`forget_session`].

use std::collections::HashSet;

use afterword_core::{ProjectKey, SessionId};
use afterword_platform::files::remove_if_there;
use afterword_platform::lock::ApplyLock;
use afterword_store::WrittenNote;
use afterword_vault::{VaultIndex, VaultPath};
use jiff::Timestamp;

use crate::error::ProjectError;
use crate::log::OrLog;
use crate::sessions::ListRequest;
use crate::vault_session::VaultSession;
use crate::{App, Error, indexing, injection, session_search, sessions};
use afterword_claude_code::markers::Markers;
use afterword_claude_code::spool::Spool;

/// What forgetting did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForgetReport {
    /// The sessions.
    pub sessions: Vec<SessionId>,
    /// Notes that were removed, below the vault's root.
    pub removed: Vec<String>,
    /// Notes that stay because a person changed them, or because they rest on other sessions too.
    pub kept: Vec<String>,
    /// Rows of the database that were deleted.
    pub rows: usize,
}

/// Forgets one session, by its id or the start of it.
///
/// # Errors
/// [`SessionError::NoSuch`](crate::error::SessionError::NoSuch) or [`SessionError::Ambiguous`](crate::error::SessionError::Ambiguous), and [`Error::Vault`] or [`Error::Store`].
pub fn forget_session(app: &App, argument: &str, now: Timestamp) -> Result<ForgetReport, Error> {
    let session = sessions::resolve_session(app, argument)?;
    forget(app, &[session], None, now)
}

/// Forgets a project and all its sessions: those there are, and those known whose transcripts are gone. Sessions to
/// come are reflected, unless `privacy.exclude` says otherwise.
///
/// # Errors
/// [`ProjectError::NoSession`], and [`Error::Vault`] or [`Error::Store`].
pub fn forget_project(app: &App, project: &str, now: Timestamp) -> Result<ForgetReport, Error> {
    let request = ListRequest { project: Some(project.to_owned()), ..ListRequest::default() };
    let there = sessions::sessions(app, &request)?;
    let mut projects: HashSet<ProjectKey> = there.iter().filter_map(|one| one.project.clone()).collect();
    let wanted = ProjectKey::from_cwd(&app.environment.project_directory(project).to_string_lossy());
    let known =
        app.existing_store()?.map(|store| store.sessions().all_by_path()).transpose()?.unwrap_or_default();
    let of_project = |key: &ProjectKey| projects.contains(key) || *key == wanted;
    let gone = known.into_iter().filter(|(_, row)| row.project.as_ref().is_some_and(&of_project));
    let mut sessions: Vec<SessionId> = there.iter().map(|one| one.session.clone()).collect();
    sessions.extend(gone.map(|(path, _)| crate::sessions::session_of(&path)));
    sessions.sort();
    sessions.dedup();
    if sessions.is_empty() {
        return Err(ProjectError::NoSession { project: project.to_owned() }.into());
    }
    projects.insert(wanted);
    forget(app, &sessions, Some(&projects), now)
}

fn forget(
    app: &App,
    sessions: &[SessionId],
    projects: Option<&HashSet<ProjectKey>>,
    now: Timestamp,
) -> Result<ForgetReport, Error> {
    let mut forgotten = ForgetReport { sessions: sessions.to_vec(), ..ForgetReport::default() };
    // The lock is held to the end: nobody writes notes of what is being forgotten.
    let notes = app.config.vault.is_some().then(|| VaultSession::begin(app)).transpose()?;
    let _lock = notes.is_none().then(|| ApplyLock::take(&app.paths.apply_lock())).transpose()?;
    if let Some(notes) = &notes {
        remove_notes(notes, sessions, &mut forgotten)?;
    }
    let own = notes.is_none().then(|| app.store()).transpose()?;
    let store = notes.as_ref().map(|notes| &notes.store).or(own.as_ref());
    let store = store.expect("one of the two is open");
    forgotten.rows = store.in_transaction(|store| {
        let mut rows = 0;
        for session in sessions {
            rows += store.forgotten_sessions().forget(session, now)?;
        }
        for project in projects.into_iter().flatten() {
            rows += store.forgotten_sessions().forget_project(project)?;
        }
        Ok::<_, Error>(rows)
    })?;
    store.forgotten_sessions().truncate_log()?;
    // It quotes notes; what is forgotten may be among them.
    let plan = app.paths.polish_plan();
    remove_if_there(&plan).map_err(|source| Error::Io { path: plan, action: "remove the plan", source })?;
    injection::forget_handoffs(app)?;
    session_search::remove_from_search(app, sessions)?;
    indexing::forget_in_index(app, &forgotten.removed)?;
    let markers = Markers::new(&app.paths);
    sessions.iter().try_for_each(|session| markers.remove(session))?;
    // The agent at work looks again at what it follows; without one there is nobody to wake.
    Spool::new(&app.paths).wake().or_log("waking the agent");
    Ok(forgotten)
}

fn remove_notes(
    notes: &VaultSession,
    sessions: &[SessionId],
    forgotten: &mut ForgetReport,
) -> Result<(), Error> {
    for written in notes.store.written_notes(&notes.root).all()? {
        if !written.session.as_ref().is_some_and(|session| sessions.contains(session)) {
            continue;
        }
        let Some((path, first)) = note_of(&notes.index, &written) else { continue };
        let only_theirs = first.is_none_or(|first| sessions.iter().any(|one| one.as_str() == first));
        let removed = only_theirs && notes.remove_untouched(&path, &written)?;
        let list = if removed { &mut forgotten.removed } else { &mut forgotten.kept };
        if !list.contains(&path.to_string()) {
            list.push(path.to_string());
        }
    }
    forgotten.removed.sort();
    forgotten.kept.sort();
    Ok(())
}

/// Where a note is now, wherever a person moved it, and the session it came from first.
fn note_of(index: &VaultIndex, written: &WrittenNote) -> Option<(VaultPath, Option<String>)> {
    let entry = index.by_id(written.note)?;
    Some((entry.path.clone(), entry.properties.session.clone()))
}
