//! Lessons of the project that are much like what was found and said: a model is told their titles, so that it can say which one says
//! the same, or no longer holds.

use afterword_core::{Candidate, NoteId, ProjectKey, Role};
use afterword_reflect::engine::Digest;

use crate::log::OrLog;
use crate::redaction::Redaction;
use crate::searching::{SearchRequest, Status};
use crate::{App, naming, searching};

/// Lessons looked up for each candidate, and told of in all.
const NEAREST: usize = 2;
const MOST: usize = 8;
/// Candidates, and messages of the person, that lessons are looked up for; and how many words such a message has.
const QUERIES: usize = 16;
const SPOKEN: usize = 5;

/// Lessons much like these with their titles, secrets taken out. Those of other projects stay where they are. An index
/// that cannot be searched is no reason not to ask.
pub(super) fn similar_known_lessons(
    app: &App,
    (found, digest): (&[Candidate], &Digest),
    project: Option<&ProjectKey>,
    redaction: &Redaction,
) -> Vec<(NoteId, String)> {
    let Some(project) = project.filter(|_| app.paths.search_index().is_file()) else { return Vec::new() };
    let name = project_called(app, project);
    let mut alike: Vec<(NoteId, String)> = Vec::new();
    let found = found.iter().map(|candidate| format!("{} {}", candidate.title, candidate.body));
    let words = |text: &str| text.split_whitespace().count();
    let said = digest.lines().filter(|line| line.role == Role::User && words(&line.text) >= SPOKEN);
    for query in found.take(QUERIES).chain(said.take(QUERIES).map(|line| line.text.clone())) {
        let request = SearchRequest {
            query,
            limit: NEAREST,
            project: Some(name.clone()),
            statuses: vec![Status::Active],
            ..SearchRequest::default()
        };
        let Ok(hits) = searching::search_indexed(app, &request) else { continue };
        for hit in hits.hits {
            let Some(id) = NoteId::parse(&hit.id) else { continue };
            if alike.iter().all(|(known, _)| *known != id) {
                alike.push((id, redaction.text(&hit.title)));
            }
        }
        if alike.len() >= MOST {
            break;
        }
    }
    alike.truncate(MOST);
    alike.sort_by(|(_, one), (_, other)| one.cmp(other));
    alike
}

/// What people call a project, as its notes have it. Where the database cannot be read, its folder's name.
fn project_called(app: &App, project: &ProjectKey) -> String {
    let store = app.existing_store().ok_or_log("opening the database for a project's name").flatten();
    let names =
        store.and_then(|store| naming::named_folders(app, &store).ok_or_log("reading the names of projects"));
    let name = names.and_then(|mut names| names.remove(project));
    name.unwrap_or_else(|| project.name().to_owned())
}
