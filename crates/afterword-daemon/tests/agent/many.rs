//! A thousand conversations that are due at once, and the agent's five workers: each runs once, in the order of being due.
//!
//! The client is a stand-in that answers at once, for the number's sake; queue, database, agent and processes are real.

use std::fs;
use std::time::{Duration, Instant};

use afterword_app::conversations;
use afterword_app::conversations::NewConversation;
use afterword_claude_code::client::Client;
use afterword_core::conversation::Schedule;
use afterword_core::{Conversation, ConversationId};
use afterword_daemon::run;
use afterword_store::{Store, StoreError};
use jiff::{SignedDuration, Timestamp, Zoned};

use afterword_testkit::Sandbox;
use afterword_testkit::stand_in;

const MANY: usize = 1000;
/// Far more than a busy machine needs; a queue that stands still fails by it.
const LIMIT: Duration = Duration::from_secs(600);

const CLIENT: &str = r#"#!/bin/sh
if [ "$1" = --help ]; then
    echo '--print --output-format --tools --strict-mcp-config --setting-sources --json-schema --resume --session-id'
    exit 0
fi
while read -r line; do :; done
echo '{"type":"result","subtype":"success","total_cost_usd":0,"structured_output":{"complete":true,"message":"Done."}}'
"#;

#[test]
fn thousand_that_are_due_run_once_each_and_in_order() {
    let host = Sandbox::new();
    // Five at once, each of which may cost half a dollar.
    host.set("budget.daily_usd", &["0"]);
    host.set("tasks.daily_usd", &["5"]);
    let client = host.path("claude-stand-in");
    stand_in::program(&client, CLIENT);
    let app = host.app().with_client(Client::new(client));
    let conversations = conversations::conversations(&app).unwrap();
    let now = Zoned::now();
    let tomorrow = now.timestamp() + SignedDuration::from_hours(24);
    let store = Store::open(&host.paths().database()).unwrap();
    // The database keeps milliseconds.
    let long_ago = Timestamp::from_millisecond(now.timestamp().as_millisecond()).unwrap();
    let long_ago = long_ago - SignedDuration::from_hours(2);

    // Made in another order than they are due in: 7 and 1000 have no common divisor.
    fs::create_dir_all(host.path("home")).unwrap();
    let made: Vec<ConversationId> = (0..MANY)
        .map(|number| {
            let new = NewConversation {
                task: format!("number {number}"),
                schedule: Some(Schedule::Once { run_at: tomorrow }),
                directory: Some(host.path("home")),
                ..NewConversation::default()
            };
            conversations.create(&new, &now).unwrap()
        })
        .collect();
    let mut due: Vec<(Timestamp, ConversationId)> = Vec::new();
    for (number, id) in made.into_iter().enumerate() {
        let at = long_ago + SignedDuration::from_secs((number * 7 % MANY) as i64);
        store
            .conversations()
            .change(id, |one: &mut Conversation| {
                (one.schedule, one.next_run_at) = (Some(Schedule::Once { run_at: at }), Some(at));
                Ok::<_, StoreError>(())
            })
            .unwrap();
        due.push((at, id));
    }
    due.sort();

    let clock = Instant::now();
    let running = run::start(&app, |_| {}).unwrap();
    let is_done =
        |id: &ConversationId| store.conversations().get(*id).unwrap().unwrap().finished_at.is_some();
    let (mut done, mut most) = (0, 0);
    while done < MANY {
        let at_work = store.jobs().active_jobs().unwrap().into_iter().filter(|job| job.lease.is_some());
        most = most.max(at_work.count());
        assert!(most <= 5, "{most} at once");
        // In their order, so that each look begins where the last one ended.
        while done < MANY && is_done(&due[done].1) {
            done += 1;
        }
        assert!(clock.elapsed() < LIMIT, "{done} are done");
        std::thread::sleep(Duration::from_millis(20));
    }
    let took = clock.elapsed();
    running.stop();
    eprintln!("{MANY} conversations took {took:?}, {:?} each", took / MANY as u32);

    let mut begun_before = Timestamp::MIN;
    for (at, id) in &due {
        let runs = store.conversation_runs().last(*id, 10).unwrap();
        assert_eq!(runs.len(), 1, "once");
        let run = &runs[0];
        assert_eq!((run.outcome.as_str(), run.due_at), ("completed", Some(*at)));
        let job = store.jobs().get(run.job).unwrap().unwrap();
        let begun = job.started_at.unwrap();
        assert!(begun_before <= begun, "in the order of being due");
        begun_before = begun;
    }
    assert!(most >= 2, "one by one");
}
