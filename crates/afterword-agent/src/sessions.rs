//! Claude Code's sessions: finding them, finding one by what the user typed, and listing them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use afterword_core::{ProjectKey, SessionId};
use afterword_store::Fingerprint;
use afterword_transcript::error::TranscriptError;

use crate::Error;

/// A session's own transcript file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The file, absolute.
    pub path: PathBuf,
    /// The session, by the file's name.
    pub session: SessionId,
    /// Its size and time.
    pub fingerprint: Fingerprint,
}

/// What was found below Claude Code's directory.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The sessions, by path.
    pub transcripts: Vec<Transcript>,
    /// Folders and files that could not be looked at.
    pub problems: Vec<TranscriptError>,
}

/// Finds every session below Claude Code's directory.
pub(crate) fn discover(claude: &Path) -> Result<Discovery, Error> {
    let mut found = Discovery::default();
    let Ok(projects) = fs::read_dir(claude.join("projects")) else { return Ok(found) };
    for project in projects.flatten() {
        let Ok(files) = fs::read_dir(project.path()) else { continue };
        for file in files.flatten() {
            let path = file.path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.transcripts.extend(transcript(&path).ok());
            }
        }
    }
    Ok(found)
}

/// Finds one session by a transcript's path, by its id, or by the start of its id.
pub(crate) fn find(claude: &Path, working_directory: &Path, argument: &str) -> Result<Transcript, Error> {
    let path = working_directory.join(argument);
    let looks_like_a_path = argument.contains(['/', '\\']) || argument.ends_with(".jsonl");
    if looks_like_a_path || path.exists() {
        return transcript(&path);
    }
    let fits = |transcript: &Transcript| transcript.session.as_str().starts_with(argument);
    let mut fitting: Vec<_> = discover(claude)?.transcripts.into_iter().filter(fits).collect();
    if let Some(exact) = fitting.iter().position(|transcript| transcript.session.as_str() == argument) {
        return Ok(fitting.swap_remove(exact));
    }
    match fitting.len() {
        0 => Err(Error::NoSuchSession { argument: argument.to_owned() }),
        1 => Ok(fitting.swap_remove(0)),
        _ => {
            let sessions = fitting.iter().take(5).map(|transcript| transcript.session.to_string()).collect();
            Err(Error::AmbiguousSession { argument: argument.to_owned(), count: fitting.len(), sessions })
        }
    }
}

/// The project of a session: the working directory of its first entry that has one. Reads no further than that.
pub(crate) fn first_project(path: &Path) -> Result<Option<ProjectKey>, Error> {
    let mut cwd = None;
    let report = afterword_transcript::scan(path, None, &mut |_| {})?;
    cwd = cwd.or(report.first_cwd);
    Ok(cwd.map(|cwd| ProjectKey::from_cwd(&cwd)))
}

fn transcript(path: &Path) -> Result<Transcript, Error> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::NotATranscript { path: path.to_owned(), problem: "there is no such file" });
        }
        Err(source) => {
            return Err(Error::Io { path: path.to_owned(), action: "look at the transcript", source });
        }
    };
    if metadata.is_dir() {
        let problem = "a folder, not a transcript";
        return Err(Error::NotATranscript { path: path.to_owned(), problem });
    }
    if !metadata.is_file() {
        let problem = "not a regular file";
        return Err(Error::NotATranscript { path: path.to_owned(), problem });
    }
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let mtime_ns = modified.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0);
    Ok(Transcript {
        path: path.to_owned(),
        session: session_of(path),
        fingerprint: Fingerprint { size: metadata.len(), mtime_ns },
    })
}

/// The session that a file's name tells; characters no id has are replaced.
fn session_of(path: &Path) -> SessionId {
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
