//! What people call a project: its folder's name, and more of its path where two would share one.

use std::collections::{HashMap, HashSet};

use afterword_core::ProjectKey;
use afterword_store::{Store, StoreError};

use crate::config::ProjectFolders;
use crate::repository::same_project;
use crate::{Agent, Error};

/// Names given so far; a name once given stays, but where the person says otherwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProjectNames {
    names: HashMap<ProjectKey, String>,
    /// What the person said of folders.
    folders: ProjectFolders,
    /// Names that were given once, in lower case: those of folders that count as another project now are not free.
    taken: HashSet<String>,
    /// Given in this run and not yet remembered.
    new: Vec<NewName>,
}

/// A folder that got a name.
#[derive(Debug, Clone)]
struct NewName {
    project: ProjectKey,
    name: String,
    /// It is a further folder of the project of that name.
    is_copy: bool,
}

impl Agent {
    /// The names of projects, those given in earlier runs and those the person gave.
    pub(crate) fn project_names(&self, store: &Store) -> Result<ProjectNames, Error> {
        Ok(ProjectNames::known(store.projects().names()?, &self.config.folders))
    }

    /// Every folder known, with the name of the project that it counts as.
    pub(crate) fn named_folders(&self, store: &Store) -> Result<HashMap<ProjectKey, String>, Error> {
        Ok(self.project_names(store)?.names)
    }
}

impl ProjectNames {
    /// Takes up the names given in earlier runs; what the person said of a folder goes before.
    pub(crate) fn known(mut names: HashMap<ProjectKey, String>, folders: &ProjectFolders) -> Self {
        let taken = names.values().map(|name| name.to_lowercase()).collect();
        for (folder, name) in &mut names {
            if let Some(said) = folders.name_of(folder.as_str()) {
                said.clone_into(name);
            }
        }
        names.extend(folders.iter().map(|(folder, name)| (folder.clone(), name.to_owned())));
        Self { names, folders: folders.clone(), taken, new: Vec::new() }
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
        let copied = self.name_of_repository(project);
        let is_copy = copied.is_some();
        let name = copied.unwrap_or_else(|| self.free_name(project));
        self.names.insert(project.clone(), name.clone());
        self.new.push(NewName { project: project.clone(), name: name.clone(), is_copy });
        name
    }

    /// Every folder with its name.
    pub(crate) fn folders(&self) -> &HashMap<ProjectKey, String> {
        &self.names
    }

    /// Remembers the names given in this run. What the person said stands in the settings alone.
    pub(crate) fn remember(&mut self, store: &Store) -> Result<(), StoreError> {
        std::mem::take(&mut self.new).into_iter().try_for_each(|NewName { project, name, is_copy }| {
            match is_copy {
                true => store.projects().add_copy(&project, &name),
                false => store.projects().add(&project, &name),
            }
        })
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
        let mut names = ProjectNames::known(given, &folders);
        assert_eq!(names.name(&key("/b/store")), "shop");
        assert_eq!(names.name(&key("/b/store/tools")), "shop", "what is below it, too");
        assert_eq!(names.name(&key("/c/store")), "c/store", "its own name is not free");
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        names.remember(&store).unwrap();
        let kept = HashMap::from([(key("/c/store"), "c/store".to_owned())]);
        assert_eq!(store.projects().names().unwrap(), kept, "the settings alone have what the person said");
    }
}
