//! The calls whose results are awaited.

use std::collections::VecDeque;

use super::questions;

/// Most calls remembered; the client runs at most some tens at once.
const MAX_CALLS: usize = 512;

/// As many letters of arguments are compared: what a call says is kept up to a limit.
const BEGINNING: usize = 48;

/// A call of a tool whose result is awaited.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    /// The command of `Bash`, or the name and arguments of a slash command or a skill.
    pub(super) command: String,
    pub(super) asked: Vec<questions::Question>,
}

/// The last calls, oldest first. A result nearly always belongs to one of the newest.
#[derive(Default)]
pub(super) struct Calls(VecDeque<Call>);

impl Calls {
    pub(super) fn insert(&mut self, call: Call) {
        if self.0.len() == MAX_CALLS {
            self.0.pop_front();
        }
        self.0.push_back(call);
    }

    pub(super) fn get(&self, id: &str) -> Option<&Call> {
        self.0.iter().rev().find(|call| call.id == id)
    }

    /// Whether the agent itself ran a slash command or a skill with these arguments: clients write it like one that was typed.
    pub(super) fn has_run(&self, arguments: &str) -> bool {
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let beginning: String = letters(arguments).chars().take(BEGINNING).collect();
        let mut runs = self.0.iter().rev().filter(|call| matches!(&*call.name, "SlashCommand" | "Skill"));
        !beginning.is_empty() && runs.any(|call| letters(&call.command).contains(&beginning))
    }
}
