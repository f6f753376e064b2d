//! The form in which rows of sessions are kept to be shown: blocks of them, compressed.
//!
//! Owns nothing but the form. A block that cannot be read has no rows: the index is made anew where it is of no use.

use std::fmt;

use afterword_store::{BLOCK_ROWS, RowBlock, RowWords};
use jiff::Timestamp;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use zstd::bulk::Decompressor;
use zstd::zstd_safe;

use super::meaning::vectors;
use crate::rows::{Row, Voice};

/// Fast, and within a few percent of the best.
const LEVEL: i32 = 6;
/// A block is never larger: 64 rows of the longest texts.
const LARGEST: usize = 4 << 20;

/// A row as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PackedRow {
    #[serde(rename = "l")]
    pub(super) line: u64,
    #[serde(rename = "t")]
    pub(super) time: Option<Timestamp>,
    #[serde(rename = "v")]
    pub(super) voice: Voice,
    #[serde(rename = "w", default, skip_serializing_if = "String::is_empty")]
    pub(super) what: String,
    #[serde(rename = "s", default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) sidechain: bool,
    #[serde(rename = "x")]
    pub(super) text: String,
    /// The session and the project, in a file that has many.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<(String, String)>,
}

impl PackedRow {
    pub(super) fn of(row: Row) -> Self {
        Self {
            line: row.line,
            time: row.time,
            voice: row.voice,
            what: row.what.to_owned(),
            sidechain: row.sidechain,
            text: row.text,
            of: None,
        }
    }

    /// The person said it: to a sub-agent the model speaks, in their place.
    fn is_the_persons(&self) -> bool {
        self.voice == Voice::User && !self.sidechain
    }

    fn words(&self) -> RowWords {
        let text = space_characters(&self.text);
        match self.voice {
            _ if self.is_the_persons() => RowWords { person: text, ..RowWords::default() },
            Voice::Agent | Voice::User => RowWords { agent: text, ..RowWords::default() },
            Voice::Call | Voice::Trouble | Voice::Client => RowWords { tools: text, ..RowWords::default() },
        }
    }
}

/// Packs rows into blocks.
pub(super) fn pack(rows: &[PackedRow]) -> Vec<RowBlock> {
    let block = |rows: &[PackedRow]| {
        let json = serde_json::to_vec(rows).unwrap_or_default();
        let texts = zstd::bulk::compress(&json, LEVEL).unwrap_or_default();
        let said = (0..).zip(rows).filter(|(_, row)| row.is_the_persons());
        let vectors = vectors(said.map(|(place, row)| (place, row.text.as_str())));
        RowBlock { words: rows.iter().map(PackedRow::words).collect(), texts, vectors }
    };
    rows.chunks(BLOCK_ROWS).map(block).collect()
}

/// Unpacks blocks, one after the other: making what unpacks takes longer than unpacking.
pub(super) struct Unpacker(Option<Decompressor<'static>>);

impl Unpacker {
    pub(super) fn new() -> Self {
        Self(Decompressor::new().ok())
    }

    /// A block's rows; none where it cannot be read.
    pub(super) fn unpack(&mut self, texts: &[u8]) -> UnpackedBlock {
        let stated = zstd_safe::get_frame_content_size(texts).ok().flatten();
        let size = stated.and_then(|size| usize::try_from(size).ok()).unwrap_or(LARGEST);
        let json = self.0.as_mut().and_then(|zstd| zstd.decompress(texts, size.min(LARGEST)).ok());
        UnpackedBlock(json.unwrap_or_default())
    }
}

/// A block that was unpacked. Its rows are read one by one: of many blocks a search shows one row each.
pub(super) struct UnpackedBlock(Vec<u8>);

impl UnpackedBlock {
    /// The row at a place.
    pub(super) fn row(&self, place: usize) -> Option<PackedRow> {
        let mut row = None;
        let wanted = RowAt { place, row: &mut row };
        // Its error says that more follows: the rows after this one.
        let _ = serde_json::Deserializer::from_slice(&self.0).deserialize_seq(wanted);
        row
    }
}

/// Reads the row at a place of a list, and passes over those before it.
struct RowAt<'r> {
    place: usize,
    row: &'r mut Option<PackedRow>,
}

impl<'de> Visitor<'de> for RowAt<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        for _ in 0..self.place {
            if rows.next_element::<IgnoredAny>()?.is_none() {
                return Ok(());
            }
        }
        *self.row = rows.next_element()?;
        Ok(())
    }
}

/// Text in which every character of a script without blanks between words is a word of its own: the index knows no other way
/// to find a part of a sentence.
pub(super) fn space_characters(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut spaced = String::with_capacity(text.len() + text.len() / 4);
    for c in text.chars() {
        if is_word_by_itself(c) {
            spaced.extend([' ', c, ' ']);
        } else {
            spaced.push(c);
        }
    }
    spaced
}

/// Han, kana, Thai, Lao, Burmese and Khmer; Hangul has blanks, but its words carry their particles.
pub(super) fn is_word_by_itself(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: u64, text: &str) -> PackedRow {
        let (voice, what) = (Voice::User, String::new());
        PackedRow { line, time: None, voice, what, sidechain: false, text: text.to_owned(), of: None }
    }

    #[test]
    fn rows_come_out_as_they_went_in() {
        let rows: Vec<_> = (1..=150).map(|line| row(line, &format!("words of line {line}"))).collect();
        let blocks = pack(&rows);
        assert_eq!(blocks.iter().map(|block| block.words.len()).collect::<Vec<_>>(), [64, 64, 22]);
        let mut unpacker = Unpacker::new();
        for (number, row) in rows.iter().enumerate() {
            let block = unpacker.unpack(&blocks[number / BLOCK_ROWS].texts);
            assert_eq!(block.row(number % BLOCK_ROWS).as_ref(), Some(row));
        }
        assert_eq!(unpacker.unpack(&blocks[2].texts).row(22), None);
        assert_eq!(unpacker.unpack(b"nonsense").row(0), None);
    }

    #[test]
    fn scripts_without_blanks_are_taken_character_by_character() {
        assert_eq!(space_characters("数据库 locks"), " 数  据  库  locks");
        assert_eq!(space_characters("naïve café"), "naïve café");
    }
}
