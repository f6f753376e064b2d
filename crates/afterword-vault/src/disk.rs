//! Writes below one folder and nowhere else, each file whole or not at all.
//!
//! All access goes through a `cap_std` directory handle, which refuses paths and symbolic links that lead out of it,
//! also when they change while it looks. A write goes to a temporary file in the same folder, is flushed to the disk
//! and then takes the name. The names are on the disk once [`Disk::flush`] was called for the folders, once for
//! all that is written together. New files get the user's umask, replaced ones keep their mode.

mod names;
mod temporary;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use afterword_platform::files::retry_while_held;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};

use names::{hash_of, rename_to_free_name, replace_file};
use temporary::{HOLDING, TEMPORARY, TemporaryFile, discard, name_with_hashes, restore_as_conflict_copy};

use crate::error::VaultError;
use crate::hash::ContentHash;
use crate::path::VaultPath;

/// A folder that nothing is written outside of.
#[derive(Debug)]
pub(crate) struct Disk {
    root: Dir,
}

/// Makes the folder of a vault and those above it; the names of those that were not there are flushed.
pub(crate) fn create_root(root: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = root.ancestors().take_while(|folder| !folder.is_dir()).collect();
    std::fs::create_dir_all(root)?;
    for folder in missing {
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        flush(&Dir::open_ambient_dir(above, ambient_authority())?)?;
    }
    Ok(())
}

/// How a write ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum WriteOutcome {
    Written,
    /// The file is not, or no longer, what the caller expected; nothing was changed.
    Changed,
}

impl Disk {
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        Ok(Self { root: Dir::open_ambient_dir(root, ambient_authority())? })
    }

    /// The bytes of a file; `None` if there is none.
    pub(crate) fn read(&self, path: &VaultPath) -> Result<Option<Vec<u8>>, VaultError> {
        match self.root.read(path.to_path()) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(VaultError::from_io(path, error)),
        }
    }

    /// The bytes of a file of its own, at most `most`; `None` where there is none, where it is larger, or where the name is a
    /// link's, a pipe's or a folder's.
    pub(crate) fn read_file(&self, path: &VaultPath, most: u64) -> Result<Option<Vec<u8>>, VaultError> {
        let error = |error| VaultError::from_io(path, error);
        let is_small_file = |metadata: &Metadata| metadata.is_file() && metadata.len() <= most;
        // Looked at first, as a pipe that is opened waits for its other end.
        match self.root.symlink_metadata(path.to_path()) {
            Ok(metadata) if is_small_file(&metadata) => {}
            Ok(_) => return Ok(None),
            Err(gone) if gone.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(failed) => return Err(error(failed)),
        }
        let mut bytes = Vec::new();
        let file = self.root.open(path.to_path()).map_err(error)?;
        file.take(most).read_to_end(&mut bytes).map_err(error)?;
        Ok(Some(bytes))
    }

    pub(crate) fn is_dir(&self, path: &VaultPath) -> bool {
        self.root.is_dir(path.to_path())
    }

    /// Makes a folder and those above it; the names of those that were not there are flushed.
    pub(crate) fn create_dir(&self, path: &VaultPath) -> Result<(), VaultError> {
        let above = std::iter::successors(Some(path.clone()), VaultPath::parent);
        let missing: Vec<VaultPath> = above.take_while(|folder| !self.is_dir(folder)).collect();
        let made = match self.root.create_dir_all(path.to_path()) {
            // A link or a file has the name: opening it tells which.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.root.open_dir(path.to_path()).map(drop)
            }
            made => made,
        };
        made.map_err(|error| VaultError::from_io(path, error))?;
        missing.iter().try_for_each(|folder| match folder.parent() {
            Some(parent) => self.flush(&parent),
            None => flush(&self.root).map_err(|error| VaultError::from_io(folder, error)),
        })
    }

    /// Makes a file that must not be there yet.
    pub(crate) fn create(&self, path: &VaultPath, bytes: &[u8]) -> Result<WriteOutcome, VaultError> {
        if let Some(parent) = path.parent() {
            self.create_dir(&parent)?;
        }
        retry_while_held(|| self.create_in(path, bytes)).map_err(|error| VaultError::from_io(path, error))
    }

    /// Replaces a file that must hash to `expected`.
    pub(crate) fn replace(
        &self,
        path: &VaultPath,
        expected: &ContentHash,
        bytes: &[u8],
    ) -> Result<WriteOutcome, VaultError> {
        retry_while_held(|| self.replace_in(path, expected, bytes))
            .map_err(|error| VaultError::from_io(path, error))
    }

    /// Removes a file that must hash to `expected`, for good: the folder's names are flushed. What was saved in the same
    /// instant comes back under its name.
    pub(crate) fn remove(
        &self,
        path: &VaultPath,
        expected: &ContentHash,
    ) -> Result<WriteOutcome, VaultError> {
        let error = |error| VaultError::from_io(path, error);
        let end = retry_while_held(|| self.remove_in(path, expected)).map_err(error)?;
        if end == WriteOutcome::Written {
            flush(&self.open_parent(&path.to_path()).map_err(error)?.0).map_err(error)?;
        }
        Ok(end)
    }

    /// The files right in a folder, by name, those that hide included; none where the folder is not there.
    pub(crate) fn files_in(&self, folder: &VaultPath) -> Result<Vec<VaultPath>, VaultError> {
        let entries = match self.root.read_dir(folder.to_path()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(VaultError::from_io(folder, error)),
        };
        let is_file = |entry: &cap_std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
        let names =
            entries.flatten().filter(is_file).filter_map(|entry| entry.file_name().into_string().ok());
        let mut files: Vec<VaultPath> =
            names.filter_map(|name| VaultPath::parse(folder.join(&name).as_str())).collect();
        files.sort();
        Ok(files)
    }

    /// Moves a file that must hash to `expected` to a name that must be free.
    pub(crate) fn rename(
        &self,
        from: &VaultPath,
        to: &VaultPath,
        expected: &ContentHash,
    ) -> Result<WriteOutcome, VaultError> {
        if let Some(parent) = to.parent() {
            self.create_dir(&parent)?;
        }
        retry_while_held(|| self.rename_in(from, to, expected))
            .map_err(|error| VaultError::from_io(from, error))
    }

    /// Flushes the names in a folder to the disk.
    pub(crate) fn flush(&self, folder: &VaultPath) -> Result<(), VaultError> {
        let opened = self.root.open_dir(folder.to_path());
        opened.and_then(|opened| flush(&opened)).map_err(|error| VaultError::from_io(folder, error))
    }

    /// Removes temporary files in and below a folder that were last changed before `before`: those of a process that
    /// was killed. Returns how many. What cannot be looked at is passed by.
    pub(crate) fn sweep(&self, folder: &VaultPath, before: SystemTime) -> usize {
        let Ok(entries) = self.root.read_dir(folder.to_path()) else { return 0 };
        let mut removed = 0;
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let (Some(path), Ok(kind)) = (VaultPath::parse(folder.join(&name).as_str()), entry.file_type())
            else {
                continue;
            };
            if kind.is_dir() {
                removed += self.sweep(&path, before);
            } else if kind.is_file() && name.starts_with(TEMPORARY) {
                let changed = entry.metadata().and_then(|metadata| metadata.modified());
                let is_left = changed.is_ok_and(|changed| changed.into_std() < before);
                if is_left && self.is_own_temporary(&path) {
                    removed += usize::from(self.root.remove_file(path.to_path()).is_ok());
                } else if is_left {
                    // Killed in the instant between taking a name and looking at what had it: a person's save.
                    let _ = self
                        .open_parent(&path.to_path())
                        .and_then(|(folder, name)| restore_as_conflict_copy(&folder, &name));
                }
            }
        }
        removed
    }

    /// Whether a temporary file holds nothing but what this program put there: it was never finished, or it has one of
    /// the contents its name tells of.
    fn is_own_temporary(&self, path: &VaultPath) -> bool {
        let Some((_, marks)) = path.name().trim_end_matches(".tmp").split_once(HOLDING) else { return true };
        let Ok(bytes) = self.root.read(path.to_path()) else { return false };
        let hash = ContentHash::of(&bytes);
        marks.split('-').any(|mark| mark.len() == 16 && hash.as_str().starts_with(mark))
    }

    fn create_in(&self, path: &VaultPath, bytes: &[u8]) -> io::Result<WriteOutcome> {
        let (folder, name) = self.open_parent(&path.to_path())?;
        if folder.symlink_metadata(&name).is_ok() {
            return Ok(WriteOutcome::Changed);
        }
        let temporary = TemporaryFile::write(&folder, bytes, None)?;
        match rename_to_free_name((&folder, &temporary.name), (&folder, &name)) {
            Ok(()) => Ok(WriteOutcome::Written),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(WriteOutcome::Changed),
            Err(error) => Err(error),
        }
    }

    fn replace_in(&self, path: &VaultPath, expected: &ContentHash, bytes: &[u8]) -> io::Result<WriteOutcome> {
        // A note may itself be a link to another place in the vault: the file changes, the link stays.
        let relative = path.to_path();
        let target = match self.root.symlink_metadata(&relative) {
            Ok(metadata) if metadata.is_symlink() => self.root.canonicalize(&relative)?,
            Ok(_) => relative,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(WriteOutcome::Changed),
            Err(error) => return Err(error),
        };
        let (folder, name) = self.open_parent(&target)?;
        let file = match folder.open(&name) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(WriteOutcome::Changed),
            Err(error) => return Err(error),
        };
        let permissions = file.metadata()?.permissions();
        if hash_of(file)? != *expected {
            return Ok(WriteOutcome::Changed);
        }
        let mut temporary = TemporaryFile::write(&folder, bytes, Some(permissions))?;
        temporary.rename_with_hashes(vec![ContentHash::of(bytes), expected.clone()])?;
        replace_file(&folder, &temporary.name, &name, expected)
    }

    fn remove_in(&self, path: &VaultPath, expected: &ContentHash) -> io::Result<WriteOutcome> {
        let (folder, name) = self.open_parent(&path.to_path())?;
        let is_expected = |name: &Path| match folder.open(name) {
            Ok(file) => Ok(hash_of(file)? == *expected),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        };
        if !is_expected(&name)? {
            return Ok(WriteOutcome::Changed);
        }
        let aside = PathBuf::from(name_with_hashes(&TemporaryFile::name(), std::slice::from_ref(expected)));
        folder.rename(&name, &folder, &aside)?;
        if is_expected(&aside)? {
            discard(&folder, &aside, std::slice::from_ref(expected))?;
            return Ok(WriteOutcome::Written);
        }
        // Saved between the look and the rename: it goes back, beside what may have the name by now.
        let stem = name.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let beside = (2..100).map(|number| PathBuf::from(format!("{stem} {number}.md")));
        for name in std::iter::once(name).chain(beside) {
            match folder.hard_link(&aside, &folder, &name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(_) => return folder.rename(&aside, &folder, &name).map(|()| WriteOutcome::Changed),
                Ok(()) => return folder.remove_file(&aside).map(|()| WriteOutcome::Changed),
            }
        }
        Ok(WriteOutcome::Changed)
    }

    fn rename_in(
        &self,
        from: &VaultPath,
        to: &VaultPath,
        expected: &ContentHash,
    ) -> io::Result<WriteOutcome> {
        let (old_folder, old_name) = self.open_parent(&from.to_path())?;
        let (new_folder, new_name) = self.open_parent(&to.to_path())?;
        let file = match old_folder.open(&old_name) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(WriteOutcome::Changed),
            Err(error) => return Err(error),
        };
        if hash_of(file)? != *expected || new_folder.symlink_metadata(&new_name).is_ok() {
            return Ok(WriteOutcome::Changed);
        }
        // A save in the microseconds since then moves with the file: the name changes, the content is nobody's loss.
        match rename_to_free_name((&old_folder, &old_name), (&new_folder, &new_name)) {
            Ok(()) => Ok(WriteOutcome::Written),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(WriteOutcome::Changed),
            Err(error) => Err(error),
        }
    }

    /// The folder a file lies in, opened, and the file's name in it.
    fn open_parent(&self, path: &Path) -> io::Result<(Dir, PathBuf)> {
        let name = path.file_name().map(PathBuf::from).ok_or(io::ErrorKind::InvalidInput)?;
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => self.root.open_dir(parent)?,
            _ => self.root.try_clone()?,
        };
        Ok((folder, name))
    }
}

#[cfg(unix)]
fn flush(folder: &Dir) -> io::Result<()> {
    // The handle itself may be a bare path (`O_PATH`), which cannot be flushed.
    folder.open(".")?.sync_all()
}

/// Windows gives no way to flush a folder; NTFS journals the rename.
#[cfg(not(unix))]
fn flush(_folder: &Dir) -> io::Result<()> {
    Ok(())
}
