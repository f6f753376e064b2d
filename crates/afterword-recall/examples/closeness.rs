//! How well lessons that mean the same are told from others: `cargo run --release -p afterword-recall --example closeness`
//!
//! Counts the pairs of `pairs/lessons.txt` that reach a closeness without pulling in opposite directions, for the groups
//! that thresholds are chosen on and for those that judge.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use afterword_recall::comparing::{CLOSE, SAME};
use afterword_recall::{EmbeddingModel, Meaning, Relation};

struct Pair {
    group: usize,
    label: char,
    closeness: f32,
    opposed: bool,
}

fn main() {
    let pairs = pairs();
    println!(
        "half    closeness  recall  precision  with opposites  other taken  opposite taken  opposite seen"
    );
    for half in 0..2 {
        for bar in [0.5, 0.55, 0.6, CLOSE, 0.7, SAME, 0.8] {
            let of =
                |label: char| pairs.iter().filter(move |pair| pair.group % 2 == half && pair.label == label);
            let taken = |label: char| of(label).filter(|pair| pair.closeness >= bar && !pair.opposed).count();
            let (same, other, opposite) = (taken('+'), taken('-'), taken('!'));
            let seen = of('!').filter(|pair| pair.closeness >= bar && pair.opposed).count();
            let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
            println!(
                "{}  {bar:>9.2}  {:>6.2}  {:>9.3}  {:>14.3}  {:>8}/{}  {:>11}/{}  {:>10}/{}",
                if half == 0 { "choose" } else { "judge " },
                share(same, of('+').count()),
                share(same, same + other),
                share(same, same + other + opposite),
                other,
                of('-').count(),
                opposite,
                of('!').count(),
                seen,
                of('!').count(),
            );
        }
    }
}

fn pairs() -> Vec<Pair> {
    let model = EmbeddingModel::embedded().unwrap();
    let (mut group, mut base) = (0, Meaning::of(&model, ""));
    let mut pairs = Vec::new();
    for line in include_str!("../pairs/lessons.txt").lines() {
        let Some((label @ ("=" | "+" | "-" | "!"), text)) = line.split_once(' ') else { continue };
        let meaning = Meaning::of(&model, text);
        if label == "=" {
            (group, base) = (group + 1, meaning);
            continue;
        }
        let closeness = base.closeness(&meaning);
        let opposed = base.relation(&meaning) == Relation::Opposed;
        pairs.push(Pair { group: group - 1, label: label.chars().next().unwrap(), closeness, opposed });
    }
    pairs
}
