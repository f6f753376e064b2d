//! What a person's answer makes of a note that waits: new properties, perhaps new words, another folder.
//!
//! Pure: each function gives the [`Revision`] to carry out. A note that was rejected is not deleted; it moves to the
//! archive and stays there as the memory of the rejection, so that it holds on every machine the vault travels to.

use afterword_core::{Confidence, Destination, Signal};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::error::EditError;
use crate::index::VaultIndex;
use crate::lesson::Lesson;
use crate::note::{Note, Value};
use crate::note_entry::NoteEntry;
use crate::path::{self, VaultPath};
use crate::properties::{EXCEPTION_TO, MAY_SUPERSEDE, Properties, Status, confidence_word, signal_word};
use crate::revise::Revision;
use crate::{add_evidence, layout, markdown, plain, render};

/// The longest title a person may give, in characters.
const TITLE_CHARS: usize = 160;
/// The longest reason kept, in characters.
const REASON_CHARS: usize = 400;

/// The property with the day a lesson went to the archive unanswered.
const ARCHIVED: &str = "archived";
/// The property that says why it did.
const ARCHIVED_BECAUSE: &str = "archived_because";

/// A person's own words for a lesson; what is `None` stays as it was offered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewWording<'a> {
    /// The title, of which the first line counts.
    pub title: Option<&'a str>,
    /// The text, as markdown; it is not changed in any way.
    pub body: Option<&'a str>,
}

/// Answers to notes of one vault.
#[derive(Debug, Clone, Copy)]
pub struct NoteEditor<'a> {
    index: &'a VaultIndex,
}

impl<'a> NoteEditor<'a> {
    /// Answers to notes that `index` has.
    pub fn new(index: &'a VaultIndex) -> Self {
        Self { index }
    }

    /// The lesson counts from now on, in the person's words where there are some, and takes the place of the notes in
    /// `supersedes`.
    ///
    /// # Errors
    /// [`EditError`] when the front matter cannot be changed without touching more.
    pub fn approve(
        &self,
        entry: &NoteEntry,
        words: &NewWording<'_>,
        supersedes: &[&VaultPath],
    ) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        let title = words.title.map(|title| plain::one_line(title, TITLE_CHARS));
        if let Some(title) = title.as_ref().filter(|title| !title.is_empty()) {
            note.set("title", &Value::Text(title.clone()))?;
        }
        note.set("status", &string_value(Status::Active.as_str()))?;
        note.set("review", &string_value("approve"))?;
        clear_expiry(&mut note)?;
        clear_may_supersede(&mut note)?;
        add_supersedes(&mut note, supersedes)?;
        if let Some(body) = words.body {
            note.set_lesson_text(body);
        }
        let to = self.active_folder_path(entry, title.as_deref());
        Ok(make_revision(entry, &note, to))
    }

    /// The lesson counts from now on because it was said again; nobody was asked. The title is what it is called now, where nobody changed
    /// it, and the signal what it is known by.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn promote(
        &self,
        entry: &NoteEntry,
        title: Option<&str>,
        signal: Option<Signal>,
    ) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        let title = title.map(|title| plain::one_line(title, TITLE_CHARS)).filter(|title| !title.is_empty());
        if let Some(title) = &title {
            note.set("title", &Value::Text(title.clone()))?;
        }
        note.set("status", &string_value(Status::Active.as_str()))?;
        note.set("confidence", &string_value(confidence_word(Confidence::High)))?;
        if let Some(signal) = signal {
            note.set("signal", &string_value(signal_word(signal)))?;
        }
        clear_may_supersede(&mut note)?;
        let to = self.active_folder_path(entry, title.as_deref());
        Ok(make_revision(entry, &note, to))
    }

    /// The lesson is not kept, and nothing like it is to be offered again in its project, or anywhere.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn reject(&self, entry: &NoteEntry, reason: &str, everywhere: bool) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("status", &string_value(Status::Archived.as_str()))?;
        note.set("review", &string_value("reject"))?;
        let reason = plain::one_line(reason, REASON_CHARS);
        if !reason.is_empty() {
            note.set("review_reason", &Value::Text(reason))?;
        }
        if everywhere {
            note.set("review_scope", &string_value("everywhere"))?;
        }
        let to = if is_in_our_folders(&entry.path) {
            self.free_path(layout::ARCHIVE, entry.path.name(), &entry.path)
        } else {
            entry.path.clone()
        };
        Ok(make_revision(entry, &note, to))
    }

    /// The lesson, which counts, takes the place of the notes in `supersedes`.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn set_supersedes(
        &self,
        entry: &NoteEntry,
        supersedes: &[&VaultPath],
    ) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        add_supersedes(&mut note, supersedes)?;
        Ok(make_revision(entry, &note, entry.path.clone()))
    }

    /// The lesson, which waits, likely takes the place of the note at `older`.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn set_may_supersede(&self, entry: &NoteEntry, older: &VaultPath) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set(MAY_SUPERSEDE, &Value::List(vec![wikilink_to(older)]))?;
        Ok(make_revision(entry, &note, entry.path.clone()))
    }

    /// The lesson is an exception to the rule at `rule`.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn set_exception_to(&self, entry: &NoteEntry, rule: &VaultPath) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set(EXCEPTION_TO, &Value::List(vec![wikilink_to(rule)]))?;
        Ok(make_revision(entry, &note, entry.path.clone()))
    }

    /// The note in other words: its title and its text, and nothing else. Call it only for notes that nobody but Afterword wrote.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn reword(&self, entry: &NoteEntry, title: &str, body: &str) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("title", &Value::Text(plain::one_line(title, TITLE_CHARS)))?;
        let body = markdown::sanitize(body);
        if !body.is_empty() {
            note.set_lesson_text(&body);
        }
        Ok(make_revision(entry, &note, entry.path.clone()))
    }

    /// The lesson does not count any more because the one at `by` took its place; it stays where it is.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn mark_superseded(&self, entry: &NoteEntry, by: &VaultPath) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("status", &string_value(Status::Superseded.as_str()))?;
        let link = wikilink_to(by);
        if !note.list_of("superseded_by").contains(&link) {
            note.append("superseded_by", &[link])?;
        }
        Ok(make_revision(entry, &note, entry.path.clone()))
    }

    /// The note waits again, at `to` if that name is free: for a decision whose former text is not known any more.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn reopen(&self, entry: &NoteEntry, to: &VaultPath) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("status", &string_value(Status::Inbox.as_str()))?;
        note.set("review", &Value::Empty)?;
        for name in ["review_reason", "review_scope"] {
            if note.value(name).is_some() {
                note.set(name, &Value::Empty)?;
            }
        }
        let folder = to.parent().map_or(layout::REVIEW.to_owned(), |folder| folder.as_str().to_owned());
        let to = self.free_path(&folder, to.name(), &entry.path);
        Ok(make_revision(entry, &note, to))
    }

    /// The note counts again as if nothing had taken its place.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn reactivate(&self, entry: &NoteEntry) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("status", &string_value(Status::Active.as_str()))?;
        note.set("superseded_by", &Value::Empty)?;
        Ok(make_revision(entry, &note, entry.path.clone()))
    }

    /// The note as its lesson is put by a later reading of the session: title, text, confidence, and what it rests on.
    /// `None` where it says all that already. Days are those of `zone`.
    ///
    /// A note that counts and is less certain now waits for an answer; one that waits goes on waiting. Call it only for
    /// notes that nobody but Afterword wrote.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn rewrite_from_lesson(
        &self,
        entry: &NoteEntry,
        lesson: &Lesson,
        zone: &TimeZone,
    ) -> Result<Option<Revision>, EditError> {
        let (title, body) = (render::title_of(lesson), render::body_of(lesson));
        let (known, confidence) = (entry.properties.confidence, lesson.candidate.confidence);
        let has_title = entry.properties.title.as_ref() == Some(&title);
        if has_title && entry.note.lesson_text() == body && known == Some(confidence) {
            return Ok(None);
        }
        let mut note = entry.note.clone();
        note.set("title", &Value::Text(title))?;
        note.set("confidence", &string_value(confidence_word(confidence)))?;
        note.set("signal", &string_value(signal_word(lesson.candidate.signal)))?;
        note.set("key", &Value::Text(plain::one_line(&lesson.key.0, TITLE_CHARS)))?;
        note.set_lesson_text(&body);
        add_evidence::rewrite_evidence(&mut note, lesson, zone)?;
        let waits = [layout::REVIEW, layout::INBOX].iter().any(|folder| entry.path.is_below(folder));
        let is_lower = known.is_some_and(|known| confidence > known);
        let folder = match lesson.destination {
            _ if known == Some(confidence) => None,
            Destination::Inbox if waits || is_lower => Some(layout::INBOX),
            Destination::Review if waits || is_lower => Some(layout::REVIEW),
            Destination::Saved if waits => Some(layout::REVIEW),
            _ => None,
        };
        let to = match folder.filter(|folder| is_in_our_folders(&entry.path) && !entry.path.is_below(folder))
        {
            Some(folder) => self.free_path(folder, entry.path.name(), &entry.path),
            None => entry.path.clone(),
        };
        if to != entry.path && !waits {
            note.set("status", &string_value(Status::Inbox.as_str()))?;
            note.set("review", &Value::Empty)?;
        }
        Ok(Some(make_revision(entry, &note, to)))
    }

    /// The lesson does not count any more because a later reading of its session does not find it; no rejection.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn withdraw(&self, entry: &NoteEntry) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("status", &string_value(Status::Archived.as_str()))?;
        let to = self.free_path(layout::ARCHIVE, entry.path.name(), &entry.path);
        Ok(make_revision(entry, &note, to))
    }

    /// The lesson does not count any more because the person took it back, in these words; it stays where it is. The note says so.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn retract(&self, entry: &NoteEntry, words: &str) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("status", &string_value(Status::Archived.as_str()))?;
        let words = plain::one_line(words, REASON_CHARS);
        note.set(ARCHIVED_BECAUSE, &Value::Text(format!("you took it back: {words}")))?;
        Ok(make_revision(entry, &note, entry.path.clone()))
    }

    /// The lesson goes to the archive because nobody answered it for so many days; no rejection. The note says so.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn expire(&self, entry: &NoteEntry, date: Date, days: usize) -> Result<Revision, EditError> {
        self.archive_because(entry, date, format!("nobody answered it for {days} days"))
    }

    /// The lesson goes to the archive because the person will not answer it; no rejection. The note says so.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn archive_unanswered(&self, entry: &NoteEntry, date: Date) -> Result<Revision, EditError> {
        self.archive_because(entry, date, "you archived it without an answer".to_owned())
    }

    fn archive_because(&self, entry: &NoteEntry, date: Date, because: String) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("status", &string_value(Status::Archived.as_str()))?;
        note.set(ARCHIVED, &Value::Date(date))?;
        note.set(ARCHIVED_BECAUSE, &Value::Text(because))?;
        let to = self.free_path(layout::ARCHIVE, entry.path.name(), &entry.path);
        Ok(make_revision(entry, &note, to))
    }

    /// The note with another standing, where it is; one that counts again leaves the archive for the folder of its kind.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn set_status(&self, entry: &NoteEntry, status: Status) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("status", &string_value(status.as_str()))?;
        if status == Status::Active {
            clear_expiry(&mut note)?;
        }
        if entry.properties.review.is_some() {
            note.set("review", &Value::Empty)?;
        }
        let leaves = status == Status::Active && entry.path.is_below(layout::ARCHIVE);
        let to = if leaves { self.active_folder_path(entry, None) } else { entry.path.clone() };
        Ok(make_revision(entry, &note, to))
    }

    /// The note as one of another project, where it is.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn set_project(&self, entry: &NoteEntry, project: &str) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        note.set("project", &string_value(project))?;
        Ok(make_revision(entry, &note, entry.path.clone()))
    }

    /// The note with these lines as its property `name`: one as a text, several as a list.
    ///
    /// # Errors
    /// As [`NoteEditor::approve`].
    pub fn set_checks(&self, entry: &NoteEntry, name: &str, lines: &[String]) -> Result<Revision, EditError> {
        let mut note = entry.note.clone();
        if note.list_of(name) != lines {
            let value = match lines {
                [one] => Value::Text(one.clone()),
                _ => Value::List(lines.to_vec()),
            };
            note.set(name, &value)?;
        }
        Ok(make_revision(entry, &note, entry.path.clone()))
    }

    /// The note with the text it had before and at the place it had before, or the nearest free name there.
    pub fn restore(&self, entry: &NoteEntry, content: String, to: &VaultPath) -> Revision {
        let folder = to.parent().map_or(layout::HOME.to_owned(), |folder| folder.as_str().to_owned());
        let to = self.free_path(&folder, to.name(), &entry.path);
        Revision { path: entry.path.clone(), before: entry.hash.clone(), content, to }
    }

    /// The note a wikilink leads to.
    pub fn resolve_link(&self, wikilink: &str) -> Option<&'a NoteEntry> {
        let target = wikilink.trim().strip_prefix("[[")?.strip_suffix("]]")?;
        let target = target.split(['|', '#']).next()?.trim().trim_end_matches(".md");
        let leads = |entry: &&NoteEntry| {
            let path = entry.path.as_str().strip_suffix(".md").unwrap_or(entry.path.as_str());
            path == target || path.strip_suffix(target).is_some_and(|rest| rest.ends_with('/'))
        };
        (!target.is_empty()).then(|| self.index.notes().find(leads)).flatten()
    }

    /// The folder of active lessons of its kind; where the person put it elsewhere, there.
    fn active_folder_path(&self, entry: &NoteEntry, title: Option<&str>) -> VaultPath {
        let folder = active_folder_of(&entry.properties);
        let waits = [layout::REVIEW, layout::INBOX, layout::ARCHIVE];
        let Some(folder) = folder.filter(|_| waits.iter().any(|folder| entry.path.is_below(folder))) else {
            return entry.path.clone();
        };
        let is_new = |title: &&str| Some(*title) != entry.properties.title.as_deref() && !title.is_empty();
        match title.filter(is_new) {
            Some(title) => self.free_path(folder, &format!("{}.md", path::slug(title)), &entry.path),
            None => self.free_path(folder, entry.path.name(), &entry.path),
        }
    }

    /// `name` in `folder`, or the first of `name-2`, `name-3` … that is free; a note's own place counts as free.
    fn free_path(&self, folder: &str, name: &str, own: &VaultPath) -> VaultPath {
        let stem = name.strip_suffix(".md").unwrap_or(name);
        let numbered = (2_u64..).map(|number| format!("{stem}-{number}.md"));
        let mut places = std::iter::once(name.to_owned())
            .chain(numbered)
            .filter_map(|name| VaultPath::parse(&format!("{folder}/{name}")));
        places.find(|place| place == own || !self.index.is_taken(place)).unwrap_or_else(|| own.clone())
    }
}

/// The day on which a lesson went to the archive without an answer; `None` for all others.
pub fn expired_on(entry: &NoteEntry) -> Option<Date> {
    let is_archived = entry.properties.effective_status() == Some(Status::Archived);
    entry.note.text_of(ARCHIVED).filter(|_| is_archived)?.parse().ok()
}

fn clear_expiry(note: &mut Note) -> Result<(), EditError> {
    for name in [ARCHIVED, ARCHIVED_BECAUSE] {
        if note.value(name).is_some() {
            note.set(name, &Value::Empty)?;
        }
    }
    Ok(())
}

fn clear_may_supersede(note: &mut Note) -> Result<(), EditError> {
    if note.value(MAY_SUPERSEDE).is_some() { note.set(MAY_SUPERSEDE, &Value::Empty) } else { Ok(()) }
}

/// The folder that an active lesson of this kind has; `None` for notes that are no lessons.
fn active_folder_of(properties: &Properties) -> Option<&'static str> {
    properties.kind?.lesson_kind().map(layout::folder_of)
}

fn is_in_our_folders(path: &VaultPath) -> bool {
    let folders = [layout::REVIEW, layout::INBOX, layout::PREFERENCES, layout::WORKFLOWS, layout::FIXES];
    folders.iter().any(|folder| path.is_below(folder))
}

fn wikilink_to(path: &VaultPath) -> String {
    let target = path.link_target().unwrap_or_else(|| path.as_str().trim_end_matches(".md"));
    format!("[[{target}]]")
}

fn string_value(word: &str) -> Value {
    Value::Text(word.to_owned())
}

pub(crate) fn make_revision(entry: &NoteEntry, note: &Note, to: VaultPath) -> Revision {
    let content = note.print().to_owned();
    Revision { path: entry.path.clone(), before: entry.hash.clone(), content, to }
}
/// Lists the notes that this one takes the place of, each once.
fn add_supersedes(note: &mut Note, supersedes: &[&VaultPath]) -> Result<(), EditError> {
    let known = note.list_of("supersedes");
    let links = supersedes.iter().map(|path| wikilink_to(path));
    let new: Vec<String> = links.filter(|link| !known.contains(link)).collect();
    if new.is_empty() { Ok(()) } else { note.append("supersedes", &new) }
}
