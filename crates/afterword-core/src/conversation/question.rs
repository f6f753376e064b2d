//! Questions that background work asks, and what counts as an answer.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What sort of answer a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum QuestionKind {
    /// Yes or no.
    Confirmation,
    /// One of several options.
    Choice,
    /// Free words.
    Input,
}

/// What a question that Afterword itself asks is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Concern {
    /// An agent made the work; whether it begins is for the person to say.
    Consent,
    /// Runs failed again and again.
    Failure,
    /// Runs followed each other closely and did not come to an end.
    Runs,
    /// A connection has to be signed in to again, by its name.
    Reconnect(String),
}

/// A question that waits for the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Question"))]
pub struct PendingQuestion {
    /// What sort of answer it wants.
    #[serde(rename = "type")]
    pub kind: QuestionKind,
    /// The question.
    pub prompt: String,
    /// What can be chosen; only of a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What it is about, where Afterword asks and not the work. A yes goes on, a no pauses; to begin with, it closes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "contract", ts(optional))]
    pub concern: Option<Concern>,
}

/// An answer that does not answer the question.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidAnswer {
    /// Nothing was said.
    #[error("the answer is empty")]
    Empty,
    /// Neither yes nor no.
    #[error("answer yes or no")]
    NotYesOrNo,
    /// None of the options.
    #[error("choose one of: {}", .options.join(", "))]
    NoSuchOption {
        /// What can be chosen.
        options: Vec<String>,
    },
}

/// What people say for yes, in words; longer phrases before the shorter ones they begin with.
const YES_PHRASES: [&str; 40] = [
    "yes",
    "y",
    "yep",
    "yeah",
    "yup",
    "ok",
    "okay",
    "sure",
    "true",
    "ja",
    "jawohl",
    "oui",
    "si",
    "sí",
    "da",
    "go ahead",
    "go on",
    "do it",
    "do that",
    "do so",
    "please do",
    "of course",
    "absolutely",
    "certainly",
    "definitely",
    "sounds good",
    "looks good",
    "that is fine",
    "that's fine",
    "fine",
    "confirm",
    "confirmed",
    "i confirm",
    "approved",
    "mach das",
    "mach es",
    "tu es",
    "gerne",
    "klar",
    "vas y",
];
/// What people say for no.
const NO_PHRASES: [&str; 24] = [
    "no",
    "n",
    "nope",
    "nah",
    "false",
    "nein",
    "non",
    "nee",
    "njet",
    "stop",
    "don't do it",
    "don't do that",
    "do not do it",
    "don't",
    "do not",
    "dont",
    "rather not",
    "better not",
    "not now",
    "lieber nicht",
    "nicht",
    "cancel",
    "never",
    "no way",
];
/// Words that change nothing about an answer.
const POLITE_WORDS: [&str; 12] =
    ["please", "thanks", "thank", "you", "bitte", "danke", "merci", "gracias", "s'il", "te", "plait", "then"];
/// Places in a list, from the first on.
const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

impl PendingQuestion {
    /// A question that Afterword itself asks, answered with yes or no.
    pub fn yes_or_no(prompt: String, concern: Concern) -> Self {
        Self { kind: QuestionKind::Confirmation, prompt, options: Vec::new(), concern: Some(concern) }
    }

    /// Takes an answer as a person gives it: `y`, an option's number (from 1), its words in any case. Gives it as the
    /// worker will read it.
    ///
    /// # Errors
    /// [`InvalidAnswer`] for what does not answer the question.
    pub fn accept(&self, answer: &str) -> Result<String, InvalidAnswer> {
        let answer = answer.trim();
        if answer.is_empty() {
            return Err(InvalidAnswer::Empty);
        }
        match self.kind {
            QuestionKind::Input => Ok(answer.to_owned()),
            QuestionKind::Confirmation => {
                match (consists_of(answer, &YES_PHRASES), consists_of(answer, &NO_PHRASES)) {
                    (true, false) => Ok("yes".to_owned()),
                    (false, true) => Ok("no".to_owned()),
                    _ => Err(InvalidAnswer::NotYesOrNo),
                }
            }
            QuestionKind::Choice => {
                let same = |option: &&String| option.trim().to_lowercase() == answer.to_lowercase();
                let numbered = || {
                    let number: usize = answer.trim_end_matches(['.', ')']).parse().ok()?;
                    self.options.get(number.checked_sub(1)?)
                };
                let plain = |option: &&String| {
                    let words = comparable_words(answer);
                    !words.is_empty() && comparable_words(option) == words
                };
                let placed = || {
                    let words = comparable_words(answer);
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    let place = match words.as_slice() {
                        ["the", place, "one"]
                        | ["the", place]
                        | [place, "one"]
                        | ["option" | "number", place]
                        | [place] => *place,
                        _ => return None,
                    };
                    if place == "last" {
                        return self.options.last();
                    }
                    let number = place.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                    self.options.get(number.or_else(|| ORDINALS.iter().position(|one| *one == place))?)
                };
                let options = || self.options.iter();
                let chosen =
                    options().find(same).or_else(numbered).or_else(|| options().find(plain)).or_else(placed);
                chosen.cloned().ok_or_else(|| InvalidAnswer::NoSuchOption { options: self.options.clone() })
            }
        }
    }
}

/// The words of an answer as they are compared: in small letters, without marks and politeness.
fn comparable_words(answer: &str) -> Vec<String> {
    let answer = answer.to_lowercase().replace('\u{2019}', "'");
    let words = answer.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    words.filter(|word| !word.is_empty() && !POLITE_WORDS.contains(word)).map(str::to_owned).collect()
}

/// The answer is one of these phrases, or some of them one after the other, and nothing else.
fn consists_of(answer: &str, phrases: &[&str]) -> bool {
    let words = comparable_words(answer);
    let mut rest = &words[..];
    while !rest.is_empty() {
        let fitting = phrases.iter().filter_map(|phrase| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            let begins = rest.len() >= phrase.len() && phrase.iter().zip(rest).all(|(one, word)| one == word);
            begins.then_some(phrase.len())
        });
        let Some(longest) = fitting.max() else { return false };
        rest = &rest[longest..];
    }
    !words.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(kind: QuestionKind, options: &[&str]) -> PendingQuestion {
        let options = options.iter().map(|one| (*one).to_owned()).collect();
        PendingQuestion { kind, prompt: "?".into(), options, concern: None }
    }

    #[test]
    fn answers_as_people_give_them() {
        let confirm = question(QuestionKind::Confirmation, &[]);
        let choice = question(QuestionKind::Choice, &["Send it", "2", "Drop it"]);
        let check = |question: &PendingQuestion, answer: &str, expected: Option<&str>| {
            assert_eq!(question.accept(answer).ok().as_deref(), expected, "{answer}");
        };
        check(&confirm, " Y ", Some("yes"));
        check(&confirm, "OK!", Some("yes"));
        check(&confirm, "No.", Some("no"));
        for yes in [
            "yes please",
            "Go ahead.",
            "do it",
            "Yes, go ahead!",
            "ok, do it please",
            "ja bitte",
            "Sure, thanks",
        ] {
            check(&confirm, yes, Some("yes"));
        }
        for no in
            ["nein", "No, thanks.", "no, don\u{2019}t do it", "please don't", "nope, not now", "lieber nicht"]
        {
            check(&confirm, no, Some("no"));
        }
        // What says more than yes or no is for Claude to read.
        for other in [
            "maybe",
            "yes, but only the short one",
            "no, go ahead",
            "not yes",
            "please",
            "do it tomorrow",
            "why?",
        ] {
            check(&confirm, other, None);
        }
        check(&choice, "send it", Some("Send it"));
        check(&choice, "1", Some("Send it"));
        check(&choice, "3)", Some("Drop it"));
        check(&choice, "2", Some("2"));
        check(&choice, "0", None);
        check(&choice, "4", None);
        check(&choice, "99999999999999999999", None);
        check(&choice, "Send it, please!", Some("Send it"));
        check(&choice, "the first one", Some("Send it"));
        check(&choice, "option 3", Some("Drop it"));
        check(&choice, "the last one please", Some("Drop it"));
        check(&choice, "the tenth one", None);
        check(&choice, "drop it, but first send it", None);
        check(&question(QuestionKind::Input, &[]), " the blue one ", Some("the blue one"));
        check(&question(QuestionKind::Input, &[]), " \n", None);
    }

    #[test]
    fn refusal_names_the_options() {
        let error = question(QuestionKind::Choice, &["a", "b"]).accept("c").unwrap_err();
        assert_eq!(error.to_string(), "choose one of: a, b");
    }
}
