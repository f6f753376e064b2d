//! `afterword reflect [SESSION|PATH] [--all] [--since TIME] [--engine ENGINE] [--dry-run]`

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use afterword_agent::reflect::{Change, NoteChange, Waiting};
use afterword_agent::{EngineName, Error, ReflectRequest, Reflection, SessionReflection, Target};
use afterword_core::{Candidate, Confidence, Kind};
use jiff::Zoned;
use serde::Serialize;

use crate::arguments::Reflect;
use crate::failure::{Failure, chain};
use crate::output::{ATTENTION, BOLD, DIM, GOOD, Output, plain};
use crate::progress::Bar;
use crate::wording::{confidence, count, entries, heading, kind, path, short, since, skip_reason};

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
    notes: Vec<NoteView<'a>>,
    sessions: Vec<SessionView<'a>>,
    failed: Vec<FailureView>,
}

#[derive(Serialize)]
struct NoteView<'a> {
    change: Change,
    kind: Option<Kind>,
    title: &'a str,
    path: &'a str,
    waits: Option<Waiting>,
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct FailureView {
    transcript: String,
    error: String,
}

pub(crate) fn run(arguments: &Reflect, output: &mut Output) -> Result<ExitCode, Failure> {
    let now = Zoned::now();
    let request = request(arguments, &now)?;
    let agent = super::agent()?;
    let mut bar = Bar::new();
    let reflection = agent.reflect(&request, &now, &mut bar);
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
    for failure in &reflection.failures {
        output.warning(&format!("{}: {}", path(&failure.transcript), chain(&failure.error)));
    }
    Ok(if reflection.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn request(arguments: &Reflect, now: &Zoned) -> Result<ReflectRequest, Failure> {
    let target = match &arguments.session {
        Some(session) => Target::One(session.clone()),
        None => {
            let since = arguments.since.as_deref().map(|text| since(text, now)).transpose()?;
            Target::Changed { since }
        }
    };
    let engine = match &arguments.engine {
        Some(name) => {
            Some(EngineName::parse(name).ok_or_else(|| Error::UnknownEngine { name: name.clone() })?)
        }
        None => None,
    };
    Ok(ReflectRequest { target, engine, dry_run: arguments.dry_run })
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
    }
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
        notes: reflection.notes.iter().map(note_view).collect(),
        sessions: reflection.sessions.iter().map(|session| session_view(reflection, session)).collect(),
        failed: reflection
            .failures
            .iter()
            .map(|failure| FailureView {
                transcript: failure.transcript.to_string_lossy().into_owned(),
                error: chain(&failure.error),
            })
            .collect(),
    }
}

fn note_view(note: &NoteChange) -> NoteView<'_> {
    NoteView {
        change: note.change,
        kind: note.kind,
        title: &note.title,
        path: &note.path,
        waits: note.waits,
        reason: note.reason.as_deref(),
    }
}

fn print(reflection: &Reflection, output: &mut Output) -> io::Result<()> {
    for session in &reflection.sessions {
        print_session(session, output)?;
    }
    if let Some(vault) = &reflection.vault {
        print_notes(&reflection.notes, &path(vault), output)?;
    }
    summarise(reflection, output)
}

fn print_session(session: &SessionReflection, output: &mut Output) -> io::Result<()> {
    for skipped in &session.skipped.first {
        let place = format!("{}:{}", path(&session.transcript), skipped.line);
        output.warning(&format!("{place}: line skipped, {}", skip_reason(skipped.reason)));
    }
    let out = output.data();
    let project = session.project.as_ref().map_or("unknown project", |project| project.name());
    let title = session.title.as_deref().map(|title| format!("  {}", plain(title))).unwrap_or_default();
    let (id, read) = (short(session.session.as_str()), entries(session.entries));
    writeln!(out, "{BOLD}{}{BOLD:#} {DIM}{id} · {read}{title}{DIM:#}", plain(project))?;
    for candidate in &session.candidates {
        let style = match candidate.confidence {
            Confidence::High => GOOD,
            Confidence::Medium => ATTENTION,
            Confidence::Low => DIM,
        };
        let (level, sort) = (confidence(candidate.confidence), kind(candidate.kind));
        writeln!(out, "  {style}{level:<6}{style:#} {sort:<10} {}", plain(&candidate.title))?;
    }
    if session.redacted > 0 {
        writeln!(out, "  {DIM}{} taken out{DIM:#}", count(session.redacted, "secret"))?;
    }
    Ok(())
}

fn print_notes(notes: &[NoteChange], vault: &str, output: &mut Output) -> io::Result<()> {
    if notes.is_empty() {
        return Ok(());
    }
    let mut groups: BTreeMap<(bool, Option<Kind>), Vec<&NoteChange>> = BTreeMap::new();
    for note in notes {
        groups.entry((note.kind.is_none(), note.kind)).or_default().push(note);
    }
    writeln!(output.data(), "\n{BOLD}Notes{BOLD:#} in {vault}")?;
    for ((_, sort), notes) in groups {
        writeln!(output.data(), "  {}", sort.map_or("Grown", heading))?;
        for note in notes {
            let (style, sign) = match note.change {
                Change::Created => (GOOD, '+'),
                Change::Updated => (ATTENTION, '~'),
                Change::Refused => (ATTENTION, '!'),
            };
            let waits = match note.waits {
                Some(Waiting::Review) => "  waits for review",
                Some(Waiting::Inbox) => "  in the inbox",
                None => "",
            };
            let reason =
                note.reason.as_deref().map(|reason| format!("  {}", plain(reason))).unwrap_or_default();
            let out = output.data();
            writeln!(out, "    {style}{sign}{style:#} {}{DIM}{waits}{reason}{DIM:#}", plain(&note.path))?;
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
    let notes = |change| reflection.notes.iter().filter(move |note| note.change == change);
    let waiting = |place| reflection.notes.iter().filter(|note| note.waits == Some(place)).count();
    if reflection.dry_run {
        let found: usize = reflection.sessions.iter().map(|session| session.candidates.len()).sum();
        add(found, "found, nothing written");
    } else {
        add(notes(Change::Created).count(), "new");
        add(notes(Change::Updated).count(), "grown");
        add(reflection.known, "known already");
        add(waiting(Waiting::Review), "waiting for review");
        add(waiting(Waiting::Inbox), "in the inbox");
    }
    add(reflection.unchanged, "unchanged");
    add(reflection.excluded, "excluded");
    add(reflection.own, "of Afterword's own");
    add(reflection.failures.len(), "failed");
    let read = count(reflection.sessions.len(), "session");
    let rest = if parts.is_empty() { "nothing new".to_owned() } else { parts.join(", ") };
    writeln!(output.data(), "\n{read} read: {rest}")
}
