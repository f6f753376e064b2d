//! The shape of the workspace: which room may know which, where a foreign crate lives, how long a file may be.

mod client_names;
mod dropped;
mod files;
mod imports;
mod methods;
mod programs;
mod rooms;
mod sources;
mod vault;
