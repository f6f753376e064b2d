//! Pasted material inside what a person typed: logs, traces, code, diffs, reviews, answers quoted back.
//!
//! It owns the heuristics, line by line, and remembers the agent's lines in bounded memory. It never removes
//! anything: it names byte ranges. What it looks for was taken from what people paste in real sessions. Start at
//! [`PasteDetector::find`].

use std::ops::Range;

use crate::filter::line_kind::{
    LineKind, classify_line, introduces_paste, is_printed, reads_like_a_review, turns_to_next_paste,
};
use crate::hashes::Hashes;
use crate::mark::{SEED, fnv_step};

/// Most lines of the agent remembered, in two generations.
const MAX_AGENT_LINES: usize = 50_000;
/// Shortest line of the agent worth remembering, in letters and digits: shorter ones people write themselves.
const SHORTEST_QUOTE: usize = 24;

/// A single line shorter than this is pasted as a whole or not at all.
const SHORT_LINE: usize = 200;
/// Letters and digits of a line that are compared; terminals break longer lines.
const LONGEST_KEY: usize = 64;

/// Finds pasted ranges.
#[derive(Debug, Default)]
pub(crate) struct PasteDetector {
    young: Hashes,
    old: Hashes,
}

impl PasteDetector {
    /// Remembers what the agent said.
    pub(crate) fn remember_agent_text(&mut self, text: &str) {
        for line in text.lines() {
            if let Some(hash) = line_key(line) {
                self.young.insert(hash);
            }
        }
        if self.young.len() >= MAX_AGENT_LINES {
            self.old = std::mem::take(&mut self.young);
        }
    }

    fn is_quote(&self, line: &str) -> bool {
        line_key(line).is_some_and(|hash| self.young.contains(&hash) || self.old.contains(&hash))
    }

    /// The byte ranges of `text` that look pasted, in order and apart.
    pub(crate) fn find(&self, text: &str) -> Vec<Range<usize>> {
        if text.len() < SHORT_LINE && !text.contains('\n') {
            let pasted = self.is_quote(text) || is_printed(text) || reads_like_a_review(text);
            return pasted.then_some(0..text.len()).into_iter().collect();
        }
        let lines = line_ranges(text);
        let looks = self.classify_lines(text, &lines);
        let mut pasted = printed_lines(&looks);
        extend_printed(text, &lines, &looks, &mut pasted);
        fill_gaps(text, &lines, &mut pasted);
        mark_quoted_strings(text, &lines, &mut pasted);
        mark_introduced(text, &lines, &looks, &mut pasted);
        join_ranges(text, lines, &pasted)
    }

    /// The byte ranges of `text` that look pasted, besides those known to be, in order and apart.
    pub(crate) fn pasted_ranges(&self, text: &str, known: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let mut from = 0;
        let parts = known.into_iter().map(Some).chain(std::iter::once(None));
        for pasted in parts {
            let to = pasted.as_ref().map_or(text.len(), |pasted| pasted.start);
            let found = self.find(&text[from..to]).into_iter();
            ranges.extend(
                found.map(|range| from + range.start..from + range.end).filter(|range| !range.is_empty()),
            );
            from = pasted.as_ref().map_or(text.len(), |pasted| pasted.end);
            ranges.extend(pasted);
        }
        ranges
    }

    fn classify_lines(&self, text: &str, lines: &[Range<usize>]) -> Vec<LineKind> {
        let mut fence = false;
        let look = |range: &Range<usize>| {
            let line = &text[range.clone()];
            let marker = line.trim_start().starts_with("```");
            let inside = fence || marker;
            let end = fence && marker;
            fence ^= marker;
            if end {
                return LineKind::End;
            }
            if inside || self.is_quote(line) || reads_like_a_review(line) {
                LineKind::Printed
            } else {
                classify_line(line)
            }
        };
        let looks: Vec<LineKind> = lines.iter().map(look).collect();
        // A fence that is never closed is no fence: words may follow it.
        if fence {
            lines.iter().map(|range| crate::filter::line_kind::classify_line(&text[range.clone()])).collect()
        } else {
            looks
        }
    }
}

fn printed_lines(looks: &[LineKind]) -> Vec<bool> {
    looks.iter().map(|look| matches!(look, LineKind::Printed | LineKind::End)).collect()
}

/// What stands after a printed line is printed too until a line is in the person's voice, and so is what stands
/// directly before it where nothing speaks for the person. One printed line alone proves little.
fn extend_printed(text: &str, lines: &[Range<usize>], looks: &[LineKind], pasted: &mut [bool]) {
    let ascii = |range: &Range<usize>| text[range.clone()].is_ascii();
    let mut inside = false;
    for index in 0..lines.len() {
        inside = match looks[index] {
            LineKind::Printed => true,
            LineKind::Spoken | LineKind::End => false,
            // Letters of another script after a plain log are the person's.
            LineKind::Unclear => inside && (ascii(&lines[index]) || index == 0 || !ascii(&lines[index - 1])),
            LineKind::Blank => inside,
        };
        pasted[index] |= inside;
    }
    for index in (0..lines.len().saturating_sub(1)).rev() {
        let introduction = text[lines[index].clone()].trim_end().ends_with(':') || index == 0;
        if pasted[index + 1] && looks[index] == LineKind::Unclear && !introduction {
            pasted[index] = true;
        }
    }
}

/// A few lines between two pasted ones are pasted, unless the person turns to the next paste in them.
fn fill_gaps(text: &str, lines: &[Range<usize>], pasted: &mut [bool]) {
    const GAP: usize = 4;
    let mut last: Option<usize> = None;
    for index in 0..lines.len() {
        if !pasted[index] {
            continue;
        }
        if let Some(last) = last
            && (2..=GAP + 1).contains(&(index - last))
            && !lines[last + 1..index].iter().any(|range| turns_to_next_paste(&text[range.clone()]))
            && !text[lines[last].clone()].trim_start().starts_with("```")
        {
            pasted[last..index].fill(true);
        }
        last = Some(index);
    }
}

/// A line that is nothing but a long quotation.
fn mark_quoted_strings(text: &str, lines: &[Range<usize>], pasted: &mut [bool]) {
    for (index, range) in lines.iter().enumerate() {
        let line = text[range.clone()].trim();
        let quoted = line.len() > 40 && line.starts_with(['"', '“', '«']) && line.ends_with(['"', '”', '»']);
        pasted[index] |= quoted && lines.len() > 1;
    }
}

/// After a first line such as `got this feedback:` everything is that feedback, up to a paragraph in the person's
/// voice.
fn mark_introduced(text: &str, lines: &[Range<usize>], looks: &[LineKind], pasted: &mut [bool]) {
    let Some(first) = looks.iter().position(|look| *look != LineKind::Blank) else { return };
    if !introduces_paste(&text[lines[first].clone()])
        || lines.len() < first + 3
        || looks.contains(&LineKind::End)
    {
        return;
    }
    let mut after_blank = false;
    for index in first + 1..lines.len() {
        if looks[index] == LineKind::Spoken && after_blank && index + 3 >= lines.len() {
            break;
        }
        after_blank = looks[index] == LineKind::Blank;
        pasted[index] = true;
    }
}

fn join_ranges(text: &str, lines: Vec<Range<usize>>, pasted: &[bool]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (range, pasted) in lines.into_iter().zip(pasted) {
        if !pasted || text[range.clone()].trim().is_empty() {
            continue;
        }
        match ranges.last_mut() {
            Some(last) if text[last.end..range.start].trim().is_empty() => last.end = range.end,
            _ => ranges.push(range),
        }
    }
    ranges
}

fn line_ranges(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let range = |line: &str| {
        let range = start..start + line.len();
        start += line.len() + 1;
        range
    };
    text.split('\n').map(range).collect()
}

/// A line's letters and digits, hashed, ASCII without case; `None` for one too short to be told from a person's own.
fn line_key(line: &str) -> Option<u64> {
    let (mut hash, mut letters) = (SEED, 0);
    for byte in line.bytes() {
        if byte.is_ascii_alphanumeric() || !byte.is_ascii() {
            hash = fnv_step(hash, byte.to_ascii_lowercase());
            // Letters outside ASCII take two to four bytes, the first of which is counted.
            letters += usize::from(!(0x80..0xc0).contains(&byte));
            if letters == LONGEST_KEY {
                break;
            }
        }
    }
    (letters >= SHORTEST_QUOTE).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of a text when its pasted ranges are cut out.
    fn own(pastes: &PasteDetector, text: &str) -> String {
        let mut own = text.to_owned();
        for range in pastes.find(text).into_iter().rev() {
            own.replace_range(range, "");
        }
        own.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(own(&PasteDetector::default(), text), expected);
    }

    #[test]
    fn typed_text_is_not_pasted() {
        for text in [
            "always run the linter before you commit",
            "1. keep the flag\n2. drop the alias\n3. and let's rename the module",
            "How about this logic:\n\n- if there is no folder, create one\n- else read the count and add one",
            "我們應該用 pnpm，不要用 npm",
            "> is a quote character in mail, keep it",
        ] {
            check(text, &text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }

    #[test]
    fn logs_traces_and_terminals_are_pasted() {
        check(
            "this still fails\n2026-03-01T10:00:00Z ERROR worker: lost connection\n  retrying in 5s\n  giving up\n\nwhy does it retry?",
            "this still fails why does it retry?",
        );
        check(
            "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    import b\nModuleNotFoundError: No module named 'b'\n\nplease use uv, not pip",
            "please use uv, not pip",
        );
        check("me@box:~/app$ make\ncc -o app main.c\nmain.c:3: undefined\nme@box:~/app$", "");
        check("ci says:\n```\nsome output\n```\nfix it", "ci says: fix it");
    }

    #[test]
    fn a_fence_that_is_never_closed_hides_no_words() {
        check("use ``` for code\n```\nand never indent it", "use ``` for code ``` and never indent it");
    }

    #[test]
    fn a_review_after_its_introduction_is_pasted() {
        check(
            "got this feedback:\n\nThe loop drops the last item. The bound is exclusive.\n\nConsider an inclusive range.",
            "got this feedback:",
        );
    }

    #[test]
    fn the_agents_own_lines_are_quotes() {
        let mut pastes = PasteDetector::default();
        pastes.remember_agent_text("Option A keeps **one** table per tenant.\nOption B shares a table.");
        assert_eq!(own(&pastes, "Option A keeps one table per tenant.\nyes, this one"), "yes, this one");
    }
}
