//! What earlier sessions of a project asked for, so that "three times" counts over its history.

use std::collections::HashSet;

use afterword_core::OtherTelling;

use super::asks::{self, Request};
use super::repetition::OFTEN;
use super::topic::Topic;

/// Weak signals of earlier sessions of the same project, so that "three times" counts over a project's history.
#[derive(Debug, Default, Clone)]
pub struct History {
    seen: Vec<(Topic, OtherTelling)>,
    asked: Vec<Asked>,
    routines: Vec<(String, OtherTelling)>,
}

/// A short request of an earlier session.
#[derive(Debug, Clone)]
struct Asked {
    topic: Topic,
    is_of_matter: bool,
    telling: OtherTelling,
}

/// Requests of a project from which on one can tell which words are the project's.
const MANY: usize = 12;

impl Asked {
    /// Whether it was said in one of these entries.
    fn is_one_of(&self, entries: &HashSet<&str>) -> bool {
        entries.contains(self.telling.evidence.uuid.as_str())
    }
}

/// Before the topic of a short request, in an observation.
pub(super) const ASKED: &str = "? ";
/// The same, of a request that is about the matter at hand.
pub(super) const ASKED_OF_MATTER: &str = "?? ";
/// Before the key of a routine, in an observation.
pub(super) const ROUTINE: &str = "~ ";

/// The key of what an observation asks for, and whether that is about the matter at hand.
fn asked_in(topic: &str) -> Option<(&str, bool)> {
    let of_matter = topic.strip_prefix(ASKED_OF_MATTER).map(|asked| (asked, true));
    of_matter.or_else(|| topic.strip_prefix(ASKED).map(|asked| (asked, false)))
}

fn is_loosely_the_same(asked: &Asked, request: &Request) -> bool {
    let earlier = (&asked.topic, asked.telling.evidence.quote.as_str());
    asks::is_same(&asked.topic, &request.topic)
        || asks::adds_the_same(earlier, (&request.topic, &request.words))
}

impl History {
    /// Adds what an earlier session saw: the topic's key as an observation gave it, and where it was said.
    pub fn add(&mut self, topic: &str, telling: OtherTelling) {
        if let Some(key) = topic.strip_prefix(ROUTINE) {
            self.routines.push((key.to_owned(), telling));
        } else if let Some((asked, is_of_matter)) = asked_in(topic) {
            self.asked.push(Asked { topic: Topic::from_key(asked), is_of_matter, telling });
        } else {
            self.seen.push((Topic::from_key(topic), telling));
        }
    }

    /// Where earlier sessions asked for the same routine, the first time each; as for [`Self::asked_before`].
    pub(super) fn routine_before(&self, key: &str, own: &HashSet<&str>) -> Vec<OtherTelling> {
        let same = self.routines.iter().filter(|(known, _)| known == key).map(|(_, telling)| telling);
        first_of_each_session(same.filter(|telling| !own.contains(telling.evidence.uuid.as_str())))
    }

    /// Where earlier sessions asked for the same, the first time each. A fork begins with entries of the session it was made from:
    /// those that are this session's `own` were not said twice.
    pub(super) fn asked_before(&self, request: &Request, own: &HashSet<&str>) -> Vec<OtherTelling> {
        let is_same = |asked: &Asked| {
            asks::is_worded_the_same(&asked.topic, &request.topic)
                || !asked.is_of_matter && !request.is_of_matter && is_loosely_the_same(asked, request)
        };
        let others = self.asked.iter().filter(|asked| !asked.is_one_of(own));
        let others: Vec<(&Asked, bool)> = others.map(|asked| (asked, is_same(asked))).collect();
        // "The legend in French", "is there a legend?" and "a larger legend": the second says what all of them ask for.
        let says_less = |(asked, same): &&(&Asked, bool)| {
            *same
                && !asked.is_of_matter
                && !request.is_of_matter
                && asks::is_within(&asked.topic, &request.topic)
        };
        let cores: Vec<&Topic> = others.iter().filter(says_less).map(|(core, _)| &core.topic).collect();
        let through_core = |asked: &Asked| {
            !asked.is_of_matter && cores.iter().any(|core| asks::is_within(core, &asked.topic))
        };
        let found = others.iter().filter(|(asked, same)| *same || through_core(asked));
        let found = first_of_each_session(found.map(|(asked, _)| &asked.telling));
        if found.len() + 1 >= OFTEN {
            return found;
        }
        self.asked_by_one_word(request, own).unwrap_or(found)
    }

    /// Where earlier sessions asked for what one word of the request names, if that makes it come [`OFTEN`]: "can we have tooltips",
    /// "a tooltip for it?" and "tooltips here too".
    fn asked_by_one_word(&self, request: &Request, own: &HashSet<&str>) -> Option<Vec<OtherTelling>> {
        if request.is_of_matter {
            return None;
        }
        let others: Vec<&Asked> =
            self.asked.iter().filter(|asked| !asked.is_of_matter && !asked.is_one_of(own)).collect();
        let by_word = request.unspoken.iter().filter_map(|word| {
            let naming: Vec<&&Asked> =
                others.iter().filter(|asked| asks::names(&asked.topic, word)).collect();
            // Where every third request names it, it is a word of the project.
            let is_of_project = others.len() >= MANY && naming.len() * 3 > others.len();
            let found = first_of_each_session(naming.into_iter().map(|asked| &asked.telling));
            (!is_of_project && found.len() + 1 >= OFTEN).then_some(found)
        });
        by_word.max_by_key(Vec::len)
    }

    /// Where the topic came up in earlier sessions, the first time each.
    pub(super) fn came_up_before(&self, topic: &Topic) -> Vec<OtherTelling> {
        let same = self.seen.iter().filter(|(known, _)| known.is_like(topic));
        first_of_each_session(same.map(|(_, telling)| telling))
    }
}

fn first_of_each_session<'a>(tellings: impl Iterator<Item = &'a OtherTelling>) -> Vec<OtherTelling> {
    let mut sessions = HashSet::new();
    tellings.filter(|telling| sessions.insert(telling.session.as_str())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterword_core::{Evidence, Role, SessionId};
    use jiff::Timestamp;

    fn telling(quote: &str, session: &str) -> OtherTelling {
        OtherTelling {
            session: SessionId::parse(session).unwrap(),
            said_at: Timestamp::UNIX_EPOCH,
            evidence: Evidence { uuid: session.into(), line: 1, role: Role::User, quote: quote.into() },
        }
    }

    #[test]
    fn what_was_about_the_matter_counts_only_where_nearly_the_same_words_come_back() {
        let mut history = History::default();
        for (session, quote) in
            [("one", "if it's drawn, burn the sketch"), ("two", "once it's drawn, burn the sketch")]
        {
            let topic = format!("{ASKED_OF_MATTER}{}", Topic::of(quote).key());
            history.add(&topic, telling(quote, session));
        }
        let before = |words: &str, is_of_matter: bool| {
            let request = Request {
                topic: Topic::of(words),
                words: words.to_owned(),
                is_of_matter,
                unspoken: Vec::new(),
            };
            history.asked_before(&request, &HashSet::new()).len()
        };
        assert_eq!(before("great, burn the sketch when it's drawn", true), 2);
        assert_eq!(before("burn the sketch", false), 2);
        assert_eq!(before("show me the sketch", false), 0, "loosely alike");
        let own = HashSet::from(["two"]);
        let request = Request {
            topic: Topic::of("burn the sketch"),
            words: "burn the sketch".into(),
            is_of_matter: true,
            unspoken: Vec::new(),
        };
        assert_eq!(history.asked_before(&request, &own).len(), 1, "a fork's entries were said once");
    }
}
