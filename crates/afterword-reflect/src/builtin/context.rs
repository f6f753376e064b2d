//! What a clause does, seen beside the other clauses of its message: a rule among rules, an item of a list that is announced as one,
//! the reason behind a wish, one more thing that is put off.
//!
//! The models of `act` weigh a clause by its words. Here three further models (`models/context.json`) weigh what those say of the clause and
//! of the ones around it; they are learnt by `training/context.py` from what models say that have not learnt from the message.

use std::ops::Range;

use serde::Deserialize;

use super::act::Act;
use super::clause::{Clause, announces_rules};
use super::cues;
use super::features::Features;
use super::model::Model;

/// The log-odds that stand where there is nobody.
const NOBODY: f32 = -3.0;

/// The names of what is taken of a group of clauses.
#[derive(Debug, Clone, Copy)]
struct Group {
    name: &'static str,
    most: [&'static str; 3],
    mean: [&'static str; 3],
    rules: &'static str,
}

macro_rules! group {
    ($name:literal) => {
        Group {
            name: $name,
            most: [
                concat!($name, ".rule.most"),
                concat!($name, ".lasting.most"),
                concat!($name, ".idea.most"),
            ],
            mean: [
                concat!($name, ".rule.mean"),
                concat!($name, ".lasting.mean"),
                concat!($name, ".idea.mean"),
            ],
            rules: concat!($name, ".rules"),
        }
    };
}

/// The sentence a part belongs to; the parts of a sentence; of a part, the others and those right beside it; the sentences beside a
/// sentence, and all others of the message; of an item, the others of its list, and the sentence before the list.
const GROUPS: [Group; 10] = [
    group!("whole"),
    group!("parts"),
    group!("siblings"),
    group!("left"),
    group!("right"),
    group!("before"),
    group!("after"),
    group!("others"),
    group!("items"),
    group!("header"),
];

/// Places in [`GROUPS`].
const LEFT: usize = 3;
const RIGHT: usize = 4;
const BEFORE: usize = 5;
const AFTER: usize = 6;
const OTHERS: usize = 7;
const HEADER: usize = 9;

/// Cues that are looked for in a neighbour.
const CUES: [&str; 12] = [
    "from_now",
    "rules",
    "we_habit",
    "always",
    "once",
    "order",
    "report",
    "question",
    "praise",
    "later",
    "momentary",
    "remember",
];

macro_rules! cues_of {
    ($name:literal) => {
        [
            concat!($name, ".from_now"),
            concat!($name, ".says_rules"),
            concat!($name, ".we_habit"),
            concat!($name, ".always"),
            concat!($name, ".once"),
            concat!($name, ".order"),
            concat!($name, ".report"),
            concat!($name, ".question"),
            concat!($name, ".praise"),
            concat!($name, ".later"),
            concat!($name, ".momentary"),
            concat!($name, ".remember"),
        ]
    };
}

/// Neighbours whose words are looked at, by their group, and the names of what is found.
const LOOKED_AT: [(usize, [&str; CUES.len()], &str); 5] = [
    (LEFT, cues_of!("left"), "left.announces"),
    (RIGHT, cues_of!("right"), "right.announces"),
    (BEFORE, cues_of!("before"), "before.announces"),
    (AFTER, cues_of!("after"), "after.announces"),
    (HEADER, cues_of!("header"), "header.announces"),
];

/// What the words of a clause tell those beside it.
#[derive(Debug, Clone, Copy, Default)]
struct NeighbourCues {
    cues: [bool; CUES.len()],
    announces: bool,
}

impl NeighbourCues {
    fn of(clause: &Clause<'_>, language: usize) -> Self {
        let found = cues::present(clause.text, language);
        Self { cues: CUES.map(|cue| found.has(cue)), announces: announces_rules(clause.text) }
    }
}

/// Where a clause stands in its message.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// The clauses of each of [`GROUPS`], by their places.
    groups: [Vec<usize>; GROUPS.len()],
    /// What does not hang on what the clauses do.
    marks: Features,
}

fn range(clause: &Clause<'_>) -> Range<usize> {
    clause.start..clause.start + clause.text.len()
}

impl Surroundings {
    /// Those of each clause of a message.
    pub fn of(all: &[Clause<'_>], language: usize) -> Vec<Self> {
        let said: Vec<NeighbourCues> = all.iter().map(|clause| NeighbourCues::of(clause, language)).collect();
        (0..all.len()).map(|index| Self::of_one(all, index, &said, language)).collect()
    }

    fn of_one(all: &[Clause<'_>], index: usize, said: &[NeighbourCues], language: usize) -> Self {
        let clause = &all[index];
        let own = range(clause);
        let holds =
            |outer: &Range<usize>, inner: &Range<usize>| outer.start <= inner.start && inner.end <= outer.end;
        let whole: Vec<usize> = (0..all.len()).filter(|at| !all[*at].partial).collect();
        let sentence = if clause.partial {
            whole.iter().copied().find(|at| holds(&range(&all[*at]), &own)).unwrap_or(index)
        } else {
            index
        };
        let around = range(&all[sentence]);
        let parts: Vec<usize> = (0..all.len())
            .filter(|at| *at != index && all[*at].partial && holds(&around, &range(&all[*at])))
            .collect();
        let before = whole.iter().rev().copied().find(|at| range(&all[*at]).end <= around.start);
        let after = whole.iter().copied().find(|at| range(&all[*at]).start >= around.end);
        let others: Vec<usize> = whole.iter().copied().filter(|at| *at != sentence).collect();
        let items = others.iter().copied().filter(|at| clause.listed && all[*at].listed).collect();
        let is_header =
            |at: &usize| clause.listed && !all[*at].listed && range(&all[*at]).end <= around.start;
        let header = others.iter().rev().copied().find(is_header);
        let of_part = |wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
            parts.iter().copied().filter(|at| clause.partial && wanted(*at)).collect()
        };
        let left = of_part(&|at| range(&all[at]).end <= own.start).last().copied();
        let right = of_part(&|at| range(&all[at]).start >= own.end).first().copied();
        let groups = [
            if clause.partial { vec![sentence] } else { Vec::new() },
            if clause.partial { Vec::new() } else { parts.clone() },
            of_part(&|_| true),
            left.into_iter().collect(),
            right.into_iter().collect(),
            before.into_iter().collect(),
            after.into_iter().collect(),
            others,
            items,
            header.into_iter().collect(),
        ];
        let marks = marks(clause, &groups, said, language);
        Self { groups, marks }
    }

    /// The places of each group's clauses.
    pub fn groups(&self) -> impl Iterator<Item = (&'static str, &[usize])> {
        GROUPS.iter().zip(&self.groups).map(|(group, members)| (group.name, members.as_slice()))
    }

    /// What does not hang on what the clauses do.
    pub fn marks(&self) -> &Features {
        &self.marks
    }

    /// All of it: what the clause and those around it do, by their words.
    fn features(&self, index: usize, odds: &[[f32; 3]]) -> Features {
        let mut features = self.marks.clone();
        let own = odds[index];
        for (name, value) in ["own.rule", "own.lasting", "own.idea"].into_iter().zip(own) {
            features.put(name, value);
        }
        for (group, members) in GROUPS.iter().zip(&self.groups) {
            for (head, (name_of_most, name_of_mean)) in group.most.into_iter().zip(group.mean).enumerate() {
                let of_head = || members.iter().map(|at| odds[*at][head]);
                features.put(name_of_most, of_head().reduce(f32::max).unwrap_or(NOBODY));
                features.put(name_of_mean, mean(of_head()).unwrap_or(NOBODY));
            }
            let rules = members.iter().filter(|at| odds[**at][0] > 0.0).count();
            features.put(group.rules, small(rules.min(3)));
        }
        for (name, of) in [
            ("own.others", "others.rule.most"),
            ("own.whole", "whole.rule.most"),
            ("own.siblings", "siblings.rule.most"),
            ("own.items", "items.rule.mean"),
        ] {
            let other = features.get(of);
            features.put(name, own[0] * other);
        }
        features
    }
}

fn marks(
    clause: &Clause<'_>,
    groups: &[Vec<usize>; GROUPS.len()],
    said: &[NeighbourCues],
    language: usize,
) -> Features {
    let mut marks = Features::default();
    marks.flag("partial", clause.partial);
    marks.flag("listed", clause.listed);
    marks.flag("joined", clause.joined);
    marks.flag("english", language == 0);
    marks.flag("asks", clause.text.ends_with(['?', '？']));
    let words = clause.text.split_whitespace().count();
    marks.flag("few_words", words <= 3);
    marks.put("words", (1.0 + small(words)).ln());
    marks.flag("alone", groups[OTHERS].is_empty());
    marks.flag("first", groups[BEFORE].is_empty());
    marks.flag("last", groups[AFTER].is_empty());
    marks.flag("last_part", clause.partial && groups[RIGHT].is_empty());
    marks.put("sentences", (1.0 + small(groups[OTHERS].len())).ln());
    for (group, names, announces) in LOOKED_AT {
        let neighbour = groups[group].first().map(|at| said[*at]).unwrap_or_default();
        for (name, there) in names.into_iter().zip(neighbour.cues) {
            marks.flag(name, there);
        }
        marks.flag(announces, neighbour.announces);
    }
    marks
}

fn mean(values: impl Iterator<Item = f32>) -> Option<f32> {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / small(count))
}

#[expect(clippy::cast_precision_loss, reason = "counts of words and clauses are small")]
fn small(count: usize) -> f32 {
    count as f32
}

/// What a clause does beside others: a model for each.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextModel {
    rule: Model,
    lasting: Model,
    idea: Model,
}

impl ContextModel {
    /// Reads the models.
    ///
    /// # Errors
    /// When it is not the JSON it should be.
    pub fn parse(source: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(source)
    }

    /// What each clause of a message does, from what each does by its words alone.
    pub fn acts(&self, all: &[Clause<'_>], alone: &[Act], language: usize) -> Vec<Act> {
        let odds: Vec<[f32; 3]> = alone.iter().map(Act::log_odds).collect();
        let act = |(index, around): (usize, &Surroundings)| {
            let features = around.features(index, &odds);
            Act {
                rule: self.rule.probability(&features),
                lasting: self.lasting.probability(&features),
                idea: self.idea.probability(&features),
            }
        };
        Surroundings::of(all, language).iter().enumerate().map(act).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::clause::clauses;

    /// The words of the clauses in each group of the clause with these words.
    fn groups(message: &str, text: &str) -> Vec<(&'static str, Vec<String>)> {
        let all = clauses(message);
        let index = all.iter().position(|clause| clause.text == text).unwrap();
        let around = &Surroundings::of(&all, 0)[index];
        let words = |members: &[usize]| members.iter().map(|at| all[*at].text.to_owned()).collect();
        around
            .groups()
            .filter(|(_, members)| !members.is_empty())
            .map(|(name, members)| (name, words(members)))
            .collect()
    }

    #[test]
    fn a_sentence_stands_among_sentences_and_a_part_among_parts() {
        let message = "Fine. Tabs here, and never spaces. Ship it.";
        let sentence = "Tabs here, and never spaces.";
        let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            groups(message, sentence),
            [
                ("parts", list(&["Tabs here", "never spaces."])),
                ("before", list(&["Fine."])),
                ("after", list(&["Ship it."])),
                ("others", list(&["Fine.", "Ship it."])),
            ]
        );
        assert_eq!(
            groups(message, "never spaces."),
            [
                ("whole", list(&[sentence])),
                ("siblings", list(&["Tabs here"])),
                ("left", list(&["Tabs here"])),
                ("before", list(&["Fine."])),
                ("after", list(&["Ship it."])),
                ("others", list(&["Fine.", "Ship it."])),
            ]
        );
    }

    #[test]
    fn an_item_has_its_list_and_what_announces_it() {
        let message = "Our conventions:\n- tabs\n- short names\n";
        let found = groups(message, "tabs");
        assert!(found.contains(&("items", vec!["short names".to_owned()])), "{found:?}");
        assert!(found.contains(&("header", vec!["Our conventions:".to_owned()])), "{found:?}");
    }

    #[test]
    fn what_a_neighbour_does_counts_by_its_weight() {
        let model = r#"{"rule": {"bias": 0, "weights": {"others.rule.most": {"mean": 0, "weight": 1}}},
            "lasting": {"bias": 0, "weights": {}}, "idea": {"bias": 0, "weights": {}}}"#;
        let model = ContextModel::parse(model).unwrap();
        let all = clauses("Tabs here. Short names.");
        let act = |rule| Act { rule, lasting: 0.5, idea: 0.5 };
        let beside = model.acts(&all, &[act(0.9), act(0.2)], 0);
        assert!((beside[0].rule - 0.2).abs() < 1e-3 && (beside[1].rule - 0.9).abs() < 1e-3, "{beside:?}");
        // Nobody stands beside it.
        let alone = model.acts(&all[..1], &[act(0.9)], 0);
        assert!(alone[0].rule < 0.1 && (alone[0].lasting - 0.5).abs() < 1e-3, "{alone:?}");
    }
}
