//! `toolUseResult`, of which little is ever asked.

use crate::entry::{for_each_key, read_flag};
use crate::json::{Raw, Reader};

/// `toolUseResult` as it stands. A third of all bytes are in it and next to none is needed, so it is passed over, and
/// walked only for a call whose result may say more.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct ToolResult<'a>(pub(super) &'a str);

impl<'a> ToolResult<'a> {
    /// The value as it stands in the file; empty where there is none.
    pub(crate) fn text(self) -> &'a str {
        self.0
    }

    /// Whether the object's own field `name` is true.
    pub(crate) fn is_true(self, name: &str) -> bool {
        let bytes = self.0.as_bytes();
        // A key may be written with escapes; only without any can its absence be told at a glance.
        let plain = memchr::memmem::find(bytes, b"\\u").is_none();
        if plain && memchr::memmem::find(bytes, name.as_bytes()).is_none() {
            return false;
        }
        let mut says = false;
        // What was read before the fault counts.
        let _ = for_each_key(&mut Reader::new(self.0, 0), |key, reader| {
            if key == name {
                says = read_flag(reader)?;
            } else {
                reader.skip_value()?;
            }
            Ok(())
        });
        says
    }

    /// Whether it is an object or a list.
    pub(crate) fn is_structure(self) -> bool {
        self.0.starts_with(['{', '['])
    }

    /// Whether it is nothing but this text.
    pub(crate) fn is_text(self, text: &str) -> bool {
        matches!(Reader::new(self.0, 0).read_text(), Ok(Some(raw)) if raw.equals(text))
    }

    /// What the person answered to AskUserQuestion.
    pub(crate) fn questionnaire(self) -> Questionnaire<'a> {
        let mut result = Questionnaire::default();
        // What was read before the fault counts.
        let _ = for_each_key(&mut Reader::new(self.0, 0), |key, reader| {
            match key {
                "questions" => result.questions = Some(reader.skip_value()?),
                "answers" => result.answers = Some(reader.skip_value()?),
                "response" => result.response = reader.read_text()?,
                "annotations" => result.annotations = Some(reader.skip_value()?),
                _ => {
                    reader.skip_value()?;
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
