//! The page of the settings.

use std::fmt::Write as _;

use afterword_app::config::{SETTINGS, Setting, SettingType};

use super::{beginning, escape_markdown};

const ABOUT: &str = "Settings are in `config.toml`; `afterword config path` prints where that is. `afterword init` writes the file with every \
    setting explained and commented out. `afterword config show` prints what holds, `afterword config set KEY VALUE` changes one and \
    keeps your comments, `afterword config set KEY` returns to the default. A key that does not exist, or a value that cannot be, is an \
    error that names the line. The window's Settings change the same file.\n";

/// The page.
pub(super) fn page() -> String {
    let mut text = beginning("Settings") + ABOUT;
    let mut section = "";
    for setting in SETTINGS {
        let of = setting.key.split('.').next().unwrap_or_default();
        if of != section {
            section = of;
            // Writing to a String cannot fail.
            let _ = write!(text, "\n## {section}\n");
        }
        let about = escape_markdown(&setting.about.join(" "));
        let _ =
            write!(text, "\n### {}\n\n{about}\n\n*{}.* {}\n", setting.key, values(setting), default(setting));
    }
    text
}

fn default(setting: &Setting) -> String {
    match setting.default {
        "" => format!("Not set by default; for example `{}`.", setting.example),
        default => format!("Default: `{default}`."),
    }
}

/// What it may hold; the limits are those that reading the file holds to.
fn values(setting: &Setting) -> String {
    match setting.shape {
        SettingType::Path => "A path, absolute or below `~`".to_owned(),
        SettingType::Choice(choices) => {
            let choices: Vec<_> = choices.iter().map(|choice| format!("`\"{choice}\"`")).collect();
            format!("One of {}", choices.join(", "))
        }
        SettingType::Paths => "A list of paths, absolute or below `~`".to_owned(),
        SettingType::Globs => {
            "A list of path patterns: `*` within one folder's name, `**` over several".to_owned()
        }
        SettingType::Patterns => "A list of regular expressions".to_owned(),
        SettingType::Folders => {
            "A list of folders with their projects, as `/home/ada/shop-2 = shop`".to_owned()
        }
        SettingType::Minutes => "A number of minutes, from 0.01 to 525600".to_owned(),
        SettingType::Days => "A whole number of days, from 1 to 36500".to_owned(),
        SettingType::Text => "A text".to_owned(),
        SettingType::Switch => "`true` or `false`".to_owned(),
        SettingType::Hours => "Hours of the day; an empty text for none".to_owned(),
        SettingType::Dollars => "US dollars, from 0 to 10000".to_owned(),
        SettingType::Count => "A whole number, from 0 to 100000".to_owned(),
    }
}
