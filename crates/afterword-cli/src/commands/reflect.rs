//! `afterword reflect [SESSION|PATH] [--all] [--since TIME] [--engine ENGINE] [--dry-run] [--foreign]`; with `--again` in `reflect_again`

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::process::ExitCode;

use afterword_app::note_change::{NoteChange, NoteChangeKind, WaitingPlace};
use afterword_app::reflect::SessionFailure;
use afterword_app::{
    App, EngineName, ReflectRequest, Reflection, SessionReflection, Target, Trigger, engine_preview, reflect,
};
use afterword_core::{Candidate, Confidence, Kind};
use jiff::Zoned;
use serde::Serialize;

use super::engine_named;
use crate::arguments::Reflect;
use crate::failure::{Failure, chain, hint_log};
use crate::output::{ATTENTION, BAD, BOLD, DIM, GOOD, Output, plain};
use crate::progress::Bar;
use crate::wording::{confidence, count, entries, heading, kinds, parse_since, path, short, skip_reason};

/// Notes named in one group; the vault has them all.
const SHOWN_NOTES: usize = 20;
/// The same for the inbox, which is for later.
const SHOWN_INBOX: usize = 5;
/// Skipped lines named of one session; `inspect` has more.
const SHOWN_LINES: usize = 5;

/// One session as `--dry-run --json` prints it: the stable, versioned contract that others read.
#[derive(Serialize)]
struct SessionView<'a> {
    version: u32,
    session_id: &'a str,
    transcript: String,
    project: &'a str,
    engine: &'a str,
    entries: u64,
    skipped_lines: u64,
    candidates: &'a [Candidate],
    /// What a model left out of what was found and of its answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOutView<'a>>,
}

#[derive(Serialize)]
struct LeftOutView<'a> {
    title: &'a str,
    why: &'a str,
}

/// Many sessions, or one whose notes were written.
#[derive(Serialize)]
struct ReflectionView<'a> {
    version: u32,
    engine: &'a str,
    dry_run: bool,
    vault: Option<String>,
    unchanged: usize,
    excluded: usize,
    own: usize,
    known: usize,
    deleted: usize,
    notes: Vec<NoteView<'a>>,
    sessions: Vec<SessionView<'a>>,
    failed: Vec<FailureView>,
}

#[derive(Serialize)]
struct NoteView<'a> {
    #[serde(flatten)]
    what: NoteChangeKind,
    title: &'a str,
    path: &'a str,
    waits: Option<WaitingPlace>,
    refused: Option<&'a str>,
}

/// A session that could not be read.
#[derive(Serialize)]
pub(super) struct FailureView {
    transcript: String,
    error: String,
}

pub(crate) fn run(arguments: &Reflect, output: &mut Output) -> Result<ExitCode, Failure> {
    let now = Zoned::now();
    let request = request(arguments, &now)?;
    if arguments.again {
        return super::reflect_again::run(request.target, arguments.apply, output);
    }
    let app = super::app()?;
    tell_price(&app, &request, output)?;
    let mut bar = Bar::new();
    let reflection = reflect::reflect(&app, &request, &now, &mut bar);
    bar.clear();
    let reflection = reflection?;
    if !output.json {
        print(&reflection, output)?;
    } else if let (Target::One(_), true, [session]) =
        (&request.target, request.dry_run, reflection.sessions.as_slice())
    {
        output.print_json(&session_view(&reflection, session))?;
    } else {
        output.print_json(&view(&reflection))?;
    }
    if let Some(engine) = reflection.not_asked {
        let _ = writeln!(
            output.talk(),
            "a dry run sends nothing and costs nothing: {engine} was not asked; `afterword preview SESSION` shows what it would be sent"
        );
    }
    for session in &reflection.sessions {
        tell_skipped(session, output);
        if let Some(advice) = &session.advice
            && let Some(unread) = &advice.unread
        {
            let (transcript, by) = (path(&session.transcript), plain(&advice.by));
            output.warning(&format!("{transcript}: {by} was not asked about all of it: {}", plain(unread)));
        }
    }
    for problem in &reflection.problems {
        output.warning(&plain(problem));
    }
    for failure in &reflection.failures {
        output.warning(&format!("{}: {}", path(&failure.transcript), chain(&failure.error)));
    }
    // What failed many times for one reason is mended in one way.
    let hints: BTreeSet<String> =
        reflection.failures.iter().flat_map(|failure| failure.error.hints()).collect();
    for hint in &hints {
        output.hint(hint);
    }
    for failure in &reflection.failures {
        if hint_log(failure.error.kind(), output) {
            break;
        }
    }
    Ok(if reflection.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What many sessions cost is said before the first is asked about.
fn tell_price(app: &App, request: &ReflectRequest, output: &mut Output) -> Result<(), Failure> {
    let engine = request.engine.unwrap_or(app.config().engine);
    let is_of_many = matches!(request.target, Target::Changed { .. });
    if engine == EngineName::Builtin || request.dry_run || !is_of_many {
        return Ok(());
    }
    let mut bar = Bar::new();
    let price = engine_preview::reading_price(app, &request.target, engine, &mut bar);
    bar.clear();
    let price = price?;
    if price.asked_about == 0 {
        return Ok(());
    }
    let usd = price.usd.map_or_else(String::new, |usd| format!("about ${usd:.2}, by "));
    let most = app
        .config()
        .budget
        .daily
        .map_or_else(String::new, |usd| format!("; never more than ${usd:.2} a day"));
    let _ = writeln!(
        output.talk(),
        "{engine} is asked about {}: {usd}{}{most}",
        count(price.asked_about, "session"),
        plain(&price.priced_by.to_string())
    );
    Ok(())
}

fn request(arguments: &Reflect, now: &Zoned) -> Result<ReflectRequest, Failure> {
    let target = match &arguments.session {
        Some(session) => Target::One(session.clone()),
        None => {
            let since = arguments.since.as_deref().map(|text| parse_since(text, now)).transpose()?;
            Target::Changed { since }
        }
    };
    let engine = arguments.engine.as_deref().map(engine_named).transpose()?;
    Ok(ReflectRequest {
        target,
        engine,
        dry_run: arguments.dry_run,
        foreign: arguments.foreign,
        trigger: Trigger::Manual,
    })
}

fn session_view<'a>(reflection: &'a Reflection, session: &'a SessionReflection) -> SessionView<'a> {
    SessionView {
        version: 1,
        session_id: session.session.as_str(),
        transcript: session.transcript.to_string_lossy().into_owned(),
        project: session.project.as_ref().map_or("", |project| project.as_str()),
        engine: reflection.engine.as_str(),
        entries: session.entries,
        skipped_lines: session.skipped.total,
        candidates: &session.candidates,
        left_out: left_out(session).map(|(title, why)| LeftOutView { title, why }).collect(),
    }
}

/// What a model left out of what was found and of its answer: titles, and why.
fn left_out(session: &SessionReflection) -> impl Iterator<Item = (&str, &str)> {
    let dropped = session.advice.iter().flat_map(|advice| &advice.dropped);
    dropped.map(|(title, why)| (title.as_str(), why.as_str()))
}

fn view(reflection: &Reflection) -> ReflectionView<'_> {
    ReflectionView {
        version: 1,
        engine: reflection.engine.as_str(),
        dry_run: reflection.dry_run,
        vault: reflection.vault.as_ref().map(|vault| vault.to_string_lossy().into_owned()),
        unchanged: reflection.unchanged,
        excluded: reflection.excluded,
        own: reflection.own,
        known: reflection.known,
        deleted: reflection.deleted,
        notes: reflection.notes.iter().map(note_view).collect(),
        sessions: reflection.sessions.iter().map(|session| session_view(reflection, session)).collect(),
        failed: failure_views(&reflection.failures),
    }
}

/// The sessions that could not be read, each with why.
pub(super) fn failure_views(failures: &[SessionFailure]) -> Vec<FailureView> {
    let view = |failure: &SessionFailure| FailureView {
        transcript: failure.transcript.to_string_lossy().into_owned(),
        error: chain(&failure.error),
    };
    failures.iter().map(view).collect()
}

fn note_view(note: &NoteChange) -> NoteView<'_> {
    NoteView {
        what: note.what,
        title: &note.title,
        path: &note.path,
        waits: note.waits,
        refused: note.refused.as_deref(),
    }
}

fn print(reflection: &Reflection, output: &mut Output) -> io::Result<()> {
    for session in &reflection.sessions {
        if reflection.sessions.len() == 1 {
            print_session(session, output)?;
        } else if !session.candidates.is_empty() {
            print_session_line(session, output)?;
        }
    }
    if let Some(vault) = reflection.vault.as_ref().filter(|_| !reflection.notes.is_empty()) {
        writeln!(output.data(), "\n{BOLD}Notes{BOLD:#} in {}", path(vault))?;
        print_notes(&reflection.notes, output)?;
    }
    summarise(reflection, output)
}

fn tell_skipped(session: &SessionReflection, output: &mut Output) {
    let transcript = path(&session.transcript);
    for skipped in session.skipped.first.iter().take(SHOWN_LINES) {
        output.warning(&format!("{transcript}:{}: skipped, {}", skipped.line, skip_reason(skipped.reason)));
    }
    let more = session.skipped.total.saturating_sub(SHOWN_LINES as u64);
    if more > 0 {
        output.warning(&format!("{transcript}: {more} more lines skipped"));
    }
}

fn heading_of(session: &SessionReflection) -> String {
    let project = session.project.as_ref().map_or("unknown project", |project| project.name());
    format!("{BOLD}{}{BOLD:#} {DIM}{}{DIM:#}", plain(project), short(session.session.as_str()))
}

fn print_session(session: &SessionReflection, output: &mut Output) -> io::Result<()> {
    let title = session.title.as_deref().map(|title| format!("  {}", plain(title))).unwrap_or_default();
    let (heading, read) = (heading_of(session), entries(session.entries));
    writeln!(output.data(), "{heading} {DIM}{read}{title}{DIM:#}")?;
    for candidate in &session.candidates {
        let style = match candidate.confidence {
            Confidence::High => GOOD,
            Confidence::Medium => ATTENTION,
            Confidence::Low => DIM,
        };
        let (level, sort) = (confidence(candidate.confidence), candidate.kind.as_str());
        writeln!(output.data(), "  {style}{level:<6}{style:#} {sort:<10} {}", plain(&candidate.title))?;
    }
    for (title, why) in left_out(session) {
        writeln!(output.data(), "  {DIM}left out: {}: {}{DIM:#}", plain(title), plain(why))?;
    }
    if session.redacted > 0 {
        writeln!(output.data(), "  {DIM}{} taken out{DIM:#}", count(session.redacted, "secret"))?;
    }
    Ok(())
}

fn print_session_line(session: &SessionReflection, output: &mut Output) -> io::Result<()> {
    let of = |wanted| session.candidates.iter().filter(|candidate| candidate.kind == wanted).count();
    let found: Vec<_> = [Kind::Preference, Kind::Workflow, Kind::Fix, Kind::Idea]
        .into_iter()
        .filter(|sort| of(*sort) > 0)
        .map(|sort| kinds(of(sort), sort))
        .collect();
    let dropped = left_out(session).count();
    let dropped = if dropped == 0 { String::new() } else { format!("  {DIM}{dropped} left out{DIM:#}") };
    writeln!(output.data(), "{}  {}{dropped}", heading_of(session), found.join(", "))
}

/// What is said over a group of notes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    New(Kind),
    Review,
    Inbox,
    Grown,
    Proposed,
    Refused,
}

fn group_of(note: &NoteChange) -> Option<Group> {
    if note.refused.is_some() {
        return Some(Group::Refused);
    }
    match (note.what, note.waits) {
        (_, Some(WaitingPlace::Review)) => Some(Group::Review),
        (_, Some(WaitingPlace::Inbox)) => Some(Group::Inbox),
        (NoteChangeKind::Lesson { kind }, None) => Some(Group::New(kind)),
        (NoteChangeKind::Evidence, None) => Some(Group::Grown),
        (NoteChangeKind::Proposal, None) => Some(Group::Proposed),
        // They follow from the others.
        (NoteChangeKind::Ideas | NoteChangeKind::Reference | NoteChangeKind::Overview, None) => None,
    }
}

fn print_notes(notes: &[NoteChange], output: &mut Output) -> io::Result<()> {
    let mut groups: BTreeMap<Group, Vec<&NoteChange>> = BTreeMap::new();
    for note in notes {
        if let Some(group) = group_of(note) {
            groups.entry(group).or_default().push(note);
        }
    }
    for (group, notes) in groups {
        let (style, sign, heading, shown) = match group {
            Group::New(kind) => (GOOD, '+', heading(kind), SHOWN_NOTES),
            Group::Review => (ATTENTION, '?', "Waiting for your review", SHOWN_NOTES),
            Group::Inbox => (DIM, '.', "In the inbox", SHOWN_INBOX),
            Group::Grown => (GOOD, '~', "Grown", SHOWN_NOTES),
            Group::Proposed => (ATTENTION, '?', "Proposed beside a note of yours", SHOWN_NOTES),
            Group::Refused => (BAD, '!', "Not written", SHOWN_NOTES),
        };
        writeln!(output.data(), "  {heading} {DIM}({}){DIM:#}", notes.len())?;
        for note in notes.iter().take(shown) {
            let reason = note.refused.as_deref().unwrap_or_default();
            // What the vault refused begins with the file.
            let reason = reason.strip_prefix(&format!("{}: ", note.path)).unwrap_or(reason);
            let reason = if reason.is_empty() { String::new() } else { format!("  {}", plain(reason)) };
            let file = plain(&note.path);
            writeln!(output.data(), "    {style}{sign}{style:#} {file}{DIM}{reason}{DIM:#}")?;
        }
        if let Some(more) = notes.len().checked_sub(shown).filter(|more| *more > 0) {
            writeln!(output.data(), "    {DIM}and {more} more{DIM:#}")?;
        }
    }
    Ok(())
}

fn summarise(reflection: &Reflection, output: &mut Output) -> io::Result<()> {
    let mut parts = Vec::new();
    let mut add = |number: usize, text: &str| {
        if number > 0 {
            parts.push(format!("{number} {text}"));
        }
    };
    if reflection.dry_run {
        let found: usize = reflection.sessions.iter().map(|session| session.candidates.len()).sum();
        add(found, "found, nothing written");
    } else {
        let groups: Vec<_> = reflection.notes.iter().filter_map(group_of).collect();
        let of = |wanted: Group| groups.iter().filter(|group| **group == wanted).count();
        add(groups.iter().filter(|group| matches!(group, Group::New(_))).count(), "saved");
        add(of(Group::Review), "waiting for review");
        add(of(Group::Inbox), "in the inbox");
        add(of(Group::Grown), "grown");
        add(of(Group::Proposed), "proposed beside notes of yours");
        add(of(Group::Refused), "not written");
        add(reflection.known, "known already");
        add(reflection.deleted, "deleted by you and left so");
        add(reflection.count_rejected(), "kept away because you rejected the like");
        let filed: usize = reflection.sessions.iter().map(|session| session.pages.kept).sum();
        add(filed, if filed == 1 { "web page filed" } else { "web pages filed" });
    }
    add(reflection.unchanged, "unchanged");
    add(reflection.excluded, "excluded");
    add(reflection.own, "of Afterword's own");
    add(reflection.failures.len(), "failed");
    let read = count(reflection.sessions.len(), "session");
    let rest = if parts.is_empty() { "nothing found".to_owned() } else { parts.join(", ") };
    let gap = if reflection.sessions.is_empty() { "" } else { "\n" };
    writeln!(output.data(), "{gap}{read} read: {rest}")
}
