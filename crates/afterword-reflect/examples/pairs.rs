//! Prints what is weighed of a rule and what a later message does to it, for `training/train.py`: one JSON object a pair.
//!
//! `pairs FILE…` reads `training/pairs/*.jsonl`. Every message is also paired with five older rules of its language that it was not written
//! for, which is what a vault is full of. How likely a clause changes a rule by itself is left to the training, which asks a model that
//! has not learnt from it.

use std::io::{BufWriter, Write};

use afterword_recall::{EmbeddingModel, Meaning, rivalry};
use afterword_reflect::builtin::act::{Circumstances, row};
use afterword_reflect::builtin::clause::clauses;
use afterword_reflect::builtin::features::Features;
use afterword_reflect::builtin::guidance::alone;
use afterword_reflect::builtin::language::Language;
use afterword_reflect::builtin::pair::{Pair, features};
use serde_json::{Map, Value, json};

/// Older rules each message is paired with besides its own, so many places on in the file.
const STRANGERS: [usize; 5] = [3, 7, 13, 29, 47];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = EmbeddingModel::embedded()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for path in std::env::args().skip(1) {
        let lines = std::fs::read_to_string(path)?;
        let lines: Vec<Value> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        for (index, line) in lines.iter().enumerate() {
            let further = STRANGERS.iter().map(|further| &lines[(index + further) % lines.len()]);
            let strangers = further.filter(|other| other["lang"] == line["lang"]);
            let others: Vec<&Value> = std::iter::once(line).chain(strangers).collect();
            writeln!(out, "{}", printed(&model, line, &others))?;
        }
    }
    Ok(())
}

/// A message: its clauses, each with its features and those beside each older rule, its own first.
fn printed(model: &EmbeddingModel, line: &Value, others: &[&Value]) -> Value {
    let said = line["newer"].as_str().unwrap_or_default();
    let moment = alone(said);
    let all = clauses(said);
    let circumstances = Circumstances::of(&moment);
    let clauses: Vec<Value> = all
        .iter()
        .enumerate()
        .map(|(index, clause)| {
            let meaning = Meaning::of(model, clause.text);
            let beside = |other: &&Value| {
                let older = other["older"].as_str().unwrap_or_default();
                let olders = Meaning::of(model, older);
                let (closeness, opposed) = (meaning.closeness(&olders), meaning.opposes(&olders));
                let pair = Pair {
                    clause: clause.text,
                    changes: 0.5,
                    said,
                    older,
                    closeness,
                    opposed,
                    rivalry: rivalry(model, clause.text, older),
                };
                map(&features(&pair))
            };
            json!({"text": clause.text, "start": clause.start, "partial": clause.partial,
                "row": row(&all, index, &circumstances, Language::english()),
                "beside": others.iter().map(beside).collect::<Vec<_>>()})
        })
        .collect();
    json!({"relation": line["relation"], "lang": line["lang"], "span": line["span"], "newer": said, "older": line["older"],
        "others": others.iter().map(|other| other["older"].clone()).collect::<Vec<_>>(), "clauses": clauses})
}

fn map(features: &Features) -> Map<String, Value> {
    features.iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
}
