//! `afterword search`, `attempts …`, `summary`, `why`

use afterword_app::attempts::AttemptOutcome;
use afterword_app::feedback::FeedbackKind;
use afterword_app::searching::{HitKind, Status};
use clap::{Args, Subcommand, ValueHint};

use super::one_of;

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// What to look for, in plain words; there are no operators
    pub(crate) query: String,
    /// Show at most this many results, of the 1000 there ever are
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    /// Search only notes of this project, by its name or the end of it
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// Search only notes of this kind; may be given again
    #[arg(long, value_name = "KIND", value_parser = one_of(HitKind::ALL, HitKind::as_str))]
    pub(crate) kind: Vec<HitKind>,
    /// Search only attempts that ended so; may be given again
    #[arg(long, value_name = "OUTCOME", value_parser = one_of(AttemptOutcome::ALL, AttemptOutcome::as_str))]
    pub(crate) outcome: Vec<AttemptOutcome>,
    /// Search only what has this tag; may be given again
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Search only notes with this status; may be given again [default: active and inbox]
    #[arg(long, value_name = "STATUS", value_parser = one_of(Status::ALL, Status::as_str))]
    pub(crate) status: Vec<Status>,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// Session id, the start of one, or the path of a transcript [default: the one that began last]
    #[arg(value_name = "SESSION|PATH", value_hint = ValueHint::FilePath)]
    pub(crate) session: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Attempts {
    /// List attempts, the latest first
    List(AttemptSelection),
    /// Find attempts at something like this task, the closest in meaning first
    Search {
        /// What is to be done, in plain words; there are no operators
        task: String,
        #[command(flatten)]
        wanted: AttemptSelection,
    },
    /// Sum up the attempts of a project
    Summary(SummarySelection),
    /// Print past attempts at something like this task, for a model to read before it tries
    Prompt {
        /// What is to be done, in plain words
        task: String,
        /// Look in this project, by its path or name [default: the working directory's]
        #[arg(long, value_name = "PROJECT")]
        project: Option<String>,
    },
    /// Tell of an attempt
    Store(StoreAttempt),
}

#[derive(Debug, Args)]
pub(crate) struct AttemptSelection {
    /// Show only attempts of this session
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Show only attempts of this project, by its path or name
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// Show only attempts that ended so; may be given again
    #[arg(long, value_name = "OUTCOME", value_parser = one_of(AttemptOutcome::ALL, AttemptOutcome::as_str))]
    pub(crate) outcome: Vec<AttemptOutcome>,
    /// Show only attempts with this tag; may be given again
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Show at most this many, of the 1000 there ever are
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SummarySelection {
    /// Sum up this project, by its path or name [default: all]
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// Sum up this session alone
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StoreAttempt {
    /// What was to be done, in a sentence
    pub(crate) task: String,
    /// How it ended
    #[arg(long, value_name = "OUTCOME", value_parser = one_of(AttemptOutcome::ALL, AttemptOutcome::as_str))]
    pub(crate) outcome: AttemptOutcome,
    /// What to try next
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) next: String,
    /// Something that worked; may be given again
    #[arg(long, value_name = "TEXT")]
    pub(crate) worked: Vec<String>,
    /// Something that did not work; may be given again
    #[arg(long, value_name = "TEXT")]
    pub(crate) failed: Vec<String>,
    /// What it is about; may be given again [default: what its words tell]
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Which attempt it is [default: one more than the session's attempts at the same task]
    #[arg(long, value_name = "N")]
    pub(crate) number: Option<u32>,
    /// The session it was made in [default: the one of this directory that was written to last]
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// The project's directory [default: the working directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Feedback {
    /// Note: its id or the start of one, its path, or its file's name [default: list what is known of all]
    #[arg(requires = "worth")]
    pub(crate) note: Option<String>,
    /// What came of it
    #[arg(value_parser = one_of(FeedbackKind::ALL, FeedbackKind::as_str))]
    pub(crate) worth: Option<FeedbackKind>,
    /// Why, in your words
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) reason: String,
}

#[derive(Debug, Args)]
pub(crate) struct Stats {
    /// List lessons that were of no use for so many days
    #[arg(long, value_name = "N", default_value_t = 90)]
    pub(crate) days: u32,
}
