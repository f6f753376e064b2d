//! Table `decisions`: what people decided about candidates, and which rejections stand.
//!
//! Whether a new candidate means the same as a rejected one is not decided here: the words are kept, and handed out.

use std::fmt;

use afterword_core::{ContentKey, Kind, NoteId, ProjectKey, SessionId, UserId};
use jiff::Timestamp;
use rusqlite::{Row, named_params};
use serde::Serialize;

use crate::values::{maybe_time, millis, parse_column, time};
use crate::{Store, StoreError};

/// A decision's number, counted from 1 and never used again: short, as people type it to undo one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DecisionId(pub i64);

impl fmt::Display for DecisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Kept as it was offered.
    Approve,
    /// Kept in the person's own words.
    Edit,
    /// Refused: nothing like it is to be offered again, within its scope.
    Reject,
    /// Postponed.
    Skip,
    /// Kept in place of an older lesson.
    Supersede,
    /// Archived without a yes or a no: the same may be found again.
    Archive,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Approve, Self::Edit, Self::Reject, Self::Skip, Self::Supersede, Self::Archive];
    /// Those that a person gives to one waiting lesson.
    pub const GIVEN: [Self; 5] = [Self::Approve, Self::Edit, Self::Reject, Self::Skip, Self::Supersede];

    /// The verdict's name, the same in SQL, JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Edit => "edit",
            Self::Reject => "reject",
            Self::Skip => "skip",
            Self::Supersede => "supersede",
            Self::Archive => "archive",
        }
    }

    /// Reads a verdict's name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

/// Where a decision holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere.
    Global,
    /// In one project.
    Project(ProjectKey),
}

/// A decision about a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Who decided.
    pub user: UserId,
    /// The candidate.
    pub candidate: ContentKey,
    /// What was decided.
    pub verdict: Verdict,
    /// What it would have become.
    pub kind: Kind,
    /// What it was offered as, redacted.
    pub title: String,
    /// Why, in the person's words; empty where none were given.
    pub reason: String,
    /// Where it holds.
    pub scope: Scope,
    /// The session it was found in.
    pub session: Option<SessionId>,
    /// The note it became.
    pub note: Option<NoteId>,
    /// The note it took the place of.
    pub superseded: Option<NoteId>,
    /// What it is about: words without blanks, by which one that means the same is recognised.
    pub words: Vec<String>,
    /// When.
    pub decided_at: Timestamp,
}

/// A row: a decision, and whether it still stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRow {
    /// Its number.
    pub id: DecisionId,
    /// The decision.
    pub decision: Decision,
    /// When it was undone.
    pub undone_at: Option<Timestamp>,
}

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Decisions<'a> {
    pub(crate) store: &'a Store,
}

impl Decisions<'_> {
    /// Remembers a decision.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(&self, decision: &Decision) -> Result<DecisionId, StoreError> {
        let wrap = |e| self.store.error("remember a decision", e);
        let sql = "INSERT INTO decisions (user_id, candidate_key, verdict, kind, title, reason, project, session_id,
                note_id, superseded_id, words, decided_at)
            VALUES (:user, :key, :verdict, :kind, :title, :reason, :project, :session,
                :note, :superseded, :words, :at) RETURNING id";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = named_params! {
            ":user": decision.user.as_str(),
            ":key": decision.candidate.0,
            ":verdict": decision.verdict.as_str(),
            ":kind": decision.kind.as_str(),
            ":title": decision.title,
            ":reason": decision.reason,
            ":project": match &decision.scope {
                Scope::Global => None,
                Scope::Project(project) => Some(project.as_str()),
            },
            ":session": decision.session.as_ref().map(SessionId::as_str),
            ":note": decision.note.map(|note| note.to_string()),
            ":superseded": decision.superseded.map(|note| note.to_string()),
            ":words": decision.words.join(" "),
            ":at": millis(decision.decided_at),
        };
        statement.query_row(values, |row| row.get(0).map(DecisionId)).map_err(wrap)
    }

    /// The decision of that number.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn get(&self, id: DecisionId) -> Result<Option<DecisionRow>, StoreError> {
        Ok(self.list("SELECT * FROM decisions WHERE id = ?1", [id.0])?.pop())
    }

    /// Every decision, or those with one verdict, undone ones too; the latest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn all(&self, verdict: Option<Verdict>) -> Result<Vec<DecisionRow>, StoreError> {
        let sql = "SELECT * FROM decisions WHERE ?1 IS NULL OR verdict = ?1 ORDER BY id DESC";
        self.list(sql, [verdict.map(Verdict::as_str)])
    }

    /// The decisions that stand about a note, the latest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn of_note(&self, note: NoteId) -> Result<Vec<DecisionRow>, StoreError> {
        let sql = "SELECT * FROM decisions WHERE note_id = ?1 AND undone_at IS NULL ORDER BY id DESC";
        self.list(sql, [note.to_string()])
    }

    /// Every decision about a note, or by which another took its place, also those that were undone; the latest first.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn history_of_note(&self, note: NoteId) -> Result<Vec<DecisionRow>, StoreError> {
        let sql = "SELECT * FROM decisions WHERE note_id = ?1 OR superseded_id = ?1 ORDER BY id DESC";
        self.list(sql, [note.to_string()])
    }

    /// The decisions that were made together last and stand, the latest first: an answer to many lessons is one decision
    /// each, all made at one time.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn last_undoable(&self) -> Result<Vec<DecisionRow>, StoreError> {
        let sql = "SELECT * FROM decisions WHERE undone_at IS NULL AND decided_at =
                (SELECT decided_at FROM decisions WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1)
            ORDER BY id DESC";
        self.list(sql, [])
    }

    /// Whether a decision stands.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn has_undoable(&self) -> Result<bool, StoreError> {
        let wrap = |e| self.store.error("read the decisions", e);
        let sql = "SELECT EXISTS (SELECT 1 FROM decisions WHERE undone_at IS NULL)";
        self.store.connection.query_row(sql, [], |row| row.get(0)).map_err(wrap)
    }

    /// Undoes a decision; it stays in the list as undone. Says whether one stood that could be undone.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn undo(&self, id: DecisionId, now: Timestamp) -> Result<bool, StoreError> {
        let wrap = |e| self.store.error("undo a decision", e);
        let sql = "UPDATE decisions SET undone_at = ?2 WHERE id = ?1 AND undone_at IS NULL";
        Ok(self.store.connection.execute(sql, [id.0, millis(now)]).map_err(wrap)? > 0)
    }

    /// Deletes what was decided about candidates of a session. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_session(&self, session: &SessionId) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget a session's decisions", e);
        self.store
            .connection
            .execute("DELETE FROM decisions WHERE session_id = ?1", [session.as_str()])
            .map_err(wrap)
    }

    /// Deletes what was decided for one project. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_project(&self, project: &ProjectKey) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget a project's decisions", e);
        self.store
            .connection
            .execute("DELETE FROM decisions WHERE project = ?1", [project.as_str()])
            .map_err(wrap)
    }

    fn list(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<DecisionRow>, StoreError> {
        let wrap = |e| self.store.error("read the decisions", e);
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let rows = statement.query_map(values, read).map_err(wrap)?;
        rows.collect::<Result<_, _>>().map_err(wrap)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<DecisionRow> {
    let column = |name: &str| row.as_ref().column_index(name);
    let project: Option<String> = row.get("project")?;
    let words: String = row.get("words")?;
    let decision = Decision {
        user: parse_column(row, "user_id", UserId::parse)?,
        candidate: ContentKey(row.get("candidate_key")?),
        verdict: parse_column(row, "verdict", Verdict::parse)?,
        kind: parse_column(row, "kind", Kind::parse)?,
        title: row.get("title")?,
        reason: row.get("reason")?,
        scope: project.map_or(Scope::Global, |text| Scope::Project(ProjectKey::from_cwd(&text))),
        session: row.get::<_, Option<String>>("session_id")?.and_then(|text| SessionId::parse(&text)),
        note: row.get::<_, Option<String>>("note_id")?.and_then(|text| NoteId::parse(&text)),
        superseded: row.get::<_, Option<String>>("superseded_id")?.and_then(|text| NoteId::parse(&text)),
        words: words.split_whitespace().map(str::to_owned).collect(),
        decided_at: time(row, column("decided_at")?)?,
    };
    let undone_at = maybe_time(row, column("undone_at")?)?;
    Ok(DecisionRow { id: DecisionId(row.get("id")?), decision, undone_at })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine() -> ProjectKey {
        ProjectKey::from_cwd("/home/ada/engine")
    }

    fn decision(key: &str, verdict: Verdict, scope: Scope) -> Decision {
        let decided_at: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        Decision {
            user: UserId::default(),
            candidate: ContentKey(key.into()),
            verdict,
            kind: Kind::Preference,
            title: "Uses tabs".into(),
            reason: "that was a joke".into(),
            scope,
            session: SessionId::parse("s1"),
            note: Some(NoteId::new(decided_at)),
            superseded: None,
            words: vec!["tabs".into(), "indent".into()],
            decided_at,
        }
    }

    fn open() -> (tempfile::TempDir, Store) {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        (home, store)
    }

    #[test]
    fn history_of_a_note_has_what_was_undone_and_what_replaced_it_and_nothing_of_others() {
        let (_home, store) = open();
        let note = |day: &str| NoteId::new(format!("2026-03-{day}T10:00:00Z").parse().unwrap());
        let (own, other) = (note("02"), note("03"));
        let add = |note, superseded| {
            let decision = decision("k", Verdict::Supersede, Scope::Project(engine()));
            store.decisions().add(&Decision { note: Some(note), superseded, ..decision }).unwrap()
        };
        let (first, replaced) = (add(own, None), add(other, Some(own)));
        add(other, None);
        store.decisions().undo(first, "2026-03-04T10:00:00Z".parse().unwrap()).unwrap();
        let history = store.decisions().history_of_note(own).unwrap();
        assert_eq!(history.iter().map(|row| row.id).collect::<Vec<_>>(), [replaced, first]);
    }

    #[test]
    fn every_verdict_comes_back() {
        let (_home, store) = open();
        for verdict in Verdict::ALL {
            let decision = decision("k", verdict, Scope::Project(engine()));
            let id = store.decisions().add(&decision).unwrap();
            assert_eq!(
                store.decisions().get(id).unwrap(),
                Some(DecisionRow { id, decision, undone_at: None })
            );
        }
        assert_eq!(store.decisions().all(None).unwrap().len(), Verdict::ALL.len());
        assert_eq!(store.decisions().all(Some(Verdict::Skip)).unwrap().len(), 1);
        assert_eq!(store.decisions().get(DecisionId(99)).unwrap(), None);
        assert_eq!(DecisionId(99).to_string(), "99", "as it is typed to undo it");
    }

    #[test]
    fn a_decision_is_undone_once_and_stays_in_the_list() {
        let (_home, store) = open();
        let decisions = store.decisions();
        let reject = decisions.add(&decision("k", Verdict::Reject, Scope::Global)).unwrap();
        let now: Timestamp = "2026-03-02T10:00:00Z".parse().unwrap();
        assert!(decisions.undo(reject, now).unwrap());
        assert!(!decisions.undo(reject, now).unwrap(), "once");
        assert!(!decisions.undo(DecisionId(99), now).unwrap());
        let all = decisions.all(Some(Verdict::Reject)).unwrap();
        assert_eq!((all.len(), all[0].id, all[0].undone_at), (1, reject, Some(now)));
    }

    #[test]
    fn what_was_decided_together_last_is_found_together() {
        let (_folder, store) = open();
        let rows = store.decisions();
        assert!(!rows.has_undoable().unwrap());
        assert_eq!(rows.last_undoable().unwrap(), []);
        let add = |key: &str, at: &str| {
            let decision = Decision {
                decided_at: at.parse().unwrap(),
                ..decision(key, Verdict::Approve, Scope::Global)
            };
            rows.add(&decision).unwrap()
        };
        let first = add("a", "2026-04-20T10:00:00Z");
        let many = ["b", "c"].map(|key| add(key, "2026-04-20T10:00:01Z"));
        let last = || rows.last_undoable().unwrap().into_iter().map(|row| row.id).collect::<Vec<_>>();
        assert_eq!(last(), [many[1], many[0]]);
        for id in many {
            rows.undo(id, "2026-04-20T10:00:02Z".parse().unwrap()).unwrap();
        }
        assert_eq!(last(), [first]);
        assert!(rows.has_undoable().unwrap());
    }

    #[test]
    fn forgotten_project_keeps_what_holds_everywhere() {
        let (_home, store) = open();
        store.decisions().add(&decision("here", Verdict::Reject, Scope::Project(engine()))).unwrap();
        store.decisions().add(&decision("everywhere", Verdict::Reject, Scope::Global)).unwrap();
        assert_eq!(store.decisions().forget_project(&engine()).unwrap(), 1);
        assert_eq!(store.decisions().all(None).unwrap().len(), 1);
        assert_eq!(store.decisions().forget_session(&SessionId::parse("s1").unwrap()).unwrap(), 1);
    }
}
