//! What people do to notes is told in their words, and respected by the next reflection.

use std::fs;

use afterword_vault::changes::records_of_merges;
use afterword_vault::{Change, Changes, Reason, ReviewAnswer, Snapshot, Status, VaultError, diff_snapshots};

use crate::test_vault::{LATER, TestVault, all, at, candidate, idea, lesson_of, pnpm, user_evidence};

const PNPM: &str = "Afterword/Preferences/use-pnpm-never-npm.md";
const FIX: &str = "Afterword/_review/clear-the-cache-when-the-build-hangs.md";

/// A vault that was looked at once.
struct Watched {
    stage: TestVault,
    before: Snapshot,
}

impl Watched {
    fn new() -> Self {
        let mut stage = TestVault::new();
        stage.reflect(&all());
        let before = Snapshot::take(&stage.vault, &Snapshot::default()).unwrap();
        Self { stage, before }
    }

    fn look(&mut self) -> Changes {
        let after = Snapshot::take(&self.stage.vault, &self.before).unwrap();
        let told = diff_snapshots(&self.before, &after);
        self.before = after;
        told
    }

    fn rename(&self, from: &str, to: &str) {
        fs::create_dir_all(self.stage.path(to).parent().unwrap()).unwrap();
        fs::rename(self.stage.path(from), self.stage.path(to)).unwrap();
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.stage.read(path);
        assert!(text.contains(from), "{text}");
        self.stage.write(path, &text.replacen(from, to, 1));
    }
}

#[test]
fn a_second_look_tells_nothing() {
    let mut watched = Watched::new();
    assert_eq!(watched.look(), Changes::default());
    let kept = Snapshot::load(&{
        let file = watched.stage.path("snapshot.json");
        fs::write(&file, watched.before.to_bytes().unwrap()).unwrap();
        file
    });
    assert_eq!(kept, Some(watched.before.clone()), "and so does one that was kept in a file");
}

#[test]
fn an_edit_a_tag_and_an_answer_are_told_apart() {
    let mut watched = Watched::new();
    watched.edit(PNPM, "This holds", "My words: this holds");
    assert_eq!(watched.look().list, [Change::Edited { path: at(PNPM) }]);
    watched.edit(PNPM, "  - afterword\n", "  - afterword\n  - tools\n");
    assert_eq!(watched.look().list, [Change::Tagged { path: at(PNPM) }, Change::Edited { path: at(PNPM) }]);
    watched.edit(FIX, "review:\n", "review: reject\n");
    let told = watched.look();
    assert!(
        told.list.contains(&Change::Answered { path: at(FIX), answer: ReviewAnswer::Reject }),
        "{told:?}"
    );
    assert!(told.concern_review());
}

#[test]
fn growth_is_no_edit() {
    let mut watched = Watched::new();
    let mut again = pnpm();
    again.candidate.evidence.push(user_evidence("22222222-aaaa-4bbb-8ccc-000000000009", 3, "pnpm I said"));
    watched.stage.reflect(&[again]);
    assert_eq!(watched.look().list, [Change::Grown { path: at(PNPM) }]);
}

#[test]
fn renamed_moved_and_moved_with_an_edit() {
    let mut watched = Watched::new();
    watched.rename(PNPM, "Afterword/Preferences/pnpm.md");
    let renamed = at("Afterword/Preferences/pnpm.md");
    assert_eq!(watched.look().list, [Change::Renamed { from: at(PNPM), to: renamed.clone() }]);
    watched.rename("Afterword/Preferences/pnpm.md", "Tools/pnpm.md");
    watched.edit("Tools/pnpm.md", "This holds", "It holds");
    let moved = at("Tools/pnpm.md");
    let told = watched.look();
    assert_eq!(
        told.list,
        [Change::Moved { from: renamed, to: moved.clone() }, Change::Edited { path: moved }]
    );
    watched.stage.reflect(&all());
    assert!(!watched.stage.path(PNPM).exists(), "the next reflection knows it by its id");
}

#[test]
fn out_of_the_queue_among_the_lessons_is_approved() {
    let mut watched = Watched::new();
    watched.rename(FIX, "Afterword/Fixes/cache.md");
    watched.look();
    let index = watched.stage.scan();
    let entry = index.at(&at("Afterword/Fixes/cache.md")).unwrap();
    assert_eq!(entry.properties.effective_status(), Some(Status::Active));
}

#[test]
fn archived_by_its_property_or_its_folder_and_revived() {
    let mut watched = Watched::new();
    watched.edit(PNPM, "status: active", "status: archived");
    assert!(watched.look().list.contains(&Change::Archived { path: at(PNPM) }));
    watched.edit(PNPM, "status: archived", "status: active");
    assert!(watched.look().list.contains(&Change::Revived { path: at(PNPM) }));
    let archive = "Afterword/_archive/pnpm.md";
    watched.rename(PNPM, archive);
    let told = watched.look();
    assert!(told.list.contains(&Change::Archived { path: at(archive) }), "{told:?}");
    let plan = watched.stage.plan(&[pnpm()]);
    assert_eq!(plan.kept[0].reason, Reason::Retired);
}

#[test]
fn deleted_and_restored() {
    let mut watched = Watched::new();
    let text = watched.stage.read(PNPM);
    fs::remove_file(watched.stage.path(PNPM)).unwrap();
    assert_eq!(watched.look().list, [Change::Deleted { path: at(PNPM) }]);
    assert_eq!(watched.stage.plan(&[pnpm()]).kept[0].reason, Reason::Deleted);
    assert_eq!(watched.look(), Changes::default(), "told once");
    watched.stage.write("Afterword/Preferences/back.md", &text);
    assert_eq!(watched.look().list, [Change::Restored { path: at("Afterword/Preferences/back.md") }]);
    assert_eq!(watched.stage.plan(&[pnpm()]).kept[0].reason, Reason::Known);
}

#[test]
fn a_note_split_in_two_keeps_its_lesson() {
    let mut watched = Watched::new();
    let long = "This is the first half of a long thought.\n\nAnd this is its second half, about yarn.";
    watched.edit(PNPM, "This holds whenever packages are installed.", long);
    watched.look();
    watched.edit(PNPM, "\n\nAnd this is its second half, about yarn.", "");
    let other = "Afterword/Preferences/yarn.md";
    watched.stage.write(other, "And this is its second half, about yarn.\n");
    let told = watched.look();
    assert!(told.list.contains(&Change::Split { from: at(PNPM), into: vec![at(other)] }), "{told:?}");
    let before = watched.stage.snapshot();
    watched.stage.reflect(&all());
    assert_eq!(watched.stage.snapshot(), before, "the next reflection changes nothing about it");
}

/// It did not go into the other, so no other machine may learn it again.
#[test]
fn note_that_has_paragraphs_in_common_with_another_is_deleted() {
    let mut watched = Watched::new();
    let evidence = vec![user_evidence("33333333-aaaa-4bbb-8ccc-000000000001", 5, "no yarn either")];
    let kind = afterword_core::Kind::Preference;
    let yarn =
        lesson_of(candidate(kind, afterword_core::Confidence::High, "Never use yarn.", evidence), LATER);
    watched.stage.reflect(&[yarn]);
    let other = "Afterword/Preferences/never-use-yarn.md";
    let exchange = "**Before that, the agent:** “I installed the packages as the readme says.”\n\n\
                    **The agent's answer:** “Understood, I take pnpm.”\n\nThe packaging guide has the whole story.";
    for path in [PNPM, other] {
        watched.edit(path, "## Evidence", &format!("{exchange}\n\n## Evidence"));
    }
    watched.look();
    fs::remove_file(watched.stage.path(other)).unwrap();
    assert_eq!(watched.look().list, [Change::Deleted { path: at(other) }]);
}

#[test]
fn merged_notes_grow_together() {
    let mut watched = Watched::new();
    let evidence = vec![user_evidence("33333333-aaaa-4bbb-8ccc-000000000001", 5, "no yarn either")];
    let kind = afterword_core::Kind::Preference;
    let yarn =
        lesson_of(candidate(kind, afterword_core::Confidence::High, "Never use yarn.", evidence), LATER);
    watched.stage.reflect(std::slice::from_ref(&yarn));
    watched.look();
    let (other, text) = (
        "Afterword/Preferences/never-use-yarn.md",
        "Never use yarn. This holds whenever packages are installed.",
    );
    assert!(watched.stage.read(other).contains(text));
    watched.edit(PNPM, "## Evidence", &format!("{text}\n\n## Evidence"));
    fs::remove_file(watched.stage.path(other)).unwrap();
    let before = watched.before.clone();
    let told = watched.look();
    assert!(told.list.contains(&Change::Merged { from: at(other), into: at(PNPM) }), "{told:?}");
    for record in records_of_merges(&told, &before, &watched.before, &watched.stage.ledger) {
        watched.stage.ledger.insert(record.key, record.written);
    }
    let mut again = yarn;
    again.candidate.evidence.push(user_evidence("44444444-aaaa-4bbb-8ccc-000000000001", 6, "again: no yarn"));
    watched.stage.reflect(&[again]);
    assert!(!watched.stage.path(other).exists());
    assert!(
        watched.stage.read(PNPM).contains("> again: no yarn"),
        "what is said again of one is said of both"
    );
}

#[test]
fn a_copy_is_told_and_the_note_stays_the_note() {
    let mut watched = Watched::new();
    let copy = "Afterword/Preferences/use-pnpm-never-npm 1.md";
    fs::copy(watched.stage.path(PNPM), watched.stage.path(copy)).unwrap();
    assert_eq!(watched.look().list, [Change::Copied { of: at(PNPM), path: at(copy) }]);
}

#[test]
fn ideas_are_ticked_reopened_and_removed() {
    let mut watched = Watched::new();
    let ideas = "Afterword/Ideas.md";
    let id = afterword_vault::ideas::block_id(&idea().key);
    watched.edit(ideas, "- [ ] ", "- [x] ");
    assert!(watched.look().list.contains(&Change::IdeaTicked { idea: id.clone(), done: true }));
    watched.edit(ideas, "- [x] ", "- [ ] ");
    assert!(watched.look().list.contains(&Change::IdeaTicked { idea: id.clone(), done: false }));
    let without: String =
        watched.stage.read(ideas).split_inclusive('\n').filter(|line| !line.contains("^idea-")).collect();
    watched.stage.write(ideas, &without);
    assert!(watched.look().list.contains(&Change::IdeaRemoved { idea: id }));
}

#[test]
fn what_is_not_here_is_not_deleted() {
    let mut watched = Watched::new();
    let text = watched.stage.read(PNPM);
    let name = "use-pnpm-never-npm.md";
    let folder = watched.stage.path("Afterword/Preferences");
    // A placeholder, a file that was only made, one of zeros alone, one that is cut off inside its front matter.
    fs::remove_file(folder.join(name)).unwrap();
    fs::write(folder.join(format!(".{name}.icloud")), "bplist00").unwrap();
    let states: [(&str, Vec<u8>); 4] = [
        ("placeholder", vec![]),
        ("empty", vec![]),
        ("zeros", vec![0; 900]),
        ("cut", text.as_bytes()[..60].to_vec()),
    ];
    for (state, bytes) in states {
        if state != "placeholder" {
            let _ = fs::remove_file(folder.join(format!(".{name}.icloud")));
            fs::write(folder.join(name), &bytes).unwrap();
        }
        assert_eq!(watched.look(), Changes::default(), "{state}");
        let plan = watched.stage.plan(&[pnpm()]);
        assert_eq!(plan.kept[0].reason, Reason::OutOfSight, "{state}");
        assert!(plan.actions.iter().all(|action| action.path != at(PNPM)), "{state}");
    }
    watched.stage.write(PNPM, &text);
    assert_eq!(watched.look(), Changes::default(), "here again, as it was");
}

#[test]
fn a_vault_that_was_taken_away_is_no_deletion() {
    let watched = Watched::new();
    let (home, aside) = (watched.stage.path("Afterword"), watched.stage.path("aside"));
    fs::rename(&home, &aside).unwrap();
    let error = Snapshot::take(&watched.stage.vault, &watched.before).unwrap_err();
    assert!(matches!(error, VaultError::NotAVault { .. }), "{error}");
}

#[test]
fn a_storm_neither_doubles_nor_loses_a_note() {
    let stage = TestVault::new();
    let mut watched = Watched { before: Snapshot::default(), stage };
    let lesson = |number: u32| {
        let quote = format!("rule number {number} as I said");
        let evidence = vec![user_evidence(&format!("{number:08}-aaaa-4bbb-8ccc-000000000001"), 1, &quote)];
        let kind = afterword_core::Kind::Preference;
        lesson_of(
            candidate(kind, afterword_core::Confidence::High, &format!("Rule number {number}."), evidence),
            LATER,
        )
    };
    let lessons: Vec<_> = (0..300).map(lesson).collect();
    watched.stage.reflect(&lessons);
    watched.look();
    let (here, there) = (watched.stage.path("Afterword/Preferences"), watched.stage.path("elsewhere"));
    fs::rename(&here, &there).unwrap();
    fs::create_dir(&here).unwrap();
    let told = watched.look();
    assert_eq!(told.list.iter().filter(|change| matches!(change, Change::Moved { .. })).count(), 300);
    fs::remove_dir_all(&there).unwrap();
    let told = watched.look();
    assert!(told.many_gone, "no person deletes three hundred notes one by one");
    assert_eq!(told.list.len(), 300);
}
