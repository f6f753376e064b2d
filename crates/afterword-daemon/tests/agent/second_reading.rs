//! Sessions that the built-in engine read are read by a model: its words take the place, what it drops goes, and what a person
//! changed stays.

use std::fs;

use afterword_app::{EngineName, NoProgress, Target, engine_preview, reflect};
use serde_json::json;

use afterword_testkit::provider::{Provider, completion, lessons, preference};
use afterword_testkit::transcript::{answered, typed};
use afterword_testkit::{Sandbox, all_changed, now};

const MIGRATION: &str = "0a0a0d0c-1111-4222-8333-444455556666";
const RULES: [(&str, &str); 3] = [
    (MIGRATION, "No. From now on never edit a migration that is merged, always add a new migration file."),
    (
        "0b0b0d0c-1111-4222-8333-444455556666",
        "No. From now on always use the retry helper in net for uploads.",
    ),
    ("0c0c0d0c-1111-4222-8333-444455556666", "No. From now on never log the address of a customer."),
];

/// Words the migration's and the helper's lesson anew, and drops the one about addresses.
fn judging() -> Provider {
    Provider::answering(|request, _| {
        let lesson = |title: &str, quote: &str| {
            let mut lesson = preference(title, 3, quote);
            lesson["n"] = json!(1);
            lessons(&[], &[lesson])
        };
        let said = if request.contains("No. From now on never edit") {
            lesson("Add a migration, never edit a merged one", "never edit a migration that is merged")
        } else if request.contains("No. From now on always use") {
            lesson("Use the retry helper for uploads", "always use the retry helper in net for uploads")
        } else {
            lessons(&[json!({"n": 1, "verdict": "drop", "with": 0, "why": "for that day only"})], &[])
        };
        (200, "", completion("stop", &said.to_string()))
    })
}

fn host(provider: &Provider) -> Sandbox {
    let host = Sandbox::asking(provider);
    for (id, rule) in RULES {
        let lines = [
            typed(id, 1, "add the discount column to the orders table"),
            answered(id, 2, "I added the column."),
            typed(id, 3, rule),
            answered(id, 4, "Understood, I will do so from now on."),
        ];
        host.session(id, &lines);
    }
    reflect::reflect(&host.app(), &all_changed(Some(EngineName::Builtin)), &now(), &mut NoProgress).unwrap();
    assert_eq!(host.names().len(), 3, "{:?}", host.names());
    host
}

fn note<'a>(notes: &'a [(String, String)], words: &str) -> &'a (String, String) {
    notes.iter().find(|(_, text)| text.contains(words)).unwrap_or_else(|| panic!("{words}: {notes:#?}"))
}

#[test]
fn notes_of_the_built_in_engine_take_a_models_words_or_go() {
    let provider = judging();
    let host = host(&provider);
    let (name, text) = note(&host.lessons(), "retry helper").clone();
    let touched = text + "\nMy own words.\n";
    fs::write(host.path("vault/Afterword").join(&name), &touched).unwrap();

    let done = reflect::reflect(&host.app(), &all_changed(None), &now(), &mut NoProgress).unwrap();
    assert!(done.failures.is_empty(), "{:?}", done.failures);
    assert_eq!(provider.received().len(), 3, "each session is asked about once");
    let notes = host.lessons();
    assert_eq!(notes.len(), 3, "none is written twice: {notes:#?}");
    let reworded = note(&notes, "title: \"Add a migration, never edit a merged one\"");
    assert!(reworded.1.contains("status: active"), "{reworded:?}");
    assert!(note(&notes, "never log the address").1.contains("status: archived"), "{notes:#?}");
    assert_eq!(note(&notes, "My own words.").1, touched, "what a person changed is theirs");

    reflect::reflect(&host.app(), &all_changed(None), &now(), &mut NoProgress).unwrap();
    assert_eq!((provider.received().len(), host.lessons()), (3, notes), "nothing is paid for twice");
}

#[test]
fn price_of_reading_what_is_there_is_known_before_anybody_is_asked() {
    let provider = judging();
    let host = host(&provider);
    host.set("engine.usd_per_million_in", &["10"]);
    host.set("engine.usd_per_million_out", &["10"]);
    let price = |target| {
        engine_preview::reading_price(&host.app(), &target, EngineName::OpenAiCompatible, &mut NoProgress)
            .unwrap()
    };
    let all = price(Target::Changed { since: None });
    let one = price(Target::One(MIGRATION.to_owned()));
    assert_eq!((all.asked_about, one.asked_about, provider.received().len()), (3, 1, 0));
    assert!(all.usd.unwrap() > 2.0 * one.usd.unwrap(), "{all:?}, {one:?}");
    reflect::reflect(&host.app(), &all_changed(None), &now(), &mut NoProgress).unwrap();
    assert_eq!(price(Target::Changed { since: None }).asked_about, 0, "all is read");
}
