//! Why a conversation cannot be kept, changed or gone on with.

use afterword_core::conversation::{ConversationError, InvalidWords};
use afterword_reflect::engine::SpendLimit;
use serde::Serialize;
use thiserror::Error;

use super::{ErrorKind, UnfitConversation};
use crate::Error as AppError;

/// Why a conversation cannot be kept, changed or gone on with.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ConversationsError {
    /// No conversation is called that.
    #[error("there is no conversation `{argument}`")]
    NoSuch {
        /// What was asked for.
        argument: String,
    },
    /// More than one conversation is called that.
    #[error("`{argument}` fits {count} conversations")]
    Ambiguous {
        /// What was asked for.
        argument: String,
        /// How many it fits.
        count: usize,
        /// Some of those it fits.
        conversations: Vec<String>,
    },
    /// A conversation, or what was said in one, cannot be kept.
    #[error("{problem}")]
    Unfit {
        /// Why not.
        #[serde(rename = "because", serialize_with = "super::problem::as_unfit_conversation")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        problem: UnfitConversation,
    },
    /// An agent asks for more than the person allowed a conversation's runs.
    #[error("{problem}: only you can allow more, not an agent in your name")]
    PersonWidens {
        /// What goes beyond what is allowed.
        problem: String,
    },
    /// An agent would say yes to what an agent made, or change it before the person has.
    #[error("\"{title}\" waits for your yes: only you can give it, not an agent in your name")]
    PersonConsents {
        /// What people call it.
        title: String,
    },
    /// The conversation is over.
    #[error("\"{title}\" is archived")]
    Closed {
        /// What people call it.
        title: String,
    },
    /// The conversation's rules refuse.
    #[error("\"{title}\": {source}")]
    Refused {
        /// What people call it.
        title: String,
        /// Why.
        #[serde(rename = "because", serialize_with = "super::problem::as_refusal")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        source: ConversationError,
    },
    /// A schedule in words is not understood.
    #[error("\"{words}\": {source}")]
    BadSchedule {
        /// As they were given.
        words: String,
        /// Why not.
        #[serde(rename = "because", serialize_with = "super::problem::as_schedule_problem")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        source: InvalidWords,
    },
    /// Today's money for a project is spent.
    #[error("{project}: today's {most:.2} dollars for it are spent ({spent:.2})")]
    ProjectBudgetSpent {
        /// The project.
        project: String,
        /// What was spent.
        spent: f64,
        /// `budget.per_project_usd`.
        most: f64,
    },
    /// Today's money is spent.
    #[error("today's {most:.2} dollars of `{limit}` are spent ({spent:.2})")]
    BudgetSpent {
        /// Which one.
        #[serde(serialize_with = "super::problem::as_text")]
        #[cfg_attr(feature = "contract", ts(as = "String"))]
        limit: SpendLimit,
        /// What was spent.
        spent: f64,
        /// What may be.
        most: f64,
    },
    /// What was said in a conversation is kept, and nobody is paid to reply to it now.
    #[error("what you said is kept, but Claude cannot reply today: {because}")]
    NotReplied {
        /// Why.
        #[serde(serialize_with = "super::problem::as_problem")]
        #[cfg_attr(feature = "contract", ts(as = "Option<super::Problem<'static>>"))]
        because: Box<AppError>,
    },
}

impl ConversationsError {
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Unfit { .. } | Self::BadSchedule { .. } => ErrorKind::Invalid,
            Self::PersonWidens { .. }
            | Self::PersonConsents { .. }
            | Self::ProjectBudgetSpent { .. }
            | Self::BudgetSpent { .. }
            | Self::NotReplied { .. } => ErrorKind::Precondition,
            Self::NoSuch { .. } => ErrorKind::NotFound,
            Self::Ambiguous { .. } | Self::Closed { .. } | Self::Refused { .. } => ErrorKind::Conflict,
        }
    }

    pub(super) fn hints(&self) -> Vec<String> {
        vec![match self {
            Self::NoSuch { .. } => "`afterword task list --all` lists them".to_owned(),
            Self::Ambiguous { conversations, .. } => {
                format!("give more of the id; it fits {}", conversations.join(", "))
            }
            Self::PersonWidens { .. } => {
                "the user allows it in the window, or with `afterword task` in a terminal of their own, outside Claude Code"
                    .to_owned()
            }
            Self::PersonConsents { .. } => {
                "the user answers it in the window, or with `afterword task answer ID yes` in a terminal of their own, outside Claude Code"
                    .to_owned()
            }
            Self::ProjectBudgetSpent { .. } => {
                format!("allow more with `afterword config set {} N`", SpendLimit::PerProject)
            }
            Self::BudgetSpent { limit, .. } => format!("allow more with `afterword config set {limit} N`"),
            Self::NotReplied { because } => return because.hints(),
            Self::Unfit { .. } | Self::Closed { .. } | Self::Refused { .. } | Self::BadSchedule { .. } => {
                return Vec::new();
            }
        }]
    }
}
