//! Research into an idea as a conversation in the background: the person's own Claude Code reads the project and the web, asks if it
//! must, and what it found goes to the idea's page.

use std::collections::HashMap;
use std::path::PathBuf;

use afterword_core::conversation::{ConversationState, MessageRole, RunLimits, Schedule, WorkerReply};
use afterword_core::{Conversation, ConversationId, SessionId, UserId};
use afterword_transcript::event::Event;
use afterword_vault::NoteEntry;
use afterword_vault::research::{Research, is_researched, with_research};
use jiff::Zoned;
use serde::Deserialize;

use super::research::idea;
use crate::conversations::NewConversation;
use crate::error::EngineCallError;
use crate::note;
use crate::vault_session::VaultSession;
use crate::{App, Error};
use crate::{conversations, excluded, naming, sessions};

/// What research may use: nothing of it changes anything.
const TOOLS: [&str; 5] = ["Read", "Grep", "Glob", "WebSearch", "WebFetch"];
/// Longest words of the idea's page that go with the task, in bytes.
const WORDS: usize = 6_000;
/// Sources listed at most.
const SOURCES: usize = 8;

/// What research found, as the work tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ResearchAnswer {
    problem: String,
    approaches: Vec<String>,
    first_steps: Vec<String>,
    open_questions: Vec<String>,
    sources: Vec<String>,
}

/// Starts research into an idea in the background, or gives the conversation in which it goes on already. It may read the
/// project the idea came from, and the web, and costs what a task's run may.
///
/// # Errors
/// [`NoteError::NoSuch`](crate::error::NoteError::NoSuch), [`EngineCallError::AlreadyResearched`], [`EngineCallError::NoClient`], and [`Error::Vault`] or [`Error::Store`].
pub fn research_in_background(app: &App, argument: &str, now: &Zoned) -> Result<ConversationId, Error> {
    let index = app.open_vault()?.scan()?;
    let entry = idea(note::find(&index, argument)?, argument)?;
    if is_researched(entry) {
        return Err(EngineCallError::AlreadyResearched { path: entry.path.to_string() }.into());
    }
    if !app.has_client() {
        return Err(EngineCallError::NoClient.into());
    }
    let (id, title) = (note::id_of(entry)?, note::title_of(entry));
    if let Some(known) = ideas_under_way(app)?.get(&id.to_string()) {
        return Ok(*known);
    }
    let redaction = app.redaction();
    let (title, words) = (redaction.text(&title), redaction.text(entry.note.lesson_text()));
    let words = &words[..words.floor_char_boundary(WORDS)];
    let task = format!(
        "Research this idea, as far as it helps to decide whether and how to do it: {title}\n\n{words}"
    );
    let new = NewConversation {
        task: String::new(),
        title: Some(format!("Research: {title}")),
        schedule: Some(Schedule::Immediate),
        directory: folder_of(app, entry)?,
        limits: RunLimits { allowed_tools: TOOLS.map(str::to_owned).to_vec(), ..RunLimits::default() },
        needs_consent: false,
    };
    let said = format!("Asked to research the idea \u{201c}{title}\u{201d}: {}", entry.path);
    let state = ConversationState::of_idea(&task, &id.to_string());
    conversations::begin_conversation(
        &conversations::conversations(app)?,
        &new,
        state,
        (MessageRole::System, &said),
        now,
    )
}

/// The ideas that are being researched, by the ids of their pages, with the conversations.
pub(super) fn ideas_under_way(app: &App) -> Result<HashMap<String, ConversationId>, Error> {
    let Some(store) = app.existing_store()? else { return Ok(HashMap::new()) };
    let known = store.conversations().list(&UserId::default(), false)?;
    let goes_on = known.iter().filter(|one| one.finished_at.is_none());
    Ok(goes_on.filter_map(|one| Some((one.state.idea()?.to_owned(), one.id))).collect())
}

/// The folder of the project an idea came from, where it is still there.
fn folder_of(app: &App, entry: &NoteEntry) -> Result<Option<PathBuf>, Error> {
    let (Some(name), Some(store)) = (entry.properties.project.as_deref(), app.existing_store()?) else {
        return Ok(None);
    };
    let mut folders: Vec<PathBuf> = naming::named_folders(app, &store)?
        .into_iter()
        .filter(|(_, known)| known == name)
        .map(|(key, _)| PathBuf::from(key.as_str()))
        .filter(|folder| folder.is_dir() && !app.config.exclude.covers(&key_of(folder)))
        .collect();
    // The project itself before what lies in it.
    folders.sort_by_key(|folder| folder.as_os_str().len());
    Ok(folders.into_iter().next())
}

/// Adds what a conversation found of an idea to the idea's page. Says in a sentence where it is, or why it is not there; nothing
/// for every other answer.
pub fn write_research(
    app: &App,
    conversation: &Conversation,
    reply: &WorkerReply,
    now: &Zoned,
) -> Option<String> {
    let (Some(idea), WorkerReply::Complete { state_update, .. }) = (conversation.state.idea(), reply) else {
        return None;
    };
    let found = state_update.get("research").or_else(|| conversation.state.data.get("research"));
    let found = found.and_then(|found| ResearchAnswer::deserialize(found).ok());
    let Some(found) = found.filter(|found| !found.problem.trim().is_empty()) else {
        return Some("It gave nothing that could be added to the idea's page.".to_owned());
    };
    match add_to_page(app, idea, &found, conversation, now) {
        Ok(path) => Some(format!("What it found is in {path}.")),
        Err(error) => {
            Some(format!("What it found could not be added to the idea's page: {}", error.chain_with_hints()))
        }
    }
}

fn add_to_page(
    app: &App,
    idea: &str,
    found: &ResearchAnswer,
    conversation: &Conversation,
    now: &Zoned,
) -> Result<String, Error> {
    let session = VaultSession::begin(app)?;
    let entry = note::find(&session.index, idea)?;
    if is_researched(entry) {
        return Ok(entry.path.to_string());
    }
    let id = note::id_of(entry)?;
    let sources = sources_read(app, found, conversation);
    let lists = [
        ("Approaches", &found.approaches[..]),
        ("First steps", &found.first_steps[..]),
        ("Open questions", &found.open_questions[..]),
        ("Read for this", &sources[..]),
    ];
    let research =
        Research { by: "Claude Code", on: now.date(), problem: found.problem.trim(), lists: &lists };
    let path = session.revise(id, &mut Vec::new(), |_, entry| Ok(with_research(entry, &research)))?;
    Ok(path.to_string())
}

/// Of the sources that are named, those that the conversation's own session did read.
fn sources_read(app: &App, found: &ResearchAnswer, conversation: &Conversation) -> Vec<String> {
    let read = conversation.claude_session.as_ref().map(|session| read_in(app, session)).unwrap_or_default();
    let was_read = |source: &&String| {
        let source = source.trim().trim_end_matches('/');
        let is_it = |call: &String| call.contains(source) || source.contains(call.trim_end_matches('/'));
        source.len() > 3 && read.iter().any(is_it)
    };
    let mut sources: Vec<String> = found.sources.iter().filter(was_read).cloned().collect();
    sources.dedup();
    sources.truncate(SOURCES);
    sources
}

/// The files and pages that a session read, by its calls.
fn read_in(app: &App, session: &SessionId) -> Vec<String> {
    let found = sessions::find(app.claude(), &app.environment.working_directory, session.as_str());
    let Ok(transcript) = found else { return Vec::new() };
    let mut read = Vec::new();
    let scanned = excluded::scan(app, &transcript.path, &app.redaction(), &mut |event| {
        if let Event::Call(call) = event
            && ["Read", "WebFetch"].contains(&call.name.as_str())
            && call.summary.len() > 3
        {
            read.push(call.summary.trim().to_owned());
        }
    });
    if scanned.is_ok() { read } else { Vec::new() }
}

fn key_of(folder: &std::path::Path) -> afterword_core::ProjectKey {
    afterword_core::ProjectKey::from_cwd(&folder.to_string_lossy())
}
