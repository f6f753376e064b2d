//! Figures over what was learned and decided, for the person who wants to see whether it is worth it.

use std::collections::BTreeMap;

use afterword_store::{AttemptFilter, AttemptOutcome, Verdict};
use afterword_vault::{NoteKind, Properties, Status};
use jiff::civil::{Date, Weekday};
use jiff::{ToSpan, Zoned};
use serde::Serialize;

pub use crate::attempts::weeks::WeekOfUse;
use crate::attempts::{self, AttemptFigures};
use crate::{App, Error};

/// Weeks in the charts at least, and at most where lessons are older.
const WEEKS: i64 = 26;
const MOST_WEEKS: i64 = 104;

/// What was learned in one week.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Week {
    /// Its Monday.
    pub monday: Date,
    /// Notes by kind.
    pub learned: BTreeMap<&'static str, usize>,
}

/// The figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Stats {
    /// The last half year, or as far back as the lessons go within two years; the oldest week first.
    pub weeks: Vec<Week>,
    /// Lessons that count, by kind.
    pub kinds: BTreeMap<&'static str, usize>,
    /// Lessons by status.
    pub statuses: BTreeMap<&'static str, usize>,
    /// Lessons that count, by project; those without one under an empty name.
    pub projects: BTreeMap<String, usize>,
    /// Pieces of evidence all lessons rest on together.
    pub evidence: usize,
    /// Lessons that more than one session speaks for.
    pub confirmed: usize,
    /// Decisions that stand, by verdict.
    pub decisions: BTreeMap<&'static str, usize>,
    /// Sessions read so far.
    pub sessions: usize,
    /// Bytes of their transcripts.
    pub bytes: u64,
    /// What engines were asked and what it cost, all time.
    pub engines: EngineStats,
    /// Whether it is of use, all time.
    pub attempts: AttemptFigures,
    /// Attempts whose end is known, and how many of them succeeded.
    pub ended: [u64; 2],
    /// The same week by week, the oldest first.
    pub use_weeks: Vec<WeekOfUse>,
    /// US dollars spent today, conversations among them, and `budget.daily_usd`.
    pub today_usd: (f64, Option<f64>),
}

/// What engines cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct EngineStats {
    /// Calls.
    pub calls: u64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// US dollars.
    pub usd: f64,
}

impl Stats {
    fn count_note(&mut self, kind: NoteKind, properties: &Properties) {
        let status = properties.status.unwrap_or(Status::Active);
        // Ideas are counted in their ledger.
        *self.statuses.entry(status.as_str()).or_default() += usize::from(kind != NoteKind::Idea);
        if status != Status::Active || kind == NoteKind::Idea {
            return;
        }
        *self.kinds.entry(kind.as_str()).or_default() += 1;
        *self.projects.entry(properties.project.clone().unwrap_or_default()).or_default() += 1;
        self.evidence += properties.evidence.len();
        let mut sessions: Vec<&str> =
            properties.evidence.iter().filter_map(|reference| reference.split('/').next()).collect();
        sessions.sort_unstable();
        sessions.dedup();
        self.confirmed += usize::from(sessions.len() > 1);
    }
}

/// Counts.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), or [`Error::Vault`] or [`Error::Store`].
pub fn stats(app: &App, now: &Zoned) -> Result<Stats, Error> {
    let today = now.date();
    let mut stats = Stats::default();
    let monday = today.checked_sub(days_since_monday(today).days()).unwrap_or(today);
    let index = app.open_vault()?.scan()?;
    let oldest = index.notes().filter_map(|entry| entry.properties.created).min().unwrap_or(today);
    let back = monday.since(oldest).map_or(0, |span| i64::from(span.get_days())) / 7 + 1;
    let mut weeks: BTreeMap<Date, BTreeMap<&'static str, usize>> = (0..=back
        .clamp(WEEKS - 1, MOST_WEEKS - 1))
        .filter_map(|back| monday.checked_sub((back * 7).days()).ok())
        .map(|monday| (monday, BTreeMap::new()))
        .collect();
    for properties in index.notes().map(|entry| &entry.properties) {
        let Some(kind) = properties.kind.filter(|kind| is_learned(*kind)) else { continue };
        let of_week = properties
            .created
            .and_then(|day| day.checked_sub(days_since_monday(day).days()).ok())
            .and_then(|monday| weeks.get_mut(&monday));
        if let Some(week) = of_week {
            *week.entry(kind.as_str()).or_default() += 1;
        }
        stats.count_note(kind, properties);
    }
    let first = weeks.keys().next().copied().unwrap_or(monday);
    stats.weeks = weeks.into_iter().map(|(monday, learned)| Week { monday, learned }).collect();
    let store = app.existing_store()?;
    stats.use_weeks = attempts::weeks::weeks(store.as_ref(), first, now)?;
    stats.attempts = attempts::attempt_figures(app, today)?;
    stats.today_usd = (0.0, app.config.budget.daily);
    if let Some(store) = store {
        for (outcome, count) in store.attempts().outcomes(&AttemptFilter::default())? {
            stats.ended[0] += count;
            stats.ended[1] += if outcome == AttemptOutcome::Success { count } else { 0 };
        }
        let midnight = now.start_of_day().map_or_else(|_| now.timestamp(), |day| day.timestamp());
        stats.today_usd.0 = {
            let calls = store.engine_calls();
            calls.spent_since(midnight)? - calls.reserved_since(midnight)?
        };
        for verdict in Verdict::ALL {
            let standing = store.decisions().all(Some(verdict))?;
            let count = standing.iter().filter(|one| one.undone_at.is_none()).count();
            stats.decisions.insert(verdict.as_str(), count);
        }
        for sum in store.engine_calls().sums_since(jiff::Timestamp::UNIX_EPOCH)? {
            stats.engines.calls += sum.calls;
            stats.engines.input_tokens += sum.input_tokens;
            stats.engines.output_tokens += sum.output_tokens;
            stats.engines.usd += sum.usd;
        }
        let known = store.sessions().all_by_path()?;
        stats.sessions = known.len();
        stats.bytes = known.values().map(|session| session.fingerprint.size).sum();
    }
    Ok(stats)
}

fn is_learned(kind: NoteKind) -> bool {
    matches!(kind, NoteKind::Preference | NoteKind::Workflow | NoteKind::Fix | NoteKind::Idea)
}

fn days_since_monday(day: Date) -> i64 {
    i64::from(day.weekday().since(Weekday::Monday))
}
