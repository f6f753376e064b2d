//! `afterword bind NOTE`, `afterword unbind NOTE`, `afterword checks`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::checks::binding::{
    BindingState, NoteChecks, PastMatches, Proposal, Source, UnbindOutcome,
};
use afterword_app::checks::check::{Check, FORMS};
use afterword_app::{App, checks};
use jiff::Timestamp;
use serde::Serialize;

use crate::arguments::{Bind, Unbind};
use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, DIM, GOOD, Output, plain};
use afterword_app::install;

#[derive(Serialize)]
struct ProposalView<'a> {
    version: u32,
    id: String,
    path: &'a str,
    title: &'a str,
    project: &'a str,
    checks: &'a [String],
    source: &'static str,
    problem: Option<&'a str>,
    past: PastView<'a>,
    /// They bind now.
    binds: bool,
}

#[derive(Serialize)]
struct PastView<'a> {
    sessions: usize,
    looked_at: usize,
    stopped: usize,
    concerned: usize,
    examples: Vec<ExampleView<'a>>,
}

#[derive(Serialize)]
struct ExampleView<'a> {
    session_id: &'a str,
    at: Option<String>,
    what: &'a str,
}

#[derive(Serialize)]
struct UnboundView {
    version: u32,
    lifted: &'static str,
    session_id: Option<String>,
}

#[derive(Serialize)]
struct ChecksView {
    version: u32,
    notes: Vec<NoteView>,
}

#[derive(Serialize)]
struct NoteView {
    id: Option<String>,
    path: String,
    title: String,
    project: String,
    checks: Vec<String>,
    standing: &'static str,
    problem: Option<String>,
    stopped: usize,
}

pub(crate) fn run(arguments: &Bind, output: &mut Output) -> Result<ExitCode, Failure> {
    let usage = |problem| Failure::Usage { argument: "--as", problem };
    let given = Check::parse_all(&arguments.checks).map_err(|problem| {
        output.hint(&format!("a check is one of: {}", FORMS.replace('\n', "; ")));
        usage(problem)
    })?;
    let app = super::app()?;
    let mut proposal = checks::propose_checks(&app, &arguments.note, &given)?;
    if !output.json {
        show(&proposal, output)?;
    }
    let can = proposal.problem.is_none() && !proposal.checks.is_empty();
    let asks = can && !proposal.binds && !arguments.consent.dry_run;
    let agreed = asks && (arguments.consent.yes || (!output.json && super::install::ask(output)?));
    if agreed {
        checks::bind(&app, &proposal, Timestamp::now())?;
        proposal.binds = true;
    }
    if output.json {
        output.print_json(&view(&proposal))?;
    } else if can {
        super::print_end(
            !agreed && proposal.binds,
            agreed,
            &arguments.consent,
            "It binds from now on.",
            output,
        );
    }
    if agreed {
        print_what_asks(&app, output);
    }
    let refused = !can || (asks && !agreed);
    Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Says what is missing for the checks to be asked.
fn print_what_asks(app: &App, output: &mut Output) {
    if !install::asks_before_tools(app) {
        output.hint("Claude Code does not ask before a tool runs yet: run `afterword install claude-code`");
    }
}

fn show(proposal: &Proposal, output: &mut Output) -> Result<(), Failure> {
    let out = output.data();
    let place = if proposal.project.is_empty() { "in every project" } else { &proposal.project };
    writeln!(out, "{BOLD}{}{BOLD:#}", plain(&proposal.title))?;
    writeln!(out, "{DIM}{}  {}{DIM:#}", plain(&proposal.path), plain(place))?;
    if let Some(problem) = &proposal.problem {
        writeln!(out, "\n{ATTENTION}It cannot bind:{ATTENTION:#} {}", plain(problem))?;
    }
    if proposal.checks.is_empty() {
        if proposal.problem.is_none() {
            writeln!(out, "\nIts words say nothing that could be checked.")?;
        }
        output.hint(&format!("give a check yourself with `--as`: {}", FORMS.replace('\n', "; ")));
        return Ok(());
    }
    let source = match proposal.source {
        Source::Given => "as you give it",
        Source::Note => "as the note says",
        Source::Words => "by the lesson's own words",
    };
    writeln!(out, "\n{BOLD}Check{BOLD:#} {DIM}{source}{DIM:#}")?;
    for check in &proposal.checks {
        writeln!(out, "  {}", plain(check))?;
    }
    print_past(&proposal.past, out)
}

fn print_past(past: &PastMatches, out: &mut impl Write) -> Result<(), Failure> {
    let PastMatches { sessions, looked_at, stopped, concerned, examples } = past;
    if *sessions == 0 {
        writeln!(out, "\nThere are no sessions to try it on.")?;
        return Ok(());
    }
    writeln!(
        out,
        "\n{BOLD}It would have stopped{BOLD:#} {stopped} of {looked_at} calls and ends of turns, in {concerned} of {sessions} sessions."
    )?;
    for one in examples {
        let day = one.at.map(|at| at.to_string().chars().take(10).collect::<String>()).unwrap_or_default();
        let session: String = one.session.chars().take(8).collect();
        writeln!(out, "  {DIM}{day} {}{DIM:#}  {}", plain(&session), plain(&one.what))?;
    }
    Ok(())
}

fn view(proposal: &Proposal) -> ProposalView<'_> {
    let past = &proposal.past;
    let examples = past.examples.iter().map(|one| ExampleView {
        session_id: &one.session,
        at: one.at.map(|at| at.to_string()),
        what: &one.what,
    });
    ProposalView {
        version: 1,
        id: proposal.id.to_string(),
        path: &proposal.path,
        title: &proposal.title,
        project: &proposal.project,
        checks: &proposal.checks,
        source: match proposal.source {
            Source::Given => "given",
            Source::Note => "note",
            Source::Words => "words",
        },
        problem: proposal.problem.as_deref(),
        past: PastView {
            sessions: past.sessions,
            looked_at: past.looked_at,
            stopped: past.stopped,
            concerned: past.concerned,
            examples: examples.collect(),
        },
        binds: proposal.binds,
    }
}

pub(crate) fn unbind(arguments: &Unbind, output: &mut Output) -> Result<ExitCode, Failure> {
    let session = match arguments.session.as_deref() {
        None => None,
        Some(session) => Some(afterword_core::SessionId::parse(session).ok_or_else(|| Failure::Usage {
            argument: "--session",
            problem: "no session has such an id".to_owned(),
        })?),
    };
    let lifted = checks::unbind(&super::app()?, &arguments.note, arguments.once, session)?;
    let (word, text, session) = match &lifted {
        UnbindOutcome::ForGood => {
            ("for-good", "It binds no more. The check still stands in the note.".to_owned(), None)
        }
        UnbindOutcome::ForSession(session) => {
            let text = format!("It does not bind in session {} any more.", plain(session.as_str()));
            ("for-session", text, Some(session.as_str().to_owned()))
        }
        UnbindOutcome::DidNotBind => ("no", "It did not bind.".to_owned(), None),
        UnbindOutcome::NoSession => ("no", "It has not stopped anything yet.".to_owned(), None),
    };
    if output.json {
        output.print_json(&UnboundView { version: 1, lifted: word, session_id: session })?;
    } else {
        let _ = writeln!(output.talk(), "{text}");
    }
    if lifted == UnbindOutcome::NoSession {
        output.hint("name the session with `--session`; `afterword sessions` lists them");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn list(output: &mut Output) -> Result<ExitCode, Failure> {
    let listed = checks::checks(&super::app()?)?;
    if output.json {
        let notes = listed.into_iter().map(note_view).collect();
        output.print_json(&ChecksView { version: 1, notes })?;
        return Ok(ExitCode::SUCCESS);
    }
    if listed.is_empty() {
        let _ = writeln!(output.talk(), "No note has a check.");
        output.hint("make a lesson bind with `afterword bind NOTE`");
        return Ok(ExitCode::SUCCESS);
    }
    let out = output.data();
    for one in &listed {
        let (word, style) = match &one.standing {
            BindingState::Binds => ("binds", GOOD),
            BindingState::Ended => ("lifted", DIM),
            BindingState::Unconfirmed => ("waits for a yes", ATTENTION),
            BindingState::Changed => ("changed, waits for a yes", ATTENTION),
            BindingState::Unusable(_) => ("cannot bind", ATTENTION),
            BindingState::Lost => ("not in its note any more", ATTENTION),
        };
        let id = one.id.map(|id| id.to_string()).unwrap_or_default();
        writeln!(out, "{style}{word}{style:#}  {BOLD}{}{BOLD:#}  {DIM}{id}{DIM:#}", plain(&one.title))?;
        for check in &one.checks {
            writeln!(out, "  {}", plain(check))?;
        }
        if let BindingState::Unusable(why) = &one.standing {
            writeln!(out, "  {ATTENTION}{}{ATTENTION:#}", plain(why))?;
        }
        let project = if one.project.is_empty() { "in every project" } else { &one.project };
        let times = if one.stopped == 1 { "once".to_owned() } else { format!("{} times", one.stopped) };
        writeln!(out, "  {DIM}{}; stopped something {times}{DIM:#}", plain(project))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn note_view(one: NoteChecks) -> NoteView {
    let (standing, problem) = match one.standing {
        BindingState::Binds => ("binds", None),
        BindingState::Ended => ("lifted", None),
        BindingState::Unconfirmed => ("unconfirmed", None),
        BindingState::Changed => ("changed", None),
        BindingState::Unusable(why) => ("unusable", Some(why)),
        BindingState::Lost => ("lost", None),
    };
    NoteView {
        id: one.id.map(|id| id.to_string()),
        path: one.path,
        title: one.title,
        project: one.project,
        checks: one.checks,
        standing,
        problem,
        stopped: one.stopped,
    }
}
