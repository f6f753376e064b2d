//! Exceptions to rules: what is allowed in one place or case is kept beside the rule, which it does not end.

use afterword_core::{Confidence, Destination};
use afterword_recall::{Meaning, Relation};
use afterword_reflect::builtin::is_exception;

use super::revising::{is_revision_of, take_up};
use super::{
    ComparedLessons, Comparing, Counterpart, Match, PossibleRevision, Replacement, rules, shares_entry,
};

impl Comparing<'_> {
    /// Takes up the words that are exceptions to rules that are known, and gives the others back.
    pub(super) fn except(
        &mut self,
        revised: Vec<PossibleRevision>,
        found: &mut ComparedLessons,
    ) -> Vec<PossibleRevision> {
        let mut left = Vec::new();
        for one in revised {
            let meaning = Meaning::of(self.model, &one.clause);
            let Some(rule) = self.rule_excepted_by(&one, &meaning) else {
                left.push(one);
                continue;
            };
            // The same exception in other words is one more telling of it.
            let known = self.earlier_statement(&one, &meaning).filter(|known| *known != rule);
            if let (Some(known), false) =
                (known, found.lessons.iter().any(|lesson| is_revision_of(lesson, &one)))
            {
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
            let newer = Match::Lesson(exception);
            found.likely.retain(|change| change.newer != newer);
            found.excepted.push(Replacement { newer, older: rule });
        }
        left
    }

    /// The rule of the project, or of all, that words are an exception to: the closest.
    fn rule_excepted_by(&mut self, revised: &PossibleRevision, meaning: &Meaning) -> Option<Match> {
        let lesson = &revised.lesson;
        // Words that may be somebody else's allow nothing.
        if lesson.destination != Destination::Saved {
            return None;
        }
        let holds = |other: &&Counterpart| {
            other.counts
                && other.stated
                && rules(other.kind)
                && !shares_entry(&other.entries, lesson)
                && is_exception(&revised.clause, &other.title)
        };
        let closest = self.counterparts(revised).filter(holds).max_by(|one, other| {
            meaning.closeness(&one.meaning).total_cmp(&meaning.closeness(&other.meaning))
        });
        closest.and_then(Counterpart::as_match)
    }

    fn earlier_statement(&mut self, revised: &PossibleRevision, meaning: &Meaning) -> Option<Match> {
        let same = |other: &&Counterpart| other.counts && meaning.relation(&other.meaning) == Relation::Same;
        self.counterparts(revised).find(same).and_then(Counterpart::as_match)
    }

    fn counterparts(&mut self, revised: &PossibleRevision) -> impl Iterator<Item = &Counterpart> {
        let project = revised.lesson.project.as_ref().map(|project| project.name.clone()).unwrap_or_default();
        self.load(&project);
        self.load("");
        let everywhere = (!project.is_empty()).then(|| self.known.get("")).flatten();
        self.known.get(&project).into_iter().chain(everywhere).flatten()
    }
}
