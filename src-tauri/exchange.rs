//! What the tray's program and the window's program say to each other: one JSON value a line, over the window's standard input and
//! output. Each is started from the same file; a line that one of them does not know is passed over.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;

use afterword_app::overview::AgentActivity;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// What the tray tells the window.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub(crate) enum ToWindow {
    /// Come to the front, and show this page; empty for wherever the window is.
    Come { route: String },
    /// Something changed.
    Changed,
    /// How things stand, which may have changed.
    Standing { standing: AgentStatus },
    /// How far the reflection is that the person watches.
    Progress { progress: ProgressView },
    /// What became of the reflection that was asked for with this number.
    Reflected { number: u64, outcome: Result<ReflectionView, Failure> },
}

/// What the window asks of the tray.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub(crate) enum ToTray {
    /// It came to the front.
    Came,
    /// It changed something.
    Changed,
    /// The settings are others.
    Restart,
    /// The first run is over.
    Begin,
    /// Stop the work in the background, or go on with it.
    Pause { paused: bool },
    /// Reflect all that changed.
    Reflect { number: u64 },
    /// Stop reflecting after the session at hand.
    StopReflecting,
    /// Quit, the work in the background with it.
    Quit,
}

/// What the agent does, as the program knows that hosts it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct AgentStatus {
    pub(crate) doing: AgentActivity,
    /// The agent works in the tray's program, or nowhere; not in another one.
    pub(crate) works_here: bool,
    /// The desktop shows the tray's icon; where it does not, the program ends with its window.
    pub(crate) in_tray: bool,
}

/// How far a reflection is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Progress"))]
pub(crate) struct ProgressView {
    /// Sessions to be read.
    pub(crate) sessions: usize,
    /// Sessions that were read.
    pub(crate) done: usize,
    pub(crate) bytes: u64,
    pub(crate) bytes_done: u64,
    pub(crate) candidates: usize,
    pub(crate) failed: usize,
    /// The transcript at hand.
    pub(crate) transcript: Option<PathBuf>,
}

/// What a reflection did.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "ReflectionResult"))]
pub(crate) struct ReflectionView {
    pub(crate) sessions: usize,
    pub(crate) candidates: usize,
    pub(crate) notes: usize,
    pub(crate) waiting: usize,
    pub(crate) failed: Vec<FailedSession>,
    /// The person stopped it.
    pub(crate) stopped: bool,
}

/// A session that could not be read.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct FailedSession {
    pub(crate) transcript: PathBuf,
    pub(crate) message: String,
}

/// Writes one line.
///
/// # Errors
/// [`std::io::Error`]: the other side is gone.
pub(crate) fn write(to: &mut impl Write, words: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(words)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// Reads until the other side is gone, and hands over each line it knows.
pub(crate) fn read<T: DeserializeOwned>(from: impl Read, mut take: impl FnMut(T)) {
    for line in BufReader::new(from).split(b'\n') {
        let Ok(line) = line else { return };
        // Libraries print to standard output as well.
        if let Ok(words) = serde_json::from_slice(&line) {
            take(words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_not_known_is_passed_over() {
        let mut line = Vec::new();
        let asked = ToWindow::Come { route: "review/a\nb".to_owned() };
        write(&mut line, &asked).unwrap();
        line.extend_from_slice(b"(process:1): Gtk-WARNING\n\xff\n{\"say\":\"dance\"}\n");
        write(&mut line, &ToWindow::Reflected { number: 7, outcome: Err(Failure::of_system("disk full")) })
            .unwrap();
        let mut received = Vec::new();
        read(&line[..], |words: ToWindow| received.push(words));
        let [ToWindow::Come { route }, ToWindow::Reflected { number: 7, outcome: Err(error) }] =
            &received[..]
        else {
            panic!("{received:?}");
        };
        assert_eq!(route, "review/a\nb");
        assert_eq!(error.message(), "disk full");
    }
}
