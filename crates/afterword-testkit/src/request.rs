//! What a person asks for.

use afterword_app::{EngineName, ReflectRequest, Target};

/// The request for all that changed, as a person makes it; without an engine, by the one of the settings.
pub fn all_changed(engine: Option<EngineName>) -> ReflectRequest {
    ReflectRequest { engine, ..ReflectRequest::new(Target::Changed { since: None }) }
}
