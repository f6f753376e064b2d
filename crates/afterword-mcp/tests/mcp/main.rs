//! A real MCP client and the server on a duplex pipe, over a real state directory and a real vault.

#![allow(clippy::unwrap_used, reason = "clippy knows tests by their attribute, not the files they share")]

mod attempts;
mod host;
mod memory;
mod reflection;
mod surface;
mod tasks;
