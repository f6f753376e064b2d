//! `task_*`

use serde_json::json;

use crate::host::Host;

#[tokio::test]
async fn schedule_is_shown_before_it_is_kept() {
    let host = Host::new().await;
    let asked =
        json!({"task": "watch the build", "when": "every weekday at 9", "time_zone": "Europe/Berlin"});
    let shown = host.ok("task_new", asked.clone()).await;
    assert_eq!(
        (&shown["made"], &shown["schedule"]["cron_expression"]),
        (&json!(false), &json!("0 9 * * 1-5"))
    );
    assert_eq!(host.ok("task_list", json!({})).await["tasks"], json!([]));

    let mut confirmed = asked;
    confirmed["confirmed"] = json!(true);
    let made = host.ok("task_new", confirmed).await;
    let id = made["id"].as_str().unwrap().to_owned();
    let listed = host.ok("task_list", json!({})).await;
    assert_eq!(listed["tasks"][0]["status"], "background");
    assert_eq!(listed["tasks"][0]["allowed_tools"], json!([]));
    let paused = host.ok("task_pause", json!({"task": id})).await;
    assert_eq!(paused["paused"], true);
    let resumed = host.ok("task_resume", json!({"task": id})).await;
    assert_eq!(resumed["status"], "background");
    let shown = host.ok("task_show", json!({"task": "watch the build"})).await;
    assert_eq!(shown["messages"][0]["content"], "watch the build");
    assert_eq!(host.ok("task_runs", json!({"task": id})).await["runs"], json!([]));
    assert_eq!(host.ok("task_archive", json!({"task": id})).await["status"], "archived");
}

#[tokio::test]
async fn model_cannot_allow_itself_what_changes_things() {
    let host = Host::new().await;
    let asked = json!({"task": "x", "when": "now", "allowed_tools": ["Bash"], "confirmed": true});
    host.refused("task_new", asked).await;
    assert_eq!(host.ok("task_list", json!({})).await["tasks"], json!([]));
}
