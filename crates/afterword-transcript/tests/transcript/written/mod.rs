//! Transcripts written for a test, in the shapes real clients write (2.1.x).

pub mod clients;

use std::path::{Path, PathBuf};

use afterword_transcript::Session;
use afterword_transcript::event::{Event, Origin, Utterance};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A transcript being written, line by line.
pub struct Written {
    folder: TempDir,
    lines: Vec<Vec<u8>>,
    entries: u64,
}

impl Written {
    pub fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder"), lines: Vec::new(), entries: 0 }
    }

    /// Adds a line as it stands.
    pub fn raw(mut self, line: impl AsRef<[u8]>) -> Self {
        self.lines.push(line.as_ref().to_owned());
        self
    }

    /// Adds an entry with the fields every message has, and these.
    pub fn entry(mut self, fields: Value) -> Self {
        self.entries += 1;
        let line = entry(self.entries, fields);
        self.raw(line)
    }

    pub fn user(self, text: &str) -> Self {
        self.entry(json!({"type": "user", "message": {"role": "user", "content": text}}))
    }

    pub fn blocks(self, blocks: Value) -> Self {
        self.entry(json!({"type": "user", "message": {"role": "user", "content": blocks}}))
    }

    pub fn agent(self, text: &str) -> Self {
        let id = format!("msg_{}", self.entries);
        self.entry(
            json!({"type": "assistant", "message": {"id": id, "model": "claude-opus-4-6", "role": "assistant",
            "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 3, "output_tokens": 5}}}),
        )
    }

    pub fn call(self, id: &str, tool: &str, input: Value) -> Self {
        let message = format!("msg_{}", self.entries);
        self.entry(json!({"type": "assistant", "message": {"id": message, "model": "claude-opus-4-6", "role": "assistant",
            "content": [{"type": "tool_use", "id": id, "name": tool, "input": input}]}}))
    }

    pub fn result(self, call: &str, text: &str) -> Self {
        self.entry(json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call, "content": text}]}, "toolUseResult": {"stdout": text, "interrupted": false}}))
    }

    pub fn failed(self, call: &str, text: &str) -> Self {
        self.entry(json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": true}]}, "toolUseResult": format!("Error: {text}")}))
    }

    pub fn queue(self, operation: &str, second: u64, content: Option<&str>) -> Self {
        let mut line = json!({"type": "queue-operation", "operation": operation, "timestamp": time(second), "sessionId": SESSION});
        if let Some(content) = content {
            line["content"] = json!(content);
        }
        self.raw(line.to_string())
    }

    /// A message leaves the queue as clients since 2.1.3xx write it.
    pub fn removed(self, second: u64, content: &str, reason: &str) -> Self {
        let line = json!({"type": "queue-operation", "operation": "remove", "timestamp": time(second),
            "sessionId": SESSION, "content": content, "reason": reason, "commandUuid": uuid(second)});
        self.raw(line.to_string())
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(format!("{SESSION}.jsonl"))
    }

    /// Writes the file; `end` stands after the last line.
    pub fn save(&self, end: &str) -> PathBuf {
        let mut bytes = self.lines.join(&b"\n"[..]);
        bytes.extend_from_slice(end.as_bytes());
        std::fs::write(self.path(), bytes).expect("a file is written");
        self.path()
    }

    pub fn read(&self) -> Session {
        read(&self.save("\n"))
    }
}

pub const SESSION: &str = "0b6f2f9e-51a3-4a55-9a6b-9d3d2a3f4c10";

pub fn read(path: &Path) -> Session {
    afterword_transcript::read_session(path).expect("the transcript is readable")
}

pub fn time(second: u64) -> String {
    format!("2026-03-01T10:{:02}:{:02}.000Z", second / 60 % 60, second % 60)
}

pub fn uuid(number: u64) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// An entry as clients write it; fields given replace the usual ones.
pub fn entry(number: u64, fields: Value) -> String {
    let mut usual = json!({"isSidechain": false, "userType": "external", "cwd": "/home/ada/app", "sessionId": SESSION,
        "version": "2.1.50", "gitBranch": "main", "uuid": uuid(number), "timestamp": time(number)});
    let usual_fields = usual.as_object_mut().expect("an object");
    for (key, value) in fields.as_object().expect("an object") {
        usual_fields.insert(key.clone(), value.clone());
    }
    let rest = usual.to_string();
    format!("{{\"parentUuid\":null,{}", &rest[1..])
}

/// The person's utterances.
pub fn utterances(session: &Session) -> Vec<&Utterance> {
    session
        .events
        .iter()
        .filter_map(|event| if let Event::User(said) = event { Some(said) } else { None })
        .collect()
}

/// The person's words, in order.
pub fn words(session: &Session) -> Vec<&str> {
    utterances(session).into_iter().map(|said| said.text.as_str()).collect()
}

/// The person's words with how they came.
pub fn origins(session: &Session) -> Vec<(Origin, &str)> {
    utterances(session).into_iter().map(|said| (said.origin.clone(), said.text.as_str())).collect()
}
