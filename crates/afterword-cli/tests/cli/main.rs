//! The built binary, end to end: what it prints, where, and how it exits. One file for each command, and one
//! [`TestEnv`](env::TestEnv) for all.

#![allow(clippy::unwrap_used, reason = "clippy knows tests by their attribute, not the files they share")]

mod attempts;
mod bind;
mod completions;
mod config;
mod directories;
#[cfg(target_os = "linux")]
mod disks;
mod doctor;
mod env;
mod exchange;
#[cfg(target_os = "linux")]
mod failing_machine;
mod find;
mod guide;
mod hook;
#[cfg(unix)]
mod hook_of_a_killed_client;
mod init;
mod inspect;
mod install;
mod install_service;
#[cfg(target_os = "linux")]
mod keys;
mod killed;
mod licences;
mod mcp;
#[cfg(unix)]
mod outside_reader;
#[cfg(target_os = "linux")]
mod polish;
mod projects;
mod quick_start;
mod reference;
mod reflect;
#[cfg(target_os = "linux")]
mod refused_thread;
#[cfg(target_os = "linux")]
mod remote;
mod review;
mod running;
mod search;
mod search_model;
mod sessions;
#[cfg(target_os = "linux")]
mod sign_in;
mod stats;
mod task;
mod terminal;
mod why;
#[cfg(windows)]
mod windows;
#[cfg(target_os = "linux")]
mod wsl;
