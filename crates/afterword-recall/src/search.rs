//! Hybrid search: candidates from the words and from the vectors, then one ranking of both.
//!
//! Rank fusion is not used: on texts that share few words with what is looked for it loses to either of its lists.
//! Words find candidates and count as coverage; vectors find candidates; `ranking` orders them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use afterword_store::search_index::read::FoundNote;
use afterword_store::{NoteFilter, SearchIndex, Slot, StoreError};

use crate::document::index_make;
use crate::model::{EmbeddingModel, dot, quantise};
use crate::query::Query;
use crate::ranking::{Candidate, Commonness, scores};
use crate::snippet::snippet;

/// Candidates that the vectors bring at least, of few notes and of many: ranking them is most of a search's time.
const FROM_VECTORS: [usize; 2] = [300, 120];
/// Candidates that the words bring at least, likewise.
const FROM_WORDS: [usize; 2] = [100, 50];
/// Hits there ever are: who asks for more asks for all.
const MOST_HITS: usize = 1000;
/// Hits beyond the limit that may come into it by their worth.
const BESIDE: usize = 10;
/// How much of a score a lesson's proven worth is: one that helped again and again gains a tenth, one that was contradicted
/// loses as much, so that worth decides between hits that are about as close and never instead of closeness.
const WEIGHT_OF_WORTH: f32 = 0.1;
/// From so many notes on, a word that a tenth of them have is not looked for when there are rarer ones.
const MANY_NOTES: usize = 2000;
/// Of so many notes, occurrences of words that are looked at: the rarest words first, which say most. Each costs a microsecond
/// or two, and a pasted page has many words.
const MOST_OCCURRENCES: usize = 2500;

/// How it was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// By words and by meaning.
    Hybrid,
    /// By words alone.
    Text,
}

/// Why it was searched by words alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOnly {
    /// There is no model, or it is broken.
    NoModel,
    /// The index was made with another model, or with none; it has to be rebuilt.
    OtherModel,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hits {
    /// How it was searched.
    pub mode: Mode,
    /// Why by words alone, where that is so.
    pub text_only: Option<TextOnly>,
    /// The hits, best first.
    pub hits: Vec<Hit>,
}

/// One note that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The note.
    pub note: FoundNote,
    /// How close it is, from 0 to 1; scores of one mode can be compared.
    pub score: f32,
    /// The part of its text that shows why.
    pub snippet: String,
}

/// Searches the index; at most 1,000 hits.
///
/// # Errors
/// What the index said.
pub fn search(
    index: &SearchIndex,
    model: Option<&EmbeddingModel>,
    query: &Query,
    filter: &NoteFilter,
    limit: usize,
) -> Result<Hits, StoreError> {
    let limit = limit.min(MOST_HITS);
    let (model, text_only) = match model {
        None => (None, Some(TextOnly::NoModel)),
        Some(_) if index.make()?.as_ref() != Some(&index_make(model)) => (None, Some(TextOnly::OtherModel)),
        Some(model) => (Some(model), None),
    };
    let mode = if model.is_some() { Mode::Hybrid } else { Mode::Text };
    let nothing = Hits { mode, text_only, hits: Vec::new() };
    if limit == 0 {
        return Ok(nothing);
    }
    let kept_out = index.kept_out(filter)?;
    let covered = coverage(index, query, &kept_out, limit)?;
    let mut ranked: Vec<(Slot, f32)> = match model {
        None => covered.into_iter().collect(),
        Some(model) => rank(index, model, query, &kept_out, covered, limit)?,
    };
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let mut hits = Vec::new();
    for (slot, score) in ranked.into_iter().take(limit + BESIDE) {
        if let Some(note) = index.note(slot)? {
            let score = (score * (1.0 + WEIGHT_OF_WORTH * note.bonus as f32)).clamp(0.0, 1.0);
            hits.push(Hit { note, score, snippet: String::new() });
        }
    }
    // Stable: without anything known of their worth the order stays.
    hits.sort_by(|one, other| other.score.total_cmp(&one.score));
    hits.truncate(limit);
    for hit in &mut hits {
        hit.snippet = snippet(&hit.note.body, query.words());
    }
    Ok(Hits { hits, ..nothing })
}

/// The notes that have words of the query, each with the share of what the words tell, from 0 to 1.
fn coverage(
    index: &SearchIndex,
    query: &Query,
    kept_out: &[bool],
    limit: usize,
) -> Result<BTreeMap<Slot, f32>, StoreError> {
    let notes = index.count()?;
    let mut words = Vec::new();
    for word in query.words() {
        words.push((word.clone(), index.occurrences(word)?));
    }
    let is_common = |count: usize| notes >= MANY_NOTES && count > notes / 10;
    if words.iter().any(|(_, count)| *count > 0 && !is_common(*count)) {
        words.retain(|(_, count)| !is_common(*count));
    }
    if notes >= MANY_NOTES {
        words.sort_by_key(|(_, count)| *count);
        let mut seen = 0;
        words.retain(|(_, count)| {
            let fits = seen == 0 || seen + count <= MOST_OCCURRENCES;
            seen += if fits { *count } else { 0 };
            fits
        });
    }
    // The weight that FTS5's bm25 gives a word, its floor included (sqlite.org/fts5.html, "The bm25() function").
    let weight = |count: usize| ((notes as f64 - count as f64 + 0.5) / (count as f64 + 0.5)).ln().max(1e-6);
    let all: f64 = words.iter().map(|(_, count)| weight(*count)).sum();
    let words: Vec<String> =
        words.into_iter().filter(|(_, count)| *count > 0).map(|(word, _)| word).collect();
    let hits = index.text_hits(&words, kept_out, limit.max(FROM_WORDS[usize::from(notes >= MANY_NOTES)]))?;
    let share = |bm25: f64| (bm25 / all.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0) as f32;
    Ok(hits.into_iter().map(|hit| (hit.slot, share(hit.bm25))).collect())
}

/// All candidates with their scores.
fn rank(
    index: &SearchIndex,
    model: &EmbeddingModel,
    query: &Query,
    kept_out: &[bool],
    mut covered: BTreeMap<Slot, f32>,
    limit: usize,
) -> Result<Vec<(Slot, f32)>, StoreError> {
    let tokens = model.tokens(query.text());
    let counts = index.token_counts()?;
    let notes = index.count()?;
    let commonness = Commonness::new(model, &counts, notes);
    if let Some(vector) = commonness.vector(&tokens) {
        for slot in closest(
            index,
            &quantise(&vector),
            kept_out,
            limit.max(FROM_VECTORS[usize::from(notes >= MANY_NOTES)]),
        )? {
            covered.entry(slot).or_insert(0.0);
        }
    }
    let mut candidates = Vec::new();
    for (slot, coverage) in covered {
        if let Some(tokens) = index.tokens_of(slot)? {
            candidates.push(Candidate { slot, tokens, coverage });
        }
    }
    let scores = scores(&commonness, &tokens, &candidates);
    let positive = candidates.iter().zip(scores).filter(|(_, score)| *score > 0.0);
    Ok(positive.map(|(candidate, score)| (candidate.slot, score)).collect())
}

/// The slots of the vectors closest to the query's, in no order.
fn closest(
    index: &SearchIndex,
    query: &[i8],
    kept_out: &[bool],
    most: usize,
) -> Result<Vec<Slot>, StoreError> {
    let query: Vec<u8> = query.iter().map(|x| x.cast_unsigned()).collect();
    let mut heap: BinaryHeap<Reverse<(i32, Slot)>> = BinaryHeap::with_capacity(most + 1);
    index.vectors(|slot, vector| {
        let close = dot(&query, vector);
        let worst = if heap.len() < most { 0 } else { heap.peek().map_or(0, |Reverse((close, _))| *close) };
        if close > worst && !kept_out.get(slot as usize).copied().unwrap_or(false) {
            heap.push(Reverse((close, slot)));
            if heap.len() > most {
                heap.pop();
            }
        }
    })?;
    Ok(heap.into_iter().map(|Reverse((_, slot))| slot).collect())
}
