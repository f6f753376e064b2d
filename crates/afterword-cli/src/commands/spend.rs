//! `afterword spend [--days DAYS]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::model_calls::{self, Spend};
use jiff::Zoned;
use serde::Serialize;

use crate::arguments;
use crate::failure::Failure;
use crate::output::{BOLD, DIM, Output, plain};

#[derive(Serialize)]
struct SpendView {
    version: u32,
    #[serde(flatten)]
    spend: Spend,
}

pub(crate) fn run(arguments: &arguments::Spend, output: &mut Output) -> Result<ExitCode, Failure> {
    let spend = model_calls::spend(&super::app()?, arguments.days, &Zoned::now())?;
    if output.json {
        output.print_json(&SpendView { version: 1, spend })?;
        return Ok(ExitCode::SUCCESS);
    }
    let data = output.data();
    let left = match (spend.daily_usd, spend.left_today_usd) {
        (Some(daily), Some(left)) => format!("${left:.4} of ${daily:.2} left"),
        _ => "no limit".to_owned(),
    };
    writeln!(data, "{BOLD}today{BOLD:#}  ${:.4}, {left}", spend.today_usd)?;
    if spend.set_aside_usd > 0.0 {
        writeln!(data, "{BOLD}reserved{BOLD:#}  ${:.4} for calls under way", spend.set_aside_usd)?;
    }
    if spend.tasks_today_usd > 0.0 {
        let (usd, daily) = (spend.tasks_today_usd, spend.tasks_daily_usd);
        writeln!(data, "{BOLD}of it tasks{BOLD:#}  ${usd:.4} of ${daily:.2}")?;
    }
    writeln!(
        data,
        "{BOLD}last {} days{BOLD:#}  ${:.4}, {} calls, {} tokens read, {} written",
        arguments.days, spend.usd, spend.calls, spend.input_tokens, spend.output_tokens
    )?;
    for sum in &spend.sums {
        let model = if sum.model.is_empty() { String::new() } else { format!(" {}", plain(&sum.model)) };
        writeln!(
            data,
            "  ${:<9.4} {} {}{model}, {} calls, {} in, {} out  {DIM}{}{DIM:#}",
            sum.usd,
            plain(&sum.purpose),
            plain(&sum.engine),
            sum.calls,
            sum.input_tokens,
            sum.output_tokens,
            plain(&sum.project)
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
