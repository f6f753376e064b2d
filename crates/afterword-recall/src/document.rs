//! What the index keeps of a note that is searched, beside what the note says itself.

use afterword_store::{IndexModel, IndexedNote};

use crate::identifiers;
use crate::model::{EmbeddingModel, Token, quantise};

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

/// Fills what the index keeps of a note beside what it says itself: its tokens, its vector and the parts of its identifiers. What it
/// rests on, `evidence`, is found by its words, but is no part of its meaning.
pub fn indexed(note: IndexedNote, evidence: &str, model: Option<&EmbeddingModel>) -> IndexedNote {
    let text = meaning(&note.title, &note.body);
    let (tokens, vector) = model.map(|model| embedded_text(&text, model)).unwrap_or_default();
    let parts = identifiers::parts(&format!("{text}\n{evidence}"));
    // Evidence counts as words of the parts column: least, and never shown.
    IndexedNote { parts: format!("{parts} {evidence}"), tokens, vector, ..note }
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
