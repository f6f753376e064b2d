//! The prompts in Claude Code's `history.jsonl`: they outlast the transcripts, which it deletes.
//!
//! A line is an object with `display` (what was typed), `timestamp` (milliseconds), `project` and, since client 2.0, `sessionId`.
//! The file only grows; it is read from where it was read to.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use afterword_claude_code::ClaudeHome;
use afterword_core::{ProjectKey, SessionId};
use afterword_store::{IndexedSession, SessionIndex};
use jiff::Timestamp;
use serde::Deserialize;

use super::index::{head, is_forgotten};
use super::pack::{PackedRow, pack};
use crate::repository::without_worktree;
use crate::rows::{MOST_CHARS, Voice};
use crate::{App, Error};

/// A longer line is passed over.
const LONGEST_LINE: u64 = 4 << 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[serde(default)]
    display: String,
    timestamp: Option<i64>,
    #[serde(default)]
    project: String,
    #[serde(default)]
    session_id: String,
}

/// Claude Code's own lists of what was typed, one in each of its directories.
pub(super) fn history_paths(app: &App) -> Vec<PathBuf> {
    app.claude().iter().map(ClaudeHome::history).collect()
}

/// Indexes what the history grew by; all of it where it was written anew.
pub(super) fn index_history(
    app: &App,
    index: &SessionIndex,
    (path, before): (&Path, Option<IndexedSession>),
    forgotten: &HashSet<SessionId>,
    problems: &mut Vec<String>,
) -> Result<(), Error> {
    let name = path.to_string_lossy().into_owned();
    let Ok(metadata) = std::fs::metadata(path) else {
        return Ok(index.remove(&name).map(drop)?);
    };
    if !metadata.is_file() {
        return Ok(());
    }
    let size = metadata.len();
    if before.as_ref().is_some_and(|before| before.size == size) {
        return Ok(());
    }
    let before = before
        .filter(|before| before.size < size && head(path, before.size).is_ok_and(|head| head == before.head));
    let from = before.as_ref().map_or(0, |before| before.last_line);
    let (rows, last_line) = match prompts(app, path, size, from, forgotten) {
        Ok(read) => read,
        Err(error) => {
            problems.push(error.chain());
            return Ok(());
        }
    };
    let file = IndexedSession {
        path: name,
        size,
        last_line,
        head: head(path, size)?,
        rows: before.as_ref().map_or(0, |before| before.rows) + rows.len() as u64,
        ..IndexedSession::default()
    };
    match before {
        Some(_) => index.append(&file, &pack(&rows))?,
        None => index.put(&file, &pack(&rows))?,
    }
    Ok(())
}

/// The prompts after line `from`, and the last whole line.
fn prompts(
    app: &App,
    path: &Path,
    size: u64,
    from: u64,
    forgotten: &HashSet<SessionId>,
) -> Result<(Vec<PackedRow>, u64), Error> {
    let failed = |source| Error::Io { path: path.to_owned(), action: "read the prompts", source };
    let redaction = app.redaction();
    let mut reader = BufReader::new(File::open(path).map_err(failed)?.take(size));
    let (mut rows, mut number, mut line) = (Vec::new(), 0, Vec::new());
    loop {
        line.clear();
        let read = (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(failed)?;
        if read == 0 || line.last() != Some(&b'\n') && read as u64 != LONGEST_LINE {
            return Ok((rows, number));
        }
        number += u64::from(line.last() == Some(&b'\n'));
        let Some(prompt) = serde_json::from_slice::<Line>(&line).ok().filter(|_| number > from) else {
            continue;
        };
        let project = ProjectKey::from_cwd(&prompt.project);
        let folder = ProjectKey::from_cwd(&without_worktree(project.as_str()));
        let is_hidden = [&project, &folder].into_iter().any(|key| app.config.exclude.covers(key))
            || is_forgotten(forgotten, &prompt.session_id)
            || prompt.display.trim().is_empty();
        if is_hidden {
            continue;
        }
        let text: String = redaction.text(&prompt.display).chars().take(MOST_CHARS).collect();
        rows.push(PackedRow {
            line: number,
            time: prompt.timestamp.and_then(|at| Timestamp::from_millisecond(at).ok()),
            voice: Voice::User,
            what: "prompt".to_owned(),
            sidechain: false,
            text: afterword_vault::plain::visible_lines(&text),
            of: Some((prompt.session_id, project.as_str().to_owned())),
        });
    }
}
