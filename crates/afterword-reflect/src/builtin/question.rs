//! Questions an agent puts, as the beginning of a sentence: "How should dates be stored?" is "How dates are stored", and answered
//! with yes "Should replies be signed?" is "Replies are signed".

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::phrase::capitalise;
use super::words::pattern;

/// Words between a subject and what it does.
macro_rules! adverb {
    () => {
        "(?:(?:also|always|only|still|just|automatically|visually|immediately|never|ever) )?"
    };
}

/// What a subject does, in its plain form: where in a question the subject ends.
macro_rules! verbs {
    () => {
        r"(?:have|go|appear|work|look|behave|live|see|access|identify|find|experience|handle|show|include|support|require|count|respect|allow|restore|rotate|run|use|return|store|keep|stay|happen|create|trigger|accept|receive|get|contain|display|indicate|reset|expire|default|need|know|remain|end|start|begin|apply|wait|cover|carry|log|send|write|read|save|sort|group|open|close|fail|stop|skip|ignore|delete|remove|replace|overwrite|match|follow|validate|check|ask|block|load|cache|retry)"
    };
}

/// Whom or what a question is about.
macro_rules! subject {
    () => {
        r"(?P<subject>(?:(?:the|a|an|each|every|all|new|our|your|their|two|no) )*[^\s,?]+(?: [^\s,?]+){0,5}?)"
    };
}

/// In front of what is asked: "When a feed is empty, …".
macro_rules! opening {
    () => {
        r"(?i)^(?P<opening>(?:when|if|for|after|before|while|on|in) [^,?]{3,70}, )?"
    };
}

/// A question up to its verb, and what follows that: first with "be", as many a name holds a word that is a verb elsewhere ("the build
/// cache").
macro_rules! with_verb {
    ($before:expr, $rest:literal) => {
        LazyLock::new(|| {
            [
                pattern(concat!($before, " (?P<verb>", adverb!(), r"be)\b(?P<rest>", $rest, r")\?$")),
                pattern(concat!($before, " (?P<verb>", adverb!(), verbs!(), r")\b(?P<rest>", $rest, r")\?$")),
            ]
        })
    };
}

static OF_WAY: LazyLock<[Regex; 2]> =
    with_verb!(concat!(opening!(), "(?P<what>how|where|what) should ", subject!()), "[^,?]{0,60}");
static OF_KIND: LazyLock<[Regex; 2]> = with_verb!(
    concat!(r"(?i)^(?:what|which) (?P<what>[^\s,?]+(?: [^\s,?]+){0,3}?) should ", subject!()),
    "[^,?]{0,60}"
);
static OF_THOSE: LazyLock<[Regex; 2]> =
    with_verb!(r"(?i)^(?:what|which) (?P<subject>[^\s,?]+(?: [^\s,?]+){0,3}?) should", "[^,?]{0,60}");
static BEST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:what|which) (?P<of>[^,?]{3,60}?) (?:(?:feels?|sounds?|seems?|looks?|is|would be) (?:right|best|good|better|appropriate|reasonable)|makes? (?:the most )?sense|works? best|do you have in mind)(?: (?:to|for) you)?\?$",
    )
});
static WHETHER: LazyLock<[Regex; 2]> = with_verb!(concat!(opening!(), "should ", subject!()), "[^?]{0,90}");

/// What of a question is told of the matter; nothing where whom it speaks of is the agent or the person.
fn parts<'q>(patterns: &[Regex; 2], question: &'q str) -> Option<Captures<'q>> {
    first_of(patterns, question).filter(|found| !is_of_us(&found["subject"]))
}

fn first_of<'q>(patterns: &[Regex; 2], question: &'q str) -> Option<Captures<'q>> {
    patterns.iter().find_map(|pattern| pattern.captures(question))
}

/// What is said of the talk or of what comes next in it, and of nothing that lasts.
static OF_TALK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[.!:] )(?:(?:what|which) (?:areas?|topics?|parts?|points?|items?|things?|questions?|sections?) (?:do|would|should|shall) (?:you|we|i) (?:want |like )?(?:to |me to )?(?:discuss|talk about|cover|go through|go over|look at|start with|begin with|focus on|tackle|work on|do)\b|how (?:do|would|should|shall) (?:you|we|i) (?:like |want )?(?:to |me to )?(?:proceed|continue|go on|go ahead|start|begin)\b|what (?:do|would|should|shall) (?:you|we|i) (?:like |want )?(?:to |me to )?do (?:next|now|first|with (?:this|it|that))\b|(?:any )?more questions (?:about|on)\b|(?:are (?:you|we) )?(?:ready|done) (?:to (?:go on|move on|continue|proceed)|with)\b|can you reproduce\b|(?:shall|should) (?:we|i) (?:go on|move on|continue|proceed)(?: now| with (?:this|it|that)| to the next \w+)?\?)",
    )
});

/// Leaves the choice to whoever asked, or puts it off.
static LEAVES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:(?:i'?d say |well |hm+,? )?(?:you (?:decide|choose|pick)|your (?:call|choice|decision|pick)|up to you|claude'?s (?:discretion|choice|call)|(?:it )?depends\b|no (?:strong )?(?:preference|opinion)|(?:i )?(?:don'?t|do not) (?:care|mind|know)|(?:it )?(?:doesn'?t|does not) matter|whatever(?: you (?:think|want|prefer|like))?|whichever(?: you (?:think|want|prefer|like))?|not sure(?: yet)?|either(?: (?:one|way|is fine|works))?|(?:let me|i'?ll|i need to|i have to) think(?: about (?:it|that))?|(?:this|that|it) (?:would|will|may|might) depend\b)|entscheide du|du entscheidest|egal|keine ahnung|weiß nicht|décide|comme tu veux|peu importe|tú decides|como quieras|da igual|você decide|tanto faz|как хочешь|решай сам|не знаю|всё равно|你决定|随便|都行|お任せします|任せる|どちらでも|알아서 해)(?:\W|$)",
    )
});

/// Whether a question asks how the talk goes on: "Which areas do you want to discuss?", "How would you like to proceed?".
pub(super) fn is_about_the_talk(question: &str) -> bool {
    OF_TALK.is_match(question)
}

/// Whether an answer decides nothing: "you decide", "no preference", "hmm, this would depend on …".
pub(super) fn leaves_it_open(answer: &str) -> bool {
    const MORE: usize = 4;
    static DECIDES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i):|\b(?:use|take|keep|make|go with|always|never|just|but|only|however|immer|nie|aber|nur|nimm)\b",
        )
    });
    LEAVES.find(answer).is_some_and(|found| {
        let more = &answer[found.end()..];
        let is_reason = found.as_str().to_lowercase().contains("depend");
        (is_reason || more.split_whitespace().count() <= MORE) && !DECIDES.is_match(answer)
    })
}

/// "Yes, please", "go ahead": agreement and nothing more.
pub(super) fn is_bare_yes(answer: &str) -> bool {
    static YES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:yes|yeah|yep|sure|definitely|absolutely|ok(?:ay)?|go (?:ahead|for it)|please do|do it)(?:[,.!\s]+(?:please|do (?:it|that)|go (?:ahead|for it)|sure))*[.!]*$",
        )
    });
    YES.is_match(answer)
}

/// A question and its answer as one sentence, where the form of the question allows it.
pub(super) fn answered(question: &str, answer: &str) -> Option<String> {
    if let Some(found) = parts(&OF_WAY, question) {
        return Some(headed(&of_way(&found)?, answer));
    }
    if let Some(found) = first_of(&OF_THOSE, question) {
        let those = format!("{} that {}{}", &found["subject"], third_person(&found), &found["rest"]);
        return Some(headed(&those, answer));
    }
    if let Some(found) = parts(&OF_KIND, question) {
        let (what, does) = (&found["what"], third_person(&found));
        return Some(headed(&format!("{what} {} {does}{}", &found["subject"], &found["rest"]), answer));
    }
    if let Some(found) = BEST.captures(question) {
        return Some(headed(&found["of"], answer));
    }
    stated(&parts(&WHETHER, question)?, answer)
}

/// What was settled under what it is about.
fn headed(heading: &str, answer: &str) -> String {
    format!("{}: {answer}", capitalise(heading))
}

/// "How should dates be stored?" is "how dates are stored", "How should lost keys be handled?" is "lost keys".
fn of_way(found: &Captures) -> Option<String> {
    let (what, subject, rest) = (found["what"].to_lowercase(), &found["subject"], &found["rest"]);
    let heading = match (what.as_str(), &found["verb"]) {
        ("what", "happen") => return None,
        ("what", "be") if rest.is_empty() => subject.to_owned(),
        ("how", "be") if [" handled", " done", " treated"].contains(&rest) => subject.to_owned(),
        _ => format!("{what} {subject} {}{rest}", third_person(found)),
    };
    Some(format!("{}{heading}", opening_of(found)))
}

/// What stands in front of what is asked: "When a feed is empty, ".
fn opening_of<'f>(found: &'f Captures) -> &'f str {
    found.name("opening").map_or("", |opening| opening.as_str())
}

/// "Should replies be signed? → Yes": what was asked, as a statement.
fn stated(found: &Captures, answer: &str) -> Option<String> {
    let (subject, rest) = (&found["subject"], &found["rest"]);
    let opening = opening_of(found);
    if rest.split(' ').any(|word| word == "or") {
        // "… be kept in the cache, or read anew?": what was chosen is said by its own words, of a subject that is something.
        let is_something = &found["verb"] == "be" && !rest.trim_start().starts_with("able ");
        return is_something.then(|| headed(&format!("{opening}{subject}"), answer));
    }
    let first = answer.split([',', '.', ';', ':', '(', '–', '—']).next().unwrap_or_default();
    let statement = match first.trim().to_lowercase().as_str() {
        "no" | "nope" | "never" if !subject.to_lowercase().starts_with("no ") => {
            format!("{opening}{subject} {}{rest}", denied(found))
        }
        yes if is_bare_yes(yes) => format!("{opening}{subject} {}{rest}", third_person(found)),
        _ => return None,
    };
    // "Yes, counts against the quota" says the same again; "yes, but only for guests" says more.
    let more = answer[first.len()..].trim_matches([',', '.', ';', ':', ' ', '(', ')', '–', '—']);
    let says_more = more.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        word.chars().count() > 3 && !statement.to_lowercase().contains(&word)
    });
    Some(if says_more { format!("{} ({more})", capitalise(&statement)) } else { capitalise(&statement) })
}

/// The agent and the person, of whom "How should we fix it?" asks what is done now, or what was spoken of before.
fn is_of_us(subject: &str) -> bool {
    let first = subject.split_whitespace().next().unwrap_or_default().to_lowercase();
    matches!(first.as_str(), "i" | "we" | "you" | "this" | "that" | "it" | "these" | "those" | "they")
}

/// Whether a subject is more than one thing, by the last word before what describes it: "the users of a list".
fn is_plural(subject: &str) -> bool {
    const JOINS: [&str; 12] =
        ["of", "for", "in", "from", "on", "with", "without", "under", "between", "to", "at", "that"];
    let head = subject.split_whitespace().take_while(|word| !JOINS.contains(word)).last();
    let head = head.unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric());
    // "HTTPS".
    if head.ends_with('S') {
        return false;
    }
    let head = head.to_lowercase();
    let is_one = ["ss", "us", "is", "as"].iter().any(|end| head.ends_with(end));
    matches!(head.as_str(), "people" | "children" | "data" | "both") || head.ends_with('s') && !is_one
}

/// The verb of a question and the word before it, if any: "also", "show".
fn adverb_and_verb<'f>(found: &'f Captures) -> (&'f str, &'f str) {
    let verb = found.name("verb").map_or("", |verb| verb.as_str());
    verb.split_once(' ').unwrap_or(("", verb))
}

/// As it is said of the subject: "are stored", "also shows".
fn third_person(found: &Captures) -> String {
    let (adverb, verb) = adverb_and_verb(found);
    let is_plural = is_plural(&found["subject"]);
    let verb = verb.to_lowercase();
    let said = match verb.as_str() {
        "be" => if is_plural { "are" } else { "is" }.to_owned(),
        _ if is_plural => verb,
        "have" => "has".to_owned(),
        "go" => "goes".to_owned(),
        _ if verb.ends_with("ch") || verb.ends_with("ss") || verb.ends_with("sh") => format!("{verb}es"),
        _ => match verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
            Some(stem) => format!("{stem}ies"),
            None => format!("{verb}s"),
        },
    };
    match (adverb, verb_is_be(found)) {
        ("", _) => said,
        (_, true) => format!("{said} {adverb}"),
        (_, false) => format!("{adverb} {said}"),
    }
}

/// "Is not", "do not also show".
fn denied(found: &Captures) -> String {
    let (adverb, verb) = adverb_and_verb(found);
    let adverb = if adverb.is_empty() { String::new() } else { format!(" {adverb}") };
    match (verb_is_be(found), is_plural(&found["subject"])) {
        (true, true) => format!("are not{adverb}"),
        (true, false) => format!("is not{adverb}"),
        (false, true) => format!("do not{adverb} {verb}"),
        (false, false) => format!("does not{adverb} {verb}"),
    }
}

fn verb_is_be(found: &Captures) -> bool {
    adverb_and_verb(found).1.eq_ignore_ascii_case("be")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_begins_what_was_settled() {
        for (question, answer, expected) in [
            ("How should dates be stored?", "UTC", "How dates are stored: UTC"),
            ("How should lost keys be handled?", "New key each", "Lost keys: New key each"),
            ("Where should the lamp hang?", "Over the door", ""),
            ("Where should the lamp switch live?", "By the door", "Where the lamp switch lives: By the door"),
            (
                "What should each shelf label show?",
                "Number and room",
                "What each shelf label shows: Number and room",
            ),
            (
                "What events should close the shutters?",
                "Rain, frost",
                "Events that close the shutters: Rain, frost",
            ),
            (
                "Which fields should the parcel list show?",
                "Name only",
                "Fields the parcel list shows: Name only",
            ),
            ("What pause between two rings feels right?", "5 seconds", "Pause between two rings: 5 seconds"),
            (
                "When a lamp breaks, how should the guest see it?",
                "A card",
                "When a lamp breaks, how the guest sees it: A card",
            ),
            ("Should lamps also count as devices?", "Yes", "Lamps also count as devices"),
            ("Should the hall be locked at night?", "No", "The hall is not locked at night"),
            ("Should the bell ring twice?", "Yes", ""),
            (
                "Should opening a box require a code?",
                "Yes, but only for guests",
                "Opening a box requires a code (but only for guests)",
            ),
            ("Should the box count as luggage?", "Yes, counts as luggage", "The box counts as luggage"),
            ("Should lamps be dimmed, or switched off?", "Dimmed", "Lamps: Dimmed"),
            (
                "When a guest leaves, should the room be cleaned immediately?",
                "Yes",
                "When a guest leaves, the room is cleaned immediately",
            ),
            ("Should the build cache be shared?", "Yes", "The build cache is shared"),
            ("How should the access log be rotated?", "daily", "How the access log is rotated: daily"),
            ("Should no guest see drafts?", "No", ""),
            ("Should HTTPS be required?", "Yes", "HTTPS is required"),
            ("How should we fix the door?", "Glue it", ""),
            ("Should I open the window?", "Yes", ""),
        ] {
            assert_eq!(answered(question, answer).unwrap_or_default(), expected, "{question}");
        }
    }

    #[test]
    fn what_the_talk_is_about_lasts_no_longer_than_it() {
        for question in [
            "Which parts do you want to discuss for the hall?",
            "This one is about paint. How would you like to proceed?",
            "The list is ready at `list.md`. What would you like to do next?",
            "More questions about lamps, or move on to doors?",
        ] {
            assert!(is_about_the_talk(question), "{question}");
        }
        for question in [
            "How should guests proceed after the door?",
            "Which parts should the list show?",
            "Should we continue to support the old door?",
        ] {
            assert!(!is_about_the_talk(question), "{question}");
        }
    }

    #[test]
    fn whoever_leaves_it_open_has_decided_nothing() {
        for answer in [
            "You decide",
            "up to you!",
            "hmm, this would depend on the paint",
            "No preference",
            "egal",
            "随便",
        ] {
            assert!(leaves_it_open(answer), "{answer}");
        }
        for answer in [
            "I don't care, use UTC",
            "Not sure, but always UTC",
            "Depends: small ones stay, large ones go",
            "Dimmed",
            "You decide the colour, and the size is always A4 here",
        ] {
            assert!(!leaves_it_open(answer), "{answer}");
        }
    }
}
