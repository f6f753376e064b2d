//! Text from a transcript made harmless: no control characters, no invisible ones, no reordering. What they are is the one list
//! of [`afterword_core::hidden`].

use afterword_core::hidden;

/// The text on one line: line breaks and runs of spaces become one space, invisible characters go, at most
/// `max_chars` characters with `…` in place of what was cut.
pub fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    let mut characters = 0;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = characters > 0;
        } else if !is_removed(c) {
            let needed = 1 + usize::from(gap);
            if characters + needed > max_chars {
                line.pop();
                line.push('…');
                break;
            }
            if std::mem::take(&mut gap) {
                line.push(' ');
            }
            line.push(c);
            characters += needed;
        }
    }
    line
}

/// The text with its lines: every sort of line break becomes `\n`, invisible characters go.
pub fn without_hidden(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\r' => {
                characters.next_if_eq(&'\n');
                clean.push('\n');
            }
            '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{b}' | '\u{c}' => clean.push('\n'),
            '\t' => clean.push('\t'),
            _ if is_removed(c) => {}
            _ => clean.push(c),
        }
    }
    clean
}

/// The text with its lines, as [`without_hidden`], but what is invisible is written out: for what is shown, not written.
pub fn visible_lines(text: &str) -> String {
    let mut broken = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\r' => {
                characters.next_if_eq(&'\n');
                broken.push('\n');
            }
            '\u{b}' | '\u{c}' => broken.push('\n'),
            _ => broken.push(c),
        }
    }
    hidden::escape_hidden(&broken).into_owned()
}

/// Whether notes are written without a character: it is hidden, and not a mark of direction that a script may need.
pub fn is_removed(c: char) -> bool {
    hidden::is_hidden(c) && !hidden::is_direction_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_visible_line() {
        assert_eq!(one_line("  Use\r\n\tpnpm \u{202e}always\u{200b}!\u{0}", 80), "Use pnpm always!");
        assert_eq!(one_line("a b\u{85}c\u{2028}d", 80), "a b c d");
        assert_eq!(one_line("👨‍👩‍👧 family نص", 80), "👨‍👩‍👧 family نص");
        assert_eq!(one_line(" \n ", 5), "");
    }

    #[test]
    fn lines_to_show_hide_nothing() {
        assert_eq!(visible_lines("a\r\nb\u{c}c\u{2028}d\u{200b}"), "a\nb\nc\\u{2028}d\\u{200b}");
    }

    #[test]
    fn what_is_cut_shows() {
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcde…");
        assert!(one_line("word word word", 7).chars().count() <= 7);
    }

    #[test]
    fn lines_keep_their_breaks() {
        assert_eq!(without_hidden("a\r\nb\rc\u{2028}d\te\u{7}"), "a\nb\nc\nd\te");
    }
}
