//! Fills a report, entry by entry.
//!
//! It owns what is summed and what is remembered for that, all of it bounded. Start at [`ReportBuilder::add_entry`].

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;

use crate::entry::{Entry, RawUsage};
use crate::json::Raw;
use crate::report::{Census, Report, SkipReason, SkippedLine, Usage};
use crate::time::{MAX_TIME, parse_time};

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

/// Fills a report entry by entry.
#[derive(Default)]
pub(crate) struct ReportBuilder {
    pub(crate) report: Report,
    counts: Counts,
    times: Times,
    messages: HashMap<u64, Usage>,
    last_message: (String, RawUsage),
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
    started: Option<Timestamp>,
    ended: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl ReportBuilder {
    /// Counts an entry.
    pub(crate) fn add_entry(&mut self, entry: &Entry<'_>) {
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
        if replace_if_changed(&mut self.last_session, entry.session_id) {
            let id = entry.session_id.head(MAX_NAME).into_owned();
            if report.session_ids.len() < MAX_NAMES && !report.session_ids.contains(&id) {
                report.session_ids.push(id);
            }
        }
        if replace_if_changed(&mut self.last_cwd, entry.cwd) {
            let cwd = entry.cwd.decode().into_owned();
            report.first_cwd.get_or_insert_with(|| cwd.clone());
            report.last_cwd = Some(cwd);
        }
        if replace_if_changed(&mut self.last_branch, entry.git_branch) {
            report.git_branch = Some(entry.git_branch.decode().into_owned());
        }
        let talk = entry.kind.equals("user") || entry.kind.equals("assistant");
        if talk && entry.is_sidechain {
            report.sidechain_entries += 1;
            if report.agent_id.is_none() && !entry.agent_id.is_empty() {
                report.agent_id = Some(entry.agent_id.head(MAX_NAME).into_owned());
            }
        }
        self.add_time(entry, talk);
        self.add_tokens(entry);
        self.add_title(entry);
    }

    fn add_time(&mut self, entry: &Entry<'_>, talk: bool) {
        if entry.timestamp.is_empty() {
            return;
        }
        let Some(moment) = parse_time(&entry.timestamp.head(MAX_TIME)) else { return };
        let times = &mut self.times;
        let earliest =
            |slot: &mut Option<Timestamp>| *slot = Some(slot.map_or(moment, |old| old.min(moment)));
        let latest = |slot: &mut Option<Timestamp>| *slot = Some(slot.map_or(moment, |old| old.max(moment)));
        earliest(&mut times.started);
        latest(&mut times.last);
        if talk {
            latest(&mut times.ended);
        }
    }

    /// One response is several lines that repeat its usage, the last with the final count: the largest stands.
    fn add_tokens(&mut self, entry: &Entry<'_>) {
        let Some((message, usage)) = entry.message.as_ref().and_then(|m| Some((m, m.usage?))) else { return };
        // Lines of one message follow each other and mostly say the same.
        if message.id.is_empty() || self.last_message.0 == message.id.0 && self.last_message.1 == usage {
            return;
        }
        self.last_message.0.clear();
        self.last_message.0.push_str(message.id.0);
        self.last_message.1 = usage;
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

    fn add_title(&mut self, entry: &Entry<'_>) {
        let text = |raw: Raw<'_>| Some(raw.head(MAX_NAME).trim().to_owned()).filter(|text| !text.is_empty());
        if !entry.custom_title.is_empty() {
            self.titles.custom = text(entry.custom_title);
        }
        if !entry.ai_title.is_empty() {
            self.titles.client = text(entry.ai_title);
        }
        // A summary belongs to the session that holds its leaf, which older clients wrote into the next file.
        if entry.kind.equals("summary") && !entry.summary.is_empty() && self.summaries.len() < MAX_SUMMARIES {
            let leaf = entry.leaf_uuid.head(MAX_NAME).into_owned();
            self.summaries.extend(text(entry.summary).map(|summary| (leaf, summary)));
        }
    }

    /// Counts a skipped line.
    pub(crate) fn add_skipped(&mut self, line: u64, bytes: u64, reason: SkipReason) {
        let skipped = &mut self.report.skipped;
        skipped.total += 1;
        if skipped.first.len() < MAX_SKIPPED {
            skipped.first.push(SkippedLine { line, bytes, reason });
        }
    }

    /// Counts a content block of an unknown type.
    pub(crate) fn add_unknown_block(&mut self, kind: Raw<'_>) {
        self.counts.blocks.add(kind, Raw::default());
    }

    /// The finished report. `holds` says whether an entry with this uuid was read.
    pub(crate) fn finish(mut self, holds: impl Fn(&str) -> bool) -> Report {
        let summaries = std::mem::take(&mut self.summaries);
        self.titles.summary = summaries.into_iter().rev().find(|(leaf, _)| holds(leaf)).map(|(_, text)| text);
        let mut report = self.report;
        report.census = Census {
            kinds: self.counts.kinds.into_counts(),
            details: self.counts.details.into_counts(),
            versions: self.counts.versions.into_counts(),
            entrypoints: self.counts.entrypoints.into_counts(),
            unknown_blocks: self.counts.blocks.into_counts(),
        };
        report.started = self.times.started;
        report.ended = self.times.ended;
        report.last_activity = self.times.last;
        report.title = self.titles.custom.or(self.titles.client).or(self.titles.summary);
        report
    }
}

/// Remembers a raw text; whether it is a new one.
fn replace_if_changed(last: &mut String, now: Raw<'_>) -> bool {
    let changed = !now.is_empty() && now.0 != last;
    if changed {
        last.clear();
        last.push_str(now.0);
    }
    changed
}

#[derive(Default)]
struct Counts {
    kinds: NameCounter,
    details: NameCounter,
    versions: NameCounter,
    entrypoints: NameCounter,
    blocks: NameCounter,
}

/// Counts of names, few and mostly the same ones in a row. A name is one text or two, raw.
#[derive(Default)]
struct NameCounter {
    names: Vec<(String, String, u64)>,
    last: usize,
}

impl NameCounter {
    fn add(&mut self, one: Raw<'_>, two: Raw<'_>) {
        let is = |(first, second, _): &(String, String, u64)| first == one.0 && second == two.0;
        if self.names.get(self.last).is_none_or(|name| !is(name)) {
            self.last = self.names.iter().position(is).unwrap_or_else(|| {
                let full = self.names.len() >= MAX_NAMES;
                let (one, two) = if full { ("(others)", "") } else { (one.0, two.0) };
                let cut = |text| crate::text::head(text, MAX_NAME).to_owned();
                // When full, the entry for all others is the last.
                if self.names.len() <= MAX_NAMES {
                    self.names.push((cut(one), cut(two), 0));
                }
                self.names.len() - 1
            });
        }
        self.names[self.last].2 += 1;
    }

    fn into_counts(self) -> BTreeMap<String, u64> {
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
