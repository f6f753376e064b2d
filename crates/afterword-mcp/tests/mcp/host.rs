//! A machine of its own for each test, and a client connected to the server on it.

use std::ops::Deref;
use std::path::PathBuf;

use afterword_app::init;
use afterword_testkit::Sandbox;
use afterword_testkit::transcript::Transcript;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::{ServiceExt, model::JsonObject};
use serde_json::Value;

pub(crate) struct Host {
    sandbox: Sandbox,
    pub(crate) client: RunningService<RoleClient, ()>,
}

impl Deref for Host {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl Host {
    /// A host with a vault, and no session yet.
    pub(crate) async fn new() -> Self {
        let sandbox = Sandbox::empty();
        let environment = sandbox.environment();
        init::init(&environment, None).unwrap();
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let server = afterword_mcp::Server::new(environment).serve(ours).await.unwrap();
            let _ = server.waiting().await;
        });
        Self { client: ().serve(theirs).await.unwrap(), sandbox }
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.path("afterword/vault")
    }

    /// A session of the project the server works in, in which the user states a rule, or gives a command.
    pub(crate) fn session(&self, id: &str, words: &str) -> PathBuf {
        let command = words.strip_prefix('/').map(|command| {
            let (name, arguments) = command.split_once(' ').unwrap_or((command, ""));
            format!(
                "<command-message>{name} is running…</command-message>\n<command-name>/{name}</command-name>\n<command-args>{arguments}</command-args>"
            )
        });
        let words = command.as_deref().unwrap_or(words);
        let transcript =
            Transcript::new(id).with_own_uuids().in_folder(self.work().to_str().expect("a path of ours"));
        let lines = [
            transcript.typed(1, "Write the release notes."),
            transcript.answered(2, "Done, with a blank line after each heading."),
            transcript.typed(3, words),
        ];
        self.session_in("-work", id, &lines)
    }

    pub(crate) async fn call(
        &self,
        tool: &'static str,
        arguments: Value,
    ) -> Result<CallToolResult, ServiceError> {
        let arguments: JsonObject = serde_json::from_value(arguments).unwrap();
        self.client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await
    }

    /// What a tool that must succeed answers; as text it is the same.
    pub(crate) async fn ok(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await.unwrap();
        assert_eq!(result.is_error, Some(false), "{tool}: {result:?}");
        let [ContentBlock::Text(text)] = &result.content[..] else { panic!("{result:?}") };
        let structured = result.structured_content.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text.text).unwrap(), structured);
        structured
    }

    /// What a tool says that ran and failed.
    pub(crate) async fn failed(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{tool}: {result:?}");
        result.structured_content.unwrap()["error"].as_str().unwrap().to_owned()
    }

    /// Whoever asks is told that it was not done, in whichever way.
    pub(crate) async fn not_done(&self, tool: &'static str, arguments: Value) {
        let words = format!("{tool} {arguments}");
        match self.call(tool, arguments).await {
            Err(ServiceError::McpError(_)) => {}
            Ok(result) => assert_eq!(result.is_error, Some(true), "{words}: {result:?}"),
            Err(other) => panic!("{words}: {other:?}"),
        }
    }

    /// Arguments that make no sense: what cannot be understood is a tool's failure to the client's library, what is out of
    /// bounds an error of the protocol. Either way nothing was done.
    pub(crate) async fn refused(&self, tool: &'static str, arguments: Value) {
        match self.call(tool, arguments).await {
            Err(ServiceError::McpError(error)) => {
                assert_eq!(error.code, rmcp::model::ErrorCode::INVALID_PARAMS, "{error:?}");
            }
            Ok(result) => {
                let [ContentBlock::Text(text)] = &result.content[..] else { panic!("{result:?}") };
                assert_eq!(result.is_error, Some(true), "{result:?}");
                assert!(text.text.starts_with("failed to deserialize parameters"), "{}", text.text);
            }
            Err(other) => panic!("{tool}: {other:?}"),
        }
    }
}

/// The arguments of an action of a tool that has several.
pub(crate) fn act(action: &str, mut arguments: Value) -> Value {
    arguments["action"] = action.into();
    arguments
}
