//! Finding what was learned: the embedding model that ships inside the program, the index of notes, hybrid search.
//!
//! Callers bring documents (where they come from is not known here) and queries as people type them; the index itself is
//! the store's. Search works without the model too, on words alone, and says so.
//!
//! Start reading at [`search()`] for how hits are ranked, at [`indexed`] for what is indexed, at [`model`] for vectors.

mod best;
pub mod comparing;
pub mod document;
pub mod identifiers;
pub mod model;
mod nearest;
mod polarity;
pub mod query;
mod ranking;
pub mod search;
mod snippet;
mod stop_words;

pub use comparing::{Meaning, Relation, rivalry, says_the_same};
pub use document::{embedded, index_model, indexed};
pub use model::{EmbeddingModel, ModelError};
pub use nearest::{NearNote, NearestNotes};
pub use query::Query;
pub use search::{ATTEMPT, Hit, Hits, SearchMode, TextOnlyReason, search};
