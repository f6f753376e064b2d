//! What sessions fetched from the web: kept in the vault's cache while they go on, filed or dropped when they are reflected.
//!
//! The built-in engine keeps what a lesson of the session, or what the agent said later, names by its address; a model
//! that is asked about the session may name more. The rest is noise. Secrets are taken out before anything is written. Start at [`cache_web_results`] and `curate`.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use afterword_core::{ContentKey, ProjectKey, SessionId};
use afterword_reflect::engine::synthesis;
use afterword_transcript::event::Event;
use afterword_transcript::{WebFetch, WebSource};
use afterword_vault::references::{self, CachedResult, WebResult, WebResultSource};
use afterword_vault::{Outcome, Vault, WebCache};
use jiff::{Timestamp, Zoned};

use crate::error::NoteError;
use crate::excluded::ExcludedLines;
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
pub struct WebResultCounts {
    /// Filed under the references.
    pub kept: usize,
    /// Dropped.
    pub dropped: usize,
}

/// Puts what a session fetched behind the first `from` bytes of its transcript into the vault's cache; what is there is
/// there once. Says up to which byte it read.
pub fn cache_web_results(
    app: &App,
    vault: &Vault,
    transcript: &Path,
    from: u64,
    owner: Owner<'_>,
    now: &Zoned,
) -> Result<u64, Error> {
    let excluded = excluded::excluded_lines(app, transcript)?;
    // Lines are counted from where the reading begins.
    let from = if app.config.exclude.is_empty() { from } else { 0 };
    harvest_without(&excluded, app, vault, transcript, from, owner, now)
}

fn harvest_without(
    excluded: &ExcludedLines,
    app: &App,
    vault: &Vault,
    transcript: &Path,
    from: u64,
    owner: Owner<'_>,
    now: &Zoned,
) -> Result<u64, Error> {
    let redaction = app.redaction();
    let mut fetched = Vec::new();
    let end = afterword_transcript::web_results(transcript, from, &mut |one| {
        if !excluded.contains_line(one.line) {
            fetched.push(one);
        }
    })?;
    for one in &fetched {
        WebCache::of(vault).put(&result(one, &redaction, owner, now.timestamp()))?;
    }
    Ok(end)
}

fn result(fetched: &WebFetch, redaction: &Redaction, owner: Owner<'_>, now: Timestamp) -> WebResult {
    let source = match &fetched.source {
        WebSource::Page { url } => WebResultSource::Page { url: redaction.text(url) },
        WebSource::Search { query, .. } => WebResultSource::Search { query: redaction.text(query) },
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

/// What reading a session showed of the web: what it fetched last, and which addresses the agent named.
#[derive(Debug, Default)]
pub(crate) struct SessionWeb {
    /// What is passed over of the session.
    pub(crate) excluded: ExcludedLines,
    /// The latest, each once, secrets taken out.
    pub(crate) latest: Vec<WebResult>,
    /// There is something to harvest.
    pub(crate) fetched: bool,
    named: NamedAddresses,
}

impl SessionWeb {
    /// Of a session that was read: what was `fetched` last, and what was named.
    pub(crate) fn of(
        excluded: ExcludedLines,
        fetched: &LatestFetches,
        named: NamedAddresses,
        owner: Owner<'_>,
        redaction: &Redaction,
    ) -> Self {
        let result = |one| result(one, redaction, owner, Timestamp::UNIX_EPOCH);
        let latest: Vec<_> = fetched.0.iter().map(result).collect();
        Self { excluded, fetched: !latest.is_empty(), latest, named }
    }

    /// Reads a session for it.
    fn read(app: &App, transcript: &Path, redaction: &Redaction) -> Result<Self, Error> {
        let excluded = excluded::excluded_lines(app, transcript)?;
        let mut named = NamedAddresses::default();
        excluded::scan_without(&excluded, transcript, redaction, &mut |event| {
            named.push(&redaction.event(event).0);
        })?;
        // What it fetched shows when its web results are cached.
        Ok(Self { excluded, fetched: true, latest: Vec::new(), named })
    }
}

/// What a session fetched last, as many as an engine is told of.
#[derive(Debug, Default)]
pub(crate) struct LatestFetches(Vec<WebFetch>);

impl LatestFetches {
    pub(crate) fn push(&mut self, fetched: WebFetch) {
        let is_same = |known: &WebFetch| match (&known.source, &fetched.source) {
            (WebSource::Page { url: one }, WebSource::Page { url: other }) => one == other,
            (WebSource::Search { query: one, .. }, WebSource::Search { query: other, .. }) => one == other,
            _ => false,
        };
        self.0.retain(|known| !is_same(known));
        self.0.push(fetched);
        if self.0.len() > synthesis::PAGES {
            self.0.remove(0);
        }
    }
}

/// Words of the agent that may be addresses, each once: that one is named is a sign that its page mattered.
#[derive(Debug, Default)]
pub(crate) struct NamedAddresses(BTreeSet<String>);

/// So many words are kept at most.
const MOST_NAMED: usize = 100_000;
/// A longer word, in bytes, is no address that somebody names.
const LONGEST_NAMED: usize = 2_000;

impl NamedAddresses {
    pub(crate) fn push(&mut self, event: &Event) {
        if let Event::Agent { text, .. } = event {
            self.add(text);
        }
    }

    fn add(&mut self, text: &str) {
        let may_be = |word: &&str| word.len() <= LONGEST_NAMED && word.trim_end_matches('.').contains('.');
        for word in text.split_whitespace().filter(may_be) {
            if self.0.len() < MOST_NAMED && !self.0.contains(word) {
                self.0.insert(word.to_owned());
            }
        }
    }

    /// Whether an address is named: without its scheme, its fragment and a last slash.
    fn has(&self, url: &str) -> bool {
        let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
        let bare = bare.split('#').next().unwrap_or(bare).trim_end_matches('/');
        // A name without a dot is no place on the web.
        bare.contains('.') && self.0.iter().any(|word| word.contains(bare))
    }
}

/// Files what is worth it of a session whose reflection ended before it could, and empties the cache of the rest.
///
/// # Errors
/// [`Error::Vault`], [`Error::Store`], and [`Error::Transcript`] or [`Error::Io`] for a transcript that cannot be read.
pub fn curate_unread(
    app: &App,
    transcript: &Path,
    owner: Owner<'_>,
    now: &Zoned,
) -> Result<WebResultCounts, Error> {
    let web = SessionWeb::read(app, transcript, &app.redaction())?;
    file_web_results(app, transcript, owner, web, (&[], &[]), now)
}

/// Harvests a whole session, files what is worth it under the references, and empties the cache of the rest.
/// `lessons` are the texts of what was learned from the session, `chosen` what a model would keep besides, and under
/// which topics.
pub(crate) fn file_web_results(
    app: &App,
    transcript: &Path,
    owner: Owner<'_>,
    web: SessionWeb,
    (lessons, chosen): (&[String], &[(ContentKey, String)]),
    now: &Zoned,
) -> Result<WebResultCounts, Error> {
    let vault = app.open_vault()?;
    let SessionWeb { excluded, fetched, mut named, .. } = web;
    if fetched {
        harvest_without(&excluded, app, &vault, transcript, 0, owner, now)?;
    }
    let mut cached = WebCache::of(&vault).results()?;
    cached.retain(|one| one.result.session.as_ref() == Some(owner.session));
    if cached.is_empty() {
        return Ok(WebResultCounts::default());
    }
    lessons.iter().for_each(|lesson| named.add(lesson));
    let kept: Vec<(WebResult, String)> = cached
        .iter()
        .filter_map(|one| {
            let topic = chosen.iter().find(|(key, _)| *key == one.result.key()).map(|(_, topic)| topic);
            let usual = || is_cited(&one.result, &named).then(|| one.result.default_topic());
            Some((one.result.clone(), topic.cloned().or_else(usual)?))
        })
        .collect();
    file(app, &kept, owner, now)?;
    WebCache::of(&vault).clear(&cached)?;
    Ok(WebResultCounts { kept: kept.len(), dropped: dropped_count(&cached, &kept) })
}

fn dropped_count(cached: &[CachedResult], kept: &[(WebResult, String)]) -> usize {
    cached.len() - kept.len()
}

fn file(app: &App, kept: &[(WebResult, String)], owner: Owner<'_>, now: &Zoned) -> Result<(), Error> {
    if kept.is_empty() {
        return Ok(());
    }
    let session = VaultSession::begin(app)?;
    let keys: Vec<ContentKey> = kept.iter().map(|(result, _)| result.key()).collect();
    let taught_by: HashMap<_, _> = keys.iter().map(|key| (key, owner.session)).collect();
    let plan = references::plan_references(&session.index, kept, &session.written_before()?, now);
    let applied = session.commit(&plan, &taught_by, now.timestamp())?;
    match applied.done.into_iter().find_map(|done| match done.outcome {
        Outcome::Failed(error) => Some(NoteError::refused(&error)),
        Outcome::ChangedMeanwhile => Some(NoteError::not_written(format!("{} kept changing", done.path))),
        Outcome::Written { .. } | Outcome::AlreadyThere { .. } => None,
    }) {
        Some(problem) => Err(problem.into()),
        None => Ok(()),
    }
}

fn is_cited(result: &WebResult, named: &NamedAddresses) -> bool {
    match &result.source {
        WebResultSource::Page { url } => named.has(url),
        // A search matters for a page it led to.
        WebResultSource::Search { .. } => addresses(&result.text).any(|url| named.has(url)),
    }
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
        let check = |said, url, expected| {
            let mut named = NamedAddresses::default();
            named.add(said);
            assert_eq!(named.has(url), expected, "{said} {url}");
        };
        check("see https://docs.rs/notify/latest for it", "http://docs.rs/notify/latest/#top", true);
        check("see docs.rs/notify", "https://docs.rs/notify", true);
        check("see docs.rs", "https://docs.rs/notify", false);
        check("http everywhere", "http://localhost/", false);
        let found: Vec<_> = addresses("- a: https://a.example/x\n(http://b.example). http only").collect();
        assert_eq!(found, ["https://a.example/x", "http://b.example"]);
    }
}
