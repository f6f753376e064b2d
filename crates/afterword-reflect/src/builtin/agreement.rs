//! Rules in the agent's words: what a person only agrees to ("yes, do it like that always") or picks.
//!
//! Whoever words what is agreed to words the rule. It may be asked about, and is never certain, unless the person's own words carry it,
//! or they chose it among others and said themselves that it is for good ("B, from now on").

use std::collections::BTreeMap;
use std::sync::LazyLock;

use afterword_transcript::event::Origin;
use regex::Regex;

use super::choice;
use super::cues;
use super::moment::Moment;
use super::ngrams::is_unspaced;
use super::topic::Topic;
use super::words::pattern;

/// Longer words say something of their own.
const LONGEST: usize = 160;
/// As much of an option has to stand in the person's own words as carries it.
const CARRIES: f32 = 0.5;
/// Letters of a script without blanks that say nothing beside an agreement: particles.
const PARTICLES: usize = 2;

/// The words, by language (`languages/agreement.toml`).
static WORDS: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../languages/agreement.toml"))
        .expect("a test reads the file that is compiled in")
});

/// The option a person picked by its label, its place or in a question's form, in the words it was offered in; none where their own
/// words say as much.
pub(super) fn borrowed(moment: &Moment) -> Option<String> {
    match &moment.utterance.origin {
        Origin::Answer { free_text: false, .. } => Some(moment.own.clone()),
        _ => choice::picked_option(moment).filter(|option| !carries(&moment.own, option)),
    }
}

/// Whether what a message says for good is in the agent's words alone.
pub(super) fn is_of_agent(moment: &Moment) -> bool {
    is_of_agent_with(borrowed(moment).as_deref(), moment)
}

/// The same of a message whose [`borrowed`] option is known.
pub(super) fn is_of_agent_with(borrowed: Option<&str>, moment: &Moment) -> bool {
    match borrowed {
        Some(_) => !choice::picks_for_good(moment),
        None => moment.rejected.is_none() && only_agrees(&moment.own),
    }
}

/// Whether words say that something holds for good or is forbidden.
pub(super) fn speaks_of_a_rule(words: &str) -> bool {
    let cues = cues::present(words, cues::language_of(words));
    cues.has_any(&["always", "from_now", "forbid"])
}

fn carries(own: &str, option: &str) -> bool {
    let (own, option) = (own.to_lowercase(), option.to_lowercase());
    own.contains(option.trim()) || Topic::of(&option).covered_by(&Topic::of(&own)) >= CARRIES
}

/// Whether words only agree or point back: nothing is left of them without when, where and how gladly. What is ruled out so was done
/// by the agent, and is the person's.
pub(super) fn only_agrees(words: &str) -> bool {
    let language = cues::language_of(words);
    if words.len() > LONGEST || cues::present(words, language).has("forbid") {
        return false;
    }
    // "-Os for everything", "BigInt only": a name says what is wanted.
    let is_name = |word: &str| {
        let mut rest = word.chars().skip(1);
        word.starts_with('-') && word.len() > 2 && rest.clone().all(|c| c.is_alphanumeric() || c == '-')
            || word.chars().any(char::is_lowercase) && rest.any(char::is_uppercase)
    };
    if words.split_whitespace().any(is_name) {
        return false;
    }
    let words = where_it_holds().replace_all(words, " ");
    let rest = cues::matter(&words, language);
    let known = &WORDS[cues::LANGUAGES[language]];
    let is_spoken = |word: &&String| word.chars().any(char::is_alphanumeric);
    if rest.iter().any(|word| word.contains(is_unspaced)) {
        let mut left: String = rest.iter().filter(is_spoken).map(String::as_str).collect();
        known.iter().for_each(|phrase| left = left.replace(phrase.as_str(), ""));
        return left.chars().count() <= PARTICLES;
    }
    let says_something = |word: &String| {
        word.chars().count() > 1 && word != "0" && !cues::is_common(word) && !known.contains(word)
    };
    !rest.iter().filter(is_spoken).any(says_something) && !rest.iter().any(|word| word == "`")
}

/// "in every package", "für alle Dienste": how far something goes.
fn where_it_holds() -> &'static Regex {
    static WHERE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:in|for|on|across|at|für|bei|auf|pour|dans|en|para|por|em|для|во?|на)\s+(?:all|every|each|any|alle[mnrs]?|jede[mnrs]?|tous|toutes|chaque|todos|todas|cada|всех|каждо\w+|любо\w+)(?:\s+(?:the|of|my|our|new|les|nos|mes|los|las|os|as|unsere[nr]?|meine[nr]?|neuen))*\s+\w+\s*(?:$|[.,;!])",
        )
    });
    &WHERE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_its_words() {
        for language in cues::LANGUAGES {
            assert!(WORDS[language].len() > 30, "{language}");
        }
    }

    #[test]
    fn words_that_only_agree_or_point_back() {
        for words in [
            "yes, do it like that from now on",
            "agreed, always",
            "Perfect, that's the rule from now on",
            "exactly like this, always do it this way in future please",
            "the second one, for good, in every package",
            "B, from now on",
            "2, always.",
            "sounds good, keep it that way for all new services",
            "ja, mach das ab jetzt immer so",
            "einverstanden, ab sofort immer",
            "genau so, das gilt ab jetzt für alle Projekte",
            "sí, hazlo así siempre a partir de ahora",
            "oui, fais comme ça désormais",
            "sim, faz sempre assim daqui em diante",
            "да, теперь всегда делай так",
            "好的，以后都这样做",
            "はい、今後はそのようにしてください",
            "네, 앞으로 항상 그렇게 해줘",
        ] {
            assert!(only_agrees(words), "{words}");
        }
    }

    #[test]
    fn words_that_say_what() {
        for words in [
            "four spaces, from now on, in all files",
            "yes, always run the linter first",
            "agreed, tabs always",
            "the second one, but never with a cache, always through the store",
            "use `ruff` from now on",
            "never do that again",
            "ja, ab jetzt immer mit Datum",
            "sí, siempre con fecha",
            "oui, toujours avec la date",
            "да, всегда с датой",
            "好的，以后都用制表符",
            "はい、今後は日付を付けてください",
            "네, 앞으로 항상 날짜를 붙여줘",
            "in every package the tests come first",
        ] {
            assert!(!only_agrees(words), "{words}");
        }
    }

    #[test]
    fn option_is_carried_by_the_persons_own_words() {
        assert!(carries("rows by date, always", "rows stay sorted by date"));
        assert!(carries("own components, always", "Own components"));
        assert!(!carries("B, from now on", "In a bucket with versions"));
    }
}
