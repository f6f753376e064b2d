//! Claude Code transcripts: finding them, reading them as they grow, and reducing them to what matters.
//!
//! Start reading at [`event`], what a transcript is reduced to.

pub mod event;
