//! Giving the bytes of a copy back: to read them, or to put them where the transcript was.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use afterword_platform::files::{create_private_directory, flush_names};
use tempfile::NamedTempFile;

use super::{Archive, SessionCopy};
use crate::error::SessionError;
use crate::{App, Error};

/// What restoring did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreReport {
    /// The session.
    pub session: String,
    /// Its files, its own transcript first.
    pub files: Vec<RestoredFile>,
}

/// A file that was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredFile {
    /// Where it is.
    pub path: PathBuf,
    /// Bytes.
    pub bytes: u64,
    /// It was there already, just so.
    pub was_there: bool,
}

/// Puts the transcripts of a session where Claude Code had them, or below a folder. What is there is never overwritten.
///
/// # Errors
/// [`SessionError::NotArchived`] where there is no copy, [`SessionError::OtherTranscript`] where another file is in its place, and
/// [`Error::Io`].
pub fn restore_session(app: &App, argument: &str, folder: Option<&Path>) -> Result<RestoreReport, Error> {
    let archive = super::archive(app);
    let session = archive
        .find_session(argument)?
        .ok_or_else(|| SessionError::NotArchived { argument: argument.to_owned() })?;
    let folder = folder.map(|folder| app.environment.working_directory.join(folder));
    let mut files = Vec::new();
    for copy in archive.of_session(&session)? {
        let to = match &folder {
            Some(folder) => folder.join(&copy.below),
            None => copy.transcript.clone(),
        };
        files.push(restore(&archive, &copy, &to)?);
    }
    Ok(RestoreReport { session, files })
}

/// Reads a copy.
pub(super) fn open(copy: &SessionCopy) -> io::Result<impl Read + use<>> {
    zstd::Decoder::new(File::open(&copy.path)?).map(BufReader::new)
}

/// A copy's bytes in a file that goes when it is dropped, to be read as any transcript.
pub(crate) fn restore_temporarily(archive: &Archive, copy: &SessionCopy) -> Result<NamedTempFile, Error> {
    let aside = archive.root.join(".reading");
    let failed = |source| Error::Io { path: copy.path.clone(), action: "read the copy of a session", source };
    create_private_directory(&aside).map_err(failed)?;
    let mut file = NamedTempFile::new_in(&aside).map_err(failed)?;
    write(copy, file.as_file_mut()).map_err(failed)?;
    Ok(file)
}

fn restore(archive: &Archive, copy: &SessionCopy, to: &Path) -> Result<RestoredFile, Error> {
    let failed = |source| Error::Io { path: to.to_owned(), action: "restore the session", source };
    let folder = to.parent().unwrap_or(&archive.root);
    let was_there = || RestoredFile { path: to.to_owned(), bytes: copy.bytes, was_there: true };
    if to.exists() {
        return match is_same(copy, to).map_err(failed)? {
            true => Ok(was_there()),
            false => Err(SessionError::OtherTranscript { path: to.to_owned() }.into()),
        };
    }
    create_private_directory(folder).map_err(failed)?;
    let mut file = NamedTempFile::new_in(folder).map_err(failed)?;
    write(copy, file.as_file_mut()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist_noclobber(to).map_err(|error| failed(error.error))?;
    flush_names(folder).map_err(failed)?;
    Ok(RestoredFile { path: to.to_owned(), bytes: copy.bytes, was_there: false })
}

/// Writes a copy's bytes; the checksum in the frame is tried on the way.
fn write(copy: &SessionCopy, file: &mut File) -> io::Result<()> {
    let written = io::copy(&mut open(copy)?, file)?;
    if written != copy.bytes {
        let what = format!("{written} bytes in place of {}", copy.bytes);
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    Ok(())
}

fn is_same(copy: &SessionCopy, path: &Path) -> io::Result<bool> {
    if fs::metadata(path)?.len() != copy.bytes {
        return Ok(false);
    }
    let (mut one, mut other) = (open(copy)?, BufReader::new(File::open(path)?));
    let (mut first, mut second) = ([0; 8192], [0; 8192]);
    loop {
        let read = one.read(&mut first)?;
        if read == 0 {
            return Ok(true);
        }
        other.read_exact(&mut second[..read])?;
        if first[..read] != second[..read] {
            return Ok(false);
        }
    }
}
