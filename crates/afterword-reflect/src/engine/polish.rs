//! Notes in better words: what a model is shown of some of them at once, and which of its words are believed.

use afterword_core::{Evidence, Role};
use serde::Deserialize;

use super::grounds::{BODY, SupportingWords, TITLE, is_reversed};
use super::synthesis::{QuestionSpec, SpendGuard, ask, plain_line};
use super::{EngineError, Model, Question, contract};
use crate::builtin::phrase::title;
use crate::builtin::words::head;

const SCHEMA: &str = include_str!("polish.schema.json");
const INSTRUCTIONS: &str = include_str!("prompts/polish.v1.md");
/// Tokens a model may write: twelve notes take some 1,500.
const MOST_TOKENS: u32 = 3_000;
/// Notes in a call, and bytes of them.
const NOTES: usize = 12;
const BYTES: usize = 14_000;
/// Longest text and quotation of a note that is told, in bytes, and quotations.
const TEXT: usize = 600;
const QUOTE: usize = 400;
const QUOTES: usize = 4;

/// A note as a model is shown it, secrets taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteToPolish {
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: String,
    /// The words it rests on, and who said them.
    pub quotes: Vec<(Role, String)>,
}

/// A note in other words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polished {
    /// Which of those that were shown.
    pub index: usize,
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolishReply {
    notes: Vec<PolishedNote>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolishedNote {
    n: usize,
    title: String,
    body: String,
}

/// How many of the notes go into one call, from the first on; at least one.
pub fn batch(notes: &[NoteToPolish]) -> usize {
    let mut bytes = 0;
    let fits = |note: &&NoteToPolish| {
        bytes += note_prompt(0, note).len();
        bytes <= BYTES
    };
    notes.iter().take(NOTES).take_while(fits).count().max(1)
}

/// The question about a batch.
pub fn question(prompt: &str) -> Question<'_> {
    Question { system: INSTRUCTIONS, prompt, schema: SCHEMA, most_tokens: MOST_TOKENS, most_usd: None }
}

/// What a model is asked about a batch.
pub fn prompt(notes: &[NoteToPolish]) -> String {
    let all: String = notes.iter().enumerate().map(|(at, note)| note_prompt(at + 1, note)).collect();
    format!("<notes>\n{all}</notes>\n")
}

fn note_prompt(number: usize, note: &NoteToPolish) -> String {
    let mut text =
        format!("({number}) {}\n  {}\n", plain_line(&note.title), plain_line(head(&note.body, TEXT)));
    for (role, quote) in note.quotes.iter().take(QUOTES) {
        let who = match role {
            Role::User => "person",
            Role::Assistant => "agent",
            Role::Tool => "tool",
        };
        text.push_str(&format!("  [{who}] {}\n", plain_line(head(quote, QUOTE))));
    }
    text
}

/// Asks a model about a batch. What is given are words that say the same as the note did; the others are left out.
///
/// # Errors
/// [`EngineError`]; an answer that cannot be read is asked for once more first.
pub fn polish(
    model: &dyn Model,
    notes: &[NoteToPolish],
    guard: &mut dyn SpendGuard,
) -> Result<Vec<Polished>, EngineError> {
    let asking = QuestionSpec {
        instructions: INSTRUCTIONS,
        schema: SCHEMA,
        most_tokens: MOST_TOKENS,
        read: contract::object::<PolishReply>,
    };
    let answered = ask(model, &asking, &prompt(notes), guard)?;
    let mut polished: Vec<Polished> = Vec::new();
    for worded in answered.notes {
        let Some(index) = worded.n.checked_sub(1) else { continue };
        let is_first = polished.iter().all(|known| known.index != index);
        if let Some(note) = notes.get(index).filter(|_| is_first)
            && let Some((title, body)) = believed(note, &worded)
        {
            polished.push(Polished { index, title, body });
        }
    }
    Ok(polished)
}

/// The words of an answer that rest on what the note says and quotes, where any of them differ from the note's.
fn believed(note: &NoteToPolish, worded: &PolishedNote) -> Option<(String, String)> {
    let better = title(&worded.title);
    let evidence = evidence(note);
    let grounds = SupportingWords::of(&evidence, &[]).with_words(&note.title);
    let said = evidence.iter().filter(|piece| piece.role == Role::User).map(|piece| piece.quote.as_str());
    let says_something = better.chars().filter(|c| c.is_alphanumeric()).count() >= 8;
    let rests = grounds.carry(&better, TITLE) && !is_reversed(&better, said.chain([note.title.as_str()]));
    if !says_something || !rests {
        return None;
    }
    let text = worded.body.trim();
    let is_carried = !text.is_empty() && grounds.with_words(&note.body).carry(text, BODY);
    let body = if is_carried { head(text, 2_000).to_owned() } else { note.body.clone() };
    (better != note.title || body.trim() != note.body.trim()).then_some((better, body))
}

fn evidence(note: &NoteToPolish) -> Vec<Evidence> {
    let piece = |(at, (role, quote)): (usize, &(Role, String))| Evidence {
        uuid: String::new(),
        line: at as u64 + 1,
        role: *role,
        quote: quote.clone(),
    };
    note.quotes.iter().enumerate().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(title: &str, quote: &str) -> NoteToPolish {
        NoteToPolish {
            title: title.to_owned(),
            body: title.to_owned(),
            quotes: vec![(Role::User, quote.to_owned())],
        }
    }

    fn worded(title: &str) -> PolishedNote {
        PolishedNote { n: 1, title: title.to_owned(), body: "The person said so of the importer.".to_owned() }
    }

    #[test]
    fn words_that_say_something_else_are_not_believed() {
        let rule = note(
            "nothing in there is ever changed",
            "nothing in there is ever changed, handle it in the loader",
        );
        let kept = |title: &str| believed(&rule, &worded(title)).map(|(title, _)| title);
        let better = "Never change anything in there: handle it in the loader";
        assert_eq!(kept(better).as_deref(), Some(better));
        assert_eq!(kept("Push straight to the main branch"), None);
        assert_eq!(kept(""), None);
        let never = note("Never use a fixed sleep", "never use a fixed sleep in tests");
        assert_eq!(believed(&never, &worded("Use a fixed sleep in tests")), None, "turned round");
        let (_, body) = believed(&never, &worded("Never use a fixed sleep in tests")).unwrap();
        assert_eq!(body, never.body, "a text about something else does not take its place");
    }

    #[test]
    fn batches_are_bounded_and_hold_one_at_least() {
        let small: Vec<NoteToPolish> = (0..40).map(|at| note(&format!("Rule {at}"), "always")).collect();
        assert_eq!(batch(&small), NOTES);
        let long =
            NoteToPolish { quotes: vec![(Role::User, "x".repeat(9_000)); 60], ..note("Rule", "always") };
        assert_eq!(batch(&[long]), 1);
        let text = prompt(&small[..2]);
        assert!(text.contains("(2) Rule 1") && text.len() < 400, "{text}");
    }
}
