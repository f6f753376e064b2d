//! What a reflection makes of a vault, and that a second one makes nothing more.

use crate::test_vault::{
    LATER, SESSION, TestVault, all, candidate, fix, idea, lesson_of, pnpm, user_evidence, weak,
};
use afterword_core::{Confidence, Kind, OtherTelling, SessionId};
use afterword_vault::{Note, Properties, Reason, Status};

const PNPM: &str = "Afterword/Preferences/use-pnpm-never-npm.md";
const FIX: &str = "Afterword/_review/clear-the-cache-when-the-build-hangs.md";
const WEAK: &str = "Afterword/_inbox/run-the-tests-before-a-commit.md";
const IDEA: &str = "Afterword/_idea-incubator/add-a-dark-mode/_index.md";
const OVERVIEW: &str = "Afterword/Projects/shop.md";

#[test]
fn each_lesson_goes_where_it_was_sent() {
    let mut stage = TestVault::new();
    let (plan, applied) = stage.reflect(&all());
    assert!(applied.done.iter().all(|done| done.outcome.is_done()), "{applied:?}");
    assert_eq!(plan.actions.len(), 6, "four notes, the ledger of ideas, the overview");
    for path in [PNPM, FIX, WEAK, IDEA, OVERVIEW] {
        stage.read(path);
    }
    let status = |path| Properties::of(&Note::parse(stage.read(path))).status;
    assert_eq!(status(PNPM), Some(Status::Active));
    assert_eq!(status(FIX), Some(Status::Inbox));
    assert_eq!(status(WEAK), Some(Status::Inbox));
}

#[test]
fn a_note_reads_like_a_note() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let id = stage.scan().by_key(&pnpm().key).unwrap().properties.id.unwrap();
    let key = pnpm().key;
    let text = stage.read(PNPM);
    let marker = text.lines().find(|line| line.starts_with("%% afterword:begin")).unwrap();
    assert_eq!(
        text,
        format!(
            "---\n\
             title: \"Use pnpm, never npm.\"\n\
             kind: preference\n\
             status: active\n\
             confidence: high\n\
             project: shop\n\
             tags:\n  - afterword\n\
             created: 2026-03-15\n\
             updated: 2026-03-15\n\
             always_load: false\n\
             signal: standing-rule\n\
             session: {SESSION}\n\
             evidence:\n  - \"{SESSION}/11111111-aaaa-4bbb-8ccc-000000000001\"\n\
             id: {id}\n\
             key: \"{key}\"\n\
             ---\n\n\
             Use pnpm, never npm. This holds whenever packages are installed.\n\n\
             ## Evidence\n\n\
             {marker}\n\n\
             Why: The user gave a standing rule. High confidence.\n\n\
             > always use pnpm here, npm breaks the lockfile\n\n\
             User · 2026-03-15 · session `6f3a91c2` · line 12\n\n\
             %% afterword:end %%\n"
        )
    );
}

#[test]
fn the_same_reflection_again_changes_not_a_byte_and_not_a_time() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let before = stage.snapshot();
    let (plan, applied) = stage.reflect(&all());
    assert!(plan.actions.is_empty(), "{plan:#?}");
    assert!(applied.records.is_empty());
    assert!(plan.kept.iter().all(|kept| kept.reason == Reason::Known), "{plan:#?}");
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn applying_a_plan_twice_changes_nothing_the_second_time() {
    let stage = TestVault::new();
    let plan = stage.plan(&all());
    assert_eq!(stage.vault.apply(&plan).written_count(), plan.actions.len());
    let before = stage.snapshot();
    let again = stage.vault.apply(&plan);
    assert_eq!(again.written_count(), 0);
    assert!(again.done.iter().all(|done| done.outcome.is_done()));
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn a_plan_survives_the_way_through_json() {
    let stage = TestVault::new();
    let plan = stage.plan(&all());
    let json = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<afterword_vault::Plan>(&json).unwrap(), plan);
    let escaping = json.replace("Afterword/Preferences/", "../Preferences/");
    assert!(serde_json::from_str::<afterword_vault::Plan>(&escaping).is_err());
}

#[test]
fn planning_is_pure() {
    let stage = TestVault::new();
    let before = stage.snapshot();
    assert_eq!(stage.plan(&all()), stage.plan(&all()));
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn two_machines_make_the_same_note_of_the_same_session() {
    let (mut one, mut other) = (TestVault::new(), TestVault::new());
    one.reflect(&all());
    other.reflect(&all());
    for path in [PNPM, FIX, WEAK, IDEA] {
        assert_eq!(one.read(path), other.read(path));
    }
}

#[test]
fn a_grown_session_adds_only_what_is_new() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm(), idea()]);
    let note = stage.read(PNPM);
    let (plan, _) = stage.reflect(&all());
    assert_eq!(plan.actions.len(), 3, "fix, weak, overview: {plan:#?}");
    assert_eq!(stage.read(PNPM), note);
}

#[test]
fn the_same_lesson_with_another_sessions_evidence_grows() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let words = "again: pnpm, not npm";
    let evidence = vec![user_evidence("22222222-aaaa-4bbb-8ccc-000000000001", 5, words)];
    let mut again = lesson_of(candidate(Kind::Preference, Confidence::High, "Prefer pnpm.", evidence), LATER);
    again.when = "2026-03-18T10:00:00Z".parse().unwrap();
    again.strengthens = stage.scan().by_key(&pnpm().key).unwrap().properties.id;
    let before = stage.read(PNPM);
    let (plan, _) = stage.reflect(std::slice::from_ref(&again));
    assert_eq!(plan.actions.len(), 1, "{plan:#?}");
    let after = stage.read(PNPM);
    assert!(after.contains("> again: pnpm, not npm\n\nUser · 2026-03-18 · session `a0b1c2d3` · line 5\n"));
    assert!(after.contains("updated: 2026-03-18\n"));
    let kept: Vec<&str> =
        before.lines().filter(|line| !line.starts_with("%%") && !line.starts_with("updated")).collect();
    let mut lines = after.lines();
    assert!(
        kept.iter().all(|line| lines.any(|after| after == *line)),
        "all that was there is there, in its order"
    );
    let (plan, _) = stage.reflect(&[pnpm(), again]);
    assert!(plan.actions.is_empty(), "{plan:#?}");
}

#[test]
fn a_lesson_that_other_sessions_told_too_rests_on_them_as_well() {
    let mut stage = TestVault::new();
    let mut lesson = pnpm();
    lesson.other_tellings = vec![OtherTelling {
        session: SessionId::parse(LATER).unwrap(),
        said_at: "2026-03-18T10:00:00Z".parse().unwrap(),
        evidence: user_evidence("22222222-aaaa-4bbb-8ccc-000000000001", 5, "pnpm again please"),
    }];
    let mut grown = TestVault::new();
    grown.reflect(&[pnpm()]);
    grown.reflect(std::slice::from_ref(&lesson));
    assert!(grown.read(PNPM).contains("> pnpm again please\n"), "a note that is there grows by them");
    stage.reflect(std::slice::from_ref(&lesson));
    let note = stage.read(PNPM);
    assert!(note.contains(&format!("  - \"{LATER}/22222222-aaaa-4bbb-8ccc-000000000001\"\n")), "{note}");
    assert!(
        note.contains("> pnpm again please\n\nUser · 2026-03-18 · session `a0b1c2d3` · line 5\n"),
        "{note}"
    );
    let (plan, _) = stage.reflect(&[lesson]);
    assert!(plan.actions.is_empty(), "{plan:#?}");
}

#[test]
fn the_same_words_of_another_session_are_evidence_and_of_the_same_session_are_not() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let id = stage.scan().by_key(&pnpm().key).unwrap().properties.id;
    let again = |uuid: &str, session: &str| {
        let evidence = vec![user_evidence(uuid, 5, &pnpm().candidate.evidence[0].quote)];
        let mut again =
            lesson_of(candidate(Kind::Preference, Confidence::High, "Use pnpm.", evidence), session);
        (again.strengthens, again.when) = (id, "2026-03-18T10:00:00Z".parse().unwrap());
        again
    };
    let (plan, _) = stage.reflect(&[again("22222222-aaaa-4bbb-8ccc-000000000009", SESSION)]);
    assert!(plan.actions.is_empty(), "{plan:#?}");
    stage.reflect(&[again("22222222-aaaa-4bbb-8ccc-000000000001", LATER)]);
    let grown = stage.read(PNPM);
    assert_eq!(grown.matches("> always use pnpm here").count(), 2, "{grown}");
    assert!(grown.contains(&format!("{LATER}/22222222")) && grown.contains("updated: 2026-03-18"), "{grown}");
}

#[test]
fn a_fork_repeats_an_entry_and_adds_nothing() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let before = stage.snapshot();
    let mut fork = pnpm();
    fork.session = afterword_core::SessionId::parse(LATER).unwrap();
    fork.candidate.evidence[0].line = 3;
    let (plan, _) = stage.reflect(&[fork]);
    assert!(plan.actions.is_empty(), "{plan:#?}");
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn other_words_of_an_entry_that_is_named_already_add_nothing() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let mut more = pnpm();
    more.candidate.evidence.push(user_evidence(
        "11111111-aaaa-4bbb-8ccc-000000000001",
        12,
        "npm breaks the lockfile, as I said",
    ));
    let (plan, _) = stage.reflect(&[more]);
    assert!(plan.actions.is_empty(), "{plan:#?}");
}

#[test]
fn an_entry_without_an_id_is_known_by_its_words_when_its_line_moves() {
    let mut stage = TestVault::new();
    let queued = |line| {
        let evidence = vec![user_evidence("", line, "always use pnpm")];
        lesson_of(candidate(Kind::Preference, Confidence::High, "Use pnpm.", evidence), SESSION)
    };
    stage.reflect(&[queued(5)]);
    let (plan, _) = stage.reflect(&[queued(9)]);
    assert!(plan.actions.is_empty(), "{plan:#?}");
}

#[test]
fn evidence_that_changes_places_as_a_session_grows_is_the_same_lesson() {
    let mut stage = TestVault::new();
    let first = user_evidence("33333333-aaaa-4bbb-8ccc-000000000001", 5, "tests first please");
    let second = user_evidence("33333333-aaaa-4bbb-8ccc-000000000002", 9, "you forgot the tests again");
    let with = |evidence| {
        lesson_of(candidate(Kind::Workflow, Confidence::High, "Write tests first.", evidence), SESSION)
    };
    stage.reflect(&[with(vec![first.clone()])]);
    let (plan, _) = stage.reflect(&[with(vec![second.clone(), first.clone()])]);
    assert_eq!(plan.actions.len(), 1, "{plan:#?}");
    assert_eq!(stage.files().iter().filter(|path| path.contains("Workflows/")).count(), 1);
    // Even when the first piece is not named any more.
    let (plan, _) = stage.reflect(&[with(vec![second])]);
    assert!(plan.actions.is_empty(), "{plan:#?}");
}

#[test]
fn two_lessons_of_one_message_are_two_notes() {
    let mut stage = TestVault::new();
    let entry = "44444444-aaaa-4bbb-8ccc-000000000001";
    let one =
        candidate(Kind::Preference, Confidence::High, "Use tabs.", vec![user_evidence(entry, 5, "use tabs")]);
    let two = candidate(
        Kind::Preference,
        Confidence::High,
        "Use Tabs!",
        vec![user_evidence(entry, 5, "and name them Tabs")],
    );
    stage.reflect(&[lesson_of(one, SESSION), lesson_of(two, SESSION)]);
    stage.read("Afterword/Preferences/use-tabs.md");
    stage.read("Afterword/Preferences/use-tabs-2.md");
}

#[test]
fn a_lesson_that_comes_twice_in_one_run_is_one_note() {
    let mut stage = TestVault::new();
    let (plan, _) = stage.reflect(&[pnpm(), pnpm()]);
    assert_eq!(plan.kept.iter().filter(|kept| kept.reason == Reason::Repeated).count(), 1);
    assert_eq!(stage.files().iter().filter(|path| path.contains("Preferences/")).count(), 1);
}

#[test]
fn a_lesson_without_a_project_has_no_project() {
    let mut stage = TestVault::new();
    let mut lesson = pnpm();
    lesson.project = None;
    stage.reflect(&[lesson]);
    assert!(!stage.read(PNPM).contains("project:"));
    assert!(!stage.path(OVERVIEW).exists());
}

#[test]
fn what_was_written_before_a_crash_is_taken_up_not_written_again() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    stage.ledger.clear();
    let before = stage.snapshot();
    let (plan, _) = stage.reflect(&all());
    assert!(plan.actions.is_empty(), "{plan:#?}");
    assert_eq!(stage.snapshot(), before);
    assert_eq!(stage.ledger.len(), 4, "the notes are remembered again");
}

#[test]
fn an_idea_page_without_its_line_gets_the_line() {
    let mut stage = TestVault::new();
    let plan = stage.plan(&[idea()]);
    let mut half = plan.clone();
    half.actions.truncate(1);
    assert_eq!(half.actions[0].path.as_str(), IDEA);
    stage.vault.apply(&half); // killed here: no line, nothing remembered
    stage.reflect(&[idea()]);
    assert_eq!(stage.read("Afterword/Ideas.md").matches("^idea-").count(), 1);
    assert!(stage.ledger.contains_key(&idea().key));
    assert!(stage.plan(&[idea()]).actions.is_empty());
}

#[test]
fn overview_links_resolve() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let overview = stage.read(OVERVIEW);
    let links: Vec<&str> =
        overview.split("[[").skip(1).map(|rest| rest.split(['|', ']']).next().unwrap()).collect();
    assert_eq!(links.len(), 3, "the weak one is only counted: {overview}");
    for link in links {
        assert!(stage.path(&format!("{link}.md")).is_file(), "{link}");
    }
    for heading in ["## Waiting for your answer (1)", "## Preferences (1)", "## Ideas (1)"] {
        assert!(overview.contains(heading), "{overview}");
    }
    assert!(overview.contains("One lesson of low confidence is in the inbox."));
    stage.reflect(&[weak(), fix()]);
    assert_eq!(stage.read(OVERVIEW), overview);
}
