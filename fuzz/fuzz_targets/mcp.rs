//! Lines a client sends to the MCP server: any bytes, in a session that has begun. It answers in JSON and goes on.
#![no_main]

use std::sync::LazyLock;

use afterword_app::{Environment, init};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::runtime::Runtime;

static ENVIRONMENT: LazyLock<Environment> = LazyLock::new(|| {
    let home = std::env::temp_dir().join(format!("afterword-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(home.join("work")).expect("a folder");
    let environment = Environment {
        afterword_home: Some(home.join("afterword")),
        claude_config_dir: Some(home.join("claude")),
        home: Some(home.clone()),
        working_directory: home.join("work"),
    };
    init::init(&environment, Some(&home.join("vault"))).expect("a vault");
    environment
});

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(2)
        .build()
        .expect("a runtime")
});

const BEGIN: &str = concat!(
    r#"{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"f","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
);
const END: &str = "\n{\"jsonrpc\":\"2.0\",\"id\":\"last one\",\"method\":\"ping\"}\n";

fuzz_target!(|bytes: &[u8]| {
    RUNTIME.block_on(async {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        let server = tokio::spawn(afterword_mcp::serve_streams(ENVIRONMENT.clone(), input, output));
        let (answers, mut requests) = tokio::io::split(ours);
        for part in [BEGIN.as_bytes(), bytes, END.as_bytes()] {
            if requests.write_all(part).await.is_err() {
                break;
            }
        }
        let mut answers = BufReader::new(answers).lines();
        while let Ok(Some(line)) = answers.next_line().await {
            let answer: Value = serde_json::from_str(&line).expect("an answer is JSON");
            assert_eq!(answer["jsonrpc"], "2.0");
            if answer["id"] == "last one" {
                break;
            }
        }
        drop((answers, requests));
        let _ = server.await.expect("the server does not panic");
    });
});
