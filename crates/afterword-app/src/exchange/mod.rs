//! Lessons out of the vault and into it: as data, as documents, and as the files Claude Code reads.
//!
//! Both ways begin with a plan that changes nothing and can be shown; carrying it out checks that nothing changed since.
//! Everything is redacted on its way, in and out.

mod export;
mod export_place;
mod import;

pub use afterword_vault::export::ExportedLesson;
pub use export::{
    ExportFile, ExportForm, ExportPlan, ExportRequest, OfferedLesson, plan_export, write_export,
};
pub use import::{ImportPlan, ImportSource, ImportedNote, import, plan_import};
