//! A reflection that the person watches: it tells how far it is, and can be stopped.

use std::sync::atomic::{AtomicBool, Ordering};

use afterword_app::note_change::WaitingPlace;
use afterword_app::{Progress, ReflectRequest, Reflection, Step, Target, Trigger, reflect};
use jiff::Zoned;
use tauri::{AppHandle, Manager};

use super::window;
use crate::context::RequestContext;
use crate::desktop_error::DesktopError;
use crate::exchange::{FailedSession, ProgressView, ReflectionView, ToWindow};
use crate::failure::Failure;

/// The one reflection that may be watched.
#[derive(Debug, Default)]
pub(crate) struct Foreground {
    reflecting: AtomicBool,
    stop: AtomicBool,
}

/// Whether one is under way.
pub(crate) fn is_reflecting(app: &AppHandle) -> bool {
    app.state::<Foreground>().reflecting.load(Ordering::Relaxed)
}

/// Stops it after the session at hand; what was read is kept.
pub(crate) fn stop_reflecting(app: &AppHandle) {
    app.state::<Foreground>().stop.store(true, Ordering::Relaxed);
}

/// Reflects all that changed; `look` is called as it begins and ends.
pub(crate) async fn reflect_all(app: &AppHandle, look: fn(&AppHandle)) -> Result<ReflectionView, Failure> {
    let foreground = app.state::<Foreground>();
    if foreground.reflecting.swap(true, Ordering::Relaxed) {
        return Err(DesktopError::Reflecting.into());
    }
    foreground.stop.store(false, Ordering::Relaxed);
    look(app);
    let worker = app.clone();
    let done = tauri::async_runtime::spawn_blocking(move || {
        let target = Target::Changed { since: None };
        let request =
            ReflectRequest { target, engine: None, dry_run: false, foreign: false, trigger: Trigger::Manual };
        let agent = worker.state::<RequestContext>().app()?;
        reflect::reflect(
            &agent,
            &request,
            &Zoned::now(),
            &mut WindowProgress { app: &worker, view: ProgressView::default() },
        )
    })
    .await;
    foreground.reflecting.store(false, Ordering::Relaxed);
    let stopped = foreground.stop.load(Ordering::Relaxed);
    look(app);
    Ok(view(&done.map_err(Failure::of_system)??, stopped))
}

fn view(reflection: &Reflection, stopped: bool) -> ReflectionView {
    let written = reflection.notes.iter().filter(|note| note.refused.is_none());
    let failed = reflection.failures.iter().map(|failure| FailedSession {
        transcript: failure.transcript.clone(),
        message: failure.error.chain(),
    });
    ReflectionView {
        sessions: reflection.sessions.len(),
        candidates: reflection.sessions.iter().map(|session| session.candidates.len()).sum(),
        waiting: written.clone().filter(|note| note.waits == Some(WaitingPlace::Review)).count(),
        notes: written.count(),
        failed: failed.collect(),
        stopped,
    }
}

/// Tells the window what it does, and stops it where the person wants that.
struct WindowProgress<'a> {
    app: &'a AppHandle,
    view: ProgressView,
}

impl Progress for WindowProgress<'_> {
    fn step(&mut self, step: &Step<'_>) {
        let view = &mut self.view;
        match step {
            Step::Planned { sessions, bytes } => (view.sessions, view.bytes) = (*sessions, *bytes),
            Step::Reading { transcript, .. } => view.transcript = Some((*transcript).to_owned()),
            Step::Mined { session, bytes } => {
                view.done += 1;
                view.bytes_done += bytes;
                view.candidates += session.candidates.len();
            }
            Step::Failed { bytes, .. } => {
                view.done += 1;
                view.failed += 1;
                view.bytes_done += bytes;
            }
            Step::Writing { .. } => {}
        }
        window::send(self.app, ToWindow::Progress { progress: view.clone() });
    }

    fn goes_on(&self) -> bool {
        !self.app.state::<Foreground>().stop.load(Ordering::Relaxed)
    }
}
