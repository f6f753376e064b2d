//! `afterword inspect SESSION|PATH`

use std::io::{self, Write};
use std::process::ExitCode;

use afterword_app::inspect::Inspection;
use afterword_app::reflect::EventCounts;
use afterword_app::{Report, SkipReason, inspect};
use afterword_core::{Candidate, Destination, Role};
use serde::Serialize;

use crate::arguments::Inspect;
use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, DIM, Output, plain};
use crate::wording::{bytes, confidence, entries, path, signal, skip_reason};

#[derive(Serialize)]
struct InspectView<'a> {
    version: u32,
    session_id: &'a str,
    transcript: String,
    project: &'a str,
    engine: &'a str,
    reflected_at: Option<String>,
    report: &'a Report,
    events: EventCounts,
    candidates: Vec<CandidateView<'a>>,
    observations: Vec<ObservationView<'a>>,
}

#[derive(Serialize)]
struct CandidateView<'a> {
    destination: Destination,
    #[serde(flatten)]
    candidate: &'a Candidate,
}

#[derive(Serialize)]
struct ObservationView<'a> {
    topic: &'a str,
    quote: &'a str,
}

pub(crate) fn run(arguments: &Inspect, output: &mut Output) -> Result<ExitCode, Failure> {
    let inspection = inspect::inspect(&super::app()?, &arguments.session)?;
    if output.json {
        output.print_json(&view(&inspection))?;
    } else {
        print(&inspection, output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn view(inspection: &Inspection) -> InspectView<'_> {
    let session = &inspection.reflection;
    let candidates = inspection.destinations.iter().zip(&session.candidates);
    let observations = inspection.observations.iter();
    InspectView {
        version: 1,
        session_id: session.session.as_str(),
        transcript: session.transcript.to_string_lossy().into_owned(),
        project: session.project.as_ref().map_or("", |project| project.as_str()),
        engine: inspection.engine.as_str(),
        reflected_at: inspection.reflected_at.map(|at| at.to_string()),
        report: &inspection.report,
        events: inspection.events,
        candidates: candidates
            .map(|(destination, candidate)| CandidateView { destination: *destination, candidate })
            .collect(),
        observations: observations.map(|(topic, quote)| ObservationView { topic, quote }).collect(),
    }
}

fn print(inspection: &Inspection, output: &mut Output) -> io::Result<()> {
    let (session, report) = (&inspection.reflection, &inspection.report);
    let out = output.data();
    let mut line = |name: &str, value: String| writeln!(out, "{BOLD}{name:<12}{BOLD:#} {}", plain(&value));
    line("Session", session.session.to_string())?;
    line("Transcript", path(&session.transcript))?;
    if let Some(title) = &session.title {
        line("Title", title.clone())?;
    }
    line(
        "Project",
        session.project.as_ref().map_or("unknown".to_owned(), |project| project.as_str().to_owned()),
    )?;
    if let (Some(started), Some(ended)) = (session.started, session.last_activity) {
        line("Time", format!("{started} to {ended}"))?;
    }
    let repeated = match report.repeated {
        0 => String::new(),
        repeated => format!(", {repeated} of them repeated"),
    };
    line(
        "Read",
        format!("{}{repeated}, {} lines, {}", entries(report.entries), report.lines, bytes(report.bytes)),
    )?;
    line("Clients", counts(&report.census.versions))?;
    line("Entries", counts(&report.census.kinds))?;
    let unknown: Vec<_> =
        report.census.unknown_kinds().map(|(kind, count)| format!("{kind} {count}")).collect();
    if !unknown.is_empty() {
        line("Unknown", unknown.join(", "))?;
    }
    line("Said", utterance_counts(&inspection.events))?;
    line("Done", tool_counts(&inspection.events))?;
    print_skipped(inspection, output)?;
    for (candidate, destination) in session.candidates.iter().zip(&inspection.destinations) {
        print_candidate(candidate, *destination, output)?;
    }
    if session.candidates.is_empty() {
        writeln!(output.data(), "\nNothing to learn was found.")?;
    }
    if !inspection.observations.is_empty() {
        writeln!(output.data(), "\n{BOLD}Counted for later{BOLD:#}")?;
        for (_, quote) in &inspection.observations {
            writeln!(output.data(), "  {}", plain(quote))?;
        }
    }
    Ok(())
}

fn counts(counts: &std::collections::BTreeMap<String, u64>) -> String {
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let named: Vec<_> = sorted.iter().map(|(name, count)| format!("{name} {count}")).collect();
    named.join(", ")
}

fn utterance_counts(events: &EventCounts) -> String {
    nonzero(&[
        (events.prompts, "typed"),
        (events.queued, "typed meanwhile"),
        (events.answers, "answers"),
        (events.rejections, "reasons for a rejection"),
        (events.plans_sent_back, "plans sent back"),
        (events.command_arguments, "command arguments"),
        (events.shell_commands, "shell commands"),
        (events.interrupts, "interrupts"),
    ])
}

fn tool_counts(events: &EventCounts) -> String {
    nonzero(&[
        (events.agent_texts, "texts"),
        (events.calls, "tool calls"),
        (events.failures, "failed"),
        (events.calls_rejected, "rejected"),
        (events.edits_modified, "edits changed by the person"),
        (events.plans_approved, "plans approved"),
        (events.compactions, "compactions"),
    ])
}

fn nonzero(counts: &[(u64, &str)]) -> String {
    let named: Vec<_> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    if named.is_empty() { "nothing".to_owned() } else { named.join(", ") }
}

fn print_skipped(inspection: &Inspection, output: &mut Output) -> io::Result<()> {
    let skipped = &inspection.report.skipped;
    for line in &skipped.first {
        let reason: SkipReason = line.reason;
        let out = output.data();
        writeln!(out, "{ATTENTION}Skipped{ATTENTION:#}      line {}: {}", line.line, skip_reason(reason))?;
    }
    let more = skipped.total - skipped.first.len() as u64;
    if more > 0 {
        writeln!(output.data(), "{ATTENTION}Skipped{ATTENTION:#}      {more} more lines")?;
    }
    if let Some(pending) = inspection.report.pending {
        writeln!(output.data(), "{DIM}Line {} is still being written.{DIM:#}", pending.line)?;
    }
    Ok(())
}

fn print_candidate(candidate: &Candidate, destination: Destination, output: &mut Output) -> io::Result<()> {
    let place = match destination {
        Destination::Saved => "saved",
        Destination::Review => "waits for review",
        Destination::Inbox => "goes to the inbox",
        Destination::Ideas => "goes to the ideas",
    };
    let out = output.data();
    writeln!(out, "\n{BOLD}{}{BOLD:#}", plain(&candidate.title))?;
    let (sure, sort, signal) =
        (confidence(candidate.confidence), candidate.kind.as_str(), signal(candidate.signal));
    writeln!(out, "  {sort}, {sure}, {signal}: {place}")?;
    writeln!(out, "  {}", plain(&candidate.rationale))?;
    for evidence in &candidate.evidence {
        let who = match evidence.role {
            Role::User => "you",
            Role::Assistant => "agent",
            Role::Tool => "tool",
        };
        writeln!(out, "  {DIM}line {:>5} {who:<5}{DIM:#} {}", evidence.line, plain(&evidence.quote))?;
    }
    Ok(())
}
