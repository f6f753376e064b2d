//! The spool: small files in the state directory, by which hooks and other processes tell the agent what happened.
//!
//! A hook leaves one file a call and is done, whether or not an agent runs; the agent takes them in, in the order of
//! their names, and removes each when what it says is kept. A file that says nothing understandable is put aside, not
//! lost, and so is what is no file. No file holds a prompt or any other content of a session. Start at [`Spool`] and [`SpoolEvent`].

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use afterword_core::SessionId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use afterword_platform::paths::Paths;

use crate::ClaudeCodeError;
use afterword_platform::files::{
    create_private_directory, open_private_file, open_regular_file, place_new_file, remove_if_there,
};

/// The format that is written; one with a higher number is put aside.
const VERSION: u32 = 1;
/// Longest file read, in bytes; paths are at most some kilobytes.
const LONGEST: u64 = 64 * 1024;
/// A file not renamed after so long belongs to a process that died.
const ABANDONED: Duration = Duration::from_secs(3600);
/// The file that is written to wake the agent without telling it anything.
const WAKE: &str = "wake";

/// What happened in a session, as its client's hooks tell it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpoolEvent {
    /// The format.
    pub version: u32,
    /// What happened.
    pub event: HookEvent,
    /// The session.
    pub session_id: SessionId,
    /// Its transcript, which may not exist yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript_path: Option<PathBuf>,
    /// Its working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// How it started (`startup`, `resume`, `clear`, `compact`, `fork`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Why it ended (`clear`, `logout`, `prompt_input_exit`, `other`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// The moments that Claude Code tells of, by its own names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HookEvent {
    /// A session begins or goes on.
    SessionStart,
    /// The person sent something.
    UserPromptSubmit,
    /// The agent's turn is over.
    Stop,
    /// The session ends.
    SessionEnd,
}

impl HookEvent {
    const ALL: [Self; 4] = [Self::SessionStart, Self::UserPromptSubmit, Self::Stop, Self::SessionEnd];

    /// What Claude Code calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::Stop => "Stop",
            Self::SessionEnd => "SessionEnd",
        }
    }

    /// What Claude Code calls all of them.
    pub fn names() -> [&'static str; 4] {
        Self::ALL.map(Self::name)
    }

    /// Reads an event's name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }
}

impl SpoolEvent {
    /// Something that happened `at` that time, with nothing else known.
    pub fn new(event: HookEvent, session_id: SessionId, at: Timestamp) -> Self {
        Self {
            version: VERSION,
            event,
            session_id,
            transcript_path: None,
            cwd: None,
            source: None,
            reason: None,
            at,
        }
    }
}

/// The directory of the spool.
#[derive(Debug, Clone)]
pub struct Spool {
    directory: PathBuf,
}

/// How many files are in the spool.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SpoolCounts {
    /// Events that wait to be taken in.
    pub events: usize,
    /// Files put aside because they could not be understood.
    pub refused: usize,
}

impl Spool {
    /// The spool of a state directory; makes nothing.
    pub fn new(paths: &Paths) -> Self {
        Self { directory: paths.spool() }
    }

    /// Where its files are.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Makes its directory, for the user alone.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn create(&self) -> Result<(), ClaudeCodeError> {
        create_private_directory(&self.directory).map_err(self.error("make the directory"))
    }

    /// Leaves an event; it is there whole or not at all. Returns without waiting for the disk, as a hook has no time:
    /// what a power cut takes, the transcript still tells.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn add(&self, event: &SpoolEvent) -> Result<PathBuf, ClaudeCodeError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        self.create()?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let (millis, pid) = (event.at.as_millisecond(), std::process::id());
        let name = format!("{millis:014}-{pid}-{number}.json");
        let path = self.directory.join(name);
        let text = serde_json::to_vec(event).map_err(|error| self.error("write an event")(error.into()))?;
        place_new_file(&path, &text).map_err(self.error("write an event"))?;
        Ok(path)
    }

    /// Wakes the agent, if one runs, so that it looks at the queue and the sessions.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn wake(&self) -> Result<(), ClaudeCodeError> {
        self.create()?;
        let path = self.directory.join(WAKE);
        // Written over, not emptied first: some file systems flush a file that was, and whoever asks would wait for it.
        open_private_file(&path)
            .and_then(|mut file| file.write_all(b"\n"))
            .map_err(self.error("wake the agent"))
    }

    /// Hands every event to `keep`, the oldest first, and leaves its file. The files are added to `handed`, for
    /// [`Spool::remove`] once what they told is kept. Where `keep` fails its error is returned, and that event and those
    /// behind it are not handed out. Returns how many were put aside.
    ///
    /// # Errors
    /// What `keep` returned, or [`ClaudeCodeError::Io`].
    pub fn hand_out<E: From<ClaudeCodeError>>(
        &self,
        handed: &mut Vec<PathBuf>,
        keep: &mut dyn FnMut(&SpoolEvent) -> Result<(), E>,
    ) -> Result<usize, E> {
        let mut refused = 0;
        for name in self.names()? {
            let path = self.directory.join(&name);
            match read(&path) {
                Ok(event) => {
                    keep(&event)?;
                    handed.push(path);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    let aside = self.directory.join(format!("{name}.refused"));
                    match fs::rename(&path, aside) {
                        // Something has that name already: what is no file can stay where it is.
                        Err(_) if !path.is_file() => {}
                        renamed => renamed.map_err(self.error("put an event aside"))?,
                    }
                    refused += 1;
                }
                Err(error) => return Err(self.error("read an event")(error).into()),
            }
        }
        Ok(refused)
    }

    /// Removes the files of events that are kept.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn remove(&self, handed: &[PathBuf]) -> Result<(), ClaudeCodeError> {
        handed.iter().try_for_each(|path| remove(path).map_err(self.error("remove an event")))
    }

    /// Removes the oldest events beyond the newest `most`, which nobody came for.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn trim(&self, most: usize) -> Result<(), ClaudeCodeError> {
        if self.list()?.len() <= most {
            return Ok(());
        }
        let names = self.names()?;
        for name in &names[..names.len().saturating_sub(most)] {
            remove(&self.directory.join(name)).map_err(self.error("remove an event"))?;
        }
        Ok(())
    }

    /// Events that wait, and files that were put aside.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn counts(&self) -> Result<SpoolCounts, ClaudeCodeError> {
        let refused = |name: &String| name.ends_with(".refused");
        let names = self.list()?;
        let refused = names.iter().filter(|name| refused(name)).count();
        Ok(SpoolCounts { events: names.iter().filter(|name| is_event(name)).count(), refused })
    }

    /// Removes what processes that died left half written, and what was put aside `keep` ago or earlier.
    ///
    /// # Errors
    /// [`ClaudeCodeError::Io`].
    pub fn collect(&self, keep: Duration, now: Timestamp) -> Result<(), ClaudeCodeError> {
        for name in self.list()? {
            let path = self.directory.join(&name);
            let age = path.symlink_metadata().and_then(|metadata| metadata.modified()).ok();
            let age = age.and_then(|at| Timestamp::try_from(at).ok()).map(|at| now.duration_since(at));
            let older = |limit| age.is_some_and(|age| age.unsigned_abs() > limit && age.is_positive());
            if (name.starts_with('.') && older(ABANDONED)) || (name.ends_with(".refused") && older(keep)) {
                remove(&path).map_err(self.error("remove an event"))?;
            }
        }
        Ok(())
    }

    /// Hands every event to `keep`, and removes the files of those it kept.
    #[cfg(test)]
    pub(crate) fn take_in(
        &self,
        keep: &mut dyn FnMut(&SpoolEvent) -> Result<(), ClaudeCodeError>,
    ) -> Result<(), ClaudeCodeError> {
        let mut kept = Vec::new();
        let handed = self.hand_out(&mut kept, keep);
        self.remove(&kept)?;
        handed.map(drop)
    }

    fn names(&self) -> Result<Vec<String>, ClaudeCodeError> {
        let mut names: Vec<_> = self.list()?.into_iter().filter(|name| is_event(name)).collect();
        // Times are padded to the same length, so names sort by time; within one process by number.
        names.sort_by_cached_key(|name| {
            let mut parts =
                name.trim_end_matches(".json").split('-').map(|part| part.parse::<u64>().unwrap_or(u64::MAX));
            (parts.next(), parts.next(), parts.next(), name.clone())
        });
        Ok(names)
    }

    fn list(&self) -> Result<Vec<String>, ClaudeCodeError> {
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.error("list the spool")(error)),
        };
        // A name that is not Unicode is none of this program's.
        let names = entries.map(|entry| entry.map(|entry| entry.file_name().into_string().ok()));
        let names: io::Result<Vec<_>> = names.collect();
        Ok(names.map_err(self.error("list the spool"))?.into_iter().flatten().collect())
    }

    fn error(&self, action: &'static str) -> impl FnOnce(io::Error) -> ClaudeCodeError + use<> {
        let path = self.directory.clone();
        move |source| ClaudeCodeError::Io { path, action, source }
    }
}

fn is_event(name: &str) -> bool {
    name.ends_with(".json") && !name.starts_with('.')
}

fn read(path: &Path) -> io::Result<SpoolEvent> {
    let mut bytes = Vec::new();
    open_regular_file(path)?.take(LONGEST).read_to_end(&mut bytes)?;
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let event: SpoolEvent = serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))?;
    let valid = SessionId::parse(event.session_id.as_str()).is_some();
    if event.version == VERSION && valid { Ok(event) } else { Err(invalid("not of this version".to_owned())) }
}

/// Removes a file, or a link itself; a folder, which nobody here made, stays.
fn remove(path: &Path) -> io::Result<()> {
    match remove_if_there(path) {
        Err(_) if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) => Ok(()),
        removed => removed.map(drop),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spool() -> (tempfile::TempDir, Spool) {
        let home = tempfile::tempdir().unwrap();
        let spool = Spool { directory: home.path().join("state/spool") };
        (home, spool)
    }

    fn event(event: HookEvent, at: &str) -> SpoolEvent {
        SpoolEvent::new(event, SessionId::parse("5f0a").unwrap(), at.parse().unwrap())
    }

    fn take_events(spool: &Spool) -> Vec<HookEvent> {
        let mut events = Vec::new();
        spool
            .take_in(&mut |event| {
                events.push(event.event);
                Ok(())
            })
            .unwrap();
        events
    }

    #[test]
    fn events_come_out_once_in_the_order_they_happened() {
        let (_home, spool) = spool();
        assert_eq!(take_events(&spool), []);
        spool.add(&event(HookEvent::Stop, "2026-03-01T10:00:02Z")).unwrap();
        spool.add(&event(HookEvent::SessionStart, "2026-03-01T10:00:01Z")).unwrap();
        for _ in 0..11 {
            spool.add(&event(HookEvent::UserPromptSubmit, "2026-03-01T10:00:01.5Z")).unwrap();
        }
        spool.wake().unwrap();
        assert_eq!(spool.counts().unwrap(), SpoolCounts { events: 13, refused: 0 });
        let order = take_events(&spool);
        assert_eq!((order[0], order[12]), (HookEvent::SessionStart, HookEvent::Stop));
        assert_eq!(take_events(&spool), []);
    }

    #[test]
    fn event_that_could_not_be_kept_stays_with_those_behind_it() {
        let (_home, spool) = spool();
        for second in 1..4 {
            spool.add(&event(HookEvent::Stop, &format!("2026-03-01T10:00:0{second}Z"))).unwrap();
        }
        let mut kept = 0;
        let failed = spool.take_in(&mut |_| {
            kept += 1;
            if kept == 2 { Err(ClaudeCodeError::NoHome) } else { Ok(()) }
        });
        assert!(failed.is_err());
        assert_eq!(take_events(&spool).len(), 2);
    }

    #[test]
    fn hostile_files_are_put_aside_and_hold_nobody_up() {
        let (_home, spool) = spool();
        spool.add(&event(HookEvent::Stop, "2026-03-01T10:00:01Z")).unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(spool.directory().join(name), bytes).unwrap();
        write("00000000000000-1-0.json", b"");
        write("00000000000000-1-1.json", b"{\"version\":1,\"event\":\"Stop\",\"session_id\":\"../../etc\",\"at\":\"2026-03-01T10:00:00Z\"}");
        write(
            "00000000000000-1-2.json",
            b"{\"version\":2,\"event\":\"Stop\",\"session_id\":\"a\",\"at\":\"2026-03-01T10:00:00Z\"}",
        );
        write("zz.json", &vec![b'['; 200_000]);
        write(".half.json", b"{");
        assert_eq!(take_events(&spool), [HookEvent::Stop]);
        assert_eq!(spool.counts().unwrap(), SpoolCounts { events: 0, refused: 4 });
        let later = Timestamp::now() + Duration::from_secs(7200);
        spool.collect(Duration::from_secs(3600), later).unwrap();
        assert_eq!(fs::read_dir(spool.directory()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_put_aside_and_hangs_nobody() {
        let (_home, spool) = spool();
        spool.add(&event(HookEvent::Stop, "2026-03-01T10:00:01Z")).unwrap();
        let path = |name: &str| spool.directory().join(name);
        fs::create_dir_all(path("00000000000000-1-0.json/inside")).unwrap();
        fs::create_dir_all(path("00000000000000-1-0.json.refused/inside")).unwrap();
        fs::create_dir(path("00000000000000-1-1.json")).unwrap();
        let made =
            std::process::Command::new("mkfifo").arg(path("00000000000000-1-2.json")).status().unwrap();
        assert!(made.success());
        let elsewhere = path("elsewhere");
        fs::write(
            &elsewhere,
            serde_json::to_vec(&event(HookEvent::SessionEnd, "2026-03-01T10:00:02Z")).unwrap(),
        )
        .unwrap();
        std::os::unix::fs::symlink(&elsewhere, path("00000000000000-1-3.json")).unwrap();
        assert_eq!(take_events(&spool), [HookEvent::Stop]);
        assert_eq!(take_events(&spool), []);
        assert_eq!(spool.counts().unwrap(), SpoolCounts { events: 1, refused: 4 });
        spool.trim(0).unwrap();
        spool.collect(Duration::ZERO, Timestamp::now() + Duration::from_secs(7200)).unwrap();
        assert!(path("00000000000000-1-0.json/inside").is_dir(), "nobody here made it");
        assert!(elsewhere.is_file());
    }

    #[test]
    fn events_nobody_comes_for_do_not_pile_up() {
        let (_home, spool) = spool();
        for second in [3, 1, 2, 4] {
            spool.add(&event(HookEvent::Stop, &format!("2026-03-01T10:00:0{second}Z"))).unwrap();
        }
        spool.trim(4).unwrap();
        assert_eq!(spool.counts().unwrap().events, 4);
        spool.trim(3).unwrap();
        let mut times = Vec::new();
        spool
            .take_in(&mut |event| {
                times.push(event.at.to_string());
                Ok(())
            })
            .unwrap();
        assert_eq!(times, ["2026-03-01T10:00:02Z", "2026-03-01T10:00:03Z", "2026-03-01T10:00:04Z"]);
    }

    #[cfg(unix)]
    #[test]
    fn files_are_for_the_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let (_home, spool) = spool();
        let path = spool.add(&event(HookEvent::Stop, "2026-03-01T10:00:01Z")).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(spool.directory())), (0o600, 0o700));
    }
}
