//! A schema with limits, for models that would go on talking: an answer that fits it is short enough to be finished.
//!
//! Servers that hold a model to a schema (llama.cpp and those built on it) hold it to `maxItems` and `maxLength` too.

use serde_json::{Map, Value, json};

/// Characters a token stands for at least: three as a rule, fewer in numbers, marks and what a small model makes up (with three,
/// one answer in two of a model of 135 million was cut off).
const CHARACTERS: usize = 2;
/// Items in a list, and characters in a text, at most and at least.
const ITEMS: std::ops::RangeInclusive<usize> = 1..=8;
const LENGTH: std::ops::RangeInclusive<usize> = 24..=1_000;
/// Shorter texts are not worth another item in every list.
const WORTH: usize = 80;
/// What stands around a value: quotation marks, a comma, a line's indentation.
const AROUND: usize = 16;

/// The same schema with limits, so that an answer takes about `tokens` at most.
pub(super) fn bounded(schema: &Value, tokens: u32) -> Value {
    let characters = usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(CHARACTERS);
    let length = |items: usize| {
        let (texts, rest) = extent(schema, items);
        characters.saturating_sub(rest) / texts.max(1)
    };
    let items = ITEMS.rev().find(|items| length(*items) >= WORTH).unwrap_or(*ITEMS.start());
    with_limits(schema, items, length(items).clamp(*LENGTH.start(), *LENGTH.end()))
}

/// How many free texts an answer holds with so many items in every list, and how many characters it has besides.
fn extent(schema: &Value, items: usize) -> (usize, usize) {
    let of = |parts: &mut dyn Iterator<Item = (usize, usize)>| {
        parts.fold((0, AROUND), |(texts, rest), (more, besides)| (texts + more, rest + besides))
    };
    match schema["type"].as_str() {
        Some("object") => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            of(&mut fields.map(|(name, field)| {
                let (texts, rest) = extent(field, items);
                (texts, rest + name.len())
            }))
        }
        Some("array") => of(&mut std::iter::repeat_n(extent(&schema["items"], items), items)),
        Some("string") if schema["enum"].is_null() => (1, AROUND),
        _ => (0, AROUND),
    }
}

fn with_limits(schema: &Value, items: usize, length: usize) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let mut limited: Map<String, Value> = fields.clone();
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let properties: Map<String, Value> =
                properties.map(|(name, field)| (name.clone(), with_limits(field, items, length))).collect();
            limited.insert("properties".to_owned(), Value::Object(properties));
        }
        Some("array") => {
            limited.insert("items".to_owned(), with_limits(&schema["items"], items, length));
            limited.insert("maxItems".to_owned(), json!(items));
        }
        Some("string") if schema["enum"].is_null() => {
            limited.insert("maxLength".to_owned(), json!(length));
        }
        _ => {}
    }
    Value::Object(limited)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::AnswerForm;

    /// The longest answer that fits a schema, as a model writes it: indented.
    fn longest(schema: &Value) -> Value {
        let items = || usize::try_from(schema["maxItems"].as_u64().unwrap()).unwrap();
        match schema["type"].as_str().unwrap() {
            "object" => {
                let fields = schema["properties"].as_object().unwrap();
                Value::Object(fields.iter().map(|(name, field)| (name.clone(), longest(field))).collect())
            }
            "array" => Value::Array(vec![longest(&schema["items"]); items()]),
            "integer" => json!(10_000),
            _ => match schema["enum"].as_array() {
                Some(words) => {
                    words.iter().max_by_key(|word| word.to_string().len()).cloned().unwrap_or_default()
                }
                None => json!("x".repeat(usize::try_from(schema["maxLength"].as_u64().unwrap()).unwrap())),
            },
        }
    }

    #[test]
    fn the_longest_answer_fits_its_tokens() {
        let schema: Value = serde_json::from_str(AnswerForm::Brief.schema()).unwrap();
        for tokens in [300, 600, 1_500, 4_000] {
            let answer = longest(&bounded(&schema, tokens));
            let length = serde_json::to_string_pretty(&answer).unwrap().len();
            assert!(length <= tokens as usize * 4, "{length} characters in {tokens} tokens");
            assert!(length >= tokens as usize, "{length} characters in {tokens} tokens: far too short");
            assert!(AnswerForm::Brief.read(&answer.to_string()).is_ok());
        }
    }

    #[test]
    fn words_to_choose_from_stay() {
        let schema: Value = serde_json::from_str(AnswerForm::Brief.schema()).unwrap();
        let limited = bounded(&schema, 10);
        let of = |schema: &Value| schema["properties"]["lessons"]["items"]["properties"]["kind"].clone();
        assert_eq!(of(&limited), of(&schema));
        assert_eq!(limited["properties"]["lessons"]["maxItems"], 1);
    }
}
