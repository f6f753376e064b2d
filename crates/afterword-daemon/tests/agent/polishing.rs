//! Notes nobody touched are put in better words: shown first, paid for once, and never what a person changed.

use std::fs;

use afterword_app::reflect::polish::PolishRequest;
use afterword_app::{EngineCallError, EngineName, Error, reflect};
use jiff::ToSpan;
use serde_json::{Value, json};

use afterword_testkit::provider::{Provider, completion, lessons, preference};
use afterword_testkit::transcript::{answered, typed};
use afterword_testkit::{Sandbox, all_changed, now};

fn session_with_rule(id: &str, rule: &str) -> Vec<String> {
    vec![
        typed(id, 1, "add the discount column to the orders table"),
        answered(id, 2, "I added the column."),
        typed(id, 3, rule),
        answered(id, 4, "Understood, I will do so from now on."),
    ]
}

const RULES: [(&str, &str); 3] = [
    (
        "0a0a0d0c-1111-4222-8333-444455556666",
        "No. From now on never edit a migration that is merged, always add a new migration file.",
    ),
    (
        "0b0b0d0c-1111-4222-8333-444455556666",
        "No. From now on always use the retry helper in net for uploads.",
    ),
    ("0c0c0d0c-1111-4222-8333-444455556666", "No. From now on never log the address of a customer."),
];

/// A model that words every note it is shown anew; one of them so that it says something else.
fn rewording() -> Provider {
    Provider::answering(|request, _| {
        let body: Value = serde_json::from_str(request.split_once("\n\n").unwrap().1).unwrap_or_default();
        let text = body["messages"].to_string();
        let notes: Vec<Value> = (1..=3)
            .filter_map(|n| {
                let shown = text.split(&format!("({n}) ")).nth(1)?.split("(").next()?.to_lowercase();
                let title = if shown.contains("migration") {
                    "Never edit a merged migration, always add a new migration file"
                } else if shown.contains("retry") {
                    "Always use the retry helper in net for uploads"
                } else {
                    "Log every address of a customer"
                };
                Some(json!({"n": n, "title": title, "body": format!("From now on. {title}.")}))
            })
            .collect();
        (200, "", completion("stop", &json!({"notes": notes}).to_string()))
    })
}

fn host(provider: &Provider) -> Sandbox {
    let host = Sandbox::asking(provider);
    for (id, rule) in RULES {
        host.session(id, &session_with_rule(id, rule));
    }
    reflect::reflect(
        &host.app(),
        &all_changed(Some(EngineName::Builtin)),
        &now(),
        &mut afterword_app::NoProgress,
    )
    .unwrap();
    assert_eq!(host.names().len(), 3, "{:?}", host.names());
    host
}

#[test]
fn plan_is_shown_first_paid_once_and_leaves_alone_what_somebody_touched() {
    let provider = rewording();
    let host = host(&provider);
    let app = host.app();
    let before = host.lessons();
    let estimate = reflect::polish_estimate(&app, &PolishRequest::default()).unwrap();
    assert_eq!((estimate.notes, estimate.calls, provider.received().len()), (3, 1, 0));
    let plan = reflect::polish_plan(&app, &PolishRequest::default(), &now()).unwrap();
    assert_eq!((plan.asked, plan.notes.len(), plan.stopped.as_deref()), (3, 2, None), "{plan:#?}");
    assert!(plan.notes.iter().all(|one| !one.title.contains("Log every")), "{plan:#?}");
    assert_eq!(host.lessons(), before, "a plan writes nothing");
    assert_eq!(provider.received().len(), 1);

    // Asked again nothing is paid again, and the plan stands.
    let again = reflect::polish_plan(&app, &PolishRequest::default(), &now()).unwrap();
    assert_eq!((again.asked, again.notes.len(), provider.received().len()), (0, 2, 1));
    let touched = plan.notes.iter().find(|one| one.title.contains("retry")).unwrap();
    let path = host.path("vault").join(&touched.path);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("## Evidence", "My own words.\n\n## Evidence")).unwrap();

    let done = reflect::polish_apply(&app, &now()).unwrap();
    assert!(done.applied);
    let written: Vec<_> = done.notes.iter().filter(|one| one.refused.is_none()).collect();
    assert_eq!(written.len(), 1, "{done:#?}");
    let note = fs::read_to_string(host.path("vault").join(&written[0].path)).unwrap();
    assert!(
        note.contains("title: \"Never edit a merged migration, always add a new migration file\""),
        "{note}"
    );
    assert!(note.contains("## Evidence") && note.contains("> From now on never edit a migration"), "{note}");
    assert!(fs::read_to_string(&path).unwrap().contains("My own words."));
    assert_eq!(reflect::stored_polish(&app).unwrap().notes.len(), 0);
    assert_eq!(
        reflect::polish_plan(&app, &PolishRequest::default(), &now()).unwrap().asked,
        0,
        "nor is it asked about again"
    );
}

#[test]
fn money_that_is_spent_stops_it_and_the_built_in_engine_is_not_asked() {
    let provider = rewording();
    let host = host(&provider);
    host.set("engine.usd_per_million_in", &["1000"]);
    host.set("engine.usd_per_million_out", &["1000"]);
    host.set("budget.daily_usd", &["0.01"]);
    let stopped = reflect::polish_plan(&host.app(), &PolishRequest::default(), &now()).unwrap();
    assert!(stopped.stopped.as_deref().is_some_and(|why| why.contains("budget.")), "{stopped:?}");
    assert_eq!(provider.received().len(), 0);
    let builtin = PolishRequest { engine: Some(EngineName::Builtin), most: None };
    assert!(matches!(
        reflect::polish_plan(&host.app(), &builtin, &now()),
        Err(Error::EngineCall(EngineCallError::SendsNothing))
    ));
}

#[test]
fn note_that_a_model_left_as_it_was_is_asked_about_and_one_it_worded_is_not() {
    let provider = Provider::answering(|request, _| {
        let kept = json!({"n": 1, "verdict": "keep", "with": 0, "why": ""});
        let said = if request.contains("No. From now on never edit") {
            let title = "Add a migration, never edit a merged one";
            let mut lesson = preference(title, 3, "never edit a migration that is merged");
            lesson["n"] = json!(1);
            lessons(&[], &[lesson])
        } else {
            lessons(&[kept], &[])
        };
        (200, "", completion("stop", &said.to_string()))
    });
    let host = host(&provider);
    let later = now().checked_add(1.day()).unwrap();
    reflect::reflect(&host.app(), &all_changed(None), &later, &mut afterword_app::NoProgress).unwrap();
    assert_eq!(provider.received().len(), 3);
    let estimate = reflect::polish_estimate(&host.app(), &PolishRequest::default()).unwrap();
    assert_eq!(estimate.notes, 2, "{:?}", host.names());
}
