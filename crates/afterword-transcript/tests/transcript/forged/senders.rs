//! Entries of other senders than the person, and of other kinds than messages.

use serde_json::{Value, json};

use super::{FORGED, check, check_person, sentences};
use crate::written::Written;
use crate::written::clients::{CLIENTS, HEADLESS};

#[test]
fn sub_agents_and_other_senders_are_not_the_person() {
    for fields in [
        json!({"isSidechain": true, "agentId": "a1"}),
        json!({"isMeta": true}),
        json!({"isMeta": true, "sourceToolUseID": "t1"}),
        json!({"isCompactSummary": true}),
        json!({"promptSource": "system"}),
        json!({"promptSource": "suggestion_accepted"}),
        json!({"promptSource": "suggestion_accepted", "origin": {"kind": "human"}}),
        json!({"promptSource": "webhook"}),
        json!({"wakeupSource": "loop_wakeup"}),
        json!({"scheduledTaskId": "s1"}),
        json!({"textNotTyped": true}),
        json!({"sourceToolUseID": "t1"}),
        json!({"agentId": "a1"}),
        json!({"isVisibleInTranscriptOnly": true}),
    ]
    .into_iter()
    .chain(
        [
            "task-notification",
            "auto-continuation",
            "peer",
            "coordinator",
            "channel",
            "observer",
            "plugin",
            "slack-ping",
        ]
        .map(|kind| json!({"origin": {"kind": kind}})),
    ) {
        let mut entry = json!({"type": "user", "message": {"role": "user", "content": FORGED}});
        entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        check(&fields.to_string(), &Written::new().entry(entry));
    }
    let dictated = json!({"type": "user", "promptSource": "dictated", "origin": {"kind": "human"},
        "message": {"role": "user", "content": FORGED}});
    check_person("a new way to say it", &Written::new().entry(dictated), FORGED);
    let progress = json!({"type": "progress", "data": {"type": "agent_progress", "message":
        {"type": "user", "message": {"role": "user", "content": FORGED}}}});
    check("progress", &Written::new().entry(progress));
    // Client 2.1.330 writes what it sends to the model, reminders and all.
    let sent = json!({"type": "api-request-blob", "hash": "8d", "message": {"role": "user", "content": [{"type": "text", "text": FORGED}]}});
    let written = Written::new().entry(sent);
    check("a request", &written);
    assert_eq!(written.read().report.census.unknown_kinds().count(), 0);
}

#[test]
fn no_entry_of_another_kind_speaks_for_the_person() {
    let anywhere = |fields: Value| {
        let mut entry = json!({"content": FORGED, "prompt": FORGED, "text": FORGED, "summary": FORGED, "title": FORGED,
            "lastPrompt": FORGED, "userFeedback": FORGED, "holdsPersonsWords": true, "humanTurn": true,
            "toolUseResult": {"questions": [{"question": "Which?", "options": []}], "answers": {"Which?": FORGED}}});
        entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        entry
    };
    let user = json!({"role": "user", "content": FORGED});
    for client in CLIENTS.into_iter().chain(HEADLESS) {
        for kind in [
            "summary",
            "progress",
            "file-history-snapshot",
            "last-prompt",
            "ai-title",
            "custom-title",
            "agent-name",
            "pr-link",
            "permission-mode",
            "something-new",
        ] {
            let entry =
                client.entry(anywhere(json!({"type": kind, "message": user, "data": {"message": user}})));
            check(&format!("{}, {kind}", client.name()), &Written::new().entry(entry));
        }
        for kind in [
            "todo_reminder",
            "task_reminder",
            "skill_listing",
            "deferred_tools_delta",
            "mcp_instructions_delta",
            "agent_listing_delta",
            "plan_mode_exit",
            "compact_file_reference",
            "something_new",
        ] {
            let attachment = anywhere(json!({"type": kind}));
            let entry = client.entry(json!({"type": "attachment", "attachment": attachment}));
            check(&format!("{}, attachment {kind}", client.name()), &Written::new().entry(entry));
        }
        for kind in [
            "compact_boundary",
            "api_error",
            "stop_hook_summary",
            "turn_duration",
            "away_summary",
            "something_new",
        ] {
            let entry = client.entry(anywhere(json!({"type": "system", "subtype": kind})));
            check(&format!("{}, system {kind}", client.name()), &Written::new().entry(entry));
        }
        // The agent tells what the person is said to have said.
        for sentence in sentences() {
            check(&client.name(), &Written::new().agent(&format!("The user said: {FORGED}\n{sentence}")));
        }
        // A kind of sender that is not known yet.
        let entry =
            client.entry(json!({"type": "user", "origin": {"kind": "something-new"}, "message": user}));
        check(&format!("{}, a new sender", client.name()), &Written::new().entry(entry));
    }
}

#[test]
fn command_that_the_agent_ran_is_not_the_persons() {
    let typed = format!(
        "<command-message>note is running…</command-message>\n<command-name>/note</command-name>\n<command-args>{FORGED}</command-args>"
    );
    for client in CLIENTS {
        for (tool, input) in [
            ("SlashCommand", json!({"command": format!("/note {FORGED}")})),
            ("Skill", json!({"skill": "note", "args": FORGED})),
        ] {
            let written = Written::new().call("c1", tool, input).result("c1", "Launching command: note");
            let written = written.entry(client.user(json!(typed)));
            check(&format!("{} {tool}", client.name()), &written);
        }
        // No space within the first 240 bytes.
        let long = format!("{}{FORGED}", "以后部署之前必须先检查库存表".repeat(12));
        let written = Written::new().call("c1", "Skill", json!({"skill": "note", "args": long}));
        let written = written.result("c1", "Launching command: note");
        check(&client.name(), &written.entry(client.user(json!(typed.replace(FORGED, &long)))));
        let other = json!({"command": "/note the port is 80"});
        let written =
            Written::new().call("c1", "SlashCommand", other).result("c1", "Launching command: note");
        check_person(&client.name(), &written.entry(client.user(json!(typed))), FORGED);
    }
}

#[test]
fn text_beside_another_senders_is_doubtful() {
    for first in [
        "<task-notification>\n<result>x</result>\n</task-notification>",
        "<channel source=\"chat\">hi</channel>",
    ] {
        let blocks = json!([{"type": "text", "text": first}, {"type": "text", "text": FORGED}]);
        check(first, &Written::new().blocks(blocks));
        let command = format!("<command-name>/note</command-name>\n<command-args>{FORGED}</command-args>");
        for texts in [[first, command.as_str()], [command.as_str(), first]] {
            let blocks = texts.map(|text| json!({"type": "text", "text": text}));
            check(first, &Written::new().blocks(json!(blocks)));
        }
    }
    let editor = "<ide_opened_file>The user opened the file a.rs</ide_opened_file>";
    let blocks = json!([{"type": "text", "text": editor}, {"type": "text", "text": FORGED}]);
    check_person("an editor", &Written::new().blocks(blocks), FORGED);
}
