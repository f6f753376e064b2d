//! The entries that stand in one line: as a rule one, but several may be glued together, and one may stand behind what a
//! crash cut off.
//!
//! It owns what counts as an entry of a line. Whoever reads lines reads them through [`read_entries`], so that all see the same
//! entries: what is mined of a line and what says where its entries were written must never differ.

use crate::entry::{self, Entry, Header};
use crate::lines::{Body, Line};
use crate::report::{SkipReason, is_known_kind};

/// How clients begin an entry.
const OPENINGS: [&str; 5] =
    ["{\"type\":", "{\"parentUuid\":", "{\"uuid\":", "{\"sessionId\":", "{\"messageId\":"];

/// A piece of a line.
pub(crate) enum Piece<'p, 'l> {
    /// An entry.
    Entry(&'p Entry<'l>),
    /// So many bytes are no entry.
    Skipped(u64, SkipReason),
    /// The last bytes of a line without an end: its entry may still be written.
    Unfinished(u64),
}

/// Hands all pieces of a line to `each`; gives how many bytes of it were read. `header` carries what the last entry began with.
pub(crate) fn read_entries<'l>(
    line: &Line<'l>,
    header: &mut Header,
    mut each: impl FnMut(Piece<'_, 'l>),
) -> usize {
    let (bytes, ended) = match line.body {
        Body::Whole(bytes) => (bytes, true),
        Body::Unended(bytes) => (bytes, false),
        Body::TooLong { .. } => {
            each(Piece::Skipped(line.length, SkipReason::TooLong));
            return 0;
        }
    };
    let unreadable = |start: usize, reason| {
        let left = (bytes.len() - start) as u64;
        if ended { Piece::Skipped(left, reason) } else { Piece::Unfinished(left) }
    };
    let Ok(text) = simdutf8::basic::from_utf8(bytes) else {
        each(unreadable(0, SkipReason::NotUtf8));
        return 0;
    };
    let mut at = 0;
    if line.offset == 0 && text.starts_with('\u{feff}') {
        at = '\u{feff}'.len_utf8();
    }
    loop {
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | 0);
        let Some(start) = bytes[at..].iter().position(|b| !blank(b)).map(|skipped| at + skipped) else {
            if at == 0 && bytes.contains(&0) {
                each(unreadable(0, SkipReason::Nul));
                return 0;
            }
            return text.len();
        };
        match parse_entry(text, start, header) {
            Ok((entry, end)) => {
                each(Piece::Entry(&entry));
                at = end;
            }
            Err(reason) => {
                let Some(next) = ended.then(|| find_next_entry(text, start)).flatten() else {
                    each(unreadable(start, reason));
                    return start;
                };
                each(Piece::Skipped((next - start) as u64, reason));
                at = next;
            }
        }
    }
}

fn parse_entry<'l>(
    text: &'l str,
    start: usize,
    header: &mut Header,
) -> Result<(Entry<'l>, usize), SkipReason> {
    match entry::parse(text, start, header) {
        Ok((Some(entry), end)) => Ok((entry, end)),
        Ok((None, _)) => Err(SkipReason::NotAnObject),
        Err(_) if text[start..].starts_with("//") => Err(SkipReason::Comment),
        Err(flaw) if flaw.truncated => Err(SkipReason::Truncated),
        Err(_) => Err(SkipReason::NotJson),
    }
}

/// Finds a whole entry behind one that a crash cut off in the same line.
fn find_next_entry(text: &str, start: usize) -> Option<usize> {
    // Few candidates are real; a line made to hold many must not cost the square of its length.
    let mut attempts = 16;
    for found in memchr::memmem::find_iter(&text.as_bytes()[start + 1..], b"{\"") {
        let found = start + 1 + found;
        if !OPENINGS.iter().any(|opening| text[found..].starts_with(opening)) {
            continue;
        }
        if let Ok((Some(entry), _)) = entry::parse(text, found, &mut Header::default())
            && is_known_kind(&entry.kind.decode())
            && !(entry.uuid.is_empty() && entry.session_id.is_empty() && entry.leaf_uuid.is_empty())
        {
            return Some(found);
        }
        attempts -= 1;
        if attempts == 0 {
            break;
        }
    }
    None
}
