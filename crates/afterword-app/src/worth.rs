//! How much a lesson matters: what it is, how it was said and how often, whether it says what to do, how new it is.

use std::collections::HashSet;

use afterword_core::{Confidence, Signal};
use afterword_reflect::builtin::guidance;
use afterword_vault::{NoteKind, Properties};

/// How likely a lesson that nobody stated as a rule or approved must say what to do by itself, for a session to start with it.
const GUIDES: f32 = 0.5;
/// The same of one that was stated as a rule: its words are firm, but they may hang on what was talked about.
const RULE_GUIDES: f32 = 0.05;
/// What a lesson below that matters less; it is found by search and given with prompts all the same.
const ASIDE: f64 = 10.0;

/// Whether a session knows from a title what to do.
pub(crate) fn is_actionable(title: &str) -> bool {
    guidance(title) >= GUIDES
}

/// Whether what was found unasked is worth saving unasked: a session would start with it.
pub(crate) fn is_worth_giving(signal: Signal, title: &str) -> bool {
    guidance(title) >= min_probability(Some(signal), false)
}

/// How likely a title must say what to do, by how its lesson was found; a lesson without a sign was written by a person.
fn min_probability(signal: Option<Signal>, leans_on_rule: bool) -> f32 {
    match signal {
        // What takes the place of a rule, or is an exception to one, is about what that was about.
        Some(Signal::StandingRule) if !leans_on_rule => RULE_GUIDES,
        _ if is_stated(signal) => 0.0,
        _ => GUIDES,
    }
}

fn is_stated(signal: Option<Signal>) -> bool {
    matches!(
        signal,
        None | Some(Signal::StandingRule | Signal::Saved | Signal::RepeatedPattern | Signal::ErrorResolved)
    )
}

/// How much a note matters among those of its project, as its properties say; more is better. A session starts with lessons above
/// nothing; notes that are no lessons matter less than any lesson.
///
/// The kinds stand apart by what happens without them: a preference that is not known is broken every time, a fix is
/// needed where its problem comes again. Within a kind what was stated as a rule comes before what was found in corrections and
/// choices; then count how many sessions it was said in, how well it can be followed by itself, and how new it is: a year weighs as
/// much as half the way from likely to certain.
pub(crate) fn weight(properties: &Properties, title: &str) -> f64 {
    // What is less than certain counts because a person said so; what has no sign was written by one.
    weigh(properties, title, properties.confidence.is_some_and(|confidence| confidence != Confidence::High))
}

/// The same of a lesson that waits for an answer: nobody approved it yet.
pub(crate) fn waiting_weight(properties: &Properties, title: &str) -> f64 {
    weigh(properties, title, false)
}

fn weigh(properties: &Properties, title: &str, approved: bool) -> f64 {
    let kind = match properties.kind {
        Some(NoteKind::Preference) => 3.0,
        Some(NoteKind::Workflow) => 2.5,
        Some(NoteKind::Fix) => 2.0,
        _ => -100.0,
    };
    let sure = match properties.confidence {
        Some(Confidence::High) | None => 1.0,
        Some(Confidence::Medium) => 0.5,
        Some(Confidence::Low) => 0.0,
    };
    let stated = is_stated(properties.signal);
    let guides = guidance(title);
    let leans = !properties.supersedes.is_empty() || !properties.exception_to.is_empty();
    let least = min_probability(properties.signal, leans);
    let aside = if approved || guides >= least { 0.0 } else { ASIDE };
    let first = if approved || stated { 1.0 } else { 0.0 };
    let sessions: HashSet<&str> =
        properties.evidence.iter().filter_map(|one| Some(one.split_once('/')?.0)).collect();
    let said = (sessions.len().max(1) as f64).ln().min(2.0) * 0.5;
    let newest = properties.updated.or(properties.created);
    let since = newest.and_then(|date| date.since(jiff::civil::date(2025, 1, 1)).ok());
    let years = since.map_or(0.0, |span| f64::from(span.get_days()) / 365.0);
    kind + sure + first + said + f64::from(guides) - aside + years.clamp(-10.0, 10.0) * 0.25
}
