//! Hybrid search: candidates from the words and from the vectors, then one ranking of both.
//!
//! Rank fusion is not used: on texts that share few words with what is looked for it loses to either of its lists.
//! Words find candidates and count as coverage; vectors find candidates; `ranking` orders them.

use std::collections::HashMap;

use afterword_store::search_index::read::FoundNote;
use afterword_store::{NoteFilter, SearchIndex, Slot, StoreError};
use serde::Serialize;

use crate::best::TopNotes;
use crate::document::index_model;
use crate::model::{EmbeddingModel, Halves, Token, quantise};
use crate::query::Query;
use crate::ranking::{Candidate, Score, TokenFrequencies, scores};
use crate::snippet::snippet;

/// The kind of what tells of an attempt at a task.
pub const ATTEMPT: &str = "attempt";
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
/// How much of its score an attempt keeps among lessons: of every session there is one, and as it tells all of it it shares words
/// with whatever is looked for.
const ATTEMPT_AMONG_LESSONS: f32 = 0.5;
/// How close the best note must be where no note has a word of the query, and how close the others then. Measured on the lessons
/// and queries of docs/quality.md, "Retrieval": of volcanoes, birthdays and the like the best is at 0.11 to 0.23, of other words for
/// what is there at 0.24 and more.
const BEST_NEAR_ENOUGH: f32 = 0.24;
const NEAR_ENOUGH: f32 = 0.2;
/// Characters of a piece that a word the model knows has on average at least; letters typed at random have fewer.
const PIECE: usize = 3;
/// From so many notes on, a word that a tenth of them have is not looked for when there are rarer ones.
const MANY_NOTES: usize = 2000;
/// Of so many notes, occurrences of words that are looked at: the rarest words first, which say most. A pasted page has
/// many words.
const MOST_OCCURRENCES: usize = 2500;

/// How it was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchMode {
    /// By words and by meaning.
    Hybrid,
    /// By words alone.
    Text,
}

/// Why it was searched by words alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOnlyReason {
    /// There is no model, or it is broken.
    NoModel,
    /// The index was made with another model, or with none; it has to be rebuilt.
    OtherModel,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hits<H = Hit> {
    /// How it was searched.
    pub mode: SearchMode,
    /// Why by words alone, where that is so.
    pub text_only: Option<TextOnlyReason>,
    /// The hits, best first.
    pub hits: Vec<H>,
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
/// [`StoreError`]: the database is locked, damaged, full or can only be read.
pub fn search(
    index: &SearchIndex,
    model: Option<&EmbeddingModel>,
    query: &Query,
    filter: &NoteFilter,
    limit: usize,
) -> Result<Hits, StoreError> {
    let limit = limit.min(MOST_HITS);
    let (model, text_only) = match model {
        None => (None, Some(TextOnlyReason::NoModel)),
        Some(_) if index.index_model()?.as_ref() != Some(&index_model(model)) => {
            (None, Some(TextOnlyReason::OtherModel))
        }
        Some(model) => (Some(model), None),
    };
    let mode = if model.is_some() { SearchMode::Hybrid } else { SearchMode::Text };
    let nothing = Hits { mode, text_only, hits: Vec::new() };
    if limit == 0 {
        return Ok(nothing);
    }
    index.in_read_transaction(|| {
        let excluded = index.excluded_slots(filter)?;
        let mut ranked = match model {
            None => covered_best(index, query, &excluded, limit)?,
            Some(model) => rank(index, model, query, &excluded, limit, is_of_attempts(filter))?,
        };
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let mut hits = Vec::new();
        let is_mixed = filter.kinds.is_empty() && filter.outcomes.is_empty();
        let beside = if is_mixed { limit.saturating_mul(2) + BESIDE } else { BESIDE };
        for (slot, score) in ranked.into_iter().take(limit + beside) {
            if let Some(note) = index.note(slot)? {
                let kept = if is_mixed && note.kind == ATTEMPT { ATTEMPT_AMONG_LESSONS } else { 1.0 };
                let score = (kept * score * (1.0 + WEIGHT_OF_WORTH * note.bonus as f32)).clamp(0.0, 1.0);
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
    })
}

/// What is looked for: words that say something, with how many notes have each.
fn informative_words(mut words: Vec<(String, usize)>, notes: usize) -> Vec<(String, usize)> {
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
    words
}

/// The weight that FTS5's bm25 gives a word, its floor included (sqlite.org/fts5.html, "The bm25() function").
fn weight(count: usize, notes: usize) -> f64 {
    ((notes as f64 - count as f64 + 0.5) / (count as f64 + 0.5)).ln().max(1e-6)
}

/// The notes that fit the words best, each with the share of what the words tell, from 0 to 1: without a model this is
/// all there is, so how often a word occurs and how long a note is count too (bm25).
fn covered_best(
    index: &SearchIndex,
    query: &Query,
    excluded: &[bool],
    limit: usize,
) -> Result<Vec<(Slot, f32)>, StoreError> {
    let notes = index.count()?;
    let mut words = Vec::new();
    for word in query.words() {
        words.push((word.clone(), index.occurrences(word)?));
    }
    let words = informative_words(words, notes);
    let all: f64 = words.iter().map(|(_, count)| weight(*count, notes)).sum();
    let words: Vec<String> =
        words.into_iter().filter(|(_, count)| *count > 0).map(|(word, _)| word).collect();
    let hits = index.text_hits(&words, excluded, limit.max(FROM_WORDS[usize::from(notes >= MANY_NOTES)]))?;
    let share = |bm25: f64| (bm25 / all.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0) as f32;
    Ok(hits.into_iter().map(|hit| (hit.slot, share(hit.bm25))).collect())
}

/// The notes that have words of the query, each with the share of what the words tell, from 0 to 1.
fn coverage(index: &SearchIndex, query: &Query, notes: usize) -> Result<HashMap<Slot, f32>, StoreError> {
    // A word that more notes have is left out below, or is as good as in all of them.
    let most = if notes >= MANY_NOTES { MOST_OCCURRENCES + 1 } else { usize::MAX };
    let mut found = HashMap::new();
    let mut words = Vec::new();
    for word in query.words() {
        let slots = index.notes_with(word, most)?;
        words.push((word.clone(), slots.len()));
        found.insert(word.as_str(), slots);
    }
    let words = informative_words(words, notes);
    let all: f64 = words.iter().map(|(_, count)| weight(*count, notes)).sum();
    let mut covered = HashMap::new();
    for (word, count) in &words {
        let share = (weight(*count, notes) / all.max(f64::MIN_POSITIVE)) as f32;
        for slot in found.remove(word.as_str()).unwrap_or_default() {
            *covered.entry(slot).or_insert(0.0) += share;
        }
    }
    Ok(covered)
}

/// Whether only attempts are looked for: whoever tries something again is told of the closest one, however far it is.
fn is_of_attempts(filter: &NoteFilter) -> bool {
    !filter.outcomes.is_empty() || filter.kinds == [ATTEMPT]
}

/// All candidates with their scores; with `takes_all` also those that are close to nothing in the query.
fn rank(
    index: &SearchIndex,
    model: &EmbeddingModel,
    query: &Query,
    excluded: &[bool],
    limit: usize,
    takes_all: bool,
) -> Result<Vec<(Slot, f32)>, StoreError> {
    let counts = index.token_counts()?;
    let notes = index.count()?;
    let covered = coverage(index, query, notes)?;
    let is_met = takes_all || !covered.is_empty();
    let tokens = if is_met { model.tokens(query.text()) } else { known_tokens(model, query.text()) };
    if !is_met && tokens.is_empty() {
        return Ok(Vec::new());
    }
    let commonness = TokenFrequencies::new(model, &counts, notes);
    let vector = commonness.vector(&tokens);
    let mut candidates = Vec::new();
    for slot in closest(index, vector.as_deref(), &covered, excluded, limit, notes)? {
        if let Some(tokens) = index.tokens_of(slot)? {
            let coverage = covered.get(&slot).copied().unwrap_or(0.0).min(1.0);
            candidates.push(Candidate { slot, tokens, coverage });
        }
    }
    let scores = scores(&commonness, &tokens, &candidates);
    let is_near = is_met || scores.iter().any(|score| score.own >= BEST_NEAR_ENOUGH);
    let fits = |(_, score): &(&Candidate, Score)| {
        is_near && score.ranked > 0.0 && (is_met || score.own >= NEAR_ENOUGH)
    };
    let fitting = candidates.iter().zip(scores).filter(fits);
    Ok(fitting.map(|(candidate, score)| (candidate.slot, score.ranked)).collect())
}

/// The tokens of the words that the model knows. Of others it knows some letters, which are close to anything; scripts without
/// spaces between words are left as they are.
fn known_tokens(model: &EmbeddingModel, text: &str) -> Vec<Token> {
    let is_known = |word: &&str| !word.is_ascii() || model.tokens(word).len() * PIECE <= word.len();
    let words: Vec<&str> = text.split_whitespace().filter(is_known).collect();
    model.tokens(&words.join(" "))
}

/// The slots of the vectors closest to the query's, and of the notes that have most of its words, the closest first among
/// those that have as much; in the index's order.
fn closest(
    index: &SearchIndex,
    query: Option<&[f32]>,
    covered: &HashMap<Slot, f32>,
    excluded: &[bool],
    limit: usize,
    notes: usize,
) -> Result<Vec<Slot>, StoreError> {
    let is_out = |slot: Slot| excluded.get(slot as usize).copied().unwrap_or(false);
    let many = usize::from(notes >= MANY_NOTES);
    let mut by_vector = TopNotes::new(limit.max(FROM_VECTORS[many]));
    let mut by_words = TopNotes::new(limit.max(FROM_WORDS[many]));
    let query = query.map(|query| Halves::of_numbers(&quantise(query))).unwrap_or_default();
    // By slot; they are numbered from 1, without many gaps.
    let mut closeness: Vec<i32> = Vec::new();
    index.vectors(|slot, vector| {
        let close = query.dot_row(vector);
        closeness.resize(slot as usize, 0);
        closeness.push(close);
        if by_vector.has_room_for(close) && close > 0 && !is_out(slot) {
            by_vector.put(close, slot);
        }
    })?;
    for (slot, share) in covered.iter().filter(|(slot, _)| !is_out(**slot)) {
        let share = (share * 1024.0) as i32;
        by_words.put((share, closeness.get(*slot as usize).copied().unwrap_or(0)), *slot);
    }
    let mut slots: Vec<Slot> =
        by_vector.iter().map(|(_, slot)| slot).chain(by_words.iter().map(|(_, slot)| slot)).collect();
    slots.sort_unstable();
    slots.dedup();
    Ok(slots)
}
