//! A note is read without losing a byte and changed only where a change was asked for.

use afterword_vault::block::Block;
use afterword_vault::note::{Note, Value};
use proptest::prelude::*;

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

fn set(note: &str, name: &str, value: &Value) -> String {
    let mut parsed = Note::parse(note.to_owned());
    parsed.set(name, value).unwrap_or_else(|error| panic!("{error}\n{note}"));
    parsed.print().to_owned()
}

#[test]
fn setting_a_property_touches_only_its_lines() {
    let cases = [
        ("---\nstatus: inbox\nx: 1\n---\nb", "---\nstatus: active\nx: 1\n---\nb"),
        ("---\r\nstatus: inbox\r\n---\r\nb\r\n", "---\r\nstatus: active\r\n---\r\nb\r\n"),
        ("\u{feff}---\nstatus: inbox\n---\n", "\u{feff}---\nstatus: active\n---\n"),
        ("---\nstatus: inbox # why\n---\n", "---\nstatus: active # why\n---\n"),
        ("---\nstatus: 'in # box'   # why\n---\n", "---\nstatus: active   # why\n---\n"),
        ("---\nstatus: \"a \\\" # b\"\t# why\n---\n", "---\nstatus: active\t# why\n---\n"),
        ("---\nstatus:\n---\n", "---\nstatus: active\n---\n"),
        ("---\nstatus: # why\n---\n", "---\nstatus: active # why\n---\n"),
        (
            "---\n# a\nstatus: |\n  two\n  # lines\n\n# b\nx: 1\n---\n",
            "---\n# a\nstatus: active\n\n# b\nx: 1\n---\n",
        ),
        ("---\nstatus:\n- a\n- b\nx: [1, 2]\n---\n", "---\nstatus: active\nx: [1, 2]\n---\n"),
        ("---\n\"status\": inbox\n---\n", "---\nstatus: active\n---\n"),
        ("---\nx: 1\n---\nb", "---\nx: 1\nstatus: active\n---\nb"),
        ("---\n---\nb", "---\nstatus: active\n---\nb"),
        ("---  \nx: 1\n---\t\nb", "---  \nx: 1\nstatus: active\n---\t\nb"),
        ("---\nstatus: inbox\n---", "---\nstatus: active\n---"),
    ];
    for (before, after) in cases {
        // A literal block with a comment-like line inside is replaced whole only if nothing could be lost.
        let expected = if before.contains("# lines") { None } else { Some(after) };
        let mut note = Note::parse(before.to_owned());
        match (note.set("status", &text("active")), expected) {
            (Ok(()), Some(expected)) => assert_eq!(note.print(), expected, "{before}"),
            (Err(_), None) => assert_eq!(note.print(), before),
            (result, _) => panic!("{result:?} for {before}"),
        }
    }
}

#[test]
fn setting_what_is_set_changes_nothing() {
    let note = "---\nstatus:    \"active\"   # so\ncreated: 2026-01-02\nalways_load: true\nreview:\n---\n";
    assert_eq!(set(note, "status", &text("active")), note);
    assert_eq!(set(note, "created", &Value::Date("2026-01-02".parse().unwrap())), note);
    assert_eq!(set(note, "always_load", &Value::Flag(true)), note);
    assert_eq!(set(note, "review", &Value::Empty), note);
}

#[test]
fn a_change_that_would_change_more_is_refused() {
    // The second line belongs to the first property's text, whatever it looks like.
    let folded = "---\ntitle: \"one\n  status: two\"\nstatus: inbox\n---\n";
    assert_eq!(set(folded, "status", &text("active")), folded.replace("status: inbox", "status: active"));
    for unreadable in
        ["---\na: [\n---\n", "---\nstatus: inbox\n", "no front matter", "---\n{status: inbox}\n---\n"]
    {
        let mut note = Note::parse(unreadable.to_owned());
        assert!(note.set("status", &text("active")).is_err(), "{unreadable}");
        assert_eq!(note.print(), unreadable);
    }
    let mut commented = Note::parse("---\ntags:\n  - a # mine\n---\n".to_owned());
    assert!(commented.set("tags", &Value::List(vec!["b".to_owned()])).is_err(), "the comment would be lost");
}

#[test]
fn lists_grow_in_the_form_they_have() {
    let items = ["b: c".to_owned()];
    let cases = [
        ("---\nl:\n  - a\nx: 1\n---\n", "---\nl:\n  - a\n  - \"b: c\"\nx: 1\n---\n"),
        ("---\nl:\n- a # mine\n\nx: 1\n---\n", "---\nl:\n- a # mine\n- \"b: c\"\n\nx: 1\n---\n"),
        ("---\r\nl:\r\n    - a\r\n---\r\n", "---\r\nl:\r\n    - a\r\n    - \"b: c\"\r\n---\r\n"),
        ("---\nl: [a]\n---\n", "---\nl:\n  - a\n  - \"b: c\"\n---\n"),
        ("---\nl: a\n---\n", "---\nl:\n  - a\n  - \"b: c\"\n---\n"),
        ("---\nl:\n---\n", "---\nl:\n  - \"b: c\"\n---\n"),
        ("---\nl: []\n---\n", "---\nl:\n  - \"b: c\"\n---\n"),
    ];
    for (before, after) in cases {
        let mut note = Note::parse(before.to_owned());
        note.append("l", &items).unwrap();
        assert_eq!(note.print(), after);
        assert_eq!(note.list_of("l").last().map(String::as_str), Some("b: c"));
    }
    let mut nested = Note::parse("---\nl:\n  - a:\n      b\n---\n".to_owned());
    assert!(nested.append("l", &items).is_err());
}

#[test]
fn markers_in_code_or_in_pairs_that_do_not_match_are_not_ours() {
    let block = "%% afterword:begin evidence %%\n%% afterword:end %%\n";
    let of = |body: &str| {
        let note = Note::parse(body.to_owned());
        match note.block("evidence") {
            Block::Absent => "absent",
            Block::Intact { .. } => "intact",
            Block::Edited { .. } => "edited",
            Block::Damaged => "damaged",
        }
    };
    assert_eq!(of(block), "intact");
    assert_eq!(of(&format!("```\n{block}```\n")), "absent");
    assert_eq!(of(&format!("    {}", block.replace('\n', "\n    "))), "absent");
    assert_eq!(of(&format!("{block}{block}")), "damaged");
    assert_eq!(of("%% afterword:begin evidence %%\n"), "damaged");
    assert_eq!(of("%% afterword:end %%\n%% afterword:begin evidence %%\n"), "damaged");
    assert_eq!(of("%% afterword:begin overview %%\n%% afterword:end %%\n"), "absent");
    assert_eq!(of(&block.replace("%%\n%%", "%%\nmine\n%%")), "edited");
    let lost = "%% afterword:begin evidence %%\n%% afterword:begin overview %%\n%% afterword:end %%\n";
    assert_eq!(of(lost), "damaged");
}

#[test]
fn a_block_survives_what_editors_and_git_do_to_it() {
    let mut note =
        Note::parse("top\n\n%% afterword:begin evidence %%\n%% afterword:end %%\n\nbottom\n".to_owned());
    assert!(note.set_block("evidence", "> one\n\nUser · line 1"));
    let written = note.print().to_owned();
    assert!(
        written.starts_with("top\n\n%% afterword:begin evidence ") && written.ends_with("%%\n\nbottom\n")
    );
    for changed in [written.replace('\n', "\r\n"), written.replace("line 1\n", "line 1  \n")] {
        let note = Note::parse(changed);
        assert!(matches!(note.block("evidence"), Block::Intact { .. }), "{}", note.print());
    }
    let mut edited = Note::parse(written.replace("> one", "> two"));
    assert!(!edited.set_block("evidence", "x"));
    assert!(edited.print().contains("> two"));
}

fn front_matter() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        "[a-z ]{0,12}",
        "'[a-z :]{0,8}'",
        "\"[a-z :]{0,8}\"",
        "\\[[a-z]{1,3}(, [a-z]{1,3}){0,2}\\]",
        Just("\n  - one\n  - two # c".to_owned()),
        Just("\n- one\n- \"two\"".to_owned()),
        Just("|\n  text\n  # more".to_owned()),
        Just(">-\n  folded\n\n  text".to_owned()),
        Just("2026-01-02".to_owned()),
        Just("true # c".to_owned()),
        Just("\n  nested: 1".to_owned()),
        Just("3.5".to_owned()),
        Just("\"a\n  b\"".to_owned()),
    ];
    let name =
        prop::sample::select(&["status", "tags", "title", "my_own", "Rating", "\"quoted key\"", "ключ"][..]);
    let property = (name, value, prop::sample::select(&["", "# comment\n", "\n", "  \n"][..]));
    let lines = prop::collection::vec(property, 0..7).prop_map(|properties| {
        let lines = properties.into_iter().map(|(name, value, after)| format!("{name}: {value}\n{after}"));
        lines.collect::<String>()
    });
    (lines, any::<bool>(), any::<bool>(), "[a-z\n#%-]{0,40}").prop_map(|(lines, crlf, bom, body)| {
        let note = format!("---\n{lines}---\n{body}");
        let note = if crlf { note.replace('\n', "\r\n") } else { note };
        if bom { format!("\u{feff}{note}") } else { note }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_parsed_is_printed_byte_for_byte(note in prop_oneof![front_matter(), any::<String>(), "(---|: |- |\\[|\"|'|[a-z]|\n|\r\n){0,30}"]) {
        let parsed = Note::parse(note.clone());
        prop_assert_eq!(parsed.print(), &note);
        prop_assert!(note.ends_with(parsed.body()));
    }

    #[test]
    fn a_change_leaves_all_other_lines_and_values(
        note in front_matter(), name in prop::sample::select(&["status", "tags", "title", "added"][..]),
        value in "[ -~\u{e4}\n\u{2028}]{0,12}",
    ) {
        let before = Note::parse(note.clone());
        let mut after = before.clone();
        if after.set(name, &Value::Text(value.clone())).is_err() {
            prop_assert_eq!(after.print(), note);
            return Ok(());
        }
        let hashes = value.matches('#').count();
        prop_assert_eq!(after.value(name), Some(Value::Text(value)));
        prop_assert_eq!(after.body(), before.body());
        for other in before.names().filter(|other| *other != name) {
            prop_assert_eq!(after.value(other), before.value(other));
        }
        let kept: Vec<&str> = before.names().collect();
        let names: Vec<&str> = after.names().filter(|other| kept.contains(other)).collect();
        prop_assert_eq!(names, kept, "the order stands");
        let comments = |note: &Note| note.print().trim_end_matches(note.body()).matches('#').count();
        prop_assert_eq!(comments(&after), comments(&before) + hashes, "no comment is lost");
    }
}
