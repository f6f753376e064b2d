//! The use cases on real directories and files: what must hold whichever face asks for them.

#![allow(clippy::unwrap_used, reason = "clippy knows tests by their attribute, not the files they share")]

mod agreed;
mod archiving;
mod browsing;
mod by_hand;
mod callers;
mod certain;
mod comparing;
mod conversing;
mod directories;
mod exceptions;
mod excluding;
mod exporting;
mod failing;
mod finding;
mod forgetting;
mod hidden;
mod hostile;
#[cfg(target_os = "linux")]
mod leaving_nothing;
mod likely;
#[cfg(unix)]
mod limits;
mod llama;
mod long_sessions;
#[cfg(unix)]
mod many;
mod model_calls;
mod offering;
mod paying;
mod polishing;
mod promptness;
mod redacting;
mod reflecting;
mod rereading;
#[cfg(unix)]
mod researching;
mod reviewing;
mod routing;
mod second_reading;
mod steering;
mod unproven;
mod vault_sync;
