//! Words said in passing beside the rules that hold: what changes one of them takes its place, whatever it would have been worth alone.

use afterword_core::{Candidate, ContentKey, Destination, Signal};
use afterword_recall::{EmbeddingModel, Meaning, rivalry};
use afterword_reflect::builtin::pair::{
    LONGEST_SAID, Pair, Rules, Turn, allows_for_good, asks_no_more, ends_some, hints_at_change, likely,
    may_count_the_same, names_a_rule, names_same, sets_a_number, share_that_went, tells_of_a_turn,
    tells_of_change, turn, wants_to_be_asked,
};
use afterword_reflect::builtin::topic::Topic;
use afterword_reflect::builtin::turning::{has_an_order, turns_around};
use afterword_reflect::builtin::{Difference, alone_changes, difference, guidance, only_withdraws};
use afterword_store::Comparison;
use afterword_vault::Lesson;
use jiff::Timestamp;

use super::apart::are_apart;
use super::{
    ComparedLessons, Comparing, Counterpart, Match, MatchRelation, PossibleRevision, Replacement,
    WithdrawnRule, comparison, is_stated, rules, shares_entry, text_of,
};

/// How likely words that tell of a change must end a rule to do so at once: words that are a rule by themselves, that are worth something
/// else, and others. Chosen on pairs and people the weights were not learnt from (`docs/decisions/0037-the-last-word-wins.md`).
const CERTAIN: [f32; 3] = [0.36, 0.5, 0.5];
/// How likely a rule that was said later must end one that is read after it.
const OUTDATED: f32 = 0.45;
/// How likely a rule must end another of which it tells another number, and one that is said without a word of a change, or with a hint
/// of it.
const COUNTED: f32 = 0.5;
const PLAINLY: f32 = 0.6;
const HINTED: f32 = 0.45;
/// How many bytes more a title has that says more than the clause.
const LONGER: usize = 8;
/// How likely a rule is ended where a sign of it is there.
const SIGNED: f32 = 0.65;
/// How likely words that surely end some rule must end the likeliest, and how much likelier than any other.
const LIKELIEST: f32 = 0.27;
const CLEARLY: f32 = 1.5;
/// How likely words must end a second rule, as a part of how likely they end the first: they rarely end two.
const ALSO: f32 = 0.75;
/// How close they must be where they share no word with it.
const NEAR: f32 = 0.3;
/// How likely words must change some rule to end one that asks for another thing of the kind they name.
const MAY_CHANGE: f32 = 0.2;
/// How likely words must end a rule that asks for what they made the agent take out of its work.
const TOUCHED: f32 = 0.15;
/// How much of a rule must have gone from the work for its words alone to show that it is meant.
const MOST_WENT: f32 = 0.5;
/// How likely words that allow something for good must end the likeliest of the rules that forbid something.
const ALLOWED: f32 = 0.12;
/// How likely the title of a rule must say by itself what to do: what says nothing need not be ended.
const SAYS_SOMETHING: f32 = 0.05;

/// Words that end rules.
struct Revision {
    revised: PossibleRevision,
    /// How likely they end the first of them.
    likely: f32,
    ended: Vec<(Match, Comparison)>,
}

impl Comparing<'_> {
    /// Finds the rules that words of one session end, and what takes their place.
    pub(super) fn revise(
        &mut self,
        revised: Vec<PossibleRevision>,
        at: Timestamp,
        found: &mut ComparedLessons,
    ) {
        let mut revisions: Vec<Revision> = Vec::new();
        for one in revised {
            let lesson = found.lessons.iter().find(|lesson| is_revision_of(lesson, &one));
            let worth = lesson.map_or(2, |lesson| usize::from(!is_stated(lesson.candidate.signal)));
            let Some(revision) = self.revision(one, CERTAIN[worth], at) else { continue };
            // A sentence and its parts say one thing: the surest of them counts.
            let known = revisions.iter_mut().find(|known| of_one_message(known, &revision));
            match known {
                Some(known) if known.likely >= revision.likely => {}
                Some(known) => *known = revision,
                None => revisions.push(revision),
            }
        }
        for revision in revisions {
            let is_certain = revision.revised.lesson.destination == Destination::Saved;
            if is_certain && only_withdraws(&revision.revised.clause) {
                found.lessons.retain(|lesson| !is_revision_of(lesson, &revision.revised));
                for (rule, comparison) in revision.ended {
                    found.compared.push(comparison);
                    let words = revision.revised.lesson.candidate.title.clone();
                    found.withdrawn.push(WithdrawnRule { rule, words });
                }
                continue;
            }
            let newer = take_up(revision.revised, &mut found.lessons);
            let lesson = found.lessons.iter().find(|lesson| lesson.key == newer);
            let at_once = lesson.is_some_and(|lesson| lesson.destination == Destination::Saved);
            if let Some(lesson) = lesson {
                let meaning = Meaning::of(self.model, &text_of(lesson));
                self.remember(lesson, meaning);
            }
            for (older, comparison) in revision.ended {
                found.compared.push(Comparison { candidate: newer.clone(), ..comparison });
                if at_once {
                    found.replaced.push(Replacement { newer: Match::Lesson(newer.clone()), older });
                }
            }
        }
    }

    /// The rule that was said later and known before, which ends a lesson by the weights that words said in passing are measured by: the
    /// order in which two sessions are read does not matter.
    pub(super) fn newer_rule(
        &self,
        lesson: &Lesson,
        meaning: &Meaning,
        at: Timestamp,
    ) -> Option<(Comparison, Match, MatchRelation)> {
        if !is_stated(lesson.candidate.signal)
            || !rules(lesson.candidate.kind)
            || lesson.destination != Destination::Saved
        {
            return None;
        }
        let project = lesson.project.as_ref().map(|project| project.name.clone()).unwrap_or_default();
        let later = |other: &&Counterpart| {
            other.counts
                && other.stated
                && rules(other.kind)
                && other.session.as_deref() != Some(lesson.session.as_str())
                && !shares_entry(&other.entries, lesson)
                && other.when.is_some_and(|when| when > lesson.when)
                && tells_of_change(&other.title)
                && difference(&lesson.candidate.title, &other.title) != Difference::Apart
        };
        let older = lesson.candidate.title.as_str();
        let weighed = self.known.get(&project).into_iter().flatten().filter(later).map(|other| {
            let likely = likely(&Pair {
                clause: &other.title,
                changes: alone_changes(&other.title),
                said: &other.title,
                older,
                closeness: meaning.closeness(&other.meaning),
                opposed: meaning.opposes(&other.meaning),
                rivalry: rivalry(self.model, &other.title, older),
            });
            (likely, other)
        });
        let (_, other) = weighed
            .filter(|(likely, _)| *likely >= OUTDATED)
            .max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        let stand = MatchRelation::Outdated;
        Some((
            comparison(lesson, stand, other, meaning, stand.reason().to_owned(), at),
            other.as_match()?,
            stand,
        ))
    }

    /// Ends the rule that a lesson takes back, where one is clearly meant. The words themselves ask for nothing, so they are no lesson.
    pub(super) fn withdraw(&mut self, lesson: &Lesson, at: Timestamp, found: &mut ComparedLessons) {
        let meaning = Meaning::of(self.model, &text_of(lesson));
        if let Some((comparison, rule, MatchRelation::InPlaceOf)) = self.compare_lesson(lesson, &meaning, at)
        {
            found.compared.push(comparison);
            found.withdrawn.push(WithdrawnRule { rule, words: lesson.candidate.title.clone() });
        }
    }

    /// The rules of other sessions that the words end.
    fn revision(&mut self, revised: PossibleRevision, bar: f32, at: Timestamp) -> Option<Revision> {
        let lesson = &revised.lesson;
        let project = lesson.project.as_ref().map(|project| project.name.clone()).unwrap_or_default();
        self.load(&project);
        let words = ChangingWords::of(self.model, &revised);
        let holding = self.known.get(&project).into_iter().flatten().filter(|other| holds(other, lesson));
        let mut weighed: Vec<(f32, &Counterpart)> = holding
            .filter(|other| guidance(&other.title) >= SAYS_SOMETHING)
            .filter_map(|other| Some((self.ends_rule(&words, other, bar)?, other)))
            .collect();
        // "Make that 12": of the rules with a number the only one is meant.
        let is_meant = |other: &Counterpart| {
            words.sets_a_number && may_count_the_same(&words.revised.clause, &other.title)
        };
        let mut numbered = weighed.iter_mut().filter(|(_, other)| is_meant(other));
        if let (Some((likely, _)), None) = (numbered.next(), numbered.next()) {
            *likely = likely.max(SIGNED);
        }
        // Being asked no more ends what wants to be asked about, and nothing else; where there is one such rule, it is meant.
        if asks_no_more(&words.revised.clause) {
            weighed.retain(|(_, other)| wants_to_be_asked(&other.title));
            if let [(likely, _)] = weighed.as_mut_slice() {
                *likely = likely.max(SIGNED);
            }
        }
        weighed.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let least = weighed.first().map_or(bar, |(most, _)| bar.max(most * ALSO));
        let count = weighed.iter().take_while(|(likely, _)| *likely >= least).count();
        let count = if count == 0 && is_likeliest(&words, &weighed) { 1 } else { count };
        let ended = weighed.into_iter().take(count).filter_map(|(likely, other)| {
            let stand = if lesson.destination == Destination::Saved {
                MatchRelation::InPlaceOf
            } else {
                MatchRelation::Against
            };
            let comparison = comparison(lesson, stand, other, &words.meaning, stand.reason().to_owned(), at);
            Some((likely, other.as_match()?, comparison))
        });
        let ended: Vec<(f32, Match, Comparison)> = ended.collect();
        let most = ended.iter().map(|(likely, ..)| *likely).reduce(f32::max)?;
        let ended = ended.into_iter().map(|(_, older, comparison)| (older, comparison)).collect();
        Some(Revision { revised, likely: most, ended })
    }

    /// How likely the words end a rule; `None` where nothing tells of a change and they could not stand in its place.
    fn ends_rule(&self, words: &ChangingWords<'_>, other: &Counterpart, bar: f32) -> Option<f32> {
        let ChangingWords { revised, meaning, whole, .. } = words;
        let (closeness, opposed) = (meaning.closeness(&other.meaning), meaning.opposes(&other.meaning));
        let of = |(clause, changes): (&str, f32), closeness, opposed| {
            likely(&Pair {
                clause,
                changes,
                said: &revised.said,
                older: &other.title,
                closeness,
                opposed,
                rivalry: rivalry(self.model, clause, &other.title),
            })
        };
        let likely = of((&revised.clause, revised.changes), closeness, opposed);
        // With what holds in its place, too.
        let likely = whole.as_ref().map_or(likely, |whole| {
            let (closeness, opposed) = (whole.closeness(&other.meaning), whole.opposes(&other.meaning));
            likely.max(of((&revised.lesson.candidate.title, revised.changes), closeness, opposed))
        });
        // What is pointed to stands in the agent's words, which change nothing by themselves.
        let answered =
            words.answered.as_ref().map(|answered| (answered, answered.meaning.closeness(&other.meaning)));
        let likely = answered.map_or(likely, |(answered, closeness)| {
            likely.max(of((&answered.said, answered.changes), closeness, opposed))
        });
        let rules =
            Rules { newer: &revised.clause, said: &revised.clause, older: &other.title, closeness, opposed };
        let is_sure = bar <= CERTAIN[0] || names_a_rule(&revised.clause);
        let allows = |(answered, closeness): (&Answered, f32)| {
            let newer = answered.said.as_str();
            turn(&Rules { newer, said: newer, older: &other.title, closeness, opposed })
                == Some(Turn::Permission)
        };
        let turned = turn(&rules);
        // Another thing of the same kind is a sign by itself, where something may change at all.
        let is_kind =
            turned == Some(Turn::Kind) && (words.tells || words.hints || revised.changes >= MAY_CHANGE);
        let is_turn = is_kind || is_sure && (turned.is_some() || answered.is_some_and(allows));
        let is_refused = revised.refused.iter().any(|option| names(&other.title, option));
        let other_number = likely >= COUNTED && turned == Some(Turn::Number);
        // A path or a command that went says it by itself.
        let went = share_that_went(&other.title, &revised.undone);
        let is_undone = went > MOST_WENT || went > 0.0 && (likely >= TOUCHED || closeness >= NEAR);
        let is_reversed = words.turns_around && has_an_order(&other.title);
        if is_refused || is_undone || is_reversed {
            return Some(likely.max(SIGNED));
        }
        let is_about_it = || words.withdraws || !are_apart(self.model, &revised.clause, &other.title);
        if is_turn || other_number {
            return is_about_it().then_some(likely.max(SIGNED));
        }
        // What is a rule by itself may stand in the place of another without a word of that.
        let is_rule = bar <= CERTAIN[0];
        let tells = if is_rule { words.turns } else { words.tells };
        let stands = is_rule && (likely >= PLAINLY || words.hints && likely >= HINTED);
        ((tells || words.sets_a_number || stands) && is_about_it()).then_some(likely)
    }
}

/// Words that may change a rule, with what of them is the same whatever rule they are held against.
struct ChangingWords<'r> {
    revised: &'r PossibleRevision,
    meaning: Meaning,
    /// What the lesson's title means, where it says more than the clause.
    whole: Option<Meaning>,
    /// With what the agent had said last, where they point to it and tell of a change.
    answered: Option<Answered>,
    /// They tell of a change, as words do that are no rule by themselves.
    tells: bool,
    /// They tell of a change, as a rule does.
    turns: bool,
    /// They hint at one.
    hints: bool,
    /// They set a number in the place of another.
    sets_a_number: bool,
    /// They turn an order around.
    turns_around: bool,
    /// They take back a rule that they speak of.
    withdraws: bool,
}

/// Words with what they answer.
struct Answered {
    said: String,
    meaning: Meaning,
    /// How likely they change some rule: 0 to 1.
    changes: f32,
}

impl<'r> ChangingWords<'r> {
    fn of(model: &EmbeddingModel, revised: &'r PossibleRevision) -> Self {
        let title = &revised.lesson.candidate.title;
        let said = Some(&revised.said).filter(|said| said.len() <= LONGEST_SAID);
        let tells = tells_of_change(&revised.clause) || said.is_some_and(|said| tells_of_change(said));
        // What is pointed to is of use where the words tell that something changes.
        let answered = revised.answers.as_ref().filter(|_| tells).map(|answers| {
            let said = format!("{answers}: {}", revised.clause);
            let changes = alone_changes(&said).max(revised.changes);
            Answered { meaning: Meaning::of(model, &said), said, changes }
        });
        let turns = tells_of_a_turn(&revised.clause) || said.is_some_and(|said| tells_of_a_turn(said));
        Self {
            revised,
            turns,
            answered,
            meaning: Meaning::of(model, &revised.clause),
            whole: (title.len() > revised.clause.len() + LONGER).then(|| Meaning::of(model, title)),
            tells,
            hints: hints_at_change(&revised.clause),
            sets_a_number: sets_a_number(&revised.clause),
            withdraws: names_a_rule(&revised.clause) && only_withdraws(&revised.clause),
            turns_around: said.is_some_and(|said| turns_around(said)),
        }
    }
}

/// Whether the words end the likeliest of the rules, though none is likely enough by itself: it stands out, and they say so.
fn is_likeliest(words: &ChangingWords<'_>, weighed: &[(f32, &Counterpart)]) -> bool {
    let ChangingWords { revised, meaning, .. } = words;
    let Some((first, other)) = weighed.first() else { return false };
    let second = weighed.get(1).map_or(0.0, |(likely, _)| *likely);
    let about_the_same = || {
        meaning.closeness(&other.meaning) >= NEAR
            || Topic::of(&revised.lesson.candidate.title).likeness(&Topic::of(&other.title)) > 0.0
    };
    let ends = *first >= LIKELIEST && ends_some(&revised.clause, revised.changes) && about_the_same();
    let allows = *first >= ALLOWED && allows_for_good(&revised.clause, &other.title);
    (ends || allows) && *first >= CLEARLY * second
}

/// Whether a rule was stated before, in another session, and counts.
fn holds(other: &Counterpart, lesson: &Lesson) -> bool {
    other.counts
        && other.stated
        && rules(other.kind)
        && other.session.as_deref() != Some(lesson.session.as_str())
        && !shares_entry(&other.entries, lesson)
        && other.when.is_some_and(|when| when < lesson.when)
        && difference(&lesson.candidate.title, &other.title) != Difference::Apart
}

/// Whether a rule is about an option, by its words.
fn names(rule: &str, option: &str) -> bool {
    let spaced = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.fold(" ".to_owned(), |all, word| all + &word.to_lowercase() + " ")
    };
    let option = spaced(option);
    option.trim().chars().count() > 1 && (spaced(rule).contains(&option) || names_same(rule, &option))
}

fn of_one_message(one: &Revision, other: &Revision) -> bool {
    line_of(&one.revised.lesson) == line_of(&other.revised.lesson)
        && (one.revised.clause.contains(&other.revised.clause)
            || other.revised.clause.contains(&one.revised.clause)
            || one.ended.iter().any(|(older, _)| other.ended.iter().any(|(known, _)| known == older)))
}

fn line_of(lesson: &Lesson) -> Option<u64> {
    lesson.candidate.evidence.first().map(|evidence| evidence.line)
}

/// Whether a lesson is what the words were taken for.
pub(super) fn is_revision_of(lesson: &Lesson, revised: &PossibleRevision) -> bool {
    let quote = lesson.candidate.evidence.first().map_or("", |evidence| evidence.quote.as_str());
    lesson.session == revised.lesson.session
        && line_of(lesson) == line_of(&revised.lesson)
        && rules(lesson.candidate.kind)
        && (quote.contains(&revised.clause) || revised.clause.contains(quote))
}

/// Puts the words among the lessons: they are the one that the same words were taken for, which is certain now, or one of their own.
pub(super) fn take_up(revised: PossibleRevision, lessons: &mut Vec<Lesson>) -> ContentKey {
    if let Some(lesson) = lessons.iter_mut().find(|lesson| is_revision_of(lesson, &revised)) {
        lesson.destination = revised.lesson.destination;
        (lesson.strengthens, lesson.joins) = (None, None);
        // What comes again is called by the words of an earlier session, which may be those that are ended.
        if lesson.candidate.signal == Signal::RepeatedPattern {
            let evidence = std::mem::take(&mut lesson.candidate.evidence);
            lesson.candidate =
                Candidate { evidence, kind: lesson.candidate.kind, ..revised.lesson.candidate };
        }
        return lesson.key.clone();
    }
    let key = revised.lesson.key.clone();
    lessons.push(revised.lesson);
    key
}
