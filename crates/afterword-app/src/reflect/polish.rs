//! Notes nobody touched, in better words: a model is asked about them in batches, within the budget, and what it says is a plan that
//! is shown first. The plan is kept, so that what was paid for is not paid for again, and carried out only where that is asked.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use afterword_core::NoteId;
use afterword_platform::files::{create_private_directory, replace_file};
use afterword_reflect::engine::polish::{NoteToPolish, batch, polish, prompt, question};
use afterword_reflect::engine::{CostBound, Question};
use afterword_store::{Purpose, Store, Verdict, WrittenNote};
use afterword_vault::{ContentHash, NoteEditor, NoteEntry, StatedEvidence, Status, Vault, VaultIndex};
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use super::again::{PlannedRevision, SortingContext, revise};
use crate::error::EngineCallError;
use crate::error::obstacle::Obstacle;
use crate::model_calls::{CallLedger, CallSubject, model_mark};
use crate::note;
use crate::vault_session::VaultSession;
use crate::{App, EngineName, Error, feedback, indexing, model_calls};

/// What is to be worded anew.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolishRequest {
    /// The engine; `None` for the one the settings name.
    pub engine: Option<EngineName>,
    /// At most so many notes are asked about; `None` for all.
    pub most: Option<usize>,
}

/// What asking would take.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolishEstimate {
    /// Notes that would be asked about.
    pub notes: usize,
    /// Calls that takes.
    pub calls: usize,
    /// About how many tokens would be read.
    pub tokens: u64,
    /// US dollars at most; absent where nobody can tell before.
    pub most_usd: Option<f64>,
}

/// A note in other words, as it is planned or as it was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewording {
    /// The note.
    pub note: NoteId,
    /// The file, below the vault's root.
    pub path: String,
    /// Its title as it is.
    pub title_before: String,
    /// Its text as it is.
    pub body_before: String,
    /// Its title as it is planned.
    pub title: String,
    /// Its text as it is planned.
    pub body: String,
    /// Why it was not written after all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// What the file was when the model was asked.
    hash: String,
}

/// The plan, or what came of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Polish {
    /// It was carried out.
    pub applied: bool,
    /// Who worded them.
    pub by: String,
    /// Notes that were asked about now.
    pub asked: usize,
    /// The notes with other words.
    pub notes: Vec<Rewording>,
    /// Why not all could be asked about: the budget, or the engine.
    pub stopped: Option<String>,
}

/// The plan as it is kept.
#[derive(Debug, Default, Serialize, Deserialize)]
struct StoredPolish {
    by: String,
    vault: PathBuf,
    notes: Vec<Rewording>,
    /// The notes a model was asked about, as their files were then.
    asked: BTreeMap<String, String>,
}

/// What asking about notes would take. Asks nobody and changes nothing.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), [`EngineCallError::SendsNothing`] for the built-in engine, and [`Error::Vault`] or [`Error::Store`].
pub fn polish_estimate(app: &App, request: &PolishRequest) -> Result<PolishEstimate, Error> {
    let engine = polishing_engine(app, request)?;
    let vault = app.open_vault()?;
    let notes = notes_to_polish(app, &vault, &read_stored_polish(app, &vault), request.most)?;
    let (mut rest, mut calls, mut tokens, mut most_usd) = (&notes[..], 0, 0, Some(0.0));
    while !rest.is_empty() {
        let worn: Vec<NoteToPolish> = rest.iter().map(|(_, worn)| worn.clone()).collect();
        let size = batch(&worn);
        let text = prompt(&worn[..size]);
        let asked: Question<'_> = question(&text);
        (calls, tokens) = (calls + 1, tokens + asked.tokens());
        most_usd = match (most_usd, model_calls::cost_bound(app, engine, &asked)?) {
            (Some(sum), CostBound::Known(usd)) => Some(sum + usd),
            _ => None,
        };
        rest = &rest[size..];
    }
    Ok(PolishEstimate { notes: notes.len(), calls, tokens, most_usd })
}

/// Asks an engine to word notes anew that nobody touched, and adds what it says to the plan. Writes to no note. What it cannot
/// be asked about any more today stays for the next time.
///
/// # Errors
/// As [`polish_estimate`], and [`EngineCallError::NoKey`], [`EngineCallError::NoModel`] or [`EngineCallError::NoClient`] where the engine cannot be asked.
pub fn polish_plan(app: &App, request: &PolishRequest, now: &Zoned) -> Result<Polish, Error> {
    let engine = polishing_engine(app, request)?;
    let model = model_calls::model(app, engine)?.ok_or(EngineCallError::SendsNothing)?;
    let (vault, store, name) = (app.open_vault()?, app.store()?, model_calls::model_name(app, engine));
    let mut kept = read_stored_polish(app, &vault);
    let notes = notes_to_polish(app, &vault, &kept, request.most)?;
    let mut plan = Polish { by: model_mark(engine, &name), ..Polish::default() };
    let redaction = app.redaction();
    let mut rest = &notes[..];
    while !rest.is_empty() {
        let worn: Vec<NoteToPolish> = rest.iter().map(|(_, worn)| worn.clone()).collect();
        let size = batch(&worn);
        let about = CallSubject { purpose: Purpose::Polish, job: None, session: "", project: "" };
        let mut ledger = CallLedger::new(&store, app.config.budget, now, (engine.as_str(), &name), about);
        let polished = match polish(model.as_ref(), &worn[..size], &mut ledger) {
            Ok(polished) => polished,
            Err(source) => {
                let error = Error::from(EngineCallError::Failed { engine, source: Box::new(source) });
                // What was paid for is kept; without anything there is nothing but the reason.
                if plan.asked == 0 && error.obstacle() != Some(Obstacle::Engine) {
                    return Err(error);
                }
                plan.stopped = Some(error.chain_with_hints());
                break;
            }
        };
        for (at, (entry, _)) in rest[..size].iter().enumerate() {
            let (Some(note), hash) = (entry.properties.id, entry.hash.to_string()) else { continue };
            kept.asked.insert(note.to_string(), hash.clone());
            kept.notes.retain(|known| known.note != note);
            let worded = polished.iter().find(|one| one.index == at);
            kept.notes.extend(worded.map(|worded| Rewording {
                note,
                path: entry.path.to_string(),
                title_before: note::title_of(entry),
                body_before: entry.note.lesson_text().to_owned(),
                title: redaction.text(&worded.title),
                body: redaction.text(&worded.body),
                refused: None,
                hash,
            }));
        }
        plan.asked += size;
        kept.by.clone_from(&plan.by);
        save_polish(app, &kept)?;
        rest = &rest[size..];
    }
    plan.notes = kept.notes;
    Ok(plan)
}

/// Carries the plan out, as far as nobody touched the notes since. Asks nobody.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), and [`Error::Vault`] or [`Error::Store`] where the vault or the database cannot be used.
pub fn polish_apply(app: &App, now: &Zoned) -> Result<Polish, Error> {
    let session = VaultSession::begin(app)?;
    let mut kept = read_stored_polish(app, &session.vault);
    let written = session.store.written_notes(&session.root).all()?;
    let untouched = untouched_notes(&session.vault, &session.store, &session.index, &written)?;
    let mut done = Polish { applied: true, by: kept.by.clone(), ..Polish::default() };
    for mut rewording in std::mem::take(&mut kept.notes) {
        let entry = session.index.by_id(rewording.note);
        let is_as_asked =
            |entry: &&NoteEntry| untouched.contains(&rewording.note) && entry.hash.as_str() == rewording.hash;
        let worded = match entry.filter(is_as_asked) {
            None => Err("somebody changed, moved, answered or linked to it since".to_owned()),
            Some(entry) => reword(&session, entry, &rewording, now.timestamp())?,
        };
        match worded {
            // It is not asked about again.
            Ok(hash) => drop(kept.asked.insert(rewording.note.to_string(), hash.to_string())),
            Err(why) => rewording.refused = Some(why),
        }
        done.notes.push(rewording);
    }
    save_polish(app, &kept)?;
    drop(session);
    indexing::index_changes(app);
    feedback::weigh_changes(app, now.timestamp());
    Ok(done)
}

/// The plan as it stands, to be looked at again.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen).
pub fn stored_polish(app: &App) -> Result<Polish, Error> {
    let kept = read_stored_polish(app, &app.open_vault()?);
    Ok(Polish { by: kept.by, notes: kept.notes, ..Polish::default() })
}

fn polishing_engine(app: &App, request: &PolishRequest) -> Result<EngineName, Error> {
    match request.engine.unwrap_or(app.config.engine) {
        EngineName::Builtin => Err(EngineCallError::SendsNothing.into()),
        engine => Ok(engine),
    }
}

/// The notes to ask about, those that count first: untouched, of no model's wording, and not asked about as they are.
fn notes_to_polish(
    app: &App,
    vault: &Vault,
    kept: &StoredPolish,
    most: Option<usize>,
) -> Result<Vec<(NoteEntry, NoteToPolish)>, Error> {
    let Some(store) = app.existing_store()? else { return Ok(Vec::new()) };
    let index = vault.scan()?;
    let written = store.written_notes(&vault.root().to_string_lossy()).all()?;
    let untouched = untouched_notes(vault, &store, &index, &written)?;
    let redaction = app.redaction();
    let mut notes = Vec::new();
    for entry in index.notes() {
        let Some(id) = entry.properties.id.filter(|id| untouched.contains(id)) else { continue };
        let was_asked = kept.asked.get(&id.to_string()).is_some_and(|hash| hash == entry.hash.as_str());
        if was_asked || is_worded_by_a_model(&store, entry, &written)? {
            continue;
        }
        let quotes = StatedEvidence::of(&entry.note).pieces.into_iter();
        let worn = NoteToPolish {
            title: redaction.text(&note::title_of(entry)),
            body: redaction.text(entry.note.lesson_text()),
            quotes: quotes.map(|piece| (piece.role, redaction.text(&piece.quote))).collect(),
        };
        notes.push((entry.clone(), worn));
    }
    notes.sort_by_key(|(entry, _)| {
        (entry.properties.effective_status() != Some(Status::Active), entry.properties.confidence)
    });
    notes.truncate(most.unwrap_or(usize::MAX));
    Ok(notes)
}

/// It was written for its session once a model had answered about that; what it was before, the built-in engine worded.
fn is_worded_by_a_model(store: &Store, entry: &NoteEntry, written: &[WrittenNote]) -> Result<bool, Error> {
    let properties = &entry.properties;
    let session = properties.session.as_deref().and_then(afterword_core::SessionId::parse);
    let (Some(session), Some(id)) = (session, properties.id) else { return Ok(false) };
    let Some(answered) = store.engine_calls().first_answered_at(Purpose::Reflection, &session)? else {
        return Ok(false);
    };
    let mut own = written.iter().filter(|row| row.note == id && row.session.as_ref() == Some(&session));
    Ok(own.any(|row| row.at >= answered))
}

/// The notes that nobody but Afterword wrote.
fn untouched_notes(
    vault: &Vault,
    store: &Store,
    index: &VaultIndex,
    written: &[WrittenNote],
) -> Result<HashSet<NoteId>, Error> {
    let answered = store.decisions().all(None)?.into_iter();
    let answered = answered.filter(|row| row.decision.verdict != Verdict::Skip);
    let known = SortingContext {
        index,
        written,
        answered: answered.filter_map(|row| row.decision.note).collect(),
        linked: vault.link_targets()?,
        sessions: HashSet::new(),
    };
    let untouched = index.notes().filter(|entry| known.is_untouched(entry));
    Ok(untouched.filter_map(|entry| entry.properties.id).collect())
}

/// The plan that was kept for this vault; an empty one where there is none that can be read.
fn read_stored_polish(app: &App, vault: &Vault) -> StoredPolish {
    let text = std::fs::read(app.paths.polish_plan()).unwrap_or_default();
    let kept: StoredPolish = serde_json::from_slice(&text).unwrap_or_default();
    if kept.vault == vault.root() {
        kept
    } else {
        StoredPolish { vault: vault.root().to_owned(), ..StoredPolish::default() }
    }
}

fn save_polish(app: &App, kept: &StoredPolish) -> Result<(), Error> {
    let path = app.paths.polish_plan();
    let made = create_private_directory(&app.paths.state)
        .and_then(|()| replace_file(&path, serde_json::to_string(kept).unwrap_or_default().as_bytes()));
    made.map_err(|source| Error::Io { path, action: "keep the plan", source })
}

/// Words one note anew; gives what its file hashes to now, or why it was not written.
fn reword(
    session: &VaultSession,
    entry: &NoteEntry,
    rewording: &Rewording,
    at: Timestamp,
) -> Result<Result<ContentHash, String>, Error> {
    let revision = match NoteEditor::new(&session.index).reword(entry, &rewording.title, &rewording.body) {
        Ok(revision) => revision,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let hash = ContentHash::of(revision.content.as_bytes());
    let planning = PlannedRevision { note: rewording.note, revision, lesson: None };
    let refused = revise(session, &planning, at)?;
    Ok(refused.map_or(Ok(hash), Err))
}
