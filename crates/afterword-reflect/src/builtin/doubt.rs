//! What in a title keeps a lesson from being saved unasked, however sure the rest is: read next month, it would tell nobody what to do.

use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::guidance::is_cut;
use super::outright::is_question;
use super::wish::says_what_happened;
use super::words::pattern;

/// Whether a title asks, supposes or is torn out of its sentence, or the words it was made of hesitate.
pub(super) fn leaves_doubt(title: &str, said: &str, language: usize) -> bool {
    is_question(title.trim_end())
        || is_cut(title)
        || is_unsure(title)
        || asks_for_nothing(title)
        || points_elsewhere(title)
        || is_outburst(title)
        || names_one_thing(title)
        || language == 0
            && (says_what_happened(&title.to_lowercase())
                || asks(decided(title))
                || is_torn(title)
                || is_torn(without_objection(said))
                || wonders(said))
}

/// "Wait no, oil it first" is sure of itself.
fn without_objection(said: &str) -> &str {
    static OBJECTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^(?:no+,? )?wait,? no+[,.!]* "));
    &said[OBJECTS.find(said).map_or(0, |found| found.end())..]
}

/// "I love how you always find it", "never mind me", "no wait, scratch that": praises, waves off, or takes back in the same breath.
pub(super) fn asks_for_nothing(text: &str) -> bool {
    static BREAKS_OFF: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"[-–—,] (?:ah|oh) no\b|^before (?:you|we) (?:go|start|get|begin|continue|go on)(?: any| too)?(?: far| further| started)?[.!]*$",
        )
    });
    let lower = text.to_lowercase();
    ["i love how ", "i like how "].iter().any(|start| lower.starts_with(start))
        || ["never mind", "scratch that", "no wait"].iter().any(|words| lower.contains(words))
        || BREAKS_OFF.is_match(&lower)
}

/// "Ignore me", "don't mind me".
pub(super) fn waves_off(text: &str) -> bool {
    static OFF: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:ok|oh|ah|sorry|no|please),? )*(?:ignore|disregard|don['’]?t mind|do not mind|don['’]?t listen to) (?:me|that|this|what i (?:just )?said)(?: message| one)?[.!]*$",
        )
    });
    OFF.is_match(text)
}

/// "Oh sorry, I had the wrong file", "ich mach das selbst": says what went wrong or takes it over, and asks for nothing.
pub(super) fn excuses(text: &str, language: usize) -> bool {
    const EXCUSES: [&str; 26] = [
        "sorry",
        "my bad",
        "my fault",
        "i'll do it myself",
        "i'll take it from here",
        "entschuldig",
        "mein fehler",
        "mach ich selbst",
        "perdón",
        "lo hago yo",
        "désolé",
        "je m'en occupe",
        "desculp",
        "eu mesmo faço",
        "извини",
        "прости",
        "я сам сделаю",
        "对不起",
        "抱歉",
        "不好意思",
        "我自己来",
        "すみません",
        "ごめん",
        "미안",
        "죄송",
        "제가 할게",
    ];
    let lower = text.to_lowercase().replace('’', "'");
    let checks = ["i have to check", "i need to check"].iter().any(|words| lower.starts_with(words));
    (checks || EXCUSES.iter().any(|words| lower.contains(words)))
        && !cues::present(text, language).has_any(&["always", "from_now", "ask_first", "we_habit", "prefer"])
}

/// "That might just be the cache".
fn is_unsure(title: &str) -> bool {
    const UNSURE: [&str; 8] = [
        "maybe ",
        "perhaps ",
        "from my understanding",
        "i guess",
        "i suppose",
        " so we could ",
        " should be fine",
        " should be ok",
    ];
    let lower = title.to_lowercase().replace('’', "'");
    // "Knock before you come in, somebody might sleep" is sure of what it wants.
    let (wish, _) = lower.split_once(", ").unwrap_or((&lower, ""));
    UNSURE.iter().any(|words| lower.contains(words)) || wish.contains(" might ")
}

/// "Make sure this never happens again": what it is about stands elsewhere.
fn points_elsewhere(title: &str) -> bool {
    static POINTS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:this|that|it) (?:never|doesn['’]?t|does not|won['’]?t|can['’]?t|cannot|will not|will never) (?:ever )?(?:happens?|repeats?|occurs?|recurs?)\b|^i (?:also )?asked? (?:you )?(?:why|what|how|who|when|where|which)\b|\badhere to it\b",
        )
    });
    POINTS.is_match(title)
}

/// Swearing is no note, whatever is meant by it.
fn is_outburst(title: &str) -> bool {
    static SWEARS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:(?:bull|horse)?shit\w*|fuck\w*|wtf|goddamn\w*|asshole\w*|bastard\w*|scheiß\w*|scheiss\w*|mierda|putain|merde|caralho)\b|блять|сука|他妈",
        )
    });
    SWEARS.is_match(title)
}

/// "We have two sessions, one for 28c304f6-…": an id or a hash is of one thing that nobody will meet again.
fn names_one_thing(title: &str) -> bool {
    static ID: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-|\b(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{10,}\b")
    });
    ID.is_match(title)
}

/// What was decided, of a title with its question: "Which lamp do we take? → the small one".
fn decided(title: &str) -> &str {
    title.rsplit_once(" → ").map_or(title, |(_, answer)| answer)
}

/// "What tools can we use here": a question without its mark.
fn asks(title: &str) -> bool {
    static ASKS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:what|which|how|why|who)\b[^.:;!]*\b(?:can|could|should|do|does|did|would|is|are) (?:we|i|you|it|this|that|they)\b|^(?:does|is|are|did|do|was|wo|have|has|ca|could|would)n'?t (?:we|you|your|it|the|this|that|i)\b",
        )
    });
    ASKS.is_match(title)
}

/// "That for those runs we keep the log", "Hmm, it stays green", "I thought it was green": begins in the middle, thinks aloud, or looks
/// for a cause.
fn is_torn(title: &str) -> bool {
    static TORN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:that (?:for|we|it|the|this|if|when)|u+m+|u+h+|hm+|huh|no wait|wait|somehow|unless i|thinking (?:of|about)|i (?:also )?thought|the (?:real |actual |main )?(?:issue|problem|bug|cause) (?:is|was))\b(?:[^'’]|$)",
        )
    });
    TORN.is_match(title)
}

/// Whether a message decides nothing yet: it hesitates or asks.
pub(super) fn is_undecided(said: &str) -> bool {
    hesitates(said) || asks_whether(said)
}

/// "Hmmm", "not sure": no answer yet.
fn hesitates(said: &str) -> bool {
    static HESITATES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)^\W*(?:h+m+|u+h*m+|e+r+m*|idk|not sure(?: yet)?|no idea|i don['’]?t know)\W*$")
    });
    HESITATES.is_match(said)
}

/// "Do we always have to soak it, or is that a myth?": asks for knowledge.
fn asks_whether(said: &str) -> bool {
    static WHETHER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\W*(?:do|does|did) (?:we|i|you|one|it|they) (?:\w+ ){0,2}(?:have|need) to\b[^.!]*\?\W*$",
        )
    });
    WHETHER.is_match(said)
}

/// "I wonder whether the old one was better".
fn wonders(said: &str) -> bool {
    static WONDERS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:(?:and|but|so|ok|yes|no)[, ]+)*(?:i wonder|i['’]?m (?:just )?wondering|i am (?:just )?wondering|not sure)\b",
        )
    });
    WONDERS.is_match(said.trim_start())
}

/// "Tell me which of them is slow", "Apply it in more places", "Rename the table": asks for something now.
pub(super) fn asks_for_now(title: &str, language: usize) -> bool {
    static NOW: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:please |just |ok,? |now,? |also,? )*(?:tell me|show me|let me (?:know|see)|give me|verify that we|apply (?:it|this|that|the)|change (?:it|that|this|those)|work on (?:it|this|that)|what about|how about|try (?:it|this|that))\b",
        )
    });
    static GENERAL: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:always|never|every|each|whenever|before|after|when|if|from now on|in general|first|any)\b",
        )
    });
    is_task(title, language) || language == 0 && NOW.is_match(title) && !GENERAL.is_match(title)
}

/// "Do a new release", "write a plan for the move", "I remember now, it was locked": one thing to be done once, or nothing at all.
pub(super) fn is_one_errand(title: &str) -> bool {
    static ERRAND: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^(?:i just [^.]*\. )?(?:please |now |just |also |then )*(?:make|write|create|do) (?:me )?(?:a|an|another|the) (?:new |quick |small )?(?:plan|release|pr|commit|todo|issue|ticket|summary|report|unit test|test|branch|document|skill|folder)(?:$|[.!]| (?:for|of|about|that|to)\b)|^add (?:a |an |some )?(?:unit |integration |e2e )?tests? to\b|^handle (?:this|that|it)\b|^i (?:just )?remember(?:ed)? (?:now|that)\b|^i like (?:that|how)\b",
        )
    });
    static GENERAL: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)\b(?:always|never|every|each|any|whenever|before|after|when)\b"));
    ERRAND.is_match(title) && !GENERAL.is_match(title)
}

/// "Review the changes in this workspace", "make sure this doesn't happen again": work to do, unless it says when or for what in general.
pub(super) fn is_task(text: &str, language: usize) -> bool {
    const TASKS: [&str; 34] = [
        "adapt",
        "analyze",
        "bump",
        "check",
        "continue",
        "convert",
        "copy",
        "create",
        "debug",
        "delete",
        "deploy",
        "drop",
        "explain",
        "filter",
        "find",
        "fix",
        "generate",
        "implement",
        "investigate",
        "look",
        "memorize",
        "merge",
        "move",
        "port",
        "refactor",
        "rename",
        "replace",
        "restore",
        "revert",
        "review",
        "shoot",
        "split",
        "translate",
        "upgrade",
    ];
    const OPENERS: [&str; 12] =
        ["please", "and", "also", "so", "then", "ok", "just", "make", "sure", "you", "must", "now"];
    static EACH: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:every|each|any)\b"));
    static WHEN: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\b(?:always|never|before|after|when|whenever|if)\b"));
    static ONE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"\b(?:the \d+|these|those|it|its|this|that|when you're done|when you are done)\b")
    });
    let lower = text.to_lowercase().replace('’', "'");
    let mut first = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .skip_while(|word| OPENERS.contains(word));
    // "Add one more test for the rounding".
    static MORE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:(?:please|and|also|then) )*(?:add|write|make|give me|create) (?:one more|another|a second|two more)\b",
        )
    });
    let orders =
        language == 0 && (first.next().is_some_and(|word| TASKS.contains(&word)) || MORE.is_match(&lower));
    let general = EACH.is_match(&lower) && !ONE.is_match(&lower) || WHEN.is_match(&lower);
    orders && !general && !cues::present(text, language).has_any(&["from_now", "ask_first"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_only_asks_for_knowledge_decides_nothing() {
        assert!(is_undecided("do we really have to soak the beans first, or is that a myth?"));
        assert!(!is_undecided("do we have to soak them? no. never soak beans"));
    }

    #[test]
    fn praise_and_waving_off_ask_for_nothing() {
        assert!(asks_for_nothing("I love how you never forget the lights"));
        assert!(asks_for_nothing("tabs then, never mind"));
        assert!(asks_for_nothing("dim the la- ah no") && !asks_for_nothing("dim it - oh not the old one"));
        assert!(asks_for_nothing("always dim the la- no wait, scratch that"));
        assert!(excuses("oh sorry, I had the lamp unplugged", 0));
        assert!(!excuses("sorry, but always unplug the lamp first", 0));
        assert!(!asks_for_nothing("I love tabs, use them everywhere"));
    }

    #[test]
    fn questions_and_torn_sentences_leave_doubt() {
        for title in [
            "Is the lamp on?",
            "Which lamps can we dim (the old ones?)",
            "Doesnt your list say that we dim the lamps",
            "old lamps only)",
            "That for old lamps we keep the dimmer",
            "Hmm, the lamp is dim",
            "Maybe dim the lamp",
            "I thought the lamp was dim",
            "The issue is the lamp, not the switch",
            "Make sure this never happens again with the lamp",
            "The dimmer in the hall never actually worked",
            "The old dimmer should be ok",
            "Youre done with this shit lamp",
            "One lamp is 4f1c0a2b-91aa-4c1e-8d1f-2b7a0c9d8e7f",
        ] {
            assert!(leaves_doubt(title, title, 0), "{title}");
        }
        for title in [
            "Dim the lamps (the old ones)",
            "Which lamp do we take? → the small one",
            "Which lamp goes where stands in lamps.toml",
            "What users can see is dimmed first",
            "That's how lamps are named: by room",
            "How lamps are named: by room",
        ] {
            assert!(!leaves_doubt(title, title, 0), "{title}");
        }
        assert!(leaves_doubt("Dim the lamp", "hm, I would rather dim the lamp", 0));
        assert!(leaves_doubt("Dim the lamp", "so I'm wondering, shall it dim the lamp", 0));
    }

    #[test]
    fn one_errand_is_told_from_a_habit() {
        for title in
            ["Do a new release", "Write a plan for the hall", "I remember now, the lamp was unplugged"]
        {
            assert!(is_one_errand(title), "{title}");
        }
        for title in ["Write a plan before every move", "Add tests whenever a lamp is added", "Dim the lamp"]
        {
            assert!(!is_one_errand(title), "{title}");
        }
    }

    #[test]
    fn what_is_asked_for_now_is_told_from_a_rule() {
        for title in
            ["Tell me which lamp is old", "Apply the shade in more rooms", "Change that to be brighter"]
        {
            assert!(asks_for_now(title, 0), "{title}");
        }
        for title in ["Tell me before you buy a lamp", "Show me every invoice", "Change the bulbs in pairs"] {
            assert!(!asks_for_now(title, 0), "{title}");
        }
    }
}
