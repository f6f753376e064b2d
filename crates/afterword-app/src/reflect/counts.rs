//! What a session's entries were reduced to, counted: the signals there were to go by.

use afterword_transcript::event::{Event, Origin, ToolStatus};
use serde::Serialize;

/// Events of a session by what they say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct EventCounts {
    /// Typed at the prompt.
    pub prompts: u64,
    /// Typed while the agent was working.
    pub queued: u64,
    /// Reasons given when rejecting a tool call.
    pub rejections: u64,
    /// Words with which a plan was sent back.
    pub plans_sent_back: u64,
    /// Plans approved.
    pub plans_approved: u64,
    /// Answers to the agent's questions.
    pub answers: u64,
    /// Arguments of slash commands.
    pub command_arguments: u64,
    /// Shell commands of the person's own.
    pub shell_commands: u64,
    /// Texts of the agent.
    pub agent_texts: u64,
    /// Tool calls.
    pub calls: u64,
    /// Tool calls that failed.
    pub failures: u64,
    /// Tool calls not allowed to run.
    pub calls_rejected: u64,
    /// Edits the person changed before accepting them.
    pub edits_modified: u64,
    /// Times the person pressed escape.
    pub interrupts: u64,
    /// Compactions.
    pub compactions: u64,
}

impl EventCounts {
    pub(super) fn add(&mut self, event: &Event) {
        let counter = match event {
            Event::User(utterance) => match utterance.origin {
                Origin::Prompt => &mut self.prompts,
                Origin::Queued => &mut self.queued,
                Origin::Rejection { .. } => &mut self.rejections,
                Origin::PlanFeedback { .. } => &mut self.plans_sent_back,
                Origin::Answer { .. } => &mut self.answers,
                Origin::CommandArguments { .. } => &mut self.command_arguments,
                Origin::Shell => &mut self.shell_commands,
            },
            Event::Repeat(_) | Event::Rewind(_) | Event::Undelivered(_) => return,
            Event::Agent { .. } => &mut self.agent_texts,
            Event::Call(_) => &mut self.calls,
            Event::Interrupt { .. } => &mut self.interrupts,
            Event::Compaction { .. } => &mut self.compactions,
            Event::Outcome(outcome) => {
                self.edits_modified += u64::from(outcome.user_modified);
                match outcome.status {
                    ToolStatus::Failed => &mut self.failures,
                    ToolStatus::Rejected => &mut self.calls_rejected,
                    ToolStatus::PlanApproved => &mut self.plans_approved,
                    ToolStatus::Ok | ToolStatus::Interrupted => return,
                }
            }
        };
        *counter += 1;
    }
}
