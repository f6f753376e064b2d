//! What comes in: a candidate that was routed, with the session it came from.

use afterword_core::{
    Candidate, ContentKey, Destination, Evidence, NoteId, OtherTelling, ProjectKey, SessionId, content_key,
};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// The project a lesson belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// The working directory; stays on this machine, never written to the vault.
    pub key: ProjectKey,
    /// What people call it. Two projects must not share a name: the caller tells them apart (`shop`, `work/shop`).
    pub name: String,
}

impl Project {
    /// A project named after its folder.
    pub fn named_by_folder(key: ProjectKey) -> Self {
        let name = key.name().to_owned();
        Self { key, name }
    }
}

/// A candidate on its way into the vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// What was learned and on what evidence. All its text is treated as hostile.
    pub candidate: Candidate,
    /// The session it was learned in.
    pub session: SessionId,
    /// The session's project; `None` for a lesson that holds everywhere.
    pub project: Option<Project>,
    /// Where the routing rule sends it.
    pub destination: Destination,
    /// What makes it the same lesson when it is mined again.
    pub key: ContentKey,
    /// When its strongest evidence was said.
    pub when: Timestamp,
    /// The transcript file, for people; not written to the vault.
    pub transcript: String,
    /// Where other sessions said the same.
    #[serde(default)]
    pub other_tellings: Vec<OtherTelling>,
    /// The note that already says this, where the comparison found one: its evidence grows instead of a new note.
    #[serde(default)]
    pub strengthens: Option<NoteId>,
    /// A lesson planned before this one that says the same, and may have no note yet: this one joins it.
    #[serde(default)]
    pub joins: Option<ContentKey>,
}

impl Lesson {
    /// Puts a routed candidate on its way, with the key of its strongest evidence.
    ///
    /// A candidate without evidence (which no engine may return) gets a key made of its title.
    pub fn new(
        candidate: Candidate,
        session: SessionId,
        project: Option<Project>,
        destination: Destination,
        when: Timestamp,
        transcript: String,
    ) -> Self {
        let project_key = project.as_ref().map(|project| &project.key);
        let key = match candidate.evidence.first() {
            Some(strongest) => content_key(candidate.kind, project_key, strongest),
            None => content_key(candidate.kind, project_key, &titled(&candidate.title)),
        };
        Self {
            candidate,
            session,
            project,
            destination,
            key,
            when,
            transcript,
            other_tellings: Vec::new(),
            strengthens: None,
            joins: None,
        }
    }

    /// The day it was said in a time zone.
    pub(crate) fn date(&self, zone: &TimeZone) -> Date {
        self.when.to_zoned(zone.clone()).date()
    }

    /// All it rests on: its session's evidence, the strongest first, then that of other sessions, each with its session and day.
    pub(crate) fn all_evidence(
        &self,
        zone: &TimeZone,
    ) -> impl Iterator<Item = (&Evidence, &SessionId, Date)> {
        let own = self.date(zone);
        let own = self.candidate.evidence.iter().map(move |piece| (piece, &self.session, own));
        own.chain(
            self.other_tellings
                .iter()
                .map(|other| (&other.evidence, &other.session, other.said_at.to_zoned(zone.clone()).date())),
        )
    }

    /// The keys this lesson would have had if another piece of its evidence had been the strongest.
    pub(crate) fn other_keys(&self) -> Vec<ContentKey> {
        let project_key = self.project.as_ref().map(|project| &project.key);
        let evidence = self.candidate.evidence.iter();
        let keys = evidence.map(|piece| content_key(self.candidate.kind, project_key, piece));
        keys.filter(|key| *key != self.key).collect()
    }
}

fn titled(title: &str) -> afterword_core::Evidence {
    afterword_core::Evidence {
        uuid: String::new(),
        line: 0,
        role: afterword_core::Role::User,
        quote: title.to_owned(),
    }
}
