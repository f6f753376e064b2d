//! How close a note is to a query, from the tokens of both.
//!
//! Four things count, with the weights below: the cosine of the two texts' vectors, where tokens that occur in many
//! notes count less; how well each token of the query is met by its closest token in the note (so that `squashing`
//! meets `squash-merge` also in a note about much else); the share of the query's words that the note has; and
//! closeness to the best note so far, because what is looked for seldom comes alone.
//!
//! Where the weights come from: `docs/quality.md`, "Retrieval".

use afterword_store::Slot;

use crate::model::{Direction, EmbeddingModel, Token};

/// How fast a token loses weight in a text's vector with the share of notes it occurs in.
const COMMONNESS: f32 = 15.0;
/// Added to the number of notes: shares of a handful of notes say little about a token.
const NOTES_ASSUMED: f32 = 20.0;
const WEIGHT_OF_TOKENS: f32 = 0.8;
const WEIGHT_OF_WORDS: f32 = 0.05;
const WEIGHT_OF_BEST: f32 = 0.25;
/// Notes that the others are compared with at the end.
const BEST: usize = 1;
const SUM_OF_WEIGHTS: f32 = 1.0 + WEIGHT_OF_TOKENS + WEIGHT_OF_WORDS + WEIGHT_OF_BEST;

/// A note that may be the one.
pub(crate) struct Candidate {
    pub(crate) slot: Slot,
    pub(crate) tokens: Vec<Token>,
    /// The share of the query's words that it has, weighted by what they tell, from 0 to 1.
    pub(crate) coverage: f32,
}

/// What is known of the tokens of all notes.
pub(crate) struct TokenFrequencies<'a> {
    model: &'a EmbeddingModel,
    counts: &'a [u32],
    notes: f32,
}

impl<'a> TokenFrequencies<'a> {
    pub(crate) fn new(model: &'a EmbeddingModel, counts: &'a [u32], notes: usize) -> Self {
        Self { model, counts, notes: notes as f32 }
    }

    /// The text's vector, common tokens counting less.
    pub(crate) fn vector(&self, tokens: &[Token]) -> Option<Vec<f32>> {
        let weight = |token| 1.0 / (1.0 + COMMONNESS * self.count(token) / (self.notes + NOTES_ASSUMED));
        self.model.vector(tokens, weight)
    }

    fn count(&self, token: Token) -> f32 {
        self.counts.get(usize::from(token)).copied().unwrap_or(0) as f32
    }

    /// How much a token of the query tells: what the model makes of it, and how rare it is here.
    fn weight(&self, token: Token) -> f32 {
        let count = self.count(token);
        let rarity = (1.0 + (self.notes - count + 0.5).max(0.5) / (count + 0.5)).ln();
        self.model.importance(token) * rarity
    }
}

/// How close a candidate is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Score {
    /// What it is ranked by, from 0 to 1.
    pub(crate) ranked: f32,
    /// How close it is by itself, however close the best note is, from 0 to 1.
    pub(crate) own: f32,
}

/// The candidates' scores, in their order.
pub(crate) fn scores(
    commonness: &TokenFrequencies<'_>,
    query: &[Token],
    candidates: &[Candidate],
) -> Vec<Score> {
    let vectors: Vec<Option<Vec<f32>>> =
        candidates.iter().map(|candidate| commonness.vector(&candidate.tokens)).collect();
    let mut meeting = QueryMatcher::new(commonness, query);
    let query = commonness.vector(query);
    let own: Vec<f32> = candidates
        .iter()
        .zip(&vectors)
        .map(|(candidate, vector)| {
            cosine(query.as_deref(), vector.as_deref())
                + WEIGHT_OF_TOKENS * meeting.with(&candidate.tokens)
                + WEIGHT_OF_WORDS * candidate.coverage
        })
        .collect();
    let mut order: Vec<usize> = (0..own.len()).collect();
    order.sort_by(|one, other| own[*other].total_cmp(&own[*one]));
    let best: Vec<_> = order.iter().take(BEST).map(|at| vectors[*at].as_deref()).collect();
    let scored = own.iter().zip(&vectors).map(|(own, vector)| {
        let close: f32 = best.iter().map(|best| cosine(*best, vector.as_deref())).sum();
        let ranked = own + WEIGHT_OF_BEST * close / best.len().max(1) as f32;
        Score {
            ranked: (ranked / SUM_OF_WEIGHTS).clamp(0.0, 1.0),
            own: (own / (SUM_OF_WEIGHTS - WEIGHT_OF_BEST)).clamp(0.0, 1.0),
        }
    });
    scored.collect()
}

fn cosine(one: Option<&[f32]>, other: Option<&[f32]>) -> f32 {
    match (one, other) {
        (Some(one), Some(other)) => one.iter().zip(other).map(|(one, other)| one * other).sum(),
        _ => 0.0,
    }
}

/// Says that a token was not compared yet.
const UNKNOWN: u32 = u32::MAX;

/// How well the query's tokens are met by a note's; remembers what it has compared.
struct QueryMatcher<'a> {
    commonness: &'a TokenFrequencies<'a>,
    /// Token and its share of the query.
    query: Vec<(Token, f32)>,
    directions: Vec<Direction>,
    /// The direction of the note's token that is compared.
    own: Direction,
    /// Where in `closeness` a token's begins, by token; `UNKNOWN` for one not compared yet.
    known: Vec<u32>,
    /// How close a token is to each of the query's.
    closeness: Vec<f32>,
    /// The best closeness of a note to each of the query's tokens.
    best: Vec<f32>,
}

impl<'a> QueryMatcher<'a> {
    fn new(commonness: &'a TokenFrequencies<'a>, query: &[Token]) -> Self {
        let mut query: Vec<_> = commonness
            .model
            .informative_tokens(query)
            .into_iter()
            .map(|token| (token, commonness.weight(token)))
            .collect();
        // A pasted page has hundreds of tokens; the rare ones say what it is about.
        query.sort_by(|one, other| other.1.total_cmp(&one.1));
        query.truncate(48);
        let sum: f32 = query.iter().map(|(_, weight)| weight).sum();
        query.iter_mut().for_each(|(_, weight)| *weight /= sum.max(f32::MIN_POSITIVE));
        let known = vec![UNKNOWN; commonness.model.vocabulary()];
        let directions = query.iter().map(|(token, _)| commonness.model.direction(*token)).collect();
        let best = vec![0.0; query.len()];
        Self { commonness, query, directions, own: Direction::default(), known, closeness: Vec::new(), best }
    }

    /// The tokens of a note count however often they stand in it; those that say nothing count where it has no others.
    fn with(&mut self, tokens: &[Token]) -> f32 {
        let model = self.commonness.model;
        let says_something = tokens.iter().any(|token| !model.is_uninformative(*token));
        self.best.fill(0.0);
        for &token in tokens.iter().filter(|token| !says_something || !model.is_uninformative(**token)) {
            let Some(known) = self.known.get_mut(usize::from(token)) else { continue };
            if *known == UNKNOWN {
                // Fewer tokens are known than 65,536, and a query has at most 48.
                *known = u32::try_from(self.closeness.len()).unwrap_or(UNKNOWN);
                model.turn(&mut self.own, token);
                self.closeness.extend(self.directions.iter().map(|one| one.closeness(&self.own)));
            }
            let closeness = self.closeness.iter().skip(*known as usize);
            self.best.iter_mut().zip(closeness).for_each(|(best, close)| *best = best.max(*close));
        }
        self.best.iter().zip(&self.query).map(|(best, (_, weight))| best * weight).sum()
    }
}
