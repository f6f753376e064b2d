//! The template is what a new vault starts with: it must be read by what reads it.

use crate::stage::{Stage, all};
use afterword_vault::{Note, NoteKind, Properties, layout};
use serde_yaml_ng::Value;

/// All texts in a YAML value.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Sequence(items) => items.iter().flat_map(texts).collect(),
        Value::Mapping(map) => {
            map.iter().flat_map(|(key, value)| [texts(key), texts(value)].concat()).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn the_table_names_only_properties_that_notes_have() {
    let mut stage = Stage::new();
    let base: Value = serde_yaml_ng::from_str(&stage.read(layout::LESSONS_BASE)).unwrap();
    stage.reflect(&all());
    let index = stage.scan();
    let written: Vec<&str> = index.notes().flat_map(|entry| entry.note.names()).collect();
    let known = |name: &str| written.contains(&name) || ["superseded_by", "supersedes"].contains(&name);
    let formulas = texts(&base["formulas"]);
    for text in texts(&base) {
        if let Some(name) = text.strip_prefix("note.") {
            assert!(known(name), "{text}");
        } else if let Some(name) = text.strip_prefix("formula.") {
            assert!(formulas.iter().any(|formula| formula == name), "{text}");
        } else if let Some((name, _)) = text.split_once(" == ").or_else(|| text.split_once(" != ")) {
            assert!(known(name), "{text}");
        }
    }
    for view in base["views"].as_sequence().unwrap() {
        assert_eq!(view["type"].as_str(), Some("table"));
        assert!(view["name"].is_string() && view["order"].is_sequence(), "{view:?}");
    }
}

#[test]
fn the_ledger_is_a_note_that_is_found_as_such() {
    let stage = Stage::new();
    let note = Note::parse(stage.read(layout::IDEAS));
    assert_eq!(note.fault(), None);
    assert_eq!(Properties::of(&note).kind, Some(NoteKind::Ideas));
    assert!(stage.scan().ideas().is_some());
}

#[test]
fn the_welcome_note_names_what_is_there() {
    let mut stage = Stage::new();
    stage.reflect(&all());
    let welcome = stage.read(layout::WELCOME);
    for folder in layout::FOLDERS {
        assert!(welcome.contains(folder.strip_prefix("Afterword/").unwrap()), "{folder}");
        assert!(stage.path(folder).is_dir());
    }
    assert!(stage.scan().problems().is_empty());
    assert!(stage.read(layout::HEARTBEAT).contains("HEARTBEAT_CONTINUE"));
}
