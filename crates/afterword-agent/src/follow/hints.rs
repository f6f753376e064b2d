//! What hooks and processes tell of sessions: sooner and surer than files, and never needed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use afterword_core::session::Client;
use afterword_core::{ProjectKey, SessionId};
use afterword_store::{Happening, Store, TimelineEntry};
use jiff::Timestamp;

use super::Follower;
use crate::Error;
use crate::markers::{Marker, Markers};
use crate::process::Liveness;
use crate::spool::{HookEvent, SpoolEvent};

impl Follower {
    /// Takes in what a hook told.
    pub(crate) fn told(&mut self, store: &Store, event: &SpoolEvent, now: Timestamp) -> Result<(), Error> {
        let project = event.cwd.as_deref().map(ProjectKey::from_cwd);
        let own = event
            .cwd
            .as_deref()
            .is_some_and(|cwd| Path::new(cwd).starts_with(self.agent.paths.engine_workplace()));
        if own || project.is_some_and(|project| self.agent.config.exclude.covers(&project)) {
            return Ok(());
        }
        if let Some(path) = &event.transcript_path
            && path.is_absolute()
            && path.extension().is_some_and(|extension| extension == "jsonl")
            && !self.sessions.contains_key(path)
            && self.complete
        {
            // Also one that lies elsewhere: the client may run with another directory of its own.
            self.look_at(store, [path], now)?;
        }
        let at = event.at.min(now);
        for session in self.sessions.values_mut().filter(|one| one.session == event.session_id) {
            session.active_at(at);
            match event.event {
                HookEvent::SessionEnd => session.ended(at),
                _ => session.goes_on(),
            }
        }
        let what = match event.event {
            HookEvent::SessionStart => Happening::Began,
            HookEvent::PreCompact => Happening::Compacted,
            HookEvent::UserPromptSubmit | HookEvent::Stop | HookEvent::SessionEnd => return Ok(()),
        };
        let detail = event.source.as_deref().filter(|source| is_word(source)).map(str::to_owned);
        let entry = TimelineEntry { session: event.session_id.clone(), at, what, detail };
        Ok(store.timeline().add(&entry)?)
    }

    /// Looks for the clients of all sessions that began, and settles the markers of those that are over and have nothing
    /// left to reflect. Says whether any is still open.
    pub(crate) fn clients(
        &mut self,
        store: &Store,
        markers: &Markers,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let open: HashMap<SessionId, Marker> = markers.open()?.into_iter().collect();
        let mut elsewhere: Vec<PathBuf> = Vec::new();
        let followed: std::collections::HashSet<&SessionId> =
            self.sessions.values().map(|session| &session.session).collect();
        for (session, marker) in open.iter().filter(|(session, _)| !followed.contains(session)) {
            match marker.transcript_path.as_ref().filter(|path| path.is_absolute() && path.is_file()) {
                Some(path) => elsewhere.push(path.clone()),
                // It began, nothing was ever written, and its client is gone: there is nothing to lose.
                None if self.is_over(marker, now) => markers.settle(session, now)?,
                None => {}
            }
        }
        self.look_at(store, &elsewhere, now)?;
        let rules = self.rules;
        let mut any_open = false;
        for session in self.sessions.values_mut() {
            let Some(marker) = open.get(&session.session) else {
                session.facts.client = Client::NeverSeen;
                continue;
            };
            session.facts.client = client(marker);
            if !session.facts.news
                && !session.is_queued
                && session.looked_at
                && session.facts.is_over(&rules, now)
            {
                markers.settle(&session.session, now)?;
                session.facts.client = Client::NeverSeen;
            } else {
                any_open = true;
            }
        }
        Ok(any_open || !open.is_empty())
    }

    fn is_over(&self, marker: &Marker, now: Timestamp) -> bool {
        let given_up = now.duration_since(marker.started_at);
        let given_up = given_up.is_positive() && given_up.unsigned_abs() >= self.rules.unknown;
        match client(marker) {
            Client::Gone => true,
            Client::Running => false,
            Client::Unknown | Client::NeverSeen => given_up,
        }
    }
}

fn client(marker: &Marker) -> Client {
    match marker.client.as_ref().map_or(Liveness::Unknown, crate::process::ProcessIdentity::liveness) {
        Liveness::Alive => Client::Running,
        Liveness::Gone => Client::Gone,
        Liveness::Unknown => Client::Unknown,
    }
}

/// How a session started is one word of the client's own.
fn is_word(text: &str) -> bool {
    text.len() <= 40 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}
