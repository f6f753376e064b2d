//! `afterword sessions`, `find`

use std::path::PathBuf;

use afterword_app::ExportForm;
use clap::{Args, Subcommand, ValueHint};

use super::one_of;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Sessions {
    #[command(subcommand)]
    pub(crate) command: Option<SessionsCommand>,
    /// List only sessions of projects whose path ends with, or lies below, this, or that you let count as it
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// List only sessions active within this time, as in `7d`, `12h` or `2026-03-01`
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Show what happened to one session, by its id or the start of it, instead of the list
    #[arg(long, value_name = "SESSION", conflicts_with_all = ["project", "since"])]
    pub(crate) timeline: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// Write a session down as a document, without its secrets
    Export(ExportSession),
    /// Restore a session's transcript from its copy, byte for byte
    Restore(RestoreSession),
    /// Copy what changed, where `archive.sessions` is set, and show what the archive holds
    Archive,
}

#[derive(Debug, Args)]
pub(crate) struct ExportSession {
    /// Session id, the start of one, or the path of a transcript
    #[arg(value_name = "SESSION|PATH", value_hint = ValueHint::FilePath)]
    pub(crate) session: String,
    /// Write this form
    #[arg(long, value_name = "FORM", value_parser = one_of(ExportForm::ALL, ExportForm::as_str), default_value = "markdown")]
    pub(crate) format: ExportForm,
    /// Write to this file, or to a new one in this folder [default: stdout]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreSession {
    /// Session id, or the start of one
    pub(crate) session: String,
    /// Restore it below this folder [default: where Claude Code had it]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) to: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Find {
    /// Words that all occur in a line, and "phrases in quotes"; there are no operators
    pub(crate) query: String,
    /// Search only sessions of this project: its path, its name, or the end of its path
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// Search only sessions active within this time, as in `7d`, `12h` or `2026-03-01`
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Search only what you said
    #[arg(long)]
    pub(crate) only_me: bool,
    /// Show at most this many sessions
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
}
