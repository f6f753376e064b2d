//! Two versions of one note end as one where nobody has to decide, and stay two where somebody has.

use std::fs;

use afterword_vault::{
    Conflict, ConflictOutcome, Snapshot, Status, SyncTool, Vault, VaultPath, VersionChoice, find_conflicts,
    ideas, plan_tombstones,
};

use crate::test_vault::{TestVault, all, idea, now, pnpm, user_evidence};

const PNPM: &str = "Afterword/Preferences/use-pnpm-never-npm.md";
const BODY: &str = "This holds whenever packages are installed.";

fn copy_path(name: &str) -> String {
    format!("Afterword/Preferences/use-pnpm-never-npm{name}.md")
}

fn found_conflicts(stage: &TestVault) -> Vec<Conflict> {
    find_conflicts(&stage.scan(), &|_, _| false)
}

fn reflected() -> TestVault {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    stage
}

/// The note with one more piece of evidence, as another machine would have made it.
fn grown(stage: &TestVault, words: &str, uuid: &str) -> String {
    let other = TestVault::new();
    other.write(PNPM, &stage.read(PNPM));
    let mut lesson = pnpm();
    lesson.candidate.evidence.push(user_evidence(uuid, 3, words));
    let plan = afterword_vault::plan(&other.scan(), &[lesson], &afterword_vault::EmptyHistory, &now());
    other.vault.apply(&plan);
    other.read(PNPM)
}

#[test]
fn copies_are_set_apart_by_every_tools_name_and_vanish_when_equal() {
    for (name, tool) in [
        (".sync-conflict-20260314-101112-ABCDEFG", SyncTool::Syncthing),
        (" (Ana's conflicted copy 2026-03-14)", SyncTool::ConflictedCopy),
        (" (conflicted copy 2026-03-14 101112)", SyncTool::ConflictedCopy),
        (" (Conflicted copy iPhone 202603141011)", SyncTool::ConflictedCopy),
        (" 2", SyncTool::Numbered),
        (" (1)", SyncTool::Numbered),
        ("-DESKTOP-4F2K", SyncTool::ComputerName),
    ] {
        let stage = reflected();
        let text = stage.read(PNPM);
        stage.write(&copy_path(name), &text.replace('\n', "\r\n"));
        assert_eq!(stage.scan().notes().count(), 6, "{name}: no note of its own");
        let found = found_conflicts(&stage);
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].tool, Some(tool), "{name}");
        assert_eq!(found[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Done);
        assert!(!stage.path(&copy_path(name)).exists() && stage.read(PNPM) == text, "{name}");
    }
}

#[test]
fn a_note_with_such_a_name_of_its_own_stays() {
    let stage = reflected();
    let other = stage.read(PNPM).replace("id: ", "id: 0").replace("key: ", "key: 0");
    stage.write(&copy_path(" 2"), &other);
    stage.write(&copy_path("-LAPTOP"), "My own notes on pnpm, on the laptop.\n");
    assert!(found_conflicts(&stage).is_empty());
}

#[test]
fn the_only_version_left_is_the_note() {
    let mut stage = reflected();
    let copy = copy_path(".sync-conflict-20260314-101112-ABCDEFG");
    fs::rename(stage.path(PNPM), stage.path(&copy)).unwrap();
    assert!(stage.scan().copies().is_empty() && found_conflicts(&stage).is_empty());
    stage.reflect(&all());
    assert!(!stage.path(PNPM).exists() && stage.path(&copy).exists());
}

#[test]
fn evidence_of_both_sides_is_collected() {
    let stage = reflected();
    let copy = copy_path(".sync-conflict-20260314-101112-ABCDEFG");
    stage.write(&copy, &grown(&stage, "pnpm, I said", "22222222-aaaa-4bbb-8ccc-000000000001"));
    stage.write(PNPM, &grown(&stage, "use pnpm please", "33333333-aaaa-4bbb-8ccc-000000000001"));
    let found = found_conflicts(&stage);
    assert_eq!(found[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Done);
    assert!(!stage.path(&copy).exists());
    let index = stage.scan();
    let entry = index.at(&VaultPath::parse(PNPM).unwrap()).unwrap();
    assert_eq!(entry.properties.evidence.len(), 3, "{}", entry.note.print());
    for words in ["> pnpm, I said", "> use pnpm please", "> always use pnpm here"] {
        assert_eq!(entry.note.print().matches(words).count(), 1, "{}", entry.note.print());
    }
    assert!(matches!(entry.note.block("evidence"), afterword_vault::block::Block::Intact { .. }));
}

#[test]
fn an_answer_given_on_one_side_holds() {
    let stage = reflected();
    let waiting = "Afterword/_review/clear-the-cache-when-the-build-hangs.md";
    let text = stage.read(waiting);
    stage.write(
        "Afterword/_review/clear-the-cache-when-the-build-hangs (conflicted copy 2026-03-14 101112).md",
        &text.replace("review:\n", "review: approve\n"),
    );
    assert_eq!(found_conflicts(&stage)[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Done);
    assert_eq!(stage.read(waiting), text.replace("review:\n", "review: approve\n"));
}

#[test]
fn words_that_differ_wait_for_a_person() {
    let stage = reflected();
    let copy = copy_path(".sync-conflict-20260314-101112-ABCDEFG");
    let text = stage.read(PNPM);
    stage.write(PNPM, &text.replace(BODY, "Mine."));
    stage.write(&copy, &text.replace(BODY, "Also mine."));
    let before = stage.snapshot();
    let found = found_conflicts(&stage);
    assert_eq!(found[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Open);
    assert_eq!(stage.snapshot(), before, "nothing is touched");
    assert!(found[0].here.contains("Mine.") && found[0].there.contains("Also mine."));
}

#[test]
fn a_note_that_counts_here_and_not_there_waits_for_a_person() {
    let stage = reflected();
    let copy = copy_path(".sync-conflict-20260314-101112-ABCDEFG");
    let text = stage.read(PNPM);
    stage.write(&copy, &text.replace("status: active", "status: archived"));
    assert_eq!(found_conflicts(&stage)[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Open);
    assert_eq!(stage.read(PNPM), text);
}

#[test]
fn what_is_known_to_have_become_the_other_gives_way_on_either_side() {
    for edited_has_the_name in [true, false] {
        let stage = reflected();
        let first = Snapshot::take(&stage.vault, &Snapshot::default()).unwrap();
        let text = stage.read(PNPM);
        let mine = text.replace(BODY, "My own words now.");
        stage.write(PNPM, &mine);
        let second = Snapshot::take(&stage.vault, &first).unwrap();
        let copy = copy_path(".sync-conflict-20260314-101112-ABCDEFG");
        let theirs = grown(
            &{
                let other = TestVault::new();
                other.write(PNPM, &text);
                other
            },
            "pnpm, I said",
            "22222222-aaaa-4bbb-8ccc-000000000001",
        );
        let (at_name, at_copy) = if edited_has_the_name { (&mine, &theirs) } else { (&theirs, &mine) };
        stage.write(PNPM, at_name);
        stage.write(&copy, at_copy);
        let third = Snapshot::take(&stage.vault, &second).unwrap();
        let found = find_conflicts(&stage.scan(), &|from, to| third.changed_between(from, to));
        assert_eq!(
            found[0].merge(&stage.vault, &now()).unwrap(),
            ConflictOutcome::Done,
            "{edited_has_the_name}"
        );
        let joined = stage.read(PNPM);
        assert!(joined.contains("My own words now.") && joined.contains("> pnpm, I said"), "{joined}");
        assert!(!stage.path(&copy).exists());
    }
}

#[test]
fn words_that_a_sync_tool_put_in_the_place_of_others_did_not_come_from_them() {
    let copy = copy_path(".sync-conflict-20260314-101112-ABCDEFG");
    for looks_in_between in [true, false] {
        let stage = reflected();
        let text = stage.read(PNPM);
        let mut seen = Snapshot::take(&stage.vault, &Snapshot::default()).unwrap();
        stage.write(PNPM, &text.replace(BODY, "Said here."));
        seen = Snapshot::take(&stage.vault, &seen).unwrap();
        // What Syncthing does: the note becomes the copy, then the other machine's version comes in.
        std::fs::rename(stage.path(PNPM), stage.path(&copy)).unwrap();
        if looks_in_between {
            seen = Snapshot::take(&stage.vault, &seen).unwrap();
        }
        stage.write(PNPM, &text.replace(BODY, "Said there."));
        seen = Snapshot::take(&stage.vault, &seen).unwrap();
        let found = find_conflicts(&stage.scan(), &|from, to| seen.changed_between(from, to));
        assert_eq!(
            found[0].merge(&stage.vault, &now()).unwrap(),
            ConflictOutcome::Open,
            "{looks_in_between}"
        );
        assert!(found[0].here.contains("Said there.") && found[0].there.contains("Said here."));
    }
}

#[test]
fn a_person_decides_and_the_other_version_is_kept() {
    for (choice, here, archived, notes) in [
        (VersionChoice::Here, "Mine.", "Also mine.", 1),
        (VersionChoice::There, "Also mine.", "Mine.", 1),
        (VersionChoice::Both, "Mine.", "", 2),
    ] {
        let stage = reflected();
        let text = stage.read(PNPM);
        stage.write(PNPM, &text.replace(BODY, "Mine."));
        stage.write(&copy_path(" 2"), &text.replace(BODY, "Also mine."));
        let found = found_conflicts(&stage);
        assert_eq!(found[0].decide(&stage.vault, choice, &now()).unwrap(), ConflictOutcome::Done);
        assert!(stage.read(PNPM).contains(here) && !stage.path(&copy_path(" 2")).exists());
        let index = stage.scan();
        let in_archive = index.notes().find(|entry| entry.path.as_str().contains("_archive/"));
        assert_eq!(
            in_archive.is_some_and(|entry| entry.note.print().contains(archived)),
            !archived.is_empty()
        );
        let counting = index.notes().filter(|entry| {
            entry.path.as_str().contains("use-pnpm")
                && entry.properties.effective_status() == Some(Status::Active)
        });
        assert_eq!(counting.count(), notes, "{choice:?}");
        assert!(find_conflicts(&stage.scan(), &|_, _| false).is_empty(), "{choice:?}");
    }
}

#[test]
fn an_edit_between_look_and_settling_stands() {
    let stage = reflected();
    let copy = copy_path(" 2");
    stage.write(&copy, &stage.read(PNPM));
    let found = found_conflicts(&stage);
    let edited = stage.read(&copy).replace(BODY, "Saved just now.");
    stage.write(&copy, &edited);
    assert_eq!(found[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::ChangedMeanwhile);
    assert_eq!(stage.read(&copy), edited);
}

#[test]
fn ledgers_are_united_line_by_line() {
    let mut stage = reflected();
    let ideas_path = "Afterword/Ideas.md";
    let text = stage.read(ideas_path);
    let id = ideas::block_id(&idea().key);
    let theirs = text.replace("- [ ] ", "- [x] ") + "- [ ] theirs ^idea-aaaaaaaaaaaa\n";
    stage.write("Afterword/Ideas.sync-conflict-20260314-101112-ABCDEFG.md", &theirs);
    stage.write(ideas_path, &(text + "- [ ] ours ^idea-bbbbbbbbbbbb\n"));
    assert_eq!(found_conflicts(&stage)[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Done);
    let joined = ideas::parse_ideas(&stage.scan().ideas().unwrap().note);
    let done =
        |id: &str| joined.iter().filter(|line| line.block_id == id).map(|line| line.done).collect::<Vec<_>>();
    assert_eq!(done(&id), [true]);
    assert_eq!(done("idea-aaaaaaaaaaaa"), [false]);
    assert_eq!(done("idea-bbbbbbbbbbbb"), [false]);
    stage.reflect(&all());
}

#[test]
fn git_markers_are_joined_or_left() {
    let mut stage = reflected();
    let text = stage.read(PNPM);
    let (ours, theirs) = ("updated: 2026-03-15", "updated: 2026-04-01");
    assert!(text.contains(ours));
    let marked = text.replace(ours, &format!("<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> laptop"));
    stage.write(PNPM, &marked);
    assert_eq!(stage.scan().problems().len(), 1, "it is told");
    stage.reflect(&all());
    assert_eq!(stage.read(PNPM), marked, "and left alone until it is joined");
    assert_eq!(found_conflicts(&stage)[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Done);
    assert_eq!(stage.read(PNPM), text.replace(ours, theirs));

    let line = format!("Use pnpm, never npm. {BODY}");
    let both = text.replace(&line, "<<<<<<< HEAD\nMine.\n=======\nAlso mine.\n>>>>>>> laptop");
    stage.write(PNPM, &both);
    let conflict = &found_conflicts(&stage)[0];
    assert_eq!(conflict.merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Open);
    assert_eq!(conflict.decide(&stage.vault, VersionChoice::There, &now()).unwrap(), ConflictOutcome::Done);
    assert_eq!(stage.read(PNPM), text.replace(&line, "Also mine."));

    let with_base = text.replace(
        &line,
        &format!("<<<<<<< HEAD\nMine.\n||||||| 123\n{line}\n=======\n{line}\n>>>>>>> laptop"),
    );
    stage.write(PNPM, &with_base);
    assert_eq!(found_conflicts(&stage)[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Done);
    assert_eq!(stage.read(PNPM), text.replace(&line, "Mine."));
}

#[test]
fn one_lesson_written_by_two_machines_ends_as_one() {
    let mut results = Vec::new();
    for first_is_ours in [true, false] {
        let stage = reflected();
        let text = stage.read(PNPM);
        // A newer engine on the other machine gave it another title, and so another name.
        let other = text.replace("Use pnpm, never npm.", "Prefer pnpm.");
        let words = |text: &str| {
            text.replace("Use pnpm, never npm. This", "This").replace("Prefer pnpm. This", "This")
        };
        let (ours, theirs) = (
            words(&text).replace("title: \"Use pnpm, never npm.\"", "title: \"Prefer pnpm.\""),
            words(&other),
        );
        fs::remove_file(stage.path(PNPM)).unwrap();
        let names = ["Afterword/Preferences/prefer-pnpm.md", "Afterword/Preferences/prefer-pnpm-2.md"];
        stage.write(names[0], if first_is_ours { &ours } else { &theirs });
        stage.write(names[1], if first_is_ours { &theirs } else { &ours });
        let found = found_conflicts(&stage);
        assert_eq!((found.len(), found[0].tool), (1, None));
        assert_eq!(found[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Done);
        let index = stage.scan();
        assert_eq!(index.by_key(&pnpm().key).unwrap().path.as_str(), names[0]);
        let loser = index.at(&VaultPath::parse(names[1]).unwrap()).unwrap();
        assert_eq!(loser.properties.status, Some(Status::Superseded));
        assert_eq!(loser.properties.superseded_by, ["[[Afterword/Preferences/prefer-pnpm]]"]);
        assert!(find_conflicts(&index, &|_, _| false).is_empty(), "settled once");
        results.push((stage.read(names[0]), stage.read(names[1])));
    }
    assert_eq!(results[0], results[1], "every machine comes to the same end");
}

#[test]
fn a_copy_that_a_person_made_waits_for_them() {
    let stage = reflected();
    stage.write("Afterword/Preferences/yarn instead.md", &stage.read(PNPM));
    let before = stage.snapshot();
    let found = found_conflicts(&stage);
    assert_eq!(found[0].merge(&stage.vault, &now()).unwrap(), ConflictOutcome::Open);
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn a_deletion_holds_on_a_machine_that_never_saw_the_note() {
    let mut stage = reflected();
    let before = Snapshot::take(&stage.vault, &Snapshot::default()).unwrap();
    fs::remove_file(stage.path(PNPM)).unwrap();
    let facts = before.at(&VaultPath::parse(PNPM).unwrap()).unwrap();
    for _ in 0..2 {
        let plan = plan_tombstones(&stage.scan(), std::iter::once(facts), &now());
        stage.vault.apply(&plan);
    }
    let list = stage.read("Afterword/_archive/Deleted.md");
    assert_eq!(list.matches("^gone-").count(), 1, "{list}");
    assert!(!list.contains("pnpm"), "nothing of what it said is kept: {list}");
    // Another machine has the vault and no memory of its own.
    stage.ledger.clear();
    stage.reflect(&[pnpm()]);
    assert!(!stage.path(PNPM).exists());
    let allowed: String = list.split_inclusive('\n').filter(|line| !line.contains("^gone-")).collect();
    stage.write("Afterword/_archive/Deleted.md", &allowed);
    stage.reflect(&[pnpm()]);
    assert!(stage.path(PNPM).exists(), "the person took the line out");
}

#[test]
fn a_killed_settling_is_ended_by_the_next() {
    let stage = reflected();
    let copy = copy_path(" 2");
    stage.write(&copy, &grown(&stage, "pnpm, I said", "22222222-aaaa-4bbb-8ccc-000000000001"));
    let conflict = &found_conflicts(&stage)[0];
    // The first step alone: the note has both, the copy is still there.
    stage.write(PNPM, conflict.joined.as_ref().unwrap());
    let vault = Vault::open(&stage.folder()).unwrap();
    let again = &find_conflicts(&vault.scan().unwrap(), &|_, _| false)[0];
    assert_eq!(again.merge(&vault, &now()).unwrap(), ConflictOutcome::Done);
    assert_eq!(stage.read(PNPM), *conflict.joined.as_ref().unwrap());
    assert!(!stage.path(&copy).exists());
}
