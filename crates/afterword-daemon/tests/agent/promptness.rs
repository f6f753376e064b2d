//! How soon the running agent begins what is due and goes on with what was answered.

use std::time::{Duration, Instant};

use afterword_app::conversations::{self, ConversationDetail, NewConversation};
use afterword_core::conversation::Schedule;
use afterword_daemon::run;
use jiff::{Timestamp, Zoned};
use serde_json::json;

use afterword_testkit::Sandbox;
use afterword_testkit::stand_in;

/// The agent looks around by itself once a minute: whoever is quicker than this was woken.
const AT_ONCE: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(180);

#[test]
fn five_that_are_due_together_begin_at_once_and_so_does_what_is_answered() {
    let host = Sandbox::new();
    let asks = json!({"needs_input": true, "message": "Ready.",
        "question": {"type": "confirmation", "prompt": "Send it?"}});
    let app = host.app().with_client(stand_in::client(&host, &stand_in::answering(&asks)));
    let running = run::start(&app, |_| {}).unwrap();
    let conversations = conversations::conversations(&app).unwrap();
    let until = |id: &str, wanted: &dyn Fn(&ConversationDetail) -> bool| {
        let clock = Instant::now();
        loop {
            let shown = conversations.show(id, 10).unwrap();
            if wanted(&shown) {
                return shown;
            }
            assert!(clock.elapsed() < PATIENCE, "{shown:#?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let now = Zoned::now();
    // The database keeps milliseconds.
    let due = Timestamp::from_millisecond(now.timestamp().as_millisecond() + 2_000).unwrap();
    let make = |number: u32| {
        let new = NewConversation {
            task: format!("send report {number}"),
            schedule: Some(Schedule::Once { run_at: due }),
            ..NewConversation::default()
        };
        conversations.create(&new, &now).unwrap().to_string()
    };
    let ids: Vec<String> = (0..5).map(make).collect();
    for id in &ids {
        let begun = until(id, &|shown| !shown.runs.is_empty());
        let late = begun.runs[0].started_at.parse::<Timestamp>().unwrap().duration_since(due);
        println!("began {late} after it was due");
        assert!(!late.is_negative() && late.unsigned_abs() < AT_ONCE, "began {late} after it was due");
    }
    for id in &ids {
        until(id, &|shown| shown.conversation.status == "waiting_input");
    }
    let answered = Instant::now();
    conversations.answer(&ids[0], "yes", &Zoned::now()).unwrap();
    until(&ids[0], &|shown| shown.runs.len() == 2);
    println!("went on after {:?}", answered.elapsed());
    assert!(answered.elapsed() < AT_ONCE, "went on after {:?}", answered.elapsed());
    running.stop();
}
