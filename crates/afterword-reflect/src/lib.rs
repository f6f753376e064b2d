//! From a session's events to candidates: the engines, and the redaction every text passes through.
//!
//! Start reading at [`builtin`]; [`outcome`] judges how a session ended. This crate knows nothing of the scheduler, the vault's files or SQL.

pub mod builtin;
pub mod engine;
pub mod outcome;
pub mod redact;
