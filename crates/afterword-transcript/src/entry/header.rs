//! The fields that entry after entry repeats, read once.

use std::ops::Range;

use crate::entry::Entry;
use crate::json::{Raw, Reader};

/// The run of fields after `parentUuid` that say where a session is; consecutive entries repeat it byte for byte,
/// and then it need not be read again.
#[derive(Debug, Default)]
pub(crate) struct Header {
    bytes: Vec<u8>,
    is_sidechain: bool,
    /// Where in `bytes` each text is.
    texts: [Range<usize>; 6],
}

pub(super) fn is_header_key(key: &str) -> bool {
    matches!(
        key,
        "isSidechain"
            | "userType"
            | "cwd"
            | "sessionId"
            | "version"
            | "gitBranch"
            | "slug"
            | "entrypoint"
            | "agentId"
            | "teamName"
    )
}

impl Header {
    /// Takes the remembered fields if the same bytes stand here; false, nothing read, if not.
    pub(super) fn recall<'a>(&self, entry: &mut Entry<'a>, reader: &mut Reader<'a>) -> bool {
        let rest = reader.rest();
        if self.bytes.is_empty()
            || !rest.as_bytes().starts_with(&self.bytes)
            || !matches!(rest.as_bytes().get(self.bytes.len()), Some(b',' | b'}'))
        {
            return false;
        }
        entry.is_sidechain = self.is_sidechain;
        for (field, range) in header_fields(entry).into_iter().zip(&self.texts) {
            *field = Raw(&rest[range.clone()]);
        }
        reader.advance(self.bytes.len());
        true
    }

    /// Remembers the header fields that stand in a line between two offsets.
    pub(super) fn remember(&mut self, line: &str, from: usize, to: usize, entry: &Entry<'_>) {
        const LONGEST: usize = 4096;
        let Some(bytes) = line.as_bytes().get(from..to).filter(|bytes| bytes.len() <= LONGEST) else {
            return;
        };
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        self.is_sidechain = entry.is_sidechain;
        let mut entry = entry.clone();
        let texts = header_fields(&mut entry).map(|text| text.range_in(line));
        self.texts = texts.map(|range| match range {
            Some(range) if range.start >= from && range.end <= to => range.start - from..range.end - from,
            _ => 0..0,
        });
    }
}

fn header_fields<'e, 'a>(entry: &'e mut Entry<'a>) -> [&'e mut Raw<'a>; 6] {
    [
        &mut entry.cwd,
        &mut entry.session_id,
        &mut entry.version,
        &mut entry.git_branch,
        &mut entry.entrypoint,
        &mut entry.agent_id,
    ]
}
