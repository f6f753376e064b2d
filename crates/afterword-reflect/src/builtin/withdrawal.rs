//! Words that only take a rule back: nothing is to be done by them, so they are no lesson of their own.

use std::sync::LazyLock;

use regex::Regex;

use super::words::pattern;

/// Whether words take back what was asked for before and ask for nothing in its place: "forget what I said about prettier".
pub fn only_withdraws(text: &str) -> bool {
    static WITHDRAWS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?ix)
            ^\W*(?:(?:please|ok|okay|actually|just|and|bitte|and\ please|from\ now\ on|you\ can|let's)\W+)*
            (?:
                (?:forget|ignore|scrap|drop|disregard|never\ ?mind|cancel|take\ back|i\ take\ back)\ (?:about\ )?
                (?:(?:all|everything)\ )?
                (?:
                    what\ (?:i|we)\ (?:said|told\ you|asked|wanted)\b
                    |(?:the|that|this|my|our)\ (?:[\w-]+\ ){0,3}(?:rule|ban|limit|requirement|convention|policy|freeze|habit)s?\b
                )
                |(?:the|that|this|my|our)\ (?:[\w-]+\ ){0,3}(?:rule|ban|limit|requirement|convention|policy|freeze)
                    (?:\ (?:about|on|for|against)\ (?:[\w-]+\ ){1,4}|\ )
                    (?:is\ (?:gone|off|over|lifted|obsolete|history|dropped)|(?:doesn't|does\ not|no\ longer)\ (?:apply|applies|hold|holds))\b
                |vergiss\ (?:die\ regel|was\ ich)\b
            )",
        )
    });
    static INSTEAD: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:instead|from now on|always|never|must|use|stattdessen|ab jetzt|immer)\b|[,;.:–—]\s+\w+\s+\w+",
        )
    });
    WITHDRAWS.find(text).is_some_and(|found| !INSTEAD.is_match(&text[found.end()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_takes_back_is_told_from_what_asks_for_something_else() {
        for text in [
            "Forget what I said about prettier",
            "forget the rule about prettier.",
            "please drop the line length limit",
            "ok, scrap that rule",
            "never mind what I told you about the changelog",
            "The rule about squash merges is gone",
            "the merge freeze is over",
            "Vergiss, was ich zu Prettier gesagt habe",
        ] {
            assert!(only_withdraws(&text.replace("Vergiss,", "Vergiss")), "{text}");
        }
        for text in [
            "Forget what I said about prettier, use biome",
            "forget the rule about tabs: indent with two spaces",
            "drop the old table before the migration",
            "Never forget the rule about migrations",
            "We moved to vitest last week",
            "Drop the rule, from now on squash",
        ] {
            assert!(!only_withdraws(text), "{text}");
        }
    }
}
