//! The model: the stand-in for the Messages API, with a queue of answers for conversations and fixed ones for what the client asks beside them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use afterword_testkit::messages_api::{MessagesApi, Reply};
use serde_json::Value;

/// The model.
pub(crate) struct Stub {
    api: MessagesApi,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    script: Mutex<VecDeque<Reply>>,
    asked: Mutex<Vec<Value>>,
}

impl Stub {
    pub(crate) fn start() -> Self {
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        Self { api: MessagesApi::start(move |request| reply(request, &shared)), state }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> String {
        self.api.address()
    }

    /// The port it listens on, which no other test's has.
    pub(crate) fn port(&self) -> u16 {
        self.api.port()
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
