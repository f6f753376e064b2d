//! What people call a project: its folder's name, and more of its path where two would share one.

use std::collections::HashMap;

use afterword_core::ProjectKey;
use afterword_store::{Store, StoreError};

use crate::repository::same_repository;

/// Names given so far; a name once given stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProjectNames {
    names: HashMap<ProjectKey, String>,
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

impl ProjectNames {
    /// Takes up the names given in earlier runs.
    pub(crate) fn known(names: HashMap<ProjectKey, String>) -> Self {
        Self { names, new: Vec::new() }
    }

    /// The project's name.
    pub(crate) fn name(&mut self, project: &ProjectKey) -> String {
        if let Some(name) = self.names.get(project) {
            return name.clone();
        }
        let copied = self.name_of_repository(project);
        let is_copy = copied.is_some();
        let name = copied.unwrap_or_else(|| self.free_name(project));
        self.names.insert(project.clone(), name.clone());
        self.new.push(NewName { project: project.clone(), name: name.clone(), is_copy });
        name
    }

    /// Remembers the names given in this run.
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
        let known = same_repository(project.as_str(), self.names.keys().map(ProjectKey::as_str))?;
        self.names.iter().find_map(|(key, name)| (key.as_str() == known).then(|| name.clone()))
    }

    fn free_name(&self, project: &ProjectKey) -> String {
        let parts: Vec<&str> = project.as_str().split(['/', '\\']).filter(|part| !part.is_empty()).collect();
        let is_free = |name: &str| !self.names.values().any(|taken| taken.eq_ignore_ascii_case(name));
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
}
