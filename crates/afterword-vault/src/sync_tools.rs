//! What sync tools and editors leave in a folder: conflict copies, placeholders, files on their way.
//!
//! The names are those their makers document, or that were seen where they do not:
//! - Syncthing: `<name>.sync-conflict-<date>-<time>-<modifiedBy>.<ext>`
//!   (docs.syncthing.net/users/syncing.html, "Conflicting Changes"); temporary files `.syncthing.<name>.tmp` and, on
//!   Windows, `~syncthing~<name>.tmp` (`lib/fs/tempname.go`).
//! - Dropbox: "The editor's username, 'conflicted copy', and the save date will be added to the filename"
//!   (help.dropbox.com/syncing-uploads/conflicted-copy): `<name> (Ana's conflicted copy 2026-03-14).<ext>`.
//! - Nextcloud: `<name> (conflicted copy 2026-03-14 101112).<ext>`
//!   (docs.nextcloud.com, desktop manual, "Understanding conflicts").
//! - Obsidian Sync merges on its own (obsidian.md/help, "Troubleshoot Obsidian Sync", "Conflict resolution"); told to make
//!   conflict files instead, it names them `<name> (Conflicted copy <device> <date>).<ext>`.
//! - iCloud Drive: `<name> 2.<ext>` (mentalfaculty.tumblr.com/post/102519824251); a file that is not on this machine is
//!   a hidden `.<name>.icloud` (eclecticlight.co, "How iCloud marks the place of documents stored remotely"), since
//!   macOS 14 a file without data, flagged `SF_DATALESS` (`sys/stat.h`).
//! - OneDrive: `<name>-<computer>.<ext>` (support.microsoft.com, "Restrictions and limitations in OneDrive"); a file that is
//!   not on this machine carries one of three attributes (learn.microsoft.com, "File Attribute Constants").
//! - Google Drive: `<name> (1).<ext>`.
//! - git: conflict markers inside the file ([`git_conflict`](crate::git_conflict)).
//!
//! Names that people give as well (`note 2.md`) say nothing alone: they count only beside the original, and only if the
//! copy carries the same id or key.

use std::fs::Metadata;

use serde::{Deserialize, Serialize};

/// What made a conflict copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SyncTool {
    /// Syncthing.
    Syncthing,
    /// Dropbox, Nextcloud or Obsidian Sync, which all write "conflicted copy".
    ConflictedCopy,
    /// iCloud Drive or Google Drive, which count.
    Numbered,
    /// OneDrive, which adds the computer's name.
    ComputerName,
    /// git, which marks conflicts inside the file.
    Git,
    /// Afterword itself: what it would write into a note that a person changed.
    Afterword,
}

/// What stands behind the name of a note that the file proposes other words for.
const PROPOSAL: &str = " (Afterword proposes)";

impl SyncTool {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Syncthing => "Syncthing",
            Self::ConflictedCopy => "Dropbox, Nextcloud or Obsidian Sync",
            Self::Numbered => "iCloud Drive or Google Drive",
            Self::ComputerName => "OneDrive",
            Self::Git => "git",
            Self::Afterword => "Afterword",
        }
    }

    /// Whether nobody but the tool gives such names.
    pub(crate) fn is_certain(self) -> bool {
        matches!(self, Self::Syncthing | Self::ConflictedCopy | Self::Afterword)
    }
}

/// Whether a file has a name that nobody but a sync tool gives.
pub(crate) fn is_certainly_named(name: &str) -> bool {
    // Looked at first, as nearly no name has it.
    (name.to_ascii_lowercase().contains("conflict") || name.contains(PROPOSAL))
        && originals_of(name).iter().any(|(tool, _)| tool.is_certain())
}

/// The name of the file that proposes other words for a note.
pub(crate) fn proposal_for(name: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "md"));
    format!("{stem}{PROPOSAL}.{extension}")
}

/// The tools that may have given a file its name, each with the name of the file it is a copy of.
pub(crate) fn originals_of(name: &str) -> Vec<(SyncTool, String)> {
    let Some((stem, extension)) = name.rsplit_once('.') else { return Vec::new() };
    let mut found = Vec::new();
    let mut add = |tool, original: &str| {
        if !original.trim().is_empty() {
            found.push((tool, format!("{}.{extension}", original.trim_end())));
        }
    };
    if let Some((original, rest)) = stem.rsplit_once(".sync-conflict-")
        && is_syncthing_mark(rest)
    {
        add(SyncTool::Syncthing, original);
    }
    if let Some(original) = stem.strip_suffix(PROPOSAL) {
        add(SyncTool::Afterword, original);
    }
    if let Some((original, inside)) = stem.strip_suffix(')').and_then(|stem| stem.rsplit_once('(')) {
        let inside = inside.to_lowercase();
        if inside.contains("conflicted copy") || inside.contains("conflict copy") {
            add(SyncTool::ConflictedCopy, original);
        } else if is_number(&inside) {
            add(SyncTool::Numbered, original);
        }
    }
    if let Some((original, count)) = stem.rsplit_once(' ')
        && is_number(count)
        && count != "1"
    {
        add(SyncTool::Numbered, original);
    }
    // Names of computers may hold dashes themselves: every place a dash stands is tried.
    for (at, _) in stem.match_indices('-').filter(|(at, _)| *at > 0) {
        let computer = &stem[at + 1..];
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        // NetBIOS names have at most 15 characters; a second conflict adds `-2`.
        let has_letter = computer.bytes().any(|byte| byte.is_ascii_alphabetic());
        if (1..=18).contains(&computer.len()) && computer.bytes().all(allowed) && has_letter {
            add(SyncTool::ComputerName, &stem[..at]);
        }
    }
    found
}

/// `20260314-101112-ABCDEFG`: date, time, and the first part of a device's id, which older versions left out.
fn is_syncthing_mark(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut digits = |count| {
        parts.next().is_some_and(|part| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if !(digits(8) && digits(6)) {
        return false;
    }
    parts.all(|part| part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn is_number(text: &str) -> bool {
    (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0')
}

/// The name of the file that a hidden placeholder or temporary file stands for: it exists, but not here or not yet.
pub(crate) fn placeholder_target(name: &str) -> Option<&str> {
    let of = |start: &str, end: &str| {
        let inner = name.strip_prefix(start)?.strip_suffix(end)?;
        (!inner.is_empty() && !inner.starts_with("afterword-")).then_some(inner)
    };
    of(".", ".icloud").or_else(|| of(".syncthing.", ".tmp")).or_else(|| of("~syncthing~", ".tmp"))
}

/// Files that look like notes and are none: locks that office programs lay beside what they have open.
pub(crate) fn is_lock(name: &str) -> bool {
    name.starts_with("~$") || name.starts_with(".~lock.")
}

/// Whether a file's content is elsewhere, so that reading it would fetch it over the network.
#[cfg(windows)]
pub(crate) fn is_online_only(metadata: &Metadata) -> bool {
    use std::os::windows::fs::MetadataExt;
    const OFFLINE: u32 = 0x1000;
    const RECALL_ON_OPEN: u32 = 0x4_0000;
    const RECALL_ON_DATA_ACCESS: u32 = 0x40_0000;
    metadata.file_attributes() & (OFFLINE | RECALL_ON_OPEN | RECALL_ON_DATA_ACCESS) != 0
}

/// Whether a file's content is elsewhere, so that reading it would fetch it over the network.
#[cfg(target_os = "macos")]
pub(crate) fn is_online_only(metadata: &Metadata) -> bool {
    use std::os::macos::fs::MetadataExt;
    const SF_DATALESS: u32 = 0x4000_0000;
    metadata.st_flags() & SF_DATALESS != 0
}

/// Other systems have no such files.
#[cfg(not(any(windows, target_os = "macos")))]
pub(crate) fn is_online_only(_metadata: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_conflict_copies_give_the_original() {
        use SyncTool::{ComputerName, ConflictedCopy, Numbered, Syncthing};
        let cases = [
            ("use-pnpm.sync-conflict-20260314-101112-ABCDEFG.md", Syncthing, "use-pnpm.md"),
            ("use-pnpm.sync-conflict-20260314-101112.md", Syncthing, "use-pnpm.md"),
            ("a.b.sync-conflict-20260314-101112-ABCDEFG.md", Syncthing, "a.b.md"),
            ("use-pnpm (Ana's conflicted copy 2026-03-14).md", ConflictedCopy, "use-pnpm.md"),
            ("use-pnpm (conflicted copy 2026-03-14 101112).md", ConflictedCopy, "use-pnpm.md"),
            ("use-pnpm (Conflicted copy iPhone 202603141011).md", ConflictedCopy, "use-pnpm.md"),
            ("Ideas 2.md", Numbered, "Ideas.md"),
            ("Ideas (1).md", Numbered, "Ideas.md"),
            ("Ideas-DESKTOP-4F2K.md", ComputerName, "Ideas.md"),
            ("Ideas-LAPTOP.md", ComputerName, "Ideas.md"),
        ];
        for (name, tool, original) in cases {
            let found = originals_of(name);
            assert!(found.contains(&(tool, original.to_owned())), "{name}: {found:?}");
        }
    }

    #[test]
    fn only_a_small_number_counts_copies() {
        for name in ["Ideas abc.md", "Ideas 2026.md", "Ideas 07.md", "Ideas (v2).md"] {
            let numbered = originals_of(name).into_iter().any(|(tool, _)| tool == SyncTool::Numbered);
            assert!(!numbered, "{name}");
        }
    }

    #[test]
    fn names_of_peoples_own_are_not_certain() {
        for name in
            ["use-pnpm.md", "2026-03-14.md", "sync-conflict.md", "a.sync-conflict-x-y.md", "(1).md", " 2.md"]
        {
            let certain = originals_of(name).into_iter().filter(|(tool, _)| tool.is_certain()).count();
            assert_eq!(certain, 0, "{name}");
        }
        assert!(originals_of("Chapter 1.md").is_empty(), "no tool begins to count at one without brackets");
    }

    #[test]
    fn placeholders_say_what_they_stand_for() {
        assert_eq!(placeholder_target(".use-pnpm.md.icloud"), Some("use-pnpm.md"));
        assert_eq!(placeholder_target(".syncthing.use-pnpm.md.tmp"), Some("use-pnpm.md"));
        assert_eq!(placeholder_target("~syncthing~use-pnpm.md.tmp"), Some("use-pnpm.md"));
        assert_eq!(placeholder_target(".syncthing.afterword-12-0.tmp"), None, "one of our own");
        assert_eq!(placeholder_target("use-pnpm.md"), None);
    }
}
