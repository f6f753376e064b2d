//! `afterword attempts`

use serde_json::{Value, json};

use crate::env::TestEnv;
use afterword_testkit::transcript::typed;

const ID: &str = "0f0e0d0c-1111-4222-8333-444455556666";

/// A command that the agent ran, and how it went.
fn ran(number: usize, command: &str, printed: &str, failed: bool) -> String {
    let entry = |number: usize, role: &str, block: Value| {
        let entry = json!({
            "isSidechain": false, "userType": "external", "cwd": "/home/ada/shop", "sessionId": ID, "version": "2.1.197",
            "uuid": format!("00000000-0000-4000-8000-{number:012}"),
            "timestamp": format!("2026-03-01T10:00:{number:02}.000Z"), "type": role,
            "message": {"role": role, "id": format!("msg_{number}"), "content": [block]},
        });
        format!("{entry}\n")
    };
    let id = format!("toolu_{number}");
    let call = json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}});
    let result = json!({"type": "tool_result", "tool_use_id": id, "content": printed, "is_error": failed});
    entry(number, "assistant", call) + &entry(number + 1, "user", result)
}

#[test]
fn session_is_judged_by_its_own_signals_when_it_is_reflected() {
    let env = TestEnv::new();
    env.init();
    let begun = vec![
        typed(ID, 1, "make the import of orders accept quoted fields"),
        ran(2, "cargo test", "Exit code 101\nerror: quoted field is cut", true),
    ];
    env.session(ID, &begun);
    env.ok(&["reflect", ID]);
    let shown = env.ok(&["attempts", "list"]);
    let day =
        &env.json(&["attempts", "list"])["attempts"][0]["created_at"].as_str().unwrap()[..10].to_owned();
    assert!(!shown.contains(&format!("{day}T")), "a time as people write it: {shown}");
    let listed = env.json(&["attempts", "list"]);
    let attempt = &listed["attempts"][0];
    assert_eq!((&attempt["outcome"], &attempt["source"]), (&json!("failure"), &json!("session")));
    assert_eq!(attempt["task"], "make the import of orders accept quoted fields");
    assert_eq!(attempt["did_not_work"], json!(["`cargo test` failed: error: quoted field is cut"]));
    assert!(attempt["because"][0].as_str().unwrap().contains("`cargo test` failed when it ran last (line"));

    let went_on =
        [begun, vec![ran(5, "cargo test", "ok", false), typed(ID, 8, "perfect, thank you")]].concat();
    env.session(ID, &went_on);
    env.ok(&["reflect", ID]);
    let listed = env.json(&["attempts", "list"]);
    assert_eq!(listed["attempts"].as_array().unwrap().len(), 1, "the session that grew is judged anew");
    assert_eq!(listed["attempts"][0]["outcome"], "success");
    assert_eq!(listed["attempts"][0]["id"], attempt["id"]);
    let found = env.json(&["attempts", "search", "commas inside quotes in CSV orders", "--project", "shop"]);
    assert_eq!(found["attempts"][0]["id"], attempt["id"]);

    env.ok(&["attempts", "store", "Import the orders", "--outcome", "partial", "--session", ID]);
    env.ok(&["forget", "session", ID]);
    assert_eq!(env.json(&["attempts", "list"])["attempts"], json!([]), "forgotten with its session");
}

/// What worked in another session at the same task is what the next attempt begins with.
#[test]
fn failed_session_is_to_begin_with_what_worked_before() {
    let env = TestEnv::new();
    env.init();
    env.ok(&[
        "attempts",
        "store",
        "Make the import of orders accept quoted fields",
        "--outcome",
        "success",
        "--session",
        "earlier",
        "--project",
        "/home/ada/shop",
        "--worked",
        "Used the csv crate instead of splitting at commas.",
    ]);
    let lines = [
        typed(ID, 1, "make the import of orders accept quoted fields"),
        ran(2, "cargo test", "Exit code 101\nerror: quoted field is cut", true),
    ];
    env.session(ID, &lines);
    env.ok(&["reflect", ID]);
    let listed = env.json(&["attempts", "list"]);
    let judged =
        listed["attempts"].as_array().unwrap().iter().find(|one| one["source"] == "session").unwrap();
    let next = judged["next_strategy"].as_str().unwrap();
    let expected = "Try what worked before: Used the csv crate instead of splitting at commas. Begin with what `cargo test` said last";
    assert!(next.starts_with(expected), "{next}");
}

#[test]
fn nothing_is_judged_when_it_is_switched_off_or_told_already() {
    let env = TestEnv::new();
    env.init();
    env.ok(&["config", "set", "attempts.judge_sessions", "false"]);
    let lines = [typed(ID, 1, "make the import accept quoted fields"), ran(2, "cargo test", "ok", false)];
    env.session(ID, &lines);
    env.ok(&["reflect", ID]);
    assert_eq!(env.json(&["attempts", "list"])["attempts"], json!([]));
    env.ok(&["config", "set", "attempts.judge_sessions", "true"]);
    env.ok(&["attempts", "store", "Import the orders", "--outcome", "partial", "--session", ID]);
    env.ok(&["reflect", ID]);
    let listed = env.json(&["attempts", "list"]);
    assert_eq!(listed["attempts"].as_array().unwrap().len(), 1);
    assert_eq!(listed["attempts"][0]["source"], "agent", "what was told stands");
}

#[test]
fn no_attempt_is_kept_where_none_is_wanted() {
    let env = TestEnv::new();
    env.init();
    let told = ["attempts", "store", "Import the orders", "--outcome", "partial", "--session", "earlier"];
    let sessions = [
        ("attempts.most_per_session", "0f0e0d0c-1111-4222-8333-444455556661"),
        ("attempts.most_per_project", "0f0e0d0c-1111-4222-8333-444455556662"),
    ];
    for (limit, id) in sessions {
        env.ok(&["config", "set", limit, "0"]);
        let refused = env.run(&told);
        assert!(refused.code == Some(1) && refused.stderr.contains(limit), "{}", refused.stderr);
        let lines = [typed(id, 1, "make the import accept quoted fields"), ran(2, "cargo test", "ok", false)];
        env.session(id, &lines);
        env.ok(&["reflect", id]);
        assert_eq!(env.json(&["attempts", "list"])["attempts"], json!([]), "{limit}");
        env.ok(&["config", "set", limit]);
    }
    env.ok(&told);
    assert_eq!(env.json(&["attempts", "list"])["attempts"].as_array().unwrap().len(), 1);
}

#[test]
fn attempt_that_is_told_is_listed_found_and_summed_up() {
    let env = TestEnv::new();
    let project = "/home/ada/shop";
    let told = [
        "attempts",
        "store",
        "Generate a function to parse CSV files",
        "--outcome",
        "failure",
        "--failed",
        "Forgot to handle quoted fields",
        "--next",
        "Use a CSV library",
        "--session",
        "one",
        "--project",
        project,
    ];
    let stored = env.json(&told);
    assert_eq!(
        (&stored["number"], &stored["outcome"], &stored["project"]),
        (&json!(1), &json!("failure"), &json!(project))
    );
    env.ok(&told);
    let listed = env.json(&["attempts", "list", "--session", "one"]);
    assert_eq!(listed["attempts"].as_array().unwrap().len(), 2);
    let found = env.json(&["attempts", "search", "read comma separated values", "--project", "shop"]);
    assert_eq!((&found["mode"], &found["attempts"][0]["number"]), (&json!("hybrid"), &json!(2)));
    assert!(found["attempts"][0]["score"].as_f64().unwrap() > 0.0);
    assert!(env.ok(&["attempts", "search", "csv", "--tag", "parsing"]).contains("Forgot to handle"));
    let prompt = env.ok(&["attempts", "prompt", "parse the csv", "--project", "shop"]);
    assert!(
        prompt.starts_with("## Previous Lessons Learned\n") && prompt.contains("\n  - Forgot to"),
        "{prompt}"
    );
    let summary = env.json(&["summary", "--project", project]);
    assert_eq!((&summary["total"], &summary["success_rate"]), (&json!(2), &json!(0.0)));
    assert_eq!(summary["common_failures"], json!([{"text": "Forgot to handle quoted fields", "count": 2}]));
    assert!(env.ok(&["attempts", "summary"]).contains("2 attempts"));
    assert_eq!(env.json(&["summary", "--project", "nowhere"])["total"], 0);
}

#[test]
fn attempts_stand_in_one_corpus_with_the_lessons() {
    let env = TestEnv::new();
    env.init();
    let told = ["attempts", "store", "Rotate the signing key", "--outcome", "partial", "--session", "one"];
    env.ok(&told);
    let found = env.json(&["search", "rotate the key", "--kind", "attempt", "--outcome", "partial"]);
    let hit = &found["results"][0];
    assert_eq!((&hit["kind"], &hit["outcome"]), (&json!("attempt"), &json!("partial")));
    assert_eq!(env.json(&["search", "rotate", "--outcome", "success"])["results"], json!([]));
    assert_eq!(env.json(&["search", "rotate", "--kind", "fix"])["results"], json!([]));
    env.ok(&["index", "rebuild"]);
    assert_eq!(env.json(&["search", "rotate"])["results"][0]["kind"], "attempt", "from the database alone");
}

#[test]
fn wrong_usage_is_said() {
    let env = TestEnv::new();
    for arguments in [
        &["attempts", "store", "x", "--outcome", "maybe"][..],
        &["attempts", "store", "x"],
        &["attempts", "store", "x", "--outcome", "success", "--session", "../x"],
        &["attempts", "store", "x", "--outcome", "success"],
        &["attempts", "search", " "],
        &["attempts", "list", "--session", "a b"],
    ] {
        assert_eq!(env.run(arguments).code, Some(2), "{arguments:?}");
    }
    assert_eq!(
        env.run(&["attempts", "store", " ", "--outcome", "success", "--session", "one"]).code,
        Some(1)
    );
    assert_eq!(env.json(&["attempts", "list", "--limit", "0"])["attempts"], json!([]));
}
