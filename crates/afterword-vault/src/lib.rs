//! The user's vault: markdown notes that belong to a person, in which Afterword is a guest.
//!
//! Owns the notes' format (front matter, evidence, generated blocks), their places, and the rules of writing: scan what
//! is there, plan purely, apply with every precondition checked again. Deliberately knows nothing of SQL (what was
//! written before comes in through [`WriteHistory`]) and nothing of engines (what was learned comes in as [`Lesson`]).
//!
//! ```
//! use afterword_vault::{Lesson, NothingWritten, Vault, plan};
//! # fn reflect(root: &std::path::Path, lessons: &[Lesson], now: &jiff::Zoned) -> Result<(), afterword_vault::VaultError> {
//! let (vault, _installed) = Vault::create(root)?; // later: Vault::open(root)
//! let index = vault.scan()?;
//! let plan = plan(&index, lessons, &NothingWritten, now); // pure, serialisable: what a dry run shows
//! let applied = vault.apply(&plan);
//! for record in &applied.records {
//!     // remember `record.key` → `record.written`, so that a note deleted later stays deleted
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Start reading at [`plan`](mod@plan) for the rules, at [`note`] for the format.

mod address;
pub mod answer;
pub mod apply;
pub mod block;
pub mod changes;
pub mod conflicts;
mod deletions;
mod disk;
mod entry;
pub mod error;
pub mod evidence;
pub mod export;
pub mod facts;
mod front_matter;
mod git_conflict;
pub mod grounds;
mod grow;
pub mod hash;
pub mod html;
pub mod ideas;
pub mod import;
pub mod index;
pub mod layout;
pub mod ledger;
pub mod lesson;
pub mod likely;
pub mod link_targets;
pub mod markdown;
mod merge;
pub mod month;
pub mod note;
pub mod obsidian;
mod overview;
pub mod path;
pub mod plain;
pub mod plan;
pub mod properties;
mod quick;
pub mod quotation;
pub mod readings;
pub mod references;
mod render;
pub mod research;
pub mod revise;
mod scan;
pub mod snapshot;
mod sync_tools;
mod template;
pub mod tombstones;
pub mod vault;
mod walk;
mod writer;
mod yaml;

pub use answer::{NewWording, NoteEditor, expired_on};
pub use apply::{ActionResult, ApplyReport, Outcome};
pub use changes::{Change, Changes, changes};
pub use conflicts::{Conflict, ConflictOutcome, VersionChoice, conflicts};
pub use deletions::remember_deleted;
pub use entry::{NoteEntry, Problem};
pub use error::{EditRefused, VaultError};
pub use evidence::{EvidencePiece, StatedEvidence};
pub use facts::{Facts, Mark};
pub use grounds::Grounds;
pub use hash::ContentHash;
pub use index::{ConflictCopy, VaultIndex};
pub use ledger::{LastWrite, NothingWritten, WriteHistory, WriteRecord};
pub use lesson::{Lesson, Project};
pub use link_targets::LinkTargets;
pub use note::{Note, Value};
pub use path::VaultPath;
pub use plan::{Action, NoWrite, Plan, Reason, Subject, is_known, plan};
pub use properties::{NoteKind, Properties, ReviewAnswer, Status};
pub use readings::Readings;
pub use references::{CachedResult, Source, WebCache, WebResult};
pub use render::said_at;
pub use revise::{Revision, RevisionOutcome};
pub use snapshot::Snapshot;
pub use sync_tools::SyncTool;
pub use vault::{InstallReport, Vault};
pub use walk::Stamp;
