//! Finding sessions by what was said and done in them.

use std::collections::HashMap;
use std::path::Path;

use afterword_core::ProjectKey;
use afterword_core::hidden::escape_hidden;
use afterword_store::{FileOwner, RowFilter, RowHit, SessionIndex, Term};
use jiff::Timestamp;
use serde::Serialize;

use super::meaning;
use super::pack::{PackedRow, UnpackedBlock, Unpacker, is_word_by_itself, space_characters};
use super::snippet::{SearchTerm, SnippetPiece, snippet};
use crate::rows::Voice;
use crate::sessions::is_of;
use crate::{App, Error};

/// Rows that are weighed: the latest of those that fit. A word that more rows have tells little.
const WEIGHED: usize = 5000;
/// A word that goes on is looked for from this many characters on.
const SHORTEST_PREFIX: usize = 3;
/// What a message that means the same counts for, beside the best that has all the words, and beside the best that has some.
const CLOSE_BESIDE_ALL_WORDS: f64 = 0.8;
const CLOSE_BESIDE_SOME_WORDS: f64 = 1.6;
/// The share of it that the farthest message counts for that is close at all.
const FARTHEST: f64 = 0.4;
/// Days after which a row counts for half as much more as one of today.
const RECENT_DAYS: f64 = 60.0;
/// Rows of one query whose sessions are told by the rows themselves: prompts of sessions that are gone.
const MOST_PROMPTS: usize = 300;

/// A text that is longer, in bytes, names no project: no system has paths of that length.
const LONGEST_PROJECT: usize = 1 << 17;

/// What to look for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FindRequest {
    /// Words that all occur, and `"phrases in quotes"`.
    pub query: String,
    /// Only in sessions of this project: its path, its name, or the end of its path.
    pub project: Option<String>,
    /// Only what the person said.
    pub only_person: bool,
    /// Only in sessions active since.
    pub since: Option<Timestamp>,
    /// Sessions at most.
    pub limit: usize,
    /// Lines of each session at most.
    pub lines: usize,
    /// The last word may go on: somebody is typing it.
    pub is_typing: bool,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct FindResult {
    /// The sessions, best first.
    pub sessions: Vec<FoundSession>,
    /// No line has all the words; these have some of them, or mean something like it.
    pub has_some_words: bool,
    /// Files in the index.
    pub files: usize,
}

/// A session in which something was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct FoundSession {
    /// Its id; empty where only a prompt of it is left and that does not tell.
    pub session: String,
    /// The project; empty where none is known.
    pub project: String,
    /// Its title; empty where it has none.
    pub title: String,
    /// The first words of the person.
    pub first_words: String,
    /// The first entry's time.
    pub started_at: Option<Timestamp>,
    /// The last entry's time.
    pub ended_at: Option<Timestamp>,
    /// What there is of it.
    pub place: SessionSource,
    /// How well it fits; more is better.
    pub score: f64,
    /// The lines that fit best, in their order.
    pub lines: Vec<FoundLine>,
    /// Further lines that fit.
    pub more: usize,
}

/// What there is of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum SessionSource {
    /// Its transcript, where Claude Code keeps it.
    Transcript,
    /// A copy of its transcript.
    Archive,
    /// Nothing but what was typed.
    Prompts,
}

/// A line that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct FoundLine {
    /// The line in the transcript, counted from 1.
    pub line: u64,
    /// The sub-agent in whose transcript it stands; empty in the session's own.
    pub agent: String,
    /// When.
    pub time: Option<Timestamp>,
    /// Who.
    pub voice: Voice,
    /// What sort of thing it was; empty where the voice says it all.
    pub what: String,
    /// By or for a sub-agent.
    pub sidechain: bool,
    /// It means something like what was looked for, and has none of the words.
    pub by_meaning: bool,
    /// The words around what was found.
    pub snippet: Vec<SnippetPiece>,
}

/// A query as it was understood.
struct Query {
    terms: Vec<Term>,
    wanted: Vec<SearchTerm>,
}

/// Finds sessions by what was said and done in them. The index is taken as it is: see [`crate::session_search::index::index_sessions`].
///
/// # Errors
/// [`Error::Store`].
pub fn find(app: &App, request: &FindRequest, now: Timestamp) -> Result<FindResult, Error> {
    let Some(index) = SessionIndex::open_existing(&super::session_index_path(app))? else {
        return Ok(FindResult::default());
    };
    let files = index.file_owners()?;
    let query = Query::new(&request.query, request.is_typing);
    let filter = row_filter(app, &files, request);
    let mut found = FindResult { files: files.len(), ..FindResult::default() };
    let mut hits = index.hits(&query.terms, true, &filter, WEIGHED)?;
    let has_all_words = !hits.is_empty();
    if hits.is_empty() && query.terms.len() > 1 {
        hits = index.hits(&query.terms, false, &filter, WEIGHED)?;
    }
    let is_of_words = request.query.contains('"') || query.terms.len() < 2;
    if !is_of_words {
        add_close(&index, &request.query, &filter, has_all_words, &mut hits)?;
    }
    found.has_some_words = !has_all_words && !hits.is_empty();
    let mut search = Search {
        app,
        index: &index,
        files: &files,
        request,
        query: &query,
        unpacker: Unpacker::new(),
        blocks: HashMap::new(),
    };
    found.sessions = search.sessions(hits, now)?;
    Ok(found)
}

/// Adds what means something like it to what has the words: a message that has both comes before one that has either, and one that is
/// only close before those that have only some of the words, the closer the sooner.
fn add_close(
    index: &SessionIndex,
    query: &str,
    filter: &RowFilter,
    has_all_words: bool,
    hits: &mut Vec<RowHit>,
) -> Result<(), Error> {
    let best = hits.first().map_or(1.0, |hit| hit.bm25);
    let most = if has_all_words { best * CLOSE_BESIDE_ALL_WORDS } else { best * CLOSE_BESIDE_SOME_WORDS };
    for close in meaning::close_rows(index, query)? {
        let weight = most * (FARTHEST + (1.0 - FARTHEST) * close.closeness);
        match hits.iter_mut().find(|hit| (hit.block, hit.place) == (close.block, close.place)) {
            Some(hit) => hit.bm25 += weight,
            None => {
                let Some(file) = index.file_of(close.block)? else { continue };
                if filter.files.as_ref().is_none_or(|files| files.contains(&file)) {
                    hits.push(RowHit { block: close.block, place: close.place, file, bm25: weight });
                }
            }
        }
    }
    hits.sort_by(|one, other| other.bm25.total_cmp(&one.bm25));
    Ok(())
}

/// The files that may be searched; any where nothing is said about it. A file of many sessions is always among them.
fn row_filter(app: &App, files: &HashMap<i64, FileOwner>, request: &FindRequest) -> RowFilter {
    let fits = |file: &FileOwner| {
        let is_recent = request.since.is_none_or(|since| file.ended_at.is_some_and(|at| at >= since));
        file.session.is_empty() || (is_recent && is_project(app, &file.project, request))
    };
    let is_narrow = request.project.is_some() || request.since.is_some();
    let numbers = || files.iter().filter(|(_, file)| fits(file)).map(|(number, _)| *number).collect();
    RowFilter { files: is_narrow.then(numbers), only_person: request.only_person }
}

fn is_project(app: &App, project: &str, request: &FindRequest) -> bool {
    let Some(wanted) = request.project.as_deref() else { return true };
    // Compared with every session's, a text of megabytes would take minutes.
    wanted.len() <= LONGEST_PROJECT
        && !project.is_empty()
        && (is_of(&ProjectKey::from_cwd(project), &app.environment.working_directory, wanted)
            || app.config.folders.name_of(project) == Some(wanted))
}

impl Query {
    fn new(text: &str, is_typing: bool) -> Self {
        let mut terms: Vec<Term> = Vec::new();
        for (number, part) in text.split('"').enumerate() {
            let is_phrase = number % 2 == 1;
            let parts: Vec<&str> = if is_phrase { vec![part] } else { part.split_whitespace().collect() };
            let parts = parts.into_iter().filter(|part| part.chars().any(char::is_alphanumeric));
            terms.extend(parts.map(|part| Term { text: space_characters(part), is_prefix: false }));
        }
        let goes_on = is_typing && text.ends_with(char::is_alphanumeric);
        if let Some(last) = terms.last_mut().filter(|_| goes_on) {
            let tail = last.text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            last.is_prefix = tail.chars().count() >= SHORTEST_PREFIX;
        }
        let mut wanted = Vec::new();
        for term in &terms {
            let words: Vec<_> = split_words(&term.text);
            let last = words.len().saturating_sub(1);
            let word = |(number, word): (usize, String)| SearchTerm {
                word,
                is_prefix: term.is_prefix && number == last,
            };
            wanted.extend(words.into_iter().enumerate().map(word));
        }
        Self { terms, wanted }
    }
}

fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if run.chars().all(is_word_by_itself) {
            words.extend(run.chars().map(String::from));
        } else {
            words.push(run.to_lowercase());
        }
    }
    words
}

struct Search<'a> {
    app: &'a App,
    index: &'a SessionIndex,
    files: &'a HashMap<i64, FileOwner>,
    request: &'a FindRequest,
    query: &'a Query,
    unpacker: Unpacker,
    blocks: HashMap<i64, UnpackedBlock>,
}

/// The rows of one session that fit, best first.
struct SessionHits {
    session: String,
    project: String,
    hits: Vec<(f64, RowHit)>,
    ended_at: Option<Timestamp>,
}

impl Search<'_> {
    fn sessions(&mut self, hits: Vec<RowHit>, now: Timestamp) -> Result<Vec<FoundSession>, Error> {
        let mut groups: HashMap<String, SessionHits> = HashMap::new();
        let mut prompts = 0;
        let there: std::collections::HashSet<&str> = self
            .files
            .values()
            .map(|file| file.session.as_str())
            .filter(|session| !session.is_empty())
            .collect();
        for hit in hits {
            let Some(file) = self.files.get(&hit.file) else { continue };
            let (session, project, ended_at) = if file.session.is_empty() && file.agent.is_empty() {
                prompts += 1;
                if prompts > MOST_PROMPTS {
                    continue;
                }
                let Some((session, project, time)) = self.prompt(hit)? else { continue };
                // What the transcript has is found there.
                if there.contains(session.as_str()) || !self.is_wanted(&project, time) {
                    continue;
                }
                (session, project, time)
            } else {
                (file.session.clone(), file.project.clone(), file.ended_at)
            };
            // Prompts of an old client do not tell their session: those of one project on one day belong together.
            let key = match session.is_empty() {
                true => format!("{project}\n{}", ended_at.map_or(0, |at| at.as_second() / 86_400)),
                false => session.clone(),
            };
            let group = groups.entry(key).or_insert_with(|| SessionHits {
                session,
                project,
                hits: Vec::new(),
                ended_at,
            });
            group.ended_at = group.ended_at.max(ended_at);
            group.hits.push((hit.bm25, hit));
        }
        let mut ranked: Vec<(f64, SessionHits)> =
            groups.into_values().map(|group| (score(&group, now), group)).collect();
        ranked.sort_by(|(one, first), (other, second)| {
            other.total_cmp(one).then_with(|| second.ended_at.cmp(&first.ended_at))
        });
        let mut found = Vec::new();
        for (score, group) in ranked {
            if found.len() == self.request.limit {
                break;
            }
            found.extend(self.session(score, group)?);
        }
        Ok(found)
    }

    fn is_wanted(&self, project: &str, time: Option<Timestamp>) -> bool {
        let is_recent = self.request.since.is_none_or(|since| time.is_some_and(|at| at >= since));
        is_recent && is_project(self.app, project, self.request)
    }

    fn prompt(&mut self, hit: RowHit) -> Result<Option<(String, String, Option<Timestamp>)>, Error> {
        let row = self.row(hit)?;
        Ok(row.and_then(|row| row.of.map(|(session, project)| (session, project, row.time))))
    }

    fn row(&mut self, hit: RowHit) -> Result<Option<PackedRow>, Error> {
        if !self.blocks.contains_key(&hit.block) {
            let texts = self.index.texts(hit.block)?.unwrap_or_default();
            self.blocks.insert(hit.block, self.unpacker.unpack(&texts));
        }
        Ok(self.blocks.get(&hit.block).and_then(|block| block.row(hit.place)))
    }

    /// The session as it is shown; `None` where it is out of view by now, and the index does not say so yet.
    fn session(&mut self, score: f64, group: SessionHits) -> Result<Option<FoundSession>, Error> {
        let has_file = !group.session.is_empty();
        let own = if has_file { self.index.file_of_session(&group.session)? } else { None };
        if own.as_ref().is_some_and(|own| !super::is_in_view(self.app, Path::new(&own.path))) {
            return Ok(None);
        }
        let more = group.hits.len().saturating_sub(self.request.lines);
        let mut lines = Vec::new();
        for (_, hit) in group.hits.into_iter().take(self.request.lines) {
            let Some(row) = self.row(hit)? else { continue };
            let snippet = snippet(&row.text, &self.query.wanted);
            lines.push(FoundLine {
                line: row.line,
                agent: self.files.get(&hit.file).map(|file| file.agent.clone()).unwrap_or_default(),
                time: row.time,
                voice: row.voice,
                what: row.what,
                sidechain: row.sidechain,
                by_meaning: snippet.iter().all(|piece| !piece.is_match),
                snippet,
            });
        }
        lines.sort_by(|one, other| (&one.agent, one.line).cmp(&(&other.agent, other.line)));
        let place = match &own {
            Some(own) if Path::new(&own.path).exists() => SessionSource::Transcript,
            Some(_) => SessionSource::Archive,
            None if lines.iter().all(|line| line.what == "prompt") => SessionSource::Prompts,
            None => SessionSource::Transcript,
        };
        let own = own.unwrap_or_default();
        Ok(Some(FoundSession {
            project: escape_hidden(&group.project).into_owned(),
            title: escape_hidden(&own.title).into_owned(),
            first_words: escape_hidden(&own.first_words).into_owned(),
            started_at: own.started_at,
            ended_at: own.ended_at.or(group.ended_at),
            session: group.session,
            place,
            score: (score * 1000.0).round() / 1000.0,
            lines,
            more,
        }))
    }
}

/// How well a session fits: its best line, a little more for further ones, and the more for being recent.
fn score(group: &SessionHits, now: Timestamp) -> f64 {
    let best = group.hits.first().map_or(0.0, |(bm25, _)| *bm25);
    #[expect(clippy::cast_precision_loss, reason = "a few thousand at most")]
    let many = 1.0 + 0.1 * (group.hits.len() as f64).ln();
    let days = group.ended_at.map_or(f64::MAX, |at| now.duration_since(at).as_secs_f64().max(0.0) / 86_400.0);
    best * many * (1.0 + 0.5 * (-days / RECENT_DAYS).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, is_typing: bool, expected: &[(&str, bool)]) {
        let query = Query::new(text, is_typing);
        let terms: Vec<_> = query.terms.iter().map(|term| (term.text.as_str(), term.is_prefix)).collect();
        assert_eq!(terms, expected, "{text}");
    }

    #[test]
    fn words_and_phrases_are_taken_as_they_are_typed() {
        check("lock tables", false, &[("lock", false), ("tables", false)]);
        check("\"lock the tables\" now", false, &[("lock the tables", false), ("now", false)]);
        check("\"not closed", false, &[("not closed", false)]);
        check("-- && foo.bar()", false, &[("foo.bar()", false)]);
        check("  ", false, &[]);
        check("lock tab", true, &[("lock", false), ("tab", true)]);
        check("lock ta", true, &[("lock", false), ("ta", false)]);
        check("lock tables ", true, &[("lock", false), ("tables", false)]);
        check("数据库", true, &[(" 数  据  库 ", false)]);
    }
}
