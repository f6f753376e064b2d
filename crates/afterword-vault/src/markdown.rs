//! Markdown from a transcript made safe to stand in a note.
//!
//! Words that were said are escaped so that they read as they were said and do nothing. A lesson's body, which an
//! engine may have copied from anywhere, keeps a few harmless forms (paragraphs, emphasis, lists, quotes, code) and is
//! written anew from those: what is not on that list arrives as text. So neither can make HTML, links or embeds,
//! callouts, tags, block ids, comments (our markers are such), tasks, Dataview fields and queries, Templater commands
//! (which work on raw text, also inside code), headings or front matter.

use pulldown_cmark::{
    CodeBlockKind, Event, Options, Parser, Tag, TagEnd, TextMergeStream, TextMergeWithOffset,
};

use crate::plain;
use crate::writer::{Writer, writes_language};

/// The longest body that is taken over, in characters.
const MAX_BODY_CHARS: usize = 20_000;

/// One line of plain text for the inside of a paragraph or list item.
pub fn escaped_line(text: &str, max_chars: usize) -> String {
    let mut writer = Writer::default();
    writer.text(&plain::one_line(text, max_chars));
    writer.into_markdown()
}

/// Words that were said, as a block quote: emphasis, lists and code keep their form, all else stands as it was typed.
/// Ends without a line break.
pub fn quote(words: &str, max_chars: usize) -> String {
    let words = cut(&plain::lines(words), max_chars);
    let inner = said(words.trim()).unwrap_or_else(|| as_typed(words.trim()));
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
fn said(words: &str) -> Option<String> {
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

fn text_for_html(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    }
}

/// A lesson's body with nothing in it but harmless forms. Ends without a line break.
pub fn tame(markdown: &str) -> String {
    let markdown = cut(&plain::lines(markdown), MAX_BODY_CHARS);
    let events = Parser::new_ext(&markdown, Options::empty()).map(text_for_html);
    let mut writer = Writer::default();
    for event in TextMergeStream::new(events) {
        writer.event(event);
    }
    writer.into_markdown()
}

/// The text of some markdown on one line, without its forms.
pub fn text_of(markdown: &str) -> String {
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::empty()) {
        match event {
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => {
                text.push_str(&part);
            }
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link) => {}
            Event::SoftBreak | Event::HardBreak | Event::End(_) => text.push(' '),
            _ => {}
        }
    }
    plain::one_line(&text, MAX_BODY_CHARS)
}

/// A wikilink that shows `title`; the escaped title alone where the note's name cannot stand in a link.
pub fn wikilink(target: Option<&str>, title: &str) -> String {
    let title = plain::one_line(title, 200);
    let Some(target) = target else { return escaped_line(&title, 200) };
    let mut alias = String::with_capacity(title.len());
    for c in title.chars() {
        // What would end the link or mean something to a renderer that does not know links.
        let shown = match c {
            '[' | '{' => '(',
            ']' | '}' => ')',
            '|' | '\\' => '/',
            '<' => '‹',
            '>' => '›',
            '`' => '\'',
            '%' if alias.ends_with('%') => continue,
            ':' if alias.ends_with(':') => continue,
            '=' if alias.ends_with('=') => continue,
            '$' => '＄',
            '*' => '∗',
            '_' if alias.ends_with('_') => continue,
            '~' if alias.ends_with('~') => continue,
            _ => c,
        };
        alias.push(shown);
    }
    if alias.is_empty() { format!("[[{target}]]") } else { format!("[[{target}|{alias}]]") }
}

fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((at, _)) => format!("{} […]", text[..at].trim_end()),
        None => text.to_owned(),
    }
}
