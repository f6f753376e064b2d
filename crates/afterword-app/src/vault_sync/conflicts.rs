//! Two versions of one note, as a person sees and decides them.

use afterword_core::hidden::escape_hidden;
use afterword_vault::{Conflict, ConflictOutcome, Note, Properties, Snapshot, VaultIndex};
use jiff::Zoned;
use serde::Serialize;

pub use afterword_vault::VersionChoice;

use crate::error::{NoteError, ReviewError};
use crate::vault_session::VaultSession;
use crate::{App, Error};

/// Two versions of one note that a person has to decide about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Conflict"))]
pub struct ConflictItem {
    /// The note, below the vault's root.
    pub path: String,
    /// What the note is called; its file's name where it has no title.
    pub title: String,
    /// The other version's file; `None` where git left both in one.
    pub copy: Option<String>,
    /// What made it, as people call it; `None` where two machines wrote one lesson.
    pub tool: Option<&'static str>,
    /// The note's version.
    pub here: String,
    /// The other version.
    pub there: String,
    /// Nothing has to be decided: the versions can be joined without losing anything.
    pub can_be_joined: bool,
}

impl ConflictItem {
    fn of(conflict: &Conflict) -> Self {
        Self {
            path: conflict.path.to_string(),
            title: title_of(conflict),
            copy: conflict.copy.as_ref().map(ToString::to_string),
            tool: conflict.tool.map(afterword_vault::SyncTool::name),
            here: escape_hidden(&conflict.here).into_owned(),
            there: escape_hidden(&conflict.there).into_owned(),
            can_be_joined: conflict.joined.is_some(),
        }
    }
}

/// Of the first version that has one: git leaves its marks in the front matter, too.
fn title_of(conflict: &Conflict) -> String {
    let mut titles = [&conflict.here, &conflict.there].into_iter().filter_map(|text| {
        let title = Properties::of(&Note::parse(text.clone())).title?;
        Some(title).filter(|title| !title.trim().is_empty())
    });
    let name =
        || conflict.path.as_str().rsplit('/').next().unwrap_or_default().trim_end_matches(".md").to_owned();
    let title = titles.next().unwrap_or_else(name);
    escape_hidden(&title).into_owned()
}

/// Lists the notes of which there are two versions.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`].
pub fn conflicts(app: &App) -> Result<Vec<ConflictItem>, Error> {
    let vault = app.open_vault()?;
    Ok(conflicts_in(app, &vault.scan()?).iter().map(ConflictItem::of).collect())
}

/// Joins the versions of a note that can be joined; says whether they could.
///
/// # Errors
/// [`NoteError::NoSuch`] where there is no conflict about the note, otherwise as [`conflicts`].
pub fn join_conflict(app: &App, path: &str, now: &Zoned) -> Result<bool, Error> {
    with_conflict(app, path, |session, conflict| session.merge_conflict(conflict, now))
}

/// Decides which version of a note counts. What was not chosen is kept in the archive. `path` is the note's or the
/// copy's, or the name of either.
///
/// # Errors
/// As [`join_conflict`]; [`ReviewError::Changing`] when a version changed meanwhile.
pub fn decide_conflict(app: &App, path: &str, choice: VersionChoice, now: &Zoned) -> Result<bool, Error> {
    with_conflict(app, path, |session, conflict| session.decide(conflict, choice, now))
}

fn with_conflict(
    app: &App,
    path: &str,
    act: impl Fn(&VaultSession, &Conflict) -> Result<ConflictOutcome, Error>,
) -> Result<bool, Error> {
    let session = VaultSession::begin(app)?;
    let is_meant = |conflict: &&Conflict| {
        let named = |one: &afterword_vault::VaultPath| one.as_str() == path || one.name() == path;
        named(&conflict.path) || conflict.copy.as_ref().is_some_and(named)
    };
    let all = conflicts_in(app, &session.index);
    let conflict =
        all.iter().find(is_meant).ok_or_else(|| NoteError::NoSuch { argument: path.to_owned() })?;
    match act(&session, conflict)? {
        ConflictOutcome::Done => Ok(true),
        ConflictOutcome::Open => Ok(false),
        ConflictOutcome::ChangedMeanwhile => {
            Err(ReviewError::Changing { path: conflict.path.to_string() }.into())
        }
    }
}

fn conflicts_in(app: &App, index: &VaultIndex) -> Vec<Conflict> {
    let seen = super::snapshot_file(app).and_then(|file| Snapshot::load(&file)).unwrap_or_default();
    afterword_vault::find_conflicts(index, &|from, to| seen.changed_between(from, to))
}
