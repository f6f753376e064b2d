//! Whether two rules are about different things, so that the one can neither end the other nor say it again.

use afterword_recall::{EmbeddingModel, Meaning};
use afterword_reflect::builtin::subject::subject;

/// How close two nouns are at most that name different things: "passwords" and "sessions" .1, "plots" and "charts" .7.
const DIFFERENT: f32 = 0.5;

/// Whether two rules name different things, or hold in different places.
pub(super) fn are_apart(model: &EmbeddingModel, newer: &str, older: &str) -> bool {
    let (new, old) = (subject(newer), subject(older));
    let (in_new, in_old) = (newer.to_lowercase(), older.to_lowercase());
    let names = |text: &str, one: &str| {
        one.split(' ').filter(|word| word.len() > 3).any(|word| text.contains(word.trim_end_matches('s')))
    };
    let differ = |one: &str, other: &str| {
        !names(&in_old, one)
            && !names(&in_new, other)
            && Meaning::of(model, one).closeness(&Meaning::of(model, other)) < DIFFERENT
    };
    let objects = matches!((&new.object, &old.object), (Some(one), Some(other)) if differ(one, other));
    let scopes = !new.scopes.is_empty()
        && !old.scopes.is_empty()
        && new.scopes.iter().all(|one| old.scopes.iter().all(|other| differ(one, other)));
    objects || scopes
}
