//! What a new vault starts with, from `vault-template/`.

use crate::layout;

/// Path and content of each file. The content is a starting point: from then on the files are the user's.
pub(crate) const FILES: [(&str, &str); 4] = [
    (layout::WELCOME, include_str!("../../../vault-template/Afterword.md")),
    (layout::IDEAS, IDEAS),
    (layout::HEARTBEAT, include_str!("../../../vault-template/HEARTBEAT.md")),
    (layout::LESSONS_BASE, include_str!("../../../vault-template/Lessons.base")),
];

/// The ledger of ideas before the first idea.
pub(crate) const IDEAS: &str = include_str!("../../../vault-template/Ideas.md");
