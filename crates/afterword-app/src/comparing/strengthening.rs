//! What is said again: it grows the note it was learnt as, which counts once it was said outright or often enough.

use std::collections::BTreeSet;

use afterword_core::{Confidence, ContentKey, Destination, NoteId, Signal};
use afterword_recall::Meaning;
use afterword_vault::{Lesson, Status};

use super::{
    ComparedLessons, Comparing, Match, OFTEN, Promotion, comes_again, is_unproven, is_vague, note, rules,
    shares_entry,
};

/// How close the title of a note is to what comes again, where the note is of that.
const OF_ONE_THING: f32 = 0.4;

impl Comparing<'_> {
    /// The notes, and the lessons of this run, of earlier tellings.
    pub(super) fn earlier_matches(&self, keys: &[ContentKey], found: &ComparedLessons) -> Vec<Match> {
        let note = |key: &ContentKey| self.index.by_key(key)?.properties.id.map(Match::Note);
        let of_run = |key: &ContentKey| grown_by(&found.lessons, key);
        keys.iter().filter_map(note).chain(keys.iter().filter_map(of_run)).collect()
    }

    /// Whether a note, or a lesson of this run, is of what comes again: the message it was learnt from may have held more.
    pub(super) fn is_repeated_by(&self, first: &Match, again: &Lesson, found: &ComparedLessons) -> bool {
        let (title, signal) = match first {
            Match::Note(id) => {
                let Some(entry) = self.index.by_id(*id) else { return false };
                (note::title_of(entry), entry.properties.signal)
            }
            Match::Lesson(key) => {
                let Some(lesson) = found.lessons.iter().find(|lesson| lesson.key == *key) else {
                    return false;
                };
                (lesson.candidate.title.clone(), Some(lesson.candidate.signal))
            }
        };
        let is_named = !signal.is_some_and(|signal| is_vague(signal, &title));
        let meaning = |title: &str| Meaning::of(self.model, title);
        signal == Some(Signal::RepeatedPattern)
            || !is_named
            || meaning(&again.candidate.title).closeness(&meaning(&title)) >= OF_ONE_THING
    }

    /// Lets a lesson grow the one it says again.
    pub(super) fn strengthen(&mut self, lesson: &mut Lesson, matched: Match, found: &mut ComparedLessons) {
        match matched {
            Match::Note(id) => {
                found.promoted.extend(self.promotion(id, lesson));
                lesson.strengthens = Some(id);
            }
            Match::Lesson(key) => {
                self.count(&key, lesson, &mut found.lessons);
                lesson.joins = Some(key);
            }
        }
    }

    /// A note that waits counts once it is said outright, or in a third session. One that counts and tells a session nothing by itself,
    /// as it was an order for the moment, is called what the order is that comes again and again.
    pub(super) fn promotion(&self, id: NoteId, again: &Lesson) -> Option<Promotion> {
        let entry = self.index.by_id(id)?;
        let kind = note::lesson_kind(entry)?;
        let unproven = is_unproven(again) || entry.properties.signal == Some(Signal::Unproven);
        let only_agreed = is_of_agent(Some(again.candidate.signal)) && is_of_agent(entry.properties.signal);
        if unproven || only_agreed || !rules(kind) || !rules(again.candidate.kind) {
            return None;
        }
        match entry.properties.effective_status() {
            Some(Status::Inbox) => {}
            Some(Status::Active) => {
                let signal = entry.properties.signal;
                return (comes_again(again)
                    && signal.is_some_and(|signal| is_vague(signal, &note::title_of(entry))))
                .then(|| Promotion { note: id, title: Some(again.candidate.title.clone()), again: true });
            }
            _ => return None,
        }
        let outright = again.destination == Destination::Saved;
        let evidence = entry.properties.evidence.iter();
        let mut sessions: BTreeSet<&str> = evidence.filter_map(|piece| piece.split('/').next()).collect();
        // A fork repeats entries: what it shares with the note was not said again.
        if !shares_entry(&entry.properties.evidence, again) {
            sessions.extend(sessions_of(again));
        }
        // What counts is called by the person's words.
        let renames = outright || is_of_agent(entry.properties.signal);
        (outright || sessions.len() >= OFTEN).then(|| Promotion {
            note: id,
            title: renames.then(|| again.candidate.title.clone()),
            again: comes_again(again),
        })
    }

    /// The same for a lesson of this run.
    fn count(&mut self, key: &ContentKey, again: &Lesson, lessons: &mut [Lesson]) {
        let Some(first) = lessons.iter_mut().find(|lesson| lesson.key == *key) else { return };
        let signals = [first.candidate.signal, again.candidate.signal];
        if !rules(first.candidate.kind) || signals.into_iter().all(|signal| is_of_agent(Some(signal))) {
            return;
        }
        if first.destination == Destination::Saved {
            if comes_again(again) && is_vague(first.candidate.signal, &first.candidate.title) {
                first.candidate.title.clone_from(&again.candidate.title);
                first.candidate.signal = again.candidate.signal;
            }
            return;
        }
        let sessions = self.sessions_by_key.entry(key.clone()).or_default();
        sessions.extend(sessions_of(first).chain(sessions_of(again)).map(str::to_owned));
        let outright = again.destination == Destination::Saved;
        let was_of_agent = is_of_agent(Some(first.candidate.signal));
        if outright || was_of_agent {
            first.candidate.title.clone_from(&again.candidate.title);
        }
        if was_of_agent {
            first.candidate.signal = again.candidate.signal;
        }
        if outright || sessions.len() >= OFTEN {
            first.destination = Destination::Saved;
            first.candidate.confidence = Confidence::High;
            let others = self.known.values_mut().flatten();
            others.filter(|other| other.key.as_ref() == Some(key)).for_each(|other| other.counts = true);
        }
    }
}

/// What a lesson of this run grows, or itself where it has a note of its own: what says it again grows the same.
fn grown_by(lessons: &[Lesson], key: &ContentKey) -> Option<Match> {
    let lesson = lessons.iter().find(|lesson| lesson.key == *key)?;
    if let Some(note) = lesson.strengthens {
        return Some(Match::Note(note));
    }
    match &lesson.joins {
        // What it joined may be taken back meanwhile.
        Some(other) if other != key => grown_by(lessons, other).or_else(|| Some(Match::Lesson(key.clone()))),
        _ => Some(Match::Lesson(key.clone())),
    }
}

/// The sessions in which a lesson was told.
fn sessions_of(lesson: &Lesson) -> impl Iterator<Item = &str> {
    let others = lesson.other_tellings.iter().map(|telling| telling.session.as_str());
    std::iter::once(lesson.session.as_str()).chain(others)
}

/// Whether a lesson is in the agent's words, which the person took: however often that comes, it is theirs to look at.
fn is_of_agent(signal: Option<Signal>) -> bool {
    signal == Some(Signal::Approval)
}

#[cfg(test)]
mod tests {
    use afterword_core::{Candidate, Kind, Role, SessionId};

    use super::*;

    fn lesson(session: &str) -> Lesson {
        let uuid = format!("{session}-entry");
        let quote = "a test for the lid, please".to_owned();
        let candidate = Candidate {
            kind: Kind::Workflow,
            confidence: Confidence::High,
            signal: Signal::RepeatedPattern,
            title: "Add tests for what you change".to_owned(),
            body: String::new(),
            rationale: String::new(),
            evidence: vec![afterword_core::Evidence { uuid, line: 1, role: Role::User, quote }],
        };
        let session = SessionId::parse(session).unwrap();
        let when = jiff::Timestamp::UNIX_EPOCH;
        Lesson::new(candidate, session, None, Destination::Saved, when, String::new())
    }

    /// Sessions are read in another order than they were held: a third may know of the second alone.
    #[test]
    fn what_is_said_again_grows_the_note_that_the_one_before_grew() {
        let (first, mut second, mut third) = (lesson("one"), lesson("two"), lesson("three"));
        second.joins = Some(first.key.clone());
        third.joins = Some(second.key.clone());
        let key = third.key.clone();
        let mut lessons = [third, second, first.clone()];
        assert_eq!(grown_by(&lessons, &key), Some(Match::Lesson(first.key)));
        let note = NoteId::parse("01890000-0000-7000-8000-000000000001").unwrap();
        lessons[2].strengthens = Some(note);
        assert_eq!(grown_by(&lessons, &key), Some(Match::Note(note)));
    }
}
