//! What an answer does: the note first, then the database.

use std::collections::HashSet;

use afterword_core::{LessonScope, NoteId, Signal};
use afterword_store::{DecisionRow, Scope, Verdict};
use afterword_vault::{NewWording, NoteEntry, Status, VaultPath, expired_on};
use jiff::Zoned;
use serde::{Deserialize, Serialize};

use super::likely::older_of;
use crate::current_session::current_session;
use crate::error::ReviewError;
use crate::note;
use crate::vault_session::VaultSession;
use crate::{App, Error, indexing, utterances};

/// A lesson in the person's own words; what is `None` stays as it was offered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditedWords {
    /// One line.
    pub title: Option<String>,
    /// Markdown.
    pub body: Option<String>,
}

/// An answer to lessons that wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Keep them, in these words where there are some.
    Approve(EditedWords),
    /// Keep them, in these words where there are some, beside the active lessons whose place they likely take.
    KeepBoth(EditedWords),
    /// Do not keep them.
    Reject {
        /// Why, in the person's words; may be empty.
        reason: String,
        /// Where the rejections hold.
        scope: LessonScope,
    },
    /// Postpone them: they go to the end of the queue.
    Skip,
    /// Put them into the archive without a yes or a no.
    Archive,
    /// Keep one in the place of an active lesson, in these words where there are some.
    Supersede {
        /// The active lesson.
        old: String,
        /// The new one's words.
        words: EditedWords,
    },
}

impl Answer {
    /// Keep them as they are.
    pub fn approve() -> Self {
        Self::Approve(EditedWords::default())
    }

    /// Whether the lesson is active afterwards.
    fn keeps_active(&self) -> bool {
        matches!(self, Self::Approve(_) | Self::KeepBoth(_) | Self::Supersede { .. })
    }

    /// The same with secrets taken out of the person's words.
    fn redact(&self, app: &App) -> Result<Self, Error> {
        Ok(match self {
            Self::Approve(words) => Self::Approve(persons_words(app, words)?),
            Self::KeepBoth(words) => Self::KeepBoth(persons_words(app, words)?),
            Self::Reject { reason, scope } => {
                Self::Reject { reason: app.redaction().text(reason), scope: *scope }
            }
            Self::Skip => Self::Skip,
            Self::Archive => Self::Archive,
            Self::Supersede { old, words } => {
                Self::Supersede { old: old.clone(), words: persons_words(app, words)? }
            }
        })
    }
}

/// What a decision did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct Decision {
    /// Its number, by which it can be undone.
    pub id: i64,
    /// What was decided.
    pub verdict: Verdict,
    /// The note.
    pub note: NoteId,
    /// Its title now.
    pub title: String,
    /// Where it is now, below the vault's root.
    pub path: String,
    /// The lesson it took the place of.
    pub superseded: Option<NoteId>,
}

/// Keeps a lesson that waits: its note moves to its folder and counts. The active lesson whose place it likely takes does not any more.
///
/// # Errors
/// [`NoteError::NoSuch`](crate::error::NoteError::NoSuch), [`NoteError::Ambiguous`](crate::error::NoteError::Ambiguous), [`ReviewError::NotWaiting`] for a note already answered,
/// [`ReviewError::Unchangeable`], [`ReviewError::Changing`], [`ReviewError::PersonAnswers`] where a model asks and the lesson
/// may not be in the person's words, or [`Error::Vault`] or [`Error::Store`].
pub fn approve(app: &App, note: &str, now: &Zoned) -> Result<Decision, Error> {
    answer(app, note, &Answer::approve(), now)
}

/// Keeps a lesson that waits, and the active one whose place it likely takes.
///
/// # Errors
/// As [`approve`].
pub fn keep_both(app: &App, note: &str, now: &Zoned) -> Result<Decision, Error> {
    answer(app, note, &Answer::KeepBoth(EditedWords::default()), now)
}

/// Keeps a lesson in the person's own words, secrets taken out; one that is active already, too.
///
/// # Errors
/// As [`approve`], and [`ReviewError::NotSaid`] where a model asks and the person did not say these words.
pub fn edit(app: &App, note: &str, words: &EditedWords, now: &Zoned) -> Result<Decision, Error> {
    answer(app, note, &Answer::Approve(words.clone()), now)
}

/// Words for a lesson that counts, secrets taken out. A model gives them for the person, who must have said them in the
/// session that goes on.
fn persons_words(app: &App, words: &EditedWords) -> Result<EditedWords, Error> {
    let given: Vec<&str> = words.title.iter().chain(&words.body).map(String::as_str).collect();
    if app.is_for_model && !given.is_empty() {
        let here = current_session(app, &app.environment.working_directory)?;
        let said = here.and_then(|here| utterances::utterances_in(app, &here.session));
        if !said.is_some_and(|said| said.state(&given)) {
            return Err(ReviewError::NotSaid.into());
        }
    }
    let redaction = app.redaction();
    let clean = |text: &Option<String>| text.as_deref().map(|text| redaction.text(text));
    Ok(EditedWords { title: clean(&words.title), body: clean(&words.body) })
}

/// Refuses a lesson, one that counts already too: its note moves to the archive, and nothing that means the same is
/// offered again.
///
/// # Errors
/// As [`approve`].
pub fn reject(
    app: &App,
    note: &str,
    reason: &str,
    scope: LessonScope,
    now: &Zoned,
) -> Result<Decision, Error> {
    answer(app, note, &Answer::Reject { reason: reason.to_owned(), scope }, now)
}

/// Puts a lesson off: it goes to the end of the queue.
///
/// # Errors
/// As [`approve`].
pub fn skip(app: &App, note: &str, now: &Zoned) -> Result<Decision, Error> {
    answer(app, note, &Answer::Skip, now)
}

/// Keeps a lesson, in the person's own words where there are some, secrets taken out, in the place of one that counts now.
///
/// # Errors
/// As [`edit`], and [`ReviewError::NotActive`] when `old` does not count.
pub fn supersede(
    app: &App,
    note: &str,
    old: &str,
    words: &EditedWords,
    now: &Zoned,
) -> Result<Decision, Error> {
    answer(app, note, &Answer::Supersede { old: old.to_owned(), words: words.clone() }, now)
}

/// Gives many lessons the same answer; each stands for itself, in the order given.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), [`Error::Vault`] or [`Error::Store`] where none of them can be answered, and [`ReviewError::NotSaid`] as in [`edit`].
pub fn answer_all(
    app: &App,
    notes: &[String],
    answer: &Answer,
    now: &Zoned,
) -> Result<Vec<Result<Decision, Error>>, Error> {
    let app = &app.with_temporary_scan_cache();
    let answer = answer.redact(app)?;
    let mut deciding = open_answer_session(app)?;
    let decided = deciding.decide_all(notes, &answer, now);
    if decided.iter().any(Result::is_ok) {
        deciding.follow_up(app, now)?;
    }
    Ok(decided)
}

/// The same, done once the notes and the decisions are on disk. Overviews and the search index still have to follow, by
/// [`follow_up`]: it takes longer than the answers, and once is enough for many of them.
///
/// # Errors
/// As [`answer_all`].
pub fn answer_without_follow_up(
    app: &App,
    notes: &[String],
    answer: &Answer,
    now: &Zoned,
) -> Result<Vec<Result<Decision, Error>>, Error> {
    let answer = answer.redact(app)?;
    Ok(open_answer_session(app)?.decide_all(notes, &answer, now))
}

/// Brings overviews and the search index in line with what was answered.
///
/// # Errors
/// [`Error::Vault`] or [`Error::Store`].
pub fn follow_up(app: &App, now: &Zoned) -> Result<(), Error> {
    open_answer_session(app)?.follow_up(app, now)
}

fn answer(app: &App, note: &str, answer: &Answer, now: &Zoned) -> Result<Decision, Error> {
    answer_all(app, &[note.to_owned()], answer, now)?.remove(0)
}

pub(super) fn open_answer_session(app: &App) -> Result<AnswerSession, Error> {
    Ok(AnswerSession {
        session: VaultSession::begin(app)?,
        is_for_model: app.is_for_model,
        changed: HashSet::new(),
    })
}

/// Answers, carried out on the vault.
pub(super) struct AnswerSession {
    pub(super) session: VaultSession,
    is_for_model: bool,
    /// Notes that were changed since the look at the vault.
    pub(super) changed: HashSet<NoteId>,
}

impl AnswerSession {
    fn decide_all(&mut self, notes: &[String], answer: &Answer, now: &Zoned) -> Vec<Result<Decision, Error>> {
        notes.iter().map(|note| self.decide(note, answer, now)).collect()
    }

    /// Carries out one answer; what changed meanwhile is looked at again.
    pub(super) fn decide(&mut self, argument: &str, answer: &Answer, now: &Zoned) -> Result<Decision, Error> {
        let entry = note::find(&self.session.index, argument)?.clone();
        let id = note::id_of(&entry)?;
        check(&entry, answer, self.is_for_model)?;
        let answer = &self.in_place(&entry, answer);
        let is_of_others = matches!(entry.properties.signal, Some(Signal::Saved | Signal::Unproven));
        if self.is_for_model && answer.keeps_active() && is_of_others {
            return Err(ReviewError::PersonAnswers { path: entry.path.to_string() }.into());
        }
        let (verdict, reason, scope) = self.verdict(&entry, answer)?;
        let mut notes = Vec::new();
        let mut superseded = None;
        let mut path = entry.path.clone();
        if let Answer::Supersede { old, .. } = answer {
            let old = note::find(&self.session.index, old)?;
            if old.properties.effective_status() != Some(Status::Active) || old.properties.id == Some(id) {
                return Err(ReviewError::NotActive { path: old.path.to_string() }.into());
            }
            superseded = Some(note::id_of(old)?);
        }
        if !matches!(answer, Answer::Skip) {
            path = self.session.revise(id, &mut notes, |editor, entry| match answer {
                Answer::Approve(words) | Answer::KeepBoth(words) => {
                    editor.approve(entry, &words.as_wording(), &[])
                }
                Answer::Supersede { words, .. } => {
                    let old = superseded.and_then(|old| self.session.index.by_id(old)).map(|old| &old.path);
                    editor.approve(entry, &words.as_wording(), old.as_slice())
                }
                Answer::Reject { reason, scope } => {
                    editor.reject(entry, reason, *scope == LessonScope::Everywhere)
                }
                Answer::Archive => editor.archive_unanswered(entry, now.date()),
                Answer::Skip => editor.reopen(entry, &entry.path),
            })?;
        }
        if let Some(old) = superseded {
            self.session.rescan()?;
            self.session.revise(old, &mut notes, |editor, entry| editor.mark_superseded(entry, &path))?;
        }
        let row = note::decision(&entry, verdict, scope, &reason, superseded, now.timestamp());
        let number = self.session.record_decision(&row, &notes)?;
        let title = match answer {
            Answer::Approve(words) | Answer::KeepBoth(words) | Answer::Supersede { words, .. } => {
                words.title.clone()
            }
            Answer::Reject { .. } | Answer::Archive | Answer::Skip => None,
        };
        Ok(Decision {
            id: number.0,
            verdict,
            note: id,
            title: title.unwrap_or(row.title),
            path: path.to_string(),
            superseded,
        })
    }

    /// The answer with what it means for the rule that the lesson likely takes the place of: keeping the newer one ends the older.
    fn in_place(&self, entry: &NoteEntry, answer: &Answer) -> Answer {
        match (answer, older_of(&self.session.index, entry)) {
            (Answer::Approve(words), Some((old, _))) => {
                Answer::Supersede { old: old.to_string(), words: words.clone() }
            }
            _ => answer.clone(),
        }
    }

    fn verdict(&self, entry: &NoteEntry, answer: &Answer) -> Result<(Verdict, String, Scope), Error> {
        let own = note::scope_of(&self.session.store, entry)?;
        Ok(match answer {
            Answer::Approve(words) | Answer::KeepBoth(words) if *words == EditedWords::default() => {
                (Verdict::Approve, String::new(), own)
            }
            Answer::Approve(_) | Answer::KeepBoth(_) => (Verdict::Edit, String::new(), own),
            Answer::Skip => (Verdict::Skip, String::new(), own),
            Answer::Archive => (Verdict::Archive, String::new(), own),
            Answer::Supersede { .. } => (Verdict::Supersede, String::new(), own),
            Answer::Reject { reason, scope: LessonScope::Project } => (Verdict::Reject, reason.clone(), own),
            Answer::Reject { reason, scope: LessonScope::Everywhere } => {
                (Verdict::Reject, reason.clone(), Scope::Global)
            }
        })
    }

    /// Writes the overviews anew that list what was decided, and indexes it.
    pub(super) fn follow_up(mut self, app: &App, now: &Zoned) -> Result<(), Error> {
        self.session.renew_overviews_or_log(now)?;
        drop(self);
        indexing::index_changes(app);
        Ok(())
    }
}

impl EditedWords {
    fn as_wording(&self) -> NewWording<'_> {
        NewWording { title: self.title.as_deref(), body: self.body.as_deref() }
    }
}

impl Decision {
    pub(super) fn of(row: &DecisionRow, path: &VaultPath, note: NoteId) -> Self {
        Self {
            id: row.id.0,
            verdict: row.decision.verdict,
            note,
            title: row.decision.title.clone(),
            path: path.to_string(),
            superseded: row.decision.superseded,
        }
    }
}

/// Whether a note is one that this answer can be given to. An active lesson is put into other words by the person alone.
fn check(entry: &NoteEntry, answer: &Answer, is_for_model: bool) -> Result<(), Error> {
    let path = || entry.path.to_string();
    let standing = entry.properties.effective_status();
    if note::lesson_kind(entry).is_none() {
        return Err(ReviewError::NotALesson { path: path() }.into());
    }
    let fits = match answer {
        Answer::Reject { .. } => matches!(standing, Some(Status::Inbox | Status::Active) | None),
        Answer::Approve(_) | Answer::KeepBoth(_) if expired_on(entry).is_some() => true,
        Answer::Approve(words) if *words != EditedWords::default() && !is_for_model => {
            matches!(standing, Some(Status::Inbox | Status::Active) | None)
        }
        _ => standing == Some(Status::Inbox),
    };
    let status = standing.unwrap_or(Status::Active).as_str();
    if fits { Ok(()) } else { Err(ReviewError::NotWaiting { path: path(), status }.into()) }
}
