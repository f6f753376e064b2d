//! Claude Code transcripts: reading them as they grow, and reducing them to what matters.
//!
//! It owns the format Claude Code writes, which is internal to it and changes: everything here is tolerant, and a
//! census of types and versions says when something new appears. It knows no lessons and stores nothing. Reading
//! is one pass in bounded memory; a transcript is only ever read, never written.
//!
//! Start reading at [`event`], what a transcript is reduced to, then [`scan()`], which does it.

pub mod directories;
mod entry;
pub mod error;
pub mod event;
pub mod excerpt;
mod filter;
mod hashes;
mod json;
mod line_entries;
mod lines;
pub mod mark;
pub mod report;
mod report_builder;
mod results;
pub mod scan;
pub mod tail;
mod text;
mod time;
pub mod web;

pub use directories::{Directories, NamedDirectory};
pub use error::TranscriptError;
pub use excerpt::read_excerpt;
pub use mark::Mark;
pub use report::Report;
pub use results::{ToolResult, read_tool_result};
pub use scan::{Scan, Session, read_session, scan, scan_stream};
pub use tail::has_new_activity;
pub use text::{ELISION, Redactor};
pub use web::{WebFetch, WebSource, web_results};
