//! Writes markdown from a few harmless forms and text that means nothing but itself.
//!
//! Owns the escaping; which forms there are is decided in [`markdown`](crate::markdown).

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Tag, TagEnd};

use crate::plain;

/// How deep quotes and lists may nest; deeper ones are flattened.
const MAX_NESTING: usize = 6;

/// Languages a code block may name. Others are dropped: some names make an Obsidian plugin run the block
/// (`dataviewjs`, `tasks`, `base`, `button`, …).
const LANGUAGES: [&str; 48] = [
    "bash",
    "c",
    "clojure",
    "cmake",
    "console",
    "cpp",
    "cs",
    "csharp",
    "css",
    "csv",
    "diff",
    "docker",
    "dockerfile",
    "elixir",
    "erlang",
    "go",
    "graphql",
    "haskell",
    "html",
    "ini",
    "java",
    "javascript",
    "js",
    "json",
    "jsonc",
    "jsx",
    "kotlin",
    "lua",
    "make",
    "makefile",
    "markdown",
    "php",
    "plaintext",
    "powershell",
    "python",
    "py",
    "ruby",
    "rust",
    "sh",
    "shell",
    "sql",
    "swift",
    "text",
    "toml",
    "ts",
    "tsx",
    "typescript",
    "yaml",
];

/// Whether what stands behind a code fence is written: a language by itself.
pub(crate) fn writes_language(info: &str) -> bool {
    language_of(info).is_some_and(|name| name.len() == info.len())
}

fn language_of(info: &str) -> Option<String> {
    let name = info.split([' ', ',', '{']).next().unwrap_or("").to_lowercase();
    LANGUAGES.contains(&name.as_str()).then_some(name)
}

/// A container that the current line stands in.
enum Container {
    Quote,
    /// An item: its number if the list has numbers, and whether its marker is written already.
    Item {
        number: Option<u64>,
        marked: bool,
    },
}

/// Writes markdown, escaping all text.
#[derive(Default)]
pub(crate) struct Writer {
    out: String,
    containers: Vec<Container>,
    /// Containers beyond the limit, which leave no trace.
    flattened: usize,
    lists: Vec<List>,
    line_start: LineStart,
    /// Where the text of the current line starts in `out`, behind quote marks and list markers.
    text_start: usize,
    /// How many quotes the last line stood in.
    quotes_above: usize,
    /// Where each emphasis that is open starts.
    opened: Vec<usize>,
    in_heading: bool,
    /// Targets of the links that are open.
    targets: Vec<String>,
    code_block: Option<CodeBlock>,
}

#[derive(Default, PartialEq, Eq)]
enum LineStart {
    /// A block starts: an empty line first, if something stands above.
    #[default]
    Block,
    /// A line of the same block starts.
    Line,
    /// The prefix is written, the line's text is not.
    Prefixed,
    /// Inside a line.
    No,
}

struct List {
    /// The next item's number, in a list that has numbers.
    next: Option<u64>,
    started: bool,
}

#[derive(Default)]
struct CodeBlock {
    language: String,
    text: String,
}

impl Writer {
    /// What was written.
    pub(crate) fn into_markdown(self) -> String {
        self.out.trim().to_owned()
    }

    /// Writes one event of parsed markdown; the events' text must be merged.
    pub(crate) fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code_block {
                Some(block) => block.text.push_str(&text),
                None => self.text_lines(&text),
            },
            Event::Code(code) => self.code(&code),
            Event::SoftBreak => self.line_start = LineStart::Line,
            Event::HardBreak => {
                if self.line_start == LineStart::No {
                    self.out.push('\\');
                }
                self.line_start = LineStart::Line;
            }
            // Not produced without their options, or (rules) of no use in a note.
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.line_start = LineStart::Block,
            Tag::Heading { .. } => {
                self.line_start = LineStart::Block;
                self.begin_mark("**");
                self.in_heading = true;
            }
            Tag::BlockQuote(_) => self.open(Container::Quote, LineStart::Block),
            Tag::List(next) => self.lists.push(List { next, started: false }),
            Tag::Item => self.item(),
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => language_of(&info),
                    CodeBlockKind::Indented => None,
                };
                let language = language.unwrap_or_default();
                self.code_block = Some(CodeBlock { language, text: String::new() });
            }
            Tag::Emphasis => self.begin_mark("*"),
            Tag::Strong if !self.in_heading => self.begin_mark("**"),
            Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. } => {
                self.targets.push(String::new());
            }
            Tag::Link { dest_url, .. } => self.targets.push(dest_url.to_string()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.line_start = LineStart::Block,
            TagEnd::Heading(_) => {
                self.end_mark("**");
                self.in_heading = false;
                self.line_start = LineStart::Block;
            }
            TagEnd::BlockQuote(_) | TagEnd::Item => self.close(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.line_start = LineStart::Block;
            }
            TagEnd::CodeBlock => {
                if let Some(block) = self.code_block.take() {
                    self.write_code_block(&block);
                }
            }
            TagEnd::Emphasis => self.end_mark("*"),
            TagEnd::Strong if !self.in_heading => self.end_mark("**"),
            TagEnd::Link => {
                let target = self.targets.pop().unwrap_or_default();
                let is_web = ["https://", "http://"].iter().any(|scheme| target.starts_with(scheme));
                if is_web && !self.out.ends_with(&target) {
                    self.text(&format!(" ({})", plain::one_line(&target, 500)));
                }
            }
            _ => {}
        }
    }

    fn item(&mut self) {
        let is_nested = self.lists.len() > 1;
        let Some(list) = self.lists.last_mut() else { return };
        let number = list.next.map(|number| number.min(999_999_999));
        list.next = number.map(|number| number + 1);
        let follows = std::mem::replace(&mut list.started, true) || (is_nested && number.is_none());
        let line_start = if follows { LineStart::Line } else { LineStart::Block };
        self.open(Container::Item { number, marked: false }, line_start);
    }

    fn open(&mut self, container: Container, line_start: LineStart) {
        if self.containers.len() >= MAX_NESTING {
            self.flattened += 1;
        } else {
            self.containers.push(container);
        }
        self.line_start = line_start;
    }

    fn close(&mut self) {
        if self.flattened > 0 {
            self.flattened -= 1;
        } else {
            self.containers.pop();
        }
        self.line_start = LineStart::Block;
    }

    /// Starts the line if it is not started: line breaks, quote marks, list markers.
    fn prefix(&mut self) {
        if matches!(self.line_start, LineStart::Prefixed | LineStart::No) {
            return;
        }
        if !self.out.is_empty() {
            self.out.push('\n');
            let quotes =
                self.containers.iter().take_while(|container| matches!(container, Container::Quote)).count();
            if self.line_start == LineStart::Block {
                self.out.push_str(&">".repeat(quotes.min(self.quotes_above)));
                self.out.push('\n');
            }
            self.quotes_above = quotes;
        }
        for container in &mut self.containers {
            match container {
                Container::Quote => self.out.push_str("> "),
                Container::Item { number: None, marked } => {
                    self.out.push_str(if std::mem::replace(marked, true) { "  " } else { "- " });
                }
                Container::Item { number: Some(number), marked } => {
                    let marker = format!("{number}. ");
                    if std::mem::replace(marked, true) {
                        self.out.push_str(&" ".repeat(marker.len()));
                    } else {
                        self.out.push_str(&marker);
                    }
                }
            }
        }
        self.line_start = LineStart::Prefixed;
        self.text_start = self.out.len();
    }

    fn begin_mark(&mut self, mark: &str) {
        self.prefix();
        self.out.push_str(mark);
        self.opened.push(self.out.len());
    }

    /// Ends an emphasis; one with nothing in it goes, as two of its marks could be a rule.
    fn end_mark(&mut self, mark: &str) {
        if self.opened.pop() == Some(self.out.len()) {
            self.out.truncate(self.out.len().saturating_sub(mark.len()));
        } else {
            self.out.push_str(mark);
        }
    }

    /// Writes text of several lines; blank lines and blanks around a line are dropped.
    pub(crate) fn text_lines(&mut self, text: &str) {
        for (position, line) in text.lines().enumerate() {
            if position > 0 {
                self.line_start = LineStart::Line;
            }
            let line = if position > 0 { line.trim() } else { line };
            if !line.is_empty() {
                self.text(line);
            }
        }
        if text.ends_with('\n') {
            self.line_start = LineStart::Line;
        }
    }

    /// Writes text of one line so that it means nothing but itself.
    pub(crate) fn text(&mut self, text: &str) {
        self.prefix();
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            let starts_line = self.line_start == LineStart::Prefixed;
            let next = rest.peek().copied();
            let before = if starts_line { None } else { self.out.chars().next_back() };
            if c.is_whitespace() && starts_line {
                continue;
            }
            let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            match c {
                // Comments, and commands of Templater, which reads raw text.
                '%' if matches!(before, Some('%' | '<')) => self.out.push_str("&#37;"),
                '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' | '$' | '^' => self.escape(c),
                '_' if !(is_word(before) && is_word(next)) => self.escape(c),
                '#' if !is_word(before) => self.escape(c),
                // Dataview fields and highlights.
                ':' | '=' if before == Some(c) => self.escape(c),
                '&' if is_word(next) || next == Some('#') => self.escape(c),
                '>' | '=' | ':' if starts_line => self.escape(c),
                '-' | '+' | ':'
                    if starts_line && next.is_none_or(|next| next == c || next.is_whitespace()) =>
                {
                    self.escape(c);
                }
                '.' | ')' if self.ends_in_list_number() => self.escape(c),
                _ => self.out.push(c),
            }
            self.line_start = LineStart::No;
        }
    }

    fn escape(&mut self, c: char) {
        self.out.push('\\');
        self.out.push(c);
    }

    /// Whether the line so far is a number, which a `.` or `)` would make a list.
    fn ends_in_list_number(&self) -> bool {
        let digits = self.out.get(self.text_start..).unwrap_or("");
        (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    }

    fn code(&mut self, code: &str) {
        let code = neutralise_code(&code.replace(['\n', '\t'], " "));
        // Dataview runs inline code that starts with its prefixes (`=`, `$=` by default), blanks aside.
        let start = code.trim_start();
        if start.starts_with('=') || start.starts_with("$=") || start.is_empty() {
            return self.text(&code);
        }
        self.prefix();
        let fence = "`".repeat(longest_run(&code) + 1);
        let pad = if code.starts_with(['`', ' ']) || code.ends_with(['`', ' ']) { " " } else { "" };
        self.out.push_str(&format!("{fence}{pad}{code}{pad}{fence}"));
        self.line_start = LineStart::No;
    }

    fn write_code_block(&mut self, block: &CodeBlock) {
        let fence = "`".repeat(longest_run(&block.text).max(2) + 1);
        self.line_start = LineStart::Block;
        self.prefix();
        self.out.push_str(&format!("{fence}{}", block.language));
        for line in block.text.lines() {
            self.line_start = LineStart::Line;
            self.prefix();
            self.out.push_str(&neutralise_code(line));
        }
        self.line_start = LineStart::Line;
        self.prefix();
        self.out.push_str(&fence);
        self.line_start = LineStart::Block;
    }
}

/// Code without what is looked for in raw text: Templater's commands and our own markers.
fn neutralise_code(code: &str) -> String {
    code.replace("<%", "< %").replace("%% afterword:", "% % afterword:")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
