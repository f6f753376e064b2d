//! Markdown from a transcript made safe to stand in a note.
//!
//! A lesson's body, which an engine may have copied from anywhere, keeps a few harmless forms (paragraphs, emphasis,
//! lists, quotes, code) and is written anew from those: what is not on that list arrives as text. So it cannot make
//! HTML, links or embeds, callouts, tags, block ids, comments (our markers are such), tasks, Dataview fields and
//! queries, Templater commands (which work on raw text, also inside code), headings or front matter. The same holds
//! for titles, summaries and, in [`quotation`](crate::quotation), for words that were said.

use pulldown_cmark::{Event, Options, Parser, TagEnd, TextMergeStream};

use crate::plain;
use crate::writer::Writer;

/// The longest body that is taken over, in characters.
const MAX_BODY_CHARS: usize = 20_000;

/// One line of plain text for the inside of a paragraph or list item.
pub fn escaped_line(text: &str, max_chars: usize) -> String {
    let mut writer = Writer::default();
    writer.text(&plain::one_line(text, max_chars));
    writer.into_markdown()
}

/// A lesson's body with nothing in it but harmless forms. Ends without a line break.
pub fn sanitize(markdown: &str) -> String {
    let markdown = truncate(&plain::without_hidden(markdown), MAX_BODY_CHARS);
    let events = Parser::new_ext(&markdown, Options::empty()).map(text_for_html);
    let mut writer = Writer::default();
    for event in TextMergeStream::new(events) {
        writer.event(event);
    }
    writer.into_markdown()
}

/// The text of some markdown on one line, without its forms.
pub fn plain_text(markdown: &str) -> String {
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

/// HTML as the text it was typed as.
pub(crate) fn text_for_html(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    }
}

/// The first characters of a text; shows where it was cut.
pub(crate) fn truncate(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((at, _)) => format!("{} […]", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

/// Letters that a text may have before those of its title and still say no more: "No, and …".
const MAX_FILLER_LETTERS: usize = 14;

/// A title and the text below it (markdown) on one line, without saying anything twice: one of them alone where the other says nothing
/// new. A title is mostly made of the words that the text quotes; quotations count only where the title is cut or missing.
pub fn title_and_text(title: &str, text: &str) -> String {
    let is_cut = title.ends_with('…');
    let own = text.split("\n\n").filter(|paragraph| !paragraph.trim_start().starts_with('>'));
    let own = own.collect::<Vec<_>>().join("\n\n");
    let text = plain_text(if is_cut || title.is_empty() { text } else { &own });
    let text = text.trim();
    let (of_title, of_text) = (letters_of(title), letters_of(text));
    let before = of_text.trim_end_matches("please").strip_suffix(&of_title);
    let adds_little = of_title.contains(&of_text)
        || before.is_some_and(|before| before.chars().count() <= MAX_FILLER_LETTERS);
    if text.is_empty() || (!is_cut && !title.is_empty() && adds_little) {
        title.to_owned()
    } else if of_text.contains(&of_title) {
        text.to_owned()
    } else {
        let stop = if title.ends_with(['.', '!', '?', ':', '…']) { "" } else { "." };
        format!("{title}{stop} {text}")
    }
}

fn letters_of(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
