//! Reading one transcript, whole or from a mark on, in memory that does not grow with the file.
//!
//! It owns the loop: lines into entries (`line_entries`), entries into the report and the filter. It does not own the
//! meaning of an entry (`filter`) nor finding files (`discover`). Reading on
//! from a mark starts a fresh filter: words queued before the mark and delivered after it come as new
//! utterances, and a call made before it is not known by name. Start at [`Scan`].

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::entry::{Entry, Header};
use crate::error::TranscriptError;
use crate::event::{Authorship, Event, Undelivered};
use crate::filter::Filter;
use crate::hashes::Hashes;
use crate::line_entries::{Piece, read_entries};
use crate::lines::{Body, Line, LineReader};
use crate::mark::Mark;
use crate::report::{IncompleteLine, Report};
use crate::report_builder::ReportBuilder;
use crate::text::{Redactor, Shortener};
use crate::web::{WebFetch, WebFinder};

/// Longest line read, in bytes. The longest seen in real transcripts is 2 MB (an image in a tool's result).
pub const DEFAULT_LINE_CAP: usize = 64 * 1024 * 1024;
/// Most uuids remembered at once (8 bytes each in two generations, so a repeat is known for at least as many
/// entries; a 1 GB transcript has some 300,000).
const MAX_UUIDS: usize = 2_000_000;

/// Reads a transcript and hands its events, in file order, to `sink`.
///
/// # Errors
/// [`TranscriptError::Open`], [`TranscriptError::Read`], and [`TranscriptError::NotAFile`]. Bad lines are in the report.
pub fn scan(
    path: &Path,
    from: Option<&Mark>,
    sink: &mut impl FnMut(Event),
) -> Result<Report, TranscriptError> {
    let mut scan = Scan::new(path);
    scan.from = from;
    scan.run(sink)
}

/// A reading of one transcript and its settings.
pub struct Scan<'s> {
    path: &'s Path,
    from: Option<&'s Mark>,
    line_cap: usize,
    known: Option<&'s mut dyn FnMut(&str) -> bool>,
    goes_on: Option<&'s dyn Fn() -> bool>,
    cleaning: Option<Redactor<'s>>,
    web: Option<&'s mut dyn FnMut(WebFetch)>,
}

impl<'s> Scan<'s> {
    /// A reading from the start, with a line cap of [`DEFAULT_LINE_CAP`].
    pub fn new(path: &'s Path) -> Self {
        Self {
            path,
            from: None,
            line_cap: DEFAULT_LINE_CAP,
            known: None,
            goes_on: None,
            cleaning: None,
            web: None,
        }
    }

    /// Reads on from a mark; from the start if the file is no longer what the mark was made for.
    #[must_use]
    pub fn resume_from(mut self, mark: &'s Mark) -> Self {
        self.from = Some(mark);
        self
    }

    /// Sets the longest line read, in bytes.
    #[must_use]
    pub fn line_cap(mut self, bytes: usize) -> Self {
        self.line_cap = bytes;
        self
    }

    /// Asks `known` about every entry's uuid not yet seen in this file; an entry it knows gives no events (forked
    /// sessions repeat entries of another file with the same uuids).
    #[must_use]
    pub fn skip_known(mut self, known: &'s mut dyn FnMut(&str) -> bool) -> Self {
        self.known = Some(known);
        self
    }

    /// Asks before every line whether to go on; the report tells of what was read until then.
    #[must_use]
    pub fn while_true(mut self, goes_on: &'s dyn Fn() -> bool) -> Self {
        self.goes_on = Some(goes_on);
        self
    }

    /// Takes secrets out of what is cut or made one line, before it is.
    #[must_use]
    pub fn redact_with(mut self, cleaning: Redactor<'s>) -> Self {
        self.cleaning = Some(cleaning);
        self
    }

    /// Gives besides what the session fetched from the web, as [`crate::web_results`] does.
    #[must_use]
    pub fn web_results(mut self, sink: &'s mut dyn FnMut(WebFetch)) -> Self {
        self.web = Some(sink);
        self
    }

    /// Reads.
    ///
    /// # Errors
    /// As [`scan`].
    pub fn run(self, sink: &mut dyn FnMut(Event)) -> Result<Report, TranscriptError> {
        let path = self.path;
        let open = |source| TranscriptError::Open { path: path.to_owned(), source };
        // Looked at before it is opened: opening a pipe would wait for a writer.
        let metadata = fs::metadata(path).map_err(open)?;
        if !metadata.is_file() {
            return Err(TranscriptError::NotAFile { path: path.to_owned() });
        }
        if let Some(mark) = self.from.filter(|mark| mark.is_current(&metadata)) {
            return Ok(Report { unchanged: true, mark: mark.clone(), ..Report::default() });
        }
        let mut file = File::open(path).map_err(open)?;
        let metadata = file.metadata().map_err(open)?;
        let read = |offset| move |source| TranscriptError::Read { path: path.to_owned(), offset, source };
        let mut start = (0, 0);
        let mut restarted = false;
        if let Some(mark) = self.from {
            restarted = !mark.is_prefix_of(&mut file, &metadata).map_err(read(0))?;
            if !restarted {
                start = (mark.offset, mark.breaks);
            }
        }
        file.seek(SeekFrom::Start(start.0)).map_err(read(start.0))?;
        let mut reading = ScanState::new(self.known, Shortener::new(self.cleaning), start);
        reading.web = self.web.map(|sink| (WebFinder::new(), sink));
        let mut lines = LineReader::new(&mut file, self.line_cap, start.0, start.1);
        let ended = reading.read_lines(&mut lines, self.goes_on, sink);
        let end = lines.offset();
        ended.map_err(read(end))?;
        let (offset, breaks) = reading.resume;
        let mark = Mark::create(&mut file, offset, breaks, &metadata).map_err(read(end))?;
        let mut report = reading.finish(sink);
        report.bytes = end - start.0;
        report.mark = mark;
        report.restarted = restarted;
        Ok(report)
    }
}

/// Reads a transcript from a stream. Its report's mark says how far it was read, and is good for no file.
///
/// # Errors
/// [`io::Error`]: the stream cannot be read.
pub fn scan_stream(source: impl Read, line_cap: usize, sink: &mut dyn FnMut(Event)) -> io::Result<Report> {
    let mut reading = ScanState::new(None, Shortener::default(), (0, 0));
    let mut lines = LineReader::new(source, line_cap, 0, 0);
    reading.read_lines(&mut lines, None, sink)?;
    let (offset, breaks) = reading.resume;
    let mut report = reading.finish(sink);
    report.bytes = lines.offset();
    report.mark = Mark { offset, breaks, ..Mark::default() };
    Ok(report)
}

/// A reading under way.
struct ScanState<'s> {
    tally: ReportBuilder,
    filter: Filter<'s>,
    seen: SeenUuids,
    known: Option<&'s mut dyn FnMut(&str) -> bool>,
    web: Option<(WebFinder, &'s mut dyn FnMut(WebFetch))>,
    header: Header,
    /// Where a later reading goes on: offset, and line breaks before it.
    resume: (u64, u64),
}

impl<'s> ScanState<'s> {
    fn new(
        known: Option<&'s mut dyn FnMut(&str) -> bool>,
        shortener: Shortener<'s>,
        resume: (u64, u64),
    ) -> Self {
        let header = Header::default();
        Self {
            tally: ReportBuilder::default(),
            filter: Filter::new(shortener),
            seen: SeenUuids::default(),
            known,
            web: None,
            header,
            resume,
        }
    }

    fn read_lines(
        &mut self,
        lines: &mut LineReader<impl Read>,
        goes_on: Option<&dyn Fn() -> bool>,
        sink: &mut dyn FnMut(Event),
    ) -> io::Result<()> {
        while goes_on.is_none_or(|goes_on| goes_on())
            && let Some(line) = lines.next_line()?
        {
            self.read_line(&line, sink);
        }
        Ok(())
    }

    fn read_line(&mut self, line: &Line<'_>, sink: &mut dyn FnMut(Event)) {
        self.tally.report.lines += 1;
        let mut header = std::mem::take(&mut self.header);
        let read = read_entries(line, &mut header, |piece| match piece {
            Piece::Entry(entry) => self.add_entry(line.number, entry, sink),
            Piece::Skipped(bytes, reason) => self.tally.add_skipped(line.number, bytes, reason),
            Piece::Unfinished(bytes) => {
                self.tally.report.pending = Some(IncompleteLine { line: line.number, bytes });
            }
        });
        self.header = header;
        self.resume = match line.body {
            Body::Whole(_) | Body::TooLong { ended: true } => (line.offset + line.length + 1, line.number),
            Body::Unended(_) | Body::TooLong { ended: false } => (line.offset + read as u64, line.number - 1),
        };
    }

    fn add_entry(&mut self, line: u64, entry: &Entry<'_>, sink: &mut dyn FnMut(Event)) {
        self.tally.add_entry(entry);
        if let Some((finder, sink)) = &mut self.web {
            finder.find(entry, line).into_iter().for_each(sink);
        }
        if self.is_repeat(entry) {
            self.tally.report.repeated += 1;
            return;
        }
        self.filter.add_entry(line, entry, &mut self.tally, sink);
    }

    /// Whether an entry was read before. Progress gives no events, so it need not be remembered.
    fn is_repeat(&mut self, entry: &Entry<'_>) -> bool {
        if entry.uuid.is_empty() || entry.kind.equals("progress") {
            return false;
        }
        let uuid = entry.uuid.decode();
        if !self.seen.insert(&uuid) {
            return true;
        }
        self.known.as_mut().is_some_and(|known| known(&uuid))
    }

    fn finish(self, sink: &mut dyn FnMut(Event)) -> Report {
        self.filter.finish(sink);
        let seen = self.seen;
        self.tally.finish(|uuid| seen.contains(uuid))
    }
}

/// Hashes of the uuids seen, bounded by forgetting the older half.
#[derive(Default)]
struct SeenUuids {
    /// Keyed at random, so that no file can be made to collide.
    hasher: RandomState,
    young: Hashes,
    old: Hashes,
}

impl SeenUuids {
    fn contains(&self, uuid: &str) -> bool {
        let hash = self.hasher.hash_one(uuid);
        self.young.contains(&hash) || self.old.contains(&hash)
    }

    /// Adds a uuid; false if it was there.
    fn insert(&mut self, uuid: &str) -> bool {
        let hash = self.hasher.hash_one(uuid);
        if self.old.contains(&hash) || !self.young.insert(hash) {
            return false;
        }
        if self.young.len() >= MAX_UUIDS {
            self.old = std::mem::take(&mut self.young);
        }
        true
    }
}

/// The events of one line read by itself.
pub(crate) fn events_of_line(number: u64, text: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let line = Line { number, offset: 1, length: text.len() as u64, body: Body::Whole(text.as_bytes()) };
    ScanState::new(None, Shortener::default(), (0, 0)).read_line(&line, &mut |event| events.push(event));
    events
}

/// A whole session: its events, repeats absorbed into the utterances they repeat, and without what the person took back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Session {
    /// What happened, in file order.
    pub events: Vec<Event>,
    /// What the reading found.
    pub report: Report,
}

/// Reads a whole transcript. Memory grows with the number of events, not with the file's size.
///
/// # Errors
/// As [`scan`].
pub fn read_session(path: &Path) -> Result<Session, TranscriptError> {
    let mut events = Vec::new();
    let report = scan(path, None, &mut |event| push_event(&mut events, event))?;
    Ok(Session { events, report })
}

/// Adds an event to those before it. A repeat is absorbed by the utterance it repeats, and so is that one was never
/// delivered; going back takes out what was said since, by the person and by the agent, and stands in the place of it.
pub fn push_event(events: &mut Vec<Event>, event: Event) {
    match event {
        Event::Repeat(repeat) => {
            let original = events.iter_mut().rev().find_map(|event| match event {
                Event::User(utterance) if utterance.place.line == repeat.of => Some(utterance),
                _ => None,
            });
            if let Some(original) = original {
                original.merge_repeat(repeat);
            }
        }
        Event::Rewind(rewind) => {
            events.retain(|event| match event {
                Event::User(utterance) => !rewind.withdraws(utterance),
                Event::Agent { place, .. } | Event::Interrupt { place, .. } => !rewind.covers(place),
                _ => true,
            });
            events.push(Event::Rewind(rewind));
        }
        Event::Undelivered(Undelivered { of, taken_back: true, .. }) => {
            events.retain(|event| !matches!(event, Event::User(utterance) if utterance.place.line == of));
        }
        Event::Undelivered(Undelivered { of, .. }) => {
            let waited = events.iter_mut().rev().find_map(|event| match event {
                Event::User(utterance) if utterance.place.line == of => Some(utterance),
                _ => None,
            });
            if let Some(waited) = waited {
                waited.authorship = Authorship::Doubtful;
            }
        }
        event => events.push(event),
    }
}
