//! An idea researched in the background: it may ask, and what it found and read stands on the idea's page.

use std::fs;

use afterword_app::{App, EngineCallError, Error, conversations, ideas};
use afterword_daemon::work::run_conversation_now;
use serde_json::{Value, json};

use crate::redacting::called;
use afterword_testkit::stand_in::{client, prompts};
use afterword_testkit::transcript::{answered, typed};
use afterword_testkit::{Sandbox, now};

const ID: &str = "0a0a0d0c-1111-4222-8333-444455556666";
const RESEARCH: &str = "0b0b0d0c-1111-4222-8333-444455556666";

/// A host with an idea in its vault; gives its page.
fn with_an_idea() -> (Sandbox, String) {
    let host = Sandbox::new();
    fs::create_dir_all(host.path("home")).unwrap();
    let lines = [
        typed(ID, 1, "Add the export of orders as CSV."),
        answered(ID, 2, "Done. It could also write Parquet."),
        typed(ID, 3, "We should also add an export as Parquet later, as a follow-up."),
        answered(ID, 4, "Agreed."),
    ];
    host.session(ID, &lines);
    host.reflect();
    let names = host.names();
    let page = names.iter().find(|name| name.starts_with("_idea-incubator/"));
    (host, format!("Afterword/{}", page.unwrap_or_else(|| panic!("{names:?}"))))
}

/// An agent whose client answers each run with the next of these.
fn answering(host: &Sandbox, answers: &[Value]) -> App {
    let mut body = String::from("echo >> \"$here/runs\"; runs=$(wc -l < \"$here/runs\")\n");
    for (run, structured) in answers.iter().enumerate() {
        let result = json!({"type": "result", "subtype": "success", "is_error": false, "num_turns": 2, "result": "",
            "session_id": RESEARCH, "total_cost_usd": 0.01, "usage": {"input_tokens": 900, "output_tokens": 100},
            "structured_output": structured});
        body.push_str(&format!("if [ $runs -eq {} ]; then cat <<'LINE'\n{result}\nLINE\nfi\n", run + 1));
    }
    host.app().with_client(client(host, &body))
}

fn research_reply() -> Value {
    json!({"complete": true, "message": "I looked into it.", "state_update": {"research": {
        "problem": "Exports of many orders are large and slow to read.",
        "approaches": ["Write Parquet with the arrow library; it is a large dependency."],
        "first_steps": ["Try it on one table."],
        "open_questions": ["Who reads the files?"],
        "sources": ["https://parquet.apache.org/docs/", "src/export.rs", "https://made-up.example.org/never-read"],
    }}})
}

/// What the research's own session read, as the client keeps it.
fn session_of_research(host: &Sandbox) {
    let lines = [
        typed(RESEARCH, 1, "<afterword-task>\nresearch\n</afterword-task>"),
        called(
            RESEARCH,
            2,
            "WebFetch",
            &json!({"url": "https://parquet.apache.org/docs/", "prompt": "what it is"}),
        ),
        called(RESEARCH, 3, "Read", &json!({"file_path": "/home/ada/shop/src/export.rs"})),
    ];
    host.session(RESEARCH, &lines);
}

#[test]
fn research_asks_goes_on_and_fills_the_page_with_what_it_read() {
    let (host, page) = with_an_idea();
    let question = json!({"needs_input": true, "message": "There are two exports.",
        "question": {"type": "choice", "prompt": "Which one?", "options": ["orders", "customers"]}});
    let app = answering(&host, &[question, research_reply()]);
    let id = ideas::research_in_background(&app, &page, &now()).unwrap();
    assert_eq!(ideas::research_in_background(&app, &page, &now()).unwrap(), id, "it goes on already");
    let ideas = ideas::ideas(&app).unwrap();
    assert_eq!((ideas[0].research, ideas[0].researched), (Some(id), false));
    let conversations = conversations::conversations(&app).unwrap();
    assert!(run_conversation_now(&app, id, &now()).unwrap());
    let shown = conversations.show(&id.to_string(), 9).unwrap();
    assert_eq!(shown.conversation.status, "waiting_input", "{shown:?}");
    assert_eq!(shown.conversation.allowed_tools, ["Read", "Grep", "Glob", "WebSearch", "WebFetch"]);
    session_of_research(&host);
    conversations.answer(&id.to_string(), "orders", &now()).unwrap();
    assert!(run_conversation_now(&app, id, &now()).unwrap());
    let text = fs::read_to_string(host.path("vault").join(&page)).unwrap();
    for part in [
        "## Research",
        "Written by Claude Code",
        "Exports of many orders are large",
        "### First steps",
        "### Read for this",
        "parquet.apache.org",
        "src/export.rs",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("never-read"), "it was not read: {text}");
    let shown = conversations.show(&id.to_string(), 9).unwrap();
    assert!(
        shown.messages.iter().any(|one| one.content == format!("What it found is in {page}.")),
        "{shown:?}"
    );
    let ideas = ideas::ideas(&app).unwrap();
    assert_eq!((ideas[0].research, ideas[0].researched), (None, true));
    // The idea's words are Afterword's to say here: they stand within its tag and make no second lesson.
    let prompt = prompts(&host);
    let task = prompt.split("</afterword-task>").next().unwrap();
    assert!(task.contains("research into an idea") && task.contains("Parquet"), "{prompt}");
    let again = ideas::research_in_background(&app, &page, &now()).unwrap_err();
    assert!(matches!(again, Error::EngineCall(EngineCallError::AlreadyResearched { .. })), "{again}");
}

#[test]
fn research_without_a_client_is_refused_before_anything_is_made() {
    let (host, page) = with_an_idea();
    host.set("claude.binary", &["/no/such/claude"]);
    let refused = ideas::research_in_background(&host.app(), &page, &now()).unwrap_err();
    assert!(matches!(refused, Error::EngineCall(EngineCallError::NoClient)), "{refused}");
    assert!(conversations::conversations(&host.app()).unwrap().list(true).unwrap().is_empty());
}
