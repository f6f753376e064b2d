//! What a note is called: one sentence that can be followed without the session.
//!
//! A spoken sentence often leans on the ones around it ("that goes for all of them"). It is joined with the one it leans on,
//! else it is said what the agent had been saying or doing.

use afterword_transcript::event::ToolCall;

use super::choice;
use super::clause::narrows;
use super::guidance::{alone_does, guidance};
use super::language::{Language, normalise};
use super::moment::Moment;
use super::phrase::{capitalise, flat, instruction, postponed, title};
use super::topic::Topic;
use super::words::{file_name, head, sentences};

/// Longest sentence that another is joined to, in bytes.
const JOINED: usize = 110;
/// Longest part of a title that says what it is about, in bytes.
const ABOUT: usize = 80;
/// From so many words of substance on a sentence says enough to be recognised.
const SAYS_ITSELF: usize = 4;
/// Longest sentence of the agent that a title quotes as what was agreed to, in bytes.
const AGREED: usize = 160;

/// The title of a wish, a correction or a decision.
pub fn of_wish(moment: &Moment, language: &Language) -> String {
    if let Some(decision) = choice::decision(moment) {
        return title(&decision);
    }
    let sentence = telling_sentence(&moment.own, language);
    let heading =
        decided(&moment.own, sentence).unwrap_or_else(|| joined(&moment.own, sentence, instruction));
    let heading = narrowed(&moment.own, sentence, &heading).unwrap_or(heading);
    with_subject(&heading, moment)
}

/// The title of an idea.
pub fn of_idea(moment: &Moment, language: &Language) -> String {
    let sentence = sentences(&moment.own)
        .into_iter()
        .max_by_key(|sentence| put_off_score(sentence, language))
        .unwrap_or(moment.own.as_str());
    with_subject(&joined(&moment.own, sentence, |sentence| postponed(&instruction(sentence))), moment)
}

/// Words that only agree, with what they agree to, quoted as the agent's.
pub fn of_agreement(words: &str, moment: &Moment) -> String {
    let said = moment.before.as_ref().map(|said| said.text.as_str()).unwrap_or_default();
    let says = |sentence: &String| {
        Topic::of(sentence).len() >= 3
            && sentence.len() <= AGREED
            && !sentence.starts_with(['/', '|', '{', '}', '<'])
    };
    let point = sentences(said).into_iter().rev().map(flat).find(says);
    let title = title(&instruction(words));
    match point {
        Some(point) => format!("{title} (on “{}”)", point.trim_end_matches(['.', ':'])),
        None => title,
    }
}

/// Whether words wish for something without saying for what: "leave it, just remember".
pub fn without_object(words: &str) -> bool {
    const BARE: [&str; 38] = [
        "leave",
        "thats",
        "nice",
        "great",
        "thank",
        "perfect",
        "possible",
        "possibl",
        "exactly",
        "keep",
        "remember",
        "note",
        "wait",
        "stop",
        "fine",
        "good",
        "use",
        "try",
        "change",
        "chang",
        "wrong",
        "new",
        "need",
        "wanted",
        "prefer",
        "forget",
        "skip",
        "only",
        "ever",
        "always",
        "never",
        "thing",
        "someth",
        "something",
        "future",
        "didnt",
        "adhere",
        "reflect",
    ];
    Topic::of(words).words().all(|word| BARE.contains(&word))
}

/// "This should stay, only the flag installs the wrapper": a beginning that points back is left out where what follows it says enough.
fn without_pointer(heading: &str) -> Option<String> {
    const GOES_ON: [&str; 20] = [
        "it",
        "this",
        "that",
        "they",
        "these",
        "those",
        "its",
        "thats",
        "and",
        "or",
        "but",
        "so",
        "since",
        "because",
        "as",
        "which",
        "otherwise",
        "like",
        "right",
        "not",
    ];
    const SAYS_ENOUGH: usize = 5;
    if !points_back(heading) {
        return None;
    }
    let (_, rest) = heading.split_once(", ").filter(|(pointer, _)| Topic::of(pointer).len() <= 1)?;
    let first = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let first = first.trim_end_matches("'s");
    (!GOES_ON.contains(&first) && Topic::of(rest).len() >= SAYS_ENOUGH).then(|| instruction(rest))
}

fn with_subject(heading: &str, moment: &Moment) -> String {
    let shorter = without_pointer(heading);
    let heading = shorter.as_deref().unwrap_or(heading);
    if !leans_on_context(heading) {
        return title(heading);
    }
    match about(heading, moment) {
        Some(about) => format!("{} ({about})", title(heading)),
        None => title(heading),
    }
}

/// A heading with the short sentence after it that narrows it: "never run the whole suite. only the module you touched".
fn narrowed(own: &str, sentence: &str, heading: &str) -> Option<String> {
    let all = sentences(own);
    let next = *all.get(all.iter().position(|known| *known == sentence)? + 1)?;
    narrows(next).then(|| format!("{}. {}", heading.trim_end_matches(['.', '!']), capitalise(&flat(next))))
}

/// A question the person answers at once: "maven or gradle? let's go with gradle".
fn decided(own: &str, sentence: &str) -> Option<String> {
    let all = sentences(own);
    let at = all.iter().position(|known| *known == sentence)?;
    let (question, answer) = if sentence.ends_with('?') { (at, at + 1) } else { (at.checked_sub(1)?, at) };
    let (question, answer) = (*all.get(question)?, *all.get(answer)?);
    let lower = normalise(answer);
    let decides = ["let's", "lets", "go with", "use ", "i'd", "keep ", "yes", "i think", "we'll", "take "];
    let short = question.len() + answer.len() <= JOINED && question.ends_with('?') && !answer.ends_with('?');
    (short && Topic::of(question).len() >= 2 && decides.iter().any(|word| lower.starts_with(word)))
        .then(|| format!("{} → {}", instruction(question), lower_first(&instruction(answer))))
}

/// A sentence as an instruction, with its neighbour where it leans on one.
fn joined(own: &str, sentence: &str, worded: impl Fn(&str) -> String) -> String {
    let heading = worded(sentence);
    if !leans_on_context(&heading) {
        return heading;
    }
    let all = sentences(own);
    let Some(at) = all.iter().position(|known| *known == sentence) else { return heading };
    let usable = |neighbour: &&&str| {
        neighbour.len() <= JOINED
            && !neighbour.ends_with(['?', ':'])
            && !neighbour.starts_with(['>', '|', '`', '"', '-', '#'])
            && !without_object(neighbour)
    };
    let before = at.checked_sub(1).and_then(|before| all.get(before)).filter(usable);
    if let Some(before) = before {
        return format!("{}. {heading}", instruction(before).trim_end_matches(['.', '!']));
    }
    let after = all.get(at + 1).filter(usable).filter(|_| !points_back(&heading));
    after.map_or_else(|| heading.clone(), |after| format!("{heading}. {}", instruction(after)))
}

/// Whether a heading begins with a word that stands for something said before.
pub fn points_back(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or_default();
    matches!(
        first.trim_end_matches("'s").trim_end_matches(','),
        "it" | "that"
            | "this"
            | "those"
            | "these"
            | "they"
            | "both"
            | "isn't"
            | "why"
            | "thats"
            | "its"
            | "here"
            | "same"
            | "is"
    )
}

/// Whether a heading cannot be followed alone: very short, or all pronouns.
pub fn leans_on_context(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let ends = [" it", " that", " this", " them", " those"].iter().any(|word| lower.ends_with(word));
    points_back(heading) || ends || Topic::of(heading).len() < SAYS_ITSELF
}

/// What a moment is about: the call it refused, or what the agent had just said where the heading points back to it.
fn about(heading: &str, moment: &Moment) -> Option<String> {
    if let Some(call) = &moment.rejected {
        return Some(format!("on refusing {}", refused(call)));
    }
    let said = moment.before.as_ref().map(|said| said.text.as_str()).unwrap_or_default();
    if points_back(heading)
        && Topic::of(heading).len() < SAYS_ITSELF
        && let Some(point) = sentences(said).into_iter().rev().map(flat).find(|point| {
            Topic::of(point).len() >= 2
                && !point.ends_with('?')
                && !point.starts_with(['/', '|', '{', '}', '<'])
        })
        && point.len() <= ABOUT + 20
    {
        return Some(format!("on “{}”", point.trim_end_matches(['.', ':'])));
    }
    None
}

fn refused(call: &ToolCall) -> String {
    let summary = flat(&call.summary).replace('`', "'");
    let cut =
        |text: &str| if text.len() > ABOUT { format!("{} …", head(text, ABOUT)) } else { text.to_owned() };
    match call.name.as_str() {
        "Bash" => format!("`{}`", cut(&summary)),
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => {
            format!("a change of `{}`", cut(file_name(&summary)))
        }
        "ExitPlanMode" => "a plan".to_owned(),
        name => name.rsplit("__").next().unwrap_or(name).to_owned(),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// The sentence of a person's words that says most.
pub fn telling_sentence<'t>(text: &'t str, language: &Language) -> &'t str {
    sentences(text)
        .into_iter()
        .enumerate()
        .max_by_key(|(index, sentence)| {
            (telling_score(sentence, language) + guided(sentence), -i64::try_from(*index).unwrap_or(0))
        })
        .map_or(text, |(_, sentence)| sentence)
}

/// What the models of clauses say of a sentence, beside its score.
#[expect(clippy::cast_possible_truncation, reason = "a likelihood")]
fn guided(sentence: &str) -> i64 {
    const MOST: f32 = 4.0;
    let act = alone_does(sentence);
    let likely = if sentence.ends_with(['?', '？']) { 0.0 } else { act.rule.max(act.lasting) };
    ((likely + guidance(&instruction(sentence))) * MOST).round() as i64
}

fn telling_score(sentence: &str, language: &Language) -> i64 {
    let words = sentence.split_whitespace().count();
    let families = score(sentence, language, |name| match name {
        "rule_outright" => 3,
        "forbid" | "standing" => 6,
        "should_not" | "standing_here" | "instead" | "expected" => 5,
        "should" | "prefer" | "want" | "settle" | "lets" | "intentional" => 4,
        "wrong" | "reuse" | "too_much" | "place" | "scope" | "remember" | "already" => 3,
        "think" | "because" | "design" | "process" | "suggest" | "doubt" | "cause" => 2,
        "ask" | "report" | "failure" => -2,
        "praise" | "review_voice" => -3,
        _ => 0,
    });
    let length = match words {
        0..=2 => -8,
        3..=4 => -2,
        5..=32 => 2,
        _ => 0,
    };
    // "Got this feedback:" only announces a paste.
    families + length - 8 * i64::from(sentence.ends_with(':'))
}

fn put_off_score(sentence: &str, language: &Language) -> i64 {
    let families = score(sentence, language, |name| match name {
        "put_off" => 6,
        "tracker" | "later" => 3,
        "suggest" | "lets" | "want" | "should" | "think" => 2,
        _ => 0,
    });
    families - i64::from(sentence.split_whitespace().count() < 4) * 5
}

fn score(sentence: &str, language: &Language, worth: impl Fn(&str) -> i64) -> i64 {
    let present = language.person.present(&normalise(sentence));
    let there = language.person.names().zip(present).filter(|(_, there)| *there);
    there.map(|(name, _)| worth(name.trim_start_matches("person."))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_joined_with_the_one_it_leans_on() {
        let check = |own: &str, sentence: &str, expected: &str| {
            assert_eq!(joined(own, sentence, instruction), expected);
        };
        check(
            "of course, no function without a check. that goes for all of them",
            "that goes for all of them",
            "No function without a check. That goes for all of them",
        );
        check("no! one process. keep it boring", "keep it boring", "One process. Keep it boring");
        check(
            "hmm wait. hourly is silly for photos. nightly at 3",
            "hourly is silly for photos.",
            "Hourly is silly for photos. Nightly at 3",
        );
        check(
            "why? run the slow tests before every push.",
            "run the slow tests before every push.",
            "Run the slow tests before every push",
        );
    }

    #[test]
    fn a_question_answered_at_once_is_a_decision() {
        let own = "do we use maven or gradle for this? lets go with gradle";
        assert_eq!(
            decided(own, "lets go with gradle").unwrap(),
            "Do we use maven or gradle for this? → go with gradle"
        );
        assert_eq!(decided(own, "do we use maven or gradle for this?"), decided(own, "lets go with gradle"));
        assert_eq!(decided("is it slow? the tests fail", "the tests fail"), None);
    }

    #[test]
    fn a_wish_without_an_object_is_known() {
        assert!(without_object("leave it, just remember"));
        assert!(without_object("just need a new thing"));
        assert!(!without_object("leave the cache, just remember"));
    }
}
