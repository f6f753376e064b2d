//! Characters that show nothing, or that change how what stands beside them is shown: the one list of them, and how a face
//! shows them.
//!
//! They deceive people (text that reads otherwise than it is, "Trojan Source", CVE-2021-42574) and instruct models unseen (tag
//! characters, runs of variation selectors). Notes are written without them; whatever shows text shows them as `\u{200b}`.

use std::borrow::Cow;

/// Whether a character is hidden wherever it stands: controls (C0 and C1), line and paragraph separators, zero-width spaces and
/// fillers, bidirectional controls, interlinear and musical marks, the block of tags, noncharacters.
///
/// Line breaks and tabs are controls, too. Joiners and variation selectors are none by themselves: emoji and many scripts need
/// them ([`escape_hidden`] says where they do not).
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || is_direction_mark(c)
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        || c as u32 & 0xfffe == 0xfffe
}

/// Whether a character only marks a direction, as text from right to left may need it.
pub fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
}

/// A text with what is hidden in it written out, as `\u{200b}`; line breaks and tabs stay as they are.
///
/// A joiner or a variation selector is written out where it joins or varies nothing: beside ASCII, at an end, after another.
pub fn escape_hidden(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii() && !c.is_ascii_control() || matches!(c, '\n' | '\t');
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let is_shown = match c {
            '\n' | '\t' => true,
            '\r' => characters.peek() == Some(&'\n'),
            '\u{200c}' | '\u{200d}' => {
                before.is_some_and(can_join) && characters.peek().copied().is_some_and(can_join)
            }
            // The digits, `#` and `*` become keycaps.
            '\u{fe00}'..='\u{fe0f}' => {
                before.is_some_and(|before| can_join(before) || matches!(before, '0'..='9' | '#' | '*'))
            }
            c => !is_hidden(c),
        };
        if is_shown {
            shown.push(c);
        } else {
            shown.extend(c.escape_unicode());
        }
        before = Some(c);
    }
    Cow::Owned(shown)
}

/// Whether a character can be a part of what a joiner joins. Combining selectors can: an emoji's comes before its joiner.
fn can_join(c: char) -> bool {
    !c.is_ascii()
        && !c.is_whitespace()
        && !is_hidden(c)
        && !matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0e}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_control_characters_alone_is_written_out() {
        assert_eq!(escape_hidden("\u{1b}\u{7}\u{7f}"), "\\u{1b}\\u{7}\\u{7f}");
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(escape_hidden(text), expected, "{text:?}");
        assert_eq!(escape_hidden(expected), expected, "what is shown shows itself");
    }

    #[test]
    fn what_is_hidden_is_written_out() {
        check("no\u{200b}thing", "no\\u{200b}thing");
        check("a\u{2028}b\u{2029}c\u{feff}", "a\\u{2028}b\\u{2029}c\\u{feff}");
        check("\u{e0041}\u{e0042}", "\\u{e0041}\\u{e0042}");
        check("if \u{202e}nimda\u{2066}", "if \\u{202e}nimda\\u{2066}");
        check("\u{9b}31m\u{85}\u{1b}[0m\u{7f}\0", "\\u{9b}31m\\u{85}\\u{1b}[0m\\u{7f}\\u{0}");
        check("a\u{200e}b\u{200f}\u{61c}", "a\\u{200e}b\\u{200f}\\u{61c}");
        check("a\rb\r\nc\n\td", "a\\u{d}b\r\nc\n\td");
        check("\u{fffe}\u{1ffff}", "\\u{fffe}\\u{1ffff}");
    }

    #[test]
    fn scripts_and_emoji_stay_as_they_are() {
        for text in ["👨‍👩‍👧 family", "❤️ and 1️⃣", "🏳️‍🌈", "می‌خواهم", "क्‍ष", "naïve 日本語", "plain"]
        {
            check(text, text);
        }
    }

    #[test]
    fn joiner_or_selector_that_does_nothing_is_written_out() {
        check("ad\u{200d}min", "ad\\u{200d}min");
        check("\u{200c}x\u{200d}", "\\u{200c}x\\u{200d}");
        check("x\u{fe01}\u{fe02}", "x\\u{fe01}\\u{fe02}");
        check("❤\u{fe0e}\u{fe01}", "❤\u{fe0e}\\u{fe01}");
        check("x\u{e0100}", "x\\u{e0100}");
    }
}
