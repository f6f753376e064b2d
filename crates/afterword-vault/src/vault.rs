//! Opens a vault, or sets one up in a folder the user names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use afterword_platform::files::real_path;

use crate::apply::{self, ApplyReport};
use crate::disk::{self, Disk, WriteOutcome};
use crate::error::VaultError;
use crate::hash::ContentHash;
use crate::index::VaultIndex;
use crate::layout;
use crate::link_targets::LinkTargets;
use crate::note_entry::NoteEntry;
use crate::path::VaultPath;
use crate::plan::Plan;
use crate::revise::{self, Revision, RevisionOutcome};
use crate::scan_cache::ScanCache;
use crate::{scan, template};

/// A vault on disk.
#[derive(Debug)]
pub struct Vault {
    root: PathBuf,
    disk: Disk,
    scan_cache: Option<Arc<ScanCache>>,
}

/// What setting up a vault did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallReport {
    /// The template's files that were not there before.
    pub files: Vec<VaultPath>,
    /// Whether the folder is, or lies in, a vault that Obsidian has opened.
    pub in_obsidian: bool,
}

impl Vault {
    /// Opens the vault in `root`, which must have been set up.
    pub fn open(root: &Path) -> Result<Self, VaultError> {
        let in_root = |source| VaultError::Root { path: root.to_owned(), source };
        let disk = match Disk::open(root) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(VaultError::NotAVault { path: root.to_owned() });
            }
            opened => opened.map_err(in_root)?,
        };
        // Without the `\\?\` that Windows puts in front: the root is shown, and kept in the settings and the database.
        let root = real_path(root).map_err(in_root)?;
        if !disk.is_dir(&VaultPath::constant(layout::HOME)) {
            return Err(VaultError::NotAVault { path: root });
        }
        Ok(Self { root, disk, scan_cache: None })
    }

    /// Sets up a vault in `root`, which is made if it is not there. Files that are there stay as they are.
    pub fn create(root: &Path) -> Result<(Self, InstallReport), VaultError> {
        let in_root = |source| VaultError::Root { path: root.to_owned(), source };
        disk::create_root(root).map_err(in_root)?;
        let disk = Disk::open(root).map_err(in_root)?;
        for folder in layout::FOLDERS {
            disk.create_dir(&VaultPath::constant(folder))?;
        }
        let mut files = Vec::new();
        for (path, content) in template::FILES {
            let path = VaultPath::constant(path);
            if disk.create(&path, content.as_bytes())? == WriteOutcome::Written {
                files.push(path);
            }
        }
        let folders: BTreeSet<VaultPath> = files.iter().filter_map(VaultPath::parent).collect();
        folders.iter().try_for_each(|folder| disk.flush(folder))?;
        let vault = Self::open(root)?;
        let in_obsidian = vault.obsidian_root().is_some();
        Ok((vault, InstallReport { files, in_obsidian }))
    }

    /// The vault's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder that Obsidian has opened, this one or one above it: the nearest with an `.obsidian` folder.
    pub fn obsidian_root(&self) -> Option<&Path> {
        self.root.ancestors().find(|folder| folder.join(".obsidian").is_dir())
    }

    /// Has scans take what did not change from memory.
    #[must_use]
    pub fn with_scan_cache(self, scan_cache: Arc<ScanCache>) -> Self {
        Self { scan_cache: Some(scan_cache), ..self }
    }

    /// Reads what the vault holds. Notes that cannot be read are problems of the index, not errors.
    pub fn scan(&self) -> Result<VaultIndex, VaultError> {
        scan::scan(&self.root, self.scan_cache.as_deref())
    }

    /// Reads all there is where scans remember and none was made yet: a scan that others wait for then reads only what changed since.
    ///
    /// # Errors
    /// [`VaultError`] when the vault's folder cannot be read.
    pub fn fill_scan_cache(&self) -> Result<(), VaultError> {
        let is_first = self.scan_cache.as_deref().is_some_and(ScanCache::is_empty);
        if is_first { self.scan().map(drop) } else { Ok(()) }
    }

    /// Reads which notes are linked to from what people write, anywhere in the vault.
    ///
    /// # Errors
    /// [`VaultError`] when the vault's folder cannot be read.
    pub fn link_targets(&self) -> Result<LinkTargets, VaultError> {
        LinkTargets::read(&self.root)
    }

    /// Reads one note as it is now; `None` where there is none that can be read.
    ///
    /// # Errors
    /// [`VaultError::Io`].
    pub fn note(&self, path: &VaultPath) -> Result<Option<NoteEntry>, VaultError> {
        Ok(self.disk.read(path)?.and_then(|bytes| scan::parse_entry(path.clone(), bytes)))
    }

    /// Reads one note's text as it is now, without looking at anything else of the vault in `root`: for where milliseconds
    /// count. `None` where there is no file of its own under that name, no link leads there and it is at most `most` bytes of
    /// Unicode.
    ///
    /// # Errors
    /// [`VaultError::Io`], and where the path leads out of the vault.
    pub fn text_at(root: &Path, path: &VaultPath, most: u64) -> Result<Option<String>, VaultError> {
        let in_root = |source| VaultError::Root { path: root.to_owned(), source };
        let bytes = Disk::open(root).map_err(in_root)?.read_file(path, most)?;
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// Carries out a plan. Each action stands for itself: one that fails does not stop the others, and one whose file
    /// is not what it was when the plan was made is skipped.
    pub fn apply(&self, plan: &Plan) -> ApplyReport {
        apply::apply(&self.disk, plan)
    }

    /// Whether the vault is there now: a disk may have been taken away since it was opened.
    pub fn exists(&self) -> bool {
        self.root.join(layout::HOME).is_dir()
    }

    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Changes one note and moves it, if its file is still what the revision was made on. Doing it again after it was
    /// cut short ends what was begun.
    ///
    /// # Errors
    /// [`VaultError`] when the file system refused.
    pub fn revise(&self, revision: &Revision) -> Result<RevisionOutcome, VaultError> {
        revise::revise(&self.disk, revision)
    }

    /// Removes a note that is still exactly what hashes to `written`: nobody but Afterword ever wrote it. Says whether it
    /// did; a note that a person changed stays.
    pub fn remove_untouched(&self, path: &VaultPath, written: &ContentHash) -> Result<bool, VaultError> {
        Ok(self.disk.remove(path, written)? == WriteOutcome::Written)
    }

    /// Removes temporary files that a killed process left behind, if they were last changed before `before`: an hour
    /// ago is safe, a write takes milliseconds. Returns how many.
    pub fn sweep(&self, before: SystemTime) -> usize {
        self.disk.sweep(&VaultPath::constant(layout::HOME), before)
    }
}
