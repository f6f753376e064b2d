//! A turn as checks see it: which files were changed in it, and which commands ran and passed after that.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use afterword_transcript::event::{Event, Origin, ToolCall, ToolStatus};
use afterword_transcript::{ELISION, scan_stream};

use super::check::{Check, files_written_by};
use super::command::commands;
use super::pattern::{command_contains, path_matches};

/// So much of a transcript's end is read, in bytes; a turn is rarely longer, and reading it takes some milliseconds.
const LONGEST_TURN: u64 = 4 << 20;
/// Longest line read of it, in bytes; a longer one is passed over.
const LONGEST_LINE: usize = 4 << 20;
/// Calls of one turn that are remembered.
const MOST_CALLS: usize = 20_000;

/// One turn, as far as it went.
#[derive(Debug, Default)]
pub(super) struct AgentTurn {
    calls: Vec<ToolUse>,
    /// What the agent said last.
    pub(super) last_words: String,
}

/// A call of a tool that writes or runs something.
#[derive(Debug)]
struct ToolUse {
    id: String,
    files: Vec<PathBuf>,
    command: Option<String>,
    status: Option<ToolStatus>,
}

impl AgentTurn {
    /// Takes an event in; a prompt of the person begins a new turn.
    pub(super) fn add(&mut self, event: &Event, cwd: &Path, home: Option<&Path>) {
        match event {
            Event::User(words) if begins_turn(&words.origin) && !words.place.sidechain => {
                *self = Self::default();
            }
            Event::Agent { text, place } if !place.sidechain => self.last_words.clone_from(text),
            Event::Call(call) if self.calls.len() < MOST_CALLS => {
                self.calls.extend(tool_use(call, cwd, home));
            }
            Event::Outcome(outcome) => {
                if let Some(call) = self.calls.iter_mut().rev().find(|call| call.id == outcome.call) {
                    call.status = Some(outcome.status);
                }
            }
            _ => {}
        }
    }

    /// Why the turn is not over yet: files were changed, and after the last change the command did not run and pass.
    pub(super) fn objection(&self, check: &Check, bases: &[PathBuf], home: Option<&Path>) -> Option<String> {
        let Check::Turn { changed, run } = check else { return None };
        let is_watched = |file: &PathBuf| {
            changed.iter().any(|pattern| {
                let is_inside = bases.iter().any(|base| file.starts_with(base));
                (pattern == "**" && is_inside) || path_matches(pattern, file, bases, home)
            })
        };
        let last = self.calls.iter().rposition(|call| {
            !matches!(call.status, Some(ToolStatus::Failed | ToolStatus::Rejected))
                && call.files.iter().any(is_watched)
        })?;
        let runs = |call: &&ToolUse| {
            let line = call.command.as_deref().unwrap_or_default();
            match commands(line).filter(|_| !line.contains(ELISION)) {
                Some(all) => all.iter().any(|one| run.iter().any(|pattern| command_contains(pattern, one))),
                // A transcript keeps a long line's beginning and end alone: what may have run counts as run.
                None => run.iter().any(|pattern| line.contains(pattern.trim_end_matches('*'))),
            }
        };
        let after: Vec<&ToolUse> = self.calls[last..].iter().filter(runs).collect();
        if after.iter().any(|call| call.status == Some(ToolStatus::Ok)) {
            return None;
        }
        let (list, what) =
            (run.join("` or `"), if after.is_empty() { "did not run" } else { "did not pass" });
        Some(format!(
            "files were changed, and `{list}` {what} after that; run it and see to it that it passes"
        ))
    }
}

/// What a person types begins a turn; answers and messages typed meanwhile belong to the one that goes on.
fn begins_turn(origin: &Origin) -> bool {
    matches!(origin, Origin::Prompt | Origin::CommandArguments { .. })
}

fn tool_use(call: &ToolCall, cwd: &Path, home: Option<&Path>) -> Option<ToolUse> {
    let (files, command) = match call.name.as_str() {
        "Bash" => (files_written_by(&call.input, cwd, home), Some(call.input.clone())),
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => (vec![cwd.join(&call.summary)], None),
        _ => return None,
    };
    Some(ToolUse { id: call.id.clone(), files, command, status: None })
}

/// The last turn of a transcript.
pub(super) fn last_turn(transcript: &Path, cwd: &Path, home: Option<&Path>) -> io::Result<AgentTurn> {
    if !std::fs::metadata(transcript)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file"));
    }
    let mut file = File::open(transcript)?;
    let length = file.metadata()?.len();
    let start = length.saturating_sub(LONGEST_TURN);
    file.seek(SeekFrom::Start(start))?;
    let mut reader = BufReader::with_capacity(1 << 17, file);
    if start > 0 {
        // The rest of a line that begins further up.
        reader.skip_until(b'\n')?;
    }
    let mut turn = AgentTurn::default();
    scan_stream(reader, LONGEST_LINE, &mut |event| turn.add(&event, cwd, home))?;
    Ok(turn)
}
