//! Changing notes so that it can be taken back: each with the text it had before, and all with the decision they belong to.

use afterword_core::NoteId;
use afterword_store::{DecidedNote, Decision, DecisionId, Store};
use afterword_vault::{Answering, EditRefused, NoteEntry, Revised, Revision, Vault, VaultIndex, VaultPath};

use crate::Error;

/// How often a change is made again because the note changed between the look and the write.
const TRIES: usize = 4;

/// The notes of a vault, with the lock held: nobody else plans or applies meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct Notes<'a> {
    pub(crate) vault: &'a Vault,
    pub(crate) store: &'a Store,
    pub(crate) root: &'a str,
    pub(crate) index: &'a VaultIndex,
}

impl Notes<'_> {
    /// Changes one note as `make` says, again on a new scan where it changed meanwhile; gives where it is then.
    pub(crate) fn revise(
        self,
        id: NoteId,
        notes: &mut Vec<DecidedNote>,
        make: impl Fn(&Answering<'_>, &NoteEntry) -> Result<Revision, EditRefused>,
    ) -> Result<VaultPath, Error> {
        let mut fresh: Option<VaultIndex> = None;
        let mut before: Option<(VaultPath, String)> = None;
        for _ in 0..TRIES {
            let index = fresh.as_ref().unwrap_or(self.index);
            let gone = || Error::NoSuchNote { argument: id.to_string() };
            let entry = index.by_id(id).ok_or_else(gone)?;
            let (was_at, content) =
                before.get_or_insert_with(|| (entry.path.clone(), entry.note.print().to_owned()));
            let refused = |source| Error::NoteUnchangeable { path: entry.path.to_string(), source };
            let revision = make(&Answering::new(index), entry).map_err(refused)?;
            match self.vault.revise(&revision)? {
                Revised::Done { hash } => {
                    notes.push(DecidedNote {
                        vault: self.root.to_owned(),
                        path_before: was_at.to_string(),
                        content_before: content.clone(),
                        path_after: revision.to.to_string(),
                        hash_after: hash.to_string(),
                    });
                    let old = revision.before.to_string();
                    let written = self.store.written_notes(self.root);
                    written.revised(id, &old, revision.to.as_str(), hash.as_str())?;
                    return Ok(revision.to);
                }
                Revised::ChangedMeanwhile => fresh = Some(self.vault.scan()?),
            }
        }
        Err(Error::NoteChanging { path: before.map(|(path, _)| path.to_string()).unwrap_or_default() })
    }
}

/// Keeps a decision, with the notes it changed.
pub(crate) fn remember(store: &Store, row: &Decision, notes: &[DecidedNote]) -> Result<DecisionId, Error> {
    store.in_transaction(|store| {
        let id = store.decisions().add(row)?;
        store.decided_notes().add(id, notes)?;
        Ok(id)
    })
}
