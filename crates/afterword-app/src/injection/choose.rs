//! Which lessons fit the budget, in the order they come.

use super::record::ConsideredLesson;
use super::wording::{self, tokens_of};

/// A lesson that may be given.
pub(super) struct ChosenLesson {
    pub(super) note: String,
    pub(super) path: String,
    pub(super) title: String,
    pub(super) reason: &'static str,
    /// What it says, once its note was read.
    pub(super) text: Option<String>,
    /// Whoever worded it: it is a report, and no lesson of the person's.
    pub(super) is_report: bool,
}

/// A choice within a budget.
pub(super) struct Choice {
    budget: usize,
    used: usize,
    lines: Vec<String>,
    reports: Vec<String>,
    lessons: Vec<ConsideredLesson>,
    left_out: usize,
}

/// Lessons left out in a row after which no more notes are read: what follows matters less and would not fit either.
const PATIENCE: usize = 5;
/// Lessons left out that are remembered.
const MOST_LEFT_OUT: usize = 20;

impl Choice {
    pub(super) fn new(budget: usize) -> Self {
        Self {
            budget,
            used: tokens_of(&wording::block(&[])),
            lines: Vec::new(),
            reports: Vec::new(),
            lessons: Vec::new(),
            left_out: 0,
        }
    }

    /// Whether nothing more is worth reading.
    pub(super) fn is_full(&self) -> bool {
        self.left_out >= PATIENCE
    }

    /// Takes a lesson in if it fits: whole, or as far as its sentences do.
    pub(super) fn offer(&mut self, lesson: ChosenLesson) {
        let text = lesson.text.clone().unwrap_or_default();
        if self.lines.contains(&text) || self.reports.contains(&text) {
            return self.add(lesson, false, "another says the same");
        }
        let is_first_report = lesson.is_report && self.reports.is_empty();
        let caption = if is_first_report { tokens_of(wording::ATTEMPTS_PREAMBLE) } else { 0 };
        let room = self.budget.saturating_sub(self.used + caption);
        let fitting = wording::sentences_within(&text, room);
        if fitting.is_empty() {
            self.left_out += 1;
            return self.add(lesson, false, "no room in `recall.token_budget`");
        }
        self.used += caption + tokens_of(&wording::line(&fitting));
        let lines = if lesson.is_report { &mut self.reports } else { &mut self.lines };
        lines.push(fitting);
        let reason = lesson.reason;
        self.add(lesson, true, reason);
    }

    pub(super) fn leave_out(&mut self, lesson: ChosenLesson, reason: &str) {
        self.add(lesson, false, reason);
    }

    fn add(&mut self, lesson: ChosenLesson, shown: bool, reason: &str) {
        let silent = self.lessons.iter().filter(|one| !one.shown).count();
        if !shown && silent >= MOST_LEFT_OUT {
            return;
        }
        let ChosenLesson { note, path, title, .. } = lesson;
        self.lessons.push(ConsideredLesson { note, path, title, shown, reason: reason.to_owned() });
    }

    /// The text, its tokens, and what was thought of.
    pub(super) fn finish(self) -> (String, usize, Vec<ConsideredLesson>) {
        if self.lines.is_empty() && self.reports.is_empty() {
            return (String::new(), 0, self.lessons);
        }
        let lessons = if self.lines.is_empty() { String::new() } else { wording::block(&self.lines) };
        let text = wording::with_quotations(&lessons, wording::ATTEMPTS_PREAMBLE, &self.reports);
        let tokens = tokens_of(&text);
        (text, tokens, self.lessons)
    }
}
