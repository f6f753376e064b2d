//! A provider of models on loopback: it answers as it is told, and remembers what it received.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// An answer: status, headers, body.
pub type Response = (u16, &'static str, String);

/// Headers of an answer whose end never comes.
pub const CUT_SHORT: &str = "x-cut-short: yes\r\n";

/// A provider that listens as long as the test runs.
pub struct Provider {
    /// Where it listens, without a path.
    pub address: String,
    received: Arc<Mutex<Vec<String>>>,
}

impl Provider {
    /// Answers every request by what `answer` makes of it and of how many came before.
    pub fn answering(answer: impl Fn(&str, usize) -> Response + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let receiving = Arc::clone(&received);
        std::thread::spawn(move || {
            let mut index = 0;
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read(&stream);
                // Somebody looked whether it listens.
                if request.trim().is_empty() {
                    continue;
                }
                receiving.lock().unwrap().push(request.clone());
                let (status, headers, said) = answer(&request, index);
                index += 1;
                if status == 0 {
                    // Never answers: the connection stays open as long as the reader.
                    std::mem::forget(stream);
                    continue;
                }
                let said = with_tokens_read(&said, &request);
                // Some connections end in the middle.
                let length = said.len() + if headers == CUT_SHORT { 100 } else { 0 };
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{said}"
                );
            }
        });
        Self { address, received }
    }

    /// Answers one request after the other by these; the last is given again and again.
    pub fn saying(answers: Vec<Response>) -> Self {
        Self::answering(move |_, index| answers[index.min(answers.len() - 1)].clone())
    }

    /// Everything that came: heads with bodies.
    pub fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }
}

fn read(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    format!("{head}\n{}", String::from_utf8_lossy(&body))
}

/// A token for every four bytes that came.
fn with_tokens_read(said: &str, request: &str) -> String {
    let body = request.split_once("\n\n").map_or(request, |(_, body)| body);
    said.replace("\"prompt_tokens\":null", &format!("\"prompt_tokens\":{}", body.len() / 4))
}

/// An answer of the Messages API, in the shape its documentation has.
pub fn message(stop: &str, input: &Value) -> String {
    json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-4-5",
        "content": [{"type": "tool_use", "id": "t", "name": "answer", "input": input}],
        "stop_reason": stop, "usage": {"input_tokens": 1000, "output_tokens": 200}})
    .to_string()
}

/// An answer of chat completions with a thousand tokens, in the shape its documentation has. A provider fills in how much it read.
pub fn completion(finish: &str, text: &str) -> String {
    completion_of(1000, finish, text)
}

/// The same with so many tokens.
pub fn completion_of(tokens: u64, finish: &str, text: &str) -> String {
    json!({"id": "c", "object": "chat.completion", "model": "small",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": null, "completion_tokens": tokens}})
    .to_string()
}

/// A preference as a model answers it, resting on words of a line.
pub fn preference(title: &str, line: u64, quote: &str) -> Value {
    json!({"n": 0, "kind": "preference", "scope": "project", "signal": "standing-rule", "confidence": "high", "title": title,
        "body": "The person said so.", "evidence": [{"line": line, "quote": quote}], "same_as": "", "replaces": "",
        "why": "Said outright."})
}

/// An answer with these lessons, and these verdicts on the candidates that were shown.
pub fn lessons(verdicts: &[Value], lessons: &[Value]) -> Value {
    json!({"candidates": verdicts, "lessons": lessons, "pages": [], "handoff": "",
        "session": {"title": "", "outcome": "unclear", "because": "", "line": 0, "quote": ""}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_turn_and_remembers_what_came() {
        let provider = Provider::saying(vec![(500, "", "first".to_owned()), (200, "", "then".to_owned())]);
        let ask = |body: &str| {
            let address = provider.address.strip_prefix("http://").unwrap();
            let mut stream = TcpStream::connect(address).unwrap();
            write!(stream, "POST / HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        assert!(ask("one").starts_with("HTTP/1.1 500"));
        assert!(ask("two").ends_with("then") && ask("three").ends_with("then"));
        assert!(provider.received()[1].ends_with("\ntwo"));
    }
}
