//! The domain of Afterword: ids, candidates, lessons and the rules that hold for them everywhere.
//!
//! This crate is pure: no files, no SQL, no async, and time is always an argument. Start reading at
//! [`candidate`], the value that travels from a transcript to a note.

pub mod candidate;
pub mod circumstance;
pub mod content_key;
pub mod conversation;
pub mod error_chain;
pub mod heartbeat;
pub mod hidden;
pub mod ids;
pub mod job;
pub mod json_mismatch;
pub mod listing;
pub mod reason;
pub mod routing;
pub mod schedule;
pub mod secret;
pub mod session;

pub use candidate::{
    Candidate, Confidence, Evidence, Kind, LessonKind, LessonScope, OtherTelling, Role, Signal,
};
pub use circumstance::{is_circumstance, is_surrounding};
pub use content_key::{content_key, normalised_words};
pub use conversation::{Conversation, ConversationId, ConversationStatus, Schedule};
pub use ids::{ContentKey, NoteId, ProjectKey, SessionId};
pub use job::{
    ForcedLimit, IllegalMove, Job, JobId, JobMove, JobStatus, JobType, Lease, QueueRules, RateLimited,
    RetryRule, UserId, WorkerId,
};
pub use reason::{CountedReason, KnownReason, Reason};
pub use routing::{Destination, ReviewMode, route};
pub use secret::Secret;
pub use session::{SessionState, Trigger};
