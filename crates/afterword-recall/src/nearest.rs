//! The lessons that are closest to one lesson after another, as a list of thousands asks for them.
//!
//! Start reading at [`NearestNotes`].

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use afterword_store::search_index::read::FoundNote;
use afterword_store::{NoteFilter, SearchIndex, Slot, StoreError};

use crate::best::TopNotes;
use crate::comparing::{Meaning, Relation};
use crate::document;
use crate::model::{EmbeddingModel, Halves, quantise};

/// Notes whose vectors are closest, among which the closest in meaning are looked for.
const FROM_VECTORS: usize = 64;

/// A note and how close it is to a text.
#[derive(Debug, Clone, PartialEq)]
pub struct NearNote {
    /// The note.
    pub note: FoundNote,
    /// How close, from 0 to 1.
    pub closeness: f32,
    /// How the text stands to it.
    pub relation: Relation,
}

/// Those notes of an index that pass a filter, asked of again and again. However many texts are compared with them, the index is gone
/// through once, and each note is read once, when it first comes near.
pub struct NearestNotes {
    index: SearchIndex,
    /// Made the index's vectors, which bring the notes that are compared.
    of_index: Arc<EmbeddingModel>,
    /// Compares them.
    model: Arc<EmbeddingModel>,
    vectors: NoteVectors,
    /// What was read, for good.
    read: HashMap<Slot, Option<(FoundNote, Meaning)>>,
}

/// The vectors of the notes that pass, one after the other.
#[derive(Default)]
struct NoteVectors {
    slots: Vec<Slot>,
    rows: Vec<u8>,
    dimensions: usize,
}

impl NearestNotes {
    /// The notes of `index` that pass `filter`, as they are now; the index's vectors were made with `of_index`.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of(
        index: SearchIndex,
        of_index: Arc<EmbeddingModel>,
        model: Arc<EmbeddingModel>,
        filter: &NoteFilter,
    ) -> Result<Self, StoreError> {
        let vectors = NoteVectors::of(&index, filter)?;
        Ok(Self { index, of_index, model, vectors, read: HashMap::new() })
    }

    /// The notes closest to a text, the closest first; at most `most`.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn to(&mut self, text: &str, most: usize) -> Result<Vec<NearNote>, StoreError> {
        let meaning = Meaning::of(&self.model, text);
        let Some(vector) = meaning.vector_of(&self.of_index) else { return Ok(Vec::new()) };
        let slots = self.vectors.closest(&quantise(&vector), FROM_VECTORS.max(most));
        for slot in &slots {
            self.read(*slot)?;
        }
        let notes = slots.iter().filter_map(|slot| self.read.get(slot)?.as_ref());
        let mut near: Vec<_> = notes.map(|(note, other)| (meaning.closeness(other), note, other)).collect();
        near.sort_by(|(one, this, _), (other, that, _)| {
            other.total_cmp(one).then_with(|| this.path.cmp(&that.path))
        });
        let near = near.into_iter().take(most).map(|(closeness, note, other)| NearNote {
            closeness,
            relation: meaning.relation(other),
            note: note.clone(),
        });
        Ok(near.collect())
    }

    /// Reads what a note means, unless it was read.
    fn read(&mut self, slot: Slot) -> Result<(), StoreError> {
        if let Entry::Vacant(unread) = self.read.entry(slot) {
            let note = self.index.note(slot)?;
            unread.insert(note.map(|note| {
                let meaning = Meaning::of(&self.model, &document::meaning(&note.title, &note.body));
                (note, meaning)
            }));
        }
        Ok(())
    }
}

impl NoteVectors {
    fn of(index: &SearchIndex, filter: &NoteFilter) -> Result<Self, StoreError> {
        let excluded = index.excluded_slots(filter)?;
        let mut vectors = Self::default();
        index.vectors(|slot, vector| {
            let is_out = excluded.get(slot as usize).copied().unwrap_or(false);
            // A note without a vector has zeros.
            if !is_out && vector.iter().any(|number| *number != 0) {
                vectors.slots.push(slot);
                vectors.rows.extend_from_slice(vector);
                vectors.dimensions = vector.len();
            }
        })?;
        Ok(vectors)
    }

    /// The notes whose vectors are closest to this one, in no order.
    fn closest(&self, vector: &[i8], most: usize) -> Vec<Slot> {
        let vector = Halves::of_numbers(vector);
        let mut best = TopNotes::new(most);
        for (slot, row) in self.slots.iter().zip(self.rows.chunks_exact(self.dimensions.max(1))) {
            let close = vector.dot_row(row);
            if close > 0 && best.has_room_for(close) {
                best.put(close, *slot);
            }
        }
        best.iter().map(|(_, slot)| slot).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use afterword_store::IndexedNote;

    use crate::document::{index_model, indexed};

    /// So many are active, and as many more wait.
    const ACTIVE: usize = 96;

    fn rule(number: usize) -> IndexedNote {
        const TOOLS: [&str; 8] = ["cargo", "pnpm", "docker", "terraform", "ruff", "make", "psql", "kubectl"];
        const RULES: [&str; 6] = [
            "Always run {} before a commit",
            "Never call {} without asking me",
            "Pin the version of {} in every project",
            "Show me what {} printed when it fails",
            "Keep {} out of the scripts folder",
            "Prefer {} over a tool of your own",
        ];
        let (tool, rule) = (TOOLS[number % TOOLS.len()], RULES[number / TOOLS.len() % RULES.len()]);
        IndexedNote {
            path: format!("{number}.md"),
            hash: number.to_string(),
            title: rule.replace("{}", tool),
            status: if number < ACTIVE { "active" } else { "inbox" }.to_owned(),
            body: format!("Said {number} times."),
            ..IndexedNote::default()
        }
    }

    fn text_of(rule: &IndexedNote) -> String {
        document::meaning(&rule.title, &rule.body)
    }

    fn nearest_of(rules: &[IndexedNote], model: &Arc<EmbeddingModel>, home: &Path) -> NearestNotes {
        let index = SearchIndex::open(&home.join("index.db")).unwrap();
        index.writer().clear(&index_model(Some(model))).unwrap();
        let notes: Vec<_> = rules.iter().map(|rule| indexed(rule.clone(), "", Some(model))).collect();
        index.writer().update(&notes, &[]).unwrap();
        let filter = NoteFilter { statuses: vec!["active".to_owned()], ..NoteFilter::default() };
        NearestNotes::of(index, model.clone(), model.clone(), &filter).unwrap()
    }

    #[test]
    fn each_note_is_read_once_however_many_ask() {
        let (home, model) = (tempfile::tempdir().unwrap(), Arc::new(EmbeddingModel::embedded().unwrap()));
        let rules: Vec<_> = (0..2 * ACTIVE).map(rule).collect();
        let mut nearest = nearest_of(&rules, &model, home.path());
        for rule in &rules[ACTIVE..] {
            nearest.to(&text_of(rule), 4).unwrap();
        }
        assert!(nearest.read.len() <= ACTIVE, "{} reads of {ACTIVE} notes", nearest.read.len());
        assert_eq!(nearest.vectors.slots.len(), ACTIVE, "what waits is not gone through");
    }

    #[test]
    fn the_nearest_are_those_that_comparing_with_every_note_finds() {
        let (home, model) = (tempfile::tempdir().unwrap(), Arc::new(EmbeddingModel::embedded().unwrap()));
        let rules: Vec<_> = (0..2 * ACTIVE).map(rule).collect();
        let mut nearest = nearest_of(&rules, &model, home.path());
        for asking in &rules[ACTIVE..] {
            let meaning = Meaning::of(&model, &text_of(asking));
            let mut all: Vec<_> = rules[..ACTIVE]
                .iter()
                .map(|rule| {
                    let other = Meaning::of(&model, &text_of(rule));
                    (meaning.closeness(&other), meaning.relation(&other), rule.path.clone())
                })
                .collect();
            all.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.2.cmp(&other.2)));
            all.truncate(4);
            let found = nearest.to(&text_of(asking), 4).unwrap();
            let found: Vec<_> =
                found.into_iter().map(|near| (near.closeness, near.relation, near.note.path)).collect();
            assert_eq!(found, all, "{}", asking.title);
        }
    }
}
