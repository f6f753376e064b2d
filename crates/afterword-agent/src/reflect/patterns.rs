//! What was seen before: weak observations of a project's other sessions, from the database and from this run.

use std::collections::HashMap;

use afterword_core::{ProjectKey, SessionId};
use afterword_store::{Observation, Store};

use crate::Error;

/// Observations by project; the database is asked once a project.
pub(super) struct Patterns<'a> {
    store: Option<&'a Store>,
    seen: HashMap<ProjectKey, Vec<Observation>>,
}

impl<'a> Patterns<'a> {
    pub(super) fn new(store: Option<&'a Store>) -> Self {
        Self { store, seen: HashMap::new() }
    }

    /// What was seen in the project's other sessions.
    pub(super) fn of_other_sessions(
        &mut self,
        project: &ProjectKey,
        session: &SessionId,
    ) -> Result<Vec<&Observation>, Error> {
        if !self.seen.contains_key(project) {
            let stored = self.store.map(|store| store.observations().of_project(project)).transpose()?;
            self.seen.insert(project.clone(), stored.unwrap_or_default());
        }
        let seen = self.seen.get(project).map(Vec::as_slice).unwrap_or_default();
        Ok(seen.iter().filter(|one| one.session != *session).collect())
    }

    /// Takes what was seen in a session, in place of what was seen in it before.
    pub(super) fn replace(&mut self, project: &ProjectKey, session: &SessionId, new: &[Observation]) {
        let seen = self.seen.entry(project.clone()).or_default();
        seen.retain(|one| one.session != *session);
        let repeated = |one: &Observation| {
            !one.uuid.is_empty() && seen.iter().any(|old| old.uuid == one.uuid && old.topic == one.topic)
        };
        let fresh: Vec<_> = new.iter().filter(|one| !repeated(one)).cloned().collect();
        seen.extend(fresh);
    }
}
