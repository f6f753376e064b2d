//! The settings as they are shown and changed: what each is for, what it may hold, what it holds.

use serde::Serialize;

use crate::app::claude_dirs;
use crate::config::check::{check, check_directories};
use crate::config::keys::setting;
use crate::config::{SETTINGS, Setting, SettingType};
use crate::{App, ConfigFile, Environment, Error, Paths};

/// The form of field that a setting needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "SettingForm"))]
#[serde(rename_all = "lowercase")]
pub enum SettingForm {
    /// A folder.
    Path,
    /// One of a few words.
    Choice,
    /// On or off: `true` or `false`.
    Switch,
    /// Texts, one a line.
    List,
    /// A text or a number.
    Text,
}

/// A setting with all that is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS), ts(rename = "Setting"))]
pub struct SettingDescription {
    /// Its dotted name.
    pub key: &'static str,
    /// The form of its field.
    pub shape: SettingForm,
    /// The words to choose from; none where it is no choice.
    pub choices: Vec<&'static str>,
    /// What it is for.
    pub about: String,
    /// Its default.
    pub default: Vec<String>,
    /// What it holds.
    pub values: Vec<String>,
    /// The file sets it.
    pub set: bool,
}

/// Every setting with what it holds, in the file's order.
///
/// # Errors
/// [`ConfigError::Unusable`](crate::error::ConfigError::Unusable) for a file that cannot be used.
pub fn settings(app: &App) -> Result<Vec<SettingDescription>, Error> {
    let shown = config_file(app).show()?;
    let described = shown.into_iter().filter_map(|shown| {
        let setting = SETTINGS.iter().find(|setting| setting.key == shown.key)?;
        let (shape, choices) = form(setting);
        Some(SettingDescription {
            key: setting.key,
            shape,
            choices,
            about: setting.about.join(" "),
            default: Vec::from_iter(Some(plain(setting.default)).filter(|default| !default.is_empty())),
            values: shown.texts,
            set: shown.set,
        })
    });
    Ok(described.collect())
}

/// Changes a setting to what would work; without values it goes back to its default. It takes the environment alone, so that a file
/// which cannot be used is mended by it, too.
///
/// # Errors
/// As [`ConfigFile::set`]; [`ConfigError::BadValue`](crate::error::ConfigError::BadValue) for what is not there or not fit, and
/// [`VaultSetupError::NotSetUp`](crate::error::VaultSetupError::NotSetUp) for a folder that was not set up as a vault.
pub fn change_setting(environment: &Environment, key: &str, values: &[String]) -> Result<(), Error> {
    let paths = Paths::new(environment)?;
    let home = environment.home.as_deref();
    let file = ConfigFile::new(&paths.config_file, home);
    match setting(key) {
        Some(Setting { shape: SettingType::Paths, .. }) => {
            // What is wrong with the file is said where it is changed.
            let before = file.read().unwrap_or_default();
            let followed = claude_dirs(environment, &before)?;
            check_directories(key, values, home, &followed, &before.claude_other_dirs)?;
        }
        Some(setting) => check(setting, values, home)?,
        None => {}
    }
    file.set(key, values)
}

/// Adds items to a setting that is a list, as it stands in the file; those that it has are not added again.
///
/// # Errors
/// As [`change_setting`], and [`ConfigError::Unusable`](crate::error::ConfigError::Unusable) for a file that cannot be used.
pub fn add_to_setting(app: &App, key: &str, items: &[String]) -> Result<(), Error> {
    let shown = config_file(app).show()?.into_iter().find(|shown| shown.key == key);
    let before = shown.map(|shown| shown.texts).unwrap_or_default();
    let mut values = before.clone();
    values.extend(items.iter().filter(|item| !before.contains(item)).cloned());
    if values == before { Ok(()) } else { change_setting(&app.environment, key, &values) }
}

fn config_file(app: &App) -> ConfigFile<'_> {
    ConfigFile::new(&app.paths.config_file, app.environment.home.as_deref())
}

fn form(setting: &Setting) -> (SettingForm, Vec<&'static str>) {
    match setting.shape {
        SettingType::Path => (SettingForm::Path, Vec::new()),
        SettingType::Choice(choices) => (SettingForm::Choice, choices.to_vec()),
        SettingType::Switch => (SettingForm::Switch, Vec::new()),
        SettingType::Paths | SettingType::Globs | SettingType::Patterns | SettingType::Folders => {
            (SettingForm::List, Vec::new())
        }
        SettingType::Minutes
        | SettingType::Days
        | SettingType::Hours
        | SettingType::Dollars
        | SettingType::Count
        | SettingType::Text => (SettingForm::Text, Vec::new()),
    }
}

/// A default without the quotes of TOML.
fn plain(default: &str) -> String {
    default.trim_matches('"').to_owned()
}
