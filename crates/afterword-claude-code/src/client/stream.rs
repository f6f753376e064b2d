//! What the client prints with `--output-format stream-json`: one JSON object a line, of which the first and the last
//! count. Seen with versions 2.1; unknown lines are passed over.

use std::collections::BTreeMap;

use afterword_core::SessionId;
use serde::Deserialize;
use serde_json::Value;

use super::group::ProcessEnd;
use super::{ClientError, Cost, Reply, SessionUse};
use crate::price::{Price, TokensRead};

/// Reads lines into a reply.
#[derive(Debug, Default)]
pub(super) struct ReplyReader {
    reply: Reply,
    result: Option<ResultLine>,
    /// Why its last message is none of the model's, in the client's own short words.
    trouble: Option<String>,
    /// What each message of a model took, by its id: of a run without a result that is all there is.
    messages: BTreeMap<String, (String, Usage)>,
}

/// Troubles that pass, or that somebody has to mend: seen with 2.1.197, and as its SDK lists them.
const PASSING: [&str; 6] = [
    "authentication_failed",
    "billing_error",
    "rate_limit",
    "overloaded",
    "server_error",
    "oauth_org_not_allowed",
];
/// Statuses of the service that say the same.
fn is_passing(status: u16) -> bool {
    matches!(status, 401 | 402 | 403 | 408 | 429 | 500..=599)
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    subtype: String,
}

#[derive(Deserialize)]
struct MessageLine {
    error: Option<String>,
    #[serde(default)]
    message: Message,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    id: String,
    model: String,
    usage: Usage,
}

#[derive(Deserialize)]
struct InitLine {
    session_id: String,
    #[serde(default)]
    mcp_servers: Vec<Server>,
}

#[derive(Deserialize)]
struct Server {
    name: String,
    #[serde(default)]
    status: String,
}

#[derive(Debug, Deserialize)]
struct ResultLine {
    #[serde(default)]
    subtype: String,
    #[serde(default)]
    is_error: bool,
    #[serde(default)]
    result: String,
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    session_id: String,
    /// Of this run alone with 2.1.197, of the whole session with 2.1.330.
    #[serde(default)]
    total_cost_usd: f64,
    /// What this run cost, by model: since 2.1.330.
    #[serde(default)]
    model_usage_since_last_result: Option<BTreeMap<String, ModelUsage>>,
    #[serde(default)]
    num_turns: u64,
    #[serde(default)]
    usage: Usage,
    #[serde(default)]
    permission_denials: Vec<Denial>,
    #[serde(default)]
    api_error_status: Option<u16>,
    structured_output: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ModelUsage {
    #[serde(rename = "costUSD")]
    usd: f64,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct Usage {
    input_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
    /// How the tokens written into caches are divided.
    cache_creation: Option<CacheCreation>,
    output_tokens: u64,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
struct CacheCreation {
    ephemeral_1h_input_tokens: u64,
}

#[derive(Debug, Deserialize)]
struct Denial {
    #[serde(default)]
    tool_name: String,
}

impl ReplyReader {
    pub(super) fn line(&mut self, line: &str) {
        let Ok(kind) = serde_json::from_str::<Kind>(line) else { return };
        match (kind.kind.as_str(), kind.subtype.as_str()) {
            ("system", "init") => {
                if let Ok(init) = serde_json::from_str::<InitLine>(line) {
                    self.reply.session = SessionId::parse(&init.session_id);
                    self.reply.tool_servers =
                        init.mcp_servers.into_iter().map(|server| (server.name, server.status)).collect();
                }
            }
            ("assistant", _) => {
                let line = serde_json::from_str::<MessageLine>(line).ok();
                if let Some(MessageLine { error: None, message }) = &line {
                    self.reply.model.clone_from(&message.model);
                    // A message comes in several lines, a block of it each.
                    self.messages.insert(message.id.clone(), (message.model.clone(), message.usage));
                }
                self.trouble = line.and_then(|line| line.error);
            }
            ("result", _) => self.result = serde_json::from_str(line).ok(),
            _ => {}
        }
    }

    /// What the run cost as far as can be told: by its messages and at list prices where it was ended before its result.
    pub(super) fn total_cost(&self) -> Cost {
        if let Some(result) = &self.result {
            return result.cost();
        }
        let mut cost = Cost::default();
        for (model, usage) in self.messages.values() {
            let price = Price::list_price(model).unwrap_or(Price::DEAREST);
            cost.usd += price.of_cached(usage.read_by_price(), usage.output_tokens);
            cost.input_tokens = cost.input_tokens.saturating_add(usage.read());
            cost.output_tokens = cost.output_tokens.saturating_add(usage.output_tokens);
            cost.turns += 1;
        }
        cost
    }

    pub(super) fn finish(mut self, ended: ProcessEnd, session: &SessionUse) -> Result<Reply, ClientError> {
        let Some(result) = self.result else {
            let complaint = last_lines(&ended.complaint);
            let problem = if complaint.is_empty() {
                format!("it ended without an answer ({})", ended.status)
            } else {
                complaint
            };
            let cost = self.total_cost();
            return Err(unknown_session(&problem, session).unwrap_or(ClientError::Failed { problem, cost }));
        };
        let cost = result.cost();
        if result.is_error || result.subtype.starts_with("error") || !ended.success {
            // The result of a run that went well are the model's words, which are written into no log.
            let words = if result.is_error { result.result } else { String::new() };
            let said = [result.errors.join("; "), words].map(|text| first_lines(&text));
            let subtype = if result.is_error || result.subtype != "success" {
                result.subtype.clone()
            } else {
                String::new()
            };
            let otherwise = [last_lines(&ended.complaint), subtype];
            let problem =
                said.into_iter().chain(otherwise).find(|text| !text.is_empty()).unwrap_or(ended.status);
            if result.subtype == "error_max_budget_usd" {
                return Err(ClientError::TooExpensive { cost });
            }
            let named = self.trouble.as_deref().is_some_and(|trouble| PASSING.contains(&trouble));
            if named || result.api_error_status.is_some_and(is_passing) {
                return Err(ClientError::Unavailable { problem, cost });
            }
            return Err(unknown_session(&problem, session).unwrap_or(ClientError::Failed { problem, cost }));
        }
        if let Some(id) = SessionId::parse(&result.session_id) {
            self.reply.session = Some(id);
        }
        let denied = result.permission_denials.into_iter().map(|denial| denial.tool_name);
        Ok(Reply {
            text: result.result,
            structured: result.structured_output,
            cost,
            denied: denied.filter(|name| !name.is_empty()).collect(),
            ..self.reply
        })
    }
}

impl ResultLine {
    /// What this run cost.
    fn cost(&self) -> Cost {
        let own = self.model_usage_since_last_result.as_ref();
        let usd = own.map_or(self.total_cost_usd, |models| models.values().map(|model| model.usd).sum());
        Cost {
            usd: if usd.is_finite() { usd.max(0.0) } else { 0.0 },
            input_tokens: self.usage.read(),
            output_tokens: self.usage.output_tokens,
            turns: self.num_turns,
        }
    }
}

impl Usage {
    fn read_by_price(self) -> TokensRead {
        let an_hour = self.cache_creation.unwrap_or_default().ephemeral_1h_input_tokens;
        let an_hour = an_hour.min(self.cache_creation_input_tokens);
        TokensRead {
            fresh: self.input_tokens,
            into_cache: self.cache_creation_input_tokens - an_hour,
            into_cache_for_an_hour: an_hour,
            from_cache: self.cache_read_input_tokens,
        }
    }

    /// Tokens read, from caches or not.
    fn read(self) -> u64 {
        let cached = self.cache_creation_input_tokens.saturating_add(self.cache_read_input_tokens);
        self.input_tokens.saturating_add(cached)
    }
}

/// The words with which the client says that it does not know a session.
fn unknown_session(problem: &str, session: &SessionUse) -> Option<ClientError> {
    match session {
        SessionUse::Resume(id) if problem.contains("No conversation found") => {
            Some(ClientError::SessionGone { session: id.clone() })
        }
        _ => None,
    }
}

/// Lines of a message that are shown.
const LINES: usize = 3;
/// Characters of them.
const LONGEST: usize = 500;

/// What the client says went wrong: that comes first, what to do next follows.
fn first_lines(text: &str) -> String {
    joined(informative_lines(text).take(LINES))
}

/// What a program wrote before it ended: the last is why.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = informative_lines(text).collect();
    joined(lines[lines.len().saturating_sub(LINES)..].iter().copied())
}

fn joined<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect()
}

/// The lines that say something to a person: not the numbers by which the provider finds a request.
fn informative_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_number = |line: &str| {
        let line = line.to_lowercase();
        ["request id", "request_id", "request-id", "req_"].iter().any(|start| line.starts_with(start))
    };
    text.lines().map(str::trim).filter(move |line| !line.is_empty() && !is_number(line))
}
