//! Checks on what a session is about to do.
//!
//! This module owns how a shell line is taken apart and whether a pattern of a check matches one of its commands. It
//! reads no files and decides nothing about what may bind. Start at [`command::forbidden`].

pub mod command;
