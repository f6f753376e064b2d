//! Several directories of Claude Code that are followed at once: one for each account, or that of another system.
//!
//! It owns which of them counts where two are the same, and that a session which was copied from one to another is found once. Start
//! at [`ClaudeDirs::discover`].

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use afterword_platform::files::resolved_path;

use crate::home::PROJECTS;
use crate::{ClaudeHome, FoundTranscripts, TranscriptFile, discover, retention};

/// So many bytes at the beginning, and at the end of the shorter one, tell whether a file goes on where another ends.
const COMPARED: u64 = 4096;

/// Every directory of Claude Code that is followed; at least the one that it runs with here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaudeDirs {
    /// Without repetition, the one Claude Code runs with here first.
    all: Vec<ClaudeHome>,
    usual: ClaudeHome,
}

impl ClaudeDirs {
    /// One directory.
    pub fn one(main: ClaudeHome) -> Self {
        Self { usual: main.clone(), all: vec![main] }
    }

    /// The directory Claude Code runs with here, the one it runs with where no `CLAUDE_CONFIG_DIR` is set, and others. One that is
    /// named twice, also in two spellings, counts once. The spelling of `usual` and `others` comes first: it is the same in every process.
    pub fn several(
        main: ClaudeHome,
        usual: Option<ClaudeHome>,
        others: impl IntoIterator<Item = ClaudeHome>,
    ) -> Self {
        let usual = usual.unwrap_or_else(|| main.clone());
        let mut all = vec![main];
        let mut is_main_spelled = false;
        for home in std::iter::once(usual.clone()).chain(others) {
            match all.iter().position(|known| known.is_same_directory(&home)) {
                None => all.push(home),
                Some(0) if !is_main_spelled => {
                    all[0] = home;
                    is_main_spelled = true;
                }
                Some(_) => {}
            }
        }
        Self { all, usual }
    }

    /// Directories that somebody else follows, the one it runs with first; `None` of none.
    pub fn of_roots(roots: &[PathBuf]) -> Option<Self> {
        let mut homes = roots.iter().filter_map(|root| ClaudeHome::resolve(Some(root.as_os_str()), None));
        homes.next().map(|main| Self::several(main, None, homes))
    }

    /// The directory that Claude Code runs with here.
    pub fn main(&self) -> &ClaudeHome {
        &self.all[0]
    }

    /// The directory that it runs with where no `CLAUDE_CONFIG_DIR` is set: the same in every process.
    pub fn usual(&self) -> &ClaudeHome {
        &self.usual
    }

    /// All of them, [`ClaudeDirs::main`] first.
    pub fn iter(&self) -> impl Iterator<Item = &ClaudeHome> {
        self.all.iter()
    }

    /// The `projects` of each.
    pub fn projects(&self) -> Vec<PathBuf> {
        self.all.iter().map(ClaudeHome::projects).collect()
    }

    /// Finds every transcript in all of them. One that stands in two under the same name, as after a directory was copied, is
    /// there once: where there is more of it. If both went on, each in its own way, both are there.
    ///
    /// Nothing is opened but directories, and files of the same name that differ in size. A directory within another, or which
    /// is another under a second name, is looked into once.
    pub fn discover(&self) -> FoundTranscripts {
        let mut found = FoundTranscripts::default();
        if let [one] = self.all.as_slice() {
            return discover(&one.projects());
        }
        let mut real: Vec<PathBuf> = Vec::new();
        let mut by_name: HashMap<PathBuf, Vec<TranscriptFile>> = HashMap::new();
        for projects in self.projects() {
            if let Ok(place) = projects.canonicalize() {
                if real.iter().any(|other| overlap(other, &place)) {
                    continue;
                }
                real.push(place);
            }
            let here = discover(&projects);
            found.problems.extend(here.problems);
            for file in here.transcripts {
                let name = file.path.strip_prefix(&projects).unwrap_or(&file.path).to_owned();
                let same = by_name.entry(name).or_default();
                match same.iter().position(|other| is_repeated(other, &file)) {
                    None => same.push(file),
                    Some(at) if same[at].size < file.size => {
                        found.repeated.push(std::mem::replace(&mut same[at], file));
                    }
                    Some(_) => found.repeated.push(file),
                }
            }
        }
        found.transcripts = by_name.into_values().flatten().collect();
        found.transcripts.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        found
    }

    /// The directory below whose `projects` a file lies, after every link on the way was followed.
    pub fn home_holding(&self, path: &Path) -> Option<&ClaudeHome> {
        let path = path.canonicalize().ok()?;
        self.all.iter().find(|home| home.projects().canonicalize().is_ok_and(|root| path.starts_with(root)))
    }

    /// The directory below whose `projects` a path is, as it is written: also of a file that is gone. None of a path with `..`, which may
    /// lead anywhere.
    pub fn home_naming(&self, path: &Path) -> Option<&ClaudeHome> {
        let leads_up = path.components().any(|part| part == Component::ParentDir);
        self.all.iter().find(|home| !leads_up && path.starts_with(home.projects()))
    }

    /// Whether a directory of Claude Code is one of them, or its transcripts lie below those of one.
    pub fn follows_directory(&self, directory: &Path) -> bool {
        self.follows(&directory.join(PROJECTS))
    }

    /// Whether a transcript lies below the `projects` of one of them; it need not be there yet, nor the folder.
    pub fn follows(&self, transcript: &Path) -> bool {
        self.followed_path(transcript).is_some()
    }

    /// A transcript's path as [`ClaudeDirs::discover`] spells it, whichever way it was named: through a link, with `..`, or with other
    /// capitals where these do not count. `None` where it lies below none of them. It need not be there yet.
    pub fn followed_path(&self, transcript: &Path) -> Option<PathBuf> {
        let real = resolved_path(transcript);
        let leads_up = transcript.components().any(|part| part == Component::ParentDir);
        let below = |home: &ClaudeHome| {
            let projects = home.projects();
            let root = resolved_path(&projects);
            // A link below it may lead out of it: then what is written below it counts.
            let written = || transcript.ancestors().find(|folder| !leads_up && resolved_path(folder) == root);
            let rest = real.strip_prefix(&root).ok();
            let rest = rest.or_else(|| transcript.strip_prefix(written()?).ok())?;
            Some(if rest.as_os_str().is_empty() { projects } else { projects.join(rest) })
        };
        self.all.iter().find_map(below)
    }

    /// After so many days without activity the first of them deletes a transcript.
    pub fn retention_days(&self) -> u32 {
        let days = self.all.iter().map(retention::days);
        days.min().unwrap_or_else(|| retention::days(self.main()))
    }
}

/// Whether a path names the folder that holds the projects where the directory around it is meant.
pub fn is_projects_folder(path: &Path) -> bool {
    path.ends_with(PROJECTS) && !path.join(PROJECTS).is_dir()
}

/// The directory of Claude Code that a transcript says it is of: the one that holds `projects`, or else the transcript's own folder.
pub fn claude_directory_of(transcript: &Path) -> &Path {
    let projects = transcript.ancestors().find(|folder| folder.ends_with(PROJECTS));
    projects.and_then(Path::parent).or_else(|| transcript.parent()).unwrap_or(transcript)
}

/// The first of `others` that lies in a directory or around it, after every link was followed: the inner one and the outer one. The same
/// directory under a second name is neither, nor is one that is not there.
pub fn nested<'d>(directory: &'d Path, others: impl IntoIterator<Item = &'d Path>) -> Option<Nested<'d>> {
    let own = directory.canonicalize().ok()?;
    others.into_iter().find_map(|other| {
        let real = other.canonicalize().ok().filter(|real| *real != own && overlap(real, &own))?;
        let (inner, outer) = if own.starts_with(&real) { (directory, other) } else { (other, directory) };
        Some(Nested { inner, outer })
    })
}

/// Two directories of Claude Code of which one lies in the other, so that only one of them can be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nested<'d> {
    /// The one that lies in the other.
    pub inner: &'d Path,
    /// The one around it.
    pub outer: &'d Path,
}

impl std::fmt::Display for Nested<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} lies in {}", self.inner.display(), self.outer.display())
    }
}

/// Whether two directories are one, or one lies in the other.
fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// Whether one of two files of the same name has nothing that the other has not.
fn is_repeated(one: &TranscriptFile, other: &TranscriptFile) -> bool {
    one.size == other.size || begins_alike(&one.path, &other.path, one.size.min(other.size)).unwrap_or(false)
}

/// Whether two files are the same as far as `size`, by their beginnings and what is before that place.
fn begins_alike(one: &Path, other: &Path, size: u64) -> std::io::Result<bool> {
    let length = size.min(COMPARED);
    let piece = |file: &mut File, start: u64| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.take(length).read_to_end(&mut bytes).map(|_| bytes)
    };
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    for start in [0, size - length] {
        if piece(&mut one, start)? != piece(&mut other, start)? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn home(root: &Path) -> ClaudeHome {
        ClaudeHome::resolve(Some(root.as_os_str()), None).unwrap()
    }

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join("projects").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn paths(files: &[TranscriptFile], root: &Path) -> Vec<String> {
        let name = |file: &TranscriptFile| {
            file.path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/")
                .replace("projects/", "")
        };
        files.iter().map(name).collect()
    }

    #[test]
    fn session_that_was_copied_is_there_once_where_more_of_it_is() {
        let place = tempfile::tempdir().unwrap();
        let (one, two) = (place.path().join("one"), place.path().join("two"));
        for (name, in_one, in_two) in [
            ("-p/same.jsonl", "1\n", "1\n"),
            ("-p/went-on.jsonl", "1\n", "1\n2\n"),
            ("-p/went-on/subagents/agent-a.jsonl", "a\n", "a\n"),
            ("-p/both-went-on.jsonl", "1\nthis way\n", "1\nthat way, for longer\n"),
        ] {
            write(&one, name, in_one);
            write(&two, name, in_two);
        }
        write(&one, "-p/first.jsonl", "1\n");
        write(&two, "-q/second.jsonl", "1\n");
        let found = ClaudeDirs::several(home(&one), None, [home(&two)]).discover();
        assert_eq!(
            paths(&found.transcripts, place.path()),
            [
                "one/-p/both-went-on.jsonl",
                "one/-p/first.jsonl",
                "one/-p/same.jsonl",
                "one/-p/went-on/subagents/agent-a.jsonl",
                "two/-p/both-went-on.jsonl",
                "two/-p/went-on.jsonl",
                "two/-q/second.jsonl",
            ]
        );
        let mut repeated = paths(&found.repeated, place.path());
        repeated.sort();
        assert_eq!(
            repeated,
            ["one/-p/went-on.jsonl", "two/-p/same.jsonl", "two/-p/went-on/subagents/agent-a.jsonl"]
        );
    }

    #[test]
    fn directory_within_another_is_looked_into_once() {
        let place = tempfile::tempdir().unwrap();
        let one = place.path().join("one");
        write(&one, "-p/first.jsonl", "1\n");
        let within = one.join("projects/-p");
        write(&within, "-q/second.jsonl", "1\n");
        let found = ClaudeDirs::several(home(&one), None, [home(&one), home(&within)]).discover();
        assert_eq!(paths(&found.transcripts, place.path()), ["one/-p/first.jsonl"]);
    }

    #[cfg(unix)]
    #[test]
    fn directory_under_a_second_name_is_looked_into_once() {
        let place = tempfile::tempdir().unwrap();
        let (one, two) = (place.path().join("one"), place.path().join("two"));
        write(&one, "-p/first.jsonl", "1\n");
        std::os::unix::fs::symlink(&one, &two).unwrap();
        let dirs = ClaudeDirs::several(home(&one), None, [home(&two)]);
        assert_eq!(paths(&dirs.discover().transcripts, place.path()), ["one/-p/first.jsonl"]);
        assert!(dirs.discover().repeated.is_empty());
    }

    #[test]
    fn directory_in_another_is_told_from_one_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for made in ["one/within", "one-more"] {
            fs::create_dir_all(path(made)).unwrap();
        }
        let (one, within, beside) = (path("one"), path("one/within"), path("one-more"));
        let both = Nested { inner: &within, outer: &one };
        assert_eq!(nested(&one, [beside.as_path(), &within]), Some(both));
        assert_eq!(nested(&within, [beside.as_path(), &one]), Some(both));
        assert_eq!(nested(&one, [beside.as_path(), &one, &path("one/none")]), None);
        assert_eq!(nested(&path("one/none"), [one.as_path()]), None);
        assert_eq!(both.to_string(), format!("{} lies in {}", within.display(), one.display()));
    }

    #[test]
    fn file_lies_in_one_of_them_or_in_none() {
        let place = tempfile::tempdir().unwrap();
        let (one, two) = (place.path().join("one"), place.path().join("two"));
        write(&one, "-p/first.jsonl", "1\n");
        write(&two, "-p/second.jsonl", "1\n");
        write(&place.path().join("three"), "-p/third.jsonl", "1\n");
        let dirs = ClaudeDirs::several(home(&one), None, [home(&two), home(&one)]);
        assert_eq!(dirs.iter().count(), 2);
        let holding =
            |path: &str| dirs.home_holding(&place.path().join(path)).map(|home| home.root().to_owned());
        assert_eq!(holding("one/projects/-p/first.jsonl"), Some(one.clone()));
        assert_eq!(holding("two/projects/-p/second.jsonl"), Some(two));
        assert_eq!(holding("three/projects/-p/third.jsonl"), None);
        assert_eq!(holding("one/projects/-p/../../../three/projects/-p/third.jsonl"), None);
    }

    #[test]
    fn path_is_spelled_in_one_way() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        write(&path("one"), "-p/first.jsonl", "1\n");
        write(&path("three"), "-p/third.jsonl", "1\n");
        fs::create_dir_all(path("bare")).unwrap();
        let dirs = ClaudeDirs::several(home(&path("one")), None, [home(&path("bare"))]);
        let followed = |name: &str| dirs.followed_path(&path(name));
        for (named, expected) in [
            ("one/projects/-p/first.jsonl", Some("one/projects/-p/first.jsonl")),
            ("one/projects/-p/new.jsonl", Some("one/projects/-p/new.jsonl")),
            ("one/projects/-new/new.jsonl", Some("one/projects/-new/new.jsonl")),
            ("one/projects/-p/../-p/first.jsonl", Some("one/projects/-p/first.jsonl")),
            ("three/../one/projects/-p/new.jsonl", Some("one/projects/-p/new.jsonl")),
            ("one/projects/../../three/projects/-p/third.jsonl", None),
            ("one/projects/-none/../../../three/projects/-p/third.jsonl", None),
            ("one/settings.json", None),
            ("one/projects", Some("one/projects")),
            ("bare/projects", Some("bare/projects")),
            ("bare/projects/-p/new.jsonl", Some("bare/projects/-p/new.jsonl")),
            ("none/projects", None),
        ] {
            assert_eq!(followed(named), expected.map(path), "{named}");
        }
        assert_eq!(dirs.home_naming(&path("one/projects/../../three/projects/-p/third.jsonl")), None);
    }

    #[cfg(unix)]
    #[test]
    fn directory_in_two_spellings_is_one_and_the_settings_spelling_counts() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        write(&path("one"), "-p/first.jsonl", "1\n");
        write(&path("elsewhere"), "x/second.jsonl", "1\n");
        std::os::unix::fs::symlink(path("one"), path("two")).unwrap();
        std::os::unix::fs::symlink(path("elsewhere/projects/x"), path("one/projects/-out")).unwrap();
        let roots = |dirs: &ClaudeDirs| dirs.iter().map(|home| home.root().to_owned()).collect::<Vec<_>>();
        for second in ["two", "one/../one", "one/", "./one", "two/"] {
            let of_settings = ClaudeDirs::several(home(&path(second)), None, [home(&path("one"))]);
            assert_eq!(of_settings.iter().count(), 1, "{second}");
            let of_shell =
                ClaudeDirs::several(home(&path(second)), Some(home(&path("other"))), [home(&path("one"))]);
            assert_eq!(roots(&of_shell), [path("one"), path("other")], "{second}");
        }
        let dirs = ClaudeDirs::one(home(&path("one")));
        for named in
            ["two/projects/-p/first.jsonl", "two/projects/-p/new.jsonl", "two/projects/-out/second.jsonl"]
        {
            let expected = path(&named.replace("two/", "one/"));
            assert_eq!(dirs.followed_path(&path(named)), Some(expected), "{named}");
        }
    }

    #[test]
    fn shortest_retention_of_them_counts() {
        let place = tempfile::tempdir().unwrap();
        let (one, two) = (place.path().join("one"), place.path().join("two"));
        fs::create_dir_all(&two).unwrap();
        fs::write(two.join("settings.json"), r#"{"cleanupPeriodDays": 8}"#).unwrap();
        assert_eq!(ClaudeDirs::one(home(&one)).retention_days(), 30);
        assert_eq!(ClaudeDirs::several(home(&one), None, [home(&two)]).retention_days(), 8);
    }
}
