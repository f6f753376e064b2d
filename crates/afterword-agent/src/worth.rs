//! How much a lesson matters: what it is, how sure and how often it was said, how new it is.

use afterword_core::Confidence;
use afterword_vault::{NoteKind, Properties};

/// How much a note matters among those of its project, as its properties say; more is better. Notes that are no lessons
/// matter less than any lesson.
///
/// The kinds stand apart by what happens without them: a preference that is not known is broken every time, a fix is
/// needed where its problem comes again. Sureness and repetition tell within a kind; a year of age weighs as much as half
/// the way from likely to certain.
pub(crate) fn weight(properties: &Properties) -> f64 {
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
    let said = (properties.evidence.len().max(1) as f64).ln().min(2.0) * 0.3;
    let newest = properties.updated.or(properties.created);
    let since = newest.and_then(|date| date.since(jiff::civil::date(2025, 1, 1)).ok());
    let years = since.map_or(0.0, |span| f64::from(span.get_days()) / 365.0);
    kind + sure + said + years.clamp(-10.0, 10.0) * 0.25
}
