//! Copies of transcripts that outlast Claude Code's own deletion: where they are, and which there are.
//!
//! A copy lies below the archive's folder where its transcript lies below Claude Code's `projects`, compressed (zstd, with a
//! checksum); those of other directories of Claude Code lie in a folder that names theirs. A copy is byte for byte the transcript, with its time. The file itself says all there is to know: its name which transcript
//! it is of, its frame how large that was, its time when it was last written. So there is no record beside it that could
//! disagree with it. A copy is written aside, flushed, and renamed: there is a whole one or none.
//!
//! It is made only where the person wants it (`archive.sessions`). Start reading at [`crate::archive::copying::archive_sessions`] in `copying`;
//! `restoring` gives the bytes back.

mod copying;
mod restoring;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use afterword_claude_code::ClaudeHome;
use afterword_claude_code::discover::{Role, role_of};
use afterword_core::SessionId;
use afterword_platform::files::remove_if_there;
use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::{App, Error};

pub use copying::{ArchiveReport, archive_sessions};
pub(crate) use restoring::restore_temporarily;
pub use restoring::{RestoreReport, RestoredFile, restore_session};

/// What a copy's name ends with, after its transcript's.
const ENDING: &str = ".zst";
/// Where copies are written before they are whole.
const UNFINISHED: &str = ".unfinished";
/// What the folder with the copies of another of Claude Code's directories begins with; no project's folder does.
const ELSEWHERE: char = '@';
/// What of a directory's path stands in that folder's name as `%2F`.
const NOT_IN_NAMES: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');
/// A copy takes about one part in so many of its transcript's size (`docs/performance.md`).
pub const RATIO: u64 = 8;

/// The copies.
#[derive(Debug, Clone)]
pub(crate) struct Archive {
    root: PathBuf,
    /// Claude Code's directory of which the copies lie in the archive's own folder.
    usual: ClaudeHome,
    /// Its other directories.
    others: Vec<ClaudeHome>,
}

/// A copy of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionCopy {
    /// The copy.
    pub(crate) path: PathBuf,
    /// Where the transcript is, or was.
    pub(crate) transcript: PathBuf,
    /// The same below `projects`.
    below: PathBuf,
    /// The session; for a sub-agent's transcript its parent's, where its place tells.
    pub(crate) session: String,
    /// The sub-agent; empty in a session's own transcript.
    pub(crate) agent: String,
    /// Bytes of the transcript.
    pub(crate) bytes: u64,
    /// Bytes of the copy.
    pub(crate) compressed: u64,
    /// When the transcript was last written.
    pub(crate) modified: Option<Timestamp>,
}

/// What the archive holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ArchiveStatus {
    /// The person wants copies.
    pub wanted: bool,
    /// Copies, those of sub-agents' transcripts among them.
    pub copies: usize,
    /// Sessions that have one.
    pub sessions: usize,
    /// Bytes of the transcripts.
    pub bytes: u64,
    /// Bytes of the copies.
    pub compressed: u64,
    /// Bytes that the copies may take.
    pub limit: u64,
}

pub(crate) fn archive(app: &App) -> Archive {
    let usual = app.claude().usual().clone();
    let others = app.claude().iter().filter(|home| **home != usual).cloned().collect();
    Archive { root: app.paths.state.join("archive"), usual, others }
}

/// Says what the archive holds.
///
/// # Errors
/// [`Error::Io`].
pub fn archive_status(app: &App) -> Result<ArchiveStatus, Error> {
    let copies = archive(app).copies()?;
    let mut sessions: Vec<&str> = copies.iter().map(|copy| copy.session.as_str()).collect();
    sessions.sort_unstable();
    sessions.dedup();
    Ok(ArchiveStatus {
        wanted: app.config.archive.sessions,
        copies: copies.len(),
        sessions: sessions.len(),
        bytes: copies.iter().map(|copy| copy.bytes).sum(),
        compressed: copies.iter().map(|copy| copy.compressed).sum(),
        limit: app.config.archive.limit,
    })
}

impl Archive {
    /// Every copy, in no order that matters. What is no copy is passed over.
    pub(crate) fn copies(&self) -> Result<Vec<SessionCopy>, Error> {
        let mut copies = Vec::new();
        let mut open = vec![self.root.clone()];
        while let Some(folder) = open.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(source) => return Err(Error::Io { path: folder, action: "list the archive", source }),
            };
            for entry in entries.flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && entry.file_name() != UNFINISHED => open.push(entry.path()),
                    Ok(kind) if kind.is_file() => copies.extend(self.copy(&entry.path())),
                    _ => {}
                }
            }
        }
        Ok(copies)
    }

    /// The copies of a session: its own transcript's first, then those of its sub-agents.
    pub(crate) fn of_session(&self, session: &str) -> Result<Vec<SessionCopy>, Error> {
        let mut copies = self.copies()?;
        copies.retain(|copy| copy.session == session);
        copies.sort_by(|one, other| one.agent.cmp(&other.agent));
        Ok(copies)
    }

    /// The session whose id is, or begins with, what was typed; `None` where there is none or there are several.
    pub(crate) fn find_session(&self, argument: &str) -> Result<Option<String>, Error> {
        let copies = self.copies()?.into_iter();
        let mut fitting: Vec<String> = copies
            .filter(|copy| copy.agent.is_empty() && copy.session.starts_with(argument))
            .map(|copy| copy.session)
            .collect();
        if fitting.iter().any(|session| session == argument) {
            return Ok(Some(argument.to_owned()));
        }
        fitting.dedup();
        Ok(if fitting.len() == 1 { fitting.pop() } else { None })
    }

    /// Removes the copies of sessions; says how many.
    pub(crate) fn remove_sessions(&self, sessions: &[SessionId]) -> Result<usize, Error> {
        let copies = self.copies()?.into_iter();
        let theirs = copies.filter(|copy| sessions.iter().any(|session| session.as_str() == copy.session));
        theirs.map(|copy| self.remove(&copy)).sum()
    }

    fn remove(&self, copy: &SessionCopy) -> Result<usize, Error> {
        remove_if_there(&copy.path).map(usize::from).map_err(|source| Error::Io {
            path: copy.path.clone(),
            action: "remove a copy of a session",
            source,
        })
    }

    /// Where the copy of a transcript is, or would be; `None` for one that lies elsewhere than Claude Code keeps them.
    fn copy_path(&self, transcript: &Path) -> Option<PathBuf> {
        let (folder, below) = match transcript.strip_prefix(self.usual.projects()) {
            Ok(below) => (self.root.clone(), below),
            Err(_) => self.others.iter().find_map(|home| {
                let below = transcript.strip_prefix(home.projects()).ok()?;
                let name = utf8_percent_encode(home.root().to_str()?, NOT_IN_NAMES);
                Some((self.root.join(format!("{ELSEWHERE}{name}")), below))
            })?,
        };
        let mut name = below.file_name()?.to_owned();
        name.push(ENDING);
        Some(folder.join(below).with_file_name(name))
    }

    /// The `projects` whose copies lie where this path is, below the archive's folder, and the rest of the path.
    fn projects_of<'p>(&self, below: &'p Path) -> Option<(PathBuf, &'p Path)> {
        let first = below.iter().next()?.to_str();
        let Some(name) = first.and_then(|first| first.strip_prefix(ELSEWHERE)) else {
            return Some((self.usual.projects(), below));
        };
        let root = percent_decode_str(name).decode_utf8().ok()?;
        let projects = ClaudeHome::resolve(Some((*root).as_ref()), None)?.projects();
        Some((projects, below.strip_prefix(below.iter().next()?).ok()?))
    }

    /// The copy that a file is, by its name, its frame and its time.
    fn copy(&self, path: &Path) -> Option<SessionCopy> {
        let (projects, below) = self.projects_of(path.strip_prefix(&self.root).ok()?)?;
        let below = below.with_file_name(below.file_name()?.to_str()?.strip_suffix(ENDING)?);
        let transcript = projects.join(&below);
        let (session, agent) = match role_of(&transcript)? {
            Role::Session { id } => (id, String::new()),
            Role::Subagent { agent, session } => (session.unwrap_or_default(), agent),
        };
        let metadata = fs::metadata(path).ok()?;
        let modified = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
        let bytes = size_in_frame(path)?;
        Some(SessionCopy {
            path: path.to_owned(),
            transcript,
            below,
            session,
            agent,
            bytes,
            compressed: metadata.len(),
            modified,
        })
    }
}

/// The size that a copy's frame tells.
fn size_in_frame(path: &Path) -> Option<u64> {
    // The header of a frame is never longer.
    let mut header = Vec::new();
    File::open(path).ok()?.take(18).read_to_end(&mut header).ok()?;
    zstd::zstd_safe::get_frame_content_size(&header).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_of_a_copy_tells_whose_it_is() {
        let home = tempfile::tempdir().unwrap();
        let claude = |root: PathBuf| ClaudeHome::resolve(Some(root.as_os_str()), None).unwrap();
        let work = claude(home.path().join("work % caf\u{e9}"));
        let usual = claude(home.path().to_owned());
        let root = home.path().join("archive");
        let archive = Archive { root, usual: usual.clone(), others: vec![work.clone()] };
        let check_in = |projects: PathBuf, transcript: &str, expected: (&str, &str)| {
            let transcript = projects.join(transcript);
            let place = archive.copy_path(&transcript).unwrap();
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(&place, zstd::bulk::compress(b"twelve bytes", 3).unwrap()).unwrap();
            let copy = archive.copy(&place).unwrap();
            assert_eq!((copy.session.as_str(), copy.agent.as_str()), expected);
            assert_eq!((copy.transcript, copy.bytes), (transcript, 12));
        };
        let check = |transcript: &str, expected| check_in(usual.projects(), transcript, expected);
        check("-home-ada/6f3a.jsonl", ("6f3a", ""));
        check("-home-ada/6f3a/subagents/agent-77.jsonl", ("6f3a", "77"));
        check("-home-ada/6f3a/subagents/deep/agent-78.jsonl", ("6f3a", "78"));
        check("-home-ada/agent-79.jsonl", ("", "79"));
        assert_eq!(archive.copy_path(Path::new("/elsewhere/6f3a.jsonl")), None);
        check_in(work.projects(), "-home-ada/8b1c.jsonl", ("8b1c", ""));
        check_in(work.projects(), "-home-ada/8b1c/subagents/agent-80.jsonl", ("8b1c", "80"));
        assert_eq!(archive.copies().unwrap().len(), 6);
        assert_eq!(archive.of_session("6f3a").unwrap().len(), 3);
        assert_eq!(archive.of_session("8b1c").unwrap().len(), 2);
        assert_eq!(archive.remove_sessions(&[SessionId::parse("8b1c").unwrap()]).unwrap(), 2);
        assert_eq!(archive.find_session("6f").unwrap().as_deref(), Some("6f3a"));
        assert_eq!(archive.remove_sessions(&[SessionId::parse("6f3a").unwrap()]).unwrap(), 3);
        fs::write(archive.root.join("-home-ada/no-copy.jsonl.zst"), "broken").unwrap();
        assert_eq!(archive.copies().unwrap().len(), 1);
    }
}
