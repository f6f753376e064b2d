//! `afterword polish` says what it costs, shows what would go and what would come, and writes only what was shown.

use afterword_testkit::provider::{Provider, completion};
use afterword_testkit::transcript::with_a_rule;
use serde_json::json;

use crate::env::TestEnv;

const ID: &str = "0f0e0d0c-1111-4222-8333-444455556666";
const BETTER: &str = "Never edit a merged migration, always add a new migration file";

#[test]
fn differences_are_shown_before_anything_is_written() {
    let provider = Provider::answering(|_, _| {
        let note = json!({"n": 1, "title": BETTER, "body": format!("From now on. {BETTER}.")});
        (200, "", completion("stop", &json!({"notes": [note]}).to_string()))
    });
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    env.ok(&["reflect", ID, "--engine", "builtin"]);
    let address = format!("{}/v1", provider.address);
    for (key, value) in
        [("engine.name", "openai-compatible"), ("engine.address", &address), ("engine.model", "small")]
    {
        env.ok(&["config", "set", key, value]);
    }
    let estimate = env.ok(&["polish", "--dry-run"]);
    assert!(estimate.starts_with("1 note nobody touched: about "), "{estimate}");
    assert_eq!(provider.received().len(), 0, "the estimate asks nobody");
    let note = env.json(&["polish", "--show"]);
    assert_eq!(note["notes"], json!([]));

    let plan = env.run(&["polish"]);
    let (goes, comes) = (plan.stdout.find("    - "), plan.stdout.find(&format!("    + {BETTER}")));
    assert!(goes.is_some() && comes > goes, "{}", plan.stdout);
    assert!(
        plan.stderr.contains("nothing was written; `afterword polish --apply` does it"),
        "{}",
        plan.stderr
    );
    let title_of = || env.json(&["search", "migration"])["results"][0]["title"].clone();
    assert_ne!(title_of(), BETTER, "a plan writes nothing");
    assert!(env.ok(&["polish", "--show"]).contains(&format!("    + {BETTER}")));

    let applied = env.ok(&["polish", "--apply"]);
    assert!(applied.contains("1 note worded anew"), "{applied}");
    assert_eq!(title_of(), BETTER);
    assert_eq!(provider.received().len(), 1, "it is paid for once");
}
