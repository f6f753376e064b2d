//! A lesson that waits, on a line or as a whole.

use std::io::{self, Write};
use std::process::ExitCode;

use afterword_app::note_change::WaitingPlace;
use afterword_app::review::{EvidenceItem, ReviewItem};
use afterword_app::{App, review};
use afterword_core::Role;
use jiff::Zoned;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, DIM, Output, plain};
use crate::wording::confidence;

#[derive(Serialize)]
struct ShowView<'a> {
    version: u32,
    item: &'a ReviewItem,
}

pub(super) fn run(app: &App, note: &str, now: &Zoned, output: &mut Output) -> Result<ExitCode, Failure> {
    let item = review::review_item(app, note, now)?;
    if output.json {
        output.print_json(&ShowView { version: 1, item: &item })?;
    } else {
        print_item(&item, output.data())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the list shows of a lesson.
pub(super) fn line(item: &ReviewItem, output: &mut Output) -> io::Result<()> {
    let out = output.data();
    writeln!(out, "{BOLD}{}{BOLD:#}", plain(&item.title))?;
    let inbox = if item.waits == WaitingPlace::Inbox { ", inbox" } else { "" };
    let skipped = if item.skipped_at.is_some() { ", left for later" } else { "" };
    let sure = item.confidence.map_or("unknown", confidence);
    writeln!(
        out,
        "  {DIM}{}, {sure}{inbox}{skipped}, {}{}, {}  {}{DIM:#}",
        item.kind.as_str(),
        age(item.age_days),
        waiting_time(item.waiting_days),
        plain(item.project.as_deref().unwrap_or("no project")),
        item.id
    )
}

/// All of a lesson: its text, its evidence with what led to it, and what it is close to.
pub(super) fn print_item(item: &ReviewItem, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}", plain(&item.title))?;
    let sure = item.confidence.map_or("unknown", confidence);
    let project = plain(item.project.as_deref().unwrap_or("no project"));
    let (age, waits) = (age(item.age_days), waiting_time(item.waiting_days));
    writeln!(out, "{DIM}{}, {sure}, {age}{waits}, {project}{DIM:#}", item.kind.as_str())?;
    writeln!(out, "{DIM}{}{DIM:#}\n", plain(&item.path))?;
    for line in item.body.lines() {
        writeln!(out, "  {}", plain(line))?;
    }
    writeln!(out, "\n{DIM}{}{DIM:#}", plain(&item.rationale))?;
    for evidence in &item.evidence {
        self::evidence(evidence, out)?;
    }
    for (number, similar) in (1..).zip(&item.similar) {
        let word = match similar.contradicts {
            _ if item.may_supersede == Some(similar.id) => "likely takes the place of",
            true => "contradicts",
            false => "close to",
        };
        let title = plain(&similar.title);
        let close = similar.closeness;
        writeln!(out, "{ATTENTION}{number}{ATTENTION:#} {word} {BOLD}{title}{BOLD:#} ({close:.2})")?;
        writeln!(out, "  {DIM}{}{DIM:#}", plain(&similar.path))?;
    }
    Ok(())
}

fn evidence(evidence: &EvidenceItem, out: &mut impl Write) -> io::Result<()> {
    let session = evidence.session.get(..8).unwrap_or(&evidence.session);
    writeln!(out, "\n{DIM}session {}, line {}{DIM:#}", plain(session), evidence.line)?;
    if evidence.turns.is_empty() {
        return writeln!(out, "  {} {}", speaker(evidence.role), plain(&evidence.quote));
    }
    for turn in &evidence.turns {
        if turn.is_evidence {
            writeln!(out, "{BOLD}> {}{BOLD:#} {}", speaker(turn.role), plain(&turn.text))?;
        } else {
            writeln!(out, "  {DIM}{} {}{DIM:#}", speaker(turn.role), plain(&turn.text))?;
        }
    }
    Ok(())
}

fn speaker(role: Role) -> &'static str {
    match role {
        Role::User => "you  ",
        Role::Assistant => "agent",
        Role::Tool => "tool ",
    }
}

/// How long it waits, which has nothing to do with when it was said: sessions of last year are read today.
fn waiting_time(days: Option<i64>) -> String {
    match days {
        None => String::new(),
        Some(i64::MIN..=0) => ", waits since today".to_owned(),
        Some(1) => ", waits since yesterday".to_owned(),
        Some(days) => format!(", waits for {days} days"),
    }
}

fn age(days: i64) -> String {
    match days {
        i64::MIN..=0 => "said today".to_owned(),
        1 => "said yesterday".to_owned(),
        days => format!("said {days} days ago"),
    }
}
