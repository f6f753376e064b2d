//! The use cases of Afterword: everything a face (command line, window, MCP) can ask for, and the only way to change
//! anything.
//!
//! This crate decides which sessions are read and in what order, and joins the rooms: transcripts are mined, what was
//! found is redacted, compared and routed, the vault is planned and changed, the database is told. It does not
//! know how a transcript is parsed, how a lesson is recognised, what a note looks like or what SQL says; and it
//! never prints. `now` is always an argument, and the environment comes in as one value.
//!
//! Start reading at [`App`], then [`mod@reflect`].

pub mod agent_lock;
mod app;
pub mod archive;
pub mod attempts;
pub mod checks;
mod comparing;
pub mod config;
pub mod connections;
pub mod conversations;
pub mod current_session;
mod cut_off;
pub mod disk;
pub mod doctor;
pub mod engine;
pub mod engine_preview;
pub mod error;
pub mod exchange;
pub mod excluded;
pub mod feedback;
pub mod forget;
pub mod health;
pub mod ideas;
pub mod indexing;
pub mod init;
pub mod injection;
pub mod inspect;
pub mod install;
pub mod known_transcripts;
mod lesson_filter;
pub mod lesson_history;
pub mod lessons;
pub mod log;
pub mod model_calls;
mod naming;
mod note;
pub mod note_change;
pub mod notices;
pub mod overview;
pub mod pause;
pub mod projects;
pub mod queue;
pub mod reading;
mod redaction;
pub mod reflect;
mod repository;
pub mod review;
pub mod rows;
pub mod saving;
pub mod search_model;
pub mod searching;
pub mod service;
pub mod session_export;
mod session_files;
pub mod session_location;
pub mod session_search;
pub mod sessions;
pub mod settings;
pub mod setup;
mod spelling;
pub mod stats;
pub mod status;
#[cfg(test)]
mod test_app;
mod updates;
pub mod usefulness;
mod utterances;
mod vault_session;
pub mod vault_sync;
pub mod web_cache;
pub mod why;
mod worth;

pub use afterword_claude_code::discover::is_named_as_transcript;
pub use afterword_claude_code::environment_of_process;
pub use afterword_core::{SessionState, Trigger};
pub use afterword_platform::IS_FOR_DEVELOPMENT;
pub use afterword_platform::files::replace_file;
pub use afterword_platform::paths::{Environment, Paths};
pub use afterword_recall::model::NOTICES as MODEL_NOTICES;
pub use afterword_reflect::redact::RULE_NOTICES;
pub use afterword_transcript::report::{Report, SkipReason, Skipped};
pub use afterword_vault::ScanCache;
pub use afterword_vault::html::render_html as rendered;
pub use agent_lock::AgentState;
pub use app::App;
pub use config::{Config, ConfigFile};
pub use engine::EngineName;
pub use error::{
    AgentError, AttemptError, ConfigError, ConnectionError, ConversationsError, EngineCallError, Error,
    ErrorKind, InstallError, NoteError, ProjectError, ReviewError, SearchModelError, SessionError,
    VaultSetupError,
};
pub use reflect::progress::{NoProgress, Progress, Step};
pub use reflect::{ReflectRequest, Reflection, SessionReflection, Target};
pub use session_export::{ExportForm, SessionDocument};
pub use web_cache::WebResultCounts;
