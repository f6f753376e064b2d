//! What the vault promises, on real folders.

#![allow(clippy::unwrap_used, reason = "a test binary")]

mod answers;
mod changes;
mod conflicts;
mod disk;
mod editing;
mod expired;
mod hostile;
mod interleaved;
mod killed;
mod one_text;
mod paths;
mod references;
mod reflection;
mod remembering;
mod round_trip;
mod template;
mod test_vault;
mod user_edits;
