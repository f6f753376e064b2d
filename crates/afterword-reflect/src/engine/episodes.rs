//! What of a session a model is shown: the lines around what the built-in engine found, and no others.
//!
//! It is gathered from a stream of events in memory that depends on what was found, not on the session's length. Secrets
//! were taken out of the events before.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use afterword_core::{Candidate, Confidence, Role};
use afterword_transcript::event::{Authorship, Event, Place, Status};

use crate::builtin::words::{head, own_words, tail};

/// What stands before a line that was found, in events.
const BEFORE: usize = 3;
/// And after it.
const AFTER: usize = 3;
/// All that is shown, in bytes: some 4,000 tokens, so that a call reads 6,000 at most with its instructions.
const MOST: usize = 12_000;
/// Longest words of the person, in bytes.
const PERSON: usize = 700;
/// Longest words of the agent, in bytes.
const AGENT: usize = 420;
/// Longest line about a tool, in bytes.
const TOOL: usize = 160;

/// One thing that was said or done, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Line in the transcript.
    pub number: u64,
    /// The entry's uuid.
    pub uuid: String,
    /// Who said it.
    pub role: Role,
    /// The words, bounded: the same words evidence is looked for in.
    pub text: String,
}

/// Lines that follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Episode {
    /// In order.
    pub lines: Vec<Line>,
    /// How much what was found in it is worth.
    weight: u32,
}

/// All that is shown of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Digest {
    /// In order.
    pub episodes: Vec<Episode>,
    /// Episodes that were left out because there were too many.
    pub left_out: usize,
}

/// Gathers a digest from a session's events.
#[derive(Debug)]
pub struct Collector {
    wanted: BTreeMap<u64, u32>,
    recent: VecDeque<Line>,
    open: Option<(Episode, usize)>,
    done: Vec<Episode>,
}

impl Collector {
    /// A collector of what stands around the evidence of these candidates.
    pub fn around(candidates: &[Candidate]) -> Self {
        let mut wanted = BTreeMap::new();
        for candidate in candidates {
            let weight = match candidate.confidence {
                Confidence::High => 3,
                Confidence::Medium => 2,
                Confidence::Low => 1,
            };
            for evidence in candidate.evidence.iter().filter(|evidence| evidence.role != Role::Tool).take(6) {
                let known = wanted.entry(evidence.line).or_insert(0);
                *known = weight.max(*known);
            }
        }
        Self { wanted, recent: VecDeque::new(), open: None, done: Vec::new() }
    }

    /// Takes the next event of the session.
    pub fn push(&mut self, event: &Event) {
        let Some(line) = Line::of(event) else { return };
        if let Some(weight) = self.wanted.get(&line.number).copied() {
            let (mut episode, _) = self.open.take().unwrap_or_default();
            episode.lines.extend(self.recent.drain(..));
            episode.lines.push(line);
            episode.weight = episode.weight.max(weight);
            self.open = Some((episode, AFTER));
        } else if let Some((episode, left)) = &mut self.open
            && *left > 0
        {
            episode.lines.push(line);
            *left -= 1;
        } else {
            if self.recent.len() == BEFORE {
                // Something lies between: what was open ends here.
                self.recent.pop_front();
                self.done.extend(self.open.take().map(|(episode, _)| episode));
            }
            self.recent.push_back(line);
        }
    }

    /// What was gathered. Where it is too much, what was found with the least confidence is left out.
    pub fn finish(mut self) -> Digest {
        self.done.extend(self.open.take().map(|(episode, _)| episode));
        let mut left_out = 0;
        while self.done.len() > 1 && self.done.iter().map(Episode::size).sum::<usize>() > MOST {
            let weakest =
                (0..self.done.len()).rev().min_by_key(|index| self.done[*index].weight).unwrap_or(0);
            self.done.remove(weakest);
            left_out += 1;
        }
        for episode in &mut self.done {
            while episode.size() > MOST {
                episode.lines.pop();
            }
        }
        Digest { episodes: self.done, left_out }
    }
}

/// Gathers the end of a session.
#[derive(Debug, Default)]
pub struct Tail {
    lines: VecDeque<Line>,
    size: usize,
}

/// The end of a session that is shown, in bytes: some 2,000 tokens.
const TAIL: usize = 6_000;

impl Tail {
    /// Takes the next event of the session.
    pub fn push(&mut self, event: &Event) {
        let Some(line) = Line::of(event) else { return };
        self.size += line.size();
        self.lines.push_back(line);
        while self.size > TAIL
            && let Some(first) = self.lines.pop_front()
        {
            self.size -= first.size();
        }
    }

    /// What was gathered, as one episode.
    pub fn finish(self) -> Digest {
        let lines: Vec<Line> = self.lines.into();
        let episodes = if lines.is_empty() { Vec::new() } else { vec![Episode { lines, weight: 0 }] };
        Digest { episodes, left_out: 0 }
    }
}

impl Episode {
    fn size(&self) -> usize {
        self.lines.iter().map(Line::size).sum()
    }
}

impl Digest {
    /// The lines of all episodes.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.episodes.iter().flat_map(|episode| &episode.lines)
    }

    /// Nothing is worth reading.
    pub fn is_empty(&self) -> bool {
        self.episodes.is_empty()
    }

    /// As the model sees it: every line with its number and who spoke.
    pub fn shown(&self) -> String {
        let mut shown = String::new();
        for (index, episode) in self.episodes.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = writeln!(shown, "--- episode {}", index + 1);
            for line in &episode.lines {
                let who = match line.role {
                    Role::User => "person",
                    Role::Assistant => "agent",
                    Role::Tool => "tool",
                };
                let _ = writeln!(shown, "[{} {who}] {}", line.number, line.text.replace('\n', "\n    "));
            }
        }
        shown
    }
}

impl Line {
    fn size(&self) -> usize {
        self.text.len() + 16
    }

    fn of(event: &Event) -> Option<Self> {
        let line = |place: &Place, role: Role, text: String| {
            let text = contained(text.trim());
            (!place.sidechain && !text.is_empty()).then(|| Self {
                number: place.line,
                uuid: place.uuid.clone(),
                role,
                text,
            })
        };
        match event {
            // What may be somebody else's is not shown as the person's.
            Event::User(said) if said.authorship == Authorship::Doubtful => None,
            Event::User(said) => {
                line(&said.place, Role::User, bounded(&own_words(&said.text, &said.pasted), PERSON))
            }
            Event::Agent { place, text } => line(place, Role::Assistant, bounded(text, AGENT)),
            Event::Call(call) => {
                let summary = call.summary.split_whitespace().collect::<Vec<_>>().join(" ");
                line(&call.place, Role::Tool, format!("{}: {}", call.name, head(&summary, TOOL)))
            }
            Event::Outcome(outcome) => match outcome.status {
                Status::Failed => {
                    line(&outcome.place, Role::Tool, format!("failed: {}", head(&outcome.error, TOOL)))
                }
                Status::Rejected => line(&outcome.place, Role::Tool, "rejected by the person".to_owned()),
                Status::PlanApproved => {
                    line(&outcome.place, Role::Tool, "the person approved the plan".to_owned())
                }
                Status::Interrupted => line(&outcome.place, Role::Tool, "stopped by the person".to_owned()),
                Status::Ok => None,
            },
            Event::Interrupt { place, .. } => line(place, Role::Tool, "the person pressed escape".to_owned()),
            Event::Repeat(_) | Event::Compaction { .. } | Event::Rewind(_) => None,
        }
    }
}

fn bounded(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{} […] {}", head(text, most / 2), tail(text, most / 2))
}

/// The marks that end the session's part of a prompt cannot be said inside it.
fn contained(text: &str) -> String {
    text.replace("</session", "‹/session").replace("<session", "‹session")
}
