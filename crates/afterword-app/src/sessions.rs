//! Claude Code's sessions: finding them, finding one by what the user typed, and listing them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use afterword_claude_code::ClaudeDirs;
use afterword_claude_code::discover::{
    Problem, Role, TranscriptFile, is_named_as_subagent, is_named_as_transcript, parent_session,
};
use afterword_claude_code::install::project_settings_without_hooks;
use afterword_core::{ProjectKey, SessionId, SessionState};
use afterword_platform::wsl::local_path;
use afterword_store::{Fingerprint, FollowedSession, ReflectedFile, Store, TranscriptOutcome};
pub use afterword_store::{TimelineEntry, TimelineEvent};
use jiff::Timestamp;

use crate::error::SessionError;
use crate::known_transcripts::{known_transcript, known_transcripts};
use crate::session_location::session_location;
use crate::spelling::comparable;
use crate::{App, Error};

/// A session's own transcript file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The file, absolute.
    pub path: PathBuf,
    /// The session, by the file's name.
    pub session: SessionId,
    /// Its size and time.
    pub fingerprint: Fingerprint,
    /// Transcripts of sub-agents that worked for it, as far as their place tells.
    pub subagents: usize,
}

impl Transcript {
    fn new(path: PathBuf, size: u64, modified: Option<Timestamp>) -> Self {
        let mtime_ns = modified.and_then(|time| i64::try_from(time.as_nanosecond()).ok()).unwrap_or(0);
        Self { session: session_of(&path), fingerprint: Fingerprint { size, mtime_ns }, subagents: 0, path }
    }

    fn of_file(path: PathBuf, metadata: &fs::Metadata) -> Self {
        let modified = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
        Self::new(path, metadata.len(), modified)
    }

    /// When it was last written.
    pub fn modified(&self) -> Timestamp {
        Timestamp::from_nanosecond(i128::from(self.fingerprint.mtime_ns)).unwrap_or_default()
    }
}

/// What was found below Claude Code's directories.
#[derive(Debug, Default)]
pub(crate) struct Discovery {
    /// The sessions, by path.
    pub(crate) transcripts: Vec<Transcript>,
    /// What could not be looked at.
    pub(crate) problems: Vec<Problem>,
}

/// Finds every session below Claude Code's directories ([`ClaudeDirs::discover`]).
pub(crate) fn discover(claude: &ClaudeDirs) -> Discovery {
    let found = claude.discover();
    let mut subagents: HashMap<String, usize> = HashMap::new();
    for file in &found.transcripts {
        if let Role::Subagent { session: Some(session), .. } = &file.role {
            *subagents.entry(session.clone()).or_default() += 1;
        }
    }
    let session = |file: TranscriptFile| match &file.role {
        Role::Session { id } => Some(Transcript {
            subagents: subagents.get(id).copied().unwrap_or(0),
            ..Transcript::new(file.path, file.size, file.modified)
        }),
        Role::Subagent { .. } => None,
    };
    Discovery {
        transcripts: found.transcripts.into_iter().filter_map(session).collect(),
        problems: found.problems,
    }
}

/// A session's own transcript as it was found; `None` for a sub-agent's.
pub fn session_file(file: &TranscriptFile) -> Option<Transcript> {
    match &file.role {
        Role::Session { .. } => Some(Transcript::new(file.path.clone(), file.size, file.modified)),
        Role::Subagent { .. } => None,
    }
}

/// A session's own transcript as it stands now; `None` when it is gone, no regular file, or a sub-agent's.
pub fn transcript_at(path: &Path) -> Option<Transcript> {
    path.file_name()?.to_str()?;
    let is_agents = is_named_as_subagent(path);
    let metadata = fs::metadata(path).ok().filter(|metadata| metadata.is_file() && !is_agents)?;
    Some(Transcript::of_file(path.to_owned(), &metadata))
}

/// Whether a file lies below the `projects` of one of Claude Code's directories, after every link on the way was followed.
pub(crate) fn is_client_transcript(claude: &ClaudeDirs, path: &Path) -> bool {
    claude.home_holding(path).is_some()
}

/// As [`find`], but a path must lie below the `projects` of one of Claude Code's directories.
pub(crate) fn find_client_transcript(
    claude: &ClaudeDirs,
    working_directory: &Path,
    argument: &str,
) -> Result<Transcript, Error> {
    if !looks_like_a_path(argument) {
        return find_by_id(claude, argument);
    }
    let path = working_directory.join(argument);
    // A path elsewhere is refused before anything is said about what is there.
    if !is_client_transcript(claude, &path) {
        return Err(SessionError::Foreign { path }.into());
    }
    // A sub-agent's stands for a session beside it, which may be a link.
    let found = transcript(&spelled(claude, path))?;
    match is_client_transcript(claude, &found.path) {
        true => Ok(found),
        false => Err(SessionError::Foreign { path: found.path }.into()),
    }
}

/// Refuses a transcript that is not Claude Code's own, for faces that are led by what notes name: another machine may have written
/// a path of a repository there.
///
/// # Errors
/// [`SessionError::Foreign`].
pub fn refuse_foreign(app: &App, argument: &str) -> Result<(), Error> {
    let path = app.environment.working_directory.join(argument);
    let is_path = looks_like_a_path(argument) || path.exists();
    if is_path && !is_client_transcript(app.claude(), &path) {
        return Err(SessionError::Foreign { path }.into());
    }
    Ok(())
}

fn looks_like_a_path(argument: &str) -> bool {
    argument.contains(['/', '\\']) || is_named_as_transcript(Path::new(argument))
}

/// Finds one session by a transcript's path, by its id, or by the start of its id.
pub fn find(claude: &ClaudeDirs, working_directory: &Path, argument: &str) -> Result<Transcript, Error> {
    let path = working_directory.join(argument);
    if looks_like_a_path(argument) || path.exists() {
        return transcript(&spelled(claude, path));
    }
    find_by_id(claude, argument)
}

/// A path that the user or a hook named, as its directory is followed: a session has one row, whichever way it is named.
fn spelled(claude: &ClaudeDirs, path: PathBuf) -> PathBuf {
    claude.followed_path(&path).unwrap_or(path)
}

fn find_by_id(claude: &ClaudeDirs, argument: &str) -> Result<Transcript, Error> {
    let fits = |transcript: &Transcript| transcript.session.as_str().starts_with(argument);
    let mut fitting: Vec<_> = discover(claude).transcripts.into_iter().filter(fits).collect();
    if let Some(exact) = fitting.iter().position(|transcript| transcript.session.as_str() == argument) {
        return Ok(fitting.swap_remove(exact));
    }
    match fitting.len() {
        0 => Err(SessionError::NoSuch { argument: argument.to_owned() }.into()),
        1 => Ok(fitting.swap_remove(0)),
        _ => {
            let sessions = fitting.iter().take(5).map(|transcript| transcript.session.to_string()).collect();
            Err(SessionError::Ambiguous { argument: argument.to_owned(), count: fitting.len(), sessions }
                .into())
        }
    }
}

/// A path the user named. A sub-agent's transcript stands for the session it worked for.
fn transcript(path: &Path) -> Result<Transcript, Error> {
    let path = parent_session(path).unwrap_or_else(|| path.to_owned());
    let metadata = match fs::metadata(&path) {
        Ok(metadata) => metadata,
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => {
            return Err(SessionError::NotATranscript { path, problem: "there is no such file" }.into());
        }
        Err(source) => {
            return Err(Error::Io { path, action: "look at the transcript", source });
        }
    };
    if metadata.is_dir() {
        let problem = "a folder, not a transcript";
        return Err(SessionError::NotATranscript { path, problem }.into());
    }
    if !metadata.is_file() {
        let problem = "not a regular file";
        return Err(SessionError::NotATranscript { path, problem }.into());
    }
    Ok(Transcript::of_file(path, &metadata))
}

/// The session that a file's name tells; characters no id has are replaced.
pub(crate) fn session_of(path: &Path) -> SessionId {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let cleaned: String = stem
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
        .take(120)
        .collect();
    let fallback = format!("session-{}", cleaned.trim_start_matches('.'));
    SessionId::parse(&cleaned)
        .or_else(|| SessionId::parse(&fallback))
        .expect("the fallback has only allowed characters")
}

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "SessionState"))]
#[serde(rename_all = "lowercase")]
pub enum ReflectionState {
    /// Never reflected.
    New,
    /// Reflected, and grown since.
    Grown,
    /// Reflected, and unchanged since.
    Reflected,
    /// Its project is excluded by the user.
    Excluded,
    /// Afterword started it itself.
    Own,
    /// The user wants it forgotten.
    Forgotten,
}

/// A session in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionEntry {
    /// The session.
    pub session: SessionId,
    /// Its transcript.
    pub transcript: PathBuf,
    /// Its project, when an entry told it.
    pub project: Option<ProjectKey>,
    /// Where it stands.
    pub state: ReflectionState,
    /// Bytes of its transcript.
    pub bytes: u64,
    /// When its transcript was last written.
    pub modified: Timestamp,
    /// Where the agent saw it stand last; none where it never did.
    pub followed: Option<FollowedState>,
    /// Entries and candidates, when it was reflected.
    pub reflected: Option<(u64, u64)>,
}

/// Where the agent saw a session stand last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FollowedState {
    /// The state.
    pub state: SessionState,
    /// Since when.
    pub since: Timestamp,
    /// When anything happened in it last.
    pub last_activity: Timestamp,
}

/// Which sessions to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListRequest {
    /// Only those written since.
    pub since: Option<Timestamp>,
    /// Only those of projects whose path ends with this or lies below it, or that the person let count as this project.
    pub project: Option<String>,
    /// Only the so many that were written last.
    pub latest: Option<usize>,
}

/// What the database knows of transcripts, by path.
#[derive(Default)]
struct KnownTranscripts {
    reflected: HashMap<PathBuf, ReflectedFile>,
    followed: HashMap<PathBuf, FollowedSession>,
}

impl KnownTranscripts {
    fn all(store: &Store, transcripts: &[Transcript]) -> Result<Self, Error> {
        let followed = store.followed_sessions().all()?.into_iter().map(|row| (row.transcript.clone(), row));
        let (reflected, _) = known_transcripts(store, transcripts.iter())?;
        Ok(Self { followed: followed.collect(), reflected })
    }

    /// Asks for each by itself.
    fn of(store: &Store, transcripts: &[Transcript]) -> Result<Self, Error> {
        let mut known = Self::default();
        // No row has a name that is not Unicode.
        for transcript in transcripts.iter().filter(|one| one.path.to_str().is_some()) {
            let path = &transcript.path;
            let reflected = known_transcript(store, transcript)?;
            known.reflected.extend(reflected.map(|row| (path.clone(), row)));
            known.followed.extend(store.followed_sessions().get(path)?.map(|row| (path.clone(), row)));
        }
        Ok(known)
    }
}

/// Finds one of Claude Code's sessions by its id, by the start of its id, or by the path of its transcript below
/// `projects`: what a program may ask for that is not the person.
///
/// # Errors
/// [`SessionError::NoSuch`], [`SessionError::Ambiguous`], [`SessionError::NotATranscript`], [`SessionError::Foreign`] for a
/// path elsewhere, and [`Error::Io`].
pub fn find_session(app: &App, argument: &str) -> Result<Transcript, Error> {
    find_client_transcript(app.claude(), &app.environment.working_directory, argument)
}

/// Lists the sessions that Claude Code has kept, the latest first. Of those never looked into, the beginning is
/// read to learn the project.
///
/// # Errors
/// [`Error::Store`].
pub fn sessions(app: &App, request: &ListRequest) -> Result<Vec<SessionEntry>, Error> {
    let mut transcripts = discover(app.claude()).transcripts;
    transcripts.retain(|transcript| request.since.is_none_or(|since| transcript.modified() >= since));
    transcripts.sort_by(|one, other| (other.modified(), &one.path).cmp(&(one.modified(), &other.path)));
    transcripts.truncate(request.latest.unwrap_or(usize::MAX));
    let store = app.existing_store()?;
    let known = store.as_ref().map(|store| match request.latest {
        Some(_) => KnownTranscripts::of(store, &transcripts),
        None => KnownTranscripts::all(store, &transcripts),
    });
    let KnownTranscripts { reflected, mut followed } = known.transpose()?.unwrap_or_default();
    let forgotten =
        store.as_ref().map(|store| store.forgotten_sessions().all()).transpose()?.unwrap_or_default();
    let vault = app.vault_root();
    let mut list = Vec::new();
    for transcript in transcripts {
        let known = reflected.get(&transcript.path);
        let modified = transcript.modified();
        // A file that cannot be read is listed all the same; `reflect` says what is wrong with it.
        let project = match known {
            Some(known) => known.project.clone(),
            None => session_location(&transcript.path, &app.config.folders)
                .unwrap_or_default()
                .map(|place| place.project),
        };
        let wanted = request.project.as_deref().is_none_or(|wanted| {
            project.as_ref().is_some_and(|project| {
                is_of(project, &app.environment.working_directory, wanted)
                    || app.config.folders.name_of(project.as_str()) == Some(wanted)
            })
        });
        if !wanted {
            continue;
        }
        let excluded = project.as_ref().is_some_and(|project| app.config.exclude.covers(project));
        let state = match known {
            _ if excluded => ReflectionState::Excluded,
            _ if forgotten.contains(&transcript.session) => ReflectionState::Forgotten,
            Some(known) if known.outcome == TranscriptOutcome::Own => ReflectionState::Own,
            None => ReflectionState::New,
            Some(known) if known.outcome == TranscriptOutcome::Excluded => ReflectionState::New,
            Some(known) if is_current(known, &transcript, &vault) => ReflectionState::Reflected,
            Some(known) if known.vault != vault => ReflectionState::New,
            Some(_) => ReflectionState::Grown,
        };
        let reflected = known.filter(|known| known.outcome == TranscriptOutcome::Reflected);
        list.push(SessionEntry {
            session: transcript.session,
            project,
            state,
            bytes: transcript.fingerprint.size,
            modified,
            followed: followed.remove(&transcript.path).map(|row| FollowedState {
                state: row.state,
                since: row.since,
                last_activity: row.last_activity,
            }),
            reflected: reflected.map(|known| (known.entries, known.candidates)),
            transcript: transcript.path,
        });
    }
    Ok(list)
}

/// What happened to a session, in its order; by its id or the start of it.
///
/// # Errors
/// [`SessionError::NoSuch`] or [`SessionError::Ambiguous`], and [`Error::Store`].
pub fn timeline(app: &App, argument: &str) -> Result<(SessionId, Vec<TimelineEntry>), Error> {
    let session = resolve_session(app, argument)?;
    let store = app.existing_store()?;
    let entries = store.map(|store| store.timeline().of_session(&session)).transpose()?;
    Ok((session, entries.unwrap_or_default()))
}

/// The settings by which Claude Code runs no hook in a session's folder now; `None` where hooks run, or its folder is not known.
pub fn hooks_off(app: &App, session: &SessionId) -> Option<PathBuf> {
    let transcript = find_by_id(app.claude(), session.as_str()).ok()?;
    settings_without_hooks(app, &transcript.path)
}

/// The same by its transcript. The folder is the one that the session was started in, as Claude Code reads its settings there: of one in a
/// worktree the worktree, which may have other settings than the repository it is of.
pub(crate) fn settings_without_hooks(app: &App, transcript: &Path) -> Option<PathBuf> {
    let place = session_location(transcript, &app.config.folders).ok()??;
    project_settings_without_hooks(Path::new(place.directory.as_str()))
}

/// The session that a person means, also one whose transcript is gone, when its whole id is given.
pub(crate) fn resolve_session(app: &App, argument: &str) -> Result<SessionId, Error> {
    match find(app.claude(), &app.environment.working_directory, argument) {
        Ok(transcript) => Ok(transcript.session),
        Err(Error::Session(SessionError::NoSuch { argument })) => {
            match (uuid::Uuid::try_parse(&argument), SessionId::parse(&argument)) {
                (Ok(_), Some(session)) => Ok(session),
                _ => Err(SessionError::NoSuch { argument }.into()),
            }
        }
        Err(error) => Err(error),
    }
}

/// Whether a project is the one the user means by `wanted`: a path (also a relative one), or the path's end.
pub(crate) fn is_of(project: &ProjectKey, working_directory: &Path, wanted: &str) -> bool {
    let whole = comparable(&working_directory.join(&*local_path(wanted)).to_string_lossy());
    let (path, wanted) = (comparable(project.as_str()), comparable(wanted));
    let path = Path::new(&path);
    // Windows joins what has a root but no drive, as paths of WSL, to the drive.
    let is_below = path.starts_with(whole) || (wanted.starts_with('/') && path.starts_with(&wanted));
    path.ends_with(&wanted) || comparable(project.name()) == wanted || is_below
}

/// The session and the sub-agent that a transcript is of.
pub(crate) fn owner(role: &Role) -> (Option<String>, String) {
    match role {
        Role::Session { id } => (Some(id.clone()), String::new()),
        Role::Subagent { agent, session } => (session.clone(), agent.clone()),
    }
}

/// Whether the session was reflected into this vault and its transcript has not changed since.
pub fn is_current(known: &ReflectedFile, transcript: &Transcript, vault: &str) -> bool {
    known.outcome == TranscriptOutcome::Reflected
        && known.fingerprint == transcript.fingerprint
        && known.vault == vault
}
