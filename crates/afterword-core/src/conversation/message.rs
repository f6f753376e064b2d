//! What was said in a conversation, by whom, and who wrote it down.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{ConversationId, MessageId};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MessageRole {
    /// The person.
    User,
    /// Claude.
    Assistant,
    /// Afterword itself: what happened to the work.
    System,
}

/// Which side of the conversation a message came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MessageSource {
    /// Talking with the person.
    Chat,
    /// The work in the background.
    Worker,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// Who speaks.
    pub role: MessageRole,
    /// Where it came from.
    pub source: MessageSource,
    /// What was said.
    pub content: String,
    /// It is said in the person's name, in an agent's words: the agent of a session passed it on, or worded the option that the
    /// person chose.
    pub relayed: bool,
    /// When.
    pub created_at: Timestamp,
}

impl MessageRole {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::User, Self::Assistant, Self::System];

    /// Its name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }

    /// Reads its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

impl MessageSource {
    /// Its name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Worker => "worker",
        }
    }

    /// Reads its name.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Chat, Self::Worker].into_iter().find(|one| one.as_str() == text)
    }
}
