//! Sessions by the thousand, for benchmarks.

use std::fs;
use std::path::{Path, PathBuf};

/// Copies of transcripts.
#[derive(Debug)]
pub struct CopiedSessions {
    /// How many bytes they have.
    pub bytes: u64,
    /// The copies, in the order in which they were made.
    pub files: Vec<PathBuf>,
    /// Of how many transcripts they are copies: the first so many differ.
    pub different: usize,
}

/// Copies the transcripts below `from` into `folder`, over and over under new ids, until there are so many bytes.
pub fn copy_sessions(from: &Path, folder: &Path, wanted: u64) -> CopiedSessions {
    let mut sources = Vec::new();
    collect_transcripts(from, &mut sources);
    sources.sort();
    assert!(!sources.is_empty(), "no transcripts below {}", from.display());
    fs::create_dir_all(folder).unwrap();
    let (mut bytes, mut files) = (0, Vec::new());
    for (number, source) in sources.iter().cycle().enumerate() {
        let to = folder.join(format!("{number:08}-0000-4000-8000-000000000000.jsonl"));
        bytes += fs::copy(source, &to).unwrap();
        files.push(to);
        if bytes >= wanted {
            break;
        }
    }
    CopiedSessions { bytes, different: files.len().min(sources.len()), files }
}

fn collect_transcripts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect_transcripts(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            found.push(path);
        }
    }
}
