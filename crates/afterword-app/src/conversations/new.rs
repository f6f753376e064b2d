//! Making a conversation: what it is called, where it runs, and what its runs may do.

use std::path::{Path, PathBuf};

use afterword_core::conversation::{ConversationState, MessageRole, MessageSource, RunLimits, Schedule};
use afterword_core::{Conversation, ConversationId, UserId};
use afterword_platform::files::{create_private_directory, real_path};
use afterword_store::Store;
use jiff::Zoned;

use super::{Conversations, consent};
use crate::error::{ConnectionError, ConversationsError, UnfitConversation};
use crate::{App, Error};

/// Characters of a title.
const LONGEST_TITLE: usize = 80;
/// So many tools, or connections, a conversation names at most.
const MOST_NAMES: usize = 50;
/// US dollars a run may cost at most, whatever is asked for.
const MOST_USD: f64 = 100.0;
/// Seconds a run may take at most: a day.
const MOST_SECONDS: u32 = 86_400;

/// A conversation to be made.
#[derive(Debug, Clone, Default)]
pub struct NewConversation {
    /// What is wanted, in the person's words.
    pub task: String,
    /// What to call it; else the task's first words.
    pub title: Option<String>,
    /// When its work is due; without one it is a chat.
    pub schedule: Option<Schedule>,
    /// Where its runs take place: a project. Else it gets a directory of its own.
    pub directory: Option<PathBuf>,
    /// What a run may do and cost.
    pub limits: RunLimits,
    /// Its work begins only when the person says yes to it.
    pub needs_consent: bool,
}

/// [`Conversations::create`].
pub(super) fn create(
    conversations: &Conversations,
    new: &NewConversation,
    now: &Zoned,
) -> Result<ConversationId, Error> {
    let task = conversations.redact(&new.task)?;
    super::limits::check_of_an_agent(conversations, &new.limits)?;
    begin_conversation(conversations, new, ConversationState::of_task(&task), (MessageRole::User, &task), now)
}

/// Makes a conversation that stands so, and in which this was said first.
pub(crate) fn begin_conversation(
    conversations: &Conversations,
    new: &NewConversation,
    state: ConversationState,
    (role, said): (MessageRole, &str),
    now: &Zoned,
) -> Result<ConversationId, Error> {
    let at = now.timestamp();
    check(conversations, &new.limits)?;
    let title = title_of(&conversations.app, new.title.as_deref().unwrap_or(said));
    let mut conversation = Conversation::new(title, state, at);
    let id = conversation.id;
    conversation.directory = directory_of(&conversations.app, new.directory.as_deref(), id)?;
    conversation.limits = new.limits.clone();
    let title = conversation.title.clone();
    let refused = |source| ConversationsError::Refused { title: title.clone(), source };
    if let Some(schedule) = &new.schedule {
        conversation.start(schedule.clone(), at).map_err(refused)?;
    }
    let asked = new.needs_consent.then(|| consent::question(&conversation, now.time_zone()));
    if let Some(prompt) = &asked {
        conversation.await_consent(prompt.clone(), at).map_err(refused)?;
    }
    let added: Result<(), Error> = conversations.store.in_transaction(|store| {
        store.conversations().add(&conversation)?;
        if role == MessageRole::User {
            conversations.add_of_person(store, id, said, conversations.relayed, at)?;
        } else {
            store.messages().add(id, role, MessageSource::Chat, said, at)?;
        }
        if let Some(prompt) = &asked {
            store.messages().add(id, MessageRole::System, MessageSource::Chat, prompt, at)?;
        }
        if conversation.schedule.is_none() {
            store.conversations().queue(&conversation, at)?;
        }
        Ok(())
    });
    added?;
    conversations.store.conversations().queue_due(at)?;
    conversations.wake();
    Ok(id)
}

pub(super) fn check(conversations: &Conversations, limits: &RunLimits) -> Result<(), Error> {
    let bad = |problem| Err(ConversationsError::Unfit { problem }.into());
    if limits.allowed_tools.len() > MOST_NAMES || limits.connections.len() > MOST_NAMES {
        return bad(UnfitConversation::TooManyNamed { most: MOST_NAMES });
    }
    if let Some(tool) = limits.allowed_tools.iter().find(|tool| !is_tool(tool)) {
        return bad(UnfitConversation::NoTool { tool: tool.clone() });
    }
    if !(limits.most_usd.is_finite() && limits.most_usd > 0.0 && limits.most_usd <= MOST_USD) {
        return bad(UnfitConversation::Cost { most_usd: MOST_USD });
    }
    if !(1..=MOST_SECONDS).contains(&limits.most_seconds) {
        return bad(UnfitConversation::Time);
    }
    for name in &limits.connections {
        connection_must_exist(&conversations.store, name)?;
    }
    Ok(())
}

fn title_of(app: &App, text: &str) -> String {
    let line = app.redaction().text(text.lines().next().unwrap_or_default().trim());
    let line: String = line.chars().filter(|c| !c.is_control()).collect();
    match line.char_indices().nth(LONGEST_TITLE) {
        Some((end, _)) => {
            let cut = &line[..end];
            let cut = cut.rsplit_once(' ').map_or(cut, |(head, _)| head);
            format!("{cut}…")
        }
        None if line.is_empty() => "conversation".to_owned(),
        None => line,
    }
}

/// Claude Code finds a session only from the directory it was begun in, so it is fixed here.
fn directory_of(app: &App, directory: Option<&Path>, id: ConversationId) -> Result<String, Error> {
    let path = match directory {
        Some(named) => app.environment.working_directory.join(named),
        None => {
            let own = app.paths.conversations().join(id.to_string());
            create_private_directory(&own).map_err(|source| Error::Io {
                path: own.clone(),
                action: "make the conversation's directory",
                source,
            })?;
            own
        }
    };
    let real = real_path(&path).ok().filter(|real| real.is_dir());
    let real = real.ok_or_else(|| ConversationsError::Unfit {
        problem: UnfitConversation::NoDirectory { path: path.display().to_string() },
    })?;
    if real.starts_with(app.paths.engine_workplace()) {
        let problem = UnfitConversation::OwnDirectory;
        return Err(ConversationsError::Unfit { problem }.into());
    }
    real.into_os_string().into_string().map_err(|path| Error::NotUnicode { path: path.into() })
}

fn connection_must_exist(store: &Store, name: &str) -> Result<(), Error> {
    match store.connections().get(&UserId::default(), name)? {
        Some(_) => Ok(()),
        None => Err(ConnectionError::NoSuch { name: name.to_owned() }.into()),
    }
}

/// A tool's name, perhaps with what it may do in parentheses. It becomes an argument of a command: never an option.
fn is_tool(text: &str) -> bool {
    let (name, rule) = text.split_once('(').map_or((text, None), |(name, rule)| (name, Some(rule)));
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '*'));
    let ruled = rule.is_none_or(|rule| rule.ends_with(')') && !rule.contains(char::is_control));
    named && ruled && text.len() <= 500
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_never_options() {
        let check = |text: &str, expected| assert_eq!(is_tool(text), expected, "{text}");
        check("Read", true);
        check("Bash(git log:*)", true);
        check("mcp__mail__send", true);
        check("--dangerously-skip-permissions", false);
        check("", false);
        check("Bash(rm", false);
        check("Bash(a\nb)", false);
        check("Read Write", false);
    }
}
