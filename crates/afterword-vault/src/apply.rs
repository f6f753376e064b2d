//! Carries out a plan, checking before each write that the file is still what the plan was made on.

use std::collections::HashSet;

use crate::disk::{Disk, WriteOutcome};
use crate::error::VaultError;
use crate::hash::ContentHash;
use crate::path::VaultPath;
use crate::plan::{Action, Plan, Subject};
use crate::write_history::WriteRecord;

/// What came of a plan.
#[derive(Debug, Default)]
pub struct ApplyReport {
    /// One for each action, in the plan's order.
    pub done: Vec<ActionResult>,
    /// What to remember: each lesson whose every action ended well, and notes that were there but not remembered.
    pub records: Vec<WriteRecord>,
}

/// What came of one action.
#[derive(Debug)]
pub struct ActionResult {
    /// The file.
    pub path: VaultPath,
    /// What the action was about.
    pub subject: Subject,
    /// How it ended.
    pub outcome: Outcome,
}

/// How an action ended.
#[derive(Debug)]
pub enum Outcome {
    /// The file now has what was planned.
    Written {
        /// What it hashes to.
        hash: ContentHash,
    },
    /// The file had it already (the plan was applied before, or another machine did the same).
    AlreadyThere {
        /// What it hashes to.
        hash: ContentHash,
    },
    /// The file changed since the plan was made, or a new file's name is taken now. Nothing was written; planning
    /// again on a new scan finds out what is still to do.
    ChangedMeanwhile,
    /// It could not be written.
    Failed(VaultError),
}

impl Outcome {
    /// Whether the file has what was planned.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Written { .. } | Self::AlreadyThere { .. })
    }
}

impl ApplyReport {
    /// How many files were written.
    pub fn written_count(&self) -> usize {
        self.done.iter().filter(|done| matches!(done.outcome, Outcome::Written { .. })).count()
    }
}

pub(crate) fn apply(disk: &Disk, plan: &Plan) -> ApplyReport {
    let done = plan.actions.iter().map(|action| ActionResult {
        path: action.path.clone(),
        subject: action.subject.clone(),
        outcome: apply_action(disk, action),
    });
    let mut applied = ApplyReport { done: done.collect(), records: Vec::new() };
    flush_folders(disk, &mut applied.done);
    let ended = plan.actions.iter().zip(&applied.done);
    let open: HashSet<_> =
        ended.filter(|(_, done)| !done.outcome.is_done()).flat_map(|(action, _)| &action.keys).collect();
    let settled = plan.records.iter().filter(|record| !open.contains(&record.key));
    applied.records = settled.cloned().collect();
    applied
}

/// Flushes each folder that was written in, and those above it, which may be new; only then does a write count. What is there
/// already may have been written by a process that was killed before it came to this.
fn flush_folders(disk: &Disk, done: &mut [ActionResult]) {
    let mut flushed = HashSet::new();
    for one in done.iter_mut().filter(|one| one.outcome.is_done()) {
        let folders = std::iter::successors(one.path.parent(), VaultPath::parent);
        let open: Vec<VaultPath> = folders.filter(|folder| !flushed.contains(folder)).collect();
        for folder in open {
            if let Err(error) = disk.flush(&folder) {
                one.outcome = Outcome::Failed(error);
                break;
            }
            flushed.insert(folder);
        }
    }
}

fn apply_action(disk: &Disk, action: &Action) -> Outcome {
    let bytes = action.content.as_bytes();
    let hash = ContentHash::of(bytes);
    let end = match &action.before {
        None => disk.create(&action.path, bytes),
        Some(before) => disk.replace(&action.path, before, bytes),
    };
    match end {
        Ok(WriteOutcome::Written) => Outcome::Written { hash },
        Ok(WriteOutcome::Changed) => match disk.read(&action.path) {
            Ok(Some(there)) if there == bytes => Outcome::AlreadyThere { hash },
            Ok(_) => Outcome::ChangedMeanwhile,
            Err(error) => Outcome::Failed(error),
        },
        Err(error) => Outcome::Failed(error),
    }
}
