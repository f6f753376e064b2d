//! The template is what a new vault starts with: it must be read by what reads it.

use crate::test_vault::{TestVault, all};
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
    let mut stage = TestVault::new();
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

/// What obsidian.md/help documents under "Bases syntax" and "Functions", as far as a table of lessons may want it.
#[test]
fn the_table_uses_only_what_obsidian_documents() {
    const KEYS: [&str; 5] = ["filters", "formulas", "properties", "summaries", "views"];
    const FUNCTIONS: [&str; 10] = [
        "if",
        "link",
        "date",
        "today",
        "now",
        "file.hasTag",
        "file.hasProperty",
        "file.inFolder",
        "relative",
        "list",
    ];
    let base: Value = serde_yaml_ng::from_str(&TestVault::new().read(layout::LESSONS_BASE)).unwrap();
    for key in base.as_mapping().unwrap().keys() {
        assert!(KEYS.contains(&key.as_str().unwrap()), "{key:?}");
    }
    for text in texts(&base) {
        for (at, _) in text.match_indices('(').filter(|(at, _)| *at > 0) {
            let before = text[..at].trim_start_matches(|c: char| !c.is_alphanumeric());
            let name = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '.')).next().unwrap();
            let method = name.rsplit('.').next().unwrap();
            assert!(FUNCTIONS.contains(&name) || FUNCTIONS.contains(&method), "`{name}` of `{text}`");
        }
    }
    assert!(
        texts(&base["views"]).iter().any(|text| text == "Waiting for your answer"),
        "the welcome note names it"
    );
}

/// obsidian.md/help, "Properties": text, list, number, checkbox, date, date and time, tags; nothing nested.
#[test]
fn every_property_is_of_one_of_obsidians_seven_types() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let index = stage.scan();
    for entry in index.notes() {
        for name in entry.note.names() {
            let value = entry.note.value(name).unwrap();
            let fits = match (name, &value) {
                ("tags" | "evidence" | "supersedes" | "superseded_by", value) => {
                    matches!(value, afterword_vault::note::Value::List(_))
                }
                ("created" | "updated", afterword_vault::note::Value::Text(day)) => {
                    day.parse::<jiff::civil::Date>().is_ok()
                }
                ("always_load", value) => matches!(value, afterword_vault::note::Value::Flag(_)),
                (_, value) => !matches!(value, afterword_vault::note::Value::Nested),
            };
            assert!(fits, "{}: {name}: {value:?}", entry.path);
        }
    }
}

#[test]
fn the_ledger_is_a_note_that_is_found_as_such() {
    let stage = TestVault::new();
    let note = Note::parse(stage.read(layout::IDEAS));
    assert_eq!(note.front_matter_error(), None);
    assert_eq!(Properties::of(&note).kind, Some(NoteKind::Ideas));
    assert!(stage.scan().ideas().is_some());
}

#[test]
fn the_welcome_note_names_what_is_there() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let welcome = stage.read(layout::WELCOME);
    for folder in layout::FOLDERS {
        assert!(welcome.contains(folder.strip_prefix("Afterword/").unwrap()), "{folder}");
        assert!(stage.path(folder).is_dir());
    }
    assert!(stage.scan().problems().is_empty());
    assert!(stage.read(layout::HEARTBEAT).contains("HEARTBEAT_CONTINUE"));
}
