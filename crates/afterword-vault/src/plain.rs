//! Text from a transcript made harmless to show: no control characters, no invisible ones, no reordering.

/// The text on one line: line breaks and runs of spaces become one space, invisible characters go, at most
/// `max_chars` characters with `…` in place of what was cut.
pub fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    let mut characters = 0;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = characters > 0;
        } else if !is_hidden(c) {
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
pub fn lines(text: &str) -> String {
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
            _ if is_hidden(c) => {}
            _ => clean.push(c),
        }
    }
    clean
}

/// Characters that show nothing and could deceive: controls, bidirectional overrides ("Trojan Source",
/// CVE-2021-42574), tag characters (invisible instructions to a model), zero-width spaces, byte order marks,
/// noncharacters. Joiners and direction marks that scripts and emoji need are kept.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || u32::from(c) & 0xfffe == 0xfffe
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
    fn what_is_cut_shows() {
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcde…");
        assert!(one_line("word word word", 7).chars().count() <= 7);
    }

    #[test]
    fn lines_keep_their_breaks() {
        assert_eq!(lines("a\r\nb\rc\u{2028}d\te\u{7}"), "a\nb\nc\nd\te");
    }
}
