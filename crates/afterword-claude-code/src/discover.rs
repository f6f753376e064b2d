//! Finding transcripts without reading them.
//!
//! It owns the layout: `projects/<folder>/<session>.jsonl`, and of sub-agents `<session>/subagents/**/*.jsonl` or
//! `agent-<id>.jsonl` beside the sessions. It looks at names, sizes and times only. It does not say which project a
//! file belongs to: a folder's name cannot be turned back into a path. Start at [`discover`].

use std::collections::HashSet;
use std::fs::{self, DirEntry, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::home::{MEMORY, PROJECTS};

/// What the name of a sub-agent's transcript begins with.
const AGENT: &str = "agent-";
/// What the name of a transcript ends with.
const ENDING: &str = ".jsonl";
/// The folder of a session that holds its sub-agents' transcripts.
const SUBAGENTS: &str = "subagents";
/// Deepest folder looked into below `subagents`; the client makes one.
const MAX_DEPTH: usize = 3;

/// Whether a file beside the sessions is a sub-agent's by its name.
pub fn is_named_as_subagent(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(AGENT.as_bytes()))
}

/// Whether a file has the name of a transcript.
pub fn is_named_as_transcript(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(ENDING.as_bytes()))
}

/// Whether a transcript is a sub-agent's, by its place: below `subagents`, however deep, of a session in `projects`.
pub fn is_below_subagents(transcript: &Path) -> bool {
    let folders = transcript.ancestors().skip(1).filter_map(Path::file_name);
    folders.take_while(|folder| *folder != PROJECTS).any(|folder| folder == SUBAGENTS)
}

/// Whose transcript a file is, by its name and place alone; `None` where its name is no transcript's.
pub fn role_of(transcript: &Path) -> Option<Role> {
    let stem = transcript.file_name()?.to_str()?.strip_suffix(ENDING)?;
    let subagents = transcript.ancestors().skip(1).find(|folder| folder.ends_with(SUBAGENTS));
    let session = subagents.and_then(Path::parent).and_then(Path::file_name).and_then(|name| name.to_str());
    let agent = stem.strip_prefix(AGENT);
    Some(match (session, agent) {
        (None, None) => Role::Session { id: stem.to_owned() },
        (session, agent) => {
            Role::Subagent { agent: agent.unwrap_or(stem).to_owned(), session: session.map(str::to_owned) }
        }
    })
}

/// `<session>.jsonl` for `<session>/subagents/**.jsonl`, when there is one.
pub fn parent_session(path: &Path) -> Option<PathBuf> {
    let subagents = path.ancestors().skip(1).find(|folder| folder.ends_with(SUBAGENTS))?;
    let session = subagents.parent()?;
    let mut name = session.file_name()?.to_owned();
    name.push(ENDING);
    Some(session.with_file_name(name)).filter(|path| path.is_file())
}

/// A transcript as the directory lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whose it is.
    pub role: Role,
    /// Bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: Option<Timestamp>,
}

/// Whose transcript a file is, by its name and place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// A session's; the id is the file's name.
    Session {
        /// The session's id.
        id: String,
    },
    /// A sub-agent's.
    Subagent {
        /// The agent's id.
        agent: String,
        /// The session it worked for, where the place says it; else the entries' `sessionId` does.
        session: Option<String>,
    },
}

/// Something that could not be looked at, or is not what its name says.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct Problem {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub kind: ProblemKind,
}

/// What is wrong with a path.
#[derive(Debug, thiserror::Error)]
pub enum ProblemKind {
    /// A directory could not be listed.
    #[error("cannot be listed: {0}")]
    Unlistable(io::Error),
    /// A file or a link could not be looked at: no permission, a dangling link, a loop of links.
    #[error("cannot be looked at: {0}")]
    Unreachable(io::Error),
    /// Named like a transcript, but a directory, a socket, a pipe or a device.
    #[error("is named like a transcript but is no regular file")]
    NotAFile,
    /// A directory that was already visited under another name.
    #[error("is another name of a directory already visited")]
    Again,
    /// Folders nested deeper than any client makes them.
    #[error("is nested too deep")]
    TooDeep,
    /// A name that is not Unicode: none the client makes, and none the database can hold.
    #[error("has a name that is not valid Unicode")]
    NotUnicode,
}

impl ProblemKind {
    /// What a person can do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Unlistable(_) | Self::Unreachable(_) => "give yourself the right to read there",
            Self::NotAFile => "move it away; it is not read",
            Self::Again => "nothing has to be done: the sessions there are read once",
            Self::TooDeep => "move it further up; what lies in it is not read",
            Self::NotUnicode => "rename it; what lies in it is not read until then",
        }
    }

    /// Whether sessions that were found before may be behind it: else one that is not found is not there.
    pub fn may_hide_sessions(&self) -> bool {
        // Of a name that is not Unicode none was ever found.
        !matches!(self, Self::NotUnicode)
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct FoundTranscripts {
    /// The transcripts, ordered by path.
    pub transcripts: Vec<TranscriptFile>,
    /// Those of which another directory has all, and perhaps more ([`crate::ClaudeDirs::discover`]).
    pub repeated: Vec<TranscriptFile>,
    /// What could not be looked at; everything else was.
    pub problems: Vec<Problem>,
}

/// Finds every transcript under a `projects` directory (see [`crate::ClaudeHome::projects`]). One that does not exist
/// has none.
///
/// Links to directories are followed, each directory once. Nothing is opened but directories.
pub fn discover(projects: &Path) -> FoundTranscripts {
    let mut walk = Walk::default();
    match fs::metadata(projects) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => walk.problem(projects, ProblemKind::Unreachable(error)),
        Ok(_) if projects.to_str().is_none() => walk.problem(projects, ProblemKind::NotUnicode),
        Ok(_) => {
            let entries = walk.list(projects);
            for folder in walk.directories(projects, &entries) {
                walk.project(&folder);
            }
        }
    }
    let mut found = walk.found;
    found.transcripts.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    found
}

#[derive(Default)]
struct Walk {
    found: FoundTranscripts,
    /// Real paths of directories, kept only where there are links.
    visited: HashSet<PathBuf>,
}

impl Walk {
    fn problem(&mut self, path: &Path, kind: ProblemKind) {
        self.found.problems.push(Problem { path: path.to_owned(), kind });
    }

    fn list(&mut self, directory: &Path) -> Vec<DirEntry> {
        let mut entries = Vec::new();
        match fs::read_dir(directory) {
            Err(error) => self.problem(directory, ProblemKind::Unlistable(error)),
            Ok(listing) => {
                for entry in listing {
                    match entry {
                        Ok(entry) => entries.push(entry),
                        Err(error) => {
                            self.problem(directory, ProblemKind::Unlistable(error));
                            break;
                        }
                    }
                }
            }
        }
        entries
    }

    /// The directories among a folder's entries, and behind links those not yet visited.
    fn directories(&mut self, folder: &Path, entries: &[DirEntry]) -> Vec<PathBuf> {
        let (mut real, mut links) = (Vec::new(), Vec::new());
        for entry in entries {
            match self.kind(entry) {
                Some(kind) if kind.is_dir() => real.push(entry.path()),
                Some(kind) if kind.is_symlink() => links.push(entry.path()),
                _ => {}
            }
        }
        if links.is_empty() {
            return real;
        }
        self.visited.extend(real.iter().filter_map(|path| path.canonicalize().ok()));
        let parent = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        for link in links {
            match link.canonicalize() {
                Err(error) => self.problem(&link, ProblemKind::Unreachable(error)),
                Ok(target) if !target.is_dir() => {}
                Ok(target) if parent.starts_with(&target) || !self.visited.insert(target.clone()) => {
                    self.problem(&link, ProblemKind::Again);
                }
                Ok(_) => real.push(link),
            }
        }
        real
    }

    fn kind(&mut self, entry: &DirEntry) -> Option<FileType> {
        entry.file_type().map_err(|error| self.problem(&entry.path(), ProblemKind::Unreachable(error))).ok()
    }

    fn project(&mut self, folder: &Path) {
        if folder.to_str().is_none() {
            return self.problem(folder, ProblemKind::NotUnicode);
        }
        let (files, others) = split(self.list(folder));
        for (entry, stem) in files {
            let role = match stem.strip_prefix(AGENT) {
                Some(agent) => Role::Subagent { agent: agent.to_owned(), session: None },
                None => Role::Session { id: stem },
            };
            self.file(&entry, role);
        }
        for session in self.directories(folder, &others) {
            self.session_folder(&session);
        }
    }

    /// A session's folder holds its sub-agents, and other things that are no transcripts.
    fn session_folder(&mut self, folder: &Path) {
        let Some(session) = folder.file_name().and_then(|name| name.to_str()).filter(|name| *name != MEMORY)
        else {
            return;
        };
        let subagents = folder.join(SUBAGENTS);
        match fs::metadata(&subagents) {
            Ok(metadata) if metadata.is_dir() => self.subagents(&subagents, session, 0),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.problem(&subagents, ProblemKind::Unreachable(error)),
        }
    }

    fn subagents(&mut self, folder: &Path, session: &str, depth: usize) {
        if folder.to_str().is_none() {
            return self.problem(folder, ProblemKind::NotUnicode);
        }
        if depth > MAX_DEPTH {
            return self.problem(folder, ProblemKind::TooDeep);
        }
        let (files, others) = split(self.list(folder));
        for (entry, stem) in files {
            let agent = stem.strip_prefix(AGENT).unwrap_or(&stem).to_owned();
            self.file(&entry, Role::Subagent { agent, session: Some(session.to_owned()) });
        }
        for inner in self.directories(folder, &others) {
            self.subagents(&inner, session, depth + 1);
        }
    }

    fn file(&mut self, entry: &DirEntry, role: Role) {
        let path = entry.path();
        // A listing tells files from links for nothing; only a link needs a second look.
        let metadata = match entry.metadata() {
            Ok(metadata) if metadata.is_symlink() => fs::metadata(&path),
            other => other,
        };
        match metadata {
            Err(error) => self.problem(&path, ProblemKind::Unreachable(error)),
            Ok(metadata) if !metadata.is_file() => self.problem(&path, ProblemKind::NotAFile),
            Ok(metadata) => {
                let (size, modified) = (metadata.len(), modified(&metadata));
                self.found.transcripts.push(TranscriptFile { path, role, size, modified });
            }
        }
    }
}

/// Entries named like transcripts, with their names' stems, and all others. A name that is not Unicode is none the
/// client makes.
fn split(entries: Vec<DirEntry>) -> (Vec<(DirEntry, String)>, Vec<DirEntry>) {
    let (mut files, mut others) = (Vec::new(), Vec::new());
    for entry in entries {
        let name = entry.file_name();
        match name.to_str().and_then(|name| name.strip_suffix(ENDING)) {
            Some(stem) => files.push((entry, stem.to_owned())),
            None => others.push(entry),
        }
    }
    (files, others)
}

/// A file's modification time, where the system and its calendar have one.
fn modified(metadata: &Metadata) -> Option<Timestamp> {
    Timestamp::try_from(metadata.modified().ok()?).ok()
}
