//! From the file's text to settings, every problem with its line and key.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use afterword_core::ReviewMode;
use afterword_platform::paths::expand_home;
use toml_edit::{Document, Item, TableLike, Value};

use super::keys::{self, SETTINGS, Setting, SettingType};
use super::{Appearance, Config, Exclusions, Language, ProjectFolders, SettingValue};
use crate::Error;
use crate::engine::EngineName;
use crate::error::{ConfigError, SettingProblem};
use crate::notices::QuietHours;
use crate::redaction::Redaction;

/// A value found in the file, with the key it belongs to and where it stands.
struct FoundValue<'t> {
    setting: &'static Setting,
    value: &'t Value,
    line: usize,
}

pub(super) fn config(path: &Path, text: &str, home: Option<&Path>) -> Result<Config, Error> {
    let document = parse(path, text)?;
    let mut config = Config::default();
    for found in settings(path, text, document.as_table())? {
        let problem = |problem| config_error(path, found.line, found.setting.key, problem);
        take(&mut config, &found, home).map_err(problem)?;
    }
    Ok(config)
}

/// The settings in force where none is set.
pub(super) fn defaults() -> Config {
    let mut config = Config::blank();
    for setting in SETTINGS.iter().filter(|setting| !setting.default.is_empty()) {
        let value = setting.default.parse().expect("defaults are TOML: every test reads them");
        let found = FoundValue { setting, value: &value, line: 0 };
        take(&mut config, &found, None).expect("defaults can be used: every test reads them");
    }
    config
}

pub(super) fn show(path: &Path, text: &str) -> Result<Vec<SettingValue>, Error> {
    let document = parse(path, text)?;
    let found = settings(path, text, document.as_table())?;
    let shown = SETTINGS.iter().map(|setting| {
        let value =
            found.iter().find(|found| found.setting.key == setting.key).map(|found| found.value.clone());
        let is_set = value.is_some();
        let value = value.or_else(|| setting.default.parse().ok());
        SettingValue {
            key: setting.key.to_owned(),
            texts: value.as_ref().map(texts).unwrap_or_default(),
            value: value.map(|value| value.to_string().trim().to_owned()).unwrap_or_default(),
            set: is_set,
        }
    });
    Ok(shown.collect())
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(array) => array.iter().flat_map(texts).collect(),
        Value::String(text) => vec![text.value().clone()],
        other => vec![other.to_string().trim().to_owned()],
    }
}

fn parse<'t>(path: &Path, text: &'t str) -> Result<Document<&'t str>, Error> {
    Document::parse(text).map_err(|error| {
        let line = line_of(text, error.span());
        config_error(path, line, "", SettingProblem::Syntax { detail: error.message().trim().to_owned() })
    })
}

/// Goes through the file, table by table. The first key that does not exist is an error.
fn settings<'t>(path: &Path, text: &str, root: &'t dyn TableLike) -> Result<Vec<FoundValue<'t>>, Error> {
    let mut found = Vec::new();
    let mut open: Vec<(String, &'t dyn TableLike)> = vec![(String::new(), root)];
    while let Some((prefix, table)) = open.pop() {
        for (name, item) in table.iter() {
            let key = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
            let span = table.key(name).and_then(toml_edit::Key::span).or_else(|| item.span());
            let line = line_of(text, span);
            let is_section = SETTINGS.iter().any(|s| s.key.starts_with(&format!("{key}.")));
            if let Some(setting) = keys::setting(&key) {
                match item {
                    Item::Value(value) => found.push(FoundValue { setting, value, line }),
                    _ => {
                        return Err(config_error(path, line, &key, SettingProblem::NotASection));
                    }
                }
            } else if let Some(section) = item.as_table_like().filter(|_| is_section) {
                open.push((key, section));
            } else {
                let problem = if is_section { SettingProblem::NotASetting } else { SettingProblem::Unknown };
                let mut error = config_error(path, line, &key, problem);
                if let Error::Config(ConfigError::Unusable { advice, .. }) = &mut error {
                    *advice = Some(keys::advice_on(&key));
                }
                return Err(error);
            }
        }
    }
    Ok(found)
}

fn take(config: &mut Config, found: &FoundValue<'_>, home: Option<&Path>) -> Result<(), SettingProblem> {
    let (key, value) = (found.setting.key, found.value);
    match found.setting.shape {
        SettingType::Path => {
            let path = Some(absolute(value, home)?);
            *(match key {
                "vault.path" => &mut config.vault,
                "claude.binary" => &mut config.claude_binary,
                "claude.config_dir" => &mut config.claude_config_dir,
                _ => return Err(SettingProblem::Unread),
            }) = path;
        }
        SettingType::Choice(choices) => choice(config, key, one_of(value, choices)?)?,
        SettingType::Paths => {
            let paths = list(value)?;
            let paths = paths.iter().map(|text| absolute_path(text, home));
            let paths = paths.collect::<Result<_, _>>()?;
            match key {
                "claude.other_dirs" => config.claude_other_dirs = paths,
                _ => return Err(SettingProblem::Unread),
            }
        }
        SettingType::Globs => {
            let globs = Exclusions::new(&expanded_list(value, home)?)
                .map_err(|(pattern, why)| SettingProblem::Pattern { pattern, detail: why.to_string() })?;
            match key {
                "privacy.exclude" => config.exclude = globs,
                _ => return Err(SettingProblem::Unread),
            }
        }
        SettingType::Folders => {
            let folders = ProjectFolders::new(&expanded_list(value, home)?)
                .map_err(|(line, why)| SettingProblem::ProjectFolder { line, detail: why })?;
            match key {
                "projects.folders" => config.folders = folders,
                _ => return Err(SettingProblem::Unread),
            }
        }
        SettingType::Patterns => {
            let patterns = list(value)?;
            Redaction::new(&patterns)
                .map_err(|why| SettingProblem::Expression { detail: why.to_string() })?;
            match key {
                "privacy.redact_extra" => config.redact_extra = patterns,
                _ => return Err(SettingProblem::Unread),
            }
        }
        SettingType::Minutes => duration(config, key, minutes(value)?)?,
        SettingType::Days => {
            let days = days(value)?;
            match key {
                "recovery.keep_days" => config.keep = days,
                _ => return Err(SettingProblem::Unread),
            }
        }
        SettingType::Dollars => dollars(config, key, amount(value)?)?,
        SettingType::Text if key == "recall.model" => {
            config.search_model = match text(value)? {
                "built-in" => None,
                _ => Some(absolute(value, home)?),
            };
        }
        SettingType::Text => {
            let text = Some(text(value)?.to_owned()).filter(|text| !text.trim().is_empty());
            *(match key {
                "engine.model" => &mut config.engine_options.model,
                "engine.anthropic_address" => &mut config.engine_options.anthropic_address,
                "engine.address" => &mut config.engine_options.address,
                "updates.address" => &mut config.updates.address,
                _ => return Err(SettingProblem::Unread),
            }) = text;
        }
        SettingType::Switch => {
            let wrong = || SettingProblem::NotASwitch { found: article(value) };
            *switch(config, key)? = value.as_bool().ok_or_else(wrong)?;
        }
        SettingType::Hours => {
            let hours = text(value)?.trim();
            let wrong = || SettingProblem::NotHours { found: hours.to_owned() };
            let quiet = (!hours.is_empty()).then(|| QuietHours::parse(hours).ok_or_else(wrong));
            let quiet = quiet.transpose()?;
            match key {
                "notices.quiet_hours" => config.notices.quiet = quiet,
                _ => return Err(SettingProblem::Unread),
            }
        }
        SettingType::Count => count(config, key, whole_number(value)?)?,
    }
    Ok(())
}

fn choice(config: &mut Config, key: &str, chosen: &str) -> Result<(), SettingProblem> {
    match key {
        "review.mode" => {
            config.review_mode = match chosen {
                "interactive" => ReviewMode::Interactive,
                "silent" => ReviewMode::Silent,
                _ => return Err(SettingProblem::Unread),
            }
        }
        "window.appearance" => {
            config.appearance = match chosen {
                "system" => Appearance::System,
                "light" => Appearance::Light,
                "dark" => Appearance::Dark,
                _ => return Err(SettingProblem::Unread),
            }
        }
        "window.language" => {
            config.language = match chosen {
                "system" => Language::System,
                "en" => Language::En,
                "de" => Language::De,
                "zh" => Language::Zh,
                _ => return Err(SettingProblem::Unread),
            }
        }
        "log.level" => config.log_level = chosen.parse().map_err(|_| SettingProblem::Unread)?,
        "engine.name" => config.engine = EngineName::parse(chosen).ok_or(SettingProblem::Unread)?,
        _ => return Err(SettingProblem::Unread),
    }
    Ok(())
}

fn duration(config: &mut Config, key: &str, time: Duration) -> Result<(), SettingProblem> {
    match key {
        "reflection.idle_minutes" => config.reflection_idle = Some(time),
        "engine.limit_minutes" => config.engine_options.limit = time,
        "heartbeat.idle_minutes" => config.heartbeat.idle = time,
        "heartbeat.continue_minutes" => config.heartbeat.again = time,
        "recovery.unknown_minutes" => config.recovery_unknown = time,
        _ => return Err(SettingProblem::Unread),
    }
    Ok(())
}

fn switch<'c>(config: &'c mut Config, key: &str) -> Result<&'c mut bool, SettingProblem> {
    Ok(match key {
        "notices.completed" => &mut config.notices.completed,
        "notices.failed" => &mut config.notices.failed,
        "notices.review" => &mut config.notices.review,
        "notices.waiting" => &mut config.notices.waiting,
        "notices.reported" => &mut config.notices.reported,
        "notices.left_open" => &mut config.notices.left_open,
        "ideas.research" => &mut config.ideas_research,
        "recall.on_prompt" => &mut config.recall.on_prompt,
        "archive.sessions" => &mut config.archive.sessions,
        "attempts.judge_sessions" => &mut config.attempts.judge_sessions,
        "heartbeat.enabled" => &mut config.heartbeat.enabled,
        "updates.check" => &mut config.updates.check,
        _ => return Err(SettingProblem::Unread),
    })
}

fn count(config: &mut Config, key: &str, count: usize) -> Result<(), SettingProblem> {
    match key {
        "engine.answer_tokens" => {
            config.engine_options.answer_tokens = u32::try_from(count).ok().filter(|count| *count > 0);
        }
        "attempts.most_per_session" => config.attempts.most_per_session = count,
        "attempts.most_per_project" => config.attempts.most_per_project = count,
        "archive.limit_mb" => config.archive = config.archive.with_limit_in_mb(count),
        "review.inbox_days" => config.inbox_days = count,
        "review.per_week" => config.review_per_week = count,
        "attempts.past_lessons" => config.attempts.past_lessons = count,
        "recall.token_budget" => config.recall.token_budget = count,
        _ => return Err(SettingProblem::Unread),
    }
    Ok(())
}

fn dollars(config: &mut Config, key: &str, usd: f64) -> Result<(), SettingProblem> {
    // Nobody sets a limit of nothing by writing 0.
    let limit = Some(usd).filter(|usd| *usd > 0.0);
    match key {
        "budget.daily_usd" => config.budget.daily = limit,
        "budget.per_project_usd" => config.budget.per_project = limit,
        "budget.per_job_usd" => config.budget.per_job = limit,
        "engine.usd_per_million_in" => config.engine_options.usd_in = Some(usd),
        "engine.usd_per_million_out" => config.engine_options.usd_out = Some(usd),
        "tasks.daily_usd" => config.tasks_daily_usd = usd,
        _ => return Err(SettingProblem::Unread),
    }
    Ok(())
}

fn text(value: &Value) -> Result<&str, SettingProblem> {
    value.as_str().ok_or_else(|| SettingProblem::NotText { found: article(value) })
}

fn list(value: &Value) -> Result<Vec<String>, SettingProblem> {
    let wrong = || SettingProblem::NotAList;
    let array = value.as_array().ok_or_else(wrong)?;
    array.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

/// A list of paths or patterns that may begin with `~`.
fn expanded_list(value: &Value, home: Option<&Path>) -> Result<Vec<String>, SettingProblem> {
    let texts = list(value)?.into_iter();
    Ok(texts.map(|text| expand_home(&text, home).to_string_lossy().into_owned()).collect())
}

fn one_of<'v>(value: &'v Value, choices: &[&str]) -> Result<&'v str, SettingProblem> {
    let chosen = text(value)?;
    if choices.contains(&chosen) {
        return Ok(chosen);
    }
    let choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
    Err(SettingProblem::NoChoice { choices, found: chosen.to_owned() })
}

fn absolute(value: &Value, home: Option<&Path>) -> Result<PathBuf, SettingProblem> {
    absolute_path(text(value)?, home)
}

fn absolute_path(text: &str, home: Option<&Path>) -> Result<PathBuf, SettingProblem> {
    let path = expand_home(text, home);
    if path.is_absolute() {
        return Ok(path);
    }
    Err(SettingProblem::NotAbsolute { found: text.to_owned() })
}

#[expect(clippy::cast_precision_loss, reason = "what is too large for it is refused")]
fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}

fn amount(value: &Value) -> Result<f64, SettingProblem> {
    let amount = number(value).filter(|usd| (0.0..=10_000.0).contains(usd));
    amount.ok_or(SettingProblem::NotDollars)
}

fn whole_number(value: &Value) -> Result<usize, SettingProblem> {
    let number = value.as_integer().and_then(|number| usize::try_from(number).ok());
    let number = number.filter(|number| *number <= 100_000);
    number.ok_or(SettingProblem::NotWhole)
}

fn days(value: &Value) -> Result<Duration, SettingProblem> {
    let days = value.as_integer().and_then(|days| u64::try_from(days).ok());
    let days = days.filter(|days| (1..=36_500).contains(days));
    Ok(Duration::from_secs(days.ok_or(SettingProblem::NotDays)? * 86_400))
}

/// From a hundredth of a minute, so that nothing runs in a circle, to a year.
fn minutes(value: &Value) -> Result<Duration, SettingProblem> {
    let number = number(value).filter(|minutes| (0.01..=525_600.0).contains(minutes));
    Ok(Duration::from_secs_f64(number.ok_or(SettingProblem::NotMinutes)? * 60.0))
}

fn article(value: &Value) -> String {
    let name = value.type_name();
    format!("{} {name}", if name.starts_with(['a', 'i']) { "an" } else { "a" })
}

fn line_of(text: &str, span: Option<Range<usize>>) -> usize {
    let start = span.map_or(0, |span| span.start.min(text.len()));
    1 + text.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count()
}

fn config_error(path: &Path, line: usize, key: &str, problem: SettingProblem) -> Error {
    let problem = problem.into();
    ConfigError::Unusable { path: path.to_owned(), line, key: key.to_owned(), problem, advice: None }.into()
}

#[cfg(test)]
mod tests {
    use afterword_reflect::engine::{anthropic, openai};

    use super::*;

    #[test]
    fn defaults_are_those_of_the_list() {
        let config = Config::default();
        assert_eq!(config.tasks_daily_usd, 5.0);
        assert_eq!(config.heartbeat.idle, Duration::from_secs(4 * 60));
        assert!(config.notices.completed && config.heartbeat.enabled && !config.archive.sessions);
        assert_eq!(config.archive.limit, 2_000_000_000);
        assert_eq!((config.budget.daily, config.budget.per_project), (Some(5.0), None));
        // The engines have these themselves, too, for where the setting is left empty.
        assert_eq!(config.engine_options.address.as_deref(), Some(openai::ADDRESS));
        assert_eq!(config.engine_options.anthropic_address.as_deref(), Some(anthropic::ADDRESS));
    }

    /// No type of setting has a field of its own: a second setting of it would write the first one's.
    #[test]
    fn setting_that_no_field_stands_for_writes_none() {
        let root = if cfg!(windows) { "C:" } else { "" };
        let text = format!(
            "home = \"{root}/x\"\nlist = [\"{root}/a = b\"]\nfolders = [\"{root}/a\"]\nnumber = 3\nflag = true\nhours = \"22:00-07:00\"\n"
        );
        let document: Document<String> = text.parse().unwrap();
        for setting in SETTINGS {
            let name = match setting.shape {
                SettingType::Path | SettingType::Choice(_) | SettingType::Text => "home",
                SettingType::Folders => "list",
                SettingType::Paths | SettingType::Globs | SettingType::Patterns => "folders",
                SettingType::Minutes | SettingType::Days | SettingType::Dollars | SettingType::Count => {
                    "number"
                }
                SettingType::Switch => "flag",
                SettingType::Hours => "hours",
            };
            let shape = match setting.shape {
                SettingType::Choice(_) => SettingType::Choice(&["/x", "C:/x"]),
                shape => shape,
            };
            let unknown: &'static Setting =
                Box::leak(Box::new(Setting { key: "no.such", shape, ..*setting }));
            let value = document.as_table().get(name).and_then(Item::as_value).unwrap();
            let found = FoundValue { setting: unknown, value, line: 1 };
            let mut config = Config::default();
            assert_eq!(take(&mut config, &found, None), Err(SettingProblem::Unread), "{shape:?}");
            assert_eq!(format!("{config:?}"), format!("{:?}", Config::default()), "{shape:?}");
        }
    }

    #[test]
    fn every_choice_that_is_offered_is_read() {
        for setting in SETTINGS {
            let SettingType::Choice(choices) = setting.shape else { continue };
            let mut seen = Vec::new();
            for choice in choices {
                let text = format!("{} = \"{choice}\"\n", setting.key);
                let read = config(Path::new("config.toml"), &text, None).unwrap();
                seen.push(format!("{read:?}"));
            }
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), choices.len(), "two choices of {} are the same", setting.key);
        }
    }
}
