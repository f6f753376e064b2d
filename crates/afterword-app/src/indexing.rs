//! The search index and the vault: filling one from the other, all of it or only what changed.
//!
//! The index lies in the cache directory and can be deleted at any time. Whether the vault changed is told by the newest
//! time of its files and folders, so that asking costs no reading; what changed is told by the notes' hashes.

mod attempts;
mod reembed;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use afterword_recall::{EmbeddingModel, index_model, indexed};
use afterword_reflect::builtin::essence;
use afterword_store::{IndexedNote, SearchIndex};
use afterword_vault::likely_replacement::likely_replaced;
use afterword_vault::{NoteEntry, NoteKind, Snapshot, Status, Vault, VaultPath, layout};

use crate::log::OrLog;
use crate::{App, Error, feedback, naming, search_model, worth};
pub use attempts::ATTEMPT;
pub(crate) use attempts::{index_attempt, index_attempts, is_attempt};
pub use reembed::reembed;

/// How deep folders are followed, as in the vault's own scan.
const MAX_DEPTH: usize = 32;
/// How many notes are indexed at once: with their words and vectors they take a few kilobytes each.
const AT_ONCE: usize = 4096;

/// What indexing did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexReport {
    /// Notes in the index now.
    pub notes: usize,
    /// Notes that were new or had changed.
    pub changed: usize,
    /// Notes that were gone.
    pub removed: usize,
    /// Files of the vault that could not be read, and why.
    pub problems: Vec<String>,
}

/// What the index is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexStatus {
    /// Where it is, or would be.
    pub path: PathBuf,
    /// It is there and can be used.
    pub exists: bool,
    /// Notes in it.
    pub notes: usize,
    /// Bytes of its file.
    pub bytes: u64,
    /// The model its vectors were made with.
    pub model: Option<String>,
    /// The vectors are those of the model chosen.
    pub model_fits: bool,
    /// Nothing in the vault changed since it was filled; unknown without a vault.
    pub current: Option<bool>,
}

/// Makes the index anew: from the vault, where one is set up, and from the attempts in the database.
///
/// # Errors
/// [`Error::Vault`] or [`Error::Store`].
pub fn rebuild_index(app: &App) -> Result<IndexReport, Error> {
    let vault = app.config.vault.is_some().then(|| app.open_vault()).transpose()?;
    let index = SearchIndex::open(&app.paths.search_index())?;
    let (model, problem) = match search_model::chosen_search_model(app) {
        Ok(model) => (model, None),
        Err(error) => {
            let (fallback, problem) = (search_model::model_at_hand(app), error.chain_with_hints());
            (fallback, Some(format!("{problem}; the built-in model searches")))
        }
    };
    index.writer().clear(&index_model(model.as_deref()))?;
    let mut done = match vault {
        Some(vault) => fill(app, &index, &vault, newest_mtime(vault.root()), model.as_deref())?,
        None => attempts_alone(app, &index, model.as_deref())?,
    };
    done.problems.extend(problem);
    Ok(done)
}

fn attempts_alone(
    app: &App,
    index: &SearchIndex,
    model: Option<&EmbeddingModel>,
) -> Result<IndexReport, Error> {
    let (changed, removed) = index_attempts(app, index, model)?;
    Ok(IndexReport { notes: index.count()?, changed, removed, problems: Vec::new() })
}

/// Indexes what was just written, so that the next session starts with it. Searching tells of an index that cannot be filled.
pub(crate) fn index_changes(app: &App) {
    refresh_index(app).or_log("filling the search index");
}

/// Indexes what changed in the vault and among the attempts; all of it where there is no index or another model made it.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), and as [`rebuild_index`].
pub fn refresh_index(app: &App) -> Result<IndexReport, Error> {
    refreshed_index(app).map(|(_, indexed)| indexed)
}

/// The index, after [`refresh_index`] has done its work.
pub(crate) fn refreshed_index(app: &App) -> Result<(SearchIndex, IndexReport), Error> {
    let vault = app.open_vault()?;
    let (index, model) = search_model::index_and_model(app)?;
    let stamp = newest_mtime(vault.root());
    let indexed = if index.stamp()? == Some(stamp) {
        attempts_alone(app, &index, model.as_deref())?
    } else {
        fill(app, &index, &vault, stamp, model.as_deref())?
    };
    Ok((index, indexed))
}

/// Leaves nothing in the index of notes that are forgotten, of their projects and of attempts that are no longer in the database.
pub(crate) fn forget_in_index(app: &App, notes: &[String]) -> Result<(), Error> {
    let Some(index) = SearchIndex::open_existing(&app.paths.search_index())? else { return Ok(()) };
    let mut gone = attempts::deleted_paths(app, &index)?;
    gone.extend(notes.iter().cloned());
    index.writer().update(&[], &gone)?;
    index_projects(app, &index)?;
    Ok(index.writer().compact()?)
}

/// Brings the index in line with projects that were joined or split.
pub(crate) fn index_new_projects(app: &App) -> Result<(), Error> {
    let Some(index) = SearchIndex::open_existing(&app.paths.search_index())? else { return Ok(()) };
    index_projects(app, &index)?;
    // No number of attempts: they are compared again, by their projects' names too.
    index.writer().set_attempts_stamp(-1)?;
    drop(index);
    refresh_index(app).map(drop)
}

/// Tells the index what people call each project, so that a hook need not ask the database.
fn index_projects(app: &App, index: &SearchIndex) -> Result<(), Error> {
    let Some(store) = app.existing_store()? else { return Ok(()) };
    let names = naming::named_folders(app, &store)?.into_iter();
    let names: Vec<_> = names.map(|(key, name)| (key.as_str().to_owned(), name)).collect();
    Ok(index.writer().set_projects(&names)?)
}

/// Says what the index is; makes and changes nothing.
///
/// # Errors
/// [`Error::Store`].
pub fn index_status(app: &App) -> Result<IndexStatus, Error> {
    let path = app.paths.search_index();
    let index = SearchIndex::open_existing(&path)?;
    let bytes = fs::metadata(&path).map_or(0, |metadata| metadata.len());
    let Some(index) = index else {
        let nothing = IndexStatus {
            exists: false,
            notes: 0,
            bytes,
            model: None,
            model_fits: false,
            current: None,
            path,
        };
        return Ok(nothing);
    };
    let make = index.index_model()?;
    let stamp = index.stamp()?;
    Ok(IndexStatus {
        exists: true,
        notes: index.count()?,
        bytes,
        model_fits: search_model::has_chosen_model(app)?,
        model: make.map(|make| make.model),
        current: app.config.vault.as_deref().map(|root| stamp == Some(newest_mtime(root))),
        path,
    })
}

/// Indexes what a look at the vault found changed, and reads only that.
///
/// # Errors
/// As [`rebuild_index`].
pub(crate) fn index_snapshot(app: &App, vault: &Vault, seen: &Snapshot) -> Result<IndexReport, Error> {
    let index = SearchIndex::open(&app.paths.search_index())?;
    let Some(model) = search_model::model_of(app, &index)? else { return refresh_index(app) };
    let make = index_model(Some(&model));
    let mut known = index.hashes()?;
    known.retain(|path, _| !is_attempt(path));
    let mut changed = Vec::new();
    for (path, facts) in seen.own_notes().filter(|(path, facts)| is_searched(path, facts.kind)) {
        let hash = facts.hash.to_string();
        if known.remove(path.as_str()).as_ref() == Some(&hash) {
            continue;
        }
        if let Some(entry) = vault.note(path)? {
            let hash = entry.hash.to_string();
            changed.push(index_entry(&entry, hash, Some(&model)));
        }
    }
    let removed: Vec<String> = known.into_keys().collect();
    if !(changed.is_empty() && removed.is_empty()) {
        // Given other vectors meanwhile: the next look finds the same changes.
        index.writer().update_made_with(&make, &changed, &removed)?;
        index_projects(app, &index)?;
    }
    Ok(IndexReport {
        notes: index.count()?,
        changed: changed.len(),
        removed: removed.len(),
        problems: Vec::new(),
    })
}

/// Indexes what changed. The stamp is of before this looks: what changes meanwhile is looked at again next time.
fn fill(
    app: &App,
    index: &SearchIndex,
    vault: &Vault,
    stamp: i64,
    model: Option<&EmbeddingModel>,
) -> Result<IndexReport, Error> {
    let scan = vault.scan()?;
    let mut known = index.hashes()?;
    known.retain(|path, _| !is_attempt(path));
    let make = index_model(model);
    // Given other vectors meanwhile, it stays as it is, and without the stamp the next search looks again.
    let mut fits = true;
    let (mut changed, mut waiting) = (0, Vec::new());
    for entry in scan.notes().filter(|entry| is_searched(&entry.path, entry.properties.kind)) {
        let hash = entry.hash.to_string();
        if known.remove(entry.path.as_str()).as_ref() != Some(&hash) {
            waiting.push(index_entry(entry, hash, model));
            changed += 1;
        }
        if waiting.len() == AT_ONCE {
            fits &= index.writer().update_made_with(&make, &waiting, &[])?;
            waiting.clear();
        }
    }
    let removed: Vec<String> = known.into_keys().collect();
    fits &= index.writer().update_made_with(&make, &waiting, &removed)?;
    index_projects(app, index)?;
    if fits {
        index.writer().set_stamp(stamp)?;
    }
    index_attempts(app, index, model)?;
    feedback::weigh_lessons(app, None)?;
    let problem = |problem: &afterword_vault::Problem| format!("{}: {}", problem.path.as_str(), problem.what);
    Ok(IndexReport {
        notes: index.count()?,
        changed,
        removed: removed.len(),
        problems: scan.problems().iter().map(problem).collect(),
    })
}

/// Overviews and the ledger only repeat other notes.
fn is_searched(path: &VaultPath, kind: Option<NoteKind>) -> bool {
    !matches!(kind, Some(NoteKind::Project | NoteKind::Ideas | NoteKind::Deleted | NoteKind::Month))
        && path.as_str() != layout::IDEAS
}

fn index_entry(entry: &NoteEntry, hash: String, model: Option<&EmbeddingModel>) -> IndexedNote {
    let properties = &entry.properties;
    let words = entry.note.lesson_text();
    let body = essence(words);
    // Found by its words, but no part of what the note means.
    let beside = words.split("\n\n").filter(|paragraph| !body.contains(paragraph.trim()));
    let evidence = entry.note.evidence().lines().filter(|line| !line.starts_with("%% afterword:"));
    let evidence: Vec<&str> = beside.chain(evidence).collect();
    let named = || entry.path.name().trim_end_matches(".md").to_owned();
    let title = properties.title.clone().unwrap_or_else(named);
    let note = IndexedNote {
        path: entry.path.as_str().to_owned(),
        hash,
        id: properties.id.map(|id| id.to_string()).unwrap_or_default(),
        kind: properties.kind.map(|kind| kind.as_str().to_owned()).unwrap_or_default(),
        status: properties.status.unwrap_or(Status::Active).as_str().to_owned(),
        project: properties.project.clone().unwrap_or_default(),
        tags: properties.tags.iter().filter(|tag| *tag != "afterword").cloned().collect(),
        outcome: String::new(),
        session: properties.session.clone().unwrap_or_default(),
        always_load: properties.always_load,
        may_supersede: likely_replaced(&entry.path, &entry.note).map(String::from).unwrap_or_default(),
        weight: worth::weight(properties, &title),
        title,
        body,
        ..IndexedNote::default()
    };
    indexed(note, &evidence.join("\n"), model)
}

/// The newest time of any note or folder of Afterword's in the vault, in nanoseconds; the folders' times tell of notes
/// that were deleted or moved.
fn newest_mtime(root: &Path) -> i64 {
    newest_below(&root.join(layout::HOME), 0)
}

fn newest_below(folder: &Path, depth: usize) -> i64 {
    let time = |metadata: fs::Metadata| {
        let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(since.as_nanos()).ok()
    };
    let mut newest = fs::metadata(folder).ok().and_then(time).unwrap_or(0);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !hidden && depth < MAX_DEPTH => {
                newest = newest.max(newest_below(&entry.path(), depth + 1));
            }
            Ok(kind) if kind.is_file() => {
                newest = newest.max(entry.metadata().ok().and_then(time).unwrap_or(0));
            }
            _ => {}
        }
    }
    newest
}
