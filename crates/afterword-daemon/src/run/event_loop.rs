//! One turn after the other: what changed is taken in, what is due is begun, and the time of the next turn is found.
//!
//! A turn that fails leaves everything as it was, tells why, and is made again somewhat later. Start at [`EventLoop::run_turn`].

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant, SystemTime};

use afterword_core::job::saturating_add;
use afterword_core::schedule::{Intervals, MaintenanceTask, Scheduler};
use afterword_core::{JobId, JobType, UserId};
use afterword_store::{EnqueueOutcome, Store, is_in_place};
use jiff::{Timestamp, Zoned};

use super::control::{self, ControlCommand, Signal};
use super::dispatch::Jobs;
use super::event::AgentEvent;
use super::watch::{FOLDER_LOOKS, PendingChanges, Watch, as_followed, transcripts_below};
use super::{Clock, Shared, pace, timestamp};
use crate::follow::{self, Follower, Verdict};
use crate::work::{WorkEnd, WorkedJob, heartbeat_job, notice_of_heartbeat};
use afterword_app::AgentState;
use afterword_app::agent_lock::AgentCard;
use afterword_app::agent_lock::remove_card;
use afterword_app::agent_lock::write_agent_card;
use afterword_app::model_calls::EngineFault;
use afterword_app::queue::{ReflectionOrder, reflection_job};
use afterword_app::{App, Error, connections, conversations, model_calls, review, search_model};
use afterword_claude_code::markers::Markers;
use afterword_claude_code::spool::Spool;

/// Reflections that wait in the queue at the same time; the rest wait as transcripts, so that what a person asks for is
/// not behind a first run over years of sessions.
const WAITING: usize = 8;

/// Whoever is told of what happens.
type Sink<'a> = &'a mut dyn FnMut(&AgentEvent);

/// The agent between two turns.
pub(super) struct EventLoop {
    app: App,
    shared: Arc<Shared>,
    settings_seen: Option<SystemTime>,
    pending: Arc<PendingChanges>,
    watch: Option<Watch>,
    open: Option<OpenStore>,
    scheduler: Scheduler,
    jobs: Jobs,
    folders: Vec<(Instant, PathBuf)>,
    any_client: bool,
    any_queued: bool,
    rescan_took: Duration,
    review: Review,
    failures: u32,
    /// A job that was put off, and what stands in its way.
    postponed: Option<(JobId, String)>,
    /// Why the chosen engine cannot be asked; `None` until it was looked at.
    engine_fault: Option<Option<EngineFault>>,
    since: Timestamp,
    /// What was last told of the agent.
    card: Option<AgentCard>,
}

/// What the database gives; opened anew after it failed.
struct OpenStore {
    store: Store,
    follower: Follower,
}

/// The notes that wait for the user's review.
#[derive(Default)]
struct Review {
    count: usize,
    looked_at: bool,
}

impl EventLoop {
    pub(super) fn new(app: &App, shared: Arc<Shared>, signals: Sender<Signal>) -> Self {
        let wake = signals.clone();
        Self {
            app: app.clone(),
            shared,
            settings_seen: changed_at(app),
            pending: PendingChanges::new(move || drop(wake.send(Signal::Changed))),
            watch: None,
            open: None,
            scheduler: Scheduler::default(),
            jobs: Jobs::new(signals),
            folders: Vec::new(),
            any_client: true,
            any_queued: true,
            rescan_took: Duration::ZERO,
            review: Review::default(),
            failures: 0,
            postponed: None,
            engine_fault: None,
            since: Timestamp::UNIX_EPOCH,
            card: None,
        }
    }

    /// Makes turns until it is told to stop.
    pub(super) fn run(mut self, signals: &Receiver<Signal>, clock: Clock<'_>, tell: Sink<'_>) {
        self.since = timestamp(clock);
        let mut wishes = Vec::new();
        let mut expected = self.since;
        loop {
            let now = clock();
            // The clock was set, or the machine slept: nothing is where it was.
            if now.timestamp().duration_since(expected).unsigned_abs() > control::LONGEST * 2 {
                self.scheduler = Scheduler::default();
            }
            let next = self.attempt(&now, std::mem::take(&mut wishes), tell);
            let now = timestamp(clock);
            let limit = Duration::try_from(next.duration_since(now)).unwrap_or_default();
            expected = saturating_add(now, limit.min(control::LONGEST));
            match control::wait(signals, limit) {
                Some(came)
                    if !came.iter().any(|one| matches!(one, Signal::Command(ControlCommand::Stop))) =>
                {
                    wishes = came;
                }
                _ => break,
            }
        }
        self.app.shutdown_flag().store(true, std::sync::atomic::Ordering::Relaxed);
        self.jobs.finish();
        remove_card(self.app.paths());
    }

    /// One turn, and what becomes of its failure; gives the time of the next one.
    pub(super) fn attempt(&mut self, now: &Zoned, signals: Vec<Signal>, tell: Sink<'_>) -> Timestamp {
        let at = now.timestamp();
        let (problem, next) = match self.run_turn(now, signals, tell) {
            Ok(next) => {
                let obstacle = self.obstacle().map(|error| error.chain_with_hints());
                let obstacle = obstacle.or_else(|| self.engine_problem());
                // What is mended elsewhere is not told of.
                let limit =
                    if obstacle.is_some() { saturating_add(at, pace::OBSTACLE) } else { Timestamp::MAX };
                let postponed = || self.postponed.as_ref().map(|(_, obstacle)| obstacle.clone());
                let watches = || self.shared.problem();
                (obstacle.or_else(postponed).or_else(watches), next.min(limit))
            }
            Err(error) => {
                self.failures = self.failures.saturating_add(1);
                if error.stops_everything() {
                    self.open = None;
                }
                (Some(error.chain_with_hints()), saturating_add(at, pace::after_failures(self.failures)))
            }
        };
        if problem.is_none() {
            self.failures = 0;
        }
        self.show(problem, tell);
        next
    }

    /// As if the system had told of every transcript, and every maintenance task's time had come.
    #[cfg(test)]
    pub(super) fn rescan_sessions(&mut self) {
        self.scheduler = Scheduler::default();
    }

    #[cfg(test)]
    pub(super) fn has_jobs(&self) -> bool {
        !self.jobs.running.is_empty()
    }

    fn run_turn(&mut self, now: &Zoned, signals: Vec<Signal>, tell: Sink<'_>) -> Result<Timestamp, Error> {
        let at = now.timestamp();
        self.read_settings()?;
        self.maintain_watch()?;
        let OpenStore { store, mut follower } = self.open_store(at)?;
        // Taken out for the turn: a failure leaves it closed, and the next turn opens it anew.
        let turn = || -> Result<Timestamp, Error> {
            for signal in signals {
                self.signal(signal, &store, &mut follower, at, tell)?;
            }
            // First what there is, then what is told of it, then what that makes due.
            self.maintain(&store, &mut follower, at)?;
            let handed_out = self.take_in(&store, &mut follower, at)?;
            self.maintain(&store, &mut follower, at)?;
            for change in follower.save_changes(&store, at)? {
                tell(&AgentEvent::SessionChanged { session: change.session, state: change.state });
            }
            // Only now is it kept that a session ended.
            Spool::new(self.app.paths()).remove(&handed_out)?;
            follower.cache_web_results(now);
            self.enqueue_heartbeats(&store, &mut follower, at)?;
            self.enqueue(&store, &mut follower, at)?;
            self.queue_conversations(&store, at, tell)?;
            self.start_jobs(&store, &mut follower, now, tell)?;
            self.forget_obstacle_of_ended_job(&store)?;
            self.any_queued =
                follower.sessions().any(|(_, session)| session.is_queued || session.is_heartbeat_queued);
            self.next(&store, &follower, at)
        };
        let next = turn();
        if !next.as_ref().is_err_and(Error::stops_everything) {
            self.open = Some(OpenStore { store, follower });
        }
        next
    }

    /// Settings that changed count from now on; everything is looked at with new eyes.
    fn read_settings(&mut self) -> Result<(), Error> {
        let seen = changed_at(&self.app);
        if seen == self.settings_seen {
            return Ok(());
        }
        self.app = self.app.with_settings_read_again()?;
        self.settings_seen = seen;
        self.engine_fault = None;
        self.watch = None;
        self.open = None;
        self.scheduler = Scheduler::default();
        Ok(())
    }

    fn maintain_watch(&mut self) -> Result<(), Error> {
        let spool = Spool::new(self.app.paths());
        spool.create()?;
        let begun = match &mut self.watch {
            Some(watch) => watch.restart_if_needed(),
            None => {
                let projects = self.app.claude().projects();
                let settings = &self.app.paths().config_file;
                let pending = Arc::clone(&self.pending);
                self.watch = Some(Watch::new(pending, projects, spool.directory(), settings));
                true
            }
        };
        if begun {
            // What changed before it was watched was not told.
            self.scheduler.make_due(MaintenanceTask::Rescan);
        }
        Ok(())
    }

    fn open_store(&mut self, now: Timestamp) -> Result<OpenStore, Error> {
        // One that was moved aside is no longer anybody's but ours.
        if let Some(open) = self.open.take().filter(|open| is_in_place(&open.store)) {
            return Ok(open);
        }
        let store = self.app.store()?;
        self.jobs.reclaim(&store, now)?;
        if self.jobs.running.is_empty() {
            connections::remove_left_connections(&self.app);
        }
        let follower = Follower::new(&self.app, &store)?;
        self.scheduler = Scheduler::default();
        Ok(OpenStore { store, follower })
    }

    fn signal(
        &mut self,
        signal: Signal,
        store: &Store,
        follower: &mut Follower,
        now: Timestamp,
        tell: Sink<'_>,
    ) -> Result<(), Error> {
        match signal {
            Signal::Changed | Signal::Command(ControlCommand::Look | ControlCommand::Stop) => Ok(()),
            Signal::Command(ControlCommand::ReflectNow) => {
                follower.request_reflection();
                Ok(())
            }
            Signal::Worked(id, worked) => {
                let running = self.jobs.take_ended(id);
                self.review.looked_at = false;
                let is_beat = running.as_ref().is_some_and(|running| running.job_type == JobType::Heartbeat);
                let session = running.and_then(|running| running.session);
                if let Some(session) = session.as_ref().filter(|_| is_beat) {
                    let ended = worked.as_ref().as_ref().map(|worked| &worked.end);
                    let again = matches!(
                        ended,
                        Ok(WorkEnd::Failed { again_at: Some(_), .. } | WorkEnd::Postponed { .. })
                    );
                    follow::heartbeat_ended(follower, store, session, again, now)?;
                }
                if let Some(session) = session.filter(|_| !is_beat) {
                    follower.reflection_ended(store, &session, worked.as_ref().as_ref().ok(), now)?;
                    self.scheduler.make_due(MaintenanceTask::Clients);
                }
                // What kept the job from being ended keeps everything from going on.
                let worked = (*worked)?;
                match &worked.end {
                    WorkEnd::Postponed { obstacle, .. } => self.postponed = Some((id, obstacle.clone())),
                    // It got through, and so will the others.
                    WorkEnd::Completed(_) => self.postponed = None,
                    _ => {}
                }
                publish_worked(worked, tell);
                Ok(())
            }
        }
    }

    /// What the system and the hooks told. Returns the hooks' files, to be removed once what they told is kept.
    fn take_in(
        &mut self,
        store: &Store,
        follower: &mut Follower,
        now: Timestamp,
    ) -> Result<Vec<PathBuf>, Error> {
        let changes = self.pending.take();
        if changes.watch_again {
            self.maintain_watch()?;
        }
        if changes.everything {
            self.scheduler.make_due(MaintenanceTask::Rescan);
        }
        for folder in changes.folders {
            let clock = Instant::now();
            self.folders.extend(FOLDER_LOOKS.map(|after| (clock + after, folder.clone())));
        }
        let (due, rest): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.folders).into_iter().partition(|(at, _)| *at <= Instant::now());
        self.folders = rest;
        follower.forget(store)?;
        let below = due.iter().flat_map(|(_, folder)| transcripts_below(folder));
        let told = changes.transcripts.into_iter().chain(below);
        follower.look_at(store, &as_followed(self.app.claude(), told), now)?;
        let mut began = false;
        let mut handed_out = Vec::new();
        Spool::new(self.app.paths()).hand_out(&mut handed_out, &mut |event| {
            began |= event.event == afterword_claude_code::spool::HookEvent::SessionStart;
            follow::apply_hook_event(follower, store, event, now)
        })?;
        if began {
            // Without it the task has no interval, and what was never due is not due again.
            self.any_client = true;
            self.scheduler.make_due(MaintenanceTask::Clients);
        }
        Ok(handed_out)
    }

    fn intervals(&self) -> Intervals {
        let watching = self.watch.as_ref().map(Watch::watching);
        let rescan = watching
            .map_or(Intervals::RESCAN_WATCHED, |watching| pace::rescan_pause(watching, self.rescan_took));
        let any_job = !self.jobs.running.is_empty() || self.any_queued;
        Intervals::new(rescan, self.any_client, any_job)
    }

    fn maintain(&mut self, store: &Store, follower: &mut Follower, now: Timestamp) -> Result<(), Error> {
        for task in self.scheduler.due(&self.intervals(), now) {
            match task {
                MaintenanceTask::Rescan => {
                    let clock = Instant::now();
                    follower.rescan(store, now)?;
                    self.rescan_took = clock.elapsed();
                }
                MaintenanceTask::Clients => {
                    self.any_client =
                        follow::check_clients(follower, store, &Markers::new(self.app.paths()), now)?;
                }
                MaintenanceTask::TakeBack => {
                    self.jobs.reclaim(store, now)?;
                    follower.compare(store, now)?;
                }
                MaintenanceTask::Collect => {
                    follow::forget_early_ends(follower, store, now)?;
                    self.collect(store, now)?;
                    // At the start, after every change of the settings, and now and then.
                    search_model::maintain_search_model(&self.app, store, now)?;
                    review::queue_inbox_expiry(&self.app, store, now)?;
                }
            }
            self.scheduler.mark_done(task, now);
        }
        Ok(())
    }

    fn collect(&self, store: &Store, now: Timestamp) -> Result<(), Error> {
        let keep = self.app.config().keep;
        let before = now.checked_sub(keep).unwrap_or(Timestamp::MIN);
        Markers::new(self.app.paths()).collect(keep, now)?;
        Spool::new(self.app.paths()).collect(keep, now)?;
        store.jobs().prune(before)?;
        store.job_logs().prune(before)?;
        store.timeline().prune(before)?;
        Ok(())
    }

    /// Queues the heartbeats that are due.
    fn enqueue_heartbeats(
        &mut self,
        store: &Store,
        follower: &mut Follower,
        now: Timestamp,
    ) -> Result<(), Error> {
        if self.is_paused() || self.app.open_vault().is_err() {
            return Ok(());
        }
        for path in follow::due_heartbeats(follower, store, now)? {
            let Some(session) = follower.get(&path) else { continue };
            let Some(job) = heartbeat_job(&session.session, &path, now) else { continue };
            store.jobs().enqueue(&job, now)?;
            follow::mark_heartbeat_begun(follower, &path);
        }
        Ok(())
    }

    /// Queues the reflections that are due.
    fn enqueue(&mut self, store: &Store, follower: &mut Follower, now: Timestamp) -> Result<(), Error> {
        if self.is_paused() {
            return Ok(());
        }
        let queued = follower.sessions().filter(|(_, session)| session.is_queued).count();
        for (path, trigger) in follower.due(now, WAITING.saturating_sub(queued)) {
            if follow::verify(follower, store, &path, now)? != Verdict::Reflect {
                continue;
            }
            let Some(session) = follower.get(&path) else { continue };
            let order = ReflectionOrder {
                transcript: Some(path.clone()),
                ..ReflectionOrder::new(session.session.clone(), trigger)
            };
            let job = reflection_job(&order, &UserId::default(), now)?;
            match store.jobs().enqueue(&job, now)? {
                EnqueueOutcome::Queued(_) | EnqueueOutcome::AlreadyRunning(_) => follower.mark_queued(&path),
                EnqueueOutcome::Refused(_) => {}
            }
        }
        Ok(())
    }

    /// Queues the conversations that are due.
    fn queue_conversations(&mut self, store: &Store, now: Timestamp, tell: Sink<'_>) -> Result<(), Error> {
        if self.is_paused() {
            return Ok(());
        }
        for news in conversations::due_conversations(store, now)?.news {
            tell(&AgentEvent::of_conversation(news));
        }
        Ok(())
    }

    /// Starts the jobs that may run.
    fn start_jobs(
        &mut self,
        store: &Store,
        follower: &mut Follower,
        now: &Zoned,
        tell: Sink<'_>,
    ) -> Result<(), Error> {
        if self.is_paused() || self.app.open_vault().is_err() {
            return Ok(());
        }
        let at = now.timestamp();
        for id in self.jobs.start(&self.app, store, now)? {
            let running = self.jobs.running.get(&id);
            if let Some(session) = running
                .filter(|running| running.job_type == JobType::Reflection)
                .and_then(|running| running.session.as_ref())
            {
                follower.reflection_began(store, session)?;
            }
        }
        for change in follower.save_changes(store, at)? {
            tell(&AgentEvent::SessionChanged { session: change.session, state: change.state });
        }
        Ok(())
    }

    /// What was in the way of a job that no longer waits is no longer told.
    fn forget_obstacle_of_ended_job(&mut self, store: &Store) -> Result<(), Error> {
        if let Some((id, _)) = &self.postponed
            && store.jobs().get(*id)?.is_none_or(|job| job.status.has_ended())
        {
            self.postponed = None;
        }
        Ok(())
    }

    fn next(&self, store: &Store, follower: &Follower, now: Timestamp) -> Result<Timestamp, Error> {
        let task = self.scheduler.next(&self.intervals(), now);
        let job = store.jobs().next_due()?.filter(|at| *at > now && !self.is_paused());
        let conversation = store.conversations().next_due()?.filter(|at| *at > now && !self.is_paused());
        let folder = self
            .folders
            .iter()
            .map(|(at, _)| saturating_add(now, at.saturating_duration_since(Instant::now())))
            .min();
        let follower = [follower.next(now), follow::next_beat(follower, now)];
        let soonest = [task, job, conversation, folder].into_iter().chain(follower).flatten().min();
        Ok(soonest.unwrap_or(Timestamp::MAX))
    }

    /// What keeps reflections from running although the turn went well.
    fn obstacle(&self) -> Option<Error> {
        self.app.open_vault().err()
    }

    /// Why the chosen engine cannot be asked: found out under new settings, and as long as it cannot.
    fn engine_problem(&mut self) -> Option<String> {
        if !matches!(self.engine_fault, Some(None)) {
            self.engine_fault = Some(model_calls::engine_fault(&self.app));
        }
        self.engine_fault.iter().flatten().next().map(EngineFault::sentence)
    }

    fn is_paused(&self) -> bool {
        self.shared.paused.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Tells everybody what the agent is doing, where that changed.
    fn show(&mut self, problem: Option<String>, tell: Sink<'_>) {
        self.count_review(tell);
        let state = match problem {
            Some(message) => AgentState::Error { message },
            None if self.is_paused() => AgentState::Paused,
            None if self.jobs.is_reflecting() => AgentState::Reflecting,
            None if self.review.count > 0 => AgentState::NeedsReview { count: self.review.count },
            None => AgentState::Watching,
        };
        if let Some(watch) = &self.watch {
            let mut shown = self.shared.watching.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            shown.clone_from(watch.watching());
        }
        let moved = {
            let mut shown = self.shared.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            std::mem::replace(&mut *shown, state.clone()) != state
        };
        let card = AgentCard {
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            since: self.since,
            watching: self.shared.watching(),
            claude_dirs: self.app.claude().iter().map(|home| home.root().to_owned()).collect(),
            state: state.clone(),
        };
        if self.card.as_ref() != Some(&card) || !self.app.paths().agent_card().exists() {
            write_agent_card(self.app.paths(), &card);
            self.card = Some(card);
        }
        if moved {
            tell(&AgentEvent::StateChanged { state });
        }
    }

    fn count_review(&mut self, tell: Sink<'_>) {
        if self.review.looked_at {
            return;
        }
        self.review.looked_at = true;
        let (count, newest) = waiting_for_review(&self.app);
        if count > self.review.count {
            tell(&AgentEvent::NeedsReview { count, newest });
        }
        self.review.count = count;
    }
}

fn changed_at(app: &App) -> Option<SystemTime> {
    app.paths().config_file.metadata().and_then(|metadata| metadata.modified()).ok()
}

fn publish_worked(worked: WorkedJob, tell: Sink<'_>) {
    let (job, job_type, session) = (worked.job.id, worked.job.job_type, worked.session);
    for news in worked.news {
        tell(&AgentEvent::of_conversation(news));
    }
    match worked.end {
        WorkEnd::Completed(completed) => {
            let line = notice_of_heartbeat(&completed.result).filter(|_| job_type == JobType::Heartbeat);
            if let Some((line, session)) = line.zip(session.clone()) {
                tell(&AgentEvent::LeftOpen { session, line });
            }
            tell(&AgentEvent::JobCompleted { job, job_type, session, notes: completed.notes });
        }
        WorkEnd::Failed { reason, again_at } => {
            tell(&AgentEvent::JobFailed { job, job_type, session, reason, again_at });
        }
        WorkEnd::Postponed { .. } | WorkEnd::Cancelled | WorkEnd::Lost => {}
    }
}

/// Notes in the review folder, and the one that came last, below the vault's root.
fn waiting_for_review(app: &App) -> (usize, Option<String>) {
    let Some(root) = &app.config().vault else { return (0, None) };
    let Ok(entries) = std::fs::read_dir(root.join(afterword_vault::layout::REVIEW)) else { return (0, None) };
    let notes = entries.flatten().filter(|entry| entry.path().extension().is_some_and(|e| e == "md"));
    let mut newest: Option<(SystemTime, String)> = None;
    let mut count = 0;
    for note in notes {
        count += 1;
        let at = note.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        if newest.as_ref().is_none_or(|(best, _)| at > *best) {
            let name = note.file_name().to_string_lossy().into_owned();
            newest = Some((at, format!("{}/{name}", afterword_vault::layout::REVIEW)));
        }
    }
    (count, newest.map(|(_, path)| path))
}
