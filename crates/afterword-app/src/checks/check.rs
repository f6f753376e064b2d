//! A check: one line in plain words, read strictly, and what it says to a tool's call.

use std::fmt;
use std::path::{Path, PathBuf};

use afterword_core::hidden::is_hidden;
use afterword_platform::files::{open_regular_file, read_text};
use serde_json::Value;

use super::command::{SimpleCommand, base_name, commands};
use super::pattern::{command_matches, occurrences, path_matches};

/// Longest line of a check, in bytes.
const LONGEST: usize = 400;
/// Patterns of one kind in a check.
const MOST_PATTERNS: usize = 8;
/// Checks of one note.
pub(super) const MOST_CHECKS: usize = 8;
/// The largest file whose content is compared with what is to take its place, in bytes.
const LARGEST: u64 = 1 << 20;
/// What a check may say.
pub const FORMS: &str = "never run `COMMAND`, run `COMMAND`\nnever write to `PATH`\nnever write `TEXT` in `PATH`\n\
                         after changing `PATH`, run `COMMAND`";

/// What is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// Commands that are not to be run.
    Run {
        /// Patterns over commands, of which none may match.
        never: Vec<String>,
        /// What is to be run in their place; for the reason only.
        instead: Option<String>,
        /// Commands that may be run all the same.
        except: Vec<String>,
    },
    /// Files that are not to be written.
    Path {
        /// Patterns over paths.
        never: Vec<String>,
        /// Files that may be written all the same.
        except: Vec<String>,
    },
    /// Text that is not to be written.
    Text {
        /// Patterns over text.
        never: Vec<String>,
        /// The files it is about; none for all.
        within: Vec<String>,
        /// Files that may have it.
        except: Vec<String>,
    },
    /// A command that must have run and passed before a turn ends in which files were changed.
    Turn {
        /// Patterns over paths.
        changed: Vec<String>,
        /// Commands of which one is enough.
        run: Vec<String>,
    },
}

/// What is about to happen.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The tool.
    pub tool: &'a str,
    /// What it is given.
    pub input: &'a Value,
    /// Where it runs.
    pub cwd: &'a Path,
    /// The directories that paths of a pattern may begin at.
    pub bases: &'a [PathBuf],
    /// The person's home.
    pub home: Option<&'a Path>,
}

impl Check {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, in plain words.
    pub fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        if line.len() > LONGEST {
            return Err(format!("a check is at most {LONGEST} bytes long"));
        }
        if line.chars().any(|one| one.is_control() || is_hidden(one)) {
            return Err("a check holds no hidden characters".to_owned());
        }
        let check = Reader::new(line)?.check()?;
        check.is_sound().map(|()| check)
    }

    /// Reads all lines of a note's property.
    ///
    /// # Errors
    /// What is wrong with the first that cannot be read.
    pub fn parse_all(lines: &[String]) -> Result<Vec<Self>, String> {
        if lines.len() > MOST_CHECKS {
            return Err(format!("a note has at most {MOST_CHECKS} checks"));
        }
        lines.iter().map(|line| Self::parse(line)).collect()
    }

    /// Why the call is not to be made; `None` where the check has nothing against it.
    pub fn objection(&self, call: &Call<'_>) -> Option<String> {
        match self {
            Self::Run { never, instead, except } => {
                let commands = call.commands()?;
                let is_against = |one: &&SimpleCommand| {
                    never.iter().any(|pattern| command_matches(pattern, one))
                        && !except.iter().any(|pattern| command_matches(pattern, one))
                };
                let command = commands.iter().find(is_against)?;
                let name = command.words.iter().take(2).map(String::as_str).collect::<Vec<_>>().join(" ");
                Some(match instead {
                    Some(instead) => format!("`{}` is not to be run; run `{instead}`", shorten(&name)),
                    None => format!("`{}` is not to be run", shorten(&name)),
                })
            }
            Self::Path { never, except } => {
                let file = call.files().into_iter().find(|file| call.is_in(file, never, except))?;
                Some(format!("`{}` is not to be written", shorten(&file.to_string_lossy())))
            }
            Self::Text { never, within, except } => {
                let everywhere = ["**".to_owned()];
                let within = if within.is_empty() { &everywhere[..] } else { within };
                let (file, new, old) = call.texts()?;
                if !call.is_in(&file, within, except) {
                    return None;
                }
                let pattern = never.iter().find(|pattern| {
                    let count = occurrences(pattern, &new);
                    count > 0 && count > old.as_ref().map_or(0, |old| occurrences(pattern, old))
                })?;
                Some(format!("`{pattern}` is not to be written there"))
            }
            Self::Turn { .. } => None,
        }
    }

    /// The check where nothing is too wide: what would stop everything stops nothing.
    fn is_sound(&self) -> Result<(), String> {
        let all_stars = |pattern: &String| pattern.chars().all(|one| "*/. ".contains(one));
        match self {
            Self::Run { never, .. } => {
                match never.iter().find(|one| one.starts_with('*') || all_stars(one)) {
                    Some(wide) => Err(format!("`{wide}` would stop every command")),
                    None => Ok(()),
                }
            }
            Self::Path { never, .. } if never.iter().any(all_stars) => {
                Err("this would stop every change of a file".to_owned())
            }
            Self::Text { never, .. } => {
                match never.iter().find(|one| one.replace('*', "").trim().chars().count() < 2) {
                    Some(short) => {
                        Err(format!("`{short}` is too short: it would stand in nearly every file"))
                    }
                    None => Ok(()),
                }
            }
            Self::Turn { run, .. } if run.iter().any(|one| one.starts_with('*')) => {
                Err("name the command that must have run".to_owned())
            }
            _ => Ok(()),
        }
    }
}

impl Call<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.input.get(name)?.as_str()
    }

    fn commands(&self) -> Option<Vec<SimpleCommand>> {
        (self.tool == "Bash").then(|| self.text("command")).flatten().and_then(commands)
    }

    fn is_in(&self, file: &Path, patterns: &[String], except: &[String]) -> bool {
        let matches = |pattern: &String| path_matches(pattern, file, self.bases, self.home);
        (patterns.iter().any(|pattern| pattern == "**") || patterns.iter().any(matches))
            && !except.iter().any(matches)
    }

    /// The files that it would write, as far as it says so.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let named = match self.tool {
            "Edit" | "Write" | "MultiEdit" => self.text("file_path"),
            "NotebookEdit" => self.text("notebook_path"),
            "Bash" => {
                return self
                    .text("command")
                    .map_or_else(Vec::new, |line| files_written_by(line, self.cwd, self.home));
            }
            _ => None,
        };
        named.map(|name| self.cwd.join(name)).into_iter().collect()
    }

    /// The file, what would be written to it, and what it takes the place of.
    fn texts(&self) -> Option<(PathBuf, String, Option<String>)> {
        let owned = |name| self.text(name).map(str::to_owned);
        let file = (self.tool != "Bash").then(|| self.files()).and_then(|files| files.into_iter().next())?;
        let (new, old) = match self.tool {
            "Edit" => (owned("new_string")?, owned("old_string")),
            "NotebookEdit" => (owned("new_source")?, None),
            "MultiEdit" => {
                let side = |name: &str| {
                    let edits = self.input.get("edits")?.as_array()?.iter();
                    Some(edits.filter_map(|edit| edit.get(name)?.as_str()).collect::<Vec<_>>().join("\n"))
                };
                (side("new_string")?, side("old_string"))
            }
            _ => {
                let small = open_regular_file(&file).and_then(|open| Ok(open.metadata()?.len() <= LARGEST));
                let old = small.unwrap_or(false).then(|| read_text(&file).ok()).flatten();
                (owned("content")?, old)
            }
        };
        Some((file, new, old))
    }
}

/// The files that a shell line writes, as far as its text says so.
pub(super) fn files_written_by(line: &str, cwd: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let mut folder = cwd.to_owned();
    let mut files = Vec::new();
    for command in commands(line).unwrap_or_default() {
        let place = |folder: &Path, name: &str| match (name.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => folder.join(name),
        };
        let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        let mut names = words.iter().skip(1).copied().filter(|word| !word.starts_with('-'));
        let in_place = || words.iter().any(|word| word.starts_with("-i") || word.starts_with("--in-place"));
        let targets: Vec<&str> = match words.first().map(|first| base_name(first)) {
            Some("cd" | "pushd") => {
                if let Some(name) = names.next_back() {
                    folder = place(&folder, name);
                }
                Vec::new()
            }
            Some("tee" | "rm" | "mv" | "touch" | "truncate" | "unlink" | "rmdir") => names.collect(),
            Some("cp" | "ln" | "install") => names.next_back().into_iter().collect(),
            Some("sed" | "perl") if in_place() => names.collect(),
            Some("git") if matches!(words.get(1), Some(&("rm" | "mv"))) => names.skip(1).collect(),
            _ => Vec::new(),
        };
        let redirects =
            command.redirects.iter().map(String::as_str).filter(|file| !file.starts_with("/dev/"));
        files.extend(targets.into_iter().chain(redirects).map(|name| place(&folder, name)));
    }
    files
}

/// Text for a reason, on one line and not long.
fn shorten(text: &str) -> String {
    let mut text: String = text.chars().filter(|one| !one.is_control() && *one != '`').collect();
    if text.chars().count() > 80 {
        text = text.chars().take(79).chain(['…']).collect();
    }
    text
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |patterns: &[String]| {
            patterns.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(" or ")
        };
        match self {
            Self::Run { never, instead, .. } => {
                write!(f, "never run {}", list(never))?;
                if let Some(instead) = instead {
                    write!(f, ", run `{instead}`")?;
                }
            }
            Self::Path { never, .. } => write!(f, "never write to {}", list(never))?,
            Self::Text { never, within, .. } => {
                write!(f, "never write {}", list(never))?;
                if !within.is_empty() {
                    write!(f, " in {}", list(within))?;
                }
            }
            Self::Turn { changed, run } => write!(f, "after changing {}, run {}", list(changed), list(run))?,
        }
        match self {
            Self::Run { except, .. } | Self::Path { except, .. } | Self::Text { except, .. }
                if !except.is_empty() =>
            {
                write!(f, ", except {}", list(except))
            }
            _ => Ok(()),
        }
    }
}

/// A word, or what stands between two backticks.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Quoted(String),
}

struct Reader {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
}

impl Reader {
    fn new(line: &str) -> Result<Self, String> {
        let mut tokens = Vec::new();
        for (at, part) in line.split('`').enumerate() {
            if at % 2 == 1 {
                let inner = part.trim();
                if inner.is_empty() {
                    return Err("there is nothing between two backticks".to_owned());
                }
                tokens.push(Token::Quoted(inner.to_owned()));
            } else {
                let words = part.split([' ', ',', '.', ':']).filter(|word| !word.is_empty());
                tokens.extend(words.map(|word| Token::Word(word.to_lowercase())));
            }
        }
        if line.matches('`').count() % 2 == 1 {
            return Err("a backtick has no partner".to_owned());
        }
        Ok(Self { tokens: tokens.into_iter().peekable() })
    }

    fn check(mut self) -> Result<Check, String> {
        let check = if self.eat("never") {
            if self.eat("run") {
                let never = self.patterns()?;
                let instead = if self.eat("run") { Some(self.pattern()?) } else { None };
                Check::Run { never, instead, except: self.exceptions()? }
            } else if self.eat("write") {
                if self.eat("to") {
                    Check::Path { never: self.patterns()?, except: self.exceptions()? }
                } else {
                    let never = self.patterns()?;
                    let within = if self.eat("in") { self.patterns()? } else { Vec::new() };
                    Check::Text { never, within, except: self.exceptions()? }
                }
            } else {
                return Err(self.unexpected("`run` or `write` after `never`"));
            }
        } else if self.eat("after") && self.eat("changing") {
            let changed = self.patterns()?;
            if !self.eat("run") {
                return Err(self.unexpected("`run` and a command"));
            }
            Check::Turn { changed, run: self.patterns()? }
        } else {
            return Err(self.unexpected("`never run`, `never write` or `after changing` at its beginning"));
        };
        if self.tokens.peek().is_some() { Err(self.unexpected("its end")) } else { Ok(check) }
    }

    fn eat(&mut self, word: &str) -> bool {
        self.tokens.next_if(|token| matches!(token, Token::Word(own) if own == word)).is_some()
    }

    fn pattern(&mut self) -> Result<String, String> {
        match self.tokens.next_if(|token| matches!(token, Token::Quoted(_))) {
            Some(Token::Quoted(pattern)) => Ok(pattern),
            _ => Err(self.unexpected("something between backticks")),
        }
    }

    fn patterns(&mut self) -> Result<Vec<String>, String> {
        let mut all = vec![self.pattern()?];
        while self.eat("or") {
            all.push(self.pattern()?);
        }
        if all.len() > MOST_PATTERNS {
            return Err(format!("a check names at most {MOST_PATTERNS} things of a kind"));
        }
        Ok(all)
    }

    fn exceptions(&mut self) -> Result<Vec<String>, String> {
        if self.eat("except") { self.patterns() } else { Ok(Vec::new()) }
    }

    fn unexpected(&mut self, wanted: &str) -> String {
        match self.tokens.peek() {
            Some(Token::Word(word)) => format!("`{}` stands where {wanted} should be", shorten(word)),
            Some(Token::Quoted(text)) => format!("`{}` stands where {wanted} should be", shorten(text)),
            None => format!("it ends where {wanted} should be"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn objection(check: &str, tool: &str, input: &Value) -> Option<String> {
        let check = Check::parse(check).unwrap();
        let bases = [PathBuf::from("/w")];
        check.objection(&Call {
            tool,
            input,
            cwd: Path::new("/w"),
            bases: &bases,
            home: Some(Path::new("/h")),
        })
    }

    #[test]
    fn what_is_read_is_printed() {
        let lines = [
            "never run `npm` or `npx`, run `pnpm`, except `npm view`",
            "never run `git push --force*`",
            "never write to `src/gen/**` or `*.lock`, except `a.lock`",
            "never write `console.log(` in `*.ts` or `*.tsx`, except `*.test.ts`",
            "never write `dbg!(`",
            "after changing `src/**`, run `cargo test` or `just test`",
        ];
        for line in lines {
            assert_eq!(Check::parse(line).unwrap().to_string(), line);
        }
        assert_eq!(Check::parse(" Never run `npm`. ").unwrap().to_string(), "never run `npm`");
    }

    #[test]
    fn what_is_no_check_says_why() {
        let check = |line: &str, why: &str| assert_eq!(Check::parse(line).unwrap_err(), why, "{line}");
        check("", "it ends where `never run`, `never write` or `after changing` at its beginning should be");
        check("never run npm", "`npm` stands where something between backticks should be");
        check("never run `npm", "a backtick has no partner");
        check("never run ``", "there is nothing between two backticks");
        check("never run `*`", "`*` would stop every command");
        check("never write to `**/*`", "this would stop every change of a file");
        check("never write `e`", "`e` is too short: it would stand in nearly every file");
        check("never run `npm` on Sundays", "`on` stands where its end should be");
        check("after changing `**` eat", "`eat` stands where `run` and a command should be");
        check("never run `a\u{202e}b`", "a check holds no hidden characters");
        check(&format!("never run `{}`", "a".repeat(1 << 20)), "a check is at most 400 bytes long");
        check(&format!("never run {}`a`", "`a` or ".repeat(40)), "a check names at most 8 things of a kind");
    }

    #[test]
    fn files_are_written_by_tools_and_by_lines() {
        let check = "never write to `migrations` or `.env*`, except `.env.example`";
        let stopped = |tool: &str, input: Value| objection(check, tool, &input).is_some();
        assert!(stopped("Edit", json!({"file_path": "/w/migrations/1.sql"})));
        assert!(stopped("Write", json!({"file_path": "/w/.env.local"})));
        assert!(!stopped("Write", json!({"file_path": "/w/.env.example"})));
        assert!(!stopped("Read", json!({"file_path": "/w/.env"})));
        assert!(stopped("NotebookEdit", json!({"notebook_path": "/w/migrations/a.ipynb"})));
        for line in
            ["echo A=1 >> .env", "cd db && sed -i s/a/b/ migrations/1.sql", "cp a .env", "rm -r migrations/"]
        {
            assert!(stopped("Bash", json!({"command": line})), "{line}");
        }
        for line in
            ["cat .env", "sed s/a/b/ migrations/1.sql", "cp .env /tmp/x", "echo '> .env'", "ls > /dev/null"]
        {
            assert!(!stopped("Bash", json!({"command": line})), "{line}");
        }
    }

    #[test]
    fn text_counts_where_it_is_new() {
        let check = "never write `console.log(` in `*.ts`";
        let edit = |old: &str, new: &str| {
            objection(check, "Edit", &json!({"file_path": "/w/a.ts", "old_string": old, "new_string": new}))
        };
        assert_eq!(edit("a", "console.log(a)").unwrap(), "`console.log(` is not to be written there");
        assert_eq!(edit("console.log(a)", "console.log(b)"), None);
        let write = |file: &str| json!({"file_path": file, "content": "console.log(1)\n"});
        assert!(objection(check, "Write", &write("/w/a.ts")).is_some());
        assert!(objection(check, "Write", &write("/w/a.js")).is_none());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.ts");
        std::fs::write(&file, "console.log(0)\n").unwrap();
        assert!(objection(check, "Write", &write(file.to_str().unwrap())).is_none());
        let many =
            json!({"file_path": "/w/a.ts", "edits": [{"old_string": "x", "new_string": "console.log(x)"}]});
        assert!(objection(check, "MultiEdit", &many).is_some());
    }

    #[test]
    fn foreign_input_stops_nothing() {
        for input in
            [json!(null), json!([]), json!({"command": 7}), json!({"command": "npm '"}), json!({"edits": {}})]
        {
            for tool in ["Bash", "Edit", "Write", "MultiEdit", "mcp__x__npm"] {
                assert_eq!(objection("never run `npm`", tool, &input), None);
                assert_eq!(objection("never write `npm`", tool, &input), None);
            }
        }
    }
}
