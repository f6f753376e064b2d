//! What the attempts of a project, or of a session, come to: how often they succeed, what fails again and again, what works.

use afterword_core::SessionId;
use afterword_recall::comparing::{CLOSE, Meaning, Relation};
use afterword_store::{Attempt, AttemptFilter, AttemptOutcome};

use crate::attempts::requested_projects;
use crate::search_model::embedded_model;
use crate::{App, Error};

/// Attempts that patterns are looked for in.
const LATEST: usize = 20;
/// Patterns of each sort.
const MOST_PATTERNS: usize = 5;
/// Attempts listed beside them.
const RECENT: usize = 5;

/// What attempts come to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AttemptSummary {
    /// How many there are.
    pub total: u64,
    /// The share of them that succeeded, from 0 to 1; 0 where there are none.
    pub success_rate: f64,
    /// What did not work, the most frequent first.
    pub common_failures: Vec<Pattern>,
    /// What worked, the most frequent first.
    pub effective_strategies: Vec<Pattern>,
    /// The latest attempts.
    pub recent: Vec<Attempt>,
}

/// Something that attempts have in common, whatever their words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// It, in the words of the latest attempt that says it.
    pub text: String,
    /// How often it was said.
    pub count: usize,
}

/// Sums up the attempts of a project (its path or its name; `None` for all), or of one session of it.
///
/// # Errors
/// [`Error::Store`].
pub fn attempts_summary(
    app: &App,
    project: Option<&str>,
    session: Option<&SessionId>,
) -> Result<AttemptSummary, Error> {
    let Some(store) = app.existing_store()? else { return Ok(AttemptSummary::default()) };
    let named = project.map(|text| requested_projects::projects_named(app, &store, text)).transpose()?;
    if named.as_ref().is_some_and(|named| named.keys.is_empty()) {
        return Ok(AttemptSummary::default());
    }
    let all = AttemptFilter {
        session: session.cloned(),
        projects: named.map(|named| named.keys).unwrap_or_default(),
        ..AttemptFilter::default()
    };
    let counts = store.attempts().outcomes(&all)?;
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let succeeded: u64 = counts
        .iter()
        .filter(|(outcome, _)| *outcome == AttemptOutcome::Success)
        .map(|(_, count)| count)
        .sum();
    let ended = |outcomes: &[AttemptOutcome], limit| {
        store.attempts().list(&AttemptFilter { outcomes: outcomes.to_vec(), limit, ..all.clone() })
    };
    let failed = ended(&[AttemptOutcome::Failure, AttemptOutcome::Partial], LATEST)?;
    let worked = ended(&[AttemptOutcome::Success, AttemptOutcome::Partial], LATEST)?;
    Ok(AttemptSummary {
        total,
        success_rate: if total == 0 { 0.0 } else { succeeded as f64 / total as f64 },
        common_failures: patterns(
            failed.iter().flat_map(|one| &one.did_not_work),
            // A failure is told with or without a "not"; that makes no two of it.
            |one, other| one.closeness(other) >= CLOSE,
        ),
        effective_strategies: patterns(worked.iter().flat_map(|one| &one.worked), |one, other| {
            matches!(one.relation(other), Relation::Same | Relation::Close)
        }),
        recent: ended(&[], RECENT)?,
    })
}

/// Texts that mean the same, counted together; the most frequent first.
fn patterns<'a>(
    texts: impl Iterator<Item = &'a String>,
    alike: impl Fn(&Meaning, &Meaning) -> bool,
) -> Vec<Pattern> {
    let model = embedded_model();
    let mut groups: Vec<(Pattern, Option<Meaning>, String)> = Vec::new();
    for text in texts {
        let plain = text.trim().to_lowercase();
        let meaning = model.map(|model| Meaning::of(model, text));
        let same = groups.iter_mut().find(|(_, known, first)| {
            *first == plain
                || known.as_ref().zip(meaning.as_ref()).is_some_and(|(known, meaning)| alike(known, meaning))
        });
        match same {
            Some((pattern, ..)) => pattern.count += 1,
            None => groups.push((Pattern { text: text.trim().to_owned(), count: 1 }, meaning, plain)),
        }
    }
    // Stable: of equally frequent ones the latest stays first.
    groups.sort_by_key(|(pattern, ..)| std::cmp::Reverse(pattern.count));
    groups.into_iter().take(MOST_PATTERNS).map(|(pattern, ..)| pattern).collect()
}
