//! Directories of Claude Code whose sessions are set aside: nobody follows them.
//!
//! Who follows which is said by the agent at work, whose environment may be another than this process's: a `CLAUDE_CONFIG_DIR` that only a
//! shell sets is none of an agent that was started from the desktop. Start at [`SetAside::find`].

use std::path::{Path, PathBuf};

use afterword_claude_code::ClaudeDirs;
use afterword_claude_code::dirs::claude_directory_of;
use afterword_claude_code::home::settings_of;
use afterword_claude_code::install::connected_directories;
use afterword_claude_code::markers::Markers;
use afterword_core::hidden::escape_hidden;
use afterword_platform::files::is_same_place;

use crate::agent_lock::running_agent;
use crate::health::Check;
use crate::{Config, Paths};

/// The command that says which directories are followed beside the main one.
pub(super) const FOLLOW_DIRECTORIES: &str = "afterword config set claude.other_dirs";

/// The directories that are followed, and those that are not and have sessions all the same.
pub(super) struct SetAside {
    followed: ClaudeDirs,
    aside: Vec<(PathBuf, Reason)>,
    /// What the setting would hold if all of them were followed.
    listed: Vec<PathBuf>,
}

/// By what a directory that is not followed is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// Its settings have our hooks.
    Connected,
    /// Claude Code runs with it here, and the agent at work does not follow it.
    Here,
    /// A hook told of one of its sessions.
    Told,
}

impl SetAside {
    /// Looks at what is connected, at what hooks told, and at what is followed here.
    pub(super) fn find(here: &ClaudeDirs, config: &Config, paths: &Paths) -> Self {
        let agent = running_agent(paths).ok().flatten().flatten();
        let followed = agent.and_then(|card| ClaudeDirs::of_roots(&card.claude_dirs));
        let followed = followed.unwrap_or_else(|| here.clone());
        let connected = connected_directories(&paths.state).into_iter().map(|one| (one, Reason::Connected));
        let own = (here.main().root().to_owned(), Reason::Here);
        let markers = Markers::new(paths).open().unwrap_or_default();
        let told = markers.into_iter().filter_map(|(_, marker)| marker.transcript_path);
        let told = told.map(|path| (claude_directory_of(&path).to_owned(), Reason::Told));
        let mut aside: Vec<(PathBuf, Reason)> = Vec::new();
        for (directory, reason) in connected.chain([own]).chain(told) {
            let is_there = reason != Reason::Here || directory.is_dir();
            if is_there && !followed.follows_directory(&directory) && !holds(&aside, &directory) {
                aside.push((directory, reason));
            }
        }
        // One that is not there would be refused, and the whole list with it.
        let there = aside.iter().map(|(directory, _)| directory).filter(|directory| directory.is_dir());
        let mut listed: Vec<PathBuf> = Vec::new();
        for directory in config.claude_other_dirs.iter().chain(there) {
            if !listed.iter().any(|known| is_same_place(known, directory)) {
                listed.push(directory.clone());
            }
        }
        Self { followed, aside, listed }
    }

    /// The directories that the agent at work follows, or where none is, those that this process does.
    pub(super) fn followed(&self) -> &ClaudeDirs {
        &self.followed
    }

    /// Whether sessions of a directory are set aside.
    pub(super) fn has(&self, directory: &Path) -> bool {
        holds(&self.aside, directory)
    }

    /// The directories that the setting names, and those that are set aside.
    pub(super) fn listed(&self) -> &[PathBuf] {
        &self.listed
    }

    /// A line for each, with one command that follows all of them: it sets the whole list.
    pub(super) fn checks(&self) -> Vec<Check> {
        let listed: String = self
            .listed
            .iter()
            .map(|directory| format!(" '{}'", escape_hidden(&directory.display().to_string())))
            .collect();
        let all = if self.aside.len() == 1 { "it" } else { "all that are set aside" };
        let follow = format!("`{FOLLOW_DIRECTORIES}{listed}` follows {all}");
        self.aside.iter().map(|(directory, reason)| check(directory, *reason, &follow)).collect()
    }
}

fn holds(aside: &[(PathBuf, Reason)], directory: &Path) -> bool {
    aside.iter().any(|(known, _)| is_same_place(known, directory))
}

fn check(directory: &Path, reason: Reason, follow: &str) -> Check {
    const NAME: &str = "Claude Code";
    let place = directory.display().to_string();
    let place = escape_hidden(&place);
    let (message, advice) = match reason {
        Reason::Connected => {
            let settings = settings_of(directory);
            let quiet =
                format!("it is quiet without the entries of `afterword hook` in {}", settings.display());
            (
                format!("{place}: not followed, but still connected: what its hooks tell is set aside"),
                format!("{follow}; {quiet}"),
            )
        }
        Reason::Here => (
            format!(
                "{place}: Claude Code runs with it here, but the agent at work does not follow it: its sessions are set aside"
            ),
            follow.to_owned(),
        ),
        Reason::Told => (
            format!("{place}: not followed: what hooks tell of its sessions is set aside"),
            format!("{follow}; it is quiet without Afterword's hooks or plugin in its Claude Code"),
        ),
    };
    Check::warn(NAME, message, advice)
}
