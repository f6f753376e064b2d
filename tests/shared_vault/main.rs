//! One vault, two machines: real Syncthing and real git between two homes of the built binary.
//!
//! What is not on this machine is installed where that can be done (`apt-get`, as root); where it cannot, the test says
//! so and passes. No server is asked: Syncthing is told to find nobody, and its two instances know each other's ports.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test binary")]

mod git;
mod machine;
mod syncthing;
