//! A remark: something the agent said while it looked for a cause, with what led to it and what came of it.

use std::collections::VecDeque;
use std::rc::Rc;

use afterword_transcript::event::{EntryLocation, Event, ToolStatus};

use super::language::{Language, normalise};
use super::moment::is_edit;
use super::words::{head, own_words, tail};

/// Longest text kept of a remark, in bytes.
const TEXT: usize = 3000;
/// Shorter remarks ("Let me check that.") name no cause.
const SHORTEST: usize = 40;
/// How many events back failures and look-ups still belong to a remark.
const BACK: usize = 14;
/// How many events ahead edits and successes still belong to it.
const AHEAD: u32 = 14;
/// How many remarks wait for what follows; older ones are done with what is known.
const WAITING: usize = 256;

/// Something the agent said, with what led to it and what came of it.
#[derive(Debug, Clone)]
pub struct Remark {
    /// Where.
    pub place: EntryLocation,
    /// The words, bounded.
    pub text: String,
    /// How many events came before it.
    pub ordinal: u64,
    /// Calls that failed shortly before.
    pub failures: u32,
    /// A call failed right before.
    pub failed_last: bool,
    /// Look-ups shortly before.
    pub lookups: u32,
    /// It answers the person directly.
    pub answers: bool,
    /// What the person had said last.
    pub person: Option<Rc<WeighedUtterance>>,
    /// One of the next two calls changes a file.
    pub edits_next: bool,
    /// A call soon after changes a file.
    pub edits_soon: bool,
    /// Calls soon after.
    pub calls: u32,
    /// Calls soon after that worked.
    pub worked: u32,
    /// Calls soon after that failed.
    pub failed: u32,
    /// How the person went on.
    pub next: Option<Rc<WeighedUtterance>>,
    ahead: u32,
}

/// What a person said, weighed once for all remarks around it.
#[derive(Debug)]
pub struct WeighedUtterance {
    /// Where.
    pub place: EntryLocation,
    /// The families of expressions present, in the order of [`Families::names`](super::language::Families::names).
    pub present: Vec<bool>,
    /// It holds a question.
    pub asks: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recent {
    Person,
    Failure,
    Lookup,
    Other,
}

/// Assembles remarks from events.
#[derive(Debug)]
pub struct Remarks {
    language: &'static Language,
    done: Vec<Remark>,
    waiting: VecDeque<Remark>,
    recent: VecDeque<Recent>,
    person: Option<Rc<WeighedUtterance>>,
    ordinal: u64,
}

impl Remarks {
    /// Remarks of a session whose person speaks `language`.
    pub fn new(language: &'static Language) -> Self {
        let (done, waiting, recent) = (Vec::new(), VecDeque::new(), VecDeque::new());
        Self { language, done, waiting, recent, person: None, ordinal: 0 }
    }

    /// Takes the next event; returns the remarks that are complete.
    pub fn push(&mut self, event: &Event) -> Vec<Remark> {
        self.ordinal += 1;
        match event {
            Event::User(utterance) => {
                let text = normalise(head(&own_words(&utterance.text, &utterance.pasted), 800));
                let said = Rc::new(WeighedUtterance {
                    place: utterance.place.clone(),
                    present: self.language.person.present(&text),
                    asks: text.contains('?'),
                });
                for remark in &mut self.waiting {
                    remark.next = Some(Rc::clone(&said));
                }
                self.done.extend(self.waiting.drain(..));
                self.person = Some(said);
                self.note(Recent::Person);
            }
            Event::Agent { place, text } if !place.sidechain => {
                self.look_ahead(|_| {});
                if text.len() >= SHORTEST {
                    self.remark(place, text);
                }
                self.note(Recent::Other);
            }
            Event::Call(call) if !call.place.sidechain => {
                let edits = is_edit(&call.name);
                self.look_ahead(|remark| {
                    remark.calls += 1;
                    remark.edits_next |= edits && remark.calls <= 2;
                    remark.edits_soon |= edits;
                });
                let lookup = matches!(call.name.as_str(), "Read" | "Grep" | "Glob" | "Bash" | "LS");
                self.note(if lookup { Recent::Lookup } else { Recent::Other });
            }
            Event::Outcome(outcome) if !outcome.place.sidechain => {
                let failed = outcome.status == ToolStatus::Failed;
                self.look_ahead(|remark| if failed { remark.failed += 1 } else { remark.worked += 1 });
                self.note(if failed { Recent::Failure } else { Recent::Other });
            }
            Event::Rewind(rewind) => self.waiting.retain(|remark| !rewind.covers(&remark.place)),
            _ => {}
        }
        std::mem::take(&mut self.done)
    }

    /// The remarks nothing followed.
    pub fn finish(self) -> Vec<Remark> {
        self.waiting.into()
    }

    fn note(&mut self, recent: Recent) {
        if self.recent.len() == BACK {
            self.recent.pop_front();
        }
        self.recent.push_back(recent);
    }

    fn look_ahead(&mut self, mut see: impl FnMut(&mut Remark)) {
        for remark in self.waiting.iter_mut().filter(|remark| remark.ahead < AHEAD) {
            remark.ahead += 1;
            see(remark);
        }
    }

    fn remark(&mut self, place: &EntryLocation, text: &str) {
        let count = |kind: Recent| {
            u32::try_from(self.recent.iter().filter(|recent| **recent == kind).count()).unwrap_or(0)
        };
        let last =
            |depth: usize, kind: Recent| self.recent.iter().rev().take(depth).any(|recent| *recent == kind);
        if self.waiting.len() == WAITING {
            self.done.extend(self.waiting.pop_front());
        }
        let text = if text.len() > TEXT {
            format!("{}\n{}", head(text, TEXT * 2 / 3), tail(text, TEXT / 3))
        } else {
            text.to_owned()
        };
        self.waiting.push_back(Remark {
            place: place.clone(),
            text,
            ordinal: self.ordinal,
            failures: count(Recent::Failure),
            failed_last: last(3, Recent::Failure),
            lookups: count(Recent::Lookup),
            answers: last(2, Recent::Person),
            person: self.person.clone(),
            edits_next: false,
            edits_soon: false,
            calls: 0,
            worked: 0,
            failed: 0,
            next: None,
            ahead: 0,
        });
    }
}
