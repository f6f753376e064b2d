//! Writes below one folder and nowhere else, each file whole or not at all.
//!
//! All access goes through a `cap_std` directory handle, which refuses paths and symbolic links that lead out of it,
//! also when they change while it looks. A write goes to a temporary file in the same folder, is flushed to the disk
//! and then takes the name. The names are on the disk once [`Disk::flush`] was called for the folders, once for
//! all that is written together. New files get the user's umask, replaced ones keep their mode.

use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use afterword_platform::files::retry_while_held;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use crate::error::VaultError;
use crate::hash::ContentHash;
use crate::note::Note;
use crate::path::{self, VaultPath};

/// How temporary files are named. Obsidian ignores what starts with a dot, Syncthing what starts with `.syncthing.`
/// (lib/fs/tempname.go, `IsTemporary`).
const TEMPORARY: &str = ".syncthing.afterword-";
/// What stands in a temporary file's name before the marks of what it may hold.
const HOLDING: &str = "-holds-";

/// How long a save may take that began with an empty file.
const SAVING: Duration = Duration::from_millis(20);

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
pub(crate) enum WriteEnd {
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
            Err(error) => Err(VaultError::io(path, error)),
        }
    }

    /// The bytes of a file of its own, at most `most`; `None` where there is none, where it is larger, or where the name is a
    /// link's, a pipe's or a folder's.
    pub(crate) fn read_file(&self, path: &VaultPath, most: u64) -> Result<Option<Vec<u8>>, VaultError> {
        let error = |error| VaultError::io(path, error);
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
        made.map_err(|error| VaultError::io(path, error))?;
        missing.iter().try_for_each(|folder| match folder.parent() {
            Some(parent) => self.flush(&parent),
            None => flush(&self.root).map_err(|error| VaultError::io(folder, error)),
        })
    }

    /// Makes a file that must not be there yet.
    pub(crate) fn create(&self, path: &VaultPath, bytes: &[u8]) -> Result<WriteEnd, VaultError> {
        if let Some(parent) = path.parent() {
            self.create_dir(&parent)?;
        }
        retry_while_held(|| self.create_in(path, bytes)).map_err(|error| VaultError::io(path, error))
    }

    /// Replaces a file that must hash to `expected`.
    pub(crate) fn replace(
        &self,
        path: &VaultPath,
        expected: &ContentHash,
        bytes: &[u8],
    ) -> Result<WriteEnd, VaultError> {
        retry_while_held(|| self.replace_in(path, expected, bytes))
            .map_err(|error| VaultError::io(path, error))
    }

    /// Removes a file that must hash to `expected`, for good: the folder's names are flushed. What was saved in the same
    /// instant comes back under its name.
    pub(crate) fn remove(&self, path: &VaultPath, expected: &ContentHash) -> Result<WriteEnd, VaultError> {
        let error = |error| VaultError::io(path, error);
        let end = retry_while_held(|| self.remove_in(path, expected)).map_err(error)?;
        if end == WriteEnd::Written {
            flush(&self.open_parent(&path.to_path()).map_err(error)?.0).map_err(error)?;
        }
        Ok(end)
    }

    /// The files right in a folder, by name, those that hide included; none where the folder is not there.
    pub(crate) fn files_in(&self, folder: &VaultPath) -> Result<Vec<VaultPath>, VaultError> {
        let entries = match self.root.read_dir(folder.to_path()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(VaultError::io(folder, error)),
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
    ) -> Result<WriteEnd, VaultError> {
        if let Some(parent) = to.parent() {
            self.create_dir(&parent)?;
        }
        retry_while_held(|| self.rename_in(from, to, expected)).map_err(|error| VaultError::io(from, error))
    }

    /// Flushes the names in a folder to the disk.
    pub(crate) fn flush(&self, folder: &VaultPath) -> Result<(), VaultError> {
        let opened = self.root.open_dir(folder.to_path());
        opened.and_then(|opened| flush(&opened)).map_err(|error| VaultError::io(folder, error))
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
                if is_left && self.is_of_nobody(&path) {
                    removed += usize::from(self.root.remove_file(path.to_path()).is_ok());
                } else if is_left {
                    // Killed in the instant between taking a name and looking at what had it: a person's save.
                    let _ = self
                        .open_parent(&path.to_path())
                        .and_then(|(folder, name)| give_back(&folder, &name));
                }
            }
        }
        removed
    }

    /// Whether a temporary file holds nothing but what this program put there: it was never finished, or it has one of
    /// the contents its name tells of.
    fn is_of_nobody(&self, path: &VaultPath) -> bool {
        let Some((_, marks)) = path.name().trim_end_matches(".tmp").split_once(HOLDING) else { return true };
        let Ok(bytes) = self.root.read(path.to_path()) else { return false };
        let hash = ContentHash::of(&bytes);
        marks.split('-').any(|mark| mark.len() == 16 && hash.as_str().starts_with(mark))
    }

    fn create_in(&self, path: &VaultPath, bytes: &[u8]) -> io::Result<WriteEnd> {
        let (folder, name) = self.open_parent(&path.to_path())?;
        if folder.symlink_metadata(&name).is_ok() {
            return Ok(WriteEnd::Changed);
        }
        let temporary = Temporary::write(&folder, bytes, None)?;
        match take_free_name((&folder, &temporary.name), (&folder, &name)) {
            Ok(()) => Ok(WriteEnd::Written),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(WriteEnd::Changed),
            Err(error) => Err(error),
        }
    }

    fn replace_in(&self, path: &VaultPath, expected: &ContentHash, bytes: &[u8]) -> io::Result<WriteEnd> {
        // A note may itself be a link to another place in the vault: the file changes, the link stays.
        let relative = path.to_path();
        let target = match self.root.symlink_metadata(&relative) {
            Ok(metadata) if metadata.is_symlink() => self.root.canonicalize(&relative)?,
            Ok(_) => relative,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(WriteEnd::Changed),
            Err(error) => return Err(error),
        };
        let (folder, name) = self.open_parent(&target)?;
        let file = match folder.open(&name) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(WriteEnd::Changed),
            Err(error) => return Err(error),
        };
        let permissions = file.metadata()?.permissions();
        if hash_of(file)? != *expected {
            return Ok(WriteEnd::Changed);
        }
        let mut temporary = Temporary::write(&folder, bytes, Some(permissions))?;
        temporary.says_what_it_holds(vec![ContentHash::of(bytes), expected.clone()])?;
        take_name_of(&folder, &temporary.name, &name, expected)
    }

    fn remove_in(&self, path: &VaultPath, expected: &ContentHash) -> io::Result<WriteEnd> {
        let (folder, name) = self.open_parent(&path.to_path())?;
        let is_expected = |name: &Path| match folder.open(name) {
            Ok(file) => Ok(hash_of(file)? == *expected),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        };
        if !is_expected(&name)? {
            return Ok(WriteEnd::Changed);
        }
        let aside = PathBuf::from(holding(&Temporary::name(), std::slice::from_ref(expected)));
        folder.rename(&name, &folder, &aside)?;
        if is_expected(&aside)? {
            discard(&folder, &aside, std::slice::from_ref(expected))?;
            return Ok(WriteEnd::Written);
        }
        // Saved between the look and the rename: it goes back, beside what may have the name by now.
        let stem = name.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let beside = (2..100).map(|number| PathBuf::from(format!("{stem} {number}.md")));
        for name in std::iter::once(name).chain(beside) {
            match folder.hard_link(&aside, &folder, &name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(_) => return folder.rename(&aside, &folder, &name).map(|()| WriteEnd::Changed),
                Ok(()) => return folder.remove_file(&aside).map(|()| WriteEnd::Changed),
            }
        }
        Ok(WriteEnd::Changed)
    }

    fn rename_in(&self, from: &VaultPath, to: &VaultPath, expected: &ContentHash) -> io::Result<WriteEnd> {
        let (old_folder, old_name) = self.open_parent(&from.to_path())?;
        let (new_folder, new_name) = self.open_parent(&to.to_path())?;
        let file = match old_folder.open(&old_name) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(WriteEnd::Changed),
            Err(error) => return Err(error),
        };
        if hash_of(file)? != *expected || new_folder.symlink_metadata(&new_name).is_ok() {
            return Ok(WriteEnd::Changed);
        }
        // A save in the microseconds since then moves with the file: the name changes, the content is nobody's loss.
        match take_free_name((&old_folder, &old_name), (&new_folder, &new_name)) {
            Ok(()) => Ok(WriteEnd::Written),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(WriteEnd::Changed),
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

/// A temporary file with its content on the disk; its name goes when it goes.
struct Temporary<'a> {
    folder: &'a Dir,
    name: PathBuf,
    /// What it may hold by now that nobody misses; empty where no name is exchanged with it.
    holds: Vec<ContentHash>,
}

/// The name of a temporary file that tells what it may hold: what is to be written, what is to be displaced.
fn holding(name: &Path, contents: &[ContentHash]) -> String {
    let marks: Vec<&str> = contents.iter().map(|hash| &hash.as_str()[..16]).collect();
    let name = name.to_string_lossy();
    format!("{}{HOLDING}{}.tmp", name.trim_end_matches(".tmp"), marks.join("-"))
}

impl<'a> Temporary<'a> {
    /// Takes a name that tells what the file may hold, so that a save that was displaced into it is never taken for ours.
    fn says_what_it_holds(&mut self, contents: Vec<ContentHash>) -> io::Result<()> {
        let name = PathBuf::from(holding(&self.name, &contents));
        self.folder.rename(&self.name, self.folder, &name)?;
        (self.name, self.holds) = (name, contents);
        Ok(())
    }

    /// A name that nothing of this process has.
    fn name() -> PathBuf {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        PathBuf::from(format!("{TEMPORARY}{}-{count}.tmp", std::process::id()))
    }

    fn write(
        folder: &'a Dir,
        bytes: &[u8],
        permissions: Option<cap_std::fs::Permissions>,
    ) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        loop {
            let name = Self::name();
            let mut file = match folder.open_with(&name, &options) {
                Ok(file) => file,
                // Left behind by a process of the same number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            let temporary = Self { folder, name, holds: Vec::new() };
            file.write_all(bytes)?;
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?;
            }
            file.sync_all()?;
            return Ok(temporary);
        }
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // Usually it has taken its final name by now.
        if self.holds.is_empty() {
            // One that stays is passed over as a temporary file.
            let _ = self.folder.remove_file(&self.name);
        } else {
            // As above.
            let _ = discard(self.folder, &self.name, &self.holds);
        }
    }
}

/// Removes a file that nobody misses if it holds what is known. Anything else is a person's, saved while names were
/// exchanged, and gets a name they can see.
fn discard(folder: &Dir, name: &Path, known: &[ContentHash]) -> io::Result<()> {
    match remove_known(folder, name, known)? {
        Some(file) => rescue(folder, file, known),
        None => give_back(folder, name),
    }
}

/// Removes a file if it holds what is known, and gives it, still open, without a name.
fn remove_known(folder: &Dir, name: &Path, known: &[ContentHash]) -> io::Result<Option<File>> {
    let mut file = folder.open(name)?;
    if !known.contains(&ContentHash::of(&all_of(&mut file)?)) {
        return Ok(None);
    }
    folder.remove_file(name)?;
    Ok(Some(file))
}

/// Keeps what an editor wrote into a file that it had opened before the file lost its name.
fn rescue(folder: &Dir, mut file: File, known: &[ContentHash]) -> io::Result<()> {
    let mut bytes = all_of(&mut file)?;
    if known.contains(&ContentHash::of(&bytes)) {
        return Ok(());
    }
    // It was emptied a moment ago and is being written.
    std::thread::sleep(SAVING);
    bytes = all_of(&mut file)?;
    visible_names(&bytes)
        .map(|name| folder.open_with(name, OpenOptions::new().write(true).create_new(true)))
        .find(|opened| !matches!(opened, Err(error) if error.kind() == io::ErrorKind::AlreadyExists))
        .map_or(Ok(()), |opened| opened?.write_all(&bytes))
}

/// Gives a person's file a name they can see, as the conflict copy of the note it was.
fn give_back(folder: &Dir, name: &Path) -> io::Result<()> {
    let bytes = folder.read(name)?;
    for visible in visible_names(&bytes) {
        match take_free_name((folder, name), (folder, &visible)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            end => return end,
        }
    }
    Ok(())
}

/// Names for a note that lost its own.
fn visible_names(bytes: &[u8]) -> impl Iterator<Item = PathBuf> {
    let note = Note::parse(String::from_utf8_lossy(bytes).into_owned());
    let slug = path::slug(note.text_of("title").unwrap_or("recovered"));
    (1..100).map(move |number| PathBuf::from(format!("{slug} (conflicted copy recovered {number}).md")))
}

fn hash_of(mut file: File) -> io::Result<ContentHash> {
    Ok(ContentHash::of(&all_of(&mut file)?))
}

/// The whole of a file, from its start.
fn all_of(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(io::SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
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

/// Gives a file a name that is free, perhaps in another folder; `AlreadyExists` if it is not free.
fn take_free_name((from, old): (&Dir, &Path), (to, new): (&Dir, &Path)) -> io::Result<()> {
    match rename::without_replacing((from, old), (to, new)) {
        Err(error) if rename::is_unsupported(&error) => {}
        end => return end,
    }
    // Refused on Windows while another program holds the file: else it would have two names, of which the old one could not be removed.
    from.rename(old, from, old)?;
    match from.hard_link(old, to, new) {
        Ok(()) => return from.remove_file(old),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
        // FAT and some network file systems have no hard links.
        Err(_) => {}
    }
    if to.symlink_metadata(new).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    from.rename(old, to, new)
}

/// Puts the temporary file in the place of `name`, if that still hashes to `expected`.
///
/// Where the system can exchange two names at once, what was displaced is looked at afterwards and put back if a
/// person saved in between; elsewhere a few microseconds between look and rename remain.
fn take_name_of(folder: &Dir, temporary: &Path, name: &Path, expected: &ContentHash) -> io::Result<WriteEnd> {
    match rename::exchanging(folder, temporary, name) {
        Ok(()) => {
            if hash_of(folder.open(temporary)?)? == *expected {
                return Ok(WriteEnd::Written);
            }
            rename::exchanging(folder, temporary, name)?;
            Ok(WriteEnd::Changed)
        }
        Err(error) if rename::is_unsupported(&error) => {
            if hash_of(folder.open(name)?)? != *expected {
                return Ok(WriteEnd::Changed);
            }
            folder.rename(temporary, folder, name)?;
            Ok(WriteEnd::Written)
        }
        Err(error) => Err(error),
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod rename {
    use std::io;
    use std::path::Path;

    use cap_std::fs::Dir;
    use rustix::fs::{RenameFlags, renameat_with};
    use rustix::io::Errno;

    pub(super) fn without_replacing(from: (&Dir, &Path), to: (&Dir, &Path)) -> io::Result<()> {
        Ok(renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE)?)
    }

    pub(super) fn exchanging(folder: &Dir, from: &Path, to: &Path) -> io::Result<()> {
        Ok(renameat_with(folder, from, folder, to, RenameFlags::EXCHANGE)?)
    }

    /// Old kernels and some file systems (NFS, FUSE) lack these flags.
    pub(super) fn is_unsupported(error: &io::Error) -> bool {
        let errno = Errno::from_io_error(error);
        matches!(errno, Some(errno) if errno == Errno::INVAL || errno == Errno::NOSYS || errno == Errno::NOTSUP)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod rename {
    use std::io;
    use std::path::Path;

    use cap_std::fs::Dir;

    pub(super) fn without_replacing(_from: (&Dir, &Path), _to: (&Dir, &Path)) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn exchanging(_folder: &Dir, _from: &Path, _to: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn is_unsupported(error: &io::Error) -> bool {
        error.kind() == io::ErrorKind::Unsupported
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(name: &str, content: &str) -> (tempfile::TempDir, Dir) {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Dir::open_ambient_dir(temporary.path(), ambient_authority()).unwrap();
        folder.write(name, content).unwrap();
        (temporary, folder)
    }

    #[test]
    fn a_save_between_the_look_and_the_rename_wins() {
        let (_keep, folder) = folder_with("note.md", "saved by a person just now");
        let ours = Temporary::write(&folder, b"ours", None).unwrap();
        let expected = ContentHash::of(b"what the plan was made on");
        let end = take_name_of(&folder, &ours.name, Path::new("note.md"), &expected).unwrap();
        assert_eq!(end, WriteEnd::Changed);
        drop(ours);
        assert_eq!(folder.read_to_string("note.md").unwrap(), "saved by a person just now");
        assert_eq!(folder.entries().unwrap().count(), 1);
    }

    #[test]
    fn what_was_saved_while_names_were_exchanged_gets_a_name() {
        let (_keep, folder) = folder_with("unused.md", "");
        let mut ours = Temporary::write(&folder, b"ours", None).unwrap();
        ours.says_what_it_holds(vec![ContentHash::of(b"ours"), ContentHash::of(b"before")]).unwrap();
        // A second save, into our text while it had the note's name, before the first was put back.
        folder.write(&ours.name, "---\ntitle: Use pnpm\n---\nours, and more").unwrap();
        drop(ours);
        let given = folder.read_to_string("use-pnpm (conflicted copy recovered 1).md").unwrap();
        assert!(given.ends_with("ours, and more"), "{given}");
        assert_eq!(folder.entries().unwrap().count(), 2);
    }

    #[test]
    fn what_an_editor_writes_into_a_file_it_opened_before_is_kept() {
        let (_keep, folder) = folder_with("note.md", "before");
        let mut editor = folder.open_with("note.md", OpenOptions::new().write(true)).unwrap();
        let known = [ContentHash::of(b"before")];
        let nameless = remove_known(&folder, Path::new("note.md"), &known).unwrap().unwrap();
        editor.write_all(b"my own words").unwrap();
        rescue(&folder, nameless, &known).unwrap();
        let kept = folder.read_to_string("recovered (conflicted copy recovered 1).md").unwrap();
        assert_eq!(kept, "my own words");
    }

    #[test]
    fn a_name_that_was_taken_between_the_look_and_the_rename_stays_taken() {
        let (_keep, folder) = folder_with("note.md", "made by a person just now");
        let ours = Temporary::write(&folder, b"ours", None).unwrap();
        let taken = take_free_name((&folder, &ours.name), (&folder, Path::new("note.md")));
        assert_eq!(taken.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(ours);
        assert_eq!(folder.read_to_string("note.md").unwrap(), "made by a person just now");
    }

    #[cfg(windows)]
    #[test]
    fn a_file_that_another_program_holds_has_one_name() {
        use std::os::windows::fs::OpenOptionsExt;
        let (temporary, folder) = folder_with("note.md", "held");
        let held = std::fs::OpenOptions::new()
            .read(true)
            .share_mode(0)
            .open(temporary.path().join("note.md"))
            .unwrap();
        let moved = take_free_name((&folder, Path::new("note.md")), (&folder, Path::new("moved.md")));
        assert!(moved.is_err());
        drop(held);
        let names: Vec<_> = folder.entries().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["note.md"]);
    }
}
