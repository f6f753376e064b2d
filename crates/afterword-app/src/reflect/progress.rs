//! What a long use case tells while it works.

use std::path::Path;

use super::SessionReflection;
use crate::Error;

/// A step of a reflection.
#[derive(Debug)]
pub enum Step<'a> {
    /// So many sessions, of so many bytes together, are going to be read.
    Planned {
        /// Sessions.
        sessions: usize,
        /// Bytes of their transcripts.
        bytes: u64,
    },
    /// A session is being read.
    Reading {
        /// Its transcript.
        transcript: &'a Path,
        /// Bytes of it.
        bytes: u64,
    },
    /// A session was mined.
    Mined {
        /// What it held.
        session: &'a SessionReflection,
        /// Bytes of its transcript.
        bytes: u64,
    },
    /// A session could not be read; the others go on.
    Failed {
        /// Its transcript.
        transcript: &'a Path,
        /// Bytes of it.
        bytes: u64,
        /// Why.
        error: &'a Error,
    },
    /// Notes are being written.
    Writing {
        /// Lessons and ideas on their way into the vault.
        lessons: usize,
    },
}

/// Whoever wants to know.
pub trait Progress {
    /// Takes a step's news; must return soon.
    fn step(&mut self, step: &Step<'_>);

    /// Whether to go on: asked before every session, and again and again while one is read. A session that was not read
    /// to its end leaves nothing; those before it are kept.
    fn goes_on(&self) -> bool {
        true
    }
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn step(&mut self, _step: &Step<'_>) {}
}
