//! Newtypes for everything that is identified.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A Claude Code session's id, as the transcript's file name and entries have it (normally a UUID).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct SessionId(String);

impl SessionId {
    /// Takes an id from outside; `None` unless it is 1 to 128 of `A-Z a-z 0-9 - _ .` and does not start with a dot or a dash,
    /// so that it can stand in a file name and is never an option of a command.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let valid =
            (1..=128).contains(&text.len()) && !text.starts_with(['.', '-']) && text.chars().all(allowed);
        valid.then(|| Self(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An id that tells when it was made (UUIDv7). Ids of one millisecond have no order.
macro_rules! uuid_v7 {
    ($(#[doc = $what:literal])+ $name:ident) => {
        $(#[doc = $what])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(type = "string"))]
        #[serde(transparent)]
        pub struct $name(uuid::Uuid);

        impl $name {
            /// A new id for one made at `now`.
            pub fn new(now: jiff::Timestamp) -> Self {
                let seconds = u64::try_from(now.as_second()).unwrap_or(0);
                let nanos = u32::try_from(now.subsec_nanosecond()).unwrap_or(0);
                Self(uuid::Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanos)))
            }

            /// When it was made, to the millisecond; `None` for an id that tells no time.
            pub fn made_at(self) -> Option<jiff::Timestamp> {
                let (seconds, nanos) = self.0.get_timestamp()?.to_unix();
                jiff::Timestamp::new(i64::try_from(seconds).ok()?, i32::try_from(nanos).ok()?).ok()
            }

            /// Takes an id from outside.
            pub fn parse(text: &str) -> Option<Self> {
                uuid::Uuid::parse_str(text.trim()).ok().map(Self)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
pub(crate) use uuid_v7;

uuid_v7! {
    /// A note's id, kept in its front matter so that it survives renames and moves.
    NoteId
}

/// A project: the working directory's path as the session's entries have it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProjectKey(String);

impl ProjectKey {
    /// Makes a key from a `cwd`; trailing separators do not count.
    pub fn from_cwd(cwd: &str) -> Self {
        let trimmed = cwd.trim_end_matches(['/', '\\']);
        Self(if trimmed.is_empty() { cwd } else { trimmed }.to_owned())
    }

    /// The whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last component, what people call the project. Understands Windows paths on every system.
    pub fn name(&self) -> &str {
        self.0.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or(&self.0)
    }
}

/// What a lesson says, reduced to a key that stays equal when the same evidence is mined again.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentKey(pub String);

impl fmt::Display for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_tells_when_it_was_made() {
        let now: jiff::Timestamp = "2026-03-01T10:00:00.123Z".parse().unwrap();
        assert_eq!(NoteId::new(now).made_at(), Some(now));
        assert_eq!(NoteId::parse("5f0a8c1e-0000-4000-8000-000000000001").unwrap().made_at(), None);
    }

    #[test]
    fn session_id_is_fit_for_a_file_name_and_a_command() {
        for id in ["5f0a8c1e-0000-4000-8000-000000000001", "a_b.c"] {
            assert_eq!(SessionId::parse(id).unwrap().as_str(), id);
        }
        for id in
            ["", ".hidden", "../up", "a/b", "-p", "--dangerously-skip-permissions", "a b", "a;b", "a\nb", "ä"]
        {
            assert_eq!(SessionId::parse(id), None, "{id}");
        }
    }
}
