//! Notes of other hands: read whole, printed byte for byte, changed in one place or not at all.
#![no_main]

use afterword_vault::block::Block;
use afterword_vault::note::Value;
use afterword_vault::{Note, Properties, ideas, markdown, quotation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let note = Note::parse(text.to_owned());
    assert_eq!(note.print(), text);
    assert!(text.ends_with(note.body()));
    let _ = Properties::of(&note);
    let _ = ideas::parse_ideas(&note);

    let words: String = text.chars().rev().take(24).collect();
    for (name, value) in [
        ("status", Value::Text(words.clone())),
        ("tags", Value::List(vec![words.clone(), "b".to_owned()])),
        ("review", Value::Empty),
    ] {
        let mut changed = note.clone();
        match changed.set(name, &value) {
            Ok(()) => {
                assert_eq!(changed.value(name), Some(value));
                assert_eq!(changed.body(), note.body());
                for other in note.names().filter(|other| *other != name) {
                    assert_eq!(changed.value(other), note.value(other));
                }
            }
            Err(_) => assert_eq!(changed.print(), text),
        }
    }
    let mut grown = note.clone();
    match grown.append("evidence", std::slice::from_ref(&words)) {
        Ok(()) => assert_eq!(grown.list_of("evidence").last(), Some(&words)),
        Err(_) => assert_eq!(grown.print(), text),
    }
    let mut filled = note.clone();
    let was_intact = matches!(note.block("evidence"), Block::Intact { .. });
    assert_eq!(filled.set_block("evidence", &quotation::quote(&words, 100)), was_intact);
    if was_intact {
        assert!(matches!(filled.block("evidence"), Block::Intact { .. }));
    }

    let tame = markdown::sanitize(text);
    assert!(!tame.contains("<%"));
    let body = Note::parse(format!("---\nid: x\n---\n\n{tame}\n"));
    assert_eq!(body.front_matter_error(), None);
    assert!(matches!(body.block("evidence"), Block::Absent));
});
