//! Which embedding model searches: the one inside the program, or one of the user's own from a folder (`recall.model`).
//!
//! An index is searched with the model that its vectors were made with, whatever the settings say meanwhile; a job
//! (`reembedding`) gives it the vectors of the model chosen. A model from a folder is kept in the cache in a form that
//! loads fast. Whether two lessons say the same is always asked of the model inside: its bars were measured with it.

mod check;
pub mod reembedding;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use afterword_platform::files::{create_private_directory, replace_file};
use afterword_recall::model::{MODEL_NAME, PreparedModel, folder_state};
use afterword_recall::{EmbeddingModel, index_model};
use afterword_store::SearchIndex;

use crate::{App, Error};

pub(crate) use check::check;
pub use reembedding::queue_reembedding;
pub use reembedding::{drop_begun_vectors, maintain_search_model};

/// A model, loaded once a process.
pub(crate) type Model = Arc<EmbeddingModel>;

/// The model inside the program; `None` where it is broken, and then words alone are searched.
pub(crate) fn embedded_model() -> Option<&'static EmbeddingModel> {
    built_in_model().map(AsRef::as_ref)
}

/// The same, to be held together with a model that was chosen.
pub(crate) fn built_in_model() -> Option<&'static Model> {
    static MODEL: OnceLock<Option<Model>> = OnceLock::new();
    MODEL.get_or_init(|| EmbeddingModel::embedded().ok().map(Arc::new)).as_ref()
}

/// The chosen model that was loaded last: a process has seldom use for a second one.
static LOADED: Mutex<Option<Model>> = Mutex::new(None);

/// The model that an index was made with; `None` where that is none, or one that cannot be had.
pub(crate) fn model_of(app: &App, index: &SearchIndex) -> Result<Option<Model>, Error> {
    let Some(make) = index.index_model()? else { return Ok(None) };
    let model = match make.model.as_str() {
        MODEL_NAME => built_in_model().cloned(),
        name => cached_model(app, name),
    };
    Ok(model.filter(|model| index_model(Some(model)) == make))
}

/// The index, and the model it is to be filled and searched with. One that was never filled, or whose model cannot
/// be had, is emptied for a model that can.
pub(crate) fn index_and_model(app: &App) -> Result<(SearchIndex, Option<Model>), Error> {
    let index = SearchIndex::open(&app.paths.search_index())?;
    if let Some(model) = model_of(app, &index)? {
        return Ok((index, Some(model)));
    }
    let model = model_at_hand(app);
    let make = index_model(model.as_deref());
    if index.index_model()?.as_ref() != Some(&make) {
        index.writer().clear(&make)?;
    }
    Ok((index, model))
}

/// The model chosen, made ready where it is not yet.
///
/// # Errors
/// [`SearchModelError::Unusable`](crate::error::SearchModelError::Unusable) for a folder that holds none, and [`Error::Io`] of the cache.
pub(crate) fn chosen_search_model(app: &App) -> Result<Option<Model>, Error> {
    let Some(folder) = &app.config.search_model else { return Ok(built_in_model().cloned()) };
    if let Some(model) = cache_status(app, folder).and_then(|kept| cached_model(app, &kept.name)) {
        return Ok(Some(model));
    }
    // Before it is read: what changes meanwhile is noticed.
    let state = folder_state(folder).unwrap_or_default();
    let model = EmbeddingModel::from_folder(folder)?;
    cache_model(app, &model, &model.to_prepared(&state)?)?;
    Ok(Some(remember(Arc::new(model))))
}

/// The model chosen, where it is ready; else the one inside the program.
pub(crate) fn model_at_hand(app: &App) -> Option<Model> {
    let kept = app.config.search_model.as_deref().and_then(|folder| cache_status(app, folder));
    kept.and_then(|kept| cached_model(app, &kept.name)).or_else(|| built_in_model().cloned())
}

/// What was kept of the model in a folder, as it is now or was when it was there last.
fn cache_status(app: &App, folder: &Path) -> Option<PreparedModel> {
    let state = folder_state(folder);
    let gone = format!("{} ", folder.to_string_lossy());
    let fits = |kept: &PreparedModel| match &state {
        Some(state) => kept.source == *state,
        None => kept.source.starts_with(&gone),
    };
    let files = fs::read_dir(models(app)).into_iter().flatten().flatten();
    files.filter_map(|file| PreparedModel::header(&file.path()).ok()).find(fits)
}

fn cached_model(app: &App, name: &str) -> Option<Model> {
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(model) = loaded.filter(|model| model.name() == name) {
        return Some(model);
    }
    let model = EmbeddingModel::prepared(&cache_file(app, name)?).ok()?;
    (model.name() == name).then(|| remember(Arc::new(model)))
}

/// Keeps a model in the cache, whole or not at all.
fn cache_model(app: &App, model: &EmbeddingModel, bytes: &[u8]) -> Result<(), Error> {
    let (directory, Some(path)) = (models(app), cache_file(app, model.name())) else { return Ok(()) };
    let error = |source| Error::Io { path: path.clone(), action: "keep the search model", source };
    create_private_directory(&directory).map_err(error)?;
    replace_file(&path, bytes).map_err(error)
}

/// Deletes every kept model but this one.
pub(crate) fn drop_other_models(app: &App, name: &str) {
    let own = cache_file(app, name);
    for file in fs::read_dir(models(app)).into_iter().flatten().flatten() {
        if Some(file.path()) != own {
            // One that stays takes space and nothing else.
            let _ = fs::remove_file(file.path());
        }
    }
}

fn models(app: &App) -> PathBuf {
    app.paths.cache.join("models")
}

/// The file of a kept model, which is called after its hash.
fn cache_file(app: &App, name: &str) -> Option<PathBuf> {
    let (_, hash) = name.rsplit_once('/')?;
    let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| models(app).join(format!("{hash}.model")))
}

/// Whether the index's vectors are those of the chosen model; one that was not made yet is as good as the model that
/// would make it.
pub(crate) fn has_chosen_model(app: &App) -> Result<bool, Error> {
    let made = match SearchIndex::open_existing(&app.paths.search_index())? {
        Some(index) => index.index_model()?.map(|make| make.model),
        None => None,
    };
    Ok(match &app.config.search_model {
        None => made.is_none_or(|made| made == MODEL_NAME),
        Some(folder) => {
            let kept = cache_status(app, folder);
            kept.is_some_and(|kept| made.is_none_or(|made| made == kept.name))
        }
    })
}

fn remember(model: Model) -> Model {
    *LOADED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&model));
    model
}
