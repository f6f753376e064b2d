//! Words of others in a person's message: what they quote, pass on, or ask to have written somewhere.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use super::clause::announces_rules;
use super::cues;
use super::words::{pattern, sentences};

/// Marks around a quotation.
const QUOTES: [char; 9] = ['"', '“', '”', '„', '«', '»', '「', '」', '『'];
/// Letters of a title that are looked for in what a message quotes.
const BEGINNING: usize = 40;

/// "Put this into the prompt word for word", "paste the following text".
static DICTATES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:word for word|verbatim|as it stands|the following (?:text|sentence|prompt|paragraph)|this (?:text|sentence|prompt|paragraph)|the sentence|(?:^|, )it (?:should|must|has to|shall) (?:say|read)$|put (?:these|this|those) (?:on|onto) (?:the|a|our|every) (?:[\w-]+ ){0,2}(?:page|sign|poster|label|card|screen|banner)\b|put (?:it|them|this|these) in as |^text for (?:the|our|a) |^(?:these|here) are (?:the|our|my) (?:signs?|labels?|texts?|strings?|lines?|dialog(?:ue)?s?|captions?|posters?)\b|\b(?:in(?:to)? )?(?:english|spanish|french|german|italian|polish|portuguese|japanese|chinese|korean|russian|dutch),? (?:please|pls)$|^translate (?:this|these|the following)\b)",
    )
});

/// Shorter quotations, in characters, are names and terms; of a script without spaces, half as long.
const QUOTED: usize = 24;

fn is_long(quoted: &str) -> bool {
    let least = if quoted.chars().any(super::ngrams::is_unspaced) { QUOTED / 2 } else { QUOTED };
    quoted.chars().count() >= least
}

/// Where in a message somebody else speaks: quoted lines, long quotations, and what follows an announcement of them
/// ("the reviewer wrote:", "put this on the page:") up to the end of its paragraphs.
pub fn foreign_words(own: &str, language: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in own.split_inclusive('\n') {
        if line.trim_start().starts_with(['>', '|']) {
            found.push(start..start + line.len());
        }
        start += line.len();
    }
    found.extend(quotations(own));
    found.extend(blocks(own));
    found.extend(errors(own));
    found.extend(passed_on(own));
    // An announcement is a first paragraph or sentence that ends with a colon and is not itself a rule's beginning.
    if let Some(end) = announcement(own, language) {
        found.push(end..own_rules_after(own, end).unwrap_or(own.len()));
    }
    found
}

/// Long words in quotation marks.
fn quotations(own: &str) -> impl Iterator<Item = Range<usize>> {
    static QUOTATION: OnceLock<Regex> = OnceLock::new();
    let quotation =
        QUOTATION.get_or_init(|| pattern(r#""[^"\n]+"|[ (]'[^'\n]{24,}'(?:$|[\s,.;:!?)])|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|『[^』]+』"#));
    quotation.find_iter(own).filter(|quoted| is_long(quoted.as_str())).map(|quoted| quoted.range())
}

/// Whether a title begins within words that a message has in quotation marks, or in a block of its own.
pub(super) fn is_in_quotation(title: &str, own: &str) -> bool {
    // "Put this into AGENTS.md: “…”" is the person's own rule.
    static WRITES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:claude|agents)\.md\b|\b(?:add|put|write|note) (?:this|that|it|these|the following)\b",
        )
    });
    if WRITES.is_match(own) {
        return false;
    }
    let beginning = beginning_of_title(title);
    // "A guest wrote: “…": the quotation begins in the first half of the title.
    let holds = |quoted: &str| {
        let words: String = quoted.trim_matches(QUOTES).chars().take(QUOTED).collect();
        title.find(&words).is_some_and(|at| 2 * at < title.len())
    };
    quotations(own)
        .chain(blocks(own))
        .any(|span| own[span.clone()].to_lowercase().contains(&beginning) || holds(&own[span]))
}

/// "At its end always a part “What we forgot to pack”": what the person rules of the words they quote.
pub(super) fn rules_a_quotation(text: &str) -> bool {
    static RULES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:always|never)\b[^.:;]{0,40}\b(?:part|line|heading|section|paragraph|title|header|footer|note|label|words?|chapter|sentence|block|column|button)\s*$",
        )
    });
    static SAYS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:says?|said|writes?|wrote|reads?|answered|answers?|told|tells?|asks?|asked|complains?)\b",
        )
    });
    let before = quotations(text).next().and_then(|quoted| text.get(..quoted.start));
    before.is_some_and(|before| RULES.is_match(before) && !SAYS.is_match(before))
}

/// "Set up the folder: … My conventions: …": where a later sentence announces the person's own rules.
fn own_rules_after(own: &str, from: usize) -> Option<usize> {
    static OWN: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)(?:^|[.!?\n])\s*(?:here are )?(?:my|our) [^.!?:\n]{0,60}:"));
    let mut found = OWN.find_iter(own.get(from..)?);
    found
        .find(|found| announces_rules(found.as_str().trim_start_matches(['.', '!', '?']).trim()))
        .map(|found| from + found.start())
}

/// Words between two lines of dashes, and paragraphs in single quotation marks or in italics.
fn blocks(own: &str) -> impl Iterator<Item = Range<usize>> {
    static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?m)^[ \t]*(?:-{3,}|={3,}|\*{3,})[ \t]*\n(?s:.*?)^[ \t]*(?:-{3,}|={3,}|\*{3,})[ \t]*$|^[ \t]*'[^\n]*'[ \t]*$|^[ \t]*(?:\*[^\s*][^\n*]*[^\s*]\*|_[^\s_][^\n_]*[^\s_]_)[ \t]*$",
        )
    });
    // "Here is what I want:", and then in italics: the person's own.
    static OWN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:\bi (?:want|need|expect|wish)\b[^.!?\n]{0,40}|\b(?:my|our|house|team) (?:[\w-]+ ){0,3}(?:rules?|conventions?|guidelines?|wishes|preferences|ways?|style|habits?|standards?|polic(?:y|ies))\b[^.!?\n]{0,30}|\b(?:remember|keep in mind)\b[^.!?\n]{0,30}):\s*$",
        )
    });
    let is_own = |block: &regex::Match<'_>| {
        let before = own[..block.start()].trim_end();
        block.as_str().trim_start().starts_with(['*', '_'])
            && !block.as_str().trim_start().starts_with("***")
            && (before.is_empty() || before.ends_with(['*', '_']) || OWN.is_match(before))
    };
    let blocks = BLOCK.find_iter(own).filter(move |block| is_long(block.as_str()) && !is_own(block));
    blocks.map(|block| block.range())
}

/// "Their contributing guide: sign every commit": what a document or a person other than the two says, to the end of its line.
fn passed_on(own: &str) -> impl Iterator<Item = Range<usize>> {
    static PASSED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)(?:\b(?:their|his|her|upstream['’]?s?|the (?:maintainers?|reviewers?|vendors?|clients?|customers?|upstream)['’]?s?) (?:[\w-]+ ){0,2}(?:guide|guidelines?|readme|docs|documentation|polic(?:y|ies)|rules?|terms|conventions?|checklist|e-?mail|letter|comment|review|requirements?)(?: (?:says?|reads?|states?|goes))?|\b(?:the|this|that) (?:[\w-]+ ){0,2}(?:sign|poster|banner|placard|notice|leaflet|e-?mail|letter) (?:says|reads|states|goes)) ?: (?P<said>[^\n]+)|\b(?:the|this|that) (?:[\w-]+ ){0,2}(?:page|(?:web)?site|article|post|ticket|log|output|hook)(?: (?:at|on|in|from|of|by|behind|for) (?:the )?\S+)? (?:says|reads|states|goes|prints) ?: (?P<shown>[^\n]+)",
        )
    });
    // What is asked about a page quotes all of it; else the person goes on after a sentence.
    let of_page = move |shown: Range<usize>| {
        let text = &own[shown.clone()];
        let first = sentences(text).first().map_or(text.len(), |first| first.len());
        if text.trim_end().ends_with('?') { shown } else { shown.start..shown.start + first }
    };
    let said = PASSED.captures_iter(own).filter_map(move |found| {
        let said = found.name("said").map(|said| said.range());
        said.or_else(|| found.name("shown").map(|shown| of_page(shown.range())))
    });
    said.filter(move |said| !ADOPTED.is_match(&own[said.start..]))
}

/// The person makes words of others their own.
static ADOPTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:(?:these|those|they)(?:['’]re| are) (?:mine|ours)|(?:i|we) (?:fully |all )?agree with)\b",
    )
});

/// What an error says: "ValueError: you must not pass an empty list", to the end of its line.
fn errors(own: &str) -> impl Iterator<Item = Range<usize>> {
    static ERROR: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?m)(?:^|[\s:`(])(?:[A-Za-z_.]*(?:Error|Exception|Warning)|error(?:\[\w+\])?|fatal|panic(?:ked)?|Traceback[^:\n]*|npm ERR!)\s*:\s*\S[^\n]*",
        )
    });
    // "4:17  error  Use \"let\" instead": a line of a linter or a compiler.
    static LINT: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?mi)^[^\n]*\b\d+:\d+:?\s+(?:error|warning|info|note)\b[^\n]*$"));
    ERROR.find_iter(own).chain(LINT.find_iter(own)).map(|found| found.range())
}

/// The letters of a title that are looked for.
fn beginning_of_title(title: &str) -> String {
    let letters: String = title.trim_end_matches('…').to_lowercase().chars().take(BEGINNING).collect();
    letters.trim().to_owned()
}

/// Whether a title is taken from words that a message quotes, or is mostly a quotation.
pub(super) fn is_quoted(title: &str, own: &str, language: usize) -> bool {
    let beginning = beginning_of_title(title);
    let mut quoted = foreign_words(own, language).into_iter().filter_map(|span| own.get(span));
    // A quotation may be cut in the title.
    let in_title = |words: &str| {
        let letters = |most: usize| words.chars().take(most).collect::<String>();
        let least = letters(QUOTED.max(2 * title.chars().count() / 5));
        words.len() >= QUOTED && 5 * words.len() > 2 * title.len() && title.contains(&least)
    };
    quoted.any(|words| words.to_lowercase().contains(&beginning) || in_title(words))
}

/// Whether a clause begins in words of others, or two fifths of it are theirs.
pub(super) fn is_foreign(clause: Range<usize>, foreign: &[Range<usize>]) -> bool {
    foreign.iter().any(|span| {
        let shared = span.end.min(clause.end).saturating_sub(span.start.max(clause.start));
        span.contains(&clause.start) || 5 * shared > 2 * clause.len()
    })
}

/// Where the words begin that an opening sentence announces as somebody else's, or as a text to be written.
fn announcement(own: &str, language: usize) -> Option<usize> {
    let paragraph = own.find("\n\n").filter(|at| own[at + 2..].trim().len() > at / 2);
    // Not one within a name: "feat:/fix:".
    let is_mark = |at: usize| {
        !own[at..].starts_with(':')
            || !own[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/')
    };
    let colon = own
        .match_indices([':', '：'])
        .map(|(at, _)| at)
        .find(|at| is_mark(*at))
        .map(|at| at + own[at..].chars().next().map_or(1, char::len_utf8));
    let end = match (paragraph, colon) {
        (Some(paragraph), Some(colon)) => paragraph.min(colon),
        (paragraph, colon) => paragraph.or(colon)?,
    };
    let opening = own[..end].trim_end_matches([':', '：', ' ']);
    let sentence =
        super::words::sentences(opening.trim_end_matches(['.', '?'])).last().copied().unwrap_or_default();
    let sentence = sentence.rsplit('\n').next().unwrap_or_default().trim();
    let dictates = DICTATES.is_match(sentence);
    let all = cues::present(opening, language);
    let cues = cues::present(sentence, language);
    let own_rules = all.has_any(&["from_now", "prefer", "ask_first", "always"])
        || cues.has_any(&["we_habit", "here", "remember"])
            && !all.has("foreign")
            && (!opening.ends_with(['?', '？']) || all.has_any(&["rules", "remember"]));
    // "Before you begin with the shed, some house rules: …"
    let announces = || sentence.rsplit_once(", ").is_some_and(|(_, last)| announces_rules(last));
    let own_rules = own_rules || ADOPTED.is_match(opening) || announces();
    // "The reviewer wrote: …", "is this normal? …", "write the house rules: …" (a text to be written, not followed).
    let breaks = own[end..].trim_start_matches([' ', '\t']).starts_with(['\n', '"', '“', '«', '「']);
    let asks = breaks && (opening.ends_with(['?', '？']) || cues.has("question"));
    let is_first = sentence.len() == opening.trim().len();
    let orders = is_first && cues::present(&beginning(sentence), language).has("order");
    (dictates || !own_rules && (breaks && all.has("foreign") || asks || orders)).then_some(end)
}

/// The first three words.
fn beginning(sentence: &str) -> String {
    sentence.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(own: &str, expected: &[&str]) {
        let found = foreign_words(own, 0);
        let texts: Vec<&str> = found.into_iter().map(|span| own[span].trim()).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn own_rules_are_announced_and_words_of_others_introduced() {
        check("Before you open the shed, some house rules: shoes off. Nobody smokes.", &[]);
        let own = "a guest wrote: \"you must never serve soup before eight, and always warm\". answer kindly";
        assert!(is_in_quotation("A guest wrote: \"you must never serve soup before eight", own));
        assert!(!is_in_quotation("Answer every guest within a day, also those who write long letters", own));
    }

    #[test]
    fn what_stands_below_a_question_is_of_others() {
        let own =
            "from the seller's leaflet, does our oven keep to it?\n\n2.1 Heat\n- Always preheat for an hour.";
        check(own, &["2.1 Heat\n- Always preheat for an hour."]);
    }

    #[test]
    fn a_rule_may_be_about_words_it_quotes() {
        assert!(rules_a_quotation("at its end always a part \"What we forgot to pack this time\""));
        assert!(!rules_a_quotation("the guest always says \"you must never serve soup before eight\""));
        assert!(!rules_a_quotation("\"you must never serve soup before eight\" stands there every day"));
    }

    #[test]
    fn quotations_are_of_others() {
        check("do what it says\n> Never use globals", &["> Never use globals"]);
        check(
            "answer \"we never ship on weekends, sorry\" please",
            &["\"we never ship on weekends, sorry\""],
        );
        check("call it \"Save as\"", &[]);
        check("「必ず箱を閉めてから運んでください」って何？", &["「必ず箱を閉めてから運んでください」"]);
    }

    #[test]
    fn blocks_that_are_set_apart_are_of_others() {
        let block = "---\nYou are a porter. Never open the gate.\n---";
        check(&format!("keep this in gate.txt\n{block}\nhow long is it"), &[block]);
        check("he left a card:\n'Never ring twice! I sleep.'\nanswer it", &["'Never ring twice! I sleep.'"]);
        // A line between two of the person's own paragraphs sets nothing apart.
        check("the gate is done\n---\nnever open it at night", &[]);
        check("'don't' and 'can't' stay as they are", &[]);
    }

    #[test]
    fn what_an_error_says_is_of_nobody() {
        let own = "never ship it red\nKeyError: you must set a colour";
        let rule = own.find("you must").unwrap();
        assert!(is_foreign(rule..own.len(), &foreign_words(own, 0)));
        assert!(!is_foreign(0..17, &foreign_words(own, 0)));
        check("the error handling is fine, never panic", &[]);
        check("mend it\n  4:17  error  Use \"let\" instead", &["4:17  error  Use \"let\" instead"]);
        assert!(is_quoted(
            "The wiki says \"never open the valve by hand\"",
            "The wiki says \"never open the valve by hand\". Who does?",
            0
        ));
        assert!(!is_quoted(
            "Never open the valve by hand",
            "Never open the valve by hand, the \"manual\" is old",
            0
        ));
    }

    #[test]
    fn clause_that_is_mostly_a_quotation_is_of_others() {
        let own = "the client wrote: «all doors stay shut, windows always open»";
        assert!(is_foreign(0..own.len(), &foreign_words(own, 0)));
    }

    #[test]
    fn what_is_announced_as_of_others_is() {
        check("Anna's review says:\n\nalways add a test", &["always add a test"]);
        check("write the house rules: never run, always greet", &["never run, always greet"]);
        check(
            "put this into texts/hello.txt word for word:\n\nAlways knock twice.",
            &["Always knock twice."],
        );
        check("the page at https://a.example says: Never knock. is it true?", &["Never knock. is it true?"]);
        check("the page should say: closed", &[]);
        check("the log says: shop is closed. Never knock there.", &["shop is closed."]);
        check("One thing that goes for all code: no globals", &[]);
        check("From now on: no globals", &[]);
        check("how we write C here:\n- no globals", &[]);
    }

    #[test]
    fn paragraph_in_italics_is_somebody_elses() {
        let own = "the harbour sent us this:\n\n*Never moor at the north pier. Ring the bell at noon.*\n\nis that for us?";
        assert!(is_in_quotation("Never moor at the north pier", own));
        let at = own.find("Never").unwrap();
        assert!(is_foreign(at..at + 10, &foreign_words(own, 0)));
        let rule = "*Never moor at the north pier, always at the south one*";
        for own in [rule.to_owned(), format!("here is what I want:\n\n{rule}"), format!("my rules:\n{rule}")]
        {
            let at = own.find("Never").unwrap();
            assert!(!is_foreign(at..at + 10, &foreign_words(&own, 0)), "{own}");
        }
        let list = "* Never moor at the north pier\n* Ring the bell at noon";
        assert!(!is_foreign(2..10, &foreign_words(list, 0)));
    }
}
