//! Keeping a claim while its job is done: renewed now and then, and asked whether to go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use afterword_core::QueueRules;
use afterword_store::Claim;
use afterword_store::jobs::ClaimStatus;
use jiff::Timestamp;

use afterword_app::App;
use afterword_app::log::OrLog;

/// Does `work` while the claim is renewed at a third of its lease, from a thread with a connection of its own. Says
/// besides whether the job was cancelled meanwhile.
pub(super) fn while_held<T>(app: &App, claim: &Claim, now: Timestamp, work: impl FnOnce() -> T) -> (T, bool) {
    let cancelled = AtomicBool::new(claim.job.cancel_requested);
    let (finished, wait) = mpsc::channel::<()>();
    let value = thread::scope(|scope| {
        let cancelled = &cancelled;
        scope.spawn(move || renew(app, claim, now, &wait, cancelled));
        let value = work();
        drop(finished);
        value
    });
    (value, cancelled.into_inner())
}

/// A claim that cannot be renewed is not given up here: its end will say whether it still held.
fn renew(app: &App, claim: &Claim, now: Timestamp, wait: &mpsc::Receiver<()>, cancelled: &AtomicBool) {
    let clock = Instant::now();
    let mut store = None;
    while wait.recv_timeout(QueueRules::default().lease / 3) == Err(RecvTimeoutError::Timeout) {
        if store.is_none() {
            store = app.store().ok_or_log("opening the database to renew a job's claim");
        }
        let now = now.checked_add(clock.elapsed()).unwrap_or(Timestamp::MAX);
        let renewed = store.as_ref().map(|store| store.jobs().claims().renew(claim, now));
        if let Some(ClaimStatus::Cancel) =
            renewed.and_then(|status| status.ok_or_log("renewing a job's claim"))
        {
            cancelled.store(true, Ordering::Relaxed);
        }
    }
}
