//! Transcripts as clients write them, and what is read in them.

#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

mod benchmark;
mod forged;
mod queued;
mod reading;
mod recorded;
mod rewinding;
mod tools;
mod words;
mod written;
