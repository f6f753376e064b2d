//! The vault as others change it: people in their editors, sync tools, other machines.
//!
//! [`Following`] takes in what changed, one look after the other, and does what follows from it; [`watch`] makes it look when
//! the system tells of changes. Events are hints, the look is the truth: nothing is lost when an event is.

pub mod conflicts;
pub mod notes;
mod pace;
pub mod watch;

use std::path::PathBuf;

use afterword_store::{Store, WrittenNote};
use afterword_vault::changes::records;
use afterword_vault::{
    Change, Changes, ContentHash, Facts, Plan, Settled, Snapshot, Vault, VaultError, changes, plan,
    remember_deleted,
};
use jiff::Zoned;

use crate::files::{create_private_directory, replace_file};
use crate::lock::ApplyLock;
use crate::reflect::written_before;
use crate::{Agent, Error};

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

/// A vault that is followed.
#[derive(Debug)]
pub struct Following {
    agent: Agent,
    seen: Snapshot,
    kept: Snapshot,
}

impl Agent {
    /// Begins to follow the vault from where the last one left off.
    pub fn follow_vault(&self) -> Following {
        let seen = self.seen_file().and_then(|file| Snapshot::load(&file)).unwrap_or_default();
        Following { agent: self.clone(), kept: seen.clone(), seen }
    }

    /// Where what was seen of the vault is kept: it can be deleted at any time.
    fn seen_file(&self) -> Option<PathBuf> {
        let root = self.vault_root();
        let name = ContentHash::of(root.as_bytes());
        (!root.is_empty()).then(|| self.paths.cache.join(format!("seen-{}.json", &name.as_str()[..16])))
    }
}

impl Following {
    /// Looks at the vault once and does what follows: indexes, joins conflict copies, remembers deletions and merged notes,
    /// takes up answers, renews overviews. Doing it again changes nothing.
    ///
    /// # Errors
    /// [`Error::NoVault`], or what keeps the vault from being looked at; a vault that is not there now is looked at when
    /// it is back. What fails after the look is in [`VaultNews::problems`].
    pub fn look(&mut self, now: &Zoned) -> Result<VaultNews, Error> {
        let vault = self.agent.open_vault()?;
        let before = std::mem::take(&mut self.seen);
        let after = match vault.look(&before) {
            Ok(after) => after,
            Err(error) => {
                self.seen = before;
                return Err(error.into());
            }
        };
        let is_first = before.is_empty();
        let told = if is_first { Changes::default() } else { changes(&before, &after) };
        let mut news = VaultNews { changes: told, ..VaultNews::default() };
        match self.agent.index_looked_at(&vault, &after) {
            Ok(indexed) => news.indexed = indexed.changed + indexed.removed,
            Err(error) => news.problems.push(error.to_string()),
        }
        let due = !news.changes.is_empty() || is_first || after.may_conflict();
        self.seen = after;
        if due {
            let done = self.follow(&vault, &before, &mut news, now);
            if let Err(error) = done {
                news.problems.push(error.to_string());
                // What was to follow is not done: the next look finds the same changes again.
                self.seen = before;
            }
        }
        Ok(news)
    }

    /// Keeps what was seen for the next start.
    ///
    /// # Errors
    /// What the file system said.
    pub fn keep(&mut self) -> Result<(), Error> {
        if self.seen == self.kept {
            return Ok(());
        }
        let Some(file) = self.agent.seen_file() else { return Ok(()) };
        let error =
            |source| Error::Io { path: file.clone(), action: "keep what was seen of the vault", source };
        let bytes = self.seen.to_bytes().map_err(|source| error(source.into()))?;
        create_private_directory(&self.agent.paths.cache).map_err(error)?;
        replace_file(&file, &bytes).map_err(error)?;
        self.kept = self.seen.clone();
        Ok(())
    }

    fn follow(
        &self,
        vault: &Vault,
        before: &Snapshot,
        news: &mut VaultNews,
        now: &Zoned,
    ) -> Result<(), Error> {
        let store = self.agent.store()?;
        if self.seen.may_conflict() {
            self.join(vault, &store, news, now)?;
        }
        self.remember(vault, &store, before, &news.changes, now)?;
        if news.changes.wake_review() || before.is_empty() {
            let taken = self.agent.take_up_reviews(now)?;
            news.answered = taken.decisions.len() + taken.undone.len();
            news.problems.extend(taken.problems);
        }
        let stirs = |change: &Change| !matches!(change, Change::Grown { .. } | Change::IdeaTicked { .. });
        if news.changes.list.iter().any(stirs) && !news.changes.many_gone {
            self.renew_overviews(vault, &store, now)?;
        }
        Ok(())
    }

    /// Makes one of two versions where nobody has to decide.
    fn join(&self, vault: &Vault, store: &Store, news: &mut VaultNews, now: &Zoned) -> Result<(), Error> {
        let _lock = ApplyLock::take(&self.agent.paths.apply_lock())?;
        let root = vault.root().to_string_lossy();
        let index = vault.scan()?;
        let known = written_before(store, &root)?;
        for conflict in afterword_vault::conflicts(&index, &|from, to| self.seen.became(from, to)) {
            let path = conflict.path.to_string();
            match vault.settle(&conflict, now) {
                Ok(Settled::Done) => {
                    let rows = known.iter().filter(|(_, written)| {
                        index.at(&conflict.path).is_some_and(|entry| entry.properties.id == Some(written.id))
                    });
                    for (key, written) in rows {
                        if let Some(written) = conflict.written(written) {
                            put(store, &root, key, &written)?;
                        }
                    }
                    news.joined.push(path);
                }
                Ok(Settled::Open) => news.conflicts.push(path),
                Ok(Settled::ChangedMeanwhile) => {}
                Err(error) => news.problems.push(error.to_string()),
            }
        }
        Ok(())
    }

    /// Notes that went into others keep their lessons there; what a person deleted stays deleted on every machine.
    fn remember(
        &self,
        vault: &Vault,
        store: &Store,
        before: &Snapshot,
        told: &Changes,
        now: &Zoned,
    ) -> Result<(), Error> {
        let is_gone = |change: &Change| matches!(change, Change::Merged { .. } | Change::Deleted { .. });
        if told.many_gone || !told.list.iter().any(is_gone) {
            return Ok(());
        }
        let _lock = ApplyLock::take(&self.agent.paths.apply_lock())?;
        let root = vault.root().to_string_lossy();
        for record in records(told, before, &self.seen, &written_before(store, &root)?) {
            put(store, &root, &record.key, &record.written)?;
        }
        let deleted = told.list.iter().filter_map(|change| match change {
            Change::Deleted { path } => before.at(path),
            _ => None,
        });
        let deleted: Vec<&Facts> = deleted.collect();
        if !deleted.is_empty() {
            let plan = remember_deleted(&vault.scan()?, deleted.into_iter(), now);
            vault.apply(&plan);
        }
        Ok(())
    }

    fn renew_overviews(&self, vault: &Vault, store: &Store, now: &Zoned) -> Result<(), Error> {
        let _lock = ApplyLock::take(&self.agent.paths.apply_lock())?;
        let root = vault.root().to_string_lossy();
        let overviews: Plan = plan(&vault.scan()?, &[], &written_before(store, &root)?, now);
        for record in vault.apply(&overviews).records {
            put(store, &root, &record.key, &record.written)?;
        }
        Ok(())
    }
}

/// Whether the vault is away rather than wrong: on a disk that is not there now.
pub(crate) fn is_away(error: &Error) -> bool {
    matches!(error, Error::Vault(VaultError::NotAVault { .. } | VaultError::Root { .. }))
}

fn put(
    store: &Store,
    root: &str,
    key: &afterword_core::ContentKey,
    written: &afterword_vault::Written,
) -> Result<(), Error> {
    let known = store.written_notes(root).all()?.into_iter().find(|row| row.key == *key);
    let row = WrittenNote {
        key: key.clone(),
        note: written.id,
        path: written.path.to_string(),
        content_hash: written.content_hash.to_string(),
        session: known.as_ref().and_then(|row| row.session.clone()),
        at: known.map_or_else(jiff::Timestamp::now, |row| row.at),
    };
    Ok(store.written_notes(root).put(&row)?)
}
