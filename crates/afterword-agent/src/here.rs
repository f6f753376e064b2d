//! Which session a process was started in: what an agent that calls Afterword means by "this session".

use std::path::{Path, PathBuf};

use afterword_core::SessionId;

use crate::head::place;
use crate::markers::Markers;
use crate::sessions::{discover, is_client_transcript};
use crate::{Agent, Error, process};

/// So far up the client is looked for.
const NEAREST: usize = 8;
/// So many of the latest transcripts are looked into for the project.
const LATEST: usize = 20;

/// A session that goes on around this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Here {
    /// The session.
    pub session: SessionId,
    /// Its transcript below Claude Code's `projects`, where it is known.
    pub transcript: Option<PathBuf>,
}

impl Agent {
    /// The session whose client started this process: by the marker its hook left, else the one of the project in
    /// `directory` that was written to last. `None` where there is no such session.
    ///
    /// # Errors
    /// What the file system said.
    pub fn session_here(&self, directory: &Path) -> Result<Option<Here>, Error> {
        let above: Vec<_> = process::ancestors(NEAREST).into_iter().map(|one| one.identity).collect();
        let started_here = |client: &Option<process::ProcessIdentity>| {
            client.as_ref().is_some_and(|client| above.contains(client))
        };
        let open = Markers::new(&self.paths).open()?;
        // The latest: one client begins a new session at `/clear`.
        if let Some((session, marker)) =
            open.into_iter().rev().find(|(_, marker)| started_here(&marker.client))
        {
            let is_client_transcript = |path: &PathBuf| is_client_transcript(&self.claude, path);
            let transcript = marker.transcript_path.filter(is_client_transcript);
            return Ok(Some(Here { session, transcript }));
        }
        let mut transcripts = discover(&self.claude).transcripts;
        transcripts.sort_by_key(|transcript| std::cmp::Reverse(transcript.fingerprint.mtime_ns));
        let of_this_project = |path: &Path| {
            let place = place(path, &self.config.folders).unwrap_or_default();
            place.is_some_and(|place| Path::new(place.project.as_str()) == directory)
        };
        let found = transcripts.into_iter().take(LATEST).find(|transcript| of_this_project(&transcript.path));
        Ok(found.map(|one| Here { session: one.session, transcript: Some(one.path) }))
    }
}
