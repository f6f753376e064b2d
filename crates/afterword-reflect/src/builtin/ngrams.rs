//! What a clause is made of, as numbers a linear model can weigh: short rows of words and of letters, and circumstances by name.
//!
//! Every feature is a string hashed into one of [`BUCKETS`] places, so that no dictionary is shipped and every language is read
//! alike. The hash is FNV-1a, fixed for good: models are learnt outside the program over the same numbers.

/// Places features are hashed to; two features rarely share one.
pub const BUCKETS: u32 = 1 << 16;

/// A row of features, each once, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row(Vec<u32>);

impl Row {
    /// Adds a feature by its name.
    pub fn add(&mut self, name: &str) {
        self.0.push(bucket(name.as_bytes()));
    }

    /// Adds a feature by group and word.
    pub fn add_in(&mut self, group: &str, word: &str) {
        let mut hash = FNV_OFFSET;
        for byte in group.bytes().chain([b':']).chain(word.bytes()) {
            hash = fnv(hash, byte);
        }
        self.0.push(hash % BUCKETS);
    }

    /// The places of the features, each once.
    pub fn finish(mut self) -> Vec<u32> {
        self.0.sort_unstable();
        self.0.dedup();
        self.0
    }
}

const FNV_OFFSET: u32 = 0x811c_9dc5;

fn fnv(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

fn bucket(name: &[u8]) -> u32 {
    name.iter().fold(FNV_OFFSET, |hash, byte| fnv(hash, *byte)) % BUCKETS
}

/// Adds what the words of a text are: single words, pairs, triples, their beginnings and ends; letters in rows of two and three
/// where a script has no spaces.
pub fn add_words(row: &mut Row, group: &str, text: &str) {
    let words = words(text);
    let mut pair = String::new();
    for (index, word) in words.iter().enumerate() {
        if !matches!(word.as_str(), "^" | "$") {
            row.add_in(group, word);
        }
        let letters = word.chars().count();
        if letters > 5 {
            let cut = word.char_indices().nth(5).map_or(word.len(), |(at, _)| at);
            pair.clear();
            pair.push_str(&word[..cut]);
            pair.push('…');
            row.add_in(group, &pair);
        }
        for (length, mark) in [(2, ' '), (3, '_')] {
            if let Some(row_of) = words.get(index..index + length) {
                pair.clear();
                for word in row_of {
                    pair.push_str(word);
                    pair.push(mark);
                }
                row.add_in(group, &pair);
            }
        }
    }
}

/// The words of a text in lower case: names of code are one word all the same, numbers are all alike, and of a script without spaces
/// every letter is a word. Begins and ends with a mark.
pub fn words(text: &str) -> Vec<String> {
    let mut words = vec!["^".to_owned()];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '`' {
            let end = rest[1..].find('`').map_or(rest.len(), |at| at + 2);
            words.push("`".to_owned());
            rest = &rest[end..];
        } else if is_unspaced(first) {
            words.push(first.to_string());
            rest = &rest[first.len_utf8()..];
        } else if first.is_alphanumeric() || first == '_' {
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || is_joint(c)) || is_unspaced(c))
                .unwrap_or(rest.len());
            let word = rest[..end].trim_end_matches(is_joint);
            push_word(&mut words, word);
            rest = &rest[end..];
        } else {
            if matches!(
                first,
                '?' | '？' | '!' | '！' | ',' | '，' | '、' | ':' | '：' | '(' | '"' | '>' | '/' | '→'
            ) {
                words.push(punctuation(first).to_owned());
            }
            rest = &rest[first.len_utf8()..];
        }
        if words.len() > 120 {
            break;
        }
    }
    words.push("$".to_owned());
    words
}

fn is_joint(c: char) -> bool {
    matches!(c, '\'' | '’' | '-' | '_' | '.' | '/' | '@' | '#')
}

fn punctuation(c: char) -> &'static str {
    match c {
        '?' | '？' => "?",
        '!' | '！' => "!",
        ',' | '，' | '、' => ",",
        ':' | '：' => ":",
        '(' => "(",
        '"' => "\"",
        '>' => ">",
        _ => "/",
    }
}

fn push_word(words: &mut Vec<String>, word: &str) {
    let code = word.contains(['_', '/', '@', '#', '.'])
        || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    if code {
        words.push("`".to_owned());
    } else if word.chars().all(|c| c.is_ascii_digit()) {
        words.push("0".to_owned());
    } else {
        let lower = word.to_lowercase().replace('’', "'");
        // "don't" and "dont", "l'API" and "l' API" are alike.
        match lower.split_once('\'') {
            Some((first, second)) if second.len() > 2 && first.len() <= 2 => {
                words.push(format!("{first}'"));
                words.push(second.to_owned());
            }
            Some((first, second)) => words.push(format!("{first}{second}")),
            None => words.push(lower),
        }
    }
}

/// A letter of a script that puts no spaces between words, or whose words are mostly endings (Hangul).
pub fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x2fa1f)
}

/// Whether a text has no more than so many words; in a script without spaces, twice as many letters.
pub(super) fn is_at_most(most: usize, text: &str) -> bool {
    if text.chars().any(is_unspaced) {
        text.chars().count() <= 2 * most
    } else {
        text.split_whitespace().count() <= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_every_script() {
        assert_eq!(words("Don't use `npm ci`, 42 times"), ["^", "dont", "use", "`", ",", "0", "times", "$"]);
        assert_eq!(words("用pnpm吧"), ["^", "用", "pnpm", "吧", "$"]);
        assert_eq!(words("l'api de src/main.rs"), ["^", "l'", "api", "de", "`", "$"]);
        assert_eq!(words("Никогда не трогай"), ["^", "никогда", "не", "трогай", "$"]);
    }

    #[test]
    fn the_places_of_features_never_change() {
        // FNV-1a of "a" is 0xe40c292c.
        assert_eq!(bucket(b"a"), 0xe40c_292c % BUCKETS);
        let mut row = Row::default();
        row.add_in("w", "never");
        row.add("w:never");
        assert_eq!(row.finish().len(), 1);
    }
}
