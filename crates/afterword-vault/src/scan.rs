//! Reads the vault: every markdown file that carries Afterword's properties, wherever the user put it.
//!
//! Symbolic links are not followed (what they lead to inside the vault is read where it lies), and neither are folders
//! that start with a dot: Obsidian does not see them either, and its `.trash` holds what the user deleted. Files that
//! are not all here (placeholders of sync tools, files of no length or of zeros alone) are left alone and listed as
//! pending.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::error::VaultError;
use crate::git_conflict;
use crate::hash::ContentHash;
use crate::index::VaultIndex;
use crate::layout;
use crate::note::Note;
use crate::note_entry::NoteEntry;
use crate::path::VaultPath;
use crate::properties::Properties;
use crate::scan_cache::ScanCache;
use crate::walk::{self, MarkdownFile};

/// The largest note that is read, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// How much of a file outside Afterword's folder is read to see whether it is one of its notes, in bytes.
const HEAD_BYTES: usize = 4096;
/// Fewer files than this are read by one thread.
const WORTH_A_THREAD: usize = 256;
/// More threads than this only take turns at the disk.
const MAX_THREADS: usize = 8;

/// Scans the vault at `root`; what did not change since it was read is taken from `scan_cache`.
pub(crate) fn scan(root: &Path, scan_cache: Option<&ScanCache>) -> Result<VaultIndex, VaultError> {
    let walked = walk::walk(root)?;
    let mut index = VaultIndex::default();
    for name in &walked.names {
        index.add_name(name);
    }
    for problem in walked.problems {
        index.add_problem(problem.path, problem.line, problem.what);
    }
    for path in walked.pending {
        index.add_pending(path);
    }
    let files: Vec<&MarkdownFile> = walked.files.iter().collect();
    let looks = match scan_cache {
        Some(scan_cache) => scan_cache.read_files(root, &files),
        None => read_files(&files),
    };
    for (found, look) in files.iter().zip(looks) {
        match look {
            ScannedFile::Foreign => {}
            ScannedFile::Pending => index.add_pending(found.path.clone()),
            ScannedFile::Marked { hash, text } => index.add_marked(found.path.clone(), hash, text),
            ScannedFile::Unreadable { line, what } => index.add_problem(found.path.clone(), line, what),
            ScannedFile::Note(entry) if is_ours(&entry) => index.add_note(entry),
            ScannedFile::Note(_) => {}
        }
    }
    index.sort();
    Ok(index)
}

/// What a look at a file gave.
pub(crate) enum ScannedFile {
    /// A note of the user's own, outside Afterword's folder.
    Foreign,
    /// It is not all here.
    Pending,
    /// It cannot be read.
    Unreadable {
        /// The line, counted from 1; 0 where the file as a whole is meant.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// git left conflict markers in it.
    Marked {
        /// What its file hashes to.
        hash: ContentHash,
        /// Its text.
        text: String,
    },
    /// A note, perhaps one of the user's own in Afterword's folder.
    Note(Arc<NoteEntry>),
}

/// Whether a note is Afterword's: it carries its properties.
pub(crate) fn is_ours(entry: &NoteEntry) -> bool {
    let properties = &entry.properties;
    entry.path.as_str() == layout::IDEAS
        || properties.id.is_some()
        || properties.key.is_some()
        || properties.kind.is_some()
}

/// Looks at files, on as many threads as there is work for; one result for each, in their order.
pub(crate) fn read_files(files: &[&MarkdownFile]) -> Vec<ScannedFile> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = (files.len() / WORTH_A_THREAD).clamp(1, processors.min(MAX_THREADS));
    let share = files.len().div_ceil(threads).max(1);
    let look_at_share =
        |share: &[&MarkdownFile]| share.iter().map(|found| read_file(found)).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let mut shares = files.chunks(share);
        let own = shares.next().unwrap_or_default();
        let others: Vec<_> = shares.map(|share| (share, scope.spawn(move || look_at_share(share)))).collect();
        let mut looks = look_at_share(own);
        for (share, other) in others {
            // A thread ends early only if the system ran out of something; its share is done here then.
            looks.extend(other.join().unwrap_or_else(|_| look_at_share(share)));
        }
        looks
    })
}

fn read_file(found: &MarkdownFile) -> ScannedFile {
    let unreadable = |what: String| ScannedFile::Unreadable { line: 0, what };
    match read_content(&found.on_disk, found.ours) {
        Ok(Content::Foreign) => ScannedFile::Foreign,
        Ok(Content::TooLarge) => unreadable("the file is too large to be a note".to_owned()),
        Ok(Content::Bytes(bytes)) if bytes.iter().all(|byte| *byte == 0) => ScannedFile::Pending,
        Ok(Content::Bytes(bytes)) => parse_file(found.path.clone(), bytes, found.ours),
        // Deleted or renamed since the walk: the next look tells.
        Err(error) if error.kind() == io::ErrorKind::NotFound => ScannedFile::Foreign,
        Err(error) => unreadable(error.to_string()),
    }
}

enum Content {
    /// A note of the user's own.
    Foreign,
    TooLarge,
    Bytes(Vec<u8>),
}

fn read_content(on_disk: &Path, ours: bool) -> io::Result<Content> {
    let mut file = File::open(on_disk)?;
    let mut bytes = Vec::with_capacity(HEAD_BYTES);
    if !ours {
        file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut bytes)?;
        if !looks_like_ours(&bytes) {
            return Ok(Content::Foreign);
        }
    }
    let room = MAX_BYTES + 1 - bytes.len() as u64;
    file.take(room).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > MAX_BYTES { Content::TooLarge } else { Content::Bytes(bytes) })
}

/// Whether the start of a file has front matter with a key, or reaches so far that it might.
fn looks_like_ours(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head);
    let head = head.trim_start_matches('\u{feff}');
    head.starts_with("---") && (head.contains("\nkey:") || head.contains("\nkind: ideas"))
}

/// A note read from its bytes; `None` where they are none.
pub(crate) fn parse_entry(path: VaultPath, bytes: Vec<u8>) -> Option<NoteEntry> {
    match parse_file(path, bytes, true) {
        ScannedFile::Note(entry) => Some(Arc::unwrap_or_clone(entry)),
        _ => None,
    }
}

fn parse_file(path: VaultPath, bytes: Vec<u8>, ours: bool) -> ScannedFile {
    let hash = ContentHash::of(&bytes);
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
            return ScannedFile::Unreadable { line, what: "the file is not UTF-8".to_owned() };
        }
    };
    if ours && git_conflict::parse_conflict(&text).is_some() {
        return ScannedFile::Marked { hash, text };
    }
    let note = Note::parse(text);
    if let Some(fault) = note.front_matter_error() {
        // A broken note of the user's own is none of our business.
        let broken = || ScannedFile::Unreadable { line: fault.line, what: fault.what.clone() };
        return if ours { broken() } else { ScannedFile::Foreign };
    }
    let mut properties = Properties::of(&note);
    properties.apply_folder(&path);
    ScannedFile::Note(Arc::new(NoteEntry { path, hash, note, properties }))
}
