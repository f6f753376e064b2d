//! The same entries read with serde_json, plainly and slowly: what the fast reader must agree with.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::event::Event;
use crate::filter::Filter;
use crate::report::Report;
use crate::report_builder::ReportBuilder;

fn leak(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn raw(text: &str) -> Raw<'static> {
    let quoted = serde_json::to_string(text).unwrap();
    Raw(leak(quoted[1..quoted.len() - 1].to_owned()))
}

fn string(object: &Map<String, Value>, key: &str) -> Raw<'static> {
    object.get(key).and_then(Value::as_str).map(raw).unwrap_or_default()
}

fn truth(object: &Map<String, Value>, key: &str) -> bool {
    object.get(key) == Some(&Value::Bool(true))
}

/// An entry from a JSON value, by the names that Claude Code gives its fields.
fn entry(object: &Map<String, Value>) -> Entry<'static> {
    let inner = |key: &str| object.get(key).and_then(Value::as_object);
    let attachment = inner("attachment");
    let detail = attachment
        .map(|attachment| string(attachment, "type"))
        .or_else(|| inner("data").filter(|data| data["type"].is_string()).map(|data| string(data, "type")))
        .unwrap_or_else(|| {
            let operation = string(object, "operation");
            if operation.is_empty() { string(object, "subtype") } else { operation }
        });
    Entry {
        kind: string(object, "type"),
        detail,
        uuid: string(object, "uuid"),
        parent_uuid: string(object, "parentUuid"),
        is_root: object.get("parentUuid") == Some(&Value::Null),
        session_id: string(object, "sessionId"),
        agent_id: string(object, "agentId"),
        timestamp: string(object, "timestamp"),
        cwd: string(object, "cwd"),
        git_branch: string(object, "gitBranch"),
        version: string(object, "version"),
        entrypoint: string(object, "entrypoint"),
        prompt_source: string(object, "promptSource"),
        origin_kind: inner("origin").map(|origin| string(origin, "kind")).unwrap_or_default(),
        denial_kind: string(object, "toolDenialKind"),
        permission: inner("permissionDecision")
            .map(|permission| Permission {
                decision: string(permission, "decision"),
                source: string(permission, "source"),
            })
            .unwrap_or_default(),
        user_feedback: string(object, "userFeedback"),
        summary: string(object, "summary"),
        leaf_uuid: string(object, "leafUuid"),
        ai_title: string(object, "aiTitle"),
        custom_title: string(object, "customTitle"),
        content: object.get("content").and_then(Value::as_str).map(raw),
        reason: string(object, "reason"),
        is_sidechain: truth(object, "isSidechain"),
        is_meta: truth(object, "isMeta"),
        is_compact_summary: truth(object, "isCompactSummary"),
        is_api_error: truth(object, "isApiErrorMessage"),
        has_plan: object.get("planContent").is_some_and(|plan| !plan.is_null()),
        plan: string(object, "planContent"),
        is_scheduled: ["wakeupSource", "scheduledTaskId"]
            .iter()
            .any(|key| object.get(*key).is_some_and(|value| !value.is_null())),
        is_untyped: truth(object, "textNotTyped")
            || truth(object, "isVisibleInTranscriptOnly")
            || object.get("sourceToolUseID").is_some_and(|call| !call.is_null()),
        is_forked: object.get("forkedFrom").is_some_and(|from| !from.is_null()),
        message: object.get("message").and_then(message),
        attachment: attachment.map(|attachment| Attachment {
            prompt: content(attachment.get("prompt"), false),
            command_mode: string(attachment, "commandMode"),
            origin_kind: attachment
                .get("origin")
                .and_then(Value::as_object)
                .map(|origin| string(origin, "kind"))
                .unwrap_or_default(),
            is_meta: truth(attachment, "isMeta"),
        }),
        result: ToolResult(object.get("toolUseResult").map_or("", |result| leak(result.to_string()))),
    }
}

fn message(value: &Value) -> Option<Message<'static>> {
    if let Some(text) = value.as_str() {
        return Some(Message { content: Content::Text(raw(text)), ..Message::default() });
    }
    let object = value.as_object()?;
    let usage = object.get("usage").and_then(Value::as_object).map(|usage| {
        let number = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
        RawUsage {
            input: number("input_tokens"),
            output: number("output_tokens"),
            cache_read: number("cache_read_input_tokens"),
            cache_write: number("cache_creation_input_tokens"),
        }
    });
    let (id, model) = (string(object, "id"), string(object, "model"));
    Some(Message { id, model, content: content(object.get("content"), true), usage })
}

fn content(value: Option<&Value>, outer: bool) -> Content<'static> {
    match value {
        Some(Value::String(text)) => Content::Text(raw(text)),
        Some(Value::Array(items)) => {
            Content::Blocks(items.iter().filter_map(|item| block(item, outer)).collect())
        }
        _ => Content::Missing,
    }
}

fn block(value: &Value, outer: bool) -> Option<Block<'static>> {
    if let Some(text) = value.as_str() {
        return Some(Block::Text(raw(text)));
    }
    let object = value.as_object()?;
    let kind = object.get("type").and_then(Value::as_str).unwrap_or_default();
    Some(match kind {
        "text" => Block::Text(string(object, "text")),
        "tool_use" => Block::ToolUse {
            id: string(object, "id"),
            name: string(object, "name"),
            input: object.get("input").map_or("", |input| leak(input.to_string())),
        },
        "tool_result" => Block::ToolResult {
            call: string(object, "tool_use_id"),
            is_error: truth(object, "is_error"),
            content: if outer { content(object.get("content"), false) } else { Content::Missing },
        },
        "image" | "document" => Block::Media(raw(kind)),
        "thinking" | "redacted_thinking" => Block::Thinking,
        other => Block::Other(raw(other)),
    })
}

/// Everything that comes of some lines, read one way or the other.
fn outcome<'l>(lines: impl Iterator<Item = (u64, Entry<'l>)>) -> (Vec<Event>, Report) {
    let (mut tally, mut filter, mut events) = (ReportBuilder::default(), Filter::default(), Vec::new());
    for (number, entry) in lines {
        tally.add_entry(&entry);
        filter.add_entry(number, &entry, &mut tally, &mut |event| events.push(event));
    }
    (events, tally.finish(|_| true))
}

/// Calls of unknown tools show their input in the order and form written, which the two readings do not share.
fn comparable(mut events: Vec<Event>) -> Vec<Event> {
    const KNOWN: [&str; 8] =
        ["Bash", "Edit", "Write", "Read", "Task", "Agent", "ExitPlanMode", "AskUserQuestion"];
    for event in &mut events {
        if let Event::Call(call) = event
            && !KNOWN.contains(&call.name.as_str())
        {
            call.input.clear();
            call.summary.clear();
        }
    }
    events
}

fn fast(lines: &[String]) -> (Vec<Event>, Report) {
    let mut header = Header::default();
    let (events, report) = outcome(lines.iter().enumerate().map(|(index, line)| {
        let (entry, end) = parse(line, 0, &mut header).unwrap();
        assert_eq!(end, line.len());
        (index as u64 + 1, entry.unwrap())
    }));
    (comparable(events), report)
}

fn slow(lines: &[String]) -> (Vec<Event>, Report) {
    let (events, report) = outcome(lines.iter().enumerate().map(|(index, line)| {
        let value: Value = serde_json::from_str(line).unwrap();
        (index as u64 + 1, entry(value.as_object().unwrap()))
    }));
    (comparable(events), report)
}

/// Writes JSON with chosen disorder: keys rotated, white space, characters escaped that need not be.
fn write(value: &Value, disorder: u64, out: &mut String) {
    let space = if disorder.is_multiple_of(3) { " " } else { "" };
    let next = disorder.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> 3;
    match value {
        Value::Object(fields) => {
            out.push('{');
            let mut fields: Vec<_> = fields.iter().collect();
            if !fields.is_empty() {
                let by = (next as usize) % fields.len();
                fields.rotate_left(by);
            }
            for (index, (key, value)) in fields.into_iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                out.push_str(space);
                write(&Value::String(key.clone()), next.wrapping_add(index as u64), out);
                out.push_str(space);
                out.push(':');
                write(value, next.wrapping_add(index as u64), out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write(item, next.wrapping_add(index as u64), out);
                out.push_str(space);
            }
            out.push(']');
        }
        Value::String(text) if disorder.is_multiple_of(5) => {
            out.push('"');
            for unit in text.encode_utf16() {
                out.push_str(&format!("\\u{unit:04x}"));
            }
            out.push('"');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z\"\\\\\n\t{}\\[\\]éß中🙂 ]{0,60}",
        1 => Just("always run the \"tests\" first\n".to_owned()),
        1 => Just("[Request interrupted by user for tool use]".to_owned()),
        1 => Just("<command-name>/x</command-name><command-args>a \\ b</command-args>".to_owned()),
        1 => Just("<system-reminder>no</system-reminder>\nyes".to_owned()),
        1 => Just("The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nno".to_owned()),
        1 => Just("Exit code 1\nerror: it broke".to_owned()),
        1 => ".{0,40}",
    ]
}

fn blocks() -> impl Strategy<Value = Value> {
    let name =
        prop::sample::select(vec!["Bash", "Edit", "Task", "AskUserQuestion", "ExitPlanMode", "mcp__a__b"]);
    let call = prop::sample::select(vec!["t1", "t2", "t3"]);
    prop_oneof![
        words().prop_map(|text| json!({"type": "text", "text": text})),
        words().prop_map(|text| json!({"type": "thinking", "thinking": text, "signature": "s"})),
        (name, call.clone(), words(), words()).prop_map(|(name, id, one, two)| {
            json!({"type": "tool_use", "id": id, "name": name,
                "input": {"command": one, "file_path": two, "old_string": one, "new_string": two, "plan": one}})
        }),
        (call.clone(), words(), any::<bool>()).prop_map(|(call, text, error)| {
            json!({"type": "tool_result", "tool_use_id": call, "content": text, "is_error": error})
        }),
        (call, words(), words()).prop_map(|(call, one, two)| {
            json!({"type": "tool_result", "tool_use_id": call,
                "content": [{"type": "text", "text": one}, {"type": "image", "source": {}}, {"type": "text", "text": two}]})
        }),
        Just(json!({"type": "image", "source": {"data": "abc"}})),
        Just(json!({"type": "new_kind", "x": [1, {"y": null}]})),
        words().prop_map(Value::String),
        Just(json!(5)),
    ]
}

fn contents() -> impl Strategy<Value = Value> {
    prop_oneof![
        words().prop_map(Value::String),
        prop::collection::vec(blocks(), 0..4).prop_map(Value::Array),
        Just(Value::Null),
        Just(json!({"not": "content"})),
    ]
}

fn results() -> impl Strategy<Value = Value> {
    prop_oneof![
        words().prop_map(Value::String),
        (any::<bool>(), any::<bool>(), words()).prop_map(|(one, two, text)| {
            json!({"stdout": text, "interrupted": one, "userModified": two, "inner": {"interrupted": !one, "userModified": !two}})
        }),
        (words(), words()).prop_map(|(answer, note)| {
            json!({"questions": [{"question": "Which?", "options": [{"label": "A", "description": "d"}]}],
                "answers": {"Which?": answer}, "annotations": {"Which?": {"notes": note}}})
        }),
        Just(json!([1, "two"])),
    ]
}

fn entries() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec![
        "user",
        "assistant",
        "system",
        "progress",
        "queue-operation",
        "attachment",
        "summary",
        "unheard-of",
    ]);
    let shape = (kind, contents(), words(), results(), any::<[bool; 8]>(), 0_u64..4);
    shape.prop_map(|(kind, content, text, result, flags, number)| {
        let mut object = json!({
            "type": kind, "uuid": format!("u{number}"), "timestamp": format!("2026-02-0{}T10:00:00.000Z", number + 1),
            "sessionId": "s", "cwd": "/p", "version": format!("2.1.{number}"), "isSidechain": flags[0] && flags[1],
            "message": {"role": kind, "id": format!("m{number}"), "content": content, "usage": {"input_tokens": number, "output_tokens": 7}},
        });
        let odd = |even: &'static str, odd: &'static str| if number % 2 == 0 { even } else { odd };
        let fields = object.as_object_mut().unwrap();
        let mut set = |when: bool, key: &str, value: Value| when.then(|| fields.insert(key.to_owned(), value));
        set(flags[2], "toolUseResult", result);
        set(flags[3] && flags[4], "isMeta", Value::Bool(true));
        set(flags[5] && flags[4], "planContent", Value::String(text.clone()));
        set(kind == "queue-operation", "operation", json!(["enqueue", "dequeue", "remove", "popAll"][number as usize]));
        set(matches!(kind, "queue-operation" | "system"), "content", Value::String(text.clone()));
        set(kind == "queue-operation" && flags[6], "reason", json!(odd("cleared_on_cancel", "absorbed_mid_turn")));
        set(kind == "system", "subtype", json!(["local_command", "compact_boundary", "informational", ""][number as usize]));
        set(kind == "progress", "data", json!({"message": {"type": "user", "x": text}, "type": "agent_progress"}));
        set(kind == "attachment", "attachment", json!({"type": "queued_command", "prompt": text,
            "commandMode": odd("prompt", "bash"), "isMeta": flags[1] && flags[2], "origin": {"kind": if flags[4] { "human" } else { "peer" }}}));
        set(kind == "summary", "summary", Value::String(text));
        set(flags[6], "gitBranch", json!("main"));
        set(flags[2], "parentUuid", json!(format!("u{}", number / 2)));
        set(flags[0], "toolDenialKind", json!("user-rejected"));
        set(flags[1], "permissionDecision", json!({"decision": odd("accept", "reject"), "source": "user_reject", "x": [1]}));
        set(flags[0] && flags[1], "userFeedback", json!("use \"tabs\""));
        set(flags[5] && flags[6], "textNotTyped", Value::Bool(true));
        set(flags[0] && flags[5], "sourceToolUseID", if flags[3] { Value::Null } else { json!("t1") });
        set(flags[1] && flags[5], "isVisibleInTranscriptOnly", Value::Bool(flags[6]));
        set(flags[5] && flags[7], "wakeupSource", if flags[3] { Value::Null } else { json!("loop_wakeup") });
        set(flags[7] && flags[6], "origin", json!({"kind": "task-notification"}));
        object
    })
}

proptest! {
    #[test]
    fn the_fast_reader_agrees_with_serde_json(entries in prop::collection::vec((entries(), any::<u64>()), 1..12)) {
        let lines: Vec<String> = entries
            .iter()
            .map(|(entry, disorder)| {
                let mut line = String::new();
                write(entry, *disorder, &mut line);
                line
            })
            .collect();
        prop_assert_eq!(fast(&lines), slow(&lines));
    }

    #[test]
    fn lines_as_clients_write_them_agree_too(entries in prop::collection::vec(entries(), 1..12)) {
        // The client begins messages with parentUuid and a header that repeats from line to line.
        let lines: Vec<String> = entries
            .iter()
            .map(|entry| {
                let rest = entry.to_string();
                format!("{{\"parentUuid\":null,\"isSidechain\":false,\"cwd\":\"/a b\",\"sessionId\":\"s\",\"gitBranch\":\"\",{}", &rest[1..])
            })
            .collect();
        prop_assert_eq!(fast(&lines), slow(&lines));
    }
}

#[test]
fn real_sessions_read_the_same_both_ways() {
    let Some(folder) = std::env::var_os("AFTERWORD_BENCHMARK") else { return };
    for file in std::fs::read_dir(std::path::Path::new(&folder).join("transcripts")).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        // serde_json refuses what is glued to an object; those lines have a test of their own.
        let lines: Vec<String> = text
            .lines()
            .filter(|line| serde_json::from_str::<Value>(line).is_ok_and(|value| value.is_object()))
            .map(str::to_owned)
            .collect();
        let ((fast, fast_report), (slow, slow_report)) = (fast(&lines), slow(&lines));
        assert_eq!(fast.len(), slow.len(), "{}", path.display());
        for (fast, slow) in fast.iter().zip(&slow) {
            assert_eq!(fast, slow, "{}", path.display());
        }
        assert_eq!(fast_report, slow_report, "{}", path.display());
    }
}
