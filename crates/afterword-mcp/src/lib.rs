//! Afterword as an MCP server: tools and prompts over the agent's use cases, on stdin and stdout.
//!
//! It owns the words of the contract (names, arguments, answers) and checks what comes in; it knows no rule, no SQL and no
//! file format. Every answer comes at once: what takes long is queued. Start at [`serve`]; each group of tools has a
//! file, [`Server`] lists them.

mod actions;
mod answer;
mod attempts;
mod context;
mod lines;
mod memory;
mod prompts;
mod reflection;
mod requests;
mod review;
mod schema;
mod server;
mod stats;
pub mod surface;
mod tasks;
mod worker;

use afterword_app::log::{self, LogFile};
use afterword_app::{App, Environment};
use rmcp::ServiceExt;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};

pub use server::Server;

/// Why the server ended before its client did.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The runtime could not be started.
    #[error("the server could not be started")]
    Start(#[source] std::io::Error),
    /// The client did not speak MCP.
    #[error("no MCP client on the other side: {problem}")]
    Handshake {
        /// What was wrong.
        problem: String,
    },
    /// The connection broke.
    #[error("the connection broke: {problem}")]
    Broken {
        /// What happened.
        problem: String,
    },
}

/// Serves one client on stdin and stdout until it leaves. While no agent runs, queued work is done in this process.
///
/// # Errors
/// [`ServeError`]; a client that leaves is none.
pub fn serve(environment: Environment) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(4)
        .build()
        .map_err(ServeError::Start)?;
    if let Ok(app) = App::new(environment.clone()) {
        // Without a log the server works all the same.
        drop(log::start(&app, LogFile::Mcp));
    }
    let worker = worker::Background::start(environment.clone());
    let (input, output) = rmcp::transport::stdio();
    let served = runtime.block_on(serve_streams(environment, input, output));
    // Reading stdin blocks a thread until the client closes it, which it has.
    runtime.shutdown_background();
    worker.stop();
    served
}

/// Serves one client on two streams until it leaves.
///
/// # Errors
/// [`ServeError`]; a client that leaves is none.
pub async fn serve_streams(
    environment: Environment,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), ServeError> {
    let (streams, writing) = lines::line_streams(input, output);
    let served = match Server::new(environment).serve(streams).await {
        Ok(running) => running.waiting().await.map(drop).map_err(|error| error.to_string()),
        Err(error) => {
            // What could not be written is no news after this.
            let _ = writing.await;
            return Err(ServeError::Handshake { problem: error.to_string() });
        }
    };
    // A client that is gone reads nothing more.
    let _ = writing.await;
    served.map_err(|problem| ServeError::Broken { problem })
}
