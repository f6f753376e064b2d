//! Characters that show nothing, wherever a session can have them: no face is given them.

use std::path::Path;

use afterword_app::pause::NoPause;
use afterword_app::session_search::{FindRequest, find, index_sessions, session_lines};
use afterword_app::{ExportForm, reading, session_export};
use afterword_core::hidden::is_hidden;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::{Value, json};

use afterword_testkit::{Sandbox, now};

const ID: &str = "5f0a0000-0000-4000-8000-0000000000e1";
/// Zero width, to the left, a tag, a control of the second set, a line separator.
const HIDDEN: &str = "\u{200b}\u{202e}\u{e0041}\u{9b}\u{2028}";

fn entry(number: usize, fields: Value) -> String {
    let mut entry = json!({"isSidechain": false, "userType": "external", "cwd": format!("/home/ada/sh{HIDDEN}op"), "sessionId": ID,
        "version": "2.1.197", "gitBranch": format!("main{HIDDEN}"), "uuid": format!("00000000-0000-4000-8000-{number:012}"),
        "timestamp": format!("2026-03-01T10:00:{number:02}.000Z")});
    entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    format!("{entry}\n")
}

fn host() -> Sandbox {
    let host = Sandbox::new();
    let agent = |content: Value| json!({"type": "assistant", "message": {"id": "m1", "role": "assistant", "model": "claude-opus-4-6", "content": content}});
    let call = json!([{"type": "tool_use", "id": "t1", "name": format!("mcp__evil__go{HIDDEN}"), "input": {"what": format!("the crane{HIDDEN}")}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "t1", "content": format!("crane{HIDDEN} down"), "is_error": true}]);
    host.session(
        ID,
        &[
            format!("{}\n", json!({"type": "custom-title", "sessionId": ID, "customTitle": format!("Crane{HIDDEN} repair")})),
            entry(1, json!({"type": "user", "message": {"role": "user", "content": format!("mend the crane{HIDDEN} please")}})),
            entry(2, agent(json!([{"type": "text", "text": format!("I mend the crane{HIDDEN} now.")}]))),
            entry(3, agent(call)),
            entry(4, json!({"type": "user", "message": {"role": "user", "content": result}})),
        ],
    );
    host
}

#[track_caller]
fn check(what: &str, text: &str) {
    let left: Vec<_> = text.chars().filter(|c| is_hidden(*c) && !matches!(c, '\n' | '\t')).collect();
    assert!(left.is_empty(), "{what}: {left:?} in {text}");
}

#[track_caller]
fn check_json(what: &str, value: &impl Serialize) {
    fn texts(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
            Value::Object(fields) => fields.iter().for_each(|(name, value)| {
                found.push(name.clone());
                texts(value, found);
            }),
            _ => {}
        }
    }
    let mut found = Vec::new();
    texts(&serde_json::to_value(value).unwrap(), &mut found);
    assert!(!found.is_empty());
    found.iter().for_each(|text| check(what, text));
}

#[test]
fn no_list_of_sessions_and_nothing_found_in_them_hides_anything() {
    let host = host();
    let app = host.app();
    index_sessions(&app, &mut NoPause).unwrap().unwrap();
    let lines = session_lines(&app, None).unwrap();
    assert_eq!(lines[0].title, "Crane repair");
    check_json("sessions", &lines);
    let request = FindRequest { query: "crane".to_owned(), limit: 10, lines: 9, ..FindRequest::default() };
    let found = find(&app, &request, now().timestamp()).unwrap();
    assert!(!found.sessions.is_empty());
    check_json("find", &found.sessions);
}

#[test]
fn no_session_that_is_read_or_exported_hides_anything() {
    let host = host();
    let app = host.app();
    let read = reading::read_session(&app, ID).unwrap();
    assert!(
        read.rows.len() >= 3
            && read.title.as_deref().is_some_and(|title| title.starts_with("Crane\\u{200b}"))
    );
    assert_eq!(read.resume, None, "no shell is given what nobody sees");
    check_json("reading", &read);
    check_json("surroundings", &reading::surroundings(&app, ID, "", 3, 3).unwrap());
    for form in [ExportForm::Markdown, ExportForm::Html] {
        let document = session_export::export_session(&app, ID, form, &TimeZone::UTC).unwrap();
        check(form.ending(), &document.text);
        assert_eq!(Path::new(&document.name).components().count(), 1);
    }
}
