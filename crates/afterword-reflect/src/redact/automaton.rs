//! One search for many fixed words, made as fast as the amount of text asks for.
//!
//! The fastest automaton takes milliseconds to make. A hook that reads some kilobytes and ends never gets them back: it is
//! given one that is made at once. Both find the same.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind};

/// Bytes of text from which on the fast automaton pays for its making.
const MUCH: usize = 256 * 1024;

/// Words that are searched for.
pub(super) struct WordAutomaton {
    builder: AhoCorasickBuilder,
    words: Vec<String>,
    soon_made: OnceLock<AhoCorasick>,
    fast: OnceLock<AhoCorasick>,
    /// Bytes that this process searched.
    searched: AtomicUsize,
}

impl WordAutomaton {
    /// The words, found in the way that `builder` says.
    pub(super) fn new(builder: AhoCorasickBuilder, words: Vec<String>) -> Self {
        let (soon_made, fast) = (OnceLock::new(), OnceLock::new());
        Self { builder, words, soon_made, fast, searched: AtomicUsize::new(0) }
    }

    /// The automaton to search a text of so many bytes with.
    pub(super) fn for_text(&self, bytes: usize) -> &AhoCorasick {
        let before = self.searched.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) < MUCH {
            self.soon_made.get_or_init(|| self.build(AhoCorasickKind::NoncontiguousNFA))
        } else {
            self.fast.get_or_init(|| self.build(AhoCorasickKind::DFA))
        }
    }

    fn build(&self, kind: AhoCorasickKind) -> AhoCorasick {
        let mut builder = self.builder.clone();
        builder
            .kind(Some(kind))
            .build(&self.words)
            .expect("a few hundred short words always fit the automaton")
    }
}

#[cfg(test)]
mod tests {
    use aho_corasick::MatchKind;

    use super::*;

    #[test]
    fn little_text_and_much_are_searched_alike() {
        let mut builder = AhoCorasick::builder();
        builder.match_kind(MatchKind::LeftmostLongest);
        let automaton = WordAutomaton::new(builder, ["key", "key-", "token"].map(str::to_owned).to_vec());
        let text = "a key- and a token, a key";
        let hits =
            |automaton: &AhoCorasick| automaton.find_iter(text).map(|hit| hit.range()).collect::<Vec<_>>();
        let soon = automaton.for_text(text.len());
        assert_eq!(
            (soon.kind(), hits(soon)),
            (AhoCorasickKind::NoncontiguousNFA, vec![2..6, 13..18, 22..25])
        );
        let fast = automaton.for_text(MUCH);
        assert_eq!((fast.kind(), hits(fast)), (AhoCorasickKind::DFA, vec![2..6, 13..18, 22..25]));
        assert_eq!(automaton.for_text(1).kind(), AhoCorasickKind::DFA, "and so it stays");
    }
}
