//! Markdown as HTML that is safe to show in a window.
//!
//! Notes hold words of transcripts, and a person may have pasted anything into them. So nothing of the source reaches the
//! output as markup: every tag written here is from a short list and has no attribute but a checked `href`; all text is
//! escaped, raw HTML arrives as the text it was typed as, images as their description.

use afterword_core::hidden::escape_hidden;
use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::plain;

/// The longest text that is rendered, in characters; what is longer is cut and says so.
const MAX_CHARS: usize = 60_000;

/// Renders markdown. Generated markers (`%% afterword: … %%`) and block ids are left out.
pub fn render_html(markdown: &str) -> String {
    let markdown = crate::markdown::truncate(&without_markers(&plain::visible_lines(markdown)), MAX_CHARS);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_WIKILINKS;
    let mut page = HtmlWriter::default();
    for event in Parser::new_ext(&markdown, options) {
        page.event(event);
    }
    page.html
}

fn without_markers(text: &str) -> String {
    let is_marker = |line: &&str| line.starts_with("%% afterword:") && line.trim_end().ends_with("%%");
    text.lines().filter(|line| !is_marker(line)).flat_map(|line| [line, "\n"]).collect()
}

#[derive(Default)]
struct HtmlWriter {
    html: String,
    /// Whether each open link was written as one.
    links: Vec<bool>,
    in_table_head: bool,
}

impl HtmlWriter {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => {
                self.html.push_str("<code>");
                self.text(&text);
                self.html.push_str("</code>");
            }
            Event::SoftBreak => self.html.push('\n'),
            Event::HardBreak => self.html.push_str("<br>"),
            Event::Rule => self.html.push_str("<hr>"),
            Event::TaskListMarker(done) => self.html.push_str(if done { "☑ " } else { "☐ " }),
            Event::FootnoteReference(name) => self.text(&name),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Link { link_type, dest_url, .. } => self.open_link(link_type, &dest_url),
            Tag::List(Some(_)) => self.html.push_str("<ol>"),
            Tag::TableHead => {
                self.in_table_head = true;
                self.html.push_str("<tr>");
            }
            Tag::TableCell => self.html.push_str(if self.in_table_head { "<th>" } else { "<td>" }),
            tag => {
                if let Some(name) = element(&tag.to_end()) {
                    self.html.push_str(&format!("<{name}>"));
                }
            }
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link => {
                if self.links.pop() == Some(true) {
                    self.html.push_str("</a>");
                }
            }
            TagEnd::TableHead => {
                self.in_table_head = false;
                self.html.push_str("</tr>");
            }
            TagEnd::TableCell => self.html.push_str(if self.in_table_head { "</th>" } else { "</td>" }),
            tag => {
                if let Some(name) = element(&tag) {
                    self.html.push_str(&format!("</{name}>"));
                }
            }
        }
    }

    /// A link to the web stays one; every other (wikilinks, `javascript:`, `file:`) is its words.
    fn open_link(&mut self, link_type: LinkType, url: &CowStr<'_>) {
        let url = url.trim();
        let is_web = ["https://", "http://"]
            .iter()
            .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        let is_link = is_web && !matches!(link_type, LinkType::WikiLink { .. });
        if is_link {
            self.html.push_str("<a href=\"");
            self.text(url);
            self.html.push_str("\">");
        }
        self.links.push(is_link);
    }

    fn text(&mut self, text: &str) {
        // An entity may stand for what is hidden.
        for c in escape_hidden(text).chars() {
            match c {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                '\'' => self.html.push_str("&#39;"),
                c => self.html.push(c),
            }
        }
    }
}

/// The element of a form that needs no attribute; `None` for what is shown without one. Headings are small: the window
/// has its own above them.
fn element(tag: &TagEnd) -> Option<&'static str> {
    Some(match tag {
        TagEnd::Paragraph | TagEnd::HtmlBlock => "p",
        TagEnd::Heading(_) => "h4",
        TagEnd::BlockQuote(_) => "blockquote",
        TagEnd::CodeBlock => "pre",
        TagEnd::List(true) => "ol",
        TagEnd::List(false) => "ul",
        TagEnd::Item => "li",
        TagEnd::Emphasis => "em",
        TagEnd::Strong => "strong",
        TagEnd::Strikethrough => "s",
        TagEnd::Table => "table",
        TagEnd::TableRow => "tr",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::render_html;

    #[test]
    fn forms_are_rendered() {
        let check = |markdown, expected| assert_eq!(render_html(markdown), expected, "{markdown}");
        check(
            "Use **pnpm**, *never* `npm`.",
            "<p>Use <strong>pnpm</strong>, <em>never</em> <code>npm</code>.</p>",
        );
        check("## Why\n\n1. one\n2. two", "<h4>Why</h4><ol><li>one</li><li>two</li></ol>");
        check(
            "> said\n\n```sh\nls <a>\n```",
            "<blockquote><p>said</p></blockquote><pre>ls &lt;a&gt;\n</pre>",
        );
        check(
            "|a|b|\n|-|-|\n|1|2|",
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
        );
        check(
            "see [docs](https://x.org/?a=1&b=2)",
            "<p>see <a href=\"https://x.org/?a=1&amp;b=2\">docs</a></p>",
        );
        check("[[Fixes/one|A fix]]", "<p>A fix</p>");
        check("%% afterword:begin evidence 1234 %%\nwords", "<p>words</p>");
    }

    #[test]
    fn nothing_of_the_source_is_markup() {
        let check = |markdown, expected| assert_eq!(render_html(markdown), expected, "{markdown}");
        check("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>");
        check("a <img src=x onerror=alert(1)> b", "<p>a &lt;img src=x onerror=alert(1)&gt; b</p>");
        check("[x](javascript:alert(1))", "<p>x</p>");
        check("[x](JaVaScRiPt:alert(1))", "<p>x</p>");
        check("[x](data:text/html,hi)", "<p>x</p>");
        check("[x](file:///etc/passwd)", "<p>x</p>");
        check("![alt](https://tracker.example/x.png)", "<p>alt</p>");
        // The address ends where the attribute does, whatever it holds.
        check(
            "<https://x.org/\"onmouseover=alert(1)>",
            "<p><a href=\"https://x.org/&quot;onmouseover=alert(1)\">https://x.org/&quot;onmouseover=alert(1)</a></p>",
        );
        check("\u{1b}[31mred\u{202e}", "<p>\\u{1b}[31mred\\u{202e}</p>");
    }

    proptest! {
        /// Whatever comes in, what comes out has only known tags, and no attribute but `href` to the web.
        #[test]
        fn only_known_tags_come_out(markdown in ".{0,200}", piece in "(<[a-z/ =\"']{0,12}>|\\[a\\]\\([a-z:/\"<>]{0,12}\\)|[`*_~|>#-]{1,3}|\n){0,12}") {
            let rendered = render_html(&format!("{markdown}{piece}"));
            let mut rest = rendered.as_str();
            while let Some(at) = rest.find('<') {
                let end = rest[at..].find('>').expect("a tag is closed");
                let tag = rest[at + 1..at + end].trim_start_matches('/');
                let known = ["p", "h4", "blockquote", "pre", "ol", "ul", "li", "em", "strong", "s", "table", "tr", "th", "td", "code", "br", "hr", "a"];
                let is_link = tag.strip_prefix("a href=\"http").is_some_and(|url| url.matches('"').count() == 1);
                prop_assert!(known.contains(&tag) || is_link, "{tag} in {rendered}");
                rest = &rest[at + end + 1..];
            }
        }
    }
}
