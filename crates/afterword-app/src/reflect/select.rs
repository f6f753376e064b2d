//! Which sessions to read: the one asked for, or those that changed, without opening any that did not.

use std::path::PathBuf;

use afterword_core::SessionId;
use afterword_store::{Fingerprint, Store, TranscriptOutcome};
use jiff::Timestamp;

use super::Target;
use crate::known_transcripts::{RenamedTranscript, known_transcripts, renamed_transcript};
use crate::sessions::{self, Transcript, is_current};
use crate::{App, EngineName, Error};

/// A transcript to read.
#[derive(Debug, Clone)]
pub(crate) struct SelectedTranscript {
    pub(crate) path: PathBuf,
    pub(crate) session: SessionId,
    pub(crate) fingerprint: Fingerprint,
}

/// What to read, oldest first, and what not.
#[derive(Debug, Default)]
pub(super) struct Selection {
    pub(super) chosen: Vec<SelectedTranscript>,
    pub(super) unchanged: usize,
    pub(super) excluded: usize,
    pub(super) own: usize,
    /// Those that were read under another path; also the ones that are not to be read.
    pub(super) renamed: Vec<RenamedTranscript>,
}

impl Selection {
    pub(super) fn bytes(&self) -> u64 {
        self.chosen.iter().map(|selected| selected.fingerprint.size).sum()
    }
}

pub(super) fn select(
    app: &App,
    target: &Target,
    engine: EngineName,
    store: Option<&Store>,
) -> Result<Selection, Error> {
    match target {
        Target::One(argument) => {
            let transcript = find_one(app, argument)?;
            let renamed = store.map(|store| renamed_transcript(store, &transcript)).transpose()?.flatten();
            let renamed = renamed.into_iter().collect();
            Ok(Selection { chosen: vec![to_selected(transcript)], renamed, ..Selection::default() })
        }
        Target::Changed { since } => select_changed(app, *since, engine, store),
    }
}

/// The transcripts that would be read.
pub(crate) fn select_paths(
    app: &App,
    target: &Target,
    engine: EngineName,
    store: Option<&Store>,
) -> Result<Vec<PathBuf>, Error> {
    let chosen = select(app, target, engine, store)?.chosen;
    Ok(chosen.into_iter().map(|selected| selected.path).collect())
}

pub(super) fn select_one(app: &App, argument: &str) -> Result<SelectedTranscript, Error> {
    find_one(app, argument).map(to_selected)
}

pub(super) fn find_one(app: &App, argument: &str) -> Result<Transcript, Error> {
    sessions::find(app.claude(), &app.environment.working_directory, argument)
}

fn select_changed(
    app: &App,
    since: Option<Timestamp>,
    engine: EngineName,
    store: Option<&Store>,
) -> Result<Selection, Error> {
    let transcripts = sessions::discover(app.claude()).transcripts;
    let known = store.map(|store| known_transcripts(store, transcripts.iter())).transpose()?;
    let (known, renamed) = known.unwrap_or_default();
    let forgotten = store.map(|store| store.forgotten_sessions().all()).transpose()?.unwrap_or_default();
    let since = since.map_or(i128::MIN, Timestamp::as_nanosecond);
    let vault = app.vault_root();
    let mut selection = Selection { renamed, ..Selection::default() };
    for transcript in transcripts {
        if i128::from(transcript.fingerprint.mtime_ns) < since {
            continue;
        }
        match known.get(&transcript.path) {
            _ if forgotten.contains(&transcript.session) => selection.excluded += 1,
            Some(known) if known.outcome == TranscriptOutcome::Own => selection.own += 1,
            Some(known)
                if known.project.as_ref().is_some_and(|project| app.config.exclude.covers(project)) =>
            {
                selection.excluded += 1;
            }
            Some(known) if is_current(known, &transcript, &vault) && known.engine == engine.as_str() => {
                selection.unchanged += 1;
            }
            _ => selection.chosen.push(to_selected(transcript)),
        }
    }
    // Oldest first: Claude Code deletes those first, and a pattern's first sighting comes before its third.
    selection.chosen.sort_by(|one, other| {
        (one.fingerprint.mtime_ns, &one.path).cmp(&(other.fingerprint.mtime_ns, &other.path))
    });
    Ok(selection)
}

fn to_selected(transcript: Transcript) -> SelectedTranscript {
    let Transcript { path, session, fingerprint, .. } = transcript;
    SelectedTranscript { path, session, fingerprint }
}

impl SelectedTranscript {
    pub(super) fn of(transcript: &Transcript) -> Self {
        to_selected(transcript.clone())
    }
}
