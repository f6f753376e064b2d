//! Messages typed while the agent works: they wait in a queue, and its operations stand in entries of their own.
//!
//! It owns what those operations say. Nothing in them says who sent a message: its delivery does, or that old clients
//! knew no other sender. What is taken back before it is sent was not said. Start at [`add_queue_operation`].

use std::borrow::Cow;

use super::entry_parts::{location, timestamp};
use super::wrappers::{self, UserText};
use super::{Arrival, EventSink, Filter};
use crate::entry::Entry;
use crate::event::{Authorship, Event, Origin, Undelivered};

/// The first version seen that writes a queued message again where the agent gets it. Before it, one that was given in
/// the middle of a turn only leaves the queue.
const DELIVERIES_SINCE: [u32; 3] = [2, 1, 87];

/// Why newer clients take a message out of the queue that nobody is to get any more.
const DISCARD_REASONS: [&str; 3] = ["cleared_on_cancel", "cancelled_by_sender", "rewound"];

/// Words that wait, and how they came.
struct QueuedWords<'t> {
    words: Cow<'t, str>,
    origin: Origin,
    authorship: Authorship,
}

/// What is queued: words of the person, or what a machine sent.
fn parse_queued(content: &str) -> Result<QueuedWords<'_>, Option<&'static str>> {
    match wrappers::classify_user_text(content) {
        UserText::Words(words, authorship) => match wrappers::typed_command(&words) {
            Some((_, "")) => Err(None),
            Some((command, arguments)) => {
                let origin = Origin::CommandArguments { command: command.to_owned() };
                Ok(QueuedWords { words: Cow::Owned(arguments.to_owned()), origin, authorship })
            }
            None => Ok(QueuedWords { words, origin: Origin::Queued, authorship }),
        },
        UserText::Machine(what) => Err(Some(what)),
        _ => Err(None),
    }
}

/// An operation on the queue.
pub(super) fn add_queue_operation(
    filter: &mut Filter<'_>,
    line: u64,
    entry: &Entry<'_>,
    out: &mut EventSink<'_>,
) {
    match &*entry.detail.decode() {
        "enqueue" => enqueue(filter, line, entry, out),
        "dequeue" | "remove" if DISCARD_REASONS.iter().any(|reason| entry.reason.equals(reason)) => {
            withdraw_named(filter, line, entry, out);
        }
        "dequeue" | "remove" => {
            let delivers = filter.client.is_before(DELIVERIES_SINCE);
            filter.dialogue.dequeue(
                line,
                timestamp(entry),
                named_message(filter, line, entry).as_deref(),
                delivers,
            );
        }
        // Clients that name what goes back into the prompt leave the rest in the queue.
        "popAll" if entry.content.is_some() => withdraw_named(filter, line, entry, out),
        "popAll" => {
            for of in filter.dialogue.withdraw_all_queued(line) {
                report_withdrawn(line, entry, Some(of), out);
            }
        }
        _ => {}
    }
}

fn enqueue(filter: &mut Filter<'_>, line: u64, entry: &Entry<'_>, out: &mut EventSink<'_>) {
    let Some(content) = entry.content else { return filter.dialogue.enqueue_machine() };
    match parse_queued(&content.decode()) {
        Ok(QueuedWords { words, origin, authorship }) => {
            let arrival = Arrival { queued: true, ..Arrival::new(origin) }.with_authorship(authorship);
            filter.add_utterance(line, entry, &words, arrival, out);
        }
        Err(what) => {
            filter.dialogue.enqueue_machine();
            if let Some(what) = what {
                out.count_machine_text(what);
            }
        }
    }
}

/// The words of the message that an operation names; empty for a machine's. Clients that say why they take one out
/// name it, where it is a text.
fn named_message(filter: &Filter<'_>, line: u64, entry: &Entry<'_>) -> Option<String> {
    let Some(content) = entry.content else { return (!entry.reason.is_empty()).then(String::new) };
    let content = content.decode();
    let Ok(queued) = parse_queued(&content) else { return Some(String::new()) };
    let words = filter.build_utterance(line, entry, &queued.words, queued.authorship);
    Some(words.map(|said| said.text).unwrap_or_default())
}

/// Takes back the message that an operation names.
fn withdraw_named(filter: &mut Filter<'_>, line: u64, entry: &Entry<'_>, out: &mut EventSink<'_>) {
    let taken_back = filter.dialogue.withdraw_queued(line, named_message(filter, line, entry).as_deref());
    report_withdrawn(line, entry, taken_back, out);
}

fn report_withdrawn(line: u64, entry: &Entry<'_>, of: Option<u64>, out: &mut EventSink<'_>) {
    if let Some(of) = of {
        let place = location(line, entry);
        out.emit(Event::Undelivered(Undelivered { of, place, taken_back: true }));
    }
}
