//! Notes a person asks for: the review of a month, the link that opens a note in Obsidian.

use std::collections::HashMap;
use std::path::Path;

use afterword_vault::{Outcome, VaultPath, layout, month_review, obsidian};
use jiff::Zoned;
use jiff::civil::Date;

use crate::error::{NoteError, ReviewError};
use crate::note;
use crate::vault_sync::VaultSession;
use crate::{App, Error};

/// A note and how to open it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedNote {
    /// The note, below the vault's root.
    pub path: String,
    /// `obsidian://…`; `None` where the path cannot stand in a link.
    pub link: Option<String>,
}

impl LinkedNote {
    fn of(root: &Path, path: &VaultPath) -> Self {
        Self { path: path.to_string(), link: obsidian::obsidian_uri(&path.below(root)) }
    }
}

/// Writes the review of the month that `day` lies in, or brings it up to date.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), [`ReviewError::Changing`] when somebody wrote to it in the same moment, or [`Error::Vault`].
pub fn month(app: &App, day: Date, now: &Zoned) -> Result<LinkedNote, Error> {
    let session = VaultSession::begin(app)?;
    let usual = format!("{}/{:04}-{:02}.md", layout::REVIEWS, day.year(), day.month());
    let plan = month_review::plan_month_review(&session.index, day, now);
    let applied = session.commit(&plan, &HashMap::new(), now.timestamp())?;
    if let Some(done) = applied.done.into_iter().next() {
        match done.outcome {
            Outcome::Written { .. } | Outcome::AlreadyThere { .. } => {
                return Ok(LinkedNote::of(session.vault.root(), &done.path));
            }
            Outcome::ChangedMeanwhile => {
                return Err(ReviewError::Changing { path: done.path.to_string() }.into());
            }
            Outcome::Failed(error) => return Err(error.into()),
        }
    }
    let path = VaultPath::parse(&usual).ok_or(NoteError::NoSuch { argument: usual })?;
    Ok(LinkedNote::of(session.vault.root(), &path))
}

/// Where a note is and how to open it; `argument` is its id or the start of one, its path, or its file's name.
///
/// # Errors
/// [`NoteError::NoSuch`] and [`NoteError::Ambiguous`] for the argument, otherwise [`Error::Vault`].
pub fn note_link(app: &App, argument: &str) -> Result<LinkedNote, Error> {
    let vault = app.open_vault()?;
    let index = vault.scan()?;
    Ok(LinkedNote::of(vault.root(), &note::find(&index, argument)?.path))
}
