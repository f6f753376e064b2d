//! The last word wins: a rule taken back later is no lesson.

use std::sync::OnceLock;

use afterword_core::{Candidate, Kind, Role};
use regex::Regex;

use super::language::normalise;
use super::thread::Weighed;
use super::topic::Topic;

/// Drops preferences and workflows that a later message takes back.
pub fn drop_taken_back(candidates: &mut Vec<Candidate>, weighed: &[Weighed]) {
    let reversals: Vec<(u64, Topic)> = weighed
        .iter()
        .filter(|item| item.moment.own.len() < 500 && reverses(&normalise(&item.moment.own)))
        .map(|item| (item.moment.utterance.place.line, Topic::of(&item.moment.own)))
        .filter(|(_, topic)| topic.len() >= 2)
        .collect();
    candidates.retain(|candidate| {
        if !matches!(candidate.kind, Kind::Preference | Kind::Workflow) {
            return true;
        }
        let own = candidate.evidence.iter().filter(|evidence| evidence.role == Role::User);
        let last = own.clone().map(|evidence| evidence.line).max().unwrap_or(0);
        let topic = Topic::of(&own.map(|evidence| evidence.quote.as_str()).collect::<Vec<_>>().join(" "));
        !reversals.iter().any(|(line, reversal)| *line > last && reversal.covered_by(&topic) >= 0.6)
    });
}

fn reverses(text: &str) -> bool {
    static REVERSAL: OnceLock<Regex> = OnceLock::new();
    REVERSAL
        .get_or_init(|| {
            Regex::new(r"\b(changed my mind|on second thought|never ?mind|scrap (that|this|it)|forget (that|this|it|about|what)|(let'?s )?(go|switch|change|revert|move) (it )?back\b|revert (that|this|it|the)|undo (that|this|it|the)|actually,? (let'?s )?(not|no|don'?t|keep|leave)|after all|i was wrong|take that back|no longer (want|need)|drop (that|the idea))")
                .expect("the pattern is checked by the tests of this module")
        })
        .is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversals_are_heard() {
        assert!(reverses("actually let's not publish to npm after all"));
        assert!(reverses("i changed my mind about the cache"));
        assert!(!reverses("please add a cache"));
    }
}
