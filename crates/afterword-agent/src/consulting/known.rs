//! Lessons of the project that are much like what was found: a model is told their titles, so that it does not propose
//! them again.

use std::collections::BTreeSet;

use afterword_core::{Candidate, ProjectKey};

use crate::Agent;
use crate::redaction::Redaction;
use crate::searching::SearchRequest;

/// Lessons looked up for each candidate, and told of in all.
const NEAREST: usize = 2;
const MOST: usize = 8;

impl Agent {
    /// The titles of lessons much like these, secrets taken out. Those of other projects stay where they are. An index that
    /// cannot be searched is no reason not to ask.
    pub(super) fn known_alike(
        &self,
        found: &[Candidate],
        project: Option<&ProjectKey>,
        redaction: &Redaction,
    ) -> Vec<String> {
        let Some(project) = project.filter(|_| self.index_path().is_file()) else { return Vec::new() };
        let mut titles = BTreeSet::new();
        for candidate in found {
            let request = SearchRequest {
                query: format!("{} {}", candidate.title, candidate.body),
                limit: NEAREST,
                project: Some(project.name().to_owned()),
                statuses: vec!["active".to_owned()],
                ..SearchRequest::default()
            };
            let Ok(hits) = self.search_indexed(&request) else { continue };
            titles.extend(hits.hits.into_iter().map(|hit| redaction.text(&hit.note.title)));
            if titles.len() >= MOST {
                break;
            }
        }
        titles.into_iter().take(MOST).collect()
    }
}
