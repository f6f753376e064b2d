//! What a model says of a certain lesson besides its words: where it holds, and which note says the same.

use afterword_app::{EngineName, NoProgress, reflect};
use afterword_core::Confidence;
use serde_json::{Value, json};

use afterword_testkit::provider::{Provider, completion, lessons, preference};
use afterword_testkit::transcript::{answered, typed, with_a_rule};
use afterword_testkit::{Sandbox, all_changed, now};

const FIRST: &str = "0a0a0d0c-1111-4222-8333-444455556666";
const SECOND: &str = "0a0a0d0c-1111-4222-8333-444455556677";
const TITLE: &str = "Put the release notes of every release into the changelog";

/// Has the model say something of a certain lesson in the second session; gives the notes.
fn notes_after(
    said: &str,
    title: &'static str,
    field: &'static str,
    value: &'static str,
) -> Vec<(String, String)> {
    let quote = said.to_owned();
    let provider = Provider::answering(move |_, _| {
        let mut lesson: Value = preference(title, 3, &quote);
        lesson[field] = json!(value);
        (200, "", completion("stop", &lessons(&[], &[lesson]).to_string()))
    });
    let host = Sandbox::asking(&provider);
    host.session(FIRST, &with_a_rule(FIRST));
    reflect::reflect(&host.app(), &all_changed(Some(EngineName::Builtin)), &now(), &mut NoProgress).unwrap();
    assert_eq!(host.names().len(), 1);
    let lines = [
        typed(SECOND, 11, "add the invoice column to the orders table"),
        answered(SECOND, 12, "I added the column."),
        typed(SECOND, 13, said),
        answered(SECOND, 14, "Done."),
    ];
    host.session(SECOND, &lines);
    let one = afterword_app::Target::One(SECOND.to_owned());
    let request = afterword_app::ReflectRequest { target: one, ..all_changed(None) };
    let done = reflect::reflect(&host.app(), &request, &now(), &mut NoProgress).unwrap();
    let certain = done.sessions[0].candidates.iter().filter(|one| one.confidence == Confidence::High).count();
    assert_eq!(certain, 1, "{:?}", done.sessions[0].candidates);
    host.lessons()
}

#[test]
fn certain_rule_holds_in_all_projects_where_the_person_says_so() {
    let own = |said: &str| {
        let notes = notes_after(said, TITLE, "scope", "everywhere");
        notes.into_iter().find(|(_, text)| text.contains("changelog")).unwrap().1
    };
    let everywhere =
        own("From now on put the release notes of every release into the changelog, in all my projects.");
    assert!(everywhere.contains("confidence: high") && !everywhere.contains("\nproject: "), "{everywhere}");
    let here = own("From now on put the release notes of every release into the changelog.");
    assert!(here.contains("\nproject: shop\n"), "a model alone does not make it hold elsewhere: {here}");
}

#[test]
fn certain_rule_that_says_the_same_grows_the_note_it_names() {
    let notes = notes_after(
        "From now on put the release notes of every release into the changelog.",
        TITLE,
        "same_as",
        "K1",
    );
    let [(_, grown)] = &notes[..] else { panic!("{notes:#?}") };
    assert!(grown.contains(FIRST) && grown.contains(SECOND), "{grown}");
}

#[test]
fn certain_rule_that_goes_against_a_note_does_not_grow_it() {
    let notes = notes_after(
        "From now on always edit a migration that is merged, never add a new migration file.",
        "Always edit a migration that is merged, never add a new migration file",
        "same_as",
        "K1",
    );
    assert_eq!(notes.len(), 2, "{notes:#?}");
    let first = notes.iter().find(|(_, text)| text.contains("never edit a migration")).unwrap();
    assert!(!first.1.contains(&format!("{SECOND}/")), "{first:?}");
}
