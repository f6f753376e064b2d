//! What one reading of a transcript says about the session and about the reading itself.
//!
//! It owns the counts (the format canary), the skipped lines and the token sums. Everything in it is bounded,
//! whatever the file holds. It does not own what was said: that is the events. Start at [`Report`].

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use crate::mark::Mark;

/// What a reading found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// Session ids on the entries, in order of first sight. A forked or resumed file has several.
    pub session_ids: Vec<String>,
    /// The sub-agent's id, where the file is a sub-agent's.
    pub agent_id: Option<String>,
    /// Working directory of the first entry that has one: the session's project.
    pub first_cwd: Option<String>,
    /// Working directory of the last entry that has one.
    pub last_cwd: Option<String>,
    /// Git branch of the last entry that has one.
    pub git_branch: Option<String>,
    /// Earliest time on an entry (file order is not time order).
    pub started: Option<Timestamp>,
    /// Latest time on a user or assistant entry.
    pub ended: Option<Timestamp>,
    /// Latest time on any entry.
    pub last_activity: Option<Timestamp>,
    /// The session's title, the person's own before the client's.
    pub title: Option<String>,
    /// Entries read: JSON objects, repeated ones included.
    pub entries: u64,
    /// Entries whose uuid had been read before or that the caller knew; they gave no events.
    pub repeated: u64,
    /// Lines read, blank ones included.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
    /// User and assistant entries that belong to a sub-agent.
    pub sidechain_entries: u64,
    /// An entry says that it was copied from another session.
    pub forked: bool,
    /// Counts by type, subtype, version and entry point: the format canary.
    pub census: Census,
    /// Text in the user role that no person typed, by what it was.
    pub machine_texts: BTreeMap<&'static str, u64>,
    /// What could not be read.
    pub skipped: Skipped,
    /// Tokens, each message counted once.
    pub usage: Usage,
    /// A last line still being written. It is neither an entry nor skipped.
    pub pending: Option<IncompleteLine>,
    /// The mark given was for another file or for one since rewritten: everything was read from the start.
    pub restarted: bool,
    /// Nothing was written since the mark given; nothing was read.
    pub unchanged: bool,
    /// Where to read on.
    pub mark: Mark,
}

/// Counts of what the client wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Census {
    /// Entries by `type`.
    pub kinds: BTreeMap<String, u64>,
    /// Entries by `type/subtype`, where there is one.
    pub details: BTreeMap<String, u64>,
    /// Entries by client version.
    pub versions: BTreeMap<String, u64>,
    /// Entries by `entrypoint` (cli, claude-vscode, sdk-cli, …).
    pub entrypoints: BTreeMap<String, u64>,
    /// Content blocks of types this program does not know.
    pub unknown_blocks: BTreeMap<String, u64>,
}

/// Entry types that clients 2.1.197 and 2.1.332 list in their own programs, among them those seen in real files.
const KNOWN_KINDS: [&str; 54] = [
    "api-request",
    "api-request-blob",
    "api-request-resumed",
    "api-request-shape",
    "artifact-autoreact-ledger",
    "artifact-comment-monitor",
    "continued-in",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "dev-mods",
    "file-history-delta",
    "history-suppression",
    "host-row",
    "hybrid-organization",
    "memory-mode",
    "observer-ref",
    "repl-mode",
    "resume-head-vouch",
    "session-owner",
    "atis-latch",
    "cost-state",
    "tools-used",
    "user",
    "assistant",
    "system",
    "progress",
    "file-history-snapshot",
    "queue-operation",
    "attachment",
    "summary",
    "last-prompt",
    "ai-title",
    "custom-title",
    "agent-name",
    "pr-link",
    "permission-mode",
    "mode",
    "tag",
    "ended-by-model",
    "relocated",
    "agent-color",
    "agent-setting",
    "frame-link",
    "bridge-session",
    "attribution-snapshot",
    "speculation-accept",
    "isolation-latch",
    "worktree-state",
    "marble-origami-commit",
    "marble-origami-snapshot",
    "marble-origami-reset",
    "content-replacement",
    "fork-context-ref",
];

impl Census {
    /// Entry types this program was not written against; they were counted and passed over.
    pub fn unknown_kinds(&self) -> impl Iterator<Item = (&str, u64)> {
        self.kinds
            .iter()
            .map(|(kind, count)| (kind.as_str(), *count))
            .filter(|(kind, _)| !is_known_kind(kind))
    }
}

pub(crate) fn is_known_kind(kind: &str) -> bool {
    KNOWN_KINDS.contains(&kind)
}

/// Lines, or parts of lines, that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// How many.
    pub total: u64,
    /// The first hundred.
    pub first: Vec<SkippedLine>,
}

/// A line, or part of one, that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedLine {
    /// Counted from 1.
    pub line: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Why.
    pub reason: SkipReason,
}

/// Why a line could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// Longer than the cap.
    TooLong,
    /// Not UTF-8.
    NotUtf8,
    /// It ends inside a value.
    Truncated,
    /// Not JSON.
    NotJson,
    /// JSON, but no object.
    NotAnObject,
    /// Zero bytes, as a crash of the system leaves them.
    Nul,
    /// A `//` comment, as tools put before transcripts.
    Comment,
}

/// A last line without an end that is no whole entry yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct IncompleteLine {
    /// Counted from 1.
    pub line: u64,
    /// Bytes there are of it.
    pub bytes: u64,
}

/// Tokens as the API counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Usage {
    /// Messages counted.
    pub messages: u64,
    /// Input tokens that came from no cache.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Input tokens read from the cache.
    pub cache_read: u64,
    /// Input tokens written to the cache.
    pub cache_write: u64,
}
