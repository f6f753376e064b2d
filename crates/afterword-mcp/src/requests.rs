//! What can be asked. What is left out, or `null`, has the default; what the client is shown of it is in `schema`.

use afterword_app::attempts::AttemptOutcome;
use afterword_app::feedback::FeedbackKind;
use afterword_app::note_change::WaitingPlace;
use afterword_app::searching::{HitKind, Status};
use afterword_core::{LessonKind, LessonScope};
use serde::Deserialize;

/// Which figures are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StatsScope {
    /// Jobs that reflect.
    Reflection,
    /// What waits for the user.
    Review,
    /// What is indexed.
    Memory,
    /// All of them.
    #[default]
    All,
}

/// Ask for a reflection.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReflectRequest {
    /// Whose it is; `local` when left out.
    pub(crate) user_id: Option<String>,
    /// What to look for above all, in a sentence.
    pub(crate) focus: Option<String>,
    /// At most so many insights in the result, 1 to 50; 5 when left out. All that is found is kept.
    pub(crate) max_insights: Option<u32>,
    /// Reflect even when nothing is new since the last time; limited in number.
    pub(crate) force: Option<bool>,
    /// Session id or transcript path; this session when left out.
    pub(crate) session: Option<String>,
}

/// Name a job.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobRequest {
    /// The job's id, as `reflect` answered it.
    pub(crate) job_id: String,
    /// Whose it is; `local` when left out.
    pub(crate) user_id: Option<String>,
}

/// Ask for figures.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatsRequest {
    /// All when left out.
    pub(crate) scope: Option<StatsScope>,
    /// Whose it is; `local` when left out.
    pub(crate) user_id: Option<String>,
}

/// Give a lesson, or note one that was seen once.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LessonRequest {
    /// What sort of lesson.
    pub(crate) kind: LessonKind,
    /// The lesson in one sentence that can be followed without this session; at most 160 characters.
    pub(crate) title: String,
    /// More about it, as markdown: the situation it holds in, the user's words quoted.
    pub(crate) body: Option<String>,
    /// Where it holds; in this project when left out.
    pub(crate) scope: Option<LessonScope>,
}

/// Put a better lesson in the place of one that counts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvolveRequest {
    /// The lesson it takes the place of: its note's id, the start of it, or its path.
    pub(crate) supersedes: String,
    /// What sort of lesson.
    pub(crate) kind: LessonKind,
    /// The new lesson in one sentence; at most 160 characters.
    pub(crate) title: String,
    /// More about it, as markdown.
    pub(crate) body: Option<String>,
    /// Where it holds; in this project when left out.
    pub(crate) scope: Option<LessonScope>,
}

/// Name a session to look into.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InspectRequest {
    /// Session id, the start of one, or a transcript's path; this session when left out.
    pub(crate) session: Option<String>,
}

/// Look for lessons.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetrieveRequest {
    /// What to look for, in plain words.
    pub(crate) query: String,
    /// At most so many, 1 to 50; 10 when left out.
    pub(crate) limit: Option<u32>,
    /// Only lessons of this project, by its name.
    pub(crate) project: Option<String>,
    /// Only these kinds.
    pub(crate) kinds: Option<Vec<HitKind>>,
    /// Only attempts that ended so.
    pub(crate) outcomes: Option<Vec<AttemptOutcome>>,
    /// Only what has one of these tags.
    pub(crate) tags: Option<Vec<String>>,
    /// Only these; active ones when left out.
    pub(crate) statuses: Option<Vec<Status>>,
}

/// Choose what waits.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListRequest {
    /// Only lessons of this project, by its name.
    pub(crate) project: Option<String>,
    /// Where they wait; everywhere when left out.
    pub(crate) waits: Option<WaitingPlace>,
    /// At most so many, 1 to 100; 20 when left out.
    pub(crate) limit: Option<u32>,
}

/// Name a lesson that waits.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteRequest {
    /// The lesson: its id, the start of it, or its note's path.
    pub(crate) id: String,
}

/// Keep a lesson in other words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditRequest {
    /// The lesson: its id, the start of it, or its note's path.
    pub(crate) id: String,
    /// Its title in the user's words; as it is when left out.
    pub(crate) title: Option<String>,
    /// Its text in the user's words, as markdown; as it is when left out.
    pub(crate) body: Option<String>,
}

/// Refuse a lesson.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RejectRequest {
    /// The lesson: its id, the start of it, or its note's path.
    pub(crate) id: String,
    /// Why, in the user's words.
    pub(crate) reason: Option<String>,
    /// Where it is not to be offered again; in its project when left out.
    pub(crate) scope: Option<LessonScope>,
}

/// Keep a lesson in the place of another.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SupersedeRequest {
    /// The lesson that waits: its id, the start of it, or its note's path.
    pub(crate) id: String,
    /// The lesson that counts now and is to make way.
    pub(crate) supersedes: String,
    /// Its title in the user's words; as it is when left out.
    pub(crate) title: Option<String>,
    /// Its text in the user's words, as markdown; as it is when left out.
    pub(crate) body: Option<String>,
}

/// Say what came of a lesson.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeedbackRequest {
    /// The lesson: its note's id, the start of it, or its path.
    pub(crate) id: String,
    /// What came of it.
    pub(crate) worth: FeedbackKind,
    /// Why.
    pub(crate) reason: Option<String>,
}
