//! What a text is about: its content words, and how alike two texts are by them.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The content words of a text, stemmed a little; equal for texts that say the same thing in another order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Topic {
    /// In order, each once.
    words: Vec<String>,
    /// The words' hashes, in order: topics are compared by the thousand.
    hashes: Vec<u64>,
}

/// Words that say nothing of what a text is about.
const EMPTY: &[&str] = &[
    "a", "an", "the", "and", "or", "of", "to", "in", "on", "for", "with", "is", "are", "was", "were", "be",
    "been", "it", "its", "this", "that", "these", "those", "i", "you", "we", "they", "he", "she", "my",
    "our", "your", "do", "does", "did", "not", "no", "yes", "ok", "okay", "how", "what", "why", "when",
    "which", "who", "can", "could", "should", "would", "will", "from", "by", "at", "as", "if", "so", "but",
    "into", "about", "have", "has", "had", "there", "their", "them", "then", "than", "just", "please",
    "also", "now", "still", "again", "let", "lets", "me", "us", "think", "want", "need", "like", "make",
    "sure", "don", "t", "s", "re", "ll", "ve", "get", "got", "go", "see", "any", "all", "some", "here",
    "yeah", "hmm", "oh", "ah", "well", "actually", "maybe", "one", "up", "out", "too", "right",
];

impl Topic {
    /// The topic of a text.
    pub fn of(text: &str) -> Self {
        let words = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| word.chars().count() > 1 || !word.is_ascii())
            .map(str::to_lowercase)
            .filter(|word| !EMPTY.contains(&word.as_str()) && !word.chars().all(|c| c.is_ascii_digit()))
            .map(|word| stem(&word))
            .take(60)
            .collect();
        Self::of_words(words)
    }

    fn of_words(mut words: Vec<String>) -> Self {
        words.sort_unstable();
        words.dedup();
        let hash = |word: &String| {
            let mut hasher = DefaultHasher::new();
            word.hash(&mut hasher);
            hasher.finish()
        };
        let mut hashes: Vec<u64> = words.iter().map(hash).collect();
        hashes.sort_unstable();
        Self { words, hashes }
    }

    /// Reads a topic from the form [`Topic::key`] writes.
    pub fn from_key(key: &str) -> Self {
        Self::of_words(key.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect())
    }

    /// The words in order, with spaces between.
    pub fn key(&self) -> String {
        self.words.join(" ")
    }

    /// The words in order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// How many content words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// No content word at all.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Shared words over all words: 1 for the same, 0 for nothing in common.
    #[expect(clippy::cast_precision_loss, reason = "a topic has at most sixty words")]
    pub fn likeness(&self, other: &Self) -> f32 {
        let shared = self.shared(other);
        let all = self.len() + other.len() - shared;
        if all == 0 { 0.0 } else { shared as f32 / all as f32 }
    }

    /// Whether half of all words or more are shared, which is how the same wish looks in other words.
    pub fn is_like(&self, other: &Self) -> bool {
        let (less, more) = (self.len().min(other.len()), self.len().max(other.len()));
        2 * less >= more && self.likeness(other) >= 0.5
    }

    /// How much of this topic the other covers: 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "a topic has at most sixty words")]
    pub fn covered_by(&self, other: &Self) -> f32 {
        if self.is_empty() { 0.0 } else { self.shared(other) as f32 / self.len() as f32 }
    }

    /// How many words both have.
    pub fn shared(&self, other: &Self) -> usize {
        let (mut ours, mut theirs, mut shared) = (self.hashes.as_slice(), other.hashes.as_slice(), 0);
        while let ([one, our_rest @ ..], [two, their_rest @ ..]) = (ours, theirs) {
            shared += usize::from(one == two);
            (ours, theirs) = match one.cmp(two) {
                Ordering::Less => (our_rest, theirs),
                Ordering::Equal => (our_rest, their_rest),
                Ordering::Greater => (ours, their_rest),
            };
        }
        shared
    }
}

/// Takes plural and tense endings off, no more.
fn stem(word: &str) -> String {
    for (ending, with, least) in [("ies", "y", 4), ("ing", "", 6), ("ed", "", 5), ("es", "", 5), ("s", "", 4)]
    {
        let stem = word
            .strip_suffix(ending)
            .filter(|_| word.len() >= least && word.is_ascii() && !word.ends_with("ss"));
        if let Some(stem) = stem {
            return format!("{stem}{with}");
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_wish_in_other_words_is_alike() {
        let one = Topic::of("please check the line counts of the last commit again");
        let other = Topic::of("can you check the line count on the last commit?");
        assert!(one.likeness(&other) > 0.7, "{one:?} {other:?}");
        assert!(one.likeness(&Topic::of("rename the folder")) < 0.1);
        assert_eq!(Topic::from_key(&one.key()), one);
    }
}
