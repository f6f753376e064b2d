//! What checks would have caught in the sessions that are still there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use afterword_core::ProjectKey;
use afterword_transcript::event::{Event, ToolCall};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use super::agent_turn::AgentTurn;
use super::check::{Call, Check};
use crate::session_location::session_location;
use crate::sessions::{Transcript, discover};
use crate::{App, Error, excluded, naming};

/// Sessions that are looked at, the latest first.
const MOST_SESSIONS: usize = 500;
/// Bytes of transcripts that are looked at.
const MOST_BYTES: u64 = 1 << 30;
/// Examples that are shown.
const EXAMPLES: usize = 5;
/// Letters of an example.
const LONGEST_EXAMPLE: usize = 100;

/// What checks would have caught.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct PastMatches {
    /// Sessions that were looked at.
    pub sessions: usize,
    /// Commands, changes of files and ends of turns in them.
    pub looked_at: usize,
    /// Of those, what would have been stopped.
    pub stopped: usize,
    /// Sessions in which something would have been.
    pub concerned: usize,
    /// The latest of them.
    pub examples: Vec<Example>,
}

/// Something that would have been stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "PastExample"))]
pub struct Example {
    /// The session.
    pub session: String,
    /// When.
    pub at: Option<Timestamp>,
    /// The command, the file, or why the turn would not have ended; without secrets.
    pub what: String,
}

/// Looks through the sessions of the directories (all where there are none) for what the checks would have caught. What the
/// user excludes is not looked at, and a session that cannot be read is passed over.
pub(super) fn past_matches(app: &App, checks: &[Check], directories: &[String]) -> PastMatches {
    let mut transcripts = discover(app.claude()).transcripts;
    transcripts.sort_by_key(|transcript| std::cmp::Reverse(transcript.fingerprint.mtime_ns));
    let mut past = PastMatches::default();
    let mut bytes = 0;
    for transcript in transcripts {
        let Ok(Some(place)) = session_location(&transcript.path, &app.config.folders) else { continue };
        let is_wanted = |project: &ProjectKey| {
            let own = Path::new(project.as_str());
            directories.is_empty() || directories.iter().any(|directory| own.starts_with(directory))
        };
        let excluded =
            [&place.directory, &place.project].into_iter().any(|key| app.config.exclude.covers(key));
        if excluded || !is_wanted(&place.project) {
            continue;
        }
        bytes += transcript.fingerprint.size;
        if past.sessions == MOST_SESSIONS || bytes > MOST_BYTES {
            break;
        }
        caught_in(app, &transcript, Path::new(place.directory.as_str()), checks, &mut past);
    }
    past
}

fn caught_in(app: &App, transcript: &Transcript, cwd: &Path, checks: &[Check], past: &mut PastMatches) {
    let redaction = app.redaction();
    let home = app.environment.home.as_deref();
    let bases = [cwd.to_owned()];
    let (mut turn, mut stopped, mut looked_at) = (AgentTurn::default(), Vec::new(), 0);
    let mut caught = |what: &str, at: Option<Timestamp>| {
        let what = redaction.text(what);
        let what = what.lines().next().unwrap_or_default().chars().take(LONGEST_EXAMPLE).collect();
        stopped.push(Example { session: transcript.session.as_str().to_owned(), at, what });
    };
    let ended = |turn: &AgentTurn| checks.iter().find_map(|check| turn.objection(check, &bases, home));
    let mut open: Option<Option<Timestamp>> = None;
    let scanned = excluded::scan(app, &transcript.path, &redaction, &mut |event| {
        if let Event::User(words) = &event {
            if let Some(at) = open.take() {
                looked_at += 1;
                ended(&turn).iter().for_each(|what| caught(what, at));
            }
            open = Some(words.place.time);
        }
        if let Event::Call(call) = &event
            && let Some(input) = input_of(call)
        {
            looked_at += 1;
            let call_made = Call { tool: &call.name, input: &input, cwd, bases: &bases, home };
            if checks.iter().any(|check| check.objection(&call_made).is_some()) {
                caught(&call.summary, call.place.time);
            }
        }
        turn.add(&event, cwd, home);
    });
    if scanned.is_err() {
        return;
    }
    if let Some(at) = open {
        looked_at += 1;
        ended(&turn).iter().for_each(|what| caught(what, at));
    }
    past.sessions += 1;
    past.looked_at += looked_at;
    past.stopped += stopped.len();
    past.concerned += usize::from(!stopped.is_empty());
    stopped.reverse();
    let room = EXAMPLES - past.examples.len();
    past.examples.extend(stopped.into_iter().take(room));
}

/// The directories of a project on this machine, by its name.
pub(super) fn directories_of(app: &App, project: &str) -> Result<Vec<String>, Error> {
    let Some(store) = app.existing_store()? else { return Ok(Vec::new()) };
    let names: BTreeMap<_, _> = naming::named_folders(app, &store)?.into_iter().collect();
    let own = names.into_iter().filter(|(_, name)| name == project && !project.is_empty());
    Ok(own.map(|(key, _)| key.as_str().to_owned()).collect())
}

/// The command that a project's own files say runs its tests.
pub(super) fn test_command_of(directories: &[String]) -> Option<&'static str> {
    let has = |name: &str| directories.iter().any(|folder| PathBuf::from(folder).join(name).is_file());
    Some(match () {
        () if has("Cargo.toml") => "cargo test",
        () if has("pnpm-lock.yaml") => "pnpm test",
        () if has("yarn.lock") => "yarn test",
        () if has("bun.lockb") || has("bun.lock") => "bun test",
        () if has("package.json") => "npm test",
        () if has("go.mod") => "go test",
        () if has("pyproject.toml") || has("pytest.ini") => "pytest",
        () if has("mix.exs") => "mix test",
        () => return None,
    })
}

/// What a call was given, as far as a transcript keeps it; `None` for tools that no check is about.
fn input_of(call: &ToolCall) -> Option<Value> {
    Some(match call.name.as_str() {
        "Bash" => json!({"command": call.input}),
        "Edit" | "MultiEdit" => {
            json!({"file_path": call.summary, "new_string": call.input, "old_string": call.before,
                   "edits": [{"new_string": call.input, "old_string": call.before}]})
        }
        "Write" => json!({"file_path": call.summary, "content": call.input}),
        "NotebookEdit" => json!({"notebook_path": call.summary, "new_source": call.input}),
        _ => return None,
    })
}
