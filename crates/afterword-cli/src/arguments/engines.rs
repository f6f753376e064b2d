//! The commands about engines: what they would be sent, what they cost, what they say of ideas.

use clap::{Args, Subcommand, ValueHint};

#[derive(Debug, Args)]
pub(crate) struct Preview {
    /// Session id, the start of one, or the path of a transcript
    #[arg(value_name = "SESSION|PATH", value_hint = ValueHint::FilePath, required_unless_present_any = ["all", "since"])]
    pub(crate) session: Option<String>,
    /// Estimate what all sessions together would take that are not read by the engine yet
    #[arg(long, conflicts_with = "session")]
    pub(crate) all: bool,
    /// Estimate only sessions active within this time, as in `7d`, `12h` or `2026-03-01`
    #[arg(long, value_name = "TIME", conflicts_with = "session")]
    pub(crate) since: Option<String>,
    /// Engine that would be asked [default: the setting `engine.name`]
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Ideas {
    /// List the ideas, open ones first
    List,
    /// Ask an engine about an idea, and add what it says to the idea's page
    Research {
        /// Idea: its id or the start of one, or its page's path in the vault
        idea: String,
        /// Engine to ask [default: the setting `engine.name`]
        #[arg(long, value_name = "ENGINE")]
        engine: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Spend {
    /// Days to count, today among them
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3660))]
    pub(crate) days: u32,
}
