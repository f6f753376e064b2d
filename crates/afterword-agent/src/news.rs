//! What of the agent's events a person is told, and where it leads.

use crate::notices::{News, NoticeKind};
use crate::{Agent, AgentEvent};

impl Agent {
    /// The news in an event; none in most.
    pub fn news_of(&self, event: &AgentEvent) -> Vec<News> {
        let news = |kind, what: String, route: String| vec![News { kind, what, route }];
        match event {
            AgentEvent::JobCompleted { session: Some(session), notes, .. } => {
                let learned = notes.iter().filter(|note| note.refused.is_none() && note.waits.is_none());
                match learned.map(|note| note.title.clone()).next() {
                    // What waits for review is told as that.
                    None => Vec::new(),
                    Some(title) => news(NoticeKind::Completed, title, format!("sessions/{session}")),
                }
            }
            AgentEvent::JobFailed { session, reason, again_at: None, .. } => {
                let route =
                    session.as_ref().map_or("activity".to_owned(), |session| format!("sessions/{session}"));
                news(NoticeKind::Failed, reason.clone(), route)
            }
            AgentEvent::NeedsReview { newest, .. } => {
                let item = newest.as_ref().and_then(|path| self.note_line(path));
                match item {
                    Some(line) => news(NoticeKind::Review, line.title, format!("review/{}", line.id)),
                    None => news(
                        NoticeKind::Review,
                        "Look at it when you have a minute".to_owned(),
                        "review".to_owned(),
                    ),
                }
            }
            AgentEvent::WaitingForInput { conversation, question } => {
                news(NoticeKind::Waiting, question.clone(), format!("tasks/{conversation}"))
            }
            _ => Vec::new(),
        }
    }
}
