//! Giving the index the vectors of another model, beside those it is searched with meanwhile.

use afterword_recall::{EmbeddingModel, embedded, index_model};
use afterword_store::SearchIndex;
use afterword_store::search_index::next::{NextVector, NoteText};

use super::rebuild_index;
use crate::error::SearchModelError;
use crate::search_model::reembedding::ReembedEnd;
use crate::search_model::{chosen_search_model, drop_other_models};
use crate::{App, Error};

/// Notes that are kept together: so much is lost when the job is killed, so often it is asked whether to go on.
const AT_ONCE: usize = 128;

/// Gives the index the vectors of the chosen model; `goes_on` is told how much is done, from 0 to 1, and asked
/// whether to go on.
///
/// # Errors
/// [`SearchModelError::Unusable`] for a folder that holds no model, and [`Error::Store`] or [`Error::Vault`].
pub fn reembed(app: &App, goes_on: &mut dyn FnMut(f64) -> bool) -> Result<ReembedEnd, Error> {
    let model = chosen_search_model(app)?.ok_or(SearchModelError::Broken)?;
    let make = index_model(Some(&model));
    let done = |index: &SearchIndex| -> Result<ReembedEnd, Error> {
        drop_other_models(app, model.name());
        Ok(ReembedEnd::Done { model: model.name().to_owned(), notes: index.count()? })
    };
    let index = SearchIndex::open(&app.paths.search_index())?;
    match index.index_model()? {
        Some(made) if made == make => return done(&index),
        Some(_) => {}
        // There is nothing old to go on with.
        None => {
            index.writer().clear(&make)?;
            drop(index);
            rebuild_index(app)?;
            return done(&SearchIndex::open(&app.paths.search_index())?);
        }
    }
    index.next_vectors().begin(&make)?;
    loop {
        let texts = index.next_vectors().missing(AT_ONCE)?;
        if texts.is_empty() && index.next_vectors().adopt(&make)? {
            return done(&index);
        }
        let vectors: Vec<_> = texts.iter().map(|text| vector(&model, text)).collect();
        index.next_vectors().put(&make, &texts, &vectors)?;
        let (made, all) = index.next_vectors().progress()?;
        if !goes_on(made as f64 / all.max(1) as f64) {
            return Ok(ReembedEnd::Interrupted);
        }
    }
}

fn vector(model: &EmbeddingModel, text: &NoteText) -> NextVector {
    let (tokens, vector) = embedded(&text.title, &text.body, model);
    NextVector { slot: text.slot, tokens, vector }
}
