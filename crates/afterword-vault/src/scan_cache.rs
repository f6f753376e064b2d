//! What was read of a vault before, so that the next scan reads only what changed: for a program that scans one vault over and
//! over while somebody waits, as the window does. It holds the text of every note, and is never written down.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::note_entry::NoteEntry;
use crate::path::VaultPath;
use crate::scan::{ScannedFile, read_files};
use crate::walk::{self, FileStamp, MarkdownFile};

/// What was read of a vault; start at [`crate::Vault::with_scan_cache`].
#[derive(Debug, Default)]
pub struct ScanCache(Mutex<CachedFiles>);

#[derive(Debug, Default)]
struct CachedFiles {
    root: PathBuf,
    files: HashMap<VaultPath, CachedFile>,
}

/// One file.
#[derive(Debug)]
struct CachedFile {
    stamp: FileStamp,
    /// When it was read, in nanoseconds since 1970.
    at: i64,
    /// `None` for a file that is no note of ours.
    entry: Option<Arc<NoteEntry>>,
}

impl ScanCache {
    /// Whether nothing was read yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).files.is_empty()
    }

    /// Looks at all files of the vault at `root`, from memory where they did not change; one result for each, in their order.
    pub(crate) fn read_files(&self, root: &Path, files: &[&MarkdownFile]) -> Vec<ScannedFile> {
        // Held while files are read: who comes meanwhile would read the same ones.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.root != root {
            *known = CachedFiles { root: root.to_owned(), files: HashMap::new() };
        }
        let at = walk::now();
        let mut before = std::mem::take(&mut known.files);
        let mut remembered = |found: &&MarkdownFile| {
            before
                .remove(&found.path)
                .filter(|reading| reading.stamp.is_unchanged_since(reading.at, found.stamp))
        };
        let kept: Vec<Option<CachedFile>> = files.iter().map(&mut remembered).collect();
        let new = files.iter().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(found, _)| *found);
        let mut read = read_files(&new.collect::<Vec<_>>()).into_iter();
        let looks = files.iter().zip(kept).filter_map(|(found, kept)| {
            let (look, reading) = match kept {
                Some(reading) => (reading.to_scanned(), Some(reading)),
                None => {
                    let look = read.next()?;
                    let reading = CachedFile::of(&look, found.stamp, at);
                    (look, reading)
                }
            };
            known.files.extend(reading.map(|reading| (found.path.clone(), reading)));
            Some(look)
        });
        looks.collect()
    }
}

impl CachedFile {
    /// `None` where the next look has to read anew, whatever the file's stamp: what cannot be read now may be then.
    fn of(look: &ScannedFile, stamp: FileStamp, at: i64) -> Option<Self> {
        match look {
            ScannedFile::Note(entry) => Some(Self { stamp, at, entry: Some(Arc::clone(entry)) }),
            ScannedFile::Foreign => Some(Self { stamp, at, entry: None }),
            ScannedFile::Pending | ScannedFile::Unreadable { .. } | ScannedFile::Marked { .. } => None,
        }
    }

    fn to_scanned(&self) -> ScannedFile {
        self.entry.clone().map_or(ScannedFile::Foreign, ScannedFile::Note)
    }
}
