//! The real Claude Code client against the built program: hooks, following, MCP tools and the plugin, offline.
//!
//! The client (npm package `@anthropic-ai/claude-code`) is in the build directory, where `scripts/client` installs it, and never committed. It runs
//! with an environment of its own, a made-up home and a made-up key, and can reach nothing but the stub of the model on loopback. Where it is
//! not installed the tests say so and pass. Start at [`machine::Machine`]; `stub` is the model, `terminal` a person at a keyboard.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "clippy knows tests by their attribute, not the files they share")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod checks;
mod following;
mod hooks;
mod machine;
mod plugin;
mod recall;
mod repository;
mod stub;
mod tasks;
mod terminal;
mod tools;
