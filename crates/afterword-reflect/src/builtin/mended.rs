//! The fix of a repair: what failed, what was changed, that it works, and the cause where the agent named one.

use afterword_core::{Candidate, Confidence, Evidence, Kind, Role, Signal};

use afterword_transcript::event::Place;

use super::language::{Language, normalise};
use super::phrase::{flat, statement, title};
use super::repair::{Change, Repair};
use super::wording::{cause_score, cause_sentence, quotation};
use super::words::head;

/// Longest command, change or error quoted, in bytes.
const QUOTED: usize = 160;

/// A session with more repairs than this whose cause nobody named is one of trial and error; none of those is kept.
const UNNAMED: usize = 2;

/// Adds the fixes of repairs, or confirms those that the agent's remarks already made of the same failures.
pub fn add(candidates: &mut Vec<Candidate>, repairs: &[Repair], language: &'static Language) {
    let mut new = Vec::new();
    for repair in repairs.iter().filter(|repair| !is_meant_to_fail(repair)) {
        let (from, to) = (repair.failed.line, repair.worked.line);
        let known = candidates.iter_mut().filter(|candidate| candidate.kind == Kind::Fix).find(|candidate| {
            candidate.evidence.iter().any(|evidence| (from..=to + 4).contains(&evidence.line))
        });
        let Some(known) = known else {
            new.push(repair);
            continue;
        };
        if known.confidence == Confidence::Low {
            known.confidence = Confidence::Medium;
        }
        known.body.push_str(&format!("\n{}\n", outcome(repair)));
        known.evidence.push(evidence_of_error(repair));
    }
    let is_named = |repair: &&Repair| named_cause(repair, language).is_some();
    let unnamed = new.iter().filter(|repair| !is_named(repair)).count();
    new.retain(|repair| unnamed <= UNNAMED || is_named(repair));
    candidates.extend(new.into_iter().map(|repair| candidate(repair, language)));
}

/// The sentence in which the agent named the cause, and where.
fn named_cause<'r>(repair: &'r Repair, language: &'static Language) -> Option<(&'r Place, &'r str)> {
    repair
        .remarks
        .iter()
        .map(|(place, text)| (place, cause_sentence(text, language)))
        .filter(|(_, sentence)| cause_score(sentence, language) >= 2 && !sentence.ends_with('?'))
        .max_by_key(|(_, sentence)| cause_score(sentence, language))
}

fn candidate(repair: &Repair, language: &'static Language) -> Candidate {
    let named = named_cause(repair, language);
    let heading = match &named {
        Some((_, sentence)) => title(&statement(sentence)),
        None => title(&format!("`{}` fails: {}", quoted(&program(&repair.command)), advice(&repair.changes))),
    };
    let mut body = format!("**Problem:** `{}` failed: {}\n", quoted(&repair.command), flat(&repair.error));
    if let Some((_, sentence)) = &named {
        body.push_str(&format!("\n**Cause:** {}.\n", statement(sentence)));
    }
    body.push_str(&format!("\n{}\n", outcome(repair)));
    let mut evidence = vec![evidence_of_error(repair)];
    if let Some((place, sentence)) = named {
        let quote = quotation(sentence);
        evidence
            .insert(0, Evidence { uuid: place.uuid.clone(), line: place.line, role: Role::Assistant, quote });
    }
    let last = repair.remarks.first();
    if let Some((place, text)) =
        last.filter(|(place, _)| evidence.iter().all(|known| known.line != place.line))
    {
        let quote = quotation(text);
        evidence.push(Evidence { uuid: place.uuid.clone(), line: place.line, role: Role::Assistant, quote });
    }
    if let Some((place, text)) = repair.asked.as_ref().filter(|(_, text)| !text.is_empty()) {
        let quote = quotation(text);
        evidence.push(Evidence { uuid: place.uuid.clone(), line: place.line, role: Role::User, quote });
    }
    Candidate {
        kind: Kind::Fix,
        confidence: Confidence::Low,
        signal: Signal::ErrorResolved,
        title: heading,
        body,
        rationale: format!(
            "A command failed{}, something was changed, and the same command worked.",
            if repair.failures > 1 { format!(" {} times", repair.failures) } else { String::new() }
        ),
        evidence,
    }
}

fn evidence_of_error(repair: &Repair) -> Evidence {
    let place = &repair.failed;
    Evidence { uuid: place.uuid.clone(), line: place.line, role: Role::Tool, quote: repair.error.clone() }
}

/// What was changed, and that it works now.
fn outcome(repair: &Repair) -> String {
    let changes: Vec<String> = repair.changes.iter().map(changed).collect();
    format!(
        "**What changed:** {}. After that `{}` worked.",
        changes.join("; "),
        quoted(&program(&repair.command))
    )
}

fn changed(change: &Change) -> String {
    match change {
        Change::File { name, old, new } if old.trim().is_empty() => {
            format!("`{}` was written: `{}`", quoted(name), quoted(new))
        }
        Change::File { name, old, new } => {
            let (old, new) = difference(old, new);
            format!("in `{}`, `{}` became `{}`", quoted(name), quoted(old), quoted(new))
        }
        Change::Command(command) => format!("`{}` was run", quoted(command)),
        Change::Same(command) => format!("it was run as `{}`", quoted(command)),
    }
}

/// The lines in which two texts differ.
fn difference<'t>(old: &'t str, new: &'t str) -> (&'t str, &'t str) {
    let same = old
        .lines()
        .zip(new.lines())
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len() + 1)
        .sum::<usize>();
    let rest = |text: &'t str| text.get(same.min(text.len())..).unwrap_or(text).trim();
    match (rest(old), rest(new)) {
        ("", new) if !new.is_empty() => (old.trim(), new),
        (old, new) => (old, new),
    }
}

fn advice(changes: &[Change]) -> String {
    match changes.last() {
        Some(Change::File { name, .. }) => format!("change `{}`", quoted(name)),
        Some(Change::Command(command)) => format!("run `{}` first", quoted(command)),
        Some(Change::Same(command)) => format!("run it as `{}`", quoted(command)),
        None => "it works again".to_owned(),
    }
}

/// The part of a command that runs something, without where it runs.
fn program(command: &str) -> String {
    let parts = command.split(['\n', ';']).flat_map(|part| part.split("&&")).map(str::trim);
    parts.filter(|part| !part.starts_with("cd ") && !part.is_empty()).last().unwrap_or(command).to_owned()
}

fn quoted(text: &str) -> String {
    let line = flat(text).replace('`', "'");
    if line.len() > QUOTED { format!("{} …", head(&line, QUOTED)) } else { line }
}

/// A test that is written first is meant to fail.
fn is_meant_to_fail(repair: &Repair) -> bool {
    let said = repair.asked.iter().map(|(_, text)| text).chain(repair.remarks.iter().map(|(_, text)| text));
    let words = [
        "test first",
        "tests first",
        "failing test",
        "see it fail",
        "watch it fail",
        "as it should be",
        "fails as expected",
        "fail as expected",
        "tdd",
        "red, as",
        "red first",
    ];
    said.map(|text| normalise(head(text, 2000))).any(|text| words.iter().any(|word| text.contains(word)))
}
