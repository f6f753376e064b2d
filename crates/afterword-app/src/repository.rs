//! Which folders are one repository: worktrees and clones, known by their places and by git's own files. No git is run.

use std::borrow::Cow;
use std::path::Path;

use afterword_claude_code::home::WORKTREES;
use afterword_platform::files::{read_text, real_path};
use afterword_platform::wsl::local_path;

use crate::config::ProjectFolders;

/// Bytes of a file of git's that names a place; a longer one is none.
const LONGEST_GIT_FILE: u64 = 8 << 10;
/// Bytes of a repository's settings; what is longer is not read.
const LONGEST_SETTINGS: u64 = 256 << 10;
/// Where Conductor puts the worktrees of its repositories: `conductor/workspaces/<repository>/<name>`.
const WORKSPACES: &str = "/conductor/workspaces/";

/// The repository that a worktree belongs to: what is learned in one worktree holds in all. One in a usual place is known by its path,
/// also when it is gone (`.claude/worktrees` is where Claude Code makes its own, `conductor/workspaces/<repository>/<name>` where
/// Conductor does); one made elsewhere by what git left in it.
///
/// It is called as this side of WSL calls it: a folder that sessions of both sides worked in is one project.
pub(crate) fn without_worktree(cwd: &str) -> Cow<'_, str> {
    let cwd = local_path(cwd);
    let end = below_marker(&cwd).or_else(|| below_workspaces(&cwd));
    match (end, cwd) {
        (Some(end), Cow::Borrowed(cwd)) => Cow::Borrowed(&cwd[..end]),
        (Some(end), Cow::Owned(cwd)) => Cow::Owned(cwd[..end].to_owned()),
        (None, cwd) => main_worktree(Path::new(&*cwd)).map_or(cwd, Cow::Owned),
    }
}

/// The folder whose project a directory counts as: the repository of a worktree, but where the person said of the worktree itself
/// what it is.
pub(crate) fn project_folder<'a>(cwd: &'a str, folders: &ProjectFolders) -> Cow<'a, str> {
    let repository = without_worktree(cwd);
    match folders.folder_of(cwd) {
        Some(folder) if *repository != *cwd && !Path::new(&*repository).starts_with(folder.as_str()) => {
            Cow::Owned(folder.as_str().to_owned())
        }
        _ => repository,
    }
}

fn below_marker(cwd: &str) -> Option<usize> {
    let slashed = cwd.replace('\\', "/");
    let markers = [format!("/{WORKTREES}/"), "/.worktrees/".to_owned()];
    let ends = markers.iter().filter_map(|marker| slashed.find(marker.as_str()));
    ends.filter(|end| *end > 0).min()
}

fn below_workspaces(cwd: &str) -> Option<usize> {
    let slashed = cwd.replace('\\', "/");
    let repository = slashed.find(WORKSPACES)? + WORKSPACES.len();
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
    let pointer = git_file(&own)?;
    let inside = root.join(pointer.strip_prefix("gitdir:")?.trim());
    let of_worktrees = inside.parent().filter(|parent| parent.ends_with("worktrees"))?;
    let back = inside.join(git_file(&inside.join("gitdir"))?.trim());
    if back.canonicalize().ok()? != own.canonicalize().ok()? {
        return None;
    }
    repository_at(&real_path(of_worktrees.parent()?).ok()?)
}

/// The folder that stands for the repository which git keeps in a directory: the one around `.git`, or around `.bare`; of `shop.git`,
/// which has no files of its own beside it, `shop`.
fn repository_at(directory: &Path) -> Option<String> {
    let name = directory.file_name()?.to_str()?;
    let is_bare = || is_bare(&small_file(&directory.join("config"), LONGEST_SETTINGS).unwrap_or_default());
    if name != ".git" && !is_bare() {
        return None;
    }
    match name.strip_suffix(".git") {
        _ if matches!(name, ".git" | ".bare") => directory.parent()?.to_str().map(str::to_owned),
        Some(name) => directory.with_file_name(name).to_str().map(str::to_owned),
        None => directory.to_str().map(str::to_owned),
    }
}

/// Whether a repository's settings say that it has no files of its own beside it.
fn is_bare(settings: &str) -> bool {
    settings.lines().filter_map(|line| line.split_once('=')).any(|(name, value)| {
        name.trim().eq_ignore_ascii_case("bare") && value.trim().eq_ignore_ascii_case("true")
    })
}

/// Of the projects there are, the one that another folder is a copy of: the only clone from the same address, or, for Conductor's
/// worktrees of a repository that is elsewhere, the only one of that name.
pub(crate) fn same_repository<'a>(
    project: &str,
    others: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    let own = origin(project);
    let cloned = || others.clone().filter(|other| own.is_some() && origin(other) == own);
    let named =
        || others.clone().filter(|other| of_workspaces(project, other) || of_workspaces(other, project));
    let first = cloned().next();
    first.or_else(|| exactly_one(named()))
}

/// As [`same_repository`]; folders of which the person said what they are come last, in the order of the setting: a clone they set
/// apart says nothing of the others.
pub(crate) fn same_project<'a>(
    project: &str,
    others: impl Iterator<Item = &'a str> + Clone,
    folders: &ProjectFolders,
) -> Option<&'a str> {
    let told_by_git = others.clone().filter(|other| folders.name_of(other).is_none());
    let said =
        folders.iter().filter_map(|(folder, _)| others.clone().find(|other| *other == folder.as_str()));
    same_repository(project, told_by_git).or_else(|| same_repository(project, said))
}

fn exactly_one<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    all.next().filter(|_| all.next().is_none())
}

/// Whether a folder is where Conductor has the worktrees of a repository of the other's name.
fn of_workspaces(folder: &str, repository: &str) -> bool {
    let (folder, repository) = (folder.replace('\\', "/"), repository.replace('\\', "/"));
    let name = folder.find(WORKSPACES).map(|at| &folder[at + WORKSPACES.len()..]);
    let own = repository.rsplit('/').next().filter(|name| !name.is_empty());
    name.is_some() && name == own && !repository.contains(WORKSPACES)
}

/// Where the repository in a folder was cloned from, in one form for all ways to write it: `git@host:a/b.git` and `https://host/a/b`.
fn origin(folder: &str) -> Option<String> {
    let address = remote(&settings_of(folder)?)?;
    let (scheme, rest) = address.split_once("://").unwrap_or(("", &address));
    // A clone of a folder says nothing of where that is from.
    let is_remote = !scheme.is_empty() && scheme != "file" || scheme.is_empty() && address.contains(':');
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let (host, path) = rest.split_once(['/', ':']).filter(|(host, _)| is_remote && host.len() > 1)?;
    let path = path.trim_matches('/').trim_end_matches(".git");
    Some(format!("{}/{path}", host.to_lowercase()))
}

/// The address of the remote named `origin`, or of the only one there is.
fn remote(settings: &str) -> Option<String> {
    let mut remotes: Vec<(String, String)> = Vec::new();
    let mut section = None;
    for line in settings.lines().map(str::trim) {
        if line.starts_with('[') {
            let name = line.strip_prefix("[remote \"").and_then(|rest| rest.strip_suffix("\"]"));
            section = name.map(str::to_owned);
        } else if let (Some(name), Some((key, value))) = (&section, line.split_once('='))
            && key.trim() == "url"
            && !remotes.iter().any(|(known, _)| known == name)
        {
            remotes.push((name.clone(), value.trim().to_owned()));
        }
    }
    let named = remotes.iter().find(|(name, _)| name == "origin");
    named.or(exactly_one(remotes.iter())).map(|(_, address)| address.clone())
}

/// The settings of the repository in a folder, wherever git keeps them: in `.git`, where a file of that name says, or in the bare
/// repository that the folder stands for ([`repository_at`]).
fn settings_of(folder: &str) -> Option<String> {
    let root = Path::new(folder);
    let own = root.join(".git");
    let pointer = git_file(&own).and_then(|pointer| Some(root.join(pointer.strip_prefix("gitdir:")?.trim())));
    let common = pointer.map(|inside| match git_file(&inside.join("commondir")) {
        Some(common) => inside.join(common.trim()),
        None => inside,
    });
    let of_bare = [root.join(".bare"), Path::new(&format!("{folder}.git")).to_owned(), root.to_owned()];
    let settings = |directory: &Path| small_file(&directory.join("config"), LONGEST_SETTINGS);
    let bare = || of_bare.iter().filter_map(|directory| settings(directory)).find(|text| is_bare(text));
    settings(common.as_deref().unwrap_or(&own)).or_else(bare)
}

/// One of git's small files that name a place.
fn git_file(path: &Path) -> Option<String> {
    small_file(path, LONGEST_GIT_FILE)
}

fn small_file(path: &Path, most: u64) -> Option<String> {
    let is_small = path.symlink_metadata().is_ok_and(|data| data.is_file() && data.len() <= most);
    is_small.then(|| read_text(path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worktree_belongs_to_its_repository() {
        let check = |cwd: &str, project: &str| {
            assert_eq!(without_worktree(cwd), project);
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

    /// Runs git with nobody's settings.
    fn git(directory: &Path, arguments: &[&str]) {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]).args(arguments);
        command.current_dir(directory).env("HOME", directory).env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    }

    #[test]
    fn worktree_made_anywhere_is_known_by_what_git_left() {
        let home = tempfile::tempdir().unwrap();
        let home = real_path(home.path()).unwrap();
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
    fn worktrees_of_a_bare_repository_are_one_project() {
        let home = tempfile::tempdir().unwrap();
        let home = real_path(home.path()).unwrap();
        let source = home.join("source");
        std::fs::create_dir(&source).unwrap();
        git(&source, &["init", "--quiet"]);
        git(&source, &["commit", "--quiet", "--allow-empty", "-m", "start"]);
        let project = |directory: &Path| without_worktree(directory.to_str().unwrap()).into_owned();
        for (bare, folder) in [("code/shop.git", "code/shop"), ("blog/.bare", "blog")] {
            git(&home, &["clone", "--quiet", "--bare", "source", bare]);
            let bare = home.join(bare);
            for name in ["one", "two"] {
                let place = home.join(folder).with_file_name(format!("{}-{name}", folder.replace('/', "-")));
                git(&bare, &["worktree", "add", "--quiet", "-b", name, place.to_str().unwrap()]);
                assert_eq!(project(&place), home.join(folder).to_str().unwrap());
            }
            git(&bare, &["remote", "set-url", "origin", "https://example.org/ada/shop.git"]);
        }
        let (shop, blog) = (home.join("code/shop"), home.join("blog"));
        let known = [shop.to_str().unwrap()];
        assert_eq!(same_repository(blog.to_str().unwrap(), known.into_iter()), shop.to_str());
    }

    #[test]
    fn only_remote_tells_what_a_clone_is_of() {
        let of =
            |name: &str, address: &str| format!("[remote \"{name}\"]\n\turl = {address}\n\tfetch = +refs\n");
        let (upstream, fork) =
            (of("upstream", "git@example.org:ada/shop"), of("fork", "git@example.org:eve/shop"));
        assert_eq!(remote(&upstream).as_deref(), Some("git@example.org:ada/shop"));
        assert_eq!(remote(&format!("{upstream}{fork}")), None, "either could be meant");
        let origin = of("origin", "git@example.org:bob/shop");
        let all = format!("[core]\n\tbare = false\n{upstream}{origin}[branch \"main\"]\n\tremote = origin\n");
        assert_eq!(remote(&all).as_deref(), Some("git@example.org:bob/shop"));
        assert_eq!(remote("[remote \"empty\"]\n"), None);
    }

    #[test]
    fn worktree_that_a_person_set_apart_is_no_part_of_its_repository() {
        let folders = ["/shop/.worktrees/api = api".to_owned(), "/blog = notes".to_owned()];
        let folders = ProjectFolders::new(&folders).unwrap();
        let check = |cwd: &str, folder: &str| {
            assert_eq!(project_folder(cwd, &folders), folder);
        };
        check("/shop/.worktrees/api/src", "/shop/.worktrees/api");
        check("/shop/.worktrees/web/src", "/shop");
        check("/blog/.worktrees/new", "/blog");
        check("/blog/src", "/blog/src");
    }

    #[test]
    fn clones_are_one_repository_however_their_address_is_written() {
        let home = tempfile::tempdir().unwrap();
        let clone = |name: &str, address: &str| {
            let folder = home.path().join(name);
            std::fs::create_dir_all(folder.join(".git")).unwrap();
            let settings =
                format!("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = {address}\n\tfetch = +refs\n");
            std::fs::write(folder.join(".git/config"), settings).unwrap();
            folder.to_str().unwrap().to_owned()
        };
        let shop = clone("shop", "git@Example.org:ada/shop.git");
        let again = clone("shop-2", "https://ada:secret@example.org/ada/shop");
        let other = clone("other", "https://example.org/ada/other.git");
        let copied = clone("copied", "/srv/git/shop.git");
        let copied_again = clone("copied-2", "/srv/git/shop.git");
        let known = [shop.as_str(), other.as_str(), copied.as_str()];
        assert_eq!(same_repository(&again, known.into_iter()), Some(shop.as_str()));
        assert_eq!(same_repository(&copied_again, known.into_iter()), None);
        assert_eq!(same_repository("/gone", known.into_iter()), None);
    }

    #[test]
    fn workspaces_belong_to_the_only_repository_of_their_name() {
        let check = |project: &str, known: &[&str], expected: Option<&str>| {
            assert_eq!(same_repository(project, known.iter().copied()), expected);
        };
        let workspaces = "/Users/ada/conductor/workspaces/shop";
        check(workspaces, &["/Users/ada/code/shop", "/Users/ada/code/blog"], Some("/Users/ada/code/shop"));
        check("/Users/ada/code/shop", &[workspaces], Some(workspaces));
        check(workspaces, &["/Users/ada/code/shop", "/Users/ada/old/shop"], None);
        check("/Users/ada/old/shop", &["/Users/ada/code/shop"], None);
    }
}
