//! What Afterword said it had done, and whether a disk without power still knows it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::machine::{Machine, session_id};

/// What was acknowledged: by a command that ended well, or by a line of the agent.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The vault was made, and the setting that names it.
    pub(crate) has_vault: bool,
    /// Sessions that were reflected.
    pub(crate) reflected: BTreeSet<usize>,
    /// Sessions that were forgotten.
    pub(crate) forgotten: BTreeSet<usize>,
    /// Notes of the person's, by id: a title of theirs, and whether they were approved. Nothing may take one away.
    pub(crate) notes: BTreeMap<String, Answer>,
    /// Notes that were refused, with the reason.
    pub(crate) rejected: BTreeMap<String, String>,
    /// Notes that were said to have helped.
    pub(crate) helped: BTreeSet<String>,
    /// Rules that were imported.
    pub(crate) imported: BTreeSet<String>,
    /// Tasks, with what was said in them.
    pub(crate) tasks: BTreeMap<String, Vec<String>>,
    /// Connections that were added.
    pub(crate) connections: BTreeSet<String>,
    /// The value of a setting.
    pub(crate) idle_minutes: Option<usize>,
}

/// What the person said to a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing, or nobody knows: the power failed while it was given.
    Unknown {
        text: String,
    },
    Approved {
        text: String,
    },
}

impl Facts {
    /// Everything that is gone, in words; empty if nothing is.
    pub(crate) fn missing(&self, machine: &Machine) -> Vec<String> {
        if !self.has_vault {
            return Vec::new();
        }
        let state = machine.integrity();
        let answers = match Answers::ask(machine) {
            Ok(answers) => answers,
            Err(failed) => return failed,
        };
        let mut missing = Missing::default();
        missing.expect(state == "ok", format!("database: {state}"));
        self.check_sessions(&answers, &mut missing);
        self.check_notes(&answers, &mut missing);
        self.check_tasks(machine, &answers, &mut missing);
        if let Some(minutes) = self.idle_minutes {
            let value = machine.ok(&["config", "get", "reflection.idle_minutes"]);
            missing
                .expect(value.trim() == minutes.to_string(), format!("the setting {minutes}: it is {value}"));
        }
        missing.what
    }

    fn check_sessions(&self, answers: &Answers, missing: &mut Missing) {
        let state = |number: usize| {
            let id = session_id(number);
            let mut all = items(&answers.sessions, "sessions");
            all.find(|one| one["session_id"] == *id).map(|one| one["state"].clone())
        };
        for number in &self.reflected {
            let lessons = answers.lessons_with(&format!("ticket zq{number}x first"));
            missing.expect(lessons == 1, format!("the lesson of session {number}: {lessons} notes hold it"));
            let state = state(*number);
            missing.expect(
                state == Some("reflected".into()),
                format!("that session {number} was reflected: {state:?}"),
            );
        }
        for number in &self.forgotten {
            let lessons = answers.lessons_with(&format!("zq{number}x"));
            missing.expect(lessons == 0, format!("that session {number} was forgotten"));
        }
    }

    fn check_notes(&self, answers: &Answers, missing: &mut Missing) {
        let notes = &answers.notes;
        missing.expect(notes.contains_key("Afterword/Afterword.md"), "the vault".to_owned());
        for (name, note) in notes {
            missing.expect(!note.is_empty(), format!("the text of {name}"));
        }
        let waits = |id: &str| items(&answers.queue, "items").any(|item| item["id"] == *id);
        for (id, answer) in &self.notes {
            let (text, approved) = match answer {
                Answer::Unknown { text } => (text, false),
                Answer::Approved { text } => (text, true),
            };
            let here =
                notes.iter().filter(|(_, note)| note.contains(&format!("id: {id}"))).collect::<Vec<_>>();
            missing.expect(here.len() == 1, format!("note {id}: it is there {} times", here.len()));
            missing
                .expect(here.iter().all(|(_, note)| note.contains(text)), format!("`{text}` in note {id}"));
            missing.expect(!approved || !waits(id), format!("that note {id} was approved"));
            let active = here.iter().all(|(_, note)| note.contains("status: active"));
            missing.expect(!approved || active, format!("that note {id} counts"));
        }
        for (id, reason) in &self.rejected {
            let is_there = |one: &Value| one["note"] == **id && one["reason"] == **reason;
            let is_rejected = items(&answers.rejections, "rejections").any(is_there);
            missing.expect(is_rejected, format!("that note {id} was rejected"));
            missing.expect(!waits(id), format!("that note {id} was answered"));
        }
        for id in &self.helped {
            let is_there = |one: &Value| one["id"] == **id && one["helped"].as_u64() >= Some(1);
            missing
                .expect(items(&answers.feedback, "lessons").any(is_there), format!("that note {id} helped"));
        }
        for rule in &self.imported {
            missing.expect(answers.lessons_with(rule) == 1, format!("the imported rule `{rule}`"));
        }
    }

    fn check_tasks(&self, machine: &Machine, answers: &Answers, missing: &mut Missing) {
        for (id, words) in &self.tasks {
            let shown = machine.ask(&["task", "show", id]).unwrap_or_default();
            for words in words {
                let is_there = |one: &Value| one["content"] == **words;
                missing.expect(items(&shown, "messages").any(is_there), format!("`{words}` in task {id}"));
            }
        }
        for name in &self.connections {
            let is_there = |one: &Value| one["name"] == **name;
            let is_known = items(&answers.connections, "connections").any(is_there);
            missing.expect(is_known, format!("connection {name}"));
        }
    }
}

/// What is gone, in words.
#[derive(Default)]
struct Missing {
    what: Vec<String>,
}

impl Missing {
    fn expect(&mut self, is_there: bool, what: String) {
        if !is_there {
            self.what.push(what);
        }
    }
}

/// What the program on a machine says of itself, and its notes.
struct Answers {
    sessions: Value,
    queue: Value,
    rejections: Value,
    feedback: Value,
    connections: Value,
    notes: BTreeMap<String, String>,
}

impl Answers {
    /// Asks all there is to ask, or says which questions had no answer.
    fn ask(machine: &Machine) -> Result<Self, Vec<String>> {
        let mut failed = Vec::new();
        let mut ask = |question: &[&str]| {
            machine.ask(question).unwrap_or_else(|said| {
                failed.push(said);
                Value::Null
            })
        };
        let answers = Self {
            sessions: ask(&["sessions"]),
            queue: ask(&["review", "list"]),
            rejections: ask(&["review", "rejections"]),
            feedback: ask(&["feedback"]),
            connections: ask(&["connections"]),
            notes: machine.notes(),
        };
        if failed.is_empty() { Ok(answers) } else { Err(failed) }
    }

    /// How many lessons hold a text; a project's overview names them and is none.
    fn lessons_with(&self, text: &str) -> usize {
        let lessons = self.notes.iter().filter(|(name, _)| !name.starts_with("Afterword/Projects/"));
        lessons.filter(|(_, note)| note.contains(text)).count()
    }
}

fn items<'v>(value: &'v Value, list: &str) -> impl Iterator<Item = &'v Value> {
    value[list].as_array().into_iter().flatten()
}
