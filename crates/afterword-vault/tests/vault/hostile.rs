//! Text from a transcript can neither break nor forge a note, whatever it is.
//!
//! The notes are read back with `gray_matter` and with a second YAML parser of other descent (libyaml), and their
//! bodies with every markdown extension `pulldown-cmark` has.

use std::ops::Range;

use afterword_core::{Candidate, Confidence, Evidence, Kind, Role, SessionId, Signal};
use afterword_vault::{
    EmptyHistory, Lesson, Note, Plan, Project, VaultIndex, block::Block, markdown, plain, plan, quotation,
};
use gray_matter::engine::YAML;
use gray_matter::{Matter, Pod};
use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

const NASTY: &[&str] = &[
    "---",
    "\n---\n",
    "\r\n---\r\n",
    "...",
    "\n...\n",
    "+++",
    "\n",
    "\r\n",
    "\r",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\0",
    "\u{1b}[31m",
    ": ",
    " #",
    "# ",
    "#tag",
    "#tag/sub",
    "\"",
    "'",
    "\\",
    "\\n",
    "\\\"",
    "`",
    "``",
    "```",
    "~~~",
    "*",
    "**",
    "_",
    "__",
    "~~",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "1) ",
    "> ",
    "> [!danger]+ ",
    "[!note]",
    "[[",
    "]]",
    "![[x]]",
    "[[note|alias]]",
    "[a](b)",
    "![](http://x/y.png)",
    "[x]: http://e.com\n",
    "[^1]",
    "[^1]: f",
    "^[f]",
    " ^block-id",
    "\n^abc123",
    "%%",
    "%% afterword:begin evidence %%",
    "\n%% afterword:end %%\n",
    "<%",
    "%>",
    "<%* x %>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<b>",
    "<https://a.b>",
    "<a@b.cc>",
    "&amp;",
    "&#37;",
    "&lt;",
    "$$",
    "$x$",
    "==",
    "==x==",
    "::",
    "status:: archived",
    "[k:: v]",
    "`= this.x`",
    "`$= x`",
    "```dataviewjs\nx\n```",
    "    indented",
    "\t",
    "|",
    "|-|",
    "\n===",
    "\n- [ ] task",
    "@user",
    "!important",
    "&anchor",
    "*alias",
    "? x",
    "{",
    "}",
    "yes",
    "null",
    "\u{202e}drowssap",
    "👨‍👩‍👧",
    "\u{feff}",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(NASTY).prop_map(str::to_owned),
        2 => "[a-zA-Z0-9 .]{1,6}",
        1 => any::<char>().prop_map(String::from),
        1 => prop::sample::select(&["ß", "日本", "עברית", "é", " ", "  ", "0", "9."][..]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn lesson(
    title: &str,
    body: &str,
    rationale: &str,
    quotes: Vec<(String, String)>,
    project: &str,
    kind: Kind,
) -> Lesson {
    let evidence = quotes.into_iter().enumerate().map(|(line, (uuid, quote))| Evidence {
        uuid,
        line: line as u64 + 1,
        role: Role::User,
        quote,
    });
    let candidate = Candidate {
        kind,
        confidence: Confidence::High,
        signal: Signal::Correction,
        title: title.to_owned(),
        body: body.to_owned(),
        rationale: rationale.to_owned(),
        evidence: evidence.collect(),
    };
    let key = afterword_core::ProjectKey::from_cwd("/x");
    let mut lesson = crate::test_vault::lesson_of(candidate, "6f3a91c2-1111-4222-8333-444455556666");
    lesson.session = SessionId::parse("6f3a91c2_1111").unwrap();
    lesson.project = Some(Project { key, name: project.to_owned() });
    lesson
}

fn planned(lesson: &Lesson) -> Plan {
    plan(&VaultIndex::default(), std::slice::from_ref(lesson), &EmptyHistory, &crate::test_vault::now())
}

const NAMES: [&str; 14] = [
    "title",
    "kind",
    "status",
    "confidence",
    "project",
    "tags",
    "created",
    "updated",
    "always_load",
    "signal",
    "session",
    "evidence",
    "id",
    "key",
];

/// Reads the front matter with another parser.
fn with_libyaml(text: &str) -> serde_yaml_ng::Mapping {
    let yaml = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap().0;
    serde_yaml_ng::from_str(yaml).unwrap_or_else(|error| panic!("{error}\n{yaml}"))
}

fn assert_front_matter(text: &str, lesson: &Lesson) {
    let expected = plain::one_line(&lesson.candidate.title, 160);
    let expected = if expected.is_empty() { "Untitled lesson".to_owned() } else { expected };
    let Some(Pod::Hash(gray)) = Matter::<YAML>::new().parse::<Pod>(text).unwrap().data else {
        panic!("{text}")
    };
    assert_eq!(gray["title"], Pod::String(expected.clone()), "{text}");
    let note = Note::parse(text.to_owned());
    assert_eq!(note.front_matter_error(), None, "{text}");
    assert_eq!(note.names().collect::<Vec<_>>(), NAMES, "{text}");
    let mapping = with_libyaml(text);
    assert_eq!(mapping.len(), NAMES.len(), "{text}");
    assert_eq!(mapping["title"].as_str(), Some(expected.as_str()), "{text}");
    assert_eq!(mapping["status"].as_str(), Some("active"));
    let project = plain::one_line(&lesson.project.as_ref().unwrap().name, 160);
    assert_eq!(mapping["project"].as_str(), Some(project.as_str()), "{text}");
    assert_eq!(mapping["evidence"].as_sequence().unwrap().len(), lesson.candidate.evidence.len());
    // Obsidian's seven types: nothing nested, lists of texts only.
    for (name, value) in &mapping {
        let flat = match value {
            serde_yaml_ng::Value::Sequence(items) => items.iter().all(serde_yaml_ng::Value::is_string),
            other => other.is_string() || other.is_bool(),
        };
        assert!(flat, "{name:?}: {value:?}");
    }
}

fn code_ranges(body: &str) -> Vec<Range<usize>> {
    let events = Parser::new_ext(body, Options::empty()).into_offset_iter();
    let code = events.filter(|(event, _)| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))));
    code.map(|(_, range)| range).collect()
}

/// Nothing of the body means anything to a renderer or plugin but what [`markdown`] allows.
fn assert_harmless(body: &str, headings: usize) {
    let mut found = 0;
    // With every extension: wikilinks, footnotes, callouts, math, tables, tasks, definition lists, metadata blocks.
    for event in Parser::new_ext(body, Options::all()) {
        match event {
            Event::Text(_) | Event::Code(_) | Event::SoftBreak | Event::HardBreak | Event::End(_) => {}
            Event::Start(Tag::BlockQuote(None) | Tag::Paragraph | Tag::Emphasis | Tag::Strong) => {}
            Event::Start(Tag::List(_) | Tag::Item | Tag::CodeBlock(_)) => {}
            Event::Start(Tag::Heading { .. }) => found += 1,
            other => panic!("{other:?} in\n{body}"),
        }
    }
    assert!(found <= headings, "a heading was forged in\n{body}");
    assert!(!body.contains("<%"), "{body}");
    let code = code_ranges(body);
    let mut prose = body.to_owned();
    for range in code.iter().rev() {
        prose.replace_range(range.clone(), "c");
    }
    for forbidden in ["[[", "![", "::", "=="] {
        assert!(!prose.contains(forbidden), "{forbidden} in\n{prose}");
    }
    for line in prose.lines() {
        if !line.starts_with("%% afterword:") {
            assert!(!line.contains("%%"), "{line}");
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        assert!(!words.iter().any(|word| word.starts_with('^')), "a block id in {line}");
        let is_tag = |word: &&str| word.starts_with('#') && word.len() > 1 && !word.starts_with("##");
        assert!(!words.iter().any(is_tag), "a tag in {line}");
    }
    assert!(!body.chars().any(|c| plain::is_removed(c) && c != '\n' && c != '\t'), "{body:?}");
}

/// The whole text is one block quote.
fn assert_one_quote(quote: &str) {
    let mut depth = 0_usize;
    let mut tops = Vec::new();
    for event in Parser::new_ext(quote, Options::all()) {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    tops.push(tag);
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    assert!(matches!(tops[..], [Tag::BlockQuote(None)]), "{tops:?} in\n{quote}");
}

/// The text of some markdown, the languages that code blocks name among it.
fn with_languages(quote: &str) -> String {
    let texts = Parser::new_ext(quote, Options::empty()).filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.to_string()),
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => Some(info.to_string()),
        _ => None,
    });
    texts.collect()
}

/// What was said without the marks that only give it a form.
fn words(text: &str) -> String {
    let text = text.replace("<%", "< %").replace("%% afterword:", "% % afterword:");
    text.to_lowercase()
        .chars()
        .filter(|c| !c.is_whitespace() && !"*_`>-+=~#0123456789.)".contains(*c))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_note_made_of_hostile_text_is_the_note_it_should_be(
        title in hostile(), body in hostile(), rationale in hostile(), project in hostile(),
        quotes in prop::collection::vec((hostile(), hostile()), 1..4),
    ) {
        let lesson = lesson(&title, &body, &rationale, quotes, &format!("p{project}"), Kind::Preference);
        let plan = planned(&lesson);
        let text = &plan.actions[0].content;
        assert_front_matter(text, &lesson);
        let note = Note::parse(text.clone());
        assert_harmless(note.body(), 1);
        prop_assert!(matches!(note.block("evidence"), Block::Intact { .. }), "{text}");
        let markers = note.body().lines().filter(|line| line.starts_with("%% afterword:")).count();
        prop_assert_eq!(markers, 2);
        prop_assert_eq!(note.body().matches("\n## Evidence\n").count(), 1);
    }

    #[test]
    fn an_overview_and_a_ledger_made_of_hostile_text_are_harmless(
        title in hostile(), body in hostile(), project in hostile(),
    ) {
        let quotes = vec![(String::new(), body.clone())];
        let lesson = lesson(&title, &body, "", quotes, &format!("p{project}"), Kind::Idea);
        let plan = planned(&lesson);
        prop_assert_eq!(plan.actions.len(), 3, "page, ledger, overview");
        for action in &plan.actions[1..] {
            let note = Note::parse(action.content.clone());
            prop_assert_eq!(note.front_matter_error(), None);
            // Our own link is the only one.
            let page = plan.actions[0].path.as_str().trim_end_matches(".md");
            prop_assert_eq!(note.body().matches("[[").count(), 1, "{}", note.body());
            prop_assert_eq!(note.body().matches("]]").count(), 1, "{}", note.body());
            let (before, link) = note.body().split_once(&format!("[[{page}|")).unwrap();
            let (alias, after) = link.split_once("]]").unwrap();
            let before = before.trim_end_matches("[ ] ");
            assert_harmless(&format!("{before}link{}", after.rsplit_once(" ^idea-").map_or(after, |(text, _)| text)), 2);
            prop_assert!(!alias.contains(['[', ']', '|', '\n', '<', '`', '\\']), "{alias}");
        }
        let ledger = &plan.actions[1].content;
        prop_assert_eq!(ledger.lines().filter(|line| line.starts_with("- [ ] ")).count(), 1, "{}", ledger);
    }

    #[test]
    fn one_line_reads_as_it_was_said(text in hostile()) {
        let line = markdown::escaped_line(&text, 1000);
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(markdown::plain_text(&line), plain::one_line(&text, 1000), "{}", line);
    }

    #[test]
    fn a_quotation_reads_as_it_was_said(text in hostile()) {
        let quote = quotation::quote(&text, 2_000);
        assert_harmless(&quote, 0);
        assert_one_quote(&quote);
        prop_assert_eq!(words(&with_languages(&quote)), words(&plain::without_hidden(&text)), "{}", quote);
    }

    #[test]
    fn a_programs_output_stands_as_code(text in hostile()) {
        let quote = quotation::quote_output(&text, 2_000);
        assert_harmless(&quote, 0);
        assert_one_quote(&quote);
        let events: Vec<Event<'_>> = Parser::new_ext(&quote, Options::all()).collect();
        prop_assert!(matches!(events[1], Event::Start(Tag::CodeBlock(_))), "{quote}");
        let code: String = events.iter().filter_map(|event| match event { Event::Text(text) => Some(&**text), _ => None }).collect();
        let typed = plain::without_hidden(&text).replace("<%", "< %").replace("%% afterword:", "% % afterword:");
        prop_assert_eq!(code.trim(), typed.trim(), "{}", quote);
    }

    #[test]
    fn a_tamed_body_is_harmless_and_tame(text in hostile()) {
        let tame = markdown::sanitize(&text);
        assert_harmless(&tame, 0);
        prop_assert_eq!(markdown::plain_text(&markdown::sanitize(&tame)), markdown::plain_text(&tame), "{}", tame);
    }
}

#[test]
fn a_good_body_comes_through_as_it_was() {
    let body = "When a migration fails, **stop** and say so: *never* edit the old one.\n\n\
                - run `pnpm db:reset`\n- then the tests\n  - all of them\n\n\
                > \"I said don't touch the old migrations!\"\n\n\
                ```sql\nSELECT * FROM __migrations -- \\d\n```\n\n\
                3. three\n4. four\n\nPaths like src/db_pool/mod.rs and a_b stay readable, 100% of them.";
    assert_eq!(markdown::sanitize(body), body);
}

#[test]
fn forms_that_do_things_arrive_as_text() {
    let cases = [
        ("# Evidence", "**Evidence**"),
        ("![x](http://evil/p.png)", "x"),
        ("[docs](https://e.org/a)", "docs (https://e.org/a)"),
        ("[click](javascript:alert(1))", "click"),
        ("<img src=x onerror=alert(1)>", "\\<img src\\=x onerror=alert(1)>"),
        ("[[Secret]] ![[Embed]]", "\\[\\[Secret\\]\\] !\\[\\[Embed\\]\\]"),
        ("> [!danger]\n> x", "> \\[!danger\\]\n> x"),
        ("key:: value", "key:\\: value"),
        ("a %%hidden%% b", "a %&#37;hidden%&#37; b"),
        ("text ^block", "text \\^block"),
        ("use #tag now, C# is fine", "use \\#tag now, C# is fine"),
        ("<% tp.x %>", "\\<&#37; tp.x %>"),
        ("`<% tp.x %>`", "`< % tp.x %>`"),
        ("`= this.file`", "\\= this.file"),
        ("```dataviewjs\nx\n```", "```\nx\n```"),
        ("- [ ] task", "- \\[ \\] task"),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("<div>\nx\n</div>", "\\<div>\nx\n\\</div>"),
    ];
    for (body, expected) in cases {
        assert_eq!(
            markdown::sanitize(body).replace("src\\=", "src="),
            expected.replace("src\\=", "src="),
            "{body}"
        );
    }
}

#[test]
fn quotations_keep_what_was_typed() {
    let cases = [
        (
            "use `npm run x` in C:\\.claude\\_x, not **that**",
            "> use `npm run x` in C:\\\\.claude\\\\\\_x, not **that**",
        ),
        ("docker run \\\n  -it x", "> docker run \\\\\n> -it x"),
        ("# not a heading\n---", "> \\# not a heading\n>\n> \\---"),
        ("see [docs](http://e.org) and ![x](y)", "> see \\[docs\\](http://e.org) and !\\[x\\](y)"),
        ("a &amp; b", "> a \\&amp; b"),
        ("1. one\n2. two\n- x", "> 1. one\n> 2. two\n>\n> - x"),
        ("```rust\nfn x() {}\n```", "> ```rust\n> fn x() {}\n> ```"),
        ("```dataviewjs\nx\n```", "> \\`\\`\\`dataviewjs\n> x\n> \\`\\`\\`"),
        ("[1]: http://e.org\nok", "> \\[1\\]: http://e.org\n> ok"),
        ("", ">"),
    ];
    for (words, expected) in cases {
        assert_eq!(quotation::quote(words, 500), expected, "{words}");
    }
    assert_eq!(
        quotation::quote_output("  error: `x`\n\nat y\n", 500),
        "> ```\n>   error: `x`\n>\n> at y\n> ```"
    );
}

#[test]
fn very_long_text_is_cut_and_says_so() {
    let long = "word ".repeat(100_000);
    let lesson = lesson(&long, &long, &long, vec![(long.clone(), long.clone())], &long, Kind::Fix);
    let plan = planned(&lesson);
    let text = &plan.actions[0].content;
    assert_front_matter(text, &lesson);
    assert!(text.len() < 30_000, "{}", text.len());
    assert!(text.contains("[…]") || text.contains("\\[…\\]"));
}

#[test]
fn deep_nesting_ends_somewhere() {
    let deep = format!("{}x", "> ".repeat(50_000));
    assert!(markdown::sanitize(&deep).len() < 1_000);
    let lists: String = (0..2_000).map(|depth| format!("{}- x\n", "  ".repeat(depth))).collect();
    assert!(markdown::sanitize(&lists).len() < 100_000);
}

#[test]
fn hostile_front_matter_of_others_is_a_problem_not_a_crash() {
    let bomb =
        "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n";
    let deep = format!("a: {}\n", "[".repeat(100_000));
    let dashes = format!("{}x\n", "- ".repeat(100_000));
    for yaml in [
        bomb,
        &deep,
        &dashes,
        "a: 1\na: 2\n",
        "- a\n",
        "? [x]\n: y\n",
        "a: 'x\n",
        "\ta: 1\n",
        "a: b\n--- c\n",
    ] {
        let text = format!("---\n{yaml}---\nbody\n");
        let note = Note::parse(text.clone());
        assert!(note.front_matter_error().is_some(), "{}", &yaml[..yaml.len().min(60)]);
        assert_eq!(note.print(), text);
    }
}
