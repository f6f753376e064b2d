//! Filling the index over sessions: what is new or grew is read, what is gone goes.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use afterword_claude_code::discover::TranscriptFile;
use afterword_core::SessionId;
use afterword_platform::files::open_private_file;
use afterword_store::{BLOCK_ROWS, IndexedSession, SessionIndex};
use afterword_transcript::Report;
use afterword_transcript::event::Event;
use afterword_vault::plain::one_line;
use jiff::Timestamp;

use super::pack::{PackedRow, pack};
use crate::archive::SessionCopy;
use crate::pause::Pause;
use crate::redaction::Redaction;
use crate::rows::{Voice, whole_row};
use crate::session_location::session_location;
use crate::session_search::history;
use crate::sessions;
use crate::{App, Error, archive, excluded};

/// Rows that are written together: memory does not grow with the file.
const AT_ONCE: usize = BLOCK_ROWS * 32;
/// Characters of the first words that are kept.
const FIRST_WORDS: usize = 200;

/// What indexing did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexedSessions {
    /// Files in the index now, those of sub-agents among them.
    pub files: usize,
    /// Files that were new or had changed.
    pub changed: usize,
    /// Bytes of those.
    pub bytes: u64,
    /// Files that were gone, or are no longer to be found.
    pub removed: usize,
    /// What could not be read, and why.
    pub problems: Vec<String>,
    /// Whoever works told to stop: the rest is left for the next time.
    pub stopped: bool,
    /// Rows with a secret that was recognised too late were in it for a moment.
    rewritten: bool,
}

/// What the index is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionIndexStatus {
    /// Files in it.
    pub files: usize,
    /// Bytes of those files.
    pub transcripts: u64,
    /// Rows in it.
    pub rows: u64,
    /// Bytes of its own.
    pub bytes: u64,
}

/// A transcript that is to be found, wherever it lies.
struct TranscriptSource {
    /// Where the transcript is, or was: what tells files apart.
    path: PathBuf,
    /// A copy of it in the archive, where the transcript itself is gone.
    copy: Option<SessionCopy>,
    session: Option<String>,
    agent: String,
    size: u64,
    modified: Option<Timestamp>,
}

impl TranscriptSource {
    fn of_transcript(file: TranscriptFile) -> Self {
        let (session, agent) = sessions::owner(&file.role);
        Self { path: file.path, copy: None, session, agent, size: file.size, modified: file.modified }
    }

    fn mtime_ns(&self) -> i64 {
        self.modified.and_then(|time| i64::try_from(time.as_nanosecond()).ok()).unwrap_or(0)
    }
}

/// Takes into the index what changed; `None` where another process is at it.
///
/// # Errors
/// [`Error::Store`] or [`Error::Io`]. A session that cannot be read is no error: it is told.
pub fn index_sessions(app: &App, pause: &mut dyn Pause) -> Result<Option<IndexedSessions>, Error> {
    let path = app.paths.state.join("sessions.lock");
    let failed = |action| move |source| Error::Io { path: app.paths.state.clone(), action, source };
    afterword_platform::files::create_private_directory(&app.paths.state)
        .map_err(failed("make the directory"))?;
    let lock = open_private_file(&path).map_err(failed("open the lock of the sessions' index"))?;
    if lock.try_lock().is_err() {
        return Ok(None);
    }
    let index = SessionIndex::open(&super::session_index_path(app))?;
    index.begin(&super::index_rules(app))?;
    let mut done = IndexedSessions::default();
    take_in(app, &index, pause, &mut done)?;
    if done.rewritten {
        index.compact()?;
    }
    done.files = index.count_files()?;
    Ok(Some(done))
}

/// Says what the index is; makes and changes nothing.
///
/// # Errors
/// [`Error::Store`].
pub fn session_index_status(app: &App) -> Result<Option<SessionIndexStatus>, Error> {
    let Some(index) = SessionIndex::open_existing(&super::session_index_path(app))? else { return Ok(None) };
    let files = index.files()?;
    Ok(Some(SessionIndexStatus {
        files: files.len(),
        transcripts: files.iter().map(|(_, file)| file.size).sum(),
        rows: files.iter().map(|(_, file)| file.rows).sum(),
        bytes: index.bytes()?,
    }))
}

/// The first words of a session's sub-agents, by sub-agent.
pub(crate) fn first_words(app: &App, session: &str) -> Result<HashMap<String, String>, Error> {
    let Some(index) = SessionIndex::open_existing(&super::session_index_path(app))? else {
        return Ok(HashMap::new());
    };
    let files = index.subagents_of_session(session)?;
    Ok(files.into_iter().map(|file| (file.agent, file.first_words)).collect())
}

fn take_in(
    app: &App,
    index: &SessionIndex,
    pause: &mut dyn Pause,
    done: &mut IndexedSessions,
) -> Result<(), Error> {
    let store = app.existing_store()?;
    let forgotten = store.map(|store| store.forgotten_sessions().all()).transpose()?.unwrap_or_default();
    let mut known: HashMap<String, IndexedSession> =
        index.files()?.into_iter().map(|(_, file)| (file.path.clone(), file)).collect();
    let mut waiting = Vec::new();
    for source in sources(app) {
        if source.session.as_ref().is_some_and(|session| is_forgotten(&forgotten, session)) {
            continue;
        }
        let before = known.remove(&*source.path.to_string_lossy());
        let is_current = before
            .as_ref()
            .is_some_and(|before| before.size == source.size && before.mtime_ns == source.mtime_ns());
        if !is_current {
            waiting.push((source, before));
        }
    }
    let histories = history::history_paths(app).into_iter();
    let histories: Vec<_> = histories.map(|path| (known.remove(&*path.to_string_lossy()), path)).collect();
    for path in known.keys() {
        done.removed += usize::from(index.remove(path)?);
    }
    for (before, path) in histories {
        history::index_history(app, index, (&path, before), &forgotten, &mut done.problems)?;
    }
    // In the order of time, so that of two rows the later one has the higher number.
    waiting.sort_by_key(|(source, _)| source.modified);
    pause.planned(waiting.len(), waiting.iter().map(|(source, _)| source.size).sum());
    let redaction = app.redaction();
    for (source, before) in waiting {
        if !pause.rest() {
            done.stopped = true;
            break;
        }
        match index_source(app, index, &source, before, &forgotten, &redaction, pause) {
            Ok(Some(rewritten)) => {
                done.rewritten |= rewritten;
                done.changed += 1;
                done.bytes += source.size;
            }
            Ok(None) => {}
            Err(error) if error.stops_everything() => return Err(error),
            Err(error) => done.problems.push(error.chain()),
        }
        pause.read(&source.path, source.size);
    }
    Ok(())
}

/// Every transcript there is, and every copy of one that is gone.
fn sources(app: &App) -> Vec<TranscriptSource> {
    let found = app.claude().discover();
    // What another directory has all of is there, too, and its copy says nothing new.
    let there: HashSet<PathBuf> =
        found.transcripts.iter().chain(&found.repeated).map(|file| file.path.clone()).collect();
    let mut sources: Vec<_> = found.transcripts.into_iter().map(TranscriptSource::of_transcript).collect();
    let copies = archive::archive(app).copies().unwrap_or_default();
    let gone = copies
        .into_iter()
        .filter(|copy| !there.contains(&copy.transcript) && super::is_in_view(app, &copy.transcript));
    sources.extend(gone.map(|copy| TranscriptSource {
        path: copy.transcript.clone(),
        session: Some(copy.session.clone()),
        agent: copy.agent.clone(),
        size: copy.bytes,
        modified: copy.modified,
        copy: Some(copy),
    }));
    sources
}

/// Indexes a file, or what it grew by; `None` where nothing of it is to be found, else whether rows were written twice.
fn index_source(
    app: &App,
    index: &SessionIndex,
    source: &TranscriptSource,
    before: Option<IndexedSession>,
    forgotten: &HashSet<SessionId>,
    redaction: &Redaction,
    pause: &mut dyn Pause,
) -> Result<Option<bool>, Error> {
    let name = source.path.to_string_lossy().into_owned();
    let restored = source
        .copy
        .as_ref()
        .map(|copy| archive::restore_temporarily(&archive::archive(app), copy))
        .transpose()?;
    let file = restored.as_ref().map_or(source.path.as_path(), |restored| restored.path());
    let place = session_location(file, &app.config.folders)?;
    if place.as_ref().is_some_and(|place| excluded::is_excluded_or_own(app, place)) {
        index.remove(&name)?;
        return Ok(None);
    }
    let head = head(file, source.size)?;
    let grown = match &before {
        Some(before) if source.size > before.size && !before.head.is_empty() => {
            self::head(file, before.size)? == before.head
        }
        _ => false,
    };
    let before = before.filter(|_| grown);
    let begun = IndexedSession {
        path: name.clone(),
        session: source.session.clone().unwrap_or_default(),
        agent: source.agent.clone(),
        project: place.as_ref().map(|place| place.project.as_str().to_owned()).unwrap_or_default(),
        directory: place.as_ref().map(|place| place.directory.as_str().to_owned()).unwrap_or_default(),
        first_words: before.as_ref().map(|before| before.first_words.clone()).unwrap_or_default(),
        rows: before.as_ref().map_or(0, |before| before.rows),
        ..IndexedSession::default()
    };
    redaction.begin_session();
    let read_before = before.as_ref().map_or(0, |before| before.last_line);
    let (written, rewritten) = redaction.read_with_all_known(|is_again| {
        let mut writing = if is_again {
            // The rows that are in the index already, too.
            FileWriter::new(index, IndexedSession { rows: 0, first_words: String::new(), ..begun.clone() }, 0)
        } else {
            FileWriter::new(index, begun.clone(), read_before)
        };
        let report = writing.read(app, file, redaction, pause)?;
        let known = if report.is_some() { writing.known } else { usize::MAX };
        Ok((report.map(|report| (writing, report)), known))
    })?;
    // Stopped on the way, the next time begins anew.
    let Some((mut writing, report)) = written else { return Ok(None) };
    if source.session.is_none() {
        let session = report.session_ids.first().cloned().unwrap_or_default();
        if is_forgotten(forgotten, &session) {
            index.remove(&name)?;
            return Ok(None);
        }
        writing.file.session = session;
    }
    let read = &mut writing.file;
    read.title = report.title.as_deref().map(|title| redaction.text(title)).unwrap_or_default();
    read.title = one_line(&read.title, FIRST_WORDS);
    (read.started_at, read.ended_at) = (report.started, report.last_activity);
    (read.size, read.mtime_ns, read.head) = (source.size, source.mtime_ns(), head);
    read.last_line = last_line(&report);
    writing.end()?;
    Ok(Some(rewritten))
}

/// Reads a transcript without what stands in excluded directories, as long as `sink` says so; `None` where it said no.
fn scan_while(
    app: &App,
    path: &Path,
    redaction: &Redaction,
    sink: &mut dyn FnMut(Event) -> bool,
) -> Result<Option<Report>, Error> {
    let excluded = excluded::excluded_lines(app, path)?;
    let goes_on = std::cell::Cell::new(true);
    let (wanted, cleaning) = (|| goes_on.get(), |text: &str| redaction.redact_before_cut(text));
    let scan = afterword_transcript::Scan::new(path).while_true(&wanted).redact_with(&cleaning);
    let report = scan.run(&mut |event| {
        if goes_on.get() && !excluded.contains(&event) {
            goes_on.set(sink(event));
        }
    })?;
    Ok(goes_on.get().then(|| excluded.without_title(report)))
}

/// The rows of a file on their way into the index.
struct FileWriter<'i> {
    index: &'i SessionIndex,
    /// What is known of the file; without its size and head until all of it is written, so that a crash on the way is no end.
    file: IndexedSession,
    /// The last line of which the rows are in the index.
    read_before: u64,
    /// How many secrets were known when the first row was made that is not in the index.
    known: usize,
    is_new: bool,
    waiting: Vec<PackedRow>,
    failed: Option<Error>,
}

impl<'i> FileWriter<'i> {
    /// A file of which the rows up to this line are in the index; none of them where it is 0.
    fn new(index: &'i SessionIndex, file: IndexedSession, read_before: u64) -> Self {
        let (waiting, failed) = (Vec::new(), None);
        Self { index, file, read_before, known: 0, is_new: read_before == 0, waiting, failed }
    }

    /// Reads the file; `None` where it was stopped on the way.
    fn read(
        &mut self,
        app: &App,
        path: &Path,
        redaction: &Redaction,
        pause: &mut dyn Pause,
    ) -> Result<Option<Report>, Error> {
        let report = scan_while(app, path, redaction, &mut |event| {
            self.take(event, redaction);
            self.failed.is_none() && pause.rest()
        })?;
        self.failed.take().map_or(Ok(report), Err)
    }

    fn take(&mut self, event: Event, redaction: &Redaction) {
        // What was read before is read again for the secrets in it: they are known wherever they stand later.
        let (event, _) = redaction.event(event);
        let Some(row) = whole_row(event) else { return };
        if row.line <= self.read_before {
            self.known = redaction.known_values();
            return;
        }
        // What a sub-agent was told is no utterance of anybody: its own first words stand for it.
        let is_first = row.voice == Voice::User || (row.voice == Voice::Agent && !self.file.agent.is_empty());
        if is_first && self.file.first_words.is_empty() {
            self.file.first_words = one_line(&row.text, FIRST_WORDS);
        }
        self.waiting.push(PackedRow::of(row));
        if self.waiting.len() >= AT_ONCE
            && let Err(error) = self.write()
        {
            self.failed = Some(error);
        }
    }

    fn write(&mut self) -> Result<(), Error> {
        self.file.rows += self.waiting.len() as u64;
        let blocks = pack(&self.waiting);
        self.waiting.clear();
        if std::mem::take(&mut self.is_new) {
            self.index.put(&self.file, &blocks)?;
        } else {
            self.index.append(&self.file, &blocks)?;
        }
        Ok(())
    }

    fn end(mut self) -> Result<(), Error> {
        self.write()
    }
}

pub(super) fn is_forgotten(forgotten: &HashSet<SessionId>, session: &str) -> bool {
    SessionId::parse(session).is_some_and(|session| forgotten.contains(&session))
}

/// The last line that was read whole.
fn last_line(report: &Report) -> u64 {
    report.pending.map_or(report.lines, |pending| pending.line.saturating_sub(1))
}

/// What tells whether a file still begins with the first `size` bytes it once had: their beginning and their end.
pub(super) fn head(path: &Path, size: u64) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Io { path: path.to_owned(), action: "read the transcript", source };
    let mut hasher = blake3::Hasher::new();
    let mut file = File::open(path).map_err(failed)?;
    for (start, length) in [(0, size.min(1024)), (size.saturating_sub(256), size.min(256))] {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start)).map_err(failed)?;
        (&mut file).take(length).read_to_end(&mut bytes).map_err(failed)?;
        hasher.update(&bytes);
    }
    Ok(hasher.finalize().as_bytes()[..16].to_vec())
}
