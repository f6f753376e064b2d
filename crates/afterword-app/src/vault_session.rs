//! The one way to change the vault: with the lock held, on a look at it taken under the lock, and with the database told of
//! what was written.
//!
//! A [`VaultSession`] carries out plans ([`VaultSession::commit`]) and changes single notes ([`VaultSession::revise`]). Notes are
//! written first and the database hears of them after, so that a crash leaves notes that carry their own keys, and nothing half
//! known. It does not decide what is to be written.

use std::cell::Cell;
use std::collections::HashMap;

use afterword_core::error_chain::error_chain;
use afterword_core::{ContentKey, NoteId, SessionId};
use afterword_platform::lock::ApplyLock;
use afterword_store::{DecidedNote, Decision, DecisionId, Store, StoreError, WrittenNote};
use afterword_vault::{
    ApplyReport, Conflict, ConflictOutcome, ContentHash, EditError, LastWrite, NoteEditor, NoteEntry,
    Outcome, Plan, Revision, RevisionOutcome, Vault, VaultIndex, VaultPath, VersionChoice, WriteRecord,
};
use jiff::{Timestamp, Zoned};

use crate::error::{NoteError, ReviewError};
use crate::{App, Error};

/// How often a change is made again because the note changed between the look and the write.
const TRIES: usize = 4;

/// A vault that nobody else plans for or writes to meanwhile.
pub(crate) struct VaultSession {
    pub(crate) vault: Vault,
    pub(crate) store: Store,
    /// The vault's root as the database knows it.
    pub(crate) root: String,
    /// The notes as they were at the last look.
    pub(crate) index: VaultIndex,
    /// Something was written since that look, or found to have changed.
    is_stale: Cell<bool>,
    _lock: ApplyLock,
}

impl VaultSession {
    /// Waits for the lock and looks at the vault. Where the vault was moved, what is known of it goes with it.
    ///
    /// # Errors
    /// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), [`Error::Vault`], [`Error::Store`], and [`Error::Io`] for the lock.
    pub(crate) fn begin(app: &App) -> Result<Self, Error> {
        // It looks again after each change of its own.
        let (vault, store) = (app.with_temporary_scan_cache().open_vault()?, app.store()?);
        // Reading a large vault takes a while; whoever answers a lesson meanwhile would wait for the lock.
        vault.fill_scan_cache()?;
        let lock = ApplyLock::take(&app.paths.apply_lock())?;
        let index = scan_vault(&vault)?;
        let root = vault.root().to_string_lossy().into_owned();
        adopt(&store, &root, || Ok(&index))?;
        Ok(Self { vault, store, root, index, is_stale: Cell::new(false), _lock: lock })
    }

    /// Looks at the vault again, where this session tried to write since it looked last. What others do meanwhile is seen when a
    /// change is refused for it.
    ///
    /// # Errors
    /// [`Error::Vault`].
    pub(crate) fn rescan(&mut self) -> Result<(), Error> {
        if self.is_stale.get() {
            self.index = scan_vault(&self.vault)?;
            self.is_stale.set(false);
        }
        Ok(())
    }

    /// What was written to the vault before, as a plan wants it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn written_before(&self) -> Result<HashMap<ContentKey, LastWrite>, Error> {
        Ok(written_before(&self.store, &self.root)?)
    }

    /// Carries out a plan and tells the database of each note that was written, with the session that taught it, where
    /// `taught_by` has one. What could not be written is in what is returned.
    ///
    /// # Errors
    /// [`Error::Store`].
    #[must_use = "what could not be written is in what is returned"]
    pub(crate) fn commit(
        &self,
        plan: &Plan,
        taught_by: &HashMap<&ContentKey, &SessionId>,
        at: Timestamp,
    ) -> Result<ApplyReport, Error> {
        let applied = self.vault.apply(plan);
        self.is_stale.set(self.is_stale.get() || !applied.done.is_empty());
        self.store.in_transaction(|_| {
            applied.records.iter().try_for_each(|WriteRecord { key, written }| {
                let session = taught_by.get(key).map(|session| (*session).clone());
                self.put(key, written, session, at)
            })
        })?;
        Ok(applied)
    }

    /// Tells the database which note carries a lesson now; the session that taught it stays the one that did.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn record_written_note(
        &self,
        key: &ContentKey,
        written: &LastWrite,
        at: Timestamp,
    ) -> Result<(), Error> {
        let known = self.store.written_notes(&self.root).get(key)?;
        let session = known.as_ref().and_then(|row| row.session.clone());
        self.put(key, written, session, known.map_or(at, |row| row.at))
    }

    /// As [`Self::record_written_note`], of a lesson that a session taught now.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn record_learned_note(
        &self,
        (key, session): (&ContentKey, &SessionId),
        written: &LastWrite,
        at: Timestamp,
    ) -> Result<(), Error> {
        self.put(key, written, Some(session.clone()), at)
    }

    fn put(
        &self,
        key: &ContentKey,
        written: &LastWrite,
        session: Option<SessionId>,
        at: Timestamp,
    ) -> Result<(), Error> {
        Ok(self.store.written_notes(&self.root).put(&WrittenNote {
            key: key.clone(),
            note: written.id,
            path: written.path.to_string(),
            content_hash: written.content_hash.to_string(),
            session,
            at,
        })?)
    }

    /// Writes the overviews anew that list what changed.
    ///
    /// # Errors
    /// [`Error::Vault`] or [`Error::Store`].
    #[must_use = "what could not be written is in what is returned"]
    pub(crate) fn renew_overviews(&mut self, now: &Zoned) -> Result<ApplyReport, Error> {
        self.rescan()?;
        let plan = afterword_vault::plan(&self.index, &[], &self.written_before()?, now);
        self.commit(&plan, &HashMap::new(), now.timestamp())
    }

    /// As [`VaultSession::renew_overviews`], where what matters is done: an overview only repeats the notes. One that cannot be written
    /// now is written with the next change, and the log says so.
    ///
    /// # Errors
    /// As [`VaultSession::renew_overviews`].
    pub(crate) fn renew_overviews_or_log(&mut self, now: &Zoned) -> Result<(), Error> {
        log_not_done(&self.renew_overviews(now)?);
        Ok(())
    }

    /// Changes one note as `make` says, again on a new look where it changed meanwhile; gives where it is then. What it was
    /// before goes to `notes`, so that it can be taken back.
    ///
    /// # Errors
    /// [`NoteError::NoSuch`], [`ReviewError::Unchangeable`], [`ReviewError::Changing`], [`Error::Vault`] and [`Error::Store`].
    pub(crate) fn revise(
        &self,
        id: NoteId,
        notes: &mut Vec<DecidedNote>,
        make: impl Fn(&NoteEditor<'_>, &NoteEntry) -> Result<Revision, EditError>,
    ) -> Result<VaultPath, Error> {
        let mut fresh: Option<VaultIndex> = None;
        let mut before: Option<(VaultPath, String)> = None;
        for _ in 0..TRIES {
            let index = fresh.as_ref().unwrap_or(&self.index);
            let gone = || NoteError::NoSuch { argument: id.to_string() };
            let entry = index.by_id(id).ok_or_else(gone)?;
            let (was_at, content) =
                before.get_or_insert_with(|| (entry.path.clone(), entry.note.print().to_owned()));
            let refused = |source| ReviewError::Unchangeable { path: entry.path.to_string(), source };
            let revision = make(&NoteEditor::new(index), entry).map_err(refused)?;
            match self.write_revision(id, &revision)? {
                RevisionOutcome::Done { hash } => {
                    notes.push(DecidedNote {
                        vault: self.root.clone(),
                        path_before: was_at.to_string(),
                        content_before: content.clone(),
                        path_after: revision.to.to_string(),
                        hash_after: hash.to_string(),
                    });
                    return Ok(revision.to);
                }
                RevisionOutcome::ChangedMeanwhile => fresh = Some(scan_vault(&self.vault)?),
            }
        }
        Err(ReviewError::Changing { path: before.map(|(path, _)| path.to_string()).unwrap_or_default() }
            .into())
    }

    /// Changes one note, if its file is still what the revision was made on.
    ///
    /// # Errors
    /// [`Error::Vault`] or [`Error::Store`].
    pub(crate) fn write_revision(&self, id: NoteId, revision: &Revision) -> Result<RevisionOutcome, Error> {
        self.is_stale.set(true);
        let revised = self.vault.revise(revision)?;
        if let RevisionOutcome::Done { hash } = &revised {
            let rows = self.store.written_notes(&self.root);
            rows.record_revision(id, revision.before.as_str(), revision.to.as_str(), hash.as_str())?;
        }
        Ok(revised)
    }

    /// Changes a file that carries no lesson, like the list of ideas, if it is still what the revision was made on.
    ///
    /// # Errors
    /// [`Error::Vault`].
    pub(crate) fn revise_list(&self, revision: &Revision) -> Result<RevisionOutcome, Error> {
        self.is_stale.set(true);
        Ok(self.vault.revise(revision)?)
    }

    /// Changes a note in the person's name, if its file is still what the revision was made on. The database is not told, so that the note
    /// counts as changed by the person from then on: nobody withdraws, improves or forgets it unasked.
    ///
    /// # Errors
    /// [`Error::Vault`].
    pub(crate) fn revise_as_person(&self, revision: &Revision) -> Result<RevisionOutcome, Error> {
        self.is_stale.set(true);
        Ok(self.vault.revise(revision)?)
    }

    /// Removes a note that nobody changed since it was written; says whether it was.
    ///
    /// # Errors
    /// [`Error::Vault`].
    pub(crate) fn remove_untouched(&self, path: &VaultPath, written: &WrittenNote) -> Result<bool, Error> {
        let Some(hash) = ContentHash::parse(&written.content_hash) else { return Ok(false) };
        self.is_stale.set(true);
        Ok(self.vault.remove_untouched(path, &hash)?)
    }

    /// Joins two versions of a note where that needs no person. It is no edit: what Afterword wrote counts as written by it still.
    ///
    /// # Errors
    /// [`Error::Vault`] or [`Error::Store`].
    pub(crate) fn merge_conflict(&self, conflict: &Conflict, now: &Zoned) -> Result<ConflictOutcome, Error> {
        self.is_stale.set(true);
        let settled = conflict.merge(&self.vault, now)?;
        if settled == ConflictOutcome::Done {
            let note = self.index.at(&conflict.path).and_then(|entry| entry.properties.id);
            let known = self.written_before()?;
            for (key, written) in known.iter().filter(|(_, written)| note == Some(written.id)) {
                if let Some(written) = conflict.written_after_merge(written) {
                    self.record_written_note(key, &written, now.timestamp())?;
                }
            }
        }
        Ok(settled)
    }

    /// Does what a person decided about two versions of a note. The database needs no news: the version that stays is as it was written,
    /// by Afterword or by the person.
    ///
    /// # Errors
    /// [`Error::Vault`].
    pub(crate) fn decide(
        &self,
        conflict: &Conflict,
        choice: VersionChoice,
        now: &Zoned,
    ) -> Result<ConflictOutcome, Error> {
        self.is_stale.set(true);
        Ok(conflict.decide(&self.vault, choice, now)?)
    }

    /// Keeps a decision, with the notes it changed.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(crate) fn record_decision(&self, row: &Decision, notes: &[DecidedNote]) -> Result<DecisionId, Error> {
        self.store.in_transaction(|store| {
            let id = store.decisions().add(row)?;
            store.decided_notes().add(id, notes)?;
            Ok(id)
        })
    }
}

/// Reads the vault as it is now.
fn scan_vault(vault: &Vault) -> Result<VaultIndex, Error> {
    #[cfg(test)]
    SCANS.set(SCANS.get() + 1);
    Ok(vault.scan()?)
}

#[cfg(test)]
thread_local! {
    /// How often sessions of this thread looked at a vault.
    static SCANS: Cell<usize> = const { Cell::new(0) };
}

/// A vault that was moved keeps what is known of it.
///
/// # Errors
/// [`Error::Vault`] or [`Error::Store`].
pub(crate) fn recognise_moved(vault: &Vault, store: &Store) -> Result<(), Error> {
    let mut index = None;
    adopt(store, &vault.root().to_string_lossy(), || Ok(index.insert(vault.scan()?)))
}

fn adopt<'i>(
    store: &Store,
    root: &str,
    look: impl FnOnce() -> Result<&'i VaultIndex, Error>,
) -> Result<(), Error> {
    if store.written_notes(root).is_new_vault()? {
        let mut notes = look()?.notes().filter_map(|entry| entry.properties.id);
        store.in_transaction(|store| store.written_notes(root).adopt_vault(&mut notes))?;
    }
    Ok(())
}

/// What was written to the vault before, as its plan wants it.
///
/// Of a row whose path or hash cannot be read, the rest counts: its lesson is known, so that one that was deleted does not
/// come back, and its note is a person's, which is never written over. [`unreadable`] counts such rows.
///
/// # Errors
/// [`StoreError`]: the database is locked, damaged, full or can only be read.
pub(crate) fn written_before(
    store: &Store,
    root: &str,
) -> Result<HashMap<ContentKey, LastWrite>, StoreError> {
    let unknown = VaultPath::parse("Afterword/unknown").expect("a plain path");
    let known = store.written_notes(root).all()?.into_iter().map(|row| {
        let path = VaultPath::parse(&row.path).unwrap_or_else(|| unknown.clone());
        // No note is empty.
        let content_hash = ContentHash::parse(&row.content_hash).unwrap_or_else(|| ContentHash::of(b""));
        (row.key, LastWrite { id: row.note, path, content_hash })
    });
    Ok(known.collect())
}

/// How many rows about written notes have a path or a hash that cannot be read.
///
/// # Errors
/// [`StoreError`]: the database is locked, damaged, full or can only be read.
pub(crate) fn unreadable(store: &Store, root: &str) -> Result<usize, StoreError> {
    let is_unreadable = |row: &&WrittenNote| {
        VaultPath::parse(&row.path).is_none() || ContentHash::parse(&row.content_hash).is_none()
    };
    Ok(store.written_notes(root).all()?.iter().filter(is_unreadable).count())
}

/// Writes down what of a plan was not carried out.
fn log_not_done(report: &ApplyReport) {
    for done in &report.done {
        let problem = match &done.outcome {
            Outcome::Written { .. } | Outcome::AlreadyThere { .. } => continue,
            Outcome::ChangedMeanwhile => "it changed meanwhile".to_owned(),
            Outcome::Failed(error) => error_chain(error),
        };
        tracing::warn!("{} was not written: {problem}", done.path);
    }
}

#[cfg(test)]
mod tests {
    use afterword_core::LessonKind;
    use afterword_testkit::Sandbox;

    use super::*;
    use crate::saving::{self, SaveRequest};
    use crate::{NoProgress, ReflectRequest, Target, init, reflect, review};

    fn scans_during<T>(work: impl FnOnce() -> T) -> (usize, T) {
        let before = SCANS.get();
        let result = work();
        (SCANS.get() - before, result)
    }

    #[test]
    fn vault_is_looked_at_again_only_after_a_change() {
        let sandbox = Sandbox::empty();
        let now: Zoned = "2026-03-01T10:00:00[UTC]".parse().unwrap();
        init::init(&sandbox.environment(), Some(&sandbox.path("vault"))).unwrap();
        let app = App::new(sandbox.environment()).unwrap();
        let request = SaveRequest {
            kind: LessonKind::Preference,
            title: "Write dates as 2026-03-01".to_owned(),
            body: String::new(),
            project: None,
            session: None,
        };
        let saved = saving::observe(&app, &request, &now).unwrap().path.unwrap();

        let (looks, session) = scans_during(|| VaultSession::begin(&app).unwrap());
        assert_eq!(looks, 1);
        let mut session = session;
        assert_eq!(scans_during(|| session.rescan().unwrap()).0, 0, "nothing was written");
        let id =
            session.index.notes().find(|entry| entry.path.as_str() == saved).unwrap().properties.id.unwrap();
        session.revise(id, &mut Vec::new(), |editor, entry| editor.retract(entry, "no")).unwrap();
        assert_eq!(scans_during(|| session.rescan().unwrap()).0, 1);
        assert!(session.index.by_id(id).unwrap().note.print().contains("no"), "what was written is seen");
        assert_eq!(scans_during(|| session.rescan().unwrap()).0, 0);
        drop(session);

        let saved = saving::observe(
            &app,
            &SaveRequest { title: "Say commit, not check in".to_owned(), ..request },
            &now,
        );
        let saved = saved.unwrap().path.unwrap();
        let (looks, _) = scans_during(|| review::approve(&app, &saved, &now).unwrap());
        assert_eq!(looks, 2, "before the answer, and after it for the overviews");
        let (looks, _) = scans_during(|| review::skip(&app, &saved, &now));
        assert_eq!(looks, 1);

        sandbox.samples();
        let request = ReflectRequest::new(Target::Changed { since: None });
        let (looks, reflection) =
            scans_during(|| reflect::reflect(&app, &request, &now, &mut NoProgress).unwrap());
        assert!(reflection.notes.len() > 3, "{reflection:?}");
        assert_eq!(looks, 2, "for what was answered, and for what was found");
    }
}
