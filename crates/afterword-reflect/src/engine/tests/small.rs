//! A small model makes nothing worse, whatever it answers.

use proptest::prelude::*;

use super::*;

fn of_the_rules() -> Vec<Candidate> {
    let likely = Candidate {
        title: "The upload waits for the mirror at night (on “so?”)".to_owned(),
        evidence: vec![Evidence {
            uuid: "u7".to_owned(),
            line: 7,
            role: Role::User,
            quote: "the upload should wait for the mirror at night".to_owned(),
        }],
        ..candidate(7, Confidence::Medium)
    };
    vec![candidate(5, Confidence::High), likely]
}

fn session() -> Digest {
    let events = [
        agent(1, "one"),
        agent(4, "Committed."),
        person(5, "no. always run the formatter before you commit"),
        agent(6, "Will do. The old test fails without a server."),
        person(7, "the upload should wait for the mirror at night"),
        person(9, "and fix the two failing tests, please"),
        agent(10, "Both of them pass."),
    ];
    read(&events, &of_the_rules())
}

fn read_from(said: &Value) -> Synthesis {
    let provider = Provider::saying(vec![(200, "", completion("stop", &said.to_string()))]);
    let page = Page {
        address: "https://docs.example/retries".to_owned(),
        beginning: "How uploads retry".to_owned(),
    };
    let wishes = PromptContext { pages: vec![page], ..PromptContext::default() };
    let brief = (&session(), AnswerForm::Brief);
    synthesise(&openai(&provider), brief, of_the_rules(), &wishes, &mut Counting::default()).unwrap()
}

fn answered(lessons: &[Value]) -> Vec<Candidate> {
    read_from(&json!({"lessons": lessons, "pages": [], "handoff": ""})).merged.candidates
}

#[test]
fn a_small_models_handoff_note_and_topics_are_of_the_session_or_none() {
    let told = |handoff: &str, topic: &str| {
        let pages = json!([{"number": 1, "topic": topic}]);
        let read = read_from(&json!({"lessons": [], "pages": pages, "handoff": handoff}));
        (read.handoff, read.pages.len())
    };
    let note = "The upload waits for the mirror; two failing tests were fixed.";
    assert_eq!(told(note, "upload retries"), (note.to_owned(), 1));
    let again = "I'm not sure if you commit, but I'm not sure if you commit, but I'm not sure if you commit.";
    assert_eq!(told(again, "commit or not"), (String::new(), 0));
    assert_eq!(told("Kubernetes clusters scale across continents.", "yes").0, "");
}

fn lesson(kind: &str, line: u64, quote: &str, title: &str) -> Value {
    json!({"kind": kind, "signal": "standing-rule", "confidence": "high", "title": title, "body": "So it is.",
        "evidence": [{"line": line, "quote": quote}]})
}

#[test]
fn an_errand_that_a_small_model_takes_for_a_rule_goes_to_the_inbox() {
    let errand = lesson("preference", 9, "fix the two failing tests", "Fix the two failing tests");
    let candidates = answered(&[errand.clone(), errand]);
    let added: Vec<_> = candidates.iter().filter(|one| one.evidence[0].line == 9).collect();
    assert_eq!(added.len(), 1);
    assert_eq!(added[0].confidence, Confidence::Low, "it is neither saved nor asked about");
}

#[test]
fn a_small_model_words_what_is_likely_and_nothing_that_is_certain() {
    let likely = "At night the upload waits for the mirror";
    let candidates = answered(&[
        lesson("preference", 7, "the upload should wait for the mirror", likely),
        lesson("preference", 5, "always run the formatter", "Always run the formatter before you commit it"),
    ]);
    let told: Vec<_> = candidates.iter().map(|one| (one.title.as_str(), one.confidence)).collect();
    let certain = "Run the formatter before every commit";
    assert_eq!(told, [(certain, Confidence::High), (likely, Confidence::Medium)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn what_was_found_stays_as_it_is_rated_whatever_a_small_model_answers(
        lessons in prop::collection::vec(
            (
                prop::sample::select(vec!["preference", "workflow", "fix", "idea"]),
                prop::sample::select(vec![
                    (5, "always run the formatter"),
                    (5, "no. always run the formatter before you commit"),
                    (6, "The old test fails without a server."),
                    (7, "the upload should wait for the mirror at night"),
                    (9, "fix the two failing tests"),
                    (9, "never said by anybody"),
                ]),
                prop::sample::select(vec![
                    "Never run the formatter", "Run the formatter before every commit", "Fix the two failing tests",
                    "The upload does not wait for the mirror at night", "The upload waits at night for the mirror",
                    "The old test fails without a server", "Kubernetes clusters scale", "yes",
                ]),
            ),
            0..6,
        )
    ) {
        let lessons: Vec<Value> =
            lessons.iter().map(|(kind, (line, quote), title)| lesson(kind, *line, quote, title)).collect();
        let candidates = answered(&lessons);
        for known in of_the_rules() {
            let same = candidates.iter().filter(|one| one.evidence == known.evidence);
            let same: Vec<&Candidate> = same.collect();
            prop_assert_eq!(same.len(), 1);
            let kept = same[0];
            prop_assert_eq!((kept.kind, kept.confidence, &kept.body), (known.kind, known.confidence, &known.body));
            prop_assert!(kept.title == known.title || kept.title == "The upload waits at night for the mirror");
        }
        let added = candidates.iter().filter(|one| of_the_rules().iter().all(|known| known.evidence != one.evidence));
        for one in added {
            prop_assert_eq!(one.confidence, Confidence::Low);
            prop_assert!(one.evidence.iter().all(|piece| ![5, 7].contains(&piece.line)));
        }
    }
}
