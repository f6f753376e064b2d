//! Promise 1: what a person changed, moved or deleted stays so.

use std::fs;

use crate::test_vault::{LATER, TestVault, all, idea, now, pnpm, user_evidence};
use afterword_vault::{ConflictOutcome, Outcome, Reason, SyncTool, VersionChoice, find_conflicts};

const PNPM: &str = "Afterword/Preferences/use-pnpm-never-npm.md";
const IDEA: &str = "Afterword/_idea-incubator/add-a-dark-mode/_index.md";
const IDEAS: &str = "Afterword/Ideas.md";
const OVERVIEW: &str = "Afterword/Projects/shop.md";

fn with_new_evidence() -> afterword_vault::Lesson {
    let mut lesson = pnpm();
    lesson.session = afterword_core::SessionId::parse(LATER).unwrap();
    lesson.when = "2026-03-18T10:00:00Z".parse().unwrap();
    lesson.candidate.evidence.push(user_evidence("22222222-aaaa-4bbb-8ccc-000000000009", 8, "pnpm I said"));
    lesson
}

#[test]
fn a_deleted_note_stays_deleted() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    fs::remove_file(stage.path(PNPM)).unwrap();
    let (plan, _) = stage.reflect(&[pnpm(), with_new_evidence()]);
    assert!(!stage.path(PNPM).exists());
    assert!(plan.kept.iter().all(|kept| kept.reason == Reason::Deleted), "{plan:#?}");
}

#[test]
fn obsidians_own_trash_counts_as_deleted() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    fs::create_dir(stage.path(".trash")).unwrap();
    fs::rename(stage.path(PNPM), stage.path(".trash/use-pnpm-never-npm.md")).unwrap();
    stage.reflect(&[with_new_evidence()]);
    assert!(!stage.path(PNPM).exists());
}

#[test]
fn a_moved_and_renamed_note_is_found_and_stays_where_it_is() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    fs::create_dir(stage.path("Team rules")).unwrap();
    fs::rename(stage.path(PNPM), stage.path("Team rules/Packages!.md")).unwrap();
    let (plan, _) = stage.reflect(&[with_new_evidence()]);
    assert!(!stage.path(PNPM).exists());
    assert!(stage.read("Team rules/Packages!.md").contains("> pnpm I said"));
    assert_eq!(plan.records[0].written.path.as_str(), "Team rules/Packages!.md");
    assert!(stage.read(OVERVIEW).contains("[[Team rules/Packages!|Use pnpm, never npm.]]"));
    assert!(stage.plan(&[with_new_evidence()]).actions.is_empty());
}

#[test]
fn a_note_whose_key_was_removed_is_known_by_its_id() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let text: String =
        stage.read(PNPM).split_inclusive('\n').filter(|line| !line.starts_with("key:")).collect();
    stage.write(PNPM, &text);
    let (plan, _) = stage.reflect(&[pnpm()]);
    assert!(plan.actions.is_empty(), "{plan:#?}");
}

#[test]
fn an_edited_body_stays_and_its_evidence_may_grow() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let edited =
        stage.read(PNPM).replace("Use pnpm, never npm. This", "Use **pnpm 9**. See [[Packages]]. This");
    stage.write(PNPM, &edited);
    stage.reflect(&[pnpm()]);
    assert_eq!(stage.read(PNPM), edited);
    stage.reflect(&[with_new_evidence()]);
    let grown = stage.read(PNPM);
    assert!(grown.contains("Use **pnpm 9**. See [[Packages]]. This") && grown.contains("> pnpm I said"));
}

#[test]
fn how_often_something_was_asked_for_is_counted_anew() {
    let mut stage = TestVault::new();
    let counted = |mut lesson: afterword_vault::Lesson, count: usize| {
        lesson.candidate.signal = afterword_core::Signal::RepeatedPattern;
        lesson.candidate.rationale = format!("Asked for in {count} sessions of this project.");
        lesson
    };
    stage.reflect(&[counted(pnpm(), 2)]);
    stage.reflect(&[counted(with_new_evidence(), 3)]);
    let note = stage.read(PNPM);
    assert!(note.contains("in 3 sessions") && !note.contains("in 2 sessions"), "{note}");
}

#[test]
fn edited_evidence_is_theirs() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let edited = stage.read(PNPM).replace("npm breaks the lockfile", "(removed)");
    stage.write(PNPM, &edited);
    let (plan, _) = stage.reflect(&[with_new_evidence()]);
    assert_eq!(stage.read(PNPM), edited);
    assert_eq!(plan.kept[0].reason, Reason::EvidenceEdited);
}

const PROPOSED: &str = "Afterword/Preferences/use-pnpm-never-npm (Afterword proposes).md";

/// A note whose evidence a person edited, and what a later session adds to it, put beside it.
fn proposed() -> (TestVault, String) {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let edited = stage.read(PNPM).replace("npm breaks the lockfile", "(removed)");
    stage.write(PNPM, &edited);
    stage.reflect(&[with_new_evidence()]);
    (stage, edited)
}

#[test]
fn new_evidence_for_edited_evidence_is_proposed_beside_the_note_and_decided_like_two_versions() {
    for choice in [VersionChoice::Here, VersionChoice::There] {
        let (mut stage, edited) = proposed();
        let proposal = stage.read(PROPOSED);
        assert!(proposal.contains("(removed)") && proposal.contains("> pnpm I said"), "{proposal}");
        assert!(!stage.read(OVERVIEW).contains("proposes"), "it is no note of its own");
        let index = stage.vault.scan().unwrap();
        assert_eq!(index.notes().filter(|entry| entry.path.name().contains("pnpm")).count(), 1);
        let found = find_conflicts(&index, &|_, _| false);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].tool.map(SyncTool::name), Some("Afterword"));
        assert_eq!(
            found[0].merge(&stage.vault, &now()).unwrap(),
            ConflictOutcome::Open,
            "only a person decides"
        );
        assert!(stage.plan(&[with_new_evidence()]).actions.is_empty(), "proposed once");

        assert_eq!(found[0].decide(&stage.vault, choice, &now()).unwrap(), ConflictOutcome::Done);
        assert!(!stage.path(PROPOSED).exists());
        let expected = if choice == VersionChoice::Here { edited } else { proposal };
        assert_eq!(stage.read(PNPM), expected);
        stage.reflect(&[with_new_evidence()]);
        assert_eq!(stage.read(PNPM), expected);
        assert!(!stage.path(PROPOSED).exists(), "{choice:?}: what was decided is not asked again");
    }
}

#[test]
fn evidence_that_a_person_took_out_is_not_proposed_again() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let edited = stage.read(PNPM).replace("npm breaks the lockfile", "(removed)");
    stage.write(PNPM, &edited);
    let mut grown = pnpm();
    grown.candidate.evidence.push(user_evidence("22222222-aaaa-4bbb-8ccc-000000000009", 8, "pnpm I said"));
    let (plan, _) = stage.reflect(&[grown]);
    assert!(plan.actions.is_empty(), "the session is one they have seen: {plan:#?}");
}

#[test]
fn a_proposal_that_was_deleted_is_not_made_again() {
    let (mut stage, edited) = proposed();
    fs::remove_file(stage.path(PROPOSED)).unwrap();
    stage.reflect(&[with_new_evidence()]);
    assert!(!stage.path(PROPOSED).exists());
    assert_eq!(stage.read(PNPM), edited);
}

#[test]
fn removed_markers_or_a_removed_evidence_property_are_not_put_back() {
    for pattern in ["%% afterword:end", "%% afterword:begin", "evidence:"] {
        let mut stage = TestVault::new();
        stage.reflect(&[pnpm()]);
        let kept: String =
            stage.read(PNPM).split_inclusive('\n').filter(|line| !line.starts_with(pattern)).collect();
        let kept = if pattern == "evidence:" { kept.replace("  - \"6f3a", "# \"6f3a") } else { kept };
        stage.write(PNPM, &kept);
        let (plan, _) = stage.reflect(&[with_new_evidence()]);
        assert_eq!(stage.read(PNPM), kept, "{pattern}");
        assert_eq!(plan.kept[0].reason, Reason::EvidenceEdited, "{pattern}");
    }
}

#[test]
fn archived_and_superseded_notes_are_left_alone() {
    for status in ["archived", "superseded"] {
        let mut stage = TestVault::new();
        stage.reflect(&[pnpm()]);
        let retired = stage.read(PNPM).replace("status: active", &format!("status: {status}"));
        stage.write(PNPM, &retired);
        let (plan, _) = stage.reflect(&[with_new_evidence()]);
        assert_eq!(stage.read(PNPM), retired);
        assert_eq!(plan.kept[0].reason, Reason::Retired);
    }
}

#[test]
fn an_answer_given_in_the_editor_holds_at_once() {
    const WAITING: &str = "Afterword/_review/clear-the-cache-when-the-build-hangs.md";
    for (answer, reason, heading) in [
        ("approve", Reason::Known, "## Fixes and workarounds (1)"),
        ("\"Reject\" # not true", Reason::Retired, "## Preferences (1)"),
    ] {
        let mut stage = TestVault::new();
        stage.reflect(&all());
        assert!(stage.read(OVERVIEW).contains("## Waiting for your answer (1)"));
        let answered = stage.read(WAITING).replace("review:\n", &format!("review: {answer}\n"));
        stage.write(WAITING, &answered);
        let (plan, _) = stage.reflect(&all());
        assert_eq!(stage.read(WAITING), answered);
        assert!(plan.kept.iter().any(|kept| kept.reason == reason), "{plan:#?}");
        let overview = stage.read(OVERVIEW);
        assert!(overview.contains(heading) && !overview.contains("Waiting"), "{overview}");
    }
}

#[test]
fn crlf_byte_order_mark_comments_and_unknown_properties_survive_growth() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let text = stage.read(PNPM);
    let text = text.replace("status: active", "# my own\nrating: 5   # of 5\nstatus:   active # for now");
    let text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    stage.write(PNPM, &text);
    stage.reflect(&[with_new_evidence()]);
    let grown = stage.read(PNPM);
    assert!(grown.starts_with("\u{feff}---\r\n"));
    assert!(grown.contains("# my own\r\nrating: 5   # of 5\r\nstatus:   active # for now\r\n"));
    assert!(grown.contains("> pnpm I said\r\n"));
    assert_eq!(grown.matches('\n').count(), grown.matches("\r\n").count(), "no lone line feed");
    assert!(stage.plan(&[with_new_evidence()]).actions.is_empty());
}

#[test]
fn an_edit_between_plan_and_apply_stands() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let plan = stage.plan(&[with_new_evidence()]);
    let edited = stage.read(PNPM).replace("never npm", "hardly ever npm");
    stage.write(PNPM, &edited);
    let applied = stage.vault.apply(&plan);
    assert!(matches!(applied.done[0].outcome, Outcome::ChangedMeanwhile), "{applied:?}");
    assert_eq!(stage.read(PNPM), edited);
    assert!(applied.records.is_empty());
    stage.reflect(&[with_new_evidence()]);
    assert!(stage.read(PNPM).contains("> pnpm I said"), "the next run does what is left");
}

#[test]
fn a_file_made_between_plan_and_apply_stands() {
    let stage = TestVault::new();
    let plan = stage.plan(&[pnpm()]);
    stage.write(PNPM, "mine");
    let applied = stage.vault.apply(&plan);
    assert!(matches!(applied.done[0].outcome, Outcome::ChangedMeanwhile));
    assert_eq!(stage.read(PNPM), "mine");
    assert!(applied.records.iter().all(|record| record.key != pnpm().key));
}

#[test]
fn a_note_deleted_between_plan_and_apply_stays_deleted() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let plan = stage.plan(&[with_new_evidence()]);
    fs::remove_file(stage.path(PNPM)).unwrap();
    stage.vault.apply(&plan);
    assert!(!stage.path(PNPM).exists());
}

#[test]
fn ticked_reworded_and_moved_idea_lines_stay() {
    let mut stage = TestVault::new();
    stage.reflect(&[idea()]);
    let ideas = stage.read(IDEAS);
    let line = ideas.lines().find(|line| line.contains("^idea-")).unwrap();
    let id = line.rsplit(' ').next().unwrap();
    for mine in [line.replace("[ ]", "[x]"), format!("* my words {id}"), format!("    - [-] dropped {id}")] {
        let edited = ideas.replace(line, &format!("## Done\n{mine}"));
        stage.write(IDEAS, &edited);
        stage.reflect(&[idea()]);
        assert_eq!(stage.read(IDEAS), edited);
    }
}

#[test]
fn deleted_idea_lines_pages_and_ledgers_stay_deleted() {
    let mut stage = TestVault::new();
    stage.reflect(&[idea()]);
    let ideas = stage.read(IDEAS);
    let without: String = ideas.split_inclusive('\n').filter(|line| !line.contains("^idea-")).collect();
    stage.write(IDEAS, &without);
    stage.reflect(&[idea()]);
    assert_eq!(stage.read(IDEAS), without, "a deleted line");
    stage.write(IDEAS, &ideas);
    fs::remove_dir_all(stage.path("Afterword/_idea-incubator/add-a-dark-mode")).unwrap();
    stage.reflect(&[idea()]);
    assert!(!stage.path(IDEA).exists(), "a deleted page");
    assert_eq!(stage.read(IDEAS), ideas);
    fs::remove_file(stage.path(IDEAS)).unwrap();
    stage.reflect(&[idea()]);
    assert!(!stage.path(IDEAS).exists(), "a deleted ledger");
}

#[test]
fn a_moved_ledger_gets_the_new_ideas() {
    let mut stage = TestVault::new();
    stage.reflect(&[idea()]);
    fs::rename(stage.path(IDEAS), stage.path("Someday.md")).unwrap();
    let mut second = idea();
    second.candidate.title = "Add a light mode.".to_owned();
    second.candidate.evidence =
        vec![user_evidence("22222222-aaaa-4bbb-8ccc-000000000004", 9, "and a light mode")];
    let second = crate::test_vault::lesson_of(second.candidate, LATER);
    stage.reflect(&[idea(), second]);
    assert!(!stage.path(IDEAS).exists());
    let moved = stage.read("Someday.md");
    assert_eq!(moved.matches("^idea-").count(), 2, "{moved}");
}

#[test]
fn new_ideas_come_behind_the_last_open_one() {
    let mut stage = TestVault::new();
    stage.write(
        IDEAS,
        "# Mine\r\n\r\n## Next\r\n- [ ] one ^idea-000000000001\r\n  - a thought\r\n\r\n## Done\r\n- [x] two ^idea-000000000002\r\nend",
    );
    stage.reflect(&[idea()]);
    let ideas = stage.read(IDEAS);
    let (before, after) =
        ideas.split_once("  - a thought\r\n- [ ] [[").expect("behind the open item and its own lines");
    assert_eq!(before, "# Mine\r\n\r\n## Next\r\n- [ ] one ^idea-000000000001\r\n");
    assert!(after.ends_with("\r\n\r\n## Done\r\n- [x] two ^idea-000000000002\r\nend"), "{after:?}");
}

#[test]
fn text_around_an_overview_is_the_users() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let mine =
        stage.read(OVERVIEW).replace("\n%% afterword:begin", "\nMy notes on the shop.\n\n%% afterword:begin")
            + "\nMore.\n";
    stage.write(OVERVIEW, &mine);
    stage.reflect(&all());
    let after = stage.read(OVERVIEW);
    assert!(after.contains("\nMy notes on the shop.\n") && after.ends_with("\nMore.\n"));
    assert!(after.contains("## Ideas (1)"));
}

#[test]
fn an_overview_changed_between_its_markers_is_left_until_it_is_emptied() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let text = stage.read(OVERVIEW);
    let mine = text.replace("- [[", "- (read this!) [[");
    stage.write(OVERVIEW, &mine);
    stage.reflect(&all());
    assert_eq!(stage.read(OVERVIEW), mine);
    let inside = text.find("## Preferences").unwrap()..text.find("%% afterword:end").unwrap();
    let mut emptied = text.clone();
    emptied.replace_range(inside, "");
    stage.write(OVERVIEW, &emptied);
    stage.reflect(&[]);
    assert!(stage.read(OVERVIEW).contains("## Ideas (1)"));
}

#[test]
fn a_deleted_overview_stays_deleted_and_a_moved_one_is_kept_up() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    fs::rename(stage.path(OVERVIEW), stage.path("Shop.md")).unwrap();
    stage.reflect(&all());
    assert!(stage.read("Shop.md").contains("## Ideas (1)"));
    assert!(!stage.path(OVERVIEW).exists());
    fs::remove_file(stage.path("Shop.md")).unwrap();
    stage.reflect(&all());
    assert!(!stage.path(OVERVIEW).exists() && !stage.path("Shop.md").exists());
}

#[test]
fn a_note_of_the_users_own_under_the_same_name_is_not_touched() {
    let mut stage = TestVault::new();
    stage.write("Afterword/Preferences/Use-PNPM-never-npm.md", "mine");
    stage.write("Afterword/Projects/shop.md", "mine too");
    stage.reflect(&[pnpm()]);
    assert_eq!(stage.read("Afterword/Preferences/Use-PNPM-never-npm.md"), "mine");
    assert_eq!(stage.read("Afterword/Projects/shop.md"), "mine too");
    stage.read("Afterword/Preferences/use-pnpm-never-npm-2.md");
    stage.read("Afterword/Projects/shop-2.md");
}

#[test]
fn broken_notes_are_problems_with_a_line_and_are_never_rewritten() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let broken = stage.read(PNPM).replace("kind: preference", "kind: [preference");
    stage.write(PNPM, &broken);
    stage.write("Afterword/Fixes/open.md", "---\ntitle: never closed\n");
    fs::write(stage.path("Afterword/Fixes/latin1.md"), b"---\nid: x\n---\ncaf\xe9\n").unwrap();
    let problems: Vec<_> = stage.scan().problems().to_vec();
    let seen: Vec<(&str, usize)> =
        problems.iter().map(|problem| (problem.path.as_str(), problem.line)).collect();
    assert_eq!(seen.len(), 3, "{problems:?}");
    assert!(seen.contains(&("Afterword/Fixes/latin1.md", 4)), "{seen:?}");
    assert!(seen.contains(&("Afterword/Fixes/open.md", 1)), "{seen:?}");
    let (_, line) = seen.iter().find(|(path, _)| *path == PNPM).unwrap();
    assert!((3..=16).contains(line), "{problems:?}");
    stage.reflect(&[with_new_evidence()]);
    assert_eq!(stage.read(PNPM), broken);
}
