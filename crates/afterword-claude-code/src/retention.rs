//! How long Claude Code keeps transcripts, by its own settings.

use std::time::Duration;

use serde::Deserialize;

use crate::{ClaudeHome, user_settings};

/// What Claude Code does where its settings say nothing; its documentation of August 2026.
const DEFAULT_DAYS: u32 = 30;
/// A transcript is about to vanish so long before it is deleted, or a quarter of its time where that is less.
const WARNING: Duration = Duration::from_secs(7 * 86_400);

/// The part of Claude Code's user settings that says it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    cleanup_period_days: Option<u32>,
}

/// After so many days without activity Claude Code deletes a transcript.
pub fn days(claude: &ClaudeHome) -> u32 {
    let settings = user_settings::read::<Settings>(claude);
    settings.and_then(|settings| settings.cleanup_period_days).unwrap_or(DEFAULT_DAYS)
}

/// A transcript without activity for so long is about to be deleted.
pub fn vanishing_after(days: u32) -> Duration {
    let kept = Duration::from_secs(u64::from(days) * 86_400);
    kept - WARNING.min(kept / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(settings: Option<&str>, expected: u32) {
        let home = tempfile::tempdir().unwrap();
        if let Some(text) = settings {
            std::fs::write(home.path().join("settings.json"), text).unwrap();
        }
        let claude = ClaudeHome::resolve(Some(home.path().as_os_str()), None).unwrap();
        assert_eq!(days(&claude), expected, "{settings:?}");
    }

    #[test]
    fn client_s_own_setting_counts_and_nonsense_does_not() {
        check(None, 30);
        check(Some("{\"model\": \"opus\", \"cleanupPeriodDays\": 7}"), 7);
        check(Some("{\"cleanupPeriodDays\": 99999}"), 99_999);
        for nonsense in ["", "{", "[]", "{\"cleanupPeriodDays\": -1}", "{\"cleanupPeriodDays\": \"soon\"}"] {
            check(Some(nonsense), 30);
        }
    }

    #[test]
    fn warning_is_a_week_or_a_quarter() {
        let days = |days| vanishing_after(days).as_secs_f64() / 86_400.0;
        assert_eq!((days(30), days(28), days(8), days(1), days(0)), (23.0, 21.0, 6.0, 0.75, 0.0));
        assert!(days(u32::MAX) > 4e9);
    }
}
