//! What an English rule is about: what is done with what ("delete data"), and where or of what it holds ("in the tests"). Rules that are
//! about different things hold side by side, however alike they are worded.

use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::kinds::names_of_a_kind;
use super::ngrams::is_unspaced;
use super::words::pattern;

/// What a rule is about, as far as its form tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// What something is done with, or of what something is told: "passwords", "labels".
    pub object: Option<String>,
    /// Where or of what it holds: "tests", "Python".
    pub scopes: Vec<String>,
}

/// Words before what is said.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^(?:(?:no longer|please|pls|and|so|but|also|ok|okay|no|yes|well|btw|always|never|ever|only|just|then|from (?:now|today|here) on|in future|instead|here|now|actually|still|really|maybe)\b[\s,:.!–—-]*",
        r"|(?:don['’]?t|do not|we|you|i|let['’]?s|lets)\s+|(?:want|wants|need|needs|have|has|like|would like|['’]d like|prefer) (?:you )?to\s+",
        r"|(?:should|must|may|can|could|will|shall|do|does|not|are allowed|['’]re allowed|are free|need)\b\s*(?:to\s+)?)*",
    ))
});

/// "Labels are blue", "every shelf gets a number": of what something is told.
static TOLD_OF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:the|our|my|all|every|each|any|new|both|those|these) )*(?P<what>(?:[\w'./+-]+ ){1,4}?)(?:(?:always|never|only|must|should|may|can|shall|will|now|just) )*(?:is|are|be|go|goes|live|lives|belong|belongs|has|have|get|gets|stay|stays|start|starts|end|ends|carry|carries|need|needs|sit|sits|use|uses|run|runs)\b",
    )
});

/// "Ask me before you delete data", "stop asking about packages": what is asked about.
static ASKED_ABOUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:ask|asking|asked|check|checking|tell|show|permission|ok|okay|approval)\b(?: (?:me|us|first|with|for|my|it|anything|again|any ?more))*,? (?:before(?: (?:you|we|anything|ever))*|about|for|on) (?P<what>[^,.;:]{3,50})|\b(?:may|can|could|free to|allowed to|go ahead and) (?P<done>[^,.;:]{3,50}?)(?: (?:without|yourself|on your own|from now|as you like|whenever|freely|any ?time)\b|[,.;:]|$)",
    )
});

/// Where or of what something holds.
static SCOPE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<before>\S+)?(?:^|\s)(?:in|for|on|under|inside|within|across|of|at) (?:(?:the|our|my|your|all|every|each|any|new|both|a|an) )*(?P<what>[\p{L}\d./_+#-]+(?: [\p{L}\d./_+#-]+){0,2})",
    )
});

/// Behind these a place or a language is what the rule wants, and not where it holds.
const WANTS: [&str; 34] = [
    "is", "are", "be", "go", "goes", "live", "lives", "belong", "belongs", "sit", "sits", "stay", "stays",
    "put", "stored", "saved", "kept", "written", "done", "built", "made", "land", "ends", "end", "starts",
    "start", "based", "depend", "rely", "answer", "reply", "talk", "work", "only",
];

/// What holds everywhere or points at what was named narrows nothing.
static EVERYWHERE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:here|there|it|them|that|this|those|these|now|once|everything|everyone|everybody|anything|all|both|each|us|me|you|good|general|future|ones?|case|time|times|example|instance|project|repo|repository|codebase|code|app|place|places|sure|purpose|least|most|first|last|time being|whole|entire|long|short|detail|full|line|order|top|end|way|hand|one|two|three|four|five|six|eight|ten)\b|^\d",
    )
});

/// Words at which a noun ends.
const ENDS: [&str; 44] = [
    "in", "on", "for", "at", "to", "from", "with", "without", "by", "of", "and", "or", "but", "before",
    "after", "when", "whenever", "if", "unless", "until", "that", "which", "as", "into", "under", "over",
    "than", "not", "never", "always", "ever", "please", "instead", "because", "so", "since", "through",
    "via", "only", "now", "yourself", "any", "anymore", "first",
];

/// Verbs of which the object is what a rule is about; behind "use" or "prefer" stands what is wanted.
const DONE_TO_THINGS: &str = "add answer archive back build bump cache call catch change check clean close comment commit compile \
    compress copy cover delete deploy document draw drop edit email encrypt escape explain export fetch format guess handle hide import \
    indent install label leave lend link lint load log mail mark merge mock move name open paint parse pin plot print publish pull push \
    quote read rebase release remove rename reply reset retry return review round run save sell send share ship show sign skip sort split \
    squash start stop store support tag test touch train translate trim update upgrade validate wrap write";

/// Verbs behind which a language or a place is wanted: "write the reader in Rust".
const MAKES: &str =
    "write port implement build draw make export save store keep put label answer do name move";

/// What a rule is about; nothing of other languages.
pub fn subject(rule: &str) -> Subject {
    if rule.chars().any(is_unspaced) || cues::language_of(rule) != 0 {
        return Subject::default();
    }
    let lower = rule.to_lowercase().replace('’', "'");
    static FROM_NOW: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:from (?:now|here|today|this day|then) on(?:wards?)?|now on|and so on|later on|on (?:top|your own|its own))\b",
        )
    });
    let lasting = FROM_NOW.replace_all(&lower, " ");
    Subject { object: object(lower.trim()), scopes: scopes(lasting.trim()) }
}

fn without_opening(rule: &str) -> &str {
    &rule[OPENING.find(rule).map_or(0, |found| found.end())..]
}

fn object(rule: &str) -> Option<String> {
    if let Some(found) = ASKED_ABOUT.captures(rule) {
        let what = found.name("what").or_else(|| found.name("done"))?.as_str();
        return noun(what, true);
    }
    let rest = without_opening(rule);
    if let Some(found) = TOLD_OF.captures(rest) {
        return noun(&found["what"], false);
    }
    let (verb, rest) = rest.split_once(' ')?;
    let stem = ["ing", "e", ""].iter().find_map(|end| verb.strip_suffix(end)).unwrap_or(verb);
    let is_done = DONE_TO_THINGS
        .split_ascii_whitespace()
        .any(|known| known == verb || known.trim_end_matches('e') == stem);
    if is_done { noun(rest, false) } else { None }
}

/// The words of a noun a text begins with; of what is done the verb is one of them.
fn noun(text: &str, done: bool) -> Option<String> {
    const BEFORE: [&str; 16] = [
        "the", "a", "an", "our", "my", "your", "any", "all", "every", "each", "some", "no", "more", "new",
        "you", "we",
    ];
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let ends = word.ends_with([',', '.', ';', ':', '!']);
        let word =
            word.trim_matches(|c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '"' | '`' | '(' | ')'));
        if ENDS.contains(&word) || words.len() == if done { 4 } else { 3 } {
            break;
        }
        if !BEFORE.contains(&word) && !word.is_empty() {
            words.push(word);
        }
        if ends {
            break;
        }
    }
    let tells = words.iter().any(|word| word.len() > 2 && !cues::is_common(word));
    let points = words.first().is_some_and(|word| EVERYWHERE.is_match(word));
    (tells && !points).then(|| words.join(" "))
}

fn scopes(rule: &str) -> Vec<String> {
    let makes = without_opening(rule)
        .split_whitespace()
        .next()
        .is_some_and(|verb| MAKES.split_ascii_whitespace().any(|known| known == verb));
    let of = |found: regex::Captures<'_>| {
        let before = found.name("before").map_or("", |before| before.as_str());
        let what = noun(&found["what"], false)?;
        let is_value = names_of_a_kind(&what);
        let wants = WANTS.contains(&before)
            || what.contains('/')
            || is_value.is_some_and(|programming| !programming || makes);
        (!wants && !EVERYWHERE.is_match(&what)).then_some(what)
    };
    SCOPE.captures_iter(rule).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: &str, object: Option<&str>, scopes: &[&str]) {
        let found = subject(rule);
        assert_eq!(
            (found.object.as_deref(), found.scopes.iter().map(String::as_str).collect::<Vec<_>>()),
            (object, scopes.to_vec()),
            "{rule}"
        );
    }

    #[test]
    fn what_a_rule_is_about_is_found() {
        check("Never leave chisels in the rain", Some("chisels"), &["rain"]);
        check("we no longer leave ladders in the yard", Some("ladders"), &["yard"]);
        check("always ask me before you sell a chair", Some("sell chair"), &[]);
        check("you don't have to ask before lending ladders", Some("lending ladders"), &[]);
        check("from now on you may lend ladders without asking", Some("lend ladders"), &[]);
        check("labels are written in Dutch", Some("labels"), &[]);
        check("use pegs for the joints", None, &["joints"]);
        check("never use glue in Python", None, &["python"]);
        check("write the reader in Rust", Some("reader"), &[]);
        check("please stick to that everywhere", None, &[]);
        check("Etiketten immer auf Deutsch", None, &[]);
    }
}
