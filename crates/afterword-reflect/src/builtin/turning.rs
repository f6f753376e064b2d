//! What the newer of two rules says that ends the older one, by its form alone: it takes up what was refused, keeps for some what was asked of
//! all, gives another name, turns an order around or gives back what was kept from the agent.

use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::words::{is_refused, pattern};

/// "The attic is yours again": what a rule kept the agent away from is free.
pub(super) fn gives_back(clause: &str, rule: &str) -> bool {
    static FREE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?P<what>[\w./-]+/?) (?:is|are) (?:all )?(?:yours|free|open|unlocked|unfrozen|editable|fair game|fine|ok|okay|allowed|safe)(?: to (?:edit|change|touch|use|delete|push to))? again\b",
        )
    });
    static AWAY: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:hands off|keep out of|stay (?:out of|away from)|leave \S+(?: \S+)? alone|don['’]?t|do not|never|no|off[ -]limits|frozen|freeze)\b",
        )
    });
    let what = FREE.captures(clause).map(|found| found["what"].trim_end_matches('/').to_lowercase());
    what.is_some_and(|what| what.len() > 2 && rule.to_lowercase().contains(&what)) && AWAY.is_match(rule)
}

/// Whether the newer rule asks for the very thing that the older one refuses: "pegs for the joints" after "screws, never pegs".
pub(super) fn takes_up_what_was_refused(newer: &str, older: &str) -> bool {
    static REFUSED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:never|not|no|nie|kein\w*|statt|jamais|pas|nunca|no uses|sem|instead of|rather than) (?:use |using |with |in |a |the )?(?P<what>[\w.+#/-]{3,})(?: (?:please|here|ever|again|any ?more))?[.!]*(?:$|[,;])",
        )
    });
    let newer_words: Vec<String> = newer
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '`'))
        .map(|word| word.trim_matches(['.', ':', '!', '(', ')']).to_lowercase())
        .collect();
    REFUSED.captures_iter(older).any(|found| {
        let what = found["what"].to_lowercase();
        !cues::is_common(&what)
            && newer_words.iter().enumerate().any(|(at, word)| *word == what && !is_refused(&newer_words, at))
    })
}

/// Whether the newer rule keeps for some what the older one asks of all: "labels only on what is sold" after "every jar gets a label".
pub(super) fn narrows_down(newer: &str, older: &str) -> bool {
    static ONLY: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?P<what>[\w-]{4,}) only (?:on|for|in|where|when|if|at|with|go|goes)\b|\bonly (?:the |what |those |things )?[\w -]{2,30} (?:get|gets|need|needs|carry|have) (?:an? )?(?P<gets>[\w-]{4,})\b",
        )
    });
    static ALL: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)\b(?:every|each|all|always|any|everywhere|no exceptions?)\b"));
    let Some(found) = ONLY.captures(newer) else { return false };
    let what = found.name("what").or_else(|| found.name("gets")).map_or("", |what| what.as_str());
    let stem: String = what.to_lowercase().trim_end_matches('s').to_owned();
    !stem.is_empty()
        && ALL.is_match(older)
        && !older.to_lowercase().contains("only")
        && older.to_lowercase().contains(&stem)
}

/// Whether words give a new name to what a rule names: "we are Fenwick now" after "the shop is called Larch".
pub(super) fn names_anew(newer: &str, older: &str) -> bool {
    static NOW: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:[Ww]e|[Ii]t|[Tt]he (?:app|product|company|project|shop|game|site|tool|team))(?:['’]re|['’]s| are| is)(?: called)? (?P<name>\p{Lu}[\w-]+) (?:now|from now on|these days)\b",
        )
    });
    static CALLED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:is|are|be) (?:called|named|spelled)\b|\bthe name (?:is|of)\b|\bwe(?:['’]re| are) called\b",
        )
    });
    let name = NOW.captures(newer).map(|found| found["name"].to_lowercase());
    name.is_some_and(|name| !older.to_lowercase().contains(&name)) && CALLED.is_match(older)
}

/// Whether words turn an order around: "we do it the other way round".
pub fn turns_around(said: &str) -> bool {
    static AROUND: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:do|does|did|goes|go|make|now|want) (?:it |that |this |them |things )?(?:exactly |just )?the other way(?: (?:a?round|about))?\b|\b(?:in )?reversed? order\b|\bswap the (?:order|two)\b|\b(?:umgekehrt|andersrum|andersherum|al revés|à l'envers|dans l'autre sens|ao contrário)\b|наоборот|反过来|逆に|逆の順|거꾸로|반대로",
        )
    });
    AROUND.is_match(said)
}

/// Whether a rule says what comes before what.
pub fn has_an_order(rule: &str) -> bool {
    static ORDER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\bfirst\b.*\b(?:second|then|after|last)\b|\b\w+ before \w+|\b\w+ after \w+|,? then \w+|\b(?:erst|zuerst)\b.*\bdann\b|\bbevor\b|\bprimero\b.*\b(?:luego|después)\b|\bd'abord\b.*\bpuis\b|\bprimeiro\b.*\bdepois\b|\bсначала\b.*\b(?:потом|затем)\b|先.*(?:再|然后|后)|먼저|前に",
        )
    });
    ORDER.is_match(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_the_newer_rule_ends_the_older_one() {
        assert!(gives_back("attic/ is yours again", "hands off everything in attic/"));
        assert!(!gives_back("attic/ is yours again", "sweep attic/ on Fridays"));
        assert!(takes_up_what_was_refused(
            "it's PegBoard for all of them now",
            "screws in the hall, never PegBoard"
        ));
        assert!(!takes_up_what_was_refused(
            "still no PegBoard in the hall",
            "screws in the hall, never PegBoard"
        ));
        assert!(narrows_down("labels only on what is sold", "every jar gets a label"));
        assert!(!narrows_down("labels only on what is sold", "labels are blue"));
        assert!(names_anew("we are Fenwick now", "the shop is called Larch on every sign"));
        assert!(!names_anew("we are Fenwick now", "every sign is blue"));
        assert!(turns_around("since May we do it the other way") && has_an_order("sand first, then oil"));
        assert!(!turns_around("the other drawer") && !has_an_order("oil the doors"));
    }
}
