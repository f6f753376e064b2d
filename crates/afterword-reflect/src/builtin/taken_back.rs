//! The last word wins: a rule taken back later is no lesson.

use std::sync::OnceLock;

use afterword_core::{Candidate, Kind, Role};
use regex::Regex;

use super::language::normalise;
use super::thread::Weighed;
use super::topic::Topic;
use super::words::pattern;

/// Within how many lines after a decision a bare "forget gradle" still speaks of it; an agent's turn takes some ten.
const SOON: u64 = 40;

/// Drops preferences and workflows that a later message takes back.
pub fn drop_taken_back(candidates: &mut Vec<Candidate>, weighed: &[Weighed]) {
    let reversals: Vec<(u64, Topic)> = weighed
        .iter()
        .filter(|item| item.moment.own.len() < 500 && reverses(&normalise(&item.moment.own)))
        .map(|item| (item.moment.utterance.place.line, Topic::of(&item.moment.own)))
        .filter(|(_, topic)| topic.len() >= 2)
        .collect();
    let dropped: Vec<(u64, Topic)> = weighed
        .iter()
        .filter(|item| item.moment.own.len() < 500)
        .flat_map(|item| {
            dropped(&normalise(&item.moment.own))
                .map(|what| (item.moment.utterance.place.line, what))
                .collect::<Vec<_>>()
        })
        .collect();
    // "Scratch that, I spoke too soon" names nothing: it is about what was said right before.
    let retracted: Vec<u64> = weighed
        .windows(2)
        .filter(|two| two[1].moment.own.len() < 300 && retracts(&normalise(&two[1].moment.own)))
        .map(|two| two[0].moment.utterance.place.line)
        .collect();
    candidates.retain(|candidate| {
        if !matches!(candidate.kind, Kind::Preference | Kind::Workflow) {
            return true;
        }
        let own = candidate.evidence.iter().filter(|evidence| evidence.role == Role::User);
        let last = own.clone().map(|evidence| evidence.line).max().unwrap_or(0);
        let topic = Topic::of(&own.map(|evidence| evidence.quote.as_str()).collect::<Vec<_>>().join(" "));
        let reversed =
            reversals.iter().any(|(line, reversal)| *line > last && reversal.covered_by(&topic) >= 0.6);
        let forgotten = dropped
            .iter()
            .any(|(line, what)| *line > last && *line <= last + SOON && what.covered_by(&topic) >= 1.0);
        !reversed && !forgotten && !retracted.contains(&last)
    });
}

/// What a message says to forget: "gradle" of "plain javac is enough, forget gradle".
fn dropped(text: &str) -> impl Iterator<Item = Topic> + '_ {
    static FORGET: OnceLock<Regex> = OnceLock::new();
    let forget = FORGET.get_or_init(|| {
        pattern(r"(?:^|[.,;:!?\n(-] *|\b(?:so|then|ok|no|let'?s|and|just) )(?:forget|scrap|never ?mind)(?: about)? (?:the |that |this )?([^.,;:!?\n]{3,60})")
    });
    forget.captures_iter(text).map(|found| Topic::of(&found[1])).filter(|topic| !topic.is_empty())
}

fn retracts(text: &str) -> bool {
    static RETRACTS: OnceLock<Regex> = OnceLock::new();
    RETRACTS
        .get_or_init(|| {
            pattern(r"(?i)^\W*(?:\w+\W+){0,3}(?:(?:forget|ignore) (?:what i (?:just )?(?:said|wrote)|my last (?:message|one))|(?:scratch|scrap) (?:that|all (?:of )?that|my last|everything i said)|vergiss das wieder|olvida lo que (?:te )?dije|oublie ce que (?:je viens de|j'ai)|esquece o que eu)\b|\bscratch that\b.*\bspoke too soon\b|забудь, что я|当我没说过|刚才说的不算|さっきのは(?:なし|忘れて)|없던 ?(?:걸|것)로")
        })
        .is_match(text)
}

fn reverses(text: &str) -> bool {
    static REVERSAL: OnceLock<Regex> = OnceLock::new();
    REVERSAL
        .get_or_init(|| {
            pattern(r"\b(changed my mind|on second thought|never ?mind|scrap (that|this|it)|forget (that|this|it|about|what)|(let'?s )?(go|switch|change|revert|move) (it )?back\b|revert (that|this|it|the)|undo (that|this|it|the)|actually,? (let'?s )?(not|no|don'?t|keep|leave)|after all|i was wrong|take that back|no longer (want|need)|drop (that|the idea))")
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

    #[test]
    fn what_takes_the_last_message_back_is_heard() {
        assert!(retracts("oh no, scratch that, leave the sails as they are"));
        assert!(retracts("아까 얘기는 없던 걸로 하자"));
        assert!(
            retracts("oh. scratch all that, it was the other boat")
                && retracts("no wait scrap that. keep the sails")
        );
        assert!(!retracts("scratch the old paint off"));
    }

    #[test]
    fn what_is_to_be_forgotten_is_heard() {
        let heard = |text: &str| dropped(text).map(|topic| topic.key()).collect::<Vec<_>>();
        assert_eq!(heard("hm no. plain javac is enough for two files, forget gradle"), ["gradle"]);
        assert!(heard("don't forget the changelog").is_empty());
    }
}
