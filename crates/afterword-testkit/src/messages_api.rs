//! A stand-in for the Messages API on loopback: as much of it as the client needs, answering from a script.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What the model says to one request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// Text, and the turn ends.
    Text(String),
    /// A tool is called, for so many times the usual price.
    Tool(String, Value, u64),
    /// Nothing, for ever.
    Silence,
    /// The service fails with this status.
    Error(u16),
}

impl Reply {
    /// A tool's call.
    pub fn tool(name: impl Into<String>, input: Value) -> Self {
        Self::Tool(name.into(), input, 1)
    }

    /// A tool's call that cost ten times as much.
    pub fn expensive_tool(name: impl Into<String>, input: Value) -> Self {
        Self::Tool(name.into(), input, 10)
    }
}

/// The stand-in; it ends with the test's process.
#[derive(Clone)]
pub struct MessagesApi {
    port: u16,
    /// Every request, as the client sent it.
    pub asked: Arc<Mutex<Vec<Value>>>,
    texts: Arc<Mutex<Vec<String>>>,
}

type Script = Box<dyn FnMut(&Value) -> Reply + Send>;

impl MessagesApi {
    /// Starts one that answers by `script`, which gets each request's body.
    pub fn start(script: impl FnMut(&Value) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
        let script: Arc<Mutex<Script>> = Arc::new(Mutex::new(Box::new(script)));
        let texts: Arc<Mutex<Vec<String>>> = Arc::default();
        let (seen, read) = (Arc::clone(&asked), Arc::clone(&texts));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, seen, read) = (Arc::clone(&script), Arc::clone(&seen), Arc::clone(&read));
                std::thread::spawn(move || serve(stream, &script, &seen, &read));
            }
        });
        Self { port, asked, texts }
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where it listens.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }

    /// Every request so far as it was written: a [`Value`] sorts its fields.
    pub fn texts(&self) -> Vec<String> {
        self.texts.lock().unwrap().clone()
    }
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

fn serve(stream: TcpStream, script: &Mutex<Script>, seen: &Mutex<Vec<Value>>, texts: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream);
    while let Some((line, body)) = request(&mut reader) {
        let stream = reader.get_mut();
        let value: Value = serde_json::from_slice(&body).unwrap_or_default();
        let written = if line.starts_with("POST /v1/messages") && !line.contains("count_tokens") {
            seen.lock().unwrap().push(value.clone());
            texts.lock().unwrap().push(String::from_utf8_lossy(&body).into_owned());
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
fn request(reader: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
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
fn plain(stream: &mut impl Write, status: u16, value: &Value) -> std::io::Result<()> {
    let text = value.to_string();
    write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{text}",
        text.len()
    )?;
    stream.flush()
}

static NUMBER: AtomicU64 = AtomicU64::new(1);

fn answer(stream: &mut TcpStream, request: &Value, reply: Reply) -> std::io::Result<()> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let (block, price, stop) = match reply {
        Reply::Silence => loop {
            std::thread::park();
        },
        Reply::Error(status) => {
            let error =
                json!({"type": "error", "error": {"type": "invalid_request_error", "message": "made up"}});
            return plain(stream, status, &error);
        }
        Reply::Text(text) => (json!({"type": "text", "text": text}), 1, "end_turn"),
        Reply::Tool(name, input, price) => {
            let id = format!("toolu_{number:06}");
            (json!({"type": "tool_use", "id": id, "name": name, "input": input}), price, "tool_use")
        }
    };
    let usage = json!({"input_tokens": 100 * price, "output_tokens": 20 * price, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0});
    let mut message = json!({"id": format!("msg_{number:06}"), "type": "message", "role": "assistant",
        "model": request["model"], "content": [block], "stop_reason": stop, "stop_sequence": null, "usage": usage});
    if request["stream"] != true {
        return plain(stream, 200, &message);
    }
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    streamed(stream, &message, block, stop)
}

/// Writes a message as server-sent events, the way the service streams.
fn streamed(stream: &mut TcpStream, message: &Value, mut block: Value, stop: &str) -> std::io::Result<()> {
    // A block begins empty; what is in it follows.
    let delta = if block["type"] == "tool_use" {
        let input = std::mem::replace(&mut block["input"], json!({}));
        json!({"type": "input_json_delta", "partial_json": input.to_string()})
    } else {
        let text = std::mem::replace(&mut block["text"], json!(""));
        json!({"type": "text_delta", "text": text})
    };
    let end = json!({"stop_reason": stop, "stop_sequence": null});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": end, "usage": {"output_tokens": message["usage"]["output_tokens"]}}),
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
