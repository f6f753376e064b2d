//! Saving a lesson that was asked for by name, and putting a better one in the place of one that counts.
//!
//! No engine found these: a person, or an agent on a person's behalf, gives the words. They go the same way as lessons
//! that were found: secrets are taken out, the vault is planned and changed, the database is told.

use std::path::{Path, PathBuf};

use afterword_core::{
    Candidate, Confidence, Destination, Evidence, Kind, ProjectKey, Role, SessionId, Signal,
};
use afterword_transcript::event::{Authorship, Event};
use afterword_vault::{Lesson, Project};
use jiff::Zoned;
use serde::Serialize;

use crate::lock::ApplyLock;
use crate::naming::ProjectNames;
use crate::reflect::save_lesson;
use crate::review::{Decision, EditedWords};
use crate::sessions;
use crate::{Agent, Error};

/// The longest title, in characters.
const LONGEST_TITLE: usize = 160;
/// A longer transcript, in bytes, is not read for the words a lesson was asked for with: whoever asks waits.
const LONGEST_TRANSCRIPT: u64 = 64 << 20;
/// So much of those words is quoted, in characters.
const LONGEST_QUOTE: usize = 600;
/// The longest text, in bytes.
const LONGEST_BODY: usize = 32 * 1024;

/// A lesson to be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveRequest {
    /// What sort of lesson; not an idea.
    pub kind: Kind,
    /// One sentence.
    pub title: String,
    /// Markdown; empty where the title says all.
    pub body: String,
    /// The project it holds in; `None` where it holds everywhere.
    pub project: Option<ProjectKey>,
    /// The session it was asked for in, where that is known.
    pub session: Option<SessionId>,
}

/// What saving did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// What became of it.
    pub outcome: SaveOutcome,
    /// The note, below the vault's root; none where the user deleted it.
    pub path: Option<String>,
}

/// What became of a lesson to be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SaveOutcome {
    /// It is a note now.
    Saved,
    /// There is a note that says it.
    Known,
    /// The user deleted the note that said it, and it stays deleted.
    Deleted,
}

impl Agent {
    /// Saves a lesson as a note that counts.
    ///
    /// # Errors
    /// [`Error::UnusableLesson`] for words that make no note, [`Error::NoVault`], [`Error::NotWritten`], and what the vault
    /// or the database said.
    pub fn save(&self, request: &SaveRequest, now: &Zoned) -> Result<Saved, Error> {
        self.save_to(request, Destination::Saved, now)
    }

    /// Lays what an agent observed into the inbox: seen once, and not asked for.
    ///
    /// # Errors
    /// As [`Agent::save`].
    pub fn observe(&self, request: &SaveRequest, now: &Zoned) -> Result<Saved, Error> {
        self.save_to(request, Destination::Inbox, now)
    }

    /// Saves a lesson in the place of `old`, a note that counts (its id, the start of it, or its path): the old one stays,
    /// marked as superseded. The decision can be undone.
    ///
    /// # Errors
    /// As [`Agent::save`] and [`Agent::supersede`]. Where the old one cannot be superseded, the new one waits for review.
    pub fn evolve(&self, old: &str, request: &SaveRequest, now: &Zoned) -> Result<Decision, Error> {
        let saved = self.save_to(request, Destination::Review, now)?;
        let known = || Error::UnusableLesson { problem: "a note that was deleted said the same" };
        let path = saved.path.ok_or_else(known)?;
        self.supersede(&path, old, &EditedWords::default(), now)
    }

    fn save_to(&self, request: &SaveRequest, destination: Destination, now: &Zoned) -> Result<Saved, Error> {
        check(request)?;
        let vault = self.open_vault()?;
        let store = self.store()?;
        self.recognise(&vault, &store)?;
        let _lock = ApplyLock::take(&self.paths.apply_lock())?;
        let mut names = ProjectNames::known(store.projects().names()?);
        let project = request.project.as_ref().map(|key| Project { key: key.clone(), name: names.name(key) });
        let redaction = self.redaction();
        let observed = destination == Destination::Inbox;
        let rationale =
            if observed { "observed by an agent at work" } else { "saved because it was asked for by name" };
        let candidate = Candidate {
            kind: request.kind,
            confidence: if observed { Confidence::Low } else { Confidence::High },
            signal: Signal::Saved,
            title: redaction.text(request.title.trim()),
            body: redaction.text(request.body.trim()),
            rationale: rationale.to_owned(),
            evidence: Vec::new(),
        };
        let session = request.session.clone().or_else(|| SessionId::parse("by-hand"));
        let session = session.ok_or(Error::UnusableLesson { problem: "no session" })?;
        let asked = self.asked_in(&session);
        let transcript = asked.as_ref().map(|(path, _)| path.to_string_lossy().into_owned());
        let mut lesson = Lesson::new(
            candidate,
            session,
            project,
            destination,
            now.timestamp(),
            transcript.unwrap_or_default(),
        );
        // Only now: two lessons that were asked for in the same words are two, so its key is made of its title.
        lesson.candidate.evidence.extend(asked.map(|(_, words)| words));
        let saved = save_lesson(&vault, &store, &lesson, now)?;
        store.in_transaction(|store| {
            names.take_new().iter().try_for_each(|(project, name)| store.projects().add(project, name))
        })?;
        Ok(saved)
    }
}

impl Agent {
    /// What the person said last in the session, which is what the lesson was asked for with.
    fn asked_in(&self, session: &SessionId) -> Option<(PathBuf, Evidence)> {
        let transcript = sessions::find(&self.claude, Path::new(""), session.as_str()).ok()?;
        if transcript.fingerprint.size > LONGEST_TRANSCRIPT {
            return None;
        }
        let mut last = None;
        let mut sink = |event: Event| {
            if let Event::User(said) = event
                && !said.place.sidechain
                && said.authorship == Authorship::Person
            {
                let (uuid, line, quote) = (said.place.uuid, said.place.line, said.text);
                last = Some(Evidence { uuid, line, role: Role::User, quote });
            }
        };
        afterword_transcript::scan(&transcript.path, None, &mut sink).ok()?;
        let last: Evidence = last?;
        // Secrets first: one that is cut short is not known for one.
        let quote = excerpt(&self.redaction().text(&last.quote));
        Some((transcript.path, Evidence { quote, ..last }))
    }
}

/// The beginning of what was said, as it stands there.
fn excerpt(text: &str) -> String {
    let text = text.trim();
    let end = text.char_indices().nth(LONGEST_QUOTE).map_or(text.len(), |(at, _)| at);
    text[..end].to_owned()
}

fn check(request: &SaveRequest) -> Result<(), Error> {
    let unusable = |problem| Err(Error::UnusableLesson { problem });
    let title = request.title.trim();
    if title.is_empty() {
        return unusable("its title is empty");
    }
    if title.chars().count() > LONGEST_TITLE || title.contains(char::is_control) {
        return unusable("its title is not one line of at most 160 characters");
    }
    if request.body.len() > LONGEST_BODY {
        return unusable("its text is longer than 32 KB");
    }
    if request.kind == Kind::Idea {
        return unusable("an idea goes to the ledger, `Ideas.md`");
    }
    Ok(())
}
