//! `afterword feedback [NOTE WORTH]`

use std::io::Write;
use std::process::ExitCode;

use afterword_app::feedback::{self, LessonUsefulness, NewFeedback};
use jiff::Timestamp;
use serde::Serialize;

use crate::arguments::Feedback;
use crate::failure::Failure;
use crate::output::{ATTENTION, DIM, Output, plain};

#[derive(Serialize)]
struct FeedbackView {
    version: u32,
    id: String,
    worth: &'static str,
}

#[derive(Serialize)]
struct ListView {
    version: u32,
    lessons: Vec<LessonView>,
}

#[derive(Serialize)]
struct LessonView {
    id: String,
    title: String,
    path: String,
    #[serde(flatten)]
    worth: LessonUsefulness,
    /// It never helps, and may as well be archived.
    worthless: bool,
}

pub(crate) fn run(arguments: &Feedback, output: &mut Output) -> Result<ExitCode, Failure> {
    let app = super::app()?;
    let now = Timestamp::now();
    let (Some(note), Some(worth)) = (&arguments.note, arguments.worth) else {
        let known = feedback::weighed_lessons(&app, now)?;
        let lessons: Vec<LessonView> = known
            .into_iter()
            .map(|one| LessonView {
                id: one.id.to_string(),
                worthless: one.worth.is_worthless(),
                title: one.title,
                path: one.path,
                worth: one.worth,
            })
            .collect();
        list(&lessons, output)?;
        if output.json {
            output.print_json(&ListView { version: 1, lessons })?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let given = NewFeedback {
        note: note.clone(),
        worth,
        session: None,
        source: "person",
        reason: arguments.reason.clone(),
    };
    let id = feedback::give_feedback(&app, &given, now)?;
    if output.json {
        output.print_json(&FeedbackView { version: 1, id: id.to_string(), worth: worth.as_str() })?;
    } else {
        let _ = writeln!(output.talk(), "remembered: {}", worth.as_str());
    }
    Ok(ExitCode::SUCCESS)
}

fn list(lessons: &[LessonView], output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return Ok(());
    }
    for lesson in lessons {
        let LessonUsefulness { shown, applied, helped, ignored, contradicted, bonus } = lesson.worth;
        let out = output.data();
        writeln!(out, "{bonus:+.2}  {}", plain(&lesson.title))?;
        writeln!(
            out,
            "       {DIM}given {shown}, applied {applied}, helped {helped}, ignored {ignored}, contradicted {contradicted}  {}{DIM:#}",
            plain(&lesson.path)
        )?;
        if lesson.worthless {
            writeln!(
                out,
                "       {ATTENTION}it never helps: `afterword review archive {}` puts it away{ATTENTION:#}",
                lesson.id
            )?;
        }
    }
    if lessons.is_empty() {
        let _ = writeln!(output.talk(), "no lesson was given to a session yet");
    }
    Ok(())
}
