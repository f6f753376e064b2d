//! A machine of its own for each test, and a client connected to the server on it.

use std::fs;
use std::path::PathBuf;

use afterword_app::{App, ConfigFile, Environment, Paths, init};
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::{ServiceExt, model::JsonObject};
use serde_json::Value;
use tempfile::TempDir;

pub(crate) struct Host {
    root: TempDir,
    pub(crate) client: RunningService<RoleClient, ()>,
}

impl Host {
    /// A host with a vault, and no session yet.
    pub(crate) async fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let environment = environment(&root);
        fs::create_dir_all(&environment.working_directory).unwrap();
        init::init(&environment, None).unwrap();
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let server = afterword_mcp::Server::new(environment).serve(ours).await.unwrap();
            let _ = server.waiting().await;
        });
        Self { client: ().serve(theirs).await.unwrap(), root }
    }

    pub(crate) fn app(&self) -> App {
        App::new(environment(&self.root)).unwrap()
    }

    /// Changes a setting; the server reads it with the next request.
    pub(crate) fn set(&self, key: &str, value: &str) {
        let paths = Paths::new(&environment(&self.root)).unwrap();
        ConfigFile::new(&paths.config_file, None).set(key, &[value.to_owned()]).unwrap();
    }

    /// A path below the machine's root.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    /// The directory the client works in.
    pub(crate) fn work(&self) -> PathBuf {
        environment(&self.root).working_directory
    }

    pub(crate) fn vault(&self) -> PathBuf {
        self.root.path().join("afterword/vault")
    }

    /// A session of the project the server works in, in which the user states a rule, or gives a command.
    pub(crate) fn session(&self, id: &str, words: &str) -> PathBuf {
        let folder = self.root.path().join("claude/projects/-work");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{id}.jsonl"));
        let cwd = environment(&self.root).working_directory;
        let entry = |n: u32, role: &str, content: Value| {
            let entry = serde_json::json!({
                "type": role, "uuid": format!("{id}-{n}"), "sessionId": id, "cwd": cwd, "version": "2.1.197",
                "isSidechain": false, "userType": "external", "timestamp": format!("2026-03-01T10:00:{n:02}.000Z"),
                "message": {"role": role, "content": content},
            });
            format!("{entry}\n")
        };
        let done =
            serde_json::json!([{"type": "text", "text": "Done, with a blank line after each heading."}]);
        let command = words.strip_prefix('/').map(|command| {
            let (name, arguments) = command.split_once(' ').unwrap_or((command, ""));
            format!(
                "<command-message>{name} is running…</command-message>\n<command-name>/{name}</command-name>\n<command-args>{arguments}</command-args>"
            )
        });
        let words = command.as_deref().unwrap_or(words);
        let lines = [
            entry(1, "user", "Write the release notes.".into()),
            entry(2, "assistant", done),
            entry(3, "user", words.into()),
        ];
        fs::write(&path, lines.concat()).unwrap();
        path
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

fn environment(root: &TempDir) -> Environment {
    Environment {
        afterword_home: Some(root.path().join("afterword")),
        claude_config_dir: Some(root.path().join("claude")),
        home: Some(root.path().join("home")),
        working_directory: root.path().join("work"),
    }
}
