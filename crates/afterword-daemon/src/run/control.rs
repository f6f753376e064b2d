//! What reaches the agent's thread from others, and how long it waits for it.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use afterword_core::JobId;

use crate::work::WorkedJob;
use afterword_app::Error;

/// Something for the agent's thread.
#[derive(Debug)]
pub(super) enum Signal {
    /// The system told of changes; they are in the watch's own list.
    Changed,
    /// A job's thread is done.
    Worked(JobId, Box<Result<WorkedJob, Error>>),
    /// Somebody wants something.
    Command(ControlCommand),
}

/// What holders of the agent want.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ControlCommand {
    /// Look whether there is something to do.
    Look,
    /// Reflect everything that is new.
    ReflectNow,
    /// End.
    Stop,
}

/// Changes come in bursts: what follows the first one so soon is taken together with it.
const TOGETHER: Duration = Duration::from_millis(20);
/// The longest wait: a clock that was set, or a machine that slept, is noticed after it.
pub(super) const LONGEST: Duration = Duration::from_secs(60);

/// Waits for signals, for at most `limit`; gives all there are. `None` when nobody is left to send any.
pub(super) fn wait(signals: &Receiver<Signal>, limit: Duration) -> Option<Vec<Signal>> {
    let mut all = Vec::new();
    match signals.recv_timeout(limit.min(LONGEST)) {
        Ok(signal) => all.push(signal),
        Err(RecvTimeoutError::Timeout) => return Some(all),
        Err(RecvTimeoutError::Disconnected) => return None,
    }
    if matches!(all[..], [Signal::Changed]) {
        std::thread::sleep(TOGETHER);
    }
    all.extend(signals.try_iter());
    Some(all)
}
