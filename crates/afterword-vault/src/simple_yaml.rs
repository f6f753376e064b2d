//! Reads the front matter that nearly every note has, a hundred times faster than a YAML parser does.
//!
//! One property a line, values that are a word, a date, a double-quoted text, a checkbox or nothing, and lists with an
//! item a line: what this program writes, and Obsidian too. Anything else gives `None`, and is read by the YAML parser
//! in [`front_matter`](crate::front_matter); a test holds that the two agree.

use std::collections::HashMap;
use std::ops::Range;

use gray_matter::Pod;

use crate::front_matter::Property;

/// Words that YAML of some version takes for something else than text.
const MEANS_SOMETHING: [&str; 11] =
    ["y", "n", "yes", "no", "true", "false", "on", "off", "null", "nan", "inf"];

/// The properties with their places, counted from `start`, and their values.
pub(crate) fn parse_simple_yaml(yaml: &str, start: usize) -> Option<(Vec<Property>, HashMap<String, Pod>)> {
    let mut properties: Vec<Property> = Vec::with_capacity(24);
    let mut values: HashMap<String, Pod> = HashMap::with_capacity(24);
    let mut list: Option<Vec<Pod>> = None;
    let mut at = 0;
    for line in yaml.split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        let text = line.strip_suffix('\n').unwrap_or(line);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if let Some(item) = text.strip_prefix("  - ") {
            list.as_mut()?.push(parse_value(item).filter(|item| !matches!(item, Pod::Null))?);
            properties.last_mut()?.span.end = start + span.end;
            continue;
        }
        finish_list(&mut list, &properties, &mut values);
        let (name, after) = text.split_once(':')?;
        if !is_name(name) || values.contains_key(name) {
            return None;
        }
        let (read, scalar_at) = match after.strip_prefix(' ') {
            None if after.is_empty() => (Pod::Null, None),
            None => return None,
            Some(after) => (parse_value(after)?, Some(start + span.start + name.len() + 2)),
        };
        if read == Pod::Null {
            list = Some(Vec::new());
        }
        values.insert(name.to_owned(), read);
        let span = Range { start: start + span.start, end: start + span.end };
        properties.push(Property { name: name.to_owned(), span, scalar_at });
    }
    finish_list(&mut list, &properties, &mut values);
    Some((properties, values))
}

/// Ends the list that a property without a value of its own may have begun.
fn finish_list(list: &mut Option<Vec<Pod>>, properties: &[Property], values: &mut HashMap<String, Pod>) {
    if let (Some(items), Some(property)) = (list.take().filter(|items| !items.is_empty()), properties.last())
    {
        values.insert(property.name.clone(), Pod::Array(items));
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        && !MEANS_SOMETHING.contains(&name.to_ascii_lowercase().as_str())
}

/// One value on one line; `None` for what only a YAML parser should judge.
fn parse_value(text: &str) -> Option<Pod> {
    match text {
        "" => return None,
        "true" => return Some(Pod::Boolean(true)),
        "false" => return Some(Pod::Boolean(false)),
        "[]" => return Some(Pod::Array(Vec::new())),
        _ => {}
    }
    if let Some(rest) = text.strip_prefix('"') {
        return parse_quoted(rest).map(Pod::String);
    }
    let plain = is_word(text) || is_date(text) || is_uuid(text);
    plain.then(|| Pod::String(text.to_owned()))
}

/// The text of a double-quoted value behind its first quote, if the last quote ends the line.
fn parse_quoted(rest: &str) -> Option<String> {
    let inner = rest.strip_suffix('"')?;
    if inner
        .contains(|c: char| c.is_control() || matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}'))
    {
        return None;
    }
    if !inner.contains(['\\', '"']) {
        return Some(inner.to_owned());
    }
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => return None,
            '\\' => text.push(match characters.next()? {
                '"' => '"',
                '\\' => '\\',
                'n' => '\n',
                't' => '\t',
                _ => return None,
            }),
            _ => text.push(c),
        }
    }
    Some(text)
}

/// A word or a path that no version of YAML takes for a number, a checkbox or nothing.
fn is_word(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/');
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(inner)
        && !(text.len() <= 5 && MEANS_SOMETHING.contains(&text.to_ascii_lowercase().as_str()))
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| {
            if matches!(at, 8 | 13 | 18 | 23) { byte == b'-' } else { byte.is_ascii_hexdigit() }
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::front_matter;

    fn line() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            "[a-z\"\\\\ :#\\[\\]{}&*!|>'%@`~.,0-9-]{0,10}",
            "\"[ -~é\n\t\u{85}]{0,8}\"",
            prop::sample::select(
                &[
                    "true",
                    "True",
                    "yes",
                    "No",
                    "~",
                    "null",
                    "",
                    " ",
                    "[]",
                    "{}",
                    "nan",
                    ".inf",
                    "1e3",
                    "0x1f",
                    "1_000",
                    "2026-03-01",
                    "2026-99-99",
                    "12345678-1234-1234-1234-123456789012",
                    "infinity",
                    "word",
                    "a/b",
                    "- x",
                    "\"a\\\"b\"",
                    "\"a\\x41\"",
                    "\"\"",
                    "\"a\" # c",
                    "word # c",
                    "a: b",
                    "a#b",
                    "---",
                    "..."
                ][..]
            )
            .prop_map(str::to_owned),
        ];
        let name = prop::sample::select(
            &[
                "a", "b", "status", "y", "no", "null", "Tags", "my-own", "x_y", "a b", "\"q\"", "1", "-",
                "?", "#c", "",
            ][..],
        );
        prop_oneof![
            (name, value.clone()).prop_map(|(name, value)| format!("{name}: {value}")),
            value.clone().prop_map(|value| format!("  - {value}")),
            value.clone().prop_map(|value| format!("- {value}")),
            Just("a:".to_owned()),
            Just("list:".to_owned()),
            value,
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_read_quickly_is_what_yaml_reads(
            lines in prop::collection::vec(line(), 0..6), ending in prop::sample::select(&["\n", "\r\n"][..]),
        ) {
            let yaml: String = lines.iter().map(|line| format!("{line}{ending}")).collect();
            let Some((properties, values)) = parse_simple_yaml(&yaml, 0) else { return Ok(()) };
            let (slow, fault) = front_matter::parse_yaml(&yaml, 0..yaml.len());
            prop_assert!(fault.is_none(), "{fault:?}");
            prop_assert_eq!(&values, &slow.values);
            let places = |properties: &[Property]| {
                properties.iter().map(|property| (property.name.clone(), property.span.clone())).collect::<Vec<_>>()
            };
            prop_assert_eq!(places(&properties), places(&slow.properties));
        }
    }

    #[test]
    fn what_this_program_writes_is_read_quickly() {
        let yaml = "title: \"Use pnpm, never npm.\"\nkind: preference\nstatus: inbox\nreview:\nconfidence: medium\n\
                    project: shop\ntags:\n  - afterword\ncreated: 2026-03-15\nalways_load: false\nevidence:\n  - \"a/b\"\n\
                    id: 019cee74-0000-7000-8000-000000000000\nkey: \"0a\"\n";
        let (properties, values) = parse_simple_yaml(yaml, 10).unwrap();
        assert_eq!(properties.len(), 12);
        assert_eq!(properties[0].span, 10..10 + yaml.find("kind").unwrap());
        assert_eq!(values["review"], Pod::Null);
        assert_eq!(values["tags"], Pod::Array(vec![Pod::String("afterword".to_owned())]));
    }
}
