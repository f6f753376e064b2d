//! Markers: a small file for each session that a hook saw begin, so that a session whose end nobody tells is noticed.
//!
//! `session-id-<id>.start` is written at the start and renamed to `.reflected` once the session was reflected; where that
//! fails it stays, and the session is tried again. A marker holds times, the transcript's path and the client's
//! process, never content. Start at [`Markers`].

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use afterword_core::SessionId;
use afterword_platform::files::{
    create_private_directory, open_regular_file, place_new_file, remove_if_there,
};
use afterword_platform::process::{Liveness, ProcessIdentity};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use afterword_platform::paths::Paths;

use crate::ClaudeCodeError;
use crate::client_process::ClientProcess;

const PREFIX: &str = "session-id-";
const START: &str = ".start";
const REFLECTED: &str = ".reflected";
/// Longest marker read, in bytes.
const LONGEST: u64 = 64 * 1024;

/// What a marker holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    /// When the session began, or went on.
    pub started_at: Timestamp,
    /// Its transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript_path: Option<PathBuf>,
    /// The client's process, where it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ProcessIdentity>,
    /// The processes above the client when it was found, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above_client: Vec<ProcessIdentity>,
    /// The client had ended when a hook looked for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_client_gone: bool,
}

impl Marker {
    /// A session that began, of whose client nothing is known.
    pub fn new(started_at: Timestamp, transcript_path: Option<PathBuf>) -> Self {
        Self { started_at, transcript_path, client: None, above_client: Vec::new(), is_client_gone: false }
    }

    /// Names the client as a hook found it. `known` is what an earlier hook of the session left. A client that is known from there stays
    /// where none is left, or where one of those above it is found in its place: it has ended, and they took its hook over.
    pub(crate) fn with_client(mut self, found: ClientProcess, known: Option<Self>) -> Self {
        match (found, known.filter(|known| known.client.is_some())) {
            (ClientProcess::Runs { client, .. }, Some(known)) if known.above_client.contains(&client) => {
                (self.client, self.above_client) = (known.client, known.above_client);
            }
            (ClientProcess::Gone, Some(known)) => {
                (self.client, self.above_client) = (known.client, known.above_client);
            }
            (ClientProcess::Runs { client, above }, _) => {
                (self.client, self.above_client) = (Some(client), above);
            }
            (ClientProcess::Gone, None) => self.is_client_gone = true,
            (ClientProcess::Unknown, _) => {}
        }
        self
    }

    /// Whether the client still runs, as far as can be seen from here.
    pub fn liveness(&self) -> Liveness {
        match &self.client {
            Some(client) => client.liveness(),
            None if self.is_client_gone => Liveness::Gone,
            None => Liveness::Unknown,
        }
    }
}

/// The directory of the markers.
#[derive(Debug, Clone)]
pub struct Markers {
    directory: PathBuf,
}

impl Markers {
    /// The markers of a state directory; makes nothing.
    pub fn new(paths: &Paths) -> Self {
        Self { directory: paths.markers() }
    }

    /// Marks that a session began or goes on; in place of what an earlier start of it left.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn write(&self, session: &SessionId, marker: &Marker) -> Result<(), ClaudeCodeError> {
        create_private_directory(&self.directory).map_err(error(&self.directory, "make the directory"))?;
        let path = self.path(session, START);
        let text = serde_json::to_vec(marker).map_err(|e| error(&path, "write the marker")(e.into()))?;
        place_new_file(&path, &text).map_err(error(&path, "write the marker"))
    }

    /// The marker of a session that began and was not reflected since.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub(crate) fn of(&self, session: &SessionId) -> Result<Option<Marker>, ClaudeCodeError> {
        let path = self.path(session, START);
        match read(&path) {
            Ok(marker) => Ok(Some(marker)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(error(&path, "read the marker")(e)),
        }
    }

    /// The sessions that began and were not reflected since. One whose marker cannot be understood counts with the
    /// time of its file and nothing else known.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn open(&self) -> Result<Vec<(SessionId, Marker)>, ClaudeCodeError> {
        let mut open = Vec::new();
        for (session, path) in self.list(START)? {
            match read(&path) {
                Ok(marker) => open.push((session, marker)),
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(error(&path, "read the marker")(e)),
            }
        }
        open.sort_by(|one, other| (one.1.started_at, &one.0).cmp(&(other.1.started_at, &other.0)));
        Ok(open)
    }

    /// The sessions with a marker that says they were reflected.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn reflected_sessions(&self) -> Result<Vec<SessionId>, ClaudeCodeError> {
        Ok(self.list(REFLECTED)?.into_iter().map(|(session, _)| session).collect())
    }

    /// Says that a session was reflected: `.start` becomes `.reflected`. One without a marker needs none.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn mark_reflected(&self, session: &SessionId, now: Timestamp) -> Result<(), ClaudeCodeError> {
        let (from, to) = (self.path(session, START), self.path(session, REFLECTED));
        match fs::rename(&from, &to) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(error(&from, "rename the marker")(e)),
        }
        // Its age counts from here. Where the system refuses, it counts from the start.
        let _ = File::options().write(true).open(&to).and_then(|file| file.set_modified(now.into()));
        Ok(())
    }

    /// Removes a session's markers.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn remove(&self, session: &SessionId) -> Result<(), ClaudeCodeError> {
        for phase in [START, REFLECTED] {
            let path = self.path(session, phase);
            remove_if_there(&path).map_err(error(&path, "remove the marker"))?;
        }
        Ok(())
    }

    /// Removes markers of sessions that were reflected `keep` ago or earlier; says how many.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn collect(&self, keep: Duration, now: Timestamp) -> Result<usize, ClaudeCodeError> {
        let mut removed = 0;
        for (_, path) in self.list(REFLECTED)? {
            let at = path.metadata().and_then(|metadata| metadata.modified()).ok();
            let age = at.and_then(|at| Timestamp::try_from(at).ok()).map(|at| now.duration_since(at));
            if age.is_some_and(|age| age.is_positive() && age.unsigned_abs() >= keep) {
                remove_if_there(&path).map_err(error(&path, "remove the marker"))?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    fn path(&self, session: &SessionId, phase: &str) -> PathBuf {
        self.directory.join(format!("{PREFIX}{session}{phase}"))
    }

    fn list(&self, phase: &str) -> Result<Vec<(SessionId, PathBuf)>, ClaudeCodeError> {
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(error(&self.directory, "list the markers")(e)),
        };
        let session = |name: &str| SessionId::parse(name.strip_prefix(PREFIX)?.strip_suffix(phase)?);
        // What is no file is no marker; `doctor` names it.
        let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        let names = files.filter_map(|entry| entry.file_name().into_string().ok());
        Ok(names.filter_map(|name| Some((session(&name)?, self.directory.join(&name)))).collect())
    }
}

fn read(path: &Path) -> io::Result<Marker> {
    let mut file = open_regular_file(path)?;
    let modified = file.metadata()?.modified()?;
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(LONGEST).read_to_end(&mut bytes)?;
    let unknown = || Marker::new(Timestamp::try_from(modified).unwrap_or_default(), None);
    Ok(serde_json::from_slice(&bytes).unwrap_or_else(|_| unknown()))
}

fn error(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> ClaudeCodeError + use<> {
    let path = path.to_owned();
    move |source| ClaudeCodeError::Io { path, action, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markers() -> (tempfile::TempDir, Markers) {
        let home = tempfile::tempdir().unwrap();
        let markers = Markers { directory: home.path().join("state/markers") };
        (home, markers)
    }

    fn session(id: &str) -> SessionId {
        SessionId::parse(id).unwrap()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn marker(text: &str) -> Marker {
        Marker { client: Some(process(4711)), ..Marker::new(at(text), Some("/t.jsonl".into())) }
    }

    fn process(pid: u32) -> ProcessIdentity {
        ProcessIdentity { pid, started: "1".to_owned() }
    }

    #[test]
    fn client_that_is_known_is_not_replaced_by_whoever_took_its_hook_over() {
        let start = || Marker::new(at("2026-03-01T10:00:00Z"), None);
        let runs = |pid: u32, above: &[u32]| ClientProcess::Runs {
            client: process(pid),
            above: above.iter().map(|pid| process(*pid)).collect(),
        };
        let known = start().with_client(runs(80, &[70, 40]), None);
        assert_eq!((&known.client, known.above_client.len()), (&Some(process(80)), 2));
        // The marker is read by later versions and earlier ones.
        let text = serde_json::to_string(&known).unwrap();
        assert_eq!(serde_json::from_str::<Marker>(&text).unwrap(), known);
        let again = |found| start().with_client(found, Some(known.clone()));
        for found in [runs(70, &[40]), runs(40, &[]), ClientProcess::Gone] {
            assert_eq!(again(found.clone()), known, "{found:?}");
        }
        assert_eq!(again(runs(90, &[70, 40])).client, Some(process(90)), "resumed in another client");
        assert_eq!(again(ClientProcess::Unknown).client, None);
        let gone = start().with_client(ClientProcess::Gone, None);
        assert_eq!((gone.liveness(), &gone.client), (Liveness::Gone, &None));
        assert_eq!(start().with_client(runs(90, &[]), Some(gone)).client, Some(process(90)), "resumed later");
        assert_eq!(start().with_client(ClientProcess::Unknown, None).liveness(), Liveness::Unknown);
    }

    #[test]
    fn marker_is_open_until_it_is_settled() {
        let (_home, markers) = markers();
        assert_eq!(markers.open().unwrap(), []);
        let (one, other) = (marker("2026-03-01T10:00:00Z"), marker("2026-03-01T09:00:00Z"));
        markers.write(&session("aa"), &one).unwrap();
        markers.write(&session("bb"), &other).unwrap();
        assert_eq!(markers.open().unwrap(), [(session("bb"), other), (session("aa"), one.clone())]);
        markers.mark_reflected(&session("bb"), at("2026-03-01T11:00:00Z")).unwrap();
        markers.mark_reflected(&session("cc"), at("2026-03-01T11:00:00Z")).unwrap();
        assert_eq!(markers.open().unwrap(), [(session("aa"), one)]);
        assert_eq!(markers.reflected_sessions().unwrap(), [session("bb")]);
    }

    #[test]
    fn session_that_goes_on_is_open_again() {
        let (_home, markers) = markers();
        markers.write(&session("aa"), &marker("2026-03-01T10:00:00Z")).unwrap();
        markers.mark_reflected(&session("aa"), at("2026-03-01T11:00:00Z")).unwrap();
        let again = marker("2026-03-02T10:00:00Z");
        markers.write(&session("aa"), &again).unwrap();
        assert_eq!(markers.open().unwrap(), [(session("aa"), again)]);
        markers.mark_reflected(&session("aa"), at("2026-03-02T11:00:00Z")).unwrap();
        assert_eq!(markers.open().unwrap(), []);
    }

    #[test]
    fn reflected_markers_are_collected_after_thirty_days() {
        let (_home, markers) = markers();
        let keep = Duration::from_secs(30 * 86_400);
        for (id, reflected) in [("aa", "2026-03-01T10:00:00Z"), ("bb", "2026-03-01T10:00:01Z")] {
            markers.write(&session(id), &marker("2026-01-01T10:00:00Z")).unwrap();
            markers.mark_reflected(&session(id), at(reflected)).unwrap();
        }
        markers.write(&session("cc"), &marker("2020-01-01T10:00:00Z")).unwrap();
        assert_eq!(markers.collect(keep, at("2026-03-31T10:00:00Z")).unwrap(), 1);
        assert_eq!(markers.reflected_sessions().unwrap(), [session("bb")]);
        assert_eq!(markers.open().unwrap().len(), 1, "what was not reflected stays, however old");
    }

    #[test]
    fn broken_marker_still_says_that_a_session_began() {
        let (_home, markers) = markers();
        markers.write(&session("aa"), &marker("2026-03-01T10:00:00Z")).unwrap();
        fs::write(markers.path(&session("aa"), START), b"{\"started_at\":").unwrap();
        fs::write(markers.directory.join("session-id-.hidden.start"), b"").unwrap();
        let open = markers.open().unwrap();
        assert_eq!((open.len(), open[0].1.client.as_ref()), (1, None));
    }

    #[cfg(unix)]
    #[test]
    fn marker_is_for_the_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (_home, markers) = markers();
        markers.write(&session("aa"), &marker("2026-03-01T10:00:00Z")).unwrap();
        let mode = markers.path(&session("aa"), START).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
