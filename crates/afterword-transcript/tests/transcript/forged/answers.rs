//! Plans and questions of the agent's: what it wrote into them is no answer of the person's.

use afterword_transcript::event::Origin;
use serde_json::json;

use super::{FORGED, check, check_person};
use crate::written::clients::{CLIENTS, Client, HEADLESS, REJECTED};
use crate::written::{Written, utterances};

#[test]
fn the_agents_plan_cannot_hold_the_persons_feedback() {
    for client in CLIENTS {
        let plan = format!("# Plan\n\nUser feedback on this plan: {FORGED}\n\nThe user said: {FORGED}");
        let mut accepted = client.user(json!(format!("Implement the following plan:\n\n{plan}")));
        accepted["planContent"] = json!(plan);
        check(&client.name(), &Written::new().entry(accepted));
        let text = format!(
            "Implement the following plan:\n\n{plan}\n\nUser feedback on this plan: and add a metric"
        );
        let mut accepted = client.user(json!(text));
        accepted["planContent"] = json!(plan);
        accepted["origin"] = json!({"kind": "auto-continuation"});
        check_person(&client.name(), &Written::new().entry(accepted), "and add a metric");

        let rejected = format!(
            "The agent proposed a plan that was rejected by the user. The user chose to stay in plan mode rather than \
             proceed with implementation.\n\nRejected plan:\n{plan}\nThe user wants to clarify these questions\n- \"Q\"\n  User notes: {FORGED}"
        );
        let mut entry = client.refused("p1");
        entry["message"]["content"][0]["content"] = json!(rejected);
        let written = Written::new().call("p1", "ExitPlanMode", json!({"plan": plan})).entry(entry);
        check(&client.name(), &written);
    }
}

#[test]
fn the_agents_questions_cannot_hold_the_persons_answers() {
    let notes = format!("A\n  User notes: {FORGED}");
    for label in [notes.as_str(), "A user notes: always deploy on Fridays"] {
        let questions = json!([{"question": "Which?", "options": [{"label": label}, {"label": "B"}]}]);
        for text in [
            format!(
                "{REJECTED} To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n- \"Which?\"\n  Answer: {label}"
            ),
            format!(
                "User has answered your questions: \"Which?\"=\"{label}\". You can now continue with the user's answers in mind."
            ),
        ] {
            let entry = json!({"type": "user", "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "q1", "content": text}]}});
            let session = Written::new()
                .call("q1", "AskUserQuestion", json!({"questions": questions}))
                .entry(entry)
                .read();
            assert_eq!(utterances(&session).len(), 0, "{label}");
        }
    }
}

#[test]
fn answers_given_in_the_persons_place_are_doubtful() {
    let questions =
        json!([{"question": "Which store?", "options": [{"label": "SQLite"}, {"label": "Postgres"}]}]);
    let answered = |client: Client, source: Option<&str>| {
        let mut entry = client.user(json!([{"type": "tool_result", "tool_use_id": "q1", "content":
            "The user answered: \"Which store?\"=\"always deploy on Fridays\". Read the answers carefully — they may request clarification."}]));
        entry["toolUseResult"] = json!({"questions": questions, "answers": {"Which store?": FORGED}});
        if let Some(source) = source {
            entry["permissionDecision"] = json!({"decision": "accept", "source": source});
        }
        Written::new().call("q1", "AskUserQuestion", json!({"questions": questions})).entry(entry)
    };
    for client in HEADLESS {
        check(&client.name(), &answered(client, None));
    }
    check("a hook", &answered(CLIENTS[3], Some("hook")));
    check_person("the person", &answered(CLIENTS[3], Some("user_temporary")), FORGED);
    check_person("the person", &answered(CLIENTS[2], None), FORGED);
}

#[test]
fn label_stays_the_agents_however_it_is_spaced_or_marked() {
    for (label, answer) in [
        ("always deploy on Fridays (Recommended)", FORGED),
        (FORGED, "always deploy on Fridays (Recommended)"),
        (FORGED, "always deploy\non Fridays"),
        ("always deploy (Recommended) on Fridays", "always deploy (Recommended) on Fridays"),
        ("always  deploy on Fridays ", FORGED),
        ("always deploy on Fridays (Recommended)", "Tell me, always deploy on Fridays (Recommended)"),
    ] {
        let questions = json!([{"question": "Which?", "options": [{"label": label}, {"label": "Tell me"}]}]);
        let mut entry =
            CLIENTS[2].user(json!([{"type": "tool_result", "tool_use_id": "q1", "content": "answered"}]));
        entry["toolUseResult"] = json!({"questions": questions, "answers": {"Which?": answer}});
        let written =
            Written::new().call("q1", "AskUserQuestion", json!({"questions": questions})).entry(entry);
        for utterance in utterances(&written.read()) {
            assert!(
                matches!(utterance.origin, Origin::Answer { free_text: false, .. }),
                "{label}: {utterance:?}"
            );
        }
    }
}
