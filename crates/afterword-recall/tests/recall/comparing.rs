//! Whether two lessons mean the same, on the labelled pairs of `pairs/lessons.txt`.

use afterword_recall::{EmbeddingModel, Meaning, Relation};

/// Each pair of the groups that judge (every second one), with its label.
fn judged() -> Vec<(char, Relation, Relation)> {
    let model = EmbeddingModel::embedded().unwrap();
    let (mut group, mut base) = (0, Meaning::of(&model, ""));
    let mut pairs = Vec::new();
    for line in include_str!("../../pairs/lessons.txt").lines() {
        let Some((label @ ("=" | "+" | "-" | "!"), text)) = line.split_once(' ') else { continue };
        let meaning = Meaning::of(&model, text);
        if label == "=" {
            (group, base) = (group + 1, meaning);
        } else if group % 2 == 0 {
            let label = label.chars().next().unwrap();
            pairs.push((label, base.relation(&meaning), meaning.relation(&base)));
        }
    }
    pairs
}

#[test]
fn other_words_for_the_same_are_recognised_and_other_lessons_are_not() {
    let pairs = judged();
    let count = |label, relations: &[Relation]| {
        pairs.iter().filter(|(of, relation, _)| *of == label && relations.contains(relation)).count()
    };
    let (close, same) = ([Relation::Close, Relation::Same], [Relation::Same]);
    // Floors a little below what docs/quality.md reports.
    assert!(count('+', &close) >= 40, "{} of 54 paraphrases are close", count('+', &close));
    assert!(count('+', &same) >= 27, "{} of 54 paraphrases are the same", count('+', &same));
    assert!(count('-', &close) <= 1, "{} of 72 other lessons are close", count('-', &close));
    assert_eq!(count('-', &same), 0, "other lessons are not the same");
    assert!(count('!', &[Relation::Opposed]) >= 8, "{} of 18", count('!', &[Relation::Opposed]));
    assert!(pairs.iter().all(|(_, one, other)| one == other), "the same both ways");
}

#[test]
fn nothing_is_close_to_nothing() {
    let model = EmbeddingModel::embedded().unwrap();
    let nothing = ["", "  ", "\u{1f389}", "\u{202e}"].map(|text| Meaning::of(&model, text));
    let something = Meaning::of(&model, "Use tabs.");
    for one in &nothing {
        assert_eq!((one.closeness(&something), one.relation(one)), (0.0, Relation::Apart));
    }
    let long = Meaning::of(&model, &"never squash commits, ".repeat(50_000));
    assert_eq!(long.relation(&Meaning::of(&model, "never squash commits")), Relation::Same);
}
