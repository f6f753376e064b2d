//! Which session a process was started in: what an agent that calls Afterword means by "this session".

use std::path::{Path, PathBuf};

use afterword_core::SessionId;
use afterword_platform::process;

use crate::repository::project_folder;
use crate::session_location::session_location;
use crate::sessions::{Transcript, discover, is_client_transcript};
use crate::{App, Error};
use afterword_claude_code::markers::Markers;

/// So far up the client is looked for.
const NEAREST: usize = 8;
/// So many of the latest transcripts are looked into for the project.
const LATEST: usize = 20;
/// Longer folder names are cut by Claude Code, and end with a hash.
const LONGEST_FOLDER: usize = 200;

/// A session that goes on around this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentSession {
    /// The session.
    pub session: SessionId,
    /// Its transcript below Claude Code's `projects`, where it is known.
    pub transcript: Option<PathBuf>,
}

/// The session whose client started this process: by the marker its hook left, else the one of the project in
/// `directory` that was written to last. `None` where there is no such session.
///
/// # Errors
/// [`Error::Io`].
pub fn current_session(app: &App, directory: &Path) -> Result<Option<CurrentSession>, Error> {
    let above: Vec<_> = process::ancestors(NEAREST).into_iter().map(|one| one.identity).collect();
    let started_here = |client: &Option<process::ProcessIdentity>| {
        client.as_ref().is_some_and(|client| above.contains(client))
    };
    let open = Markers::new(&app.paths).open()?;
    // The latest: one client begins a new session at `/clear`.
    if let Some((session, marker)) = open.into_iter().rev().find(|(_, marker)| started_here(&marker.client)) {
        let is_client_transcript = |path: &PathBuf| is_client_transcript(app.claude(), path);
        let transcript = marker.transcript_path.filter(is_client_transcript);
        let transcript = transcript.and_then(|path| app.claude().followed_path(&path));
        return Ok(Some(CurrentSession { session, transcript }));
    }
    let mut transcripts = discover(app.claude()).transcripts;
    transcripts.sort_by_key(|transcript| std::cmp::Reverse(transcript.fingerprint.mtime_ns));
    let named = directory.to_string_lossy();
    let here = project_folder(&named, &app.config.folders);
    let folder = folder_of(directory);
    let of_this_project = |(at, transcript): &(usize, Transcript)| {
        // Claude Code's own folder for the directory tells without a look into the file, which may not say where it was.
        if is_in_folder(&transcript.path, &folder) {
            return true;
        }
        let place =
            (*at < LATEST).then(|| session_location(&transcript.path, &app.config.folders)).transpose();
        place.unwrap_or_default().flatten().is_some_and(|place| place.project.as_str() == here)
    };
    let found = transcripts.into_iter().enumerate().find(of_this_project);
    Ok(found.map(|(_, one)| CurrentSession { session: one.session, transcript: Some(one.path) }))
}

/// The folder that Claude Code keeps the sessions of a directory in: every sign that is neither a letter nor a digit becomes `-`.
/// Of a long path only the beginning is told, as what follows is a hash.
fn folder_of(directory: &Path) -> String {
    let name = directory.to_string_lossy();
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(LONGEST_FOLDER).collect()
}

fn is_in_folder(transcript: &Path, folder: &str) -> bool {
    let name =
        transcript.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
    name == folder || folder.len() == LONGEST_FOLDER && name.starts_with(folder)
}
