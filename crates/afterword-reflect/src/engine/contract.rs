//! The one answer all engines give: its schema, its instructions, and reading it.

use afterword_core::{Confidence, Kind, Signal};
use serde::Deserialize;

/// The JSON schema every engine answers by.
pub const SCHEMA: &str = include_str!("schema.json");
/// What a model is told. A change of words is a new file with a new number.
pub const INSTRUCTIONS: &str = include_str!("prompts/synthesis.v2.md");
/// The number of the instructions, kept with what was found by them.
pub const INSTRUCTIONS_VERSION: &str = "synthesis.v2";

/// Most candidates taken from an answer.
const MOST_CANDIDATES: usize = 24;

/// An answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// What the model asked itself.
    pub questions: Vec<String>,
    /// What it says may be learnt.
    pub candidates: Vec<Proposed>,
    /// Web results it says are worth keeping.
    #[serde(default)]
    pub pages: Vec<Chosen>,
    /// What whoever reads on should know.
    #[serde(default)]
    pub handoff: String,
}

/// A web result a model chose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// Its number in the prompt, from 1.
    pub number: usize,
    /// What it is about.
    pub topic: String,
}

/// A candidate as a model proposes it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposed {
    /// What sort of note.
    pub kind: Kind,
    /// What made it.
    pub signal: Signal,
    /// How sure.
    pub confidence: Confidence,
    /// One sentence.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// Why.
    pub rationale: String,
    /// The words it rests on.
    pub evidence: Vec<Quoted>,
}

/// Words a model quotes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quoted {
    /// The line they are said to stand in.
    pub line: u64,
    /// The words.
    pub quote: String,
}

/// Reads an answer. Models put JSON into fences and talk around it; what stands between the first and the last brace counts.
///
/// # Errors
/// What is wrong with it, in words that can be told to the model.
pub fn read(text: &str) -> Result<Answered, String> {
    let mut answered: Answered = object(text)?;
    answered.candidates.truncate(MOST_CANDIDATES);
    Ok(answered)
}

/// The object of an answer.
pub(super) fn object<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    let start = text.find('{').ok_or("there is no JSON object in it")?;
    let end = text.rfind('}').filter(|end| *end > start).ok_or("the JSON object is not closed")?;
    serde_json::from_str(&text[start..=end]).map_err(|error| error.to_string())
}
