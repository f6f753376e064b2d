//! Why a candidate was found: each form of words against the transcript that made it, read here line by line and without the
//! program's own reader. A form that nothing here can check fails the test.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use afterword_testkit::program;
use serde_json::Value;

/// A transcript, a value a line.
struct Transcript {
    lines: Vec<Value>,
}

impl Transcript {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a transcript");
        Self { lines: text.lines().map(|line| serde_json::from_str(line).unwrap_or_default()).collect() }
    }

    /// Content blocks of a kind in the session's own entries, with their line from 1.
    fn blocks(&self, kind: &str) -> Vec<(u64, &Value)> {
        let mut found = Vec::new();
        for (line, entry) in (1..).zip(&self.lines) {
            let blocks = entry["message"]["content"].as_array().filter(|_| entry["isSidechain"] != true);
            found.extend(
                blocks.into_iter().flatten().filter(|one| one["type"] == kind).map(|one| (line, one)),
            );
        }
        found
    }

    /// Lines on which the person typed something.
    fn prompts(&self) -> Vec<u64> {
        let is_typed = |entry: &Value| {
            let content = &entry["message"]["content"];
            let has_text = |blocks: &Vec<Value>| blocks.iter().any(|block| block["type"] == "text");
            entry["type"] == "user"
                && entry["isMeta"] != true
                && entry["isSidechain"] != true
                && (content.is_string() || content.as_array().is_some_and(has_text))
        };
        (1..).zip(&self.lines).filter(|(_, entry)| is_typed(entry)).map(|(line, _)| line).collect()
    }

    /// Calls behind a line and before the second prompt behind it: what is said in a row shares what follows.
    fn calls_behind(&self, line: u64) -> Vec<(u64, &str)> {
        let end = self.prompts().into_iter().filter(|prompt| *prompt > line).nth(1).unwrap_or(u64::MAX);
        let calls = self.blocks("tool_use").into_iter().filter(|(at, _)| (line + 1..end).contains(at));
        calls.map(|(at, call)| (at, call["name"].as_str().unwrap_or_default())).collect()
    }

    fn is_failure(&self, (line, result): (u64, &Value)) -> bool {
        let text = result["content"].to_string();
        let at = usize::try_from(line - 1).expect("a line");
        result["is_error"] == true
            || ["Exit code", "error", "Error", "FAIL", "failed", "fatal"]
                .iter()
                .any(|word| text.contains(word))
            || self.lines[at]["toolUseResult"]["interrupted"] == true
    }

    /// Results of tools before a line, the last first: whether each was a failure.
    fn results_before(&self, line: u64) -> Vec<bool> {
        let results = self.blocks("tool_result").into_iter().rev().filter(|(at, _)| *at < line);
        results.map(|result| self.is_failure(result)).collect()
    }

    /// What the agent said last before a line.
    fn said_before(&self, line: u64) -> String {
        let said = self.agent_texts().into_iter().rev().find(|(at, _)| *at < line);
        said.map(|(_, text)| text).unwrap_or_default()
    }

    /// What the agent said, by line.
    fn agent_texts(&self) -> Vec<(u64, String)> {
        let texts = self.blocks("text").into_iter();
        let is_agent =
            |line: u64| self.lines[usize::try_from(line - 1).expect("a line")]["type"] == "assistant";
        texts
            .filter(|(line, _)| is_agent(*line))
            .map(|(line, block)| (line, block["text"].as_str().unwrap_or_default().to_owned()))
            .collect()
    }
}

fn edits(name: &str) -> bool {
    matches!(name, "Edit" | "Write" | "MultiEdit" | "NotebookEdit")
}

/// A candidate's rationale without its figures, and what it rests on.
struct Rationale<'t> {
    transcript: &'t Transcript,
    /// Lines of the person's words.
    person: Vec<u64>,
    /// Lines of the agent's words.
    agent: Vec<u64>,
    evidence: usize,
}

impl Rationale<'_> {
    fn any(&self, lines: &[u64], is_true: impl Fn(u64) -> bool) -> bool {
        lines.iter().any(|line| is_true(*line))
    }

    /// Whether what a part of a rationale says happened did; nothing for a form that is not known.
    fn holds(&self, claim: &str) -> Option<bool> {
        let session = self.transcript;
        let next_calls =
            |line: u64, most: usize| session.calls_behind(line).into_iter().take(most).collect::<Vec<_>>();
        let edited_within =
            |line: u64, most: usize| next_calls(line, most).iter().any(|(_, name)| edits(name));
        let failures =
            session.blocks("tool_result").into_iter().filter(|one| session.is_failure(*one)).count();
        Some(match claim {
            // What the person said is quoted in the evidence.
            "a rule that holds beyond this edit"
            | "you asked to remember it"
            | "something is ruled out"
            | "you decided"
            | "one way is preferred to another"
            | "you said what you expected"
            | "a question of design is settled"
            | "you objected"
            | "you pointed to what is there already"
            | "you narrowed the scope"
            | "a reason is given"
            | "a choice is made"
            | "left for later"
            | "an issue or a list is named for it"
            | "a rule stated plainly"
            | "it changes what you said before" => !self.person.is_empty(),
            "you had spoken of an error"
            | "you had said what you saw"
            | "you agreed afterwards"
            | "you were content afterwards" => !session.prompts().is_empty(),
            "Claude conceded"
            | "Claude agreed"
            | "Claude called it a good point"
            | "Claude said that it will keep to it" => {
                let last = session.agent_texts().last().map_or(0, |(line, _)| *line);
                self.any(&self.person, |line| line < last)
            }
            "Claude changed its work accordingly" => {
                self.any(&self.person, |line| edited_within(line, usize::MAX))
            }
            "files were changed soon after" => {
                let said: Vec<u64> = self.agent.iter().chain(&self.person).copied().collect();
                self.any(&said, |line| edited_within(line, usize::MAX))
            }
            "you asked to have it written down for later, and Claude filed it" => {
                let files = |name: &str| matches!(name, "Write" | "Bash") || name.starts_with("mcp__");
                self.any(&self.person, |line| {
                    next_calls(line, usize::MAX).iter().any(|(_, name)| files(name))
                })
            }
            "files were changed at once" => self.any(&self.person, |line| edited_within(line, 1)),
            "a change followed at once" => self.any(&self.agent, |line| edited_within(line, 3)),
            "one of the offered options is chosen" | "it answers what Claude had offered" => {
                self.any(&self.person, |line| !session.said_before(line).is_empty())
            }
            "it answers what Claude had asked" => {
                self.any(&self.person, |line| session.said_before(line).contains('?'))
            }
            "it was the reason for rejecting a call"
            | "it was said to a plan"
            | "it answers a question Claude put" => {
                let results = session.blocks("tool_result");
                self.any(&self.person, |line| results.iter().any(|(at, _)| *at <= line && at + 12 >= line))
            }
            "Claude names a cause" | "Claude explains it" | "Claude calls it confirmed" => {
                !self.agent.is_empty()
            }
            "something had failed right before" => {
                self.any(&self.agent, |line| session.results_before(line).first() == Some(&true))
            }
            "something had failed before" => {
                let lines: Vec<u64> = self.agent.iter().chain(&self.person).copied().collect();
                self.any(&lines, |line| session.results_before(line).contains(&true))
            }
            "several small signs speak for it together" => true,
            _ => return self.holds_count(claim, failures),
        })
    }

    fn holds_count(&self, claim: &str, failures: usize) -> Option<bool> {
        let number = |before: &str, after: &str| {
            claim.strip_prefix(before)?.strip_suffix(after)?.parse::<usize>().ok()
        };
        let said = || self.transcript.agent_texts().len() + self.transcript.prompts().len();
        if let Some(times) = number("the same error came ", " times") {
            return Some(failures >= times);
        }
        if let Some(times) = number("asked for ", " times in this session") {
            return Some(self.evidence == times.min(8));
        }
        if let Some(messages) = number("over ", " messages") {
            return Some(messages <= said());
        }
        let rest = claim.strip_prefix("a command failed")?;
        let rest = rest.strip_suffix(", something was changed, and the same command worked")?;
        let times = rest
            .strip_prefix(' ')
            .and_then(|rest| rest.strip_suffix(" times"))
            .map_or(Some(1), |n| n.parse().ok())?;
        let worked = self.transcript.blocks("tool_result").len() > failures;
        Some(failures >= times && worked && self.transcript.blocks("tool_use").len() > times)
    }
}

/// The parts of a rationale, each in lower case at its beginning unless that is a name.
fn claims(rationale: &str) -> Vec<String> {
    let said = rationale.trim_end_matches('.');
    let (said, over) = match said.rsplit_once(", over ") {
        Some((said, over)) => (said, Some(format!("over {over}"))),
        None => (said, None),
    };
    let lower = |part: &str| {
        if part.starts_with("Claude ") {
            return Some(part.to_owned());
        }
        let mut letters = part.chars();
        letters.next().map(|first| first.to_lowercase().chain(letters).collect::<String>())
    };
    said.split("; ").filter_map(lower).chain(over).collect()
}

/// What is found in a transcript, as the program says it.
fn found_in(path: &Path) -> Vec<Value> {
    let home = tempfile::tempdir().expect("a folder");
    let output = Command::new(program::built())
        .arg("reflect")
        .arg(path)
        .args(["--dry-run", "--json", "--engine", "builtin"])
        .env("AFTERWORD_HOME", home.path())
        .env("CLAUDE_CONFIG_DIR", home.path().join("none"))
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    told["candidates"].as_array().expect("candidates").clone()
}

/// What of a candidate's reasons did not happen.
fn false_claims(candidate: &Value, transcript: &Transcript) -> String {
    let lines = |role: &str| {
        let pieces = candidate["evidence"].as_array().into_iter().flatten();
        pieces.filter(|piece| piece["role"] == role).filter_map(|piece| piece["line"].as_u64()).collect()
    };
    let told = Rationale {
        transcript,
        person: lines("user"),
        agent: lines("assistant"),
        evidence: candidate["evidence"].as_array().map_or(0, Vec::len),
    };
    let rationale = candidate["rationale"].as_str().expect("a rationale");
    let mut wrong = String::new();
    for claim in claims(rationale) {
        match told.holds(&claim) {
            Some(true) => {}
            Some(false) => writeln!(wrong, "did not happen: {claim} ({candidate})").expect("a string grows"),
            None => writeln!(wrong, "nothing checks: {claim} ({candidate})").expect("a string grows"),
        }
    }
    wrong
}

fn recorded(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let files = entries.flatten().map(|entry| entry.path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")).collect()
}

#[test]
fn reasons_say_only_what_happened() {
    let mut sessions = recorded(&program::root().join("tests/sessions/transcripts"));
    assert!(sessions.len() > 8, "the recorded sessions are there");
    sessions.extend(recorded(&program::root().join("../shared/benchmark/transcripts")));
    let mut wrong = String::new();
    let mut reasons = 0;
    for path in sessions {
        let transcript = Transcript::read(&path);
        for candidate in found_in(&path) {
            wrong.push_str(&false_claims(&candidate, &transcript));
            reasons += 1;
        }
    }
    assert!(reasons >= 15, "{reasons} reasons");
    assert!(wrong.is_empty(), "{wrong}");
}

/// An agent that only says that it will has changed nothing.
#[test]
fn what_the_agent_only_promised_is_not_told_as_done() {
    const SESSION: &str = "5f0a0000-0000-4000-8000-000000000003";
    let entry = |number: usize, kind: &str, message: &str| {
        format!(
            "{{\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/ada/shop\",\"sessionId\":\"{SESSION}\",\
             \"version\":\"2.1.197\",\"uuid\":\"00000003-0000-4000-8000-{number:012}\",\
             \"timestamp\":\"2026-03-01T09:{number:02}:00.000Z\",\"type\":\"{kind}\",\"message\":{message}}}\n"
        )
    };
    let says = |number: usize, words: &str| {
        let content = format!("[{{\"type\":\"text\",\"text\":\"{words}\"}}]");
        entry(
            number,
            "assistant",
            &format!("{{\"id\":\"m{number}\",\"role\":\"assistant\",\"model\":\"m\",\"content\":{content}}}"),
        )
    };
    let types = |number: usize, words: &str| {
        entry(number, "user", &format!("{{\"role\":\"user\",\"content\":\"{words}\"}}"))
    };
    let edit = entry(
        14,
        "assistant",
        "{\"id\":\"m14\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Edit\",\
         \"input\":{\"file_path\":\"/home/ada/shop/cart.js\",\"old_string\":\"a\",\"new_string\":\"b\"}}]}",
    );
    let talk = [
        types(1, "add the discount to the cart"),
        says(2, "Done. I added a helper class for it and wired it into the cart."),
        types(10, "no, that is too much, don't add a class for it, one function is enough here"),
        says(11, "You're right, sorry. I'll remove the class and use one function instead."),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let reasons = |lines: &[String]| {
        let path = folder.path().join(format!("{SESSION}.jsonl"));
        fs::write(&path, lines.concat()).expect("a transcript");
        let transcript = Transcript::read(&path);
        let found = found_in(&path);
        let wrong: String = found.iter().map(|one| false_claims(one, &transcript)).collect();
        assert!(wrong.is_empty(), "{wrong}");
        found
            .iter()
            .map(|one| one["rationale"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let promised = reasons(&talk);
    assert!(promised.contains("conceded") || promised.contains("agreed"), "{promised}");
    assert!(!promised.contains("changed its work"), "{promised}");
    let done = reasons(&[talk.concat(), edit]);
    assert!(done.contains("changed its work accordingly"), "{done}");
}
