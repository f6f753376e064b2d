//! Which engine mines.

use std::fmt;

use serde::Serialize;

/// An engine's name, as `engine.name` and `--engine` have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineName {
    /// Rules and a small learnt model inside this program: no key, no account, no network.
    #[default]
    Builtin,
}

impl EngineName {
    /// Takes a name from outside.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "builtin" => Some(Self::Builtin),
            _ => None,
        }
    }

    /// The version of what it finds and how; kept with each session.
    pub fn version(self) -> &'static str {
        match self {
            Self::Builtin => env!("CARGO_PKG_VERSION"),
        }
    }

    /// The name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
