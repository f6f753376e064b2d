//! Repairs: a command failed, something was changed, the same command worked.
//!
//! Whoever meets the failure again wants to know the change, whether or not anybody named the cause. What the agent broke itself
//! on the way, tests that were meant to fail first, and failures that went away without a change are none.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use afterword_transcript::event::{EntryLocation, Event, ToolCall, ToolStatus};

use super::moment::is_edit;
use super::repetition::{is_tool_slip, telling_line};
use super::words::{file_name, head, pattern};

/// Most changes kept of one repair; more is development.
const CHANGES: usize = 4;
/// Most calls between the first failure and the success.
const FAR: u32 = 40;
/// Most commands that are open at once.
const OPEN: usize = 32;

/// What was changed between a failure and the success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A file: its name, and the heads of the old and the new text.
    File {
        /// Last part of the path.
        name: String,
        /// The head of what stood there; empty for a new file.
        old: String,
        /// The head of what stands there now.
        new: String,
    },
    /// Another command that was run.
    Command(String),
    /// The failing command itself, in another form.
    Same(String),
}

/// A failure that a change mended.
#[derive(Debug, Clone)]
pub struct Repair {
    /// The command that failed.
    pub command: String,
    /// The line of its error that says most.
    pub error: String,
    /// Where it failed first.
    pub failed: EntryLocation,
    /// Where it worked.
    pub worked: EntryLocation,
    /// How many events came before the failure and before the success.
    pub ordinals: (u64, u64),
    /// What was changed after it had failed last.
    pub changes: Vec<Change>,
    /// What the agent said after the last failure, the last first.
    pub remarks: Vec<(EntryLocation, String)>,
    /// The person's words before it.
    pub asked: Option<(EntryLocation, String)>,
    /// How often it failed.
    pub failures: u32,
}

#[derive(Debug)]
struct Failure {
    keys: Vec<String>,
    repair: Repair,
    calls: u32,
    own: bool,
}

/// Finds repairs in the events of a session.
#[derive(Debug, Default)]
pub struct Repairs {
    calls: HashMap<String, ToolCall>,
    open: Vec<Failure>,
    done: Vec<Repair>,
    ordinal: u64,
    asked: Option<(EntryLocation, String)>,
    /// Files edited since the person spoke last.
    edited: Vec<String>,
    /// A repair that is waiting for what the agent says next.
    spoken: bool,
}

impl Repairs {
    /// Takes the next event.
    pub fn push(&mut self, event: &Event) {
        self.ordinal += 1;
        match event {
            Event::User(utterance) => {
                let own = super::words::own_words(&utterance.text, &utterance.pasted);
                self.asked = Some((utterance.place.clone(), own));
                self.edited.clear();
                self.spoken = true;
            }
            Event::Agent { place, text } if !place.sidechain => {
                if !self.spoken
                    && let Some(last) = self.done.last_mut()
                {
                    last.remarks.insert(0, (place.clone(), text.clone()));
                    self.spoken = true;
                }
                for failure in &mut self.open {
                    failure.repair.remarks.insert(0, (place.clone(), text.clone()));
                    failure.repair.remarks.truncate(4);
                }
            }
            Event::Call(call) if !call.place.sidechain => {
                if self.calls.len() > 64 {
                    self.calls.clear();
                }
                self.calls.insert(call.id.clone(), call.clone());
            }
            Event::Outcome(outcome) if !outcome.place.sidechain => {
                let Some(call) = self.calls.remove(&outcome.call) else { return };
                match outcome.status {
                    ToolStatus::Failed => self.failed(&call, &outcome.place, &outcome.error),
                    ToolStatus::Ok => self.worked(&call, &outcome.place),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// All repairs, in order.
    pub fn finish(self) -> Vec<Repair> {
        self.done
    }

    fn failed(&mut self, call: &ToolCall, place: &EntryLocation, error: &str) {
        if call.name != "Bash" {
            return;
        }
        let keys = keys(&call.input);
        self.open.retain(|failure| failure.calls < FAR);
        for failure in &mut self.open {
            failure.calls += 1;
        }
        if let Some(known) = self.open.iter_mut().find(|failure| shares(&failure.keys, &keys)) {
            // What was changed so far did not help.
            known.repair.changes.clear();
            known.repair.remarks.clear();
            known.repair.failures += 1;
            return;
        }
        let Some(line) = telling_line(error)
            .or_else(|| error.lines().find(|line| line.trim().len() > 8 && !line.starts_with("Exit code")))
        else {
            return;
        };
        if keys.is_empty() || is_tool_slip(line) || self.open.len() == OPEN {
            return;
        }
        self.open.push(Failure {
            keys,
            own: !self.edited.is_empty(),
            calls: 0,
            repair: Repair {
                command: call.input.clone(),
                error: head(line.trim(), 240).to_owned(),
                failed: place.clone(),
                worked: place.clone(),
                ordinals: (self.ordinal, self.ordinal),
                changes: vec![],
                remarks: vec![],
                asked: self.asked.clone(),
                failures: 1,
            },
        });
    }

    fn worked(&mut self, call: &ToolCall, place: &EntryLocation) {
        if is_edit(&call.name) {
            let name = file_name(&call.summary).trim().to_owned();
            self.edited.push(name.clone());
            let change = Change::File { name, old: call.before.clone(), new: call.input.clone() };
            self.changed(&change);
            return;
        }
        if call.name != "Bash" {
            return;
        }
        let keys = keys(&call.input);
        let ordinal = self.ordinal;
        if let Some(at) = self.open.iter().position(|failure| shares(&failure.keys, &keys)) {
            let mut failure = self.open.remove(at);
            let repair = &mut failure.repair;
            let before = essential(&repair.command);
            if essential(&call.input).iter().any(|part| !before.contains(part)) {
                repair.changes.push(Change::Same(call.input.clone()));
            }
            if is_mending(repair, &keys) && !failure.own {
                repair.worked = place.clone();
                repair.ordinals.1 = ordinal;
                self.done.push(failure.repair);
                self.spoken = false;
            }
        } else if !only_looks(&call.input) {
            self.changed(&Change::Command(call.input.clone()));
        }
        for failure in &mut self.open {
            failure.calls += 1;
        }
    }

    fn changed(&mut self, change: &Change) {
        for failure in &mut self.open {
            failure.repair.changes.push(change.clone());
        }
    }
}

/// Whether the changes of a repair are what it took, and not the work itself.
fn is_mending(repair: &Repair, keys: &[String]) -> bool {
    // How branches and reviews are brought on is work, conflicts with it; what a hook or a server wants before it lets a push through is
    // worth knowing.
    const BRANCHES: [&str; 9] = [
        "git rebase",
        "git pull",
        "git merge",
        "git cherry-pick",
        "git checkout",
        "git stash",
        "git gc",
        "gh api",
        "gh pr",
    ];
    let is_of_branches =
        |keys: &[String]| keys.iter().any(|key| BRANCHES.iter().any(|start| key.starts_with(start)));
    let brings_on =
        |change: &Change| matches!(change, Change::Command(command) if is_of_branches(&self::keys(command)));
    let mere_git = is_of_branches(keys) || repair.changes.iter().all(brings_on);
    // A query worded anew is a search, not a repair.
    let mere_query = repair.command.contains("| jq") || repair.command.contains(" --debug");
    let few = !repair.changes.is_empty() && repair.changes.len() <= CHANGES;
    few && !mere_git && !mere_query
}

/// What of a command decides whether it works: not where it runs, how long it waits or how much of its output is shown.
fn essential(command: &str) -> Vec<String> {
    const SHOWS: [&str; 7] = ["cd", "sleep", "echo", "tail", "head", "grep", "wc"];
    let runs = |part: &String| part.split_whitespace().next().is_some_and(|first| !SHOWS.contains(&first));
    let words = |part: String| part.split_whitespace().collect::<Vec<_>>().join(" ");
    parts(command).into_iter().filter(runs).map(words).collect()
}

fn shares(one: &[String], other: &[String]) -> bool {
    one.iter().any(|key| other.contains(key))
}

/// The commands in a line of shell, without redirections of the error output and without the text of a here-document. What stands in
/// quotation marks is not taken apart.
pub fn parts(command: &str) -> Vec<String> {
    let command = command.replace("2>&1", "").replace("&>", ">");
    let mut parts = vec![String::new()];
    let mut quoted = None;
    for (at, c) in command.char_indices() {
        match (quoted, c) {
            (None, '\'' | '"') => quoted = Some(c),
            (Some(mark), _) if mark == c => quoted = None,
            (None, '<') if command[at..].starts_with("<<") && !command[at..].starts_with("<<<") => break,
            (None, '\n' | ';' | '|' | '&') => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// What a command runs, for each of its parts: the program and the first word that is no option.
fn keys(command: &str) -> Vec<String> {
    const WRAPPERS: [&str; 12] =
        ["sudo", "npx", "bunx", "pnpm", "yarn", "npm", "bun", "time", "env", "timeout", "nice", "exec"];
    const PASSED_OVER: [&str; 12] =
        ["cd", "export", "source", "echo", "set", "sleep", "true", "pwd", "mkdir", "rm", ".", "cat"];
    // What starts a script that may be started by itself, too.
    const INTERPRETERS: [&str; 8] = ["php", "python", "python3", "node", "ruby", "perl", "bash", "sh"];
    // "HOME=$(find one -v 17) make": a value that a command gives.
    static VALUE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:\w+=\$\([^()]*\)\s+)+"));
    parts(command)
        .iter()
        .filter_map(|part| {
            let part = VALUE.replace(part, "");
            let mut words = part
                .split_whitespace()
                .skip_while(|word| word.contains('=') || WRAPPERS.contains(word))
                .filter(|word| !word.starts_with('-') && *word != "run")
                .peekable();
            let mut program = words.next()?;
            if INTERPRETERS.contains(&program) {
                // "-d limit=9"
                while words.next_if(|word| word.contains('=')).is_some() {}
                if let Some(script) = words.next_if(|word| word.contains('/') && !word.contains('.')) {
                    program = script;
                }
            }
            if part.contains(" -C ") {
                words.next();
            }
            if PASSED_OVER.contains(&program) || only_looks(&part) {
                return None;
            }
            let name = program.rsplit('/').next().unwrap_or(program);
            let what = words.find(|word| word.chars().any(char::is_alphabetic)).unwrap_or_default();
            Some(format!("{name} {what}"))
        })
        .collect()
}

/// Whether a command only reads.
fn only_looks(command: &str) -> bool {
    const READERS: [&str; 22] = [
        "ls", "cat", "grep", "rg", "find", "head", "tail", "wc", "which", "pwd", "echo", "diff", "stat",
        "file", "ps", "df", "du", "tree", "less", "jq", "awk", "test",
    ];
    let words: Vec<&str> = command.split_whitespace().skip_while(|word| word.contains('=')).take(3).collect();
    let Some(first) = words.first() else { return true };
    let second = words.get(1).copied().unwrap_or_default();
    READERS.contains(first)
        || *first == "git"
            && ["status", "diff", "log", "show", "branch", "remote", "rev-parse", "blame"].contains(&second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_known_by_what_they_run() {
        assert_eq!(keys("cd app && npx tsc --noEmit"), ["tsc "]);
        assert!(shares(&keys("FOO=1 cargo test --lib"), &keys("cargo test -p core")));
        assert!(shares(
            &keys("ssh-add key && ansible-playbook site.yml"),
            &keys("ansible-playbook site.yml")
        ));
        assert!(!shares(&keys("cargo test"), &keys("cargo build")));
        assert!(shares(&keys("php -d limit=9 /usr/bin/oven bake bread"), &keys("oven bake bread")));
        assert!(shares(&keys("HOME_OF=$(find_home -v 17) ./oven bake"), &keys("cd shop && ./oven bake")));
        assert_eq!(keys("python3 tools/bake.py --all"), ["python3 tools/bake.py"]);
        assert!(keys("ls -la | head").is_empty());
        assert_eq!(keys("git -C /srv/app gc --auto"), ["git gc"]);
    }

    #[test]
    fn showing_less_of_the_output_changes_nothing() {
        assert_eq!(essential("git push 2>&1"), essential("sleep 5; git push 2>&1 | tail -3"));
        assert_ne!(essential("git push"), essential("git push --no-verify"));
    }

    #[test]
    fn what_is_quoted_is_one_command() {
        assert_eq!(
            parts("cd app && env-filter 'export A=\"x\"; export B=y' --all | tail -3"),
            ["cd app", "env-filter 'export A=\"x\"; export B=y' --all", "tail -3"]
        );
        assert_eq!(parts("cat > main.c <<'EOF'\nint main() { return 0; }\nEOF\ncc main.c"), ["cat > main.c"]);
        assert!(keys("cat > main.go <<'EOF'\n}\nEOF").is_empty());
    }
}
