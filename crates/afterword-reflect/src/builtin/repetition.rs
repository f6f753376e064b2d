//! What comes again and again: the same error, the same wish, in one session or over several.

use std::collections::HashMap;

use afterword_transcript::event::{EntryLocation, Event, ToolStatus};

use super::topic::Topic;
use super::words::head;

/// How often something must come to be a pattern.
pub const OFTEN: usize = 3;
/// Most different errors remembered; sessions with more keep the first.
const MOST: usize = 2000;

/// Most wishes compared with each other; comparing is quadratic, and no one says more than this in a session.
const COMPARED: usize = 1000;

/// An error that came again.
#[derive(Debug, Clone)]
pub struct Recurring {
    /// Its telling line.
    pub message: String,
    /// Where it came, in order; the first few.
    pub places: Vec<EntryLocation>,
    /// How often.
    pub count: usize,
    /// What was tried when it came, the commands.
    pub commands: Vec<String>,
}

/// Counts errors by what they say.
#[derive(Debug, Default)]
pub struct Errors {
    seen: HashMap<String, Recurring>,
    order: Vec<String>,
    commands: HashMap<String, String>,
}

impl Errors {
    /// Takes the next event.
    pub fn push(&mut self, event: &Event) {
        match event {
            Event::Call(call) if call.name == "Bash" => {
                if self.commands.len() > 512 {
                    self.commands.clear();
                }
                self.commands.insert(call.id.clone(), head(&call.summary, 160).to_owned());
            }
            Event::Outcome(outcome) if outcome.status == ToolStatus::Failed && !outcome.place.sidechain => {
                let Some(message) = telling_line(&outcome.error) else { return };
                let key = shape(message);
                if !self.seen.contains_key(&key) {
                    if self.seen.len() == MOST {
                        return;
                    }
                    self.order.push(key.clone());
                }
                let entry = self.seen.entry(key).or_insert_with(|| Recurring {
                    message: head(message, 240).to_owned(),
                    places: vec![],
                    count: 0,
                    commands: vec![],
                });
                entry.count += 1;
                if entry.places.len() < 8 {
                    entry.places.push(outcome.place.clone());
                }
                if let Some(command) = self.commands.get(&outcome.call)
                    && entry.commands.len() < 3
                    && !entry.commands.contains(command)
                {
                    entry.commands.push(command.clone());
                }
            }
            _ => {}
        }
    }

    /// The errors that came often, in the order they first came.
    pub fn finish(mut self) -> Vec<Recurring> {
        let all = self.order.iter().filter_map(|key| self.seen.remove(key)).collect::<Vec<_>>();
        all.into_iter().filter(|error| error.count >= OFTEN).collect()
    }
}

/// The line of an error that says what is wrong.
pub fn telling_line(error: &str) -> Option<&str> {
    let lines =
        || error.lines().map(str::trim).filter(|line| line.len() > 12 && !line.starts_with("Exit code"));
    let tells = |line: &&str| {
        let lower = line.to_lowercase();
        let code = line.contains([';', '{', '}'])
            || lower.split_once(" | ").is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok());
        let words =
            format!(" {} ", lower.replace(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\''), " "));
        !code
            && [
                "error",
                "not found",
                "no such",
                "cannot",
                "can't",
                "fatal",
                "denied",
                "unable",
                "missing",
                "undefined",
                "invalid",
                "enoent",
                "refused",
                "timed out",
                "unknown",
                "requires",
            ]
            .iter()
            .any(|word| words.contains(&format!(" {word} ")))
    };
    lines().find(tells)
}

/// An error without its numbers, paths and quoted parts, so that two of a kind are equal.
fn shape(message: &str) -> String {
    let mut shape = String::new();
    for word in message.split_whitespace().take(24) {
        let plain =
            !word.contains(['/', '\\', '"', '\'', '`', '=']) && !word.chars().any(|c| c.is_ascii_digit());
        shape.push_str(if plain { word } else { "#" });
        shape.push(' ');
    }
    shape
}

/// Errors that say that something failed, and not what: "ERROR task failed", "expected 1, received 2".
pub fn says_nothing(message: &str) -> bool {
    const BARE: [&str; 36] = [
        "error",
        "errors",
        "task",
        "tasks",
        "failed",
        "fail",
        "failure",
        "fails",
        "expect",
        "expected",
        "received",
        "receive",
        "unhandled",
        "test",
        "tests",
        "tobe",
        "toequal",
        "assertion",
        "assert",
        "asserts",
        "assertionerror",
        "exit",
        "exited",
        "code",
        "status",
        "command",
        "warning",
        "lint",
        "build",
        "found",
        "near",
        "between",
        "parse",
        "syntax",
        "unexpected",
        "script",
    ];
    let words = message.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    let telling = words.filter(|word| {
        let lower = word.to_lowercase();
        !BARE.contains(&lower.as_str()) && word.chars().any(char::is_alphabetic)
    });
    telling.count() < 2
}

/// Errors that tell of the agent's own slips with its tools, not of the user's project.
pub fn is_tool_slip(message: &str) -> bool {
    let lower = message.to_lowercase();
    [
        "tool_use_error",
        "file has not been read",
        "file has been modified since",
        "string to replace not found",
        "string not found",
        "found 2 matches",
        "matches of the string",
        "sibling tool call",
        "file content",
        "exceeds maximum",
        "inputvalidationerror",
        "no such tool",
        "hook error",
        "no matches found",
        "file does not exist",
        "has been denied",
    ]
    .iter()
    .any(|slip| lower.contains(slip))
        || lower.contains("no such file or directory")
            && ["bash:", "cat:", "ls:", "cd:", "rm:", "(eval)", "sed:", "head:", "tail:", "grep:", "wc:"]
                .iter()
                .any(|tool| lower.contains(tool))
}

/// Groups texts that say the same: indexes of those alike, each group in order.
pub fn alike(topics: &[(usize, Topic)]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Topic, Vec<usize>)> = Vec::new();
    for (index, topic) in topics.iter().filter(|(_, topic)| topic.len() >= 3).take(COMPARED) {
        match groups.iter_mut().find(|(known, _)| known.is_like(topic)) {
            Some((_, members)) => members.push(*index),
            None => groups.push((topic.clone(), vec![*index])),
        }
    }
    groups.into_iter().map(|(_, members)| members).filter(|members| members.len() >= OFTEN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_kind_have_one_shape() {
        assert_eq!(shape("fatal: unable to read e53647ba1f"), shape("fatal: unable to read 99aa01"));
        assert_ne!(shape("fatal: unable to read 1"), shape("fatal: not a repository"));
    }

    #[test]
    fn an_error_that_only_says_that_something_failed_is_known() {
        assert!(says_nothing("[lint:go] ERROR task failed"));
        assert!(says_nothing("error: expect(received).toBe(expected)"));
        assert!(says_nothing("(eval):1: parse error near `('"));
        assert!(!says_nothing("fatal error: zlib.h: No such file or directory"));
        assert!(!says_nothing("error: failed to push some refs to 'origin'"));
    }

    #[test]
    fn the_telling_line_is_the_error() {
        let error = "Exit code 127\n(eval):1: command not found: nvcc\nmore";
        assert_eq!(telling_line(error), Some("(eval):1: command not found: nvcc"));
    }
}
