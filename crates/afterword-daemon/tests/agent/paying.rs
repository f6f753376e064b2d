//! The day's money is one: what reflections and conversations cost counts together, also while a run is under way.
//!
//! The client is a stand-in, so that every run costs the same; ledger, queue, database and processes are real. With the real
//! client: `limits`.

use std::fs;
use std::sync::mpsc;
use std::time::Duration;

use afterword_app::conversations::{Conversations, LimitChange, NewConversation};
use afterword_app::notices::NoticeKind;
use afterword_app::{App, NoProgress, ReflectRequest, Target, conversations, model_calls, reflect, stats};
use afterword_core::conversation::{RunLimits, Schedule};
use afterword_core::{ConversationId, JobStatus};
use afterword_daemon::work::run_conversation_now;
use afterword_daemon::{news, run};
use afterword_store::Store;
use jiff::{ToSpan, Zoned};
use serde_json::json;

use afterword_testkit::provider::{Provider, completion};
use afterword_testkit::stand_in;
use afterword_testkit::transcript::with_a_rule;
use afterword_testkit::{Sandbox, now, until};

const ID: &str = "0a0a0d0c-1111-4222-8333-444455556666";
/// Far more than a busy machine needs.
const LIMIT: Duration = Duration::from_secs(120);

/// An agent whose client's every answer costs five cents. It waits while there is a file `hold`.
fn app(host: &Sandbox) -> App {
    let result = json!({"type": "result", "subtype": "success", "total_cost_usd": 0.05, "result": "Good.",
        "usage": {"input_tokens": 900, "output_tokens": 100},
        "structured_output": {"complete": true, "message": "Done."}});
    let answers = stand_in::printing(&result);
    let waits = if cfg!(windows) {
        ":hold\r\nif exist \"%here%hold\" goto hold"
    } else {
        "while [ -e \"$here/hold\" ]; do sleep 0.05; done"
    };
    host.app().with_client(stand_in::client(host, &format!("{waits}\n{answers}")))
}

fn store(host: &Sandbox) -> Store {
    Store::open(&host.paths().database()).unwrap()
}

fn task(conversations: &Conversations, words: &str, now: &Zoned) -> ConversationId {
    let schedule = Some(Schedule::Immediate);
    let limits = RunLimits { most_usd: 0.1, ..RunLimits::default() };
    let new = NewConversation { task: words.to_owned(), schedule, limits, ..NewConversation::default() };
    conversations.create(&new, now).unwrap()
}

fn last_message(conversations: &Conversations, id: ConversationId) -> String {
    conversations.show(&id.to_string(), 100).unwrap().messages.last().unwrap().content.clone()
}

/// Spends ten cents on two runs.
fn spend_ten_cents(conversations: &Conversations) -> ConversationId {
    let mut last = None;
    for words in ["water the plants", "feed the cat"] {
        let id = task(conversations, words, &now());
        assert!(run_conversation_now(conversations.app(), id, &now()).unwrap());
        assert!(
            conversations.show(&id.to_string(), 1).unwrap().conversation.finished_at.is_some(),
            "{words}"
        );
        last = Some(id);
    }
    last.unwrap()
}

#[test]
fn run_that_the_day_cannot_pay_waits_until_the_next_one() {
    for (setting, other) in [("budget.daily_usd", "tasks.daily_usd"), ("tasks.daily_usd", "budget.daily_usd")]
    {
        let host = Sandbox::new();
        host.set(setting, &["0.10"]);
        host.set(other, &["3"]);
        let app = app(&host);
        let conversations = conversations::conversations(&app).unwrap();
        spend_ten_cents(&conversations);
        let third = task(&conversations, "buy bread", &now());
        assert!(run_conversation_now(&app, third, &now()).unwrap());
        let shown = conversations.show(&third.to_string(), 10).unwrap();
        assert_eq!((shown.conversation.status, shown.runs.len()), ("background", 0), "{setting}");
        let said = last_message(&conversations, third);
        assert!(said.contains(setting) && !said.contains(other), "{said}");
        assert!(said.contains(&format!("afterword config set {setting}")), "it says what to change: {said}");
        let tomorrow: Zoned = "2026-03-11T00:00:00+00:00[UTC]".parse().unwrap();
        assert_eq!(conversations.find(&third.to_string()).unwrap().next_run_at, Some(tomorrow.timestamp()));
        let spend = model_calls::spend(&app, 1, &now()).unwrap();
        assert!((spend.today_usd - 0.10).abs() < 1e-9 && (spend.tasks_today_usd - 0.10).abs() < 1e-9);
        assert!(
            spend.sums.iter().all(|sum| sum.project.is_empty()),
            "a task's own folder is no project: {spend:?}"
        );
        assert!((stats::stats(&app, &now()).unwrap().today_usd.0 - 0.10).abs() < 1e-9, "stats say the same");

        conversations::due_conversations(&store(&host), tomorrow.timestamp()).unwrap();
        assert!(run_conversation_now(&app, third, &tomorrow).unwrap());
        assert_eq!(last_message(&conversations, third), "Done.", "{setting}");
    }
}

#[cfg(unix)]
#[test]
fn reply_that_the_day_cannot_pay_is_refused_and_no_word_is_lost() {
    let host = Sandbox::new();
    host.set("budget.daily_usd", &["0.10"]);
    let app = app(&host);
    let conversations = conversations::conversations(&app).unwrap();
    let id = spend_ten_cents(&conversations);
    let refused = conversations.send_message(&id.to_string(), "and the dog, please", &now()).unwrap_err();
    assert_eq!(refused.kind(), afterword_app::ErrorKind::Precondition);
    assert!(refused.to_string().contains("`budget.daily_usd`"), "{refused}");
    assert_eq!(refused.hints(), ["allow more with `afterword config set budget.daily_usd N`"]);
    assert!(!run_conversation_now(&app, id, &now()).unwrap(), "nothing is left in the queue");
    let shown = conversations.show(&id.to_string(), 10).unwrap();
    let [.., said, why] = &shown.messages[..] else { panic!("{:?}", shown.messages) };
    assert_eq!((said.role, said.content.as_str()), ("user", "and the dog, please"));
    assert!(why.role == "system" && why.content.contains("budget.daily_usd"), "{why:?}");
    assert!(!stand_in::prompts(&host).contains("and the dog"));

    let tomorrow = now().checked_add(1.day()).unwrap();
    conversations.send_message(&id.to_string(), "good morning", &tomorrow).unwrap();
    assert!(run_conversation_now(&app, id, &tomorrow).unwrap());
    assert_eq!(last_message(&conversations, id), "Good.");
    let told = stand_in::prompts(&host);
    assert!(told.contains("and the dog, please") && told.contains("good morning"), "{told}");
}

/// In the words of a notification, as the running agent tells it.
#[test]
fn person_is_told_that_a_task_is_put_off() {
    let host = Sandbox::new();
    host.set("tasks.daily_usd", &["0"]);
    let app = app(&host);
    let (sender, told) = mpsc::channel();
    let listener = app.clone();
    let running = run::start(&app, move |event| {
        let _ = news::news_of(&listener, event, jiff::Timestamp::now())
            .into_iter()
            .try_for_each(|news| sender.send(news));
    })
    .unwrap();
    let conversations = conversations::conversations(&app).unwrap();
    let id = task(&conversations, "water the plants", &Zoned::now());
    let news = told.recv_timeout(LIMIT).unwrap();
    running.stop();
    assert_eq!((news.kind, news.what.as_str()), (NoticeKind::TaskPostponed, "water the plants"));
    assert_eq!(news.route, format!("tasks/{id}"));
}

#[test]
fn chat_begun_without_money_says_so() {
    let host = Sandbox::new();
    host.set("budget.daily_usd", &["0.10"]);
    let app = app(&host);
    let conversations = conversations::conversations(&app).unwrap();
    spend_ten_cents(&conversations);
    let new = NewConversation { task: "what is new?".to_owned(), ..NewConversation::default() };
    let id = conversations.create(&new, &now()).unwrap();
    assert!(run_conversation_now(&app, id, &now()).unwrap());
    assert!(last_message(&conversations, id).contains("afterword config set budget.daily_usd"));
    assert_eq!(conversations.show(&id.to_string(), 1).unwrap().runs.len(), 0);
}

#[test]
fn reflections_and_conversations_are_paid_from_the_same_money() {
    // 1,000 tokens written cost a cent.
    let nothing = || (200, "", completion("stop", r#"{"candidates": [], "lessons": []}"#));
    let provider = Provider::answering(move |_, _| nothing());
    let host = Sandbox::new();
    host.set("engine.name", &["openai-compatible"]);
    host.set("engine.address", &[&format!("{}/v1", provider.address)]);
    host.set("engine.model", &["small"]);
    host.set("engine.usd_per_million_in", &["0"]);
    host.set("engine.usd_per_million_out", &["10"]);
    host.set("budget.daily_usd", &["0.10"]);
    let app = app(&host);
    let conversations = conversations::conversations(&app).unwrap();
    spend_ten_cents(&conversations);
    host.session(ID, &with_a_rule(ID));
    let reflect = |now: &Zoned| {
        let target = Target::Changed { since: None };
        let request = ReflectRequest::new(target);
        reflect::reflect(&app, &request, now, &mut NoProgress)
    };
    let refused = reflect(&now()).unwrap_err();
    assert!(refused.to_string().contains("budget.daily_usd leaves no room"), "{refused}");
    assert_eq!(provider.received().len(), 0);

    let tomorrow = now().checked_add(1.day()).unwrap();
    assert_eq!(reflect(&tomorrow).unwrap().sessions.len(), 1);
    let reflected = model_calls::spend(&app, 1, &tomorrow).unwrap();
    assert!(reflected.today_usd > 0.0 && reflected.tasks_today_usd == 0.0);
    host.set("budget.daily_usd", &["0.015"]);
    let poorer = self::app(&host);
    let conversations = conversations::conversations(&poorer).unwrap();
    let id = task(&conversations, "buy bread", &tomorrow);
    assert!(run_conversation_now(&poorer, id, &tomorrow).unwrap());
    assert!(
        last_message(&conversations, id).contains("`budget.daily_usd`"),
        "a cent is spent on a reflection"
    );
    assert_eq!(conversations.show(&id.to_string(), 1).unwrap().runs.len(), 0);
}

/// What a run may do and cost is taken by it as it begins.
#[test]
fn limits_that_are_changed_count_from_the_next_run_on() {
    let host = Sandbox::new();
    fs::write(host.path("hold"), "").unwrap();
    let app = app(&host);
    let conversations = conversations::conversations(&app).unwrap();
    let id = task(&conversations, "water the plants", &now());
    let (name, other) = (id.to_string(), app.clone());
    let work = std::thread::spawn(move || run_conversation_now(&other, id, &now()).unwrap());
    until("a run is under way", || !conversations.show(&name, 1).unwrap().runs.is_empty());
    let tools = vec!["Read".to_owned(), "Bash(git log:*)".to_owned()];
    let change =
        LimitChange { allowed_tools: Some(tools.clone()), most_usd: Some(0.2), ..LimitChange::default() };
    conversations.limit(&name, &change, &now()).unwrap();
    conversations.limit(&name, &change, &now()).unwrap();
    fs::remove_file(host.path("hold")).unwrap();
    assert!(work.join().unwrap());
    let shown = conversations.show(&name, 100).unwrap();
    let limits = &shown.conversation;
    assert_eq!((&limits.allowed_tools, limits.most_usd, limits.most_seconds), (&tools, 0.2, 600));
    let told: Vec<_> =
        shown.messages.iter().filter(|one| one.content.contains("what a run may do")).collect();
    assert_eq!(told.len(), 1, "told once, as it changed once: {:?}", shown.messages);
    assert!(told[0].role == "system" && told[0].content.contains("Bash(git log:*)"), "{told:?}");

    conversations.send_message(&name, "and the cactus?", &now()).unwrap();
    assert!(run_conversation_now(&app, id, &now()).unwrap());
    // Windows has them in quotation marks.
    let arguments = fs::read_to_string(host.path("arguments")).unwrap().replace('"', "");
    let [_, first, second] = &arguments.split("--print ").collect::<Vec<_>>()[..] else {
        panic!("{arguments}")
    };
    assert!(first.contains("--max-budget-usd 0.1000") && !first.contains("Bash(git log:*)"), "{first}");
    assert!(
        second.contains("--max-budget-usd 0.2000") && second.contains("Read Bash(git log:*)"),
        "{second}"
    );
}

#[test]
fn limits_that_cannot_be_are_refused_as_at_the_beginning() {
    let host = Sandbox::new();
    let conversations = conversations::conversations(&app(&host)).unwrap();
    let id = task(&conversations, "water the plants", &now()).to_string();
    let before = conversations.show(&id, 100).unwrap();
    let names = |name: &str| Some(vec![name.to_owned()]);
    for (change, why) in [
        (LimitChange { allowed_tools: names("--debug"), ..LimitChange::default() }, "is no tool"),
        (LimitChange { connections: names("mail"), ..LimitChange::default() }, "no connection `mail`"),
        (LimitChange { most_usd: Some(f64::NAN), ..LimitChange::default() }, "dollars"),
        (LimitChange { most_usd: Some(0.0), ..LimitChange::default() }, "dollars"),
        (LimitChange { most_seconds: Some(0), ..LimitChange::default() }, "from a second"),
    ] {
        let refused = conversations.limit(&id, &change, &now()).unwrap_err();
        assert!(refused.to_string().contains(why), "{change:?}: {refused}");
    }
    assert_eq!(conversations.show(&id, 100).unwrap(), before, "nothing was changed or said");
    conversations.archive(&id, &now()).unwrap();
    let change = LimitChange { allowed_tools: names("Read"), ..LimitChange::default() };
    let refused = conversations.limit(&id, &change, &now()).unwrap_err();
    assert!(refused.to_string().contains("archived"), "{refused}");
}

#[test]
fn run_waits_for_the_money_that_another_may_not_need() {
    let host = Sandbox::new();
    host.set("budget.daily_usd", &["0.10"]);
    fs::write(host.path("hold"), "").unwrap();
    let app = app(&host);
    let conversations = conversations::conversations(&app).unwrap();
    let (first, second) =
        (task(&conversations, "water the plants", &now()), task(&conversations, "feed the cat", &now()));
    let attended = |id| {
        let app = app.clone();
        std::thread::spawn(move || run_conversation_now(&app, id, &now()).unwrap())
    };
    let store = store(&host);
    let one = attended(first);
    until("the first is under way", || !conversations.show(&first.to_string(), 1).unwrap().runs.is_empty());
    let spend = model_calls::spend(&app, 1, &now()).unwrap();
    assert!((spend.set_aside_usd - 0.10).abs() < 1e-9, "it may cost all there is");
    assert!(spend.today_usd.abs() < 1e-9 && spend.left_today_usd.unwrap() < 1e-9, "{spend:?}");
    let other = attended(second);
    until("the second is taken on", || {
        let job = store.conversations().job(second).unwrap().unwrap();
        store.jobs().get(job).unwrap().unwrap().status == JobStatus::Running
    });
    fs::remove_file(host.path("hold")).unwrap();
    assert!(one.join().unwrap() && other.join().unwrap());
    for id in [first, second] {
        let shown = conversations.show(&id.to_string(), 10).unwrap();
        assert_eq!((shown.runs.len(), shown.runs[0].outcome), (1, "completed"), "{:?}", shown.messages);
    }
    assert!((model_calls::spend(&app, 1, &now()).unwrap().today_usd - 0.10).abs() < 1e-9);
}
