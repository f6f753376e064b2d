//! Claude Code as it is installed on this machine: where its files are, what its hooks tell, and how it is run.
//!
//! It owns the layout of Claude Code's directory, its settings and its own file (only what is ours in them is changed), how long it
//! keeps transcripts, what a hook leaves for the agent, and the one place that starts the client. It does not know what a
//! transcript says (`afterword-transcript`), what is asked of a model, nor what follows from a hook.
//!
//! Start reading at [`ClaudeHome`], [`ClaudeDirs`], [`discover()`], [`install`], [`hook`] and [`client`].

pub mod client;
mod client_process;
pub mod dirs;
pub mod discover;
mod error;
pub mod home;
pub mod hook;
pub mod install;
pub mod markers;
pub mod other_directories;
pub mod price;
pub mod repository_files;
pub mod resume;
pub mod retention;
pub mod spool;
pub mod user_settings;

pub use dirs::ClaudeDirs;
pub use discover::{FoundTranscripts, TranscriptFile, discover};
pub use error::ClaudeCodeError;
pub use home::{ClaudeHome, environment_of_process};
pub use resume::{resume_command, resume_line};
