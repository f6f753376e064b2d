//! One reading of a session by a model: one call, a second only where the first answer cannot be read.

use afterword_core::Candidate;

use super::contract;
use super::{Bound, EngineError, Model, Question, Usage, check};
use crate::engine::Digest;

/// Tokens a model may write. Ten candidates take some 2,500.
const MOST_TOKENS: u32 = 4_000;

/// What is wished for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wishes {
    /// What to look at first, in the person's words; empty for everything.
    pub focus: String,
    /// Most candidates wanted; `None` for all.
    pub most: Option<usize>,
    /// Titles of lessons that are known already and much alike.
    pub known: Vec<String>,
}

/// Who minds the money.
pub trait Purse {
    /// Whether a call may be made that costs so much at most, and how much the engine is to be told it may cost.
    ///
    /// # Errors
    /// [`EngineError::Budget`] or [`EngineError::NoPrice`].
    fn may_spend(&mut self, bound: Bound) -> Result<Option<f64>, EngineError>;

    /// A call was made. `problem` is why it gave nothing usable.
    fn spent(&mut self, usage: &Usage, problem: Option<&str>);
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Synthesis {
    /// What may be believed.
    pub candidates: Vec<Candidate>,
    /// What was dropped: its title, and why.
    pub dropped: Vec<(String, &'static str)>,
}

/// What a model is asked about a digest: its own part of the prompt. The instructions are [`contract::INSTRUCTIONS`].
pub fn prompt(digest: &Digest, wishes: &Wishes) -> String {
    let mut prompt = String::new();
    if !wishes.focus.trim().is_empty() {
        prompt.push_str(&format!("Look above all at: {}\n\n", one_line(&wishes.focus)));
    }
    if let Some(most) = wishes.most {
        prompt.push_str(&format!("At most {most} candidates, the most useful ones.\n\n"));
    }
    if !wishes.known.is_empty() {
        prompt.push_str("Known already; propose one of these again only if the session changes it:\n");
        for title in wishes.known.iter().take(12) {
            prompt.push_str(&format!("- {}\n", one_line(title)));
        }
        prompt.push('\n');
    }
    prompt.push_str("<session>\n");
    prompt.push_str(&digest.shown());
    prompt.push_str("</session>\n");
    prompt
}

/// The question about a digest, as every engine is asked it.
pub fn question(prompt: &str) -> Question<'_> {
    Question {
        system: contract::INSTRUCTIONS,
        prompt,
        schema: contract::SCHEMA,
        most_tokens: MOST_TOKENS,
        most_usd: None,
    }
}

/// Asks a model about a digest, and keeps what stands the check. A digest with nothing in it costs nothing.
///
/// # Errors
/// [`EngineError`]; an answer that cannot be read is asked for once more first.
pub fn synthesise(
    model: &dyn Model,
    digest: &Digest,
    wishes: &Wishes,
    purse: &mut dyn Purse,
) -> Result<Synthesis, EngineError> {
    if digest.is_empty() {
        return Ok(Synthesis::default());
    }
    let asking = Asking {
        instructions: contract::INSTRUCTIONS,
        schema: contract::SCHEMA,
        most_tokens: MOST_TOKENS,
        read: contract::read,
    };
    let answered = ask(model, &asking, &prompt(digest, wishes), purse)?;
    let (mut candidates, dropped) = check::checked(answered.candidates, digest);
    candidates.sort_by_key(|candidate| candidate.confidence);
    candidates.truncate(wishes.most.unwrap_or(usize::MAX));
    Ok(Synthesis { candidates, dropped })
}

/// One kind of question: what it is, and how its answer is read.
#[derive(Debug, Clone, Copy)]
pub struct Asking<T> {
    /// What the model is told, from a reviewed file.
    pub instructions: &'static str,
    /// The schema of the answer.
    pub schema: &'static str,
    /// The most tokens it may write.
    pub most_tokens: u32,
    /// Reads the answer, or says what is wrong with it.
    pub read: fn(&str) -> Result<T, String>,
}

/// Asks a question; an answer that cannot be read is asked for once more.
///
/// # Errors
/// [`EngineError`].
pub fn ask<T>(
    model: &dyn Model,
    asking: &Asking<T>,
    first: &str,
    purse: &mut dyn Purse,
) -> Result<T, EngineError> {
    match asked(model, asking, first, purse) {
        Err(EngineError::Invalid { problem, .. }) => {
            let again = format!(
                "{first}\nYour last answer could not be used: {problem}. Answer with the JSON object alone.\n"
            );
            asked(model, asking, &again, purse)
        }
        other => other,
    }
}

fn asked<T>(
    model: &dyn Model,
    asking: &Asking<T>,
    prompt: &str,
    purse: &mut dyn Purse,
) -> Result<T, EngineError> {
    let mut question = Question {
        system: asking.instructions,
        prompt,
        schema: asking.schema,
        most_tokens: asking.most_tokens,
        most_usd: None,
    };
    question.most_usd = purse.may_spend(model.bound(&question))?;
    let answer = match model.ask(&question) {
        Ok(answer) => answer,
        Err(error) => {
            purse.spent(&error.usage(), Some(&error.to_string()));
            return Err(error);
        }
    };
    match (asking.read)(&answer.text) {
        Ok(answered) => {
            purse.spent(&answer.usage, None);
            Ok(answered)
        }
        Err(problem) => {
            purse.spent(&answer.usage, Some(&problem));
            Err(EngineError::Invalid { problem, usage: answer.usage })
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(['<', '>'], "")
}
