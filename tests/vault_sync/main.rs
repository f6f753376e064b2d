//! One vault, two machines: real Syncthing and real git between two homes of the built binary.
//!
//! `scripts/prepare` installs them; where it cannot, the tests say so and pass. No server is asked: Syncthing is told to find nobody, and its two instances know each other's ports.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test binary")]

mod git;
mod machine;
mod syncthing;
