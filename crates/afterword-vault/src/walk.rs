//! Walks the vault's folders: which markdown files there are and what the file system says of them, nothing read.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::error::VaultError;
use crate::layout;
use crate::note_entry::Problem;
use crate::path::VaultPath;
use crate::sync_tools;

/// How deep folders are followed.
const MAX_DEPTH: usize = 32;
/// A file changed so shortly before a look may change again without its stamp showing it, in nanoseconds: file systems
/// count time in steps of up to two seconds (FAT).
const RACY_NANOS: i64 = 2_000_000_000;

/// What the file system says of a file; a file whose stamp did not change is not read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileStamp {
    /// Its size in bytes.
    pub size: u64,
    /// When its content changed, in nanoseconds since 1970.
    pub modified: i64,
    /// When anything about it changed, where the system tells (0 elsewhere): a sync tool sets `modified` back.
    pub changed: i64,
}

impl FileStamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0);
        Self { size: metadata.len(), modified, changed: changed_at(metadata) }
    }

    /// Whether a file that had this stamp when it was read `at` a time, in nanoseconds since 1970, is the same now.
    pub(crate) fn is_unchanged_since(self, at: i64, now: Self) -> bool {
        self == now && self.modified.max(self.changed) < at - RACY_NANOS
    }
}

/// Nanoseconds since 1970; 0 where the clock is before.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0)
}

#[cfg(unix)]
fn changed_at(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed_at(_metadata: &Metadata) -> i64 {
    0
}

/// A markdown file.
#[derive(Debug, Clone)]
pub(crate) struct MarkdownFile {
    pub(crate) path: VaultPath,
    pub(crate) on_disk: PathBuf,
    pub(crate) stamp: FileStamp,
    /// It lies in Afterword's own folder.
    pub(crate) ours: bool,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct WalkResult {
    pub(crate) files: Vec<MarkdownFile>,
    /// Everything that has a name in Afterword's own folder.
    pub(crate) names: Vec<VaultPath>,
    /// Notes that exist but are not here, or not yet.
    pub(crate) pending: Vec<VaultPath>,
    pub(crate) problems: Vec<Problem>,
}

/// Walks the vault at `root`. Only a root that cannot be read is an error.
pub(crate) fn walk(root: &Path) -> Result<WalkResult, VaultError> {
    let top = fs::read_dir(root).map_err(|source| VaultError::Root { path: root.to_owned(), source })?;
    let mut walked = WalkResult::default();
    walk_folder(None, top, 0, &mut walked);
    Ok(walked)
}

fn walk_folder(at: Option<&VaultPath>, entries: fs::ReadDir, depth: usize, walked: &mut WalkResult) {
    let problem = |path, what: String| Problem { path, line: 0, what };
    let below = |name: &str| match at {
        Some(at) => VaultPath::parse(at.join(name).as_str()),
        None => VaultPath::parse(name),
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let here = at.cloned().unwrap_or_else(|| VaultPath::constant(layout::HOME));
                walked.problems.push(problem(here, error.to_string()));
                continue;
            }
        };
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            if let Some(path) = below(&entry.file_name().to_string_lossy()) {
                walked.problems.push(problem(path, "the file's name is not Unicode".to_owned()));
            }
            continue;
        };
        let (Some(path), Ok(file_type)) = (below(&name), entry.file_type()) else { continue };
        let ours = path.as_str() == layout::HOME || path.is_below(layout::HOME);
        if ours {
            walked.names.push(path.clone());
        }
        if let Some(pending) =
            sync_tools::placeholder_target(&name).filter(|name| has_markdown_name(name)).and_then(below)
        {
            walked.names.extend(ours.then(|| pending.clone()));
            walked.pending.push(pending);
            continue;
        }
        if name.starts_with('.') || sync_tools::is_lock(&name) {
            continue;
        }
        if file_type.is_dir() {
            if depth >= MAX_DEPTH {
                walked.problems.push(problem(path, "the folder lies too deep to be read".to_owned()));
                continue;
            }
            match fs::read_dir(entry.path()) {
                Ok(entries) => walk_folder(Some(&path), entries, depth + 1, walked),
                Err(error) => walked.problems.push(problem(path, error.to_string())),
            }
        } else if file_type.is_file() && has_markdown_name(&name) {
            match entry.metadata() {
                Ok(metadata) if sync_tools::is_online_only(&metadata) => walked.pending.push(path),
                Ok(metadata) => {
                    let stamp = FileStamp::of(&metadata);
                    walked.files.push(MarkdownFile { path, on_disk: entry.path(), stamp, ours });
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => walked.problems.push(problem(path, error.to_string())),
            }
        }
    }
}

fn has_markdown_name(name: &str) -> bool {
    name.len() > 3 && name.get(name.len() - 3..).is_some_and(|end| end.eq_ignore_ascii_case(".md"))
}
