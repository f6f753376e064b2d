//! The arguments of `task` and `connections`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueHint};

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Make a task, or a chat where no time is given
    New(NewTask),
    /// List tasks
    List {
        /// List archived ones too
        #[arg(long)]
        all: bool,
    },
    /// Show a task: what was said, where it stands, what it cost
    Show {
        /// Task id, the start of one, or the title
        task: String,
    },
    /// Say something in a task, and wait for the reply
    Say {
        /// Task id, the start of one, or the title
        task: String,
        /// What to say
        #[arg(required = true, allow_negative_numbers = true)]
        words: Vec<String>,
        /// Do not wait for the reply
        #[arg(long)]
        no_wait: bool,
    },
    /// Answer the question a task asks
    Answer {
        /// Task id, the start of one, or the title
        task: String,
        /// Answer: yes or no, an option or its number, or free words
        #[arg(required = true, allow_negative_numbers = true)]
        words: Vec<String>,
    },
    /// Let a task go by another schedule
    Reschedule {
        /// Task id, the start of one, or the title
        task: String,
        /// When, in plain words: "every weekday at 9", "every 2 days", "tomorrow at 15:00", "now", or a cron expression
        #[arg(required = true)]
        when: Vec<String>,
        /// Time zone of the times, as in `Europe/Berlin` [default: this machine's]
        #[arg(long, value_name = "ZONE")]
        zone: Option<String>,
        /// Show the schedule and change nothing
        #[arg(long)]
        dry_run: bool,
        /// Do not ask whether the schedule is right
        #[arg(long)]
        yes: bool,
    },
    /// Run a task once, now; its schedule stays
    Run {
        /// Task id, the start of one, or the title
        task: String,
    },
    /// Take back what was changed last by talking
    Undo {
        /// Task id, the start of one, or the title
        task: String,
    },
    /// Change what a task's runs may do and cost, from the next one on
    Limit(LimitTask),
    /// Stop a task's work for now
    Pause {
        /// Task id, the start of one, or the title
        task: String,
    },
    /// Let a paused or finished task go on
    Resume {
        /// Task id, the start of one, or the title
        task: String,
    },
    /// Show no notifications of what a task reports; its questions come all the same
    Mute {
        /// Task id, the start of one, or the title
        task: String,
    },
    /// Show them again
    Unmute {
        /// Task id, the start of one, or the title
        task: String,
    },
    /// Close a task for good
    Archive {
        /// Task id, the start of one, or the title
        task: String,
    },
    /// List a task's runs, with what came of each and what it cost
    Runs {
        /// Task id, the start of one, or the title
        task: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Connections {
    /// List them
    List,
    /// Add a tool server (MCP), or replace the one of its name
    Add {
        /// What tasks call it: a to z, 0 to 9 and -
        name: String,
        /// Address of a server elsewhere, as in `https://example.org/mcp`; `{secret}` in it stands for what `connections secret` keeps
        #[arg(long, value_name = "URL", conflicts_with = "program", required_unless_present = "program")]
        url: Option<String>,
        /// Client that you registered where you sign in to it, if the server lets no program register itself
        #[arg(long, value_name = "ID", requires = "url")]
        client_id: Option<String>,
        /// Port of this machine that your client is registered to come back to, as in `http://127.0.0.1:PORT/callback` [default: any]
        #[arg(long, value_name = "PORT", requires = "client_id")]
        callback_port: Option<u16>,
        /// Variable the program is given, as in `NAME=VALUE`; no secrets; may be given again
        #[arg(long, value_name = "NAME=VALUE")]
        variable: Vec<String>,
        /// Variable the program is given as it is in the agent's environment; may be given again
        #[arg(long, value_name = "NAME")]
        pass_on: Vec<String>,
        /// Program that is a tool server, with its arguments, after `--`
        #[arg(last = true, value_name = "PROGRAM")]
        program: Vec<String>,
    },
    /// Keep the secret of a server's address in the keyring: it is asked for on the terminal, or read from stdin
    Secret {
        /// Its name
        name: String,
    },
    /// Sign in to a server elsewhere (OAuth), in your browser
    Connect {
        /// Its name
        name: String,
        /// Ask for the secret of your client, on the terminal or on stdin; it is kept in the keyring
        #[arg(long)]
        client_secret: bool,
        /// Scope to ask for besides those that the server names and those you granted before; may be given again
        #[arg(long, value_name = "SCOPE")]
        scope: Vec<String>,
        /// Print the page's address only, and open no browser
        #[arg(long)]
        no_browser: bool,
    },
    /// Sign out of a server elsewhere
    Disconnect {
        /// Its name
        name: String,
    },
    /// Remove one, and sign out of it
    Remove {
        /// Its name
        name: String,
    },
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("change").required(true).multiple(true)
    .args(["allow", "no_tools", "connection", "no_connections", "usd", "minutes"]))]
pub(crate) struct LimitTask {
    /// Task id, the start of one, or the title
    pub(crate) task: String,
    /// Tool that its runs may use, instead of all those before; may be given again [default: as it is]
    #[arg(long, value_name = "TOOL")]
    pub(crate) allow: Vec<String>,
    /// Allow no tools
    #[arg(long, conflicts_with = "allow")]
    pub(crate) no_tools: bool,
    /// Connection that its runs may use, instead of all those before; may be given again [default: as it is]
    #[arg(long, value_name = "NAME")]
    pub(crate) connection: Vec<String>,
    /// Allow no connections
    #[arg(long, conflicts_with = "connection")]
    pub(crate) no_connections: bool,
    /// US dollars one run may cost [default: as it is]
    #[arg(long, value_name = "USD")]
    pub(crate) usd: Option<f64>,
    /// Minutes one run may take [default: as it is]
    #[arg(long, value_name = "N")]
    pub(crate) minutes: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct NewTask {
    /// What is to be done, in your own words
    #[arg(required = true)]
    pub(crate) words: Vec<String>,
    /// When, in plain words: "every weekday at 9", "every 2 days", "tomorrow at 15:00", "now", or a cron expression
    #[arg(long, value_name = "WHEN")]
    pub(crate) when: Option<String>,
    /// Time zone of the times, as in `Europe/Berlin` [default: this machine's]
    #[arg(long, value_name = "ZONE")]
    pub(crate) zone: Option<String>,
    /// What to call it [default: the first words]
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Work in this directory [default: one of the task's own]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) directory: Option<PathBuf>,
    /// Work in the current directory
    #[arg(long, conflicts_with = "directory")]
    pub(crate) here: bool,
    /// Tool that its runs may use, as in `Read` or `Bash(git log:*)`; may be given again [default: none]
    #[arg(long, value_name = "TOOL")]
    pub(crate) allow: Vec<String>,
    /// Connection that its runs may use; may be given again [default: none]
    #[arg(long, value_name = "NAME")]
    pub(crate) connection: Vec<String>,
    /// US dollars one run may cost [default: 0.5]
    #[arg(long, value_name = "USD")]
    pub(crate) usd: Option<f64>,
    /// Minutes one run may take [default: 10]
    #[arg(long, value_name = "N")]
    pub(crate) minutes: Option<u32>,
    /// Show the schedule and make nothing
    #[arg(long, requires = "when")]
    pub(crate) dry_run: bool,
    /// Do not ask whether the schedule is right
    #[arg(long)]
    pub(crate) yes: bool,
}
