//! Making copies, the latest sessions first, and removing those for which there is no room.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;

use afterword_claude_code::discover::TranscriptFile;
use afterword_core::SessionId;
use afterword_platform::files::{
    create_private_directory, flush_names, open_private_file, open_regular_file, put_in_place,
};
use jiff::Timestamp;

use super::{Archive, RATIO, SessionCopy, UNFINISHED, restoring};
use crate::pause::Pause;
use crate::session_location::{place_in, session_location};
use crate::{App, Error, excluded};

/// As small as it gets at some 40 MB a second; ten percent smaller than the fastest that is as good to read.
const LEVEL: i32 = 9;
/// Bytes that are compressed between two rests.
const PIECE: usize = 256 * 1024;

/// What copying did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveReport {
    /// Copies that were made, or made anew.
    pub copied: usize,
    /// Bytes of their transcripts.
    pub bytes: u64,
    /// Copies that were removed: there was no room for them, or they are excluded or forgotten.
    pub removed: usize,
    /// What could not be copied, and why.
    pub problems: Vec<String>,
}

/// A transcript, or a copy of one that is gone.
struct Item {
    modified: Option<Timestamp>,
    transcript: Option<TranscriptFile>,
    copy: Option<SessionCopy>,
}

/// Copies every session that changed, where the person wants it, and keeps to the limit; `None` where another process is
/// at it. Copies of what is excluded or forgotten are removed in any case.
///
/// # Errors
/// [`Error::Store`] or [`Error::Io`]. A session that cannot be copied is no error: it is told.
pub fn archive_sessions(app: &App, pause: &mut dyn Pause) -> Result<Option<ArchiveReport>, Error> {
    let archive = super::archive(app);
    if !app.config.archive.sessions && !archive.root.is_dir() {
        return Ok(Some(ArchiveReport::default()));
    }
    let failed = |source| Error::Io { path: archive.root.clone(), action: "open the archive", source };
    create_private_directory(&archive.root).map_err(failed)?;
    let lock = open_private_file(&archive.root.join(".lock")).map_err(failed)?;
    if lock.try_lock().is_err() {
        return Ok(None);
    }
    clear_unfinished(&archive).map_err(failed)?;
    let mut done = ArchiveReport::default();
    let copies = without_hidden(app, &archive, &mut done)?;
    if app.config.archive.sessions {
        keep_to_limit(app, &archive, copies, pause, &mut done)?;
    }
    Ok(Some(done))
}

/// Removes the copies of what is excluded or forgotten by now; gives the others.
fn without_hidden(app: &App, archive: &Archive, done: &mut ArchiveReport) -> Result<Vec<SessionCopy>, Error> {
    let store = app.existing_store()?;
    let forgotten = store.map(|store| store.forgotten_sessions().all()).transpose()?.unwrap_or_default();
    let mut copies = archive.copies()?;
    let mut hidden = Vec::new();
    copies.retain(|copy| {
        let is_forgotten =
            SessionId::parse(&copy.session).is_some_and(|session| forgotten.contains(&session));
        let is_hidden = is_forgotten || (!app.config.exclude.is_empty() && is_hidden_copy(app, copy));
        if is_hidden {
            hidden.push(copy.clone());
        }
        !is_hidden
    });
    for copy in hidden {
        done.removed += archive.remove(&copy)?;
    }
    Ok(copies)
}

fn is_hidden_copy(app: &App, copy: &SessionCopy) -> bool {
    let Ok(reader) = restoring::open(copy) else { return false };
    let place = place_in(reader, &copy.path, &app.config.folders);
    place.ok().flatten().is_some_and(|place| excluded::is_excluded(app, &place))
}

fn keep_to_limit(
    app: &App,
    archive: &Archive,
    copies: Vec<SessionCopy>,
    pause: &mut dyn Pause,
    done: &mut ArchiveReport,
) -> Result<(), Error> {
    let store = app.existing_store()?;
    let forgotten = store.map(|store| store.forgotten_sessions().all()).transpose()?.unwrap_or_default();
    let limit = app.config.archive.limit;
    let mut taken = 0;
    for item in items(app, copies) {
        if !pause.rest() {
            return Ok(());
        }
        let mut copy = item.copy;
        if let Some(transcript) = &item.transcript {
            let is_forgotten = matches!(
                crate::sessions::owner(&transcript.role).0,
                Some(session) if SessionId::parse(&session).is_some_and(|session| forgotten.contains(&session))
            );
            let fits = taken + copy.as_ref().map_or(transcript.size / RATIO, |copy| copy.compressed) <= limit;
            if !is_forgotten && fits && is_outdated(copy.as_ref(), transcript) {
                match copy_session(app, archive, transcript, pause) {
                    Ok(Some(made)) => {
                        done.copied += 1;
                        done.bytes += made.bytes;
                        copy = Some(made);
                    }
                    Ok(None) => {}
                    // Claude Code was quicker.
                    Err(_) if !transcript.path.exists() => {}
                    Err(error) => done.problems.push(error.chain()),
                }
            }
        }
        let Some(copy) = copy else { continue };
        taken += copy.compressed;
        if taken > limit {
            done.removed += archive.remove(&copy)?;
            // Whatever is smaller and older shall not stay in its place.
            taken = limit;
        }
    }
    Ok(())
}

/// Every transcript with its copy, and every copy whose transcript is gone; the latest first.
fn items(app: &App, copies: Vec<SessionCopy>) -> Vec<Item> {
    let mut copies: HashMap<PathBuf, SessionCopy> =
        copies.into_iter().map(|copy| (copy.transcript.clone(), copy)).collect();
    let mut items: Vec<Item> = app
        .claude()
        .discover()
        .transcripts
        .into_iter()
        .map(|file| Item { modified: file.modified, copy: copies.remove(&file.path), transcript: Some(file) })
        .collect();
    items.extend(copies.into_values().map(|copy| Item {
        modified: copy.modified,
        transcript: None,
        copy: Some(copy),
    }));
    items.sort_by_key(|item| std::cmp::Reverse(item.modified));
    items
}

/// Copies one transcript; `None` where nothing of it may be kept, or the work was stopped.
fn copy_session(
    app: &App,
    archive: &Archive,
    transcript: &TranscriptFile,
    pause: &mut dyn Pause,
) -> Result<Option<SessionCopy>, Error> {
    let path = &transcript.path;
    let place = session_location(path, &app.config.folders)?;
    if place.as_ref().is_some_and(|place| excluded::is_excluded_or_own(app, place)) {
        return Ok(None);
    }
    // A copy is the whole file: one that was in an excluded directory on the way is not copied at all.
    if !app.config.exclude.is_empty() && !excluded::excluded_lines(app, path)?.is_empty() {
        return Ok(None);
    }
    copy_file(archive, transcript, pause)
}

/// Whether a transcript is to be copied anew. One that became shorter is not what was copied, and the copy stays.
fn is_outdated(copy: Option<&SessionCopy>, transcript: &TranscriptFile) -> bool {
    copy.is_none_or(|copy| {
        let same_time = copy.modified == transcript.modified;
        transcript.size > copy.bytes || (transcript.size == copy.bytes && !same_time)
    })
}

/// What a process that was killed left.
fn clear_unfinished(archive: &Archive) -> io::Result<()> {
    let folder = archive.root.join(UNFINISHED);
    create_private_directory(&folder)?;
    for entry in fs::read_dir(&folder)? {
        fs::remove_file(entry?.path())?;
    }
    Ok(())
}

/// Copies a transcript as it is now, whole or not at all.
pub(super) fn copy_file(
    archive: &Archive,
    transcript: &TranscriptFile,
    pause: &mut dyn Pause,
) -> Result<Option<SessionCopy>, Error> {
    let Some(place) = archive.copy_path(&transcript.path) else { return Ok(None) };
    let failed = |source| Error::Io { path: transcript.path.clone(), action: "copy the session", source };
    let source = open_regular_file(&transcript.path).map_err(failed)?;
    // What is written to it meanwhile is copied the next time; with the time from before, it is known to differ.
    let metadata = source.metadata().map_err(failed)?;
    let unfinished = archive.root.join(UNFINISHED);
    let mut made = tempfile::NamedTempFile::new_in(&unfinished).map_err(failed)?;
    if !compress(source.take(metadata.len()), made.as_file_mut(), metadata.len(), pause).map_err(failed)? {
        return Ok(None);
    }
    let folder = place.parent().unwrap_or(&archive.root);
    let finish = || -> io::Result<()> {
        made.as_file().set_modified(metadata.modified()?)?;
        made.as_file().sync_all()?;
        create_private_directory(folder)?;
        put_in_place(made, &place)?;
        flush_names(folder)
    };
    finish().map_err(failed)?;
    Ok(archive.copy(&place))
}

/// Compresses exactly `size` bytes, or says that it was stopped; fewer are an error.
fn compress(mut from: impl Read, to: &mut File, size: u64, pause: &mut dyn Pause) -> io::Result<bool> {
    let mut encoder = zstd::Encoder::new(to, LEVEL)?;
    encoder.set_pledged_src_size(Some(size))?;
    encoder.include_contentsize(true)?;
    encoder.include_checksum(true)?;
    let mut piece = vec![0; PIECE];
    loop {
        let read = from.read(&mut piece)?;
        if read == 0 {
            break;
        }
        encoder.write_all(&piece[..read])?;
        if !pause.rest() {
            return Ok(false);
        }
    }
    encoder.finish()?;
    Ok(true)
}
