//! Text to tokens as BERT's uncased tokenizer does it: clean, fold, split into words, cut words into known pieces.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::Token;

/// Characters of a word that is looked up; a longer one counts as unknown, as in the original.
const MAX_WORD: usize = 100;

/// The first `most` known tokens of a text; words with an unknown piece are left out.
pub(super) fn wordpiece(
    text: &str,
    vocabulary: &HashMap<Cow<'static, str>, Token>,
    most: usize,
) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let folded = text.chars().filter_map(cleaned).nfd().filter(|c| !is_combining_mark(*c));
    for c in folded.flat_map(char::to_lowercase) {
        let alone = is_cjk(c) || is_punctuation(c);
        if c.is_whitespace() || alone {
            pieces(&word, vocabulary, &mut tokens);
            word.clear();
            if alone {
                pieces(c.encode_utf8(&mut [0; 4]), vocabulary, &mut tokens);
            }
        // A word that is too long anyway need not be kept whole.
        } else if word.len() <= 4 * MAX_WORD {
            word.push(c);
        }
        if tokens.len() >= most {
            break;
        }
    }
    pieces(&word, vocabulary, &mut tokens);
    tokens.truncate(most);
    tokens
}

/// Cuts a word into the longest known pieces from its start.
fn pieces(word: &str, vocabulary: &HashMap<Cow<'static, str>, Token>, tokens: &mut Vec<Token>) {
    if word.is_empty() || word.chars().count() > MAX_WORD {
        return;
    }
    let before = tokens.len();
    let mut piece = String::new();
    let mut start = 0;
    while start < word.len() {
        let ends = word[start..].char_indices().rev().map(|(at, c)| start + at + c.len_utf8());
        let found = ends.into_iter().find_map(|end| {
            piece.clear();
            if start > 0 {
                piece.push_str("##");
            }
            piece.push_str(&word[start..end]);
            vocabulary.get(piece.as_str()).map(|token| (*token, end))
        });
        let Some((token, end)) = found else {
            tokens.truncate(before);
            return;
        };
        tokens.push(token);
        start = end;
    }
}

/// A character that counts; blanks of every sort become the blank.
fn cleaned(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\r' => Some(' '),
        '\0' | '\u{fffd}' => None,
        _ if c.is_control() || is_format(c) => None,
        _ if c.is_whitespace() => Some(' '),
        _ => Some(c),
    }
}

/// Format and private characters (Unicode Cf, Co).
fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e000}'..='\u{f8ff}' | '\u{e0001}'..='\u{e007f}' | '\u{f0000}'..='\u{10ffff}')
}

fn is_cjk(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

/// Punctuation: all of ASCII's, and of the rest the blocks that texts in practice have.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}' | '\u{37e}' | '\u{387}'
            | '\u{55a}'..='\u{55f}' | '\u{589}' | '\u{5be}' | '\u{60c}' | '\u{61b}' | '\u{61f}' | '\u{66a}'..='\u{66d}'
            | '\u{6d4}' | '\u{964}' | '\u{965}' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{2051}'
            | '\u{2053}'..='\u{205e}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
            | '\u{30fb}' | '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}' | '\u{ff0c}'..='\u{ff0f}' | '\u{ff1a}'
            | '\u{ff1b}' | '\u{ff1f}' | '\u{ff20}' | '\u{ff3b}'..='\u{ff3d}' | '\u{ff5f}'..='\u{ff65}')
}
