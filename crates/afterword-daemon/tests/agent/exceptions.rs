//! An exception is kept beside the rule it is one to, and given with its condition.

use afterword_testkit::Sandbox;
use afterword_testkit::transcript::{answered, typed};

const ONE: &str = "0f0e0d0c-3333-4222-8333-444455556661";
const OTHER: &str = "0f0e0d0c-3333-4222-8333-444455556662";
const RULE: &str = "Never use any in TypeScript, always write the type out.";
const EXCEPTION: &str = "Looks right. In tests any is fine.";

fn says(id: &str, from: usize, words: &str) -> Vec<String> {
    vec![
        typed(id, from, "add the discount column to the orders table"),
        answered(id, from + 1, "I added the column and its type."),
        typed(id, from + 2, words),
        answered(id, from + 3, "Understood."),
    ]
}

#[track_caller]
fn holds_both(host: &Sandbox) {
    let text = host.given_at_start("0f0e0d0c-3333-4222-8333-444455556669", "/home/ada/shop").text;
    assert!(text.contains("Never use any in TypeScript"), "{text}\n{:?}", host.lessons());
    assert!(text.lines().any(|line| line.contains("In tests any is fine")), "{text}\n{:?}", host.lessons());
    let lessons = host.lessons();
    assert!(lessons.iter().all(|(_, text)| text.contains("status: active")), "{lessons:?}");
    let exception = lessons.iter().find(|(_, text)| text.contains("exception_to:")).expect("it is linked");
    assert!(exception.1.contains("never-use-any-in-typescript"), "{}", exception.1);
}

#[test]
fn exception_is_saved_and_given_beside_its_rule_in_either_order_of_time() {
    for rule_first in [true, false] {
        let host = Sandbox::new();
        let (first, second) = if rule_first { (RULE, EXCEPTION) } else { (EXCEPTION, RULE) };
        host.session(ONE, &says(ONE, 1, first));
        host.session(OTHER, &says(OTHER, 11, second));
        host.reflect();
        holds_both(&host);
        let before = host.lessons();
        host.reflect();
        assert_eq!(host.lessons(), before);
    }
    let host = Sandbox::new();
    host.session(ONE, &says(ONE, 1, RULE));
    host.reflect();
    host.session(OTHER, &says(OTHER, 11, EXCEPTION));
    host.reflect();
    holds_both(&host);
}

#[test]
fn what_is_allowed_this_once_or_without_a_rule_is_not_kept() {
    for words in ["any is fine in this file for now", "Looks right. In tests tabs are fine."] {
        let host = Sandbox::new();
        host.session(ONE, &says(ONE, 1, RULE));
        host.session(OTHER, &says(OTHER, 11, words));
        host.reflect();
        assert_eq!(host.lessons().len(), 1, "{words}: {:?}", host.names());
    }
}
