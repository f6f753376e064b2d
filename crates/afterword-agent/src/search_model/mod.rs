//! Which embedding model searches: the one inside the program, or one of the user's own from a folder (`recall.model`).
//!
//! An index is searched with the model that its vectors were made with, whatever the settings say meanwhile; a job
//! (`reembedding`) gives it the vectors of the model chosen. A model from a folder is kept in the cache in a form that
//! loads fast. Whether two lessons say the same is always asked of the model inside: its bars were measured with it.

mod check;
pub(crate) mod reembedding;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use afterword_recall::model::{MODEL_NAME, Prepared, folder_state};
use afterword_recall::{EmbeddingModel, index_make};
use afterword_store::SearchIndex;

use crate::files::create_private_directory;
use crate::{Agent, Error};

pub(crate) use check::check;

/// A model, loaded once a process.
pub(crate) type Model = Arc<EmbeddingModel>;

/// The model inside the program; `None` where it is broken, and then words alone are searched.
pub(crate) fn embedded_model() -> Option<&'static EmbeddingModel> {
    embedded().map(AsRef::as_ref)
}

fn embedded() -> Option<&'static Model> {
    static MODEL: OnceLock<Option<Model>> = OnceLock::new();
    MODEL.get_or_init(|| EmbeddingModel::embedded().ok().map(Arc::new)).as_ref()
}

/// The chosen model that was loaded last: a process has seldom use for a second one.
static LOADED: Mutex<Option<Model>> = Mutex::new(None);

impl Agent {
    /// The model that an index was made with; `None` where that is none, or one that cannot be had.
    pub(crate) fn model_of(&self, index: &SearchIndex) -> Result<Option<Model>, Error> {
        let Some(make) = index.make()? else { return Ok(None) };
        let model = match make.model.as_str() {
            MODEL_NAME => embedded().cloned(),
            name => self.kept_model(name),
        };
        Ok(model.filter(|model| index_make(Some(model)) == make))
    }

    /// The index, and the model it is to be filled and searched with. One that was never filled, or whose model cannot
    /// be had, is emptied for a model that can.
    pub(crate) fn index_and_model(&self) -> Result<(SearchIndex, Option<Model>), Error> {
        let index = SearchIndex::open(&self.index_path())?;
        if let Some(model) = self.model_of(&index)? {
            return Ok((index, Some(model)));
        }
        let model = self.model_at_hand();
        let make = index_make(model.as_deref());
        if index.make()?.as_ref() != Some(&make) {
            index.clear(&make)?;
        }
        Ok((index, model))
    }

    /// The model chosen, made ready where it is not yet.
    ///
    /// # Errors
    /// [`Error::Model`] for a folder that holds none, and what the file system said of the cache.
    pub(crate) fn chosen_search_model(&self) -> Result<Option<Model>, Error> {
        let Some(folder) = &self.config.search_model else { return Ok(embedded().cloned()) };
        if let Some(model) = self.kept_of(folder).and_then(|kept| self.kept_model(&kept.name)) {
            return Ok(Some(model));
        }
        // Before it is read: what changes meanwhile is noticed.
        let state = folder_state(folder).unwrap_or_default();
        let model = EmbeddingModel::from_folder(folder)?;
        self.keep(&model, &model.to_prepared(&state)?)?;
        Ok(Some(remember(Arc::new(model))))
    }

    /// The model chosen, where it is ready; else the one inside the program.
    pub(crate) fn model_at_hand(&self) -> Option<Model> {
        let kept = self.config.search_model.as_deref().and_then(|folder| self.kept_of(folder));
        kept.and_then(|kept| self.kept_model(&kept.name)).or_else(|| embedded().cloned())
    }

    /// What was kept of the model in a folder, as it is now or was when it was there last.
    fn kept_of(&self, folder: &Path) -> Option<Prepared> {
        let state = folder_state(folder);
        let gone = format!("{} ", folder.to_string_lossy());
        let fits = |kept: &Prepared| match &state {
            Some(state) => kept.source == *state,
            None => kept.source.starts_with(&gone),
        };
        let files = fs::read_dir(self.models()).into_iter().flatten().flatten();
        files.filter_map(|file| Prepared::header(&file.path()).ok()).find(fits)
    }

    fn kept_model(&self, name: &str) -> Option<Model> {
        let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(model) = loaded.filter(|model| model.name() == name) {
            return Some(model);
        }
        let model = EmbeddingModel::prepared(&self.kept_file(name)?).ok()?;
        (model.name() == name).then(|| remember(Arc::new(model)))
    }

    /// Keeps a model in the cache, whole or not at all.
    fn keep(&self, model: &EmbeddingModel, bytes: &[u8]) -> Result<(), Error> {
        let (directory, Some(path)) = (self.models(), self.kept_file(model.name())) else { return Ok(()) };
        let error = |source| Error::Io { path: path.clone(), action: "keep the search model", source };
        create_private_directory(&directory).map_err(error)?;
        let mut file = tempfile::NamedTempFile::new_in(&directory).map_err(error)?;
        file.write_all(bytes).map_err(error)?;
        crate::files::put_in_place(file, &path).map_err(error)?;
        Ok(())
    }

    /// Deletes every kept model but this one.
    fn drop_other_models(&self, name: &str) {
        let own = self.kept_file(name);
        for file in fs::read_dir(self.models()).into_iter().flatten().flatten() {
            if Some(file.path()) != own {
                // One that stays takes space and nothing else.
                let _ = fs::remove_file(file.path());
            }
        }
    }

    fn models(&self) -> PathBuf {
        self.paths.cache.join("models")
    }

    /// The file of a kept model, which is called after its hash.
    fn kept_file(&self, name: &str) -> Option<PathBuf> {
        let (_, hash) = name.rsplit_once('/')?;
        let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| self.models().join(format!("{hash}.model")))
    }

    /// Whether the index's vectors are those of the chosen model; one that was not made yet is as good as the model that
    /// would make it.
    pub(crate) fn has_chosen_model(&self) -> Result<bool, Error> {
        let made = match SearchIndex::open_existing(&self.index_path())? {
            Some(index) => index.make()?.map(|make| make.model),
            None => None,
        };
        Ok(match &self.config.search_model {
            None => made.is_none_or(|made| made == MODEL_NAME),
            Some(folder) => {
                let kept = self.kept_of(folder);
                kept.is_some_and(|kept| made.is_none_or(|made| made == kept.name))
            }
        })
    }
}

fn remember(model: Model) -> Model {
    *LOADED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&model));
    model
}
