//! A conversation, and what persons and runs make of it: start, pause, answer, archive, and the end of a run.
//!
//! Each is a change of the value and nothing else; whoever calls keeps the result, together with what is to be said.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::steering::{self, ConversationChange};
use super::{
    Concern, ConversationId, ConversationMove, ConversationState, ConversationStatus,
    IllegalConversationMove, InvalidAnswer, MessageRole, PendingQuestion, RunLimits, WorkerReply,
};
use crate::conversation::schedule::{InvalidSchedule, Schedule};
use crate::{SessionId, UserId};

/// Runs that fail for good one after the other before the person is asked whether to go on.
const FAILURES_BEFORE_ASKING: u32 = 3;
/// Runs of work without a timetable that follow each other closely before the person is asked whether to go on.
const RUNS_BEFORE_ASKING: u32 = 5;
/// The wait after the first of them at least; each further one doubles it.
const MIN_WAIT: SignedDuration = SignedDuration::from_mins(1);
/// A run that begins so long after the one before does not follow it closely.
const LONG_WAIT: SignedDuration = SignedDuration::from_hours(1);

/// A conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    /// Its id.
    pub id: ConversationId,
    /// Whose it is.
    pub user: UserId,
    /// What people call it.
    pub title: String,
    /// Where it stands.
    pub status: ConversationStatus,
    /// When its background work is due; none for a mere chat.
    pub schedule: Option<Schedule>,
    /// When it is due next; only in the background.
    pub next_run_at: Option<Timestamp>,
    /// What its worker goes by: the truth, whatever became of the Claude session.
    pub state: ConversationState,
    /// The Claude session that chat and worker share.
    pub claude_session: Option<SessionId>,
    /// Where its runs take place.
    pub directory: String,
    /// What a run may do and cost.
    pub limits: RunLimits,
    /// Runs that failed for good since the last success.
    pub failures: u32,
    /// When a run last succeeded; stamped at its end.
    pub last_success_at: Option<Timestamp>,
    /// When its work was done for good.
    pub finished_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Conversation {
    /// A conversation of the only user that begins at `now`: a mere chat, with the usual limits, and nowhere yet.
    pub fn new(title: impl Into<String>, state: ConversationState, now: Timestamp) -> Self {
        Self {
            id: ConversationId::new(now),
            user: UserId::default(),
            title: title.into(),
            status: ConversationStatus::Active,
            schedule: None,
            next_run_at: None,
            state,
            claude_session: None,
            directory: String::new(),
            limits: RunLimits::default(),
            failures: 0,
            last_success_at: None,
            finished_at: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// A person stopped its work for now.
    pub fn is_paused(&self) -> bool {
        self.status == ConversationStatus::Active && self.schedule.is_some() && self.finished_at.is_none()
    }

    /// Its work is due at `now`.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.status == ConversationStatus::Background && self.next_run_at.is_some_and(|at| at <= now)
    }
}

/// Why a conversation did not change.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConversationError {
    /// Its status does not allow it.
    #[error(transparent)]
    Illegal(#[from] IllegalConversationMove),
    /// The schedule cannot be kept.
    #[error(transparent)]
    Schedule(#[from] InvalidSchedule),
    /// The answer does not answer the question.
    #[error(transparent)]
    Answer(#[from] InvalidAnswer),
    /// It has no schedule to go by.
    #[error("it has no schedule")]
    NoSchedule,
    /// It is paused.
    #[error("it is paused; resume it first")]
    Paused,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// Its Claude answered.
    Replied(WorkerReply),
    /// It failed, and will not be tried again by itself.
    Failed {
        /// Why.
        reason: String,
    },
    /// It could not be paid today: it did not begin, or came to its end before it was done.
    Postponed {
        /// Why.
        reason: String,
        /// When the person's next day begins.
        next_day: Timestamp,
    },
    /// A connection it needs has to be signed in to again.
    NeedsReconnect {
        /// The connection.
        connection: String,
    },
}

/// What others should hear of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConversationEvent {
    /// A question waits for the person.
    WaitingForInput,
    /// The work reported something.
    Reported,
    /// The work is done for good.
    Finished,
    /// A run failed; the next one comes at its time.
    Failed,
    /// A run, or a reply, waits until there is money for it.
    #[serde(alias = "put-off")]
    Postponed,
    /// A run was cut off, and is taken up again.
    TakenUp,
}

/// What the end of a run means for the others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunEffects {
    /// What is to be said in the conversation.
    pub says: Option<(MessageRole, String)>,
    /// What others should hear of.
    pub event: Option<ConversationEvent>,
}

impl Conversation {
    /// Gives it work that is due by `schedule`.
    ///
    /// # Errors
    /// [`ConversationError::Illegal`] when it has work already or is archived, [`ConversationError::Schedule`] for one that cannot be kept.
    pub fn start(&mut self, schedule: Schedule, now: Timestamp) -> Result<(), ConversationError> {
        let status = self.status.after(ConversationMove::Start)?;
        let first = schedule.first_run(now)?;
        self.set_status(status, now);
        (self.schedule, self.next_run_at) = (Some(schedule), first);
        (self.finished_at, self.failures, self.state.runs_in_a_row) = (None, 0, 0);
        Ok(())
    }

    /// Lets work that was just started wait until the person says yes to it.
    ///
    /// # Errors
    /// [`ConversationError::Illegal`] when no work goes on.
    pub fn await_consent(&mut self, prompt: String, now: Timestamp) -> Result<(), ConversationError> {
        self.wait_for_answer(now)?;
        self.state.pending_question = Some(PendingQuestion::yes_or_no(prompt, Concern::Consent));
        Ok(())
    }

    /// An agent made its work, and the person has not said yes to it.
    pub fn awaits_consent(&self) -> bool {
        let question = self.state.pending_question.as_ref();
        question.is_some_and(|question| question.concern == Some(Concern::Consent))
    }

    /// Lets paused or finished work go on: at its next time, or where it waited for an answer, it waits again.
    ///
    /// # Errors
    /// [`ConversationError::Illegal`] when nothing is paused, [`ConversationError::NoSchedule`].
    pub fn resume(&mut self, now: Timestamp) -> Result<(), ConversationError> {
        let schedule = self.schedule.clone();
        self.status.after(ConversationMove::Start)?;
        self.start(schedule.ok_or(ConversationError::NoSchedule)?, now)?;
        if self.state.pending_question.is_some() {
            self.wait_for_answer(now)?;
        }
        Ok(())
    }

    /// Lets its work run once at `now`. It goes by its schedule afterwards as if nothing had been.
    ///
    /// # Errors
    /// [`ConversationError::Paused`]; [`ConversationError::Illegal`] when it is archived or waits for an answer.
    pub fn run_now(&mut self, now: Timestamp) -> Result<(), ConversationError> {
        if self.is_paused() {
            return Err(ConversationError::Paused);
        }
        if self.status == ConversationStatus::Active {
            self.start(self.schedule.clone().unwrap_or(Schedule::Immediate), now)?;
        }
        self.status = self.status.after(ConversationMove::Continue)?;
        (self.next_run_at, self.updated_at) = (Some(now), now);
        Ok(())
    }

    /// Lets it go by another schedule from now on. Work that is paused stays paused, and work that waits for an answer
    /// waits; a chat, and work that was done for good, begin by it. "Now" is no schedule to go by: work that has one keeps
    /// it and runs once.
    ///
    /// # Errors
    /// [`ConversationError::Illegal`] when it is archived, [`ConversationError::Schedule`] for one that cannot be kept.
    pub fn reschedule(&mut self, schedule: Schedule, now: Timestamp) -> Result<(), ConversationError> {
        if schedule == Schedule::Immediate && self.schedule.is_some() {
            return self.run_now(now);
        }
        let first = schedule.first_run(now)?;
        match self.status {
            ConversationStatus::Active if self.is_paused() => {}
            ConversationStatus::Active | ConversationStatus::Archived => return self.start(schedule, now),
            ConversationStatus::Background => self.next_run_at = first,
            ConversationStatus::WaitingInput => {}
        }
        self.schedule = Some(schedule);
        self.updated_at = now;
        Ok(())
    }

    /// Stops its work for now. A question it asked is kept.
    ///
    /// # Errors
    /// [`ConversationError::Illegal`] when no work goes on.
    pub fn pause(&mut self, now: Timestamp) -> Result<(), ConversationError> {
        let status = self.status.after(ConversationMove::Pause)?;
        self.set_status(status, now);
        self.next_run_at = None;
        Ok(())
    }

    /// Closes it.
    ///
    /// # Errors
    /// [`ConversationError::Illegal`] when it is closed already.
    pub fn archive(&mut self, now: Timestamp) -> Result<(), ConversationError> {
        let status = self.status.after(ConversationMove::Archive)?;
        self.set_status(status, now);
        self.next_run_at = None;
        self.state.pending_question = None;
        Ok(())
    }

    /// Takes the person's answer: the work goes on at once. A no to a question of Afterword's own pauses it. Work that waited
    /// for their consent begins by its schedule, or is closed. Gives the answer as the worker will read it.
    ///
    /// # Errors
    /// [`ConversationError::Illegal`] when no question waits, [`ConversationError::Answer`] when this does not answer it.
    pub fn answer(&mut self, answer: &str, now: Timestamp) -> Result<String, ConversationError> {
        let status = self.status.after(ConversationMove::Answer)?;
        let question = self.state.pending_question.as_ref();
        let accepted = question.map_or_else(|| Ok(answer.to_owned()), |question| question.accept(answer))?;
        let of_afterword = question.is_some_and(|question| question.concern.is_some());
        if self.awaits_consent() {
            if accepted == "no" {
                self.archive(now)?;
            } else {
                let schedule = self.schedule.as_ref().ok_or(ConversationError::NoSchedule)?;
                self.next_run_at = schedule.first_run(now)?;
                self.set_status(status, now);
            }
        } else if of_afterword && accepted == "no" {
            self.pause(now)?;
        } else {
            self.set_status(status, now);
            self.next_run_at = Some(now);
            (self.failures, self.state.runs_in_a_row) = (0, 0);
        }
        self.state.pending_question = None;
        Ok(accepted)
    }

    /// Passes over the run that is due, because a person cancelled it: work that repeats goes on at its next time, other
    /// work is paused.
    ///
    /// # Errors
    /// [`ConversationError::Schedule`] when its schedule cannot be read.
    pub fn skip_run(&mut self, now: Timestamp) -> Result<RunEffects, ConversationError> {
        let next = match &self.schedule {
            Some(schedule) => schedule.next_after(now)?,
            None => None,
        };
        let text = match next {
            Some(next) => {
                self.schedule_next(next);
                "The run was cancelled. The next one is at its usual time."
            }
            None => {
                if self.status == ConversationStatus::Background {
                    self.pause(now)?;
                }
                "The run was cancelled, and the work is paused."
            }
        };
        self.updated_at = now;
        Ok(RunEffects::with_message(MessageRole::System, text.to_owned(), None))
    }

    /// Takes the end of a run. Where a person paused or archived the conversation meanwhile it stays so, and what the run
    /// learned is kept.
    ///
    /// # Errors
    /// [`ConversationError::Schedule`] when its schedule cannot be read.
    pub fn finish_run(&mut self, end: RunEnd, now: Timestamp) -> Result<RunEffects, ConversationError> {
        let next = match &self.schedule {
            // Its work ran before its time: that is still to come.
            Some(Schedule::Once { run_at }) => Some(*run_at).filter(|run_at| *run_at > now),
            Some(schedule) => schedule.next_after(now)?,
            None => None,
        };
        self.updated_at = now;
        match end {
            RunEnd::Replied(reply) => {
                self.failures = 0;
                self.last_success_at = Some(now);
                self.apply_reply(reply, next, now)
            }
            RunEnd::Failed { reason } => {
                self.failures = self.failures.saturating_add(1);
                let again = next.filter(|_| self.failures < FAILURES_BEFORE_ASKING);
                if let Some(again) = again {
                    self.schedule_next(again);
                    let text = format!("A run failed: {reason}\nThe next one is at its usual time.");
                    return Ok(RunEffects::with_message(
                        MessageRole::System,
                        text,
                        Some(ConversationEvent::Failed),
                    ));
                }
                let prompt = format!("A run failed: {reason}\nTry again?");
                self.keep_question(PendingQuestion::yes_or_no(prompt.clone(), Concern::Failure), now)?;
                Ok(RunEffects::with_message(
                    MessageRole::System,
                    prompt,
                    Some(ConversationEvent::WaitingForInput),
                ))
            }
            RunEnd::Postponed { reason, next_day } => {
                self.schedule_next(self.first_time_of(next_day)?);
                let text = format!("A run is postponed: {reason}\nIt waits until the next day.");
                Ok(RunEffects::with_message(MessageRole::System, text, Some(ConversationEvent::Postponed)))
            }
            RunEnd::NeedsReconnect { connection } => {
                let prompt = format!(
                    "The connection `{connection}` has to be signed in to: `afterword connections connect {connection}`, or the button in the window. Go on now?"
                );
                let concern = Concern::Reconnect(connection);
                self.keep_question(PendingQuestion::yes_or_no(prompt.clone(), concern), now)?;
                Ok(RunEffects::with_message(
                    MessageRole::System,
                    prompt,
                    Some(ConversationEvent::WaitingForInput),
                ))
            }
        }
    }

    /// Makes a change that the person asked for in words; gives what was done, in words. `understand` reads a schedule, whose
    /// times are told in `zone`.
    ///
    /// # Errors
    /// Why it was not made, in words.
    pub fn steer(
        &mut self,
        change: &ConversationChange,
        understand: impl FnOnce(&str) -> Result<Schedule, String>,
        zone: &TimeZone,
        now: Timestamp,
    ) -> Result<String, String> {
        steering::steer(self, change, understand, zone, now)
    }

    /// Remembers what changes made since `before` take the place of, for [`Conversation::undo`].
    pub fn remember_changes_since(&mut self, before: &Self) {
        steering::remember_changes_since(self, before);
    }

    /// Takes back the changes that were made last by talking.
    ///
    /// # Errors
    /// When there are none, in words.
    pub fn undo(&mut self, now: Timestamp) -> Result<String, String> {
        steering::undo(self, now)
    }

    fn apply_reply(
        &mut self,
        reply: WorkerReply,
        next: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<RunEffects, ConversationError> {
        match reply {
            WorkerReply::NeedsInput { message, question } => {
                let text = if message.contains(&question.prompt) {
                    message
                } else {
                    format!("{message}\n\n{}", question.prompt)
                };
                self.keep_question(question, now)?;
                Ok(RunEffects::with_message(
                    MessageRole::Assistant,
                    text,
                    Some(ConversationEvent::WaitingForInput),
                ))
            }
            WorkerReply::Continue { state_update, next_step, message, wait_minutes } => {
                self.state.update(&state_update);
                self.state.step = next_step;
                if let Some(next) = next {
                    self.schedule_next(next);
                } else {
                    let wait = SignedDuration::from_mins(i64::from(wait_minutes));
                    let Some(wait) = self.wait_before_next(wait) else {
                        return self.ask_after_many_runs(message, now);
                    };
                    self.schedule_next(now.checked_add(wait).unwrap_or(now));
                }
                Ok(message.map_or_else(RunEffects::default, |message| {
                    RunEffects::with_message(
                        MessageRole::Assistant,
                        message,
                        Some(ConversationEvent::Reported),
                    )
                }))
            }
            WorkerReply::Complete { message, state_update } if next.is_some() && self.runs_once() => {
                self.state.update(&state_update);
                next.into_iter().for_each(|next| self.schedule_next(next));
                Ok(RunEffects::with_message(
                    MessageRole::Assistant,
                    message,
                    Some(ConversationEvent::Reported),
                ))
            }
            WorkerReply::Complete { message, state_update } => {
                self.state.update(&state_update);
                if self.status == ConversationStatus::Background {
                    let status = self.status.after(ConversationMove::Finish)?;
                    self.set_status(status, now);
                }
                self.next_run_at = None;
                self.finished_at = Some(now);
                self.state.step = "finished".to_owned();
                Ok(RunEffects::with_message(
                    MessageRole::Assistant,
                    message,
                    Some(ConversationEvent::Finished),
                ))
            }
        }
    }

    fn runs_once(&self) -> bool {
        matches!(self.schedule, Some(Schedule::Once { .. }))
    }

    /// How long work without a timetable waits before it goes on, where it wants to wait for `wanted`; nothing when so many
    /// runs followed each other closely that the person is asked.
    fn wait_before_next(&mut self, wanted: SignedDuration) -> Option<SignedDuration> {
        if wanted >= LONG_WAIT {
            self.state.runs_in_a_row = 0;
            return Some(wanted);
        }
        self.state.runs_in_a_row = self.state.runs_in_a_row.saturating_add(1);
        let before = self.state.runs_in_a_row.checked_sub(1)?;
        let factor = 2_i32.checked_pow(before).filter(|_| before + 1 < RUNS_BEFORE_ASKING)?;
        Some(wanted.max(MIN_WAIT.checked_mul(factor)?))
    }

    fn ask_after_many_runs(
        &mut self,
        message: Option<String>,
        now: Timestamp,
    ) -> Result<RunEffects, ConversationError> {
        let prompt = format!(
            "It ran {RUNS_BEFORE_ASKING} times one after the other and is not done. It stands at: {}\nGo on?",
            self.state.step
        );
        self.keep_question(PendingQuestion::yes_or_no(prompt.clone(), Concern::Runs), now)?;
        let text = message.map_or_else(|| prompt.clone(), |message| format!("{message}\n\n{prompt}"));
        Ok(RunEffects::with_message(MessageRole::System, text, Some(ConversationEvent::WaitingForInput)))
    }

    /// Its first usual time on the day that begins then; where it has none on it, the day's beginning.
    fn first_time_of(&self, day: Timestamp) -> Result<Timestamp, ConversationError> {
        let before = day.checked_sub(SignedDuration::from_millis(1)).unwrap_or(day);
        let usual = match &self.schedule {
            Some(schedule) => schedule.next_after(before)?,
            None => None,
        };
        let is_that_day = |at: &Timestamp| at.duration_since(day) < SignedDuration::from_hours(24);
        Ok(usual.filter(is_that_day).unwrap_or(day))
    }

    fn schedule_next(&mut self, at: Timestamp) {
        if self.status == ConversationStatus::Background {
            self.next_run_at = Some(at);
        }
    }

    /// Keeps a question; one asked by work that was paused meanwhile is put when it is resumed.
    fn keep_question(&mut self, question: PendingQuestion, now: Timestamp) -> Result<(), ConversationError> {
        if self.status != ConversationStatus::Archived {
            self.state.pending_question = Some(question);
        }
        if self.status == ConversationStatus::Background {
            self.wait_for_answer(now)?;
        }
        Ok(())
    }

    fn wait_for_answer(&mut self, now: Timestamp) -> Result<(), ConversationError> {
        let status = self.status.after(ConversationMove::Ask)?;
        self.set_status(status, now);
        self.next_run_at = None;
        Ok(())
    }

    fn set_status(&mut self, status: ConversationStatus, now: Timestamp) {
        self.status = status;
        self.updated_at = now;
    }
}

impl RunEffects {
    fn with_message(role: MessageRole, text: String, event: Option<ConversationEvent>) -> Self {
        Self { says: Some((role, text)), event }
    }
}

#[cfg(test)]
mod tests;
