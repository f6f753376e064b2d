//! Small transcripts in the form that client 2.1.197 writes, for what real recordings do not hold.

/// Fields that client 2.1.197 puts on every entry of the session with this id.
fn common(id: &str, number: usize) -> String {
    format!(
        "\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/ada/shop\",\"sessionId\":\"{id}\",\
         \"version\":\"2.1.197\",\"gitBranch\":\"main\",\"uuid\":\"00000000-0000-4000-8000-{number:012}\",\
         \"timestamp\":\"2026-03-01T10:{:02}:{:02}.000Z\"",
        number / 60,
        number % 60
    )
}

/// An entry in which the person types something.
pub(crate) fn typed(id: &str, number: usize, text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    let common = common(id, number);
    format!("{{{common},\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":{text}}}}}\n")
}

/// An entry in which the agent says something.
pub(crate) fn answered(id: &str, number: usize, text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    let common = common(id, number);
    format!(
        "{{{common},\"type\":\"assistant\",\"message\":{{\"id\":\"msg_{number}\",\"role\":\"assistant\",\
         \"model\":\"claude-opus-4-6\",\"content\":[{{\"type\":\"text\",\"text\":{text}}}]}}}}\n"
    )
}

/// A short session in which the person gives one standing rule.
pub(crate) fn with_a_rule(id: &str) -> Vec<String> {
    vec![
        typed(id, 1, "add the discount column to the orders table"),
        answered(id, 2, "I added the column and edited the old migration in place."),
        typed(
            id,
            3,
            "No. From now on never edit a migration that is merged, always add a new migration file.",
        ),
        answered(id, 4, "Understood. I reverted it and added a new migration."),
    ]
}
