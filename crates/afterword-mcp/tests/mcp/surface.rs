//! What the client is shown: names of tools and prompts, and which arguments they take.

use insta::assert_snapshot;
use rmcp::model::GetPromptRequestParams;
use serde_json::{Value, json};

use crate::host::Host;

#[tokio::test]
async fn tools_and_their_arguments() {
    let host = Host::new().await;
    let mut tools = host.client.list_all_tools().await.unwrap();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    let line = |tool: &rmcp::model::Tool| {
        let schema = Value::Object((*tool.input_schema).clone());
        let required: Vec<_> = schema["required"].as_array().cloned().unwrap_or_default();
        let names = schema["properties"].as_object().cloned().unwrap_or_default();
        let argument =
            |name: &String| if required.contains(&json!(name)) { name.clone() } else { format!("{name}?") };
        format!("{}({})", tool.name, names.keys().map(argument).collect::<Vec<_>>().join(", "))
    };
    let lines: Vec<_> = tools.iter().map(line).collect();
    assert_snapshot!(lines.join("\n"), @r"
    cancel_reflection(job_id, user_id?)
    feedback(id, reason?, worth)
    memory(action, body?, kind?, scope?, session?, supersedes?, title?)
    observe(body?, kind, scope?, title)
    reflect(focus?, force?, max_insights?, session?, user_id?)
    reflect_status(job_id, user_id?)
    reflection_get(limit?, sessionId)
    reflection_search(limit?, outcomeFilter?, projectId, sessionId?, tags?, taskDescription?)
    reflection_store(attemptNumber?, nextStrategy, outcome, projectId?, relatedEntityIds?, sessionId, tags?, taskDescription, whatDidNotWork?, whatWorked?)
    reflection_summary(projectId, sessionId?)
    retrieve(kinds?, limit?, project?, query, statuses?, tags?)
    review(action, body?, id?, project?, reason?, scope?, supersedes?, title?)
    stats(scope?, user_id?)
    task(action, allowed_tools?, confirmed?, connections?, here?, task?, text?, title?, when?)
    ");
    assert!(tools.iter().all(|tool| tool.description.as_ref().is_some_and(|text| text.len() > 20)));
}

/// The names that the seeds gave, as `docs/seeds.md` lists them.
#[tokio::test]
async fn tools_of_the_seeds_take_what_they_are_to_take() {
    let page = include_str!("../../../../docs/seeds.md");
    let table =
        page.split("## Names of the seeds").nth(1).and_then(|rest| rest.split("## 000").next()).unwrap();
    let host = Host::new().await;
    let tools = host.client.list_all_tools().await.unwrap();
    let mut looked_at = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<Vec<&str>> =
            row.split(" | ").map(|cell| cell.split('`').skip(1).step_by(2).collect()).collect();
        let name = cells[0][0];
        let tool = tools.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("no tool {name}"));
        let properties = tool.input_schema["properties"].as_object().unwrap();
        for argument in &cells[1] {
            assert!(properties.contains_key(*argument), "{name} takes no {argument}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 30, "{looked_at}");
}

/// Every session of the user's pays for what is listed, whether it uses it or not.
#[tokio::test]
async fn what_every_session_is_shown_is_small() {
    let host = Host::new().await;
    let tools = serde_json::to_string(&host.client.list_all_tools().await.unwrap()).unwrap();
    assert!(tools.len() <= 6000, "{} bytes of tools:\n{tools}", tools.len());
    let instructions = host.client.peer_info().unwrap().instructions.clone().unwrap();
    assert!(instructions.len() <= 700, "{} bytes of instructions", instructions.len());
}

/// What an action takes is checked as if it were a tool of its own.
#[tokio::test]
async fn action_with_the_arguments_of_another_is_refused() {
    let host = Host::new().await;
    host.refused("review", json!({"action": "dance"})).await;
    host.refused("review", json!({"action": "approve", "id": "x", "title": "y"})).await;
    host.refused("memory", json!({"action": "inspect", "kind": "fix"})).await;
    host.refused("memory", json!({"kind": "fix", "title": "x"})).await;
    host.refused("task", json!({"action": "pause", "task": "x", "when": "now"})).await;
}

#[tokio::test]
async fn prompts_say_which_tool_to_use() {
    let host = Host::new().await;
    let mut names: Vec<_> =
        host.client.list_all_prompts().await.unwrap().into_iter().map(|prompt| prompt.name).collect();
    names.sort();
    assert_eq!(names, ["attempt", "inspect", "outcome", "reflect", "review", "save", "search", "status"]);
    let arguments = json!({"text": "only the tests"}).as_object().cloned().unwrap();
    let request = GetPromptRequestParams::new("reflect").with_arguments(arguments);
    let prompt = host.client.get_prompt(request).await.unwrap();
    let said = serde_json::to_string(&prompt.messages).unwrap();
    assert!(said.contains("`reflect` tool") && said.contains("only the tests"), "{said}");
}
