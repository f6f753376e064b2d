//! A schema with limits, for models that would go on talking: an answer that fits it is short enough to be finished.
//!
//! Servers that hold a model to a schema (llama.cpp and those built on it) hold it to `maxItems` and `maxLength` too.

use serde_json::Value;

use super::contract::dense;

/// Characters a token stands for at least: three as a rule, fewer in numbers, marks and what a small model makes up (with three,
/// one answer in two of a model of 135 million was cut off).
const CHARACTERS: usize = 2;
/// Items in a list within a list: one quotation tells what a lesson rests on.
const NESTED: usize = 1;
/// Items in a list, and characters in a text, at most and at least.
const ITEMS: std::ops::RangeInclusive<usize> = 1..=8;
const LENGTH: std::ops::RangeInclusive<usize> = 24..=1_000;
/// A title of the length that is asked for, and a sentence; shorter texts are not worth another item in every list.
const WORTH: usize = 140;
/// What stands around a value: quotation marks, a comma, a line's indentation.
const AROUND: usize = 16;

/// The same schema with limits, so that an answer takes about `tokens` at most; its fields stay in their order.
pub(super) fn bounded(schema: &str, tokens: u32) -> String {
    let fields: Value = serde_json::from_str(schema).unwrap_or_default();
    let characters = usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(CHARACTERS);
    let length = |items: usize| {
        let (texts, rest) = extent(&fields, items);
        characters.saturating_sub(rest) / texts.max(1)
    };
    let items = ITEMS.rev().find(|items| length(*items) >= WORTH).unwrap_or(*ITEMS.start());
    let length = length(items).clamp(*LENGTH.start(), *LENGTH.end());
    with_limits(&dense(schema), items, length)
}

/// Writes the limits into a schema's text, in which free texts and lists begin with their type.
fn with_limits(schema: &str, items: usize, length: usize) -> String {
    let mut limited = String::with_capacity(schema.len() * 2);
    let mut open: Vec<bool> = Vec::new();
    for (at, sign) in schema.char_indices() {
        limited.push(sign);
        if sign == '}' {
            open.pop();
        } else if sign == '{' {
            let rest = &schema[at..];
            let is_list = rest.starts_with(r#"{"type":"array""#);
            if is_list {
                let most = if open.contains(&true) { NESTED } else { items };
                limited.push_str(&format!(r#""maxItems":{most},"#));
            } else if rest.starts_with(r#"{"type":"string"}"#) {
                limited.push_str(&format!(r#""maxLength":{length},"#));
            }
            open.push(is_list);
        }
    }
    limited
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
        Some("array") => of(&mut std::iter::repeat_n(extent(&schema["items"], NESTED), items)),
        Some("string") if schema["enum"].is_null() => (1, AROUND),
        _ => (0, AROUND),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::AnswerForm;

    fn limited(tokens: u32) -> Value {
        serde_json::from_str(&bounded(AnswerForm::Brief.schema(), tokens)).unwrap()
    }

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
        for tokens in [300, 600, 1_500, 4_000] {
            let answer = longest(&limited(tokens));
            let length = serde_json::to_string_pretty(&answer).unwrap().len();
            assert!(length <= tokens as usize * 4, "{length} characters in {tokens} tokens");
            assert!(length >= tokens as usize, "{length} characters in {tokens} tokens: far too short");
            assert!(AnswerForm::Brief.read(&answer.to_string()).is_ok());
        }
    }

    #[test]
    fn a_whole_title_fits_before_there_is_a_second_lesson() {
        for tokens in [900, 1_500, 4_000] {
            let limited = limited(tokens);
            let lesson = &limited["properties"]["lessons"]["items"]["properties"];
            let (most, title) =
                (&limited["properties"]["lessons"]["maxItems"], &lesson["title"]["maxLength"]);
            assert!(title.as_u64().unwrap() >= 140, "{title} characters of {most} titles in {tokens} tokens");
            assert_eq!(most.as_u64().unwrap() > 1, tokens > 1_000, "{most} lessons in {tokens} tokens");
        }
    }

    #[test]
    fn words_to_choose_from_stay() {
        let schema: Value = serde_json::from_str(AnswerForm::Brief.schema()).unwrap();
        let limited = limited(10);
        let of = |schema: &Value| schema["properties"]["lessons"]["items"]["properties"]["kind"].clone();
        assert_eq!(of(&limited), of(&schema));
        assert_eq!(limited["properties"]["lessons"]["maxItems"], 1);
    }

    #[test]
    fn fields_are_written_in_the_order_of_the_schema() {
        let text = bounded(AnswerForm::Brief.schema(), 900);
        let at = |name: &str| text.find(&format!("\"{name}\":{{")).unwrap();
        assert!(
            at("lessons") < at("evidence") && at("evidence") < at("title") && at("title") < at("handoff")
        );
    }
}
