//! Turning a spoken sentence into a title: hedges and fillers off, requests into instructions, bare choices into what was
//! chosen.

use std::sync::OnceLock;

use regex::Regex;

use super::words::head;

/// Longest title, in characters.
const TITLE: usize = 150;

/// What people say before they say something.
fn opening() -> &'static Regex {
    static OPENING: OnceLock<Regex> = OnceLock::new();
    OPENING.get_or_init(|| {
        Regex::new(
            r"(?i)^(?:[\s,.!?:;…—–*>-]+|(?:\d{1,2}|[b-e])[.)]\s+|(?:no|nope|nah|right|cool|great|good|nice|perfect|wait)(?:[,.!?;:…—–]+\s*|\s+-+\s+)|(?:ok(?:ay)?|so|and|but|hmm+|hm|yeah|yea|yep|yes|ah+|oh+|eh+h?|uh+|um+|well|actually|also|please|pls|alright|thanks|thank you|sorry|now|then|hey|hi|haha|lol|technically|basically|honestly|ideally|maybe|perhaps|possibly|likewise|again|btw|fyi|imo|q|for now|at least|in general|to be clear|one (?:more )?(?:thing|question|last thing|last modification)|last thing|as an aside|by the way|on second thought|also,? as an aside)\b(?:[\s,.!?:;…—–-]+|$)|i (?:do |also |still |just |really )?(?:think|guess|believe|feel|feel like|reckon|suppose|wonder if|mean)(?: (?:that|like))?\b[\s,.:…-]*|i(?:'m| am) (?:thinking|wondering|assuming|pretty sure|not sure but)(?: (?:that|if))?\b[\s,.:…-]*|(?:it )?seems (?:to me )?(?:like|that)\b\s*|(?:my (?:gut|feeling|view|preference) (?:is|says)(?: that)?)\b\s*)",
        )
        .expect("the pattern is checked by the tests of this module")
    })
}

/// What people say after they have said something.
fn closing() -> &'static Regex {
    static CLOSING: OnceLock<Regex> = OnceLock::new();
    CLOSING.get_or_init(|| {
        Regex::new(
            r"(?i)(?:[\s,.…-]+(?:i(?:'d)? (?:think|guess|reckon|suppose|believe)|imo|imho|though|please|pls|thanks|thank you|i mean|you know|if possible|haha|lol|:\)|;\)|:-\)|😅|😂|🤣|🙃|right\?|yeah\?|hey\?|ok\?|or\?|no\?))+\W*$",
        )
        .expect("the pattern is checked by the tests of this module")
    })
}

/// Requests and wishes that wrap an instruction, with what replaces them.
fn wrappings() -> &'static [(Regex, &'static str)] {
    static WRAPPINGS: OnceLock<Vec<(Regex, &'static str)>> = OnceLock::new();
    WRAPPINGS.get_or_init(|| {
        [
            (r"(?i)^(?:could|can|would|will|should) (?:we|you|u) (?:please |maybe |also |just |perhaps |now )*(?:not )?(?P<rest>\w.*?)\??$", "$rest"),
            (r"(?i)^(?:could|can) (?:we|you) not (?P<rest>\w.*?)\??$", "Could we not $rest?"),
            (r"(?i)^(?:let'?s|lets|let us) (?:please |maybe |just |also |then |now )*not (?P<rest>.+)$", "Do not $rest"),
            (r"(?i)^(?:let'?s|lets|let us) (?:please |maybe |just |also |then |now )*(?P<rest>.+)$", "$rest"),
            (r"(?i)^(?:we|you) (?:should|must|need to|have to|ought to) (?:probably |just |also |really )*(?:not |n't )(?P<rest>.+)$", "Do not $rest"),
            (r"(?i)^(?:we|you) (?:should|must|need to|have to|ought to) (?:probably |just |also |really )*(?P<rest>.+)$", "$rest"),
            (r"(?i)^(?:we|you) should ?n[o']?t (?P<rest>.+)$", "Do not $rest"),
            (r"(?i)^(?:i|we)(?:'d| would) (?:rather|prefer|like)(?: it)?(?: if)?(?: (?:we|you|to|that))* (?P<rest>.+)$", "Prefer: $rest"),
            (r"(?i)^(?:i|we) (?:want|need) (?:you )?to (?P<rest>.+)$", "$rest"),
            (r"(?i)^(?:i|we) (?:want|need) (?P<rest>.+)$", "Wanted: $rest"),
            (r"(?i)^(?:we|you|i) (?:do ?n[o']?t|don'?t|dont) (?:really |actually )*need (?:to )?(?P<rest>.+)$", "No need to $rest"),
            (r"(?i)^(?:we|you) (?:can|could) (?:probably |just |actually |also |then |really )*(?P<rest>.+)$", "$rest"),
            (r"(?i)^(?:don'?t|dont|do not) (?P<rest>.+)$", "Do not $rest"),
            (r"(?i)^(?:make sure|ensure|be sure)(?: (?:that|to))? (?P<rest>.+)$", "Make sure $rest"),
        ]
        .into_iter()
        .map(|(pattern, with)| (Regex::new(pattern).expect("the patterns are checked by the tests of this module"), with))
        .collect()
    })
}

/// A spoken sentence as an instruction: without what people say before they say something.
pub fn instruction(sentence: &str) -> String {
    let mut rest = flat(sentence);
    for _ in 0..12 {
        let Some(found) = opening().find(&rest).filter(|found| !found.is_empty()) else { break };
        // "no more lints" and "right now" are not openings when nothing is left.
        let after = rest[found.end()..].trim_start();
        if after.split_whitespace().count() < 2 {
            break;
        }
        rest = after.to_owned();
    }
    if let Some(found) = closing().find(&rest) {
        rest.truncate(found.start());
    }
    for (pattern, with) in wrappings() {
        if pattern.is_match(&rest) {
            rest = pattern.replace(&rest, *with).into_owned();
            break;
        }
    }
    capitalise(rest.trim().trim_end_matches(['.', ',', ';', ':', '-', '…', ' ', '!']))
}

/// What a remark says of a cause, without the announcement ("Found it! The issue is that …").
pub fn statement(sentence: &str) -> String {
    static ANNOUNCEMENT: OnceLock<Regex> = OnceLock::new();
    let announcement = ANNOUNCEMENT.get_or_init(|| {
        Regex::new(
            r"(?i)^(?:[\s,.!?:;…—–*#-]+|(?:\d{1,2}|[a-e])[.)]\s+|(?:found (?:it|the (?:\w+ ){0,2}(?:issue|bug|problem|cause))|there it is|that'?s it|aha|bingo|ah|oh|yes|right|good|great|perfect|ok(?:ay)?|hmm|wait|interesting|excellent|exactly|confirmed|now|so|and|but|well|actually|good (?:catch|point|question|observation)|(?:you're|you are) (?:absolutely |completely )?right)\b[\s,.!?:;…—–*-]*|i (?:can )?(?:now )?see (?:the|what'?s) (?:\w+ )?(?:issue|problem|bug|wrong|happening)\b[\s,.!?:;…—–*-]*|i (?:now )?(?:see|understand|know)(?: now| why)?\b[\s,.!?:;…—–*-]+|(?:the|this|that'?s the|here'?s the) (?:(?:real|actual|root|main|core|underlying) )*(?:issue|problem|bug|culprit|cause|reason)(?: here)?(?: (?:is|was))?(?: (?:that|because))?\b[\s,:*—–-]*|(?:it|this) (?:turns out|looks like)(?: that)?\b\s*|turns out(?: that)?\b\s*|root cause\b[\s,.:;*—–-]*)",
        )
        .expect("the pattern is checked by the tests of this module")
    });
    let mut rest = flat(sentence);
    for _ in 0..8 {
        let Some(found) = announcement.find(&rest).filter(|found| !found.is_empty()) else { break };
        let after = rest[found.end()..].trim_start();
        if after.split_whitespace().count() < 4 {
            break;
        }
        rest = after.to_owned();
    }
    capitalise(rest.trim().trim_end_matches([':', ',', ';', ' ', '.']))
}

/// Fits a title: one line, at most 150 characters, ended at a clause or a word.
pub fn title(text: &str) -> String {
    let text = flat(text);
    if text.chars().count() <= TITLE {
        return text;
    }
    let limit = text.char_indices().nth(TITLE - 1).map_or(text.len(), |(index, _)| index);
    let cut = head(&text, limit);
    let clause = [
        ". ",
        "; ",
        " - ",
        " — ",
        " – ",
        ", so ",
        ", because ",
        " because ",
        ", but ",
        ", which ",
        ", and ",
        " (",
        ", ",
    ]
    .iter()
    .filter_map(|mark| cut.rfind(mark))
    .filter(|at| *at > 45)
    .max();
    match clause {
        Some(at) => cut[..at].trim_end().to_owned(),
        None => format!("{} …", cut.rsplit_once(' ').map_or(cut, |(kept, _)| kept)),
    }
}

/// One line: white space folded, markdown emphasis and control characters dropped.
pub fn flat(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(
            &word
                .replace("**", "")
                .replace("__init__", "\u{0}")
                .replace("__", "")
                .replace('\u{0}', "__init__"),
        );
    }
    line.trim_start_matches(['#', '>', '*', '-', ' ']).trim().to_owned()
}

/// The text with its first letter in upper case.
pub fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// The options an agent offered in prose, by their label: `1`, `b`.
pub fn options(text: &str) -> Vec<(String, String)> {
    static OPTION: OnceLock<Regex> = OnceLock::new();
    let option = OPTION.get_or_init(|| {
        Regex::new(r"(?im)^\s*(?:[-*]\s*)?\**\s*(?:#+\s*)?(?:option\s+|approach\s+)?([a-e]|[1-9])\s*[.):\-—–]\**[):]?\s*\**\s*(\S.{2,400})$|^\s*(?:[-*#]+\s*)?\**(?:option|approach)\s+([a-e]|[1-9])\b[\s:.)*—–-]*(\S.{2,400})$")
            .expect("the pattern is checked by the tests of this module")
    });
    option
        .captures_iter(text)
        .filter_map(|found| {
            let label = found.get(1).or(found.get(3))?.as_str().to_lowercase();
            let words = flat(found.get(2).or(found.get(4))?.as_str());
            Some((label, words))
        })
        .collect()
}

/// The option a bare answer picks and the words that follow the label: `("b", "nested in the options")`.
pub fn picked(answer: &str) -> Option<(String, String)> {
    static PICK: OnceLock<Regex> = OnceLock::new();
    let pick = PICK.get_or_init(|| {
        Regex::new(r"(?i)^\W*(?:(?:i think|i'?d (?:say|go with|do)|let'?s (?:do|go with|go)|go with|yeah|yes|ok(?:ay)?|definitely|probably|hmm+)\W+)*(?:(?:option|approach|alternative|number|variant)\s*)?([a-e]|[1-9])(?:\b|$)[\s.):,;-]*(.*)$")
            .expect("the pattern is checked by the tests of this module")
    });
    let line = flat(answer);
    let found = pick.captures(&line)?;
    let after = found[2].trim().to_owned();
    // "a single line" is an article, not a choice.
    let article = found[1].eq_ignore_ascii_case("a")
        && after.starts_with(char::is_alphabetic)
        && !after.starts_with("is ")
        && !line[..3.min(line.len())].contains(['.', ')', ',']);
    (!article).then(|| (found[1].to_lowercase(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hedges_and_fillers_come_off() {
        let check = |spoken: &str, expected: &str| assert_eq!(instruction(spoken), expected, "{spoken}");
        check("oh, please don't amend commits", "Do not amend commits");
        check("hmm, I think we should store it in metadata.", "Store it in metadata");
        check("ok so let's not commit in a broken state", "Do not commit in a broken state");
        check("can we add a helper for this?", "Add a helper for this");
        check("I'd rather we keep the old name", "Prefer: keep the old name");
        check("we want to create a mise dup task I'd think", "Create a mise dup task");
        check("2. this is the weakest option, let's skip it", "This is the weakest option, let's skip it");
        check("no packages, standard library only", "No packages, standard library only");
        check("no, keep the old name here", "Keep the old name here");
        check("good error messages matter more", "Good error messages matter more");
        check("no", "No");
        check("yeah", "Yeah");
    }

    #[test]
    fn announcements_come_off() {
        let check = |said: &str, expected: &str| assert_eq!(statement(said), expected, "{said}");
        check("Found it! The issue is that the cache is never cleared.", "The cache is never cleared");
        check("**Root cause:** `nvcc` is not on PATH", "`nvcc` is not on PATH");
        check("I see the problem. We have a circular import here", "We have a circular import here");
    }

    #[test]
    fn titles_end_at_a_clause() {
        let long = format!("Use one log file per worktree, {}", "word ".repeat(60));
        let cut = title(&long);
        assert!(cut.chars().count() <= 150 && cut.ends_with('…'), "{cut}");
        assert_eq!(title("short enough"), "short enough");
    }

    #[test]
    fn options_and_picks_are_found() {
        let text = "Where should it live?\n\n**A)** Flat in the settings\n**B)** Nested in strategy options\n\nWhich?";
        let found = options(text);
        assert_eq!(found[1], ("b".to_owned(), "Nested in strategy options".to_owned()));
        assert_eq!(picked("I think B, nested").unwrap().0, "b");
        assert_eq!(
            picked("2. but without the cache").unwrap(),
            ("2".to_owned(), "but without the cache".to_owned())
        );
        assert!(picked("a single line is enough").is_none());
        assert!(picked("do it").is_none());
    }
}
