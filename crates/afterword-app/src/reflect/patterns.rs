//! What was seen before: weak observations of a project's other sessions, from the database and from this run.

use std::collections::{HashMap, HashSet};

use afterword_core::{Evidence, OtherTelling, ProjectKey, Role, SessionId};
use afterword_reflect::builtin::History;
use afterword_store::{Observation, Store};

use crate::Error;
use crate::naming::ProjectNames;

/// Observations that are compared with a session's own, at least: the newest, of some seventy sessions (up to twice as
/// many until the oldest are dropped). Without a bound the time for a first run over a project would grow with the
/// square of its sessions.
const NEWEST: usize = 1_000;

/// Observations by project; the database is asked once a project.
pub(super) struct Patterns<'a> {
    store: Option<&'a Store>,
    /// Folders of one name count as one project.
    names: ProjectNames,
    projects: HashMap<String, ProjectPatterns>,
    none: History,
}

/// What was seen in a project, the newest last, and the same in the form that the miner takes.
struct ProjectPatterns {
    observations: Vec<Observation>,
    history: History,
    /// Observations that are not in the history, from the first: too old, or the history is of some sessions only.
    left_out: usize,
    /// The session whose own observations are not in the history.
    without: Option<SessionId>,
}

impl<'a> Patterns<'a> {
    pub(super) fn new(store: Option<&'a Store>, names: ProjectNames) -> Self {
        Self { store, names, projects: HashMap::new(), none: History::default() }
    }

    /// Takes up names that were given meanwhile.
    pub(super) fn add_names(&mut self, names: ProjectNames) {
        if !self.names.has_same_names(&names) {
            self.projects.clear();
        }
        self.names = names;
    }

    /// What was last seen in the project's other sessions.
    pub(super) fn of_other_sessions(
        &mut self,
        project: Option<&ProjectKey>,
        session: &SessionId,
    ) -> Result<&History, Error> {
        let Some(project) = project else { return Ok(&self.none) };
        let name = self.names.name(project);
        if !self.projects.contains_key(&name) {
            let stored = self.stored_observations(&name)?;
            self.projects.insert(name.clone(), ProjectPatterns::new(stored));
        }
        Ok(self.projects.get_mut(&name).map_or(&self.none, |seen| seen.of_other_sessions(session)))
    }

    /// What was seen in all folders that count as a project, oldest first.
    fn stored_observations(&mut self, name: &str) -> Result<Vec<Observation>, Error> {
        let Some(store) = self.store else { return Ok(Vec::new()) };
        let mut stored = Vec::new();
        for folder in store.observations().projects()? {
            if self.names.name(&folder) == name {
                stored.extend(store.observations().of_project(&folder)?);
            }
        }
        stored.sort_by_key(|one| one.seen_at);
        Ok(stored)
    }

    /// Takes what was seen in a session, in place of what was seen in it before. What another session has seen in the
    /// same entry stays with that one: a fork repeats entries.
    pub(super) fn replace(&mut self, project: &ProjectKey, session: &SessionId, new: &[Observation]) {
        let name = self.names.name(project);
        let seen = self.projects.entry(name).or_insert_with(|| ProjectPatterns::new(Vec::new()));
        seen.replace(session, new);
    }
}

impl ProjectPatterns {
    fn new(observations: Vec<Observation>) -> Self {
        let mut seen = Self { observations, history: History::default(), left_out: 0, without: None };
        seen.rebuild(None);
        seen
    }

    fn of_other_sessions(&mut self, session: &SessionId) -> &History {
        let has_own = self.observations.iter().any(|one| one.session == *session);
        let wanted = has_own.then_some(session);
        let grown_old = self.observations.len() - self.left_out > 2 * NEWEST;
        if self.without.as_ref() != wanted || grown_old {
            self.rebuild(wanted);
        }
        &self.history
    }

    fn replace(&mut self, session: &SessionId, new: &[Observation]) {
        let known = self.observations.len();
        self.observations.retain(|one| one.session != *session);
        if self.observations.len() < known {
            self.rebuild(None);
        }
        let entries: HashSet<&str> =
            new.iter().map(|one| one.uuid.as_str()).filter(|uuid| !uuid.is_empty()).collect();
        let taken: HashSet<(String, String)> = self
            .observations
            .iter()
            .filter(|old| entries.contains(old.uuid.as_str()))
            .map(|old| (old.uuid.clone(), old.topic.clone()))
            .collect();
        for one in new.iter().filter(|one| !taken.contains(&(one.uuid.clone(), one.topic.clone()))) {
            self.history.add(&one.topic, telling_of(one));
            self.observations.push(one.clone());
        }
    }

    fn rebuild(&mut self, without: Option<&SessionId>) {
        self.left_out = self.observations.len().saturating_sub(NEWEST);
        self.without = without.cloned();
        self.history = History::default();
        for one in self.observations[self.left_out..].iter().filter(|one| Some(&one.session) != without) {
            self.history.add(&one.topic, telling_of(one));
        }
    }
}

fn telling_of(seen: &Observation) -> OtherTelling {
    let evidence =
        Evidence { uuid: seen.uuid.clone(), line: seen.line, role: Role::User, quote: seen.quote.clone() };
    OtherTelling { session: seen.session.clone(), said_at: seen.seen_at, evidence }
}

#[cfg(test)]
mod tests {
    use afterword_core::Kind;

    use super::*;
    use crate::config::ProjectFolders;

    fn observation(session: &str, topic: &str, uuid: &str) -> Observation {
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
    fn check(patterns: &mut Patterns<'_>, session: &str, expected: &[(&str, &str, &str)]) {
        let mut history = History::default();
        for (session, topic, uuid) in expected {
            history.add(topic, telling_of(&observation(session, topic, uuid)));
        }
        let seen = patterns.of_other_sessions(Some(&project()), &id(session)).unwrap();
        assert_eq!(format!("{seen:?}"), format!("{history:?}"));
    }

    #[test]
    fn sessions_of_this_run_and_of_earlier_ones_count_together() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        store.observations().replace(&id("one"), &[observation("one", "lint", "u1")]).unwrap();
        let mut patterns = Patterns::new(Some(&store), ProjectNames::default());
        check(&mut patterns, "two", &[("one", "lint", "u1")]);
        patterns.replace(&project(), &id("two"), &[observation("two", "lint", "u2")]);
        check(&mut patterns, "three", &[("one", "lint", "u1"), ("two", "lint", "u2")]);
        check(&mut patterns, "one", &[("two", "lint", "u2")]);
        patterns.replace(&project(), &id("two"), &[]);
        check(&mut patterns, "three", &[("one", "lint", "u1")]);
    }

    #[test]
    fn sessions_of_joined_folders_count_together() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let there = ProjectKey::from_cwd("/elsewhere/store/src");
        let elsewhere =
            |session, uuid| Observation { project: there.clone(), ..observation(session, "lint", uuid) };
        store.observations().replace(&id("one"), &[observation("one", "lint", "u1")]).unwrap();
        store.observations().replace(&id("two"), &[elsewhere("two", "u2")]).unwrap();
        check(&mut Patterns::new(Some(&store), ProjectNames::default()), "three", &[("one", "lint", "u1")]);
        let joined = [format!("{} = shop", project().as_str()), "/elsewhere/store = shop".to_owned()];
        let joined = ProjectFolders::new(&joined).unwrap();
        let mut patterns =
            Patterns::new(Some(&store), ProjectNames::with_known_names(HashMap::new(), &joined));
        let ours = [("two", "lint", "u2"), ("one", "lint", "u1")];
        check(&mut patterns, "three", &ours);
        patterns.replace(&there, &id("three"), &[elsewhere("three", "u3")]);
        check(&mut patterns, "four", &[ours[0], ours[1], ("three", "lint", "u3")]);
        store.projects().add(&project(), "shop").unwrap();
        store.projects().add_copy(&there, "shop").unwrap();
        let copies =
            ProjectNames::with_known_names(store.projects().names().unwrap(), &ProjectFolders::default());
        let mut patterns = Patterns::new(Some(&store), ProjectNames::default());
        check(&mut patterns, "three", &[("one", "lint", "u1")]);
        patterns.add_names(copies);
        check(&mut patterns, "three", &ours);
    }

    #[test]
    fn fork_does_not_see_again_what_it_repeats() {
        let mut patterns = Patterns::new(None, ProjectNames::default());
        check(&mut patterns, "one", &[]);
        patterns.replace(
            &project(),
            &id("one"),
            &[observation("one", "lint", "u1"), observation("one", "queued", "")],
        );
        patterns.replace(
            &project(),
            &id("fork"),
            &[observation("fork", "lint", "u1"), observation("fork", "queued", "")],
        );
        check(
            &mut patterns,
            "three",
            &[("one", "lint", "u1"), ("one", "queued", ""), ("fork", "queued", "")],
        );
    }

    #[test]
    fn only_the_newest_are_compared() {
        let mut patterns = Patterns::new(None, ProjectNames::default());
        let sessions: Vec<_> = (0..3 * NEWEST).map(|number| format!("s{number}")).collect();
        for session in &sessions {
            patterns.of_other_sessions(Some(&project()), &id(session)).unwrap();
            patterns.replace(&project(), &id(session), &[observation(session, "lint", session)]);
        }
        let compared = patterns.of_other_sessions(Some(&project()), &id("another")).unwrap();
        let compared = format!("{compared:?}");
        let count = compared.matches("Topic {").count();
        assert!((NEWEST..=2 * NEWEST + 1).contains(&count), "{count} compared");
        assert!(compared.contains("\"s2999\"") && !compared.contains("\"s0\""));
    }
}
