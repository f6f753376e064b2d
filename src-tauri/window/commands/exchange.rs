//! Lessons written by hand, and lessons given to files that Claude Code reads.

use std::io;
use std::path::PathBuf;

use afterword_app::error::ExportError;
use afterword_app::exchange::{
    ExportFile, ExportForm, ExportRequest, ImportPlan, ImportSource, OfferedLesson,
};
use afterword_app::lessons::LessonLine;
use afterword_app::saving::{SaveOutcome, SaveRequest};
use afterword_app::{Error, exchange, lessons, saving};
use afterword_core::{LessonKind, ProjectKey};
use jiff::Zoned;
use serde::{Deserialize, Serialize};
use tauri::AppHandle;

use super::{Answer, ask, change, pick};

/// What a file of instructions ends in.
const MARKDOWN: &str = "md";

/// A lesson as the person wrote it.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct WrittenLesson {
    kind: LessonKind,
    title: String,
    /// Markdown; empty where the title says all.
    body: String,
    /// The project it holds in, its directory or its name; `null` where it holds everywhere.
    project: Option<String>,
}

/// What became of a lesson that the person wrote.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
pub(crate) struct SavedLesson {
    outcome: SaveOutcome,
    /// The lesson that says it now; `null` where the person deleted it before.
    lesson: Option<LessonLine>,
}

/// Saves a lesson that the person wrote.
#[tauri::command]
pub(crate) async fn write_lesson(app: AppHandle, lesson: WrittenLesson) -> Answer<SavedLesson> {
    let request = SaveRequest {
        kind: lesson.kind,
        title: lesson.title,
        body: lesson.body,
        project: lesson.project.map(|project| ProjectKey::from_cwd(&project)),
        session: None,
    };
    change(&app, move |app| {
        let saved = saving::write_lesson(&app, &request, &Zoned::now())?;
        let lesson = saved.path.and_then(|path| lessons::note_line(&app, &path));
        Ok(SavedLesson { outcome: saved.outcome, lesson })
    })
    .await
}

/// The form of an export.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "ExportForm"))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    ClaudeMd,
    Rules,
}

/// What an export would do.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "ExportPlan"))]
pub(crate) struct ExportView {
    /// How many are chosen.
    lessons: usize,
    /// Those that can be chosen.
    offered: Vec<OfferedLesson>,
    files: Vec<ExportFile>,
    /// Files that are left alone, and why.
    left: Vec<String>,
}

/// An export as the window asks for it.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "ExportRequest"))]
pub(crate) struct WindowExportRequest {
    form: Form,
    /// Only lessons of this project and those that hold everywhere.
    project: Option<String>,
    /// Of those only the ones whose notes have these paths; `null` for all.
    chosen: Option<Vec<String>>,
    /// The file, or for rules the folder.
    to: PathBuf,
}

impl From<WindowExportRequest> for ExportRequest {
    fn from(wish: WindowExportRequest) -> Self {
        let form = match wish.form {
            Form::ClaudeMd => ExportForm::ClaudeMd,
            Form::Rules => ExportForm::Rules,
        };
        Self { form, project: wish.project, note: None, chosen: wish.chosen, to: Some(wish.to) }
    }
}

/// Shows what an export would change.
#[tauri::command]
pub(crate) async fn plan_export(app: AppHandle, request: WindowExportRequest) -> Answer<ExportView> {
    ask(&app, move |app| {
        let planned = exchange::plan_export(&app, &request.into())?;
        Ok(ExportView {
            lessons: planned.lessons.len(),
            offered: planned.offered,
            files: planned.files,
            left: planned.left,
        })
    })
    .await
}

/// Writes what was seen: where anything differs by now, nothing.
#[tauri::command]
pub(crate) async fn write_export(
    app: AppHandle,
    request: WindowExportRequest,
    seen: Vec<String>,
) -> Answer<()> {
    change(&app, move |app| {
        let planned = exchange::plan_export(&app, &request.into())?;
        if !planned.files.iter().map(|file| &file.after).eq(&seen) {
            return Err(ExportError::OtherLessons.into());
        }
        exchange::write_export(&app, &planned)
    })
    .await
}

/// Where lessons are imported from.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "ImportSource"))]
#[serde(tag = "from", rename_all = "lowercase")]
pub(crate) enum Source {
    /// What Claude Code wrote down by itself.
    Memory,
    /// A file of instructions.
    Rules { file: PathBuf, project: Option<String> },
    /// A folder of notes that another tool wrote.
    Notes { folder: PathBuf, project: Option<String> },
}

impl Source {
    /// The same for the use case. A file of instructions is one the dialog offers: what a page names beyond it is not read.
    fn checked(self) -> Result<ImportSource, Error> {
        Ok(match self {
            Self::Memory => ImportSource::ClaudeMemory,
            Self::Rules { file, project } => {
                let error = |source| Error::Io { path: file.clone(), action: "read the file", source };
                let real = file.canonicalize().map_err(error)?;
                if !real.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(MARKDOWN)) {
                    return Err(error(io::Error::other("it is no Markdown: its name does not end in .md")));
                }
                ImportSource::Rules { files: vec![file], project }
            }
            Self::Notes { folder, project } => ImportSource::Notes { folder, project },
        })
    }
}

/// Shows what an import would write.
#[tauri::command]
pub(crate) async fn plan_import(app: AppHandle, source: Source) -> Answer<ImportPlan> {
    ask(&app, move |app| exchange::plan_import(&app, &source.checked()?, &Zoned::now())).await
}

/// Writes the notes of an import that were chosen, by their paths.
#[tauri::command]
pub(crate) async fn write_import(app: AppHandle, source: Source, chosen: Vec<String>) -> Answer<ImportPlan> {
    change(&app, move |app| {
        let now = Zoned::now();
        let planned = exchange::plan_import(&app, &source.checked()?, &now)?.with_only(chosen);
        exchange::import(&app, &planned, &now)
    })
    .await
}

/// Lets the person choose a file that is there.
#[tauri::command]
pub(crate) async fn choose_file(app: AppHandle) -> Answer<Option<PathBuf>> {
    pick(&app, |dialog| dialog.add_filter("markdown", &[MARKDOWN]).blocking_pick_file()).await
}

/// Lets the person name a file that may be there.
#[tauri::command]
pub(crate) async fn pick_file(app: AppHandle, name: String) -> Answer<Option<PathBuf>> {
    pick(&app, move |dialog| dialog.set_file_name(name).blocking_save_file()).await
}
