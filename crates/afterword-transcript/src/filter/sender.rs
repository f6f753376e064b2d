//! Who an entry says it comes from: the person at the prompt, a machine, or somebody it does not name.

use crate::entry::Entry;
use crate::json::Raw;

/// What a message of another origin is counted as.
pub(super) const ANOTHER_SENDER: &str = "another sender";

/// Why an entry's texts are nobody's words, by its flags.
pub(super) fn machine_flag(entry: &Entry<'_>) -> Option<&'static str> {
    if entry.is_meta {
        Some("client note")
    } else if entry.has_plan {
        Some("accepted plan")
    } else if is_another_sender(entry.origin_kind)
        || entry.prompt_source.equals("system")
        || entry.is_scheduled
    {
        // Clients up to 2.1.330 know task-notification, auto-continuation, peer, coordinator, channel, observer, plugin
        // and more besides.
        Some(ANOTHER_SENDER)
    } else {
        None
    }
}

/// Whether the client says that a prompt came in a way that is no typing, or in one that is not known and not said to be
/// a person's.
pub(super) fn is_of_unknown_source(entry: &Entry<'_>) -> bool {
    // Editors write `sdk` for what is typed in them.
    let typed = ["", "typed", "sdk"].iter().any(|known| entry.prompt_source.equals(known));
    entry.prompt_source.equals("suggestion_accepted") || !typed && !entry.origin_kind.equals("human")
}

/// Whether an entry says that another than the person sent it.
pub(super) fn is_another_sender(origin_kind: Raw<'_>) -> bool {
    !origin_kind.is_empty() && !origin_kind.equals("human")
}
