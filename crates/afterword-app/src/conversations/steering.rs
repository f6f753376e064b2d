//! Changes that a person asks for by talking: made one after the other, told, and taken back.

use afterword_core::conversation::schedule::{find_time_zone, words};
use afterword_core::conversation::{
    ConversationChange, Message, MessageRole, MessageSource, asks_for_change,
};
use afterword_core::{Conversation, ConversationId};
use jiff::Zoned;
use jiff::tz::TimeZone;

use super::Conversations;
use crate::Error;
use crate::error::{ConversationsError, UnfitConversation};

/// Makes the changes; gives a line for each, what was done or why it was not. What an agent asked for in the person's
/// name (`relayed`) takes back no limit.
pub(super) fn make(
    conversation: &mut Conversation,
    changes: &[ConversationChange],
    relayed: bool,
    now: &Zoned,
) -> Vec<String> {
    let before = conversation.clone();
    let zone = zone_of(&before, now).to_owned();
    let clock = find_time_zone(&zone).unwrap_or(TimeZone::UTC);
    let understand =
        |text: &str| words::parse(text, &zone, now.timestamp()).map_err(|error| error.to_string());
    let (mut lines, mut made, mut undone) = (Vec::new(), false, false);
    for change in changes {
        let as_it_was = conversation.clone();
        let steered = conversation.steer(change, understand, &clock, now.timestamp());
        let beyond = conversation.limits.first_widening(&as_it_was.limits).filter(|_| relayed);
        match steered {
            Ok(_) if let Some(problem) = beyond => {
                *conversation = as_it_was;
                lines.push(format!("Not changed: {problem}: only you can allow more."));
            }
            Ok(done) => {
                (made, undone) = (true, *change == ConversationChange::Undo {});
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

/// What is told where a turn changed nothing although the person's words read as a wish that it should; `None` where they
/// do not. A reply that only says so ("from now on every hour") would be taken at its word.
pub(super) fn no_change_notice(conversation: &Conversation, said: &[Message], now: &Zoned) -> Option<String> {
    let zone = zone_of(conversation, now);
    let asks = |message: &Message| {
        let is_the_task = message.content == conversation.state.task();
        !is_the_task && asks_for_change(&message.content, zone, now.timestamp())
    };
    let id = conversation.id;
    said.iter().any(asks).then(|| {
        format!(
            "Nothing was changed. If you asked for a change, say again what and when, or make it yourself: \
             `afterword task reschedule {id} WHEN`, `afterword task pause {id}` or `afterword task archive {id}`."
        )
    })
}

/// The time zone that the person's times are meant in.
fn zone_of<'a>(conversation: &'a Conversation, now: &'a Zoned) -> &'a str {
    let zone = conversation.schedule.as_ref().and_then(|schedule| schedule.time_zone());
    zone.or_else(|| now.time_zone().iana_name()).unwrap_or("UTC")
}

/// [`Conversations::undo`].
pub(super) fn undo(
    conversations: &Conversations,
    argument: &str,
    now: &Zoned,
) -> Result<ConversationId, Error> {
    let (conversation, at) = (conversations.find(argument)?, now.timestamp());
    let id = conversation.id;
    let nothing = |detail| {
        let problem = UnfitConversation::NotTakenBack { detail };
        Error::from(ConversationsError::Unfit { problem })
    };
    conversations.store.in_transaction(|store| {
        let done = store.conversations().change(id, |current| {
            let limits = current.limits.clone();
            let done = current.undo(at).map_err(nothing)?;
            super::limits::check_widening(conversations, &current.limits, &limits).map(|()| done)
        })?;
        let who = if conversations.relayed { "An agent in your name" } else { "You" };
        let text = format!("{who} took it back: {}.", done.unwrap_or_default());
        store.messages().add(id, MessageRole::System, MessageSource::Chat, &text, at)?;
        Ok::<_, Error>(())
    })?;
    conversations.store.conversations().queue_due(at)?;
    conversations.wake();
    Ok(id)
}

#[cfg(test)]
mod tests {
    use afterword_core::conversation::{ConversationState, RequestedLimits, RunLimits};

    use super::*;

    fn conversation(now: &Zoned) -> Conversation {
        Conversation {
            limits: RunLimits { allowed_tools: vec!["Bash".to_owned()], ..RunLimits::default() },
            ..Conversation::new(
                "watch the build",
                ConversationState::of_task("watch the build"),
                now.timestamp(),
            )
        }
    }

    #[test]
    fn agent_takes_back_no_limit_the_person_asked_for() {
        let now = Zoned::now();
        let mut one = conversation(&now);
        let narrower = RequestedLimits { allowed_tools: Some(Vec::new()), ..RequestedLimits::default() };
        make(&mut one, &[ConversationChange::Limit(narrower)], false, &now);
        let narrowed = one.clone();
        assert!(narrowed.limits.allowed_tools.is_empty());

        let lines = make(&mut one, &[ConversationChange::Undo {}], true, &now);
        assert_eq!(lines, ["Not changed: `Bash` is not allowed: only you can allow more."]);
        assert_eq!(one, narrowed, "and it can still be taken back");
        make(&mut one, &[ConversationChange::Undo {}], false, &now);
        assert_eq!(one.limits.allowed_tools, ["Bash"], "the person takes it back");
    }
}
