//! Rules and notes from elsewhere: what is taken over is text of theirs, and becomes a note that can be read.
#![no_main]

use afterword_vault::import::{parse_rules, parse_whole_note};
use afterword_vault::{markdown, plain};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let rules = parse_rules(text, "CLAUDE.md", Some("shop"));
    let note = parse_whole_note(text, "a note.md", "elsewhere", None);
    for found in rules.iter().chain(&note) {
        assert!(!found.title.trim().is_empty());
        assert!(!found.title.contains('\n'));
        let _ = found.key();
        let _ = markdown::sanitize(&found.body);
        assert!(!plain::visible_lines(&found.title).contains('\u{200b}'));
    }
    assert_eq!(rules, parse_rules(text, "CLAUDE.md", Some("shop")));
});
