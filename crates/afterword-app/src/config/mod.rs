//! `config.toml`: reading it, refusing what it must not hold, and changing it without losing the user's comments.
//!
//! Start reading at [`keys::SETTINGS`], the one list of settings; [`Config`] is what the rest of the program sees.

pub(crate) mod check;
mod edit;
pub mod exclude;
pub mod folders;
pub mod keys;
mod read;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use afterword_claude_code::price::Price;
use afterword_core::ReviewMode;
use afterword_platform::files::read_text;
use afterword_reflect::engine::{is_local, openai};
use tracing::level_filters::LevelFilter;

pub use exclude::Exclusions;
pub use folders::ProjectFolders;
pub use keys::{SETTINGS, Setting, SettingType};

use crate::Error;
use crate::engine::EngineName;
use crate::error::ConfigError;
use crate::notices::NoticeRules;

/// The settings in force. Their defaults are in [`keys::SETTINGS`] and nowhere else: the `Default` of a part of them says nothing.
#[derive(Debug, Clone)]
pub struct Config {
    /// `vault.path`.
    pub vault: Option<PathBuf>,
    /// `claude.config_dir`.
    pub claude_config_dir: Option<PathBuf>,
    /// `claude.other_dirs`.
    pub claude_other_dirs: Vec<PathBuf>,
    /// `claude.binary`.
    pub claude_binary: Option<PathBuf>,
    /// `tasks.daily_usd`.
    pub tasks_daily_usd: f64,
    /// `review.mode`.
    pub review_mode: ReviewMode,
    /// `review.per_week`.
    pub review_per_week: usize,
    /// `review.inbox_days`; 0 for ever.
    pub inbox_days: usize,
    /// `engine.name`.
    pub engine: EngineName,
    /// `engine.*`, of engines that are asked over the built-in one.
    pub engine_options: EngineOptions,
    /// `budget.*`.
    pub budget: BudgetConfig,
    /// `privacy.exclude`.
    pub exclude: Exclusions,
    /// `projects.folders`.
    pub folders: ProjectFolders,
    /// `privacy.redact_extra`.
    pub redact_extra: Vec<String>,
    /// `ideas.research`.
    pub ideas_research: bool,
    /// `reflection.idle_minutes`, where it is set.
    pub reflection_idle: Option<Duration>,
    /// `heartbeat.*`.
    pub heartbeat: HeartbeatConfig,
    /// `recall.*`.
    pub recall: RecallConfig,
    /// `recall.model`: a folder; `None` for the model inside the program.
    pub search_model: Option<PathBuf>,
    /// `attempts.*`.
    pub attempts: AttemptsConfig,
    /// `archive.*`.
    pub archive: ArchiveConfig,
    /// `recovery.unknown_minutes`.
    pub recovery_unknown: Duration,
    /// `recovery.keep_days`.
    pub keep: Duration,
    /// `log.level`.
    pub log_level: LevelFilter,
    /// `notices.*`.
    pub notices: NoticeRules,
    /// `updates.*`.
    pub updates: UpdatesConfig,
    /// `window.appearance`.
    pub appearance: Appearance,
    /// `window.language`.
    pub language: Language,
}

/// `updates.*`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpdatesConfig {
    /// `updates.check`: a newer version is looked for.
    pub check: bool,
    /// `updates.address`: where, instead of the repository this is built from.
    pub address: Option<String>,
}

/// How the window looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Appearance {
    /// As the desktop does.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The language of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "contract", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// The desktop's, where there are words in it.
    #[default]
    System,
    /// English.
    En,
    /// German.
    De,
    /// Chinese.
    Zh,
}

/// What sessions are given of what is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecallConfig {
    /// `recall.token_budget`.
    pub token_budget: usize,
    /// `recall.on_prompt`.
    pub on_prompt: bool,
}

/// How an engine is asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EngineOptions {
    /// `engine.model`.
    pub model: Option<String>,
    /// `engine.address`.
    pub address: Option<String>,
    /// `engine.anthropic_address`.
    pub anthropic_address: Option<String>,
    /// `engine.answer_tokens`.
    pub answer_tokens: Option<u32>,
    /// `engine.limit_minutes`.
    pub limit: Duration,
    /// `engine.usd_per_million_in`.
    pub usd_in: Option<f64>,
    /// `engine.usd_per_million_out`.
    pub usd_out: Option<f64>,
}

impl EngineOptions {
    /// What the model costs, where both prices are set.
    pub(crate) fn price(&self) -> Option<Price> {
        Some(Price { input: self.usd_in?, output: self.usd_out? })
    }
}

/// What reflections may cost in US dollars; `None` for no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BudgetConfig {
    /// `budget.daily_usd`.
    pub daily: Option<f64>,
    /// `budget.per_project_usd`.
    pub per_project: Option<f64>,
    /// `budget.per_job_usd`.
    pub per_job: Option<f64>,
}

/// Which attempts are kept, and what is made of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AttemptsConfig {
    /// `attempts.most_per_session`.
    pub most_per_session: usize,
    /// `attempts.most_per_project`.
    pub most_per_project: usize,
    /// `attempts.judge_sessions`.
    pub judge_sessions: bool,
    /// `attempts.past_lessons`.
    pub past_lessons: usize,
}

/// Whether sessions are copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ArchiveConfig {
    /// `archive.sessions`.
    pub sessions: bool,
    /// `archive.limit_mb`, in bytes.
    pub limit: u64,
}

impl ArchiveConfig {
    fn with_limit_in_mb(self, megabytes: usize) -> Self {
        let bytes = (megabytes as u64).saturating_mul(1_000_000);
        Self { limit: if bytes == 0 { u64::MAX } else { bytes }, ..self }
    }
}

/// When open sessions that idle are looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeartbeatConfig {
    /// `heartbeat.enabled`.
    pub enabled: bool,
    /// `heartbeat.idle_minutes`.
    pub idle: Duration,
    /// `heartbeat.continue_minutes`.
    pub again: Duration,
}

impl Config {
    /// How long a session idles before it is reflected: with an engine that costs money, not at every pause.
    pub fn reflection_idle(&self) -> Duration {
        let address = self.engine_options.address.as_deref().unwrap_or(openai::ADDRESS);
        let is_free = match self.engine {
            EngineName::Builtin => true,
            EngineName::OpenAiCompatible => is_local(address),
            EngineName::ClaudeCode | EngineName::Anthropic => false,
        };
        self.reflection_idle.unwrap_or(Duration::from_secs(if is_free { 4 } else { 30 } * 60))
    }
}

impl Default for Config {
    /// The settings in force where none is set: what [`keys::SETTINGS`] says.
    fn default() -> Self {
        static DEFAULTS: LazyLock<Config> = LazyLock::new(read::defaults);
        DEFAULTS.clone()
    }
}

impl Config {
    /// Nothing said of any setting, not even its default.
    fn blank() -> Self {
        Self {
            vault: None,
            claude_config_dir: None,
            claude_other_dirs: Vec::new(),
            claude_binary: None,
            tasks_daily_usd: 0.0,
            review_mode: ReviewMode::default(),
            review_per_week: 0,
            inbox_days: 0,
            engine: EngineName::default(),
            engine_options: EngineOptions::default(),
            budget: BudgetConfig::default(),
            exclude: Exclusions::default(),
            folders: ProjectFolders::default(),
            redact_extra: Vec::new(),
            ideas_research: false,
            reflection_idle: None,
            heartbeat: HeartbeatConfig::default(),
            recall: RecallConfig::default(),
            search_model: None,
            attempts: AttemptsConfig::default(),
            archive: ArchiveConfig::default(),
            recovery_unknown: Duration::ZERO,
            keep: Duration::ZERO,
            log_level: LevelFilter::OFF,
            notices: NoticeRules::default(),
            updates: UpdatesConfig::default(),
            appearance: Appearance::default(),
            language: Language::default(),
        }
    }
}

/// One setting as it stands, for `config show` and `config get`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SettingValue {
    /// Its dotted name.
    pub key: String,
    /// Its value as TOML; empty where it is not set and has no default.
    pub value: String,
    /// The value's texts: one, or a list's items; none where it is not set and has no default.
    pub texts: Vec<String>,
    /// The file sets it.
    pub set: bool,
}

/// The configuration file and how to resolve what stands in it.
#[derive(Debug, Clone)]
pub struct ConfigFile<'a> {
    path: &'a Path,
    home: Option<&'a Path>,
}

impl<'a> ConfigFile<'a> {
    /// Names a file, which need not exist; `home` is what `~` stands for.
    pub fn new(path: &'a Path, home: Option<&'a Path>) -> Self {
        Self { path, home }
    }

    /// The settings in force; the defaults where there is no file.
    ///
    /// # Errors
    /// [`ConfigError::Unusable`] with file, line and key for the first thing that cannot be used.
    pub fn read(&self) -> Result<Config, Error> {
        read::config(self.path, &self.text()?, self.home)
    }

    /// Every setting as it stands.
    ///
    /// # Errors
    /// As [`ConfigFile::read`].
    pub fn show(&self) -> Result<Vec<SettingValue>, Error> {
        let text = self.text()?;
        read::config(self.path, &text, self.home)?;
        read::show(self.path, &text)
    }

    /// Writes the commented file when there is none. Says whether it did.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn create(&self) -> Result<bool, Error> {
        if self.path.exists() {
            return Ok(false);
        }
        edit::write(self.path, &keys::template())?;
        Ok(true)
    }

    /// Changes one setting to whatever the file's form allows; what a person chose goes through
    /// [`change_setting`](crate::settings::change_setting), which also looks whether it would work. A list takes each value as an item; no
    /// value at all takes the setting out of the file.
    ///
    /// # Errors
    /// [`ConfigError::Unknown`], [`ConfigError::BadValue`], [`ConfigError::Unusable`] for a file that cannot be used as it stands,
    /// or [`Error::Io`]; in all cases the file is as it was.
    pub fn set(&self, key: &str, values: &[String]) -> Result<(), Error> {
        let setting = keys::setting(key).ok_or_else(|| keys::unknown_setting(key))?;
        let text = if self.path.exists() { self.text()? } else { keys::template() };
        let changed = edit::set(self.path, &text, setting, values)?;
        if let Err(error) = read::config(self.path, &changed, self.home) {
            return Err(match error {
                Error::Config(ConfigError::Unusable { key: at, problem, .. }) if at == key => {
                    ConfigError::BadValue { key: at, problem }.into()
                }
                other => other,
            });
        }
        edit::write(self.path, &changed)
    }

    fn text(&self) -> Result<String, Error> {
        match read_text(self.path) {
            Ok(text) => Ok(text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(source) => {
                Err(Error::Io { path: self.path.to_owned(), action: "read the configuration", source })
            }
        }
    }
}
