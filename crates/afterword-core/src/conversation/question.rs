//! Questions that background work asks, and what counts as an answer.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What sort of answer a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
#[serde(rename_all = "lowercase")]
pub enum Concern {
    /// Runs failed again and again.
    Failure,
    /// Runs followed each other closely and did not come to an end.
    Runs,
    /// A connection has to be signed in to again, by its name.
    Reconnect(String),
}

/// A question that waits for the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingQuestion {
    /// What sort of answer it wants.
    #[serde(rename = "type")]
    pub kind: QuestionKind,
    /// The question.
    pub prompt: String,
    /// What can be chosen; only of a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What it is about, where Afterword asks and not the work. A yes goes on, a no pauses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concern: Option<Concern>,
}

/// An answer that does not answer the question.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadAnswer {
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

const YES: [&str; 8] = ["yes", "y", "ok", "okay", "sure", "true", "ja", "oui"];
const NO: [&str; 6] = ["no", "n", "nope", "false", "nein", "non"];

impl PendingQuestion {
    /// A question that Afterword itself asks, answered with yes or no.
    pub fn of_afterword(prompt: String, concern: Concern) -> Self {
        Self { kind: QuestionKind::Confirmation, prompt, options: Vec::new(), concern: Some(concern) }
    }

    /// Takes an answer as a person gives it: `y`, an option's number (from 1), its words in any case. Gives it as the
    /// worker will read it.
    ///
    /// # Errors
    /// [`BadAnswer`] for what does not answer the question.
    pub fn accept(&self, answer: &str) -> Result<String, BadAnswer> {
        let answer = answer.trim();
        if answer.is_empty() {
            return Err(BadAnswer::Empty);
        }
        match self.kind {
            QuestionKind::Input => Ok(answer.to_owned()),
            QuestionKind::Confirmation => {
                let word = answer.trim_end_matches(['.', '!']).to_lowercase();
                if YES.contains(&word.as_str()) {
                    Ok("yes".to_owned())
                } else if NO.contains(&word.as_str()) {
                    Ok("no".to_owned())
                } else {
                    Err(BadAnswer::NotYesOrNo)
                }
            }
            QuestionKind::Choice => {
                let same = |option: &&String| option.trim().to_lowercase() == answer.to_lowercase();
                let numbered = || {
                    let number: usize = answer.trim_end_matches(['.', ')']).parse().ok()?;
                    self.options.get(number.checked_sub(1)?)
                };
                let chosen = self.options.iter().find(same).or_else(numbered);
                chosen.cloned().ok_or_else(|| BadAnswer::NoSuchOption { options: self.options.clone() })
            }
        }
    }
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
        check(&confirm, "maybe", None);
        check(&choice, "send it", Some("Send it"));
        check(&choice, "1", Some("Send it"));
        check(&choice, "3)", Some("Drop it"));
        check(&choice, "2", Some("2"));
        check(&choice, "0", None);
        check(&choice, "4", None);
        check(&choice, "99999999999999999999", None);
        check(&question(QuestionKind::Input, &[]), " the blue one ", Some("the blue one"));
        check(&question(QuestionKind::Input, &[]), " \n", None);
    }

    #[test]
    fn refusal_names_the_options() {
        let error = question(QuestionKind::Choice, &["a", "b"]).accept("c").unwrap_err();
        assert_eq!(error.to_string(), "choose one of: a, b");
    }
}
