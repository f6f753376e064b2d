//! What a hook of Claude Code does: note what it was told, and give the session what is to be said to it.
//!
//! A hook runs inside the user's session, so it opens no database and waits for nobody: it leaves a file in the spool and,
//! when a session starts, a marker. Of what it is told it keeps names and places, never words. It does not decide
//! what follows from it: the agent does, when it takes the spool in. Start at [`record`].

use std::path::{Path, PathBuf};

use afterword_core::SessionId;
use jiff::Timestamp;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::client_process::ClientProcess;
use crate::markers::{Marker, Markers};
use crate::spool::{HookEvent, Spool, SpoolEvent};
use afterword_platform::paths::Paths;

use crate::ClaudeCodeError;

/// Set in the environment of every client that Afterword starts itself: hooks inside it do nothing.
pub const OWN_RUN_VARIABLE: &str = "AFTERWORD_OWN_RUN";

/// Set by Claude Code for every hook that it runs.
pub const PROJECT_VARIABLE: &str = "CLAUDE_PROJECT_DIR";

/// Longest value kept, in bytes. Linux allows paths of 4,096, Windows of 32,767 characters.
const LONGEST_VALUE: usize = 16 * 1024;
/// So many events are kept for an agent that does not run; files are the truth, and more would only fill the disk.
const MOST_WAITING: usize = 10_000;

/// What a hook was told, of use to us.
#[derive(Debug, Default)]
struct HookInput {
    session_id: Option<String>,
    transcript_path: Option<String>,
    cwd: Option<String>,
    event: Option<String>,
    source: Option<String>,
    reason: Option<String>,
}

/// What was noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedHook {
    /// What happened.
    pub event: HookEvent,
    /// The session.
    pub session: SessionId,
    /// Its working directory.
    pub cwd: Option<String>,
    /// How it started (`startup`, `resume`, `clear`, `compact`, `fork`).
    pub source: Option<String>,
    /// Its transcript.
    pub transcript: Option<PathBuf>,
}

/// Notes what a hook was told on its standard input, of which `input` may be only the beginning. `event` is the event's
/// name as the hook was started with it, else the input's own counts. `Ok(None)` where there is nothing to note: an
/// event or a session without a usable name, or a session of Afterword's own.
///
/// # Errors
/// [`ClaudeCodeError::Io`].
pub fn record(
    paths: &Paths,
    event: Option<&str>,
    input: &[u8],
    now: Timestamp,
) -> Result<Option<RecordedHook>, ClaudeCodeError> {
    let hook_input = HookInput::read(input);
    let name = event.or(hook_input.event.as_deref());
    let session = hook_input.session_id.as_deref().and_then(SessionId::parse);
    let (Some(event), Some(session)) = (name.and_then(HookEvent::parse), session) else { return Ok(None) };
    if hook_input.cwd.as_deref().is_some_and(|cwd| Path::new(cwd).starts_with(paths.engine_workplace())) {
        return Ok(None);
    }
    let client = ClientProcess::of_hook();
    let spool = Spool::new(paths);
    let transcript_path = hook_input.transcript_path.map(PathBuf::from);
    let mut note = SpoolEvent::new(event, session.clone(), now);
    note.transcript_path.clone_from(&transcript_path);
    note.cwd.clone_from(&hook_input.cwd);
    note.source.clone_from(&hook_input.source);
    note.reason = hook_input.reason;
    let noted = spool.add(&note);
    let markers = Markers::new(paths);
    match event {
        HookEvent::SessionStart => {
            let marker = Marker::new(now, transcript_path.clone());
            markers.write(&session, &marker.with_client(client, markers.of(&session)?))?;
            spool.trim(MOST_WAITING)?;
        }
        // Its client died without a word; whoever looks for a client looks into the marker.
        HookEvent::UserPromptSubmit | HookEvent::Stop if client == ClientProcess::Gone => {
            let known = markers.of(&session)?;
            if known.as_ref().is_none_or(|known| known.client.is_none()) {
                let marker = Marker::new(now, transcript_path.clone());
                markers.write(&session, &marker.with_client(client, known))?;
            }
        }
        HookEvent::UserPromptSubmit | HookEvent::Stop | HookEvent::SessionEnd => {}
    }
    noted?;
    Ok(Some(RecordedHook {
        event,
        session,
        cwd: hook_input.cwd,
        source: hook_input.source,
        transcript: transcript_path,
    }))
}

/// Whether the client asks before a tool runs: by the event's name as the hook was started with it, else by its input.
pub fn is_before_tool(event: Option<&str>, input: &[u8]) -> bool {
    match event {
        Some(event) => event == "PreToolUse",
        None => HookInput::read(input).event.as_deref() == Some("PreToolUse"),
    }
}

impl HookInput {
    /// Reads what is there. The input may be cut anywhere, as what comes first (the session, its places) matters most and
    /// what comes last (the user's prompt) not at all.
    fn read(input: &[u8]) -> Self {
        let mut hook_input = Self::default();
        // What was read before the input was cut is what is there.
        let _ = serde_json::Deserializer::from_slice(input).deserialize_map(Fields(&mut hook_input));
        hook_input
    }

    fn field(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "session_id" => &mut self.session_id,
            "transcript_path" => &mut self.transcript_path,
            "cwd" => &mut self.cwd,
            "hook_event_name" => &mut self.event,
            "source" => &mut self.source,
            "reason" => &mut self.reason,
            _ => return None,
        })
    }
}

/// Keeps every field that was whole before the input became unreadable.
struct Fields<'a>(&'a mut HookInput);

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("what Claude Code tells a hook")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match self.0.field(&name) {
                Some(field) => {
                    let value: serde_json::Value = map.next_value()?;
                    let text = value.as_str().filter(|text| !text.is_empty() && text.len() <= LONGEST_VALUE);
                    *field = text.map(str::to_owned);
                }
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afterword_platform::paths::Environment;

    fn paths() -> (tempfile::TempDir, Paths) {
        let home = tempfile::tempdir().unwrap();
        let environment =
            Environment { afterword_home: Some(home.path().to_owned()), ..Environment::default() };
        let paths = Paths::new(&environment).unwrap();
        (home, paths)
    }

    fn events(paths: &Paths) -> Vec<SpoolEvent> {
        let mut events = Vec::new();
        let keep = &mut |event: &SpoolEvent| {
            events.push(event.clone());
            Ok(())
        };
        Spool::new(paths).take_in(keep).unwrap();
        events
    }

    fn now() -> Timestamp {
        "2026-03-01T10:00:00Z".parse().unwrap()
    }

    // Seen word for word (2.1.197).
    const START: &str = r#"{"session_id":"5f0a","transcript_path":"/c/p/5f0a.jsonl","cwd":"/w","hook_event_name":"SessionStart","source":"startup"}"#;

    #[test]
    fn start_leaves_an_event_and_a_marker() {
        let (_home, paths) = paths();
        let recorded = record(&paths, Some("SessionStart"), START.as_bytes(), now()).unwrap().unwrap();
        assert_eq!((recorded.event, recorded.cwd.as_deref()), (HookEvent::SessionStart, Some("/w")));
        let [event] = &events(&paths)[..] else { panic!() };
        assert_eq!(event.source.as_deref(), Some("startup"));
        assert_eq!(event.transcript_path.as_deref(), Some(Path::new("/c/p/5f0a.jsonl")));
        let open = Markers::new(&paths).open().unwrap();
        assert_eq!((open[0].0.as_str(), open[0].1.started_at), ("5f0a", now()));
        assert!(open[0].1.client.is_some(), "whoever started this test");
    }

    #[test]
    fn prompt_is_not_kept_and_may_be_cut_off() {
        let (home, paths) = paths();
        let input =
            r#"{"session_id":"5f0a","cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":"a secret pl"#;
        record(&paths, None, input.as_bytes(), now()).unwrap().unwrap();
        let spool = Spool::new(&paths);
        let file = std::fs::read_dir(spool.directory()).unwrap().next().unwrap().unwrap();
        assert!(!std::fs::read_to_string(file.path()).unwrap().contains("secret"));
        assert_eq!(events(&paths)[0].event, HookEvent::UserPromptSubmit);
        assert!(!home.path().join("state/markers").exists());
    }

    #[test]
    fn what_makes_no_sense_leaves_nothing() {
        let (home, paths) = paths();
        let deep = "[".repeat(100_000);
        let long = format!(r#"{{"session_id":"{}"}}"#, "a".repeat(20_000));
        let inputs = [
            "",
            "null",
            "[]",
            "{",
            "\u{feff}{}",
            r#"{"session_id":"../x"}"#,
            r#"{"session_id":7}"#,
            &deep,
            &long,
        ];
        for input in inputs {
            assert_eq!(record(&paths, Some("Stop"), input.as_bytes(), now()).unwrap(), None, "{input:.30}");
        }
        assert_eq!(record(&paths, Some("Stop"), &[0xff; 99], now()).unwrap(), None);
        assert_eq!(record(&paths, Some("PostToolUse"), START.as_bytes(), now()).unwrap(), None);
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
    }

    #[test]
    fn own_runs_leave_nothing() {
        let (_home, paths) = paths();
        let inside = paths.engine_workplace().join("run-1");
        let input = START.replace("/w", &inside.to_string_lossy().replace('\\', "\\\\"));
        assert_eq!(record(&paths, None, input.as_bytes(), now()).unwrap(), None);
    }

    #[test]
    fn state_that_cannot_be_written_is_an_error_and_no_more() {
        let (home, paths) = paths();
        std::fs::write(home.path().join("state"), "a file in its place").unwrap();
        assert!(record(&paths, None, START.as_bytes(), now()).is_err());
    }
}
