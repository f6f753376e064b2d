//! `afterword projects`

use std::path::PathBuf;

use clap::{Subcommand, ValueHint};

use super::Consent;

#[derive(Debug, Subcommand)]
pub(crate) enum Projects {
    /// Let the folders, sessions and lessons of a project count as another
    Join {
        /// Project that they count as: its name, or one of its folders
        into: String,
        /// Project that is none of its own any more: its name, or one of its folders
        from: String,
        #[command(flatten)]
        consent: Consent,
    },
    /// Make a folder of a project one of its own; lessons of its sessions go with it
    Split {
        /// Project: its name, or one of its folders
        project: String,
        /// Part of a repository, a clone or a worktree
        #[arg(value_hint = ValueHint::DirPath)]
        folder: PathBuf,
        /// Name of the new project [default: the folder's]
        #[arg(long = "as", value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        consent: Consent,
    },
    /// Take back what was joined or split last
    Undo,
}
