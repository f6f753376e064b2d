//! One entry of a transcript, as far as the rest of the room needs it.
//!
//! It owns the names of the fields Claude Code writes (the format is internal to it; names and shapes are those
//! counted over versions 1.0.0 to 2.1.330). It borrows everything and decodes nothing, so that what the filter
//! drops is never paid for. It judges nothing: who said what is the filter's business. Start at [`parse`].

mod header;
mod result;

use std::borrow::Cow;

use crate::json::{Flaw, Next, Raw, Reader};
pub(crate) use header::Header;
use header::is_header;
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
    /// An image or a document.
    Media,
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
) -> Result<(Option<Entry<'a>>, usize), Flaw> {
    let mut reader = Reader::new(line, at);
    if reader.space() != Some(b'{') {
        reader.skip()?;
        return Ok((None, reader.position()));
    }
    reader.next()?;
    let mut entry = Entry::default();
    let mut first = true;
    // Where a run of header fields began that is not the remembered one.
    let mut run = None;
    loop {
        let (before, opening) = (reader.position(), first);
        let Some(key) = reader.key(&mut first)? else { break };
        if opening && key.0 == "parentUuid" {
            parent(&mut entry, &mut reader)?;
            if !header.recall(&mut entry, &mut reader) {
                run = Some(reader.position());
            }
            continue;
        }
        if let Some(from) = run
            && !is_header(key.0)
        {
            header.remember(line, from, before, &entry);
            run = None;
        }
        let key = if key.0.contains('\\') { key.decode() } else { Cow::Borrowed(key.0) };
        field(&mut entry, &key, &mut reader)?;
    }
    Ok((Some(entry), reader.position()))
}

fn field<'a>(entry: &mut Entry<'a>, key: &str, reader: &mut Reader<'a>) -> Result<(), Flaw> {
    match key {
        "type" => entry.kind = text(reader)?,
        "subtype" | "operation" => entry.detail = text(reader)?,
        "uuid" => entry.uuid = text(reader)?,
        "parentUuid" => parent(entry, reader)?,
        "sessionId" => entry.session_id = text(reader)?,
        "agentId" => entry.agent_id = text(reader)?,
        "timestamp" => entry.timestamp = text(reader)?,
        "cwd" => entry.cwd = text(reader)?,
        "gitBranch" => entry.git_branch = text(reader)?,
        "version" => entry.version = text(reader)?,
        "entrypoint" => entry.entrypoint = text(reader)?,
        "promptSource" => entry.prompt_source = text(reader)?,
        "summary" => entry.summary = text(reader)?,
        "leafUuid" => entry.leaf_uuid = text(reader)?,
        "aiTitle" => entry.ai_title = text(reader)?,
        "customTitle" => entry.custom_title = text(reader)?,
        "content" => entry.content = reader.text()?,
        "reason" => entry.reason = text(reader)?,
        "isSidechain" => entry.is_sidechain = flag(reader)?,
        "isMeta" => entry.is_meta = flag(reader)?,
        "isCompactSummary" => entry.is_compact_summary = flag(reader)?,
        "isApiErrorMessage" => entry.is_api_error = flag(reader)?,
        "planContent" => {
            if reader.space() == Some(b'"') {
                (entry.has_plan, entry.plan) = (true, text(reader)?);
            } else {
                entry.has_plan = present(reader)?;
            }
        }
        "toolDenialKind" => entry.denial_kind = text(reader)?,
        "userFeedback" => entry.user_feedback = text(reader)?,
        "permissionDecision" => entry.permission = permission(reader)?,
        "wakeupSource" | "scheduledTaskId" => entry.is_scheduled |= present(reader)?,
        "textNotTyped" | "isVisibleInTranscriptOnly" => entry.is_untyped |= flag(reader)?,
        "sourceToolUseID" => entry.is_untyped |= present(reader)?,
        "forkedFrom" => entry.is_forked = present(reader)?,
        "message" => entry.message = message(reader)?,
        "attachment" => {
            if let Some((kind, attachment)) = attachment(reader)? {
                entry.detail = kind;
                entry.attachment = Some(attachment);
            }
        }
        "data" => {
            if let Some(kind) = inner_text(reader, "type")? {
                entry.detail = kind;
            }
        }
        "origin" => entry.origin_kind = inner_text(reader, "kind")?.unwrap_or_default(),
        "toolUseResult" => entry.result = ToolResult(reader.skip()?),
        _ => {
            reader.skip()?;
        }
    }
    Ok(())
}

fn parent<'a>(entry: &mut Entry<'a>, reader: &mut Reader<'a>) -> Result<(), Flaw> {
    entry.is_root = reader.space() == Some(b'n');
    entry.parent_uuid = text(reader)?;
    Ok(())
}

fn permission<'a>(reader: &mut Reader<'a>) -> Result<Permission<'a>, Flaw> {
    let mut permission = Permission::default();
    walk(reader, |key, reader| {
        match key {
            "decision" => permission.decision = text(reader)?,
            "source" => permission.source = text(reader)?,
            _ => {
                reader.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(permission)
}

fn text<'a>(reader: &mut Reader<'a>) -> Result<Raw<'a>, Flaw> {
    reader.text().map(Option::unwrap_or_default)
}

fn flag(reader: &mut Reader<'_>) -> Result<bool, Flaw> {
    match reader.next()? {
        Next::Flag(flag) => Ok(flag),
        Next::Object | Next::Array => reader.leave().map(|()| false),
        _ => Ok(false),
    }
}

fn number(reader: &mut Reader<'_>) -> Result<u64, Flaw> {
    match reader.next()? {
        Next::Number(digits) => Ok(digits.parse().unwrap_or(0)),
        Next::Object | Next::Array => reader.leave().map(|()| 0),
        _ => Ok(0),
    }
}

/// Passes a value; whether it is anything but null.
fn present(reader: &mut Reader<'_>) -> Result<bool, Flaw> {
    match reader.next()? {
        Next::Null => Ok(false),
        Next::Object | Next::Array => reader.leave().map(|()| true),
        _ => Ok(true),
    }
}

/// Walks an object's keys; false, the value passed, where it is none.
fn walk<'a>(
    reader: &mut Reader<'a>,
    mut visit: impl FnMut(&str, &mut Reader<'a>) -> Result<(), Flaw>,
) -> Result<bool, Flaw> {
    match reader.next()? {
        Next::Object => {
            let mut first = true;
            while let Some(key) = reader.key(&mut first)? {
                if key.0.contains('\\') {
                    visit(&key.decode(), reader)?;
                } else {
                    visit(key.0, reader)?;
                }
            }
            Ok(true)
        }
        Next::Array => reader.leave().map(|()| false),
        _ => Ok(false),
    }
}

/// Passes an object; the text under one of its keys.
fn inner_text<'a>(reader: &mut Reader<'a>, wanted: &str) -> Result<Option<Raw<'a>>, Flaw> {
    let mut found = None;
    walk(reader, |key, reader| {
        if key == wanted {
            found = reader.text()?;
        } else {
            reader.skip()?;
        }
        Ok(())
    })?;
    Ok(found)
}

fn message<'a>(reader: &mut Reader<'a>) -> Result<Option<Message<'a>>, Flaw> {
    let mut message = Message::default();
    if reader.space() == Some(b'"') {
        // Seen once: the whole message is a plain string.
        message.content = Content::Text(text(reader)?);
        return Ok(Some(message));
    }
    let object = walk(reader, |key, reader| {
        match key {
            "id" => message.id = text(reader)?,
            "model" => message.model = text(reader)?,
            "content" => message.content = content(reader, true)?,
            "usage" => message.usage = usage(reader)?,
            _ => {
                reader.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(object.then_some(message))
}

fn usage(reader: &mut Reader<'_>) -> Result<Option<RawUsage>, Flaw> {
    let mut usage = RawUsage::default();
    let object = walk(reader, |key, reader| {
        match key {
            "input_tokens" => usage.input = number(reader)?,
            "output_tokens" => usage.output = number(reader)?,
            "cache_read_input_tokens" => usage.cache_read = number(reader)?,
            "cache_creation_input_tokens" => usage.cache_write = number(reader)?,
            _ => {
                reader.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(object.then_some(usage))
}

/// Reads text or blocks; `outer` blocks may hold tool results, whose own blocks are read too, and no deeper.
fn content<'a>(reader: &mut Reader<'a>, outer: bool) -> Result<Content<'a>, Flaw> {
    match reader.next()? {
        Next::Text(text) => Ok(Content::Text(text)),
        Next::Array => {
            let mut blocks = Vec::new();
            let mut first = true;
            while reader.item(&mut first)? {
                if reader.space() == Some(b'"') {
                    blocks.push(Block::Text(text(reader)?));
                } else if let Some(block) = block(reader, outer)? {
                    blocks.push(block);
                }
            }
            Ok(Content::Blocks(blocks))
        }
        Next::Object => reader.leave().map(|()| Content::Missing),
        _ => Ok(Content::Missing),
    }
}

fn block<'a>(reader: &mut Reader<'a>, outer: bool) -> Result<Option<Block<'a>>, Flaw> {
    let (mut kind, mut words, mut id, mut name, mut call) =
        (Raw::default(), Raw::default(), Raw::default(), Raw::default(), Raw::default());
    let (mut input, mut is_error, mut inner) = ("", false, Content::Missing);
    let object = walk(reader, |key, reader| {
        match key {
            "type" => kind = text(reader)?,
            "text" => words = text(reader)?,
            "id" => id = text(reader)?,
            "name" => name = text(reader)?,
            "input" => input = reader.skip()?,
            "tool_use_id" => call = text(reader)?,
            "is_error" => is_error = flag(reader)?,
            "content" if outer => inner = content(reader, false)?,
            _ => {
                reader.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(object.then_some(match &*kind.decode() {
        "text" => Block::Text(words),
        "tool_use" => Block::ToolUse { id, name, input },
        "tool_result" => Block::ToolResult { call, is_error, content: inner },
        "image" | "document" => Block::Media,
        "thinking" | "redacted_thinking" => Block::Thinking,
        _ => Block::Other(kind),
    }))
}

fn attachment<'a>(reader: &mut Reader<'a>) -> Result<Option<(Raw<'a>, Attachment<'a>)>, Flaw> {
    let mut kind = Raw::default();
    let mut attachment = Attachment::default();
    let object = walk(reader, |key, reader| {
        match key {
            "type" => kind = text(reader)?,
            "prompt" => attachment.prompt = content(reader, false)?,
            "commandMode" => attachment.command_mode = text(reader)?,
            "origin" => attachment.origin_kind = inner_text(reader, "kind")?.unwrap_or_default(),
            "isMeta" => attachment.is_meta = flag(reader)?,
            _ => {
                reader.skip()?;
            }
        }
        Ok(())
    })?;
    Ok(object.then_some((kind, attachment)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]
mod reference;
