//! What follows from answers, done once for many that come one after the other: overviews, the search index, and the news of it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use afterword_app::review;
use jiff::Zoned;
use tauri::{AppHandle, Manager};

use super::host::{ChangeGuard, Host};
use crate::context::RequestContext;
use crate::exchange::ToTray;

/// After so long without a further answer it is done: a person who goes on answering does not wait for it.
const QUIET: Duration = Duration::from_millis(700);
/// So long after the first answer it is done at the latest.
const LATEST: Duration = Duration::from_secs(10);

/// The thread that does it, told of each answer; what it is given keeps a closed window's program there until it is done.
#[derive(Debug)]
pub(crate) struct FollowUp(Sender<ChangeGuard>);

/// Starts the thread.
pub(crate) fn start(app: &AppHandle) {
    let (answers, answered) = channel();
    app.manage(FollowUp(answers));
    let app = app.clone();
    std::thread::spawn(move || run(&app, &answered));
}

/// Has follow what follows from an answer; `changing` says that the answer was given. Without the thread the next answer, or the
/// agent, brings it in line.
pub(crate) fn schedule(app: &AppHandle, changing: ChangeGuard) {
    drop(app.state::<FollowUp>().0.send(changing));
}

fn run(app: &AppHandle, answered: &Receiver<ChangeGuard>) {
    while let Ok(first) = answered.recv() {
        let mut changing = vec![first];
        let began = Instant::now();
        while let Some(left) = LATEST.checked_sub(began.elapsed()) {
            let Ok(next) = answered.recv_timeout(QUIET.min(left)) else { break };
            changing.push(next);
        }
        let done =
            app.state::<RequestContext>().app().and_then(|agent| review::follow_up(&agent, &Zoned::now()));
        if let Err(error) = done {
            tracing::warn!("overviews and search after an answer: {}", error.chain_with_hints());
        }
        app.state::<Host>().send(&ToTray::Changed);
        drop(changing);
    }
}
