//! What of the agent's events a person is told, and where it leads.

use afterword_core::conversation::ConversationEvent;
use afterword_core::{JobType, SessionId};
use jiff::Timestamp;

use crate::AgentEvent;
use afterword_app::conversations::ConversationNews;
use afterword_app::log::{self, OrLog};
use afterword_app::note_change::{NoteChange, NoteChangeKind};
use afterword_app::notices::{News, NoticeKind};
use afterword_app::{App, feedback, lessons};

/// The news in an event; none in most. A notification stands on locked screens, so no secret is in it, wherever its words come from:
/// a note that another machine wrote was never redacted here.
pub fn news_of(app: &App, event: &AgentEvent, now: Timestamp) -> Vec<News> {
    let mut news = unredacted_news_of(app, event, now);
    if !news.is_empty() {
        let redaction = app.redaction();
        news.iter_mut().for_each(|one| one.what = redaction.text(&one.what));
    }
    news
}

fn unredacted_news_of(app: &App, event: &AgentEvent, now: Timestamp) -> Vec<News> {
    let news = |kind, what: String, route: String| vec![News { kind, what, route, count: 1, log: None }];
    match event {
        AgentEvent::JobCompleted { session: Some(session), notes, .. } => {
            // Ledgers and overviews only repeat what was learned; what waits for review is told as that.
            let is_lesson = |note: &&NoteChange| matches!(note.what, NoteChangeKind::Lesson { .. });
            let is_saved = |note: &&NoteChange| note.refused.is_none() && note.waits.is_none();
            let learned = notes.iter().filter(is_lesson).filter(is_saved);
            let learned = match learned.map(|note| note.title.clone()).next() {
                None => Vec::new(),
                Some(title) => news(NoticeKind::Completed, title, format!("sessions/{session}")),
            };
            learned.into_iter().chain(news_of_repeats(app, session, now)).collect()
        }
        AgentEvent::JobFailed { session, reason, again_at: None, job_type, .. } => {
            let is_task = *job_type == JobType::ConversationRun;
            let route = match session {
                Some(session) => format!("sessions/{session}"),
                None if is_task => "tasks".to_owned(),
                None => "activity".to_owned(),
            };
            let kind = if is_task { NoticeKind::TaskFailed } else { NoticeKind::Failed };
            let log = Some(log::directory(app.paths()));
            vec![News { kind, what: reason.clone(), route, count: 1, log }]
        }
        AgentEvent::NeedsReview { count, newest } => {
            let item = newest.as_ref().and_then(|path| lessons::note_line(app, path));
            let update = match item {
                Some(line) => news(NoticeKind::Review, line.title, format!("review/{}", line.id)),
                None => news(
                    NoticeKind::Review,
                    "Look at it when you have a minute".to_owned(),
                    "review".to_owned(),
                ),
            };
            update.into_iter().map(|news| News { count: *count, ..news }).collect()
        }
        AgentEvent::LeftOpen { session, line } => {
            news(NoticeKind::LeftOpen, line.clone(), format!("sessions/{session}"))
        }
        AgentEvent::WaitingForInput { conversation, question, .. } => {
            news(NoticeKind::Waiting, question.clone(), format!("tasks/{conversation}"))
        }
        AgentEvent::Conversation(update) => {
            let route = format!("tasks/{}", update.conversation);
            let first_line = update.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let report = || format!("{}: {first_line}", update.title);
            match update.event {
                ConversationEvent::Reported | ConversationEvent::Finished if is_muted(app, update) => {
                    Vec::new()
                }
                ConversationEvent::Postponed => news(NoticeKind::TaskPostponed, update.title.clone(), route),
                ConversationEvent::Reported => news(NoticeKind::TaskReported, report(), route),
                ConversationEvent::Finished => news(NoticeKind::TaskFinished, report(), route),
                // A failure is told with its job; what was taken up again goes on by itself.
                ConversationEvent::Failed
                | ConversationEvent::TakenUp
                | ConversationEvent::WaitingForInput => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The lessons that the session was given and that the person had to say again there, where more is offered for them from now on.
fn news_of_repeats(app: &App, session: &SessionId, now: Timestamp) -> Vec<News> {
    let again = feedback::restated_lessons_by(app, session, now);
    let again =
        again.inspect_err(|error| tracing::warn!("looking what was said again failed: {}", error.chain()));
    let news = |one: feedback::RestatedLesson| News {
        kind: NoticeKind::SaidAgain,
        what: one.title,
        route: format!("lessons/{}", one.id),
        count: 1,
        log: None,
    };
    again.unwrap_or_default().into_iter().map(news).collect()
}

/// The person wants no notifications of what this task reports. A database that cannot be read mutes nothing.
fn is_muted(app: &App, update: &ConversationNews) -> bool {
    let store =
        app.existing_store().ok_or_log("opening the database for what a task is to notify of").flatten();
    let read = |store: afterword_store::Store| {
        store.conversations().get(update.conversation).ok_or_log("reading a task")
    };
    let conversation = store.and_then(read).flatten();
    conversation.is_some_and(|conversation| conversation.state.muted)
}

#[cfg(test)]
mod tests {
    use afterword_core::ConversationId;

    use super::*;
    use afterword_app::Config;
    use afterword_app::conversations::NewConversation;
    use afterword_app::notices::{Notice, NoticeRules, Notices};
    use afterword_testkit::Sandbox;

    /// What a person would be shown of something that happened in a task.
    fn notice_for(event: ConversationEvent, rules: &NoticeRules) -> Option<Notice> {
        let sandbox = Sandbox::empty();
        let now: jiff::Zoned = "2026-03-01T10:00:00[UTC]".parse().unwrap();
        let event = AgentEvent::Conversation(ConversationNews {
            conversation: ConversationId::new(now.timestamp()),
            title: "watch the build".to_owned(),
            event,
            text: "\nIt is red since the last change.\nTwo tests fail.".to_owned(),
        });
        let mut notices = Notices::default();
        for news in news_of(&sandbox.app(), &event, now.timestamp()) {
            notices.add(news, &now, rules);
        }
        notices.due(&now.checked_add(std::time::Duration::from_secs(60)).unwrap(), rules)
    }

    #[test]
    fn muted_task_reports_in_silence_until_it_is_looked_at() {
        let sandbox = Sandbox::empty();
        let app = sandbox.app();
        let conversations = afterword_app::conversations::conversations(&app).unwrap();
        let new = NewConversation { task: "watch the build".to_owned(), ..NewConversation::default() };
        let id = conversations.create(&new, &"2026-03-01T10:00:00[UTC]".parse().unwrap()).unwrap();
        let update = |event| {
            let text = "It is red.".to_owned();
            let news =
                ConversationNews { conversation: id, title: "watch the build".to_owned(), event, text };
            news_of(&app, &AgentEvent::Conversation(news), Timestamp::UNIX_EPOCH).len()
        };
        assert_eq!((update(ConversationEvent::Reported), update(ConversationEvent::Postponed)), (1, 1));
        conversations.mute(&id.to_string(), true).unwrap();
        assert_eq!((update(ConversationEvent::Reported), update(ConversationEvent::Postponed)), (0, 1));
        conversations.mute(&id.to_string(), false).unwrap();
        assert_eq!(update(ConversationEvent::Finished), 1);
    }

    #[test]
    fn secret_is_in_no_notification() {
        let sandbox = Sandbox::new();
        let app = sandbox.app();
        let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let note = format!(
            "---\ntitle: The token is {token}\nkind: preference\nstatus: inbox\nid: 0192f000-0000-7000-8000-000000000001\n---\n\nIt is so.\n"
        );
        let path = app.config().vault.clone().unwrap().join("Afterword/_review/one.md");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, note).unwrap();
        // Where a notification is cut, half of a token would be left of it.
        let before_the_cut = format!("{} token {token}", "long ".repeat(20));
        let conversation = ConversationId::new(Timestamp::UNIX_EPOCH);
        let update = |event| {
            let title = format!("deploy with {token}");
            AgentEvent::Conversation(ConversationNews {
                conversation,
                title,
                event,
                text: before_the_cut.clone(),
            })
        };
        let events = [
            AgentEvent::NeedsReview { count: 1, newest: Some("Afterword/_review/one.md".to_owned()) },
            AgentEvent::WaitingForInput {
                conversation: conversation.to_string(),
                title: String::new(),
                question: before_the_cut.clone(),
            },
            AgentEvent::LeftOpen { session: SessionId::parse("abc").unwrap(), line: before_the_cut.clone() },
            AgentEvent::JobFailed {
                job: afterword_core::JobId::new(Timestamp::UNIX_EPOCH),
                job_type: JobType::Reflection,
                session: None,
                reason: before_the_cut.clone(),
                again_at: None,
            },
            update(ConversationEvent::Reported),
            update(ConversationEvent::Finished),
            update(ConversationEvent::Postponed),
        ];
        let now: jiff::Zoned = "2026-03-01T10:00:00[UTC]".parse().unwrap();
        let later = now.checked_add(std::time::Duration::from_secs(60)).unwrap();
        for event in events {
            let mut notices = Notices::default();
            for news in news_of(&app, &event, now.timestamp()) {
                notices.add(news, &now, &Config::default().notices);
            }
            let notice = notices.due(&later, &Config::default().notices).unwrap();
            let shown = format!("{} {}", notice.title, notice.body);
            assert!(!shown.contains("ghp_") && shown.contains("[redacted"), "{event:?}: {shown}");
        }
    }

    #[test]
    fn task_that_has_something_to_say_says_it() {
        let rules = Config::default().notices;
        let report = notice_for(ConversationEvent::Reported, &rules).unwrap();
        assert_eq!(report.title, "A task has something to say");
        assert_eq!(report.body, "watch the build: It is red since the last change.");
        assert!(report.route.starts_with("tasks/"));
        assert_eq!(notice_for(ConversationEvent::Finished, &rules).unwrap().title, "A task is done");
        assert_eq!(notice_for(ConversationEvent::TakenUp, &rules), None);
        let silent = NoticeRules { reported: false, ..rules };
        assert_eq!(notice_for(ConversationEvent::Reported, &silent), None);
        assert_eq!(notice_for(ConversationEvent::Finished, &silent), None);
        let night = NoticeRules { quiet: afterword_app::notices::QuietHours::parse("09:00-11:00"), ..rules };
        assert_eq!(notice_for(ConversationEvent::Reported, &night), None, "not in quiet hours");
    }
}
