//! What a new rule does to an older one: whether it takes its place.
//!
//! Likeness of sentences is not sameness of rules. Two rules that are alike usually hold side by side. That one ends the other is taken
//! from a sign of it ([`turn`]): another number for the same thing, words that tell of a change ("no longer", "these days", "we moved
//! to"), or that one is for what the other is against; or it is weighed ([`likely`]), by weights learnt from made-up pairs
//! (`training/pairs`, printed for the training by `examples/pairs.rs`).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::features::Features;
use super::kinds::{does_otherwise, moves, takes_the_place};
use super::models::Models;
use super::ngrams::is_unspaced;
use super::quantity::{self, counts_other, counts_the_same, sets_the_key_anew};
use super::swap::{drops, is_said_of_any, renames, retimes, swaps};
use super::turning::{gives_back, names_anew, narrows_down, takes_up_what_was_refused};
use super::words::pattern;

/// How close a clause is to a rule that it only says again.
const RESTATED: f32 = 0.75;
/// Words that only touch a rule end it no likelier than this.
const DOUBTFUL: f32 = 0.2;
/// From here on a clause surely changes some rule.
const SURELY: f32 = 0.45;
/// From here on a clause is near to a rule that it shares one word with.
const NEAR: f32 = 0.6;
/// Things that two rules both name which say another time of the same.
const MUCH: usize = 3;
/// Letters of a word that are compared, so that "commit" and "commits" are one.
const STEM: usize = 5;
/// Families of cues that are weighed, of the clause.
const CUES: [(&str, &str); 14] = [
    ("cue.turn", "turn"),
    ("cue.withdraw", "withdraw"),
    ("cue.from_now", "from_now"),
    ("cue.momentary", "momentary"),
    ("cue.once", "once"),
    ("cue.repeat", "repeat"),
    ("cue.permission", "permission"),
    ("cue.instead", "instead"),
    ("cue.always", "always"),
    ("cue.all", "all"),
    ("cue.order", "order"),
    ("cue.report", "report"),
    ("cue.question", "question"),
    ("cue.later", "later"),
];

/// The longest message, in bytes, that is read for what its rule is about.
pub const LONGEST_SAID: usize = 400;

/// Two rules of one project, and what was measured of them.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// What was said later, in the person's words.
    pub newer: &'a str,
    /// All that was said with it, as far as that is known.
    pub said: &'a str,
    /// What was said before.
    pub older: &'a str,
    /// How close the rules are in meaning, 0 to 1.
    pub closeness: f32,
    /// Whether one is for what the other is against.
    pub opposed: bool,
}

/// By what a rule was seen to end another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// It has another number for the same thing.
    Number,
    /// It was said with words of a change.
    Change,
    /// It is for what the other is against, or against what it is for, and was said with words of a change.
    Opposite,
    /// It allows for good what the other forbids.
    Permission,
    /// It asks for another thing of the same kind.
    Kind,
}

/// Whether the newer rule ends the older one, and by what that is seen.
pub fn turn(pair: &Rules<'_>) -> Option<Turn> {
    let (newer, older) = (Words::of(pair.newer), Words::of(pair.older));
    if pair.newer.trim().is_empty() || pair.older.trim().is_empty() || is_narrower(pair) {
        return None;
    }
    // A long message speaks of more than its rule.
    let said = if pair.said.len() <= LONGEST_SAID { pair.said } else { pair.newer };
    let around = Words::of(said);
    let both = newer.telling.union(&around.telling).filter(|word| older.telling.contains(*word)).count();
    let language = cues::language_of(pair.newer);
    // How close two texts are is known of English only.
    let close = if language == 0 { pair.closeness } else { 0.0 };
    let changes =
        [pair.newer, said].iter().any(|text| cues::present(&without_amounts(text), language).has("turn"));
    let other_number =
        !newer.numbers.is_empty() && !older.numbers.is_empty() && newer.numbers.is_disjoint(&older.numbers);
    let from_now = cues::present(pair.newer, language).has("from_now");
    let near = both > 0 && (close >= 0.35 || language != 0) || close >= 0.5 || from_now && close >= 0.32;
    let counts = other_number && near || (near || both > 0) && counts_other(pair.newer, pair.older);
    if counts && counts_the_same(pair.newer, pair.older) || sets_the_key_anew(pair.newer, pair.older) {
        return Some(Turn::Number);
    }
    if changes && pair.opposed && close >= 0.35 {
        return Some(Turn::Opposite);
    }
    let near = close >= 0.35 || close >= 0.25 && both > 0;
    if near && allows_for_good(pair.newer, pair.older) {
        return Some(Turn::Permission);
    }
    if takes_the_place(pair.newer, pair.older) {
        return Some(Turn::Kind);
    }
    let tells = changes || from_now || hints_at_change(pair.newer);
    let renamed = || {
        tells
            && ((both > 0 || close >= 0.25) && renames(pair.newer, pair.older)
                || both >= MUCH && retimes(pair.newer, pair.older))
    };
    let is_new = || tells || FOR_ALL.is_match(pair.newer);
    let placed = || is_new() && moves(pair.newer, pair.older) || does_otherwise(pair.newer, pair.older);
    let taken_up = || is_new() && takes_up_what_was_refused(pair.newer, pair.older);
    if renamed()
        || placed()
        || taken_up()
        || narrows_down(pair.newer, pair.older)
        || names_anew(pair.newer, pair.older)
        || language == 0 && (drops(pair.newer, pair.older) || tells && swaps(pair.newer, pair.older))
    {
        return Some(Turn::Change);
    }
    let near = if language == 0 {
        both >= 2 && close >= 0.3 || both == 1 && close >= 0.4 || close >= 0.6
    } else {
        both >= 2
    };
    let shared = newer.telling.intersection(&older.telling).collect::<Vec<_>>();
    let of_thing = matches!(shared.as_slice(), [shared] if is_a_thing(pair.newer, shared, &older))
        && older.telling.len() > 1
        && close < NEAR
        && !names_a_rule(said);
    (changes && near && !of_thing).then_some(Turn::Change)
}

/// A rule for a folder, a case or this once, beside one that holds in general: an exception, which ends nothing.
fn is_narrower(pair: &Rules<'_>) -> bool {
    let language = cues::language_of(pair.newer);
    let cues = cues::present(pair.newer, language);
    let for_now = (cues.has("momentary") || is_just_done(pair.newer)) && !cues.has("from_now")
        || is_elsewhere(pair.newer);
    let folder = has_folder(pair.newer) && !has_folder(pair.older);
    for_now || folder && !cues.has("turn") && !keeps_only(pair.newer)
}

/// A clause of a later message beside an earlier rule of the same project.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The clause, in the person's words.
    pub clause: &'a str,
    /// How likely the clause changes some rule, read without the earlier one: 0 to 1.
    pub changes: f32,
    /// The message it stands in.
    pub said: &'a str,
    /// The earlier rule, in a sentence.
    pub older: &'a str,
    /// How close clause and rule are in meaning, 0 to 1.
    pub closeness: f32,
    /// Whether one is for what the other is against.
    pub opposed: bool,
    /// How close the words come in which they differ, 0 to 1.
    pub rivalry: f32,
}

/// How likely the clause ends the rule or takes its place: 0 to 1.
pub fn likely(pair: &Pair<'_>) -> f32 {
    // What is said of one folder is an exception to what is said of all.
    let folder = has_folder(pair.clause) && !has_folder(pair.older);
    let language = cues::language_of(pair.said);
    if is_elsewhere(sentence_of(pair.clause, pair.said))
        || is_just_done(sentence_with(pair.clause, pair.said))
    {
        return 0.0;
    }
    if folder && !cues::present(pair.said, language).has("turn") && !keeps_only(pair.clause) {
        return 0.0;
    }
    // The same rule said again ends nothing.
    let again = pair.closeness >= RESTATED && !pair.opposed;
    let turns = cues::present(pair.clause, language).has_any(&["turn", "withdraw"]);
    if again && !turns && Words::of(pair.clause).numbers == Words::of(pair.older).numbers {
        return 0.0;
    }
    let likely = Models::shipped().pairs.probability(&features(pair));
    // Being asked no more ends what wants to be asked about, and nothing else.
    if STOP_ASKING.is_match(pair.clause) && !wants_to_be_asked(pair.older) {
        return likely.min(DOUBTFUL);
    }
    if is_of_another_thing(pair, turns) { likely.min(DOUBTFUL) } else { likely }
}

/// Whether what is said is of something that the rule only touches: a number of something else, or a thing of which the rule says more
/// than its name ("the key on the page isn't shown any more" and "sign commits with the hardware key").
fn is_of_another_thing(pair: &Pair<'_>, turns: bool) -> bool {
    if !turns && !counts_the_same(pair.clause, pair.older) {
        return true;
    }
    let (newer, older) = (Words::of(pair.clause), Words::of(pair.older));
    let shared: Vec<&String> = newer.telling.intersection(&older.telling).collect();
    let [shared] = shared.as_slice() else { return false };
    let rest = older.telling.len() > 1 && pair.closeness < NEAR && pair.rivalry < NEAR;
    (turns || pair.opposed) && rest && is_a_thing(pair.clause, shared, &older) && !names_a_rule(pair.said)
}

/// "The key on the page", "that branch", "the docs server": a thing with that name, and not all that has it.
fn is_a_thing(clause: &str, shared: &str, older: &Words) -> bool {
    const POINTS: [&str; 14] = [
        "the", "that", "this", "these", "those", "last", "der", "die", "das", "den", "diesen", "le", "la",
        "el",
    ];
    const PLACES: [&str; 7] = ["on", "in", "at", "from", "of", "im", "auf"];
    let lower = clause.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    let Some(at) = words.iter().position(|word| word.starts_with(shared)) else { return false };
    let is_own = |word: &str| Words::of(word).telling.iter().any(|word| !older.telling.contains(word));
    // "The night shift report" is one of the reports.
    if let [pointer, one, two] = words[at.saturating_sub(3)..at]
        && POINTS.contains(&pointer)
        && is_own(one)
        && is_own(two)
    {
        return true;
    }
    let pointed = words[at.saturating_sub(2)..at].iter().any(|word| POINTS.contains(word));
    let shown = at > 0 && ["that", "this"].contains(&words[at - 1]);
    let next = words.get(at + 1).is_some_and(|next| PLACES.contains(next) || is_own(next));
    pointed && (shown || next)
}

/// Whether words speak of what was asked for before: "what I said about …", "the ban on …", "stop asking …".
pub fn names_a_rule(said: &str) -> bool {
    const NAMES: [&str; 16] = [
        "said",
        "rule",
        "ban",
        "asked",
        "ask",
        "asking",
        "told",
        "wanted",
        "habit",
        "convention",
        "policy",
        "limit",
        "freeze",
        "requirement",
        "required",
        "strict",
    ];
    let lower = said.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| NAMES.contains(&word))
}

/// Whether a rule is about all that an option tells: "leave it in memory" beside "sessions stay in memory".
pub fn names_same(rule: &str, option: &str) -> bool {
    const STAYS: [&str; 6] = ["leave", "as", "today", "stay", "curre", "alrea"];
    let (rule, mut option) = (Words::of(rule).telling, Words::of(option).telling);
    option.retain(|word| !STAYS.contains(&word.as_str()));
    !option.is_empty() && option.is_subset(&rule)
}

/// How much of what a rule asks for went from the work: of the words of one part of it that is not against something, 0 to 1, the most.
#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
pub fn share_that_went(rule: &str, gone: &[String]) -> f32 {
    if gone.is_empty() {
        return 0.0;
    }
    let stem = |word: &String| word.chars().take(STEM).collect::<String>();
    // "Oil paint, never water": it is against the second only.
    let asked_for = rule.split([',', ';']).filter(|part| !is_against(part));
    let shares =
        asked_for.map(|part| Words::of(part).telling).filter(|telling| !telling.is_empty()).map(|telling| {
            let went: BTreeSet<String> =
                gone.iter().map(stem).filter(|word| telling.contains(word)).collect();
            went.len() as f32 / telling.len() as f32
        });
    shares.fold(0.0, f32::max)
}

/// Whether words tell that something changes, or holds from now on, always or everywhere: what ends a rule of another day says so in
/// some way, and other words only touch it.
pub fn tells_of_change(text: &str) -> bool {
    tells_of_a_turn(text) || cues::present(text, cues::language_of(text)).has_any(&["always", "here"])
}

/// The same of words that are a rule by themselves: that they always hold is said of nearly every rule.
pub fn tells_of_a_turn(text: &str) -> bool {
    let cues = cues::present(&without_amounts(text), cues::language_of(text));
    let withdraws = cues.has("withdraw") && !cues.has("remember");
    withdraws || cues.has_any(&["turn", "from_now"]) || FOR_ALL.is_match(text)
}

/// "150 across the board", "in every hall, end of story", "new ones as well".
static FOR_ALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:across the board|end of story|(?:everything|anything) new|(?:from )?this day (?:on|forward|onwards)|(?:the|this|our) (?:whole|entire) (?:app|project|repo|code ?base|site|game|book|team|shop)|(?:new|later|future) ones (?:as well|too|also)|for (?:everything|everybody|everyone|all of (?:them|it)|this and all)|no matter (?:who|what|which|where)|wherever (?:we|you|it)|whatever comes(?: in| next| after| later)?|(?:every|all|each) (?:[\w-]+ )?we (?:have|make|write|build)|what (?:we|you|i) [\w ]{2,20} in (?:the )?future|whatever (?:[\w-]+ )?(?:we|you) (?:do|need|make|write|add|build))\b",
    )
});

/// Whether English words hint at a change without telling of it: "that's the convention now", "the team voted".
pub fn hints_at_change(text: &str) -> bool {
    const HINTS: [&str; 12] = [
        "now",
        "since",
        "voted",
        "agreed",
        "decided",
        "rather",
        "finally",
        "yesterday",
        "lately",
        "meanwhile",
        "raised",
        "moved",
    ];
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // "Now the footer" goes on with the work.
    words.next();
    words.any(|word| HINTS.contains(&word))
}

/// The words of a message up to a clause's end, from the last full stop before the clause.
fn sentence_of<'t>(clause: &'t str, said: &'t str) -> &'t str {
    let Some(at) = said.find(clause) else { return clause };
    let start = said[..at].rfind(['.', '!', '?', '\n', '。']).map_or(0, |stop| stop + 1);
    said.get(start..at + clause.len()).unwrap_or(clause)
}

/// The sentence of a message that a clause stands in.
fn sentence_with<'t>(clause: &'t str, said: &'t str) -> &'t str {
    let begun = sentence_of(clause, said);
    let Some(at) = said.find(begun) else { return begun };
    let end = said[at + begun.len()..]
        .find(['.', '!', '?', '\n', '。'])
        .map_or(said.len(), |end| at + begun.len() + end);
    &said[at..end]
}

/// "No need for a plan, just fix it": said of the work of now.
fn is_just_done(sentence: &str) -> bool {
    // Asked of every pair: most sentences hold neither.
    if !sentence.contains("ust ") && !sentence.contains("for me") {
        return false;
    }
    static JUST: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\bjust (?:fix|do|change|push|merge|send|ship|correct|go) (?:it|that|this|them)\b|\b(?:this|that) (?:one|once) (?:[\w-]+ )?for me\b",
        )
    });
    JUST.is_match(sentence) && !cues::present(sentence, cues::language_of(sentence)).has("from_now")
}

/// "In my other repository …": what holds there ends nothing here.
pub(super) fn is_elsewhere(text: &str) -> bool {
    const OTHER: [&str; 4] = ["other ", "another ", "different ", "side "];
    const PLACES: [&str; 5] = ["repo", "project", "codebase", "code base", "app"];
    let lower = text.to_lowercase();
    OTHER.iter().any(|other| {
        lower.match_indices(other).any(|(at, _)| {
            let place = &lower[at + other.len()..];
            PLACES.iter().any(|known| place.starts_with(known)) && lower[..at].split_whitespace().count() <= 6
        })
    })
}

/// "So that there aren't any more cycles" tells how many, and not that something ended: without such words.
fn without_amounts(text: &str) -> String {
    const ANY_MORE: &str = "any more ";
    const GOES_ON: [&str; 9] = ["and", "but", "so", "in", "for", "since", "because", "please", "than"];
    let mut parts = text.split(ANY_MORE);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for rest in parts {
        let next = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if next.is_empty() || GOES_ON.contains(&next) {
            kept.push_str(ANY_MORE);
        }
        kept.push_str(rest);
    }
    kept
}

/// Whether a rule is against something.
pub fn is_against(rule: &str) -> bool {
    cues::present(rule, cues::language_of(rule)).has("forbid")
}

/// The words of a text that tell what it is about, by their first letters.
pub(super) fn telling(text: &str) -> Vec<String> {
    Words::of(text).telling.into_iter().collect()
}

/// How many things two lessons both name, in their own words.
pub fn shared_things(one: &str, other: &str) -> usize {
    Words::of(one).telling.intersection(&Words::of(other).telling).count()
}

/// Whether a clause surely ends some rule, whichever that is: it speaks of a change, or allows something for good.
pub fn ends_some(clause: &str, changes: f32) -> bool {
    changes >= SURELY && !cues::present(clause, cues::language_of(clause)).has("momentary")
}

/// Whether a clause allows for good what a rule forbids or wants to be asked about, as far as cues tell.
pub fn allows_for_good(clause: &str, rule: &str) -> bool {
    let newer = cues::present(clause, cues::language_of(clause));
    let older = cues::present(rule, cues::language_of(rule));
    if newer.has("momentary") || has_folder(clause) {
        return false;
    }
    asks_no_more(clause) && older.has("ask_first")
        || gives_back(clause, rule)
        || newer.has("permission")
            && newer.has("from_now")
            && (!newer.has("forbid")
                || newer.has("ask_first")
                || clause.to_lowercase().contains("without asking"))
            && older.has_any(&["forbid", "ask_first"])
            && !older.has("permission")
}

/// "You can stop checking with me about those", "no need to ask me about it any more".
static STOP_ASKING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:stop|quit|no need to(?: keep)?|needn['’]?t|(?:don['’]?t|do not|no longer) (?:need|have) to(?: keep)?) (?:(?:ask|asking|check|checking|come|coming|run|running|clear|clearing)\b(?: (?:it|that|this|them|those|everything|back))?(?: (?:with|to|by|past))? me\b|(?:ask|knock|knocking|asking)(?: (?:first|any ?more|any longer|for that|about (?:it|that|this|them|those)))?(?:[.,;!]|$)|show me\b|wait for my\b|get my (?:ok|okay|approval|sign-?off)\b)|\bforget (?:that )?i (?:ever )?wanted to be asked\b|\b(?:ya )?no (?:hace falta|es necesario|tienes|necesitas) (?:que )?(?:me )?(?:más )?(?:que )?(?:me )?(?:pregunt|consult|avis|pid|ped)\w*|\bnão precisa(?:s|m)? (?:mais )?(?:me )?(?:pedir|perguntar|consultar|avisar)\b|\b(?:plus|pas) (?:besoin|la peine) de (?:me |m['’])?(?:demander|consulter|prévenir)\b|\b(?:musst|brauchst) (?:du )?(?:mich )?(?:dafür |da |künftig |jetzt )?(?:nicht mehr|nicht länger|nicht) (?:mehr )?(?:zu |nach)?(?:fragen|nachfragen|nachzufragen|rückzufragen)\b|\bfrag mich (?:da |dafür )?nicht mehr\b|не (?:надо|нужно) (?:меня )?(?:больше )?спрашивать|больше не спрашивай|можно (?:больше )?не спрашивать|不用再?(?:问|請示|请示|确认)|不必再?(?:问|请示|确认)|别再问|(?:もう)?(?:聞かなくて|確認しなくて)(?:も)?(?:いい|大丈夫)|確認は?不要|안 물어봐도|묻지 않아도|물어보지 않아도",
    )
});

/// "See each plan before it is drawn", "nothing goes out without my word".
static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:before|first|ok|okay|approval|approve|permission|sign(?:ed)? off|see|show|ask|check|tell|confirm|my)\b",
    )
});

/// "Don't ever stop asking me", "why did you stop asking me".
static STILL_ASKING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:don['’]?t|do not|never|did you|why)\b[^,.;]{0,20}\b(?:stop|quit)\b"));

/// Whether a clause sets a number in the place of another, whichever.
pub fn sets_a_number(clause: &str) -> bool {
    quantity::sets_another(clause)
}

/// Whether a rule has a number that a clause which sets one may be meant for.
pub fn may_count_the_same(clause: &str, rule: &str) -> bool {
    quantity::has_number(rule) && (counts_the_same(clause, rule) || counts_other(clause, rule))
}

/// Whether a clause says that the person need not be asked any more, and not that they still want to be.
pub fn asks_no_more(clause: &str) -> bool {
    STOP_ASKING.is_match(clause) && !STILL_ASKING.is_match(clause)
}

/// Whether a rule wants the person to be asked or shown something first.
pub fn wants_to_be_asked(rule: &str) -> bool {
    cues::present(rule, cues::language_of(rule)).has("ask_first") || ASKS.is_match(rule)
}

/// The numbers that are weighed.
#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
pub fn features(pair: &Pair<'_>) -> Features {
    let mut features = Features::default();
    let (newer, older, said) = (Words::of(pair.clause), Words::of(pair.older), Words::of(pair.said));
    let language = cues::language_of(pair.said);
    let shared = newer.telling.intersection(&older.telling).count();
    let around = said.telling.intersection(&older.telling).count();
    let share = |of: usize, all: usize| if all == 0 { 0.0 } else { of as f32 / all as f32 };
    let changes = log_odds(pair.changes);
    features.put("changes", changes);
    features.put("closeness", pair.closeness);
    features.put("closeness.high", (pair.closeness - 0.5).max(0.0));
    features.put("shared.one", f32::from(u8::from(shared > 0)));
    features.put("shared.two", f32::from(u8::from(shared > 1)));
    features.put("shared.older", share(shared, older.telling.len()));
    features.put("shared.newer", share(shared, newer.telling.len()));
    features.put("around.one", f32::from(u8::from(around > 0)));
    features.put("around.older", share(around, older.telling.len()));
    let both = !newer.numbers.is_empty() && !older.numbers.is_empty();
    let other_number = both && newer.numbers.is_disjoint(&older.numbers);
    features.flag("number.other", other_number);
    features.flag("number.same", both && !other_number);
    features.put("number.close", f32::from(u8::from(other_number)) * pair.closeness);
    features.flag("opposed", pair.opposed);
    features.put("rivalry", pair.rivalry);
    features.put("rivalry.high", (pair.rivalry - 0.5).max(0.0));
    features.put("rivalry.close", pair.rivalry * pair.closeness);
    let here = cues::present(pair.clause, language);
    for (name, family) in CUES {
        features.flag(name, here.has(family));
    }
    let around = cues::present(pair.said, language);
    features.flag("said.turn", around.has("turn"));
    features.flag("said.momentary", around.has("momentary"));
    features.flag("asks", pair.clause.trim_end().ends_with(['?', '？']));
    features.flag("folder", has_folder(pair.clause) && !has_folder(pair.older));
    features.put("words", (pair.clause.split_whitespace().count().max(1) as f32).ln());
    // How close two texts are is known of English best.
    features.flag("foreign", language != 0);
    features.put("foreign.shared", f32::from(u8::from(language != 0)) * share(shared, older.telling.len()));
    features.put("changes.shared", changes.max(0.0) * share(shared, older.telling.len()));
    features.put("changes.close", changes.max(0.0) * pair.closeness);
    features
}

/// "Reviews only for what lies under lib/engine": what is left of a rule, and no exception to it; "only there" is one.
fn keeps_only(text: &str) -> bool {
    const ONLY: [&str; 7] = ["only", "just", "nur", "solo", "seulement", "somente", "только"];
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '/')).filter(|word| !word.is_empty()).collect();
    let only = words.iter().position(|word| ONLY.contains(word));
    let path = words.iter().position(|word| word.contains('/'));
    matches!((only, path), (Some(only), Some(path)) if only < path && path - only <= 5)
        && !cues::present(text, cues::language_of(text)).has_any(&["permission", "momentary"])
}

/// Whether words name a folder or a file of one; "read/write" and "and/or" are two words.
fn has_folder(text: &str) -> bool {
    const BEFORE: [&str; 22] = [
        "in", "under", "inside", "within", "below", "for", "to", "into", "from", "im", "unter", "für",
        "dans", "sous", "pour", "en", "bajo", "para", "em", "в", "для", "folder",
    ];
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let plain = word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '~')));
        let Some((first, last)) = plain.split_once('/') else { return false };
        let is_path = plain.starts_with(['/', '.', '~']) || last.is_empty() || last.contains(['/', '.']);
        let placed = at > 0 && BEFORE.contains(&words[at - 1].to_lowercase().as_str());
        plain.chars().any(char::is_alphabetic) && !first.contains('@') && (is_path || placed)
    })
}

/// Beyond four to one hundred and fifty either way a clause model only repeats itself.
fn log_odds(likely: f32) -> f32 {
    (likely / (1.0 - likely).max(f32::EPSILON)).max(f32::EPSILON).ln().clamp(-5.0, 5.0)
}

/// The words of a rule that tell what it is about, and its numbers.
#[derive(Default)]
struct Words {
    telling: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Self::default();
        let lower = text.to_lowercase();
        for word in lower
            .replace("pull request", "pr")
            .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
            .filter(|word| !word.is_empty())
        {
            let plain: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
            if ["pr", "prs"].contains(&word) {
                // As a pull request is called, too.
                words.telling.insert("pull".to_owned());
            } else if word.starts_with(|c: char| c.is_ascii_digit()) {
                words.numbers.insert(plain);
            } else if word.chars().any(is_unspaced) {
                let letters: Vec<char> = word.chars().collect();
                words.telling.extend(letters.windows(2).map(|two| two.iter().collect()));
            } else if plain.chars().count() > 2 && !cues::is_common(&plain) && !is_said_of_any(&plain) {
                words.telling.insert(plain.chars().take(STEM).collect());
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(older: &str, said: &str, closeness: f32, expected: Option<Turn>) {
        assert_eq!(turn(&Rules { newer: said, said, older, closeness, opposed: false }), expected);
    }

    #[test]
    fn what_went_is_asked_for_by_the_part_that_is_not_against_it() {
        let gone = ["plane", "oak", "drawer"].map(str::to_owned);
        assert!(share_that_went("plane the oak, never the pine", &gone) > 0.9);
        assert!(share_that_went("sand the pine, never plane the oak", &gone) < 0.1);
        let some = share_that_went("store every brush, chisel and lamp beside the drawer", &gone);
        assert!(some > 0.0 && some <= 0.5, "{some}");
    }

    #[test]
    fn another_number_for_the_same_ends_the_first() {
        check("Retries: at most 3 per request", "make that 5 retries per request", 0.6, Some(Turn::Number));
        check("请求超时设成 8 秒", "请求超时改成 20 秒", 0.0, Some(Turn::Number));
        check("Lines of at most 90 characters", "at most 3 arguments for a function", 0.3, None);
    }

    #[test]
    fn words_of_a_change_about_the_same_end_it() {
        let older = "Write the changelog by hand with every release";
        check(older, "we no longer write the changelog by hand, towncrier does", 0.5, Some(Turn::Change));
        check(older, "the changelog has a section for every release", 0.6, None);
        check(
            "Immer Tabs zum Einrücken",
            "zum Einrücken jetzt doch keine Tabs, vier Leerzeichen",
            0.0,
            Some(Turn::Change),
        );
    }

    #[test]
    fn thing_with_the_same_name_ends_nothing() {
        let older = "Seal every parcel with the green tape";
        check(older, "the tape on the desk isn't there any more", 0.5, None);
        check(older, "we no longer use the green tape for parcels", 0.5, Some(Turn::Change));
        assert!(is_a_thing("that tape isn't needed any longer", "tape", &Words::of(older)));
        assert!(!is_a_thing("tape has had its day", "tape", &Words::of(older)));
    }

    #[test]
    fn two_words_with_a_stroke_are_no_folder() {
        assert!(has_folder("only under lib/engine") && has_folder("see ./docs") && has_folder("in plugins/"));
        assert!(is_elsewhere("in my other repo, the crates one") && !is_elsewhere("the other crates"));
        assert!(!has_folder("the read/write flags are enough") && !has_folder("yes and/or no"));
    }

    #[test]
    fn what_is_left_of_a_rule_is_no_exception() {
        assert!(keeps_only("reviews are only for what lies under lib/engine"));
        assert!(!keeps_only("in vendor/ warnings may stay, only there"));
    }

    #[test]
    fn permission_for_good_answers_a_ban() {
        assert!(allows_for_good(
            "you may put stickers on them from now on",
            "Never put stickers on the crates"
        ));
        assert!(!allows_for_good("stickers are fine today", "Never put stickers on the crates"));
        assert!(!allows_for_good("stickers are fine from now on", "Sort the crates by size"));
    }

    #[test]
    fn how_many_there_are_ends_nothing() {
        assert!(tells_of_change("nobody packs these by hand any more"));
        assert!(!tells_of_change("so that there aren't any more gaps between the crates"));
        assert!(!tells_of_change("don't forget to weigh the crates"));
        assert!(
            hints_at_change("crates are weighed on the new scale now") && !hints_at_change("now the lids")
        );
    }

    #[test]
    fn an_exception_ends_nothing() {
        check(
            "No raw SQL, go through the ORM",
            "in scripts/import.py raw SQL is fine for the ORM tables",
            0.6,
            None,
        );
        check("Always squash when you merge", "merge without squash this time instead", 0.6, None);
    }
}
