//! Made-up histories of one to four sessions with one expectation each, played against the built binary: of how many it holds must
//! not become less.
//!
//! `tests/probes/README.md` says what they are and how they are written. `cargo test -p afterword-tests --test probes -- --nocapture`
//! prints how many hold, and names those that do not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use afterword_testkit::program;
use serde::Deserialize;
use serde_json::{Value, json};

/// How many are played at once; each is a process of its own most of the time.
const AT_ONCE: usize = 2;

#[derive(Deserialize)]
struct Probe {
    id: String,
    group: String,
    project: String,
    sessions: Vec<Vec<Value>>,
    expect: Expectation,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Expectation {
    active: Vec<Vec<String>>,
    known: Vec<Vec<String>>,
    kind: Option<String>,
    not_active: Vec<Vec<String>>,
    nothing: bool,
    given: Vec<Vec<String>>,
    not_given: Vec<Vec<String>>,
    separate: bool,
    one_note: Vec<String>,
}

/// A lesson or an idea of the vault.
struct Note {
    kind: String,
    status: String,
    is_filed: bool,
    text: String,
}

#[test]
fn made_up_histories_hold_as_often_as_before() {
    let folder = program::root().join("tests/probes");
    let floors = std::fs::read_to_string(folder.join("floors.json")).expect("floors.json");
    let floors: BTreeMap<String, f64> =
        serde_json::from_str(&floors).expect("floors.json is a share for each group");
    let probes: Vec<Probe> =
        floors.keys().flat_map(|group| read(&folder.join(format!("{group}.jsonl")))).collect();
    program::built();
    let waiting = Mutex::new(probes.iter());
    let failed: Mutex<BTreeMap<&str, Vec<String>>> = Mutex::default();
    std::thread::scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| {
                loop {
                    let Some(probe) = waiting.lock().expect("no thread panicked").next() else { break };
                    let against = play(probe);
                    if !against.is_empty() {
                        let line = format!("{}: {}", probe.id, against.join("; "));
                        failed
                            .lock()
                            .expect("no thread panicked")
                            .entry(&probe.group)
                            .or_default()
                            .push(line);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no thread panicked");
    let mut report = String::new();
    let mut is_less = false;
    for (group, floor) in &floors {
        let all = probes.iter().filter(|probe| probe.group == *group).count();
        let lines = failed.get(group.as_str()).map_or(&[][..], Vec::as_slice);
        let held = all - lines.len();
        #[expect(clippy::cast_precision_loss, reason = "there are some hundred")]
        let share = held as f64 / all as f64;
        is_less |= share < *floor;
        writeln!(report, "{group}: {held} of {all} ({share:.2}, at least {floor})")
            .expect("text can be written");
        lines.iter().for_each(|line| writeln!(report, "  {line}").expect("text can be written"));
    }
    println!("{report}");
    assert!(!is_less, "fewer hold than before\n{report}");
}

fn read(path: &Path) -> Vec<Probe> {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|problem| panic!("{line}: {problem}")))
        .collect()
}

/// A fresh home, vault and Claude Code folder, in which the sessions of a probe are reflected one after the other.
struct ProbeHome {
    top: tempfile::TempDir,
    working: String,
    sessions: PathBuf,
}

impl ProbeHome {
    fn new(probe: &Probe) -> Self {
        let top = tempfile::tempdir().expect("a folder");
        let name: String = probe.project.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
        let working = format!("/home/dev/{name}");
        let folder: String =
            working.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let sessions = top.path().join("claude/projects").join(folder);
        std::fs::create_dir_all(&sessions).expect("a folder");
        std::fs::create_dir_all(top.path().join("user")).expect("a folder");
        let place = Self { top, working, sessions };
        let vault = place.vault();
        place.run(&["init", "--vault", vault.to_str().expect("the path is text")]);
        place
    }

    fn vault(&self) -> PathBuf {
        self.top.path().join("vault")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program::built());
        command
            .args(arguments)
            .env("HOME", self.top.path().join("user"))
            .env("AFTERWORD_HOME", self.top.path().join("home"))
            .env("CLAUDE_CONFIG_DIR", self.top.path().join("claude"));
        command
    }

    fn run(&self, arguments: &[&str]) {
        let output = self.command(arguments).output().expect("the binary runs");
        succeeded(arguments, &output);
    }

    /// What a new session of the project is given at its start.
    fn start_of_session(&self) -> String {
        let arguments = ["hook", "SessionStart"];
        let mut hook = self.command(&arguments);
        let mut hook = hook
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let session = id(99);
        let event = json!({"session_id": session, "transcript_path": self.sessions.join(format!("{session}.jsonl")),
            "cwd": self.working, "hook_event_name": "SessionStart", "source": "startup"});
        let input = hook.stdin.take().expect("it was piped");
        serde_json::to_writer(input, &event).expect("the binary reads");
        let output = hook.wait_with_output().expect("the binary ends");
        succeeded(&arguments, &output);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
        context.replace('\\', "").to_lowercase()
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let mut folders = vec![self.vault().join("Afterword")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("the vault is readable") {
                let path = entry.expect("the vault is readable").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "md") {
                    notes.extend(note(&path, &self.vault()));
                }
            }
        }
        notes
    }
}

fn succeeded(arguments: &[&str], output: &Output) {
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn note(path: &Path, vault: &Path) -> Option<Note> {
    let text = std::fs::read_to_string(path).expect("a note is text");
    let (head, body) = text.split_once("\n---").unwrap_or((&text, ""));
    let property = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.map(|value| value.trim().trim_matches('"').to_owned()).unwrap_or_default()
    };
    let kind = property("kind");
    let is_lesson = ["preference", "workflow", "fix", "idea"].contains(&kind.as_str());
    let relative = path.strip_prefix(vault.join("Afterword")).expect("it lies in the vault");
    let is_filed = !["_review", "_inbox", "_archive"].iter().any(|waiting| relative.starts_with(waiting));
    let text = format!("{}\n{body}", property("title")).to_lowercase();
    is_lesson.then(|| Note { kind, status: property("status"), is_filed, text })
}

fn play(probe: &Probe) -> Vec<String> {
    let place = ProbeHome::new(probe);
    for (day, turns) in probe.sessions.iter().enumerate() {
        let session = id(day);
        let text = transcript(turns, &session, &place.working, day);
        std::fs::write(place.sessions.join(format!("{session}.jsonl")), text)
            .expect("a transcript can be written");
        place.run(&["reflect", "--all"]);
    }
    let asks = !probe.expect.given.is_empty() || !probe.expect.not_given.is_empty();
    let given = if asks { place.start_of_session() } else { String::new() };
    against(&probe.expect, &place.notes(), &given)
}

fn holds(text: &str, words: &[String]) -> bool {
    words.iter().all(|word| text.contains(&word.to_lowercase()))
}

/// What of an expectation does not hold.
fn against(expect: &Expectation, notes: &[Note], given: &str) -> Vec<String> {
    let mut against = Vec::new();
    let is_active = |note: &Note| note.status == "active" && note.is_filed;
    let mut find = |name: &str, wanted: &[Vec<String>], counts: &dyn Fn(&Note) -> bool| {
        let mut used = Vec::new();
        for words in wanted {
            let hit = notes.iter().enumerate().position(|(at, note)| {
                counts(note)
                    && holds(&note.text, words)
                    && expect.kind.as_ref().is_none_or(|kind| *kind == note.kind)
                    && !(expect.separate && used.contains(&at))
            });
            match hit {
                Some(at) => used.push(at),
                None => against.push(format!("{name} {words:?}")),
            }
        }
    };
    find("not active:", &expect.active, &|note| is_active(note) || note.kind == "idea");
    find("not known:", &expect.known, &|note| !["archived", "rejected"].contains(&note.status.as_str()));
    let active = expect
        .not_active
        .iter()
        .filter(|words| notes.iter().any(|note| is_active(note) && holds(&note.text, words)));
    against.extend(active.map(|words| format!("active: {words:?}")));
    if expect.nothing && !notes.is_empty() {
        against.push("something was kept".to_owned());
    }
    against.extend(
        expect.given.iter().filter(|words| !holds(given, words)).map(|words| format!("not given: {words:?}")),
    );
    against.extend(
        expect.not_given.iter().filter(|words| holds(given, words)).map(|words| format!("given: {words:?}")),
    );
    let count = notes
        .iter()
        .filter(|note| note.status != "superseded" && holds(&note.text, &expect.one_note))
        .count();
    if !expect.one_note.is_empty() && count != 1 {
        against.push(format!("{count} notes: {:?}", expect.one_note));
    }
    against
}

fn id(session: usize) -> String {
    format!("5a3e0000-0000-4000-8000-{session:012}")
}

/// A session as Claude Code writes it down, one entry a minute, on every third day.
fn transcript(turns: &[Value], session: &str, working: &str, day: usize) -> String {
    let mut lines: Vec<Value> = Vec::new();
    let mut last = Value::Null;
    let mut minute = 0;
    let mut entry = |kind: &str, more: Value, lines: &mut Vec<Value>| {
        minute += 1;
        let uuid = format!("{}-{minute:04}-4000-8000-{day:012}", &session[..8]);
        let mut row = json!({"parentUuid": last, "isSidechain": false, "userType": "external", "cwd": working,
            "sessionId": session, "version": "2.1.300", "gitBranch": "main", "type": kind, "uuid": uuid,
            "timestamp": format!("2026-09-{:02}T{:02}:{:02}:00.000Z", 1 + 3 * day, 9 + minute / 60, minute % 60)});
        last = row["uuid"].clone();
        row.as_object_mut()
            .expect("it is an object")
            .extend(more.as_object().expect("it is an object").clone());
        lines.push(row);
    };
    for (at, turn) in turns.iter().enumerate() {
        let text = |name: &str| turn[name].as_str().map(str::to_owned);
        if let Some(said) = text("user") {
            entry("user", json!({"message": {"role": "user", "content": said}}), &mut lines);
        } else if let Some(said) = text("agent") {
            entry("assistant", assistant(&json!([{"type": "text", "text": said}]), at), &mut lines);
        } else if let Some(said) = text("queued") {
            entry(
                "attachment",
                json!({"attachment": {"type": "queued_command", "prompt": said, "commandMode": "prompt"}}),
                &mut lines,
            );
        } else {
            let call = format!("toolu_{day}_{at}");
            let name = text("tool").or(text("reject")).expect("a turn says what it is");
            entry(
                "assistant",
                assistant(
                    &json!([{"type": "tool_use", "id": call, "name": name, "input": turn["input"]}]),
                    at,
                ),
                &mut lines,
            );
            let (content, result, failed) = outcome(turn);
            entry(
                "user",
                json!({"message": {"role": "user", "content": [{"tool_use_id": call, "type": "tool_result",
                "content": content, "is_error": failed}]}, "toolUseResult": result}),
                &mut lines,
            );
        }
    }
    lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n")
}

fn assistant(blocks: &Value, at: usize) -> Value {
    json!({"message": {"id": format!("msg_{at}"), "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
        "content": blocks, "stop_reason": null, "usage": {"input_tokens": 1, "output_tokens": 1}}})
}

/// What a tool's result says, what stands beside it, and whether it failed.
fn outcome(turn: &Value) -> (String, Value, bool) {
    const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). ";
    if turn["reject"].is_string() {
        let told = match turn["reason"].as_str().filter(|reason| !reason.is_empty()) {
            Some(reason) => format!("To tell you how to proceed, the user said:\n{reason}"),
            None => "STOP what you are doing and wait for the user to tell you how to proceed.".to_owned(),
        };
        return (format!("{REJECTED}{told}"), json!("User rejected tool use"), true);
    }
    let result = turn["result"].as_str().unwrap_or_default();
    if turn["error"].as_bool().unwrap_or(false) {
        let text = format!("Exit code 1\n{result}");
        return (text.clone(), json!(format!("Error: {text}")), true);
    }
    (result.to_owned(), json!({"stdout": result, "stderr": "", "interrupted": false}), false)
}
