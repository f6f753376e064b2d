//! Where a conversation stands, and the moves it can make.
//!
//! ```text
//! active ──────┬──────> background ──────> waiting_input
//!    ^         │          │   ^                │  │
//!    │         │ (pause,  │   └────────────────┘  │
//!    │         │  done)   │     (user responds)   │ (pause)
//!    └─────────│──────────┴───────────────────────┘
//!              └────────> archived <──── from everywhere
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Where a conversation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ConversationStatus {
    /// A chat; no work in the background, or work that is paused or done.
    Active,
    /// It has work that is due at some time.
    Background,
    /// Its work asked a question and stands still until the person answers.
    WaitingInput,
    /// It is over.
    Archived,
}

/// What can happen to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConversationMove {
    /// Its work begins, or goes on after a pause.
    Start,
    /// Its work goes on to its next time.
    Continue,
    /// Its work asks the person.
    Ask,
    /// The person answers.
    Answer,
    /// The person stops its work for now.
    Pause,
    /// Its work is done for good.
    Finish,
    /// The person closes it.
    Archive,
}

/// A move that a conversation's status does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}", .step.refusal(*.status))]
pub struct IllegalConversationMove {
    /// Where it stands.
    pub status: ConversationStatus,
    /// What was to happen.
    pub step: ConversationMove,
}

impl ConversationMove {
    /// Every move.
    pub const ALL: [Self; 7] =
        [Self::Start, Self::Continue, Self::Ask, Self::Answer, Self::Pause, Self::Finish, Self::Archive];

    fn refusal(self, status: ConversationStatus) -> String {
        let cannot = match self {
            Self::Start => "be started",
            Self::Continue => "go on",
            Self::Ask => "ask a question",
            Self::Answer => "be answered",
            Self::Pause => "be paused",
            Self::Finish => "be finished",
            Self::Archive => "be archived",
        };
        format!("a conversation that is {} cannot {cannot}", status.as_str())
    }
}

impl ConversationStatus {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Active, Self::Background, Self::WaitingInput, Self::Archived];

    /// Where a conversation stands after `step`.
    ///
    /// # Errors
    /// [`IllegalConversationMove`] when the status does not allow the move. Nothing leaves the archive.
    pub fn after(self, step: ConversationMove) -> Result<Self, IllegalConversationMove> {
        use ConversationMove::{Answer, Archive, Ask, Continue, Finish, Pause, Start};
        match (self, step) {
            (Self::Active, Start) | (Self::Background, Continue) | (Self::WaitingInput, Answer) => {
                Ok(Self::Background)
            }
            (Self::Background, Ask) => Ok(Self::WaitingInput),
            (Self::Background, Pause | Finish) | (Self::WaitingInput, Pause) => Ok(Self::Active),
            (Self::Active | Self::Background | Self::WaitingInput, Archive) => Ok(Self::Archived),
            (status, step) => Err(IllegalConversationMove { status, step }),
        }
    }

    /// The status's name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Background => "background",
            Self::WaitingInput => "waiting_input",
            Self::Archived => "archived",
        }
    }

    /// Reads a status's name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

impl fmt::Display for ConversationStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_from_every_status() {
        use ConversationMove::*;
        use ConversationStatus::*;
        let legal = [
            (Active, Start, Background),
            (Background, Continue, Background),
            (Background, Ask, WaitingInput),
            (WaitingInput, Answer, Background),
            (Background, Pause, Active),
            (WaitingInput, Pause, Active),
            (Background, Finish, Active),
            (Active, Archive, Archived),
            (Background, Archive, Archived),
            (WaitingInput, Archive, Archived),
        ];
        for status in ConversationStatus::ALL {
            for step in ConversationMove::ALL {
                let expected = legal.iter().find(|(from, by, _)| (*from, *by) == (status, step));
                let got = status.after(step).ok();
                assert_eq!(got, expected.map(|(_, _, to)| *to), "{status} {step:?}");
            }
        }
    }

    #[test]
    fn refusal_says_where_it_stands() {
        let error = ConversationStatus::Archived.after(ConversationMove::Start).unwrap_err();
        assert_eq!(error.to_string(), "a conversation that is archived cannot be started");
    }
}
