//! Words that types write by themselves, in SQL and in views, are those that serde gives them: the window's contract is made of these.

use afterword_core::conversation::MessageRole;
use afterword_core::{ConversationStatus, JobStatus, JobType};
use afterword_store::{AttemptOutcome, ConversationRunOutcome, FeedbackKind, Verdict};
use serde::Serialize;

fn check<T: Serialize + Copy>(all: &[T], word: impl Fn(T) -> &'static str) {
    for one in all {
        assert_eq!(serde_json::to_value(one).expect("a word is JSON"), word(*one));
    }
}

#[test]
fn words_of_a_type_are_the_same_in_sql_and_in_json() {
    check(&Verdict::ALL, Verdict::as_str);
    check(&AttemptOutcome::ALL, AttemptOutcome::as_str);
    check(&FeedbackKind::ALL, FeedbackKind::as_str);
    check(&ConversationRunOutcome::ALL, ConversationRunOutcome::as_str);
    check(&ConversationStatus::ALL, ConversationStatus::as_str);
    check(&MessageRole::ALL, MessageRole::as_str);
    check(&JobType::ALL, JobType::as_str);
    check(&JobStatus::ALL, JobStatus::as_str);
}
