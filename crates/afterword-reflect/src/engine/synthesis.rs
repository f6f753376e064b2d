//! One reading of a session by a model: one call for each of its parts, as a rule one; a second only where an answer cannot be
//! read.

use afterword_core::{Candidate, Confidence, Signal};

use super::account::Account;
use super::contract::{self, AnswerForm, ModelAnswer};
use super::digest::{Digest, Part};
use super::grounds::SupportingWords;
use super::line::one_line;
use super::merge::{Merged, PartReading, merged};
use super::proof::Proof;
use super::small::{is_of_session, supplemented};
use super::{CostBound, EngineError, Model, Question, Usage, check};
use crate::builtin::words::head;

/// Tokens a model may write. Ten lessons take some 2,500, twenty verdicts some 700.
const MOST_TOKENS: u32 = 5_000;

/// Longest handoff note, in bytes.
const HANDOFF: usize = 800;
/// A shorter one says nothing, in letters.
const SAYS_SOMETHING: usize = 12;
/// Web results that are told, their addresses and beginnings in bytes: some 500 tokens in all.
pub const PAGES: usize = 8;
const ADDRESS: usize = 100;
const BEGINNING: usize = 90;
/// Longest topic, in bytes.
const TOPIC: usize = 60;
/// Candidates that are told with a part, and known lessons.
const CANDIDATES: usize = 30;
const KNOWN: usize = 12;

/// What is wished for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptContext {
    /// What to look at first, in the person's words; empty for everything.
    pub focus: String,
    /// Most candidates wanted; `None` for all.
    pub most: Option<usize>,
    /// Titles of lessons that are known already and much alike; an answer names them by their place.
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
pub trait SpendGuard {
    /// Whether a call may be made that costs so much at most, and how much the engine is to be told it may cost.
    ///
    /// # Errors
    /// [`EngineError::Budget`] or [`EngineError::NoPrice`].
    fn may_spend(&mut self, bound: CostBound) -> Result<Option<f64>, EngineError>;

    /// Whether several calls may be begun that belong together, or are better made once there is money for all of them.
    ///
    /// # Errors
    /// [`EngineError::Budget`].
    fn may_begin(&mut self, _bounds: &[CostBound]) -> Result<(), EngineError> {
        Ok(())
    }

    /// A call was made. `problem` is why it gave nothing usable.
    fn record_spend(&mut self, usage: &Usage, problem: Option<&str>);
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Synthesis {
    /// What was found, joined with what may be believed of the answer.
    pub merged: Merged,
    /// Lessons of the answer that are not believed: their titles, and why.
    pub unbelieved: Vec<(String, String)>,
    /// Web results it chose: which of [`PromptContext::pages`], and its topic.
    pub pages: Vec<(usize, String)>,
    /// What whoever reads on should know, in one line of plain text; empty for nothing.
    pub handoff: String,
    /// What the session was about, and how it ended.
    pub account: Account,
    /// What of a long session was not read, and why; what was found there stays as it was rated.
    pub unread: Option<String>,
}

/// What a model is asked about each part of a session: its own part of the prompt. The instructions are [`AnswerForm::instructions`].
pub fn prompts(
    digest: &Digest,
    found: &[Candidate],
    wishes: &PromptContext,
    form: AnswerForm,
) -> Vec<String> {
    let of = digest.parts.len();
    digest
        .parts
        .iter()
        .enumerate()
        .map(|(index, part)| prompt(part, (index + 1, of), found, wishes, form))
        .collect()
}

fn prompt(
    part: &Part,
    (number, of): (usize, usize),
    found: &[Candidate],
    wishes: &PromptContext,
    form: AnswerForm,
) -> String {
    let mut prompt = String::new();
    if !wishes.focus.trim().is_empty() {
        prompt.push_str(&format!("Look above all at: {}\n\n", plain_line(&wishes.focus)));
    }
    if let Some(most) = wishes.most {
        prompt.push_str(&format!("At most {most} new lessons, the most useful ones.\n\n"));
    }
    if of > 1 {
        prompt.push_str(&format!("Part {number} of {of} of a long session.\n\n"));
    }
    prompt.push_str("<session>\n");
    if !wishes.known.is_empty() {
        prompt.push_str("--- known already\n");
        for (index, title) in wishes.known.iter().take(KNOWN).enumerate() {
            prompt.push_str(&format!("K{}: {}\n", index + 1, plain_line(title)));
        }
    }
    if number == 1 && !wishes.before.trim().is_empty() {
        prompt.push_str(&format!("--- before\n{}\n", head(&plain_line(&wishes.before), HANDOFF)));
    }
    if form == AnswerForm::Full {
        prompt.push_str("--- session\n");
    }
    prompt.push_str(&part.shown.text());
    if number == of {
        for (index, page) in wishes.pages.iter().take(PAGES).enumerate() {
            let heading = if index == 0 { "--- pages\n" } else { "" };
            let (address, beginning) = (plain_line(&page.address), plain_line(&page.beginning));
            let (address, beginning) = (head(&address, ADDRESS), head(&beginning, BEGINNING));
            prompt.push_str(&format!("{heading}({}) {address}: {beginning}\n", index + 1));
        }
    }
    if form == AnswerForm::Full && !part.candidates.is_empty() {
        prompt.push_str("--- candidates\n");
        for (index, candidate) in candidates_of(part).iter().filter_map(|at| found.get(*at)).enumerate() {
            prompt.push_str(&numbered(index + 1, candidate));
        }
    }
    prompt.push_str("</session>\n");
    prompt
}

/// The candidates a part is shown with.
fn candidates_of(part: &Part) -> &[usize] {
    &part.candidates[..part.candidates.len().min(CANDIDATES)]
}

fn numbered(number: usize, candidate: &Candidate) -> String {
    let kind = candidate.kind.as_str();
    let confidence = match candidate.confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    };
    let lines: Vec<String> = candidate.evidence.iter().take(3).map(|piece| piece.line.to_string()).collect();
    let often = if candidate.signal == Signal::RepeatedPattern { ", came often" } else { "" };
    let title = plain_line(&candidate.title);
    format!("({number}) {kind}, {confidence}{often}, line {}: {}\n", lines.join(" "), head(&title, 150))
}

/// The question about a part, as every engine is asked it.
pub fn question(prompt: &str, form: AnswerForm) -> Question<'_> {
    Question {
        system: form.instructions(),
        prompt,
        schema: form.schema(),
        most_tokens: MOST_TOKENS,
        most_usd: None,
    }
}

/// Asks a model about a digest of what was found, and joins with it what stands the check. A digest with nothing in it costs
/// nothing. Once a part was answered, and paid for, no later one can lose it.
///
/// # Errors
/// [`EngineError`] of the first part, and where it was stopped; an answer that cannot be read is asked for once more first.
pub fn synthesise(
    model: &dyn Model,
    (digest, form): (&Digest, AnswerForm),
    found: Vec<Candidate>,
    wishes: &PromptContext,
    guard: &mut dyn SpendGuard,
) -> Result<Synthesis, EngineError> {
    let mut synthesis = Synthesis::default();
    let mut readings = Vec::new();
    let asking = QuestionSpec {
        instructions: form.instructions(),
        schema: form.schema(),
        most_tokens: MOST_TOKENS,
        read: match form {
            AnswerForm::Full => |text: &str| AnswerForm::Full.read(text),
            AnswerForm::Brief => |text: &str| AnswerForm::Brief.read(text),
        },
    };
    let prompts = prompts(digest, &found, wishes, form);
    let bounds: Vec<CostBound> = prompts.iter().map(|prompt| model.bound(&question(prompt, form))).collect();
    guard.may_begin(&bounds)?;
    for (index, (part, prompt)) in digest.parts.iter().zip(&prompts).enumerate() {
        let answered = match ask(model, &asking, prompt, guard) {
            Err(error) if index > 0 && !error.is_stopped() => {
                let (from, of) = (index + 1, prompts.len());
                let which = if from == of { format!("part {of}") } else { format!("parts {from} to {of}") };
                synthesis.unread = Some(format!("{which} of {of}: {error}"));
                break;
            }
            answered => answered?,
        };
        let ModelAnswer { candidates, lessons, pages, handoff, session } = answered;
        let shown = if form == AnswerForm::Full { candidates_of(part).to_vec() } else { Vec::new() };
        let numbered: Vec<&Candidate> = shown.iter().filter_map(|at| found.get(*at)).collect();
        let (mut lessons, unbelieved) = check::checked(lessons, &part.shown.lines, &numbered);
        if let Some(most) = wishes.most {
            let mut new = 0;
            lessons.sort_by_key(|lesson| lesson.candidate.confidence);
            lessons.retain(|lesson| {
                new += usize::from(lesson.n == 0);
                lesson.n > 0 || new <= most
            });
        }
        readings.push(PartReading { shown, answers: candidates, lessons });
        synthesis.unbelieved.extend(unbelieved);
        let handoff = head(&plain_line(&handoff), HANDOFF).trim().to_owned();
        // Small models fill it with "yes", or with a date.
        let says_something = handoff.chars().filter(|c| c.is_alphabetic()).count() >= SAYS_SOMETHING;
        if says_something && (form == AnswerForm::Full || is_of_session(&handoff, &part.shown.lines)) {
            synthesis.handoff = handoff;
        }
        synthesis.pages = chosen_pages(pages, wishes);
        if form == AnswerForm::Brief {
            synthesis.pages.retain(|(at, topic)| {
                let page = &wishes.pages[*at];
                SupportingWords::of_text(&page.address).with_words(&page.beginning).touch(topic)
            });
        }
        let account = Account::of(&session, &part.shown.lines);
        synthesis.account = std::mem::take(&mut synthesis.account).merged_with(account);
    }
    if digest.left_out > 0 {
        let rest = synthesis.unread.take().map(|rest| format!("; {rest}")).unwrap_or_default();
        let messages = if digest.left_out == 1 { "message was" } else { "messages were" };
        synthesis.unread =
            Some(format!("the first {} {messages} left out for length{rest}", digest.left_out));
    }
    synthesis.merged = match form {
        AnswerForm::Full => merged(found, readings, &Proof::new(&digest.mends, digest.lines())),
        AnswerForm::Brief => {
            supplemented(found, readings.into_iter().flat_map(|reading| reading.lessons).collect())
        }
    };
    Ok(synthesis)
}

/// The web results that were chosen, each once and only of those that were told.
fn chosen_pages(pages: Vec<contract::ChosenPage>, wishes: &PromptContext) -> Vec<(usize, String)> {
    let mut chosen: Vec<(usize, String)> = Vec::new();
    for page in pages {
        let Some(index) = page.number.checked_sub(1) else { continue };
        let topic = head(&plain_line(&page.topic), TOPIC).trim().to_owned();
        let is_new = chosen.iter().all(|(known, _)| *known != index);
        if is_new && index < wishes.pages.len().min(PAGES) && topic.chars().any(char::is_alphabetic) {
            chosen.push((index, topic));
        }
    }
    chosen
}

/// One kind of question: what it is, and how its answer is read.
#[derive(Debug, Clone, Copy)]
pub struct QuestionSpec<T> {
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
    asking: &QuestionSpec<T>,
    first: &str,
    guard: &mut dyn SpendGuard,
) -> Result<T, EngineError> {
    match ask_model(model, asking, first, guard) {
        Err(EngineError::Invalid { problem, .. }) => {
            let again = format!(
                "{first}\nYour last answer could not be used: {problem}. Answer with the JSON object alone.\n"
            );
            ask_model(model, asking, &again, guard)
        }
        other => other,
    }
}

fn ask_model<T>(
    model: &dyn Model,
    asking: &QuestionSpec<T>,
    prompt: &str,
    guard: &mut dyn SpendGuard,
) -> Result<T, EngineError> {
    let mut question = Question {
        system: asking.instructions,
        prompt,
        schema: asking.schema,
        most_tokens: asking.most_tokens,
        most_usd: None,
    };
    question.most_usd = guard.may_spend(model.bound(&question))?;
    let answer = match model.ask(&question) {
        Ok(answer) => answer,
        Err(error) => {
            // Its maker may bill what it read.
            let is_late = matches!(error, EngineError::TooLong { .. });
            let usage = if is_late { model.unanswered_usage(&question) } else { error.usage() };
            guard.record_spend(&usage, Some(&error.to_string()));
            return Err(error);
        }
    };
    match (asking.read)(&answer.text) {
        Ok(answered) => {
            guard.record_spend(&answer.usage, None);
            Ok(answered)
        }
        Err(problem) => {
            guard.record_spend(&answer.usage, Some(&problem));
            Err(EngineError::Invalid { problem, usage: answer.usage })
        }
    }
}

/// One line, with nothing that could end the session's part of a prompt.
pub(super) fn plain_line(text: &str) -> String {
    one_line(text).replace(['<', '>'], "")
}
