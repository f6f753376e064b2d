//! `afterword attempts`

use serde_json::json;

use crate::env::TestEnv;

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
