//! Words of a transcript as block quotes: harmless as all [`markdown`](crate::markdown) here, and complete.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, TextMergeWithOffset};

use crate::markdown::{cut, text_for_html};
use crate::plain;
use crate::writer::{Writer, writes_language};

/// Words that were said, as a block quote: emphasis, lists and code keep their form, all else stands as it was typed.
/// Ends without a line break.
pub fn quote(words: &str, max_chars: usize) -> String {
    let words = cut(&plain::lines(words), max_chars);
    let inner = plain_text(words.trim()).unwrap_or_else(|| as_typed(words.trim()));
    in_quote(&inner)
}

/// A program's output, as code in a block quote. Ends without a line break.
pub fn quote_output(output: &str, max_chars: usize) -> String {
    let output = cut(&plain::lines(output), max_chars);
    let mut writer = Writer::default();
    writer.event(Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)));
    writer.event(Event::Text(output.trim_matches('\n').trim_end().into()));
    writer.event(Event::End(TagEnd::CodeBlock));
    in_quote(&writer.into_markdown())
}

fn in_quote(markdown: &str) -> String {
    let lines =
        markdown.lines().map(|line| if line.is_empty() { ">".to_owned() } else { format!("> {line}") });
    let quoted: Vec<String> = lines.collect();
    if quoted.is_empty() { ">".to_owned() } else { quoted.join("\n") }
}

/// Lines of text without any form.
fn as_typed(words: &str) -> String {
    let lines = words.lines().map(|line| {
        let mut writer = Writer::default();
        writer.text(line.trim());
        writer.into_markdown()
    });
    let mut lines: Vec<String> = lines.collect();
    lines.dedup_by(|next, line| next.is_empty() && line.is_empty());
    lines.join("\n")
}

/// Words in their forms where a form only shows how they look. Text is taken as it was typed, with its backslashes,
/// and so are headings, rules, links and images. `None` where the parser would swallow words: link definitions, and
/// code in a language that is not written.
fn plain_text(words: &str) -> Option<String> {
    let parser = Parser::new_ext(words, Options::empty());
    if parser.reference_definitions().iter().next().is_some() {
        return None;
    }
    let events = parser.into_offset_iter().map(|(event, range)| (text_for_html(event), range));
    let mut writer = Writer::default();
    let (mut skipped, mut in_code, mut seen) = (0_usize, false, 0);
    for (event, range) in TextMergeWithOffset::new(events) {
        let typed = words.get(range.clone()).unwrap_or("");
        let seen_before = seen;
        if !matches!(event, Event::Start(_) | Event::End(_)) {
            seen = range.end;
        }
        if skipped > 0 {
            match event {
                Event::Start(_) => skipped += 1,
                Event::End(_) => skipped -= 1,
                _ => {}
            }
            continue;
        }
        match event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => {
                writer.text_lines(typed);
                skipped = 1;
            }
            Event::Start(Tag::Heading { level, .. }) => {
                writer.event(Event::Start(Tag::Paragraph));
                if typed.starts_with('#') {
                    writer.text(&format!("{} ", "#".repeat(level as usize)));
                }
            }
            Event::End(TagEnd::Heading(_)) => writer.event(Event::End(TagEnd::Paragraph)),
            Event::Rule => {
                writer.event(Event::Start(Tag::Paragraph));
                writer.text(typed.trim());
                writer.event(Event::End(TagEnd::Paragraph));
            }
            Event::Start(Tag::CodeBlock(ref kind)) => {
                if matches!(kind, CodeBlockKind::Fenced(info) if !info.is_empty() && !writes_language(info)) {
                    return None;
                }
                in_code = true;
                writer.event(event);
            }
            Event::End(TagEnd::CodeBlock) => {
                in_code = false;
                writer.event(event);
            }
            Event::Text(_) if !in_code => {
                // The parser takes a backslash before punctuation for an escape; a person meant a path, mostly.
                let has_backslash =
                    range.start > seen_before && words.as_bytes().get(range.start - 1) == Some(&b'\\');
                let start = range.start - usize::from(has_backslash);
                writer.text_lines(words.get(start..range.end).unwrap_or(""));
            }
            Event::HardBreak if typed.starts_with('\\') => {
                writer.text("\\");
                writer.event(Event::SoftBreak);
            }
            event => writer.event(event),
        }
    }
    Some(writer.into_markdown())
}
