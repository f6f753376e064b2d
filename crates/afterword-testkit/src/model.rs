//! A stand-in for the Messages API on loopback, and the real client that talks to it.
//!
//! The client is the npm package `@anthropic-ai/claude-code`; where it is, `AFTERWORD_CLIENT` says, else it is looked for
//! where `scripts/client` puts it. It runs in an environment of its own and can reach nothing but the stand-in.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use afterword_claude_code::client::Client;
use serde_json::{Value, json};

/// What the model says to one request.
pub enum Reply {
    /// Text, and the turn ends.
    Text(String),
    /// A tool is called.
    Tool(&'static str, Value),
    /// A tool is called, and that cost ten times as much.
    DearTool(&'static str, Value),
    /// Nothing, for ever.
    Silence,
    /// The service fails with this status.
    Error(u16),
}

/// The stand-in; it ends with the test's process.
#[derive(Clone)]
pub struct Model {
    port: u16,
    /// Every request of a conversation, as the client sent it.
    pub asked: Arc<Mutex<Vec<Value>>>,
}

type Script = Box<dyn FnMut(&Value) -> Reply + Send>;

impl Model {
    /// Starts one that answers by `script`, which gets each request's body.
    pub fn start(script: impl FnMut(&Value) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(Box::new(script)));
        let seen = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, seen) = (Arc::clone(&script), Arc::clone(&seen));
                std::thread::spawn(move || serve(stream, &script, &seen));
            }
        });
        Self { port, asked }
    }

    /// The real client, talking to this; none where it is not installed.
    pub fn client(&self, home: &Path) -> Option<Client> {
        let binary = installed()?;
        std::fs::create_dir_all(home).unwrap();
        Some(Client::new(binary).with_environment(self.environment(home)))
    }

    /// All that the client may know of the machine.
    pub fn environment(&self, home: &Path) -> Vec<(OsString, OsString)> {
        let variable = |name: &str, value: &str| (OsString::from(name), OsString::from(value));
        vec![
            ("HOME".into(), home.into()),
            variable("PATH", "/usr/local/bin:/usr/bin:/bin"),
            variable("TERM", "xterm"),
            variable("TZ", "UTC"),
            variable("ANTHROPIC_BASE_URL", &format!("http://127.0.0.1:{}", self.port)),
            variable("ANTHROPIC_API_KEY", "made-up-key"),
            variable("DISABLE_TELEMETRY", "1"),
            variable("DISABLE_AUTOUPDATER", "1"),
            variable("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ]
    }

    /// Every request of a conversation so far.
    pub fn requests(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

/// Whether the real client is not installed and the test is to be left.
pub fn client_is_missing() -> bool {
    let is_missing = installed().is_none();
    if is_missing {
        pass_over("the real client is not installed (scripts/client)");
    }
    is_missing
}

/// Says that something a test needs is not on this machine; `AFTERWORD_CLIENT_REQUIRED` makes that a failure.
#[allow(clippy::print_stderr, reason = "a test that passed over something says so")]
pub fn pass_over(missing: &str) {
    assert!(std::env::var_os("AFTERWORD_CLIENT_REQUIRED").is_none(), "{missing}");
    eprintln!("passed over: {missing}");
}

/// The version the tests were written against.
const VERSION: &str = include_str!("../../../tests/claude_code/version");

/// Where the real client is: named, put there by `scripts/client`, or beside what is built, where the end-to-end tests put it.
pub fn installed() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("AFTERWORD_CLIENT") {
        return Some(named.into());
    }
    let by_script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/client");
    // Of several versions that are there the one that is asked for, as the end-to-end tests do.
    let version = std::env::var("AFTERWORD_CLIENT_VERSION").unwrap_or_else(|_| VERSION.trim().to_owned());
    let own = std::env::current_exe().ok()?.ancestors().nth(3)?.join("claude-code").join(version);
    let places = [own, by_script].map(|place| place.join("node_modules/@anthropic-ai")).into_iter();
    let packages = places.flat_map(|place| std::fs::read_dir(place).into_iter().flatten().flatten());
    packages.map(|package| package.path().join("claude")).find(|program| program.is_file())
}

/// What was said to the model since it last spoke; the client adds remarks of its own at the end.
pub fn last_words(body: &Value) -> String {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let since = messages.iter().rposition(|message| message["role"] == "assistant").map_or(0, |at| at + 1);
    let mut texts = Vec::new();
    for message in &messages[since..] {
        match &message["content"] {
            Value::String(text) => texts.push(text.clone()),
            Value::Array(blocks) => {
                texts.extend(blocks.iter().filter_map(|block| block["text"].as_str().map(str::to_owned)));
            }
            _ => {}
        }
    }
    texts.join("\n")
}

/// What newer clients offer beside tools: a name that "must never be called", behind which nothing is.
const PLACEHOLDER: &str = "DeferredToolPlaceholder";

/// The names of the tools the client offers.
pub fn tools(body: &Value) -> Vec<String> {
    let tools = body["tools"].as_array().cloned().unwrap_or_default();
    let names = tools.iter().filter_map(|tool| tool["name"].as_str());
    names.filter(|name| *name != PLACEHOLDER).map(str::to_owned).collect()
}

fn serve(stream: TcpStream, script: &Mutex<Script>, seen: &Mutex<Vec<Value>>) {
    let mut reader = BufReader::new(stream);
    while let Some((line, body)) = request(&mut reader) {
        let stream = reader.get_mut();
        let value: Value = serde_json::from_slice(&body).unwrap_or_default();
        let written = if line.starts_with("POST /v1/messages") && !line.contains("count_tokens") {
            seen.lock().unwrap().push(value.clone());
            // A script that panics fails its test by what follows; the client is not left to try again and again.
            let mut script = script.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let reply = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| script(&value)));
            drop(script);
            let reply = reply.unwrap_or(Reply::Error(400));
            answer(stream, &value, reply)
        } else if line.contains("count_tokens") {
            plain(stream, 200, &json!({"input_tokens": 10}))
        } else {
            plain(stream, 200, &json!({}))
        };
        if written.is_err() {
            return;
        }
    }
}

/// Reads one request: its first line and its body.
pub fn request(reader: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
    let mut first = String::new();
    if reader.read_line(&mut first).ok()? == 0 {
        return None;
    }
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let header = header.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((first, body))
}

/// Writes a JSON response.
pub fn plain(stream: &mut impl Write, status: u16, value: &Value) -> std::io::Result<()> {
    let text = value.to_string();
    write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{text}",
        text.len()
    )?;
    stream.flush()
}

static NUMBER: AtomicU64 = AtomicU64::new(1);

fn answer(stream: &mut TcpStream, body: &Value, reply: Reply) -> std::io::Result<()> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let dear = if matches!(reply, Reply::DearTool(..)) { 10 } else { 1 };
    let (block, delta, stop) = match reply {
        Reply::Silence => loop {
            std::thread::park();
        },
        Reply::Error(status) => {
            let error =
                json!({"type": "error", "error": {"type": "invalid_request_error", "message": "made up"}});
            return plain(stream, status, &error);
        }
        Reply::Text(text) => {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}), "end_turn")
        }
        Reply::Tool(name, input) | Reply::DearTool(name, input) => (
            json!({"type": "tool_use", "id": format!("toolu_{number:06}"), "name": name, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": input.to_string()}),
            "tool_use",
        ),
    };
    let usage = json!({"input_tokens": 100 * dear, "output_tokens": 20 * dear, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0});
    let message = json!({"id": format!("msg_{number:06}"), "type": "message", "role": "assistant",
        "model": body["model"], "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 20 * dear}}),
        json!({"type": "message_stop"}),
    ];
    let mut text = String::new();
    for event in &events {
        text.push_str(&format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap()));
    }
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{text}",
        text.len()
    )?;
    stream.flush()
}
