//! `reflect`, `reflect_status`, `cancel_reflection`, `stats`: the contract's requests and answers.

use afterword_app::queue;
use afterword_daemon::work::Worker;
use jiff::Zoned;
use serde_json::{Value, json};

use crate::host::Host;

const RULE: &str = "Always put a blank line after each heading, in every document from now on.";

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A time as `2025-02-14T22:17:00Z`.
fn is_time(value: &Value) -> bool {
    let text = value.as_str().unwrap();
    text.len() == 20 && text.ends_with('Z') && text.parse::<jiff::Timestamp>().is_ok()
}

fn work(host: &Host) {
    let worker = Worker::new(&host.app()).unwrap();
    worker.work_once(&Zoned::now()).unwrap().unwrap();
}

#[tokio::test]
async fn reflection_from_request_to_result() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    let queued = host
        .ok("reflect", json!({"user_id": "local", "focus": null, "max_insights": 5, "force": false}))
        .await;
    assert_eq!(fields(&queued), ["eta_seconds", "job_id", "queued_at", "status"]);
    assert_eq!(queued["status"], "queued");
    assert!(queued["eta_seconds"].is_u64() && is_time(&queued["queued_at"]), "{queued}");
    let id = queued["job_id"].clone();
    assert_eq!(host.ok("reflect", json!({})).await, json!({"status": "already_running", "job_id": id}));
    let waits = host.ok("reflect_status", json!({"job_id": id, "user_id": "local"})).await;
    assert_eq!((waits["status"].as_str(), waits["progress"].as_f64()), (Some("queued"), Some(0.0)));
    let stats = host.ok("stats", json!({"scope": "reflection"})).await;
    assert_eq!(stats, json!({"pending_jobs": 1, "running_jobs": 0, "last_completed_job": null}));

    work(&host);
    let done = host.ok("reflect_status", json!({"job_id": id})).await;
    assert_eq!(
        fields(&done),
        [
            "completed_at",
            "ideas_created",
            "insights",
            "insights_created",
            "job_id",
            "memories_analyzed",
            "procedures",
            "procedures_created",
            "status",
            "waiting_for_review"
        ]
    );
    assert_eq!(done["status"], "completed");
    assert!(is_time(&done["completed_at"]));
    assert_eq!(done["memories_analyzed"], 3, "the entries of the session");
    assert_eq!(done["insights_created"], 1, "{done}");
    assert_eq!(done["insights"].as_array().unwrap().len(), 1);
    let stats = host.ok("stats", json!({"scope": "reflection"})).await;
    let last = json!({"job_id": id, "completed_at": done["completed_at"], "insights_created": 1});
    assert_eq!(stats, json!({"pending_jobs": 0, "running_jobs": 0, "last_completed_job": last}));
}

#[tokio::test]
async fn running_job_tells_how_far_it_is() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    let id = host.ok("reflect", json!({})).await["job_id"].clone();
    let store = afterword_store::Store::open(&host.app().paths().database()).unwrap();
    let worker = afterword_core::WorkerId { process: 1, started_ms: 0 };
    let claim = store.jobs().claims().claim(worker, jiff::Timestamp::now()).unwrap().unwrap();
    store.jobs().claims().report(&claim, 0.3, jiff::Timestamp::now()).unwrap();
    let running = host.ok("reflect_status", json!({"job_id": id})).await;
    assert_eq!(fields(&running), ["job_id", "progress", "queued_at", "started_at", "status"]);
    assert_eq!((running["status"].as_str(), running["progress"].as_f64()), (Some("running"), Some(0.3)));
    assert_eq!(host.ok("stats", json!({"scope": "reflection"})).await["running_jobs"], 1);
    let answer = host.ok("cancel_reflection", json!({"job_id": id, "user_id": "local"})).await;
    assert_eq!(answer, json!({"status": "cancelling", "job_id": id}));
    store.jobs().claims().give_up(&claim, "the disk is full", jiff::Timestamp::now()).unwrap();
    let failed = host.ok("reflect_status", json!({"job_id": id})).await;
    assert_eq!(
        failed,
        json!({"status": "failed", "job_id": id, "reason": "the disk is full", "attempts": 1})
    );
    assert_eq!(host.ok("cancel_reflection", json!({"job_id": id})).await, failed, "what has ended stays");
}

/// The contract's answer, and beside it which session runs and that the one asked for is not lost.
#[tokio::test]
async fn session_asked_for_while_another_runs_waits_behind_it() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    host.session("bbbb", RULE);
    let first = host.ok("reflect", json!({"session": "aaaa"})).await["job_id"].clone();
    let store = afterword_store::Store::open(&host.app().paths().database()).unwrap();
    let worker = afterword_core::WorkerId { process: 1, started_ms: 0 };
    let claim = store.jobs().claims().claim(worker, jiff::Timestamp::now()).unwrap().unwrap();
    let answer = host.ok("reflect", json!({"session": "bbbb"})).await;
    assert_eq!(
        (&answer["status"], &answer["job_id"], &answer["session_id"]),
        (&json!("already_running"), &first, &json!("aaaa"))
    );
    let behind = answer["queued_job_id"].clone();
    assert!(behind.is_string() && behind != first, "{answer}");
    let waits = host.ok("reflect_status", json!({"job_id": behind})).await;
    assert!(waits["waits_because"].as_str().unwrap().contains("another reflection runs"), "{waits}");
    let again = host.ok("reflect", json!({"session": "bbbb"})).await;
    assert_eq!(again, json!({"status": "already_running", "job_id": behind}), "it waits once");
    store.jobs().claims().complete(&claim, "{}", jiff::Timestamp::now()).unwrap();
    work(&host);
    assert_eq!(host.ok("reflect_status", json!({"job_id": behind})).await["status"], "completed");
}

#[tokio::test]
async fn waiting_job_says_why_since_when_and_when_it_goes_on() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    let queued = host.ok("reflect", json!({})).await;
    let id = queued["job_id"].clone();
    assert_eq!(host.ok("reflect_status", json!({"job_id": id})).await["waits_because"], Value::Null);
    let store = afterword_store::Store::open(&host.app().paths().database()).unwrap();
    let worker = afterword_core::WorkerId { process: 1, started_ms: 0 };
    let now = jiff::Timestamp::now();
    let claim = store.jobs().claims().claim(worker, now).unwrap().unwrap();
    store.jobs().claims().fail(&claim, "the engine cannot be reached", now).unwrap();
    let waits = host.ok("reflect_status", json!({"job_id": id})).await;
    assert_eq!(waits["status"], "queued");
    assert_eq!(waits["last_failure"], "the engine cannot be reached");
    assert_eq!((&waits["attempts"], &waits["waiting_since"]), (&json!(1), &queued["queued_at"]));
    assert!(
        is_time(&waits["goes_on_at"]) && waits["waits_because"].as_str().unwrap().contains("tried again")
    );
}

#[tokio::test]
async fn waiting_job_says_why_its_engine_cannot_be_asked() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    host.set("engine.name", &["openai-compatible"]);
    let id = host.ok("reflect", json!({})).await["job_id"].clone();
    let waits = host.ok("reflect_status", json!({"job_id": id})).await;
    let problem = waits["engine_problem"].as_str().unwrap();
    assert!(problem.contains("no model is set") && problem.contains("engine.model"), "{problem}");
}

/// A session whose transcript says nothing of its directory, and which is older than many others.
#[tokio::test]
async fn latest_session_of_the_project_is_taken_where_none_is_known() {
    let host = Host::new().await;
    let path = host.session("aaaa", RULE);
    let text = std::fs::read_to_string(&path).unwrap();
    let bare: String = text.lines().map(|line| without_directory(line) + "\n").collect();
    let name: String = host
        .work()
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = host.path("claude/projects").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::remove_file(&path).unwrap();
    let path = folder.join("aaaa.jsonl");
    std::fs::write(&path, bare).unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(9_000);
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
    let elsewhere = host.path("claude/projects/-elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    // As JSON has it: Windows' paths are full of what is escaped there.
    let here = json!(host.work().to_string_lossy()).to_string();
    let text = text.replace(&here, "\"/elsewhere\"");
    for number in 0..30 {
        std::fs::write(elsewhere.join(format!("bbbb-{number}.jsonl")), &text).unwrap();
    }
    assert_eq!(host.ok("reflect", json!({})).await["status"], "queued");
    let queue = queue::queue(&host.app()).unwrap();
    assert_eq!(queue.recent(9).unwrap()[0].subject.as_deref(), Some("aaaa"));
}

fn without_directory(line: &str) -> String {
    let mut entry: Value = serde_json::from_str(line).unwrap();
    entry.as_object_mut().unwrap().remove("cwd");
    entry.to_string()
}

#[tokio::test]
async fn excluded_session_says_so() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    host.set("privacy.exclude", &["**/work"]);
    let answer = host.ok("reflect", json!({})).await;
    assert_eq!(answer["status"], "not_needed");
    assert!(answer["reason"].as_str().unwrap().contains("excluded"), "{answer}");
}

#[tokio::test]
async fn job_that_fails_leaves_a_log_of_every_try() {
    let host = Host::new().await;
    let path = host.session("aaaa", RULE);
    let id = host.ok("reflect", json!({})).await["job_id"].clone();
    std::fs::remove_file(&path).unwrap();
    work(&host);
    let failed = host.ok("reflect_status", json!({"job_id": id})).await;
    assert_eq!((&failed["status"], &failed["attempts"]), (&json!("failed"), &json!(1)), "{failed}");
    let queue = queue::queue(&host.app()).unwrap();
    let logs = queue.logs(afterword_core::JobId::parse(id.as_str().unwrap()).unwrap()).unwrap();
    assert_eq!(logs.len(), 1);
    assert!(logs[0].transcript.contains("failed: ") && logs[0].todo.contains("pending"), "{logs:?}");
}

#[tokio::test]
async fn waiting_job_is_cancelled() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    let id = host.ok("reflect", json!({})).await["job_id"].clone();
    let cancelled = json!({"status": "cancelled", "job_id": id});
    assert_eq!(host.ok("cancel_reflection", json!({"job_id": id})).await, cancelled);
    assert_eq!(host.ok("reflect_status", json!({"job_id": id})).await, cancelled);
}

#[tokio::test]
async fn nothing_new_needs_no_reflection_unless_forced() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    host.ok("reflect", json!({})).await;
    work(&host);
    assert_eq!(host.ok("reflect", json!({})).await["status"], "not_needed");
    for _ in 0..5 {
        let forced = host.ok("reflect", json!({"force": true})).await;
        assert_eq!(forced["status"], "queued", "{forced}");
        work(&host);
    }
    let limited = host.ok("reflect", json!({"force": true})).await;
    assert_eq!(limited["status"], "rate_limited", "forced ones cost, and are limited");
}

#[tokio::test]
async fn jobs_of_others_and_jobs_that_never_were_are_not_found() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    let id = host.ok("reflect", json!({"user_id": "ada"})).await["job_id"].clone();
    let not_found = json!({"status": "not_found"});
    for tool in ["reflect_status", "cancel_reflection"] {
        for (job, user) in [
            (id.clone(), "eve"),
            (json!("0197d2a0-0000-7000-8000-000000000000"), "ada"),
            (json!("no id"), "ada"),
            (json!("x'; DROP TABLE jobs; --"), "ada"),
        ] {
            let answer = host.ok(tool, json!({"job_id": job, "user_id": user})).await;
            assert_eq!(answer, not_found, "{tool} {job} {user}");
        }
    }
    assert_eq!(host.ok("reflect_status", json!({"job_id": id, "user_id": "ada"})).await["status"], "queued");
    assert_eq!(host.ok("stats", json!({"scope": "reflection"})).await["pending_jobs"], 0, "of `local`");
}

#[tokio::test]
async fn secret_in_the_place_of_a_user_is_kept_and_told_nowhere() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    for tool in ["reflect", "reflect_status", "cancel_reflection", "stats"] {
        let mut arguments = json!({"user_id": token});
        if tool.contains("_") {
            arguments["job_id"] = json!("0197d2a0-0000-7000-8000-000000000000");
        }
        let said = host.call(tool, arguments).await.unwrap_err().to_string();
        assert!(said.contains("user_id: it looks like a secret") && !said.contains("ghp_"), "{said}");
    }
    // Else it would stand in the job, and in every list of jobs.
    host.ok("reflect", json!({})).await;
    for name in ["afterword.db", "afterword.db-wal"] {
        let bytes = std::fs::read(host.path("afterword/state").join(name)).unwrap();
        assert!(!bytes.windows(4).any(|part| part == b"ghp_"), "{name}");
    }
}

#[tokio::test]
async fn arguments_that_make_no_sense_are_refused() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    let huge = "x".repeat(1_000_000);
    for arguments in [
        json!({"user_id": ""}),
        json!({"user_id": huge}),
        json!({"user_id": "a\u{0}b"}),
        json!({"focus": huge}),
        json!({"max_insights": 0}),
        json!({"max_insights": 51}),
        json!({"max_insights": -1}),
        json!({"max_insights": "five"}),
        json!({"force": "yes"}),
        json!({"unknown": 1}),
        json!({"session": ""}),
        json!({"session": "/etc/passwd"}),
        json!({"session": "../../../etc/passwd"}),
    ] {
        host.refused("reflect", arguments).await;
    }
    host.refused("reflect_status", json!({})).await;
    host.refused("reflect_status", json!({"job_id": huge})).await;
    host.refused("reflect_status", json!({"job_id": 7})).await;
    host.refused("stats", json!({"scope": "everything"})).await;
    assert!(host.failed("reflect", json!({"session": "ffff"})).await.contains("ffff"));
    assert_eq!(host.ok("stats", json!({"scope": "reflection"})).await["pending_jobs"], 0);
}

#[tokio::test]
async fn transcript_outside_claude_codes_folder_is_neither_read_nor_believed() {
    let host = Host::new().await;
    let path = host.session("aaaa", RULE);
    let folder = path.parent().unwrap().to_owned();
    // A file the model may have written itself, in the folder it works in.
    let planted = folder.join("../../../work/planted.jsonl");
    std::fs::copy(&path, &planted).unwrap();
    let mut foreign = vec![planted.to_str().unwrap().to_owned(), "planted.jsonl".to_owned()];
    foreign.push(planted.canonicalize().unwrap().to_str().unwrap().to_owned());
    #[cfg(unix)]
    {
        let link = folder.join("link.jsonl");
        std::os::unix::fs::symlink(&planted, &link).unwrap();
        foreign.push(link.to_str().unwrap().to_owned());
        let agents = folder.join("link/subagents");
        std::fs::create_dir_all(&agents).unwrap();
        std::fs::write(agents.join("agent-a.jsonl"), "{}").unwrap();
        foreign.push(agents.join("agent-a.jsonl").to_str().unwrap().to_owned());
    }
    for session in &foreign {
        let inspect = json!({"action": "inspect", "session": session});
        for (tool, arguments) in [("reflect", json!({"session": session})), ("memory", inspect)] {
            let error = host.failed(tool, arguments).await;
            assert!(error.contains("no transcript of Claude Code's own folder"), "{tool} {session}: {error}");
        }
    }
    std::fs::copy(&path, folder.join("../../../work/aaaa")).unwrap();
    host.ok("memory", json!({"action": "inspect", "session": "aaaa"})).await;
    assert_eq!(host.ok("stats", json!({"scope": "reflection"})).await["pending_jobs"], 0);
    for session in ["aaaa", path.to_str().unwrap()] {
        assert_eq!(
            host.ok("memory", json!({"action": "inspect", "session": session})).await["session_id"],
            "aaaa"
        );
    }
    assert_eq!(host.ok("reflect", json!({"session": path.to_str().unwrap()})).await["status"], "queued");
}

#[tokio::test]
async fn transcript_of_another_directory_counts_where_that_is_followed() {
    let host = Host::new().await;
    let path = host.session("aaaa", RULE);
    let other = host.path("claude-work/projects/-home-ada-shop/bbbb.jsonl");
    std::fs::create_dir_all(other.parent().unwrap()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&other, text.replace("aaaa", "bbbb")).unwrap();
    let named = json!({"action": "inspect", "session": other.to_str().unwrap()});
    let error = host.failed("memory", named.clone()).await;
    assert!(error.contains("no transcript of Claude Code's own folder"), "{error}");
    host.set("claude.other_dirs", &[host.path("claude-work").to_str().unwrap()]);
    assert_eq!(host.ok("memory", named).await["session_id"], "bbbb");
    assert_eq!(
        host.ok("memory", json!({"action": "inspect", "session": "bbbb"})).await["session_id"],
        "bbbb"
    );
    let beside = host.path("claude-work/cccc.jsonl");
    std::fs::copy(&path, &beside).unwrap();
    let error = host.failed("reflect", json!({"session": beside.to_str().unwrap()})).await;
    assert!(error.contains("no transcript of Claude Code's own folder"), "{error}");
}

#[tokio::test]
async fn focus_is_queued_without_secrets() {
    let host = Host::new().await;
    host.session("aaaa", RULE);
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).get(..36).unwrap());
    host.ok("reflect", json!({"focus": format!("why {key} was refused")})).await;
    let job = queue::queue(&host.app()).unwrap().recent(1).unwrap().remove(0);
    assert!(job.payload.contains("was refused") && !job.payload.contains(&key), "{}", job.payload);
}

/// Work of another type is followed as well: with its type and its own result, not with a reflection's figures.
#[tokio::test]
async fn job_of_another_type_says_its_type_and_its_own_result() {
    let host = Host::new().await;
    host.session("5f0a0000-0000-4000-8000-0000000000a2", "Watch the build now.");
    let asked = json!({"task": "watch the build", "when": "now", "confirmed": true});
    host.ok("task", crate::host::act("new", asked)).await;
    let stats = host.ok("stats", json!({"scope": "reflection"})).await;
    let other = stats["other_jobs"][0].clone();
    assert_eq!((&other["type"], &other["status"]), (&json!("conversation-run"), &json!("queued")));
    let id = other["job_id"].clone();
    let waits = host.ok("reflect_status", json!({"job_id": id})).await;
    assert_eq!((&waits["status"], &waits["type"]), (&json!("queued"), &json!("conversation-run")));

    let store = afterword_store::Store::open(&host.app().paths().database()).unwrap();
    let worker = afterword_core::WorkerId { process: 1, started_ms: 0 };
    let now = jiff::Timestamp::now();
    let claim = store.jobs().claims().claim(worker, now).unwrap().unwrap();
    store.jobs().claims().complete(&claim, r#"{"summary":"it asked"}"#, now).unwrap();
    let done = host.ok("reflect_status", json!({"job_id": id})).await;
    assert_eq!(fields(&done), ["completed_at", "job_id", "result", "status", "type"]);
    assert_eq!(done["result"], json!({"summary": "it asked"}));
}

#[tokio::test]
async fn job_says_that_the_agent_is_paused() {
    use afterword_app::agent_lock::{AgentCard, AgentLock, WatchMode, write_agent_card};
    let host = Host::new().await;
    host.session("aaaa", RULE);
    let (app, now) = (host.app(), jiff::Timestamp::now());
    let _agent = AgentLock::take(app.paths()).unwrap();
    write_agent_card(
        app.paths(),
        &AgentCard {
            pid: std::process::id(),
            version: String::new(),
            since: now,
            watching: WatchMode::Events,
            claude_dirs: Vec::new(),
            state: afterword_app::AgentState::Paused,
        },
    );
    let id = host.ok("reflect", json!({})).await["job_id"].clone();
    let waits = host.ok("reflect_status", json!({"job_id": id})).await;
    assert!(waits["waits_because"].as_str().unwrap().contains("paused the agent"), "{waits}");
}
