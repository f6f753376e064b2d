//! The hooks in a settings file: which are ours, adding them, taking them out.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject};
use jsonc_parser::json;

use super::Command;
use super::json::Document;
use crate::ClaudeCodeError;

/// The events Afterword is told of, and the seconds after which Claude Code gives up on it. The end of a session has a limit of
/// its own (1.5 s for all hooks together), which naming one would lengthen. `PreCompact` is not among them: the client shows a line of
/// its own for each such hook, and once it has compacted it starts the session anew (`SessionStart`, source `compact`).
const EVENTS: [(&str, Option<u32>); 4] =
    [("SessionStart", Some(5)), ("UserPromptSubmit", Some(5)), ("Stop", Some(5)), ("SessionEnd", None)];

/// The event before a tool runs: asked of only while a check binds, as a process starts for every call of a tool.
const BEFORE_TOOL: (&str, Option<u32>) = ("PreToolUse", Some(5));
/// The tools that a check can be about.
const TOOLS: &str = "Bash|Edit|Write|MultiEdit|NotebookEdit";

/// Puts the hooks in; those that are there already and right stay as they are, and those of events that are no longer asked for
/// are taken out. The one before tools is put in where checks bind, and left where it is.
pub(super) fn add(document: &Document, command: &Command, checks_bind: bool) -> Result<(), ClaudeCodeError> {
    let hooks = document.ensure_object(&document.object(), "hooks")?;
    let is_asked_for = |event: &str| EVENTS.iter().chain([&BEFORE_TOOL]).any(|(name, _)| *name == event);
    remove_where(&hooks, |event| !is_asked_for(event));
    for (event, seconds) in EVENTS.into_iter().chain(checks_bind.then_some(BEFORE_TOOL)) {
        let groups = match document.list_in(&hooks, event)? {
            Some(groups) => groups,
            None => hooks.array_value_or_set(event),
        };
        let ours = ours_in(&groups, event);
        let wanted = hook(event, seconds, command);
        if ours.len() == 1 && ours[0].entry.to_serde_value() == Some(as_json(&wanted)) {
            continue;
        }
        match ours.split_first() {
            Some((first, others)) => {
                others.iter().for_each(|other| take_out(other.clone()));
                first.entry.clone().replace_with(wanted);
            }
            None if event == BEFORE_TOOL.0 => {
                drop(groups.append(json!({ "matcher": TOOLS, "hooks": [wanted] })));
            }
            None => drop(groups.append(json!({ "hooks": [wanted] }))),
        }
    }
    Ok(())
}

/// Whether Claude Code tells of its sessions.
pub(super) fn has_session_hooks(document: &Document) -> Result<bool, ClaudeCodeError> {
    has_ours(document, EVENTS[0].0)
}

/// Whether Claude Code asks before a tool runs.
pub(super) fn asks_before_tools(document: &Document) -> Result<bool, ClaudeCodeError> {
    has_ours(document, BEFORE_TOOL.0)
}

fn has_ours(document: &Document, event: &str) -> Result<bool, ClaudeCodeError> {
    let Some(hooks) = document.object_in(&document.object(), "hooks")? else { return Ok(false) };
    let groups = document.list_in(&hooks, event)?;
    Ok(groups.is_some_and(|groups| !ours_in(&groups, event).is_empty()))
}

/// Takes the hooks out of every event, and what is left empty by that.
pub(super) fn remove(document: &Document) -> Result<(), ClaudeCodeError> {
    let object = document.object();
    let Some(hooks) = document.object_in(&object, "hooks")? else { return Ok(()) };
    if remove_where(&hooks, |_| true)
        && hooks.properties().is_empty()
        && let Some(property) = object.get("hooks")
    {
        property.remove();
    }
    Ok(())
}

/// Takes our hooks out of some events, and what is left empty by that. Says whether there were any.
fn remove_where(hooks: &CstObject, is_chosen: impl Fn(&str) -> bool) -> bool {
    let mut removed = false;
    for property in hooks.properties() {
        let (Some(event), Some(groups)) = (property.decoded_name(), property.array_value()) else { continue };
        let ours = ours_in(&groups, &event);
        if ours.is_empty() || !is_chosen(&event) {
            continue;
        }
        removed = true;
        ours.into_iter().for_each(take_out);
        if groups.elements().is_empty() {
            property.remove();
        }
    }
    removed
}

/// One of our hooks, and the group it stands in.
#[derive(Clone)]
struct OurHook {
    group: CstObject,
    entries: CstArray,
    entry: CstObject,
}

fn ours_in(groups: &CstArray, event: &str) -> Vec<OurHook> {
    let mut found = Vec::new();
    for group in groups.elements().iter().filter_map(CstNode::as_object) {
        let Some(entries) = group.get("hooks").and_then(|hooks| hooks.array_value()) else { continue };
        for entry in entries.elements().iter().filter_map(CstNode::as_object) {
            if is_ours(&entry, event) {
                found.push(OurHook { group: group.clone(), entries: entries.clone(), entry });
            }
        }
    }
    found
}

/// A hook is ours when it runs a program called `afterword` as `afterword hook EVENT`, wherever that program is.
fn is_ours(entry: &CstObject, event: &str) -> bool {
    let Some(program) = Document::text_in(entry, "command") else { return false };
    let name = program.rsplit(['/', '\\']).next().unwrap_or(&program);
    let ours = name.eq_ignore_ascii_case("afterword") || name.eq_ignore_ascii_case("afterword.exe");
    let arguments = entry.get("args").and_then(|arguments| arguments.array_value());
    let arguments: Vec<_> = arguments.map(|list| list.elements()).unwrap_or_default();
    let argument = |n: usize| {
        arguments.get(n).and_then(CstNode::as_string_lit).and_then(|text| text.decoded_value().ok())
    };
    ours && argument(0).as_deref() == Some("hook") && argument(1).as_deref() == Some(event)
}

fn take_out(ours: OurHook) {
    ours.entry.remove();
    if ours.entries.elements().is_empty() {
        ours.group.remove();
    }
}

/// The hook as the settings have it: started without a shell, so that no path needs quoting.
fn hook(event: &str, seconds: Option<u32>, command: &Command) -> CstInputValue {
    let mut arguments = vec!["hook", event];
    if let Some(home) = &command.home {
        arguments.extend(["--home", home]);
    }
    let arguments = arguments.into_iter().map(CstInputValue::from).collect();
    let mut fields = vec![
        ("type".to_owned(), "command".into()),
        ("command".to_owned(), command.program.as_str().into()),
        ("args".to_owned(), CstInputValue::Array(arguments)),
    ];
    if let Some(seconds) = seconds {
        fields.push(("timeout".to_owned(), CstInputValue::Number(seconds.to_string())));
    }
    CstInputValue::Object(fields)
}

/// The value as `serde_json` has it, to compare by meaning and not by layout.
pub(super) fn as_json(value: &CstInputValue) -> serde_json::Value {
    use serde_json::Value;
    match value {
        CstInputValue::Null => Value::Null,
        CstInputValue::Bool(value) => Value::Bool(*value),
        CstInputValue::Number(text) => serde_json::from_str(text).unwrap_or(Value::Null),
        CstInputValue::String(text) => Value::String(text.clone()),
        CstInputValue::Array(values) => Value::Array(values.iter().map(as_json).collect()),
        CstInputValue::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), as_json(value))).collect())
        }
    }
}
