//! Signs in the words alone that a later rule takes the place of an earlier one: it names what the earlier one wants as gone, or says
//! the same with another word in one place.

use std::sync::LazyLock;

use regex::Regex;

use super::cues;
use super::words::pattern;

/// Words between a word and the one that shows that both sentences speak of the same, at most.
const BETWEEN: usize = 2;

pub(super) fn tokens(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    let is_part =
        |c: char| c.is_alphanumeric() || matches!(c, '\'' | '-' | '_' | '.' | '/' | '#' | '+' | ':');
    lower
        .split(|c: char| !is_part(c))
        .map(|word| word.trim_matches(['.', '-', '\'', ':', '/']).to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Whether a word says what a sentence is about.
pub(super) fn tells(word: &str) -> bool {
    word.chars().count() > 2 && !cues::is_common(word) && !is_of_time(word)
}

/// Words that say how long or how firmly something holds.
fn is_of_time(word: &str) -> bool {
    const TIME: [&str; 16] = [
        "always", "never", "now", "from", "please", "only", "again", "anymore", "more", "ever", "every",
        "longer", "here", "also", "use", "using",
    ];
    TIME.contains(&word)
}

/// The words of which a sentence says that they are gone: "mocha is gone", "no more mocha", "we moved away from mocha".
fn dropped(text: &str) -> Vec<String> {
    static DROPPED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?P<a>[\w./+#-]+) (?:is|are|was) (?:gone|deprecated|history|dead|retired|obsolete|abandoned|no more|no longer (?:used|in use|a thing))\b|\bno (?:more )?(?P<b>[\w./+#-]+) any ?(?:more|longer)\b|\bno more (?P<c>[\w./+#-]+)|\b(?:moved|switched|migrated|went|away|off) from (?P<d>[\w./+#-]+)|\b(?:dropped|ditched|dumped|abandoned|retired|got rid of) (?:the )?(?P<e>[\w./+#-]+)|\binstead of (?P<f>[\w./+#-]+)",
        )
    });
    let all = DROPPED.captures_iter(text);
    all.flat_map(|found| {
        ["a", "b", "c", "d", "e", "f"]
            .iter()
            .filter_map(|name| found.name(name))
            .map(|word| word.as_str().trim_matches(['.', '/', '-']).to_lowercase())
            .collect::<Vec<_>>()
    })
    .filter(|word| tells(word))
    .collect()
}

/// Whether the newer rule says of something that it is gone which the older one wants.
pub(super) fn drops(newer: &str, older: &str) -> bool {
    let wanted = tokens(older);
    let against = cues::present(older, cues::language_of(older)).has("forbid");
    !against && dropped(newer).iter().any(|word| wanted.contains(word))
}

/// Whether the newer rule says what the older one says with another word in one place: "write the letters in French" after "write the
/// letters in Dutch". All else that the older one tells must be there, and the place must show itself by its neighbours.
pub(super) fn swaps(newer: &str, older: &str) -> bool {
    let (new, old) = (tokens(newer), tokens(older));
    let rest: Vec<usize> = (0..old.len()).filter(|at| tells(&old[*at]) && !new.contains(&old[*at])).collect();
    let shared = old.iter().filter(|word| tells(word) && new.contains(word)).count();
    let [gone] = rest.as_slice() else { return false };
    if shared == 0 || is_place(&old, *gone) {
        return false;
    }
    (0..new.len()).any(|at| {
        tells(&new[at])
            && !old.contains(&new[at])
            && !is_place(&new, at)
            && (shows_the_same(&old[gone + 1..], &new[at + 1..])
                || shows_the_same(&reversed(&old[..*gone]), &reversed(&new[..at])))
    })
}

/// Whether the newer rule has a name of the same make where the older one has its own: `hall-north-2` beside `hall-west-7`.
pub(super) fn renames(newer: &str, older: &str) -> bool {
    has_another(newer, older, make)
}

/// Whether the newer rule has another time of day than the older one.
pub(super) fn retimes(newer: &str, older: &str) -> bool {
    let is_time = |word: &str| {
        let (hours, minutes) = word.split_once(':')?;
        let is_number =
            |text: &str| (1..=2).contains(&text.len()) && text.chars().all(|c| c.is_ascii_digit());
        (is_number(hours) && minutes.len() == 2 && is_number(minutes)).then(String::new)
    };
    has_another(newer, older, is_time)
}

/// Whether each of two rules has a word of the same sort that the other has not.
fn has_another(newer: &str, older: &str, sort: impl Fn(&str) -> Option<String>) -> bool {
    let (new, old) = (tokens(newer), tokens(older));
    let sorts = |words: &[String], others: &[String]| -> Vec<String> {
        words.iter().filter(|word| !others.contains(word)).filter_map(|word| sort(word)).collect()
    };
    let of_old = sorts(&old, &new);
    sorts(&new, &old).iter().any(|sort| of_old.contains(sort))
}

/// How a made-up name is made: its first part and the sorts of the others; `None` for any other word.
fn make(word: &str) -> Option<String> {
    let parts: Vec<&str> = word.split('-').collect();
    let (first, rest) = parts.split_first()?;
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let is_made =
        first.starts_with(char::is_alphabetic) && rest.len() >= 2 && rest.iter().any(|part| is_number(part));
    let sorts = rest.iter().map(|part| if is_number(part) { '0' } else { 'a' });
    is_made.then(|| format!("{first} {}", sorts.collect::<String>()))
}

fn reversed(words: &[String]) -> Vec<String> {
    words.iter().rev().cloned().collect()
}

/// Whether two sentences go on with the same telling word, soon and by the same words.
fn shows_the_same(one: &[String], other: &[String]) -> bool {
    let telling = one.iter().take(BETWEEN + 1).position(|word| tells(word));
    telling.is_some_and(|at| one.get(..=at) == other.get(..=at))
}

/// The names of languages, in English and by themselves.
pub(super) const LANGUAGES: [&str; 28] = [
    "english",
    "german",
    "french",
    "spanish",
    "italian",
    "portuguese",
    "russian",
    "chinese",
    "japanese",
    "korean",
    "dutch",
    "polish",
    "turkish",
    "american",
    "englisch",
    "deutsch",
    "französisch",
    "spanisch",
    "italienisch",
    "anglais",
    "allemand",
    "français",
    "inglés",
    "alemán",
    "español",
    "inglês",
    "alemão",
    "português",
];

/// Whether a word names where a rule holds: "in yaml", "for the parser". What is said of another place ends nothing; a language is none.
pub(super) fn is_place(words: &[String], at: usize) -> bool {
    let before =
        words[..at].iter().rev().find(|word| !["the", "our", "your", "all"].contains(&word.as_str()));
    before.is_some_and(|word| {
        ["in", "for", "on", "under", "at", "of", "when", "before", "after"].contains(&word.as_str())
    }) && !LANGUAGES.contains(&words[at].as_str())
}

/// Whether a word tells nothing of what a rule is about.
pub(super) fn is_said_of_any(word: &str) -> bool {
    SAID_OF_ANY.contains(&word)
}

/// Words of English rules that tell nothing of what they are about.
const SAID_OF_ANY: [&str; 40] = [
    "say",
    "says",
    "tell",
    "stop",
    "thing",
    "things",
    "time",
    "always",
    "never",
    "every",
    "only",
    "must",
    "use",
    "make",
    "sure",
    "want",
    "keep",
    "put",
    "new",
    "file",
    "files",
    "code",
    "here",
    "now",
    "one",
    "also",
    "like",
    "please",
    "everywhere",
    "everything",
    "anything",
    "project",
    "repo",
    "again",
    "other",
    "more",
    "ever",
    "any",
    "than",
    "need",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_ends_the_rule_that_wants_it() {
        for (newer, older) in [
            ("Paint the boats with varnish from now on, tar is gone", "Always paint boats with tar"),
            ("We've moved from tar to varnish", "tar the boats every spring"),
            ("no more tar on the boats", "the boats get tar"),
        ] {
            assert!(drops(newer, older), "{newer}");
        }
        assert!(!drops("Tar is gone from the shop", "Never use tar"));
        assert!(!drops("The milk is gone", "Always paint boats with tar"));
    }

    #[test]
    fn name_of_the_same_make_takes_the_place_of_another() {
        assert!(renames("from now on all crates go to hall-north-2", "crates always go to hall-west-7"));
        assert!(retimes("05:30 is the earliest now", "never before 04:00"));
        assert!(!renames("from 2026-01-15 on", "since 2026-01-02"));
        assert!(!renames("crates go to hall-north-2", "bottles go to yard-east-1"));
        assert!(!renames("a well-made box", "an over-full box"));
    }

    #[test]
    fn one_word_in_the_same_place() {
        for (newer, older) in [
            ("please write the letters in Dutch from now on", "letters in French please, always"),
            ("We live in Ohio now so use inch sizes in all plans", "use metric sizes in all plans"),
        ] {
            assert!(swaps(newer, older), "{newer}");
        }
        for (newer, older) in [
            ("always use ink in maps from now on", "always use ink in letters"),
            ("from now on keep the nails in tins", "keep the paint in the shed"),
            ("sharpen the saw before lunch from now on", "sharpen the saw before cutting oak"),
        ] {
            assert!(!swaps(newer, older), "{newer}");
        }
    }
}
