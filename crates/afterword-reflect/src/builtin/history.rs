//! What earlier sessions of a project asked for, so that "three times" counts over its history.

use std::collections::HashSet;

use afterword_core::Evidence;

use super::topic::Topic;

/// Weak signals of earlier sessions of the same project, so that "three times" counts over a project's history.
#[derive(Debug, Default, Clone)]
pub struct History {
    seen: Vec<(Topic, String)>,
    asked: Vec<Asked>,
    routines: Vec<(String, String, Evidence)>,
}

/// A short request of an earlier session.
#[derive(Debug, Clone)]
struct Asked {
    topic: Topic,
    session: String,
    evidence: Evidence,
}

/// Before the topic of a short request, in an observation.
pub(super) const ASKED: &str = "? ";
/// Before the key of a routine, in an observation.
pub(super) const ROUTINE: &str = "~ ";

impl History {
    /// Adds what an earlier session saw: the topic's key and the evidence as an observation gave them, and the session's id.
    pub fn add(&mut self, topic: &str, session: &str, evidence: Evidence) {
        let session = session.to_owned();
        if let Some(key) = topic.strip_prefix(ROUTINE) {
            self.routines.push((key.to_owned(), session, evidence));
        } else if let Some(asked) = topic.strip_prefix(ASKED) {
            self.asked.push(Asked { topic: Topic::from_key(asked), session, evidence });
        } else {
            self.seen.push((Topic::from_key(topic), session));
        }
    }

    /// Where earlier sessions asked for the same routine, the first time each; as for [`Self::asked_before`].
    pub(super) fn routine_before(&self, key: &str, own: &HashSet<&str>) -> Vec<Evidence> {
        let mut sessions: HashSet<&str> = HashSet::new();
        let same = self
            .routines
            .iter()
            .filter(|(known, _, evidence)| known == key && !own.contains(evidence.uuid.as_str()));
        same.filter(|(_, session, _)| sessions.insert(session))
            .map(|(.., evidence)| evidence.clone())
            .collect()
    }

    /// Where earlier sessions asked for the same, the first time each. A fork begins with entries of the session it was made from:
    /// those that are this session's `own` were not said twice.
    pub(super) fn asked_before(&self, topic: &Topic, said: &str, own: &HashSet<&str>) -> Vec<Evidence> {
        let mut sessions: HashSet<&str> = HashSet::new();
        let others = self.asked.iter().filter(|asked| !own.contains(asked.evidence.uuid.as_str()));
        let same = others.filter(|asked| {
            super::asks::is_same(&asked.topic, topic)
                || super::asks::adds_the_same((&asked.topic, &asked.evidence.quote), (topic, said))
        });
        same.filter(|asked| sessions.insert(&asked.session)).map(|asked| asked.evidence.clone()).collect()
    }

    /// In how many earlier sessions the topic came up.
    pub(super) fn sessions(&self, topic: &Topic) -> usize {
        let mut sessions: Vec<&str> = self
            .seen
            .iter()
            .filter(|(known, _)| known.is_like(topic))
            .map(|(_, session)| session.as_str())
            .collect();
        sessions.sort_unstable();
        sessions.dedup();
        sessions.len()
    }
}
