//! What becomes of a conversation after each kind of run.

use super::*;
use crate::Schedule;
use crate::conversation::{ConversationState, QuestionKind};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn chat() -> Conversation {
    let state = ConversationState::of_task("watch the build");
    Conversation::new("watch", state, at("2026-03-02T08:00:00Z"))
}

fn daily() -> Conversation {
    let mut conversation = chat();
    let now = at("2026-03-02T08:00:00Z");
    conversation.start(Schedule::cron("0 9 * * *", "UTC", now).unwrap(), now).unwrap();
    conversation
}

fn immediate() -> Conversation {
    let mut conversation = chat();
    conversation.start(Schedule::Immediate, at("2026-03-02T08:00:00Z")).unwrap();
    conversation
}

fn goes_on() -> RunEnd {
    RunEnd::Replied(WorkerReply::Continue {
        state_update: serde_json::from_str(r#"{"seen":3}"#).unwrap(),
        next_step: "look again".into(),
        message: None,
        wait_minutes: 10,
    })
}

fn asks() -> RunEnd {
    let question = PendingQuestion {
        kind: QuestionKind::Confirmation,
        prompt: "Send it?".into(),
        options: Vec::new(),
        concern: None,
    };
    RunEnd::Replied(WorkerReply::NeedsInput { message: "The mail is written.".into(), question })
}

fn failed() -> RunEnd {
    RunEnd::Failed { reason: "no answer".into() }
}

#[test]
fn missed_times_come_down_to_one_run() {
    let mut conversation = daily();
    assert_eq!(conversation.next_run_at, Some(at("2026-03-02T09:00:00Z")));
    let back = at("2026-03-09T12:00:00Z");
    assert!(conversation.is_due(back));
    conversation.finish_run(goes_on(), back).unwrap();
    assert_eq!(conversation.next_run_at, Some(at("2026-03-10T09:00:00Z")));
    assert_eq!(conversation.last_success_at, Some(back));
    assert_eq!(conversation.state.step, "look again");
}

#[test]
fn work_without_a_timetable_goes_on_after_its_wait() {
    let mut conversation = immediate();
    assert!(conversation.is_due(at("2026-03-02T08:00:00Z")));
    conversation.finish_run(goes_on(), at("2026-03-02T08:01:00Z")).unwrap();
    assert_eq!(conversation.next_run_at, Some(at("2026-03-02T08:11:00Z")));
}

#[test]
fn work_that_goes_on_at_once_is_spaced_and_asked_about() {
    let at_once = || {
        RunEnd::Replied(WorkerReply::Continue {
            state_update: serde_json::Map::new(),
            next_step: "once more".into(),
            message: None,
            wait_minutes: 0,
        })
    };
    let (mut conversation, mut now) = (immediate(), at("2026-03-02T08:00:00Z"));
    let mut waits = Vec::new();
    while conversation.status == ConversationStatus::Background {
        assert!(waits.len() < 10, "{waits:?}");
        conversation.finish_run(at_once(), now).unwrap();
        let Some(next) = conversation.next_run_at else { break };
        waits.push(next.duration_since(now).as_mins());
        now = next;
    }
    assert_eq!(waits, [1, 2, 4, 8]);
    let question = conversation.state.pending_question.clone().unwrap();
    assert_eq!(question.concern, Some(Concern::Runs));
    assert!(question.prompt.contains("ran 5 times") && question.prompt.contains("once more"));
    let mut stopped = conversation.clone();
    stopped.answer("no", now).unwrap();
    assert!(stopped.is_paused());
    conversation.answer("yes", now).unwrap();
    conversation.finish_run(at_once(), now).unwrap();
    assert_eq!(conversation.next_run_at, Some(now + SignedDuration::from_mins(1)), "it begins anew");
    // Work that looks every hour is not asked about, and neither is work with a timetable.
    for (mut patient, wait_minutes) in [(immediate(), 60), (daily(), 0)] {
        for _ in 0..20 {
            let end = RunEnd::Replied(WorkerReply::Continue {
                state_update: serde_json::Map::new(),
                next_step: "look again".into(),
                message: None,
                wait_minutes,
            });
            patient.finish_run(end, now).unwrap();
            assert_eq!(patient.status, ConversationStatus::Background);
        }
    }
}

#[test]
fn question_waits_until_it_is_answered() {
    let mut conversation = daily();
    let settled = conversation.finish_run(asks(), at("2026-03-02T09:00:30Z")).unwrap();
    assert_eq!(settled.event, Some(ConversationEvent::WaitingForInput));
    assert_eq!(settled.says.unwrap().1, "The mail is written.\n\nSend it?");
    assert_eq!((conversation.status, conversation.next_run_at), (ConversationStatus::WaitingInput, None));
    let now = at("2026-03-05T10:00:00Z");
    assert!(matches!(conversation.answer("perhaps", now), Err(ConversationError::Answer(_))));
    assert_eq!(conversation.status, ConversationStatus::WaitingInput);
    assert_eq!(conversation.answer("Yes", now).unwrap(), "yes");
    assert_eq!((conversation.status, conversation.next_run_at), (ConversationStatus::Background, Some(now)));
    assert_eq!(conversation.state.pending_question, None);
    assert!(matches!(conversation.answer("Yes", now), Err(ConversationError::Illegal(_))));
}

#[test]
fn pause_keeps_the_question() {
    let mut conversation = daily();
    conversation.finish_run(asks(), at("2026-03-02T09:00:30Z")).unwrap();
    conversation.pause(at("2026-03-02T10:00:00Z")).unwrap();
    assert!(conversation.is_paused());
    conversation.resume(at("2026-03-03T10:00:00Z")).unwrap();
    assert_eq!(conversation.status, ConversationStatus::WaitingInput);
    conversation.answer("no", at("2026-03-03T10:00:00Z")).unwrap();
    assert_eq!(conversation.status, ConversationStatus::Background, "a no to the work itself is an answer");
}

#[test]
fn pause_during_a_run_holds() {
    for end in [goes_on(), asks(), failed(), failed(), failed()] {
        let mut conversation = daily();
        conversation.pause(at("2026-03-02T09:00:10Z")).unwrap();
        conversation.finish_run(end, at("2026-03-02T09:00:30Z")).unwrap();
        assert_eq!((conversation.status, conversation.next_run_at), (ConversationStatus::Active, None));
    }
    let mut conversation = daily();
    conversation.archive(at("2026-03-02T09:00:10Z")).unwrap();
    conversation.finish_run(asks(), at("2026-03-02T09:00:30Z")).unwrap();
    assert_eq!(conversation.status, ConversationStatus::Archived);
    assert_eq!(conversation.state.pending_question, None);
}

#[test]
fn work_that_cannot_be_paid_waits_until_the_next_day() {
    let next_day = at("2026-03-03T00:00:00Z");
    let check = |mut conversation: Conversation, now: &str, expected: &str| {
        let end = RunEnd::Postponed { reason: "no money".into(), next_day };
        let settled = conversation.finish_run(end, at(now)).unwrap();
        assert_eq!(settled.event, Some(ConversationEvent::Postponed));
        assert!(settled.says.unwrap().1.contains("no money"));
        assert_eq!(conversation.status, ConversationStatus::Background, "nobody is asked");
        assert_eq!(conversation.next_run_at, Some(at(expected)));
        assert_eq!((conversation.failures, conversation.last_success_at), (0, None), "nothing failed");
    };
    check(immediate(), "2026-03-02T08:00:30Z", "2026-03-03T00:00:00Z");
    check(daily(), "2026-03-02T09:00:30Z", "2026-03-03T09:00:00Z");
    let by = |expression: &str| {
        let (mut conversation, now) = (chat(), at("2026-03-02T08:00:00Z"));
        conversation.start(Schedule::cron(expression, "UTC", now).unwrap(), now).unwrap();
        conversation
    };
    check(by("0 * * * *"), "2026-03-02T09:00:30Z", "2026-03-03T00:00:00Z");
    // 2 March 2026 is a Monday: its run is not left out for a week.
    check(by("0 9 * * 1"), "2026-03-02T09:00:30Z", "2026-03-03T00:00:00Z");
    let mut paused = daily();
    paused.pause(at("2026-03-02T09:00:10Z")).unwrap();
    paused
        .finish_run(RunEnd::Postponed { reason: "no money".into(), next_day }, at("2026-03-02T09:00:30Z"))
        .unwrap();
    assert_eq!((paused.status, paused.next_run_at), (ConversationStatus::Active, None));
}

#[test]
fn failures_are_told_and_the_third_asks() {
    let mut conversation = daily();
    for day in 2..4 {
        let now = at(&format!("2026-03-0{day}T09:00:30Z"));
        let settled = conversation.finish_run(failed(), now).unwrap();
        assert_eq!(settled.event, Some(ConversationEvent::Failed));
        assert!(conversation.next_run_at > Some(now));
    }
    let settled = conversation.finish_run(failed(), at("2026-03-04T09:00:30Z")).unwrap();
    assert_eq!(settled.event, Some(ConversationEvent::WaitingForInput));
    let mut other = conversation.clone();
    other.answer("no", at("2026-03-04T10:00:00Z")).unwrap();
    assert!(other.is_paused(), "a no to Afterword's own question pauses");
    conversation.answer("y", at("2026-03-04T10:00:00Z")).unwrap();
    assert_eq!((conversation.failures, conversation.status), (0, ConversationStatus::Background));
    assert_eq!(conversation.last_success_at, None);
    let mut once = immediate();
    let settled = once.finish_run(failed(), at("2026-03-02T08:01:00Z")).unwrap();
    assert_eq!(settled.event, Some(ConversationEvent::WaitingForInput), "it has no next time");
}

#[test]
fn finished_work_can_be_started_again() {
    let mut conversation = daily();
    let done = RunEnd::Replied(WorkerReply::Complete {
        message: "The build is green.".into(),
        state_update: Default::default(),
    });
    let now = at("2026-03-02T09:00:30Z");
    assert_eq!(conversation.finish_run(done, now).unwrap().event, Some(ConversationEvent::Finished));
    assert_eq!((conversation.status, conversation.finished_at), (ConversationStatus::Active, Some(now)));
    assert!(!conversation.is_paused());
    conversation.resume(now).unwrap();
    assert_eq!(conversation.next_run_at, Some(at("2026-03-03T09:00:00Z")));
    assert_eq!(conversation.finished_at, None);
    assert_eq!(chat().resume(now), Err(ConversationError::NoSchedule));
}

#[test]
fn lost_connection_asks_for_it() {
    let mut conversation = daily();
    let now = at("2026-03-02T09:00:30Z");
    let settled = conversation.finish_run(RunEnd::NeedsReconnect { connection: "mail".into() }, now).unwrap();
    let says = settled.says.unwrap().1;
    assert!(
        says.contains("`mail` has to be signed in to:") && says.contains("connections connect mail"),
        "{says}"
    );
    let question = conversation.state.pending_question.unwrap();
    assert_eq!(question.concern, Some(Concern::Reconnect("mail".into())));
}

#[test]
fn another_schedule_counts_from_now_on() {
    let now = at("2026-03-02T08:30:00Z");
    let noon = || Schedule::cron("0 12 * * *", "UTC", now).unwrap();
    let at_noon = Some(at("2026-03-02T12:00:00Z"));
    let mut at_work = daily();
    at_work.reschedule(noon(), now).unwrap();
    assert_eq!((at_work.status, at_work.next_run_at), (ConversationStatus::Background, at_noon));
    at_work.finish_run(goes_on(), at("2026-03-02T12:01:00Z")).unwrap();
    assert_eq!(at_work.next_run_at, Some(at("2026-03-03T12:00:00Z")));

    let mut paused = daily();
    paused.pause(now).unwrap();
    paused.reschedule(noon(), now).unwrap();
    assert!(paused.is_paused() && paused.next_run_at.is_none());
    paused.resume(now).unwrap();
    assert_eq!(paused.next_run_at, at_noon);

    let mut waiting = daily();
    waiting.finish_run(asks(), now).unwrap();
    waiting.reschedule(noon(), now).unwrap();
    assert_eq!((waiting.status, waiting.next_run_at), (ConversationStatus::WaitingInput, None));
    waiting.answer("yes", now).unwrap();
    waiting.finish_run(goes_on(), now).unwrap();
    assert_eq!(waiting.next_run_at, at_noon);

    let mut talk = chat();
    talk.reschedule(noon(), now).unwrap();
    assert_eq!((talk.status, talk.next_run_at), (ConversationStatus::Background, at_noon));

    let mut closed = daily();
    closed.archive(now).unwrap();
    let before = closed.clone();
    assert!(matches!(closed.reschedule(noon(), now), Err(ConversationError::Illegal(_))));
    assert_eq!(closed, before);
}

#[test]
fn cancelled_run_is_passed_over() {
    let (mut repeating, mut single) = (daily(), immediate());
    let now = at("2026-03-02T09:00:30Z");
    repeating.skip_run(now).unwrap();
    assert_eq!(repeating.next_run_at, Some(at("2026-03-03T09:00:00Z")));
    single.skip_run(now).unwrap();
    assert!(single.is_paused());
}

#[test]
fn run_at_once_leaves_the_schedule_as_it_is() {
    let now = at("2026-03-02T08:30:00Z");
    let nine = at("2026-03-02T09:00:00Z");
    let mut repeating = daily();
    let schedule = repeating.schedule.clone();
    repeating.reschedule(Schedule::Immediate, now).unwrap();
    assert!(repeating.is_due(now));
    repeating.finish_run(goes_on(), now).unwrap();
    assert_eq!((repeating.schedule.clone(), repeating.next_run_at), (schedule, Some(nine)));

    let mut single = chat();
    single.start(Schedule::Once { run_at: nine }, now).unwrap();
    single.run_now(now).unwrap();
    assert!(single.is_due(now));
    let done = || {
        RunEnd::Replied(WorkerReply::Complete {
            message: "The draft is there.".into(),
            state_update: Default::default(),
        })
    };
    single.finish_run(done(), now).unwrap();
    assert_eq!((single.status, single.next_run_at), (ConversationStatus::Background, Some(nine)));
    single.finish_run(done(), nine).unwrap();
    assert_eq!(single.finished_at, Some(nine));
    single.run_now(at("2026-03-03T09:00:00Z")).unwrap();
    assert!(single.is_due(at("2026-03-03T09:00:00Z")), "finished work can be run once more");

    let mut paused = daily();
    paused.pause(now).unwrap();
    assert_eq!(paused.run_now(now), Err(ConversationError::Paused));
    assert!(paused.next_run_at.is_none());
    let mut waiting = daily();
    waiting.finish_run(asks(), now).unwrap();
    assert!(matches!(waiting.run_now(now), Err(ConversationError::Illegal(_))));
}

#[test]
fn work_that_waits_for_consent_begins_by_its_schedule_or_is_closed() {
    let now = at("2026-03-02T08:00:00Z");
    let mut asked = daily();
    asked.await_consent("May it begin?".to_owned(), now).unwrap();
    assert!(asked.awaits_consent() && !asked.is_due(at("2026-03-03T10:00:00Z")));
    assert!(asked.run_now(now).is_err());
    // Neither a pause nor a turn of the model stands for the person's yes.
    let mut paused = asked.clone();
    paused.pause(now).unwrap();
    assert!(paused.run_now(now).is_err());
    paused.resume(now).unwrap();
    assert_eq!((paused.status, paused.next_run_at), (ConversationStatus::WaitingInput, None));
    let answer = ConversationChange::Answer { answer: "yes".to_owned() };
    let understand = |_: &str| Err("none".to_owned());
    assert!(paused.steer(&answer, understand, &TimeZone::UTC, now).is_err());

    let mut refused = asked.clone();
    refused.answer("no", now).unwrap();
    assert_eq!(refused.status, ConversationStatus::Archived);
    asked.answer("yes", now).unwrap();
    assert_eq!(
        (asked.status, asked.next_run_at),
        (ConversationStatus::Background, Some(at("2026-03-02T09:00:00Z")))
    );
    assert!(!asked.awaits_consent());
}
