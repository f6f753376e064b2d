//! What can be asked, as the client is told it. What is left out, or `null`, has the default.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;

/// Ask for a reflection.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(crate) struct ReflectRequest {
    /// Whose it is.
    pub(crate) user_id: Option<String>,
    /// What to look for above all.
    pub(crate) focus: Option<String>,
    /// Insights in the answer, 1 to 50, else 5.
    pub(crate) max_insights: Option<u32>,
    /// Also when nothing is new.
    pub(crate) force: Option<bool>,
    /// Id or transcript; else this session.
    pub(crate) session: Option<String>,
}

/// Name a job.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(crate) struct JobRequest {
    /// As `reflect` answered it.
    pub(crate) job_id: String,
    /// Whose it is.
    pub(crate) user_id: Option<String>,
}

/// Ask for figures.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(crate) struct StatsRequest {
    /// `reflection`, `review`, `memory`; else all.
    pub(crate) scope: Option<String>,
    /// Whose they are.
    pub(crate) user_id: Option<String>,
}

/// Give a lesson.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveRequest {
    /// `preference` (how the user wants things), `workflow` (a way of working that proved itself) or `fix` (a problem with its
    /// cause or workaround).
    pub(crate) kind: String,
    /// The lesson in one sentence that can be followed without this session; at most 160 characters.
    pub(crate) title: String,
    /// More about it, as markdown: the situation it holds in, the user's words quoted.
    pub(crate) body: Option<String>,
    /// Whether it holds in this project only, or everywhere: `project` or `everywhere`; `project` when left out.
    pub(crate) scope: Option<String>,
}

/// Put a better lesson in the place of one that counts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvolveRequest {
    /// The lesson it takes the place of: its note's id, the start of it, or its path.
    pub(crate) supersedes: String,
    /// `preference`, `workflow` or `fix`.
    pub(crate) kind: String,
    /// The new lesson in one sentence; at most 160 characters.
    pub(crate) title: String,
    /// More about it, as markdown.
    pub(crate) body: Option<String>,
    /// `project` or `everywhere`; `project` when left out.
    pub(crate) scope: Option<String>,
}

/// Name a session to look into.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InspectRequest {
    /// Session id, the start of one, or a transcript's path; this session when left out.
    pub(crate) session: Option<String>,
}

/// Look for lessons.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(crate) struct RetrieveRequest {
    /// In plain words.
    pub(crate) query: String,
    /// 1 to 50, else 10.
    pub(crate) limit: Option<u32>,
    /// By its name.
    pub(crate) project: Option<String>,
    /// Of `preference`, `workflow`, `fix`, `idea`, `reference`, `attempt`.
    pub(crate) kinds: Option<Vec<String>>,
    /// Of attempts: `success`, `partial`, `failure`.
    pub(crate) outcomes: Option<Vec<String>>,
    /// One of them.
    pub(crate) tags: Option<Vec<String>>,
    /// Of `active`, `inbox`, `superseded`, `archived`; else `active`.
    pub(crate) statuses: Option<Vec<String>>,
}

/// Choose what waits.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListRequest {
    /// Only lessons of this project, by its name.
    pub(crate) project: Option<String>,
    /// `review` (put up for an answer) or `inbox` (barely seen); both when left out.
    pub(crate) waits: Option<String>,
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
    /// Where it is not to be offered again: `project` or `everywhere`; `project` when left out.
    pub(crate) scope: Option<String>,
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

/// Note something seen once.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(crate) struct ObserveRequest {
    /// `preference`, `workflow` or `fix`.
    pub(crate) kind: String,
    /// In a sentence that can be followed without this session.
    pub(crate) title: String,
    /// The situation, what was seen.
    pub(crate) body: Option<String>,
    /// `project` or `everywhere`; else `project`.
    pub(crate) scope: Option<String>,
}

/// Say what came of a lesson.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(crate) struct FeedbackRequest {
    /// The lesson: id or path.
    pub(crate) id: String,
    /// `applied`, `helped`, `ignored` or `contradicted` (it turned out wrong).
    pub(crate) worth: String,
    /// Why.
    pub(crate) reason: Option<String>,
}
