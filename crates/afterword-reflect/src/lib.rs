//! From a session's events to candidates: the engines, and the redaction every text passes through.
//!
//! Start reading at [`builtin`]. This crate knows nothing of the scheduler, the vault's files or SQL.

pub mod builtin;
pub mod redact;
