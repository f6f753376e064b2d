//! The user's vault: markdown notes that belong to a person, in which Afterword is a guest.
//!
//! Owns the notes' format (front matter, evidence, generated blocks), their places, and the rules of writing: scan what
//! is there, plan purely, apply with every precondition checked again. Deliberately knows nothing of SQL (what was
//! written before comes in through [`WriteHistory`]) and nothing of engines (what was learned comes in as [`Lesson`]).
//!
//! ```
//! use afterword_vault::{Lesson, EmptyHistory, Vault, plan};
//! # fn reflect(root: &std::path::Path, lessons: &[Lesson], now: &jiff::Zoned) -> Result<(), afterword_vault::VaultError> {
//! let (vault, _installed) = Vault::create(root)?; // later: Vault::open(root)
//! let index = vault.scan()?;
//! let plan = plan(&index, lessons, &EmptyHistory, now); // pure, serialisable: what a dry run shows
//! let applied = vault.apply(&plan);
//! for record in &applied.records {
//!     // remember `record.key` → `record.written`, so that a note deleted later stays deleted
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Start reading at [`plan`](mod@plan) for the rules, at [`note`] for the format.

mod add_evidence;
mod address;
pub mod apply;
pub mod block;
pub mod changes;
pub mod conflicts;
mod disk;
pub mod error;
pub mod evidence;
pub mod evidence_entries;
pub mod export;
mod front_matter;
mod git_conflict;
pub mod hash;
pub mod html;
pub mod ideas;
pub mod import;
pub mod index;
pub mod layout;
pub mod lesson;
pub mod likely_replacement;
pub mod link_targets;
pub mod markdown;
mod merge_versions;
pub mod month_review;
pub mod note;
pub mod note_editor;
mod note_entry;
pub mod note_facts;
pub mod obsidian;
mod overview;
pub mod path;
pub mod plain;
pub mod plan;
mod plan_tombstones;
pub mod properties;
pub mod quotation;
pub mod references;
mod render;
pub mod research;
pub mod revise;
mod scan;
pub mod scan_cache;
mod simple_yaml;
pub mod snapshot;
mod sync_tools;
mod template;
pub mod tombstones;
pub mod vault;
mod walk;
pub mod write_history;
mod writer;
mod yaml;

pub use apply::{ActionResult, ApplyReport, Outcome};
pub use changes::{Change, Changes, diff_snapshots};
pub use conflicts::{Conflict, ConflictOutcome, VersionChoice, find_conflicts};
pub use error::{EditError, VaultError};
pub use evidence::{EvidencePiece, StatedEvidence};
pub use evidence_entries::EvidenceEntries;
pub use hash::ContentHash;
pub use index::{ConflictCopy, VaultIndex};
pub use lesson::{Lesson, Project};
pub use link_targets::LinkTargets;
pub use note::{Note, Value};
pub use note_editor::{NewWording, NoteEditor, expired_on};
pub use note_entry::{NoteEntry, Problem};
pub use note_facts::{NoteFacts, TextMark};
pub use path::VaultPath;
pub use plan::{Action, NoWrite, Plan, Reason, Subject, is_known, plan};
pub use plan_tombstones::plan_tombstones;
pub use properties::{NoteKind, Properties, ReviewAnswer, Status};
pub use references::{CachedResult, WebCache, WebResult, WebResultSource};
pub use render::timestamp_millis;
pub use revise::{Revision, RevisionOutcome};
pub use scan_cache::ScanCache;
pub use snapshot::Snapshot;
pub use sync_tools::SyncTool;
pub use vault::{InstallReport, Vault};
pub use walk::FileStamp;
pub use write_history::{EmptyHistory, LastWrite, WriteHistory, WriteRecord};
