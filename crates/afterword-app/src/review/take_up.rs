//! Taking up answers that were given outside the program: in an editor, on another machine, or before a crash.
//!
//! The `review` property of a note is the answer. What it asks for is carried out by the same code as an answer given
//! here, and what the database has not heard of is remembered.

use std::collections::HashSet;

use afterword_core::NoteId;
use afterword_store::{DecisionRow, Scope, Verdict};
use afterword_vault::{
    NewWording, NoteEditor, NoteEntry, ReviewAnswer, Status, VaultPath, expired_on, layout,
};
use jiff::Zoned;
use serde::Serialize;

use super::decide::Decision;
use super::likely::older_of;
use crate::error::ReviewError;
use crate::note;
use crate::review::decide;
use crate::vault_session::VaultSession;
use crate::{App, Error};

/// What was taken up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TakeUpReport {
    /// Answers that were carried out, or only remembered because the note was in its place already.
    pub decisions: Vec<Decision>,
    /// Rejections that a person took back in the editor.
    pub undone: Vec<i64>,
    /// Notes whose answer could not be carried out, and why.
    pub problems: Vec<String>,
}

impl TakeUpReport {
    /// Nothing was there to take up.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What an answer in a note asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EditorAnswer {
    /// Keep the lesson; its note may have to move.
    Keep,
    /// Refuse it; its note may have to move.
    Refuse,
    /// A rejected lesson is to count after all.
    Revive,
}

/// Carries out the answers that people gave in their notes, and remembers those that were carried out elsewhere.
/// Doing it again changes nothing.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), [`Error::Vault`], [`Error::Store`] or [`Error::Io`] where nothing can be taken up; what concerns one note is in
/// [`TakeUpReport::problems`].
pub fn take_up_reviews(app: &App, now: &Zoned) -> Result<TakeUpReport, Error> {
    let mut deciding = decide::open_answer_session(app)?;
    let taken = EditorAnswers { session: &mut deciding.session }.take_up(now)?;
    if !taken.is_empty() {
        deciding.follow_up(app, now)?;
    }
    Ok(taken)
}

/// Taking up what people answered in their notes.
struct EditorAnswers<'a> {
    session: &'a mut VaultSession,
}

impl EditorAnswers<'_> {
    fn take_up(&mut self, now: &Zoned) -> Result<TakeUpReport, Error> {
        let rows = self.session.store.decisions().all(None)?;
        let standing: Vec<DecisionRow> = rows.into_iter().filter(|row| row.undone_at.is_none()).collect();
        let known = KnownAnswers::of(&standing);
        let wishes: Vec<(NoteId, EditorAnswer)> =
            self.session.index.notes().filter_map(|entry| known.editor_answer(entry)).collect();
        let mut taken = TakeUpReport::default();
        for (id, wish) in wishes {
            match self.apply_editor_answer(id, wish, &standing, now, &mut taken) {
                Ok(()) => {}
                Err(
                    error @ (Error::Review(ReviewError::Unchangeable { .. })
                    | Error::Review(ReviewError::Changing { .. })),
                ) => {
                    taken.problems.push(error.chain());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(taken)
    }

    fn apply_editor_answer(
        &mut self,
        id: NoteId,
        wish: EditorAnswer,
        standing: &[DecisionRow],
        now: &Zoned,
        taken: &mut TakeUpReport,
    ) -> Result<(), Error> {
        let Some(entry) = self.session.index.by_id(id).cloned() else { return Ok(()) };
        let everywhere = entry.note.text_of("review_scope").is_some();
        let reason = entry.note.text_of("review_reason").unwrap_or_default().to_owned();
        // How the notes were before is not remembered: they have the answer in them, and undoing it must take that out.
        let mut notes = Vec::new();
        let likely = older_of(&self.session.index, &entry).filter(|_| wish == EditorAnswer::Keep);
        let likely = likely.map(|(_, older)| older.path.clone());
        let path = self.session.revise(id, &mut notes, |editor, entry| match wish {
            EditorAnswer::Keep => {
                let older: Vec<&VaultPath> = likely.iter().collect();
                editor.approve(entry, &NewWording::default(), &older)
            }
            EditorAnswer::Revive => editor.approve(entry, &NewWording::default(), &[]),
            EditorAnswer::Refuse => editor.reject(entry, &reason, everywhere),
        })?;
        let superseded = match wish {
            EditorAnswer::Keep => self.supersede_linked(&entry, likely.as_ref(), &path, &mut notes)?,
            EditorAnswer::Refuse | EditorAnswer::Revive => None,
        };
        if wish == EditorAnswer::Revive {
            for row in rejections_of(standing, id) {
                self.session.store.decisions().undo(row.id, now.timestamp())?;
                taken.undone.push(row.id.0);
            }
        }
        let scope = match (wish, everywhere) {
            (EditorAnswer::Refuse, true) => Scope::Global,
            _ => note::scope_of(&self.session.store, &entry)?,
        };
        let verdict = match wish {
            EditorAnswer::Refuse => Verdict::Reject,
            EditorAnswer::Keep if superseded.is_some() => Verdict::Supersede,
            EditorAnswer::Keep | EditorAnswer::Revive => Verdict::Approve,
        };
        let row = note::decision(&entry, verdict, scope, &reason, superseded, now.timestamp());
        let number = self.session.record_decision(&row, &[])?;
        let decided = DecisionRow { id: number, decision: row, undone_at: None };
        taken.decisions.push(Decision::of(&decided, &path, id));
        Ok(())
    }

    /// Notes that an approved one says it takes the place of, and that still count.
    fn supersede_linked(
        &mut self,
        entry: &NoteEntry,
        likely: Option<&VaultPath>,
        path: &VaultPath,
        notes: &mut Vec<afterword_store::DecidedNote>,
    ) -> Result<Option<NoteId>, Error> {
        let index = &self.session.index;
        let editor = NoteEditor::new(index);
        let links = entry.properties.supersedes.iter().filter_map(|link| editor.resolve_link(link));
        let old = links.chain(likely.and_then(|older| index.at(older))).find(|old| {
            old.properties.effective_status() == Some(Status::Active)
                && old.properties.id != entry.properties.id
        });
        let Some(old) = old.and_then(|old| old.properties.id) else { return Ok(None) };
        self.session.rescan()?;
        self.session.revise(old, notes, |editor, entry| editor.mark_superseded(entry, path))?;
        Ok(Some(old))
    }
}

/// What the database knows of decisions about notes.
struct KnownAnswers {
    kept: HashSet<NoteId>,
    refused: HashSet<NoteId>,
}

impl KnownAnswers {
    fn of(standing: &[DecisionRow]) -> Self {
        let notes = |verdicts: &[Verdict]| {
            let rows = standing.iter().filter(|row| verdicts.contains(&row.decision.verdict));
            rows.filter_map(|row| row.decision.note).collect()
        };
        Self {
            kept: notes(&[Verdict::Approve, Verdict::Edit, Verdict::Supersede]),
            refused: notes(&[Verdict::Reject]),
        }
    }

    fn editor_answer(&self, entry: &NoteEntry) -> Option<(NoteId, EditorAnswer)> {
        let properties = &entry.properties;
        let id = properties.id?;
        note::lesson_kind(entry)?;
        let in_queue = entry.path.is_below(layout::REVIEW) || entry.path.is_below(layout::INBOX);
        let refused = self.refused.contains(&id);
        let wish = match (properties.status, properties.review?) {
            (Some(Status::Inbox), ReviewAnswer::Approve) => EditorAnswer::Keep,
            (Some(Status::Inbox), ReviewAnswer::Reject) => EditorAnswer::Refuse,
            // The person set the status back by hand, which says it as clearly as the answer would.
            (Some(Status::Active) | None, ReviewAnswer::Reject) if refused => EditorAnswer::Revive,
            (Some(Status::Active) | None, ReviewAnswer::Reject) => EditorAnswer::Refuse,
            (Some(Status::Archived), ReviewAnswer::Approve) if refused => EditorAnswer::Revive,
            (Some(Status::Archived), ReviewAnswer::Approve) if expired_on(entry).is_some() => {
                EditorAnswer::Keep
            }
            (Some(Status::Active) | None, ReviewAnswer::Approve) if in_queue || !self.kept.contains(&id) => {
                EditorAnswer::Keep
            }
            (Some(Status::Archived), ReviewAnswer::Reject) if in_queue || !refused => EditorAnswer::Refuse,
            _ => return None,
        };
        Some((id, wish))
    }
}

fn rejections_of(standing: &[DecisionRow], note: NoteId) -> impl Iterator<Item = &DecisionRow> {
    standing
        .iter()
        .filter(move |row| row.decision.verdict == Verdict::Reject && row.decision.note == Some(note))
}
