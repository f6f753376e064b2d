//! The lines between a client and the server: each is one message, and what is none is answered with the error that JSON-RPC
//! names for it (<https://www.jsonrpc.org/specification#error_object>).
//!
//! The protocol's library passes over what it cannot parse, and a client would wait for its answer. What a message means is not
//! known here. Start at [`line_streams`].

use rmcp::model::ErrorCode;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf,
    duplex, split,
};
use tokio::sync::mpsc::{Receiver, Sender, WeakSender, channel};
use tokio::task::JoinHandle;

/// The longest message, in bytes; the protocol's library takes none that is longer.
const LONGEST: usize = 16 << 20;
/// What is on its way between two tasks, in bytes and in lines.
const ON_ITS_WAY: usize = 1 << 16;
const LINES: usize = 64;

/// What every message has, as far as it has it.
#[derive(Deserialize)]
struct Envelope {
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    params: Option<Value>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

/// A field that is there, also where it is `null`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// What the server reads and writes.
pub(crate) type Streams = (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>);

/// Begins to carry lines between a client's two streams and the server. The task ends when the server is gone and all it said
/// was written.
pub(crate) fn line_streams(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> (Streams, JoinHandle<std::io::Result<()>>) {
    let (ours, theirs) = duplex(ON_ITS_WAY);
    let (answers, requests) = split(ours);
    let (lines, written) = channel(LINES);
    // A client that stays keeps nothing open once the server is gone.
    tokio::spawn(take_in(input, requests, lines.downgrade()));
    tokio::spawn(give_out(answers, lines));
    (split(theirs), tokio::spawn(write(output, written)))
}

/// Hands the client's messages to the server, and answers what is none.
async fn take_in(
    input: impl AsyncRead + Unpin,
    mut requests: WriteHalf<DuplexStream>,
    lines: WeakSender<Vec<u8>>,
) {
    let mut input = BufReader::new(input);
    while let Ok(Some(line)) = next(&mut input).await {
        let refused = match &line {
            Some(line) => problem(line),
            None => Some(error(ErrorCode::INVALID_REQUEST, "the message is too long", Value::Null)),
        };
        let passed = match (refused, line) {
            (Some(refused), _) => match lines.upgrade() {
                Some(lines) => lines.send(refused).await.is_ok(),
                None => false,
            },
            (None, Some(line)) => requests.write_all(&line).await.is_ok(),
            (None, None) => true,
        };
        if !passed {
            break;
        }
    }
    // The server sees that its client is gone.
    let _ = requests.shutdown().await;
}

/// The next line with its break; `None` inside for one that is too long.
async fn next(input: &mut (impl AsyncBufReadExt + Unpin)) -> std::io::Result<Option<Option<Vec<u8>>>> {
    let (mut line, mut is_too_long) = (Vec::new(), false);
    loop {
        let held = input.fill_buf().await?;
        if held.is_empty() {
            // What has no break was not said to its end.
            return Ok(None);
        }
        let end = held.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(held.len(), |end| end + 1);
        is_too_long |= line.len() + length > LONGEST;
        if is_too_long {
            line.clear();
        } else {
            line.extend_from_slice(&held[..length]);
        }
        input.consume(length);
        if end.is_some() {
            return Ok(Some((!is_too_long).then_some(line)));
        }
    }
}

/// The answer to a line that is no message; nothing for one that is, and for an empty one.
fn problem(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return None;
    }
    // Read to its end: what is nested too deep or has half a character is no message for the library either.
    if serde_json::from_slice::<Value>(line).is_err() {
        return Some(error(ErrorCode::PARSE_ERROR, "not JSON", Value::Null));
    }
    let invalid = |problem, id| Some(error(ErrorCode::INVALID_REQUEST, problem, id));
    let Ok(envelope) = serde_json::from_slice::<Envelope>(line) else {
        return invalid("a message is one object, with each field once", Value::Null);
    };
    let is_answer = envelope.result.is_some() || envelope.error.is_some();
    // Who answers what could not be read knows no id.
    let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64() || (is_answer && id.is_null());
    if envelope.id.as_ref().is_some_and(|id| !is_id(id)) {
        return invalid("`id` must be a text or a whole number", Value::Null);
    }
    let id = envelope.id.unwrap_or_default();
    if envelope.jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
        return invalid("`jsonrpc` must be \"2.0\"", id);
    }
    match envelope.method {
        Some(Value::String(_)) if envelope.params.is_some_and(|params| !params.is_object()) => {
            invalid("`params` must be an object", id)
        }
        Some(Value::String(_)) => None,
        None if is_answer => None,
        _ => invalid("`method` must be a text", id),
    }
}

fn error(code: ErrorCode, message: &str, id: Value) -> Vec<u8> {
    let answer = json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": message}});
    format!("{answer}\n").into_bytes()
}

/// Takes the server's messages, each whole.
async fn give_out(answers: ReadHalf<DuplexStream>, lines: Sender<Vec<u8>>) {
    let mut answers = BufReader::new(answers);
    let mut line = Vec::new();
    while answers.read_until(b'\n', &mut line).await.is_ok_and(|length| length > 0) {
        if lines.send(std::mem::take(&mut line)).await.is_err() {
            break;
        }
    }
}

async fn write(mut output: impl AsyncWrite + Unpin, mut lines: Receiver<Vec<u8>>) -> std::io::Result<()> {
    while let Some(line) = lines.recv().await {
        output.write_all(&line).await?;
        output.flush().await?;
    }
    Ok(())
}
