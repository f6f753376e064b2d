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
pub(crate) enum Engine {
    /// Take an engine into use, once it has answered one test question
    Use(UseEngine),
    /// Ask the engine in use one test question
    Try,
}

#[derive(Debug, Args)]
pub(crate) struct UseEngine {
    /// Engine: `builtin`, `claude-code`, `anthropic` or `openai-compatible`
    #[arg(value_name = "ENGINE")]
    pub(crate) engine: String,
    /// Model it is asked for [default: the engine's own]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// US dollars that everything paid for may cost in a day; 0 for no limit [default: as it is]
    #[arg(long, value_name = "USD", value_parser = daily)]
    pub(crate) daily_usd: Option<f64>,
    /// Do not ask before the test question
    #[arg(long)]
    pub(crate) yes: bool,
}

fn daily(text: &str) -> Result<f64, String> {
    let usd: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if usd.is_finite() && usd >= 0.0 { Ok(usd) } else { Err("it must be 0 or more".to_owned()) }
}

#[derive(Debug, Args)]
pub(crate) struct Polish {
    /// Engine to ask [default: the setting `engine.name`]
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// Ask about so many notes at most
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Say what asking would take, and ask nobody
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Show the plan as it stands, and ask nobody
    #[arg(long, conflicts_with_all = ["dry_run", "engine", "limit"])]
    pub(crate) show: bool,
    /// Carry the plan out
    #[arg(long, conflicts_with_all = ["dry_run", "show", "engine", "limit"])]
    pub(crate) apply: bool,
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
        /// Have your own Claude Code read the project and the web, as a task in the background that may ask you
        #[arg(long, conflicts_with = "engine")]
        background: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Spend {
    /// Days to count, today among them
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3660))]
    pub(crate) days: u32,
}
