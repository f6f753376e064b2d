//! The beginning of a transcript, for the project alone: what the user excludes is read no further than this.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use afterword_core::ProjectKey;
use serde::Deserialize;

use crate::Error;
use crate::files::read_text;

/// Bytes after which the search for a working directory is given up. Real transcripts name one within the first ten
/// entries; those before it hold file snapshots of some kilobytes.
const LIMIT: u64 = 1 << 20;
/// Bytes of a file of git's that names a place; a longer one is none.
const LONGEST_GIT_FILE: u64 = 8 << 10;

#[derive(Deserialize)]
struct Entry {
    cwd: Option<String>,
}

/// Where a session took place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The working directory of its first entry that has one.
    pub(crate) directory: ProjectKey,
    /// The project it belongs to: the directory, or the one it is a worktree of.
    pub(crate) project: ProjectKey,
}

impl Place {
    fn new(cwd: &str) -> Self {
        Self { directory: ProjectKey::from_cwd(cwd), project: ProjectKey::from_cwd(&without_worktree(cwd)) }
    }
}

/// Where a session took place, by its first entry that says so.
pub(crate) fn place(path: &Path) -> Result<Option<Place>, Error> {
    let error = |source| Error::Io { path: path.to_owned(), action: "read the transcript", source };
    let mut reader = BufReader::new(File::open(path).map_err(error)?.take(LIMIT));
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(error)? == 0 {
            return Ok(None);
        }
        let entry = serde_json::from_slice::<Entry>(&line).ok();
        if let Some(cwd) = entry.and_then(|entry| entry.cwd).filter(|cwd| !cwd.is_empty()) {
            return Ok(Some(Place::new(&cwd)));
        }
    }
}

/// The repository that a worktree belongs to: what is learned in one worktree holds in all. One in a usual place is known by its path,
/// also when it is gone (`.claude/worktrees` is where Claude Code makes its own, `conductor/workspaces/<repository>/<name>` where
/// Conductor does); one made elsewhere by what git left in it.
pub(crate) fn without_worktree(cwd: &str) -> Cow<'_, str> {
    match below_marker(cwd).or_else(|| below_workspaces(cwd)) {
        Some(end) => Cow::Borrowed(&cwd[..end]),
        None => main_worktree(Path::new(cwd)).map_or(Cow::Borrowed(cwd), Cow::Owned),
    }
}

fn below_marker(cwd: &str) -> Option<usize> {
    let slashed = cwd.replace('\\', "/");
    let ends = ["/.claude/worktrees/", "/.worktrees/"].into_iter().filter_map(|marker| slashed.find(marker));
    ends.filter(|end| *end > 0).min()
}

fn below_workspaces(cwd: &str) -> Option<usize> {
    const MARKER: &str = "/conductor/workspaces/";
    let slashed = cwd.replace('\\', "/");
    let repository = slashed.find(MARKER)? + MARKER.len();
    let length = slashed[repository..].find('/').filter(|length| *length > 0)?;
    (slashed.len() > repository + length + 1).then_some(repository + length)
}

/// The repository whose worktree the directory is in, as git's own files say on both sides: what one side claims alone could be anybody's.
fn main_worktree(cwd: &Path) -> Option<String> {
    if !cwd.is_absolute() {
        return None;
    }
    let root = cwd.ancestors().find(|directory| directory.join(".git").symlink_metadata().is_ok())?;
    let own = root.join(".git");
    let told = git_file(&own)?;
    let inside = root.join(told.strip_prefix("gitdir:")?.trim());
    let of_worktrees = inside.parent().filter(|parent| parent.ends_with(".git/worktrees"))?;
    let back = inside.join(git_file(&inside.join("gitdir"))?.trim());
    if back.canonicalize().ok()? != own.canonicalize().ok()? {
        return None;
    }
    of_worktrees.parent()?.parent()?.canonicalize().ok()?.to_str().map(str::to_owned)
}

/// One of git's small files that name a place.
fn git_file(path: &Path) -> Option<String> {
    let is_small = path.symlink_metadata().is_ok_and(|data| data.is_file() && data.len() <= LONGEST_GIT_FILE);
    is_small.then(|| read_text(path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worktree_belongs_to_its_repository() {
        let check = |cwd: &str, project: &str| {
            assert_eq!(Place::new(cwd).project, ProjectKey::from_cwd(project));
            assert_eq!(Place::new(cwd).directory, ProjectKey::from_cwd(cwd));
        };
        check("/home/ada/shop/.worktrees/fix-1", "/home/ada/shop");
        check("/home/ada/shop/.claude/worktrees/fix/src", "/home/ada/shop");
        check(r"C:\code\shop\.worktrees\fix", r"C:\code\shop");
        check("/home/ada/shop", "/home/ada/shop");
        check("/home/ada/shop/.worktrees", "/home/ada/shop/.worktrees");
        check("/.worktrees/x", "/.worktrees/x");
        check("/Users/ada/conductor/workspaces/shop/kabul", "/Users/ada/conductor/workspaces/shop");
        check("/Users/ada/conductor/workspaces/shop/oslo/src", "/Users/ada/conductor/workspaces/shop");
        check("/Users/ada/conductor/workspaces/shop", "/Users/ada/conductor/workspaces/shop");
    }

    #[test]
    fn worktree_made_anywhere_is_known_by_what_git_left() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let git = |directory: &Path, arguments: &[&str]| {
            let mut command = std::process::Command::new("git");
            command.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]).args(arguments);
            command.current_dir(directory).env("HOME", &home).env("GIT_CONFIG_NOSYSTEM", "1");
            assert!(command.output().unwrap().status.success(), "{arguments:?}");
        };
        let shop = home.join("shop");
        std::fs::create_dir(&shop).unwrap();
        git(&shop, &["init", "--quiet"]);
        git(&shop, &["commit", "--quiet", "--allow-empty", "-m", "start"]);
        git(&shop, &["worktree", "add", "--quiet", "../elsewhere"]);
        let inside = home.join("elsewhere/src");
        std::fs::create_dir(&inside).unwrap();
        let project = |directory: &Path| without_worktree(directory.to_str().unwrap()).into_owned();
        assert_eq!(project(&inside), shop.to_str().unwrap());
        assert_eq!(project(&shop), shop.to_str().unwrap());

        // A folder that only says it is a worktree of another repository is none.
        let forged = home.join("forged");
        std::fs::create_dir(&forged).unwrap();
        std::fs::copy(home.join("elsewhere/.git"), forged.join(".git")).unwrap();
        assert_eq!(project(&forged), forged.to_str().unwrap());
    }

    #[test]
    fn first_directory_is_found_behind_lines_without_one_and_broken_ones() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("one.jsonl");
        let check = |text: &[u8], expected: Option<&str>| {
            std::fs::write(&path, text).unwrap();
            assert_eq!(
                place(&path).unwrap().map(|place| place.directory),
                expected.map(ProjectKey::from_cwd)
            );
        };
        check(b"{\"type\":\"summary\"}\n{broken\n\xff\n{\"cwd\":\"/a/b\"}\n{\"cwd\":\"/c\"}\n", Some("/a/b"));
        check(b"{\"message\":{\"cwd\":\"/not/this\"}}\n", None);
        check(b"", None);
        check(b"{\"cwd\":\"/unended\"}", Some("/unended"));
    }
}
