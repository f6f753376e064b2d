//! Which engine mines.

use std::fmt;

use afterword_store::SessionFile;
use serde::Serialize;

/// An engine's name, as `engine.name` and `--engine` have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
#[serde(into = "&'static str")]
pub enum EngineName {
    /// Rules and a small learnt model inside this program: no key, no account, no network.
    #[default]
    Builtin,
    /// The user's own Claude Code.
    ClaudeCode,
    /// Anthropic's Messages API, with a key.
    Anthropic,
    /// Any server that speaks OpenAI's chat completions.
    #[cfg_attr(feature = "contract", ts(rename = "openai-compatible"))]
    OpenAiCompatible,
}

impl From<EngineName> for &'static str {
    fn from(engine: EngineName) -> Self {
        engine.as_str()
    }
}

impl EngineName {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Builtin, Self::ClaudeCode, Self::Anthropic, Self::OpenAiCompatible];

    /// Takes a name from outside.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.as_str() == name)
    }

    /// The version of what it finds and how; kept with each session.
    pub fn version(self) -> &'static str {
        match self {
            Self::Builtin => env!("CARGO_PKG_VERSION"),
            Self::ClaudeCode | Self::Anthropic | Self::OpenAiCompatible => {
                afterword_reflect::engine::contract::INSTRUCTIONS_VERSION
            }
        }
    }

    /// The name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::ClaudeCode => "claude-code",
            Self::Anthropic => "anthropic",
            Self::OpenAiCompatible => "openai-compatible",
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is written down with the version of the built-in engine where it read a session in place of another.
const IN_PLACE_OF: &str = " in place of ";

/// The built-in engine's version, and in place of which engine it read.
pub(crate) fn version_in_place_of(engine: EngineName, in_place_of: Option<EngineName>) -> String {
    let place = in_place_of.map(|other| format!("{IN_PLACE_OF}{other}")).unwrap_or_default();
    format!("{}{place}", engine.version())
}

/// Whether the built-in engine read the session in place of one that could not be heard.
pub fn is_stand_in(known: &SessionFile) -> bool {
    known.engine_version.contains(IN_PLACE_OF)
}
