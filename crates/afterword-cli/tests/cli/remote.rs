//! A tool server elsewhere, on loopback: a real MCP server over HTTP (`rmcp`) that lets nobody in without a token, and a
//! strict authorization server (OAuth 2.1) that gives them. What it does not like, it writes down and refuses.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The server, until the test ends.
#[derive(Clone)]
pub(crate) struct Remote {
    port: u16,
    state: Arc<Mutex<State>>,
}

/// What it knows.
#[derive(Default)]
pub(crate) struct State {
    clients: BTreeMap<String, String>,
    codes: BTreeMap<String, Grant>,
    access: BTreeMap<String, Instant>,
    refresh: BTreeMap<String, String>,
    used: BTreeSet<String>,
    /// Seconds that an access token holds.
    pub(crate) lifetime: u64,
    /// Every token and code it ever gave.
    pub(crate) given: Vec<String>,
    /// What it refused, and why.
    pub(crate) refused: Vec<String>,
    /// How often tokens were renewed.
    pub(crate) renewed: usize,
    /// Tokens that were handed back.
    pub(crate) taken_back: usize,
    /// How often the tool ran.
    pub(crate) looked: usize,
    /// Where a token was seen while the tool ran.
    pub(crate) seen: Vec<String>,
    /// The secret of the one client there is: none may register itself.
    secret: Option<String>,
    number: u64,
}

struct Grant {
    client: String,
    challenge: String,
    redirect: String,
}

impl Remote {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State { lifetime: 3600, ..State::default() }));
        let remote = Self { port, state };
        let serving = remote.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(serving.serve(listener));
        });
        remote
    }

    /// The address of the tool server.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Knows one client, that somebody registered by hand, and lets no program register itself.
    pub(crate) fn knows_only(&self, client: &str, secret: &str, port: u16) {
        let mut state = self.state();
        state.clients.insert(client.to_owned(), format!("http://127.0.0.1:{port}/callback"));
        state.secret = Some(secret.to_owned());
    }

    /// Takes everything back that it gave, as an administrator does.
    pub(crate) fn take_everything_back(&self) {
        let mut state = self.state();
        state.access.clear();
        state.refresh.clear();
    }

    async fn serve(self, listener: TcpListener) {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let own = self.clone();
        let mcp = StreamableHttpService::new(
            move || Ok(Mailbox::new(own.clone())),
            Arc::new(LocalSessionManager::default()),
            StreamableHttpServerConfig::default(),
        );
        while let Ok((stream, _)) = listener.accept().await {
            let (remote, mcp) = (self.clone(), mcp.clone());
            tokio::spawn(async move {
                let service =
                    hyper::service::service_fn(move |request| answer(remote.clone(), mcp.clone(), request));
                let stream = hyper_util::rt::TokioIo::new(stream);
                let _ = hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await;
            });
        }
    }

    /// The pages of the authorization server; what is not right is refused.
    fn page(&self, method: &str, target: &str, body: &[u8]) -> (u16, Vec<(&'static str, String)>, Value) {
        let base = format!("http://127.0.0.1:{}", self.port);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let said = |text: &[u8]| -> BTreeMap<String, String> {
            url::form_urlencoded::parse(text).into_owned().collect()
        };
        let result = match (method, path) {
            ("GET", "/.well-known/oauth-protected-resource/mcp") => Ok(json!({
                "resource": self.address(), "authorization_servers": [format!("{base}/login")],
                "scopes_supported": ["mail.read"]})),
            ("GET", "/.well-known/oauth-authorization-server/login") => {
                let mut metadata = json!({
                    "issuer": format!("{base}/login"), "authorization_endpoint": format!("{base}/login/authorize"),
                    "token_endpoint": format!("{base}/login/token"),
                    "revocation_endpoint": format!("{base}/login/revoke"), "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                    "authorization_response_iss_parameter_supported": true});
                if self.state().secret.is_none() {
                    metadata["registration_endpoint"] = json!(format!("{base}/login/register"));
                } else {
                    metadata["token_endpoint_auth_methods_supported"] = json!(["client_secret_post"]);
                }
                Ok(metadata)
            }
            ("POST", "/login/register") => self.register(&serde_json::from_slice(body).unwrap_or_default()),
            ("GET", "/login/authorize") => match self.authorize(&said(query.as_bytes()), &base) {
                Ok(address) => return (302, vec![("location", address)], Value::Null),
                Err(problem) => Err(problem),
            },
            ("POST", "/login/token") => self.token(&said(body)),
            ("POST", "/login/revoke") => {
                let mut state = self.state();
                let token = said(body)["token"].clone();
                let known = state.access.remove(&token).is_some() | state.refresh.remove(&token).is_some();
                state.taken_back += usize::from(known);
                Ok(json!({}))
            }
            _ => return (404, Vec::new(), json!({"error": "not_found"})),
        };
        match result {
            Ok(value) => (200, vec![("cache-control", "no-store".to_owned())], value),
            Err(problem) => {
                self.state().refused.push(problem.clone());
                let code = problem.split(':').next().unwrap_or_default().to_owned();
                (400, Vec::new(), json!({"error": code, "error_description": problem}))
            }
        }
    }

    fn register(&self, wanted: &Value) -> Result<Value, String> {
        let redirects = wanted["redirect_uris"].as_array().cloned().unwrap_or_default();
        let [redirect] = redirects.as_slice() else { return Err("invalid_redirect_uri: not one".into()) };
        let redirect = redirect.as_str().unwrap_or_default().to_owned();
        if !redirect.starts_with("http://127.0.0.1:") || wanted["token_endpoint_auth_method"] != "none" {
            return Err(format!("invalid_redirect_uri: {wanted}"));
        }
        let client = self.fresh("client");
        self.state().clients.insert(client.clone(), redirect.clone());
        Ok(json!({"client_id": client, "redirect_uris": [redirect], "client_name": wanted["client_name"],
            "token_endpoint_auth_method": "none"}))
    }

    fn authorize(&self, asked: &BTreeMap<String, String>, base: &str) -> Result<String, String> {
        let value = |name: &str| asked.get(name).map(String::as_str).unwrap_or_default();
        let must = |name: &str, expected: &str| match value(name) == expected {
            true => Ok(()),
            false => Err(format!("invalid_request: {name} is `{}`, not `{expected}`", value(name))),
        };
        must("response_type", "code")?;
        must("code_challenge_method", "S256")?;
        must("resource", &self.address())?;
        must("scope", "mail.read")?;
        let redirect = self.state().clients.get(value("client_id")).cloned();
        must("redirect_uri", &redirect.ok_or("invalid_client: unknown")?)?;
        if value("code_challenge").len() != 43 || value("state").len() < 16 {
            return Err("invalid_request: no challenge or no state".into());
        }
        let code = self.fresh("code");
        let (client, challenge, redirect) = (
            value("client_id").to_owned(),
            value("code_challenge").to_owned(),
            value("redirect_uri").to_owned(),
        );
        let mut back = url::Url::parse(&redirect).map_err(|error| error.to_string())?;
        back.query_pairs_mut()
            .append_pair("code", &code)
            .append_pair("state", value("state"))
            .append_pair("iss", &format!("{base}/login"));
        self.state().codes.insert(code, Grant { client, challenge, redirect });
        Ok(back.to_string())
    }

    fn token(&self, form: &BTreeMap<String, String>) -> Result<Value, String> {
        let value = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        if value("resource") != self.address() {
            return Err(format!("invalid_target: {}", value("resource")));
        }
        let client = value("client_id").to_owned();
        if self.state().secret.as_ref().is_some_and(|secret| secret != value("client_secret")) {
            return Err("invalid_client: another secret".into());
        }
        match value("grant_type") {
            "authorization_code" => {
                // A code serves once.
                let grant = self.state().codes.remove(value("code")).ok_or("invalid_grant: no such code")?;
                let proof = URL_SAFE_NO_PAD.encode(Sha256::digest(value("code_verifier")));
                if grant.client != client
                    || grant.redirect != value("redirect_uri")
                    || grant.challenge != proof
                {
                    return Err("invalid_grant: client, redirect or proof differ".into());
                }
            }
            "refresh_token" => {
                let mut state = self.state();
                let old = value("refresh_token").to_owned();
                if state.used.contains(&old) {
                    state.access.clear();
                    state.refresh.clear();
                    return Err("invalid_grant: a refresh token was used twice".into());
                }
                if state.refresh.remove(&old) != Some(client.clone()) {
                    return Err("invalid_grant: no such refresh token".into());
                }
                state.used.insert(old);
                state.renewed += 1;
            }
            other => return Err(format!("unsupported_grant_type: {other}")),
        }
        let (access, refresh) = (self.fresh("access"), self.fresh("refresh"));
        let mut state = self.state();
        let lifetime = state.lifetime;
        state.access.insert(access.clone(), Instant::now() + Duration::from_secs(lifetime));
        state.refresh.insert(refresh.clone(), client);
        Ok(json!({"access_token": access, "refresh_token": refresh, "token_type": "Bearer",
            "expires_in": lifetime, "scope": "mail.read"}))
    }

    /// A word nobody can guess, which is noted.
    fn fresh(&self, kind: &str) -> String {
        let mut state = self.state();
        state.number += 1;
        let digest = Sha256::digest(format!("{}{kind}{}", self.port, state.number));
        // As long as such tokens are: two entries of a keyring.
        let word = format!(
            "{kind}-{}",
            URL_SAFE_NO_PAD.encode(digest).repeat(if kind == "access" { 40 } else { 1 })
        );
        if kind != "client" {
            state.given.push(word.clone());
        }
        word
    }

    fn lets_in(&self, header: Option<&str>) -> bool {
        let token = header.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        self.state().access.get(token).is_some_and(|until| Instant::now() < *until)
    }
}

type Answered = Response<BoxBody<Bytes, Infallible>>;

async fn answer(
    remote: Remote,
    mcp: StreamableHttpService<Mailbox, LocalSessionManager>,
    request: Request<Incoming>,
) -> Result<Answered, Infallible> {
    let target = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    let header =
        request.headers().get("authorization").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let whole = |text: String| http_body_util::Full::new(Bytes::from(text)).boxed();
    if target == "/mcp" {
        if remote.lets_in(header.as_deref()) {
            return Ok(mcp.handle(request).await);
        }
        let where_to = format!(
            "Bearer resource_metadata=\"http://127.0.0.1:{}/.well-known/oauth-protected-resource/mcp\"",
            remote.port
        );
        let refused = Response::builder().status(401).header("www-authenticate", where_to);
        return Ok(refused.body(whole("{}".into())).unwrap());
    }
    let method = request.method().to_string();
    let body =
        request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let (status, headers, value) = remote.page(&method, &target, &body);
    let mut response = Response::builder().status(status).header("content-type", "application/json");
    for (name, value) in headers {
        response = response.header(name, value);
    }
    Ok(response.body(whole(value.to_string())).unwrap())
}

/// The tool server.
#[derive(Clone)]
struct Mailbox {
    remote: Remote,
}

#[tool_router]
impl Mailbox {
    fn new(remote: Remote) -> Self {
        Self { remote }
    }

    /// Says what came.
    #[tool(description = "Look at the mail")]
    async fn look(&self) -> String {
        let given = self.remote.state().given.clone();
        let seen = given.iter().flat_map(|token| crate::keys::processes_with(token)).collect::<Vec<_>>();
        let mut state = self.remote.state();
        state.looked += 1;
        state.seen.extend(seen);
        "Invoice 17 is due on Friday.".to_owned()
    }
}

#[tool_handler]
impl ServerHandler for Mailbox {}

/// Opens a page as a browser does, and goes along one redirect.
pub(crate) fn browse(address: &str) -> String {
    let first = get(address);
    match first.lines().find_map(|line| line.strip_prefix("location: ")) {
        Some(next) => get(next.trim()),
        None => first,
    }
}

fn get(address: &str) -> String {
    let url = url::Url::parse(address).unwrap();
    let host = format!("127.0.0.1:{}", url.port().unwrap());
    let mut stream = TcpStream::connect(&host).unwrap();
    let target = &url[url::Position::BeforePath..];
    write!(stream, "GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}
