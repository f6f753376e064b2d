//! Exceptions to rules: what is allowed in one place or case is kept beside the rule, which it does not end.

use afterword_core::{Confidence, Destination};
use afterword_recall::{Meaning, Relation};
use afterword_reflect::builtin::is_exception;

use super::revising::{says, take_up};
use super::{ComparedLessons, Comparing, Matched, Other, Replaced, Revised, rules, shares_entry};

impl Comparing<'_> {
    /// Takes up the words that are exceptions to rules that are known, and gives the others back.
    pub(super) fn except(&mut self, revised: Vec<Revised>, found: &mut ComparedLessons) -> Vec<Revised> {
        let mut left = Vec::new();
        for one in revised {
            let meaning = Meaning::of(self.model, &one.clause);
            let Some(rule) = self.rule_excepted_by(&one, &meaning) else {
                left.push(one);
                continue;
            };
            // The same exception in other words is one more telling of it.
            let known = self.said_before(&one, &meaning).filter(|known| *known != rule);
            if let (Some(known), false) = (known, found.lessons.iter().any(|lesson| says(lesson, &one))) {
                let mut lesson = one.lesson;
                self.strengthen(&mut lesson, known, found);
                found.lessons.push(lesson);
                continue;
            }
            let exception = take_up(one, &mut found.lessons);
            if let Some(lesson) = found.lessons.iter_mut().find(|lesson| lesson.key == exception) {
                (lesson.destination, lesson.candidate.confidence) = (Destination::Saved, Confidence::High);
                let lesson = lesson.clone();
                self.remember(&lesson, meaning);
            }
            let newer = Matched::Lesson(exception);
            found.likely.retain(|change| change.newer != newer);
            found.excepted.push(Replaced { newer, older: rule });
        }
        left
    }

    /// The rule of the project, or of all, that words are an exception to: the closest.
    fn rule_excepted_by(&mut self, revised: &Revised, meaning: &Meaning) -> Option<Matched> {
        let lesson = &revised.lesson;
        // Words that may be somebody else's allow nothing.
        if lesson.destination != Destination::Saved {
            return None;
        }
        let holds = |other: &&Other| {
            other.counts
                && other.stated
                && rules(other.kind)
                && !shares_entry(&other.entries, lesson)
                && is_exception(&revised.clause, &other.title)
        };
        let closest = self.others(revised).filter(holds).max_by(|one, other| {
            meaning.closeness(&one.meaning).total_cmp(&meaning.closeness(&other.meaning))
        });
        closest.and_then(Other::matched)
    }

    fn said_before(&mut self, revised: &Revised, meaning: &Meaning) -> Option<Matched> {
        let same = |other: &&Other| other.counts && meaning.relation(&other.meaning) == Relation::Same;
        self.others(revised).find(same).and_then(Other::matched)
    }

    fn others(&mut self, revised: &Revised) -> impl Iterator<Item = &Other> {
        let project = revised.lesson.project.as_ref().map(|project| project.name.clone()).unwrap_or_default();
        self.load(&project);
        self.load("");
        let everywhere = (!project.is_empty()).then(|| self.known.get("")).flatten();
        self.known.get(&project).into_iter().chain(everywhere).flatten()
    }
}
