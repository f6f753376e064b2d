//! Temporary files: what they are called, what they may hold, and how a person's words that got into one are given back.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cap_std::fs::{Dir, File, OpenOptions};

use super::names::{read_from_start, rename_to_free_name};
use crate::hash::ContentHash;
use crate::note::Note;
use crate::path;

/// How temporary files are named. Obsidian ignores what starts with a dot, Syncthing what starts with `.syncthing.`
/// (lib/fs/tempname.go, `IsTemporary`).
pub(super) const TEMPORARY: &str = ".syncthing.afterword-";
/// What stands in a temporary file's name before the marks of what it may hold.
pub(super) const HOLDING: &str = "-holds-";

/// How long a save may take that began with an empty file.
const SAVING: Duration = Duration::from_millis(20);

/// A temporary file with its content on the disk; its name goes when it goes.
pub(super) struct TemporaryFile<'a> {
    folder: &'a Dir,
    pub(super) name: PathBuf,
    /// What it may hold by now that nobody misses; empty where no name is exchanged with it.
    holds: Vec<ContentHash>,
}

/// The name of a temporary file that tells what it may hold: what is to be written, what is to be displaced.
pub(super) fn name_with_hashes(name: &Path, contents: &[ContentHash]) -> String {
    let marks: Vec<&str> = contents.iter().map(|hash| &hash.as_str()[..16]).collect();
    let name = name.to_string_lossy();
    format!("{}{HOLDING}{}.tmp", name.trim_end_matches(".tmp"), marks.join("-"))
}

impl<'a> TemporaryFile<'a> {
    /// Takes a name that tells what the file may hold, so that a save that was displaced into it is never taken for ours.
    pub(super) fn rename_with_hashes(&mut self, contents: Vec<ContentHash>) -> io::Result<()> {
        let name = PathBuf::from(name_with_hashes(&self.name, &contents));
        self.folder.rename(&self.name, self.folder, &name)?;
        (self.name, self.holds) = (name, contents);
        Ok(())
    }

    /// A name that nothing of this process has.
    pub(super) fn name() -> PathBuf {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        PathBuf::from(format!("{TEMPORARY}{}-{count}.tmp", std::process::id()))
    }

    pub(super) fn write(
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

impl Drop for TemporaryFile<'_> {
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
pub(super) fn discard(folder: &Dir, name: &Path, known: &[ContentHash]) -> io::Result<()> {
    match remove_known(folder, name, known)? {
        Some(file) => rescue(folder, file, known),
        None => restore_as_conflict_copy(folder, name),
    }
}

/// Removes a file if it holds what is known, and gives it, still open, without a name.
fn remove_known(folder: &Dir, name: &Path, known: &[ContentHash]) -> io::Result<Option<File>> {
    let mut file = folder.open(name)?;
    if !known.contains(&ContentHash::of(&read_from_start(&mut file)?)) {
        return Ok(None);
    }
    folder.remove_file(name)?;
    Ok(Some(file))
}

/// Keeps what an editor wrote into a file that it had opened before the file lost its name.
fn rescue(folder: &Dir, mut file: File, known: &[ContentHash]) -> io::Result<()> {
    let mut bytes = read_from_start(&mut file)?;
    if known.contains(&ContentHash::of(&bytes)) {
        return Ok(());
    }
    // It was emptied a moment ago and is being written.
    std::thread::sleep(SAVING);
    bytes = read_from_start(&mut file)?;
    visible_names(&bytes)
        .map(|name| folder.open_with(name, OpenOptions::new().write(true).create_new(true)))
        .find(|opened| !matches!(opened, Err(error) if error.kind() == io::ErrorKind::AlreadyExists))
        .map_or(Ok(()), |opened| opened?.write_all(&bytes))
}

/// Gives a person's file a name they can see, as the conflict copy of the note it was.
pub(super) fn restore_as_conflict_copy(folder: &Dir, name: &Path) -> io::Result<()> {
    let bytes = folder.read(name)?;
    for visible in visible_names(&bytes) {
        match rename_to_free_name((folder, name), (folder, &visible)) {
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

#[cfg(test)]
mod tests {
    use cap_std::ambient_authority;

    use super::*;
    use crate::disk::WriteOutcome;
    use crate::disk::names::replace_file;

    fn folder_with(name: &str, content: &str) -> (tempfile::TempDir, Dir) {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Dir::open_ambient_dir(temporary.path(), ambient_authority()).unwrap();
        folder.write(name, content).unwrap();
        (temporary, folder)
    }

    #[test]
    fn a_save_between_the_look_and_the_rename_wins() {
        let (_keep, folder) = folder_with("note.md", "saved by a person just now");
        let ours = TemporaryFile::write(&folder, b"ours", None).unwrap();
        let expected = ContentHash::of(b"what the plan was made on");
        let end = replace_file(&folder, &ours.name, Path::new("note.md"), &expected).unwrap();
        assert_eq!(end, WriteOutcome::Changed);
        drop(ours);
        assert_eq!(folder.read_to_string("note.md").unwrap(), "saved by a person just now");
        assert_eq!(folder.entries().unwrap().count(), 1);
    }

    #[test]
    fn what_was_saved_while_names_were_exchanged_gets_a_name() {
        let (_keep, folder) = folder_with("unused.md", "");
        let mut ours = TemporaryFile::write(&folder, b"ours", None).unwrap();
        ours.rename_with_hashes(vec![ContentHash::of(b"ours"), ContentHash::of(b"before")]).unwrap();
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
        let ours = TemporaryFile::write(&folder, b"ours", None).unwrap();
        let taken = rename_to_free_name((&folder, &ours.name), (&folder, Path::new("note.md")));
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
        let moved = rename_to_free_name((&folder, Path::new("note.md")), (&folder, Path::new("moved.md")));
        assert!(moved.is_err());
        drop(held);
        let names: Vec<_> = folder.entries().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["note.md"]);
    }
}
