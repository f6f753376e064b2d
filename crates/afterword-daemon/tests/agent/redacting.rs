//! Secrets of a session, in places where they are easily overlooked: nothing that is shown, found, kept or sent has them.

use afterword_app::session_export::{ExportForm, export_session};
use afterword_app::{EngineName, engine_preview, inspect, reading};
use serde_json::{Value, json};

use crate::finding::{in_state, sessions_found};
use afterword_testkit::Sandbox;
use afterword_testkit::transcript::{answered, typed};

const ID: &str = "0f0e0d0c-1111-4222-8333-444455557771";
const PASSWORD: &str = "correcthorse99battery";

fn token() -> String {
    format!("ghp_{}", &"a1B2c3D4e5".repeat(4)[..36])
}

/// An entry in which the agent calls a tool.
pub(crate) fn called(id: &str, number: usize, tool: &str, input: &Value) -> String {
    let call = json!({"type": "tool_use", "id": format!("toolu_{number}"), "name": tool, "input": input});
    answered(id, number, "").replace("{\"type\":\"text\",\"text\":\"\"}", &call.to_string())
}

/// Everything that shows what stands in the session, with what it shows.
fn every_face(host: &Sandbox) -> Vec<(&'static str, String)> {
    let app = host.app();
    let read = reading::read_session(&app, ID).unwrap();
    let exported = export_session(&app, ID, ExportForm::Markdown, &jiff::tz::TimeZone::UTC).unwrap();
    let mut shown = vec![
        ("the session", serde_json::to_string(&read).unwrap()),
        ("its export", format!("{} {}", exported.name, exported.text)),
        ("the preview", engine_preview::preview(&app, ID, Some(EngineName::ClaudeCode)).unwrap().prompt),
        ("inspect", serde_json::to_string(&inspect::inspect(&app, ID).unwrap().report).unwrap()),
    ];
    host.reflect();
    shown.extend(host.lessons().into_iter().map(|(_, text)| ("a lesson", text)));
    let store = afterword_store::Store::open(&host.paths().database()).unwrap();
    let attempts = store.attempts().list(&afterword_store::AttemptFilter { limit: 10, ..Default::default() });
    shown.push(("the attempts", format!("{:?}", attempts.unwrap())));
    shown
}

#[track_caller]
fn check(host: &Sandbox, secret: &str) {
    for (place, text) in every_face(host) {
        assert!(!text.contains(secret), "{place} has {secret}:\n{text}");
    }
    let _ = sessions_found(host, "anything");
    assert!(!in_state(host, "sessions.db", secret), "the index has {secret}");
    assert_eq!(sessions_found(host, secret), [], "{secret} is found");
}

#[test]
fn value_is_removed_where_it_stood_before_anybody_called_it_a_secret() {
    let host = Sandbox::new();
    let lines = [
        typed(ID, 1, "why does the login of the shop fail?"),
        answered(ID, 2, &format!("The log shows {PASSWORD} twice.")),
        called(ID, 3, "Bash", &json!({"command": format!("grep {PASSWORD} app.log")})),
        typed(ID, 4, &format!("always use {PASSWORD} for the login of the shop's tests")),
        answered(ID, 5, "Understood."),
        typed(ID, 6, &format!("to be clear, password: {PASSWORD}")),
        answered(ID, 7, "I fixed it and the tests pass."),
    ];
    host.session(ID, &lines);
    check(&host, PASSWORD);
    // The session goes on, and gives away what stands further up.
    let other = "staplehorse77wagon";
    let goes_on = [
        lines.concat(),
        typed(ID, 8, &format!("and never print {other} in the log")),
        answered(ID, 9, "It is gone from the log."),
    ];
    host.session(ID, &goes_on);
    assert!(!sessions_found(&host, other).is_empty(), "nobody called it a secret yet");
    host.session(ID, &[goes_on.concat(), typed(ID, 10, &format!("the new password: {other}"))]);
    check(&host, PASSWORD);
    check(&host, other);
}

#[test]
fn secret_that_a_cut_would_split_leaves_no_half() {
    let token = token();
    // The input of a call is cut at 1,024 bytes, a command keeps both ends, a summary 240, an answer 8 kB, an error 1,024.
    for before in [20, 200, 226, 490, 500, 1_000, 1_010, 4_070, 4_090] {
        let host = Sandbox::new();
        let padding: String = "lorem ipsum ".chars().cycle().take(before).collect();
        let text = format!("{padding}{token} {}", "dolor sit ".repeat(1_500));
        let from_the_end = format!("{} {token}{padding}", "dolor sit ".repeat(1_500));
        let failed = typed(ID, 8, "x").replace(
            "\"content\":\"x\"",
            &format!("\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_7\",\"is_error\":true,\"content\":{}}}]", json!(text)),
        );
        let lines = [
            typed(ID, 1, "write the settings of the shop"),
            called(ID, 2, "Write", &json!({"file_path": "/home/ada/shop/a.txt", "content": text})),
            called(ID, 3, "Bash", &json!({"command": format!("echo {text}")})),
            called(ID, 4, "Bash", &json!({"command": format!("echo {from_the_end}")})),
            called(ID, 5, "mcp__shop__put", &json!({"body": text, "note": text})),
            answered(ID, 6, &text),
            called(ID, 7, "Bash", &json!({"command": "make"})),
            failed,
            typed(ID, 9, &text),
        ];
        host.session(ID, &lines);
        for half in [&token[..16], &token[24..]] {
            for (place, text) in every_face(&host) {
                assert!(!text.contains(half), "{before}: {place} has {half}");
            }
            let _ = sessions_found(&host, "anything");
            assert!(!in_state(&host, "sessions.db", half), "{before}: the index has {half}");
        }
    }
}

#[test]
fn secret_is_known_by_its_lines_before_they_are_made_one() {
    let host = Sandbox::new();
    let yaml =
        "kubectl apply -f - <<'EOF'\nstringData:\n  password: |\n    tulip-anchor-9violin\n  user: shop\nEOF";
    let env = "cat > .netrc <<'EOF'\nmachine shop.example\n  login ada\n  password tulip-anchor-7\nEOF";
    host.session(
        ID,
        &[
            typed(ID, 1, "apply the secret of the shop"),
            called(ID, 2, "Bash", &json!({"command": yaml})),
            called(ID, 3, "Bash", &json!({"command": env})),
            called(ID, 4, "mcp__shop__put", &json!({"manifest": yaml})),
            answered(ID, 5, "Applied."),
        ],
    );
    for secret in ["tulip-anchor", "9violin"] {
        for (place, text) in every_face(&host) {
            assert!(!text.contains(secret), "{place} has {secret}:\n{text}");
        }
    }
    assert_eq!(sessions_found(&host, "9violin"), []);
    assert_eq!(sessions_found(&host, "applied").len(), 1);
}

#[test]
fn names_and_places_of_a_session_hold_no_secret() {
    let host = Sandbox::new();
    let token = token();
    let lines = [
        typed(ID, 1, "look at the orders").replace("\"main\"", &format!("\"try-{token}\"")),
        called(ID, 2, &format!("mcp__{token}__look"), &json!({"of": "orders"})),
        answered(ID, 3, "There are three."),
        format!(
            "{}\n",
            json!({"type": "custom-title", "customTitle": format!("orders {token}"), "sessionId": ID})
        ),
    ]
    .map(|line| line.replace("/home/ada/shop", &format!("/home/ada/{token}")));
    host.session(ID, &lines);
    for (place, text) in every_face(&host) {
        assert!(!text.contains(&token), "{place} has the token:\n{text}");
    }
}

#[test]
fn answer_of_a_tool_that_is_too_long_ends_in_no_half_of_a_secret() {
    let host = Sandbox::new();
    let answer = |text: &str| {
        let block = json!({"type": "tool_result", "tool_use_id": "toolu_2", "content": text});
        typed(ID, 3, "").replace("\"content\":\"\"", &format!("\"content\":[{block}]"))
    };
    // The 256 kB that are shown end in the middle of the token.
    for before in [256 * 1024 - 12, 256 * 1024 - 30] {
        let text = format!("{}\n{} and more", "x".repeat(before - 1), token());
        let lines = [
            typed(ID, 1, "what does the log say?"),
            called(ID, 2, "Bash", &json!({"command": "cat log"})),
            answer(&text),
        ];
        host.session(ID, &lines);
        let shown = reading::tool_result(&host.app(), ID, "", "toolu_2", 2).unwrap().unwrap();
        assert!(shown.is_cut && shown.text.len() <= 256 * 1024, "{}", shown.text.len());
        assert!(!shown.text.contains("ghp"), "{}", &shown.text[shown.text.len() - 60..]);
    }
}

#[test]
fn value_that_is_called_a_secret_later_is_not_left_in_half_where_words_before_are_cut() {
    let host = Sandbox::new();
    // Where what a call, an agent and a person said are cut in the middle of it.
    for before in [490, 4_080, 8_170] {
        let padding: String = "x ".chars().cycle().take(before).collect();
        let words = format!("{padding} {PASSWORD} {}", "y ".repeat(9_000));
        let lines = [
            typed(ID, 1, &words),
            answered(ID, 2, &words),
            called(ID, 3, "Bash", &json!({"command": words})),
            typed(ID, 4, &format!("the password is {PASSWORD}")),
        ];
        host.session(ID, &lines);
        let read = reading::read_session(&host.app(), ID).unwrap();
        for row in &read.rows {
            let has_half = [&PASSWORD[..8], &PASSWORD[14..]].iter().any(|half| row.text.contains(half));
            assert!(!has_half, "{before}: what the {:?} said has a half of it", row.voice);
        }
    }
}
