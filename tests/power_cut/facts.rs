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
        let mut missing = Vec::new();
        if !self.has_vault {
            return missing;
        }
        let state = machine.integrity();
        let mut answers = Vec::new();
        for question in [
            &["sessions"][..],
            &["review", "list"],
            &["review", "rejections"],
            &["feedback"],
            &["connections"],
        ] {
            match machine.ask(question) {
                Ok(answer) => answers.push(answer),
                Err(said) => missing.push(said),
            }
        }
        if !missing.is_empty() {
            return missing;
        }
        let [sessions, queue, rejections, feedback, connections] = &answers[..] else { return missing };
        let mut expect = |is_there: bool, what: String| {
            if !is_there {
                missing.push(what);
            }
        };
        expect(state == "ok", format!("database: {state}"));
        let notes = machine.notes();
        // A project's overview names its lessons.
        let lessons = || notes.iter().filter(|(name, _)| !name.starts_with("Afterword/Projects/"));
        let count = |text: &str| lessons().filter(|(_, note)| note.contains(text)).count();
        expect(notes.iter().any(|(name, _)| name == "Afterword/Afterword.md"), "the vault".to_owned());
        for (name, note) in &notes {
            expect(!note.is_empty(), format!("the text of {name}"));
        }

        let state = |number: usize| {
            let id = session_id(number);
            let all = sessions["sessions"].as_array().into_iter().flatten();
            all.into_iter().find(|one| one["session_id"] == *id).map(|one| one["state"].clone())
        };
        for number in &self.reflected {
            let lessons = count(&format!("ticket zq{number}x first"));
            expect(lessons == 1, format!("the lesson of session {number}: {lessons} notes hold it"));
            let state = state(*number);
            expect(
                state == Some("reflected".into()),
                format!("that session {number} was reflected: {state:?}"),
            );
        }
        for number in &self.forgotten {
            expect(count(&format!("zq{number}x")) == 0, format!("that session {number} was forgotten"));
        }

        let waits = |id: &str| items(queue, "items").any(|item| item["id"] == *id);
        for (id, answer) in &self.notes {
            let (text, approved) = match answer {
                Answer::Unknown { text } => (text, false),
                Answer::Approved { text } => (text, true),
            };
            let here =
                notes.iter().filter(|(_, note)| note.contains(&format!("id: {id}"))).collect::<Vec<_>>();
            expect(here.len() == 1, format!("note {id}: it is there {} times", here.len()));
            expect(here.iter().all(|(_, note)| note.contains(text)), format!("`{text}` in note {id}"));
            expect(!approved || !waits(id), format!("that note {id} was approved"));
            let active = here.iter().all(|(_, note)| note.contains("status: active"));
            expect(!approved || active, format!("that note {id} counts"));
        }
        for (id, reason) in &self.rejected {
            let is_there = |one: &Value| one["note"] == **id && one["reason"] == **reason;
            expect(items(rejections, "rejections").any(is_there), format!("that note {id} was rejected"));
            expect(!waits(id), format!("that note {id} was answered"));
        }
        for id in &self.helped {
            let is_there = |one: &Value| one["id"] == **id && one["helped"].as_u64() >= Some(1);
            expect(items(feedback, "lessons").any(is_there), format!("that note {id} helped"));
        }
        for rule in &self.imported {
            expect(count(rule) == 1, format!("the imported rule `{rule}`"));
        }
        for (id, words) in &self.tasks {
            let shown = machine.ask(&["task", "show", id]).unwrap_or_default();
            for words in words {
                let is_there = |one: &Value| one["content"] == **words;
                expect(items(&shown, "messages").any(is_there), format!("`{words}` in task {id}"));
            }
        }
        for name in &self.connections {
            let is_there = |one: &Value| one["name"] == **name;
            expect(items(connections, "connections").any(is_there), format!("connection {name}"));
        }
        if let Some(minutes) = self.idle_minutes {
            let value = machine.ok(&["config", "get", "reflection.idle_minutes"]);
            expect(value.trim() == minutes.to_string(), format!("the setting {minutes}: it is {value}"));
        }
        missing
    }
}

fn items<'v>(value: &'v Value, list: &str) -> impl Iterator<Item = &'v Value> {
    value[list].as_array().into_iter().flatten()
}
