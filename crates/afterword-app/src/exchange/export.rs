//! Exporting: lessons that count, in the form somebody else reads.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use afterword_platform::files::{read_text, replace_file};
use afterword_vault::VaultIndex;
use afterword_vault::export::{self, BlockError, DocumentError, ExportedLesson};
use serde::Serialize;

use super::export_place::{check_place, is_instructions};
use crate::error::{ExportError, ReviewError};
use crate::redaction::Redaction;
use crate::{App, Error, note};

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    /// One JSON object.
    Json,
    /// One markdown document with every lesson's text.
    Markdown,
    /// A block in a file of instructions, a line a lesson.
    ClaudeMd,
    /// A file for each kind in a folder of Claude Code's rules.
    Rules,
    /// A skill of Claude Code for each workflow, in its folder of skills: a draft to go on from.
    Skill,
}

/// What to export, and where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportRequest {
    /// The form.
    pub form: ExportForm,
    /// Only lessons of this project and those that hold everywhere: its whole name, or the last parts of it.
    pub project: Option<String>,
    /// Only this lesson, beside what was exported before: its id or the start of one, its path, or its file's name.
    pub note: Option<String>,
    /// Of those lessons only the ones whose notes have these paths; `None` for all.
    pub chosen: Option<Vec<String>>,
    /// The file, or for [`ExportForm::Rules`] and [`ExportForm::Skill`] the folder; `None` for text alone.
    pub to: Option<PathBuf>,
}

/// What an export would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPlan {
    /// The lessons.
    pub lessons: Vec<ExportedLesson>,
    /// Those that could be chosen, these among them.
    pub offered: Vec<OfferedLesson>,
    /// The text, where no file was named.
    pub text: String,
    /// The files that would change.
    pub files: Vec<ExportFile>,
    /// Files that are left alone because a person changed Afterword's part of them, and why.
    pub left: Vec<String>,
}

/// A lesson that an export can have in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct OfferedLesson {
    /// The note, below the vault's root.
    pub path: String,
    /// `preference`, `workflow` or `fix`.
    #[cfg_attr(feature = "contract", ts(as = "afterword_core::Kind"))]
    pub kind: &'static str,
    /// One sentence.
    pub title: String,
    /// The project's name; `None` for one that holds everywhere.
    pub project: Option<String>,
    /// A secret in it is taken out of the export.
    pub has_secret: bool,
}

/// One file before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub struct ExportFile {
    /// The file.
    pub path: PathBuf,
    /// Its text now; `None` where there is none.
    pub before: Option<String>,
    /// Its text afterwards.
    pub after: String,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    /// A hash of the lessons as they stand in [`ExportForm::Json`]'s text without blanks: by it an export is known again that nobody changed.
    mark: String,
    lessons: &'a [ExportedLesson],
}

/// Plans an export; changes nothing.
///
/// # Errors
/// [`VaultSetupError::NotChosen`](crate::error::VaultSetupError::NotChosen), [`Error::Vault`], or [`Error::Io`]; for one note [`NoteError::NoSuch`](crate::error::NoteError::NoSuch), [`NoteError::Ambiguous`](crate::error::NoteError::Ambiguous) and
/// [`ReviewError::NotActive`], and [`ExportError`] for a file that lessons are not written to.
pub fn plan_export(app: &App, request: &ExportRequest) -> Result<ExportPlan, Error> {
    let index = app.open_vault()?.scan()?;
    let redaction = app.redaction();
    let mut lessons = export::exported_lessons(&index, request.project.as_deref());
    let skills = match request.form {
        ExportForm::Skill => skill_names(&index, &redaction),
        _ => BTreeMap::new(),
    };
    if let Some(argument) = &request.note {
        let entry = note::find(&index, argument)?;
        lessons.retain(|lesson| lesson.path == entry.path.as_str());
        if lessons.is_empty() {
            return Err(ReviewError::NotActive { path: entry.path.to_string() }.into());
        }
    }
    let offered = lessons.iter_mut().map(|lesson| offer(lesson, &redaction)).collect();
    if let Some(chosen) = &request.chosen {
        lessons.retain(|lesson| chosen.contains(&lesson.path));
    }
    let place = |path: PathBuf| check_place(app, &path).map(|()| path);
    let mut exported =
        ExportPlan { lessons, offered, text: String::new(), files: Vec::new(), left: Vec::new() };
    let text = match request.form {
        ExportForm::Json => json(&exported.lessons)?,
        ExportForm::Markdown => export::render_document(&exported.lessons),
        ExportForm::ClaudeMd => export::render_instructions(&exported.lessons),
        ExportForm::Rules => {
            let rules = export::render_rule_files(&exported.lessons);
            if let Some(folder) = &request.to {
                for (name, text) in rules {
                    // Of one note, the files of other kinds stay as they are.
                    if request.note.is_none() || !text.is_empty() {
                        exported.put_block(&place(folder.join(name))?, &text, request.note.is_some())?;
                    }
                }
                return Ok(exported);
            }
            rules.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n")
        }
        ExportForm::Skill => {
            let skills = export::render_skills(&exported.lessons, &skills);
            if let Some(folder) = &request.to {
                for (name, text) in skills {
                    exported.put_new(place(folder.join(name).join("SKILL.md"))?, text)?;
                }
                return Ok(exported);
            }
            skills.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n")
        }
    };
    match (request.to.clone().map(place).transpose()?, request.form) {
        (Some(file), ExportForm::ClaudeMd) => exported.put_block(&file, &text, request.note.is_some())?,
        (Some(file), form) => exported.put_document(&file, form, text)?,
        (None, _) => exported.text = text,
    }
    Ok(exported)
}

/// Takes the secrets out of a lesson.
fn offer(lesson: &mut ExportedLesson, redaction: &Redaction) -> OfferedLesson {
    let (title, body) = (redaction.text(&lesson.title), redaction.text(&lesson.body));
    let has_secret = title != lesson.title || body != lesson.body;
    (lesson.title, lesson.body) = (title, body);
    OfferedLesson {
        path: lesson.path.clone(),
        kind: lesson.kind,
        title: lesson.title.clone(),
        project: lesson.project.clone(),
        has_secret,
    }
}

/// Of all lessons, whichever of them are exported.
fn skill_names(index: &VaultIndex, redaction: &Redaction) -> BTreeMap<String, String> {
    let mut all = export::exported_lessons(index, None);
    for lesson in &mut all {
        lesson.title = redaction.text(&lesson.title);
    }
    export::skill_names(&all)
}

/// Writes the files of an export, each only if it is still what the plan was made on; where one is not, none of them.
///
/// # Errors
/// [`ExportError::Changed`] for a file that changed, [`ExportError::Link`] for one that became a link and the others of a place that no export is
/// written to, otherwise [`Error::Io`].
pub fn write_export(app: &App, exported: &ExportPlan) -> Result<(), Error> {
    for file in &exported.files {
        check_place(app, &file.path)?;
        file.must_be_current()?;
    }
    for file in &exported.files {
        let error = |action| move |source| Error::Io { path: file.path.clone(), action, source };
        if let Some(folder) = file.path.parent() {
            fs::create_dir_all(folder).map_err(error("make its folder"))?;
        }
        file.must_be_current()?;
        replace_file(&file.path, file.after.as_bytes()).map_err(error("write the export"))?;
    }
    Ok(())
}

impl ExportFile {
    fn must_be_current(&self) -> Result<(), Error> {
        let is_current = read(&self.path)? == self.before;
        if is_current { Ok(()) } else { Err(ExportError::Changed { path: self.path.clone() }.into()) }
    }
}

impl ExportPlan {
    /// `before` is the text that was judged: what is there then has to be the same still.
    fn put(&mut self, path: &Path, before: Option<String>, after: String) {
        if before.as_deref() != Some(after.as_str()) {
            self.files.push(ExportFile { path: path.to_owned(), before, after });
        }
    }

    /// A file that is all ours: one that holds anything else stays.
    fn put_document(&mut self, path: &Path, form: ExportForm, after: String) -> Result<(), Error> {
        let before = read(path)?;
        let text = before.as_deref().unwrap_or_default();
        let after = match form {
            ExportForm::Json => replaceable_json(text).map(|()| after),
            _ => export::replace_document(text, &after),
        };
        let after = after.map_err(|reason| match reason {
            DocumentError::Foreign => ExportError::NotAnExport { path: path.to_owned() },
            DocumentError::Edited => ExportError::Edited { path: path.to_owned() },
        })?;
        self.put(path, before, after);
        Ok(())
    }

    /// A file that is begun and then a person's: one that is there is left alone.
    fn put_new(&mut self, path: PathBuf, after: String) -> Result<(), Error> {
        match read(&path)? {
            None => self.files.push(ExportFile { path, before: None, after }),
            Some(before) if before == after => {}
            Some(_) => self.left.push(format!("{}: it is there already", path.display())),
        }
        Ok(())
    }

    /// Puts lessons between the markers of a file: in the place of what is there, or `beside` it.
    fn put_block(&mut self, path: &Path, content: &str, beside: bool) -> Result<(), Error> {
        let before = read(path)?;
        let text = before.as_deref().unwrap_or_default();
        if !is_instructions(path) && !export::has_block(text) {
            return Err(ExportError::NotInstructions { path: path.to_owned() }.into());
        }
        let with_block = if beside { export::add_block_lines } else { export::replace_block };
        match with_block(text, content) {
            Ok(after) if after.is_empty() && before.is_none() => {}
            Ok(after) => self.put(path, before, after),
            Err(reason) => {
                let why = match reason {
                    BlockError::Edited => {
                        "what stands between its markers was changed; empty it to have it filled again"
                    }
                    BlockError::Damaged => {
                        "its markers are not as they were; take them out to have it filled again"
                    }
                };
                self.left.push(format!("{}: {why}", path.display()));
            }
        }
        Ok(())
    }
}

/// Whether a file may give way to an export as JSON: it is empty, or an earlier one that nobody changed.
fn replaceable_json(text: &str) -> Result<(), DocumentError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Ok(());
    }
    let document: serde_json::Value = serde_json::from_str(text).map_err(|_| DocumentError::Foreign)?;
    let mark = document["mark"].as_str().filter(|mark| mark.starts_with(MARK) && document["version"] == 1);
    let mark = mark.ok_or(DocumentError::Foreign)?;
    let is_ours = document.as_object().is_some_and(|fields| fields.len() == 3);
    if is_ours && mark == mark_of(&document["lessons"]) { Ok(()) } else { Err(DocumentError::Edited) }
}

/// How the mark of an export as JSON begins; a hash of its lessons follows.
const MARK: &str = "afterword:lessons ";

fn mark_of(lessons: &serde_json::Value) -> String {
    format!("{MARK}{}", export::content_mark(&lessons.to_string()))
}

fn json(lessons: &[ExportedLesson]) -> Result<String, Error> {
    let text = serde_json::to_value(lessons).and_then(|value| {
        serde_json::to_string_pretty(&Document { version: 1, mark: mark_of(&value), lessons })
    });
    let text = text.map_err(|source| Error::Io {
        path: PathBuf::new(),
        action: "write the lessons as JSON",
        source: source.into(),
    })?;
    Ok(format!("{text}\n"))
}

fn read(path: &Path) -> Result<Option<String>, Error> {
    match read_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Io { path: path.to_owned(), action: "read the file", source }),
    }
}
