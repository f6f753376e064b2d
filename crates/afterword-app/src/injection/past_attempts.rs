//! What was tried before at a task like the one a prompt gives, and how it ended: with the prompt, where one clearly is such a task.

use afterword_core::hidden::escape_hidden;
use afterword_recall::{ATTEMPT, EmbeddingModel, Hit, Hits, Query, SearchMode, says_the_same, search};
use afterword_store::{NoteFilter, SearchIndex};
use afterword_vault::plain;

use super::choose::ChosenLesson;
use super::{CLEARLY, InjectionRequest, wording};
use crate::{App, Error};

/// Attempts given with a prompt, at most.
const MOST: usize = 2;
/// Attempts looked at, as some say the same.
const LOOKED_AT: usize = 12;
/// A prompt of fewer words gives no task.
const FEWEST_WORDS: usize = 3;
/// Bytes of an attempt, at most.
const LONGEST: usize = 320;

/// The attempts of other sessions of the project that clearly match the prompt, best first, and none that teaches what a better
/// one does.
pub(super) fn similar_attempts(
    app: &App,
    index: &SearchIndex,
    model: Option<&EmbeddingModel>,
    (request, prompt): (&InjectionRequest, &str),
    project: &str,
) -> Result<Vec<ChosenLesson>, Error> {
    if project.is_empty() || app.config.attempts.past_lessons == 0 {
        return Ok(Vec::new());
    }
    if prompt.split_whitespace().count() < FEWEST_WORDS {
        return Ok(Vec::new());
    }
    let filter = NoteFilter {
        kinds: vec![ATTEMPT.to_owned()],
        projects: vec![project.to_owned()],
        ..NoteFilter::default()
    };
    let Hits { mode, hits, .. } = search(index, model, &Query::new(prompt), &filter, LOOKED_AT)?;
    // Words alone have no score by which one could tell a task like it.
    if mode == SearchMode::Text {
        return Ok(Vec::new());
    }
    let mut chosen: Vec<Hit> = Vec::new();
    let fitting = hits.into_iter().filter(|hit| hit.score >= CLEARLY);
    for hit in fitting.filter(|hit| hit.note.session != request.session.as_str()) {
        let is_double = |one: &Hit| {
            one.note.outcome == hit.note.outcome
                && says_the_same(model, lesson_of(&one.note.body), lesson_of(&hit.note.body))
        };
        if !chosen.iter().any(is_double) {
            chosen.push(hit);
        }
    }
    chosen.truncate(MOST.min(app.config.attempts.past_lessons));
    let redaction = app.redaction();
    let lesson = |hit: Hit| ChosenLesson {
        reason: "what was tried before at such a task",
        text: Some(redaction.text(&describe_hit(&hit))),
        is_report: true,
        note: hit.note.id,
        path: hit.note.path,
        title: hit.note.title,
    };
    Ok(chosen.into_iter().map(lesson).collect())
}

/// What an attempt says beside its task.
fn lesson_of(body: &str) -> &str {
    body.split_once('\n').map_or("", |(_, lesson)| lesson)
}

fn describe_hit(hit: &Hit) -> String {
    let words = hit.note.body.lines().map(|line| line.trim_end_matches('.')).collect::<Vec<_>>().join(". ");
    let words = format!("Tried before ({}): {words}.", hit.note.outcome);
    wording::escape_element(&plain::one_line(&escape_hidden(&words), LONGEST))
}
