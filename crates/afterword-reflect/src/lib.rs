//! From a session's events to candidates: the engines, and the redaction every text passes through.
//!
//! Start reading at [`builtin`]; [`outcome`] judges how a session ended; [`client`] runs the user's own Claude Code. This crate knows nothing of the scheduler, the vault's files or SQL.

pub mod builtin;
pub mod client;
pub mod engine;
pub mod outcome;
pub mod redact;
