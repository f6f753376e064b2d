//! What a reflection job leaves with itself: the figures that whoever asked for it is told.

use afterword_core::Kind;
use serde::{Deserialize, Serialize};

use afterword_app::note_change::{NoteChange, NoteChangeKind, WaitingPlace};
use afterword_app::reflect::Reflection;

/// Insights told of where nobody said how many.
const INSIGHTS: usize = 5;

/// The result of a reflection job. Lessons that say what is so or wished are insights, those that say how to proceed
/// are procedures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReflectionResult {
    /// Preferences and fixes that became notes.
    pub insights_created: usize,
    /// Workflows that became notes.
    pub procedures_created: usize,
    /// Ideas that became notes.
    pub ideas_created: usize,
    /// Of all new notes, those that wait for the user's review.
    pub waiting_for_review: usize,
    /// The first of the insights.
    pub insights: Vec<Insight>,
    /// The first of the procedures.
    pub procedures: Vec<Insight>,
    /// Entries of transcripts that were read.
    pub memories_analyzed: u64,
    /// Nothing was read, because nothing changed since the last time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
    /// Nothing was read, because the session is `excluded` by the user or Afterword's `own`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed_over: Option<String>,
}

/// A note that came of a reflection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insight {
    /// What sort of lesson it is.
    pub kind: Kind,
    /// What it says, in a sentence.
    pub title: String,
    /// The note, below the vault's root.
    pub path: String,
    /// It waits for the user's review.
    pub waits: bool,
}

impl ReflectionResult {
    /// What a reflection did, with at most `most` insights and procedures named.
    pub(super) fn of(reflection: &Reflection, most: Option<u32>) -> Self {
        let most = most.map_or(INSIGHTS, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let mut result = Self {
            memories_analyzed: reflection.sessions.iter().map(|session| session.entries).sum(),
            ..Self::default()
        };
        for note in reflection.notes.iter().filter(|note| note.refused.is_none()) {
            let NoteChangeKind::Lesson { kind } = note.what else { continue };
            result.waiting_for_review += usize::from(note.waits == Some(WaitingPlace::Review));
            let (number, list) = match kind {
                Kind::Workflow => (&mut result.procedures_created, Some(&mut result.procedures)),
                Kind::Preference | Kind::Fix => (&mut result.insights_created, Some(&mut result.insights)),
                Kind::Idea => (&mut result.ideas_created, None),
            };
            *number += 1;
            if let Some(list) = list.filter(|list| list.len() < most) {
                list.push(insight(kind, note));
            }
        }
        result
    }
}

fn insight(kind: Kind, note: &NoteChange) -> Insight {
    let (title, path) = (note.title.clone(), note.path.clone());
    Insight { kind, title, path, waits: note.waits == Some(WaitingPlace::Review) }
}
