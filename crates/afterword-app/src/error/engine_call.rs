//! Why an engine is not asked, or gave nothing usable.

use afterword_core::SessionId;
use afterword_reflect::engine::{EngineError, SpendLimit, is_local};
use serde::Serialize;
use thiserror::Error;

use super::ErrorKind;
use crate::EngineName;

/// Why an engine is not asked, or gave nothing usable.
#[derive(Debug, Error, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EngineCallError {
    /// The engine is this program; there is nothing to show.
    #[error("the built-in engine sends nothing")]
    SendsNothing,
    /// Which model is to be asked is not set.
    #[error("no model is set")]
    NoModel,
    /// The engine needs a key, and none is kept.
    #[error("{engine} needs a key for {host}, and none is kept")]
    NoKey {
        /// The engine.
        engine: EngineName,
        /// Where the key would be sent.
        host: String,
    },
    /// No engine takes a key under this name.
    #[error("there is no engine `{name}` that takes a key")]
    UnknownKey {
        /// The name.
        name: String,
    },
    /// There is no such engine.
    #[error("there is no engine `{name}`")]
    UnknownEngine {
        /// What was asked for.
        name: String,
    },
    /// Claude Code is not installed, or not where it is looked for.
    #[error("Claude Code was not found")]
    NoClient,
    /// An engine gave nothing usable.
    #[error("{engine}: {source}")]
    Failed {
        /// The engine.
        engine: EngineName,
        /// Why.
        #[serde(rename = "because", serialize_with = "super::problem::as_engine_problem")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        source: Box<EngineError>,
    },
    /// An engine gave nothing usable about a session.
    #[error("{engine}, session {session}: {source}")]
    FailedInSession {
        /// The engine.
        engine: EngineName,
        /// The session.
        session: SessionId,
        /// Why.
        #[serde(rename = "because", serialize_with = "super::problem::as_engine_problem")]
        #[cfg_attr(feature = "contract", ts(rename = "because", as = "super::Problem<'static>"))]
        source: Box<EngineError>,
    },
    /// The idea's page has what a model said of it.
    #[error("{path} has been researched")]
    AlreadyResearched {
        /// The page.
        path: String,
    },
}

impl EngineCallError {
    /// What the engine itself gave as the reason.
    pub(super) fn source_of_engine(&self) -> Option<&EngineError> {
        match self {
            Self::Failed { source, .. } | Self::FailedInSession { source, .. } => Some(source),
            _ => None,
        }
    }

    /// The engine cannot be asked now, whatever about.
    pub(super) fn is_about_the_engine(&self) -> bool {
        match self {
            Self::NoKey { .. } | Self::NoModel | Self::NoClient => true,
            _ => self.source_of_engine().is_some_and(EngineError::is_about_the_engine),
        }
    }

    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::SendsNothing | Self::UnknownKey { .. } | Self::UnknownEngine { .. } => ErrorKind::Invalid,
            Self::NoModel | Self::NoKey { .. } | Self::NoClient => ErrorKind::Precondition,
            Self::AlreadyResearched { .. } => ErrorKind::Conflict,
            Self::Failed { source, .. } | Self::FailedInSession { source, .. } => match **source {
                EngineError::Budget { .. } | EngineError::NoPrice { .. } => ErrorKind::Precondition,
                _ => ErrorKind::External,
            },
        }
    }

    pub(super) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoModel => "`afterword config set engine.model MODEL`, as the server names it",
            Self::NoKey { engine, .. } => return Some(format!("`afterword config set-key {engine}`")),
            Self::UnknownKey { .. } => "`anthropic` and `openai-compatible` take one",
            Self::UnknownEngine { .. } => {
                let names: Vec<_> = EngineName::ALL.iter().map(|engine| format!("`{engine}`")).collect();
                return Some(format!("the engines that exist are {}", names.join(", ")));
            }
            Self::NoClient => {
                "install Claude Code, or say where it is with `afterword config set claude.binary PATH`"
            }
            Self::AlreadyResearched { .. } => {
                "delete the section `Research` of the page to have it done again"
            }
            Self::Failed { engine, source } => {
                return hint_of(source).or_else(|| hint_of_asked(*engine, source));
            }
            Self::FailedInSession { source, .. } => return hint_of(source),
            Self::SendsNothing => {
                "`afterword engine` shows what another would cost, and `afterword engine use NAME` takes it into use"
            }
        };
        Some(hint.to_owned())
    }
}

fn hint_of(source: &EngineError) -> Option<String> {
    let EngineError::Budget { limit, .. } = source else { return None };
    let hint = match limit {
        SpendLimit::PerJob => {
            "raise it with `afterword config set budget.per_job_usd N`, or choose a cheaper model: it is the same tomorrow"
        }
        _ => "raise it with `afterword config set`, or go on tomorrow: what is not done is found again",
    };
    Some(hint.to_owned())
}

/// Where somebody asked and waits for the answer.
fn hint_of_asked(engine: EngineName, source: &EngineError) -> Option<String> {
    match source {
        EngineError::Unreachable { url, .. } if is_local(url) => Some(
            "start the server that is to listen there, or change it with `afterword config set engine.address URL`"
                .to_owned(),
        ),
        EngineError::Address { .. } => {
            let key = match engine {
                EngineName::Anthropic => "engine.anthropic_address",
                _ => "engine.address",
            };
            Some(format!("`afterword config set {key} URL`"))
        }
        _ => None,
    }
}
