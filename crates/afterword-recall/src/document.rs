//! What is searched: a document, and what the index keeps of it.

use afterword_store::{IndexModel, IndexedNote};

use crate::identifiers;
use crate::model::{EmbeddingModel, Token, quantise};

/// Something that can be found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// Where it is: what tells documents apart.
    pub path: String,
    /// What its content hashes to; the same hash is not indexed again.
    pub hash: String,
    /// Its id; empty where it has none.
    pub id: String,
    /// What sort of document it is.
    pub kind: String,
    /// Its title.
    pub title: String,
    /// Where it is in its life.
    pub status: String,
    /// How what it tells of ended; empty where it tells of no attempt.
    pub outcome: String,
    /// Its project; empty where it has none.
    pub project: String,
    /// The session it tells of; empty where it tells of none.
    pub session: String,
    /// Every session is to start with it.
    pub always_load: bool,
    /// Where the document is that it likely takes the place of; empty where there is none.
    pub may_supersede: String,
    /// How much it matters among the notes of its project; more is better.
    pub weight: f64,
    /// Its tags.
    pub tags: Vec<String>,
    /// What it says.
    pub body: String,
    /// What it rests on: found by its words, but no part of its meaning.
    pub evidence: String,
}

/// What an index is made with when vectors come from this model; without one, an index of words alone.
pub fn index_model(model: Option<&EmbeddingModel>) -> IndexModel {
    match model {
        Some(model) => {
            let (dimensions, vocabulary) = (model.dimensions(), model.vocabulary());
            IndexModel { model: model.name().to_owned(), dimensions, vocabulary }
        }
        None => IndexModel { model: "none".to_owned(), dimensions: 0, vocabulary: 0 },
    }
}

/// What the index keeps of a document.
pub fn indexed(document: Document, model: Option<&EmbeddingModel>) -> IndexedNote {
    let text = meaning(&document.title, &document.body);
    let (tokens, vector) = model.map(|model| embedded_text(&text, model)).unwrap_or_default();
    let parts = identifiers::parts(&format!("{text}\n{}", document.evidence));
    IndexedNote {
        path: document.path,
        hash: document.hash,
        id: document.id,
        kind: document.kind,
        title: document.title,
        status: document.status,
        outcome: document.outcome,
        project: document.project,
        session: document.session,
        always_load: document.always_load,
        may_supersede: document.may_supersede,
        weight: document.weight,
        tags: document.tags,
        // Evidence counts as words of the parts column: least, and never shown.
        parts: format!("{parts} {}", document.evidence),
        body: document.body,
        tokens,
        vector,
    }
}

/// What a model makes of a document's title and text: the tokens and, where it knows any, the vector.
pub fn embedded(title: &str, body: &str, model: &EmbeddingModel) -> (Vec<Token>, Option<Vec<i8>>) {
    embedded_text(&meaning(title, body), model)
}

fn embedded_text(text: &str, model: &EmbeddingModel) -> (Vec<Token>, Option<Vec<i8>>) {
    let tokens = model.tokens(text);
    let vector = model.vector(&tokens, |_| 1.0);
    (tokens, vector.map(|vector| quantise(&vector)))
}

/// Title and body as one text; a title that is only the body's beginning is not said twice.
pub fn meaning(title: &str, body: &str) -> String {
    let (title, body) = (title.trim(), body.trim());
    let beginning = title.trim_end_matches(['…', '.', ' ']);
    if body.starts_with(beginning) { body.to_owned() } else { format!("{title}. {body}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_that_begins_the_body_is_not_said_twice() {
        let check = |title: &str, body: &str, expected: &str| {
            assert_eq!(meaning(title, body), expected);
        };
        check("Use tabs", "Use tabs, never blanks.", "Use tabs, never blanks.");
        check("Use tabs…", "Use tabs, never blanks.", "Use tabs, never blanks.");
        check("Indentation", "Use tabs.", "Indentation. Use tabs.");
        check("", "Use tabs.", "Use tabs.");
        check("Only a title", "", "Only a title. ");
    }
}
