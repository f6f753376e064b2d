//! Sets of numbers that are hashes already.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// A set of hashes, which are not hashed again.
pub(crate) type Hashes = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

/// Takes a hash for what it is.
#[derive(Debug, Default)]
pub(crate) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
