//! The running agent: what happens by itself, while nobody asks.
//!
//! It follows the sessions and the vault, works the queue and keeps the times of what is due. It decides when something
//! is done; what is done then is a use case of `afterword-app`, and no use case knows this crate. All watching of files
//! is here.
//!
//! Start reading at [`run::start`]; [`work::Worker`] works one job.

mod follow;
pub mod news;
pub mod run;
mod sessions_watch;
mod vault_watch;
pub mod work;

pub use run::{AgentEvent, RunningAgent};
pub use vault_watch::{VaultWatch, watch_vault};
