//! One reading of a session by a model: one call, a second only where the first answer cannot be read.

use afterword_core::Candidate;

use super::contract;
use super::{Bound, EngineError, Model, Question, Usage, check};
use crate::builtin::words::head;
use crate::engine::Digest;

/// Tokens a model may write. Ten candidates take some 2,500.
const MOST_TOKENS: u32 = 4_000;

/// Longest handoff note, in bytes.
const HANDOFF: usize = 800;
/// Web results that are told, their addresses and beginnings in bytes: some 700 tokens in all.
pub const PAGES: usize = 8;
const ADDRESS: usize = 120;
const BEGINNING: usize = 140;
/// Longest topic, in bytes.
const TOPIC: usize = 60;

/// What is wished for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wishes {
    /// What to look at first, in the person's words; empty for everything.
    pub focus: String,
    /// Most candidates wanted; `None` for all.
    pub most: Option<usize>,
    /// Titles of lessons that are known already and much alike.
    pub known: Vec<String>,
    /// The note that the last reading of the session, or of its project, left; empty for none.
    pub before: String,
    /// What the session fetched from the web.
    pub pages: Vec<Page>,
}

/// Something the session fetched from the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its address, or what was searched for.
    pub address: String,
    /// How it begins.
    pub beginning: String,
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
    /// Web results it chose: which of [`Wishes::pages`], and its topic.
    pub pages: Vec<(usize, String)>,
    /// What whoever reads on should know, in one line of plain text; empty for nothing.
    pub handoff: String,
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
    if !wishes.before.trim().is_empty() {
        prompt.push_str(&format!("--- before\n{}\n", head(&one_line(&wishes.before), HANDOFF)));
    }
    prompt.push_str(&digest.shown());
    for (index, page) in wishes.pages.iter().take(PAGES).enumerate() {
        let heading = if index == 0 { "--- pages\n" } else { "" };
        let (address, beginning) = (one_line(&page.address), one_line(&page.beginning));
        let (address, beginning) = (head(&address, ADDRESS), head(&beginning, BEGINNING));
        prompt.push_str(&format!("{heading}({}) {address}: {beginning}\n", index + 1));
    }
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
    let handoff = head(&one_line(&answered.handoff), HANDOFF).trim().to_owned();
    Ok(Synthesis { candidates, dropped, pages: chosen(answered.pages, wishes), handoff })
}

/// The web results that were chosen, each once and only of those that were told.
fn chosen(pages: Vec<contract::Chosen>, wishes: &Wishes) -> Vec<(usize, String)> {
    let mut chosen: Vec<(usize, String)> = Vec::new();
    for page in pages {
        let Some(index) = page.number.checked_sub(1) else { continue };
        let topic = head(&one_line(&page.topic), TOPIC).trim().to_owned();
        let is_new = chosen.iter().all(|(known, _)| *known != index);
        if is_new && index < wishes.pages.len().min(PAGES) && topic.chars().any(char::is_alphanumeric) {
            chosen.push((index, topic));
        }
    }
    chosen
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

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(['<', '>'], "")
}
