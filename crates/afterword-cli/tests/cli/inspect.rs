//! `afterword inspect`

use crate::env::TestEnv;
use afterword_testkit::transcript::with_a_rule;

const ID: &str = "0f0e0d0c-1111-4222-8333-444455556666";

#[test]
fn says_what_was_read_and_why_each_lesson_was_found() {
    let env = TestEnv::new();
    let mut lines = with_a_rule(ID);
    lines.push("{\"type\":\"hologram\",\"sessionId\":\"x\"}\n".to_owned());
    lines.push("{broken\n".to_owned());
    env.session(ID, &lines);
    let text = env.ok(&["inspect", "0f0e0d"]);
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    assert_eq!(line("Session "), format!("Session      {ID}"));
    assert_eq!(line("Project "), "Project      /home/ada/shop");
    assert_eq!(line("Clients "), "Clients      2.1.197 4");
    assert_eq!(line("Entries "), "Entries      assistant 2, user 2, hologram 1");
    assert_eq!(line("Unknown "), "Unknown      hologram 1");
    assert_eq!(line("Said "), "Said         2 typed");
    assert_eq!(line("Skipped "), "Skipped      line 6: not JSON");
    assert!(text.contains("line     3 you"), "{text}");
    assert!(!env.path("afterword").exists(), "looking needs no state");
}

#[test]
fn json_has_the_candidates_with_where_they_would_go() {
    let env = TestEnv::new();
    env.session(ID, &with_a_rule(ID));
    let value = env.json(&["inspect", ID]);
    assert_eq!(value["version"], 1);
    assert_eq!(value["report"]["entries"], 4);
    assert_eq!(value["events"]["prompts"], 2);
    let rule = &value["candidates"][0];
    assert!(["saved", "review", "inbox"].contains(&rule["destination"].as_str().unwrap()), "{rule}");
    assert_ne!(rule["rationale"], "");
    assert_eq!(value["reflected_at"], serde_json::Value::Null);

    env.init();
    env.ok(&["reflect", ID]);
    assert!(env.json(&["inspect", ID])["reflected_at"].is_string());
}
