//! Attempts: stored by one session, there for the next.

use rmcp::model::GetPromptRequestParams;
use serde_json::{Value, json};

use crate::host::Host;

fn failed_on_csv(session: &str) -> Value {
    json!({
        "sessionId": session, "taskDescription": "Generate a function to parse CSV files", "outcome": "failure",
        "whatDidNotWork": ["Forgot to handle quoted fields"],
        "nextStrategy": "Use a proper CSV parsing library instead of regex",
    })
}

#[tokio::test]
async fn schemas_are_those_of_the_contract() {
    let host = Host::new().await;
    let tools = host.client.list_all_tools().await.unwrap();
    let schema = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        (tool.description.clone().unwrap(), Value::Object((*tool.input_schema).clone()))
    };
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let expected = json!({
        "type": "object",
        "properties": {
            "sessionId": text, "taskDescription": text, "attemptNumber": {"type": "number"},
            "outcome": {"type": "string", "enum": ["success", "partial", "failure"]},
            "whatWorked": texts, "whatDidNotWork": texts, "nextStrategy": text,
            // Beyond the contract: what is accepted, too, is named.
            "projectId": text, "tags": texts, "relatedEntityIds": texts,
        },
        "required": ["sessionId", "taskDescription", "outcome", "nextStrategy"],
    });
    assert_eq!(schema("reflection_store"), ("Store a lesson learned from an attempt".into(), expected));
    let expected = json!({
        "type": "object",
        "properties": {"sessionId": text, "limit": {"type": "number", "default": 5}},
        "required": ["sessionId"],
    });
    assert_eq!(schema("reflection_get"), ("Get recent lessons for a session".into(), expected));
    let expected = json!({
        "type": "object",
        "properties": {
            "projectId": text,
            "taskDescription": {"type": "string", "description": "Semantic search for similar tasks"},
            "outcomeFilter": texts,
            "sessionId": text, "tags": texts, "limit": {"type": "number"},
        },
        "required": ["projectId"],
    });
    assert_eq!(schema("reflection_search"), ("Search for relevant lessons across sessions".into(), expected));
    let expected = json!({
        "type": "object",
        "properties": {
            "projectId": text,
            "sessionId": {"type": "string", "description": "Optional: limit to session"},
        },
        "required": ["projectId"],
    });
    assert_eq!(
        schema("reflection_summary"),
        ("Get summary of lessons learned for a project".into(), expected)
    );
}

#[tokio::test]
async fn what_one_session_learned_is_before_the_next_one_that_tries() {
    let host = Host::new().await;
    let stored = host.ok("reflection_store", failed_on_csv("one")).await;
    assert_eq!((&stored["attemptNumber"], &stored["outcome"]), (&json!(1), &json!("failure")));
    assert_eq!(host.ok("reflection_store", failed_on_csv("one")).await["attemptNumber"], 2);
    let got = host.ok("reflection_get", json!({"sessionId": "one"})).await;
    assert_eq!(got["reflections"].as_array().unwrap().len(), 2);
    assert_eq!(got["reflections"][1]["id"], stored["id"], "the latest first");

    let project = stored["projectId"].as_str().unwrap().to_owned();
    let asked = json!({"projectId": project, "taskDescription": "read a table of comma separated values"});
    let found = host.ok("reflection_search", asked).await;
    assert_eq!(found["mode"], "hybrid");
    assert!(found["reflections"][0]["score"].as_f64().unwrap() > 0.0, "{found}");
    assert_eq!(found["reflections"][0]["whatDidNotWork"][0], "Forgot to handle quoted fields");
    let only = json!({"projectId": "work", "outcomeFilter": ["success"]});
    assert_eq!(host.ok("reflection_search", only).await["reflections"], json!([]));
    let nowhere = json!({"projectId": "no-such-project", "taskDescription": "parse"});
    assert_eq!(host.ok("reflection_search", nowhere).await["reflections"], json!([]));

    let words = json!({"text": "Parse the orders.csv file"}).as_object().cloned().unwrap();
    let request = GetPromptRequestParams::new("attempt").with_arguments(words);
    let prompt = serde_json::to_string(&host.client.get_prompt(request).await.unwrap().messages).unwrap();
    for part in [
        "## Previous Lessons Learned",
        "Attempt 2 (failure)",
        "Next strategy: Use a proper",
        "orders.csv",
        "`reflection_store`",
    ] {
        assert!(prompt.contains(part), "{part} in {prompt}");
    }
    let worked = json!({
        "sessionId": "two", "taskDescription": "Parse the orders.csv file", "outcome": "success",
        "whatWorked": ["Used the csv-parse library"], "nextStrategy": "Continue with this approach", "attemptNumber": 1.0,
    });
    host.ok("reflection_store", worked).await;
    let summary = host.ok("reflection_summary", json!({"projectId": project})).await;
    assert_eq!(summary["totalReflections"], 3);
    assert_eq!(summary["successRate"], 0.3333);
    assert_eq!(summary["commonFailures"], json!(["Forgot to handle quoted fields"]));
    assert_eq!(summary["effectiveStrategies"], json!(["Used the csv-parse library"]));
    assert_eq!(summary["recentLessons"][0]["sessionId"], "two");
    let figures = host.ok("stats", json!({"scope": "memory"})).await;
    assert_eq!(figures["reflection_store_count"], 3);
    assert_eq!(figures["reflection_search_count"], 2, "a listing is no search");
    let of_two = host.ok("reflection_summary", json!({"projectId": "current", "sessionId": "two"})).await;
    assert_eq!(of_two["successRate"], 1.0);
}

#[tokio::test]
async fn attempts_are_told_with_their_tags_and_what_they_concern_and_five_are_given() {
    let host = Host::new().await;
    let mut told = failed_on_csv("one");
    told["tags"] = json!(["Parsing", "csv"]);
    told["relatedEntityIds"] = json!(["src/import.rs", "issue-7"]);
    let stored = host.ok("reflection_store", told).await;
    assert_eq!(stored["tags"], json!(["parsing", "csv"]));
    let got = host.ok("reflection_get", json!({"sessionId": "one"})).await;
    assert_eq!(got["reflections"][0]["relatedEntityIds"], json!(["src/import.rs", "issue-7"]));
    for number in 0..6 {
        let mut other = failed_on_csv("two");
        other["taskDescription"] = json!(format!("Rename the table number {number}"));
        other["tags"] = json!(["tables"]);
        host.ok("reflection_store", other).await;
    }
    let many = |value: Value| value["reflections"].as_array().unwrap().len();
    assert_eq!(many(host.ok("reflection_get", json!({"sessionId": "two"})).await), 5);
    assert_eq!(many(host.ok("reflection_get", json!({"sessionId": "two", "limit": 3})).await), 3);
    let project = stored["projectId"].clone();
    let search = |more: Value| {
        let mut asked = json!({"projectId": project, "taskDescription": "rename a table"});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        asked
    };
    assert_eq!(many(host.ok("reflection_search", search(json!({}))).await), 5);
    assert_eq!(many(host.ok("reflection_search", search(json!({"tags": ["csv"]}))).await), 1);
    assert_eq!(many(host.ok("reflection_search", search(json!({"sessionId": "one"}))).await), 1);
    assert_eq!(
        many(host.ok("reflection_search", search(json!({"outcomeFilter": ["success", "partial"]}))).await),
        0
    );
}

#[tokio::test]
async fn session_that_goes_on_is_called_current() {
    let host = Host::new().await;
    host.refused("reflection_get", json!({"sessionId": "current"})).await;
    host.session("aaaa", "Please look at the orders.");
    assert_eq!(host.ok("reflection_store", failed_on_csv("current")).await["sessionId"], "aaaa");
}

#[tokio::test]
async fn bad_input_has_a_clear_answer() {
    let host = Host::new().await;
    host.ok("reflection_store", failed_on_csv("one")).await;
    let with = |name: &str, value: Value| {
        let mut arguments = failed_on_csv("one");
        arguments[name] = value;
        arguments
    };
    for bad in [
        with("outcome", json!("maybe")),
        with("sessionId", json!("../../etc")),
        with("attemptNumber", json!(0)),
        with("attemptNumber", json!(1.5)),
        with("attemptNumber", json!("two")),
        with("whatWorked", json!("a text")),
        json!({"sessionId": "one"}),
    ] {
        host.refused("reflection_store", bad).await;
    }
    assert!(host.failed("reflection_store", with("taskDescription", json!(""))).await.contains("empty"));
    let long = "x".repeat(100_000);
    assert!(host.failed("reflection_store", with("nextStrategy", json!(long))).await.contains("8 KB"));
    host.refused("reflection_search", json!({"projectId": "work", "outcomeFilter": ["maybe"]})).await;
    host.refused("reflection_get", json!({"sessionId": "one", "limit": -1})).await;
    for (limit, expected) in [(json!(0), 0), (json!(1e9), 1), (json!(1_000_000_000_000_u64), 1)] {
        let got = host.ok("reflection_get", json!({"sessionId": "one", "limit": limit})).await;
        assert_eq!(got["reflections"].as_array().unwrap().len(), expected);
    }
    let queries =
        ["", &long, "\" OR NEAR(a b) *", "'; DROP TABLE attempts; --", "\u{1f389}", "\u{202e}مرحبا"];
    for query in queries {
        let asked = json!({"projectId": "work", "taskDescription": query, "limit": 1_000_000_000});
        assert!(host.ok("reflection_search", asked).await["reflections"].as_array().unwrap().len() <= 1);
    }
    let nothing = host.ok("reflection_summary", json!({"projectId": "nowhere"})).await;
    assert_eq!((&nothing["totalReflections"], &nothing["successRate"]), (&json!(0), &json!(0.0)));
}
