//! Servers for chat completions failing: Ollama, llama.cpp and their like, and hosted ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use afterword_app::model_calls;

use super::{ID, Wanted, end, good, is_said, mends, order};
use afterword_testkit::provider::{CUT_SHORT, Provider, Response, completion};
use afterword_testkit::transcript::with_a_rule;
use afterword_testkit::{Sandbox, now};

#[test]
fn servers_for_chat_completions_failing_put_work_off_or_are_tried_again() {
    let said = || good().to_string();
    let error = |words: &str| format!(r#"{{"error": {{"message": "{words}"}}}}"#);
    let half = &said()[..40];
    let unfinished = completion("length", half).replace(":1000", ":5000");
    let cases: Vec<(&str, Response, Wanted, &str)> = vec![
        ("429", (429, "retry-after: 3600\r\n", error("slow down")), Wanted::Postponed, "busy (429)"),
        ("no model", (404, "", error("no such model")), Wanted::Again, "refused with 404: no such model"),
        ("garbage", (200, "", completion("stop", "I would rather not.")), Wanted::Again, "cannot be used"),
        ("half an answer", (200, "", completion("stop", half)), Wanted::Again, "cannot be used"),
        ("no json", (200, "", "<html>".to_owned()), Wanted::Again, "cannot be used"),
        ("refused", (200, "", completion("content_filter", "")), Wanted::Again, "declined to answer"),
        ("too long", (200, "", unfinished), Wanted::Again, "cut off after 5000 tokens"),
        ("no room", (200, "", completion("length", half)), Wanted::Again, "its context is too small"),
        ("context", (400, "", error("exceeds the context size")), Wanted::Again, "its context is too small"),
        (
            "beginning cut off",
            (200, "", completion("stop", &said()).replace("null", "1026")),
            Wanted::Again,
            "it read only 1026",
        ),
        (
            "cut in the middle",
            (200, CUT_SHORT, completion("stop", &said())),
            Wanted::Postponed,
            "not reached",
        ),
        ("silence", (0, "", String::new()), Wanted::Again, "no answer within"),
    ];
    for (name, failure, wanted, words) in cases {
        let well = Arc::new(AtomicBool::new(false));
        let is_well = Arc::clone(&well);
        let provider = Provider::answering(move |_, _| {
            if is_well.load(Ordering::SeqCst) {
                (200, "", completion("stop", &good().to_string()))
            } else {
                failure.clone()
            }
        });
        let host = Sandbox::asking(&provider);
        // Three seconds for the one that never answers.
        host.set("engine.limit_minutes", &[if name == "silence" { "0.05" } else { "5" }]);
        host.session(ID, &with_a_rule(ID));
        let app = host.app();
        order(&app);
        let (reason, again_at) = end(name, &app, wanted);
        assert!(reason.contains(words), "{name}: {reason}");
        is_said(name, &app, words);
        assert!(provider.received().len() <= 2, "{name}: it is asked once more at most");
        let spend = model_calls::spend(&app, 1, &now()).unwrap();
        assert_eq!(spend.calls as usize, provider.received().len(), "{name}: every call is in the ledger");
        well.store(true, Ordering::SeqCst);
        host.set("engine.limit_minutes", &["5"]);
        mends(name, &host, &host.app(), again_at);
    }
}
