//! Where things live below the vault's root.

use afterword_core::{Destination, Kind};

use crate::path::VaultPath;
use crate::properties::NoteKind;

/// The one folder Afterword writes in.
pub const HOME: &str = "Afterword";
/// Active preferences.
pub const PREFERENCES: &str = "Afterword/Preferences";
/// Active workflows.
pub const WORKFLOWS: &str = "Afterword/Workflows";
/// Active fixes and workarounds.
pub const FIXES: &str = "Afterword/Fixes";
/// Generated project overviews.
pub const PROJECTS: &str = "Afterword/Projects";
/// Lessons of medium confidence that wait for the user's answer.
pub const REVIEW: &str = "Afterword/_review";
/// Lessons of low confidence, for batch review.
pub const INBOX: &str = "Afterword/_inbox";
/// Lessons that were rejected or archived: kept, but they do not count.
pub const ARCHIVE: &str = "Afterword/_archive";
/// One folder for each idea: `_index.md` and what research adds.
pub const INCUBATOR: &str = "Afterword/_idea-incubator";
/// Web results worth keeping, by topic.
pub const REFERENCES: &str = "Afterword/References";
/// Web results as sessions fetched them; hidden from Obsidian by its leading dot.
pub const WEB_CACHE: &str = "Afterword/.web-cache";
/// Reviews of months, made on request.
pub const REVIEWS: &str = "Afterword/Reviews";
/// The ledger of ideas, one line each.
pub const IDEAS: &str = "Afterword/Ideas.md";
/// The user's own heartbeat prompt.
pub const HEARTBEAT: &str = "Afterword/HEARTBEAT.md";
/// The Obsidian Bases table over the lessons.
pub const LESSONS_BASE: &str = "Afterword/Lessons.base";
/// How the vault works and how to review from the editor.
pub const WELCOME: &str = "Afterword/Afterword.md";

/// The folders a new vault has.
pub const FOLDERS: [&str; 8] =
    [PREFERENCES, WORKFLOWS, FIXES, PROJECTS, REVIEW, INBOX, INCUBATOR, REFERENCES];

/// The folder of active lessons of one kind.
pub fn folder_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Preference => PREFERENCES,
        Kind::Workflow => WORKFLOWS,
        Kind::Fix => FIXES,
        Kind::Idea => INCUBATOR,
    }
}

/// The note that a new lesson becomes.
pub(crate) fn note_path(kind: Kind, destination: Destination, slug: &str) -> VaultPath {
    let folder = match destination {
        Destination::Saved => folder_of(kind),
        Destination::Review => REVIEW,
        Destination::Inbox => INBOX,
        Destination::Ideas => return VaultPath::constant(INCUBATOR).join(slug).join("_index.md"),
    };
    VaultPath::constant(folder).join(&format!("{slug}.md"))
}

/// The folder's heading in a project's overview; `None` for notes that are not listed by kind.
pub(crate) fn heading_of(kind: NoteKind) -> Option<&'static str> {
    match kind {
        NoteKind::Preference => Some("Preferences"),
        NoteKind::Workflow => Some("Workflows"),
        NoteKind::Fix => Some("Fixes and workarounds"),
        NoteKind::Idea => Some("Ideas"),
        NoteKind::Reference => Some("References"),
        NoteKind::Project | NoteKind::Ideas | NoteKind::Deleted | NoteKind::Month => None,
    }
}
