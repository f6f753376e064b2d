//! Embedding models: tables of token vectors. One ships inside the program (`model/README.md` in this crate), another of
//! the same sort can be read from a folder.
//!
//! A text's vector is the mean of its tokens' rows. There is no network and no download; loading is reading the
//! vocabulary into a map. The table's bytes of the model inside are used where they lie in the program.
//!
//! Start reading at [`EmbeddingModel`]; `folder` reads what others publish, `prepared` keeps it in a form that loads fast.

mod error;
mod folder;
mod halves;
mod prepared;
mod wordpiece;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::stop_words::stop_words;
pub use error::ModelError;
pub use halves::Halves;
pub use prepared::{PreparedModel, folder_state};
use wordpiece::wordpiece;

/// Numbers in a vector of the model inside the program.
const DIMENSIONS: usize = 256;
/// Numbers in a vector at most; larger tables of this sort do not exist.
const MOST_DIMENSIONS: usize = 4096;
/// What the index remembers to tell vectors of this model from others: its name and the start of the table's hash.
pub const MODEL_NAME: &str = "lesson-static-256-i8/301d4154";
/// Tokens of a text that are read; what follows changes a mean no more.
const MAX_TOKENS: usize = 512;

static TABLE: &[u8] = include_bytes!("../../model/emb.bin");
static VOCABULARY: &str = include_str!("../../model/vocab.txt");

/// What has to be told of what the model inside the program was made from.
pub const NOTICES: &str = concat!(
    "The embedding model in this program was distilled from sentence-transformers/all-MiniLM-L6-v2 and all-mpnet-base-v2,\n",
    "which are licensed under the Apache License 2.0, and changed: it was trained further, among other texts on WordNet 3.0.\n\n",
    include_str!("../../model/NOTICE-WORDNET"),
);

/// A token's row in the table.
pub type Token = u16;

/// An embedding model, loaded.
#[derive(Debug)]
pub struct EmbeddingModel {
    name: Cow<'static, str>,
    dimensions: usize,
    rows: Cow<'static, [u8]>,
    weights: Vec<f32>,
    /// The rows' lengths, unweighted, as bits; 0 where nobody asked yet. All of them at once would bring the whole table
    /// into memory.
    lengths: Vec<AtomicU32>,
    vocabulary: HashMap<Cow<'static, str>, Token>,
    /// Whether it is of a stop word or punctuation, by token.
    uninformative: Vec<bool>,
}

impl EmbeddingModel {
    /// Reads a static model from a folder; a large one takes a good part of a second. Nothing in it is run.
    ///
    /// # Errors
    /// [`ModelError`] naming the file that is missing, too large, or not what it should be, and why.
    pub fn from_folder(folder: &Path) -> Result<Self, ModelError> {
        folder::load(folder)
    }

    /// The bytes of the file that [`EmbeddingModel::prepared`] loads; `source` is the state of what it was made of.
    ///
    /// # Errors
    /// [`ModelError`] when the model is not such that it can be kept.
    pub fn to_prepared(&self, source: &str) -> Result<Vec<u8>, ModelError> {
        prepared::to_bytes(self, source)
    }

    /// Loads a prepared model.
    ///
    /// # Errors
    /// [`ModelError`] when the file cannot be read or is damaged.
    pub fn prepared(path: &Path) -> Result<Self, ModelError> {
        prepared::load(path)
    }

    /// Loads the model inside the program, in milliseconds.
    ///
    /// # Errors
    /// [`ModelError`] when table and vocabulary do not belong together.
    pub fn embedded() -> Result<Self, ModelError> {
        Self::of(TABLE, VOCABULARY)
    }

    /// Takes a table (a row of 256 bytes per token, then a little-endian `f32` weight per token) and the tokens in its
    /// order, one a line.
    ///
    /// # Errors
    /// [`ModelError`] when their sizes do not fit.
    pub fn of(table: &'static [u8], vocabulary: &'static str) -> Result<Self, ModelError> {
        let tokens: Vec<Cow<'static, str>> = vocabulary.lines().map(Cow::Borrowed).collect();
        let broken = ModelError::Sizes { tokens: tokens.len(), bytes: table.len() };
        if table.len() != tokens.len() * (DIMENSIONS + 4) {
            return Err(broken);
        }
        let (rows, weights) = table.split_at(tokens.len() * DIMENSIONS);
        let weights = weights.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        Self::from_parts(Cow::Borrowed(MODEL_NAME), DIMENSIONS, Cow::Borrowed(rows), weights, tokens)
    }

    /// Puts a model together: a row of signed bytes and a weight for each token.
    fn from_parts(
        name: Cow<'static, str>,
        dimensions: usize,
        rows: Cow<'static, [u8]>,
        weights: Vec<f32>,
        tokens: Vec<Cow<'static, str>>,
    ) -> Result<Self, ModelError> {
        let broken = ModelError::Sizes { tokens: tokens.len(), bytes: rows.len() };
        let fits = Some(rows.len()) == tokens.len().checked_mul(dimensions)
            && weights.len() == tokens.len()
            && tokens.len() <= usize::from(Token::MAX)
            && (1..=MOST_DIMENSIONS).contains(&dimensions);
        if !fits || tokens.is_empty() || weights.iter().any(|weight| !weight.is_finite()) {
            return Err(broken);
        }
        let vocabulary = tokens.into_iter().zip(0..).collect();
        let lengths = weights.iter().map(|_| AtomicU32::new(0)).collect();
        let mut model =
            Self { name, dimensions, rows, weights, lengths, vocabulary, uninformative: Vec::new() };
        model.uninformative = model.uninformative_tokens();
        Ok(model)
    }

    /// What tells its vectors from those of other models: its name, its size, the start of its hash.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Numbers in a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many tokens it knows.
    pub fn vocabulary(&self) -> usize {
        self.weights.len()
    }

    /// The tokens of a text, in order, without those it does not know; of a long text the first 512.
    pub fn tokens(&self, text: &str) -> Vec<Token> {
        wordpiece(text, &self.vocabulary, MAX_TOKENS)
    }

    /// The tokens that say what a text is about, each once, in no order; all of them where none does.
    pub fn informative_tokens(&self, tokens: &[Token]) -> Vec<Token> {
        let once = |keep: &dyn Fn(Token) -> bool| {
            let mut kept: Vec<Token> = tokens.iter().copied().filter(|token| keep(*token)).collect();
            kept.sort_unstable();
            kept.dedup();
            kept
        };
        let telling = once(&|token| !self.is_uninformative(token));
        if telling.is_empty() { once(&|_| true) } else { telling }
    }

    fn uninformative_tokens(&self) -> Vec<bool> {
        let words: String = stop_words().flat_map(|word| [word, " "]).collect();
        let mut tokens = wordpiece(&words, &self.vocabulary, usize::MAX);
        let punctuation = (b'!'..=b'~').map(char::from).filter(char::is_ascii_punctuation);
        tokens.extend(punctuation.flat_map(|c| self.tokens(c.encode_utf8(&mut [0; 4]))));
        let mut uninformative = vec![false; self.vocabulary()];
        for token in tokens {
            if let Some(place) = uninformative.get_mut(usize::from(token)) {
                *place = true;
            }
        }
        uninformative
    }

    /// The unit vector of tokens, each weighted by what it tells; `None` where nothing is known of any.
    pub fn vector(&self, tokens: &[Token], weight: impl Fn(Token) -> f32) -> Option<Vec<f32>> {
        let mut sum = vec![0.0_f32; self.dimensions];
        for &token in tokens {
            let scale = self.scale(token) * weight(token);
            for (sum, byte) in sum.iter_mut().zip(self.row(token)) {
                *sum += f32::from(byte.cast_signed()) * scale;
            }
        }
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length < 1e-6 {
            return None;
        }
        sum.iter_mut().for_each(|x| *x /= length);
        Some(sum)
    }

    /// A token's row, to be compared with many others; nothing for a token of no row.
    pub fn direction(&self, token: Token) -> Direction {
        Direction { row: Halves::of(self.row(token)), length: self.length(token) }
    }

    /// Makes a direction that of another token.
    pub fn turn(&self, direction: &mut Direction, token: Token) {
        direction.row.set(self.row(token));
        direction.length = self.length(token);
    }

    /// Whether a token says nothing of what a text is about.
    pub fn is_uninformative(&self, token: Token) -> bool {
        self.uninformative.get(usize::from(token)).copied().unwrap_or(false)
    }

    /// How much the model itself makes of a token: the length of its weighted row.
    pub fn importance(&self, token: Token) -> f32 {
        self.scale(token).abs() * self.length(token)
    }

    fn row(&self, token: Token) -> &[u8] {
        let start = usize::from(token) * self.dimensions;
        self.rows.get(start..start + self.dimensions).unwrap_or_default()
    }

    fn length(&self, token: Token) -> f32 {
        let Some(known) = self.lengths.get(usize::from(token)) else { return 0.0 };
        match known.load(Ordering::Relaxed) {
            0 => {
                let square = |byte: &u8| i32::from(byte.cast_signed()).pow(2);
                let length = (self.row(token).iter().map(square).sum::<i32>() as f32).sqrt();
                known.store(length.to_bits(), Ordering::Relaxed);
                length
            }
            bits => f32::from_bits(bits),
        }
    }

    fn scale(&self, token: Token) -> f32 {
        self.weights.get(usize::from(token)).copied().unwrap_or(0.0)
    }
}

/// A token's row in the form in which it is compared fastest.
#[derive(Debug, Clone, Default)]
pub struct Direction {
    row: Halves,
    length: f32,
}

impl Direction {
    /// How close two tokens are: the cosine of their rows.
    pub fn closeness(&self, other: &Self) -> f32 {
        let lengths = self.length * other.length;
        if lengths < 1.0 { 0.0 } else { self.row.dot(&other.row) as f32 / lengths }
    }
}

/// A unit vector as whole numbers, 127 for 1.
pub fn quantise(vector: &[f32]) -> Vec<i8> {
    vector.iter().map(|x| (x * 127.0).round().clamp(-127.0, 127.0) as i8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text, tokens, and the first eight numbers of the vector and the sum of all: computed with the Python packages
    /// `tokenizers` and `numpy` from the table and MiniLM's tokenizer.json.
    const REFERENCE: &str = include_str!("../../tests/reference.tsv");

    #[test]
    fn same_tokens_and_vectors_as_the_reference() {
        let model = EmbeddingModel::embedded().unwrap();
        let mut seen = 0;
        for line in REFERENCE.lines().filter(|line| !line.starts_with('#')) {
            let [text, tokens, numbers] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let text = unescape(text);
            let expected: Vec<Token> = tokens.split(' ').map(|token| token.parse().unwrap()).collect();
            assert_eq!(model.tokens(&text), expected, "{text:?}");
            let vector = model.vector(&expected, |_| 1.0).unwrap();
            let numbers: Vec<f32> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
            for (own, theirs) in vector.iter().zip(&numbers[..8]) {
                assert!((own - theirs).abs() < 2e-5, "{text:?}: {own} {theirs}");
            }
            let sum: f32 = vector.iter().sum();
            assert!((sum - numbers[8]).abs() < 1e-3, "{text:?}: {sum} {}", numbers[8]);
            seen += 1;
        }
        assert!(seen >= 10, "the table is there");
    }

    /// `\uXXXX` (pairs of surrogates included) and `\t`, as the table has them.
    fn unescape(text: &str) -> String {
        let mut units = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if let Some(code) = rest.strip_prefix("\\u") {
                units.push(u16::from_str_radix(&code[..4], 16).unwrap());
                rest = &code[4..];
            } else if let Some(after) = rest.strip_prefix("\\t") {
                units.push(9);
                rest = after;
            } else {
                units.extend(c.encode_utf16(&mut [0; 2]).iter());
                rest = &rest[c.len_utf8()..];
            }
        }
        String::from_utf16(&units).unwrap()
    }

    #[test]
    fn files_that_do_not_fit_are_an_error() {
        let check = |table, vocabulary| assert!(EmbeddingModel::of(table, vocabulary).is_err());
        check(&[], "");
        check(&[0; 260], "one\ntwo\n");
        check(&[0xff; 260], "the weight is no number\n");
        assert!(EmbeddingModel::of(&[0; 260], "one\n").is_ok());
    }

    #[test]
    fn nothing_known_gives_no_vector() {
        let model = EmbeddingModel::embedded().unwrap();
        for text in ["", "   ", "\u{1f389}", "\u{0}\u{fffd}"] {
            assert_eq!(model.vector(&model.tokens(text), |_| 1.0), None, "{text:?}");
        }
        assert_eq!(model.vector(&[Token::MAX], |_| 1.0), None, "a token of no row");
    }

    #[test]
    fn long_text_is_read_in_part() {
        let model = EmbeddingModel::embedded().unwrap();
        assert_eq!(model.tokens(&"word ".repeat(100_000)).len(), 512);
        assert_eq!(model.tokens(&"\u{301}".repeat(100_000)).len(), 0);
    }
}
