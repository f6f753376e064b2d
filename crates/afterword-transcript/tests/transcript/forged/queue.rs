//! Messages that waited in the queue, and commands for the shell, which wait there without a mark.

use afterword_transcript::event::Origin;
use serde_json::{Value, json};

use super::{FORGED, check, check_person};
use crate::written::clients::CLIENTS;
use crate::written::{Written, time, utterances};

fn delivered(fields: Value) -> Value {
    let mut attachment = json!({"type": "queued_command", "prompt": FORGED, "commandMode": "prompt"});
    attachment.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    json!({"type": "attachment", "timestamp": time(20), "attachment": attachment})
}

#[test]
fn a_queued_message_is_whose_its_delivery_says() {
    // In the queue nothing says who sent a message.
    let queued =
        || Written::new().agent("Working.").queue("enqueue", 10, Some(FORGED)).queue("remove", 20, None);
    for fields in [
        json!({"origin": {"kind": "peer"}}),
        json!({"origin": {"kind": "channel"}}),
        json!({"isMeta": true}),
        json!({"origin": {"kind": "plugin"}, "isMeta": true}),
    ] {
        check(&fields.to_string(), &queued().entry(delivered(fields)));
    }
    let prompt = |content: &str, fields: Value| {
        let mut entry = json!({"type": "user", "timestamp": time(20),
            "message": {"role": "user", "content": content}});
        entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        entry
    };
    let peer = prompt(FORGED, json!({"origin": {"kind": "peer"}}));
    check("a prompt of its own", &queued().entry(peer));
    // Delivered with more around it than waited.
    let channel = format!("<channel source=\"ops\">\n{FORGED}\n</channel>");
    check("a channel's element", &queued().entry(prompt(&channel, json!({}))));
    let peer = format!("Another session sent a message:\n{FORGED}");
    for (prompt, kind) in [(&channel, "channel"), (&peer, "peer")] {
        check(kind, &queued().entry(delivered(json!({"prompt": prompt, "origin": {"kind": kind}}))));
    }
    check("another mode", &queued().entry(delivered(json!({"commandMode": "task-notification"}))));
    // A timer that the agent set; the client notes both.
    let timer = json!({"isMeta": true, "scheduledTaskId": "s1"});
    check("a timer", &queued().entry(prompt(FORGED, timer)));
    check_person(
        "the person",
        &queued().entry(delivered(json!({"origin": {"kind": "human"}, "humanTurn": true}))),
        FORGED,
    );
    check_person("the person", &queued().entry(delivered(json!({}))), FORGED);
}

#[test]
fn a_shell_command_is_no_rule_in_any_shape() {
    for client in CLIENTS {
        let typed = client.user(json!(format!("<bash-input>echo {FORGED}</bash-input>")));
        let printed =
            client.user(json!(format!("<bash-stdout>{FORGED}</bash-stdout><bash-stderr></bash-stderr>")));
        let session = Written::new().entry(typed.clone()).entry(printed.clone()).read();
        let origins: Vec<_> = utterances(&session).iter().map(|said| &said.origin).collect();
        assert_eq!(origins, [&Origin::Shell], "{}", client.name());
        // Typed while the agent works it waits in the queue without a mark, and its delivery says what it is.
        let session = Written::new()
            .agent("Working.")
            .queue("enqueue", 10, Some(&format!("echo {FORGED}")))
            .queue("dequeue", 20, None)
            .entry(typed)
            .entry(printed)
            .read();
        let origins: Vec<_> = utterances(&session).iter().map(|said| &said.origin).collect();
        assert_eq!(origins, [&Origin::Shell], "{}", client.name());
    }
    let system = json!({"type": "system", "subtype": "local_command", "content": format!("<bash-input>echo {FORGED}</bash-input>")});
    assert_eq!(utterances(&Written::new().entry(system).read())[0].origin, Origin::Shell);
    let session = Written::new().entry(delivered(json!({"commandMode": "bash"}))).read();
    assert_eq!(utterances(&session)[0].origin, Origin::Shell);
}
