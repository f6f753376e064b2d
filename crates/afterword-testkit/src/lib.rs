//! What the tests of several rooms share, so that each is written once: a machine of its own for each test ([`Sandbox`]), transcripts
//! as Claude Code writes them ([`transcript`]), a provider of models on loopback ([`provider`]), Claude Code's service
//! there ([`messages_api`]) and the real client that asks it ([`real_client`]), a clock that stands still ([`now`]),
//! the processor's time for benchmarks ([`cpu_time`]),
//! processes that end with their test ([`ChildGuard`]) and waiting for them ([`until`]). For tests from outside, the built binary
//! ([`program`]) and the protocol's own suite ([`conformance`]).
//! With the feature `app` also the use cases on that machine and a program in the client's place (`stand_in`).
//!
//! Only a development dependency. Knows no rule of the program; what a test expects stands in the test.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test that called it")]

mod clock;
pub mod conformance;
mod copies;
mod cpu;
pub mod messages_api;
pub mod program;
pub mod provider;
pub mod real_client;
#[cfg(feature = "app")]
mod request;
mod running;
mod sandbox;
#[cfg(feature = "app")]
pub mod stand_in;
pub mod transcript;

pub use clock::{at, now};
pub use copies::{CopiedSessions, copy_sessions};
pub use cpu::{cpu_time, time_and_cpu};
#[cfg(feature = "app")]
pub use request::all_changed;
pub use running::{ChildGuard, until, until_some};
pub use sandbox::{Sandbox, files_below, notes_below, samples, set_modified};
