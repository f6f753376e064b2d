//! `toolUseResult`, of which little is ever asked.

use crate::entry::{flag, optional_text, walk};
use crate::json::{Raw, Reader};

/// `toolUseResult` as it stands. A third of all bytes are in it and next to none is needed, so it is passed over, and
/// walked only for a call whose result may say more.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct ToolResult<'a>(pub(super) &'a str);

impl<'a> ToolResult<'a> {
    /// Whether the object's own field `name` is true.
    pub(crate) fn says(self, name: &str) -> bool {
        if let Some(value) = self.last_field(name) {
            return value.starts_with("true");
        }
        if memchr::memmem::find(self.0.as_bytes(), name.as_bytes()).is_none() {
            return false;
        }
        let mut says = false;
        let _ = walk(&mut Reader::new(self.0, 0), |key, reader| {
            if key == name {
                says = flag(reader)?;
            } else {
                reader.skip()?;
            }
            Ok(())
        });
        says
    }

    /// What follows a field's colon, where it can be told from the end alone. Clients write flags last, after the
    /// long texts: with no bracket and no backslash between the key and the object's closing brace, the key stands
    /// in no string and in no inner object.
    fn last_field(self, name: &str) -> Option<&'a str> {
        let tail = self.0.get(self.0.len().saturating_sub(160)..)?;
        let at = tail.rfind(name)?;
        let value = tail[at + name.len()..].strip_prefix("\":")?;
        let inside = value.strip_suffix('}')?;
        let key = tail[..at].ends_with(",\"") || tail[..at].ends_with("{\"");
        (key && !inside.contains(['{', '}', '[', ']', '\\'])).then_some(value)
    }

    /// What the person answered to AskUserQuestion.
    pub(crate) fn questionnaire(self) -> Questionnaire<'a> {
        let mut result = Questionnaire::default();
        let _ = walk(&mut Reader::new(self.0, 0), |key, reader| {
            match key {
                "questions" => result.questions = Some(reader.skip()?),
                "answers" => result.answers = Some(reader.skip()?),
                "response" => result.response = optional_text(reader)?,
                "annotations" => result.annotations = Some(reader.skip()?),
                _ => {
                    reader.skip()?;
                }
            }
            Ok(())
        });
        result
    }
}

/// AskUserQuestion's structured result.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Questionnaire<'a> {
    /// The questions with their options, as JSON.
    pub(crate) questions: Option<&'a str>,
    /// Answers by question, as JSON.
    pub(crate) answers: Option<&'a str>,
    /// Words typed in place of all answers.
    pub(crate) response: Option<Raw<'a>>,
    /// Notes and previews by question, as JSON.
    pub(crate) annotations: Option<&'a str>,
}
