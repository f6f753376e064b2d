//! Messages typed while the agent works: delivered, taken back, or given to nobody.

use crate::written::clients::{CLIENTS, Client};
use crate::written::{Written, origins, utterances, words};
use afterword_transcript::event::{Authorship, Origin};
use serde_json::json;

const WORDS: &str = "never amend a commit";

/// A session of this client in which words wait.
fn queued(client: Client) -> Written {
    let working = client.entry(json!({"type": "assistant", "message": {"id": "m", "role": "assistant",
        "model": "claude-opus-4-6", "content": [{"type": "text", "text": "Working."}]}}));
    Written::new().entry(working).queue("enqueue", 10, Some(WORDS))
}

#[track_caller]
fn check(what: &str, written: &Written, expected: Option<Authorship>) {
    let session = written.read();
    let found: Vec<_> =
        utterances(&session).iter().map(|said| (said.text.as_str(), said.authorship)).collect();
    assert_eq!(
        found,
        expected.map(|authorship| (WORDS, authorship)).into_iter().collect::<Vec<_>>(),
        "{what}"
    );
}

#[test]
fn what_was_given_to_the_agent_is_the_persons() {
    for client in CLIENTS {
        let delivered = client
            .entry(json!({"type": "attachment", "timestamp": crate::written::time(20), "attachment":
            {"type": "queued_command", "prompt": WORDS, "commandMode": "prompt"}}));
        let typed = client.user(json!(WORDS));
        for (how, entry) in [("attached", delivered), ("typed", typed)] {
            for operation in ["remove", "dequeue"] {
                let written = queued(client).queue(operation, 20, None).entry(entry.clone());
                check(&format!("{}, {how}, {operation}", client.name()), &written, Some(Authorship::Person));
            }
        }
    }
    // Old clients knew no other sender, and wrote no more than that it left the queue.
    check("2.1.50", &queued(CLIENTS[1]).queue("remove", 20, None), Some(Authorship::Person));
}

#[test]
fn what_was_given_to_nobody_proves_nothing() {
    for client in CLIENTS {
        check(&client.name(), &queued(client), Some(Authorship::Doubtful));
    }
    for client in &CLIENTS[2..] {
        for operation in ["remove", "dequeue"] {
            check(&client.name(), &queued(*client).queue(operation, 20, None), Some(Authorship::Doubtful));
        }
        for reason in ["absorbed_mid_turn", "dropped_by_hook", "delivered_to_agent"] {
            check(reason, &queued(*client).removed(20, WORDS, reason), Some(Authorship::Doubtful));
        }
    }
    // One that is delivered later than anybody waits for.
    let late = json!({"type": "attachment", "timestamp": crate::written::time(3000), "attachment":
        {"type": "queued_command", "prompt": WORDS, "commandMode": "prompt", "origin": {"kind": "peer"}}});
    let mut written = queued(CLIENTS[3]).queue("remove", 20, None);
    for number in 0..80 {
        written = written.agent(&format!("Step {number}."));
    }
    check("late", &written.entry(late), Some(Authorship::Doubtful));
    // One that many others pushed out of what is remembered.
    let mut written = queued(CLIENTS[3]);
    for number in 0..70 {
        written = written.user(&format!("message {number}"));
    }
    let session = written.read();
    assert_eq!(
        (utterances(&session)[0].text.as_str(), utterances(&session)[0].authorship),
        (WORDS, Authorship::Doubtful)
    );
    assert!(utterances(&session)[1..].iter().all(|said| said.authorship == Authorship::Person));
}

#[test]
fn what_was_taken_back_was_not_said() {
    for client in CLIENTS {
        check(&client.name(), &queued(client).queue("popAll", 20, None), None);
        check(&client.name(), &queued(client).queue("popAll", 20, Some(WORDS)), None);
        for reason in ["cleared_on_cancel", "cancelled_by_sender", "rewound"] {
            check(reason, &queued(client).removed(20, WORDS, reason), None);
        }
        // Changed and sent again: once, as it was sent.
        let session = queued(client)
            .queue("popAll", 20, Some(WORDS))
            .queue("enqueue", 25, Some("never amend a commit that is pushed"))
            .queue("dequeue", 30, None)
            .entry(client.user(json!("never amend a commit that is pushed")))
            .read();
        assert_eq!(origins(&session), [(Origin::Queued, "never amend a commit that is pushed")]);
        assert_eq!(utterances(&session)[0].authorship, Authorship::Person);
    }
}

#[test]
fn only_the_message_that_is_named_is_taken_back() {
    let written = queued(CLIENTS[3])
        .queue("enqueue", 11, Some("<task-notification>\n<task-id>b1</task-id></task-notification>"))
        .queue("enqueue", 12, Some("and use tabs"))
        .queue("enqueue", 13, Some("/fix the login page"))
        .removed(15, "and use tabs", "cleared_on_cancel")
        .removed(16, "<task-notification>\n<task-id>b1</task-id></task-notification>", "rewound")
        .removed(17, "nothing that waits", "rewound")
        .removed(18, "/fix the login page", "cleared_on_cancel");
    assert_eq!(words(&written.read()), [WORDS]);
}

#[test]
fn what_was_said_before_stays_said_when_it_is_taken_back_the_second_time() {
    let written =
        Written::new().user(WORDS).queue("enqueue", 10, Some(WORDS)).queue("popAll", 20, Some(WORDS));
    check("typed twice", &written, Some(Authorship::Person));
}
