//! Choices: what an agent offered, which of it a short answer picked, and the question it decided.

use std::sync::{LazyLock, OnceLock};

use afterword_transcript::event::Origin;
use regex::Regex;
use serde::Deserialize;

use super::clause::inline_items;
use super::cues;
use super::heading::leans_on_context;
use super::moment::Moment;
use super::phrase::{capitalise, flat, instruction};
use super::question::{is_about_the_talk, is_bare_yes, leaves_it_open};
use super::settled::{SAYS_ITSELF, settled};
use super::topic::Topic;
use super::words::{pattern, sentences, tail};

/// Longest question in a title, in bytes; of a longer one the last clause asks.
const QUESTION: usize = 100;
/// Longest option in a title, in bytes; a longer one loses its explanation.
const OPTION: usize = 60;

/// What an answer picked, with the question it decides: `"Where do the keys go? → A file for each"`.
pub fn of(moment: &Moment) -> Option<String> {
    let (question, answer) = parts_of_pick(moment)?;
    // "The old lists go stale": what led up to the choice asks nothing.
    let says_itself = answer.split_whitespace().count() >= SAYS_ITSELF && !leans_on_context(&answer);
    if !question.contains(['?', '？']) && says_itself {
        return Some(instruction(&answer));
    }
    Some(settled(&question, &answer, false))
}

fn parts_of_pick(moment: &Moment) -> Option<(String, String)> {
    let answer = answer(moment)?;
    // "1. Replace the old one? 2. …": what was answered is the question itself.
    if answer.contains("? (") || answer.ends_with('?') {
        let (asked, rest) = answer.split_once('?')?;
        let rest = rest.trim().trim_start_matches('(').trim_end_matches(')');
        let said = if agrees_first(rest) { "yes" } else { rest };
        return (!rest.is_empty()).then(|| (format!("{asked}?"), said.to_owned()));
    }
    Some((question(&moment.before.as_ref()?.text)?, answer))
}

/// "Yes", "yes, and the same for staging", and not "yes, but …".
fn agrees_first(answer: &str) -> bool {
    const TURNS: [&str; 8] = ["but", "if", "only", "not", "except", "unless", "though", "however"];
    let (first, more) = answer.split_once([',', '.', '!', ';']).unwrap_or((answer, ""));
    let next = more.split_whitespace().next().unwrap_or_default().to_lowercase();
    is_bare_yes(first) && !TURNS.contains(&next.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// What an answer picked, with what was said of it: `"A file for each (always)"`.
pub fn answer(moment: &Moment) -> Option<String> {
    let (option, rest) = pick_of(moment)?;
    let rest = flat(sentences(&rest).first().copied().unwrap_or_default());
    let rest = rest.trim_start_matches(['-', '–', '—', ' ']).trim_end_matches('.');
    let adds = || !says_only_when(rest, language(moment));
    let addition = (3..14).contains(&rest.split_whitespace().count()) && !rest.contains('(') && adds();
    // "b, green lids, from now on": the option in the person's own words.
    if addition && rest.to_lowercase().starts_with(&option.to_lowercase()) {
        return Some(rest.to_owned());
    }
    let addition = if addition { format!(" ({rest})") } else { String::new() };
    Some(format!("{option}{addition}"))
}

/// The language an answer is in; a label and two words are too little to tell it by.
fn language(moment: &Moment) -> usize {
    let before = moment.before.as_ref().map_or("", |said| tail(&said.text, ASKED));
    cues::language_of(&format!("{before} {}", moment.own))
}

/// "From now on, please": when something holds, and nothing of what.
fn says_only_when(words: &str, language: usize) -> bool {
    !cues::matter(words, language)
        .iter()
        .any(|word| word.chars().any(char::is_alphanumeric) && word != "0" && !cues::is_common(word))
}

/// The option that an answer picked, in the words it was offered in.
pub fn picked_option(moment: &Moment) -> Option<String> {
    Some(pick_of(moment)?.0)
}

/// The option an answer picked, without its explanation, and the words after its label.
fn pick_of(moment: &Moment) -> Option<(String, String)> {
    let before = &moment.before.as_ref()?.text;
    if matches!(moment.utterance.origin, Origin::Answer { .. }) || !asks(before) {
        return None;
    }
    let offered = options(before);
    let (label, rest) = pick(&moment.own, &offered)?;
    if rules_out(&rest) {
        return None;
    }
    // "B seems best because …" argues for an option, it is not one.
    let argues = |words: &str| {
        ["seems", "is ", "does", "looks", "would", "was ", "has "].iter().any(|verb| words.starts_with(verb))
    };
    let (_, option) = offered.into_iter().rev().find(|(known, words)| *known == label && !argues(words))?;
    Some((shortened(&option), rest))
}

/// "Option 1 doesn't work, the hash can change": the option is named to be ruled out.
fn rules_out(rest: &str) -> bool {
    static OUT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^\W*(?:is |was |would be |sounds |seems |looks )?(?:(?:doesn['’]?t|does not|won['’]?t|will not|wouldn['’]?t|can['’]?t|cannot) (?:work|do|scale|fit|help|cut it)\b|(?:isn['’]?t|is not|not) (?:an option|possible|good)\b|no good|wrong\b|out\b|too (?:much|risky|complex|slow)|geht nicht|funktioniert nicht|no funciona|ne marche pas|não funciona|не работает|不行|だめ|안 돼)",
        )
    });
    OUT.is_match(rest)
}

/// What an answer decided, in whichever way it was asked; with its question where that says what it is about.
pub fn decision(moment: &Moment) -> Option<String> {
    match &moment.utterance.origin {
        Origin::Answer { question, free_text, .. } => {
            Some(settled(question, &flat(&once(&moment.utterance.text)), *free_text))
        }
        _ => of(moment).or_else(|| answer(moment)),
    }
}

/// Whether what was asked and answered decides nothing: how the talk goes on, or that somebody else may choose.
pub(super) fn decides_nothing(moment: &Moment) -> bool {
    match &moment.utterance.origin {
        Origin::Answer { question, .. } => {
            is_about_the_talk(&flat(question)) || leaves_it_open(&moment.utterance.text)
        }
        _ => parts_of_pick(moment)
            .is_some_and(|(question, answer)| is_about_the_talk(&question) || leaves_it_open(&answer)),
    }
}

/// Lines that are there once each: a paste may be doubled.
fn once(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.dedup();
    lines.join("\n")
}

/// The longest answer, in bytes, of which every word is about what was asked.
const LONGEST_ANSWER: usize = 300;
/// As much of what the agent asked, in bytes from its end, tells its language.
const ASKED: usize = 400;

/// "…, and make that the default", "…, keep it that way for whatever comes next": what was picked is meant for the rest as well.
fn for_the_rest(said: &str) -> bool {
    static REST: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:for|in|with|on) (?:all|every|each|any)(?: of)?(?: the| our)? (?:new|later|future|other|coming)\b|\bwhatever (?:[\w-]+ ){0,2}comes\b|\b(?:be|make (?:that|it|this|\w+)) (?:the|our) (?:default|standard|rule)\b|\b(?:keep|leave) it (?:that way|like that)\b|\b(?:we have|we've got) or (?:will|may) have\b",
        )
    });
    REST.is_match(said)
}

/// Whether an answer decides for good: question or answer say so ("which library from now on?", "the second, for good"), or what is
/// settled is how much or how many of something.
pub fn decides_for_good(moment: &Moment) -> bool {
    let own = Some(moment.own.as_str()).filter(|own| own.len() <= LONGEST_ANSWER);
    let is_asked = matches!(moment.utterance.origin, Origin::Answer { .. });
    decision(moment).is_some_and(|decision| {
        let said = match &moment.utterance.origin {
            // The label of an option is the agent's wording: that something holds from now on is not taken from there.
            Origin::Answer { question, free_text: false, .. } => question.clone(),
            _ => format!("{decision} {}", own.unwrap_or_default()),
        };
        let cues = cues::present(&said, cues::language_of(&said));
        let for_good =
            cues.has_any(&["from_now", "always"]) || for_the_rest(&said) || is_asked && has_amount(&decision);
        for_good && !cues.is_for_now()
    })
}

/// Whether an option was picked for good by what the person typed beside its label: "B, from now on", "the second, that's our format for
/// every page then".
pub fn picks_for_good(moment: &Moment) -> bool {
    static MADE_OURS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:that['’]?s|that is|this is|that['’]?ll be|make (?:that|it|this)) (?:our|my|the) (?:[\w-]+ ){1,3}(?:for|in|on|across) (?:all|every|each|any|everything|the whole)\b|\b(?:that|this|it|same) (?:goes|holds|applies|counts) for (?:all|every|each|any|everything)\b",
        )
    });
    if moment.own.len() > LONGEST_ANSWER || picked_option(moment).is_none() {
        return false;
    }
    let cues = cues::present(&moment.own, language(moment));
    (cues.has_any(&["from_now", "always"]) || MADE_OURS.is_match(&moment.own)) && !cues.is_for_now()
}

/// "10 versions", "500 MiB"; "phase 2" and "option 1" are names.
fn has_amount(text: &str) -> bool {
    const NAMED: [&str; 8] = ["phase", "option", "step", "part", "issue", "line", "version", "task"];
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    words.windows(2).enumerate().any(|(at, pair)| {
        let number = pair[0].trim_matches(|c: char| !c.is_alphanumeric());
        let is_number = number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
        let unit = pair[1].starts_with(char::is_alphabetic);
        let is_name = at > 0 && NAMED.contains(&words[at - 1]);
        !number.is_empty() && is_number && unit && !is_name
    })
}

/// What was offered and not picked, without explanations.
pub fn refused(moment: &Moment) -> Vec<String> {
    let own = moment.own.to_lowercase();
    let offered: Vec<String> = match &moment.utterance.origin {
        Origin::Answer { options, .. } => options.iter().map(|(label, _)| flat(label)).collect(),
        _ => {
            let offered = options(moment.before.as_ref().map_or("", |before| before.text.as_str()));
            let Some((label, _)) = pick(&moment.own, &offered) else { return Vec::new() };
            let others = offered.into_iter().filter(|(other, _)| *other != label);
            others.map(|(_, words)| shortened(&words)).collect()
        }
    };
    offered.into_iter().filter(|option| !own.contains(&option.to_lowercase())).collect()
}

/// Whether an agent's words put something to the person: a list of steps is numbered, too.
fn asks(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.contains(['?', '？'])
        || ["option", "approach", "alternative", "prefer"].iter().any(|word| lower.contains(word))
}

/// The question an agent's options answer. One that does not say what it is about ("Which approach?") is given what led to
/// the options.
fn question(text: &str) -> Option<String> {
    let asked: Vec<String> =
        sentences(text).into_iter().rev().filter(|sentence| sentence.ends_with('?')).map(unlisted).collect();
    if let Some(question) = asked.iter().map(|question| asking(question)).find(|question| says_what(question))
    {
        return Some(capitalise(question));
    }
    let offers = |sentence: &String| {
        let lower = sentence.to_lowercase();
        ["option", "approach", "ways", "alternative", "choice"].iter().any(|word| lower.contains(word))
            || inline_items(sentence).len() > 1
    };
    let first = option_lines().find(text).map_or(text.len(), |found| found.start());
    let led = sentences(&text[..first]).into_iter().rev().map(flat);
    let Some(led) = led.into_iter().find(|sentence| says_what(sentence) && !offers(sentence)) else {
        // Better than nothing: "Which editor?".
        return asked.into_iter().find(|question| !Topic::of(question).is_empty() && !offers(question));
    };
    let led = led.trim_end_matches([':', '.']);
    Some(match asked.first().filter(|question| question.len() < QUESTION / 2) {
        Some(question) => format!("{question} ({led})"),
        None => led.to_owned(),
    })
}

/// A question without the options that are listed in it: "How do we weigh: 1) by hand, 2) by a crane?"
fn unlisted(question: &str) -> String {
    match inline_items(question).as_slice() {
        [(0, opening), _, ..] => {
            format!("{}?", flat(opening).trim_end_matches([':', ',', ' ', '–', '—', '-', '?']))
        }
        _ => flat(question),
    }
}

fn says_what(sentence: &str) -> bool {
    (12..QUESTION + 20).contains(&sentence.len()) && Topic::of(sentence).len() >= 2
}

/// The clause of a long question that asks.
fn asking(question: &str) -> &str {
    let last = question.rsplit_once(", ").map_or(question, |(_, last)| last);
    if question.len() > QUESTION && says_what(last) { last.trim_start_matches("or ") } else { question }
}

/// An option without its explanation.
fn shortened(option: &str) -> String {
    let option = option.replace("(Recommended)", "");
    let name = option.split(['|']).next().unwrap_or_default();
    let sentence = sentences(name).first().copied().unwrap_or(name);
    let sentence = sentence.trim().trim_end_matches([',', ';', ':', '.', ' ']);
    let sentence = sentence.strip_suffix(", or").unwrap_or(sentence);
    let explained = [" - ", " – ", " — "].iter().filter_map(|mark| sentence.find(mark)).min();
    match explained.filter(|at| sentence.len() > OPTION && *at > 3) {
        Some(at) => sentence[..at].trim().to_owned(),
        None => sentence.to_owned(),
    }
}

fn option_lines() -> &'static Regex {
    static OPTION: OnceLock<Regex> = OnceLock::new();
    OPTION.get_or_init(|| {
        pattern(r"(?im)^\s*\|?\s*(?:[-*]\s*)?\**\s*(?:#+\s*)?\(?(?:option\s+|approach\s+)?([a-e]|[1-9])\s*[.):\-—–]\**[):]?\s*\**\s*(\S.{2,400})$|^\s*(?:[-*#]+\s*)?\**(?:option|approach)\s+([a-e]|[1-9])\b[\s:.)*—–-]*(\S.{2,400})$")
    })
}

/// The options an agent offered in prose, by their label: `1`, `b`.
pub fn options(text: &str) -> Vec<(String, String)> {
    static NAMED: OnceLock<Regex> = OnceLock::new();
    // "1. **Option A: …**" is known by its letter.
    let named = NAMED.get_or_init(|| pattern(r"(?i)^(?:option|approach) ([a-e])\b[\s:.)—–-]*(\S.*)$"));
    let in_lines = option_lines().captures_iter(text);
    let found: Vec<(String, String)> = in_lines
        .filter_map(|found| {
            let label = found.get(1).or(found.get(3))?.as_str();
            let words = flat(found.get(2).or(found.get(4))?.as_str());
            Some(match named.captures(&words) {
                Some(named) => (named[1].to_lowercase(), named[2].to_owned()),
                None => (label.to_lowercase(), words),
            })
        })
        .collect();
    if found.is_empty() { options_of_a_sentence(text) } else { found }
}

/// "We could 1) wait, 2) ask the printer, 3) buy one."
fn options_of_a_sentence(text: &str) -> Vec<(String, String)> {
    let line = text.lines().find(|line| inline_items(line).len() > 2).unwrap_or_default();
    let labelled = |(at, item): (usize, &str)| {
        let mark = line[..at].trim_end().trim_end_matches(['.', ')', '）', '、']);
        let label = mark
            .chars()
            .next_back()
            .filter(|c| mark.len() < line[..at].trim_end().len() && c.is_ascii_alphanumeric())?;
        let sentence = item.split(". ").next().unwrap_or(item);
        // The mark of the question that goes through them is not the last one's.
        let words = sentence.trim().trim_end_matches([',', ';', '.', ' ', '?', '？']);
        let words = words.trim_end_matches(" or").trim_end_matches(',');
        Some((label.to_ascii_lowercase().to_string(), flat(words)))
    };
    inline_items(line).into_iter().filter_map(labelled).filter(|(_, words)| !words.is_empty()).collect()
}

/// The label of the option that an answer picks, and the words that follow: by its label, by its place ("the second one"), or by its words.
fn pick(answer: &str, offered: &[(String, String)]) -> Option<(String, String)> {
    picked(answer).or_else(|| by_place(answer, offered)).or_else(|| by_words(answer, offered))
}

/// Words for places in a list, in all languages (`languages/places.toml`).
#[derive(Deserialize)]
struct Places {
    first: Vec<String>,
    second: Vec<String>,
    third: Vec<String>,
    fourth: Vec<String>,
    last: Vec<String>,
}

impl Places {
    fn of_all_languages() -> &'static Self {
        static PLACES: LazyLock<Places> = LazyLock::new(|| {
            toml::from_str(include_str!("../../languages/places.toml"))
                .expect("a test reads the file that is compiled in")
        });
        &PLACES
    }

    fn counted(&self) -> [&Vec<String>; 4] {
        [&self.first, &self.second, &self.third, &self.fourth]
    }

    /// All of them, as alternatives of a pattern.
    fn pattern(&self) -> String {
        [self.counted().map(|words| words.join("|")).join("|"), self.last.join("|")].join("|")
    }

    /// The place that a word means, among so many.
    fn index(&self, word: &str, count: usize) -> Option<usize> {
        let is_among = |words: &Vec<String>| words.iter().any(|known| known == word);
        if is_among(&self.last) {
            count.checked_sub(1)
        } else {
            self.counted().into_iter().position(is_among)
        }
    }
}

/// "Second one, please", "the last option", "die zweite", "number three".
fn by_place(answer: &str, offered: &[(String, String)]) -> Option<(String, String)> {
    static PLACE: OnceLock<Regex> = OnceLock::new();
    let place = PLACE.get_or_init(|| {
        let places = Places::of_all_languages().pattern();
        pattern(&format!(
            r"(?i)^\W*(?:(?:i'?d (?:say|go with|take)|let'?s (?:do|go with|take)|go with|take|yeah|yes|ok(?:ay)?|hmm+|ja|lieber|sí|oui|sim|да)\W+)*(?:the\s+|number\s+|no\.?\s*|nr\.?\s*|#\s*|d(?:ie|as|er|en)\s+|l[ae]\s+|el\s+|[oa]\s+)?({places}|[5-9])(?:\s+(?:one|option|approach|alternative|variant|choice|variante|opción|opção))?(?:\s+(?:it is|please|pls))?(?:$|\s*[.,;:!—–，。、-]+\s*|\s+(?:for|in|from|everywhere|always|and)\b)(.*)$"
        ))
    });
    let line = flat(answer);
    let found = place.captures(&line)?;
    let at = Places::of_all_languages().index(&found[1].to_lowercase(), offered.len())?;
    // Options of several lists have their labels more than once.
    let labels: Vec<&String> = offered.iter().map(|(label, _)| label).collect();
    let is_one_list = labels.iter().enumerate().all(|(at, label)| !labels[..at].contains(label));
    let (label, _) = offered.get(at).filter(|_| is_one_list)?;
    Some((label.clone(), found[2].trim().to_owned()))
}

/// "Own components, always": an answer that begins with the words of an option.
fn by_words(answer: &str, offered: &[(String, String)]) -> Option<(String, String)> {
    let line = flat(answer).to_lowercase();
    let named = |words: &str| {
        let words = shortened(words).to_lowercase();
        let rest = line.strip_prefix(&words)?;
        let ends = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
        (words.chars().count() > 2 && ends).then(|| rest.trim_matches([',', '.', ' ', ';', '-']).to_owned())
    };
    let mut found = offered.iter().filter_map(|(label, words)| Some((label.clone(), named(words)?)));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The option a bare answer picks and the words that follow the label: `("b", "a file for each")`.
pub fn picked(answer: &str) -> Option<(String, String)> {
    static PICK: OnceLock<Regex> = OnceLock::new();
    let pick = PICK.get_or_init(|| {
        pattern(r"(?i)^\W*(?:(?:i think|i'?d (?:say|go with|do)|let'?s (?:do|go with|go)|go with|yeah|yes|ok(?:ay)?|definitely|probably|hmm+|ja|lieber|sí|oui|sim|да)\W+)*[选選]?(?:(?:option|opción|opção|approach|alternative|number|variante?)\s*)?([a-e]|[1-9])(?:\b|$)[\s.):,;，、。-]*(.*)$")
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
    fn amount_has_a_unit() {
        assert!(has_amount("How many copies are kept? → 12 copies") && has_amount("keep 2.5 GB at most"));
        assert!(!has_amount("Which phase is next? → phase 2 first") && !has_amount("the first, as in 3"));
    }

    #[test]
    fn options_and_picks_are_found() {
        let text = "Where do the keys go?\n\n**A)** One file for all\n**B)** A file for each key\n\nWhich?";
        let found = options(text);
        assert_eq!(found[1], ("b".to_owned(), "A file for each key".to_owned()));
        assert_eq!(picked("I think B, one each").unwrap().0, "b");
        assert_eq!(
            picked("2. but without the cache").unwrap(),
            ("2".to_owned(), "but without the cache".to_owned())
        );
        assert!(agrees_first("yes, and the same for the shed") && agrees_first("sure"));
        assert!(!agrees_first("yes, but not in the shed") && !agrees_first("definitely not the shed"));
        assert!(rules_out("doesn't work, the key can change") && rules_out("is too risky for me"));
        assert!(!rules_out("but without the cache") && !rules_out("is what we do from now on"));
        assert!(picked("a single line is enough").is_none());
        assert!(picked("do it").is_none());
        let offered = options("Where to?\n1. one box\n2. two boxes\n3. the shelf");
        let label = |answer: &str| pick(answer, &offered).map(|(label, _)| label);
        assert_eq!(label("second one, from now on").as_deref(), Some("2"));
        assert_eq!(label("the last. always").as_deref(), Some("3"));
        assert_eq!(label("number three please").as_deref(), Some("3"));
        assert_eq!(label("the shelf, always").as_deref(), Some("3"));
        let inline = options("We could 1) wait, 2) ask the printer (slow), or 3) buy one. What now?");
        assert_eq!(inline[1], ("2".to_owned(), "ask the printer (slow)".to_owned()));
        assert_eq!(inline[2], ("3".to_owned(), "buy one".to_owned()));
        assert_eq!(label("die zweite, ab sofort").as_deref(), Some("2"));
        assert_eq!(label("la segunda, siempre").as_deref(), Some("2"));
        assert_eq!(label("第二个，以后都这样").as_deref(), Some("2"));
        assert_eq!(label("选2，以后都这样").as_deref(), Some("2"));
        assert_eq!(label("a second look, please"), None);
        assert_eq!(label("second thoughts, leave it"), None);
        assert_eq!(label("one more thing"), None);
        assert_eq!(options("1. **Option B: Keep both**")[0], ("b".to_owned(), "Keep both".to_owned()));
    }

    #[test]
    fn a_question_says_what_it_is_about() {
        let text = "The plan is in `plans/cache.md`. Two ways to build it:\n\n1. Together\n2. One by one\n\nWhich approach?";
        assert_eq!(question(text).unwrap(), "Which approach? (The plan is in `plans/cache.md`)");
        assert_eq!(question("Where does the cache go?\n1. a\n2. b").unwrap(), "Where does the cache go?");
        assert!(question("1. a\n2. b").is_none());
        assert_eq!(question("Which shelf?\n1. a\n2. b").unwrap(), "Which shelf?");
    }

    #[test]
    fn an_option_loses_its_explanation() {
        assert_eq!(shortened("Silent fallback (Recommended) | Log the error. |"), "Silent fallback");
        assert_eq!(shortened("Return `email` from the endpoint, or"), "Return `email` from the endpoint");
    }

    #[test]
    fn steps_are_no_options() {
        assert!(!asks("Test it so:\n1. Start a session\n2. Commit"));
        assert!(asks("Which one?"));
    }
}
