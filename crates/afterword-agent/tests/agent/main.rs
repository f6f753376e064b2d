//! The use cases on real directories and files: what must hold whichever face asks for them.

mod host;
mod reflecting;
mod routing;
mod transcript;
