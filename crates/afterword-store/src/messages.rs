//! Table `messages`: what was said in conversations, and what of it the Claude session has read.

use afterword_core::ConversationId;
use afterword_core::conversation::{Message, MessageId, MessageRole, MessageSource};
use jiff::Timestamp;
use rusqlite::{Row, params};

use crate::values::{millis, parse_column, time};
use crate::{Store, StoreError};

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Messages<'a> {
    pub(crate) store: &'a Store,
}

impl Messages<'_> {
    /// Adds a message at the end, in the words of who says it. A person's counts as unread by the Claude session until
    /// [`Messages::mark_read`].
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(
        &self,
        conversation: ConversationId,
        role: MessageRole,
        source: MessageSource,
        content: &str,
        now: Timestamp,
    ) -> Result<MessageId, StoreError> {
        self.insert(conversation, (role, false), source, content, now)
    }

    /// Adds what an agent says in the person's name, in its own words.
    ///
    /// # Errors
    /// As [`Messages::add`].
    pub fn add_relayed(
        &self,
        conversation: ConversationId,
        content: &str,
        now: Timestamp,
    ) -> Result<MessageId, StoreError> {
        self.insert(conversation, (MessageRole::User, true), MessageSource::Chat, content, now)
    }

    fn insert(
        &self,
        conversation: ConversationId,
        (role, relayed): (MessageRole, bool),
        source: MessageSource,
        content: &str,
        now: Timestamp,
    ) -> Result<MessageId, StoreError> {
        let wrap = |e| self.store.error("add a message", e);
        let id = MessageId::new(now);
        let sql =
            "INSERT INTO messages (id, conversation_id, role, source, content, relayed, told, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let told = role != MessageRole::User;
        let values = params![
            id.to_string(),
            conversation.to_string(),
            role.as_str(),
            source.as_str(),
            content,
            relayed,
            told,
            millis(now)
        ];
        statement.execute(values).map_err(wrap)?;
        Ok(id)
    }

    /// The last messages of a conversation, at most `most`, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn last(&self, conversation: ConversationId, most: u32) -> Result<Vec<Message>, StoreError> {
        let sql =
            "SELECT * FROM (SELECT * FROM messages WHERE conversation_id = ?1 ORDER BY seq DESC LIMIT ?2)
            ORDER BY seq";
        self.query(sql, params![conversation.to_string(), most])
    }

    /// A person's messages that the Claude session has not read, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn unread(&self, conversation: ConversationId) -> Result<Vec<Message>, StoreError> {
        let sql = "SELECT * FROM messages WHERE conversation_id = ?1 AND told = 0 ORDER BY seq";
        self.query(sql, [conversation.to_string()])
    }

    /// Notes that the Claude session has read these messages.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn mark_read(&self, messages: &[Message]) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("note what was read", e);
        let sql = "UPDATE messages SET told = 1 WHERE id = ?1";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        for message in messages {
            statement.execute([message.id.to_string()]).map_err(wrap)?;
        }
        Ok(())
    }

    fn query(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<Message>, StoreError> {
        let wrap = |e| self.store.error("read messages", e);
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map(values, read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Message> {
    Ok(Message {
        id: parse_column(row, "id", MessageId::parse)?,
        conversation: parse_column(row, "conversation_id", ConversationId::parse)?,
        role: parse_column(row, "role", MessageRole::parse)?,
        source: parse_column(row, "source", MessageSource::parse)?,
        content: row.get("content")?,
        relayed: row.get("relayed")?,
        created_at: time(row, row.as_ref().column_index("created_at")?)?,
    })
}
