//! What stands in a note survives byte for byte: read and printed, changed in one property, changed in one block.
//!
//! The expectations are made of lines, by a reader that knows nothing of YAML: the lines of a note that belong neither
//! to the property nor to the block that was changed must be the same bytes in the same order.

use std::path::{Path, PathBuf};

use afterword_vault::block::Block;
use afterword_vault::note::{Note, Value};
use proptest::prelude::*;

use crate::test_vault::{TestVault, all};

/// Notes of each property below; a debug build reads a thousand in about a second.
const CASES: u32 = 10_000;

const NEWLINES: [&str; 2] = ["\n", "\r\n"];

/// Forms a body may have, each of which some program gives a meaning to.
const PIECES: [&str; 22] = [
    "# Heading with trailing blanks   ",
    "> [!warning]- Folded callout\n> with **bold** and a [[Other note#^block|link]]",
    "A paragraph with a block id. ^my-block-1",
    "- item ^item-id\n\t- tab-indented\n    - [/] half done",
    "![[picture.png|100x145]]",
    "![[Other note#Heading]]",
    "[[Folder/Note|alias]] and [text](<a file.md>)",
    "author:: Ana [due:: 2026-03-01] (hidden:: yes)",
    "```dataview\nTABLE status FROM \"Afterword\"\n```",
    "$= dv.current().file.name `=this.file.name`",
    "<% tp.date.now() %>",
    "%% a comment %%",
    "%%\nmore than one line\n%%",
    "---",
    "---\nstatus: not front matter\n---",
    "| a | b |\n| --- | :-: |\n| 1 | 2 |",
    "#tag #nested/tag and #نص",
    "Footnote[^1].\n\n[^1]: \u{201e}text\u{201c} \u{1f469}\u{200d}\u{1f4bb}\u{feff}",
    "trailing blanks  \nand a tab\t",
    "\u{a0}no-break space\u{2028}line separator",
    "    indented code\n    %% afterword:begin evidence %%",
    "~~~\n%% afterword:begin evidence %%\n%% afterword:end %%\n~~~",
];

/// Properties a person may have, in every way YAML lets them be written.
const OWN: [&str; 16] = [
    "aliases: [One, \"Two, three\"]",
    "cssclasses:\n- wide",
    "rating: 5   # of 5",
    "# a comment of its own",
    "due: 2026-03-01T09:30",
    "summary: >-\n  folded\n  text",
    "code: |\n  let x = 1;\n\n  # not a comment",
    "\"quoted name\": 'it''s'",
    "ключ: значение",
    "empty:",
    "nested:\n  a: 1\n  b: [2, 3]",
    "link: \"[[Other note]]\"",
    "Status-of-mine: \"fine: really\"",
    "flag: yes",
    "number: 1e3",
    "",
];

const OURS: [&str; 8] = [
    "status: inbox",
    "review:",
    "review: # not sure yet",
    "tags:\n  - afterword\n  - mine # kept",
    "tags: [afterword, mine]",
    "updated: 2026-03-14",
    "title: \"A title: with a colon\"",
    "always_load: false",
];

const BLOCK: &str = "%% afterword:begin evidence %%\n%% afterword:end %%";

fn name_of(property: &str) -> &str {
    if property.starts_with('#') { "" } else { property.split(':').next().unwrap_or_default() }
}

fn note() -> impl Strategy<Value = String> {
    let property = prop_oneof![prop::sample::select(&OWN[..]), prop::sample::select(&OURS[..])];
    let properties = prop::collection::vec(property, 0..9).prop_map(|mut properties| {
        let mut seen = std::collections::HashSet::new();
        properties.retain(|property| name_of(property).is_empty() || seen.insert(name_of(property)));
        properties
    });
    let body = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..7);
    let gaps = prop::sample::select(&["\n", "\n\n", "\n\n\n"][..]);
    let ending = prop::sample::select(&["", "\n", "\n\n", "  "][..]);
    let parts = (properties, body, 0..8_usize, gaps, ending);
    (parts, prop::sample::select(&NEWLINES[..]), any::<bool>()).prop_map(
        |((properties, mut body, block_at, gap, ending), newline, bom)| {
            if block_at <= body.len() {
                body.insert(block_at, BLOCK);
            }
            let lines: String = properties.iter().map(|property| format!("{property}\n")).collect();
            let text = format!("---\n{lines}---\n{}{ending}", body.join(gap));
            let text = if newline == "\n" { text } else { text.replace('\n', newline) };
            if bom { format!("\u{feff}{text}") } else { text }
        },
    )
}

/// The lines of a note without those of one property, found by indentation alone.
fn without_property<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let mut fences = 0;
    let mut inside = false;
    let mut left = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.trim_start_matches('\u{feff}').trim_end() == "---" {
            fences += 1;
            inside = false;
        } else if fences == 1 {
            let continues = line.starts_with([' ', '\t', '-']) || line.trim().is_empty();
            inside =
                line.starts_with(&format!("{name}:")) || (inside && continues && !line.trim().is_empty());
        }
        if !inside {
            left.push(line);
        }
    }
    left
}

fn changes() -> impl Strategy<Value = (&'static str, Value)> {
    let text = |text: &str| Value::Text(text.to_owned());
    prop_oneof![
        Just(("status", text("active"))),
        Just(("review", text("approve"))),
        Just(("superseded_by", Value::List(vec!["[[Afterword/Fixes/x|X: y]]".to_owned()]))),
        Just(("tags", Value::List(vec!["afterword".to_owned()]))),
        Just(("updated", Value::Date("2026-04-01".parse().unwrap()))),
        Just(("title", text("# --- \"both\" 'kinds' of: quotes"))),
        Just(("always_load", Value::Flag(true))),
        Just(("review", Value::Empty)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_property_touches_its_own_lines_only(text in note(), (name, value) in changes()) {
        let mut note = Note::parse(text.clone());
        prop_assert_eq!(note.print(), &text);
        prop_assert!(note.front_matter_error().is_none(), "{:?}", note.front_matter_error());
        match note.set(name, &value) {
            Ok(()) => prop_assert_eq!(without_property(note.print(), name), without_property(&text, name)),
            Err(_) => prop_assert_eq!(note.print(), &text),
        }
        let again = note.print().to_owned();
        if note.set(name, &value).is_ok() {
            prop_assert_eq!(note.print(), again, "setting it again changes nothing");
        }
    }

    #[test]
    fn a_filled_block_touches_its_own_lines_only(text in note(), content in "[a-z> \n]{0,40}") {
        let mut note = Note::parse(text.clone());
        let newline = note.newline();
        let is_there = matches!(note.block("evidence"), Block::Intact { .. });
        prop_assert_eq!(note.set_block("evidence", &content), is_there);
        if !is_there {
            prop_assert_eq!(note.print(), &text);
            return Ok(());
        }
        // Of the places that look like an empty block, the one outside code is the one that was filled.
        let empty = BLOCK.replace('\n', newline);
        let filled_from_start = text.bytes().zip(note.print().bytes()).take_while(|(one, other)| one == other).count();
        let begin = text[..filled_from_start].rfind("%% afterword:begin").unwrap();
        prop_assert!(text[begin..].starts_with(&empty), "the change begins in a marker");
        let rest = &text[begin + empty.len()..];
        prop_assert!(note.print().ends_with(rest), "{:?} does not end with {:?}", note.print(), rest);
        prop_assert!(note.print().starts_with(&text[..begin]));
        let lone = note.print().replace("\r\n", "").contains('\n');
        prop_assert_eq!(lone, newline == "\n" && note.print().contains('\n'), "no line break of another sort");
        let is_intact = matches!(note.block("evidence"), Block::Intact { .. });
        prop_assert!(is_intact, "{:?}", note.print());
    }
}

/// Markdown that people wrote, as far as this machine has any: the repository's own, the documentation that comes with
/// the crates it is built of, and what this program wrote.
#[test]
fn markdown_that_people_wrote_is_printed_as_it_was() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let mut files = Vec::new();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["docs", "vault-template", "tests/sessions"] {
        markdown_below(&repository.join(folder), &mut files);
    }
    let own = files.len();
    assert!(own > 20, "the repository has documents: {own}");
    markdown_below(&stage.folder(), &mut files);
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    if let Some(cargo) = cargo {
        markdown_below(&cargo.join("registry/src"), &mut files);
    }
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let mut note = Note::parse(text.clone());
        assert_eq!(note.print(), text, "{}", path.display());
        if note.set("status", &Value::Text("active".to_owned())).is_ok() {
            let (after, before) =
                (without_property(note.print(), "status"), without_property(&text, "status"));
            assert_eq!(after, before, "{}", path.display());
        } else {
            assert_eq!(note.print(), text, "{}", path.display());
        }
    }
}

fn markdown_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => markdown_below(&path, files),
            Ok(_) if path.extension().is_some_and(|extension| extension == "md") => files.push(path),
            _ => {}
        }
    }
}
