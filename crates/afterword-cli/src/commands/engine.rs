//! `afterword engine`, `afterword engine use ENGINE`, `afterword engine try`

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use afterword_app::engine_preview::{EngineOffer, EngineTrial};
use afterword_app::{App, EngineName, model_calls};
use jiff::Zoned;
use serde::Serialize;

use super::engine_named;
use crate::arguments::{Engine, UseEngine};
use crate::failure::Failure;
use crate::output::{ATTENTION, BOLD, DIM, GOOD, Output, plain};
use crate::progress::Bar;
use crate::wording::count;
use afterword_app::engine_preview;

#[derive(Serialize)]
struct EngineView<'a> {
    version: u32,
    engine: EngineName,
    problem: Option<String>,
    offers: &'a [EngineOffer],
}

#[derive(Serialize)]
struct TriedView<'a> {
    version: u32,
    engine: EngineName,
    tried: Option<&'a EngineTrial>,
}

pub(crate) fn run(command: Option<&Engine>, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    match command {
        None => show(&app, output)?,
        Some(Engine::Try) => {
            let tried = engine_preview::try_engine(&app, app.config().engine, &Zoned::now())?;
            print_tried(app.config().engine, Some(&tried), output)?;
        }
        Some(Engine::Use(wanted)) => take(&app, wanted, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The engine in use, and what the person's own Claude Code would take.
fn show(app: &App, output: &mut Output) -> Result<(), Failure> {
    let engine = app.config().engine;
    let mut wanted = vec![EngineName::ClaudeCode];
    if ![EngineName::Builtin, EngineName::ClaudeCode].contains(&engine) {
        wanted.insert(0, engine);
    }
    let mut bar = Bar::new();
    let offers = wanted.into_iter().map(|engine| engine_preview::engine_offer(app, engine, &mut bar));
    let offers: Vec<EngineOffer> = offers.collect::<Result<_, _>>()?;
    bar.clear();
    if output.json {
        let problem = model_calls::engine_fault(app).map(|fault| fault.sentence());
        return Ok(output.print_json(&EngineView { version: 1, engine, problem, offers: &offers })?);
    }
    let in_use = |is: bool| if is { " (in use)" } else { "" };
    let data = output.data();
    writeln!(data, "{BOLD}builtin{BOLD:#}{}", in_use(engine == EngineName::Builtin))?;
    writeln!(data, "  rules and a small model in this program: free, nothing is sent")?;
    for offer in &offers {
        print_offer(offer, output)?;
    }
    if engine == EngineName::Builtin {
        output.hint("`afterword engine use claude-code` takes it into use, after one test question");
    }
    Ok(())
}

fn print_offer(offer: &EngineOffer, output: &mut Output) -> Result<(), Failure> {
    let data = output.data();
    let model = if offer.model.is_empty() { String::new() } else { format!(", {}", plain(&offer.model)) };
    let in_use = if offer.in_use { " (in use)" } else { "" };
    writeln!(data, "{BOLD}{}{BOLD:#}{model}{in_use}", offer.engine)?;
    let what = match offer.engine {
        EngineName::ClaudeCode => {
            "your own Claude Code: better sentences; what you typed goes where Claude Code sends its own, nothing else"
        }
        _ => "a language model: better sentences; what you typed goes to its address, nothing else",
    };
    writeln!(data, "  {what}")?;
    writeln!(data, "  about {} tokens a session", offer.tokens_a_session)?;
    let sessions = count(offer.asked_about, "session");
    let pace = offer.sessions_a_week;
    match (offer.usd_for_all, offer.usd_a_week) {
        (Some(all), Some(week)) => writeln!(
            data,
            "  about ${all:.2} for the {sessions} there are, ${week:.2} a week at your pace ({pace:.0} a week) {DIM}by {}{DIM:#}",
            plain(&offer.priced_by)
        )?,
        _ => writeln!(
            data,
            "  for the {sessions} there are, and {pace:.0} a week: {}",
            plain(&offer.priced_by)
        )?,
    }
    if offer.engine == EngineName::ClaudeCode {
        writeln!(
            data,
            "  {DIM}with a subscription it counts against its limits instead of being billed{DIM:#}"
        )?;
    }
    match offer.daily_usd {
        Some(daily) => writeln!(data, "  never more than ${daily:.2} a day (budget.daily_usd)")?,
        None => writeln!(data, "  {ATTENTION}there is no limit a day{ATTENTION:#} (budget.daily_usd)")?,
    }
    if let Some(problem) = &offer.problem {
        writeln!(data, "  {ATTENTION}{}{ATTENTION:#}", plain(problem))?;
    }
    Ok(())
}

fn take(app: &App, wanted: &UseEngine, output: &mut Output) -> Result<(), Failure> {
    let engine = engine_named(&wanted.engine)?;
    let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if engine != EngineName::Builtin && is_terminal && !wanted.yes && !output.json {
        let mut bar = Bar::new();
        let offer = engine_preview::engine_offer(app, engine, &mut bar)?;
        bar.clear();
        print_offer(&offer, output)?;
        let _ = write!(output.talk(), "Ask it one test question, and use it? [Y/n] ");
        // Nobody reads what cannot be shown; the answer is read all the same.
        let _ = output.talk().flush();
        let mut answer = String::new();
        let read = std::io::stdin().read_line(&mut answer).unwrap_or(0);
        if read == 0 || !matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes") {
            let _ = writeln!(output.talk(), "nothing was changed");
            return Ok(());
        }
    }
    let tried =
        engine_preview::use_engine(app, engine, wanted.model.as_deref(), wanted.daily_usd, &Zoned::now())?;
    print_tried(engine, tried.as_ref(), output)?;
    if !output.json {
        let _ = writeln!(output.talk(), "sessions are read by {engine} from now on");
        if engine != EngineName::Builtin {
            output.hint("`afterword reflect --all` reads those there are with it, too, and says first what that costs");
        }
    }
    Ok(())
}

fn print_tried(engine: EngineName, tried: Option<&EngineTrial>, output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return Ok(output.print_json(&TriedView { version: 1, engine, tried })?);
    }
    if let Some(tried) = tried {
        let cost = tried.usd.map_or_else(String::new, |usd| format!(", ${usd:.4}"));
        let tokens = tried.input_tokens + tried.output_tokens;
        writeln!(
            output.data(),
            "{GOOD}{engine} answered{GOOD:#} in {} s ({tokens} tokens{cost})",
            tried.seconds
        )?;
    }
    Ok(())
}
