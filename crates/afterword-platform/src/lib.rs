//! What Afterword asks of the operating system: where its files lie ([`paths`]), how they are read and written ([`files`]), who writes
//! ([`lock`]), which processes run ([`process`]), how others are started ([`command`]), by which path this program is started ([`program`]), the keyring ([`keyring`]), and what is
//! called otherwise on the other side of WSL ([`wsl`]).
//!
//! It knows no lesson, no vault, no database and nothing of Claude Code.

pub mod command;
pub mod files;
pub mod keyring;
pub mod lock;
pub mod paths;
pub mod process;
pub mod program;
pub mod wsl;

/// Whether this is a build for development. It has places, a service, keys and a single instance of its own, so that trying something shares
/// nothing with the installed program by accident.
pub const IS_FOR_DEVELOPMENT: bool = cfg!(debug_assertions);
