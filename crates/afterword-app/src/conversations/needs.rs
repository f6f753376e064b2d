//! What a task asks for and what it lacks, said before it is made.

use std::path::{Path, PathBuf};

use afterword_core::conversation::{ProposedTool, RunLimits, proposed_tools, requested_services};
use serde::Serialize;

use crate::agent_lock;
use crate::connections::ConnectionView;
use crate::error::EngineCallError;
use crate::{App, Error, connections};

/// What a task asks for, and what it lacks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct TaskNeeds {
    /// Tools that its words ask for and that it was not given: for the person to allow.
    pub tools: Vec<ProposedTool>,
    /// Connections that its words name and that it was not given.
    pub connections: Vec<String>,
    /// What its runs would fail for want of, and what to do about each.
    pub missing: Vec<MissingNeed>,
}

/// Something a task's runs would fail for want of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct MissingNeed {
    /// What is missing.
    pub what: String,
    /// What to do about it.
    pub advice: String,
}

impl TaskNeeds {
    /// There is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Looks what a task would ask for and lack. Asks nobody and makes nothing.
///
/// # Errors
/// [`Error::Store`].
pub fn task_needs(
    app: &App,
    words: &str,
    limits: &RunLimits,
    directory: Option<&Path>,
) -> Result<TaskNeeds, Error> {
    let known = connections::connections(app)?.list()?;
    let text = words.to_lowercase();
    let names: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '-')).collect();
    let is_given = |name: &str| limits.connections.iter().any(|given| given == name);
    let named = |one: &ConnectionView| names.contains(&one.name.as_str());
    let connections: Vec<String> =
        known.iter().filter(|one| named(one) && !is_given(&one.name)).map(|one| one.name.clone()).collect();
    let allowed = |tool: &ProposedTool| {
        let bare = tool.tool.split('(').next().unwrap_or_default();
        limits.allowed_tools.iter().any(|given| *given == tool.tool || given == bare)
    };
    let mut missing = Vec::new();
    missing.extend(missing_client(app));
    missing.extend(missing_agent(app)?);
    let wanted = limits.connections.iter().chain(&connections);
    missing.extend(wanted.filter_map(|name| missing_connection(name, &known)));
    let reached = |service: &str| {
        known.iter().any(|one| one.name.contains(service) && (is_given(&one.name) || named(one)))
    };
    let unreached = requested_services(words).into_iter().filter(|service| !reached(service));
    missing.extend(unreached.map(|service| MissingNeed {
        what: format!("nothing it may use reaches your {service}"),
        advice: format!(
            "add a tool server with `afterword connections add {service} …`, and give it with `--connection {service}`"
        ),
    }));
    missing.extend(directory.and_then(|named| missing_directory(app, named)));
    let tools = proposed_tools(words).into_iter().filter(|tool| !allowed(tool)).collect();
    Ok(TaskNeeds { tools, connections, missing })
}

fn missing_client(app: &App) -> Option<MissingNeed> {
    let is_gone = !app.has_client();
    is_gone.then(|| {
        let error = Error::from(EngineCallError::NoClient);
        MissingNeed { what: error.chain(), advice: error.hints().concat() }
    })
}

/// The work is done by the running agent; without one a task waits.
fn missing_agent(app: &App) -> Result<Option<MissingNeed>, Error> {
    let is_there = agent_lock::running_agent(&app.paths)?.is_some();
    Ok((!is_there).then(|| MissingNeed {
        what: "no agent is at work, and the task waits until one is".to_owned(),
        advice: "start the app, or `afterword run`".to_owned(),
    }))
}

fn missing_directory(app: &App, named: &Path) -> Option<MissingNeed> {
    let path: PathBuf = app.environment.working_directory.join(named);
    (!path.is_dir()).then(|| MissingNeed {
        what: format!("{} is no directory", path.display()),
        advice: "name one that is there".to_owned(),
    })
}

fn missing_connection(name: &str, known: &[ConnectionView]) -> Option<MissingNeed> {
    let Some(connection) = known.iter().find(|one| one.name == name) else {
        return Some(MissingNeed {
            what: format!("there is no connection `{name}`"),
            advice: format!("add it with `afterword connections add {name} …`"),
        });
    };
    if connection.needs_sign_in {
        return Some(MissingNeed {
            what: format!("the connection `{name}` has to be signed in to"),
            advice: format!("`afterword connections connect {name}`"),
        });
    }
    connection.missing_program().map(|what| MissingNeed {
        what: format!("the connection `{name}`: {what}"),
        advice: "install the program, or add the connection anew".to_owned(),
    })
}
