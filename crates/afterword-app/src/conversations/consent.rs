//! Whether a person wants the work that an agent makes in their name: they typed it in that session, or they are asked.
//!
//! That they agreed is otherwise the agent's word, and a text it read may have told it to say so.

use afterword_core::{Conversation, SessionId};
use jiff::tz::TimeZone;

use crate::App;
use crate::utterances::utterances_in;

/// Whether the person typed in that session what is to be done, as whole sentences of theirs, and when.
pub fn is_task_typed(app: &App, session: &SessionId, task: &str, when: &str) -> bool {
    utterances_in(app, session).is_some_and(|said| {
        let with_its_time = [format!("{task} {when}"), format!("{when} {task}")];
        said.state(&[task]) && said.have_words(when)
            || with_its_time.iter().any(|sentence| said.state(&[sentence]))
    })
}

/// Whether the person typed in that session when something is to be done.
pub fn is_time_typed(app: &App, session: &SessionId, when: &str) -> bool {
    utterances_in(app, session).is_some_and(|said| said.have_words(when))
}

/// What the person is asked before work begins that an agent made.
pub(super) fn question(conversation: &Conversation, zone: &TimeZone) -> String {
    let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let when =
        conversation.schedule.as_ref().map_or_else(|| "at once".to_owned(), |when| when.describe(zone));
    format!(
        "An agent made this in a session, and says that you want it. It would run {when}, in {}. Tools: {}. Connections: {}.\nMay it begin?",
        conversation.directory,
        list(&conversation.limits.allowed_tools),
        list(&conversation.limits.connections),
    )
}
