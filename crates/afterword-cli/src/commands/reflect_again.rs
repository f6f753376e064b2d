//! `afterword reflect --again [SESSION|PATH] [--all] [--since TIME] [--apply]`

use std::io::{self, Write};
use std::process::ExitCode;

use afterword_app::reflect::again::{Addition, Improvement, Reread, RereadRequest, Withdrawal, Wording};
use afterword_app::{Target, reflect};
use afterword_core::{Confidence, Kind};
use serde::Serialize;

use super::reflect::{FailureView, failure_views};
use crate::failure::{Failure, chain};
use crate::output::{ATTENTION, BAD, BOLD, DIM, GOOD, Output, plain};
use crate::progress::Bar;
use crate::wording::{confidence, count, path};

#[derive(Serialize)]
struct RereadView<'a> {
    version: u32,
    applied: bool,
    vault: String,
    sessions: usize,
    not_read: NotReadView,
    add: Vec<AdditionView<'a>>,
    improve: Vec<ImprovementView<'a>>,
    withdraw: Vec<WithdrawalView<'a>>,
    known: usize,
    deleted: usize,
    kept_away: usize,
    failed: Vec<FailureView>,
}

#[derive(Serialize)]
struct NotReadView {
    new: usize,
    changed: usize,
    other_engine: usize,
    excluded: usize,
}

#[derive(Serialize)]
struct AdditionView<'a> {
    kind: Kind,
    confidence: Confidence,
    title: &'a str,
    session_id: &'a str,
    path: &'a str,
    refused: Option<&'a str>,
}

#[derive(Serialize)]
struct ImprovementView<'a> {
    note: String,
    kind: Kind,
    before: WordingView<'a>,
    after: WordingView<'a>,
    refused: Option<&'a str>,
}

#[derive(Serialize)]
struct WordingView<'a> {
    title: &'a str,
    body: &'a str,
    confidence: Option<Confidence>,
    path: &'a str,
}

#[derive(Serialize)]
struct WithdrawalView<'a> {
    note: String,
    kind: Kind,
    title: &'a str,
    path: &'a str,
    to: &'a str,
    refused: Option<&'a str>,
}

pub(super) fn run(target: Target, apply: bool, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let mut bar = Bar::new();
    let reread = reflect::reread(&app, &RereadRequest { target, apply }, &jiff::Zoned::now(), &mut bar);
    bar.clear();
    let reread = reread?;
    if output.json {
        output.print_json(&view(&reread))?;
    } else {
        print(&reread, output)?;
        summarise(&reread, output)?;
    }
    for problem in &reread.problems {
        output.warning(&plain(problem));
    }
    for failure in &reread.failures {
        output.warning(&format!("{}: {}", path(&failure.transcript), chain(&failure.error)));
    }
    if reread.passed.new + reread.passed.changed > 0 {
        output
            .hint("`afterword reflect` reads sessions that are new or changed; `--again` those it has read");
    }
    if !reread.applied && changes(&reread) > 0 {
        output.hint("nothing was written; the same with `--apply` does it");
    }
    let is_whole = reread.failures.is_empty() && not_written(&reread) == 0;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn not_written(reread: &Reread) -> usize {
    let added = reread.add.iter().map(|one| &one.refused);
    let improved = reread.improve.iter().map(|one| &one.refused);
    let withdrawn = reread.withdraw.iter().map(|one| &one.refused);
    added.chain(improved).chain(withdrawn).flatten().count()
}

fn changes(reread: &Reread) -> usize {
    reread.add.len() + reread.improve.len() + reread.withdraw.len()
}

fn print(reread: &Reread, output: &mut Output) -> io::Result<()> {
    if changes(reread) == 0 {
        return Ok(());
    }
    let heading = if reread.applied { "Notes" } else { "Plan for the notes" };
    writeln!(output.data(), "{BOLD}{heading}{BOLD:#} in {}", path(&reread.vault))?;
    group("Add", reread.add.len(), output)?;
    for one in &reread.add {
        line((GOOD, '+'), &one.title, one.refused.as_deref(), output)?;
        let level = confidence(one.confidence);
        writeln!(output.data(), "      {DIM}{level}, {}{DIM:#}", plain(&one.path))?;
    }
    group("Improve", reread.improve.len(), output)?;
    for one in &reread.improve {
        line((GOOD, '~'), &one.after.title, one.refused.as_deref(), output)?;
        for part in differences(one) {
            writeln!(output.data(), "      {DIM}{}{DIM:#}", plain(&part))?;
        }
    }
    group("Withdraw", reread.withdraw.len(), output)?;
    for one in &reread.withdraw {
        line((ATTENTION, '-'), &one.title, one.refused.as_deref(), output)?;
        writeln!(output.data(), "      {DIM}{} to {}{DIM:#}", plain(&one.path), plain(&one.to))?;
    }
    writeln!(output.data())
}

fn group(heading: &str, number: usize, output: &mut Output) -> io::Result<()> {
    if number == 0 {
        return Ok(());
    }
    writeln!(output.data(), "  {heading} {DIM}({number}){DIM:#}")
}

fn line(
    (style, sign): (anstyle::Style, char),
    title: &str,
    refused: Option<&str>,
    output: &mut Output,
) -> io::Result<()> {
    let title = plain(title);
    match refused {
        None => writeln!(output.data(), "    {style}{sign}{style:#} {title}"),
        Some(reason) => {
            writeln!(output.data(), "    {BAD}!{BAD:#} {title}  {DIM}not written: {}{DIM:#}", plain(reason))
        }
    }
}

/// What of a note changes, one line each.
fn differences(one: &Improvement) -> Vec<String> {
    let (before, after) = (&one.before, &one.after);
    let mut parts = Vec::new();
    if before.path == after.path {
        parts.push(before.path.clone());
    } else {
        parts.push(format!("{} to {}", before.path, after.path));
    }
    if before.title != after.title {
        parts.push(format!("was: {}", before.title));
    }
    if before.body != after.body {
        parts.push("another text; `--json` has both".to_owned());
    }
    if before.confidence != after.confidence {
        let level = |wording: &Wording| wording.confidence.map_or("none", confidence);
        parts.push(format!("confidence {} instead of {}", level(after), level(before)));
    }
    parts
}

fn summarise(reread: &Reread, output: &mut Output) -> io::Result<()> {
    let mut parts = Vec::new();
    let mut add = |number: usize, text: &str| {
        if number > 0 {
            parts.push(format!("{number} {text}"));
        }
    };
    let words = match reread.applied {
        true => ["added", "improved", "withdrawn"],
        false => ["to add", "to improve", "to withdraw"],
    };
    add(reread.add.iter().filter(|one| one.refused.is_none()).count(), words[0]);
    add(reread.improve.iter().filter(|one| one.refused.is_none()).count(), words[1]);
    add(reread.withdraw.iter().filter(|one| one.refused.is_none()).count(), words[2]);
    add(not_written(reread), "not written");
    add(reread.known, "as they are");
    add(reread.deleted, "deleted by you and left so");
    add(reread.kept_away, "kept away because you rejected the like");
    add(reread.passed.new, "never reflected");
    add(reread.passed.changed, "changed since");
    add(reread.passed.other_engine, "left to the engine that read them");
    add(reread.passed.excluded, "excluded");
    add(reread.failures.len(), "failed");
    let read = count(reread.sessions, "session");
    let rest = if parts.is_empty() { "nothing to change".to_owned() } else { parts.join(", ") };
    writeln!(output.data(), "{read} read again: {rest}")
}

fn view(reread: &Reread) -> RereadView<'_> {
    let passed = &reread.passed;
    RereadView {
        version: 1,
        applied: reread.applied,
        vault: reread.vault.to_string_lossy().into_owned(),
        sessions: reread.sessions,
        not_read: NotReadView {
            new: passed.new,
            changed: passed.changed,
            other_engine: passed.other_engine,
            excluded: passed.excluded,
        },
        add: reread.add.iter().map(addition).collect(),
        improve: reread.improve.iter().map(improvement).collect(),
        withdraw: reread.withdraw.iter().map(withdrawal).collect(),
        known: reread.known,
        deleted: reread.deleted,
        kept_away: reread.kept_away,
        failed: failure_views(&reread.failures),
    }
}

fn addition(one: &Addition) -> AdditionView<'_> {
    AdditionView {
        kind: one.kind,
        confidence: one.confidence,
        title: &one.title,
        session_id: one.session.as_str(),
        path: &one.path,
        refused: one.refused.as_deref(),
    }
}

fn improvement(one: &Improvement) -> ImprovementView<'_> {
    ImprovementView {
        note: one.note.to_string(),
        kind: one.kind,
        before: wording(&one.before),
        after: wording(&one.after),
        refused: one.refused.as_deref(),
    }
}

fn wording(wording: &Wording) -> WordingView<'_> {
    let Wording { title, body, confidence, path } = wording;
    WordingView { title, body, confidence: *confidence, path }
}

fn withdrawal(one: &Withdrawal) -> WithdrawalView<'_> {
    WithdrawalView {
        note: one.note.to_string(),
        kind: one.kind,
        title: &one.title,
        path: &one.path,
        to: &one.to,
        refused: one.refused.as_deref(),
    }
}
