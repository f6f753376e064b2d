//! What a person asks for by talking, and what becomes of it where the reply only claims that it was done.

use afterword_app::conversations;
use afterword_testkit::Sandbox;
use afterword_testkit::stand_in;
use jiff::Zoned;
use serde_json::json;

use super::conversing::{attend, task};

/// A reply that says "from now on every hour" and changes nothing is not taken at its word.
#[test]
fn reply_that_only_claims_a_change_is_followed_by_what_became_of_it() {
    let host = Sandbox::new();
    let claims = stand_in::answering(&json!({"reply": "From now on every hour."}));
    let app = host.app().with_client(stand_in::client(&host, &claims));
    let conversations = conversations::conversations(&app).unwrap();
    let now = Zoned::now();
    let mut daily = task("watch the build");
    let plan = conversations::plan_schedule("every day at 9", Some("UTC"), &now).unwrap();
    daily.schedule = Some(plan.schedule.clone());
    let id = conversations.create(&daily, &now).unwrap().to_string();
    let say = |text: &str| {
        conversations.send_message(&id, text, &now).unwrap();
        attend(&conversations, &id);
        conversations.show(&id, 100).unwrap()
    };
    for wish in ["check every hour instead", "Please pause it.", "archive the task"] {
        let shown = say(wish);
        let [.., reply, told] = &shown.messages[..] else { panic!("{shown:#?}") };
        assert_eq!((reply.role, reply.content.as_str()), ("assistant", "From now on every hour."), "{wish}");
        assert_eq!((told.role, told.source), ("system", "chat"), "{wish}");
        assert!(told.content.starts_with("Nothing was changed."), "{wish}: {told:?}");
        assert!(told.content.contains("afterword task reschedule"), "and what to do: {told:?}");
        assert_eq!(shown.conversation.schedule, Some(plan.schedule.clone()));
        assert!(!shown.conversation.paused && shown.conversation.status == "background");
    }
    for other in ["how is it going?", "Does it break every day at 9?"] {
        let shown = say(other);
        assert_eq!(shown.messages.last().unwrap().role, "assistant", "{other}: nothing was asked for");
    }
}
