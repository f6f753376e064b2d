//! What was seen before: weak observations of a project's other sessions, from the database and from this run.

use std::collections::{HashMap, HashSet};

use afterword_core::{ProjectKey, SessionId};
use afterword_store::{Observation, Store};

use crate::Error;

/// Observations that are compared with a session's own: the newest, of some seventy sessions. Without a bound the time
/// for a first run over a project would grow with the square of its sessions.
const NEWEST: usize = 1_000;

/// Observations by project; the database is asked once a project.
pub(super) struct Patterns<'a> {
    store: Option<&'a Store>,
    seen: HashMap<ProjectKey, Vec<Observation>>,
}

impl<'a> Patterns<'a> {
    pub(super) fn new(store: Option<&'a Store>) -> Self {
        Self { store, seen: HashMap::new() }
    }

    /// What was last seen in the project's other sessions.
    pub(super) fn of_other_sessions(
        &mut self,
        project: &ProjectKey,
        session: &SessionId,
    ) -> Result<impl Iterator<Item = &Observation>, Error> {
        if !self.seen.contains_key(project) {
            let stored = self.store.map(|store| store.observations().of_project(project)).transpose()?;
            self.seen.insert(project.clone(), stored.unwrap_or_default());
        }
        let seen = self.seen.get(project).map(Vec::as_slice).unwrap_or_default();
        Ok(seen.iter().rev().filter(move |one| one.session != *session).take(NEWEST))
    }

    /// Takes what was seen in a session, in place of what was seen in it before. What another session has seen in the
    /// same entry stays with that one: a fork repeats entries.
    pub(super) fn replace(&mut self, project: &ProjectKey, session: &SessionId, new: &[Observation]) {
        let seen = self.seen.entry(project.clone()).or_default();
        if seen.iter().any(|one| one.session == *session) {
            seen.retain(|one| one.session != *session);
        }
        let entries: HashSet<&str> =
            new.iter().map(|one| one.uuid.as_str()).filter(|uuid| !uuid.is_empty()).collect();
        let taken: HashSet<(String, String)> = seen
            .iter()
            .filter(|old| entries.contains(old.uuid.as_str()))
            .map(|old| (old.uuid.clone(), old.topic.clone()))
            .collect();
        let fresh = new.iter().filter(|one| !taken.contains(&(one.uuid.clone(), one.topic.clone())));
        seen.extend(fresh.cloned());
    }
}

#[cfg(test)]
mod tests {
    use afterword_core::Kind;

    use super::*;

    fn seen(session: &str, topic: &str, uuid: &str) -> Observation {
        Observation {
            project: project(),
            session: id(session),
            kind: Kind::Preference,
            topic: topic.to_owned(),
            quote: String::new(),
            uuid: uuid.to_owned(),
            line: 1,
            seen_at: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    fn project() -> ProjectKey {
        ProjectKey::from_cwd("/home/ada/shop")
    }

    fn id(session: &str) -> SessionId {
        SessionId::parse(session).unwrap()
    }

    #[track_caller]
    fn check(patterns: &mut Patterns<'_>, session: &str, expected: &[(&str, &str)]) {
        let (project, session) = (project(), id(session));
        let others = patterns.of_other_sessions(&project, &session).unwrap();
        let others: Vec<_> = others.map(|one| (one.session.as_str(), one.topic.as_str())).collect();
        assert_eq!(others, expected);
    }

    #[test]
    fn sessions_of_this_run_and_of_earlier_ones_count_together() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        store.observations().replace(&id("one"), &[seen("one", "lint", "u1")]).unwrap();
        let mut patterns = Patterns::new(Some(&store));
        check(&mut patterns, "two", &[("one", "lint")]);
        patterns.replace(&project(), &id("two"), &[seen("two", "lint", "u2")]);
        check(&mut patterns, "three", &[("two", "lint"), ("one", "lint")]);
        check(&mut patterns, "one", &[("two", "lint")]);
        patterns.replace(&project(), &id("two"), &[]);
        check(&mut patterns, "three", &[("one", "lint")]);
    }

    #[test]
    fn fork_does_not_see_again_what_it_repeats() {
        let mut patterns = Patterns::new(None);
        check(&mut patterns, "one", &[]);
        patterns.replace(&project(), &id("one"), &[seen("one", "lint", "u1"), seen("one", "queued", "")]);
        patterns.replace(&project(), &id("fork"), &[seen("fork", "lint", "u1"), seen("fork", "queued", "")]);
        check(&mut patterns, "three", &[("fork", "queued"), ("one", "queued"), ("one", "lint")]);
    }
}
