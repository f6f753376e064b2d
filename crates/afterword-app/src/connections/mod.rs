//! Connections: the tool servers (MCP) that conversations may use, kept by name.
//!
//! It keeps how a server is reached, never a secret: a program that needs one takes it from a variable of the agent's own
//! environment, by that variable's name; tokens of remote servers are in the system's keyring (`kept`). It starts no
//! server; Claude Code does, in a run, and `servers` gives it exactly those its conversation names, once `admission` has
//! found that they let it in. Start reading at [`Connections`] and [`PendingSignIn`].

mod address;
mod admission;
mod program;
pub(crate) mod servers;
mod signing_in;
mod stored_tokens;

use std::collections::BTreeMap;

use afterword_core::{Secret, UserId};
use afterword_store::{Store, StoredConnection};
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

pub use signing_in::{PendingSignIn, SignInOptions, SignOutReport};

use crate::error::{ConnectionError, UnfitConnection};
use crate::redaction::Redaction;
use crate::{App, Error};
pub use servers::remove_left_connections;
pub(crate) use servers::tool_servers;

/// Characters of a name.
const LONGEST_NAME: usize = 40;

/// How a tool server is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ConnectionSettings {
    /// A program that speaks on its standard input and output.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        #[serde(default)]
        arguments: Vec<String>,
        /// Variables it is given, which are no secrets.
        #[serde(default)]
        variables: BTreeMap<String, String>,
        /// Variables it is given as they are in the agent's own environment, by name.
        #[serde(default)]
        passed_on: Vec<String>,
    },
    /// A server somewhere else, over HTTP.
    Http {
        /// Its address.
        url: String,
        /// The client that the person registered where one signs in to it, if that is needed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "contract", ts(optional))]
        client: Option<OwnClient>,
    },
}

/// A client that somebody registered by hand, where a server does not let programs register themselves. Its secret, if it has
/// one, is in the keyring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct OwnClient {
    /// What the authorization server calls it.
    pub id: String,
    /// The port of this machine that it is registered to come back to; any where that does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "contract", ts(optional))]
    pub callback_port: Option<u16>,
}

/// A connection as faces show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Connection"))]
pub struct ConnectionView {
    /// What conversations call it.
    pub name: String,
    /// How it is reached.
    #[serde(flatten)]
    pub settings: ConnectionSettings,
    /// The server turned a run away that was not signed in.
    pub needs_sign_in: bool,
    /// When the person signed in to it.
    pub signed_in_at: Option<String>,
    /// When it was made.
    pub created_at: String,
}

impl ConnectionView {
    /// Why its program cannot be started, where it has one that is missing.
    pub fn missing_program(&self) -> Option<String> {
        program::check_exists(&self.settings, None).err().map(|problem| problem.to_string())
    }
}

/// The connections, open.
#[derive(Debug)]
pub struct Connections {
    app: App,
    store: Store,
}

/// Opens the connections.
///
/// # Errors
/// [`Error::Store`].
pub fn connections(app: &App) -> Result<Connections, Error> {
    Ok(Connections { app: app.clone(), store: app.store()? })
}

impl Connections {
    /// Keeps the secret of a connection's address in the keyring.
    ///
    /// # Errors
    /// [`ConnectionError::NoSuch`], [`ConnectionError::Unfit`] for an address without a place for one and for what is no secret, and
    /// [`Error::Keyring`].
    pub fn set_address_secret(&self, name: &str, secret: &Secret) -> Result<(), Error> {
        address::set_address_secret(self, name, secret)
    }

    /// Begins to sign in to a remote server: the person has to open [`PendingSignIn::address`].
    ///
    /// # Errors
    /// [`ConnectionError::NoSuch`], [`ConnectionError::Unfit`] for a program and for a secret without a client, [`ConnectionError::SignIn`],
    /// and [`Error::Keyring`].
    pub fn begin_sign_in(self, name: &str, wishes: SignInOptions) -> Result<PendingSignIn, Error> {
        signing_in::begin_sign_in(self, name, wishes)
    }

    /// Signs out: the server is asked to take the tokens back, and they are removed from the keyring.
    ///
    /// # Errors
    /// [`ConnectionError::NoSuch`], [`ConnectionError::Unfit`] for a program, [`Error::Keyring`] or [`Error::Store`].
    pub fn sign_out(&self, name: &str, now: &Zoned) -> Result<SignOutReport, Error> {
        signing_in::sign_out(self, name, now)
    }

    /// Keeps a connection under a name, in the place of one that has it.
    ///
    /// # Errors
    /// [`ConnectionError::Unfit`] for what cannot be kept, as a secret, and [`Error::Store`].
    pub fn add(&self, name: &str, settings: &ConnectionSettings, now: Timestamp) -> Result<(), Error> {
        let refused = |problem| ConnectionError::Unfit { name: name.to_owned(), problem };
        check(name, settings).map_err(refused)?;
        holds_no_secret(settings, &self.app.redaction()).map_err(refused)?;
        program::check_exists(settings, None).map_err(refused)?;
        let kind = match settings {
            ConnectionSettings::Stdio { .. } => "stdio",
            ConnectionSettings::Http { .. } => "http",
        };
        let unfit = |error: serde_json::Error| ConnectionError::Unfit {
            name: name.to_owned(),
            problem: UnfitConnection::Unreadable { detail: error.to_string() },
        };
        // What was given for one address is for no other.
        let known = self.store.connections().get(&UserId::default(), name)?;
        let same = known
            .as_ref()
            .is_some_and(|known| view(known.clone()).is_ok_and(|one| one.settings == *settings));
        let signed_in_at = known.as_ref().filter(|_| same).and_then(|known| known.signed_in_at);
        if !same && known.as_ref().is_some_and(|known| known.signed_in_at.is_some()) {
            self.sign_out(name, &now.to_zoned(jiff::tz::TimeZone::UTC))?;
        }
        if let Some(known) = known.as_ref().filter(|_| !same) {
            address::forget_address_secret(known)?;
        }
        let row = StoredConnection {
            name: name.to_owned(),
            kind: kind.to_owned(),
            settings: serde_json::to_string(settings).map_err(unfit)?,
            needs_sign_in: false,
            signed_in_at,
            created_at: now,
            updated_at: now,
        };
        Ok(self.store.connections().put(&UserId::default(), &row)?)
    }

    /// The connections, by name.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn list(&self) -> Result<Vec<ConnectionView>, Error> {
        self.store.connections().list(&UserId::default())?.into_iter().map(view).collect()
    }

    /// Removes a connection, and signs out of it. Conversations that name it fail until it is there again.
    ///
    /// # Errors
    /// [`ConnectionError::NoSuch`], [`Error::Keyring`] or [`Error::Store`].
    pub fn remove(&self, name: &str, now: Timestamp) -> Result<(), Error> {
        let known = self.store.connections().get(&UserId::default(), name)?;
        if let Some(known) = known {
            if known.signed_in_at.is_some() {
                self.sign_out(name, &now.to_zoned(jiff::tz::TimeZone::UTC))?;
            }
            signing_in::forget_client_secret(&known)?;
            address::forget_address_secret(&known)?;
        }
        if self.store.connections().remove(&UserId::default(), name)? {
            return Ok(());
        }
        Err(ConnectionError::NoSuch { name: name.to_owned() }.into())
    }
}

fn view(row: StoredConnection) -> Result<ConnectionView, Error> {
    let settings = settings(&row)?;
    Ok(ConnectionView {
        name: row.name,
        settings,
        needs_sign_in: row.needs_sign_in,
        signed_in_at: row.signed_in_at.map(|at| at.to_string()),
        created_at: row.created_at.to_string(),
    })
}

fn settings(row: &StoredConnection) -> Result<ConnectionSettings, Error> {
    serde_json::from_str(&row.settings).map_err(|error| {
        let problem = UnfitConnection::Unreadable { detail: error.to_string() };
        ConnectionError::Unfit { name: row.name.clone(), problem }.into()
    })
}

fn check(name: &str, settings: &ConnectionSettings) -> Result<(), UnfitConnection> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(allowed) || name.starts_with('-') {
        return Err(UnfitConnection::Name);
    }
    let is_variable = |name: &String| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && name.len() <= 200
    };
    match settings {
        ConnectionSettings::Stdio { command, variables, passed_on, .. } => {
            if command.trim().is_empty() {
                return Err(UnfitConnection::NamesNoProgram);
            }
            match variables.keys().chain(passed_on).find(|name| !is_variable(name)) {
                Some(name) => Err(UnfitConnection::Variable { variable: name.clone() }),
                None => Ok(()),
            }
        }
        ConnectionSettings::Http { url, client } => {
            let is_id = |client: &OwnClient| {
                !client.id.is_empty() && client.id.bytes().all(|byte| (b' '..=b'~').contains(&byte))
            };
            if client.as_ref().is_some_and(|client| !is_id(client)) {
                return Err(UnfitConnection::ClientId);
            }
            let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
            let host = rest.split(['/', ':', '?']).next().unwrap_or_default();
            let is_here = matches!(host, "localhost" | "127.0.0.1" | "[");
            if rest.contains('@') || rest.is_empty() || url.contains(char::is_whitespace) {
                return Err(UnfitConnection::Address);
            }
            address::check_place(url)?;
            // What is said to a server elsewhere is for that server alone.
            if scheme == "https" || (scheme == "http" && is_here) {
                return Ok(());
            }
            Err(UnfitConnection::Unencrypted)
        }
    }
}

/// Settings are kept in the database and shown, so nothing in them may be a secret.
fn holds_no_secret(settings: &ConnectionSettings, redaction: &Redaction) -> Result<(), UnfitConnection> {
    let is_secret = |text: &str| redaction.text(text) != text;
    match settings {
        ConnectionSettings::Stdio { command, arguments, variables, .. } => {
            let line = std::iter::once(command).chain(arguments).map(String::as_str).collect::<Vec<_>>();
            let variable = variables.iter().find(|(name, value)| is_secret(&format!("{name}={value}")));
            match variable {
                Some((name, _)) => Err(UnfitConnection::SecretInVariable { variable: name.clone() }),
                None if is_secret(&line.join(" ")) => Err(UnfitConnection::SecretInArgument),
                None => Ok(()),
            }
        }
        ConnectionSettings::Http { url, .. } if is_secret(url) => Err(UnfitConnection::SecretInAddress),
        ConnectionSettings::Http { .. } => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_before_there_were_own_clients_are_read() {
        let read: ConnectionSettings =
            serde_json::from_str(r#"{"type":"http","url":"https://mail.example.org/mcp"}"#).unwrap();
        let url = "https://mail.example.org/mcp".to_owned();
        assert_eq!(read, ConnectionSettings::Http { url, client: None });
    }

    #[test]
    fn secret_is_refused_wherever_it_stands() {
        let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let stdio = |argument: &str, variable: (&str, &str)| ConnectionSettings::Stdio {
            command: "mcp-files".to_owned(),
            arguments: vec!["--root".to_owned(), "/srv".to_owned(), argument.to_owned()],
            variables: BTreeMap::from([(variable.0.to_owned(), variable.1.to_owned())]),
            passed_on: Vec::new(),
        };
        let http = |url: &str| ConnectionSettings::Http { url: url.to_owned(), client: None };
        let check = |settings: ConnectionSettings, expected: &str| {
            let problem = holds_no_secret(&settings, &Redaction::default()).err();
            let problem = problem.map(|problem| problem.to_string()).unwrap_or_default();
            assert!(!problem.contains(&token), "{problem}");
            assert_eq!(problem.split(" looks like").next(), Some(expected));
        };
        check(stdio("--verbose", ("LOG_LEVEL", "debug")), "");
        check(http("https://mail.example.org/mcp?team=shop"), "");
        check(http("https://mail.example.org/mcp?token={secret}"), "");
        check(http("https://mail.example.org/{secret}/mcp"), "");
        check(stdio(&format!("--token={token}"), ("LOG_LEVEL", "debug")), "one of its arguments");
        check(stdio("postgres://ada:Xk93vQz1@db.example.org/shop", ("A", "b")), "one of its arguments");
        check(stdio("--verbose", ("SHOP_TOKEN", &token)), "the value of `SHOP_TOKEN`");
        check(http(&format!("https://mail.example.org/mcp?token={token}")), "a part of its address");
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        let http = |url: &str| ConnectionSettings::Http { url: url.to_owned(), client: None };
        let ok = |name: &str, settings: &ConnectionSettings| check(name, settings).is_ok();
        assert!(ok("mail", &http("https://mail.example.org/mcp")));
        assert!(ok("local-1", &http("http://127.0.0.1:8080/mcp")));
        assert!(!ok("mail", &http("http://mail.example.org/mcp")));
        assert!(!ok("mail", &http("https://user:secret@mail.example.org/mcp")));
        assert!(!ok("mail", &http("https://")));
        for name in ["", "Mail", "a b", "--x", "a__b", "ä"] {
            assert!(!ok(name, &http("https://mail.example.org")), "{name}");
        }
        let stdio = |command: &str, variable: &str| ConnectionSettings::Stdio {
            command: command.to_owned(),
            arguments: Vec::new(),
            variables: BTreeMap::new(),
            passed_on: vec![variable.to_owned()],
        };
        assert!(ok("files", &stdio("mcp-files", "API_KEY")));
        assert!(!ok("files", &stdio(" ", "API_KEY")));
        assert!(!ok("files", &stdio("mcp-files", "A=b")));
    }
}
