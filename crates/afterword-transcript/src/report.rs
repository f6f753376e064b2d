//! What one reading of a transcript says about the session and about the reading itself.
//!
//! It owns the counts (the format canary), the skipped lines and the token sums. Everything in it is bounded,
//! whatever the file holds. It does not own what was said: that is the events. Start at [`Report`].

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use serde::Serialize;

use crate::entry::Entry;
use crate::json::Raw;
use crate::mark::Mark;

/// Longest name or title kept, in bytes.
const MAX_NAME: usize = 512;
/// Most different names counted one by one; a hostile file must not fill memory with invented ones.
const MAX_NAMES: usize = 256;
/// Most skipped lines listed; more are only counted.
const MAX_SKIPPED: usize = 100;
/// Most messages whose tokens are remembered against being counted twice.
const MAX_MESSAGES: usize = 200_000;
/// Most summaries kept that wait for the entry they belong to.
const MAX_SUMMARIES: usize = 64;

/// What a reading found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// Session ids on the entries, in order of first sight. A forked or resumed file has several.
    pub session_ids: Vec<String>,
    /// The sub-agent's id, where the file is a sub-agent's.
    pub agent_id: Option<String>,
    /// Working directory of the first entry that has one: the session's project.
    pub first_cwd: Option<String>,
    /// Working directory of the last entry that has one.
    pub last_cwd: Option<String>,
    /// Git branch of the last entry that has one.
    pub git_branch: Option<String>,
    /// Earliest time on an entry (file order is not time order).
    pub started: Option<Timestamp>,
    /// Latest time on a user or assistant entry.
    pub ended: Option<Timestamp>,
    /// Latest time on any entry.
    pub last_activity: Option<Timestamp>,
    /// The session's title, the person's own before the client's.
    pub title: Option<String>,
    /// Entries read: JSON objects, repeated ones included.
    pub entries: u64,
    /// Entries whose uuid had been read before or that the caller knew; they gave no events.
    pub repeated: u64,
    /// Lines read, blank ones included.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
    /// User and assistant entries that belong to a sub-agent.
    pub sidechain_entries: u64,
    /// An entry says that it was copied from another session.
    pub forked: bool,
    /// Counts by type, subtype, version and entry point: the format canary.
    pub census: Census,
    /// Text in the user role that no person typed, by what it was.
    pub machine_texts: BTreeMap<&'static str, u64>,
    /// What could not be read.
    pub skipped: Skipped,
    /// Tokens, each message counted once.
    pub usage: Usage,
    /// A last line still being written. It is neither an entry nor skipped.
    pub pending: Option<Pending>,
    /// The mark given was for another file or for one since rewritten: everything was read from the start.
    pub restarted: bool,
    /// Nothing was written since the mark given; nothing was read.
    pub unchanged: bool,
    /// Where to read on.
    pub mark: Mark,
}

impl Report {
    /// Whether a script may have started the session: every entry that names an entry point names an SDK's.
    ///
    /// A hint only: editors use the SDK for typed prompts, and old clients name none.
    pub fn looks_headless(&self) -> bool {
        !self.census.entrypoints.is_empty()
            && self.census.entrypoints.keys().all(|name| name.starts_with("sdk"))
    }
}

/// Counts of what the client wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Census {
    /// Entries by `type`.
    pub kinds: BTreeMap<String, u64>,
    /// Entries by `type/subtype`, where there is one.
    pub details: BTreeMap<String, u64>,
    /// Entries by client version.
    pub versions: BTreeMap<String, u64>,
    /// Entries by `entrypoint` (cli, claude-vscode, sdk-cli, …).
    pub entrypoints: BTreeMap<String, u64>,
    /// Content blocks of types this program does not know.
    pub unknown_blocks: BTreeMap<String, u64>,
}

/// Entry types that client 2.1.197 lists in its own program; those seen in real files are among them.
const KNOWN_KINDS: [&str; 31] = [
    "user",
    "assistant",
    "system",
    "progress",
    "file-history-snapshot",
    "queue-operation",
    "attachment",
    "summary",
    "last-prompt",
    "ai-title",
    "custom-title",
    "agent-name",
    "pr-link",
    "permission-mode",
    "mode",
    "tag",
    "ended-by-model",
    "relocated",
    "agent-color",
    "agent-setting",
    "frame-link",
    "bridge-session",
    "attribution-snapshot",
    "speculation-accept",
    "isolation-latch",
    "worktree-state",
    "marble-origami-commit",
    "marble-origami-snapshot",
    "marble-origami-reset",
    "content-replacement",
    "fork-context-ref",
];

impl Census {
    /// Entry types this program was not written against; they were counted and passed over.
    pub fn unknown_kinds(&self) -> impl Iterator<Item = (&str, u64)> {
        self.kinds
            .iter()
            .map(|(kind, count)| (kind.as_str(), *count))
            .filter(|(kind, _)| !is_known_kind(kind))
    }
}

pub(crate) fn is_known_kind(kind: &str) -> bool {
    KNOWN_KINDS.contains(&kind)
}

/// Lines, or parts of lines, that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// How many.
    pub total: u64,
    /// The first hundred.
    pub first: Vec<SkippedLine>,
}

/// A line, or part of one, that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedLine {
    /// Counted from 1.
    pub line: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Why.
    pub reason: SkipReason,
}

/// Why a line could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// Longer than the cap.
    TooLong,
    /// Not UTF-8.
    NotUtf8,
    /// It ends inside a value.
    Truncated,
    /// Not JSON.
    NotJson,
    /// JSON, but no object.
    NotAnObject,
    /// Zero bytes, as a crash of the system leaves them.
    Nul,
    /// A `//` comment, as tools put before transcripts.
    Comment,
}

/// A last line without an end that is no whole entry yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Pending {
    /// Counted from 1.
    pub line: u64,
    /// Bytes there are of it.
    pub bytes: u64,
}

/// Tokens as the API counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Messages counted.
    pub messages: u64,
    /// Input tokens that came from no cache.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Input tokens read from the cache.
    pub cache_read: u64,
    /// Input tokens written to the cache.
    pub cache_write: u64,
}

/// Fills a report entry by entry.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) report: Report,
    counts: Counts,
    times: Times,
    messages: HashMap<u64, Usage>,
    summaries: Vec<(String, String)>,
    titles: Titles,
    last_session: String,
    last_cwd: String,
    last_branch: String,
}

#[derive(Default)]
struct Titles {
    custom: Option<String>,
    client: Option<String>,
    summary: Option<String>,
}

#[derive(Default)]
struct Times {
    started: Option<Moment>,
    ended: Option<Moment>,
    last: Option<Moment>,
}

/// A time as written, 24 bytes `2026-02-07T00:57:22.513Z`, which sort as the times do; the rest is parsed.
type Moment = [u8; 24];

impl Tally {
    /// Counts an entry.
    pub(crate) fn entry(&mut self, entry: &Entry<'_>) {
        let report = &mut self.report;
        report.entries += 1;
        self.counts.kinds.add(entry.kind, Raw::default());
        if !entry.detail.is_empty() {
            self.counts.details.add(entry.kind, entry.detail);
        }
        if !entry.version.is_empty() {
            self.counts.versions.add(entry.version, Raw::default());
        }
        if !entry.entrypoint.is_empty() {
            self.counts.entrypoints.add(entry.entrypoint, Raw::default());
        }
        report.forked |= entry.is_forked;
        if changed(&mut self.last_session, entry.session_id) {
            let id = entry.session_id.head(MAX_NAME).into_owned();
            if report.session_ids.len() < MAX_NAMES && !report.session_ids.contains(&id) {
                report.session_ids.push(id);
            }
        }
        if changed(&mut self.last_cwd, entry.cwd) {
            let cwd = entry.cwd.decode().into_owned();
            report.first_cwd.get_or_insert_with(|| cwd.clone());
            report.last_cwd = Some(cwd);
        }
        if changed(&mut self.last_branch, entry.git_branch) {
            report.git_branch = Some(entry.git_branch.decode().into_owned());
        }
        let talk = entry.kind.is("user") || entry.kind.is("assistant");
        if talk && entry.is_sidechain {
            report.sidechain_entries += 1;
            if report.agent_id.is_none() && !entry.agent_id.is_empty() {
                report.agent_id = Some(entry.agent_id.head(MAX_NAME).into_owned());
            }
        }
        self.time(entry, talk);
        self.tokens(entry);
        self.title(entry);
    }

    fn time(&mut self, entry: &Entry<'_>, talk: bool) {
        let Some(moment) = moment(entry.timestamp) else { return };
        let times = &mut self.times;
        let earliest = |slot: &mut Option<Moment>| *slot = Some(slot.map_or(moment, |old| old.min(moment)));
        let latest = |slot: &mut Option<Moment>| *slot = Some(slot.map_or(moment, |old| old.max(moment)));
        earliest(&mut times.started);
        latest(&mut times.last);
        if talk {
            latest(&mut times.ended);
        }
    }

    /// One response is several lines that repeat its usage, the last with the final count: the largest stands.
    fn tokens(&mut self, entry: &Entry<'_>) {
        let Some((message, usage)) = entry.message.as_ref().and_then(|m| Some((m, m.usage?))) else { return };
        if message.id.is_empty() {
            return;
        }
        if self.messages.len() >= MAX_MESSAGES {
            self.messages.clear();
        }
        let known = self.messages.entry(crate::mark::fnv(message.id.decode().as_bytes())).or_default();
        let sum = &mut self.report.usage;
        sum.messages += u64::from(known.messages == 0);
        known.messages = 1;
        for (known, now, sum) in [
            (&mut known.input, usage.input, &mut sum.input),
            (&mut known.output, usage.output, &mut sum.output),
            (&mut known.cache_read, usage.cache_read, &mut sum.cache_read),
            (&mut known.cache_write, usage.cache_write, &mut sum.cache_write),
        ] {
            *sum = sum.saturating_add(now.saturating_sub(*known));
            *known = now.max(*known);
        }
    }

    fn title(&mut self, entry: &Entry<'_>) {
        let text = |raw: Raw<'_>| Some(raw.head(MAX_NAME).trim().to_owned()).filter(|text| !text.is_empty());
        if !entry.custom_title.is_empty() {
            self.titles.custom = text(entry.custom_title);
        }
        if !entry.ai_title.is_empty() {
            self.titles.client = text(entry.ai_title);
        }
        // A summary belongs to the session that holds its leaf, which older clients wrote into the next file.
        if entry.kind.is("summary") && !entry.summary.is_empty() && self.summaries.len() < MAX_SUMMARIES {
            let leaf = entry.leaf_uuid.head(MAX_NAME).into_owned();
            self.summaries.extend(text(entry.summary).map(|summary| (leaf, summary)));
        }
    }

    /// Counts a skipped line.
    pub(crate) fn skip(&mut self, line: u64, bytes: u64, reason: SkipReason) {
        let skipped = &mut self.report.skipped;
        skipped.total += 1;
        if skipped.first.len() < MAX_SKIPPED {
            skipped.first.push(SkippedLine { line, bytes, reason });
        }
    }

    /// Counts a content block of an unknown type.
    pub(crate) fn unknown_block(&mut self, kind: Raw<'_>) {
        self.counts.blocks.add(kind, Raw::default());
    }

    /// The finished report. `holds` says whether an entry with this uuid was read.
    pub(crate) fn finish(mut self, holds: impl Fn(&str) -> bool) -> Report {
        let summaries = std::mem::take(&mut self.summaries);
        self.titles.summary = summaries.into_iter().rev().find(|(leaf, _)| holds(leaf)).map(|(_, text)| text);
        let mut report = self.report;
        report.census = Census {
            kinds: self.counts.kinds.sums(),
            details: self.counts.details.sums(),
            versions: self.counts.versions.sums(),
            entrypoints: self.counts.entrypoints.sums(),
            unknown_blocks: self.counts.blocks.sums(),
        };
        report.started = self.times.started.and_then(timestamp);
        report.ended = self.times.ended.and_then(timestamp);
        report.last_activity = self.times.last.and_then(timestamp);
        report.title = self.titles.custom.or(self.titles.client).or(self.titles.summary);
        report
    }
}

/// Remembers a raw text; whether it is a new one.
fn changed(last: &mut String, now: Raw<'_>) -> bool {
    let changed = !now.is_empty() && now.0 != last;
    if changed {
        last.clear();
        last.push_str(now.0);
    }
    changed
}

fn moment(raw: Raw<'_>) -> Option<Moment> {
    if let Ok(moment) = Moment::try_from(raw.0.as_bytes())
        && is_plain(&moment)
    {
        return Some(moment);
    }
    if raw.is_empty() || raw.0.len() > 64 * 6 {
        return None;
    }
    let time = time(&raw.decode())?;
    Moment::try_from(format!("{time:.3}").as_bytes()).ok()
}

/// Whether a time is written as clients do, in UTC with milliseconds.
fn is_plain(moment: &Moment) -> bool {
    let form = b"0000-00-00T00:00:00.000Z";
    moment
        .iter()
        .zip(form)
        .all(|(byte, form)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form })
}

fn timestamp(moment: Moment) -> Option<Timestamp> {
    time(std::str::from_utf8(&moment).ok()?)
}

/// Reads an entry's time. The form clients write is read by hand, every other one by the calendar library.
pub(crate) fn time(text: &str) -> Option<Timestamp> {
    if text.len() > 64 {
        return None;
    }
    let Some(moment) = Moment::try_from(text.as_bytes()).ok().filter(is_plain) else {
        return text.parse().ok();
    };
    let number = |range: std::ops::Range<usize>| {
        moment[range].iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
    };
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let (hour, minute, second) = (number(11..13), number(14..16), number(17..19));
    if !(1..=12).contains(&month) || !(1..=28).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return text.parse().ok();
    }
    // Days since 1970 in the proleptic Gregorian calendar, counting years from March.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 1
        - 719_468;
    Timestamp::from_millisecond((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + number(20..23))
        .ok()
}

#[derive(Default)]
struct Counts {
    kinds: Counter,
    details: Counter,
    versions: Counter,
    entrypoints: Counter,
    blocks: Counter,
}

/// Counts of names, few and mostly the same ones in a row. A name is one text or two, raw.
#[derive(Default)]
struct Counter {
    names: Vec<(String, String, u64)>,
    last: usize,
}

impl Counter {
    fn add(&mut self, one: Raw<'_>, two: Raw<'_>) {
        let is = |(first, second, _): &(String, String, u64)| first == one.0 && second == two.0;
        if self.names.get(self.last).is_none_or(|name| !is(name)) {
            self.last = self.names.iter().position(is).unwrap_or_else(|| {
                let full = self.names.len() >= MAX_NAMES;
                let (one, two) = if full { ("(others)", "") } else { (one.0, two.0) };
                let cut = |text| crate::filter::text::head(text, MAX_NAME).to_owned();
                // When full, the entry for all others is the last.
                if self.names.len() <= MAX_NAMES {
                    self.names.push((cut(one), cut(two), 0));
                }
                self.names.len() - 1
            });
        }
        self.names[self.last].2 += 1;
    }

    fn sums(self) -> BTreeMap<String, u64> {
        let mut sums = BTreeMap::new();
        for (one, two, count) in self.names {
            let (one, two) = (Raw(&one).decode(), Raw(&two).decode());
            let name = match (&*one, &*two) {
                ("", "") => "(none)".to_owned(),
                (one, "") => one.to_owned(),
                (one, two) => format!("{one}/{two}"),
            };
            *sums.entry(name).or_default() += count;
        }
        sums
    }
}
