//! Words of a transcript as block quotes: harmless as all [`markdown`](crate::markdown) here, and complete.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, TextMergeWithOffset};

use crate::markdown::{text_for_html, truncate};
use crate::plain;
use crate::writer::{Writer, writes_language};

/// Words that were said, as a block quote: emphasis, lists and code keep their form, all else stands as it was typed.
/// Ends without a line break.
pub fn quote(words: &str, max_chars: usize) -> String {
    let words = truncate(&plain::without_hidden(words), max_chars);
    let inner = keep_harmless_markup(words.trim()).unwrap_or_else(|| without_markup(words.trim()));
    as_block_quote(&inner)
}

/// A program's output, as code in a block quote. Ends without a line break.
pub fn quote_output(output: &str, max_chars: usize) -> String {
    let output = truncate(&plain::without_hidden(output), max_chars);
    let mut writer = Writer::default();
    writer.event(Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)));
    writer.event(Event::Text(output.trim_matches('\n').trim_end().into()));
    writer.event(Event::End(TagEnd::CodeBlock));
    as_block_quote(&writer.into_markdown())
}

fn as_block_quote(markdown: &str) -> String {
    let lines =
        markdown.lines().map(|line| if line.is_empty() { ">".to_owned() } else { format!("> {line}") });
    let quoted: Vec<String> = lines.collect();
    if quoted.is_empty() { ">".to_owned() } else { quoted.join("\n") }
}

/// Lines of text without any form.
fn without_markup(words: &str) -> String {
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
fn keep_harmless_markup(words: &str) -> Option<String> {
    let parser = Parser::new_ext(words, Options::empty());
    if parser.reference_definitions().iter().next().is_some() {
        return None;
    }
    let events = parser.into_offset_iter().map(|(event, range)| (text_for_html(event), range));
    let mut writer = QuotedWords { words, ..QuotedWords::default() };
    for (event, range) in TextMergeWithOffset::new(events) {
        writer.event(event, &range)?;
    }
    Some(writer.writer.into_markdown())
}

/// Writes the parsed words of a quotation.
#[derive(Default)]
struct QuotedWords<'w> {
    words: &'w str,
    writer: Writer,
    /// How many links and images the current event is inside of; they are written as they were typed.
    skipped: usize,
    in_code: bool,
    /// Where the last text ended.
    seen: usize,
}

impl QuotedWords<'_> {
    /// Writes one event of the parser; `None` for code in a language that is not written.
    fn event(&mut self, event: Event<'_>, range: &Range<usize>) -> Option<()> {
        let typed = self.words.get(range.clone()).unwrap_or("");
        let seen_before = self.seen;
        if !matches!(event, Event::Start(_) | Event::End(_)) {
            self.seen = range.end;
        }
        if self.skipped > 0 {
            match event {
                Event::Start(_) => self.skipped += 1,
                Event::End(_) => self.skipped -= 1,
                _ => {}
            }
            return Some(());
        }
        match event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => {
                self.writer.text_lines(typed);
                self.skipped = 1;
            }
            Event::Start(Tag::Heading { level, .. }) => {
                self.writer.event(Event::Start(Tag::Paragraph));
                if typed.starts_with('#') {
                    self.writer.text(&format!("{} ", "#".repeat(level as usize)));
                }
            }
            Event::End(TagEnd::Heading(_)) => self.writer.event(Event::End(TagEnd::Paragraph)),
            Event::Rule => {
                self.writer.event(Event::Start(Tag::Paragraph));
                self.writer.text(typed.trim());
                self.writer.event(Event::End(TagEnd::Paragraph));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(ref info)))
                if !info.is_empty() && !writes_language(info) =>
            {
                return None;
            }
            Event::Start(Tag::CodeBlock(_)) | Event::End(TagEnd::CodeBlock) => {
                self.in_code = matches!(event, Event::Start(_));
                self.writer.event(event);
            }
            Event::Text(_) if !self.in_code => self.typed_text(range, seen_before),
            Event::HardBreak if typed.starts_with('\\') => {
                self.writer.text("\\");
                self.writer.event(Event::SoftBreak);
            }
            event => self.writer.event(event),
        }
        Some(())
    }

    /// The parser takes a backslash before punctuation for an escape; a person meant a path, mostly.
    fn typed_text(&mut self, range: &Range<usize>, seen_before: usize) {
        let has_backslash =
            range.start > seen_before && self.words.as_bytes().get(range.start - 1) == Some(&b'\\');
        let start = range.start - usize::from(has_backslash);
        self.writer.text_lines(self.words.get(start..range.end).unwrap_or(""));
    }
}
