//! Attempts: what was tried at a task, how it ended, and what to try next; told by an agent while it works, or judged from a
//! session's own signals when it ends.
//!
//! They live in the database and stand in the search index beside the lessons. Only the latest of a session and of a
//! project are kept (`attempts.most_per_session`, `attempts.most_per_project`). Lessons that a person is to keep are notes,
//! and none of this room's. Start at [`crate::attempts::new::store_attempt`]
//! and [`crate::attempts::search::search_attempts`].

mod figures;
mod judged_sessions;
mod new;
mod past;
mod prompt;
mod requested_projects;
mod search;
mod summary;
mod tags;
#[cfg(test)]
mod tests;
pub(crate) mod weeks;

pub use afterword_store::{Attempt, AttemptOutcome};
pub use figures::{AttemptFigures, attempt_figures};
pub(crate) use figures::{count_lessons_found, relevant};
pub(crate) use judged_sessions::{attempt_of, store_outcome};
pub use new::{NewAttempt, store_attempt};
pub use past::past_lessons;
pub use prompt::prompt;
pub use search::{AttemptHit, AttemptHits, AttemptQuery, recent_attempts, search_attempts};
pub use summary::{AttemptSummary, Pattern, attempts_summary};

/// Attempts that are ever listed at once: who asks for more asks for all.
pub const MOST_LISTED: usize = 1000;
pub use crate::indexing::ATTEMPT as KIND;
