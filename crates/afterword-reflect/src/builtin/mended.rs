//! The fix of a repair: what failed, what was changed, that it works, and the cause where the agent named one.

use afterword_core::{Candidate, Confidence, CountedReason, Evidence, Kind, KnownReason, Role, Signal};

use afterword_transcript::event::EntryLocation;

use super::cause;
use super::language::{Language, normalise};
use super::phrase::{flat, statement, statement_title, title};
use super::reasons::sentence;
use super::repair::{Change, Repair, parts};
use super::repetition::says_nothing;
use super::topic::Topic;
use super::wording::quotation;
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
    new.retain(|repair| {
        is_named(repair) || unnamed <= UNNAMED && !is_mere_work(repair) && !is_no_advice(repair)
    });
    candidates.extend(new.into_iter().map(|repair| candidate(repair, language)));
}

/// Joins fixes that tell of the same, the last one leading: a cause is often named more than once.
pub fn join_alike(candidates: &mut Vec<Candidate>) {
    let is_fix = |candidate: &Candidate| {
        candidate.kind == Kind::Fix
            && candidate.signal == Signal::ErrorResolved
            && !candidate.evidence.is_empty()
    };
    for last in (1..candidates.len()).rev() {
        if !is_fix(&candidates[last]) {
            continue;
        }
        let said = Topic::of(&candidates[last].evidence[0].quote);
        let is_same = |known: &Candidate| is_fix(known) && Topic::of(&known.evidence[0].quote).is_like(&said);
        if let Some(same) = candidates[..last].iter().rposition(is_same) {
            let joined = candidates.remove(last);
            let earlier = std::mem::replace(&mut candidates[same], joined);
            let kept = &mut candidates[same];
            kept.confidence = kept.confidence.min(earlier.confidence);
            for piece in earlier.evidence {
                if kept.evidence.iter().all(|known| known.line != piece.line) {
                    kept.evidence.push(piece);
                }
            }
        }
    }
}

/// Whether only files were changed after an error that does not say what failed, or only tests: work, of which nobody learns how to
/// mend the failure when it comes again.
fn is_mere_work(repair: &Repair) -> bool {
    let mut names = repair.changes.iter().map(|change| match change {
        Change::File { name, .. } => Some(name.to_lowercase()),
        Change::Command(command)
            if ["for ", "sed -i", "perl -"].iter().any(|start| command.starts_with(start)) =>
        {
            Some(String::new())
        }
        _ => None,
    });
    let is_test = |name: &str| {
        let is_settings =
            [".ini", ".toml", ".json", ".yml", ".yaml", ".cfg"].iter().any(|end| name.ends_with(end));
        (name.contains("test") || name.contains("spec")) && !is_settings
    };
    if says_nothing(&repair.error) {
        names.all(|name| name.is_some())
    } else {
        names.all(|name| name.is_some_and(|name| is_test(&name)))
    }
}

/// Whether the failure was overridden, as with `--force`, or worked around by a loop over files: nothing to do the next time.
pub(crate) fn is_no_advice(repair: &Repair) -> bool {
    const OVERRIDES: [&str; 4] = ["--force", "--no-verify", "--hard", "--break-system-packages"];
    const LOOPS: [&str; 2] = ["for ", "while "];
    let has = |command: &str, flag: &str| command.split_whitespace().any(|word| word == flag);
    let is_none = |command: &str| {
        OVERRIDES.iter().any(|flag| has(command, flag) && !has(&repair.command, flag))
            || LOOPS.iter().any(|start| command.starts_with(start))
    };
    repair.changes.iter().all(|change| match change {
        Change::Command(command) | Change::Same(command) => is_none(command),
        Change::File { .. } => false,
    })
}

/// The sentence in which the agent named the cause, and where.
fn named_cause<'r>(repair: &'r Repair, language: &'static Language) -> Option<(&'r EntryLocation, &'r str)> {
    repair
        .remarks
        .iter()
        .map(|(place, text)| (place, cause::sentence(text, language)))
        .filter(|(_, sentence)| {
            cause::score(sentence, language) >= cause::CLEAR
                && !sentence.ends_with(['?', ':'])
                && !cause::is_remedy(sentence, language)
        })
        .max_by_key(|(_, sentence)| cause::score(sentence, language))
}

fn candidate(repair: &Repair, language: &'static Language) -> Candidate {
    let named = named_cause(repair, language);
    let heading = match &named {
        Some((_, sentence)) => statement_title(sentence),
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
        rationale: match repair.failures {
            0 | 1 => sentence(KnownReason::Mended.words()),
            failures => sentence(&CountedReason::MendedAfter.words(failures)),
        },
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
    const SHOWS: [&str; 7] = ["cd ", "tail ", "head ", "grep ", "sort", "wc ", "echo "];
    let mut parts =
        parts(command).into_iter().filter(|part| SHOWS.iter().all(|shows| !part.starts_with(shows)));
    parts.next_back().unwrap_or_else(|| command.to_owned())
}

fn quoted(text: &str) -> String {
    let line = flat(text).replace('`', "'");
    if line.len() > QUOTED { format!("{} …", head(&line, QUOTED)) } else { line }
}

/// A test that is written first is meant to fail.
pub(crate) fn is_meant_to_fail(repair: &Repair) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn repair(command: &str, change: Change) -> Repair {
        let place = |line| EntryLocation { line, uuid: String::new(), time: None, sidechain: false };
        Repair {
            command: command.to_owned(),
            error: "rejected".to_owned(),
            failed: place(1),
            worked: place(2),
            ordinals: (1, 2),
            changes: vec![change],
            remarks: Vec::new(),
            asked: None,
            failures: 1,
        }
    }

    #[test]
    fn what_overrides_a_failure_mends_nothing() {
        let same = |to: &str| Change::Same(to.to_owned());
        assert!(is_no_advice(&repair("git push", same("git push --force"))));
        assert!(is_no_advice(&repair("git push", Change::Command("git reset --hard".to_owned()))));
        assert!(!is_no_advice(&repair("git push", same("git push -u origin main"))));
        assert!(!is_no_advice(&repair("git push --force", same("git push --force origin main"))));
    }
}
