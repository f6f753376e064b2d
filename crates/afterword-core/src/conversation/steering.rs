//! Steering a conversation by talking: what a chat turn may change beside its reply, and how that is taken back.
//!
//! The model says what the person wants changed; the rules are here. Limits go down only: what a run may do and cost is
//! widened by the person, never by words that passed through a model. Start at [`ChatReply::parse`] and
//! [`Conversation::steer`].

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Conversation, ConversationStatus, InvalidReply, PendingQuestion, RunLimits, Schedule};
use crate::json_mismatch::json_mismatch;

/// The JSON schema of what a chat turn answers.
pub const CHAT_REPLY_SCHEMA: &str = r#"{"type":"object","additionalProperties":false,"required":["reply"],"properties":{
"reply":{"type":"string","description":"what the person should read, in their language"},
"changes":{"type":"array","description":"what the person just asked to have changed; else leave it out","items":{"type":"object",
"additionalProperties":false,"required":["do"],"properties":{
"do":{"type":"string","enum":["reschedule","run_now","pause","resume","archive","limit","answer","state","undo"]},
"when":{"type":"string","description":"reschedule: in English, `every hour`, `every weekday at 9`, `every 2 days`, `tomorrow at 15:00`, or a cron expression"},
"allowed_tools":{"type":"array","items":{"type":"string"},"description":"limit: those that stay"},
"connections":{"type":"array","items":{"type":"string"},"description":"limit: those that stay"},
"usd":{"type":"number","description":"limit: US dollars a run may cost"},
"minutes":{"type":"integer","description":"limit: minutes a run may take"},
"answer":{"type":"string","description":"answer: the person's answer to the question that waits"},
"state_update":{"type":"object","description":"state: laid over what the work has gathered, as a JSON merge patch"},
"next_step":{"type":"string","description":"state: where the work stands now"}}}}}}"#;

/// Changes of one turn at most.
const MAX_CHANGES: usize = 10;

/// What a chat turn answered.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatReply {
    /// What the person should read.
    pub reply: String,
    /// What is to be changed, in this order.
    pub changes: Vec<ConversationChange>,
}

/// A change of a conversation that the person asked for.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum ConversationChange {
    /// It goes by another schedule.
    Reschedule {
        /// In plain words.
        when: String,
    },
    /// Its work runs once, now.
    RunNow {},
    /// Its work stops for now.
    Pause {},
    /// Its work goes on.
    Resume {},
    /// It is closed.
    Archive {},
    /// Its runs may do and cost less.
    Limit(RequestedLimits),
    /// The question that waits is answered.
    Answer {
        /// The person's answer.
        answer: String,
    },
    /// What its work goes by.
    State {
        /// Laid over the gathered data.
        #[serde(default)]
        state_update: Map<String, Value>,
        /// Where the work stands.
        next_step: Option<String>,
    },
    /// The changes made last are taken back.
    Undo {},
}

/// Limits as they are wished for; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct RequestedLimits {
    /// The tools that stay.
    pub allowed_tools: Option<Vec<String>>,
    /// The connections that stay.
    pub connections: Option<Vec<String>>,
    /// US dollars one run may cost.
    pub usd: Option<f64>,
    /// Minutes one run may take.
    pub minutes: Option<u32>,
}

impl ChatReply {
    /// Reads an answer.
    ///
    /// # Errors
    /// [`InvalidReply`] when it is none.
    pub fn parse(value: &Value) -> Result<Self, InvalidReply> {
        #[derive(Deserialize)]
        struct Raw {
            reply: String,
            #[serde(default)]
            changes: Vec<ConversationChange>,
        }
        let bad = |problem: String| InvalidReply { problem };
        let raw: Raw = Deserialize::deserialize(value).map_err(|error| bad(json_mismatch(&error)))?;
        if raw.changes.len() > MAX_CHANGES {
            return Err(bad(format!("more than {MAX_CHANGES} changes")));
        }
        Ok(Self { reply: raw.reply.trim().to_owned(), changes: raw.changes })
    }
}

/// What a conversation was before its last changes: the parts that were changed.
#[derive(Debug, Default, Serialize, Deserialize)]
struct StateSnapshot {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schedule: Option<Option<Schedule>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limits: Option<(Vec<String>, Vec<String>, f64, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    work: Option<(String, Map<String, Value>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    standing: Option<StatusSnapshot>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct StatusSnapshot {
    status: ConversationStatus,
    next_run_at: Option<Timestamp>,
    finished_at: Option<Timestamp>,
    question: Option<PendingQuestion>,
}

impl StatusSnapshot {
    fn of(one: &Conversation) -> Self {
        Self {
            status: one.status,
            next_run_at: one.next_run_at,
            finished_at: one.finished_at,
            question: one.state.pending_question.clone(),
        }
    }
}

/// [`Conversation::steer`].
pub(super) fn steer(
    conversation: &mut Conversation,
    change: &ConversationChange,
    understand: impl FnOnce(&str) -> Result<Schedule, String>,
    zone: &TimeZone,
    now: Timestamp,
) -> Result<String, String> {
    let refused = |error: super::ConversationError| error.to_string();
    match change {
        ConversationChange::Reschedule { when } => {
            let schedule = understand(when)?;
            conversation.reschedule(schedule.clone(), now).map_err(refused)?;
            Ok(format!("it runs {}", schedule.describe(zone)))
        }
        ConversationChange::RunNow {} => {
            conversation.run_now(now).map(|()| "it runs once, now".to_owned()).map_err(refused)
        }
        ConversationChange::Pause {} => {
            conversation.pause(now).map(|()| "it is paused".to_owned()).map_err(refused)
        }
        ConversationChange::Resume {} => {
            conversation.resume(now).map(|()| "it goes on".to_owned()).map_err(refused)
        }
        ConversationChange::Archive {} => {
            conversation.archive(now).map(|()| "it is archived".to_owned()).map_err(refused)
        }
        ConversationChange::Limit(wish) => narrow_limits(conversation, wish, now),
        // A reply is the model's wording, whatever the person said before it.
        ConversationChange::Answer { .. } if conversation.awaits_consent() => {
            Err("whether it begins is for you to say, with yes or no".to_owned())
        }
        ConversationChange::Answer { answer } => {
            let answer = conversation.answer(answer, now).map_err(refused)?;
            Ok(format!("its question is answered with: {answer}"))
        }
        ConversationChange::State { state_update, next_step } => {
            conversation.state.update(state_update);
            if let Some(step) = next_step.as_deref().map(str::trim).filter(|step| !step.is_empty()) {
                step.clone_into(&mut conversation.state.step);
            }
            conversation.updated_at = now;
            Ok(format!("it stands at: {}", conversation.state.step))
        }
        ConversationChange::Undo {} => undo(conversation, now),
    }
}

/// [`Conversation::remember_changes_since`].
pub(super) fn remember_changes_since(conversation: &mut Conversation, before: &Conversation) {
    let of = |one: &Conversation| {
        let limits = one.limits.clone();
        (limits.allowed_tools, limits.connections, limits.most_usd, limits.most_seconds)
    };
    let standing = StatusSnapshot::of(before);
    let work = (before.state.step.clone(), before.state.data.clone());
    let kept = StateSnapshot {
        schedule: (before.schedule != conversation.schedule).then(|| before.schedule.clone()),
        limits: (before.limits != conversation.limits).then(|| of(before)),
        work: (work != (conversation.state.step.clone(), conversation.state.data.clone())).then_some(work),
        standing: (standing != StatusSnapshot::of(conversation)).then_some(standing),
    };
    conversation.state.before_changes = Some(json!(kept));
}

/// [`Conversation::undo`].
pub(super) fn undo(conversation: &mut Conversation, now: Timestamp) -> Result<String, String> {
    let before = conversation.state.before_changes.take().ok_or("there is nothing to take back")?;
    let before: StateSnapshot = serde_json::from_value(before).map_err(|error| error.to_string())?;
    if let Some(schedule) = before.schedule {
        conversation.schedule = schedule;
    }
    if let Some((allowed_tools, connections, most_usd, most_seconds)) = before.limits {
        conversation.limits = RunLimits { allowed_tools, connections, most_usd, most_seconds };
    }
    if let Some((step, data)) = before.work {
        (conversation.state.step, conversation.state.data) = (step, data);
    }
    if let Some(standing) = before.standing {
        (conversation.status, conversation.finished_at) = (standing.status, standing.finished_at);
        conversation.state.pending_question = standing.question;
        // A time that is past by now came while it went by other rules: what repeats goes on at its next one.
        let next = match &conversation.schedule {
            Some(schedule) if schedule.repeats() => {
                schedule.next_after(now).map_err(|error| error.to_string())?
            }
            _ => standing.next_run_at,
        };
        conversation.next_run_at = next.filter(|_| conversation.status == ConversationStatus::Background);
    }
    conversation.updated_at = now;
    Ok("the last changes are taken back".to_owned())
}

fn narrow_limits(
    conversation: &mut Conversation,
    wish: &RequestedLimits,
    now: Timestamp,
) -> Result<String, String> {
    let now_allowed = &conversation.limits;
    let limits = RunLimits {
        allowed_tools: wish.allowed_tools.clone().unwrap_or_else(|| now_allowed.allowed_tools.clone()),
        connections: wish.connections.clone().unwrap_or_else(|| now_allowed.connections.clone()),
        most_usd: wish.usd.unwrap_or(now_allowed.most_usd),
        most_seconds: wish.minutes.map_or(now_allowed.most_seconds, |minutes| minutes.saturating_mul(60)),
    };
    if !(limits.most_usd > 0.0 && limits.most_seconds > 0) {
        return Err("a run may cost and take something at least".to_owned());
    }
    if let Some(problem) = limits.first_widening(now_allowed) {
        return Err(format!(
            "{problem}: only you can allow more, in the window or with `afterword task limit`"
        ));
    }
    let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let summary = format!(
        "a run may use the tools {}, the connections {}, cost ${:.2} and take {} minutes at most",
        list(&limits.allowed_tools),
        list(&limits.connections),
        limits.most_usd,
        f64::from(limits.most_seconds) / 60.0
    );
    conversation.limits = limits;
    conversation.updated_at = now;
    Ok(summary)
}

#[cfg(test)]
mod tests;
