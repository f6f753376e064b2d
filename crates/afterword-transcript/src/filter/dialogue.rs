//! What the person has lately said, so that the same words arriving twice are one utterance.
//!
//! It owns the ways words repeat: queued and then delivered (as an entry of their own, as an attachment, several
//! joined in one), stopped by a hook or by escape and typed again; and which queued ones were never delivered. Words
//! said again after the agent has answered are said twice: that is a signal, not a repeat. Memory is bounded:
//! 64 utterances, 2 KB each. Start at [`Dialogue::add_utterance`].

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};

use crate::event::{Authorship, EntryLocation, Origin, Repeat, Rewind, Utterance};

/// Most utterances remembered.
const MAX_UTTERANCES: usize = 64;
/// Longest normalised text compared, in bytes.
const MAX_COMPARED_BYTES: usize = 2048;
/// Lines within which a message taken from the queue is delivered, where times do not say it.
const DELIVERY_LINES: u64 = 60;
/// Time within which it is delivered. Real ones follow within 100 ms, though hundreds of lines may stand between:
/// the client flushes older progress then.
const DELIVERY_TIME: SignedDuration = SignedDuration::from_secs(10);
/// Shortest normalised text, in bytes, that is looked for within what somebody else sent: shorter ones stand anywhere.
const MIN_CONTAINED_BYTES: usize = 12;
/// A message that stays in the queue no longer than this found the agent idle: it was simply typed.
const MAX_IDLE_WAIT: SignedDuration = SignedDuration::from_secs(1);

/// What became of words after they were said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UtteranceState {
    /// In the queue.
    Waiting,
    /// Taken from the queue for delivery at this line and time.
    Taken(u64, Option<Timestamp>),
    /// Taken back from the queue at this line, having been said before.
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
    last: EntryLocation,
    authorship: Authorship,
    words: String,
    origin: Origin,
    state: UtteranceState,
    time: Option<Timestamp>,
    /// It went through the queue without waiting.
    idle: bool,
    /// It was typed at the prompt, or the agent got it from the queue.
    delivered: bool,
    /// The agent has spoken or acted since.
    answered: bool,
}

/// The person's last utterances, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Dialogue {
    heard: VecDeque<HeldUtterance>,
    /// Lines of queued utterances in the order they are delivered; `None` is a message of a machine.
    queue: VecDeque<Option<u64>>,
    /// The line of a message that waited for so long that it is no longer remembered.
    forgotten: Option<u64>,
}

/// What an utterance turned out to be.
pub(crate) enum AddedWords {
    Utterance(Utterance),
    Repeats(Vec<Repeat>),
}

impl Dialogue {
    /// Takes in words; says whether they are new. New words have the origin `resolved`, which may know more than
    /// the utterance's own (they follow a rejection); words repeated keep theirs.
    pub(crate) fn add_utterance(
        &mut self,
        mut utterance: Utterance,
        resolved: Origin,
        queued: bool,
    ) -> AddedWords {
        let words = normalise(&utterance.text);
        if let Some(repeats) = self.find_repeats(&utterance, &words, queued) {
            if queued && let Some(repeat) = repeats.first() {
                self.enqueue(Some(repeat.of));
            }
            return AddedWords::Repeats(repeats);
        }
        if self.heard.len() == MAX_UTTERANCES {
            let oldest = self.heard.pop_front().filter(|oldest| !oldest.delivered);
            self.forgotten = oldest.map(|oldest| oldest.line);
        }
        let line = utterance.place.line;
        let state = if queued { UtteranceState::Waiting } else { UtteranceState::Said };
        if queued {
            self.enqueue(Some(line));
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
            delivered: !queued,
            answered: false,
        });
        AddedWords::Utterance(utterance)
    }

    fn enqueue(&mut self, line: Option<u64>) {
        if self.queue.len() == MAX_UTTERANCES {
            self.queue.pop_front();
        }
        self.queue.push_back(line);
    }

    /// A machine's message was queued.
    pub(crate) fn enqueue_machine(&mut self) {
        self.enqueue(None);
    }

    /// The client took a message from the queue to deliver it: the one it names, or the first. `delivers` says that
    /// the agent has it then, without another entry that proves it.
    pub(crate) fn dequeue(&mut self, at: u64, time: Option<Timestamp>, named: Option<&str>, delivers: bool) {
        if let Some(line) = self.remove_queued(named) {
            self.set_queue_state(line, UtteranceState::Taken(at, time), delivers);
        }
    }

    /// A message was taken back from the queue: the one that is named, or the first. Gives the line of its words where
    /// they were never said.
    pub(crate) fn withdraw_queued(&mut self, at: u64, named: Option<&str>) -> Option<u64> {
        let line = self.remove_queued(named)?;
        self.withdraw_words(line, at)
    }

    /// The person took everything back from the queue into the prompt. Gives the lines of words that were never said.
    pub(crate) fn withdraw_all_queued(&mut self, at: u64) -> Vec<u64> {
        let lines = std::mem::take(&mut self.queue).into_iter().flatten();
        lines.filter_map(|line| self.withdraw_words(line, at)).collect()
    }

    /// Lines of the words that were given to nobody, by what was read until now.
    pub(crate) fn undelivered(&self) -> Vec<u64> {
        self.heard.iter().filter(|heard| !heard.delivered).map(|heard| heard.line).collect()
    }

    /// The line of words that were given to nobody while they were remembered.
    pub(crate) fn take_forgotten(&mut self) -> Option<u64> {
        self.forgotten.take()
    }

    /// Takes a message out of the queue; gives the line of its words.
    fn remove_queued(&mut self, named: Option<&str>) -> Option<u64> {
        let at = match named.map(normalise) {
            Some(words) => self.queue.iter().position(|queued| match queued {
                Some(line) => self.heard.iter().any(|heard| heard.line == *line && heard.words == words),
                None => words.is_empty(),
            })?,
            None => 0,
        };
        self.queue.remove(at).flatten()
    }

    fn withdraw_words(&mut self, line: u64, at: u64) -> Option<u64> {
        let index = self.heard.iter().position(|heard| heard.line == line)?;
        if self.heard[index].delivered {
            self.set_queue_state(line, UtteranceState::Popped(at), false);
            return None;
        }
        self.heard.remove(index);
        Some(line)
    }

    fn set_queue_state(&mut self, line: u64, state: UtteranceState, delivers: bool) {
        if let Some(heard) = self.heard.iter_mut().rev().find(|heard| heard.line == line)
            && heard.state == UtteranceState::Waiting
        {
            heard.state = state;
            heard.delivered |= delivers;
            if let UtteranceState::Taken(at, taken) = state {
                heard.idle = match (heard.time, taken) {
                    (Some(time), Some(taken)) => taken.duration_since(time) <= MAX_IDLE_WAIT,
                    _ => at == line + 1,
                };
            }
        }
    }

    /// The agent spoke or acted.
    pub(crate) fn mark_answered(&mut self) {
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
    pub(crate) fn mark_foreign(&mut self, text: &str, place: &EntryLocation) -> Option<Repeat> {
        let words = normalise(text);
        let holds = |held: &str| {
            held == words
                || held.len() >= MIN_CONTAINED_BYTES && format!(" {words} ").contains(&format!(" {held} "))
        };
        let heard = self.heard.iter_mut().rev().find(|heard| {
            holds(&heard.words)
                && match heard.state {
                    UtteranceState::Waiting => true,
                    UtteranceState::Taken(at, time) => is_possible_delivery(at, time, place),
                    UtteranceState::Popped(_) | UtteranceState::Said | UtteranceState::Stopped => false,
                }
        })?;
        heard.authorship = Authorship::Doubtful;
        (heard.state, heard.delivered) = (UtteranceState::Said, true);
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
    pub(crate) fn mark_stopped(&mut self) {
        if let Some(last) = self.heard.iter_mut().rev().find(|heard| heard.state == UtteranceState::Said) {
            last.state = UtteranceState::Stopped;
        }
    }

    fn find_repeats(&mut self, utterance: &Utterance, words: &str, queued: bool) -> Option<Vec<Repeat>> {
        let now = utterance.place.line;
        let last = self.heard.len().checked_sub(1)?;
        let found = self.heard.iter().enumerate().rev().find(|(index, heard)| match heard.state {
            UtteranceState::Waiting => heard.words == words,
            UtteranceState::Taken(at, time) => {
                heard.words == words && is_possible_delivery(at, time, &utterance.place)
            }
            UtteranceState::Popped(at) => {
                heard.words == words
                    || now.saturating_sub(at) <= DELIVERY_LINES && is_edit_of(&heard.words, words, 0.6)
            }
            UtteranceState::Stopped => {
                *index == last && (heard.words == words || is_edit_of(&heard.words, words, 0.7))
            }
            UtteranceState::Said => *index == last && !heard.answered && heard.words == words,
        });
        if let Some((index, _)) = found {
            return Some(vec![self.record_repeat(index, utterance, words, queued)]);
        }
        self.match_joined(utterance, words, queued)
    }

    fn record_repeat(&mut self, index: usize, utterance: &Utterance, words: &str, queued: bool) -> Repeat {
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
        heard.state = if queued { UtteranceState::Waiting } else { UtteranceState::Said };
        heard.delivered |= !queued;
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
    fn match_joined(&mut self, utterance: &Utterance, words: &str, queued: bool) -> Option<Vec<Repeat>> {
        let now = utterance.place.line;
        let waiting = |heard: &HeldUtterance| match heard.state {
            UtteranceState::Waiting => true,
            UtteranceState::Taken(at, time) => is_possible_delivery(at, time, &utterance.place),
            UtteranceState::Popped(at) => now.saturating_sub(at) <= DELIVERY_LINES,
            UtteranceState::Said | UtteranceState::Stopped => false,
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
            self.record_repeat(index, utterance, &same, queued)
        });
        Some(repeats.collect())
    }
}

/// Whether words at `place` can be a message taken from the queue at this line and time.
fn is_possible_delivery(line: u64, time: Option<Timestamp>, place: &EntryLocation) -> bool {
    let near = place.line.saturating_sub(line) <= DELIVERY_LINES;
    near || time.zip(place.time).is_some_and(|(taken, now)| now.duration_since(taken).abs() <= DELIVERY_TIME)
}

/// Lower-case words and numbers, one space between: what a comparison looks at.
fn normalise(text: &str) -> String {
    let mut words = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if words.len() + word.len() > MAX_COMPARED_BYTES {
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

    fn utterance(line: u64, text: &str, origin: Origin) -> Utterance {
        let place = EntryLocation { line, uuid: String::new(), time: None, sidechain: false };
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
    fn what_is_taken_back_from_the_queue_was_not_said_unless_it_was_before() {
        let mut dialogue = Dialogue::default();
        let queue = |dialogue: &mut Dialogue, line, text| {
            let said = utterance(line, text, Origin::Queued);
            matches!(dialogue.add_utterance(said, Origin::Queued, true), AddedWords::Utterance(_))
        };
        assert!(queue(&mut dialogue, 1, "I think it's the lint comman"));
        assert_eq!(dialogue.withdraw_all_queued(2), [1]);
        assert!(queue(&mut dialogue, 3, "I think it's the lint command"));
        assert!(queue(&mut dialogue, 4, "and the docs"));
        // Only the one that is named.
        assert_eq!(dialogue.withdraw_queued(5, Some("And the docs!")), Some(4));
        assert_eq!(dialogue.withdraw_queued(6, Some("something else")), None);
        assert_eq!(dialogue.undelivered(), [3]);
        dialogue.dequeue(7, None, None, false);
        assert_eq!(dialogue.undelivered(), [3]);
        dialogue.add_utterance(
            utterance(8, "I think it's the lint command", Origin::Prompt),
            Origin::Prompt,
            false,
        );
        assert_eq!(dialogue.undelivered(), [0_u64; 0]);
        // Typed again at once, and taken back: the first time stands.
        assert!(!queue(&mut dialogue, 9, "I think it's the lint command"));
        assert_eq!(dialogue.withdraw_all_queued(10), [0_u64; 0]);
    }

    #[test]
    fn what_waits_too_long_to_be_remembered_is_known_for_undelivered() {
        let mut dialogue = Dialogue::default();
        dialogue.add_utterance(utterance(1, "always deploy", Origin::Queued), Origin::Queued, true);
        for line in 2..=MAX_UTTERANCES as u64 {
            dialogue.add_utterance(
                utterance(line, &format!("message {line}"), Origin::Prompt),
                Origin::Prompt,
                false,
            );
        }
        assert_eq!(dialogue.take_forgotten(), None);
        dialogue.add_utterance(utterance(99, "one more", Origin::Prompt), Origin::Prompt, false);
        assert_eq!(dialogue.take_forgotten(), Some(1));
        assert_eq!(dialogue.take_forgotten(), None);
    }

    #[test]
    fn words_said_again_after_an_answer_are_said_twice() {
        let mut dialogue = Dialogue::default();
        dialogue.add_utterance(utterance(1, "run the tests", Origin::Prompt), Origin::Prompt, false);
        dialogue.mark_answered();
        assert!(matches!(
            dialogue.add_utterance(utterance(9, "run the tests", Origin::Prompt), Origin::Prompt, false),
            AddedWords::Utterance(_)
        ));
    }

    #[test]
    fn two_queued_messages_delivered_as_one_are_both_repeated() {
        let mut dialogue = Dialogue::default();
        dialogue.add_utterance(utterance(1, "use tabs", Origin::Queued), Origin::Queued, true);
        dialogue.add_utterance(utterance(2, "and keep the header", Origin::Queued), Origin::Queued, true);
        dialogue.dequeue(3, None, None, false);
        dialogue.dequeue(3, None, None, false);
        let AddedWords::Repeats(repeats) = dialogue.add_utterance(
            utterance(4, "use tabs\nand keep the header", Origin::Prompt),
            Origin::Prompt,
            false,
        ) else {
            panic!("taken for new words");
        };
        assert_eq!(repeats.iter().map(|repeat| repeat.of).collect::<Vec<_>>(), [1, 2]);
    }
}
