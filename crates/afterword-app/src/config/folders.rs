//! Which folders count as which project because a person said so (`projects.folders`), whatever git tells.

use std::path::Path;

use afterword_core::ProjectKey;
use afterword_platform::wsl::local_path;

use crate::error::ProjectNameProblem;
use crate::spelling::comparable;

/// What stands between a folder and its project in the setting.
const BETWEEN: &str = " = ";
/// The longest name of a project, in characters.
const LONGEST_NAME: usize = 160;

/// Folders with the projects they count as, and all that is below them. The deepest folder decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectFolders {
    folders: Vec<(ProjectKey, String)>,
}

impl ProjectFolders {
    /// Takes lines as `/home/ada/shop-2 = shop`, with `~` already expanded.
    ///
    /// # Errors
    /// The first line that cannot be used, and why.
    pub fn new(lines: &[String]) -> Result<Self, (String, String)> {
        let mut all = Self::default();
        for line in lines {
            let bad = |problem: &str| (line.clone(), problem.to_owned());
            let (folder, name) = line.rsplit_once(BETWEEN).ok_or(bad("it is no folder, ` = ` and a name"))?;
            let (folder, name) = (folder.trim(), name.trim());
            if !is_absolute(folder) {
                return Err(bad("its folder is no absolute path"));
            }
            check_name(name).map_err(|problem| bad(&problem.to_string()))?;
            all.put(ProjectKey::from_cwd(&local_path(folder)), name);
        }
        Ok(all)
    }

    /// The lines it is written as.
    pub fn lines(&self) -> Vec<String> {
        self.folders.iter().map(|(folder, name)| format!("{}{BETWEEN}{name}", folder.as_str())).collect()
    }

    /// Every folder with its project's name.
    pub fn iter(&self) -> impl Iterator<Item = (&ProjectKey, &str)> + Clone {
        self.folders.iter().map(|(folder, name)| (folder, name.as_str()))
    }

    /// The name of the project that a directory counts as; `None` where nobody said anything of it.
    pub fn name_of(&self, directory: &str) -> Option<&str> {
        self.deepest(directory).map(|(_, name)| name)
    }

    /// The folder by which a directory has its project.
    pub fn folder_of(&self, directory: &str) -> Option<&ProjectKey> {
        self.deepest(directory).map(|(folder, _)| folder)
    }

    /// Lets a folder count as a project.
    pub(crate) fn put(&mut self, folder: ProjectKey, name: &str) {
        self.remove(&folder);
        self.folders.push((folder, name.to_owned()));
    }

    /// Lets a folder count as a project, before all others: of several clones the first one says what the next one is.
    pub(crate) fn put_first(&mut self, folder: ProjectKey, name: &str) {
        self.remove(&folder);
        self.folders.insert(0, (folder, name.to_owned()));
    }

    /// Leaves it to git what a folder counts as.
    pub(crate) fn remove(&mut self, folder: &ProjectKey) {
        let gone = comparable(folder.as_str());
        self.folders.retain(|(known, _)| comparable(known.as_str()) != gone);
    }

    fn deepest(&self, directory: &str) -> Option<(&ProjectKey, &str)> {
        let directory = comparable(directory);
        let covers = |folder: &str| Path::new(&directory).starts_with(comparable(folder));
        let covering = self.iter().filter(|(folder, _)| covers(folder.as_str()));
        covering.max_by_key(|(folder, _)| Path::new(folder.as_str()).components().count())
    }
}

/// Says why a project cannot have this name in the setting.
pub(crate) fn check_name(name: &str) -> Result<(), ProjectNameProblem> {
    match () {
        () if name.trim().is_empty() => Err(ProjectNameProblem::Empty),
        () if name.trim() != name || name.contains(BETWEEN) || name.contains(char::is_control) => {
            Err(ProjectNameProblem::Form)
        }
        () if name.chars().count() > LONGEST_NAME => Err(ProjectNameProblem::TooLong { most: LONGEST_NAME }),
        () => Ok(()),
    }
}

/// Also a path of another system: transcripts travel, and Windows has WSL's.
fn is_absolute(folder: &str) -> bool {
    let drive = folder.as_bytes().get(1) == Some(&b':');
    folder.starts_with('/') || drive || folder.starts_with(r"\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(lines: &[&str]) -> Result<ProjectFolders, (String, String)> {
        ProjectFolders::new(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn deepest_folder_decides_for_all_below_it() {
        let folders = folders(&["/mono = mono", "/mono/api/ = the api", "/mono/api/v = 2 = mono"]).unwrap();
        let check = |directory: &str, expected: Option<&str>| {
            assert_eq!(folders.name_of(directory), expected, "{directory}");
        };
        check("/mono", Some("mono"));
        check("/mono/api", Some("the api"));
        check("/mono/api/src", Some("the api"));
        check("/mono/api/v = 2", Some("mono"));
        check("/mono/apis", Some("mono"));
        check("/monos", None);
        check("/", None);
        assert_eq!(ProjectFolders::new(&folders.lines()), Ok(folders), "what is written is read again");
    }

    #[test]
    fn folder_with_an_accent_is_the_same_in_either_form() {
        let (typed, on_disk) = ("/home/ada/b\u{fc}ro", "/home/ada/bu\u{308}ro");
        let mut all = folders(&[&format!("{typed} = office")]).unwrap();
        assert_eq!(all.name_of(&format!("{on_disk}/site")), Some("office"));
        all.put(ProjectKey::from_cwd(on_disk), "the office");
        assert_eq!(all.iter().count(), 1, "{all:?}");
    }

    #[test]
    fn line_that_says_nothing_is_refused() {
        let check = |line: &str, problem: &str| {
            let (told, why) = folders(&[line]).unwrap_err();
            assert_eq!((told.as_str(), why.contains(problem)), (line, true), "{why}");
        };
        check("/home/ada/shop", "no folder");
        check("shop = shop", "absolute");
        check("/home/ada/shop =  ", "no name");
        check("/home/ada/shop = a\nb", "line break");
        let long = format!("/home/ada/shop = {}", "x".repeat(161));
        check(&long, "longer");
    }
}
