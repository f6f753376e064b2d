//! `afterword mcp` behind a URL, as the suite wants a server: a message that is posted goes to the built program's stdin as one
//! line, and the lines it says until it has answered go back as they are.
//!
//! Of its own it has only what HTTP needs: a session's id, and a status for an answer. Each session has a process, and one more is
//! for all that is said without a session, as in the revision of 2026-07-28.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;

/// Starts a server whose streams are to be spoken to.
type Start = dyn Fn() -> Command + Send + Sync;
/// By their ids; the empty one is of what is said without a session.
type Sessions = Mutex<HashMap<String, Arc<Mutex<Server>>>>;

/// Serves until the process ends; gives the URL.
pub(crate) fn serve(start: impl Fn() -> Command + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let (start, sessions): (Arc<Start>, Arc<Sessions>) = (Arc::new(start), Arc::default());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (start, sessions) = (Arc::clone(&start), Arc::clone(&sessions));
            thread::spawn(move || while answer(&stream, &*start, &sessions).is_some() {});
        }
    });
    url
}

/// Answers one request; `None` when the connection is done with.
fn answer(stream: &TcpStream, start: &Start, sessions: &Sessions) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let method = line.split(' ').next()?.to_owned();
    let (mut length, mut session) = (0, None);
    loop {
        line.clear();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = line.trim().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "mcp-session-id" => session = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    if method == "DELETE" {
        let ended = session.and_then(|id| sessions.lock().unwrap().remove(&id));
        return reply(stream, if ended.is_some() { 200 } else { 404 }, "", "");
    }
    if method != "POST" {
        return reply(stream, 405, "", "");
    }
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let mut head = String::new();
    let server = {
        let mut sessions = sessions.lock().unwrap();
        let begun = || Arc::new(Mutex::new(Server::start(start)));
        if let Some(id) = &session {
            sessions.get(id).cloned()
        } else if message["method"] == "initialize" && message["params"]["protocolVersion"].is_string() {
            let server = begun();
            let id = format!("session-{}", server.lock().unwrap().child.id());
            head = format!("mcp-session-id: {id}\r\n");
            sessions.insert(id, Arc::clone(&server));
            Some(server)
        } else {
            Some(Arc::clone(sessions.entry(String::new()).or_insert_with(begun)))
        }
    };
    let Some(server) = server else { return reply(stream, 404, "", "") };
    let Some(said) = server.lock().unwrap().exchange(&message) else {
        // It ended without an answer.
        sessions.lock().unwrap().retain(|_, other| !Arc::ptr_eq(other, &server));
        return reply(stream, 502, &head, "");
    };
    let code = said.last().and_then(|line| line["error"]["code"].as_i64());
    let status = match code {
        _ if said.is_empty() => 202,
        Some(_) if session.is_some() => 200,
        Some(-32601) => 404,
        Some(-32700 | -32602..=-32600 | -32022..=-32020) => 400,
        _ => 200,
    };
    let events: String = said.iter().map(|line| format!("event: message\ndata: {line}\n\n")).collect();
    reply(stream, status, &format!("{head}content-type: text/event-stream\r\n"), &events)
}

fn reply(mut stream: &TcpStream, status: u16, head: &str, body: &str) -> Option<()> {
    let length = body.len();
    write!(stream, "HTTP/1.1 {status} -\r\n{head}content-length: {length}\r\n\r\n{body}").ok()
}

/// A process of the program; it ends when its stdin does.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Server {
    fn start(start: &Start) -> Self {
        let mut child = start().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, stdin, stdout }
    }

    /// Everything it says until it has answered; nothing for what wants no answer, `None` where it ended instead.
    fn exchange(&mut self, message: &Value) -> Option<Vec<Value>> {
        writeln!(self.stdin.as_mut()?, "{message}").ok()?;
        let mut said: Vec<Value> = Vec::new();
        if message.get("method").is_none() || message.get("id").is_none() {
            return Some(said);
        }
        loop {
            let mut line = String::new();
            self.stdout.read_line(&mut line).ok().filter(|read| *read > 0)?;
            let line: Value = serde_json::from_str(&line).unwrap();
            let is_answer = line.get("method").is_none() && line["id"] == message["id"];
            said.push(line);
            if is_answer {
                return Some(said);
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stdin.take();
        let _ = self.child.wait();
    }
}
