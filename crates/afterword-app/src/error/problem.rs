//! What went wrong as a value, for a face that says it in a language of its own: which error it is, and the facts it is about.
//!
//! Each error is one by itself, by the name of its variant; of errors of the rooms below a view says what a person can tell apart.
//! The English sentence stays what [`Error::chain`] gives: whoever has no words for a problem shows that. Start at
//! [`Error::problem`](crate::Error::problem).

use std::fmt::Display;

use afterword_core::conversation::{ConversationError, InvalidAnswer, InvalidSchedule, InvalidWords};
use afterword_reflect::engine::EngineError;
use afterword_sign_in::SignInError;
use serde::{Serialize, Serializer};

use super::connection::SignInProblem;
use super::engine_problem::{ClientProblem, EngineProblem};
use super::keyring::KeyringProblem;
use super::machine::MachineProblem;
use super::{
    AgentError, ConfigError, ConnectionError, ConversationsError, EngineCallError, ExportError, NoteError,
    ProjectError, ProjectNameProblem, ReviewError, SessionError, SettingProblem, UnfitConnection,
    UnfitConversation, UnfitProject, VaultSetupError,
};
use crate::Error;

/// What an error is about, and which it is.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "about", rename_all = "kebab-case")]
pub enum Problem<'e> {
    /// The agent, or a job of its queue.
    Agent(&'e AgentError),
    /// Claude Code, when it was asked to do something.
    Client(ClientProblem<'e>),
    /// The file of settings, or one of them.
    Config(&'e ConfigError),
    /// A connection.
    Connection(&'e ConnectionError),
    /// A conversation.
    Conversation(&'e ConversationsError),
    /// What an engine itself gave as the reason.
    Engine(EngineProblem<'e>),
    /// Asking an engine.
    EngineCall(&'e EngineCallError),
    /// An export of lessons.
    Export(&'e ExportError),
    /// The keyring.
    Keyring(KeyringProblem<'e>),
    /// The vault, the databases, files and what the system says of them.
    Machine(MachineProblem<'e>),
    /// A note.
    Note(&'e NoteError),
    /// A project.
    Project(&'e ProjectError),
    /// What a project is to be called.
    ProjectName(&'e ProjectNameProblem),
    /// What the rules of a conversation refuse.
    Refusal(Refusal<'e>),
    /// An answer to a lesson.
    Review(&'e ReviewError),
    /// A schedule in words.
    Schedule(ScheduleProblem<'e>),
    /// A session.
    Session(&'e SessionError),
    /// The value of a setting.
    Setting(&'e SettingProblem),
    /// Signing in to a connection.
    SignIn(SignInProblem<'e>),
    /// A connection as it is to be kept or used.
    UnfitConnection(&'e UnfitConnection),
    /// A conversation as it is to be kept.
    UnfitConversation(&'e UnfitConversation),
    /// Projects as they are to be joined or split.
    UnfitProject(&'e UnfitProject),
    /// The choice of a vault.
    VaultSetup(&'e VaultSetupError),
}

/// Why a conversation's rules refuse something.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Refusal<'e> {
    /// Where it stands does not allow it.
    Status {
        /// Where it stands.
        status: &'static str,
    },
    /// Its schedule cannot be kept.
    Schedule {
        /// Why not.
        because: Box<Problem<'e>>,
    },
    /// The answer is empty.
    EmptyAnswer,
    /// The answer is neither yes nor no.
    NotYesOrNo,
    /// The answer is none of those there are.
    NoSuchOption {
        /// Those there are.
        options: &'e [String],
    },
    /// It has no schedule to go by.
    NoSchedule,
    /// It is paused.
    Paused,
}

impl<'e> Refusal<'e> {
    fn of(error: &'e ConversationError) -> Self {
        match error {
            ConversationError::Illegal(refused) => Self::Status { status: refused.status.as_str() },
            ConversationError::Schedule(error) => {
                Self::Schedule { because: Box::new(Problem::Schedule(ScheduleProblem::of(error))) }
            }
            ConversationError::Answer(InvalidAnswer::Empty) => Self::EmptyAnswer,
            ConversationError::Answer(InvalidAnswer::NotYesOrNo) => Self::NotYesOrNo,
            ConversationError::Answer(InvalidAnswer::NoSuchOption { options }) => {
                Self::NoSuchOption { options }
            }
            ConversationError::NoSchedule => Self::NoSchedule,
            ConversationError::Paused => Self::Paused,
        }
    }
}

/// Why words are no schedule.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum ScheduleProblem<'e> {
    /// A word is not understood.
    Word {
        /// The word.
        word: &'e str,
    },
    /// They do not go together.
    Unusable {
        /// Why not, in English.
        detail: &'e str,
    },
    /// It is no cron expression.
    Expression {
        /// The expression.
        expression: &'e str,
    },
    /// It never comes due.
    Never {
        /// The expression.
        expression: &'e str,
    },
    /// There is no such time zone.
    TimeZone {
        /// What was named.
        name: &'e str,
    },
}

impl<'e> ScheduleProblem<'e> {
    fn of(error: &'e InvalidSchedule) -> Self {
        match error {
            InvalidSchedule::Expression { expression, .. } => Self::Expression { expression },
            InvalidSchedule::Never { expression } => Self::Never { expression },
            InvalidSchedule::TimeZone { name } => Self::TimeZone { name },
        }
    }
}

/// The error as a value; `None` where nobody who looks at a window meets it.
pub(super) fn problem(error: &Error) -> Option<Problem<'_>> {
    Some(match error {
        Error::Agent(error) => Problem::Agent(error),
        Error::Client(error) => Problem::Client(ClientProblem::of(error)),
        Error::Config(error) => Problem::Config(error),
        Error::Connection(error) => Problem::Connection(error),
        Error::Conversation(error) => Problem::Conversation(error),
        Error::EngineCall(error) => Problem::EngineCall(error),
        Error::Export(error) => Problem::Export(error),
        Error::Keyring(error) => Problem::Keyring(KeyringProblem::of(error)),
        Error::Note(error) => Problem::Note(error),
        Error::Project(error) => Problem::Project(error),
        Error::Review(error) => Problem::Review(error),
        Error::Session(error) => Problem::Session(error),
        Error::VaultSetup(error) => Problem::VaultSetup(error),
        other => Problem::Machine(MachineProblem::of(other)?),
    })
}

/// Serialises what stands in a sentence as it stands there.
pub(super) fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Serialises the error because of which another one came about.
pub(super) fn as_problem<S: Serializer>(error: &Error, serializer: S) -> Result<S::Ok, S::Error> {
    problem(error).serialize(serializer)
}

/// Serialises what an engine gave as the reason.
pub(super) fn as_engine_problem<S: Serializer>(
    error: &EngineError,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let problem = match error {
        EngineError::Client(error) => Problem::Client(ClientProblem::of(error)),
        other => Problem::Engine(EngineProblem::of(other)),
    };
    problem.serialize(serializer)
}

/// Serialises why words are no schedule.
pub(super) fn as_schedule_problem<S: Serializer>(
    error: &InvalidWords,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let problem = match error {
        InvalidWords::Word { word } => ScheduleProblem::Word { word },
        InvalidWords::Together { problem } => ScheduleProblem::Unusable { detail: problem },
        InvalidWords::Schedule(error) => ScheduleProblem::of(error),
    };
    Problem::Schedule(problem).serialize(serializer)
}

/// Serialises what a conversation's rules refuse.
pub(super) fn as_refusal<S: Serializer>(error: &ConversationError, serializer: S) -> Result<S::Ok, S::Error> {
    Problem::Refusal(Refusal::of(error)).serialize(serializer)
}

/// Serialises why a connection cannot be kept or used.
pub(super) fn as_unfit_connection<S: Serializer>(
    problem: &UnfitConnection,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Problem::UnfitConnection(problem).serialize(serializer)
}

/// Serialises why a conversation cannot be kept.
pub(super) fn as_unfit_conversation<S: Serializer>(
    problem: &UnfitConversation,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Problem::UnfitConversation(problem).serialize(serializer)
}

/// Serialises why projects cannot be joined or split.
pub(super) fn as_unfit_project<S: Serializer>(
    problem: &UnfitProject,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Problem::UnfitProject(problem).serialize(serializer)
}

/// Serialises why no project can be called something.
pub(super) fn as_project_name_problem<S: Serializer>(
    problem: &ProjectNameProblem,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Problem::ProjectName(problem).serialize(serializer)
}

/// Serialises why a value of a setting cannot be used.
pub(super) fn as_setting_problem<S: Serializer>(
    problem: &SettingProblem,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Problem::Setting(problem).serialize(serializer)
}

/// Serialises why nobody is signed in.
pub(super) fn as_sign_in_problem<S: Serializer>(
    error: &SignInError,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Problem::SignIn(SignInProblem::of(error)).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use std::io;

    use serde_json::{Value, json};

    use super::*;

    fn value(error: impl Into<Error>) -> Value {
        serde_json::to_value(error.into().problem()).unwrap()
    }

    #[test]
    fn an_error_goes_by_its_name_and_its_facts() {
        assert_eq!(
            value(VaultSetupError::NotSetUp { path: "/notes".into() }),
            json!({ "about": "vault-setup", "is": "not-set-up", "path": "/notes" })
        );
        assert_eq!(
            value(ConfigError::BadValue {
                key: "vault.path".to_owned(),
                problem: SettingProblem::NotAFolder.into()
            }),
            json!({ "about": "config", "is": "bad-value", "key": "vault.path",
                "because": { "about": "setting", "is": "not-a-folder" } })
        );
    }

    #[test]
    fn what_the_system_said_goes_by_what_stands_in_the_way() {
        let io =
            |kind: io::ErrorKind| Error::Io { path: "/state".into(), action: "write", source: kind.into() };
        assert_eq!(
            value(io(io::ErrorKind::StorageFull)),
            json!({ "about": "machine", "is": "full", "path": "/state" })
        );
        let other = value(io(io::ErrorKind::TimedOut));
        assert_eq!((other["is"].as_str(), other["path"].as_str()), (Some("file"), Some("/state")));
    }

    #[test]
    fn the_reason_of_a_reason_goes_with_it() {
        let spent =
            ConversationsError::ProjectBudgetSpent { project: "shop".to_owned(), spent: 1.0, most: 1.0 };
        let value = value(ConversationsError::NotReplied { because: Box::new(spent.into()) });
        assert_eq!(value["because"]["is"], "project-budget-spent");
    }
}
