//! Messages typed while the agent works: they wait in a queue, and its operations stand in entries of their own.
//!
//! It owns what those operations say. Nothing in them says who sent a message: its delivery does, or that old clients
//! knew no other sender. What is taken back before it is sent was not said. Start at [`Filter::queue`].

use std::borrow::Cow;

use super::parts::{place, time};
use super::wrappers::{self, Unwrapped};
use super::{Arrival, Filter, Out};
use crate::entry::Entry;
use crate::event::{Authorship, Event, Origin, Undelivered};

/// The first version seen that writes a queued message again where the agent gets it. Before it, one that was given in
/// the middle of a turn only leaves the queue.
const DELIVERIES_SINCE: [u32; 3] = [2, 1, 87];

/// Why newer clients take a message out of the queue that nobody is to get any more.
const DISCARDED: [&str; 3] = ["cleared_on_cancel", "cancelled_by_sender", "rewound"];

/// Words that wait, and how they came.
struct QueuedWords<'t> {
    words: Cow<'t, str>,
    origin: Origin,
    authorship: Authorship,
}

/// What is queued: words of the person, or what a machine sent.
fn queued_words(content: &str) -> Result<QueuedWords<'_>, Option<&'static str>> {
    match wrappers::sort(content) {
        Unwrapped::Words(words, authorship) => match wrappers::typed_command(&words) {
            Some((_, "")) => Err(None),
            Some((command, arguments)) => {
                let origin = Origin::CommandArguments { command: command.to_owned() };
                Ok(QueuedWords { words: Cow::Owned(arguments.to_owned()), origin, authorship })
            }
            None => Ok(QueuedWords { words, origin: Origin::Queued, authorship }),
        },
        Unwrapped::Machine(what) => Err(Some(what)),
        _ => Err(None),
    }
}

impl Filter<'_> {
    /// An operation on the queue.
    pub(super) fn queue(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        match &*entry.detail.decode() {
            "enqueue" => self.enqueue(line, entry, out),
            "dequeue" | "remove" if DISCARDED.iter().any(|reason| entry.reason.is(reason)) => {
                self.take_named_back(line, entry, out);
            }
            "dequeue" | "remove" => {
                let delivers = self.client.is_before(DELIVERIES_SINCE);
                self.dialogue.take(line, time(entry), self.named_words(line, entry).as_deref(), delivers);
            }
            // Clients that name what goes back into the prompt leave the rest in the queue.
            "popAll" if entry.content.is_some() => self.take_named_back(line, entry, out),
            "popAll" => {
                for of in self.dialogue.take_all_back(line) {
                    self.withdraw(line, entry, Some(of), out);
                }
            }
            _ => {}
        }
    }

    fn enqueue(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        let Some(content) = entry.content else { return self.dialogue.queue_machine() };
        match queued_words(&content.decode()) {
            Ok(QueuedWords { words, origin, authorship }) => {
                let arrival = Arrival { queued: true, ..Arrival::new(origin) }.with_authorship(authorship);
                self.add_utterance(line, entry, &words, arrival, out);
            }
            Err(what) => {
                self.dialogue.queue_machine();
                if let Some(what) = what {
                    out.machine(what);
                }
            }
        }
    }

    /// The words of the message that an operation names; empty for a machine's. Clients that say why they take one out
    /// name it, where it is a text.
    fn named_words(&self, line: u64, entry: &Entry<'_>) -> Option<String> {
        let Some(content) = entry.content else { return (!entry.reason.is_empty()).then(String::new) };
        let content = content.decode();
        let Ok(queued) = queued_words(&content) else { return Some(String::new()) };
        let words = self.utterance(line, entry, &queued.words, queued.authorship);
        Some(words.map(|said| said.text).unwrap_or_default())
    }

    /// Takes back the message that an operation names.
    fn take_named_back(&mut self, line: u64, entry: &Entry<'_>, out: &mut Out<'_>) {
        let taken_back = self.dialogue.take_back(line, self.named_words(line, entry).as_deref());
        self.withdraw(line, entry, taken_back, out);
    }

    fn withdraw(&self, line: u64, entry: &Entry<'_>, of: Option<u64>, out: &mut Out<'_>) {
        if let Some(of) = of {
            let place = place(line, entry);
            out.event(Event::Undelivered(Undelivered { of, place, taken_back: true }));
        }
    }
}
