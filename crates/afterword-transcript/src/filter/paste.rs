//! Pasted material inside what a person typed: logs, traces, code, diffs, reviews, answers quoted back.
//!
//! It owns the heuristics, line by line, and remembers the agent's lines in bounded memory. It never removes
//! anything: it names byte ranges. Start at [`Pastes::find`].

use std::collections::HashSet;
use std::ops::Range;

use crate::mark::fnv;

/// Most lines of the agent remembered, in two generations.
const REMEMBERED: usize = 50_000;
/// Shortest line of the agent worth remembering, in letters and digits: shorter ones people write themselves.
const SHORTEST_QUOTE: usize = 24;

/// Finds pasted ranges.
#[derive(Debug, Default)]
pub(crate) struct Pastes {
    young: HashSet<u64>,
    old: HashSet<u64>,
}

impl Pastes {
    /// Remembers what the agent said.
    pub(crate) fn agent_said(&mut self, text: &str) {
        for line in text.lines() {
            if let Some(hash) = key(line) {
                self.young.insert(hash);
            }
        }
        if self.young.len() >= REMEMBERED {
            self.old = std::mem::take(&mut self.young);
        }
    }

    fn is_quote(&self, line: &str) -> bool {
        key(line).is_some_and(|hash| self.young.contains(&hash) || self.old.contains(&hash))
    }

    /// The byte ranges of `text` that look pasted, in order and apart.
    pub(crate) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let lines: Vec<Range<usize>> = line_ranges(text);
        let mut pasted: Vec<bool> = Vec::with_capacity(lines.len());
        let mut fence = false;
        for range in &lines {
            let line = &text[range.clone()];
            let marker = line.trim_start().starts_with("```");
            pasted.push(fence || marker || is_machine_line(line) || self.is_quote(line));
            fence ^= marker;
        }
        spread(text, &lines, &mut pasted);
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (range, pasted) in lines.into_iter().zip(pasted) {
            match ranges.last_mut() {
                _ if !pasted || range.is_empty() => {}
                Some(last) if text[last.end..range.start].trim().is_empty() => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        ranges
    }
}

/// Lines between two pasted ones that are blank or indented belong to the paste.
fn spread(text: &str, lines: &[Range<usize>], pasted: &mut [bool]) {
    let mut last = None;
    for index in 0..lines.len() {
        if !pasted[index] {
            continue;
        }
        if let Some(last) = last
            && index - last <= 6
            && (last + 1..index).all(|between: usize| {
                let line = &text[lines[between].clone()];
                line.trim().is_empty() || line.starts_with([' ', '\t'])
            })
        {
            pasted[last..index].fill(true);
        }
        last = Some(index);
    }
}

fn line_ranges(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    text.split('\n')
        .map(|line| {
            let range = start..start + line.len();
            start += line.len() + 1;
            range
        })
        .collect()
}

/// A line's letters and digits, hashed; `None` for one too short to be told from a person's own.
fn key(line: &str) -> Option<u64> {
    let mut letters = String::new();
    letters.extend(line.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase));
    (letters.chars().count() >= SHORTEST_QUOTE).then(|| fnv(letters.as_bytes()))
}

/// Whether a line looks printed by a program or written by a review bot.
fn is_machine_line(line: &str) -> bool {
    const OPENINGS: [&str; 34] = [
        "at ",
        "File \"",
        "Traceback (most recent call last)",
        "diff --git ",
        "@@ ",
        "+++ ",
        "--- a/",
        "npm ERR!",
        "npm error",
        "npm warn",
        "error[",
        "error:",
        "Error:",
        "ERROR",
        "WARN",
        "warning:",
        "INFO ",
        "DEBUG ",
        "fatal:",
        "panic:",
        "goroutine ",
        "--- FAIL",
        "=== RUN",
        "{\"",
        "[{\"",
        "<details>",
        "<summary>",
        "</details>",
        "_⚠️",
        "⎿",
        "⏺",
        "❯",
        "> ",
        "$ ",
    ];
    let trimmed = line.trim_start();
    OPENINGS.iter().any(|opening| trimmed.starts_with(opening))
        || trimmed.starts_with(['│', '├', '└', '╭', '╰', '┌', '─', '✓', '✗', '✖', '●'])
        || starts_with_time(trimmed)
        || is_review_line(trimmed)
}

/// A log line's time: `2026-02-07T…`, `2026/01/21 …`, `[12:01:55`, `Feb  8 21:51:50`, `12:01:55.123`.
fn starts_with_time(line: &str) -> bool {
    const MONTHS: [&str; 12] =
        ["Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "];
    let line = line.trim_start_matches('[');
    let shape: String = line.chars().take(10).map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let clock = |text: &str| {
        let shape: String = text.chars().take(8).map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        shape == "00:00:00"
    };
    shape == "0000-00-00"
        || shape == "0000/00/00"
        || clock(line)
        || MONTHS.iter().any(|month| line.starts_with(month)) && line.get(7..).is_some_and(clock)
}

/// Findings as review bots word them.
fn is_review_line(line: &str) -> bool {
    (line.starts_with("In ") || line.starts_with("In @")) && line.contains(" around line")
        || line.starts_with("Actionable comments posted")
        || line.contains("Prompt for AI Agents")
        || line.starts_with("**Severity") && line.contains("**")
}
