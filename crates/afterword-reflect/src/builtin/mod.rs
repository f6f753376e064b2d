//! The built-in engine: mines lessons and ideas without a language model, a key or a network.
//!
//! Two passes run over the same stream of events. What the person said becomes [`moment`]s, what the agent said while it
//! looked for a cause becomes [`remark`]s; each is reduced to named [`features`] and weighed by a small [`model`]. Moments
//! that belong together form a thread, remarks an investigation; `wording` makes notes of them. What comes three
//! times is a pattern (`repetition`), what is taken back is dropped (`taken_back`). Start reading at [`Miner`].

pub mod act;
mod agreement;
mod asks;
mod cause;
mod choice;
pub mod clause;
pub mod context;
pub mod cues;
mod difference;
mod doubt;
mod draft;
mod essence;
mod exception;
mod extent;
pub mod features;
mod filed;
mod foreign;
mod fragment;
pub mod guidance;
mod heading;
mod history;
mod investigation;
mod issue;
mod kinds;
pub mod language;
pub mod linear;
pub(crate) mod mended;
mod mine;
pub mod model;
pub mod models;
pub mod moment;
pub mod ngrams;
pub mod outright;
pub mod pair;
mod passing;
pub(crate) mod phrase;
mod plain;
mod promise;
mod put_off;
mod quantity;
mod question;
pub mod reading;
mod reasons;
mod redone;
pub mod remark;
pub(crate) mod repair;
mod repetition;
mod restated;
mod revision;
mod routine;
mod settled;
mod specification;
mod standing;
pub mod subject;
mod swap;
mod taken_back;
mod thread;
pub mod topic;
pub mod turning;
mod whole;
mod wish;
mod withdrawal;
mod wording;
pub(crate) mod words;

pub use difference::{Difference, difference};
pub use essence::essence;
pub use exception::is_exception;
pub use guidance::{alone_changes, guidance, says_for_good};
pub use history::History;
pub use mine::{Mined, Miner, Observation, ToldBefore};
pub use models::Models;
pub use revision::{LEAST, Revision};
pub use withdrawal::only_withdraws;
