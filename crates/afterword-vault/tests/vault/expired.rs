//! A lesson that nobody answered goes to the archive, and counts as any other once somebody wants it back.

use afterword_vault::note::Note;
use afterword_vault::properties::Status;
use afterword_vault::{NewWording, NoteEditor, Revision, Snapshot, expired_on};

use crate::test_vault::{TestVault, now, pnpm};

const NAME: &str = "use-pnpm-never-npm.md";
const PNPM: &str = "Afterword/Preferences/use-pnpm-never-npm.md";

/// The one lesson of a vault, given to `change`.
fn changed(
    stage: &TestVault,
    change: impl Fn(&NoteEditor<'_>, &afterword_vault::NoteEntry) -> Revision,
) -> Revision {
    let index = stage.scan();
    let entry = index.notes().find(|entry| entry.path.name() == NAME).unwrap();
    change(&NoteEditor::new(&index), entry)
}

#[test]
fn lesson_that_went_to_the_archive_unanswered_says_nothing_of_it_once_it_counts_again() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let expired = changed(&stage, |editor, entry| editor.expire(entry, now().date(), 30).unwrap());
    std::fs::remove_file(stage.path(PNPM)).unwrap();
    stage.write(&expired.to.to_string(), &expired.content);
    let index = stage.scan();
    let entry = index.at(&expired.to).unwrap();
    assert_eq!(expired_on(entry), Some(now().date()), "{}", expired.content);

    let words = NewWording::default();
    for back in [
        changed(&stage, |editor, entry| editor.set_status(entry, Status::Active).unwrap()),
        changed(&stage, |editor, entry| editor.approve(entry, &words, &[]).unwrap()),
    ] {
        let note = Note::parse(back.content.clone());
        let left = ["archived", "archived_because"].map(|name| note.text_of(name).unwrap_or_default());
        assert_eq!((back.to.to_string().as_str(), left.concat().as_str()), (PNPM, ""), "{}", back.content);
    }
}

#[test]
fn two_notes_of_one_lesson_may_be_in_conflict_and_one_may_not() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let may_conflict = || Snapshot::take(&stage.vault, &Snapshot::default()).unwrap().may_conflict();
    assert!(!may_conflict());
    stage.write("Afterword/Preferences/the-same-elsewhere.md", &stage.read(PNPM));
    assert!(may_conflict());
}
