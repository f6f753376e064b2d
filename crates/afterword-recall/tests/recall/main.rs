//! Searching and comparing as a caller sees them.

#![allow(clippy::unwrap_used, reason = "clippy knows tests by their attribute, not the files they share")]

mod chosen;
mod comparing;
mod search;
