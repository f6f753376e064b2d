//! A stand-in for the Messages API on loopback: as much of it as the client needs, answering from a script.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// One answer of the model.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Words; they end the turn.
    Text(String),
    /// A tool's call.
    Call(String, Value),
    /// Nothing, for as long as the client waits.
    Silence,
}

/// The model.
pub(crate) struct Stub {
    pub(crate) port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    script: Mutex<VecDeque<Reply>>,
    asked: Mutex<Vec<Value>>,
    number: AtomicU32,
}

impl Stub {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                thread::spawn(move || while answer(&stream, &state).is_some() {});
            }
        });
        Self { port, state }
    }

    /// What the model will answer next, in this order; after that it says `Done.`.
    pub(crate) fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state.script.lock().unwrap().extend(replies);
    }

    /// The conversations' requests so far, side requests left out.
    pub(crate) fn conversation_requests(&self) -> Vec<Value> {
        self.state.asked.lock().unwrap().clone()
    }
}

/// Whether a request offers the model a tool: with its schema, or by its name alone, as newer clients do until the model looks it up.
pub(crate) fn offers(request: &Value, tool: &str) -> bool {
    request.to_string().contains(tool)
}

/// Answers one request; `None` when the connection is done with.
fn answer(stream: &TcpStream, state: &State) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok().filter(|read| *read > 0)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let mut words = first.split(' ');
    let (method, path) = (words.next()?, words.next()?);
    if method != "POST" || !path.starts_with("/v1/messages") {
        return plain(stream, &json!({}));
    }
    if path.contains("count_tokens") {
        return plain(stream, &json!({"input_tokens": 1000}));
    }
    let request: Value = serde_json::from_slice(&body).ok()?;
    let reply = reply(&request, state);
    let number = state.number.fetch_add(1, Ordering::Relaxed);
    if request["stream"] == true {
        streamed(stream, &request, &reply, number)
    } else {
        plain(stream, &whole(&request, &reply, number))
    }
}

fn reply(request: &Value, state: &State) -> Reply {
    let last =
        request["messages"].as_array().and_then(|all| all.last()).map(Value::to_string).unwrap_or_default();
    if last.contains("create a detailed summary of") {
        return Reply::Text(
            "<summary>The user stated rules for documents. They were followed.</summary>".to_owned(),
        );
    }
    // Titles and the like are asked for without tools.
    if request["tools"].as_array().is_none_or(Vec::is_empty) {
        return Reply::Text("{\"title\": \"Work\"}".to_owned());
    }
    state.asked.lock().unwrap().push(request.clone());
    state.script.lock().unwrap().pop_front().unwrap_or_else(|| Reply::Text("Done.".to_owned()))
}

fn plain(mut stream: &TcpStream, value: &Value) -> Option<()> {
    let text = value.to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        text.len()
    );
    stream.write_all(format!("{head}{text}").as_bytes()).ok()
}

fn block(reply: &Reply, number: u32) -> Option<Value> {
    match reply {
        Reply::Text(text) => Some(json!({"type": "text", "text": text})),
        Reply::Call(name, input) => Some(
            json!({"type": "tool_use", "id": format!("toolu_{number:06}"), "name": name, "input": input}),
        ),
        Reply::Silence => None,
    }
}

fn whole(request: &Value, reply: &Reply, number: u32) -> Value {
    json!({
        "id": format!("msg_{number:06}"), "type": "message", "role": "assistant", "model": request["model"],
        "content": block(reply, number).into_iter().collect::<Vec<_>>(), "stop_reason": stop(reply), "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    })
}

fn stop(reply: &Reply) -> &'static str {
    if matches!(reply, Reply::Call(..)) { "tool_use" } else { "end_turn" }
}

/// As server-sent events, the way the service streams.
fn streamed(mut stream: &TcpStream, request: &Value, reply: &Reply, number: u32) -> Option<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).ok()?;
    let mut event = |value: Value| {
        let text = format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default());
        stream.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes()).ok()
    };
    let mut message = whole(request, &Reply::Silence, number);
    message["stop_reason"] = Value::Null;
    event(json!({"type": "message_start", "message": message}))?;
    let Some(block) = block(reply, number) else {
        // Until the client is gone.
        while event(json!({"type": "ping"})).is_some() {
            thread::sleep(Duration::from_millis(200));
        }
        return None;
    };
    let (start, delta) = match reply {
        Reply::Call(_, input) => {
            let mut start = block;
            start["input"] = json!({});
            (start, json!({"type": "input_json_delta", "partial_json": input.to_string()}))
        }
        _ => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": block["text"]})),
    };
    event(json!({"type": "content_block_start", "index": 0, "content_block": start}))?;
    event(json!({"type": "content_block_delta", "index": 0, "delta": delta}))?;
    event(json!({"type": "content_block_stop", "index": 0}))?;
    let end = json!({"stop_reason": stop(reply), "stop_sequence": null});
    event(json!({"type": "message_delta", "delta": end, "usage": {"output_tokens": 10}}))?;
    event(json!({"type": "message_stop"}))?;
    stream.write_all(b"0\r\n\r\n").ok()
}
