//! Following sessions: what is known of each, from its transcript first, and what that means.
//!
//! Owns what the agent remembers between two looks, and writes it down so that a restart goes on from there. It reads no
//! transcript further than its beginning, decides by the rules of [`afterword_core::session`], and starts no work.
//! Start at [`Follower::rescan`] and [`Follower::save_changes`].

mod heartbeats;
mod hints;
mod news;
mod tracked_session;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use afterword_core::heartbeat::HeartbeatRules;
use afterword_core::session::{ReflectionDue, SessionRules};
use afterword_core::{Job, JobStatus, JobType, SessionId, SessionState, Trigger};
use afterword_store::{Store, TimelineEntry, TimelineEvent, TranscriptOutcome};
use jiff::{Timestamp, Zoned};

pub(crate) use heartbeats::{due_heartbeats, heartbeat_ended, mark_heartbeat_begun, next_beat};
pub(crate) use hints::{apply_hook_event, check_clients, forget_early_ends};
pub(crate) use news::{Verdict, verify};
pub(crate) use tracked_session::TrackedSession;

use crate::work::{WorkEnd, WorkedJob};
use afterword_app::known_transcripts::{known_transcripts, remember_renamed};
use afterword_app::queue::ReflectionPayload;
use afterword_app::reflect;
use afterword_app::reflect::Eligibility;
use afterword_app::sessions::{self, Transcript};
use afterword_app::web_cache::{self, Owner};
use afterword_app::{App, Error};
use afterword_claude_code::discover::parent_session;
use afterword_claude_code::retention;
use afterword_claude_code::spool::SpoolEvent;

/// Every session that is followed.
#[derive(Debug)]
pub(crate) struct Follower {
    app: App,
    pub(crate) rules: SessionRules,
    heartbeat: Option<HeartbeatRules>,
    /// Boxed, as a table of tens of thousands keeps room for as many again.
    sessions: HashMap<PathBuf, Box<TrackedSession>>,
    /// Ends that were told of sessions whose transcripts are still to be written; in the database too.
    ends: HashMap<SessionId, Timestamp>,
    /// Sessions that were resumed, or forked from, and not spoken to since.
    resumes: HashMap<SessionId, SpoolEvent>,
    /// Directories that are not followed and of whose sessions hooks tell all the same.
    set_aside: HashSet<PathBuf>,
    /// What could not be looked at, each said once in the log.
    problems: HashSet<PathBuf>,
}

/// So many problems are said.
const MOST_PROBLEMS: usize = 100;

/// A session that came to another state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) session: SessionId,
    pub(crate) state: SessionState,
}

/// What started a reflection.
fn trigger_of(job: &Job) -> Option<Trigger> {
    serde_json::from_str::<ReflectionPayload>(&job.payload).ok().map(|payload| payload.trigger)
}

/// As long as Claude Code's settings say now, which nobody tells when they change.
fn expiry_warning(app: &App) -> Duration {
    retention::vanishing_after(app.claude().retention_days())
}

impl Follower {
    /// Goes on from what was written down.
    pub(crate) fn new(app: &App, store: &Store) -> Result<Self, Error> {
        let mut sessions = HashMap::new();
        for row in store.followed_sessions().all()? {
            sessions.insert(row.transcript.clone(), Box::new(TrackedSession::from_row(row)));
        }
        let rules = SessionRules {
            idle: app.config().reflection_idle(),
            unknown: app.config().recovery_unknown,
            expiring: expiry_warning(app),
            ..SessionRules::default()
        };
        let heartbeat = heartbeats::rules(app.config());
        Ok(Self {
            app: app.clone(),
            rules,
            heartbeat,
            sessions,
            ends: store.early_ends().all()?,
            resumes: HashMap::new(),
            set_aside: HashSet::new(),
            problems: HashSet::new(),
        })
    }

    pub(crate) fn sessions(&self) -> impl Iterator<Item = (&PathBuf, &TrackedSession)> {
        self.sessions.iter().map(|(path, session)| (path, &**session))
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&TrackedSession> {
        self.sessions.get(path).map(|session| &**session)
    }

    /// Looks at every transcript there is; opens only those never seen.
    pub(crate) fn rescan(&mut self, store: &Store, now: Timestamp) -> Result<(), Error> {
        self.rules.expiring = expiry_warning(&self.app);
        let found = self.app.claude().discover();
        let vault = self.app.vault_root();
        let mut there = HashMap::with_capacity(found.transcripts.len());
        let mut subagents = Vec::new();
        for file in found.transcripts {
            match sessions::session_file(&file) {
                Some(transcript) => drop(there.insert(transcript.path.clone(), transcript)),
                None => subagents.extend(parent_session(&file.path).zip(file.modified)),
            }
        }
        let (known, renamed) = known_transcripts(store, there.values())?;
        store.in_transaction(|store| {
            remember_renamed(store, &renamed)?;
            self.follow_renamed(store, &there)?;
            for transcript in there.values() {
                self.observe(store, transcript, known.get(&transcript.path), &vault, now)?;
            }
            Ok::<(), Error>(())
        })?;
        for (parent, at) in subagents {
            if let Some(session) = self.sessions.get_mut(&parent) {
                session.active_at(at.min(now));
            }
        }
        for problem in &found.problems {
            if self.problems.len() < MOST_PROBLEMS && self.problems.insert(problem.path.clone()) {
                tracing::warn!("not read: {problem}");
            }
        }
        let claude = self.app.claude().clone();
        // A folder that could not be listed has not lost its sessions.
        let is_certain = !found.problems.iter().any(|problem| problem.kind.may_hide_sessions());
        self.mark_lost(store, |path, _| match claude.home_naming(path) {
            Some(_) => is_certain && !there.contains_key(path),
            // In a directory that was taken out of those that are followed, or that is followed in another spelling.
            None => true,
        })
    }

    /// Goes on with sessions whose directory is followed under another path now.
    fn follow_renamed(&mut self, store: &Store, there: &HashMap<PathBuf, Transcript>) -> Result<(), Error> {
        let claude = self.app.claude().clone();
        let gone = self.sessions.keys().filter(|path| claude.home_naming(path).is_none());
        let renamed = gone.filter_map(|path| Some((path.clone(), claude.followed_path(path)?)));
        for (before, now) in renamed.collect::<Vec<_>>() {
            if there.contains_key(&now) && !self.sessions.contains_key(&now) {
                let session = self.sessions.remove(&before);
                self.sessions.extend(session.map(|session| (now.clone(), session)));
                store.followed_sessions().rename(&before, &now)?;
            }
        }
        Ok(())
    }

    /// Looks at some transcripts.
    pub(crate) fn look_at<'p>(
        &mut self,
        store: &Store,
        paths: impl IntoIterator<Item = &'p PathBuf>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let vault = self.app.vault_root();
        // No row has a name that is not Unicode; a rescan says so.
        for path in paths.into_iter().filter(|path| path.to_str().is_some()) {
            if let Some(parent) = parent_session(path) {
                let at = path.metadata().and_then(|metadata| metadata.modified()).ok();
                let at = at.and_then(|at| Timestamp::try_from(at).ok());
                if let (Some(session), Some(at)) = (self.sessions.get_mut(&parent), at) {
                    session.active_at(at.min(now));
                }
                continue;
            }
            match sessions::transcript_at(path) {
                Some(transcript) => {
                    let known = store.sessions().get(path)?.map(|row| row.reflected());
                    self.observe(store, &transcript, known.as_ref(), &vault, now)?;
                }
                None => self.mark_lost(store, |other, _| other == path)?,
            }
        }
        Ok(())
    }

    /// Takes in what a transcript's size and time say.
    fn observe(
        &mut self,
        store: &Store,
        transcript: &Transcript,
        known: Option<&afterword_store::ReflectedFile>,
        vault: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        if let Some(session) = self.sessions.get_mut(&transcript.path)
            && session.looked_at
        {
            if session.fingerprint != transcript.fingerprint {
                session.on_file_changed(transcript.fingerprint, now);
            }
            return Ok(());
        }
        let passed = known.is_some_and(|known| match known.outcome {
            TranscriptOutcome::Own => true,
            TranscriptOutcome::Excluded => {
                known.project.as_ref().is_some_and(|project| self.app.config().exclude.covers(project))
            }
            TranscriptOutcome::Reflected => false,
        });
        let reflected =
            known.filter(|known| known.outcome == TranscriptOutcome::Reflected && known.vault == vault);
        let mut project = known.and_then(|known| known.project.clone());
        if passed {
            return self.mark_lost(store, |path, _| path == transcript.path);
        }
        if reflected.is_none() {
            // A file that cannot be opened now is tried again when it changes.
            match reflect::eligibility(&self.app, store, transcript, now) {
                Ok(Eligibility::Follow(seen)) => project = seen,
                Ok(Eligibility::Skipped(_)) => {
                    return self.mark_lost(store, |path, _| path == transcript.path);
                }
                Err(error) if error.stops_everything() => return Err(error),
                Err(error) => {
                    tracing::warn!("looking at {} failed: {}", transcript.path.display(), error.chain());
                }
            }
        }
        let entry = self.sessions.entry(transcript.path.clone());
        let session = entry.or_insert_with(|| Box::new(TrackedSession::new(transcript.session.clone())));
        session.on_file_found(transcript, reflected.map(|known| known.fingerprint), project, now);
        if let Some(at) = self.ends.get(&transcript.session) {
            session.mark_ended(*at);
        }
        Ok(())
    }

    /// Stops following what a person wants forgotten.
    pub(crate) fn forget(&mut self, store: &Store) -> Result<(), Error> {
        let forgotten = store.forgotten_sessions().all()?;
        if !forgotten.is_empty() {
            self.sessions.retain(|_, session| !forgotten.contains(&session.session));
        }
        Ok(())
    }

    /// Puts what sessions fetched from the web since the last time into the vault's cache. What fails here is done when
    /// they are reflected.
    pub(crate) fn cache_web_results(&mut self, now: &Zoned) {
        let grown =
            |session: &TrackedSession| session.web_cached_to.is_some_and(|at| at < session.fingerprint.size);
        let mut vault = None;
        for (path, session) in self.sessions.iter_mut() {
            if !grown(session) {
                continue;
            }
            if vault.is_none() {
                let Ok(opened) = self.app.open_vault() else { return };
                vault = Some(opened);
            }
            let (Some(vault), Some(from)) = (&vault, session.web_cached_to) else { return };
            let owner = Owner { session: &session.session, project: session.project.as_ref() };
            let end = web_cache::cache_web_results(&self.app, vault, path, from, owner, now);
            // A line that is not whole yet is read again when it is.
            session.web_cached_to = Some(end.unwrap_or(session.fingerprint.size));
        }
    }

    fn mark_lost(
        &mut self,
        store: &Store,
        is_lost: impl Fn(&Path, &TrackedSession) -> bool,
    ) -> Result<(), Error> {
        let lost = self.sessions.iter().filter(|(path, session)| is_lost(path, session));
        for path in lost.map(|(path, _)| path.clone()).collect::<Vec<_>>() {
            self.sessions.remove(&path);
            store.followed_sessions().remove(&path)?;
        }
        Ok(())
    }

    /// Notes every state that changed, in memory and in the database; gives those of sessions seen before.
    pub(crate) fn save_changes(&mut self, store: &Store, now: Timestamp) -> Result<Vec<Change>, Error> {
        let rules = self.rules;
        let moved: Vec<PathBuf> = self
            .sessions
            .iter()
            .filter(|(_, session)| session.looked_at && session.is_stale(&rules, now))
            .map(|(path, _)| path.clone())
            .collect();
        if moved.is_empty() {
            return Ok(Vec::new());
        }
        let mut changes = Vec::new();
        store.in_transaction(|store| {
            for path in &moved {
                let Some(session) = self.sessions.get_mut(path) else { continue };
                let state = session.facts.state(&rules, now);
                let (is_new, has_moved) = (session.state.is_none(), session.state != Some(state));
                if has_moved {
                    session.state = Some(state);
                    session.since = now;
                    // That it was reflected was written with the reflection itself; what was so before the session
                    // was followed is no event.
                    let is_news = state != SessionState::Reflected && (!is_new || session.facts.news);
                    if is_news {
                        let (at, detail) = session.came_to(state, now);
                        store.timeline().add(&TimelineEntry {
                            session: session.session.clone(),
                            at,
                            what: TimelineEvent::Came(state),
                            detail,
                        })?;
                    }
                    if !is_new {
                        changes.push(Change { session: session.session.clone(), state });
                    }
                }
                store.followed_sessions().put(&session.row(path))?;
                session.mark_saved();
                if self.ends.remove(&session.session).is_some() {
                    store.early_ends().remove(&session.session)?;
                }
            }
            Ok::<(), Error>(())
        })?;
        Ok(changes)
    }

    /// Sessions that are due, the ones about to vanish and the oldest first, at most `most`.
    pub(crate) fn due(&self, now: Timestamp, most: usize) -> Vec<(PathBuf, Trigger)> {
        let mut due: Vec<_> = self
            .sessions
            .iter()
            .filter_map(|(path, session)| {
                let trigger = session.due(&self.rules, now)?;
                Some((
                    trigger != Trigger::Manual,
                    trigger != Trigger::Expiring,
                    session.facts.last_activity,
                    path,
                    trigger,
                ))
            })
            .collect();
        due.sort_by(|one, other| (one.0, one.1, one.2, one.3).cmp(&(other.0, other.1, other.2, other.3)));
        due.into_iter().take(most).map(|(_, _, _, path, trigger)| (path.clone(), trigger)).collect()
    }

    /// When a session becomes due or changes its state by time alone.
    pub(crate) fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let of = |session: &TrackedSession| {
            let due = match session.facts.due(&self.rules, now) {
                ReflectionDue::At(at) if !session.is_queued => Some(at),
                _ => None,
            };
            let changes = session.facts.next_state_change(&self.rules, now);
            [due, changes].into_iter().flatten().min()
        };
        self.sessions.values().filter_map(|session| of(session)).min()
    }

    /// A person wants everything reflected that is new.
    pub(crate) fn request_reflection(&mut self) {
        for session in self.sessions.values_mut().filter(|session| session.facts.news) {
            session.asked = true;
        }
    }

    /// A reflection of the session at `path` waits.
    pub(crate) fn mark_queued(&mut self, path: &Path) {
        if let Some(session) = self.sessions.get_mut(path) {
            session.is_queued = true;
        }
    }

    /// A reflection of the session runs.
    pub(crate) fn reflection_began(&mut self, store: &Store, session: &SessionId) -> Result<(), Error> {
        let job = store.jobs().last_job_about(JobType::Reflection, session.as_str())?;
        for one in self.sessions.values_mut().filter(|one| one.session == *session) {
            one.is_queued = true;
            one.reflecting(job.as_ref().and_then(trigger_of));
        }
        Ok(())
    }

    /// Compares what is believed to be queued with the queue: other processes work it too, and may have died.
    pub(crate) fn compare(&mut self, store: &Store, now: Timestamp) -> Result<(), Error> {
        if !self.sessions.values().any(|session| session.is_queued || session.is_heartbeat_queued) {
            return Ok(());
        }
        let queue = store.jobs().active_jobs()?;
        let beats: Vec<_> = queue.iter().filter(|job| job.job_type == JobType::Heartbeat).collect();
        let is_over = |session: &TrackedSession| {
            session.is_heartbeat_queued
                && !beats.iter().any(|job| job.subject.as_deref() == Some(session.session.as_str()))
        };
        let over: Vec<_> =
            self.sessions.values().filter(|one| is_over(one)).map(|one| one.session.clone()).collect();
        for session in over {
            heartbeats::heartbeat_ended(self, store, &session, false, now)?;
        }
        let under_way: HashMap<&str, &Job> = queue
            .iter()
            .filter(|job| job.job_type == JobType::Reflection)
            .filter_map(|job| Some((job.subject.as_deref()?, job)))
            .collect();
        for session in self.sessions.values_mut().filter(|session| session.is_queued) {
            let job = under_way.get(session.session.as_str());
            match job {
                Some(job) if job.status == JobStatus::Running => session.reflecting(trigger_of(job)),
                _ => session.facts.reflecting = false,
            }
            session.is_queued = job.is_some();
            if job.is_none() {
                let last = store.jobs().last_job_about(JobType::Reflection, session.session.as_str())?;
                if let Some(job) = last.filter(|job| job.status == JobStatus::Failed) {
                    session.mark_failed(job.reason, now);
                }
            }
        }
        Ok(())
    }

    /// A reflection of the session has ended, or its job's thread broke down.
    pub(crate) fn reflection_ended(
        &mut self,
        store: &Store,
        session: &SessionId,
        worked: Option<&WorkedJob>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let vault = self.app.vault_root();
        for (path, one) in self.sessions.iter_mut().filter(|(_, one)| one.session == *session) {
            one.facts.reflecting = false;
            // One that is tried again is still in the queue.
            one.is_queued = matches!(
                worked.map(|worked| &worked.end),
                Some(WorkEnd::Failed { again_at: Some(_), .. } | WorkEnd::Postponed { .. } | WorkEnd::Lost)
                    | None
            );
            if let Some(WorkEnd::Failed { reason, again_at: None }) = worked.map(|worked| &worked.end) {
                one.mark_failed(Some(reason.clone()), now);
            }
            let known = store.sessions().get(path)?;
            if let Some(known) =
                known.filter(|row| row.outcome == TranscriptOutcome::Reflected && row.vault == vault)
            {
                one.mark_reflected(known.fingerprint);
            }
        }
        Ok(())
    }
}
