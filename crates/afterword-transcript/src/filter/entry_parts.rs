//! Parts of entries the filter asks for again and again.

use std::borrow::Cow;

use jiff::Timestamp;

use super::questions;
use crate::entry::{Block, Content, Entry, Message};
use crate::event::EntryLocation;
use crate::time::MAX_TIME;

/// Longest id or tool name kept, in bytes.
pub(super) const MAX_ID: usize = 256;

pub(super) fn each_block<'a>(message: &Message<'a>, mut visit: impl FnMut(&Block<'a>)) {
    match &message.content {
        Content::Missing => {}
        Content::Text(text) => visit(&Block::Text(*text)),
        Content::Blocks(blocks) => blocks.iter().for_each(visit),
    }
}

/// The text blocks of a content, decoded, and whether there is an image or a document.
pub(super) fn texts<'a>(content: &Content<'a>) -> (Vec<Cow<'a, str>>, bool) {
    match content {
        Content::Missing => (Vec::new(), false),
        Content::Text(text) => (vec![text.decode()], false),
        Content::Blocks(blocks) => {
            let texts = blocks
                .iter()
                .filter_map(|block| if let Block::Text(text) = block { Some(text.decode()) } else { None });
            (texts.collect(), blocks.iter().any(|block| matches!(block, Block::Media(_))))
        }
    }
}

/// The questions of an AskUserQuestion call's input.
pub(super) fn parse_questions(input: &str) -> Vec<questions::Question> {
    let mut reader = crate::json::Reader::new(input, 0);
    let mut first = true;
    if reader.next_value().is_ok() {
        while let Ok(Some(key)) = reader.next_key(&mut first) {
            let Ok(value) = reader.skip_value() else { break };
            if key.equals("questions") {
                return questions::parse_questions(value);
            }
        }
    }
    Vec::new()
}

/// Some models write their thinking into the text, in tags.
pub(super) fn strip_thinking(text: &str) -> &str {
    let text = text.trim_start();
    match text.strip_prefix("<thinking>").and_then(|rest| rest.split_once("</thinking>")) {
        Some((_, rest)) => rest,
        None => text,
    }
}

pub(super) fn location(line: u64, entry: &Entry<'_>) -> EntryLocation {
    let uuid = entry.uuid.head(MAX_ID).into_owned();
    EntryLocation { line, uuid, time: timestamp(entry), sidechain: entry.is_sidechain }
}

pub(super) fn timestamp(entry: &Entry<'_>) -> Option<Timestamp> {
    crate::time::parse_time(&entry.timestamp.head(MAX_TIME))
}

/// The version of the client that wrote an entry; zeroes where it names none.
pub(super) fn client_version(entry: &Entry<'_>) -> [u32; 3] {
    let version = entry.version.decode();
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

/// The version of the client that wrote last.
#[derive(Debug, Default)]
pub(super) struct ClientVersion(Option<[u32; 3]>);

impl ClientVersion {
    /// Takes in any entry.
    pub(super) fn update(&mut self, entry: &Entry<'_>) {
        if self.0.is_none() || entry.kind.equals("user") {
            self.0 = (!entry.version.is_empty()).then(|| client_version(entry)).or(self.0);
        }
    }

    /// Whether it is known and older.
    pub(super) fn is_before(&self, version: [u32; 3]) -> bool {
        self.0.is_some_and(|known| known < version)
    }
}
