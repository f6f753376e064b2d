//! The beginning of a transcript, for the project alone: what the user excludes is read no further than this.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use afterword_core::ProjectKey;
use afterword_transcript::Directories;

use crate::Error;
use crate::config::ProjectFolders;
use crate::repository::project_folder;

/// Bytes after which the search for a working directory is given up. Real transcripts name one within the first ten
/// entries; those before it hold file snapshots of some kilobytes.
const LIMIT: u64 = 1 << 20;

/// Where a session took place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLocation {
    /// The working directory of its first entry that has one.
    pub directory: ProjectKey,
    /// The project it belongs to: the directory, or the one it is a worktree of, or what the person said of it.
    pub project: ProjectKey,
}

impl SessionLocation {
    fn new(cwd: &str, folders: &ProjectFolders) -> Self {
        let project = ProjectKey::from_cwd(&project_folder(cwd, folders));
        Self { directory: ProjectKey::from_cwd(cwd), project }
    }
}

/// Where a session took place, by its first entry that says so.
pub fn session_location(path: &Path, folders: &ProjectFolders) -> Result<Option<SessionLocation>, Error> {
    let error = |source| Error::Io { path: path.to_owned(), action: "read the transcript", source };
    place_in(File::open(path).map_err(error)?, path, folders)
}

/// The same of what a reader gives; `path` is what an error names.
pub(crate) fn place_in(
    reader: impl Read,
    path: &Path,
    folders: &ProjectFolders,
) -> Result<Option<SessionLocation>, Error> {
    let error = |source| Error::Io { path: path.to_owned(), action: "read the transcript", source };
    let first = Directories::new(reader.take(LIMIT)).next().transpose().map_err(error)?;
    Ok(first.map(|named| SessionLocation::new(&named.directory, folders)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_directory_is_found_behind_lines_without_one_and_broken_ones() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("one.jsonl");
        let check = |text: &[u8], expected: Option<&str>| {
            std::fs::write(&path, text).unwrap();
            assert_eq!(
                session_location(&path, &ProjectFolders::default()).unwrap().map(|place| place.directory),
                expected.map(ProjectKey::from_cwd)
            );
        };
        check(b"{\"type\":\"summary\"}\n{broken\n\xff\n{\"cwd\":\"/a/b\"}\n{\"cwd\":\"/c\"}\n", Some("/a/b"));
        check(b"{\"message\":{\"cwd\":\"/not/this\"}}\n", None);
        check(b"", None);
        check(b"{\"cwd\":\"/unended\"}", Some("/unended"));
    }
}
