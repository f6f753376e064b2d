//! Conversations, their messages and runs, kept and read back.

use afterword_core::conversation::{MessageRole, MessageSource, RunEnd, WorkerReply};
use afterword_core::{Schedule, WorkerId};

use super::*;
use crate::{ConversationRun, ConversationRunOutcome, RunCost};

const ONE: WorkerId = WorkerId { process: 1, started_ms: 0 };

fn at(time: &str) -> Timestamp {
    format!("2026-03-02T{time}Z").parse().unwrap()
}

fn open() -> (tempfile::TempDir, Store) {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(&home.path().join("afterword.db")).unwrap();
    (home, store)
}

fn conversation(title: &str, due: Option<&str>) -> Conversation {
    let now = at("08:00:00");
    let mut conversation = Conversation {
        claude_session: SessionId::parse("s-1"),
        directory: "/home/ada".into(),
        limits: RunLimits { allowed_tools: vec!["Read".into()], ..RunLimits::default() },
        ..Conversation::new(title, ConversationState::of_task("watch"), now)
    };
    if let Some(due) = due {
        conversation.start(Schedule::Once { run_at: at(due) }, now).unwrap();
    }
    conversation
}

fn added(store: &Store, title: &str, due: Option<&str>) -> ConversationId {
    let conversation = conversation(title, due);
    store.conversations().add(&conversation).unwrap();
    conversation.id
}

fn settle(store: &Store, id: ConversationId, now: Timestamp) {
    let done =
        RunEnd::Replied(WorkerReply::Complete { message: "done".into(), state_update: Default::default() });
    let settled: Result<_, StoreError> =
        store.conversations().change(id, |conversation| Ok(conversation.finish_run(done, now).unwrap()));
    settled.unwrap().unwrap();
}

#[test]
fn kept_as_it_was() {
    let (_home, store) = open();
    let mut first = conversation("one", Some("09:00:00"));
    store.conversations().add(&first).unwrap();
    assert_eq!(store.conversations().get(first.id).unwrap().unwrap(), first);
    let changed: Result<_, StoreError> = store.conversations().change(first.id, |conversation| {
        conversation.title = "two".into();
        conversation.last_success_at = Some(at("09:00:01"));
        Ok(())
    });
    changed.unwrap().unwrap();
    (first.title, first.last_success_at) = ("two".into(), Some(at("09:00:01")));
    assert_eq!(store.conversations().get(first.id).unwrap().unwrap(), first);
    let start = first.id.to_string()[..20].to_owned();
    assert_eq!(store.conversations().starting_with(&first.user, &start, 2).unwrap(), [first.clone()]);
    let failed: Result<Option<()>, StoreError> = store.conversations().change(first.id, |conversation| {
        conversation.title = "three".into();
        Err(StoreError::Busy { path: "x".into() })
    });
    assert!(failed.is_err());
    assert_eq!(store.conversations().get(first.id).unwrap().unwrap().title, "two");
}

#[test]
fn archived_ones_are_listed_only_when_asked_for() {
    let (_home, store) = open();
    let id = added(&store, "one", None);
    let archived: Result<_, StoreError> = store.conversations().change(id, |conversation| {
        conversation.archive(at("09:00:00")).unwrap();
        Ok(())
    });
    archived.unwrap();
    let user = UserId::default();
    assert_eq!(store.conversations().list(&user, false).unwrap().len(), 0);
    assert_eq!(store.conversations().list(&user, true).unwrap().len(), 1);
}

#[test]
fn due_ones_are_queued_once_and_in_order() {
    let (_home, store) = open();
    let late = added(&store, "late", Some("09:05:00"));
    let early = added(&store, "early", Some("09:00:00"));
    let chat = added(&store, "chat", None);
    let conversations = store.conversations();
    assert_eq!(conversations.next_due().unwrap(), Some(at("09:00:00")));
    assert_eq!(conversations.queue_due(at("08:59:59")).unwrap(), []);
    assert_eq!(conversations.queue_due(at("10:00:00")).unwrap(), [early, late]);
    assert_eq!(conversations.queue_due(at("10:00:01")).unwrap(), [], "each has its job");
    assert_eq!((conversations.next_due().unwrap(), conversations.job(chat).unwrap()), (None, None));
    let claim = store.jobs().claims().claim(ONE, at("10:00:01")).unwrap().unwrap();
    assert_eq!(claim.job.subject, Some(early.to_string()));
    settle(&store, early, at("10:00:02"));
    store.jobs().claims().complete(&claim, "{}", at("10:00:02")).unwrap();
    assert_eq!(conversations.job(early).unwrap(), None);
    assert_eq!(conversations.queue_due(at("11:00:00")).unwrap(), []);
    assert_eq!(conversations.lost_runs().unwrap(), []);
}

#[test]
fn job_that_ended_without_settling_shows() {
    let (_home, store) = open();
    let id = added(&store, "one", Some("09:00:00"));
    let conversations = store.conversations();
    conversations.queue_due(at("09:00:00")).unwrap();
    assert_eq!(conversations.lost_runs().unwrap(), []);
    let job = conversations.job(id).unwrap().unwrap();
    store.jobs().cancel(job, "not today", at("09:00:01")).unwrap();
    let unsettled = conversations.lost_runs().unwrap();
    assert_eq!((unsettled.len(), unsettled[0].conversation.id), (1, id));
    assert_eq!(unsettled[0].job.as_ref().unwrap().reason.as_deref(), Some("not today"));
    assert_eq!(
        conversations.queue_due(at("09:00:02")).unwrap(),
        [],
        "nobody queues it behind that one's back"
    );
    settle(&store, id, at("09:00:03"));
    assert_eq!(conversations.lost_runs().unwrap(), []);
}

#[test]
fn run_that_was_queued_behind_a_chat_is_one_job() {
    let (_home, store) = open();
    let id = added(&store, "one", Some("09:00:00"));
    let conversation = store.conversations().get(id).unwrap().unwrap();
    let chat = store.conversations().queue(&conversation, at("08:59:00")).unwrap();
    store.conversations().queue_due(at("09:00:00")).unwrap();
    assert_eq!(store.conversations().job(id).unwrap(), Some(chat));
}

#[test]
fn messages_in_order_and_what_was_not_read() {
    let (_home, store) = open();
    let id = added(&store, "one", None);
    let messages = store.messages();
    let now = at("09:00:00");
    messages.add(id, MessageRole::User, MessageSource::Chat, "hello", now).unwrap();
    messages.add(id, MessageRole::Assistant, MessageSource::Worker, "hi", now).unwrap();
    messages.add(id, MessageRole::User, MessageSource::Chat, "and?", now).unwrap();
    let unread = messages.unread(id).unwrap();
    assert_eq!(unread.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), ["hello", "and?"]);
    messages.mark_read(&unread[..1]).unwrap();
    assert_eq!(messages.unread(id).unwrap(), unread[1..]);
    let last = messages.last(id, 2).unwrap();
    assert_eq!(last.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), ["hi", "and?"]);
    assert_eq!((last[0].role, last[0].source), (MessageRole::Assistant, MessageSource::Worker));
    assert!(store.conversations().remove(id).unwrap());
    assert_eq!(messages.last(id, 2).unwrap(), []);
}

#[test]
fn one_run_at_once_and_what_it_cost() {
    let (_home, store) = open();
    let id = added(&store, "one", None);
    let run = |now| ConversationRun {
        id: afterword_core::conversation::ConversationRunId::new(now),
        conversation: id,
        job: JobId::new(now),
        source: MessageSource::Worker,
        due_at: Some(now),
        started_at: now,
        ended_at: None,
        outcome: ConversationRunOutcome::Running,
        claude_session: SessionId::parse("s-1"),
        process: None,
        cost: RunCost::default(),
        reason: None,
    };
    let (runs, first, second) = (store.conversation_runs(), run(at("09:00:00")), run(at("10:00:00")));
    runs.begin(&first).unwrap();
    assert!(runs.begin(&second).is_err(), "chat and worker never write at the same time");
    runs.set_process(first.id, "123").unwrap();
    assert_eq!(runs.open(id).unwrap().unwrap().process.as_deref(), Some("123"));
    let cost = RunCost { usd: 0.25, input_tokens: 10, output_tokens: 2, turns: 1 };
    runs.end(first.id, ConversationRunOutcome::Continued, cost, None, at("09:00:09")).unwrap();
    runs.end(first.id, ConversationRunOutcome::CutOff, cost, None, at("09:01:00")).unwrap();
    runs.begin(&second).unwrap();
    let listed = runs.last(id, 9).unwrap();
    assert_eq!((listed.len(), listed[1].outcome), (2, ConversationRunOutcome::Continued), "an end is final");
    assert_eq!((listed[1].cost, listed[1].ended_at), (cost, Some(at("09:00:09"))));
    assert_eq!(runs.spent_on(id).unwrap(), 0.25);
}

#[test]
fn connections_by_name() {
    let (_home, store) = open();
    let user = UserId::default();
    let mut connection = crate::StoredConnection {
        name: "mail".into(),
        kind: "http".into(),
        settings: r#"{"url":"https://example.org/mcp"}"#.into(),
        needs_sign_in: true,
        signed_in_at: None,
        created_at: at("09:00:00"),
        updated_at: at("09:00:00"),
    };
    store.connections().put(&user, &connection).unwrap();
    connection.needs_sign_in = false;
    store.connections().put(&user, &connection).unwrap();
    assert_eq!(store.connections().get(&user, "mail").unwrap(), Some(connection.clone()));
    assert_eq!(store.connections().get(&UserId::parse("ada").unwrap(), "mail").unwrap(), None);
    assert_eq!(store.connections().list(&user).unwrap(), [connection.clone()]);
    let now = connection.updated_at;
    store.connections().ask_to_sign_in(&user, "mail", now).unwrap();
    store.connections().signed_in(&user, "mail", now).unwrap();
    let signed_in = store.connections().get(&user, "mail").unwrap().unwrap();
    assert_eq!((signed_in.signed_in_at, signed_in.needs_sign_in), (Some(now), false));
    store.connections().signed_out(&user, "mail", now).unwrap();
    assert_eq!(store.connections().get(&user, "mail").unwrap().unwrap().signed_in_at, None);
    assert!(store.connections().remove(&user, "mail").unwrap());
}
