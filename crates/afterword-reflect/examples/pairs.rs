//! How often one rule is seen to end another, on made-up pairs: `cargo run --release -p afterword-reflect --example pairs FILE…`
//!
//! The files are `training/pairs/*.jsonl`. Every new rule is also paired with five older ones of its language that it was not written
//! for, which is what a vault is full of.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

use afterword_recall::{EmbeddingModel, Meaning};
use afterword_reflect::builtin::pair::{Pair, turn};
use serde_json::Value;

/// Older rules each new one is paired with besides its own, so many places on in the file.
const STRANGERS: [usize; 5] = [3, 7, 13, 29, 47];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = EmbeddingModel::embedded()?;
    let mut counts: BTreeMap<(bool, String), [usize; 2]> = BTreeMap::new();
    for path in std::env::args().skip(1) {
        let lines = std::fs::read_to_string(path)?;
        let lines: Vec<Value> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        for (index, line) in lines.iter().enumerate() {
            let is_english = line["lang"] == "en";
            let mut count = |relation: &str, other: &Value| {
                let counted = counts.entry((is_english, relation.to_owned())).or_default();
                counted[0] += usize::from(ends(&model, line, other));
                counted[1] += 1;
            };
            count(line["relation"].as_str().unwrap_or_default(), line);
            for further in STRANGERS {
                let other = &lines[(index + further) % lines.len()];
                if other["lang"] == line["lang"] {
                    count("a stranger", other);
                }
            }
        }
    }
    for ((is_english, relation), [seen, all]) in counts {
        println!("{:8} {relation:12} {seen:5} of {all:5}", if is_english { "English" } else { "others" });
    }
    Ok(())
}

fn ends(model: &EmbeddingModel, line: &Value, other: &Value) -> bool {
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let (said, span, older) = (text(line, "newer"), text(line, "span"), text(other, "older"));
    let newer = if span.is_empty() { &said } else { &span };
    let (one, two) = (Meaning::of(model, newer), Meaning::of(model, &older));
    let pair = Pair {
        newer,
        said: &said,
        older: &older,
        closeness: one.closeness(&two),
        opposed: one.opposes(&two),
    };
    turn(&pair).is_some()
}
