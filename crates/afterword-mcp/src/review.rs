//! `review`: the list and the answers to what waits.

use afterword_app::review::{self, EditedWords, QueueFilter, ReviewItem};
use jiff::Zoned;
use rmcp::model::CallToolResult;
use serde::Serialize;

use crate::answer::{ToolFailure, answer};
use crate::context::{ToolContext, check_length, check_name, number};
use crate::requests::{EditRequest, ListRequest, NoteRequest, RejectRequest, SupersedeRequest};

/// What is done with what waits.
pub(crate) const ACTIONS: [&str; 6] = ["list", "approve", "edit", "reject", "skip", "supersede"];
/// The longest words of a person, in bytes.
const LONGEST_WORDS: usize = 32 * 1024;

#[derive(Debug, Serialize)]
struct WaitingList {
    waiting: Vec<ReviewItem>,
}

pub(crate) fn list(context: &ToolContext, request: ListRequest) -> Result<CallToolResult, ToolFailure> {
    let limit = usize::try_from(number("limit", request.limit, 20, 100)?).ok();
    let filter = QueueFilter { project: request.project, waits: request.waits, limit };
    answer(&WaitingList { waiting: review::review_queue(&context.app()?, &filter, &Zoned::now())? })
}

pub(crate) fn approve(context: &ToolContext, request: &NoteRequest) -> Result<CallToolResult, ToolFailure> {
    answer(&review::approve(&context.app()?, check_name("id", &request.id)?, &Zoned::now())?)
}

pub(crate) fn skip(context: &ToolContext, request: &NoteRequest) -> Result<CallToolResult, ToolFailure> {
    answer(&review::skip(&context.app()?, check_name("id", &request.id)?, &Zoned::now())?)
}

pub(crate) fn edit(context: &ToolContext, request: EditRequest) -> Result<CallToolResult, ToolFailure> {
    let words = edited_words(request.title, request.body)?;
    if words == EditedWords::default() {
        return Err(ToolFailure::argument(
            "title",
            "give a title, a body, or both; `approve` changes nothing",
        ));
    }
    answer(&review::edit(&context.app()?, check_name("id", &request.id)?, &words, &Zoned::now())?)
}

pub(crate) fn reject(context: &ToolContext, request: RejectRequest) -> Result<CallToolResult, ToolFailure> {
    let scope = request.scope.unwrap_or_default();
    let reason = check_length("reason", request.reason, LONGEST_WORDS)?.unwrap_or_default();
    answer(&review::reject(&context.app()?, check_name("id", &request.id)?, &reason, scope, &Zoned::now())?)
}

pub(crate) fn supersede(
    context: &ToolContext,
    request: SupersedeRequest,
) -> Result<CallToolResult, ToolFailure> {
    let words = edited_words(request.title, request.body)?;
    let (id, old) = (check_name("id", &request.id)?, check_name("supersedes", &request.supersedes)?);
    answer(&review::supersede(&context.app()?, id, old, &words, &Zoned::now())?)
}

fn edited_words(title: Option<String>, body: Option<String>) -> Result<EditedWords, ToolFailure> {
    Ok(EditedWords {
        title: check_length("title", title, LONGEST_WORDS)?,
        body: check_length("body", body, LONGEST_WORDS)?,
    })
}
