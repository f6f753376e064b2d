//! Generated blocks: the parts of a note that Afterword may write again, between two Obsidian comments.
//!
//! The first marker carries a hash of what stands inside, so that anyone, on any machine, can see whether a person
//! changed it since. A block that was changed is the person's and is left alone; to have it filled again, empty it.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use crate::hash::ContentHash;

const BEGIN: &str = "%% afterword:begin ";
const BEGIN_BARE: &str = "%% afterword:begin %%";
const END: &str = "%% afterword:end %%";

/// What a body has of one generated block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block<'a> {
    /// There is no such block.
    Absent,
    /// It is as Afterword wrote it, or empty.
    Intact {
        /// Both markers and what is between them, in bytes of the body; what follows on the last line is not part of it.
        span: Range<usize>,
        /// What stands between the markers.
        inner: &'a str,
    },
    /// A person changed what stands between the markers.
    Edited {
        /// As of an intact block.
        span: Range<usize>,
        /// What stands between the markers.
        inner: &'a str,
    },
    /// A marker is missing or there twice.
    Damaged,
}

/// Finds the block `name` in a note's body. Markers count at the start of a line, outside code.
pub(crate) fn find<'a>(body: &'a str, name: &str) -> Block<'a> {
    if !body.contains("%% afterword:") {
        return Block::Absent;
    }
    let code = code_spans(body);
    let mut begins = Vec::new();
    let mut end = None;
    let mut position = 0;
    for line in body.split_inclusive('\n') {
        let span = position..position + line.len();
        position = span.end;
        if code.iter().any(|code| code.contains(&span.start)) {
            continue;
        }
        let marker = line.trim_end();
        if let Some(hash) = begin_hash(marker, name) {
            begins.push((span, hash));
        } else if begins.len() == 1 && end.is_none() {
            match marker {
                END => end = Some(span),
                // Another block begins before this one ended: its end marker is lost.
                _ if marker.starts_with(BEGIN) => return Block::Damaged,
                _ => {}
            }
        }
    }
    let (Some((begin, hash)), Some(end)) = (begins.first(), end) else {
        return if begins.is_empty() { Block::Absent } else { Block::Damaged };
    };
    if begins.len() > 1 {
        return Block::Damaged;
    }
    let inner = &body[begin.end..end.start];
    let span = begin.start..end.start + END.len();
    if inner.trim().is_empty() || *hash == fingerprint(inner) {
        Block::Intact { span, inner }
    } else {
        Block::Edited { span, inner }
    }
}

/// A line that begins or ends a generated block.
pub(crate) enum Marker {
    /// It begins one, of whatever name.
    Begin,
    /// It ends one.
    End,
}

/// The marker a line is; `None` for every other line.
pub(crate) fn parse_marker(line: &str) -> Option<Marker> {
    match line.trim_end() {
        END => Some(Marker::End),
        line if line.starts_with(BEGIN) => Some(Marker::Begin),
        _ => None,
    }
}

/// The block's lines with `content` between the markers; ends with a line break.
pub(crate) fn render(name: &str, content: &str, newline: &str) -> String {
    let content = content.trim();
    let gap = if content.is_empty() { "" } else { "\n\n" };
    let hash = fingerprint(content);
    let lines = format!("{BEGIN}{name} {hash} %%\n\n{content}{gap}{END}\n");
    if newline == "\n" { lines } else { lines.replace('\n', newline) }
}

/// The hash in a begin marker of `name`; empty where the marker has none.
fn begin_hash<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    if line == BEGIN_BARE && name == "overview" {
        return Some("");
    }
    let rest = line.strip_prefix(BEGIN)?.strip_prefix(name)?;
    match rest.strip_suffix("%%")? {
        " " => Some(""),
        rest => rest.strip_prefix(' ')?.strip_suffix(' ').filter(|hash| !hash.contains(' ')),
    }
}

/// Line endings, trailing blanks and blank lines at the ends do not count: editors and git change them unasked.
fn fingerprint(inner: &str) -> String {
    let lines: Vec<&str> = inner.trim().lines().map(str::trim_end).collect();
    ContentHash::of(lines.join("\n").as_bytes()).as_str()[..16].to_owned()
}

pub(crate) fn code_spans(body: &str) -> Vec<Range<usize>> {
    let events = Parser::new(body).into_offset_iter();
    events
        .filter(|(event, _)| matches!(event, Event::Start(Tag::CodeBlock(_))))
        .map(|(_, span)| span)
        .collect()
}
