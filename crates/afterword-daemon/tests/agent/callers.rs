//! Everything that asks an engine (reflections with their handoff notes and web results, heartbeats, ideas, conversations) goes
//! through the same ledger and budget, sends no secret, and marks what came back.

use std::fs;
use std::path::{Path, PathBuf};

use afterword_app::conversations::NewConversation;
use afterword_app::queue::ReflectionOrder;
use afterword_app::{
    App, EngineName, NoProgress, Progress, ReflectRequest, Step, Target, Trigger, conversations, ideas,
    model_calls, queue, reflect,
};
use afterword_core::conversation::Schedule;
use afterword_core::{JobType, SessionId, UserId};
use afterword_daemon::work::run_conversation_now;
use afterword_daemon::work::{WorkEnd, WorkedJob, Worker};
use afterword_store::{DuplicatePolicy, NewJob, Store};
use serde_json::{Value, json};

use afterword_app::engine_preview;
use afterword_testkit::provider::{Provider, completion};
use afterword_testkit::stand_in;
use afterword_testkit::transcript::{answered, typed, with_a_rule};
use afterword_testkit::{Sandbox, all_changed, now};

const ID: &str = "1a1a0d0c-1111-4222-8333-444455556666";
const OTHER: &str = "1a1a0d0c-1111-4222-8333-444455556677";
/// Made up, in the forms that real ones have.
const SECRETS: [&str; 4] = [
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789",
    "correct-horse-battery-9",
];

fn store(host: &Sandbox) -> Store {
    Store::open(&host.paths().database()).unwrap()
}

fn nothing() -> Value {
    afterword_testkit::provider::lessons(&[], &[])
}

/// A provider that says this.
fn saying(answer: Value) -> Provider {
    Provider::answering(move |_, _| (200, "", completion("stop", &answer.to_string())))
}

/// A page that the session fetched, as client 2.1.197 writes it.
fn fetched(id: &str, number: usize, url: &str, text: &str) -> String {
    let result =
        json!({"bytes": 9, "code": 200, "codeText": "OK", "result": text, "durationMs": 12, "url": url});
    let block = json!([{"type": "tool_result", "tool_use_id": format!("t{number}"), "content": text}]);
    let entry = json!({"isSidechain": false, "userType": "external", "cwd": "/home/ada/shop", "sessionId": id,
        "version": "2.1.197", "uuid": format!("00000009-0000-4000-8000-{number:012}"),
        "timestamp": "2026-03-01T10:00:30.000Z", "type": "user", "message": {"role": "user", "content": block},
        "toolUseResult": result});
    format!("{entry}\n")
}

fn reflect(app: &App, id: &str) -> WorkedJob {
    let order = ReflectionOrder::new(SessionId::parse(id).unwrap(), Trigger::SessionEnd);
    queue::queue(app).unwrap().reflect(&order, &UserId::default(), now().timestamp()).unwrap();
    work(app)
}

fn beat(host: &Sandbox, app: &App, transcript: &Path) -> WorkedJob {
    let job = NewJob {
        user: UserId::default(),
        job_type: JobType::Heartbeat,
        subject: Some(transcript.file_stem().unwrap().to_string_lossy().into_owned()),
        payload: json!({"transcript": transcript}).to_string(),
        forced: false,
        not_before: now().timestamp(),
        on_duplicate: DuplicatePolicy::ReportExisting,
    };
    store(host).jobs().enqueue(&job, now().timestamp()).unwrap();
    work(app)
}

fn work(app: &App) -> WorkedJob {
    let worked = Worker::new(app).unwrap().work_once(&now()).unwrap().unwrap();
    assert!(matches!(worked.end, WorkEnd::Completed(_)), "{:?}", worked.end);
    worked
}

/// A session in which nothing happened for so many minutes; gives its transcript.
fn quiet(host: &Sandbox, id: &str, lines: &[String], minutes: i64) -> PathBuf {
    let path = host.session(id, lines);
    let since = now().timestamp() - jiff::SignedDuration::from_mins(minutes);
    fs::File::options().write(true).open(&path).unwrap().set_modified(since.into()).unwrap();
    path
}

/// What stands in a session's timeline of its heartbeats.
fn heartbeat_entries(host: &Sandbox, id: &str) -> Vec<String> {
    let entries = store(host).timeline().of_session(&SessionId::parse(id).unwrap()).unwrap();
    entries.into_iter().filter(|one| one.what.as_str() == "heartbeat").filter_map(|one| one.detail).collect()
}

fn log(host: &Sandbox, worked: &WorkedJob) -> afterword_store::JobLog {
    store(host).job_logs().of_job(worked.job.id).unwrap().remove(0)
}

#[test]
fn a_heartbeat_asks_once_until_something_happens_and_marks_what_the_model_says() {
    let said = "The migration was not tested.";
    let provider = saying(json!({"message": said,
        "evidence": [{"line": 4, "quote": "I reverted it and added a new migration"}]}));
    let host = Sandbox::asking(&provider);
    let lines = [with_a_rule(ID), vec![answered(ID, 5, "Shall I go on?")]].concat();
    let path = quiet(&host, ID, &lines, 5);
    let app = host.app();
    let worked = beat(&host, &app, &path);
    // What the built-in engine noticed stands first, as ever; the model's words are marked.
    let wanted = format!("The agent asked: Shall I go on?\nopenai-compatible, small: {said}");
    assert_eq!(heartbeat_entries(&host, ID), [wanted]);
    let request = provider.received().concat();
    assert!(request.contains("A session has gone quiet") && request.contains("json_schema"), "{request}");
    assert!(
        request.contains("The agent asked: Shall I go on?") && request.contains("[3 person]"),
        "{request}"
    );
    let spend = model_calls::spend(&app, 1, &now()).unwrap();
    assert_eq!((spend.latest[0].purpose.as_str(), spend.latest[0].job), ("heartbeat", Some(worked.job.id)));
    assert_eq!(spend.latest[0].session.as_str(), ID);
    assert!(spend.latest[0].input_tokens > 500, "{spend:?}");
    beat(&host, &app, &path);
    assert_eq!(provider.received().len(), 1, "nothing happened since");
    assert!(
        heartbeat_entries(&host, ID)[1].starts_with("The agent asked"),
        "what is known without it is told all the same"
    );
}

#[cfg(unix)]
#[test]
fn an_engine_that_costs_money_is_asked_about_long_pauses_only() {
    let host = Sandbox::new();
    host.set("engine.name", &["claude-code"]);
    let silent = json!({"message": "HEARTBEAT_CONTINUE", "evidence": []});
    let app = host.app().with_client(stand_in::client(&host, &stand_in::answering(&silent)));
    let path = quiet(&host, ID, &with_a_rule(ID), 5);
    beat(&host, &app, &path);
    assert_eq!(model_calls::spend(&app, 1, &now()).unwrap().calls, 0);
    let path = quiet(&host, ID, &with_a_rule(ID), 31);
    let worked = beat(&host, &app, &path);
    assert!(stand_in::prompts(&host).contains("A session has gone quiet"));
    assert_eq!(
        (model_calls::spend(&app, 1, &now()).unwrap().calls, heartbeat_entries(&host, ID).len()),
        (1, 0)
    );
    assert_eq!(log(&host, &worked).outcome, afterword_store::RunOutcome::Continued);
}

#[test]
fn a_heartbeat_says_nothing_that_rests_on_nothing_and_waits_for_no_engine() {
    let provider =
        saying(json!({"message": "Everything burns.", "evidence": [{"line": 3, "quote": "fire"}]}));
    let host = Sandbox::asking(&provider);
    let path = quiet(&host, ID, &with_a_rule(ID), 5);
    let app = host.app();
    let worked = beat(&host, &app, &path);
    assert_eq!(heartbeat_entries(&host, ID), Vec::<String>::new());
    assert!(log(&host, &worked).transcript.contains("rests on no words of the session"));

    // No money is left for it: what is known without it is told in time.
    let lines = [with_a_rule(OTHER), vec![answered(OTHER, 5, "Shall I go on?")]].concat();
    let path = quiet(&host, OTHER, &lines, 5);
    host.set("engine.usd_per_million_in", &["10"]);
    host.set("engine.usd_per_million_out", &["10"]);
    host.set("budget.daily_usd", &["0.000001"]);
    let worked = beat(&host, &host.app(), &path);
    assert_eq!(provider.received().len(), 1);
    assert_eq!(heartbeat_entries(&host, OTHER), ["The agent asked: Shall I go on?"]);
    let log = log(&host, &worked).transcript;
    assert!(
        log.contains("openai-compatible was not asked") && log.contains("budget.daily_usd leaves no room"),
        "{log}"
    );
}

#[test]
fn the_built_in_engine_asks_nobody() {
    let provider = saying(nothing());
    let host = Sandbox::asking(&provider);
    host.set("engine.name", &["builtin"]);
    host.set("ideas.research", &["true"]);
    host.samples();
    let path =
        host.session(ID, &[with_a_rule(ID), vec![fetched(ID, 9, "https://a.example/x", "A page.")]].concat());
    let app = host.app();
    beat(&host, &app, &path);
    reflect(&app, ID);
    assert!(Worker::new(&app).unwrap().work_once(&now()).unwrap().is_none(), "no idea is researched");
    assert_eq!((provider.received().len(), model_calls::spend(&app, 1, &now()).unwrap().calls), (0, 0));
}

#[test]
fn an_engine_that_costs_money_is_not_asked_at_every_pause() {
    let host = Sandbox::new();
    let minutes = |settings: &[(&str, &str)]| {
        settings.iter().for_each(|(key, value)| host.set(key, &[value]));
        host.app().config().reflection_idle().as_secs() / 60
    };
    assert_eq!(minutes(&[]), 4);
    assert_eq!(minutes(&[("engine.name", "claude-code")]), 30);
    assert_eq!(minutes(&[("engine.name", "openai-compatible")]), 4, "on this machine");
    assert_eq!(minutes(&[("engine.address", "https://models.example/v1")]), 30);
    assert_eq!(minutes(&[("reflection.idle_minutes", "7")]), 7, "the person's own word counts");
}

#[test]
fn web_results_and_handoff_notes_go_with_the_one_call_about_a_session() {
    let mut said = nothing();
    said["pages"] = json!([{"number": 2, "topic": "Databases"}, {"number": 9, "topic": "made up"}]);
    said["handoff"] = json!("The discount column is added;\nits index is still missing.");
    let provider = saying(said);
    let host = Sandbox::asking(&provider);
    let mut lines = with_a_rule(ID);
    lines.push(fetched(ID, 10, "https://noise.example.org/news", "Nothing of interest."));
    lines.push(fetched(ID, 11, "https://docs.example.org/indexes", "How an index is added."));
    lines.push(fetched(ID, 12, "https://cited.example.org/why", "Why migrations are kept."));
    lines.push(answered(ID, 13, "See https://cited.example.org/why for the reasons."));
    host.session(ID, &lines);
    let app = host.app();
    let preview = engine_preview::preview(&app, ID, None).unwrap();
    let worked = reflect(&app, ID);
    let received = provider.received();
    assert_eq!(received.len(), 1, "one call a session");
    let body: Value = serde_json::from_str(received[0].split("\r\n\n").nth(1).unwrap()).unwrap();
    assert_eq!(body["messages"][1]["content"], preview.prompt, "the preview shows what is sent");
    assert!(
        preview.prompt.contains("(2) https://docs.example.org/indexes: How an index is added."),
        "{}",
        preview.prompt
    );

    let topics = fs::read_dir(host.path("vault/Afterword/References")).unwrap();
    let topics: Vec<_> =
        topics.map(|topic| topic.unwrap().file_name().to_string_lossy().into_owned()).collect();
    // What the model chose of those it was told, and what the built-in engine keeps.
    assert!(topics.len() == 2 && topics.contains(&"databases".to_owned()), "{topics:?}");
    let log = log(&host, &worked);
    assert!(log.transcript.contains("2 were filed and 1 dropped"), "{}", log.transcript);
    let note = log.handoff_note.unwrap();
    let marked = "openai-compatible, small says: The discount column is added; its index is still missing.";
    assert!(note.starts_with("Read up to") && note.ends_with(marked), "{note}");

    host.session(OTHER, &with_a_rule(OTHER));
    reflect(&app, OTHER);
    let request = provider.received().remove(1);
    assert!(
        request.contains("--- before\\nRead up to") && request.contains("its index is still missing"),
        "{request}"
    );
}

#[test]
fn reflecting_by_hand_files_what_was_fetched_as_the_agent_does() {
    let host = Sandbox::new();
    for (id, url) in [(ID, "https://cited.example.org/why"), (OTHER, "https://docs.example.org/indexes")] {
        let mut lines = with_a_rule(id);
        let call = json!({"type": "tool_use", "id": "t10", "name": "WebFetch", "input": {"url": url, "prompt": "?"}});
        let asks = json!({"isSidechain": false, "userType": "external", "cwd": "/home/ada/shop", "sessionId": id,
            "version": "2.1.197", "uuid": "00000008-0000-4000-8000-000000000010", "type": "assistant",
            "timestamp": "2026-03-01T10:00:29.000Z", "message": {"role": "assistant", "content": [call]}});
        lines.push(format!("{asks}\n"));
        lines.push(fetched(id, 10, url, "Why migrations are kept, and how an index is added."));
        lines.push(answered(id, 13, "See https://cited.example.org/why for the reasons."));
        host.session(id, &lines);
    }
    let reflection = host.reflect();
    assert_eq!(reflection.failures.len(), 0, "{:?}", reflection.failures);
    let mut pages: Vec<_> =
        reflection.sessions.iter().map(|one| (one.pages.kept, one.pages.dropped)).collect();
    pages.sort_unstable();
    assert_eq!(pages, [(0, 1), (1, 0)], "the one that is cited");
    let files = |below: &str| -> Vec<String> {
        let folder = host.path("vault/Afterword").join(below);
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let topics = files("References");
    assert_eq!(topics.len(), 1, "{topics:?}");
    let filed = files(&format!("References/{}", topics[0]));
    assert_eq!(filed.len(), 1, "{filed:?}");
    assert_eq!(files(".web-cache").iter().filter(|name| name.ends_with(".md")).count(), 0);
    assert_eq!(host.reflect().sessions.len(), 0, "and only once");
}

/// Bytes that this thread has read so far.
#[cfg(target_os = "linux")]
fn bytes_read() -> u64 {
    let io = fs::read_to_string("/proc/thread-self/io").unwrap();
    io.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_transcript_is_read_no_more_often_than_needed() {
    let mut lines = with_a_rule(ID);
    // The client repeats entries; they are long here, and nothing is made of them.
    let repeated = answered(ID, 9, &"and so it goes on ".repeat(1000));
    lines.extend(std::iter::repeat_n(repeated, 1000));
    let check = |host: Sandbox, lines: &[String], most: f64, what: &str| {
        let size = lines.concat().len() as u64;
        host.session(ID, lines);
        let before = bytes_read();
        let reflection = host.reflect();
        assert_eq!((reflection.sessions.len(), reflection.failures.len()), (1, 0), "{what}");
        let times = (bytes_read() - before) as f64 / size as f64;
        assert!(times < most, "{what}: it was read {times:.1} times");
    };
    check(Sandbox::new(), &lines, 1.3, "once");
    let excluding = Sandbox::new();
    excluding.set("privacy.exclude", &["/home/ada/secret"]);
    check(excluding, &lines, 2.3, "and once more for the directories, where some are excluded");
    let provider = saying(nothing());
    check(Sandbox::asking(&provider), &lines, 2.3, "and once more for what an engine is shown");
    let fetching = Sandbox::asking(&provider);
    fetching.set("privacy.exclude", &["/home/ada/secret"]);
    lines.push(fetched(ID, 10, "https://docs.example.org/indexes", "How an index is added."));
    check(fetching, &lines, 4.3, "all of these, and once more for what is filed");
}

#[test]
fn new_ideas_are_researched_once_where_that_is_wished() {
    let provider =
        saying(json!({"problem": "Reviews wait.", "approaches": ["Batch them."], "first_steps": [],
        "open_questions": []}));
    let host = Sandbox::asking(&provider);
    let found = |app: &App| {
        reflect::reflect(app, &all_changed(Some(EngineName::Builtin)), &now(), &mut NoProgress).unwrap();
        let worker = Worker::new(app).unwrap();
        std::iter::from_fn(|| worker.work_once(&now()).unwrap()).collect::<Vec<_>>()
    };
    host.samples();
    assert_eq!(found(&host.app()).len(), 0, "not where nobody wishes it");
    assert_eq!(provider.received().len(), 0);

    let host = Sandbox::asking(&provider);
    host.set("ideas.research", &["true"]);
    host.samples();
    let app = host.app();
    let worked = found(&app);
    let ideas = ideas::ideas(&app).unwrap();
    assert!(!ideas.is_empty() && worked.len() == ideas.len(), "{} ideas, {worked:?}", ideas.len());
    for (idea, worked) in ideas.iter().zip(&worked) {
        assert_eq!(worked.job.job_type, JobType::IdeaResearch);
        assert!(matches!(worked.end, WorkEnd::Completed(_)), "{:?}", worked.end);
        let page = fs::read_to_string(host.path("vault").join(&idea.line.path)).unwrap();
        assert_eq!(page.matches("## Research").count(), 1, "{page}");
        assert!(page.contains("Written by openai-compatible, small on 2026-03-10"), "{page}");
    }
    let spend = model_calls::spend(&app, 1, &now()).unwrap();
    assert!(spend.latest.iter().all(|call| call.purpose == "idea-research" && call.job.is_some()));
    assert_eq!(spend.calls as usize, ideas.len());
    assert_eq!(found(&app).len(), 0, "once");
    assert_eq!(provider.received().len(), ideas.len());
}

#[cfg(unix)]
#[test]
fn runs_of_conversations_are_in_the_ledger_and_within_a_projects_limit() {
    let host = Sandbox::new();
    let token = SECRETS[0];
    let client =
        stand_in::client(&host, &stand_in::answering(&json!({"complete": true, "message": "Done."})));
    let app = host.app().with_client(client.clone());
    let folder = host.path("shop");
    fs::create_dir_all(&folder).unwrap();
    let attend = |app: &App, text: &str| {
        let conversations = conversations::conversations(app).unwrap();
        let task = NewConversation {
            task: text.to_owned(),
            schedule: Some(Schedule::Immediate),
            directory: Some(folder.clone()),
            ..NewConversation::default()
        };
        let id = conversations.create(&task, &now()).unwrap();
        assert!(run_conversation_now(app, id, &now()).unwrap());
        conversations.show(&id.to_string(), 10).unwrap()
    };
    let shown = attend(&app, &format!("tidy up, the token is {token}"));
    assert!(shown.conversation.finished_at.is_some(), "{shown:?}");
    let asked = stand_in::prompts(&host);
    assert!(asked.contains("tidy up") && !asked.contains(token), "{asked}");
    let spend = model_calls::spend(&app, 1, &now()).unwrap();
    let call = &spend.latest[0];
    assert_eq!(
        (call.purpose.as_str(), call.engine.as_str(), call.input_tokens),
        ("conversation", "claude-code", 900)
    );
    assert!(call.job.is_some() && call.project == folder.to_string_lossy(), "{call:?}");
    assert!((spend.tasks_today_usd - 0.01).abs() < 1e-9 && (spend.usd - 0.01).abs() < 1e-9, "{spend:?}");
    assert!((spend.today_usd - 0.01).abs() < 1e-9, "it is the day's money");

    host.set("budget.per_project_usd", &["0.005"]);
    let shown = attend(&host.app().with_client(client), "once more");
    let told = format!("{:?}", shown.messages);
    assert!(told.contains("dollars for it are spent"), "{told}");
    assert_eq!(stand_in::prompts(&host).matches("once more").count(), 0, "nobody was asked");
}

#[test]
fn a_dry_run_and_a_preview_ask_nobody_and_cost_nothing() {
    let provider = saying(nothing());
    let host = Sandbox::asking(&provider);
    host.session(ID, &with_a_rule(ID));
    let app = host.app();
    let dry = |engine| {
        let target = Target::One(ID.to_owned());
        let request = ReflectRequest { engine, dry_run: true, ..ReflectRequest::new(target) };
        reflect::reflect(&app, &request, &now(), &mut NoProgress).unwrap()
    };
    let (by_setting, built_in) = (dry(None), dry(Some(EngineName::Builtin)));
    assert_eq!(
        (by_setting.engine, by_setting.not_asked),
        (EngineName::Builtin, Some(EngineName::OpenAiCompatible))
    );
    assert_eq!(by_setting.sessions[0].candidates, built_in.sessions[0].candidates);
    assert_eq!((built_in.not_asked, built_in.sessions[0].candidates.is_empty()), (None, false));
    // Not even a key or a client is needed for it.
    assert_eq!(dry(Some(EngineName::Anthropic)).not_asked, Some(EngineName::Anthropic));
    assert!(!engine_preview::preview(&app, ID, None).unwrap().prompt.is_empty());
    engine_preview::estimate(&app, &Target::Changed { since: None }, None, &mut NoProgress).unwrap();
    assert_eq!(provider.received().len(), 0);
    assert!(!host.paths().database().exists(), "no state is made");
    assert_eq!(host.names(), Vec::<String>::new());
}

/// Nobody sits in the session of a task, also of one that failed before it answered.
#[test]
fn the_session_of_a_tasks_run_is_not_looked_at() {
    let host = Sandbox::new();
    let app = host.app().with_client(stand_in::client(&host, "echo broken >&2\nexit 1"));
    let conversations = conversations::conversations(&app).unwrap();
    let new = NewConversation {
        task: "look for old branches".to_owned(),
        schedule: Some(Schedule::Immediate),
        ..NewConversation::default()
    };
    let id = conversations.create(&new, &now()).unwrap();
    assert!(run_conversation_now(&app, id, &now()).unwrap());
    let arguments = fs::read_to_string(host.path("arguments")).unwrap();
    let session = arguments.split("--session-id ").nth(1).unwrap().split_whitespace().next().unwrap();
    for (id, notices) in [(session, 0), (ID, 1)] {
        let lines = [with_a_rule(id), vec![answered(id, 5, "Shall I go on?")]].concat();
        beat(&host, &app, &quiet(&host, id, &lines, 5));
        let noticed =
            heartbeat_entries(&host, id).iter().filter(|text| text.contains("Shall I go on?")).count();
        assert_eq!(noticed, notices, "{:?}", heartbeat_entries(&host, id));
    }
}

/// Counts the transcripts that are read.
struct Reading(usize);

impl Progress for Reading {
    fn step(&mut self, step: &Step<'_>) {
        self.0 += usize::from(matches!(step, Step::Reading { .. }));
    }
}

#[test]
fn where_no_money_is_left_no_transcript_is_read_to_find_that_out() {
    let provider = saying(nothing());
    let host = Sandbox::asking(&provider);
    // 1,000 tokens written cost a cent.
    host.set("engine.usd_per_million_in", &["0"]);
    host.set("engine.usd_per_million_out", &["10"]);
    host.set("budget.per_job_usd", &["0"]);
    host.session(ID, &with_a_rule(ID));
    reflect(&host.app(), ID);
    host.set("budget.daily_usd", &["0.01"]);
    let app = host.app();
    host.session(OTHER, &with_a_rule(OTHER));
    let order = ReflectionOrder::new(SessionId::parse(OTHER).unwrap(), Trigger::SessionEnd);
    queue::queue(&app).unwrap().reflect(&order, &UserId::default(), now().timestamp()).unwrap();
    let worked = Worker::new(&app).unwrap().work_once(&now()).unwrap().unwrap();
    let WorkEnd::Postponed { obstacle, again_at } = worked.end else { panic!("{:?}", worked.end) };
    assert!(obstacle.contains("budget.daily_usd leaves no room"), "{obstacle}");
    assert!(again_at.duration_since(now().timestamp()).as_secs() >= 300);
    let mut reading = Reading(0);
    let refused = reflect::reflect(&app, &all_changed(None), &now(), &mut reading).unwrap_err();
    assert!(refused.to_string().contains("budget.daily_usd leaves no room"), "{refused}");
    assert_eq!((reading.0, provider.received().len()), (0, 1));
}

#[test]
fn no_caller_sends_a_secret() {
    let [github, amazon, anthropic, password] = SECRETS;
    let provider = Provider::answering(move |request, _| {
        let answer = if request.contains("has gone quiet") {
            json!({"message": "Look.", "evidence": [{"line": 3, "quote": "never edit a migration"}]})
        } else if request.contains("<idea>") {
            json!({"problem": "p", "approaches": [], "first_steps": [], "open_questions": []})
        } else {
            json!({"candidates": [], "lessons": [], "pages": [], "handoff": format!("Keep {github}.")})
        };
        (200, "", completion("stop", &answer.to_string()))
    });
    let host = Sandbox::asking(&provider);
    let mut lines = with_a_rule(ID);
    lines[1] = answered(ID, 2, &format!("Pushed with {github}. AWS_ACCESS_KEY_ID={amazon}"));
    lines.push(fetched(ID, 10, "https://a.example/x", &format!("A page. ANTHROPIC_API_KEY={anthropic}")));
    lines.push(typed(ID, 12, &format!("DB_PASSWORD={password} is it, and why does it fail?")));
    let path = quiet(&host, ID, &lines, 5);
    let prompt = host.path("vault/Afterword/HEARTBEAT.md");
    fs::write(&prompt, format!("A session has gone quiet. Use {github} to look.\n")).unwrap();
    let app = host.app();
    beat(&host, &app, &path);
    let first = reflect(&app, ID);
    assert!(!log(&host, &first).handoff_note.unwrap().contains(github), "what comes back is cleared too");
    host.session(OTHER, &with_a_rule(OTHER));
    reflect(&app, OTHER);
    host.samples();
    reflect::reflect(&app, &all_changed(Some(EngineName::Builtin)), &now(), &mut NoProgress).unwrap();
    let idea = ideas::ideas(&app).unwrap().remove(0).line;
    let page = host.path("vault").join(&idea.path);
    let text = fs::read_to_string(&page).unwrap();
    fs::write(&page, text.replacen("\n## Evidence", &format!("\nThe key is {anthropic}.\n\n## Evidence"), 1))
        .unwrap();
    ideas::research_idea(&app, &idea.id, None, &now()).unwrap();

    let received = provider.received();
    let purposes: Vec<_> =
        model_calls::spend(&app, 1, &now()).unwrap().sums.into_iter().map(|sum| sum.purpose).collect();
    for purpose in ["heartbeat", "reflection", "idea-research"] {
        assert!(purposes.iter().any(|one| one == purpose), "{purposes:?}");
    }
    assert_eq!(received.len(), 4);
    assert!(
        received.iter().all(|request| request.contains("[redacted")),
        "each had something to take out: {received:#?}"
    );
    for secret in SECRETS {
        assert!(!received.concat().contains(secret), "{secret} was sent");
    }
}
