//! How each client known writes calls that failed and calls that were rejected.
//!
//! The shapes of 2.1.197 and 2.1.330 were written by these clients, run offline; older ones are from real transcripts.

use serde_json::{Value, json};

/// How a rejection begins.
pub const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file \
    edit, the new_string was NOT written to the file).";

/// A client's way of writing.
#[derive(Clone, Copy)]
pub struct Client {
    pub version: &'static str,
    pub entrypoint: Option<&'static str>,
    /// It says who decided whether a call may run.
    pub marks: bool,
}

pub const OLD: Client = Client { version: "1.0.53", entrypoint: None, marks: false };
pub const CLIENTS: [Client; 4] = [
    OLD,
    Client { version: "2.1.50", entrypoint: None, marks: false },
    Client { version: "2.1.197", entrypoint: Some("cli"), marks: false },
    Client { version: "2.1.330", entrypoint: Some("cli"), marks: true },
];
pub const HEADLESS: [Client; 2] = [
    Client { version: "2.1.197", entrypoint: Some("sdk-cli"), marks: false },
    Client { version: "2.1.330", entrypoint: Some("sdk-cli"), marks: true },
];

impl Client {
    pub fn entry(self, mut fields: Value) -> Value {
        fields["version"] = json!(self.version);
        if let Some(entrypoint) = self.entrypoint {
            fields["entrypoint"] = json!(entrypoint);
        }
        fields
    }

    /// A call that was let run and failed.
    pub fn failed(self, call: &str, text: &str) -> Value {
        let mut entry = self.entry(json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": true}]},
            "toolUseResult": format!("Error: {text}")}));
        if self.marks {
            entry["permissionDecision"] =
                json!({"decision": "accept", "source": "config", "reasonType": "rule"});
        }
        entry
    }

    /// A call the person rejected with words.
    pub fn rejected(self, call: &str, words: &str) -> Value {
        let text = format!("{REJECTED} To tell you how to proceed, the user said:\n{words}");
        let mut entry = self.failed(call, &text);
        if self.marks {
            entry["toolDenialKind"] = json!("user-rejected");
            entry["userFeedback"] = json!(words);
            entry["holdsPersonsWords"] = json!(true);
            entry["permissionDecision"] = json!({"decision": "reject", "source": "user_reject", "reasonCode": "bashMiss:no-rule-match"});
        }
        entry
    }

    /// A call the person rejected without a word.
    pub fn refused(self, call: &str) -> Value {
        let text =
            format!("{REJECTED} STOP what you are doing and wait for the user to tell you how to proceed.");
        let mut entry = self.failed(call, &text);
        entry["toolUseResult"] = json!("User rejected tool use");
        if self.marks {
            entry.as_object_mut().unwrap().remove("permissionDecision");
            entry["toolDenialKind"] = json!("user-rejected");
            entry["toolDenialBeforeRun"] = json!(true);
        }
        entry
    }

    pub fn user(self, content: Value) -> Value {
        self.entry(json!({"type": "user", "message": {"role": "user", "content": content}}))
    }

    pub fn name(self) -> String {
        format!("{} {}", self.version, self.entrypoint.unwrap_or("without an entry point"))
    }
}
