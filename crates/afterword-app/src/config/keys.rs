//! The settings that exist: name, shape, default and what they are for. The file that `init` writes, the checks, and
//! `config show` all come from this one list.

use std::fmt::Write as _;

use crate::Error;
use crate::error::ConfigError;

/// What a setting may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingType {
    /// An absolute path, or one below `~`.
    Path,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// Absolute paths, or some below `~`.
    Paths,
    /// Path patterns (`*` within one folder's name, `**` over several).
    Globs,
    /// Regular expressions.
    Patterns,
    /// Folders with the names of their projects.
    Folders,
    /// A number of minutes, also less than one.
    Minutes,
    /// A whole number of days.
    Days,
    /// Any text.
    Text,
    /// True or false.
    Switch,
    /// Hours of a day (`22:00-07:00`); empty for none.
    Hours,
    /// A number of US dollars.
    Dollars,
    /// A whole number, from 0 to 100,000.
    Count,
}

/// A setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Its dotted name.
    pub key: &'static str,
    /// What it may hold.
    pub shape: SettingType,
    /// Its default as TOML; empty where it has none.
    pub default: &'static str,
    /// An example as TOML, shown in the file where there is no default.
    pub example: &'static str,
    /// What it is for, one line each.
    pub about: &'static [&'static str],
}

/// Every setting, in the file's order.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "vault.path",
        shape: SettingType::Path,
        default: "",
        example: "\"~/Documents/Vault\"",
        about: &[
            "The folder that notes are written to, below `Afterword/`. `afterword init --vault DIR` sets it.",
        ],
    },
    Setting {
        key: "claude.config_dir",
        shape: SettingType::Path,
        default: "",
        example: "\"~/.claude\"",
        about: &[
            "Claude Code's own directory. Without it the environment's CLAUDE_CONFIG_DIR counts, then `~/.claude`.",
        ],
    },
    Setting {
        key: "claude.other_dirs",
        shape: SettingType::Paths,
        default: "[]",
        example: "",
        about: &[
            "Further directories of Claude Code that are followed with it: another account's, or those of the other side of WSL.",
            "Where some are named, `claude.config_dir` or `~/.claude` is followed in any case, whatever CLAUDE_CONFIG_DIR says.",
        ],
    },
    Setting {
        key: "claude.binary",
        shape: SettingType::Path,
        default: "",
        example: "\"~/.local/bin/claude\"",
        about: &[
            "The Claude Code program that conversations run. Without it the one in PATH or its usual places is used.",
        ],
    },
    Setting {
        key: "review.mode",
        shape: SettingType::Choice(&["interactive", "silent"]),
        default: "\"interactive\"",
        example: "",
        about: &[
            "What happens to lessons that are likely but not certain: \"interactive\" puts them up for review,",
            "\"silent\" saves them like certain ones.",
        ],
    },
    Setting {
        key: "review.per_week",
        shape: SettingType::Count,
        default: "5",
        example: "",
        about: &[
            "How many likely lessons of a week are put up for review at most, and four times as many may wait at once.",
            "The others are in the inbox, for whoever wants to see them.",
        ],
    },
    Setting {
        key: "review.inbox_days",
        shape: SettingType::Count,
        default: "90",
        example: "",
        about: &[
            "After so many days in the inbox a lesson that nobody answered or changed goes to the archive; 0 keeps it there.",
        ],
    },
    Setting {
        key: "engine.name",
        shape: SettingType::Choice(&["builtin", "claude-code", "anthropic", "openai-compatible"]),
        default: "\"builtin\"",
        example: "",
        about: &[
            "What finds the lessons. \"builtin\" needs no key, no account and no network. \"claude-code\",",
            "\"anthropic\" and \"openai-compatible\" (Ollama, llama.cpp, LM Studio, hosted ones) are asked about",
            "what the built-in one found; see `afterword preview`. Keys: `afterword config set-key`.",
        ],
    },
    Setting {
        key: "engine.model",
        shape: SettingType::Text,
        default: "",
        example: "\"qwen3:8b\"",
        about: &[
            "The model of `engine.name`. Claude Code has its own without it; \"openai-compatible\" needs it.",
        ],
    },
    Setting {
        key: "engine.address",
        shape: SettingType::Text,
        default: "\"http://127.0.0.1:11434/v1\"",
        example: "",
        about: &["Where \"openai-compatible\" is asked: https, or a server on this machine."],
    },
    Setting {
        key: "engine.anthropic_address",
        shape: SettingType::Text,
        default: "\"https://api.anthropic.com\"",
        example: "",
        about: &["Where \"anthropic\" is asked."],
    },
    Setting {
        key: "engine.answer_tokens",
        shape: SettingType::Count,
        default: "0",
        example: "",
        about: &[
            "The most tokens an \"openai-compatible\" answer may have, for small models; 0 for no such limit. The schema",
            "that is sent then has limits too, so that a model that would go on talking comes to an end.",
        ],
    },
    Setting {
        key: "engine.limit_minutes",
        shape: SettingType::Minutes,
        default: "5",
        example: "",
        about: &["How long one question may take."],
    },
    Setting {
        key: "engine.usd_per_million_in",
        shape: SettingType::Dollars,
        default: "",
        example: "0.15",
        about: &["What a million tokens cost that the model reads. On this machine they cost nothing."],
    },
    Setting {
        key: "engine.usd_per_million_out",
        shape: SettingType::Dollars,
        default: "",
        example: "0.60",
        about: &["What a million tokens cost that it writes."],
    },
    Setting {
        key: "budget.daily_usd",
        shape: SettingType::Dollars,
        default: "5.0",
        example: "",
        about: &[
            "US dollars that everything may cost a day: reflections, heartbeats, ideas, and tasks with what is said in them.",
            "A call that could pass it is not made. 0 for no limit.",
        ],
    },
    Setting {
        key: "budget.per_project_usd",
        shape: SettingType::Dollars,
        default: "0",
        example: "",
        about: &["The same for each project, a day."],
    },
    Setting {
        key: "budget.per_job_usd",
        shape: SettingType::Dollars,
        default: "0.25",
        example: "",
        about: &["The same for the reflection of one session."],
    },
    Setting {
        key: "ideas.research",
        shape: SettingType::Switch,
        default: "false",
        example: "",
        about: &[
            "Have every new idea thought through by the chosen engine, in a call of its own.",
            "One by one it is `afterword ideas research IDEA`.",
        ],
    },
    Setting {
        key: "reflection.idle_minutes",
        shape: SettingType::Minutes,
        default: "",
        example: "4",
        about: &[
            "A session in which nothing happened for so long is reflected, once until it goes on.",
            "Without it that is 4, and 30 with an engine that costs money.",
        ],
    },
    Setting {
        key: "heartbeat.enabled",
        shape: SettingType::Switch,
        default: "true",
        example: "",
        about: &[
            "Look at an open session when it idles, and say in its timeline what was left undone:",
            "open errors, unanswered questions, uncommitted work, as ticked in Afterword/HEARTBEAT.md.",
            "The words of that file are a prompt, and read only where another engine than the built-in one is chosen.",
        ],
    },
    Setting {
        key: "heartbeat.idle_minutes",
        shape: SettingType::Minutes,
        default: "4",
        example: "",
        about: &["How long a session must idle for that."],
    },
    Setting {
        key: "heartbeat.continue_minutes",
        shape: SettingType::Minutes,
        default: "30",
        example: "",
        about: &["When there was nothing to say, look again after so long."],
    },
    Setting {
        key: "recovery.unknown_minutes",
        shape: SettingType::Minutes,
        default: "60",
        example: "",
        about: &[
            "A session whose client was never seen to end, and whose process is not known, counts as crashed after so",
            "long without activity. Where the process is known, a crash is noticed within a minute.",
        ],
    },
    Setting {
        key: "recovery.keep_days",
        shape: SettingType::Days,
        default: "30",
        example: "",
        about: &["How long the markers of reflected sessions, old jobs and their logs are kept."],
    },
    Setting {
        key: "log.level",
        shape: SettingType::Choice(&["error", "warn", "info", "debug"]),
        default: "\"info\"",
        example: "",
        about: &[
            "What of its own work the program writes down: failures only, or also what it did. Counts from its next start.",
            "`afterword logs` shows it; the variable AFTERWORD_LOG goes before this.",
        ],
    },
    Setting {
        key: "tasks.daily_usd",
        shape: SettingType::Dollars,
        default: "5.0",
        example: "",
        about: &[
            "US dollars of `budget.daily_usd` that tasks may cost a day, their runs and the replies in them; what is due then",
            "waits for the next day. 0 for nothing at all.",
        ],
    },
    Setting {
        key: "recall.token_budget",
        shape: SettingType::Count,
        default: "600",
        example: "",
        about: &[
            "How much a session is given of what is known as it starts, in tokens; 0 gives nothing.",
            "Notes with `always_load: true` come first, then what was learned in its project and everywhere.",
        ],
    },
    Setting {
        key: "recall.on_prompt",
        shape: SettingType::Switch,
        default: "false",
        example: "",
        about: &["Give a session also the lessons that clearly match a prompt, as it is sent."],
    },
    Setting {
        key: "recall.model",
        shape: SettingType::Text,
        default: "\"built-in\"",
        example: "",
        about: &[
            "What searches by meaning: \"built-in\", or a folder with a larger static model (model2vec:",
            "model.safetensors and a WordPiece tokenizer.json), like \"~/models/potion-retrieval-32M\".",
            "Changing it queues a job; until it is done searches go on with the model before.",
        ],
    },
    Setting {
        key: "attempts.judge_sessions",
        shape: SettingType::Switch,
        default: "true",
        example: "",
        about: &["Judge by a session's own signals how it ended, and remember it as an attempt."],
    },
    Setting {
        key: "attempts.most_per_session",
        shape: SettingType::Count,
        default: "20",
        example: "",
        about: &["Attempts kept of one session, the latest ones; 0 keeps none at all."],
    },
    Setting {
        key: "attempts.most_per_project",
        shape: SettingType::Count,
        default: "100",
        example: "",
        about: &["Attempts kept of one project, the latest ones; 0 keeps none at all."],
    },
    Setting {
        key: "attempts.past_lessons",
        shape: SettingType::Count,
        default: "3",
        example: "",
        about: &["Past attempts that are told before a task is tried."],
    },
    Setting {
        key: "privacy.exclude",
        shape: SettingType::Globs,
        default: "[]",
        example: "",
        about: &[
            "Projects that are never read, as patterns over their paths; what is below a match is excluded too.",
            "For example [\"~/clients/**\", \"secret-*\"].",
        ],
    },
    Setting {
        key: "privacy.redact_extra",
        shape: SettingType::Patterns,
        default: "[]",
        example: "",
        about: &[
            "Regular expressions for further secrets to take out before anything is shown or written.",
            "For example ['ACME-[0-9]{8}'].",
        ],
    },
    Setting {
        key: "archive.sessions",
        shape: SettingType::Switch,
        default: "false",
        example: "",
        about: &[
            "Keep a compressed copy of every session's transcript on this machine. Claude Code deletes its own after some",
            "30 days; a copy is found by the same search, and can be restored byte for byte. It is not redacted.",
        ],
    },
    Setting {
        key: "archive.limit_mb",
        shape: SettingType::Count,
        default: "2000",
        example: "",
        about: &[
            "How many megabytes the copies may take; the oldest go first. A copy takes about a ninth of its transcript.",
            "0 for no limit.",
        ],
    },
    Setting {
        key: "projects.folders",
        shape: SettingType::Folders,
        default: "[]",
        example: "",
        about: &[
            "Folders that count as a project because you said so, with all that is below them, whatever git tells;",
            "`afterword projects join` and `split` write it. For example [\"~/shop-2 = shop\"].",
        ],
    },
    Setting {
        key: "notices.completed",
        shape: SettingType::Switch,
        default: "true",
        example: "",
        about: &["Whether the desktop tells that a session was reflected and something learned."],
    },
    Setting {
        key: "notices.failed",
        shape: SettingType::Switch,
        default: "true",
        example: "",
        about: &["Whether the desktop tells that a session could not be reflected."],
    },
    Setting {
        key: "notices.review",
        shape: SettingType::Switch,
        default: "true",
        example: "",
        about: &["Whether the desktop tells that lessons wait for review."],
    },
    Setting {
        key: "notices.waiting",
        shape: SettingType::Switch,
        default: "true",
        example: "",
        about: &["Whether the desktop tells that a task in the background waits for an answer."],
    },
    Setting {
        key: "notices.reported",
        shape: SettingType::Switch,
        default: "true",
        example: "",
        about: &["Whether the desktop tells that a task reported something, or is done."],
    },
    Setting {
        key: "notices.left_open",
        shape: SettingType::Switch,
        default: "true",
        example: "",
        about: &["Whether the desktop tells that an open session idles with an error or a question open."],
    },
    Setting {
        key: "notices.quiet_hours",
        shape: SettingType::Hours,
        default: "\"\"",
        example: "",
        about: &[
            "Hours in which nothing is shown, as \"22:00-07:00\"; what happened is told afterwards, together.",
        ],
    },
    Setting {
        key: "updates.check",
        shape: SettingType::Switch,
        default: "false",
        example: "",
        about: &[
            "Whether a newer version is looked for, at most once a day, when the window's Settings are opened or",
            "`afterword doctor` is run: one request for one file, which says nothing of you. Nothing is installed.",
        ],
    },
    Setting {
        key: "updates.address",
        shape: SettingType::Text,
        default: "",
        example: "\"https://example.com/afterword/latest.json\"",
        about: &[
            "Where that file is: https, or a server on this machine. Without it the repository is asked that this build names.",
        ],
    },
    Setting {
        key: "window.appearance",
        shape: SettingType::Choice(&["system", "light", "dark"]),
        default: "\"system\"",
        example: "",
        about: &["How the window looks: as the desktop does, light, or dark."],
    },
    Setting {
        key: "window.language",
        shape: SettingType::Choice(&["system", "en", "de", "zh"]),
        default: "\"system\"",
        example: "",
        about: &[
            "The language of the window: the desktop's where there are words in it, English, German or Chinese.",
        ],
    },
];

/// The setting called `key`.
pub fn setting(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

/// There is no setting `key`: says which one may have been meant.
pub fn unknown_setting(key: &str) -> Error {
    ConfigError::Unknown { key: key.to_owned(), meant: nearest(key) }.into()
}

/// The existing key that `key` is most like, when it is like one.
fn nearest(key: &str) -> Option<String> {
    let scored = SETTINGS.iter().filter_map(|setting| Some((difference(key, setting.key)?, setting.key)));
    Some(scored.min()?.1.to_owned())
}

/// How many letters make the difference between two names; `None` where they are not alike.
fn difference(one: &str, other: &str) -> Option<usize> {
    const MOST: usize = 3;
    // Compared letter by letter, a text of megabytes would take minutes.
    let may_be_alike = one.chars().count().abs_diff(other.chars().count()) <= MOST;
    may_be_alike.then(|| strsim::damerau_levenshtein(one, other)).filter(|difference| *difference <= MOST)
}

/// The settings in the section that `key` names, or in the one its name is most like; nothing where it is like none.
fn of_nearest_section(key: &str) -> Vec<&'static str> {
    let section_of = |key: &str| key.split_once('.').map_or(key, |(section, _)| section).to_owned();
    let wanted = section_of(key);
    let sections = SETTINGS.iter().map(|setting| section_of(setting.key));
    let scored = sections.filter_map(|section| Some((difference(&wanted, &section)?, section)));
    let Some((distance, nearest)) = scored.min() else {
        return Vec::new();
    };
    // A short name is like any other that is as short.
    if distance * 2 > wanted.chars().count() {
        return Vec::new();
    }
    SETTINGS.iter().map(|setting| setting.key).filter(|key| section_of(key) == nearest).collect()
}

/// What to do about a key that does not exist.
pub(super) fn advice_on(key: &str) -> String {
    if let Some(meant) = nearest(key) {
        return format!("did you mean `{meant}`?");
    }
    match of_nearest_section(key).as_slice() {
        [] => "`afterword config show` lists every setting".to_owned(),
        keys => format!("the settings there are like it: {}", keys.join(", ")),
    }
}

/// The file that `init` writes: every setting explained and commented out.
pub(crate) fn template() -> String {
    let mut text = String::from(
        "# Afterword's settings. Every one is shown here with its default, commented out;\n\
         # remove the `#` before a line, or run `afterword config set KEY VALUE`, to change it.\n",
    );
    let mut section = "";
    for setting in SETTINGS {
        let (of, leaf) = setting.key.split_once('.').unwrap_or(("", setting.key));
        if of != section {
            section = of;
            // Writing to a String cannot fail.
            let _ = write!(text, "\n[{section}]\n");
        }
        for line in setting.about {
            let _ = writeln!(text, "# {line}");
        }
        let value = if setting.default.is_empty() { setting.example } else { setting.default };
        let _ = writeln!(text, "# {leaf} = {value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_that_is_not_there_is_told_from_the_ones_that_are_however_long_it_is() {
        assert_eq!(nearest("claude.other_dir"), Some("claude.other_dirs".to_owned()));
        assert_eq!(nearest("nothing like it"), None);
        // Compared letter by letter with every setting it would take half a minute.
        assert_eq!(advice_on(&"x".repeat(3_000_000)), "`afterword config show` lists every setting");
    }
}
