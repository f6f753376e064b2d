//! The answer all engines give: its schema, its instructions, and reading it. Small models have a shorter form.

use std::sync::LazyLock;

use afterword_core::json_mismatch::json_mismatch;
use afterword_core::{Confidence, Kind, LessonScope, Signal};
use serde::Deserialize;

/// The number of the instructions, kept with what was found by them.
pub const INSTRUCTIONS_VERSION: &str = "synthesis.v9";

/// Most lessons and verdicts taken from an answer.
const MOST_LESSONS: usize = 24;
const MOST_VERDICTS: usize = 60;

/// How a model is asked and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// All the person said, with the candidates of the rules, each to be answered for.
    Full,
    /// For small models: less of the session, and lessons alone, which are added to what was found and change none of it.
    Brief,
}

impl AnswerForm {
    /// The JSON schema of the answer, without the white space that people read it by.
    pub fn schema(self) -> &'static str {
        static FULL: LazyLock<String> = LazyLock::new(|| dense(include_str!("schema.json")));
        static BRIEF: LazyLock<String> = LazyLock::new(|| dense(include_str!("schema.brief.json")));
        match self {
            Self::Full => &FULL,
            Self::Brief => &BRIEF,
        }
    }

    /// What a model is told. A change of words is a new file with a new number.
    pub fn instructions(self) -> &'static str {
        match self {
            Self::Full => include_str!("prompts/synthesis.v9.md"),
            Self::Brief => include_str!("prompts/synthesis.brief.v4.md"),
        }
    }

    /// Reads an answer. Models put JSON into fences and talk around it; what stands between the first and the last brace
    /// counts.
    ///
    /// # Errors
    /// What is wrong with it, in words that can be told to the model.
    pub fn read(self, text: &str) -> Result<ModelAnswer, String> {
        let mut answered = match self {
            Self::Full => object::<ModelAnswer>(text)?,
            Self::Brief => object::<BriefAnswer>(text)?.into(),
        };
        answered.lessons.truncate(MOST_LESSONS);
        answered.candidates.truncate(MOST_VERDICTS);
        Ok(answered)
    }
}

/// JSON without white space between its parts.
pub(super) fn dense(json: &str) -> String {
    json.lines().map(str::trim).collect::<Vec<_>>().join("").replace("\": ", "\":").replace(", \"", ",\"")
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelAnswer {
    /// What is to become of the candidates it was shown.
    pub candidates: Vec<CandidateAnswer>,
    /// What it says may be learnt.
    pub lessons: Vec<Proposed>,
    /// Web results it says are worth keeping.
    #[serde(default)]
    pub pages: Vec<ChosenPage>,
    /// What whoever reads on should know.
    #[serde(default)]
    pub handoff: String,
    /// What it says of the session as a whole.
    #[serde(default)]
    pub session: AccountAnswer,
}

/// A session as an answer tells of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AccountAnswer {
    /// What the person wanted done, in a sentence.
    pub title: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it is said to have ended so.
    pub because: String,
    /// The line that shows it.
    pub line: u64,
    /// Its words.
    pub quote: String,
}

/// How a session ended, as an answer tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// What was asked for is done.
    Success,
    /// A part of it is.
    Partial,
    /// It is not.
    Failure,
    /// Nothing tells.
    #[default]
    Unclear,
}

/// What is to become of a candidate.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidateAnswer {
    /// Its number, from 1.
    pub n: usize,
    /// What is to become of it.
    pub verdict: CandidateVerdict,
    /// With which other it is merged; 0 for none.
    #[serde(default)]
    pub with: usize,
    /// A short reason.
    #[serde(default)]
    pub why: String,
}

/// What is to become of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CandidateVerdict {
    /// It stays as it is worded.
    Keep,
    /// It stays, in the words of a lesson with its number.
    Reword,
    /// It says the same as another, which takes its evidence.
    Merge,
    /// It is no lesson.
    Drop,
}

/// A web result a model chose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChosenPage {
    /// Its number in the prompt, from 1.
    pub number: usize,
    /// What it is about.
    pub topic: String,
}

/// A lesson as a model proposes it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposed {
    /// The candidate whose words it replaces; 0 for a new one.
    #[serde(default)]
    pub n: usize,
    /// What sort of note.
    pub kind: Kind,
    /// Where it holds.
    #[serde(default)]
    pub scope: LessonScope,
    /// What made it.
    pub signal: Signal,
    /// How sure.
    pub confidence: Confidence,
    /// One sentence.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// The words it rests on.
    pub evidence: Vec<Quoted>,
    /// The known lesson that says the same (`K1`); empty for none.
    #[serde(default)]
    pub same_as: String,
    /// The known lesson that no longer holds by it (`K1`); empty for none.
    #[serde(default)]
    pub replaces: String,
    /// Why it is worth keeping.
    #[serde(default)]
    pub why: String,
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

/// An answer in the short form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BriefAnswer {
    lessons: Vec<BriefLesson>,
    #[serde(default)]
    pages: Vec<ChosenPage>,
    #[serde(default)]
    handoff: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BriefLesson {
    kind: Kind,
    signal: Signal,
    confidence: Confidence,
    title: String,
    body: String,
    evidence: Vec<Quoted>,
}

impl From<BriefAnswer> for ModelAnswer {
    fn from(brief: BriefAnswer) -> Self {
        let BriefAnswer { lessons, pages, handoff } = brief;
        let lesson = |lesson: BriefLesson| Proposed {
            n: 0,
            kind: lesson.kind,
            scope: LessonScope::Project,
            signal: lesson.signal,
            confidence: lesson.confidence,
            title: lesson.title,
            body: lesson.body,
            evidence: lesson.evidence,
            same_as: String::new(),
            replaces: String::new(),
            why: String::new(),
        };
        Self {
            candidates: Vec::new(),
            lessons: lessons.into_iter().map(lesson).collect(),
            pages,
            handoff,
            session: AccountAnswer::default(),
        }
    }
}

/// The object of an answer.
pub(super) fn object<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    let start = text.find('{').ok_or("there is no JSON object in it")?;
    let end = text.rfind('}').filter(|end| *end > start).ok_or("the JSON object is not closed")?;
    serde_json::from_str(&text[start..=end]).map_err(|error| json_mismatch(&error))
}
