//! How answers and failures are told: as data, and the same data as text.

use std::io;

use afterword_app::{Environment, Error, ErrorKind, Paths, log};
use afterword_core::hidden::escape_hidden;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::json;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};

/// What a tool gives: an answer, a failure the caller is told, or an argument that makes no sense.
#[derive(Debug)]
pub(crate) enum ToolFailure {
    /// The use case could not be carried out.
    Failed(Box<Error>),
    /// An argument makes no sense.
    Argument {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The answer could not be written down.
    Bug(String),
}

impl From<Error> for ToolFailure {
    fn from(error: Error) -> Self {
        Self::Failed(Box::new(error))
    }
}

impl ToolFailure {
    pub(crate) fn argument(name: &'static str, problem: impl Into<String>) -> Self {
        Self::Argument { name, problem: problem.into() }
    }
}

/// What the protocol is told: bad arguments are its own errors, what went wrong in a tool is a result marked as one.
/// What the caller cannot mend is written down in the log, and the answer says where that is.
pub(crate) fn tool_result(
    answer: Result<CallToolResult, ToolFailure>,
    environment: &Environment,
) -> Result<CallToolResult, ErrorData> {
    let log_hint = |kind| log::hint(&Paths::new(environment).ok()?, kind);
    match answer {
        Ok(result) => Ok(result),
        Err(ToolFailure::Argument { name, problem }) => {
            Err(ErrorData::invalid_params(format!("{name}: {problem}"), None))
        }
        Err(ToolFailure::Failed(error)) => {
            let mut hints = error.hints();
            if let Some(hint) = log_hint(error.kind()) {
                log::failure(&error);
                hints.push(hint);
            }
            let failure = json!({"error": escape_hidden(&error.chain()), "hints": hints});
            Ok(CallToolResult::structured_error(failure))
        }
        Err(ToolFailure::Bug(problem)) => {
            tracing::error!("{problem}");
            let hint = log_hint(ErrorKind::Bug).map(|hint| format!("; {hint}")).unwrap_or_default();
            Err(ErrorData::internal_error(problem + &hint, None))
        }
    }
}

/// Writes JSON whose texts hide nothing from whoever reads them: what is hidden is written out.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, text: &str) -> io::Result<()> {
        writer.write_all(escape_hidden(text).replace('\\', "\\\\").as_bytes())
    }

    fn write_char_escape<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        match escape {
            CharEscape::AsciiControl(byte) => write!(writer, "\\\\u{{{byte:x}}}"),
            CharEscape::Backspace => writer.write_all(b"\\\\u{8}"),
            CharEscape::FormFeed => writer.write_all(b"\\\\u{c}"),
            escape => CompactFormatter.write_char_escape(writer, escape),
        }
    }
}

/// An answer: structured, and the same as text in the order its fields have.
pub(crate) fn answer(value: &impl Serialize) -> Result<CallToolResult, ToolFailure> {
    let bug = |error: serde_json::Error| ToolFailure::Bug(error.to_string());
    let mut text = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Visible)).map_err(bug)?;
    let text = String::from_utf8(text).map_err(|error| ToolFailure::Bug(error.to_string()))?;
    let mut result = CallToolResult::structured(serde_json::from_str(&text).map_err(bug)?);
    result.content = vec![ContentBlock::text(text)];
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_names_the_log_where_the_caller_cannot_mend_it() {
        let environment = Environment {
            afterword_home: Some("/afterword".into()),
            ..afterword_app::environment_of_process()
        };
        let logs = log::directory(&Paths::new(&environment).unwrap()).display().to_string();
        let hints_of = |error: Error| {
            let told = tool_result(Err(error.into()), &environment).unwrap();
            let hints = told.structured_content.unwrap()["hints"].as_array().unwrap().clone();
            hints.iter().map(|hint| format!("{}\n", hint.as_str().unwrap())).collect::<String>()
        };
        let source = io::Error::other("the disk is on fire");
        let refused = Error::Io { path: "/x".into(), action: "open the database", source };
        assert!(hints_of(refused).contains(&logs));
        assert!(!hints_of(Error::NoHome).contains(&logs), "that is the person's to mend");
        let bug = tool_result(Err(ToolFailure::Bug("no answer".to_owned())), &environment);
        assert!(bug.unwrap_err().message.contains(&logs));
    }
}
