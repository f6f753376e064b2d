//! A client for the MCP conformance suite (`@modelcontextprotocol/conformance`): it signs in as Afterword does, and speaks
//! to the tool server as Claude Code does with the token it is given. The suite names the server's address.

use std::time::Duration;

use afterword_sign_in::{RegisteredClient, SignIn, SignInTerms, Token, Tokens, refresh};
use jiff::Timestamp;
use serde_json::{Value, json};
use ureq::http::Request;

/// The last revision of the protocol in which a client says hello.
const WITH_A_SESSION: &str = "2025-11-25";
/// How often a person would sign in again for one request.
const SIGN_INS: usize = 3;

type Failure = Box<dyn std::error::Error>;

struct Client {
    server: String,
    revision: String,
    registered: Option<RegisteredClient>,
    tokens: Option<Tokens>,
    sign_ins: usize,
}

/// What a server answered.
struct Answer {
    status: u16,
    challenge: String,
    session: Option<String>,
}

fn main() -> Result<(), Failure> {
    let server = std::env::args().next_back().ok_or("the server's address is missing")?;
    let context: Value = match std::env::var("MCP_CONFORMANCE_CONTEXT") {
        Ok(text) => serde_json::from_str(&text)?,
        Err(_) => Value::Null,
    };
    let registered = context["client_id"].as_str().map(|id| RegisteredClient {
        id: id.to_owned(),
        secret: context["client_secret"].as_str().map(Token::new),
        port: None,
    });
    let revision =
        std::env::var("MCP_CONFORMANCE_PROTOCOL_VERSION").unwrap_or_else(|_| WITH_A_SESSION.to_owned());
    let mut client = Client { server, revision, registered, tokens: None, sign_ins: 0 };
    let mut session = None;
    // Later revisions know no session.
    if client.revision == WITH_A_SESSION {
        let hello = json!({"protocolVersion": WITH_A_SESSION, "capabilities": {}, "clientInfo": {"name": "afterword", "version": "0"}});
        session = client.ask(&request(1, "initialize", hello), None)?;
        client.ask(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), session.as_deref())?;
    }
    let session = session.as_deref();
    client.ask(&request(2, "tools/list", json!({})), session)?;
    client.ask(&request(3, "tools/call", json!({"name": "test-tool", "arguments": {}})), session)?;
    Ok(())
}

fn request(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

impl Client {
    /// Asks, and signs in where the server wants that, or wants more.
    fn ask(&mut self, body: &Value, session: Option<&str>) -> Result<Option<String>, Failure> {
        loop {
            let answer = self.send(body, session)?;
            match answer.status {
                401 if self.renewed() => {}
                401 => self.sign_in(Vec::new())?,
                403 if answer.challenge.contains("insufficient_scope") => {
                    let scope =
                        answer.challenge.split_once("scope=\"").and_then(|(_, rest)| rest.split_once('"'));
                    let scopes = scope.map_or("", |(scopes, _)| scopes);
                    self.sign_in(scopes.split_whitespace().map(str::to_owned).collect())?;
                }
                200..300 => return Ok(answer.session),
                status => return Err(format!("the server answered {status}").into()),
            }
        }
    }

    fn send(&self, body: &Value, session: Option<&str>) -> Result<Answer, Failure> {
        let mut request = Request::post(&self.server)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", &self.revision);
        if let Some(method) = body["method"].as_str() {
            request = request.header("mcp-method", method);
        }
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        if let Some(tokens) = &self.tokens {
            request = request.header("authorization", format!("Bearer {}", tokens.access.reveal()));
        }
        let mut body = body.clone();
        if self.revision != WITH_A_SESSION {
            body["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": self.revision,
                "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/clientInfo": {"name": "afterword", "version": "0"}});
        }
        if let Some(name) = body["params"]["name"].as_str() {
            request = request.header("mcp-name", name);
        }
        let response = agent().run(request.body(body.to_string().into_bytes())?)?;
        let header = |name: &str| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        Ok(Answer {
            status: response.status().as_u16(),
            challenge: header("www-authenticate").unwrap_or_default(),
            session: header("mcp-session-id"),
        })
    }

    /// Brings a fresh token where that is possible without the person.
    fn renewed(&mut self) -> bool {
        let fresh =
            self.tokens.as_ref().and_then(|tokens| refresh(&self.server, tokens, Timestamp::now()).ok());
        let is_new = fresh
            .as_ref()
            .is_some_and(|fresh| Some(&fresh.access) != self.tokens.as_ref().map(|old| &old.access));
        if is_new {
            self.tokens = fresh;
        }
        is_new
    }

    fn sign_in(&mut self, wanted: Vec<String>) -> Result<(), Failure> {
        self.sign_ins += 1;
        if self.sign_ins > SIGN_INS {
            return Err("nobody signs in so often".into());
        }
        let terms = SignInTerms { client: self.registered.clone(), granted: self.tokens.take(), wanted };
        let sign_in = SignIn::begin(&self.server, &terms)?;
        let page = sign_in.address().to_owned();
        let person = std::thread::spawn(move || browse(&page));
        let tokens = sign_in.finish(Duration::from_secs(20), &|| false, Timestamp::now());
        person.join().map_err(|_| "the browser failed")?.ok();
        self.tokens = Some(tokens?);
        Ok(())
    }
}

/// Follows the page's redirect, as a browser does.
fn browse(page: &str) -> Result<(), ureq::Error> {
    let response = agent().get(page).call()?;
    if let Some(next) = response.headers().get("location").and_then(|value| value.to_str().ok()) {
        agent().get(next).call()?;
    }
    Ok(())
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into()
}
