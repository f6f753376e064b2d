//! Changes that a person asks for by talking: made one after the other, told, and taken back.

use afterword_core::conversation::schedule::words;
use afterword_core::conversation::{Change, MessageRole, MessageSource};
use afterword_core::{Conversation, ConversationId};
use jiff::Zoned;

use super::Conversations;
use crate::Error;

/// Makes the changes; gives a line for each, what was done or why it was not.
pub(super) fn make(conversation: &mut Conversation, changes: &[Change], now: &Zoned) -> Vec<String> {
    let before = conversation.clone();
    let zone = before.schedule.as_ref().and_then(|schedule| schedule.time_zone());
    let zone = zone.or_else(|| now.time_zone().iana_name()).unwrap_or("UTC").to_owned();
    let understand =
        |text: &str| words::parse(text, &zone, now.timestamp()).map_err(|error| error.to_string());
    let (mut lines, mut made, mut undone) = (Vec::new(), false, false);
    for change in changes {
        match conversation.steer(change, understand, now.timestamp()) {
            Ok(done) => {
                (made, undone) = (true, *change == Change::Undo {});
                lines.push(format!("Changed: {done}."));
            }
            Err(problem) => lines.push(format!("Not changed: {problem}.")),
        }
    }
    if made && !undone {
        conversation.remember_changes_since(&before);
        lines.push(format!("`afterword task undo {}` takes it back; so does saying so.", conversation.id));
    }
    lines
}

impl Conversations {
    /// Takes back what was changed last by talking, and tells so in the conversation.
    ///
    /// # Errors
    /// As [`Conversations::find`]; when nothing was changed.
    pub fn undo(&self, argument: &str, now: &Zoned) -> Result<ConversationId, Error> {
        let (conversation, at) = (self.find(argument)?, now.timestamp());
        let id = conversation.id;
        let nothing = |problem| Error::BadConversation { problem };
        self.store.in_transaction(|store| {
            let done = store.conversations().change(id, |current| current.undo(at).map_err(nothing))?;
            let text = format!("You took it back: {}.", done.unwrap_or_default());
            store.messages().add(id, MessageRole::System, MessageSource::Chat, &text, at)?;
            Ok::<_, Error>(())
        })?;
        self.store.conversations().queue_due(at)?;
        self.wake();
        Ok(id)
    }
}
