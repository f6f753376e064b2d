//! Conversations that are due, under several processes: each runs once, in the order of being due.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use afterword_core::conversation::{ConversationState, RunEnd, Schedule, WorkerReply};
use afterword_core::job::saturating_add;
use afterword_core::{Conversation, ConversationId, ConversationStatus, UserId, WorkerId};
use afterword_store::{QueueError, Store, StoreError};
use jiff::{Timestamp, ToSpan};
use rusqlite::Connection;

use crate::{next, now, patiently, say};

const WORKERS: usize = 5;
const CONVERSATIONS: i64 = 1000;

#[test]
fn thousand_due_conversations_run_once_each_and_in_order() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("afterword.db");
    let due = fill(&path);
    let (sender, lines) = channel();
    // One is killed in the middle of its eleventh run, while the others run. It begins by itself: among the others it may not
    // come to eleven before all is done.
    let mut killed = start(&path, now(), 10, sender.clone());
    let mut ran: Vec<ConversationId> = Vec::new();
    let mut note = |line: String| {
        let id = line.strip_prefix("ran").map(|id| ConversationId::parse(id).unwrap());
        ran.extend(id);
        id.is_some()
    };
    while note(lines.recv().unwrap()) {}
    let mut workers: Vec<Child> =
        (1..WORKERS).map(|_| start(&path, now(), usize::MAX, sender.clone())).collect();
    drop(sender);
    for (number, line) in lines.into_iter().enumerate() {
        note(line);
        if number == 100 {
            killed.kill().unwrap();
        }
    }
    killed.wait().unwrap();
    workers.iter_mut().for_each(|worker| assert!(worker.wait().unwrap().success()));
    assert_eq!(ran.len(), due.len() - 1, "all but the one that was cut off");

    // What the killed one had is taken up again by another.
    let store = Store::open(&path).unwrap();
    let gone = WorkerId::new(killed.id(), now());
    assert_eq!(store.jobs().claims().reclaim_from(gone, now()).unwrap().len(), 1);
    let (sender, lines) = channel();
    let mut last = start(&path, saturating_add(now(), Duration::from_secs(60)), usize::MAX, sender);
    ran.extend(lines.into_iter().filter_map(|line| ConversationId::parse(line.strip_prefix("ran")?)));
    assert!(last.wait().unwrap().success());

    let distinct: BTreeSet<ConversationId> = ran.iter().copied().collect();
    assert_eq!((ran.len(), distinct.len()), (due.len(), due.len()), "each once");
    let all = store.conversations().list(&UserId::default(), false).unwrap();
    assert!(all.iter().all(|one| one.last_success_at.is_some() && one.next_run_at > Some(now())));
    assert_eq!(claims_in_order(&path), due, "in the order of being due");
}

/// Daily work, missed for one to a thousand minutes more than ten days; the order of being due is not that of being made.
fn fill(path: &Path) -> Vec<String> {
    let store = Store::open(path).unwrap();
    let watch = "CREATE TABLE claims (n INTEGER PRIMARY KEY, subject TEXT);
        CREATE TRIGGER watch AFTER UPDATE ON jobs WHEN new.status = 'running' AND old.status = 'queued' AND new.lease_number = 1
        BEGIN INSERT INTO claims (subject) VALUES (new.subject); END;";
    Connection::open(path).unwrap().execute_batch(watch).unwrap();
    let mut due = Vec::new();
    let filled: Result<(), StoreError> = store.in_transaction(|store| {
        for n in 0..CONVERSATIONS {
            let missed = (n * 379) % CONVERSATIONS;
            let at = now() - (10 * 24 * 60 + missed).minutes();
            let daily = Schedule::cron("0 9 * * *", "Europe/Berlin", at).unwrap();
            let conversation = Conversation {
                status: ConversationStatus::Background,
                schedule: Some(daily),
                next_run_at: Some(at),
                directory: "/".into(),
                ..Conversation::new(format!("number {n}"), ConversationState::of_task("watch"), at)
            };
            store.conversations().add(&conversation)?;
            due.push((at, conversation.id.to_string()));
        }
        Ok(())
    });
    filled.unwrap();
    due.sort();
    due.into_iter().map(|(_, id)| id).collect()
}

fn claims_in_order(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare("SELECT subject FROM claims ORDER BY n").unwrap();
    statement.query_map((), |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

fn start(path: &Path, now: Timestamp, hold: usize, lines: Sender<String>) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "due::attending_process"])
        .env("AFTERWORD_QUEUE_TEST", path)
        .env("AFTERWORD_QUEUE_NOW", now.as_millisecond().to_string())
        .env("AFTERWORD_QUEUE_HOLD", hold.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.stdout.take().unwrap();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some((_, line)) = line.split_once('>') {
                let _ = lines.send(line.to_owned());
            }
        }
    });
    child
}

/// Run by the other test, in processes of its own: it queues what is due and does it, as the agent does.
#[test]
#[ignore = "a part of another test"]
fn attending_process() {
    let variable = |name: &str| std::env::var(name).expect("set by the test that starts this process");
    let path = PathBuf::from(variable("AFTERWORD_QUEUE_TEST"));
    let now = Timestamp::from_millisecond(variable("AFTERWORD_QUEUE_NOW").parse().unwrap()).unwrap();
    let hold: usize = variable("AFTERWORD_QUEUE_HOLD").parse().unwrap();
    let store = patiently(|| Store::open(&path));
    let worker = WorkerId::new(std::process::id(), self::now());
    let mut ran = 0;
    loop {
        patiently(|| store.conversations().queue_due(now));
        let Some(claim) = next(&store.jobs(), worker, now) else { break };
        let id = ConversationId::parse(claim.job.subject.as_deref().unwrap()).unwrap();
        if ran == hold {
            say("holding");
            std::io::stdin().read_line(&mut String::new()).unwrap();
        }
        patiently(|| {
            let kept: Result<(), QueueError> = store.in_transaction(|store| {
                let goes_on = RunEnd::Replied(WorkerReply::Continue {
                    state_update: serde_json::Map::new(),
                    next_step: "again".into(),
                    message: None,
                    wait_minutes: 0,
                });
                let settled: Result<_, StoreError> = store.conversations().change(id, |conversation| {
                    assert!(conversation.is_due(now), "run when it was not due");
                    Ok(conversation.finish_run(goes_on, now).unwrap())
                });
                settled?.unwrap();
                store.jobs().claims().complete(&claim, "{}", now)
            });
            kept
        });
        say(&format!("ran{id}"));
        ran += 1;
    }
}
