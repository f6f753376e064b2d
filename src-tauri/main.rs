//! The desktop program: see `lib.rs`.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    afterword_desktop::run()
}
