//! Rests between pieces of work that nobody waits for, so that no core is kept busy.

use std::path::Path;

/// Whoever works in pieces asks between them.
pub trait Pause {
    /// A piece of work is done: rest where that is wanted. Says whether to go on.
    fn rest(&mut self) -> bool;

    /// So many files, of so many bytes together, are going to be read.
    fn planned(&mut self, _files: usize, _bytes: u64) {}

    /// A file was read.
    fn read(&mut self, _path: &Path, _bytes: u64) {}
}

/// Works without a rest.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPause;

impl Pause for NoPause {
    fn rest(&mut self) -> bool {
        true
    }
}
