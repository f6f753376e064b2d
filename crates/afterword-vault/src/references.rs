//! Web results worth keeping: `.web-cache/` as sessions fetched them, `References/<topic>/` as notes.
//!
//! [`WebCache::put`] puts a result into the cache, [`WebCache::results`] gives what is there, [`plan_references`] plans
//! the notes of those that are worth keeping, and [`WebCache::clear`] empties the cache of what was dealt with. A
//! page is kept once: it is known by its address (without what trackers add to it) and by its text, under whatever
//! address it came. What a person changed in a reference, and one they deleted, stays so.

use afterword_core::{ContentKey, SessionId};
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use crate::address;
use crate::block::{self, Block};
use crate::hash::ContentHash;
use crate::index::VaultIndex;
use crate::note::{Note, Value};
use crate::note_entry::NoteEntry;
use crate::path::{self, VaultPath};
use crate::plan::{Action, NoWrite, Plan, Reason, Subject};
use crate::properties::{NoteKind, Status};
use crate::vault::Vault;
use crate::write_history::{LastWrite, WriteHistory, WriteRecord};
use crate::{layout, markdown, plain, render};

/// The generated block that holds what the page said.
pub(crate) const CONTENT: &str = "content";
/// The longest title, in characters.
const TITLE_CHARS: usize = 160;
/// The longest address, in characters; browsers and servers stop not far above.
const ADDRESS_CHARS: usize = 2_000;

/// A page or a search, as a session saw it. All its text is treated as hostile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebResult {
    /// The page's address; for a search, the words that were looked for.
    pub source: WebResultSource,
    /// What it is called; empty where nobody said, and then the address stands in.
    pub title: String,
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// What it said, as markdown.
    pub text: String,
    /// The session that fetched it.
    pub session: Option<SessionId>,
    /// The session's project.
    pub project: Option<String>,
}

/// Where a web result came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WebResultSource {
    /// A page.
    Page {
        /// Its address.
        url: String,
    },
    /// A search.
    Search {
        /// What was looked for.
        query: String,
    },
}

/// A result in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedResult {
    /// Its file.
    pub path: VaultPath,
    /// What its file hashes to.
    pub hash: ContentHash,
    /// The result.
    pub result: WebResult,
}

impl WebResult {
    /// What makes two results the same reference: the page's address without what trackers add, or the search's words.
    pub fn key(&self) -> ContentKey {
        let place = match &self.source {
            WebResultSource::Page { url } => format!("page\n{}", address::canonical(url)),
            WebResultSource::Search { query } => {
                format!("search\n{}", afterword_core::normalised_words(query))
            }
        };
        ContentHash::of(format!("reference\n{place}").as_bytes()).into_key()
    }

    /// A folder name for results that nobody gave a topic: the site, or `searches`.
    pub fn default_topic(&self) -> String {
        match &self.source {
            WebResultSource::Page { url } => address::host_of(url),
            WebResultSource::Search { .. } => "searches".to_owned(),
        }
    }

    fn title(&self) -> String {
        let title = plain::one_line(&self.title, TITLE_CHARS);
        if !title.is_empty() {
            return title;
        }
        let title = match &self.source {
            WebResultSource::Page { url } => plain::one_line(url, TITLE_CHARS),
            WebResultSource::Search { query } => plain::one_line(&format!("Search: {query}"), TITLE_CHARS),
        };
        if title.is_empty() { "Untitled page".to_owned() } else { title }
    }

    fn source_properties(&self) -> (&'static str, Value) {
        match &self.source {
            WebResultSource::Page { url } => ("source_url", Value::Text(plain::one_line(url, ADDRESS_CHARS))),
            WebResultSource::Search { query } => {
                ("source_query", Value::Text(plain::one_line(query, ADDRESS_CHARS)))
            }
        }
    }

    /// Equal for texts that say the same in the same words.
    fn text_mark(&self) -> String {
        let words = afterword_core::normalised_words(&self.text);
        ContentHash::of(words.as_bytes()).as_str()[..32].to_owned()
    }

    fn render_cache_file(&self) -> String {
        let mut properties = vec![("title", Value::Text(self.title())), self.source_properties()];
        properties.push(("fetched_at", Value::Text(self.fetched_at.to_string())));
        if let Some(session) = &self.session {
            properties.push(("session", Value::Text(session.to_string())));
        }
        if let Some(project) = &self.project {
            properties.push(("project", Value::Text(plain::one_line(project, TITLE_CHARS))));
        }
        format!("{}\n{}\n", render::render_front_matter(&properties), markdown::sanitize(&self.text))
    }

    /// Reads a file of the cache; `None` for one that nothing can be made of.
    fn parse_cache_file(note: &Note) -> Option<Self> {
        let text = |name| note.text_of(name).map(str::to_owned);
        let page = text("source_url").map(|url| WebResultSource::Page { url });
        let source = page.or_else(|| text("source_query").map(|query| WebResultSource::Search { query }))?;
        Some(Self {
            source,
            title: text("title").unwrap_or_default(),
            fetched_at: note.text_of("fetched_at")?.parse().ok()?,
            text: note.body().trim().to_owned(),
            session: note.text_of("session").and_then(SessionId::parse),
            project: text("project"),
        })
    }
}

/// The cache of a vault: what sessions fetched and nobody has dealt with.
#[derive(Debug, Clone, Copy)]
pub struct WebCache<'a> {
    vault: &'a Vault,
}

impl<'a> WebCache<'a> {
    /// The cache of `vault`.
    pub fn of(vault: &'a Vault) -> Self {
        Self { vault }
    }

    /// Puts a result into the cache and gives its file. The same page with the same text is there once.
    ///
    /// # Errors
    /// [`crate::VaultError::Io`].
    pub fn put(&self, result: &WebResult) -> Result<VaultPath, crate::VaultError> {
        let name = path::slug(&result.title());
        let mark = &ContentHash::of(format!("{}{}", result.key().0, result.text_mark()).as_bytes());
        let file = format!("{name}-{}.md", &mark.as_str()[..12]);
        let path = VaultPath::constant(layout::WEB_CACHE).join(&file);
        self.vault.disk().create(&path, result.render_cache_file().as_bytes())?;
        self.vault.disk().flush(&VaultPath::constant(layout::WEB_CACHE))?;
        Ok(path)
    }

    /// What is in the cache, by file name. Files that nothing can be made of are passed by and stay.
    ///
    /// # Errors
    /// [`crate::VaultError::Io`].
    pub fn results(&self) -> Result<Vec<CachedResult>, crate::VaultError> {
        let folder = VaultPath::constant(layout::WEB_CACHE);
        let mut results = Vec::new();
        for path in self.vault.disk().files_in(&folder)? {
            let Some(bytes) = self.vault.disk().read(&path)? else { continue };
            let hash = ContentHash::of(&bytes);
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let note = Note::parse(text);
            if let Some(result) =
                WebResult::parse_cache_file(&note).filter(|_| note.front_matter_error().is_none())
            {
                results.push(CachedResult { path, hash, result });
            }
        }
        Ok(results)
    }

    /// Removes files of the cache that are still what was read. Returns how many.
    ///
    /// # Errors
    /// [`crate::VaultError::Io`].
    pub fn clear(&self, results: &[CachedResult]) -> Result<usize, crate::VaultError> {
        let mut removed = 0;
        for cached in results.iter().filter(|cached| cached.path.is_below(layout::WEB_CACHE)) {
            removed += usize::from(
                self.vault.disk().remove(&cached.path, &cached.hash)? == crate::disk::WriteOutcome::Written,
            );
        }
        Ok(removed)
    }
}

/// Plans the notes of results that are worth keeping, each with the topic it goes under.
///
/// A page that is there under the same address gets the newer text if nobody changed what stands there; one that is
/// there with the same text gets the other address. The plan's records are to be remembered like those of lessons.
pub fn plan_references(
    index: &VaultIndex,
    results: &[(WebResult, String)],
    history: &dyn WriteHistory,
    now: &Zoned,
) -> Plan {
    let mut planner = ReferencePlanner { index, history, now, drafts: Vec::new(), plan: Plan::default() };
    for (result, topic) in results {
        planner.plan_result(result, topic);
    }
    planner.finish()
}

struct Draft {
    path: VaultPath,
    before: Option<ContentHash>,
    note: Note,
    key: ContentKey,
    mark: String,
    title: String,
}

struct ReferencePlanner<'a> {
    index: &'a VaultIndex,
    history: &'a dyn WriteHistory,
    now: &'a Zoned,
    drafts: Vec<Draft>,
    plan: Plan,
}

impl ReferencePlanner<'_> {
    fn plan_result(&mut self, result: &WebResult, topic: &str) {
        let (key, mark) = (result.key(), result.text_mark());
        if let Some(at) = self.drafts.iter().position(|draft| draft.key == key || draft.mark == mark) {
            let same_page = self.drafts[at].key == key;
            let changed = add_result(&self.drafts[at].note, result, same_page);
            if let Some(note) = changed {
                self.drafts[at].note = note;
            }
            return self.skip(key, Some(self.drafts[at].path.clone()), Reason::Repeated);
        }
        let known = self.index.by_key(&key).or_else(|| {
            let written = self.history.by_key(&key)?;
            self.index.by_id(written.id)
        });
        if let Some(entry) = known.or_else(|| self.reference_with_text(&mark)) {
            let (path, is_page) = (entry.path.clone(), entry.properties.key.as_ref() == Some(&key));
            let retired =
                matches!(entry.properties.effective_status(), Some(Status::Archived | Status::Superseded));
            let note = add_result(&entry.note, result, is_page).filter(|_| !retired);
            let Some(note) = note else {
                let reason = if retired { Reason::Retired } else { Reason::Known };
                return self.skip(key, Some(path), reason);
            };
            let before = Some(entry.hash.clone());
            return self.drafts.push(Draft { path, before, note, key, mark, title: result.title() });
        }
        if self.history.by_key(&key).is_some() {
            return self.skip(key, None, Reason::Deleted);
        }
        self.plan_new_reference(result, topic, key, mark);
    }

    fn reference_with_text(&self, mark: &str) -> Option<&NoteEntry> {
        let is_reference = |entry: &&NoteEntry| entry.properties.kind == Some(NoteKind::Reference);
        self.index.notes().filter(is_reference).find(|entry| entry.note.text_of("text_mark") == Some(mark))
    }

    fn plan_new_reference(&mut self, result: &WebResult, topic: &str, key: ContentKey, mark: String) {
        let Some(id) = render::derive_note_id(&key, result.fetched_at) else { return };
        let folder = VaultPath::constant(layout::REFERENCES).join(&path::slug(topic));
        let slug = path::slug(&result.title());
        let numbered = (2_u64..).map(|number| format!("{slug}-{number}"));
        let mut places =
            std::iter::once(slug.clone()).chain(numbered).map(|slug| folder.join(&format!("{slug}.md")));
        let is_free = |path: &VaultPath| {
            !self.index.is_taken(path)
                && self.drafts.iter().all(|draft| draft.path.collision_key() != path.collision_key())
        };
        let Some(path) = places.find(is_free) else { return };
        let text = render_reference(result, topic, &key, &mark, id, self.now);
        let written = LastWrite { id, path: path.clone(), content_hash: ContentHash::of(text.as_bytes()) };
        self.plan.records.push(WriteRecord { key: key.clone(), written });
        let note = Note::parse(text);
        self.drafts.push(Draft { path, before: None, note, key, mark, title: result.title() });
    }

    fn skip(&mut self, key: ContentKey, path: Option<VaultPath>, reason: Reason) {
        self.plan.kept.push(NoWrite { key, path, reason });
    }

    fn finish(mut self) -> Plan {
        for draft in self.drafts {
            let content = draft.note.print().to_owned();
            if let Some(record) = self.plan.records.iter_mut().find(|record| record.key == draft.key) {
                record.written.content_hash = ContentHash::of(content.as_bytes());
            }
            let subject = Subject::Reference { title: draft.title };
            let (path, before) = (draft.path, draft.before);
            self.plan.actions.push(Action { path, before, content, subject, keys: vec![draft.key] });
        }
        self.plan
    }
}

/// The note with what the result adds to it; `None` where that is nothing, or where a person's words would go.
fn add_result(note: &Note, result: &WebResult, same_page: bool) -> Option<Note> {
    let mut changed = note.clone();
    if !same_page {
        let (name, Value::Text(other)) = result.source_properties() else { return None };
        let known = note.text_of(name) == Some(other.as_str()) || note.list_of("also_at").contains(&other);
        if known || name != "source_url" {
            return None;
        }
        changed.append("also_at", &[other]).ok()?;
        return Some(changed);
    }
    let Block::Intact { inner, .. } = note.block(CONTENT) else { return None };
    let text = markdown::sanitize(&result.text);
    let is_newer = note.text_of("fetched_at").and_then(|text| text.parse().ok()) < Some(result.fetched_at);
    if !is_newer || text.is_empty() || inner.trim().replace("\r\n", "\n") == text {
        return None;
    }
    changed.set("text_mark", &Value::Text(result.text_mark())).ok()?;
    changed.set("fetched_at", &Value::Text(result.fetched_at.to_string())).ok()?;
    changed.set_block(CONTENT, &text).then_some(changed)
}

fn render_reference(
    result: &WebResult,
    topic: &str,
    key: &ContentKey,
    mark: &str,
    id: afterword_core::NoteId,
    now: &Zoned,
) -> String {
    let date = result.fetched_at.to_zoned(now.time_zone().clone()).date();
    let word = |word: &str| Value::Text(word.to_owned());
    let mut properties = vec![
        ("title", Value::Text(result.title())),
        ("kind", word(NoteKind::Reference.as_str())),
        ("status", word(Status::Active.as_str())),
        result.source_properties(),
        ("topic", Value::Text(plain::one_line(topic, TITLE_CHARS))),
    ];
    let project = result.project.as_ref().map(|project| plain::one_line(project, TITLE_CHARS));
    if let Some(project) = project.filter(|project| !project.is_empty()) {
        properties.push(("project", Value::Text(project)));
    }
    properties.push(("tags", Value::List(vec!["afterword".to_owned()])));
    properties.push(("created", Value::Date(date)));
    properties.push(("fetched_at", Value::Text(result.fetched_at.to_string())));
    if let Some(session) = &result.session {
        properties.push(("session", Value::Text(session.to_string())));
    }
    properties.push(("text_mark", Value::Text(mark.to_owned())));
    properties.push(("id", Value::Text(id.to_string())));
    properties.push(("key", Value::Text(key.0.clone())));
    let block = block::render(CONTENT, &markdown::sanitize(&result.text), "\n");
    let link = match &result.source {
        WebResultSource::Page { url } => address::autolink(url),
        WebResultSource::Search { query } => {
            format!("A search for \u{201c}{}\u{201d}.", markdown::escaped_line(query, 400))
        }
    };
    format!("{}\n{link}\n\n{block}", render::render_front_matter(&properties))
}
