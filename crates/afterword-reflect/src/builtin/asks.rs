//! Short requests that come back: "diff first", "can I see the diff?", "show me the diff and then commit".
//!
//! Each is too weak to be a rule. Asked for in three sessions of a project it is a wish that nobody should have to repeat. Two
//! requests are the same when most of what they name is the same and something of it is more than an everyday order.

use super::thread::Weighed;
use super::topic::Topic;

/// Most content words of a request that can come back in other words.
const MOST: usize = 4;
/// Most words of one, fillers and all.
const WORDS: usize = 12;
/// What every session asks for; it says nothing of how this person wants things.
const EVERYDAY: [&str; 44] = [
    "commit",
    "push",
    "continue",
    "merge",
    "pr",
    "test",
    "run",
    "fix",
    "deploy",
    "build",
    "check",
    "review",
    "update",
    "create",
    "branch",
    "done",
    "issue",
    "next",
    "start",
    "stop",
    "try",
    "look",
    "show",
    "add",
    "remove",
    "file",
    "change",
    "code",
    "error",
    "fail",
    "work",
    "line",
    "pull",
    "read",
    "open",
    "write",
    "main",
    "thing",
    "ready",
    "proceed",
    "delete",
    "rename",
    "implement",
    "release",
];
/// What says when or how often.
const FILLERS: [&str; 22] = [
    "first", "before", "after", "again", "more", "missing", "miss", "entry", "time", "once", "still", "much",
    "very", "nice", "good", "great", "ask", "thank", "perfect", "yes", "sorry", "last",
];

/// The requests of a message, each with the words that make it.
pub(super) fn of(item: &Weighed) -> Vec<(Topic, String)> {
    let own = &item.moment.own;
    let whole: Vec<_> = item.reading.clauses.iter().filter(|clause| !clause.partial).collect();
    let mut found = Vec::new();
    for (index, clause) in whole.iter().enumerate() {
        // A session's first words are its task.
        if item.moment.index == 0 && index == 0 {
            continue;
        }
        let end = clause.start + clause.length;
        let parts = item
            .reading
            .clauses
            .iter()
            .filter(|part| part.partial && part.start >= clause.start && part.start < end);
        for text in std::iter::once(clause.text(own)).chain(parts.map(|part| part.text(own))) {
            let topic = Topic::of(text);
            let short = (1..=MOST).contains(&topic.len()) && text.split_whitespace().count() <= WORDS;
            if short && names_something(&topic) && !found.iter().any(|(known, _)| is_same(known, &topic)) {
                found.push((topic, clause.text(own).to_owned()));
            }
        }
    }
    found
}

/// Whether two requests ask for the same.
pub(super) fn is_same(one: &Topic, other: &Topic) -> bool {
    let shared: Vec<&str> = one.words().filter(|word| other.words().any(|known| known == *word)).collect();
    let named = |topic: &Topic| topic.words().filter(|word| !FILLERS.contains(word)).count().max(1);
    2 * shared.len() >= named(one).min(named(other)) && is_telling(&shared)
}

fn names_something(topic: &Topic) -> bool {
    is_telling(&topic.words().collect::<Vec<_>>())
}

/// More than an everyday order, or one with when it is wanted ("test first").
fn is_telling(words: &[&str]) -> bool {
    let everyday = words.iter().filter(|word| EVERYDAY.contains(word)).count();
    let fillers = words.iter().filter(|word| FILLERS.contains(word)).count();
    words.len() > everyday + fillers || everyday > 0 && words.contains(&"first")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_request_is_known_in_other_words() {
        let same = |one: &str, other: &str| is_same(&Topic::of(one), &Topic::of(other));
        assert!(same("is there a flame graph?", "flame graph please"));
        assert!(same("the legend is missing", "with a legend this time"));
        assert!(same("write the tests first", "tests first please"));
        assert!(!same("commit it", "commit and push"));
        assert!(!same("fix the parser", "fix the login"));
    }
}
