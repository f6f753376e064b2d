//! Checks: lessons that bind, by Claude Code's own hooks.
//!
//! A note's property `check` holds one or more lines in plain words ([`check::Check`]). Before a tool runs, and when a turn
//! ends, [`answer`] says whether one of them speaks against it. What binds is kept apart from the note, with the person's
//! yes ([`bindings`]); a check that anybody else wrote into a note binds nothing. Whatever cannot be read stops nothing: it
//! leaves a line in a log. Checks are data, never code. Start at [`answer::before_tool`].

pub use binding::{bind, checks, propose_checks, unbind};
pub(crate) use binding::{binds, checks_finding, has_binding_checks, renew_binding_checks};
pub use figures::check_figures;

mod agent_turn;
pub mod answer;
pub mod binding;
pub mod bindings;
pub mod check;
mod clause;
pub mod command;
pub mod figures;
mod on_disk;
mod past;
pub mod pattern;
pub mod propose;
#[cfg(test)]
mod rule_tests;
