//! The form in which rows of sessions are kept to be shown: blocks of them, compressed.
//!
//! Owns nothing but the form. A block that cannot be read has no rows: the index is made anew where it is of no use.

use afterword_store::{BLOCK_ROWS, RowBlock, RowWords};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

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

/// The rows of a block.
pub(super) fn unpack(texts: &[u8]) -> Vec<PackedRow> {
    let json = zstd::bulk::decompress(texts, LARGEST).unwrap_or_default();
    serde_json::from_slice(&json).unwrap_or_default()
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
        let back: Vec<_> = blocks.iter().flat_map(|block| unpack(&block.texts)).collect();
        assert_eq!(back, rows);
        assert_eq!(unpack(b"nonsense"), []);
    }

    #[test]
    fn scripts_without_blanks_are_taken_character_by_character() {
        assert_eq!(space_characters("数据库 locks"), " 数  据  库  locks");
        assert_eq!(space_characters("naïve café"), "naïve café");
    }
}
