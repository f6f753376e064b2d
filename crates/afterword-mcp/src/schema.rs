//! Schemas as the client is shown them: what a model needs to call a tool well, and no byte more, as every session has them
//! all in its context. What is accepted beyond them is in `requests`.

use std::sync::Arc;

use rmcp::model::JsonObject;

/// A schema from its text.
pub(crate) fn of(text: &str) -> Arc<JsonObject> {
    // The texts are constants that a test reads; an empty schema would only leave a client without help.
    Arc::new(serde_json::from_str(text).unwrap_or_default())
}

/// `reflect`
pub(crate) const REFLECT: &str = r#"{"type":"object","properties":{
"user_id":{"type":"string"},"focus":{"type":"string","description":"what to look for above all"},
"max_insights":{"type":"integer"},"force":{"type":"boolean","description":"also when nothing is new"},
"session":{"type":"string","description":"else this one"}}}"#;

/// `reflect_status`, `cancel_reflection`
pub(crate) const JOB: &str = r#"{"type":"object","properties":{"job_id":{"type":"string"},"user_id":{"type":"string"}},"required":["job_id"]}"#;

/// `stats`
pub(crate) const STATS: &str = r#"{"type":"object","properties":{
"scope":{"enum":["reflection","review","memory","all"]},"user_id":{"type":"string"}}}"#;

/// `retrieve`
pub(crate) const RETRIEVE: &str = r#"{"type":"object","properties":{
"query":{"type":"string","description":"plain words"},"limit":{"type":"integer"},"project":{"type":"string"},
"kinds":{"type":"array","items":{"enum":["preference","workflow","fix","idea","reference","attempt"]}},
"tags":{"type":"array","items":{"type":"string"}},
"statuses":{"type":"array","items":{"enum":["active","inbox","superseded","archived"]},"description":"else active"}},"required":["query"]}"#;

/// `observe`
pub(crate) const OBSERVE: &str = r#"{"type":"object","properties":{
"kind":{"enum":["preference","workflow","fix"]},
"title":{"type":"string","description":"a sentence that needs no context"},"body":{"type":"string"},
"scope":{"enum":["project","everywhere"]}},"required":["kind","title"]}"#;

/// `feedback`
pub(crate) const FEEDBACK: &str = r#"{"type":"object","properties":{
"id":{"type":"string","description":"the lesson's id or path"},
"worth":{"enum":["applied","helped","ignored","contradicted"]},"reason":{"type":"string"}},"required":["id","worth"]}"#;

/// `review`
pub(crate) const REVIEW: &str = r#"{"type":"object","properties":{
"action":{"enum":["list","approve","edit","reject","skip","supersede"]},
"id":{"type":"string","description":"the lesson's id or path"},
"title":{"type":"string","description":"with edit, supersede: the user's words"},"body":{"type":"string"},
"supersedes":{"type":"string","description":"the lesson that makes way"},
"reason":{"type":"string"},"scope":{"enum":["project","everywhere"]},
"project":{"type":"string"}},"required":["action"]}"#;

/// `memory`
pub(crate) const MEMORY: &str = r#"{"type":"object","properties":{
"action":{"enum":["save","evolve","inspect"]},
"kind":{"enum":["preference","workflow","fix"]},
"title":{"type":"string","description":"a sentence that needs no context"},
"body":{"type":"string"},"scope":{"enum":["project","everywhere"]},
"supersedes":{"type":"string","description":"the lesson that makes way"},
"session":{"type":"string","description":"to inspect; else this one"}},"required":["action"]}"#;

/// `task`
pub(crate) const TASK: &str = r#"{"type":"object","properties":{
"action":{"enum":["new","list","show","say","answer","reschedule","run","pause","resume","archive","runs"]},
"task":{"type":"string","description":"new: what to do, clear without this session; else id or title"},
"when":{"type":"string","description":"`every weekday at 9`, `every 2 days`, `tomorrow at 15:00`, `now`, cron"},
"text":{"type":"string","description":"what the user says"},"title":{"type":"string"},
"allowed_tools":{"type":"array","items":{"enum":["Read","Grep","Glob","WebFetch","WebSearch"]}},
"connections":{"type":"array","items":{"type":"string"}},
"here":{"type":"boolean","description":"in this project's directory"},
"confirmed":{"type":"boolean","description":"the user saw the schedule and agrees"}},"required":["action"]}"#;

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use afterword_app::attempts::AttemptOutcome;
    use afterword_app::feedback::FeedbackKind;
    use afterword_app::searching::{HitKind, Status};
    use afterword_core::conversation::READING_TOOLS;
    use afterword_core::{LessonKind, LessonScope};
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;
    use crate::requests::StatsScope;
    use crate::{attempts, memory, review, tasks};

    /// The words that a type takes, as it names them where it is given another.
    fn accepted_words<T: DeserializeOwned + Debug>() -> Vec<String> {
        let refusal = serde_json::from_value::<T>(json!("?")).unwrap_err().to_string();
        refusal.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn schemas_name_the_words_that_are_taken() {
        let check = |schema, argument: &str, words: Vec<String>| {
            let schema: Value = serde_json::from_str(schema).unwrap();
            let argument_schema = &schema["properties"][argument];
            let shown = argument_schema.get("enum").unwrap_or(&argument_schema["items"]["enum"]);
            assert_eq!(*shown, json!(words), "{argument}");
        };
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        check(STATS, "scope", accepted_words::<StatsScope>());
        for schema in [OBSERVE, MEMORY] {
            check(schema, "kind", accepted_words::<LessonKind>());
            check(schema, "scope", accepted_words::<LessonScope>());
        }
        check(RETRIEVE, "kinds", accepted_words::<HitKind>());
        check(RETRIEVE, "statuses", accepted_words::<Status>());
        check(attempts::STORE, "outcome", accepted_words::<AttemptOutcome>());
        check(REVIEW, "scope", accepted_words::<LessonScope>());
        check(FEEDBACK, "worth", accepted_words::<FeedbackKind>());
        check(REVIEW, "action", words(&review::ACTIONS));
        check(MEMORY, "action", words(&memory::ACTIONS));
        check(TASK, "action", words(&tasks::ACTIONS));
        check(TASK, "allowed_tools", words(&READING_TOOLS));
    }
}
