//! Going on after a sign-in: the conversations that waited for a connection have their question answered.

use std::time::Duration;

use afterword_core::conversation::Concern;
use afterword_core::{ConversationStatus, UserId};
use jiff::Zoned;
use serde::Serialize;

use crate::connections::PendingSignIn;
use crate::conversations::conversations;
use crate::{App, Error};

/// What a sign-in led to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct SignInReport {
    /// The connection.
    pub connection: String,
    /// Conversations that waited for it and go on, by id.
    pub going_on: Vec<String>,
}

/// Waits until the person has signed in, keeps what that brought, and lets the conversations that waited for it go on. `now`
/// is when the waiting begins; `stop` ends it.
///
/// # Errors
/// [`Error::Connection`] when it failed or nobody came within `limit`; [`Error::Keyring`] or [`Error::Store`].
pub fn finish_sign_in(
    app: &App,
    waiting: PendingSignIn,
    limit: Duration,
    stop: &dyn Fn() -> bool,
    now: &Zoned,
) -> Result<SignInReport, Error> {
    let (connection, now) = waiting.finish(limit, stop, now)?;
    let going_on = let_go_on(app, &connection, &now)?;
    Ok(SignInReport { connection, going_on })
}

/// Answers the question that the conversations waiting for this connection have asked.
fn let_go_on(app: &App, connection: &str, now: &Zoned) -> Result<Vec<String>, Error> {
    let conversations = conversations(app)?;
    let mut going_on = Vec::new();
    for one in conversations.store.conversations().list(&UserId::default(), false)? {
        let question = one.state.pending_question.as_ref();
        let concern = question.and_then(|question| question.concern.as_ref());
        let waits = matches!(concern, Some(Concern::Reconnect(wanted)) if wanted == connection);
        if waits && one.status == ConversationStatus::WaitingInput {
            let id = one.id.to_string();
            // Somebody else may have answered at this moment.
            if conversations.answer(&id, "yes", now).is_ok() {
                going_on.push(id);
            }
        }
    }
    Ok(going_on)
}
