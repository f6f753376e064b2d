//! What a conversation's run may do and cost, and what becomes of what was said in it, with the real client.

use afterword_app::conversations::NewConversation;
use afterword_app::{conversations, model_calls};
use afterword_core::conversation::{RunLimits, Schedule};
use afterword_daemon::work::run_conversation_now;
use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

use afterword_testkit::Sandbox;
use afterword_testkit::messages_api::{MessagesApi, Reply, tools};
use afterword_testkit::real_client::{self, client_is_missing};

/// What came back from the tool that was called last.
fn result(body: &Value) -> String {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let since = messages.iter().rposition(|one| one["role"] == "assistant").unwrap_or(messages.len());
    messages[since..].iter().map(|one| one["content"].to_string()).collect()
}

fn task(words: &str, limits: RunLimits) -> NewConversation {
    NewConversation {
        task: words.to_owned(),
        schedule: Some(Schedule::Immediate),
        limits,
        ..NewConversation::default()
    }
}

/// A model that wants to write a file, and asks the person when it may not.
fn eager(body: &Value) -> Reply {
    if result(body).contains("tool_result") {
        return Reply::tool(
            "StructuredOutput",
            json!({"needs_input": true, "message": "I may not run that.",
                "question": {"type": "input", "prompt": "What now?"}}),
        );
    }
    Reply::tool("Bash", json!({"command": "touch proof", "description": "write a file"}))
}

#[test]
fn tool_that_was_not_allowed_does_nothing() {
    if client_is_missing() {
        return;
    }
    let other = RunLimits { allowed_tools: vec!["Bash(git log:*)".to_owned()], ..RunLimits::default() };
    let same = RunLimits { allowed_tools: vec!["Bash(touch:*)".to_owned()], ..RunLimits::default() };
    for (limits, offered, works) in
        [(RunLimits::default(), false, false), (other, true, false), (same, true, true)]
    {
        let host = Sandbox::new();
        let model = MessagesApi::start(eager);
        let app = host.app().with_client(real_client::client(&host.path("home"), &model).unwrap());
        let conversations = conversations::conversations(&app).unwrap();
        let id = conversations.create(&task("write it down", limits.clone()), &Zoned::now()).unwrap();
        assert!(run_conversation_now(&app, id, &Zoned::now()).unwrap());
        let shown = conversations.show(&id.to_string(), 10).unwrap();
        assert_eq!(shown.conversation.status, "waiting_input", "{limits:?} {shown:#?}");
        assert_eq!(shown.runs[0].outcome, "asked");
        let has_bash = tools(&model.requests()[0]).contains(&"Bash".to_owned());
        assert_eq!(has_bash, offered, "{limits:?}");
        let proof = std::path::Path::new(&shown.conversation.directory).join("proof");
        assert_eq!(proof.exists(), works, "{limits:?}: {}", result(&model.requests()[1]));
    }
}

#[test]
fn run_ends_at_its_limit_of_money() {
    if client_is_missing() {
        return;
    }
    let host = Sandbox::new();
    // It never comes to an end by itself.
    let model = MessagesApi::start(|_| Reply::tool("Read", json!({"file_path": "/nowhere"})));
    let app = host.app().with_client(real_client::client(&host.path("home"), &model).unwrap());
    let conversations = conversations::conversations(&app).unwrap();
    let limits = RunLimits { allowed_tools: vec!["Read".to_owned()], most_usd: 0.02, ..RunLimits::default() };
    let id = conversations.create(&task("read on", limits), &Zoned::now()).unwrap();
    assert!(run_conversation_now(&app, id, &Zoned::now()).unwrap());
    let shown = conversations.show(&id.to_string(), 10).unwrap();
    assert_eq!(shown.runs[0].outcome, "failed");
    assert!(shown.runs[0].reason.as_ref().unwrap().contains("limit of money"), "{:?}", shown.runs);
    assert!(shown.conversation.spent_usd < 0.05, "{}", shown.conversation.spent_usd);
}

/// A client may tell what its whole session cost, each time it goes on with it.
#[test]
fn a_session_that_goes_on_is_booked_once() {
    if client_is_missing() {
        return;
    }
    let host = Sandbox::new();
    let model = MessagesApi::start(|_| {
        Reply::tool("StructuredOutput", json!({"continue": true, "state_update": {}, "next_step": "on"}))
    });
    let app = host.app().with_client(real_client::client(&host.path("home"), &model).unwrap());
    let conversations = conversations::conversations(&app).unwrap();
    let store = afterword_store::Store::open(&host.paths().database()).unwrap();
    let id = conversations.create(&task("go on", RunLimits::default()), &Zoned::now()).unwrap();
    let (mut each, mut now) = (Vec::new(), Zoned::now());
    for number in 1..=4_u32 {
        conversations::due_conversations(&store, now.timestamp()).unwrap();
        assert!(run_conversation_now(&app, id, &now).unwrap());
        let (spend, requests) = (model_calls::spend(&app, 2, &now).unwrap(), model.requests().len());
        assert_eq!((spend.set_aside_usd, spend.latest.len()), (0.0, number as usize), "{spend:?}");
        // Every request takes as much.
        each.push(spend.usd / requests as f64);
        // Runs without a pause of their own wait ever longer, minutes at most.
        now = &now + jiff::SignedDuration::from_mins(10);
    }
    assert!(each[0] > 0.0 && each.iter().all(|one| (one - each[0]).abs() < 1e-9), "{each:?}");
}

/// Tasks that never come to an end by themselves, until the day's ten cents are spent.
#[test]
fn a_budget_of_ten_cents_stops_conversations_at_ten_cents() {
    if client_is_missing() {
        return;
    }
    let host = Sandbox::new();
    host.set("budget.daily_usd", &["0.10"]);
    let model = MessagesApi::start(|_| Reply::expensive_tool("Read", json!({"file_path": "/nowhere"})));
    let app = host.app().with_client(real_client::client(&host.path("home"), &model).unwrap());
    let conversations = conversations::conversations(&app).unwrap();
    let now: Zoned = "2026-03-10T12:00:00+00:00[UTC]".parse().unwrap();
    let limits = RunLimits { allowed_tools: vec!["Read".to_owned()], most_usd: 0.03, ..RunLimits::default() };
    let mut last = None;
    for number in 0.. {
        assert!(number < 10, "{:?}", model_calls::spend(&app, 1, &now).unwrap());
        let id = conversations.create(&task("read on", limits.clone()), &now).unwrap().to_string();
        assert!(run_conversation_now(&app, conversations.find(&id).unwrap().id, &now).unwrap());
        let shown = conversations.show(&id, 10).unwrap();
        if shown.conversation.status == "background" {
            last = Some(shown);
            break;
        }
        assert!(shown.runs[0].reason.as_ref().unwrap().contains("limit of money"), "{:?}", shown.runs);
    }
    let last = last.unwrap();
    assert!(last.messages.last().unwrap().content.contains("`budget.daily_usd`"), "{:?}", last.messages);
    let (spend, requests) = (model_calls::spend(&app, 1, &now).unwrap(), model.requests().len());
    // Claude Code stops itself once it has passed its limit, by less than one answer; some may cost less than others.
    let answer = spend.today_usd / requests as f64;
    assert!(spend.today_usd > 0.09 && spend.today_usd < 0.10 + 2.0 * answer, "{spend:?}, {requests}");

    let id = last.conversation.id;
    let refused = conversations.send_message(&id, "how far are you?", &now).unwrap_err();
    assert!(refused.to_string().contains("`budget.daily_usd`"), "{refused}");
    let next = conversations.create(&task("read on", limits), &now).unwrap();
    assert!(run_conversation_now(&app, next, &now).unwrap());
    assert_eq!(model.requests().len(), requests, "nobody is asked for more");
    let tomorrow = now.checked_add(1.day()).unwrap();
    let store = afterword_store::Store::open(&host.paths().database()).unwrap();
    conversations::due_conversations(&store, tomorrow.timestamp()).unwrap();
    assert!(run_conversation_now(&app, next, &tomorrow).unwrap());
    assert!(model.requests().len() > requests, "it goes on the next day");
}

/// What the person said in a task is learnt as in any session; what Afterword said to Claude there is not.
#[test]
fn finished_task_is_reflected_like_any_session() {
    if client_is_missing() {
        return;
    }
    let host = Sandbox::new();
    let model = MessagesApi::start(|body| {
        let schema = tools(body).contains(&"StructuredOutput".to_owned());
        if schema {
            return Reply::tool(
                "StructuredOutput",
                json!({"complete": true, "message": "I edited the old migration in place."}),
            );
        }
        Reply::Text("Understood. I reverted it and added a new migration.".into())
    });
    let client = real_client::client(&host.path("home"), &model).unwrap();
    let client = client.with_variable("CLAUDE_CONFIG_DIR", host.path("claude"));
    let app = host.app().with_client(client);
    let conversations = conversations::conversations(&app).unwrap();
    let words = "add the discount column to the orders table";
    let id = conversations.create(&task(words, RunLimits::default()), &Zoned::now()).unwrap();
    assert!(run_conversation_now(&app, id, &Zoned::now()).unwrap());
    let rule = "No. From now on never edit a migration that is merged, always add a new migration file.";
    conversations.send_message(&id.to_string(), rule, &Zoned::now()).unwrap();
    assert!(run_conversation_now(&app, id, &Zoned::now()).unwrap());
    let shown = conversations.show(&id.to_string(), 10).unwrap();
    assert!(shown.conversation.finished_at.is_some());

    host.reflect();
    let lessons = host.lessons();
    let rule = lessons.iter().find(|(name, _)| name.starts_with("Preferences/from-now-on-never-edit"));
    let (_, text) = rule.unwrap_or_else(|| panic!("{lessons:#?}"));
    assert!(
        text.contains("confidence: high") && text.contains("never edit a migration that is merged"),
        "{text}"
    );
    assert!(text.contains(&shown.conversation.claude_session_id.unwrap()), "{text}");
    for (name, text) in &lessons {
        assert!(
            !text.contains("Nobody watches this run") && !text.contains("afterword-task"),
            "{name}: {text}"
        );
    }
}
