//! What people call a project: its folder's name, and more of its path where two would share one.

use std::collections::HashMap;

use afterword_core::ProjectKey;

/// Names given so far; a name once given stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProjectNames {
    names: HashMap<ProjectKey, String>,
    /// Given in this run and not yet remembered.
    new: Vec<(ProjectKey, String)>,
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
        let name = self.free_name(project);
        self.names.insert(project.clone(), name.clone());
        self.new.push((project.clone(), name.clone()));
        name
    }

    /// What has to be remembered.
    pub(crate) fn take_new(&mut self) -> Vec<(ProjectKey, String)> {
        std::mem::take(&mut self.new)
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
