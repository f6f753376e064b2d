//! What was added to a transcript since it was read: whether any of it was said or done in the session.
//!
//! The client also notes things of its own, when it is closed or opened again. Start at [`has_new_activity`].

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::Path;

use crate::error::TranscriptError;
use crate::event::Event;
use crate::scan::{DEFAULT_LINE_CAP, scan_stream};

/// Whether anybody said or did something in what stands behind the first `from` bytes. What cannot be understood there
/// counts: it may be the rest of an entry that was half written when it was read.
///
/// # Errors
/// [`TranscriptError::Open`] and [`TranscriptError::Read`].
pub fn has_new_activity(path: &Path, from: u64) -> Result<bool, TranscriptError> {
    let mut file =
        File::open(path).map_err(|source| TranscriptError::Open { path: path.to_owned(), source })?;
    let read = |source| TranscriptError::Read { path: path.to_owned(), offset: from, source };
    file.seek(SeekFrom::Start(from)).map_err(read)?;
    let mut news = false;
    let mut sink = |event: Event| news |= !matches!(event, Event::Compaction { .. });
    let report = scan_stream(file, DEFAULT_LINE_CAP, &mut sink).map_err(read)?;
    Ok(news || report.skipped.total > 0 || report.pending.is_some())
}
