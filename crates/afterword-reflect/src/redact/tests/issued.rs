//! Tokens made from the rules' own patterns, in the forms that gitleaks tests its rules with and in those of people:
//! how many leave no trace.

use proptest::strategy::{Strategy, ValueTree};
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;
use regex::Regex;
use serde::Deserialize;

use super::super::Redactor;
use super::corpus::shows;

#[derive(Deserialize)]
struct RuleSet {
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    id: String,
    regex: String,
    keywords: Vec<String>,
}

/// The share of tokens of which no half may be left.
const FLOOR: f64 = 0.97;
/// Tokens made of each rule.
const SAMPLES: usize = 1;

/// An assignment in the files and languages where tokens stand.
const FORMS: &[&str] = &[
    "{i}Token=\"{s}\"",
    "{i}Token = \"{s}\"",
    "{i}Token={s}",
    "{i}Token = {s}",
    "{\n    \"{i}_token\": \"{s}\"\n}",
    "\\{\n    \\\"{i}_token\\\": \\\"{s}\\\"\n\\}",
    "{\n  \"name\": \"{i}_token\",\n  \"value\": \"{s}\"\n}",
    "<{i}Token>{s}</{i}Token>",
    "<{i}Token>\n    {s}\n</{i}Token>",
    "<entry name=\"{i}Token\" value=\"{s}\" />",
    "{i}_token: {s}",
    "{i}_token: '{s}'",
    "{i}_token: |\n  {s}",
    "{i}_token: >\n  {s}",
    "string {i}Token = \"{s}\";",
    "var {i}Token string = \"{s}\"",
    "{i}Token := \"{s}\"",
    "{i}Token := `{s}`",
    "${i}Token .= \"{s}\"",
    "${i}Token ??= \"{s}\"",
    "{i}Token = '{s}'",
    "{i}Token,{s},",
    "  \"{i}Token\" => \"{s}\"",
    "{i}_TOKEN ::= \"{s}\"",
    "{i}_TOKEN :::= \"{s}\"",
    "{i}_TOKEN ?= \"{s}\"",
    "export {i}_TOKEN={s}",
    "| {i} token | `{s}` |",
    "the {i} token is {s}",
    "curl -H \"Authorization: Bearer {s}\" https://api.example.com/v1",
];

/// A token as a rule's pattern describes it, or `None` where the pattern cannot be turned round.
fn token(rule: &Rule, runner: &mut TestRunner) -> Option<String> {
    let by_context = Regex::new(r"\[\\x60'\x22\\s=\]\{0,5\}\((.*)\)\(\?:\[\\x60").unwrap();
    let body = match by_context.captures(&rule.regex) {
        Some(captures) => format!("(?i){}", &captures[1]),
        None => rule.regex.clone(),
    };
    let end = Regex::new(r#"\(\?:(?:\\\\\?)?\[['"\\x60]+(?:\\s;(?:<,\)\\\\)?)?\].*\$\)\z"#).unwrap();
    let body = end.replace(&body, "").replace(r"\b", "").replace("(?i)", "");
    let body = body
        .replace(r"\x60", "`")
        .replace(r"[\w", "[A-Za-z0-9")
        .replace(r"\w", "[A-Za-z0-9]")
        .replace(r"\d", "[0-9]");
    // Issuers draw evenly from an alphabet, in which signs are few; `string_regex` would take them as often as all letters.
    let body = Regex::new(r"(0-9|A-Z|a-z)[=_\\.+/*-]+\]").unwrap().replace_all(&body, "$1]").into_owned();
    let sample = string_regex(&body).ok()?.new_tree(runner).ok()?.current();
    sample.bytes().all(|byte| byte.is_ascii_graphic()).then_some(sample)
}

#[test]
fn tokens_of_every_issuer_leave_no_trace() {
    let redactor = Redactor::default();
    let mut runner = TestRunner::deterministic();
    let sets = [include_str!("../gitleaks/rules.toml"), include_str!("../betterleaks/rules.toml")];
    let rules: Vec<Rule> =
        sets.iter().flat_map(|set| toml::from_str::<RuleSet>(set).unwrap().rules).collect();
    let (mut all, mut left, mut asked) = (0, Vec::new(), 0);
    for rule in &rules {
        let made: Vec<_> = (0..SAMPLES).filter_map(|_| token(rule, &mut runner)).collect();
        asked += usize::from(!made.is_empty());
        let issuer = rule.keywords[0].trim_matches(|sign: char| !sign.is_ascii_alphanumeric());
        for (form, secret) in FORMS.iter().flat_map(|form| made.iter().map(move |one| (form, one))) {
            all += 1;
            let text = form.replace("{i}", issuer).replace("{s}", secret);
            if shows(&redactor.redact(&text).text, secret) {
                left.push(format!("{}: {text:?}", rule.id));
            }
        }
    }
    println!("{} of {all} left, {asked} of {} rules", left.len(), rules.len());
    for text in &left {
        println!("   {text}");
    }
    assert!(asked * 10 >= rules.len() * 9, "{asked} of {} rules could be turned round", rules.len());
    let gone = f64::from(u32::try_from(all - left.len()).unwrap());
    assert!(gone >= FLOOR * f64::from(u32::try_from(all).unwrap()), "{} of {all} left", left.len());
}
