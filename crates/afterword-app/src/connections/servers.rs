//! The file that tells a run's client which tool servers there are: exactly those its conversation names, for the user
//! alone, and gone after the run.

use std::io::Write;
use std::path::Path;

use afterword_core::Conversation;
use afterword_platform::files::create_private_directory;
use afterword_sign_in::Token;
use afterword_store::Store;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tempfile::NamedTempFile;

use super::{ConnectionSettings, address, settings};
use crate::connections::admission;
use crate::error::ConnectionError;
use crate::{App, Error};

/// The file; it is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct ToolServers {
    file: NamedTempFile,
}

impl ToolServers {
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }
}

/// Writes the file for a conversation's run that begins at `now`; none where it names no connection. Tokens stand in it
/// and nowhere else: variables are inherited by every program the run starts, and arguments can be read by everybody.
///
/// # Errors
/// [`ConnectionError::NoSuch`] for one that was removed; [`ConnectionError::NoAddressSecret`] for one whose address lacks its secret; [`ConnectionError::Unfit`] for one whose program is gone; [`ConnectionError::SignInNeeded`] and [`ConnectionError::SignIn`] for one that
/// does not let the run in; [`Error::Keyring`], [`Error::Store`] or [`Error::Io`].
pub(crate) fn tool_servers(
    app: &App,
    store: &Store,
    conversation: &Conversation,
    now: Timestamp,
) -> Result<Option<ToolServers>, Error> {
    let mut servers = Map::new();
    for name in &conversation.limits.connections {
        let row = store.connections().get(&conversation.user, name)?;
        let row = row.ok_or_else(|| ConnectionError::NoSuch { name: name.clone() })?;
        let mut settings = settings(&row)?;
        super::program::check_exists(&settings, Some(Path::new(&conversation.directory)))
            .map_err(|problem| ConnectionError::Unfit { name: name.clone(), problem })?;
        let token = match &mut settings {
            // It is let in by its address; asked here, it would stand in the errors of this program.
            ConnectionSettings::Http { url, .. } if address::has_place(url) => {
                *url = address::with_secret(&row, url)?;
                None
            }
            ConnectionSettings::Http { url, .. } => {
                admission::token_for(app, &row, url, conversation.limits.most_seconds, now)?
            }
            ConnectionSettings::Stdio { .. } => None,
        };
        servers.insert(name.clone(), server(&settings, token.as_ref()));
    }
    if servers.is_empty() {
        return Ok(None);
    }
    let folder = app.paths.connections();
    let error = |source| Error::Io { path: folder.clone(), action: "write a run's connections", source };
    create_private_directory(&folder).map_err(error)?;
    // Temporary files are for their user alone from the start.
    let mut file = tempfile::Builder::new().suffix(".json").tempfile_in(&folder).map_err(error)?;
    let text = json!({ "mcpServers": servers }).to_string();
    file.write_all(text.as_bytes()).map_err(error)?;
    Ok(Some(ToolServers { file }))
}

/// Removes what runs that were killed left behind; to be called while none runs.
pub fn remove_left_connections(app: &App) {
    let Ok(left) = std::fs::read_dir(app.paths.connections()) else { return };
    for file in left.flatten() {
        // The next start tries again.
        let _ = std::fs::remove_file(file.path());
    }
}

/// A server as Claude Code's configuration has it.
fn server(settings: &ConnectionSettings, token: Option<&Token>) -> Value {
    match settings {
        ConnectionSettings::Stdio { command, arguments, variables, passed_on } => {
            let mut given: Map<String, Value> =
                variables.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
            // Claude Code puts the values in itself; none stands in the file.
            given.extend(passed_on.iter().map(|name| (name.clone(), Value::from(format!("${{{name}}}")))));
            json!({ "type": "stdio", "command": command, "args": arguments, "env": given })
        }
        ConnectionSettings::Http { url, .. } => {
            let mut server = json!({ "type": "http", "url": url });
            if let Some(token) = token {
                server["headers"] = json!({ "Authorization": format!("Bearer {}", token.reveal()) });
            }
            server
        }
    }
}
