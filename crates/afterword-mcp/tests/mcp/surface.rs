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
    memory_evolve(body?, kind, scope?, supersedes, title)
    memory_inspect(session?)
    memory_save(body?, kind, scope?, title)
    observe(body?, kind, scope?, title)
    reflect(focus?, force?, max_insights?, session?, user_id?)
    reflect_status(job_id, user_id?)
    reflection_get(limit?, sessionId)
    reflection_search(outcomeFilter?, projectId, taskDescription?)
    reflection_store(attemptNumber?, nextStrategy, outcome, sessionId, taskDescription, whatDidNotWork?, whatWorked?)
    reflection_summary(projectId, sessionId?)
    retrieve(kinds?, limit?, outcomes?, project?, query, statuses?, tags?)
    review_approve(id)
    review_edit(body?, id, title?)
    review_list(limit?, project?, waits?)
    review_reject(id, reason?, scope?)
    review_skip(id)
    review_supersede(body?, id, supersedes, title?)
    stats(scope?, user_id?)
    task_answer(task, text)
    task_archive(limit?, task)
    task_list(archived?)
    task_new(allowed_tools?, confirmed?, connections?, here?, task, time_zone?, title?, when)
    task_pause(limit?, task)
    task_reschedule(confirmed?, task, time_zone?, when)
    task_resume(limit?, task)
    task_runs(limit?, task)
    task_say(task, text)
    task_show(limit?, task)
    ");
    assert!(tools.iter().all(|tool| tool.description.as_ref().is_some_and(|text| text.len() > 20)));
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
