//! Tables `projects` and `project_copies`: what people call each project, and its further folders.

use std::collections::HashMap;

use afterword_core::ProjectKey;

use crate::{Store, StoreError};

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Projects<'a> {
    pub(crate) store: &'a Store,
}

impl Projects<'_> {
    /// Every folder known, with the name of its project.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn names(&self) -> Result<HashMap<ProjectKey, String>, StoreError> {
        let wrap = |e| self.store.error("read the projects", e);
        let sql = "SELECT project, name FROM projects UNION SELECT project, name FROM project_copies";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement
            .query_map((), |row| Ok((ProjectKey::from_cwd(&row.get::<_, String>(0)?), row.get(1)?)))
            .map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Gives a project its name; one it already has stays, and so does the owner of a name already given.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, project: &ProjectKey, name: &str) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a project", e);
        let sql = "INSERT INTO projects (project, name) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.execute([project.as_str(), name]).map(drop).map_err(wrap)
    }

    /// Takes a folder for a further one of the project of that name; what it was taken for before stays.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add_copy(&self, project: &ProjectKey, name: &str) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("remember a copy of a project", e);
        let sql = "INSERT INTO project_copies (project, name) SELECT ?1, ?2
                   WHERE NOT EXISTS (SELECT 1 FROM projects WHERE project = ?1) ON CONFLICT DO NOTHING";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.execute([project.as_str(), name]).map(drop).map_err(wrap)
    }

    /// Lets a folder that has a project of its own count as a further one of the project of that name.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn mark_copy(&self, project: &ProjectKey, name: &str) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("take a project for a copy", e);
        let sql = "DELETE FROM projects WHERE project = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.execute([project.as_str()]).map_err(wrap)?;
        self.add_copy(project, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_once_given_stays() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let (one, two) = (ProjectKey::from_cwd("/a/shop"), ProjectKey::from_cwd("/b/shop"));
        store.projects().add(&one, "shop").unwrap();
        store.projects().add(&two, "Shop").unwrap();
        store.projects().add(&one, "other").unwrap();
        let names = HashMap::from([(one.clone(), "shop".to_owned())]);
        assert_eq!(store.projects().names().unwrap(), names);
        store.projects().add_copy(&two, "shop").unwrap();
        store.projects().add_copy(&one, "other").unwrap();
        let names = HashMap::from([(one, "shop".to_owned()), (two, "shop".to_owned())]);
        assert_eq!(store.projects().names().unwrap(), names, "a clone has the name of its project");
        let three = ProjectKey::from_cwd("/c/store");
        store.projects().add(&three, "store").unwrap();
        store.projects().mark_copy(&three, "shop").unwrap();
        assert_eq!(store.projects().names().unwrap()[&three], "shop");
    }
}
