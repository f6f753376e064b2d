//! What a person asks for by talking, and what becomes of it where the reply only claims that it was done.

use afterword_app::conversations;
use afterword_testkit::Sandbox;
use afterword_testkit::stand_in;
use jiff::Zoned;
use serde_json::json;

use super::conversing::{create_daily, say};

/// A reply that says "from now on every hour" and changes nothing is not taken at its word.
#[test]
fn reply_that_only_claims_a_change_is_followed_by_what_became_of_it() {
    let host = Sandbox::new();
    let claims = stand_in::answering(&json!({"reply": "From now on every hour."}));
    let app = host.app().with_client(stand_in::client(&host, &claims));
    let conversations = conversations::conversations(&app).unwrap();
    let now = Zoned::now();
    let (id, schedule) = create_daily(&conversations, "UTC", &now);
    let say = |text: &str| say(&conversations, &id, text, &now);
    for wish in ["check every hour instead", "Please pause it.", "archive the task"] {
        let shown = say(wish);
        let [.., reply, told] = &shown.messages[..] else { panic!("{shown:#?}") };
        assert_eq!((reply.role, reply.content.as_str()), ("assistant", "From now on every hour."), "{wish}");
        assert_eq!((told.role, told.source), ("system", "chat"), "{wish}");
        assert!(told.content.starts_with("Nothing was changed."), "{wish}: {told:?}");
        assert!(told.content.contains("afterword task reschedule"), "and what to do: {told:?}");
        assert_eq!(shown.conversation.schedule, Some(schedule.clone()));
        assert!(!shown.conversation.paused && shown.conversation.status == "background");
    }
    for other in ["how is it going?", "Does it break every day at 9?"] {
        let shown = say(other);
        assert_eq!(shown.messages.last().unwrap().role, "assistant", "{other}: nothing was asked for");
    }
}
