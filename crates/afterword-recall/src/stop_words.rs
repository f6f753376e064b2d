//! English words that say nothing about what is looked for.

use std::collections::HashSet;
use std::sync::LazyLock;

const WORDS: &str = "a an the and or of to in on for with is are was were be been it its this that these those i you we they \
    he she my our your do does did not no how what why when which who can could should would will from by at as if so but into \
    about have has had there their them then than me us let s t just some any all also one want need needs make please";

static STOP_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| WORDS.split_whitespace().collect());

/// Whether a word in lower case is one.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// All of them.
pub(crate) fn stop_words() -> impl Iterator<Item = &'static str> {
    WORDS.split_whitespace()
}
