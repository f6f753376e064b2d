//! What people call a project: its folder's name, and more of its path where two would share one.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use afterword_core::ProjectKey;
use afterword_store::{Store, StoreError};

use crate::config::ProjectFolders;
use crate::repository::same_project;
use crate::session_files::{are_near, belong_to_different_people, likeness};
use crate::{App, Error};

/// Names given so far; a name once given stays, but where the person says otherwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProjectNames {
    names: HashMap<ProjectKey, String>,
    /// What the person said of folders.
    folders: ProjectFolders,
    /// Names that were given once, in lower case: those of folders that count as another project now are not free.
    taken: HashSet<String>,
    /// The files that tell a repository, by the folder whose sessions worked on them.
    files: HashMap<ProjectKey, BTreeSet<String>>,
    /// Given in this run and not yet remembered.
    new: Vec<NewName>,
}

/// A folder that got a name.
#[derive(Debug, Clone)]
struct NewName {
    project: ProjectKey,
    name: String,
    is: FolderRole,
}

/// What is known of another project.
#[derive(Default)]
struct OtherProject {
    files: BTreeSet<String>,
    /// One of its folders is there.
    is_there: bool,
    /// One of its folders is near.
    is_near: bool,
}

/// What a folder is to the project it counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FolderRole {
    /// Its own.
    First,
    /// A further folder of it.
    Copy,
    /// A further one that was taken for a project of its own before.
    Joined,
}

/// The names of projects, those given in earlier runs and those the person gave.
pub(crate) fn project_names(app: &App, store: &Store) -> Result<ProjectNames, Error> {
    Ok(ProjectNames::with_known_names(store.projects().names()?, &app.config.folders))
}

/// The names of projects as far as they are remembered, where anything is.
pub(crate) fn remembered_names(app: &App, store: Option<&Store>) -> Result<ProjectNames, Error> {
    match store {
        Some(store) => project_names(app, store),
        None => Ok(ProjectNames::with_known_names(HashMap::new(), &app.config.folders)),
    }
}

/// Every folder known, with the name of the project that it counts as.
pub(crate) fn named_folders(app: &App, store: &Store) -> Result<HashMap<ProjectKey, String>, Error> {
    Ok(project_names(app, store)?.names)
}

impl ProjectNames {
    /// Takes up the names given in earlier runs; what the person said of a folder goes before.
    pub(crate) fn with_known_names(mut names: HashMap<ProjectKey, String>, folders: &ProjectFolders) -> Self {
        let taken = names.values().map(|name| name.to_lowercase()).collect();
        for (folder, name) in &mut names {
            if let Some(said) = folders.name_of(folder.as_str()) {
                said.clone_into(name);
            }
        }
        names.extend(folders.iter().map(|(folder, name)| (folder.clone(), name.to_owned())));
        Self { names, folders: folders.clone(), taken, ..Self::default() }
    }

    /// Takes up the files that tell a repository: a folder that is gone is known by them.
    pub(crate) fn add_files(&mut self, project: &ProjectKey, files: impl IntoIterator<Item = String>) {
        self.files.entry(project.clone()).or_default().extend(files);
    }

    /// The project's name.
    pub(crate) fn name(&mut self, project: &ProjectKey) -> String {
        if let Some(name) = self.names.get(project) {
            return name.clone();
        }
        if let Some(said) = self.folders.name_of(project.as_str()) {
            let said = said.to_owned();
            self.names.insert(project.clone(), said.clone());
            return said;
        }
        let copied = self.name_of_repository(project).or_else(|| self.name_by_files(project));
        let is = if copied.is_some() { FolderRole::Copy } else { FolderRole::First };
        let name = copied.unwrap_or_else(|| self.free_name(project));
        self.assign(project, &name, is);
        name
    }

    fn assign(&mut self, project: &ProjectKey, name: &str, is: FolderRole) {
        self.names.insert(project.clone(), name.to_owned());
        self.new.push(NewName { project: project.clone(), name: name.to_owned(), is });
    }

    /// Looks once more at a folder of which too little was known when it got a name of its own; one that the vault has notes of keeps it.
    pub(crate) fn refresh(&mut self, project: &ProjectKey, has_notes: impl Fn(&str) -> bool) {
        let Some(own) = self.names.get(project) else { return };
        let is_said = self.folders.name_of(project.as_str()).is_some();
        let is_shared = self.names.values().filter(|name| *name == own).count() > 1;
        if is_said || is_shared || has_notes(own) {
            return;
        }
        if let Some(name) = self.name_by_files(project) {
            self.assign(project, &name, FolderRole::Joined);
        }
    }

    /// Whether no folder has another name there.
    pub(crate) fn has_same_names(&self, other: &Self) -> bool {
        self.names.iter().all(|(folder, name)| other.names.get(folder).is_none_or(|there| there == name))
    }

    /// Every folder with its name.
    pub(crate) fn folders(&self) -> &HashMap<ProjectKey, String> {
        &self.names
    }

    /// Remembers the names given in this run. What the person said stands in the settings alone.
    pub(crate) fn remember(&mut self, store: &Store) -> Result<(), StoreError> {
        std::mem::take(&mut self.new).into_iter().try_for_each(|NewName { project, name, is }| match is {
            FolderRole::First => store.projects().add(&project, &name),
            FolderRole::Copy => store.projects().add_copy(&project, &name),
            FolderRole::Joined => store.projects().mark_copy(&project, &name),
        })
    }

    /// The name of the other project whose files are those of this one, where one of the two is gone: of two that are there git says
    /// whether they are one.
    fn name_by_files(&self, project: &ProjectKey) -> Option<String> {
        let own = self.files.get(project)?;
        let mut others: HashMap<&str, OtherProject> = HashMap::new();
        for (folder, name) in self.names.iter().filter(|(folder, _)| *folder != project) {
            let Some(files) = self.files.get(folder).filter(|_| !belong_to_different_people(project, folder))
            else {
                continue;
            };
            let other = others.entry(name).or_default();
            other.files.extend(files.iter().cloned());
            other.is_there |= is_folder(folder);
            other.is_near |= are_near(project, folder);
        }
        let is_there = is_folder(project);
        let gone = others.into_iter().filter(|(_, other)| !(is_there && other.is_there));
        let alike =
            gone.filter_map(|(name, other)| Some((likeness(own, &other.files, other.is_near)?, name)));
        let mut alike: Vec<(usize, &str)> = alike.collect();
        alike.sort_unstable_by(|one, other| other.cmp(one));
        match alike[..] {
            [(most, name), ref rest @ ..] if rest.first().is_none_or(|(next, _)| *next < most) => {
                Some(name.to_owned())
            }
            _ => None,
        }
    }

    /// The name of the project that this one is a copy of.
    fn name_of_repository(&self, project: &ProjectKey) -> Option<String> {
        let known = same_project(project.as_str(), self.names.keys().map(ProjectKey::as_str), &self.folders)?;
        self.names.iter().find_map(|(key, name)| (key.as_str() == known).then(|| name.clone()))
    }

    /// A name for a folder that no other project has.
    pub(crate) fn free_name(&self, project: &ProjectKey) -> String {
        let parts: Vec<&str> = project.as_str().split(['/', '\\']).filter(|part| !part.is_empty()).collect();
        let is_free = |name: &str| {
            !self.taken.contains(&name.to_lowercase())
                && !self.names.values().any(|taken| taken.eq_ignore_ascii_case(name))
        };
        let from_path = (1..=parts.len()).map(|count| parts[parts.len() - count..].join("/"));
        let whole = std::iter::once(project.name().to_owned());
        let numbered = (2..).map(|number| format!("{} {number}", project.name()));
        from_path
            .chain(whole)
            .chain(numbered)
            .find(|name| is_free(name))
            .unwrap_or_else(|| project.as_str().to_owned())
    }
}

fn is_folder(project: &ProjectKey) -> bool {
    Path::new(project.as_str()).is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_one_name_are_told_apart_and_keep_their_names() {
        let mut names = ProjectNames::default();
        let mut name = |path: &str| names.name(&ProjectKey::from_cwd(path));
        assert_eq!(name("/home/ada/shop"), "shop");
        assert_eq!(name("/work/acme/shop"), "acme/shop");
        assert_eq!(name("/srv/acme/shop/"), "srv/acme/shop");
        assert_eq!(name("/home/ada/shop"), "shop");
        assert_eq!(name(r"C:\work\Shop"), "work/Shop");
        assert_eq!(name("/"), "/");
    }

    #[test]
    fn same_path_written_two_ways_still_gets_a_name_of_its_own() {
        let mut names = ProjectNames::default();
        assert_eq!(names.name(&ProjectKey::from_cwd("/a/shop")), "shop");
        assert_eq!(names.name(&ProjectKey::from_cwd("//a/shop")), "a/shop");
        assert_eq!(names.name(&ProjectKey::from_cwd("///a/shop")), "shop 2");
    }

    #[test]
    fn what_the_person_said_goes_before_what_was_given() {
        let key = ProjectKey::from_cwd;
        let given = [("/a/shop", "shop"), ("/b/store", "store")];
        let given = HashMap::from(given.map(|(folder, name)| (key(folder), name.to_owned())));
        let folders = ProjectFolders::new(&["/b/store = shop".to_owned()]).unwrap();
        let mut names = ProjectNames::with_known_names(given, &folders);
        assert_eq!(names.name(&key("/b/store")), "shop");
        assert_eq!(names.name(&key("/b/store/tools")), "shop", "what is below it, too");
        assert_eq!(names.name(&key("/c/store")), "c/store", "its own name is not free");
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        names.remember(&store).unwrap();
        let kept = HashMap::from([(key("/c/store"), "c/store".to_owned())]);
        assert_eq!(store.projects().names().unwrap(), kept, "the settings alone have what the person said");
    }
    #[test]
    fn folder_that_is_gone_is_known_by_what_was_worked_on() {
        let key = ProjectKey::from_cwd;
        let files = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
        let ours = files(&["crates/spindle/src/feed.rs", "crates/spindle/src/stop.rs"]);
        let there = tempfile::tempdir().unwrap();
        let there = key(there.path().to_str().unwrap());
        let mut names = ProjectNames::default();
        names.add_files(&there, ours.clone());
        let name = names.name(&there);
        let (gone, later) = (key("/gone/lathe-fix"), key("/gone/lathe-two"));
        names.add_files(&gone, ours.clone());
        assert_eq!(names.name(&gone), name);
        assert_eq!(names.name(&later), "lathe-two");
        names.add_files(&later, ours.clone());
        names.refresh(&later, |name| name == "lathe-two");
        assert_eq!(names.name(&later), "lathe-two", "it has notes by now");
        names.refresh(&later, |_| false);
        assert_eq!(names.name(&later), name);

        let fork = tempfile::tempdir().unwrap();
        let fork = key(fork.path().to_str().unwrap());
        names.add_files(&fork, ours.clone());
        assert_ne!(names.name(&fork), name, "of two that are there git tells");
        let either = key("/gone/lathe-three");
        names.add_files(&either, ours);
        assert_eq!(names.name(&either), "lathe-three", "it may be of the one or of the other");
    }
}
