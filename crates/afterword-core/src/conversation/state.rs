//! What a conversation's work goes by between its runs.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::PendingQuestion;

/// How deep an update may be nested; deeper parts replace what was there.
const MAX_DEPTH: usize = 32;

/// What the work goes by; it is the truth when the Claude session is gone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConversationState {
    /// What was asked for, and its particulars.
    pub context: Map<String, Value>,
    /// Where the work stands, in words.
    pub step: String,
    /// What it has gathered.
    pub data: Map<String, Value>,
    /// The question that waits for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending_question: Option<PendingQuestion>,
    /// Runs of work without a timetable that followed each other closely since the person last had a say.
    #[serde(skip_serializing_if = "is_zero")]
    pub runs_in_a_row: u32,
    /// The person wants no notifications of what it reports; its questions come all the same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
    /// Reports that came since the person last looked.
    #[serde(skip_serializing_if = "is_zero")]
    pub unseen: u32,
    /// What the changes made last by talking took the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_changes: Option<Value>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl ConversationState {
    /// The state of work that was asked for with these words.
    pub fn of_task(task: &str) -> Self {
        let context = Map::from_iter([("task".to_owned(), Value::String(task.to_owned()))]);
        Self { context, step: "start".to_owned(), ..Self::default() }
    }

    /// What was asked for.
    pub fn task(&self) -> &str {
        self.context.get("task").and_then(Value::as_str).unwrap_or_default()
    }

    /// The state of research into an idea whose page has this id.
    pub fn of_idea(task: &str, idea: &str) -> Self {
        let mut state = Self::of_task(task);
        state.context.insert("idea".to_owned(), Value::String(idea.to_owned()));
        state
    }

    /// The idea that is researched, by the id of its page.
    pub fn idea(&self) -> Option<&str> {
        self.context.get("idea").and_then(Value::as_str)
    }

    /// Lays an update over the gathered data, as JSON merge patches do (RFC 7396): null takes a key away.
    pub fn update(&mut self, update: &Map<String, Value>) {
        merge_patch(&mut self.data, update, MAX_DEPTH);
    }
}

fn merge_patch(target: &mut Map<String, Value>, update: &Map<String, Value>, depth: usize) {
    for (key, value) in update {
        match (value, target.get_mut(key)) {
            (Value::Null, _) => {
                target.remove(key);
            }
            (Value::Object(inner), Some(Value::Object(known))) if depth > 0 => {
                merge_patch(known, inner, depth - 1);
            }
            (value, _) => {
                target.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn update_is_a_merge_patch() {
        let mut state = ConversationState {
            data: serde_json::from_str(r#"{"a":{"b":1,"c":2},"d":[1],"e":5}"#).unwrap(),
            ..ConversationState::default()
        };
        state.update(&serde_json::from_str(r#"{"a":{"b":null,"x":3},"d":[2],"e":{"f":1}}"#).unwrap());
        assert_eq!(Value::Object(state.data).to_string(), r#"{"a":{"c":2,"x":3},"d":[2],"e":{"f":1}}"#);
    }

    #[test]
    fn stored_form_is_the_one_agreed_on() {
        let state = ConversationState::of_task("watch the build");
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(text, r#"{"context":{"task":"watch the build"},"step":"start","data":{}}"#);
        assert_eq!(serde_json::from_str::<ConversationState>(&text).unwrap(), state);
        assert_eq!((state.task(), ConversationState::default().task()), ("watch the build", ""));
    }
}
