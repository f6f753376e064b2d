//! What of a session a model is shown: every word of the person, what they answered, what was done about it, what failed and
//! was solved, and what was written into the agent's own memory.
//!
//! It is gathered from a stream of events in memory that depends on what was said, not on the session's length. A session
//! is one part; a very long one is cut into a few, where its work changes. Start reading at [`Collector`].

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use afterword_core::{Candidate, Confidence, Kind, Role, Signal};
use afterword_transcript::event::{
    Authorship, EntryLocation, Event, Origin, Repeat, Rewind, ToolCall, ToolOutcome, ToolStatus, Utterance,
};
use jiff::Timestamp;

use super::cause;
use super::line::{AGENT, Line, ShownLines, TOOL, bounded, one_line, person_words};
use super::offered;
use super::proof::Mend;
use crate::builtin::repair::Repairs;
use crate::builtin::words::{head, tail};

/// How much of a session is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigestLimits {
    /// Bytes of one part.
    part: usize,
    /// Parts at most.
    parts: usize,
    /// Bytes of what stands around the person's words, at least.
    around: usize,
}

impl DigestLimits {
    /// For models of today: nine sessions of ten are one part, of at most some 12,000 tokens with all that goes with it.
    pub const FULL: Self = Self { part: 27_000, parts: 3, around: 7_000 };
    /// For small models with a small context: some 3,000 tokens.
    pub const SMALL: Self = Self { part: 8_000, parts: 1, around: 3_000 };
}

/// What stands around the person's words may take so much for each of their bytes, in hundredths.
const AROUND_SAID: usize = 220;
/// Bytes of what is gathered before it is chosen from, so that no session needs more memory.
const GATHERED: usize = 400_000;
/// Words of an agent that a short answer of the person is about, in bytes; a longer message says more by itself.
const ASKED: usize = 900;
/// So much of the room that is left when all that is worth more is shown goes to them, in hundredths.
const ASKED_SHARE: usize = 40;
/// So much of them is shown at least, where there is little room.
const ASKED_LEAST: usize = 160;
/// So much a line takes besides its words, in bytes.
const LINE: usize = 24;
/// So much is a short answer, in bytes.
const SHORT: usize = 80;
/// So much says by itself what it is about, in bytes.
const LONG: usize = 320;
/// What the agent said between a failure and its end, in bytes.
const REMARK: usize = 300;
/// The first words of the agent after the person's, in bytes.
const REPLY: usize = 180;
/// What the agent did between two messages: so many steps of so many bytes.
const STEPS: usize = 5;
const STEP: usize = 90;
/// A note the agent wrote down for itself, in bytes.
const MEMORY: usize = 700;
/// Calls that are remembered until they are answered.
const CALLS: usize = 256;
/// A part may be cut so far from where it would be even, in hundredths of a part.
const OFF: usize = 25;

/// How much a line is worth that is not the person's.
mod worth {
    pub(super) const REFUSED: u8 = 98;
    pub(super) const CERTAIN: u8 = 96;
    pub(super) const LIKELY: u8 = 92;
    pub(super) const ANSWERED_SHORTLY: u8 = 90;
    pub(super) const MEMORY: u8 = 84;
    pub(super) const INFERRED: u8 = 82;
    pub(super) const CAUSE: u8 = 72;
    pub(super) const ANSWERED: u8 = 60;
    pub(super) const SOLVED: u8 = 50;
    pub(super) const EXPLAINED: u8 = 46;
    pub(super) const DONE: u8 = 40;
    pub(super) const FAILED: u8 = 36;
    pub(super) const REPLIED: u8 = 30;
    pub(super) const ANSWERED_AT_LENGTH: u8 = 28;
    /// Shown only where it turns out to matter.
    pub(super) const NOTHING: u8 = 0;
}

/// A part of a session: one call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// The lines.
    pub shown: ShownLines,
    /// Which of the candidates rest on lines of it, by their index.
    pub candidates: Vec<usize>,
}

/// All that is shown of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Digest {
    /// In order.
    pub parts: Vec<Part>,
    /// Lines of the person that were left out because the session is too long.
    pub left_out: usize,
    /// What failed and worked after a change.
    pub(super) mends: Vec<Mend>,
}

impl Digest {
    /// Nothing is worth reading.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The lines of all parts.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.parts.iter().flat_map(|part| &part.shown.lines)
    }
}

/// A line that may be shown.
#[derive(Debug)]
struct WeighedLine {
    line: Line,
    worth: u8,
    time: Option<Timestamp>,
    /// An exchange begins with it.
    begins: bool,
}

/// Gathers a digest from a session's events.
#[derive(Debug)]
pub struct Collector {
    room: DigestLimits,
    /// Lines that candidates rest on, and how much they are worth.
    wanted: BTreeMap<u64, u8>,
    /// The lines of each candidate.
    rests: Vec<Vec<u64>>,
    said: BTreeMap<u64, WeighedLine>,
    around: BTreeMap<u64, WeighedLine>,
    gathered: usize,
    /// Where in `around` the words of an agent's line are.
    of_agent: HashMap<u64, u64>,
    said_size: usize,
    left_out: usize,
    /// Counts events.
    at: u64,
    /// The agent's last words, where the person has not answered them yet.
    last: Option<(EntryLocation, String)>,
    /// Nothing was said by the agent since the person's last words.
    awaits_reply: bool,
    /// Something failed since the agent's last words.
    has_failed: bool,
    /// Lines at which something failed that came often.
    often: BTreeSet<u64>,
    /// That failed since the agent's last words.
    has_failed_often: bool,
    /// What was done since.
    done: Option<(u64, EntryLocation, Vec<String>)>,
    calls: VecDeque<ToolCall>,
    /// What failed last, by what it was, and when.
    failed: HashMap<String, u64>,
    repairs: Repairs,
}

impl Collector {
    /// A collector for a session in which these candidates were found.
    pub fn new(candidates: &[Candidate], room: DigestLimits) -> Self {
        let mut wanted = BTreeMap::new();
        let mut rests = Vec::new();
        let mut often = BTreeSet::new();
        for candidate in candidates {
            if candidate.kind == Kind::Fix && candidate.signal == Signal::RepeatedPattern {
                let failures = candidate.evidence.iter().filter(|evidence| evidence.role == Role::Tool);
                often.extend(failures.take(6).map(|evidence| evidence.line));
            }
            let worth = match candidate.confidence {
                Confidence::High => worth::CERTAIN,
                Confidence::Medium => worth::LIKELY,
                Confidence::Low => worth::INFERRED,
            };
            let evidence = candidate.evidence.iter().filter(|evidence| evidence.role != Role::Tool).take(6);
            let lines: Vec<u64> = evidence.map(|evidence| evidence.line).collect();
            for line in &lines {
                let known = wanted.entry(*line).or_insert(0);
                *known = worth.max(*known);
            }
            rests.push(lines);
        }
        Self {
            room,
            wanted,
            rests,
            said: BTreeMap::new(),
            around: BTreeMap::new(),
            gathered: 0,
            of_agent: HashMap::new(),
            said_size: 0,
            left_out: 0,
            at: 0,
            last: None,
            awaits_reply: false,
            has_failed: false,
            often,
            has_failed_often: false,
            done: None,
            calls: VecDeque::new(),
            failed: HashMap::new(),
            repairs: Repairs::default(),
        }
    }

    /// Takes the next event of the session.
    pub fn push(&mut self, event: &Event) {
        // Several lines may be made of one event.
        self.at += 4;
        self.repairs.push(event);
        match event {
            Event::User(said) => self.utterance(said),
            Event::Repeat(repeat) => self.repeat(repeat),
            Event::Rewind(rewind) => self.rewind(rewind),
            Event::Undelivered(undelivered) => self.forget(undelivered.of),
            Event::Agent { place, text } if !place.sidechain => self.agent(place, text),
            Event::Call(call) if !call.place.sidechain => self.call(call),
            Event::Outcome(outcome) if !outcome.place.sidechain => self.outcome(outcome),
            Event::Interrupt { place, .. } => {
                self.add_line(self.at, worth::SOLVED, Line::of(event), place.time);
            }
            _ => {}
        }
    }

    fn utterance(&mut self, said: &Utterance) {
        if said.place.sidechain || said.authorship == Authorship::Doubtful {
            return;
        }
        self.close_steps();
        let Some(mut line) = Line::of(&Event::User(said.clone())) else { return };
        if line.role != Role::User {
            return self.add_line(self.at, worth::DONE, Some(line), said.place.time);
        }
        let before = self.answered_question(said, &line.text);
        if let Some((worth, context, chosen)) = before {
            line.chosen = chosen;
            self.add_line(self.at - 1, worth, Some(context), said.place.time);
        }
        self.last = None;
        self.awaits_reply = true;
        self.said_size += line.size();
        self.said.insert(self.at, WeighedLine { line, worth: u8::MAX, time: said.place.time, begins: true });
        self.bound_said(2 * self.room.part * self.room.parts);
    }

    /// The last word wins, so of what is too long the beginning goes.
    fn bound_said(&mut self, most: usize) {
        while self.said_size > most
            && let Some((_, piece)) = self.said.pop_first()
        {
            self.said_size -= piece.line.size();
            self.left_out += 1;
        }
    }

    /// What the person's words answer, how much it is worth, and what they picked of it.
    fn answered_question(&mut self, said: &Utterance, own: &str) -> Option<(u8, Line, String)> {
        match &said.origin {
            Origin::Answer { question, options, .. } => {
                let whole = |(label, more): &(String, String)| match more.as_str() {
                    "" => label.clone(),
                    more => format!("{label}: {}", head(more, 200)),
                };
                let picked = options.iter().filter(|(label, _)| said.text.contains(label.as_str()));
                let picked = picked.map(whole).collect::<Vec<_>>().join("; ");
                let offered =
                    options.iter().map(|(label, _)| head(label, 80)).collect::<Vec<_>>().join(" | ");
                let text = format!("asked: {} Options: {offered}", head(question, 400));
                let line = Line::new(&said.place, Role::Assistant, &one_line(&text))?;
                Some((worth::REFUSED, line, one_line(head(&picked, 400))))
            }
            Origin::Rejection { call } | Origin::PlanFeedback { call } => {
                let call = self.calls.iter().find(|known| known.id == *call)?;
                // Of a command both are the same.
                let summary =
                    if call.input.starts_with(&call.summary) { "" } else { head(&call.summary, TOOL) };
                let text = format!("refused: {}: {summary} {}", call.name, head(&call.input, 300));
                Some((worth::REFUSED, Line::tool(&call.place, &text)?, String::new()))
            }
            _ => {
                let (place, text) = self.last.take()?;
                // Points answered one by one, and a pick with a reason, say little without what was asked.
                let is_by_points = offered::points(own) > 1;
                let chosen =
                    offered::picked_option(&text, own).filter(|_| !is_by_points && own.len() <= LONG);
                let (worth, most) = if own.len() <= SHORT {
                    (worth::ANSWERED_SHORTLY, ASKED)
                } else if is_by_points || chosen.is_some() {
                    (worth::ANSWERED, ASKED)
                } else if own.len() <= LONG {
                    (worth::ANSWERED, AGENT)
                } else {
                    (worth::ANSWERED_AT_LENGTH, AGENT / 2)
                };
                let line = Line::new(&place, Role::Assistant, &closing_text(&text, most))?;
                let chosen = chosen.map(|option| one_line(head(&option, 400))).unwrap_or_default();
                Some((worth, line, chosen))
            }
        }
    }

    fn repeat(&mut self, repeat: &Repeat) {
        if repeat.authorship == Authorship::Doubtful {
            return self.forget(repeat.of);
        }
        let Some((text, pasted)) = &repeat.edited else { return };
        let words = person_words(text, pasted);
        let known = self.said.values_mut().find(|piece| piece.line.number == repeat.of);
        if let (Some(piece), false) = (known, words.trim().is_empty())
            && let Some(line) = Line::new(&repeat.place, Role::User, &words)
        {
            self.said_size = (self.said_size + line.text.len()).saturating_sub(piece.line.text.len());
            piece.line.text = line.text;
        }
    }

    /// What was said at a line is not shown as the person's.
    fn forget(&mut self, line: u64) {
        self.said.retain(|_, piece| piece.line.number != line);
        self.said_size = self.said.values().map(|piece| piece.line.size()).sum();
    }

    /// What the person took back was not said.
    fn rewind(&mut self, rewind: &Rewind) {
        let is_covered = |piece: &WeighedLine| (rewind.from..rewind.place.line).contains(&piece.line.number);
        self.said.retain(|_, piece| !is_covered(piece));
        self.around.retain(|_, piece| !is_covered(piece) || self.wanted.contains_key(&piece.line.number));
        let size = |pieces: &BTreeMap<u64, WeighedLine>| pieces.values().map(|piece| piece.line.size()).sum();
        (self.said_size, self.gathered) = (size(&self.said), size(&self.around));
    }

    fn agent(&mut self, place: &EntryLocation, text: &str) {
        let telling = cause::cause_excerpt(text, AGENT);
        let (worth, words) = match (self.wanted.get(&place.line).copied(), telling) {
            (Some(worth), telling) => (worth, telling.unwrap_or_else(|| bounded(text, AGENT))),
            (None, telling) if self.has_failed_often => {
                (worth::INFERRED, telling.unwrap_or_else(|| bounded(text, REMARK)))
            }
            (None, Some(telling)) => (worth::CAUSE, telling),
            _ if self.has_failed => (worth::EXPLAINED, bounded(text, REMARK)),
            _ if self.awaits_reply => (worth::REPLIED, head(text, REPLY).to_owned()),
            _ => (worth::NOTHING, bounded(text, REMARK)),
        };
        self.add_line(self.at, worth, Line::new(place, Role::Assistant, &words), place.time);
        self.awaits_reply = false;
        (self.has_failed, self.has_failed_often) = (false, false);
        self.last = Some((place.clone(), text.to_owned()));
    }

    fn call(&mut self, call: &ToolCall) {
        let is_written = ["Write", "Edit", "MultiEdit"].contains(&call.name.as_str());
        if is_written && is_memory(&call.summary) {
            let text = format!("wrote into {}: {}", head(&call.summary, TOOL), head(&call.input, MEMORY));
            self.add_line(self.at, worth::MEMORY, Line::tool(&call.place, &text), call.place.time);
        }
        let step = format!("{} {}", call.name, head(&one_line(&call.summary), STEP));
        let (_, _, steps) = self.done.get_or_insert_with(|| (self.at + 1, call.place.clone(), Vec::new()));
        let is_told = steps.contains(&step)
            || ["Read", "Grep", "Glob", "LS", "TodoWrite"].contains(&call.name.as_str());
        if steps.len() < STEPS && !is_told {
            steps.push(step);
        }
        self.calls.push_back(call.clone());
        if self.calls.len() > CALLS {
            self.calls.pop_front();
        }
    }

    fn outcome(&mut self, outcome: &ToolOutcome) {
        let call = self.calls.iter().find(|call| call.id == outcome.call);
        let name = call.map_or(String::new(), |call| format!("{}: {}", call.name, head(&call.summary, TOOL)));
        let (place, at) = (&outcome.place, self.at);
        match outcome.status {
            ToolStatus::Failed => {
                let text =
                    format!("failed: {} → {}", head(&name, STEP), head(outcome.error.trim(), 2 * TOOL));
                let is_first = self.failed.insert(name, at).is_none();
                let worth = if is_first { worth::FAILED } else { worth::REPLIED };
                self.add_line(at, worth, Line::tool(place, &text), place.time);
                self.has_failed = true;
                self.has_failed_often |= self.often.contains(&place.line);
            }
            ToolStatus::Ok => {
                if let Some(since) = self.failed.remove(&name) {
                    if let Some(piece) = self.around.get_mut(&since) {
                        piece.worth = piece.worth.max(worth::SOLVED);
                    }
                    // What the agent said before it did what helped.
                    if let Some((said, _)) = &self.last
                        && let Some(piece) =
                            self.of_agent.get(&said.line).and_then(|at| self.around.get_mut(at))
                    {
                        piece.worth = piece.worth.max(worth::EXPLAINED);
                    }
                    let text = format!("worked now: {}", head(&name, STEP));
                    self.add_line(at, worth::SOLVED, Line::tool(place, &text), place.time);
                }
                if outcome.user_modified {
                    let line = Line::of(&Event::Outcome(outcome.clone()));
                    self.add_line(at, worth::REFUSED, line, place.time);
                }
            }
            ToolStatus::Rejected | ToolStatus::PlanApproved | ToolStatus::Interrupted => {
                let text =
                    Line::of(&Event::Outcome(outcome.clone())).map(|line| line.text).unwrap_or_default();
                let line = Line::tool(place, &format!("{text}: {}", head(&name, TOOL)));
                self.add_line(at, worth::SOLVED, line, place.time);
            }
        }
    }

    /// What was done between two messages becomes one line.
    fn close_steps(&mut self) {
        let Some((at, place, steps)) = self.done.take() else { return };
        if !steps.is_empty() {
            let line = Line::tool(&place, &format!("did: {}", steps.join("; ")));
            self.add_line(at, worth::DONE, line, place.time);
        }
    }

    fn add_line(&mut self, at: u64, worth: u8, line: Option<Line>, time: Option<Timestamp>) {
        let Some(line) = line else { return };
        if line.role == Role::Assistant {
            // The same words may be worth showing for two reasons.
            if let Some(piece) = self.of_agent.get(&line.number).and_then(|at| self.around.get_mut(at)) {
                piece.worth = piece.worth.max(worth);
                if line.text.len() > piece.line.text.len() {
                    self.gathered += line.text.len() - piece.line.text.len();
                    piece.line = line;
                }
                return;
            }
            self.of_agent.insert(line.number, at);
        }
        self.gathered += line.size();
        if let Some(piece) = self.around.insert(at, WeighedLine { line, worth, time, begins: false }) {
            self.gathered -= piece.line.size();
        }
        if self.gathered > GATHERED {
            self.drop_half();
        }
    }

    /// Leaves half of what was gathered, the part worth most.
    fn drop_half(&mut self) {
        let mut order: Vec<(u8, u64)> = self.around.iter().map(|(at, piece)| (piece.worth, *at)).collect();
        order.sort_unstable();
        for (_, at) in order {
            if self.gathered <= GATHERED / 2 {
                break;
            }
            if let Some(piece) = self.around.remove(&at) {
                self.gathered -= piece.line.size();
            }
        }
    }

    /// What was gathered, as much as there is room for.
    pub fn finish(mut self) -> Digest {
        self.close_steps();
        let whole = self.room.part * self.room.parts;
        self.bound_said(whole - self.room.around.min(whole / 4));
        let (said, left_out) = (self.said_size, self.left_out);
        let mut left = (said * AROUND_SAID / 100).max(self.room.around).min(whole - said);
        self.shorten_answered(left);
        let worth_it = self.around.iter().filter(|(_, piece)| piece.worth > worth::NOTHING);
        let mut order: Vec<(u8, u64)> = worth_it.map(|(at, piece)| (piece.worth, *at)).collect();
        order.sort_by_key(|(worth, at)| (std::cmp::Reverse(*worth), *at));
        let mut chosen = std::mem::take(&mut self.said);
        for (_, at) in order {
            let Some(piece) = self.around.remove(&at) else { continue };
            if piece.line.size() <= left {
                left -= piece.line.size();
                chosen.insert(at, piece);
            }
        }
        if chosen.values().all(|piece| piece.line.role == Role::Tool) {
            return Digest { left_out, ..Digest::default() };
        }
        let mut parts = cut(chosen.into_values().collect(), self.room);
        self.number(&mut parts);
        let mends = std::mem::take(&mut self.repairs).finish().iter().filter_map(Mend::of).collect();
        Digest { parts, left_out, mends }
    }

    /// Where there is no room for all that short answers are about, each is shown less of, and none is left out for coming late.
    fn shorten_answered(&mut self, left: usize) {
        let size_of = |worth: &dyn Fn(u8) -> bool| -> usize {
            let all = self.around.values().filter(|piece| worth(piece.worth));
            all.map(|piece| piece.line.size()).sum()
        };
        if size_of(&|worth| worth > worth::NOTHING) <= left {
            return;
        }
        let before = size_of(&|worth| worth > worth::ANSWERED_SHORTLY);
        let answered = self.around.values_mut().filter(|piece| piece.worth == worth::ANSWERED_SHORTLY);
        let mut answered: Vec<&mut Line> = answered.map(|piece| &mut piece.line).collect();
        answered.sort_by_key(|line| line.size());
        let mut left = left.saturating_sub(before) * ASKED_SHARE / 100;
        let mut others = answered.len();
        for line in answered {
            let share = left / others.max(1);
            if line.size() > share.max(ASKED_LEAST) {
                line.text = closing_text(&line.text, share.saturating_sub(LINE).max(ASKED_LEAST));
            }
            left = left.saturating_sub(line.size());
            others -= 1;
        }
    }

    /// Says of each candidate in which part it is asked about: the first that shows what it rests on, or the last for want of
    /// room.
    fn number(&self, parts: &mut [Part]) {
        for (index, lines) in self.rests.iter().enumerate() {
            let shows = |part: &&mut Part| {
                let mut shown = part.shown.lines.iter();
                shown.any(|line| line.role != Role::Tool && lines.contains(&line.number))
            };
            let at = parts.iter_mut().position(|mut part| shows(&mut part)).unwrap_or(parts.len() - 1);
            parts[at].candidates.push(index);
        }
    }
}

/// Cuts into as few parts as there is room for, each before an exchange: where most time passed near an even cut.
fn cut(mut pieces: Vec<WeighedLine>, room: DigestLimits) -> Vec<Part> {
    let total: usize = pieces.iter().map(|piece| piece.line.size()).sum();
    let count = total.div_ceil(room.part).clamp(1, room.parts);
    let mut parts = Vec::new();
    for left in (1..=count).rev() {
        let total: usize = pieces.iter().map(|piece| piece.line.size()).sum();
        let even = total / left;
        let mut size = 0_usize;
        let mut best: Option<(Option<jiff::SignedDuration>, usize)> = None;
        for (index, piece) in pieces.iter().enumerate() {
            let is_near = size.abs_diff(even) * 100 <= even * OFF;
            if left > 1 && index > 0 && is_near && piece.begins {
                let before = pieces[..index].iter().rev().find_map(|piece| piece.time);
                let pause = piece.time.zip(before).map(|(now, then)| now.duration_since(then));
                if best.is_none_or(|(known, _)| pause > known) {
                    best = Some((pause, index));
                }
            }
            size += piece.line.size();
        }
        let at = match best {
            Some((_, at)) => at,
            None if left > 1 => pieces.len().div_ceil(left),
            None => pieces.len(),
        };
        let rest = pieces.split_off(at.min(pieces.len()));
        let lines: Vec<Line> = pieces.into_iter().map(|piece| piece.line).collect();
        if !lines.is_empty() {
            parts.push(Part { shown: ShownLines { lines }, candidates: Vec::new() });
        }
        pieces = rest;
    }
    parts
}

/// The end of what the agent said, where its questions are.
fn closing_text(text: &str, most: usize) -> String {
    let text = text.trim();
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{} {}", super::line::LEFT_OUT, tail(text, most).trim_start())
}

/// Whether a file is one in which the agent writes down what it is to remember.
fn is_memory(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    let is_markdown = name.ends_with(".md");
    ["claude.md", "claude.local.md", "agents.md", "memory.md"].contains(&name.as_str())
        || is_markdown && (name.starts_with("feedback_") || path.contains("/memory/"))
}
