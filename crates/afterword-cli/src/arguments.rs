//! What can be typed: the commands, their arguments and their help.

mod binding;
mod engines;
mod finding;
mod projects;
mod sessions;
mod tasks;

use std::path::PathBuf;

use afterword_app::note_change::WaitingPlace;
use afterword_app::review::Verdict;
use afterword_claude_code::spool::HookEvent;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use jiff::civil::Date;

pub(crate) use binding::{Bind, Unbind};
pub(crate) use engines::{Engine, Ideas, Polish, Preview, Spend, UseEngine};
pub(crate) use finding::{
    AttemptSelection, Attempts, Feedback, Search, Stats, StoreAttempt, SummarySelection, Why,
};
pub(crate) use projects::Projects;
pub(crate) use sessions::{ExportSession, Find, RestoreSession, Sessions, SessionsCommand};
pub(crate) use tasks::{Connections, LimitTask, NewTask, Task};

/// Takes a word for one of these values, and offers their words.
fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let parse =
        move |text: String| all.into_iter().find(|one| word(*one) == text).ok_or("there is no such word");
    PossibleValuesParser::new(all.map(word)).try_map(parse)
}

/// Turn Claude Code sessions into lessons, as notes in a vault of your own
#[derive(Debug, Parser)]
#[command(name = "afterword", version, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    /// Print data as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    /// The commands as completions name them: without those that are no part of the help.
    pub(crate) fn visible_commands() -> clap::Command {
        let all = <Self as clap::CommandFactory>::command();
        let shown = all.get_subcommands().filter(|one| !one.is_hide_set()).cloned();
        clap::Command::new("afterword")
            .version(env!("CARGO_PKG_VERSION"))
            .about(all.get_about().cloned().unwrap_or_default())
            .disable_help_subcommand(true)
            .args(all.get_arguments().cloned())
            .subcommands(shown)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Choose a vault and write the configuration file
    Init(Init),
    /// Find lessons in sessions and write them to the vault
    Reflect(Reflect),
    /// Show what the agent does, what waits, and whether anything is wrong
    Status,
    /// List background jobs, or look after one
    Jobs(Jobs),
    /// Show what the agent and the window wrote down of their own work
    Logs(Logs),
    /// Forget everything derived from a session or a project
    #[command(subcommand)]
    Forget(Forget),
    /// Follow sessions and reflect each when it ends, idles or crashes, until stopped
    Run,
    /// Show what was read from one session, and why each lesson was found
    Inspect(Inspect),
    /// Show exactly what an engine would be sent about one session, and what was taken out of it
    Preview(Preview),
    /// Show what finds the lessons and what a better one would cost, or take another into use
    Engine {
        #[command(subcommand)]
        command: Option<Engine>,
    },
    /// Have an engine put notes nobody touched in better words: a plan, shown first
    Polish(Polish),
    /// List ideas, or ask an engine about one
    #[command(subcommand)]
    Ideas(Ideas),
    /// Show what engines cost, and what is left of the budget
    Spend(Spend),
    /// List the sessions that Claude Code has kept, write one down, or restore one
    Sessions(Sessions),
    /// Find sessions by what was said and done in them
    Find(Find),
    /// List the projects with their folders, or say what is one project
    #[command(args_conflicts_with_subcommands = true)]
    Projects {
        #[command(subcommand)]
        command: Option<Projects>,
    },
    /// Answer the lessons that wait, one after the other [on a terminal; else as `review list`]
    #[command(args_conflicts_with_subcommands = true)]
    Review {
        #[command(subcommand)]
        command: Option<Review>,
    },
    /// Give Claude background work, answer it and follow it by talking
    #[command(subcommand)]
    Task(Task),
    /// Look after the tool servers that tasks may use
    #[command(args_conflicts_with_subcommands = true)]
    Connections {
        #[command(subcommand)]
        command: Option<Connections>,
    },
    /// Find lessons by words and by meaning
    Search(Search),
    /// Look into what was tried at tasks and how it ended, or tell of an attempt
    #[command(subcommand)]
    Attempts(Attempts),
    /// Sum up the attempts of a project: how often they succeed, what fails again and again, what works
    Summary(SummarySelection),
    /// Show whether it works: what is still said again, whether checks hold, which lessons nobody needs
    Stats(Stats),
    /// Say what came of a lesson, or list how useful lessons were
    Feedback(Feedback),
    /// Say why a session was given what it was given, and what became of what it taught
    Why(Why),
    /// Make a lesson bind: show what Claude Code would be kept from by it, and what that would have caught
    Bind(Bind),
    /// Lift what a lesson binds by, for a session or for good
    Unbind(Unbind),
    /// List the checks that notes have, and which of them bind
    Checks,
    /// Give active lessons to somebody else: as data, a document, or files that Claude Code reads
    Export(Export),
    /// Take rules and notes from elsewhere into the vault
    Import(Import),
    /// Settle conflicts (notes of which there are two versions), and write reviews of months
    #[command(subcommand)]
    Vault(Vault),
    /// Look after the index that searching uses
    #[command(subcommand)]
    Index(Index),
    /// Show or change settings
    #[command(subcommand)]
    Config(Config),
    /// Connect Afterword to another program
    #[command(subcommand)]
    Install(Install),
    /// Take out what `install` put in
    #[command(subcommand)]
    Uninstall(Install),
    /// Serve tools and prompts over MCP on stdin and stdout; Claude Code starts this itself
    Mcp,
    /// Note what Claude Code tells its hooks; it starts this itself
    Hook(Hook),
    /// Check that everything works, and say what to do where it does not
    Doctor,
    /// Print what the program and the model in it are licensed under
    Licences,
    /// Print completions for a shell
    Completions(Completions),
    /// Write the pages of the guide's reference, or what a package brings along, to a folder
    #[command(subcommand, hide = true)]
    Reference(Reference),
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Write notes below this folder, for example an Obsidian vault [default: `Afterword` in your documents]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) vault: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").args(["session", "all", "since"]).required(true).multiple(true))]
pub(crate) struct Reflect {
    /// Session id, the start of one, or the path of a transcript; read also when nothing changed in it
    #[arg(value_name = "SESSION|PATH", value_hint = ValueHint::FilePath, conflicts_with_all = ["all", "since"])]
    pub(crate) session: Option<String>,
    /// Reflect every session that changed since it was last reflected
    #[arg(long)]
    pub(crate) all: bool,
    /// Reflect only sessions active within this time, as in `7d`, `12h` or `2026-03-01`
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Engine that finds the lessons [default: the setting `engine.name`]
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// Show what would be found and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Read what was reflected before once more, and show what would become of notes nobody touched
    #[arg(long, conflicts_with_all = ["engine", "dry_run", "foreign"])]
    pub(crate) again: bool,
    /// With `--again`: carry out what it shows
    #[arg(long, requires = "again")]
    pub(crate) apply: bool,
    /// Write also what a transcript outside Claude Code's own folder teaches
    #[arg(long, conflicts_with_all = ["all", "since"])]
    pub(crate) foreign: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// Session id, the start of one, or the path of a transcript
    #[arg(value_name = "SESSION|PATH", value_hint = ValueHint::FilePath)]
    pub(crate) session: String,
}

#[derive(Debug, Args)]
pub(crate) struct Logs {
    /// Show so many of the newest lines
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    pub(crate) lines: usize,
    /// Go on and show what is written down, until stopped
    #[arg(long, short = 'f', conflicts_with = "json")]
    pub(crate) follow: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Jobs {
    #[command(subcommand)]
    pub(crate) command: Option<JobsCommand>,
    /// List at most this many, the latest first
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: u32,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JobsCommand {
    /// Show one job and what its attempts did
    Show {
        /// Job id, or the start of one
        job: String,
    },
    /// Call a job off
    Cancel {
        /// Job id, or the start of one
        job: String,
    },
    /// Queue again what a job that failed or was cancelled was to do
    Retry {
        /// Job id, or the start of one
        job: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Forget {
    /// Forget one session
    Session {
        /// Session id, or the start of one
        session: String,
    },
    /// Forget a project and all its sessions so far
    Project {
        /// Path of the project, or the end of it
        project: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Review {
    /// List what waits for an answer
    List(ReviewList),
    /// Show one lesson, its evidence, and what led to it
    Show {
        /// Note: its id or the start of one, its path, or its file's name
        note: String,
    },
    /// Keep lessons: their notes move to their folders
    ///
    /// One that likely takes the place of an active lesson ends that.
    Approve {
        /// Notes: ids or their starts, paths, or files' names
        #[arg(required = true)]
        notes: Vec<String>,
        /// Keep the active lessons whose place they likely take, too
        #[arg(long)]
        both: bool,
    },
    /// Keep a lesson in words of your own; without `--title` and `--body` in your editor
    Edit(ReviewEdit),
    /// Refuse lessons, those that count already too: nothing that means the same is offered again
    Reject(ReviewReject),
    /// Put active lessons away: they do not count any more, and may be learned again
    Archive {
        /// Notes: ids or their starts, paths, or files' names
        #[arg(required = true)]
        notes: Vec<String>,
        /// Bring them back instead
        #[arg(long)]
        back: bool,
    },
    /// Put lessons off
    Skip {
        /// Notes: ids or their starts, paths, or files' names
        #[arg(required = true)]
        notes: Vec<String>,
    },
    /// Keep a lesson in the place of one that counts now
    Supersede {
        /// Note that waits: its id or the start of one, its path, or its file's name
        note: String,
        /// Note whose place it takes
        old: String,
    },
    /// Take an answer back [default: the last one]
    Undo {
        /// Number of the answer
        id: Option<i64>,
    },
    /// List the answers that can be taken back, the latest first
    ///
    /// Rules that took the place of others because of what you said later are among them.
    Answers {
        /// List only answers of one sort
        #[arg(long, value_name = "ANSWER", value_parser = one_of(Verdict::GIVEN, Verdict::as_str))]
        only: Option<Verdict>,
    },
    /// List the rejections that hold
    Rejections,
}

#[derive(Debug, Args)]
pub(crate) struct ReviewList {
    /// List only lessons of this project, by its name or the end of it
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// List only what waits there
    #[arg(long, value_name = "PLACE", value_parser = one_of(WaitingPlace::ALL, WaitingPlace::as_str))]
    pub(crate) place: Option<WaitingPlace>,
    /// List at most this many
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct ReviewEdit {
    /// Note: its id or the start of one, its path, or its file's name
    pub(crate) note: String,
    /// New title
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// New text, as markdown
    #[arg(long, value_name = "TEXT")]
    pub(crate) body: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ReviewReject {
    /// Notes: ids or their starts, paths, or files' names
    #[arg(required = true)]
    pub(crate) notes: Vec<String>,
    /// Why, in your words
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) reason: String,
    /// Let the rejection hold everywhere, not only in the lesson's project
    #[arg(long)]
    pub(crate) everywhere: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Index {
    /// Make the index anew from the vault
    Rebuild,
    /// Show what is in the index, and whether it is up to date
    Status,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Print one setting's value
    Get {
        /// Setting, as in `vault.path`
        key: String,
    },
    /// Change one setting; without a value, return to its default
    Set {
        /// Setting, as in `vault.path`
        key: String,
        /// Value; a list takes each value as an item
        #[arg(value_name = "VALUE", allow_hyphen_values = true)]
        values: Vec<String>,
    },
    /// Print where the configuration file is
    Path,
    /// Print every setting and its value
    Show,
    /// List the engines that take a key, and whether one is in the system's keyring
    Keys,
    /// Keep an engine's key in the system's keyring; the key is read from the terminal or stdin
    SetKey {
        /// Engine: `anthropic` or `openai-compatible`
        engine: String,
    },
    /// Remove an engine's key from the system's keyring
    DeleteKey {
        /// Engine: `anthropic` or `openai-compatible`
        engine: String,
    },
}

/// Read before these definitions are, in `hook.rs`; they are for the help.
#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// Event as Claude Code names it; what it tells is read from stdin
    #[arg(value_name = "EVENT", value_parser = HookEvent::names())]
    pub(crate) event: String,
    /// Use this folder as `AFTERWORD_HOME`
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) home: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Install {
    /// Hooks in Claude Code's settings, and the MCP server among its servers
    ClaudeCode(ClaudeCode),
    /// The agent, started with your session
    Service(Consent),
}

#[derive(Debug, Args)]
pub(crate) struct ClaudeCode {
    /// For all your projects, or for you in the project in this directory
    #[arg(long, value_enum, default_value_t = Scope::User)]
    pub(crate) scope: Scope,
    #[command(flatten)]
    pub(crate) consent: Consent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    User,
    Project,
}

#[derive(Debug, Args)]
pub(crate) struct Consent {
    /// Show what would change and change nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Do not ask first
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Form of the export
    #[arg(long = "as", value_name = "FORM", value_enum, default_value_t = ExportAs::Markdown)]
    pub(crate) form: ExportAs,
    /// Export only this lesson, beside what was exported before: its note's id, path or file name
    #[arg(long, value_name = "NOTE", conflicts_with = "project")]
    pub(crate) note: Option<String>,
    /// File to write; for `rules` and `skill` the folder, as `.claude/rules` [default: print it]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) to: Option<PathBuf>,
    /// Export only lessons of this project and those that hold everywhere
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    #[command(flatten)]
    pub(crate) consent: Consent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportAs {
    /// One JSON object
    Json,
    /// One markdown document with every lesson's text
    Markdown,
    /// A block between two markers in a file such as `CLAUDE.md`, a line a lesson
    ClaudeMd,
    /// A file a kind in a folder of Claude Code's rules
    Rules,
    /// A draft of a skill for each workflow, in a folder of skills
    Skill,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    #[command(subcommand)]
    pub(crate) from: ImportFrom,
    #[command(flatten)]
    pub(crate) consent: Consent,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportFrom {
    /// What Claude Code wrote down by itself, in all your projects; it waits for review
    ClaudeMemory,
    /// Rules in `CLAUDE.md` and other files of instructions; they are saved
    ClaudeMd {
        /// Files to read
        #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
        /// Project the rules belong to [default: they hold everywhere]
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
    },
    /// Markdown notes in a folder; they wait for review
    Notes {
        /// Folder to read
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
        /// Project the notes belong to [default: they hold everywhere]
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Vault {
    /// List conflicts: notes of which there are two versions
    Conflicts,
    /// Say which version of a note counts; without a choice, join them if nothing can be lost
    Decide {
        /// Note or its copy: path below the vault, or file name
        note: String,
        #[command(flatten)]
        which: VersionToKeep,
    },
    /// Write the review of a month, or bring it up to date
    Month {
        /// Month, as in `2026-03` [default: this one]
        month: Option<Month>,
    },
    /// Print where a note is and a link that opens it in Obsidian
    Link {
        /// Note id, the start of one, path, or file name
        note: String,
    },
}

#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct VersionToKeep {
    /// The note as it is; the other goes to the archive
    #[arg(long)]
    pub(crate) here: bool,
    /// The other version; the note as it was goes to the archive
    #[arg(long)]
    pub(crate) there: bool,
    /// Both, as two notes
    #[arg(long)]
    pub(crate) both: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Shell to print them for
    pub(crate) shell: Shell,
}

/// For whoever documents and packages the program; not part of its help.
#[derive(Debug, Subcommand)]
pub(crate) enum Reference {
    /// Pages of the commands, the settings and the tools, as markdown
    Guide {
        /// Folder to write to
        #[arg(value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// A manual page a command in `man/`, and completions in `completions/`
    Package {
        /// Folder to write to
        #[arg(value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn definition_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}

/// A month as `2026-03`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Month(Date);

impl Month {
    /// Its first day.
    pub(crate) fn first_day(self) -> Date {
        self.0
    }
}

impl std::str::FromStr for Month {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let day = format!("{text}-01").parse().map(Self);
        day.map_err(|_| "a month is written as in `2026-03`".to_owned())
    }
}
