//! Engines against servers on loopback.

use std::time::Instant;

use super::*;

fn good() -> Value {
    answer(&[
        proposal("preference", 5, "always run the formatter"),
        proposal("idea", 5, "made up altogether"),
    ])
}

/// Models write an answer in the order of its schema: what a verdict or a rating rests on comes before it.
fn assert_schema_stays_in_its_order(request: &str) {
    assert!(request.contains(AnswerForm::Full.schema()), "the schema is sent as it is written");
    let at = |name: &str| request.find(&format!("\"{name}\":{{\"type\"")).unwrap_or_else(|| panic!("{name}"));
    for (reason, decision) in [
        ("candidates", "lessons"),
        ("lessons", "handoff"),
        ("why", "verdict"),
        ("evidence", "kind"),
        ("kind", "title"),
        ("title", "confidence"),
        ("because", "outcome"),
    ] {
        assert!(at(reason) < at(decision), "{reason} comes before {decision}");
    }
}

#[test]
fn the_messages_api_is_asked_once() {
    let provider = Provider::saying(vec![(200, "", message("tool_use", &good()))]);
    let mut guard = Counting::default();
    let found = asked(&anthropic(&provider), &PromptContext::default(), &mut guard).unwrap();
    assert_eq!((found.merged.candidates.len(), found.unbelieved.len()), (1, 1));
    let usage = &guard.calls[0].0;
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.usd), (1000, 200, Some(0.002)));
    let requests = provider.received();
    assert_eq!(requests.len(), 1);
    assert!(
        requests[0].contains("x-api-key: sk-made-up-key\r\n") && requests[0].contains("anthropic-version")
    );
    let body: Value = serde_json::from_str(requests[0].split("\r\n\n").nth(1).unwrap()).unwrap();
    assert_eq!(body["tool_choice"]["name"], "answer");
    assert_eq!(
        body["tools"][0]["input_schema"],
        serde_json::from_str::<Value>(AnswerForm::Full.schema()).unwrap()
    );
    assert_schema_stays_in_its_order(&requests[0]);
    assert!(body["messages"][0]["content"].as_str().unwrap().contains("[5 person]"));
}

#[test]
fn a_busy_provider_is_asked_again_as_it_says() {
    let provider = Provider::saying(vec![
        (429, "retry-after: 0\r\n", "{}".to_owned()),
        (529, "retry-after: 0\r\n", "{\"type\":\"error\"}".to_owned()),
        (200, "", message("tool_use", &good())),
    ]);
    assert!(asked(&anthropic(&provider), &PromptContext::default(), &mut Counting::default()).is_ok());
    assert_eq!(provider.received().len(), 3);

    let provider = Provider::saying(vec![(429, "retry-after: 3600\r\n", "{}".to_owned())]);
    let clock = Instant::now();
    let error = asked(&anthropic(&provider), &PromptContext::default(), &mut Counting::default());
    let Err(EngineError::Busy { again_after, .. }) = error else { panic!("{error:?}") };
    assert_eq!((again_after.as_secs(), provider.received().len()), (3600, 1));
    assert!(clock.elapsed() < Duration::from_secs(120), "an hour is not waited for");

    let provider = Provider::saying(vec![(529, "retry-after: 0\r\n", "{}".to_owned())]);
    let error = asked(&anthropic(&provider), &PromptContext::default(), &mut Counting::default());
    assert!(matches!(error, Err(EngineError::Busy { status: 529, .. })), "{error:?}");
    assert_eq!(provider.received().len(), 3);
}

#[test]
fn every_failure_is_a_clear_one() {
    type Is = fn(&EngineError) -> bool;
    let declined = json!({"model": "m", "content": [{"type": "text", "text": "I will not."}],
        "stop_reason": "refusal", "usage": {"input_tokens": 9, "output_tokens": 3}})
    .to_string();
    let cases: Vec<(u16, String, usize, Is)> = vec![
        (
            200,
            message("max_tokens", &json!({})),
            1,
            |e| matches!(e, EngineError::CutOff { usage } if usage.output_tokens == 200),
        ),
        (200, declined, 1, |e| matches!(e, EngineError::Declined { reason, .. } if reason == "I will not.")),
        (200, message("tool_use", &json!({"lessons": "none"})), 2, |e| {
            matches!(e, EngineError::Invalid { .. })
        }),
        (200, "<html>".to_owned(), 2, |e| matches!(e, EngineError::Invalid { .. })),
        (401, "{}".to_owned(), 1, |e| matches!(e, EngineError::Key { status: 401, .. }) && e.is_lasting()),
        (
            400,
            "{\"error\":{\"message\":\"too long\"}}".to_owned(),
            1,
            |e| matches!(e, EngineError::Request { problem, .. } if problem == "too long"),
        ),
        (307, String::new(), 1, |e| matches!(e, EngineError::Request { status: 307, .. })),
    ];
    for (status, said, requests, is) in cases {
        let provider = Provider::saying(vec![(status, "location: http://127.0.0.1:1/\r\n", said.clone())]);
        let mut guard = Counting::default();
        let error = asked(&anthropic(&provider), &PromptContext::default(), &mut guard).unwrap_err();
        assert!(is(&error), "{said}: {error:?}");
        assert_eq!(provider.received().len(), requests, "{said}");
        assert_eq!(guard.calls.len(), requests, "every call is counted: {said}");
        assert!(!format!("{error} {error:?}").contains("sk-made-up"), "{error:?}");
    }
}

#[test]
fn time_is_limited_and_plain_http_stays_on_this_machine() {
    let provider = Provider::saying(vec![(0, "", String::new())]);
    let mut model = anthropic(&provider);
    model.limit = Duration::from_millis(300);
    let mut guard = Counting::default();
    let error = asked(&model, &PromptContext::default(), &mut guard).unwrap_err();
    assert!(matches!(error, EngineError::TooLong { .. }), "{error:?}");
    let [(usage, Some(_))] = &guard.calls[..] else { panic!("{:?}", guard.calls) };
    assert!(
        usage.input_tokens > 1_000 && usage.usd.unwrap() > 0.001,
        "what was read may be billed: {usage:?}"
    );
    model.address = "http://example.com".to_owned();
    let error = asked(&model, &PromptContext::default(), &mut Counting::default()).unwrap_err();
    assert!(matches!(error, EngineError::Address { .. }), "{error:?}");
    assert!(
        !http::is_local("http://127.0.0.1.example.com/") && !http::is_local("http://localhost@example.com/")
    );
    assert!(http::is_local("http://[::1]:8080/v1") && http::is_local("http://localhost:1/"));
}

#[test]
fn chat_completions_are_asked_too() {
    let fenced = format!("```json\n{}\n```", good());
    let provider = Provider::saying(vec![
        (400, "", "{\"error\":{\"message\":\"response_format is not supported\"}}".to_owned()),
        (200, "", completion("stop", &fenced)),
    ]);
    let mut guard = Counting { allowed: Some(0.0), ..Counting::default() };
    let found = asked(&openai(&provider), &PromptContext::default(), &mut guard).unwrap();
    assert_eq!(found.merged.candidates.len(), 1);
    assert_eq!(guard.calls[0].0.usd, Some(0.0), "a model on this machine costs nothing");
    let requests = provider.received();
    assert!(requests[0].contains("json_schema") && !requests[1].contains("json_schema"));
    assert_schema_stays_in_its_order(&requests[0]);
    assert!(!requests[0].contains("authorization"));

    let cut_off = completion("length", "{\"lessons").replace(":100", ":5000");
    let provider = Provider::saying(vec![(200, "", cut_off)]);
    let error = asked(&openai(&provider), &PromptContext::default(), &mut Counting::default());
    assert!(matches!(error, Err(EngineError::CutOff { .. })), "{error:?}");
    let provider = Provider::saying(vec![(200, "", completion("content_filter", ""))]);
    let error = asked(&openai(&provider), &PromptContext::default(), &mut Counting::default());
    assert!(matches!(error, Err(EngineError::Declined { .. })), "{error:?}");
}

#[test]
fn too_small_a_context_is_noticed_however_a_server_deals_with_it() {
    let cut = completion("stop", &good().to_string()).replace("null", "1026");
    let refused =
        r#"{"error": {"message": "request (6000 tokens) exceeds the available context size (4096 tokens)"}}"#;
    let cases = [
        (200, cut, "it read only 1026"),
        (400, refused.to_owned(), "exceeds the available context size (4096 tokens)"),
        (200, completion("length", "{\"lessons"), "no room was left after 100 tokens of the answer"),
    ];
    for (status, said, words) in cases {
        let provider = Provider::saying(vec![(status, "", said)]);
        let mut guard = Counting::default();
        let error = asked(&openai(&provider), &PromptContext::default(), &mut guard).unwrap_err();
        assert!(matches!(error, EngineError::SmallContext { .. }), "{error:?}");
        let sentence = error.to_string();
        assert!(sentence.contains(words) && sentence.contains("engine.answer_tokens 600"), "{sentence}");
        assert_eq!(
            (provider.received().len(), guard.calls.len()),
            (1, 1),
            "asking again is of no use: {sentence}"
        );
        let small = OpenAi { most_tokens: Some(600), ..openai(&provider) };
        let error =
            asked(&small, &PromptContext::default(), &mut Counting::default()).unwrap_err().to_string();
        assert!(error.contains("8,192 tokens") && !error.contains("engine.answer_tokens"), "{error}");
    }
}

#[test]
fn a_budget_stops_before_it_is_passed() {
    let provider = Provider::saying(vec![(200, "", message("tool_use", &good()))]);
    let model = anthropic(&provider);
    let mut guard = Counting { allowed: Some(0.1), ..Counting::default() };
    let mut calls = 0;
    let error = loop {
        match asked(&model, &PromptContext::default(), &mut guard) {
            Ok(_) => calls += 1,
            Err(error) => break error,
        }
        assert!(calls < 100, "the budget never stopped it");
    };
    assert!(matches!(error, EngineError::Budget { .. }), "{error:?}");
    let spent: f64 = guard.calls.iter().filter_map(|(usage, _)| usage.usd).sum();
    assert!(spent <= 0.1 && calls > 10, "{spent} in {calls} calls");
    assert_eq!(provider.received().len(), calls, "nothing was asked that was not allowed");
}

#[test]
fn an_empty_digest_costs_nothing() {
    let model = anthropic(&Provider::saying(vec![(500, "", String::new())]));
    let mut guard = Counting::default();
    synthesise(&model, (&Digest::default(), AnswerForm::Full), vec![], &PromptContext::default(), &mut guard)
        .unwrap();
    assert!(guard.calls.is_empty());
}
