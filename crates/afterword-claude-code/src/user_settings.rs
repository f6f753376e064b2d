//! The person's own settings of Claude Code, as far as they are read: nothing of them is changed here.

use std::fs::File;
use std::io::Read;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::ClaudeHome;

/// Longest settings file read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The model that is chosen in them, by its name or by one that Claude Code gives it (`opus`, `sonnet`); none where that is left
/// to Claude Code.
pub fn chosen_model(claude: &ClaudeHome) -> Option<String> {
    #[derive(Deserialize)]
    struct Settings {
        model: Option<String>,
    }
    read::<Settings>(claude)?.model.filter(|model| !model.is_empty() && model != "default")
}

/// A part of the settings; none where there are none that can be read.
pub(crate) fn read<T: DeserializeOwned>(claude: &ClaudeHome) -> Option<T> {
    let settings = claude.settings();
    let mut text = Vec::new();
    // A pipe in its place would never end.
    let file = settings.is_file().then(|| File::open(&settings))?.ok()?;
    file.take(LONGEST).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_is_the_persons_choice_or_none() {
        let home = tempfile::tempdir().unwrap();
        let claude = ClaudeHome::resolve(Some(home.path().as_os_str()), None).unwrap();
        assert_eq!(chosen_model(&claude), None);
        for (text, expected) in [
            (r#"{"model": "opus", "cleanupPeriodDays": 7}"#, Some("opus")),
            (r#"{"model": "default"}"#, None),
            (r#"{"model": ["opus"]}"#, None),
            ("{", None),
        ] {
            std::fs::write(home.path().join("settings.json"), text).unwrap();
            assert_eq!(chosen_model(&claude).as_deref(), expected, "{text}");
        }
    }
}
