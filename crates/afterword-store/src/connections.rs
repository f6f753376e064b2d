//! Table `connections`: the tool servers (MCP) that conversations may name. No secret is in it: those are in the system's
//! keyring, one by one.

use afterword_core::UserId;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};

use crate::values::{maybe_time, millis, time};
use crate::{Store, StoreError};

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Connections<'a> {
    pub(crate) store: &'a Store,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// What conversations call it.
    pub name: String,
    /// `stdio` or `http`.
    pub kind: String,
    /// How it is reached, as JSON; without secrets.
    pub settings: String,
    /// The person has to sign in, for the first time or again.
    pub needs_sign_in: bool,
    /// When the person signed in to it, where that still holds.
    pub signed_in_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Connections<'_> {
    /// Adds a connection, or replaces the one of its name.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn put(&self, user: &UserId, connection: &Connection) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("keep a connection", e);
        let sql =
            "INSERT INTO connections (user_id, name, kind, settings, needs_sign_in, created_at, updated_at, signed_in_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (user_id, name) DO UPDATE SET kind = ?3, settings = ?4, needs_sign_in = ?5, updated_at = ?7,
                signed_in_at = ?8";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![
            user.as_str(),
            connection.name,
            connection.kind,
            connection.settings,
            connection.needs_sign_in,
            millis(connection.created_at),
            millis(connection.updated_at),
            connection.signed_in_at.map(millis),
        ];
        statement.execute(values).map(drop).map_err(wrap)
    }

    /// The user's connection called `name`.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn get(&self, user: &UserId, name: &str) -> Result<Option<Connection>, StoreError> {
        let wrap = |e| self.store.error("read a connection", e);
        let sql = "SELECT * FROM connections WHERE user_id = ?1 AND name = ?2";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        statement.query_row(params![user.as_str(), name], read).optional().map_err(wrap)
    }

    /// The user's connections, by name.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn list(&self, user: &UserId) -> Result<Vec<Connection>, StoreError> {
        let wrap = |e| self.store.error("read the connections", e);
        let sql = "SELECT * FROM connections WHERE user_id = ?1 ORDER BY name";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map([user.as_str()], read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }

    /// Notes that the person has to sign in to a connection again.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn ask_to_sign_in(&self, user: &UserId, name: &str, now: Timestamp) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("note a lost connection", e);
        let sql =
            "UPDATE connections SET needs_sign_in = 1, updated_at = ?3 WHERE user_id = ?1 AND name = ?2";
        let values = params![user.as_str(), name, millis(now)];
        self.store.connection.execute(sql, values).map(drop).map_err(wrap)
    }

    /// Notes that the person has signed in to a connection.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn signed_in(&self, user: &UserId, name: &str, now: Timestamp) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("note a sign-in", e);
        let sql = "UPDATE connections SET needs_sign_in = 0, signed_in_at = ?3, updated_at = ?3
            WHERE user_id = ?1 AND name = ?2";
        let values = params![user.as_str(), name, millis(now)];
        self.store.connection.execute(sql, values).map(drop).map_err(wrap)
    }

    /// Notes that the person has signed out of a connection.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn signed_out(&self, user: &UserId, name: &str, now: Timestamp) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("note that somebody signed out", e);
        let sql =
            "UPDATE connections SET signed_in_at = NULL, updated_at = ?3 WHERE user_id = ?1 AND name = ?2";
        let values = params![user.as_str(), name, millis(now)];
        self.store.connection.execute(sql, values).map(drop).map_err(wrap)
    }

    /// Removes a connection; says whether there was one.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn remove(&self, user: &UserId, name: &str) -> Result<bool, StoreError> {
        let wrap = |e| self.store.error("remove a connection", e);
        let sql = "DELETE FROM connections WHERE user_id = ?1 AND name = ?2";
        let removed = self.store.connection.execute(sql, params![user.as_str(), name]).map_err(wrap)?;
        Ok(removed > 0)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Connection> {
    let column = |name: &str| row.as_ref().column_index(name);
    Ok(Connection {
        name: row.get("name")?,
        kind: row.get("kind")?,
        settings: row.get("settings")?,
        needs_sign_in: row.get("needs_sign_in")?,
        signed_in_at: maybe_time(row, column("signed_in_at")?)?,
        created_at: time(row, column("created_at")?)?,
        updated_at: time(row, column("updated_at")?)?,
    })
}
