//! Investigations: remarks that circle one problem, until its cause is found.
//!
//! Agents announce causes that turn out wrong. An investigation is everything said about one problem; the cause that stood
//! in the end is its lesson.

use super::cause;
use super::language::Language;
use super::remark::Remark;
use super::repair::Repair;

/// Events between two remarks that still belong to one investigation. A look-up is two events (call and outcome), so this
/// is some twenty look-ups.
const GAP: u64 = 50;
/// How likely a remark must name a cause to be followed, and to be kept where no command shows that the problem was solved. Chosen on
/// cross-validated figures (`docs/quality.md`).
pub const LIKELY_CAUSE: f32 = 0.42;
const UNPROVED: f32 = 0.55;
/// Lines after the success in which the agent may still name the cause.
const AFTERWARDS: u64 = 4;
/// Most remarks kept as evidence.
const MOST: usize = 6;

/// A remark with how likely it names a cause.
#[derive(Debug)]
pub struct Cause {
    /// The remark.
    pub remark: Remark,
    /// How likely it names a cause.
    pub probability: f32,
    /// How well its clearest sentence says it ([`cause::score`]); nothing or less where none does.
    pub clarity: i64,
    /// That sentence says only what would mend it.
    pub is_remedy: bool,
}

impl Cause {
    /// A remark, weighed by the sentence that names its cause best.
    pub fn of(remark: Remark, probability: f32, language: &Language) -> Self {
        let sentence = cause::sentence(&remark.text, language);
        let (clarity, is_remedy) = (cause::score(sentence, language), cause::is_remedy(sentence, language));
        Self { remark, probability, clarity, is_remedy }
    }
}

/// Remarks about one problem.
#[derive(Debug)]
pub struct Investigation {
    /// In order; at least one.
    pub causes: Vec<Cause>,
}

impl Investigation {
    /// The cause that stood in the end: the last that is nearly as likely as the likeliest and said clearly, else the clearest.
    pub fn lead(&self) -> usize {
        let best = self.probability();
        let says = |cause: &Cause| cause.clarity >= cause::CLEAR && !cause.is_remedy;
        let stood = |cause: &Cause| cause.probability >= 0.85 * best && says(cause);
        let clearest = || {
            (0..self.causes.len())
                .max_by_key(|index| (says(&self.causes[*index]), self.causes[*index].clarity))
        };
        self.causes.iter().rposition(stood).or_else(clearest).unwrap_or(0)
    }

    /// How likely the likeliest is.
    pub fn probability(&self) -> f32 {
        self.causes.iter().map(|cause| cause.probability).fold(0.0, f32::max)
    }

    /// Whether a cause is said, and it is likely enough or a command that had failed worked in the end.
    pub fn is_worth_keeping(&self, repairs: &[Repair]) -> bool {
        let solves = |repair: &Repair| {
            let lines = repair.failed.line..=repair.worked.line + AFTERWARDS;
            self.causes.iter().any(|cause| lines.contains(&cause.remark.place.line))
        };
        let said = self.causes.iter().any(|cause| cause.clarity >= cause::CLEAR);
        said && (self.probability() >= UNPROVED || repairs.iter().any(solves))
    }

    fn last(&self) -> u64 {
        self.causes.last().map_or(0, |cause| cause.remark.ordinal)
    }

    /// Keeps the likeliest remarks, in order.
    fn trim(&mut self) {
        while self.causes.len() > MOST {
            let weakest = (0..self.causes.len())
                .min_by(|a, b| self.causes[*a].probability.total_cmp(&self.causes[*b].probability))
                .unwrap_or(0);
            self.causes.remove(weakest);
        }
    }
}

/// Gathers remarks, in order, into investigations.
#[derive(Debug, Default)]
pub struct Investigations {
    all: Vec<Investigation>,
    last: u64,
}

impl Investigations {
    /// Takes the next remark that names a cause.
    pub fn push(&mut self, cause: Cause) {
        let ordinal = cause.remark.ordinal;
        match self.all.last_mut() {
            Some(current) if ordinal.saturating_sub(self.last.max(current.last())) <= GAP => {
                current.causes.push(cause);
                current.trim();
            }
            _ => self.all.push(Investigation { causes: vec![cause] }),
        }
        self.last = ordinal;
    }

    /// All investigations, in order.
    pub fn finish(self) -> Vec<Investigation> {
        self.all
    }
}
