//! The vault as others change it: people in their editors, sync tools, other machines.
//!
//! [`VaultScanner`] takes in what changed, one look after the other, and indexes it; [`VaultChangeHandler`] does what else follows from it,
//! which may take its time in a large vault. The running agent has both at work, each in a thread, when the system tells of changes.
//! Events are hints, the look is the truth: nothing is lost when an event is.

pub mod conflicts;
pub mod notes;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use afterword_platform::files::{create_private_directory, replace_file};
use afterword_vault::changes::records_of_merges;
use afterword_vault::{
    Change, Changes, ConflictOutcome, ContentHash, NoteFacts, Outcome, Snapshot, VaultError, diff_snapshots,
    plan_tombstones,
};
use jiff::Zoned;

use crate::error::NoteError;
use crate::vault_session::VaultSession;
use crate::{App, Error, checks, indexing, review};
pub use conflicts::{conflicts, decide_conflict, join_conflict};
pub use notes::{month, note_link};

/// How often a plan is made again because somebody edited the file between the look and the write.
const TRIES: usize = 4;

/// What a look at the vault found and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VaultNews {
    /// What happened to notes since the look before.
    pub changes: Changes,
    /// Notes that were indexed anew.
    pub indexed: usize,
    /// Two versions of a note that were made one.
    pub joined: Vec<String>,
    /// Notes of which two versions wait for a person.
    pub conflicts: Vec<String>,
    /// Answers given in notes that were carried out.
    pub answered: usize,
    /// What could not be done, and why; the next look tries again.
    pub problems: Vec<String>,
}

/// The vault as it is looked at: what is found changed is indexed at once, whatever else goes on.
#[derive(Debug)]
pub struct VaultScanner {
    app: App,
    seen: Arc<Snapshot>,
}

/// What a look found.
#[derive(Debug, Clone)]
pub struct VaultObservation {
    /// The vault as it was then.
    pub seen: Arc<Snapshot>,
    /// Notes that were indexed anew.
    pub indexed: usize,
    /// Why they could not be; the next look tries again.
    pub problem: Option<String>,
}

/// How far what happened to the vault was followed up.
#[derive(Debug)]
pub struct VaultChangeHandler {
    app: App,
    followed: Arc<Snapshot>,
    kept: Arc<Snapshot>,
}

/// Begins to look at the vault and to follow it up, from where the last one left off.
pub fn follow_vault(app: &App) -> (VaultScanner, VaultChangeHandler) {
    let known = snapshot_file(app).and_then(|file| Snapshot::load(&file)).unwrap_or_default();
    let known = Arc::new(known);
    let scanner = VaultScanner { app: app.clone(), seen: Arc::clone(&known) };
    (scanner, VaultChangeHandler { app: app.clone(), followed: Arc::clone(&known), kept: known })
}

/// Where what was seen of the vault is kept: it can be deleted at any time.
fn snapshot_file(app: &App) -> Option<PathBuf> {
    let root = app.vault_root();
    let name = ContentHash::of(root.as_bytes());
    (!root.is_empty()).then(|| app.paths.cache.join(format!("seen-{}.json", &name.as_str()[..16])))
}

impl VaultScanner {
    /// Looks at the vault once and indexes what changed, reading only that.
    ///
    /// # Errors
    /// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] where the vault cannot be looked at; one that is not there now is looked at when it
    /// is back.
    pub fn scan(&mut self) -> Result<VaultObservation, Error> {
        let vault = self.app.open_vault()?;
        self.seen = Arc::new(Snapshot::take(&vault, &self.seen)?);
        let indexed = indexing::index_snapshot(&self.app, &vault, &self.seen);
        let (indexed, problem) = match indexed {
            Ok(indexed) => (indexed.changed + indexed.removed, None),
            Err(error) => (0, Some(error.chain())),
        };
        Ok(VaultObservation { seen: Arc::clone(&self.seen), indexed, problem })
    }
}

impl VaultChangeHandler {
    /// Does what follows from what a look found: joins conflict copies, remembers deletions and merged notes, takes up
    /// answers, renews overviews. Doing it again changes nothing. What fails is in [`VaultNews::problems`], and is tried
    /// again with the next look.
    pub fn follow(&mut self, looked: &VaultObservation, now: &Zoned) -> VaultNews {
        let seen = &looked.seen;
        let is_first = self.followed.is_empty();
        let changes = if is_first || *seen == self.followed {
            Changes::default()
        } else {
            diff_snapshots(&self.followed, seen)
        };
        let mut news = VaultNews { changes, indexed: looked.indexed, ..VaultNews::default() };
        news.problems.extend(looked.problem.clone());
        let may_conflict = seen.may_conflict();
        let is_due = is_first || may_conflict || !news.changes.is_empty();
        let done = if is_due { self.follow_up(seen, may_conflict, &mut news, now) } else { Ok(()) };
        match done {
            Ok(()) => self.followed = Arc::clone(seen),
            // A vault that went away is followed up when it is back.
            Err(error) if is_vault_missing(&error) => {}
            Err(error) => news.problems.push(error.chain()),
        }
        news
    }

    /// Keeps how far the vault was followed for the next start.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn save_position(&mut self) -> Result<(), Error> {
        if self.followed == self.kept {
            return Ok(());
        }
        let Some(file) = snapshot_file(&self.app) else { return Ok(()) };
        let error =
            |source| Error::Io { path: file.clone(), action: "keep what was seen of the vault", source };
        let bytes = self.followed.to_bytes().map_err(|source| error(source.into()))?;
        create_private_directory(&self.app.paths.cache).map_err(error)?;
        replace_file(&file, &bytes).map_err(error)?;
        self.kept = Arc::clone(&self.followed);
        Ok(())
    }

    fn follow_up(
        &self,
        seen: &Snapshot,
        may_conflict: bool,
        news: &mut VaultNews,
        now: &Zoned,
    ) -> Result<(), Error> {
        let vault = self.app.open_vault()?;
        if may_conflict {
            self.join(seen, news, now)?;
        }
        // What could not be remembered keeps nothing else waiting, and is tried again with the next look.
        let remembered = self.remember(seen, &news.changes, now);
        if news.changes.concern_review() || self.followed.is_empty() {
            let taken = review::take_up_reviews(&self.app, now)?;
            news.answered = taken.decisions.len() + taken.undone.len();
            news.problems.extend(taken.problems);
        }
        if !news.changes.many_gone && !self.followed.is_empty() && !seen.has_same_overviews(&self.followed) {
            self.renew_overviews(now)?;
        }
        let renewed = match checks::has_binding_checks(&self.app) {
            true => vault
                .scan()
                .map_err(Error::from)
                .and_then(|index| checks::renew_binding_checks(&self.app, &index)),
            false => Ok(()),
        };
        remembered.and(renewed)
    }

    /// Makes one of two versions where nobody has to decide.
    fn join(&self, seen: &Snapshot, news: &mut VaultNews, now: &Zoned) -> Result<(), Error> {
        let session = VaultSession::begin(&self.app)?;
        for conflict in
            afterword_vault::find_conflicts(&session.index, &|from, to| seen.changed_between(from, to))
        {
            let path = conflict.path.to_string();
            match session.merge_conflict(&conflict, now) {
                Ok(ConflictOutcome::Done) => news.joined.push(path),
                Ok(ConflictOutcome::Open) => news.conflicts.push(path),
                Ok(ConflictOutcome::ChangedMeanwhile) => {}
                Err(error @ Error::Vault(_)) => news.problems.push(error.chain()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Notes that went into others keep their lessons there; what a person deleted stays deleted on every machine.
    fn remember(&self, seen: &Snapshot, changes: &Changes, now: &Zoned) -> Result<(), Error> {
        let is_gone = |change: &Change| matches!(change, Change::Merged { .. } | Change::Deleted { .. });
        if changes.many_gone || !changes.list.iter().any(is_gone) {
            return Ok(());
        }
        let session = VaultSession::begin(&self.app)?;
        for record in records_of_merges(changes, &self.followed, seen, &session.written_before()?) {
            session.record_written_note(&record.key, &record.written, now.timestamp())?;
        }
        let deleted = changes.list.iter().filter_map(|change| match change {
            Change::Deleted { path } => self.followed.at(path),
            _ => None,
        });
        let deleted: Vec<&NoteFacts> = deleted.collect();
        if !deleted.is_empty() {
            remember_in_vault(session, &deleted, now)?;
        }
        Ok(())
    }

    fn renew_overviews(&self, now: &Zoned) -> Result<(), Error> {
        let applied = VaultSession::begin(&self.app)?.renew_overviews(now)?;
        // One that changed meanwhile is renewed with that change.
        applied.done.into_iter().try_for_each(|done| match done.outcome {
            Outcome::Failed(error) => Err(NoteError::refused(&error).into()),
            _ => Ok(()),
        })
    }
}

/// Writes deletions into the vault itself, where the other machines see them.
fn remember_in_vault(mut session: VaultSession, deleted: &[&NoteFacts], now: &Zoned) -> Result<(), Error> {
    let mut open = NoteError::not_written("the list of deleted lessons kept changing while it was written");
    for _ in 0..TRIES {
        let plan = plan_tombstones(&session.index, deleted.iter().copied(), now);
        let applied = session.commit(&plan, &HashMap::new(), now.timestamp())?;
        match applied.done.iter().find(|done| !done.outcome.is_done()).map(|done| &done.outcome) {
            None => return Ok(()),
            Some(Outcome::Failed(error)) => open = NoteError::refused(error),
            Some(_) => {
                session.rescan()?;
                continue;
            }
        }
        break;
    }
    Err(open.into())
}

/// Whether the vault is away rather than wrong: on a disk that is not there now.
pub fn is_vault_missing(error: &Error) -> bool {
    matches!(error, Error::Vault(VaultError::NotAVault { .. } | VaultError::Root { .. }))
}
