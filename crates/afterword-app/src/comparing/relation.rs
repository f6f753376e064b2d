//! How a lesson stands to one that is known: whether it says the same, goes against it, or takes its place.

use afterword_core::{Destination, Signal};
use afterword_recall::{EmbeddingModel, Meaning, Relation, rivalry};
use afterword_reflect::builtin::pair::{Rules, Turn, is_against, shared_things, turn};
use afterword_reflect::builtin::{Difference, difference, essence};
use afterword_vault::Lesson;

use super::apart::are_apart;
use super::{Counterpart, MatchRelation, is_stated, rules};

/// How close two things are of which the one certainly stands in the place of the other.
const OF_A_KIND: f32 = 0.2;

/// How a lesson stands to another, and how close the two are.
pub(super) fn relation_to(
    model: &EmbeddingModel,
    lesson: &Lesson,
    meaning: &Meaning,
    other: &Counterpart,
) -> Option<(MatchRelation, f32)> {
    let closeness = meaning.closeness(&other.meaning);
    let relation = meaning.relation(&other.meaning);
    // What one message holds, it holds side by side, however alike.
    let at_once = other.when.is_some_and(|when| when.as_millisecond() == lesson.when.as_millisecond());
    if at_once && other.session.as_deref() == Some(lesson.session.as_str()) {
        return None;
    }
    let both_rules = rules(other.kind) && rules(lesson.candidate.kind);
    // Both count, and both were stated as rules.
    let certain = other.counts
        && other.stated
        && is_stated(lesson.candidate.signal)
        && lesson.destination == Destination::Saved;
    let ended = if both_rules { turn_of(lesson, meaning, other) } else { None };
    let is_number = ended == Some(Turn::Number);
    let (own, others) = (lesson.candidate.title.as_str(), other.title.as_str());
    let shared = shared_things(own, others);
    let differs = difference(own, others);
    let in_place = || {
        if other.when.is_some_and(|when| when > lesson.when) {
            MatchRelation::Outdated
        } else {
            MatchRelation::InPlaceOf
        }
    };
    let stand = match relation {
        // "From now on …" said again is no change.
        _ if both_rules && differs == Difference::Apart => None,
        _ if certain && ended.is_some() && (is_number || relation != Relation::Same) => {
            Some((in_place(), closeness))
        }
        Relation::Same if is_number => other.counts.then_some((MatchRelation::Against, closeness)),
        _ if both_rules && same_routine(lesson, other) => Some((MatchRelation::Same, 1.0)),
        _ if both_rules && differs != Difference::None => {
            let ends = differs == Difference::Exchanged
                || differs == Difference::OneThing && rivalry(model, own, others) >= OF_A_KIND;
            let stand = if certain && ends { in_place() } else { MatchRelation::Against };
            other.counts.then_some((stand, closeness))
        }
        // What failed, and how, makes the bodies of fixes alike that mend different things.
        Relation::Same if !both_rules && shared < 2 => None,
        // "Hang this one up for me": an order against a rule says nothing again.
        Relation::Same
            if both_rules && !is_stated(lesson.candidate.signal) && is_against(own) != is_against(others) =>
        {
            None
        }
        Relation::Same if both_rules || other.kind == lesson.candidate.kind => {
            Some((MatchRelation::Same, closeness))
        }
        Relation::Opposed if both_rules && shared > 0 && other.counts => {
            Some((MatchRelation::Against, closeness))
        }
        _ => None,
    };
    stand.filter(|_| !both_rules || same_routine(lesson, other) || !are_apart(model, own, others))
}

/// Whether both are the same request that came again and again: it has one name, with or without the command it was made by.
fn same_routine(lesson: &Lesson, other: &Counterpart) -> bool {
    let name = |title: &str| title.split_once(", with `").map_or(title, |(name, _)| name).to_owned();
    other.repeats
        && lesson.candidate.signal == Signal::RepeatedPattern
        && name(&lesson.candidate.title) == name(&other.title)
}

/// By what the one of two rules that was said later is seen to end the other.
pub(super) fn turn_of(lesson: &Lesson, meaning: &Meaning, other: &Counterpart) -> Option<Turn> {
    let when = other.when?;
    let closeness = meaning.closeness(&other.meaning);
    let opposed = meaning.opposes(&other.meaning);
    let (own, others) = (lesson.candidate.title.as_str(), other.title.as_str());
    if when > lesson.when {
        return turn(&Rules { newer: others, said: others, older: own, closeness, opposed });
    }
    let quoted = lesson.candidate.evidence.first().map(|evidence| evidence.quote.as_str());
    let said = format!("{}\n{}", essence(&lesson.candidate.body), quoted.unwrap_or_default());
    turn(&Rules { newer: own, said: &said, older: others, closeness, opposed })
}
