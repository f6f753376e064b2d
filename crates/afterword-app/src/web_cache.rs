//! What sessions fetched from the web: kept in the vault's cache while they go on, filed or dropped when they are reflected.
//!
//! The built-in engine keeps what a lesson of the session, or what the agent said later, names by its address; a model
//! that is asked about the session may name more. The rest is noise. Secrets are taken out before anything is written. Start at [`harvest`] and [`curate`].

use std::collections::HashMap;
use std::path::Path;

use afterword_core::{ContentKey, ProjectKey, SessionId};
use afterword_reflect::engine::synthesis;
use afterword_transcript::event::Event;
use afterword_transcript::{WebFetch, WebSource};
use afterword_vault::references::{self, CachedResult, Source, WebResult};
use afterword_vault::{Outcome, Vault};
use jiff::{Timestamp, Zoned};

use crate::error::obstacle::Unwritten;
use crate::redaction::Redaction;
use crate::vault_session::VaultSession;
use crate::{App, Error, excluded};

/// Whose web results they are.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// The session that fetched them.
    pub session: &'a SessionId,
    /// Its project, where it is known.
    pub project: Option<&'a ProjectKey>,
}

/// What became of a session's web results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Curated {
    /// Filed under the references.
    pub kept: usize,
    /// Dropped.
    pub dropped: usize,
}

/// Puts what a session fetched behind the first `from` bytes of its transcript into the vault's cache; what is there is
/// there once. Says up to which byte it read.
pub fn harvest(
    app: &App,
    vault: &Vault,
    transcript: &Path,
    from: u64,
    owner: Owner<'_>,
    now: &Zoned,
) -> Result<u64, Error> {
    let (excluded, redaction) = (excluded::excluded_lines(app, transcript)?, app.redaction());
    // Lines are counted from where the reading begins.
    let from = if app.config.exclude.is_empty() { from } else { 0 };
    let mut fetched = Vec::new();
    let end = afterword_transcript::web_results(transcript, from, &mut |one| {
        if !excluded.has_line(one.line) {
            fetched.push(one);
        }
    })?;
    for one in &fetched {
        vault.cache_result(&result(one, &redaction, owner, now.timestamp()))?;
    }
    Ok(end)
}

fn result(fetched: &WebFetch, redaction: &Redaction, owner: Owner<'_>, now: Timestamp) -> WebResult {
    let source = match &fetched.source {
        WebSource::Page { url } => Source::Page { url: redaction.text(url) },
        WebSource::Search { query, .. } => Source::Search { query: redaction.text(query) },
    };
    WebResult {
        source,
        title: String::new(),
        fetched_at: fetched.time.unwrap_or(now),
        text: redaction.text(&fetched.text),
        session: Some(owner.session.clone()),
        project: owner.project.map(|project| project.name().to_owned()),
    }
}

/// What a session fetched, as an engine is told of it: the latest, each once.
pub(crate) fn fetched_by(
    app: &App,
    transcript: &Path,
    owner: Owner<'_>,
    redaction: &Redaction,
) -> Result<Vec<WebResult>, Error> {
    let excluded = excluded::excluded_lines(app, transcript)?;
    let mut latest: Vec<WebResult> = Vec::new();
    afterword_transcript::web_results(transcript, 0, &mut |one| {
        if excluded.has_line(one.line) {
            return;
        }
        let one = result(&one, redaction, owner, Timestamp::UNIX_EPOCH);
        latest.retain(|known| known.key() != one.key());
        latest.push(one);
        if latest.len() > synthesis::PAGES {
            latest.remove(0);
        }
    })?;
    Ok(latest)
}

/// Harvests a whole session, files what is worth it under the references, and empties the cache of the rest.
/// `lessons` are the texts of what was learned from the session, `chosen` what a model would keep besides, and under
/// which topics.
pub fn curate(
    app: &App,
    transcript: &Path,
    owner: Owner<'_>,
    (lessons, chosen): (&[String], &[(ContentKey, String)]),
    now: &Zoned,
) -> Result<Curated, Error> {
    let vault = app.open_vault()?;
    let redaction = app.redaction();
    harvest(app, &vault, transcript, 0, owner, now)?;
    let mut cached = vault.cached_results()?;
    cached.retain(|one| one.result.session.as_ref() == Some(owner.session));
    if cached.is_empty() {
        return Ok(Curated::default());
    }
    let text = citing_text(app, transcript, lessons, &redaction)?;
    let kept: Vec<(WebResult, String)> = cached
        .iter()
        .filter_map(|one| {
            let topic = chosen.iter().find(|(key, _)| *key == one.result.key()).map(|(_, topic)| topic);
            let usual = || is_cited(&one.result, &text).then(|| one.result.usual_topic());
            Some((one.result.clone(), topic.cloned().or_else(usual)?))
        })
        .collect();
    file(app, &kept, owner, now)?;
    vault.clear_results(&cached)?;
    Ok(Curated { kept: kept.len(), dropped: dropped(&cached, &kept) })
}

/// Everything in which an address would be a sign that its page mattered: what the agent said, and the lessons.
fn citing_text(
    app: &App,
    transcript: &Path,
    lessons: &[String],
    redaction: &Redaction,
) -> Result<String, Error> {
    let mut text = lessons.join("\n");
    excluded::scan(app, transcript, redaction, &mut |event| {
        if let Event::Agent { text: words, .. } = event {
            text.push('\n');
            text.push_str(&words);
        }
    })?;
    Ok(redaction.text(&text))
}

fn dropped(cached: &[CachedResult], kept: &[(WebResult, String)]) -> usize {
    cached.len() - kept.len()
}

fn file(app: &App, kept: &[(WebResult, String)], owner: Owner<'_>, now: &Zoned) -> Result<(), Error> {
    if kept.is_empty() {
        return Ok(());
    }
    let session = VaultSession::begin(app)?;
    let keys: Vec<ContentKey> = kept.iter().map(|(result, _)| result.key()).collect();
    let taught_by: HashMap<_, _> = keys.iter().map(|key| (key, owner.session)).collect();
    let plan = references::file(&session.index, kept, &session.written_before()?, now);
    let applied = session.commit(&plan, &taught_by, now.timestamp())?;
    match applied.done.into_iter().find_map(|done| match done.outcome {
        Outcome::Failed(error) => Some(Unwritten::from(&error)),
        Outcome::ChangedMeanwhile => Some(Unwritten::because(format!("{} kept changing", done.path))),
        Outcome::Written { .. } | Outcome::AlreadyThere { .. } => None,
    }) {
        Some(problem) => Err(problem.into()),
        None => Ok(()),
    }
}

fn is_cited(result: &WebResult, said: &str) -> bool {
    match &result.source {
        Source::Page { url } => names(said, url),
        // A search matters for a page it led to.
        Source::Search { .. } => addresses(&result.text).any(|url| names(said, url)),
    }
}

/// Whether a text names an address: without its scheme, its fragment and a last slash.
fn names(said: &str, url: &str) -> bool {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let bare = bare.split('#').next().unwrap_or(bare).trim_end_matches('/');
    // A name without a dot is no place on the web.
    bare.contains('.') && said.contains(bare)
}

fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, ')' | '>' | '"' | '<');
    text.match_indices("http").filter_map(move |(at, _)| {
        let rest = &text[at..];
        let url = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        url.contains("://").then(|| url.trim_end_matches(['.', ',', ';']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_recognised_however_it_is_written() {
        let check = |said, url, expected| assert_eq!(names(said, url), expected, "{said} {url}");
        check("see https://docs.rs/notify/latest for it", "http://docs.rs/notify/latest/#top", true);
        check("see docs.rs/notify", "https://docs.rs/notify", true);
        check("see docs.rs", "https://docs.rs/notify", false);
        check("http everywhere", "http://localhost/", false);
        let found: Vec<_> = addresses("- a: https://a.example/x\n(http://b.example). http only").collect();
        assert_eq!(found, ["https://a.example/x", "http://b.example"]);
    }
}
