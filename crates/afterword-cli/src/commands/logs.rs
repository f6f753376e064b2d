//! `afterword logs [--lines N] [--follow]`

use std::io::Write;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use afterword_app::log::{self, LogReader};
use serde::Serialize;

use crate::arguments::Logs;
use crate::failure::Failure;
use crate::output::{Output, plain};

/// Between two looks for new lines.
const LOOK: Duration = Duration::from_millis(500);

#[derive(Serialize)]
struct LogsView<'a> {
    version: u32,
    directory: String,
    /// The oldest first, of all programs together.
    lines: &'a [String],
}

pub(crate) fn run(arguments: &Logs, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let directory = log::directory(app.paths()).display().to_string();
    let (mut reader, lines) = LogReader::tail(app.paths(), arguments.lines)?;
    if output.json {
        output.print_json(&LogsView { version: 1, directory, lines: &lines })?;
        return Ok(ExitCode::SUCCESS);
    }
    if lines.is_empty() {
        writeln!(output.talk(), "nothing was written down so far in {}", plain(&directory))?;
    }
    print(&lines, output)?;
    if !arguments.follow {
        return Ok(ExitCode::SUCCESS);
    }
    loop {
        thread::sleep(LOOK);
        print(&reader.read_new_lines()?, output)?;
    }
}

fn print(lines: &[String], output: &mut Output) -> Result<(), Failure> {
    for line in lines {
        writeln!(output.data(), "{}", plain(line))?;
    }
    Ok(output.data().flush()?)
}
