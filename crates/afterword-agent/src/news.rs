//! What of the agent's events a person is told, and where it leads.

use afterword_core::JobType;
use afterword_core::conversation::ConversationEvent;

use crate::notices::{News, NoticeKind};
use crate::reflect::{Changed, NoteChange};
use crate::{Agent, AgentEvent};

impl Agent {
    /// The news in an event; none in most.
    pub fn news_of(&self, event: &AgentEvent) -> Vec<News> {
        let news = |kind, what: String, route: String| vec![News { kind, what, route, count: 1 }];
        match event {
            AgentEvent::JobCompleted { session: Some(session), notes, .. } => {
                // Ledgers and overviews only repeat what was learned; what waits for review is told as that.
                let is_lesson = |note: &&NoteChange| matches!(note.what, Changed::Lesson { .. });
                let is_saved = |note: &&NoteChange| note.refused.is_none() && note.waits.is_none();
                let learned = notes.iter().filter(is_lesson).filter(is_saved);
                match learned.map(|note| note.title.clone()).next() {
                    None => Vec::new(),
                    Some(title) => news(NoticeKind::Completed, title, format!("sessions/{session}")),
                }
            }
            AgentEvent::JobFailed { session, reason, again_at: None, job_type, .. } => {
                let is_task = *job_type == JobType::ConversationRun;
                let route = match session {
                    Some(session) => format!("sessions/{session}"),
                    None if is_task => "tasks".to_owned(),
                    None => "activity".to_owned(),
                };
                let kind = if is_task { NoticeKind::TaskFailed } else { NoticeKind::Failed };
                news(kind, reason.clone(), route)
            }
            AgentEvent::NeedsReview { count, newest } => {
                let item = newest.as_ref().and_then(|path| self.note_line(path));
                let told = match item {
                    Some(line) => news(NoticeKind::Review, line.title, format!("review/{}", line.id)),
                    None => news(
                        NoticeKind::Review,
                        "Look at it when you have a minute".to_owned(),
                        "review".to_owned(),
                    ),
                };
                told.into_iter().map(|news| News { count: *count, ..news }).collect()
            }
            AgentEvent::WaitingForInput { conversation, question } => {
                news(NoticeKind::Waiting, question.clone(), format!("tasks/{conversation}"))
            }
            AgentEvent::Conversation(told) if told.event == ConversationEvent::PutOff => {
                news(NoticeKind::TaskPutOff, told.title.clone(), format!("tasks/{}", told.conversation))
            }
            _ => Vec::new(),
        }
    }
}
