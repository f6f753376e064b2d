//! The evidence that a note names, and where it can be read.

use afterword_core::SessionId;
use afterword_core::hidden::escape_hidden;
use afterword_store::Store;
use afterword_vault::{EvidencePiece, NoteEntry, StatedEvidence};

use super::item::EvidenceItem;
use super::transcript;
use crate::{App, Error, archive};

/// The evidence of a note, each piece with a few turns of the transcript around it.
///
/// # Errors
/// [`Error::Store`].
pub(crate) fn evidence_of(app: &App, entry: &NoteEntry) -> Result<Vec<EvidenceItem>, Error> {
    let mut evidence = evidence_items(StatedEvidence::of(&entry.note).pieces);
    add_turns(app, app.existing_store()?.as_ref(), &mut evidence);
    Ok(evidence)
}

/// The pieces as the note has them.
pub(super) fn evidence_items(pieces: Vec<EvidencePiece>) -> Vec<EvidenceItem> {
    let item = |piece: EvidencePiece| EvidenceItem {
        role: piece.role,
        quote: escape_hidden(&piece.quote).into_owned(),
        session: piece.session,
        uuid: piece.uuid,
        line: piece.line,
        date: piece.date,
        transcript: None,
        can_be_read: false,
        turns: Vec::new(),
    };
    pieces.into_iter().map(item).collect()
}

/// Says of each piece where its transcript is.
pub(super) fn add_transcripts(store: Option<&Store>, evidence: &mut [EvidenceItem]) {
    for piece in evidence {
        let session = SessionId::parse(&piece.session);
        piece.transcript = session.and_then(|session| transcript::of_session(store, &session));
        piece.can_be_read = piece.transcript.is_some();
    }
}

/// The same, with what was said around each piece. A copy in the archive can be read, too, but is not unpacked for this.
pub(super) fn add_turns(app: &App, store: Option<&Store>, evidence: &mut [EvidenceItem]) {
    add_transcripts(store, evidence);
    let redaction = app.redaction();
    for piece in evidence {
        match &piece.transcript {
            Some(path) => piece.turns = transcript::excerpt_around(app, path, piece, &redaction),
            None => piece.can_be_read = has_copy(app, &piece.session),
        }
    }
}

fn has_copy(app: &App, session: &str) -> bool {
    let copies = archive::archive(app).of_session(session).unwrap_or_default();
    copies.iter().any(|copy| copy.agent.is_empty())
}
