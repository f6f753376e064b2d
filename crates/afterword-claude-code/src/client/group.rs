//! Child processes: started as the leader of a group, read line by line, ended with everything they started.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};
#[cfg(windows)]
use process_wrap::std::{CreationFlags, JobObject};

use super::{Client, ClientError, Cost, Follower};

/// How often limits are looked at.
const PULSE: Duration = Duration::from_millis(50);
/// A longer line is cut; a whole answer with its schema stays far below.
const LONGEST_LINE: u64 = 16 << 20;
/// So much of what it complained is kept.
const MOST_COMPLAINT: usize = 4096;
/// How long pipes may stay open once the group is gone.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProcessEnd {
    /// It said that all was well.
    pub(super) success: bool,
    /// How, in words.
    pub(super) status: String,
    /// The end of what it complained.
    pub(super) complaint: String,
}

enum Output {
    Line(String),
    Complaint(Vec<u8>),
}

/// Runs a command to its end with `input` on its standard input; every line it prints goes to `line`.
pub(super) fn run(
    mut command: Command,
    input: &str,
    limit: Duration,
    follower: &mut dyn Follower,
    line: &mut dyn FnMut(&str),
    client: &Client,
) -> Result<ProcessEnd, ClientError> {
    let clock = Instant::now();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = |source| ClientError::Start { path: client.binary().to_owned(), source };
    let mut wrap = CommandWrap::from(command);
    #[cfg(unix)]
    wrap.wrap(ProcessGroup::leader());
    #[cfg(windows)]
    wrap.wrap(JobObject).wrap(no_window());
    let mut group = Group { child: wrap.spawn().map_err(start)?, over: false };
    follower.on_start(group.child.id());
    let heard = group.listen(input).map_err(start)?;
    let mut complaint = Vec::new();
    let mut take = |heard| match heard {
        Output::Line(text) => line(&text),
        Output::Complaint(bytes) => {
            complaint.extend_from_slice(&bytes);
            let over = complaint.len().saturating_sub(MOST_COMPLAINT);
            complaint.drain(..over);
        }
    };
    let status = loop {
        match heard.recv_timeout(PULSE) {
            Ok(heard) => take(heard),
            // Both pipes are closed: it has ended or will at once.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(Duration::from_millis(5)),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(status) = group.child.try_wait().map_err(start)? {
            break Ok(status);
        }
        if clock.elapsed() > limit {
            break Err(ClientError::TooLong { limit, cost: Cost::default() });
        }
        if follower.stop() {
            break Err(ClientError::Interrupted { cost: Cost::default() });
        }
    };
    // What it started goes with it, and with that the pipes close. What it printed until then tells what it cost.
    group.end();
    let end = Instant::now() + LAST_WORDS;
    while let Ok(heard) = heard.recv_timeout(end.saturating_duration_since(Instant::now())) {
        take(heard);
    }
    let status = status?;
    let complaint = String::from_utf8_lossy(&complaint).trim().to_owned();
    Ok(ProcessEnd { success: status.success(), status: status.to_string(), complaint })
}

/// A job object takes the flags of its command from here alone.
#[cfg(windows)]
fn no_window() -> CreationFlags {
    let mut flags = CreationFlags(Default::default());
    flags.0.0 = afterword_platform::command::CREATE_NO_WINDOW;
    flags
}

/// A process group, ended at the latest when this is dropped.
#[derive(Debug)]
struct Group {
    child: Box<dyn ChildWrapper>,
    over: bool,
}

impl Group {
    /// Writes the input and reads both outputs, each from a thread of its own: none can hold up the others.
    fn listen(&mut self, input: &str) -> io::Result<Receiver<Output>> {
        let (sender, heard) = mpsc::channel();
        if let Some(mut stdin) = self.child.stdin().take() {
            let input = input.to_owned();
            let write = move || {
                // A client that ends without reading says why itself.
                let _ = stdin.write_all(input.as_bytes());
            };
            thread::Builder::new().name("client-input".into()).spawn(write)?;
        }
        if let Some(stdout) = self.child.stdout().take() {
            let sender = sender.clone();
            let read = move || {
                let mut reader = BufReader::new(stdout);
                while let Some(line) = next_line(&mut reader) {
                    if sender.send(Output::Line(line)).is_err() {
                        break;
                    }
                }
            };
            thread::Builder::new().name("client-output".into()).spawn(read)?;
        }
        if let Some(mut stderr) = self.child.stderr().take() {
            let read = move || {
                let mut buffer = vec![0; MOST_COMPLAINT];
                while let Ok(read) = stderr.read(&mut buffer) {
                    let bytes = buffer.get(..read).unwrap_or_default().to_vec();
                    if read == 0 || sender.send(Output::Complaint(bytes)).is_err() {
                        break;
                    }
                }
            };
            thread::Builder::new().name("client-errors".into()).spawn(read)?;
        }
        Ok(heard)
    }

    fn end(&mut self) {
        if !self.over {
            self.over = true;
            // It may have ended by itself, with all it started.
            let _ = self.child.start_kill();
            let _ = self.child.wait();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// The next line, cut where it is too long; none at the end.
fn next_line(reader: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).ok()?;
    if read == 0 {
        return None;
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if u64::try_from(read).is_ok_and(|read| read >= LONGEST_LINE) {
        let mut rest = Vec::new();
        while reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest).is_ok_and(|read| read > 0) {
            if rest.last() == Some(&b'\n') {
                break;
            }
            rest.clear();
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Ends the process group that the process `leader` led, which an earlier process of this program started. Whoever
/// calls has made sure that it still is that process. Where there are no such groups it ends with what it started.
pub fn kill_group(leader: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        let leader = i32::try_from(leader).ok().and_then(rustix::process::Pid::from_raw);
        let leader = leader.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        rustix::process::kill_process_group(leader, rustix::process::Signal::KILL).map_err(io::Error::from)
    }
    #[cfg(not(unix))]
    afterword_platform::process::end_with_descendants(leader)
}
