//! Ids of conversations, their messages and their runs (UUIDv7).

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! id {
    ($name:ident, $what:literal) => {
        #[doc = $what]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(type = "string"))]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// A new id for one made at `now`.
            pub fn new(now: Timestamp) -> Self {
                let seconds = u64::try_from(now.as_second()).unwrap_or(0);
                let nanos = u32::try_from(now.subsec_nanosecond()).unwrap_or(0);
                Self(Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanos)))
            }

            /// Takes an id from outside.
            pub fn parse(text: &str) -> Option<Self> {
                Uuid::parse_str(text.trim()).ok().map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(ConversationId, "A conversation's id.");
id!(MessageId, "The id of a message in a conversation.");
id!(ConversationRunId, "The id of one run of a conversation's Claude session.");
