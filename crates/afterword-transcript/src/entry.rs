//! One entry of a transcript, as far as the rest of the room needs it.
//!
//! It owns the names of the fields Claude Code writes (the format is internal to it; names and shapes are those
//! counted over versions 1.0.0 to 2.1.330). It borrows everything and decodes nothing, so that what the filter
//! drops is never paid for. It judges nothing: who said what is the filter's business. Start at [`parse`].

mod header;
mod result;

use std::borrow::Cow;

use crate::json::{JsonError, JsonValue, Raw, Reader};
pub(crate) use header::Header;
use header::is_header_key;
pub(crate) use result::{Questionnaire, ToolResult};

/// An entry's fields; a text that is missing or of another type is empty.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Entry<'a> {
    pub(crate) kind: Raw<'a>,
    /// `subtype` of system lines, `operation` of queue operations, `data.type` of progress, `attachment.type`.
    pub(crate) detail: Raw<'a>,
    pub(crate) uuid: Raw<'a>,
    /// The entry this one follows in the conversation; empty where there is none.
    pub(crate) parent_uuid: Raw<'a>,
    /// `parentUuid` is null: the first entry of a conversation.
    pub(crate) is_root: bool,
    pub(crate) session_id: Raw<'a>,
    pub(crate) agent_id: Raw<'a>,
    pub(crate) timestamp: Raw<'a>,
    pub(crate) cwd: Raw<'a>,
    pub(crate) git_branch: Raw<'a>,
    pub(crate) version: Raw<'a>,
    pub(crate) entrypoint: Raw<'a>,
    pub(crate) prompt_source: Raw<'a>,
    /// `origin.kind`, which newer clients put on prompts no person typed.
    pub(crate) origin_kind: Raw<'a>,
    /// Why a call did not run (`toolDenialKind`, newer clients).
    pub(crate) denial_kind: Raw<'a>,
    /// Who decided whether a call may run (`permissionDecision`, newer clients).
    pub(crate) permission: Permission<'a>,
    /// What the person typed while deciding (`userFeedback`, newer clients).
    pub(crate) user_feedback: Raw<'a>,
    pub(crate) summary: Raw<'a>,
    pub(crate) leaf_uuid: Raw<'a>,
    pub(crate) ai_title: Raw<'a>,
    pub(crate) custom_title: Raw<'a>,
    /// Top-level `content`: of queue operations and system lines.
    pub(crate) content: Option<Raw<'a>>,
    /// Why a message was taken out of the queue (`reason`, newer clients).
    pub(crate) reason: Raw<'a>,
    pub(crate) is_sidechain: bool,
    pub(crate) is_meta: bool,
    pub(crate) is_compact_summary: bool,
    pub(crate) is_api_error: bool,
    pub(crate) has_plan: bool,
    /// The accepted plan that a message carries into a fresh context.
    pub(crate) plan: Raw<'a>,
    /// A timer of the client's sent the message (`wakeupSource`, `scheduledTaskId`).
    pub(crate) is_scheduled: bool,
    /// The text is not as somebody typed it (`textNotTyped`), a call of a tool put it there (`sourceToolUseID`), or the
    /// client shows it without sending it (`isVisibleInTranscriptOnly`).
    pub(crate) is_untyped: bool,
    pub(crate) is_forked: bool,
    pub(crate) message: Option<Message<'a>>,
    pub(crate) attachment: Option<Attachment<'a>>,
    pub(crate) result: ToolResult<'a>,
}

/// Who decided whether a call may run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Permission<'a> {
    /// `accept` or `reject`.
    pub(crate) decision: Raw<'a>,
    /// `user_temporary`, `user_permanent`, `user_reject`, `user_abort`, `hook`, `config`, `classifier`, `unknown`.
    pub(crate) source: Raw<'a>,
}

/// The message of a user or assistant entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Message<'a> {
    pub(crate) id: Raw<'a>,
    pub(crate) model: Raw<'a>,
    pub(crate) content: Content<'a>,
    pub(crate) usage: Option<RawUsage>,
}

/// Tokens as one line states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RawUsage {
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) cache_read: u64,
    pub(crate) cache_write: u64,
}

/// Text or blocks.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Content<'a> {
    #[default]
    Missing,
    Text(Raw<'a>),
    Blocks(Vec<Block<'a>>),
}

/// One content block.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block<'a> {
    Text(Raw<'a>),
    ToolUse {
        id: Raw<'a>,
        name: Raw<'a>,
        input: &'a str,
    },
    ToolResult {
        call: Raw<'a>,
        is_error: bool,
        content: Content<'a>,
    },
    /// An image or a document, by its type.
    Media(Raw<'a>),
    Thinking,
    /// A block of another type.
    Other(Raw<'a>),
}

/// An attachment line's payload: a queued command is the one kind that holds words.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Attachment<'a> {
    pub(crate) prompt: Content<'a>,
    pub(crate) command_mode: Raw<'a>,
    pub(crate) origin_kind: Raw<'a>,
    pub(crate) is_meta: bool,
}

/// Reads the entry that starts at byte `at` of a line; also gives the offset after it.
///
/// `Ok(None)` stands for JSON that is not an object. `header` carries what the last entry began with.
pub(crate) fn parse<'a>(
    line: &'a str,
    at: usize,
    header: &mut Header,
) -> Result<(Option<Entry<'a>>, usize), JsonError> {
    let mut reader = Reader::new(line, at);
    if reader.skip_space() != Some(b'{') {
        reader.skip_value()?;
        return Ok((None, reader.position()));
    }
    reader.next_value()?;
    let mut entry = Entry::default();
    let mut first = true;
    // Where a run of header fields began that is not the remembered one.
    let mut run = None;
    loop {
        let (before, opening) = (reader.position(), first);
        let Some(key) = reader.next_key(&mut first)? else { break };
        if opening && key.0 == "parentUuid" {
            read_parent(&mut entry, &mut reader)?;
            if !header.recall(&mut entry, &mut reader) {
                run = Some(reader.position());
            }
            continue;
        }
        if let Some(from) = run
            && !is_header_key(key.0)
        {
            header.remember(line, from, before, &entry);
            run = None;
        }
        let key = if key.0.contains('\\') { key.decode() } else { Cow::Borrowed(key.0) };
        read_field(&mut entry, &key, &mut reader)?;
    }
    Ok((Some(entry), reader.position()))
}

fn read_field<'a>(entry: &mut Entry<'a>, key: &str, reader: &mut Reader<'a>) -> Result<(), JsonError> {
    match key {
        "type" => entry.kind = read_text(reader)?,
        "subtype" | "operation" => entry.detail = read_text(reader)?,
        "uuid" => entry.uuid = read_text(reader)?,
        "parentUuid" => read_parent(entry, reader)?,
        "sessionId" => entry.session_id = read_text(reader)?,
        "agentId" => entry.agent_id = read_text(reader)?,
        "timestamp" => entry.timestamp = read_text(reader)?,
        "cwd" => entry.cwd = read_text(reader)?,
        "gitBranch" => entry.git_branch = read_text(reader)?,
        "version" => entry.version = read_text(reader)?,
        "entrypoint" => entry.entrypoint = read_text(reader)?,
        "promptSource" => entry.prompt_source = read_text(reader)?,
        "summary" => entry.summary = read_text(reader)?,
        "leafUuid" => entry.leaf_uuid = read_text(reader)?,
        "aiTitle" => entry.ai_title = read_text(reader)?,
        "customTitle" => entry.custom_title = read_text(reader)?,
        "content" => entry.content = reader.read_text()?,
        "reason" => entry.reason = read_text(reader)?,
        "isSidechain" => entry.is_sidechain = read_flag(reader)?,
        "isMeta" => entry.is_meta = read_flag(reader)?,
        "isCompactSummary" => entry.is_compact_summary = read_flag(reader)?,
        "isApiErrorMessage" => entry.is_api_error = read_flag(reader)?,
        "planContent" => {
            if reader.skip_space() == Some(b'"') {
                (entry.has_plan, entry.plan) = (true, read_text(reader)?);
            } else {
                entry.has_plan = read_presence(reader)?;
            }
        }
        "toolDenialKind" => entry.denial_kind = read_text(reader)?,
        "userFeedback" => entry.user_feedback = read_text(reader)?,
        "permissionDecision" => entry.permission = read_permission(reader)?,
        "wakeupSource" | "scheduledTaskId" => entry.is_scheduled |= read_presence(reader)?,
        "textNotTyped" | "isVisibleInTranscriptOnly" => entry.is_untyped |= read_flag(reader)?,
        "sourceToolUseID" => entry.is_untyped |= read_presence(reader)?,
        "forkedFrom" => entry.is_forked = read_presence(reader)?,
        "message" => entry.message = read_message(reader)?,
        "attachment" => {
            if let Some((kind, attachment)) = read_attachment(reader)? {
                entry.detail = kind;
                entry.attachment = Some(attachment);
            }
        }
        "data" => {
            if let Some(kind) = read_inner_text(reader, "type")? {
                entry.detail = kind;
            }
        }
        "origin" => entry.origin_kind = read_inner_text(reader, "kind")?.unwrap_or_default(),
        "toolUseResult" => entry.result = ToolResult(reader.skip_value()?),
        _ => {
            reader.skip_value()?;
        }
    }
    Ok(())
}

fn read_parent<'a>(entry: &mut Entry<'a>, reader: &mut Reader<'a>) -> Result<(), JsonError> {
    entry.is_root = reader.skip_space() == Some(b'n');
    entry.parent_uuid = read_text(reader)?;
    Ok(())
}

fn read_permission<'a>(reader: &mut Reader<'a>) -> Result<Permission<'a>, JsonError> {
    let mut permission = Permission::default();
    for_each_key(reader, |key, reader| {
        match key {
            "decision" => permission.decision = read_text(reader)?,
            "source" => permission.source = read_text(reader)?,
            _ => {
                reader.skip_value()?;
            }
        }
        Ok(())
    })?;
    Ok(permission)
}

fn read_text<'a>(reader: &mut Reader<'a>) -> Result<Raw<'a>, JsonError> {
    reader.read_text().map(Option::unwrap_or_default)
}

fn read_flag(reader: &mut Reader<'_>) -> Result<bool, JsonError> {
    match reader.next_value()? {
        JsonValue::Flag(flag) => Ok(flag),
        JsonValue::Object | JsonValue::Array => reader.skip_container().map(|()| false),
        _ => Ok(false),
    }
}

fn read_number(reader: &mut Reader<'_>) -> Result<u64, JsonError> {
    match reader.next_value()? {
        JsonValue::Number(digits) => Ok(digits.parse().unwrap_or(0)),
        JsonValue::Object | JsonValue::Array => reader.skip_container().map(|()| 0),
        _ => Ok(0),
    }
}

/// Passes a value; whether it is anything but null.
fn read_presence(reader: &mut Reader<'_>) -> Result<bool, JsonError> {
    match reader.next_value()? {
        JsonValue::Null => Ok(false),
        JsonValue::Object | JsonValue::Array => reader.skip_container().map(|()| true),
        _ => Ok(true),
    }
}

/// Walks an object's keys; false, the value passed, where it is none.
fn for_each_key<'a>(
    reader: &mut Reader<'a>,
    mut visit: impl FnMut(&str, &mut Reader<'a>) -> Result<(), JsonError>,
) -> Result<bool, JsonError> {
    match reader.next_value()? {
        JsonValue::Object => {
            let mut first = true;
            while let Some(key) = reader.next_key(&mut first)? {
                if key.0.contains('\\') {
                    visit(&key.decode(), reader)?;
                } else {
                    visit(key.0, reader)?;
                }
            }
            Ok(true)
        }
        JsonValue::Array => reader.skip_container().map(|()| false),
        _ => Ok(false),
    }
}

/// Passes an object; the text under one of its keys.
fn read_inner_text<'a>(reader: &mut Reader<'a>, wanted: &str) -> Result<Option<Raw<'a>>, JsonError> {
    let mut found = None;
    for_each_key(reader, |key, reader| {
        if key == wanted {
            found = reader.read_text()?;
        } else {
            reader.skip_value()?;
        }
        Ok(())
    })?;
    Ok(found)
}

fn read_message<'a>(reader: &mut Reader<'a>) -> Result<Option<Message<'a>>, JsonError> {
    let mut message = Message::default();
    if reader.skip_space() == Some(b'"') {
        // Seen once: the whole message is a plain string.
        message.content = Content::Text(read_text(reader)?);
        return Ok(Some(message));
    }
    let object = for_each_key(reader, |key, reader| {
        match key {
            "id" => message.id = read_text(reader)?,
            "model" => message.model = read_text(reader)?,
            "content" => message.content = read_content(reader, true)?,
            "usage" => message.usage = read_usage(reader)?,
            _ => {
                reader.skip_value()?;
            }
        }
        Ok(())
    })?;
    Ok(object.then_some(message))
}

fn read_usage(reader: &mut Reader<'_>) -> Result<Option<RawUsage>, JsonError> {
    let mut usage = RawUsage::default();
    let object = for_each_key(reader, |key, reader| {
        match key {
            "input_tokens" => usage.input = read_number(reader)?,
            "output_tokens" => usage.output = read_number(reader)?,
            "cache_read_input_tokens" => usage.cache_read = read_number(reader)?,
            "cache_creation_input_tokens" => usage.cache_write = read_number(reader)?,
            _ => {
                reader.skip_value()?;
            }
        }
        Ok(())
    })?;
    Ok(object.then_some(usage))
}

/// Reads text or blocks; `outer` blocks may hold tool results, whose own blocks are read too, and no deeper.
fn read_content<'a>(reader: &mut Reader<'a>, outer: bool) -> Result<Content<'a>, JsonError> {
    match reader.next_value()? {
        JsonValue::Text(text) => Ok(Content::Text(text)),
        JsonValue::Array => {
            let mut blocks = Vec::new();
            let mut first = true;
            while reader.next_item(&mut first)? {
                if reader.skip_space() == Some(b'"') {
                    blocks.push(Block::Text(read_text(reader)?));
                } else if let Some(block) = read_block(reader, outer)? {
                    blocks.push(block);
                }
            }
            Ok(Content::Blocks(blocks))
        }
        JsonValue::Object => reader.skip_container().map(|()| Content::Missing),
        _ => Ok(Content::Missing),
    }
}

fn read_block<'a>(reader: &mut Reader<'a>, outer: bool) -> Result<Option<Block<'a>>, JsonError> {
    let (mut kind, mut words, mut id, mut name, mut call) =
        (Raw::default(), Raw::default(), Raw::default(), Raw::default(), Raw::default());
    let (mut input, mut is_error, mut inner) = ("", false, Content::Missing);
    let object = for_each_key(reader, |key, reader| {
        match key {
            "type" => kind = read_text(reader)?,
            "text" => words = read_text(reader)?,
            "id" => id = read_text(reader)?,
            "name" => name = read_text(reader)?,
            "input" => input = reader.skip_value()?,
            "tool_use_id" => call = read_text(reader)?,
            "is_error" => is_error = read_flag(reader)?,
            "content" if outer => inner = read_content(reader, false)?,
            _ => {
                reader.skip_value()?;
            }
        }
        Ok(())
    })?;
    Ok(object.then_some(match &*kind.decode() {
        "text" => Block::Text(words),
        "tool_use" => Block::ToolUse { id, name, input },
        "tool_result" => Block::ToolResult { call, is_error, content: inner },
        "image" | "document" => Block::Media(kind),
        "thinking" | "redacted_thinking" => Block::Thinking,
        _ => Block::Other(kind),
    }))
}

fn read_attachment<'a>(reader: &mut Reader<'a>) -> Result<Option<(Raw<'a>, Attachment<'a>)>, JsonError> {
    let mut kind = Raw::default();
    let mut attachment = Attachment::default();
    let object = for_each_key(reader, |key, reader| {
        match key {
            "type" => kind = read_text(reader)?,
            "prompt" => attachment.prompt = read_content(reader, false)?,
            "commandMode" => attachment.command_mode = read_text(reader)?,
            "origin" => attachment.origin_kind = read_inner_text(reader, "kind")?.unwrap_or_default(),
            "isMeta" => attachment.is_meta = read_flag(reader)?,
            _ => {
                reader.skip_value()?;
            }
        }
        Ok(())
    })?;
    Ok(object.then_some((kind, attachment)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
mod reference;
