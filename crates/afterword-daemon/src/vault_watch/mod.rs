//! Watches the vault: the system tells that something changed, the look tells what, and what follows from it is done in
//! a second thread, so that an edit is found at once also while a large vault is being put in order.
//!
//! Idle, both threads sleep. Where the system cannot tell (network file systems, no watches left), it looks now and then; a
//! slow look now and then is made in any case, for what the system forgot to tell.

mod pace;

use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jiff::Zoned;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use afterword_app::log::OrLog;
use afterword_app::vault_sync::{
    VaultChangeHandler, VaultNews, VaultObservation, VaultScanner, follow_vault, is_vault_missing,
};
use afterword_app::{App, Error, VaultSetupError};

use pace::Pace;

/// How often the vault is looked at where the system tells of changes, in case it forgot one.
const FULL_SCAN_INTERVAL: Duration = Duration::from_secs(600);
/// How often the vault is looked at where the system does not tell.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// How often what was seen is kept at most while changes go on.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);

/// A vault that is watched. Dropping it stops the watching.
#[derive(Debug)]
pub struct VaultWatch {
    signals: Sender<VaultSignal>,
    thread: Option<JoinHandle<()>>,
}

enum VaultSignal {
    Changed,
    /// The watcher failed.
    Blind,
    Stop,
}

/// Watches the vault until the watch is dropped. `listener` is told, on a thread of the watch, of the first look and
/// of every other that found or did something, or is the first without problems again, and must return soon. Without a vault, it waits for one.
///
/// # Errors
/// [`Error::Io`] when no thread can be started.
pub fn watch_vault(
    app: &App,
    listener: impl FnMut(&VaultNews) + Send + 'static,
) -> Result<VaultWatch, Error> {
    let (signals, came) = mpsc::channel();
    let watched = VaultThread { app: app.clone(), signals: signals.clone(), came };
    let spawned = named_thread("afterword-vault").spawn(move || watched.run(listener));
    let thread = spawned.map_err(|source| Error::Io {
        path: app.paths().state.clone(),
        action: "start the vault's thread",
        source,
    })?;
    Ok(VaultWatch { signals, thread: Some(thread) })
}

impl VaultWatch {
    /// Looks at the vault now.
    pub fn request_scan(&self) {
        // A thread that is gone looks no more.
        let _ = self.signals.send(VaultSignal::Changed);
    }
}

impl Drop for VaultWatch {
    fn drop(&mut self) {
        // A thread that is gone has stopped.
        let _ = self.signals.send(VaultSignal::Stop);
        if let Some(thread) = self.thread.take() {
            // Its panic was said where it happened.
            let _ = thread.join();
        }
    }
}

struct VaultThread {
    app: App,
    signals: Sender<VaultSignal>,
    came: Receiver<VaultSignal>,
}

fn named_thread(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.to_owned())
}

impl VaultThread {
    fn run(mut self, listener: impl FnMut(&VaultNews) + Send + 'static) {
        let Some((mut scanner, mut follower)) = self.begin(listener) else { return };
        let mut watcher = None;
        let mut pace = Pace::of_looks();
        // Watching begins before the first look, so that nothing falls between them.
        pace.changed(Instant::now());
        loop {
            if watcher.is_none() {
                if self.takes_up_settings() {
                    let Some(listener) = follower.end() else { return };
                    let Some(begun) = self.begin(listener) else { return };
                    (scanner, follower) = begun;
                }
                watcher = self.watcher();
            }
            let now = Instant::now();
            let due = pace.due();
            if due.is_some_and(|due| due <= now) {
                pace.started();
                let looked = scanner.scan();
                if looked.as_ref().is_err_and(is_vault_missing) {
                    watcher = None;
                }
                // A follower that is gone is begun anew at the next look.
                let _ = follower.looks.send(looked);
                pace.finished(now, Instant::now());
                continue;
            }
            let sleep = if watcher.is_some() { FULL_SCAN_INTERVAL } else { POLL_INTERVAL };
            let wait = due.map_or(sleep, |due| due.duration_since(now));
            match self.came.recv_timeout(wait) {
                Ok(VaultSignal::Changed) => pace.changed(Instant::now()),
                Ok(VaultSignal::Blind) => watcher = None,
                Ok(VaultSignal::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if due.is_none() => pace.changed(Instant::now()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        follower.end();
    }

    /// Begins to look, and to follow up in a thread of its own. `None` where the system refuses the thread, which the listener
    /// is told.
    fn begin<L: FnMut(&VaultNews) + Send + 'static>(
        &self,
        mut listener: L,
    ) -> Option<(VaultScanner, Follower<L>)> {
        let (scanner, handler) = follow_vault(&self.app);
        let (looks, looked) = mpsc::channel();
        // Handed over only to a thread that is there.
        let (hand_over, handed) = mpsc::channel();
        let work = move || Some(follow(handler, &looked, handed.recv().ok()?));
        match named_thread("afterword-vault-follow").spawn(work) {
            Ok(thread) => hand_over.send(listener).ok().map(|()| (scanner, Follower { looks, thread })),
            Err(error) => {
                let problem = format!(
                    "the vault is not watched until the next start: the system refuses a thread: {error}"
                );
                tracing::error!("{problem}");
                listener(&VaultNews { problems: vec![problem], ..VaultNews::default() });
                None
            }
        }
    }

    /// Takes up another vault, chosen since the agent began. Says whether there is one.
    fn takes_up_settings(&mut self) -> bool {
        let Ok(app) = App::new(self.app.environment().clone()) else { return false };
        let is_other = app.config().vault != self.app.config().vault;
        if is_other {
            self.app = app;
        }
        is_other
    }

    /// `None` where the system cannot tell of changes, or there is nothing to watch yet.
    fn watcher(&self) -> Option<RecommendedWatcher> {
        let root = self.app.open_vault().ok_or_log("opening the vault to watch it")?.root().to_owned();
        let (signals, below) = (self.signals.clone(), root.clone());
        let on_event = move |event: notify::Result<Event>| {
            let signal = match event {
                Ok(event) if is_news(&event, &below) => VaultSignal::Changed,
                Ok(_) => return,
                Err(_) => VaultSignal::Blind,
            };
            // The watch has ended.
            let _ = signals.send(signal);
        };
        let watched = notify::recommended_watcher(on_event).and_then(|mut watcher| {
            watcher.watch(&root, RecursiveMode::Recursive)?;
            Ok(watcher)
        });
        // It is looked at all the same, only later.
        watched.inspect_err(|error| tracing::warn!("the vault cannot be watched: {error}")).ok()
    }
}

/// The thread that follows up what the looks find.
struct Follower<L> {
    looks: Sender<Result<VaultObservation, Error>>,
    thread: JoinHandle<Option<L>>,
}

impl<L> Follower<L> {
    /// Ends it once it has followed up what it was told, and gives the listener back.
    fn end(self) -> Option<L> {
        drop(self.looks);
        self.thread.join().ok().flatten()
    }
}

/// Follows up what the looks find until there are no more of them: the first at once, others once for all that came while changes went on.
fn follow<L: FnMut(&VaultNews)>(
    handler: VaultChangeHandler,
    looks: &Receiver<Result<VaultObservation, Error>>,
    listener: L,
) -> L {
    let mut follow_up = FollowUp { handler, listener, had_problems: false, keep_at: None };
    let mut pace = Pace::of_follow_up();
    let mut is_first = true;
    // What was found since the last time.
    let mut found: Option<VaultObservation> = None;
    loop {
        let now = Instant::now();
        let due = if is_first && found.is_some() { Some(now) } else { pace.due() };
        if let Some(looked) = found.take_if(|_| due.is_some_and(|due| due <= now)) {
            pace.started();
            follow_up.follow(&looked, is_first);
            pace.finished(now, Instant::now());
            is_first = false;
            continue;
        }
        let came = match [due, follow_up.keep_at].into_iter().flatten().min() {
            Some(at) => looks.recv_timeout(at.saturating_duration_since(now)),
            None => looks.recv().map_err(RecvTimeoutError::from),
        };
        match came {
            Ok(Ok(looked)) => {
                let before = found.map_or(0, |before| before.indexed);
                found = Some(VaultObservation { indexed: before + looked.indexed, ..looked });
                pace.changed(Instant::now());
            }
            Ok(Err(error)) => follow_up.fail(&error),
            Err(RecvTimeoutError::Timeout) => follow_up.save_position_if_due(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if let Some(looked) = found {
        follow_up.follow(&looked, is_first);
    }
    follow_up.save_position();
    follow_up.listener
}

/// What follows from looks, and who is told of it.
struct FollowUp<L> {
    handler: VaultChangeHandler,
    listener: L,
    had_problems: bool,
    /// When how far it came is kept for the next start.
    keep_at: Option<Instant>,
}

impl<L: FnMut(&VaultNews)> FollowUp<L> {
    fn follow(&mut self, looked: &VaultObservation, is_first: bool) {
        let news = self.handler.follow(looked, &Zoned::now());
        if is_first || self.had_problems || news != VaultNews::default() {
            (self.listener)(&news);
        }
        self.had_problems = !news.problems.is_empty();
        let ended = Instant::now();
        self.keep_at.get_or_insert(if is_first { ended } else { ended + SAVE_INTERVAL });
    }

    /// A look failed.
    fn fail(&mut self, error: &Error) {
        if is_vault_missing(error) || matches!(error, Error::VaultSetup(VaultSetupError::NotChosen)) {
            return;
        }
        self.had_problems = true;
        (self.listener)(&VaultNews { problems: vec![error.chain()], ..VaultNews::default() });
    }

    fn save_position_if_due(&mut self) {
        if self.keep_at.take_if(|at| *at <= Instant::now()).is_some() {
            self.save_position();
        }
    }

    /// Without it the next start only reads more.
    fn save_position(&mut self) {
        self.handler.save_position().or_log("keeping what was seen of the vault");
    }
}

/// Whether an event can concern a note. Reading is no change, and what hides itself is no note; placeholders hide, but the
/// note they stand for comes or goes with them.
fn is_news(event: &Event, root: &Path) -> bool {
    if matches!(event.kind, EventKind::Access(_)) {
        return false;
    }
    event.need_rescan()
        || event.paths.is_empty()
        || event.paths.iter().any(|path| {
            let inside = path.strip_prefix(root).unwrap_or(path);
            let hidden =
                inside.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."));
            !hidden || inside.extension().is_some_and(|extension| extension == "icloud")
        })
}
