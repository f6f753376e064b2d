//! The program's own log: what the agent and the window did and what failed, in files below the state directory; of commands and of
//! MCP servers what failed.
//!
//! A host starts it once ([`start`]); from then on whatever is said through `tracing` is written down, a line each, without secrets
//! and without characters that hide. A file that grew is put aside once, and the one put aside before it goes: the log never takes
//! more than eight times [`LONGEST`]. Reading it back is [`LogReader`].

use std::cell::LazyCell;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use afterword_core::error_chain::error_chain;
use afterword_core::hidden::escape_hidden;
use afterword_platform::files::{append_to_log, create_private_directory, open_regular_file, rotated_path};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;

use crate::redaction::Redaction;
use crate::{App, Error, ErrorKind, Paths};

/// What chooses what is written down instead of the setting `log.level`, in the form of `tracing-subscriber`'s filters
/// (`debug`, `afterword_daemon::run=trace`).
pub const VARIABLE: &str = "AFTERWORD_LOG";
/// Bytes of a file before it is put aside.
pub const LONGEST: u64 = 1_000_000;

/// Which program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFile {
    /// The running agent: the tray's program, or `afterword run`.
    Agent,
    /// The window's program.
    Window,
    /// The MCP servers, one for each session of Claude Code.
    Mcp,
    /// Commands, which may run side by side.
    Command,
}

impl LogFile {
    const ALL: [Self; 4] = [Self::Agent, Self::Window, Self::Mcp, Self::Command];

    /// Where it is.
    pub fn path(self, paths: &Paths) -> PathBuf {
        directory(paths).join(match self {
            Self::Agent => "agent.log",
            Self::Window => "window.log",
            Self::Mcp => "mcp.log",
            Self::Command => "command.log",
        })
    }

    /// The program stays, and there is one of it. Of the others only failures are written down, and no file is made before there is one:
    /// a command that only looks leaves nothing.
    fn is_of_one_that_stays(self) -> bool {
        matches!(self, Self::Agent | Self::Window)
    }
}

/// Where the files are.
pub fn directory(paths: &Paths) -> PathBuf {
    paths.state.join("logs")
}

/// Where to look after a failure that the person cannot mend by its own words; `None` of any other.
pub fn hint(paths: &Paths, kind: ErrorKind) -> Option<String> {
    matches!(kind, ErrorKind::External | ErrorKind::Bug)
        .then(|| format!("what went before is in {}: `afterword logs`", directory(paths).display()))
}

/// Begins to write down what this process does. A second call does nothing.
///
/// # Errors
/// [`Error::Io`] where the file cannot be made.
pub fn start(app: &App, file: LogFile) -> Result<(), Error> {
    let path = file.path(&app.paths);
    let redacting = app.clone();
    let writer = RedactingWriter::new(move || redacting.redaction(), path.clone());
    if file.is_of_one_that_stays() {
        writer.append(b"").map_err(|source| Error::Io { path, action: "open the log", source })?;
    }
    let level = app.config.log_level;
    let level = if file.is_of_one_that_stays() { level } else { level.min(LevelFilter::WARN) };
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_env_filter(filter(level, std::env::var(VARIABLE).ok().as_deref()))
        .with_writer(Mutex::new(writer))
        .finish();
    // A process that logs already goes on as it began.
    drop(tracing::subscriber::set_global_default(subscriber));
    Ok(())
}

/// Of this program what is asked for, of the libraries in it what they warn of. A variable that cannot be read counts as unset.
fn filter(level: LevelFilter, variable: Option<&str>) -> EnvFilter {
    let of_variable =
        variable.filter(|text| !text.trim().is_empty()).and_then(|text| EnvFilter::try_new(text).ok());
    of_variable.unwrap_or_else(|| EnvFilter::new(format!("warn,afterword={level}")))
}

/// Writes down what ended the work.
pub fn failure(error: &Error) {
    tracing::error!("{}", error_chain(error));
}

/// For what the work goes on without: its failure is written down instead of handed on.
pub trait OrLog {
    /// What it is of.
    type Value;

    /// Writes down a failure of `doing` with its causes.
    fn or_log(self, doing: &'static str);

    /// What was wanted; a failure of `doing` is written down.
    fn ok_or_log(self, doing: &'static str) -> Option<Self::Value>;
}

impl<T, E: std::error::Error> OrLog for Result<T, E> {
    type Value = T;

    fn or_log(self, doing: &'static str) {
        self.ok_or_log(doing);
    }

    fn ok_or_log(self, doing: &'static str) -> Option<T> {
        self.inspect_err(|error| tracing::warn!("{doing} failed: {}", error_chain(error))).ok()
    }
}

/// Takes out of every line what must not be kept. `tracing-subscriber` writes a whole line at a time.
struct RedactingWriter<R> {
    /// Made with the first line: most commands write none.
    redaction: LazyCell<Redaction, R>,
    path: PathBuf,
}

impl<R: FnOnce() -> Redaction> RedactingWriter<R> {
    fn new(redaction: R, path: PathBuf) -> Self {
        Self { redaction: LazyCell::new(redaction), path }
    }

    fn append(&self, line: &[u8]) -> io::Result<()> {
        self.path.parent().map_or(Ok(()), create_private_directory)?;
        append_to_log(&self.path, line, LONGEST)
    }
}

impl<R: FnOnce() -> Redaction> Write for RedactingWriter<R> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let text = self.redaction.text(text.trim_end_matches('\n'));
        // One event is one line, whatever stands in it.
        let text = text.replace('\n', "\\n").replace('\r', "\\r");
        self.append(format!("{}\n", escape_hidden(&text)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads the files of all programs together, in the order of time.
#[derive(Debug)]
pub struct LogReader {
    files: Vec<(PathBuf, u64)>,
}

impl LogReader {
    /// Begins at the files' ends, and gives the newest lines before them, `most` at most.
    ///
    /// # Errors
    /// [`Error::Io`]. Files that are not there hold nothing.
    pub fn tail(paths: &Paths, most: usize) -> Result<(Self, Vec<String>), Error> {
        let (mut files, mut lines) = (Vec::new(), Vec::new());
        for path in LogFile::ALL.map(|file| file.path(paths)) {
            let (older, _) = read_from(&rotated_path(&path), 0)?;
            let (newer, end) = read_from(&path, 0)?;
            lines.extend(older.into_iter().chain(newer));
            files.push((path, end));
        }
        let lines = in_order(lines);
        let passed = lines.len().saturating_sub(most);
        Ok((Self { files }, lines.into_iter().skip(passed).collect()))
    }

    /// What was written since.
    ///
    /// # Errors
    /// As [`LogReader::tail`].
    pub fn read_new_lines(&mut self) -> Result<Vec<String>, Error> {
        let mut lines = Vec::new();
        for (path, from) in &mut self.files {
            let mut start = *from;
            if fs::metadata(&*path).map_or(0, |file| file.len()) < start {
                // It was put aside meanwhile: first the rest of what was read so far.
                lines.extend(read_from(&rotated_path(path), start)?.0);
                start = 0;
            }
            let (new, end) = read_from(path, start)?;
            lines.extend(new);
            *from = end;
        }
        Ok(in_order(lines))
    }
}

/// Lines begin with their time, in a form whose order is that of the text.
fn in_order(mut lines: Vec<String>) -> Vec<String> {
    let time = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
    lines.sort_by_key(time);
    lines
}

/// The whole lines of a file from a place on, and where they end.
fn read_from(path: &Path, start: u64) -> Result<(Vec<String>, u64), Error> {
    let mut file = match open_regular_file(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(source) => return Err(Error::Io { path: path.to_owned(), action: "read the log", source }),
    };
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))
        // One line may be written beyond the limit.
        .and_then(|_| file.take(LONGEST * 2).read_to_end(&mut bytes))
        .map_err(|source| Error::Io { path: path.to_owned(), action: "read the log", source })?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    bytes.truncate(whole);
    let lines = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
    Ok((lines, start + whole as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(path: &Path) -> Mutex<RedactingWriter<fn() -> Redaction>> {
        Mutex::new(RedactingWriter::new(|| Redaction::new(&[]).unwrap(), path.to_owned()))
    }

    /// What `work` says while its log is this file.
    fn logged(path: &Path, work: impl FnOnce()) -> String {
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(log(path)).finish();
        tracing::subscriber::with_default(subscriber, work);
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn secrets_stay_out_and_one_event_is_one_line() {
        let root = tempfile::tempdir().unwrap();
        let key = format!("sk-ant-api03-{}", "a1B2c3D4e5".repeat(9) + "-AA");
        let text = logged(&root.path().join("logs/agent.log"), || {
            tracing::warn!("asked with {key}\n2026-01-01T00:00:00Z  INFO forged: \u{202e}all is well");
        });
        assert!(!text.contains(&key), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(!text.contains('\u{202e}'), "{text}");
        assert!(text.contains("asked with"));
    }

    #[test]
    fn log_is_named_where_the_failure_is_not_the_persons_to_mend() {
        let root = tempfile::tempdir().unwrap();
        let paths = Paths::new(&crate::Environment {
            afterword_home: Some(root.path().to_owned()),
            ..crate::environment_of_process()
        })
        .unwrap();
        let hint = super::hint(&paths, ErrorKind::External).unwrap();
        assert!(hint.contains(&*directory(&paths).to_string_lossy()), "{hint}");
        assert_eq!(super::hint(&paths, ErrorKind::Invalid), None);
    }

    #[test]
    fn what_the_work_goes_on_without_is_written_down() {
        let root = tempfile::tempdir().unwrap();
        let text = logged(&root.path().join("agent.log"), || {
            assert_eq!(Err::<u8, _>(io::Error::other("no such thing")).ok_or_log("reading it"), None);
            assert_eq!(Ok::<_, io::Error>(1).ok_or_log("reading it"), Some(1));
        });
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains("reading it failed: no such thing"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_reads_it() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("logs/agent.log");
        logged(&path, || tracing::info!("begun"));
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }

    #[test]
    fn a_file_that_grew_is_put_aside_once() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("agent.log");
        let append = |line: &[u8]| append_to_log(&path, line, LONGEST).unwrap();
        let line = [b"x".repeat(99_999), b"\n".to_vec()].concat();
        for _ in 0..35 {
            append(&line);
        }
        let size = |path: &Path| path.metadata().unwrap().len();
        assert_eq!((size(&rotated_path(&path)), size(&path)), (LONGEST, LONGEST / 2));
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2);
        append(b"");
        assert_eq!(size(&path), LONGEST / 2, "it goes on where it was");
    }

    #[test]
    fn programs_that_write_to_one_log_put_it_aside_once() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("mcp.log");
        let line = [b"x".repeat(99), b"\n".to_vec()].concat();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..300).for_each(|_| append_to_log(&path, &line, 100_000).unwrap()));
            }
        });
        let size = |path: &Path| path.metadata().unwrap().len();
        let (old, new) = (size(&rotated_path(&path)), size(&path));
        assert_eq!(old + new, 120_000, "nothing was lost: {old} and {new}");
    }

    #[test]
    fn programs_are_read_together_and_followed_across_a_file_put_aside() {
        let root = tempfile::tempdir().unwrap();
        let paths =
            Paths { state: root.path().to_owned(), config_file: PathBuf::new(), cache: PathBuf::new() };
        let [app, window, ..] = LogFile::ALL.map(|file| file.path(&paths));
        create_private_directory(&directory(&paths)).unwrap();
        let append = |path: &Path, text: &str| append_to_log(path, text.as_bytes(), LONGEST).unwrap();
        append(&app, "2026-01-01T00:00:01Z a\n");
        append(&window, "2026-01-01T00:00:02Z b\n");
        append(&app, "2026-01-01T00:00:03Z c\n");
        let (mut reader, lines) = LogReader::tail(&paths, 2).unwrap();
        assert_eq!(lines, ["2026-01-01T00:00:02Z b", "2026-01-01T00:00:03Z c"]);
        assert!(reader.read_new_lines().unwrap().is_empty());
        append(&app, "2026-01-01T00:00:04Z d\n2026-01-01T00:00:05Z half");
        assert_eq!(
            reader.read_new_lines().unwrap(),
            ["2026-01-01T00:00:04Z d"],
            "a line that is being written is left for later"
        );
        append(&app, " done\n");
        fs::rename(&app, rotated_path(&app)).unwrap();
        append(&app, "2026-01-01T00:00:06Z e\n");
        assert_eq!(
            reader.read_new_lines().unwrap(),
            ["2026-01-01T00:00:05Z half done", "2026-01-01T00:00:06Z e"]
        );
    }

    #[test]
    fn the_variable_wins_where_it_can_be_read() {
        let most = |level: &str, variable| filter(level.parse().unwrap(), variable).max_level_hint();
        assert_eq!(most("info", None), Some(LevelFilter::INFO));
        assert_eq!(most("info", Some("trace")), Some(LevelFilter::TRACE));
        assert_eq!(most("error", Some("=,=/")), Some(LevelFilter::WARN), "the libraries' warnings stay");
        assert_eq!(most("debug", Some("")), Some(LevelFilter::DEBUG));
    }
}
