//! What the person has lately said, so that the same words arriving twice are one utterance.
//!
//! It owns the ways words repeat: queued and then delivered (as an entry of their own, as an attachment, several
//! joined in one), taken back from the queue and edited, stopped by a hook or by escape and typed again. Words
//! said again after the agent has answered are said twice: that is a signal, not a repeat. Memory is bounded:
//! 64 utterances, 2 KB each. Start at [`Dialogue::add_utterance`].

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};

use crate::event::{Authorship, Origin, Place, Repeat, Rewind, Utterance};

/// Most utterances remembered.
const REMEMBERED: usize = 64;
/// Longest normalised text compared, in bytes.
const COMPARED: usize = 2048;
/// Lines within which a message taken from the queue is delivered, where times do not say it.
const DELIVERY: u64 = 60;
/// Time within which it is delivered. Real ones follow within 100 ms, though hundreds of lines may stand between:
/// the client flushes older progress then.
const DELIVERY_TIME: SignedDuration = SignedDuration::from_secs(10);
/// Shortest normalised text, in bytes, that is looked for within what somebody else sent: shorter ones stand anywhere.
const HELD: usize = 12;
/// A message that stays in the queue no longer than this found the agent idle: it was simply typed.
const IDLE: SignedDuration = SignedDuration::from_secs(1);

/// What became of words after they were said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// In the queue.
    Waiting,
    /// Taken from the queue for delivery at this line and time.
    Taken(u64, Option<Timestamp>),
    /// Taken back from the queue to be edited at this line.
    Popped(u64),
    /// Given to the agent.
    Said,
    /// Stopped: by a hook, or by the person before the agent had answered.
    Stopped,
}

#[derive(Debug)]
struct HeldUtterance {
    line: u64,
    /// Where the words stand last.
    last: Place,
    authorship: Authorship,
    words: String,
    origin: Origin,
    state: State,
    time: Option<Timestamp>,
    /// It went through the queue without waiting.
    idle: bool,
    /// The agent has spoken or acted since.
    answered: bool,
}

/// The person's last utterances, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Dialogue {
    heard: VecDeque<HeldUtterance>,
    /// Lines of queued utterances in the order they are delivered; `None` is a message of a machine.
    queue: VecDeque<Option<u64>>,
}

/// What an utterance turned out to be.
pub(crate) enum New {
    Utterance(Utterance),
    Repeats(Vec<Repeat>),
}

impl Dialogue {
    /// Takes in words; says whether they are new. New words have the origin `resolved`, which may know more than
    /// the utterance's own (they follow a rejection); words repeated keep theirs.
    pub(crate) fn add_utterance(&mut self, mut utterance: Utterance, resolved: Origin, queued: bool) -> New {
        let words = normalise(&utterance.text);
        if let Some(repeats) = self.repeats(&utterance, &words) {
            if queued && let Some(repeat) = repeats.first() {
                self.push_queue(Some(repeat.of));
            }
            return New::Repeats(repeats);
        }
        if self.heard.len() == REMEMBERED {
            self.heard.pop_front();
        }
        let line = utterance.place.line;
        let state = if queued { State::Waiting } else { State::Said };
        if queued {
            self.push_queue(Some(line));
        }
        utterance.origin = resolved;
        let (time, origin) = (utterance.place.time, utterance.origin.clone());
        let (last, authorship) = (utterance.place.clone(), utterance.authorship);
        self.heard.push_back(HeldUtterance {
            line,
            last,
            authorship,
            words,
            origin,
            state,
            time,
            idle: false,
            answered: false,
        });
        New::Utterance(utterance)
    }

    fn push_queue(&mut self, line: Option<u64>) {
        if self.queue.len() == REMEMBERED {
            self.queue.pop_front();
        }
        self.queue.push_back(line);
    }

    /// A machine's message was queued.
    pub(crate) fn queue_machine(&mut self) {
        self.push_queue(None);
    }

    /// The client took the first message from the queue, to deliver it.
    pub(crate) fn take(&mut self, at: u64, time: Option<Timestamp>) {
        if let Some(Some(line)) = self.queue.pop_front() {
            self.resolve(line, State::Taken(at, time));
        }
    }

    /// The person took everything back from the queue into the prompt.
    pub(crate) fn pop_all(&mut self, at: u64) {
        for line in std::mem::take(&mut self.queue).into_iter().flatten() {
            self.resolve(line, State::Popped(at));
        }
    }

    fn resolve(&mut self, line: u64, state: State) {
        if let Some(heard) = self.heard.iter_mut().rev().find(|heard| heard.line == line)
            && heard.state == State::Waiting
        {
            heard.state = state;
            if let State::Taken(at, taken) = state {
                heard.idle = match (heard.time, taken) {
                    (Some(time), Some(taken)) => taken.duration_since(time) <= IDLE,
                    _ => at == line + 1,
                };
            }
        }
    }

    /// The agent spoke or acted.
    pub(crate) fn answer(&mut self) {
        for heard in self.heard.iter_mut().rev() {
            if heard.answered {
                break;
            }
            heard.answered = true;
        }
    }

    /// The person went back: what was taken back is not there to be repeated.
    pub(crate) fn rewind(&mut self, rewind: &Rewind) {
        self.heard.retain(|heard| !rewind.covers(&heard.last));
    }

    /// Somebody else sent this: a message of the same words that waited in the queue was theirs too, also where the
    /// delivery says more, as who sent it.
    pub(crate) fn mark_foreign(&mut self, text: &str, place: &Place) -> Option<Repeat> {
        let words = normalise(text);
        let holds = |held: &str| {
            held == words || held.len() >= HELD && format!(" {words} ").contains(&format!(" {held} "))
        };
        let heard = self.heard.iter_mut().rev().find(|heard| {
            holds(&heard.words)
                && match heard.state {
                    State::Waiting => true,
                    State::Taken(at, time) => may_be_delivery(at, time, place),
                    State::Popped(_) | State::Said | State::Stopped => false,
                }
        })?;
        heard.authorship = Authorship::Doubtful;
        heard.state = State::Said;
        heard.last = place.clone();
        Some(Repeat {
            of: heard.line,
            place: place.clone(),
            origin: heard.origin.clone(),
            authorship: heard.authorship,
            edited: None,
            attachment: false,
        })
    }

    /// The person stopped the agent, or a hook stopped the prompt: what was said last may be said again.
    pub(crate) fn stop(&mut self) {
        if let Some(last) = self.heard.iter_mut().rev().find(|heard| heard.state == State::Said) {
            last.state = State::Stopped;
        }
    }

    fn repeats(&mut self, utterance: &Utterance, words: &str) -> Option<Vec<Repeat>> {
        let now = utterance.place.line;
        let last = self.heard.len().checked_sub(1)?;
        let found = self.heard.iter().enumerate().rev().find(|(index, heard)| match heard.state {
            State::Waiting => heard.words == words,
            State::Taken(at, time) => heard.words == words && may_be_delivery(at, time, &utterance.place),
            State::Popped(at) => {
                heard.words == words
                    || now.saturating_sub(at) <= DELIVERY && is_edit_of(&heard.words, words, 0.6)
            }
            State::Stopped => {
                *index == last && (heard.words == words || is_edit_of(&heard.words, words, 0.7))
            }
            State::Said => *index == last && !heard.answered && heard.words == words,
        });
        if let Some((index, _)) = found {
            return Some(vec![self.repeat(index, utterance, words)]);
        }
        self.match_joined(utterance, words)
    }

    fn repeat(&mut self, index: usize, utterance: &Utterance, words: &str) -> Repeat {
        let heard = &mut self.heard[index];
        let edited = heard.words != words;
        heard.origin = match (&heard.origin, &utterance.origin) {
            (Origin::Queued, Origin::Prompt) if heard.idle => Origin::Prompt,
            // In the queue nothing tells a shell command from words; its delivery does.
            (Origin::Queued, Origin::Shell) => Origin::Shell,
            (
                Origin::Queued | Origin::Prompt,
                origin @ (Origin::Rejection { .. } | Origin::PlanFeedback { .. }),
            ) => origin.clone(),
            (known, _) => known.clone(),
        };
        heard.state = if utterance.origin == Origin::Queued { State::Waiting } else { State::Said };
        if edited {
            heard.words = words.to_owned();
        }
        heard.last = utterance.place.clone();
        heard.authorship = utterance.authorship;
        let edited = edited.then(|| (utterance.text.clone(), utterance.pasted.clone()));
        Repeat {
            of: heard.line,
            place: utterance.place.clone(),
            origin: heard.origin.clone(),
            authorship: heard.authorship,
            edited,
            attachment: utterance.attachment,
        }
    }

    /// Several queued messages delivered as one: each is repeated, unless much is new.
    fn match_joined(&mut self, utterance: &Utterance, words: &str) -> Option<Vec<Repeat>> {
        let now = utterance.place.line;
        let waiting = |heard: &HeldUtterance| match heard.state {
            State::Waiting => true,
            State::Taken(at, time) => may_be_delivery(at, time, &utterance.place),
            State::Popped(at) => now.saturating_sub(at) <= DELIVERY,
            State::Said | State::Stopped => false,
        };
        let parts: Vec<usize> = (0..self.heard.len())
            .filter(|index| {
                let heard = &self.heard[*index];
                waiting(heard) && !heard.words.is_empty() && words.contains(&heard.words)
            })
            .collect();
        let covered: usize = parts.iter().map(|index| self.heard[*index].words.len() + 1).sum();
        if parts.len() < 2 || covered * 10 < words.len() * 9 {
            return None;
        }
        let repeats = parts.into_iter().map(|index| {
            let same = self.heard[index].words.clone();
            self.repeat(index, utterance, &same)
        });
        Some(repeats.collect())
    }
}

/// Whether words at `place` can be a message taken from the queue at this line and time.
fn may_be_delivery(line: u64, time: Option<Timestamp>, place: &Place) -> bool {
    let near = place.line.saturating_sub(line) <= DELIVERY;
    near || time.zip(place.time).is_some_and(|(taken, now)| now.duration_since(taken).abs() <= DELIVERY_TIME)
}

/// Lower-case words and numbers, one space between: what a comparison looks at.
fn normalise(text: &str) -> String {
    let mut words = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if words.len() + word.len() > COMPARED {
            break;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().flat_map(char::to_lowercase));
    }
    // Without any letter ("?", "👍") the characters themselves are compared.
    if words.is_empty() { text.trim().chars().take(64).collect() } else { words }
}

/// Whether one text holds so large a part of the other that it is an edit of it.
fn is_edit_of(one: &str, other: &str, share: f64) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.chars().count() < 8 {
        return false;
    }
    if long.starts_with(short) {
        return true;
    }
    let (few, many) = (trigrams(short), trigrams(long));
    let (mut common, mut rest) = (0_usize, &many[..]);
    for trigram in &few {
        rest = &rest[rest.partition_point(|other| other < trigram)..];
        if rest.first() == Some(trigram) {
            (common, rest) = (common + 1, &rest[1..]);
        }
    }
    common as f64 >= share * few.len() as f64
}

/// Every three characters in a row, sorted.
fn trigrams(text: &str) -> Vec<[char; 3]> {
    let chars: Vec<char> = text.chars().collect();
    let mut trigrams: Vec<[char; 3]> =
        chars.windows(3).map(|window| [window[0], window[1], window[2]]).collect();
    trigrams.sort_unstable();
    trigrams
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: u64, text: &str, origin: Origin) -> Utterance {
        let place = Place { line, uuid: String::new(), time: None, sidechain: false };
        Utterance {
            place,
            also: Vec::new(),
            origin,
            authorship: Authorship::Person,
            text: text.to_owned(),
            attachment: false,
            pasted: Vec::new(),
        }
    }

    #[test]
    fn an_edited_queue_entry_is_one_utterance_with_the_last_text() {
        let mut dialogue = Dialogue::default();
        assert!(matches!(
            dialogue.add_utterance(
                said(1, "I think it's the lint comman", Origin::Queued),
                Origin::Queued,
                true
            ),
            New::Utterance(_)
        ));
        dialogue.pop_all(2);
        let New::Repeats(repeats) = dialogue.add_utterance(
            said(3, "I think it's the lint command", Origin::Queued),
            Origin::Queued,
            true,
        ) else {
            panic!("taken for new words");
        };
        assert_eq!(repeats[0].of, 1);
        assert_eq!(
            repeats[0].edited.as_ref().map(|(text, _)| text.as_str()),
            Some("I think it's the lint command")
        );
    }

    #[test]
    fn words_said_again_after_an_answer_are_said_twice() {
        let mut dialogue = Dialogue::default();
        dialogue.add_utterance(said(1, "run the tests", Origin::Prompt), Origin::Prompt, false);
        dialogue.answer();
        assert!(matches!(
            dialogue.add_utterance(said(9, "run the tests", Origin::Prompt), Origin::Prompt, false),
            New::Utterance(_)
        ));
    }

    #[test]
    fn two_queued_messages_delivered_as_one_are_both_repeated() {
        let mut dialogue = Dialogue::default();
        dialogue.add_utterance(said(1, "use tabs", Origin::Queued), Origin::Queued, true);
        dialogue.add_utterance(said(2, "and keep the header", Origin::Queued), Origin::Queued, true);
        dialogue.take(3, None);
        dialogue.take(3, None);
        let New::Repeats(repeats) = dialogue.add_utterance(
            said(4, "use tabs\nand keep the header", Origin::Prompt),
            Origin::Prompt,
            false,
        ) else {
            panic!("taken for new words");
        };
        assert_eq!(repeats.iter().map(|repeat| repeat.of).collect::<Vec<_>>(), [1, 2]);
    }
}
