//! `afterword export`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::exchange::{self, ExportFile, ExportForm, ExportRequest};
use serde::Serialize;

use super::install::{ask, show_file};
use crate::arguments::{Export, ExportAs};
use crate::failure::Failure;
use crate::output::{Output, plain};

#[derive(Serialize)]
struct ExportView<'a> {
    version: u32,
    lessons: usize,
    written: bool,
    files: &'a [ExportFile],
    left: &'a [String],
}

pub(crate) fn run(arguments: &Export, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let form = match arguments.form {
        ExportAs::Json => ExportForm::Json,
        ExportAs::Markdown => ExportForm::Markdown,
        ExportAs::ClaudeMd => ExportForm::ClaudeMd,
        ExportAs::Rules => ExportForm::Rules,
        ExportAs::Skill => ExportForm::Skill,
    };
    let to = arguments.to.as_ref().map(std::path::absolute).transpose()?;
    let request = ExportRequest {
        form,
        project: arguments.project.clone(),
        note: arguments.note.clone(),
        chosen: None,
        to,
    };
    let exported = exchange::plan_export(&app, &request)?;
    for left in &exported.left {
        output.warning(&plain(left));
    }
    if request.to.is_none() {
        write!(output.data(), "{}", exported.text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let nothing = exported.files.is_empty();
    if !output.json {
        for file in &exported.files {
            show_file(&file.path, &file.before, &Some(file.after.clone()), output)?;
        }
    }
    let consent = &arguments.consent;
    let agreed = !nothing && !consent.dry_run && (consent.yes || (!output.json && ask(output)?));
    if agreed {
        exchange::write_export(&app, &exported)?;
    }
    if output.json {
        let (lessons, left) = (exported.lessons.len(), exported.left.as_slice());
        output.print_json(&ExportView {
            version: 1,
            lessons,
            written: agreed,
            files: &exported.files,
            left,
        })?;
    } else {
        super::print_end(nothing, agreed, consent, "Exported.", output);
    }
    let refused = (!nothing && !agreed && !consent.dry_run) || (nothing && !exported.left.is_empty());
    Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
