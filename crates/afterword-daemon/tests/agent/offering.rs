//! What an engine would cost is told by what it did cost, and else by the model that would be asked.

use std::fs;

use afterword_app::engine_preview::{EngineOffer, engine_offer};
use afterword_app::{EngineName, NoProgress};
use afterword_store::{CallLimits, NewCall, Purpose, Store};

use afterword_testkit::transcript::with_a_rule;
use afterword_testkit::{Sandbox, now};

const IDS: [&str; 2] = ["0a0a0d0c-1111-4222-8333-444455556666", "0b0b0d0c-1111-4222-8333-444455556666"];

fn offer(host: &Sandbox, engine: EngineName) -> EngineOffer {
    engine_offer(&host.app(), engine, &mut NoProgress).unwrap()
}

fn host() -> Sandbox {
    let host = Sandbox::new();
    for id in IDS {
        host.session(id, &with_a_rule(id));
    }
    host
}

#[test]
fn claude_code_is_priced_by_the_model_it_would_ask() {
    let host = host();
    let by_itself = offer(&host, EngineName::ClaudeCode);
    assert_eq!(by_itself.priced_by, "the list price of claude-opus-4-8");
    let by_key = offer(&host, EngineName::Anthropic);
    assert!(by_itself.tokens_a_session > by_key.tokens_a_session, "it adds words of its own");
    fs::create_dir_all(host.path("claude")).unwrap();
    fs::write(host.path("claude/settings.json"), r#"{"model": "haiku"}"#).unwrap();
    let by_the_person = offer(&host, EngineName::ClaudeCode);
    assert_eq!(by_the_person.priced_by, "the list price of haiku");
    assert!(by_the_person.usd_for_all.unwrap() * 4.0 < by_itself.usd_for_all.unwrap(), "{by_the_person:?}");
    host.set("engine.name", &["claude-code"]);
    host.set("engine.model", &["claude-opus-5-5"]);
    let unknown = offer(&host, EngineName::ClaudeCode);
    assert_eq!(
        (unknown.usd_for_all, unknown.priced_by.as_str()),
        (None, "no price is known for claude-opus-5-5")
    );
}

#[test]
fn calls_in_vain_make_an_engine_no_cheaper() {
    let host = host();
    let store = Store::open(&host.paths().database()).unwrap();
    let calls = store.engine_calls();
    let (at, since) = (now().timestamp(), now().start_of_day().unwrap().timestamp());
    let call = |purpose: Purpose, model: &str, usd: f64, problem: Option<&str>| {
        let (engine, session, project) = ("claude-code", IDS[0], "/home/ada/shop");
        let new =
            NewCall { asked_at: at, purpose, job: None, engine, model: "", session, project, most_usd: 0.25 };
        let id = calls.reserve(&new, since, CallLimits::default()).unwrap().unwrap();
        let tokens = if problem.is_none() { (7_000, 1_500) } else { (0, 0) };
        calls.record_cost(id, model, tokens, usd, problem).unwrap();
    };
    // The test question tells which model it is.
    call(Purpose::Trial, "claude-sonnet-5", 0.01, None);
    assert_eq!(offer(&host, EngineName::ClaudeCode).priced_by, "the list price of claude-sonnet-5");
    for _ in 0..3 {
        call(Purpose::Reflection, "", 0.0, Some("Claude Code cannot be asked now: signed out"));
        call(Purpose::Reflection, "claude-sonnet-5", 0.08, None);
    }
    let made = offer(&host, EngineName::ClaudeCode);
    assert_eq!(made.priced_by, "what it cost so far");
    assert!((made.usd_for_all.unwrap() - 0.16).abs() < 1e-9, "{made:?}");
}
