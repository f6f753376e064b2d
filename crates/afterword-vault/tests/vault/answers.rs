//! Where a note goes when it stands otherwise, what two readings of a lesson rest on alike, and what goes out of the vault.

use std::fs;

use afterword_core::{Confidence, Destination};
use afterword_vault::ideas::{IdeaMark, idea_marks, mark_idea};
use afterword_vault::markdown::escaped_line;
use afterword_vault::month_review::plan_month_review;
use afterword_vault::note::Note;
use afterword_vault::research::{Research, with_research};
use afterword_vault::{ContentHash, EvidenceEntries, NoteEditor, Snapshot, Status, export};

use crate::test_vault::{TestVault, all, at, now, pnpm, user_evidence};

const PNPM: &str = "Afterword/Preferences/use-pnpm-never-npm.md";

#[test]
fn only_what_counts_again_leaves_the_archive() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let index = stage.scan();
    let entry = index.at(&at(PNPM)).unwrap();
    let to = |status| NoteEditor::new(&index).set_status(entry, status).unwrap().to.to_string();
    assert_eq!(to(Status::Archived), PNPM, "it stays where it is");
    fs::create_dir_all(stage.path("Afterword/_archive")).unwrap();
    let archived = "Afterword/_archive/use-pnpm-never-npm.md";
    fs::rename(stage.path(PNPM), stage.path(archived)).unwrap();
    let index = stage.scan();
    let entry = index.at(&at(archived)).unwrap();
    let to = |status| NoteEditor::new(&index).set_status(entry, status).unwrap().to.to_string();
    assert_eq!(to(Status::Archived), archived);
    assert_eq!(to(Status::Active), PNPM);
}

#[test]
fn a_note_that_counts_waits_again_only_where_it_is_less_sure_than_it_was() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let text = stage.read(PNPM);
    let improved = |known: &str, confidence, destination| {
        stage.write(PNPM, &text.replace("confidence: high", &format!("confidence: {known}")));
        let index = stage.scan();
        let entry = index.at(&at(PNPM)).unwrap();
        let mut lesson = pnpm();
        lesson.candidate.confidence = confidence;
        lesson.destination = destination;
        NoteEditor::new(&index)
            .rewrite_from_lesson(entry, &lesson, now().time_zone())
            .unwrap()
            .unwrap()
            .to
            .to_string()
    };
    for destination in [Destination::Inbox, Destination::Review, Destination::Saved] {
        assert_eq!(improved("medium", Confidence::High, destination), PNPM, "{destination:?}");
    }
    let inbox = improved("high", Confidence::Low, Destination::Inbox);
    assert!(inbox.starts_with("Afterword/_inbox/"), "{inbox}");
    let review = improved("high", Confidence::Medium, Destination::Review);
    assert!(review.starts_with("Afterword/_review/"), "{review}");
}

#[test]
fn a_note_rests_on_what_its_lesson_quoted() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let index = stage.scan();
    let entry = index.at(&at(PNPM)).unwrap();
    let note = EvidenceEntries::of_note(entry);
    assert_eq!(note.entries().count(), 1);
    assert_eq!(
        note.overlap(&EvidenceEntries::of_lesson(&pnpm())),
        4,
        "the same entry, first in both, in the same words"
    );
    // The same words in another entry, and other words of the same entry.
    let mut other = pnpm();
    let words = other.candidate.evidence[0].quote.clone();
    other.candidate.evidence[0].quote = "something else was said there".to_owned();
    other.candidate.evidence.push(user_evidence("22222222-aaaa-4bbb-8ccc-000000000001", 30, &words));
    assert_eq!(note.overlap(&EvidenceEntries::of_lesson(&other)), 2);
}

#[test]
fn an_idea_is_marked_in_its_box() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let index = stage.scan();
    let ledger = index.ideas().unwrap();
    let [(block, IdeaMark::Open)] = &idea_marks(&ledger.note)[..] else {
        panic!("{:?}", idea_marks(&ledger.note))
    };
    for (mark, expected) in
        [(IdeaMark::Done, "- [x] "), (IdeaMark::Dismissed, "- [-] "), (IdeaMark::Open, "- [ ] ")]
    {
        let marked = mark_idea(ledger, block, mark).unwrap().content;
        assert!(marked.contains(expected), "{marked}");
    }
}

#[test]
fn lessons_go_out_with_what_the_vault_says_of_them() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let lessons = export::exported_lessons(&stage.scan(), Some("shop"));
    let [lesson] = &lessons[..] else { panic!("only what counts goes out: {lessons:?}") };
    assert_eq!(
        (lesson.kind, lesson.title.as_str(), lesson.confidence, lesson.path.as_str()),
        ("preference", "Use pnpm, never npm.", Some("high"), PNPM)
    );
    assert!(!lesson.id.is_empty() && lesson.body.contains("whenever packages are installed"), "{lesson:?}");
    assert_eq!(export::exported_lessons(&stage.scan(), Some("another")), []);
}

#[test]
fn what_a_person_changed_counts_as_changed_whatever_is_added_to_it() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let mut lesson = pnpm();
    let mut again = |stage: &mut TestVault, uuid: &str| {
        lesson.candidate.evidence.push(user_evidence(uuid, 8, "pnpm I said"));
        stage.reflect(&[lesson.clone()]);
        let written = stage.ledger[&pnpm().key].content_hash.clone();
        (written == ContentHash::of(stage.read(PNPM).as_bytes()), written)
    };
    let (is_as_written, written) = again(&mut stage, "22222222-aaaa-4bbb-8ccc-000000000009");
    assert!(is_as_written, "nobody changed it");
    stage.write(PNPM, &stage.read(PNPM).replace("whenever packages", "whenever any packages"));
    let (is_as_written, now_written) = again(&mut stage, "33333333-aaaa-4bbb-8ccc-000000000009");
    assert!(!is_as_written && now_written == written);
}

#[test]
fn a_month_tells_what_was_learned_in_it_and_what_was_seen_again() {
    let mut stage = TestVault::new();
    stage.reflect(&[pnpm()]);
    let text = stage.read(PNPM);
    let of_month = |created: &str, updated: &str| {
        let lines = text.lines().map(|line| match line.split_once(": ") {
            Some(("created", _)) => format!("created: {created}\n"),
            Some(("updated", _)) => format!("updated: {updated}\n"),
            _ => format!("{line}\n"),
        });
        stage.write(PNPM, &lines.collect::<String>());
        let content = plan_month_review(&stage.scan(), now().date(), &now()).actions[0].content.clone();
        (content.contains("1 lesson was learned"), content.contains("Seen again"))
    };
    assert_eq!(of_month("2026-03-02", "2026-03-15"), (true, false));
    assert_eq!(of_month("2026-01-02", "2026-03-15"), (false, true));
    assert_eq!(of_month("2026-01-02", "2026-01-15"), (false, false));
}

#[test]
fn an_empty_text_is_no_list() {
    let list = |text: &str| Note::parse(format!("---\nl: {text}\n---\n")).list_of("l");
    assert_eq!(list("\"\""), [""; 0]);
    assert_eq!(list("a"), ["a"]);
    assert_eq!(list("[a, b]"), ["a", "b"]);
}

#[test]
fn what_was_said_of_an_idea_has_the_lists_that_hold_something() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let index = stage.scan();
    let page =
        index.notes().find(|entry| entry.path.as_str().ends_with("add-a-dark-mode/_index.md")).unwrap();
    let steps = ["Measure the contrast".to_owned()];
    let lists: [(&str, &[String]); 2] = [("First steps", &steps), ("Open questions", &[])];
    let research = Research { by: "a model", on: now().date(), problem: "It is too bright.", lists: &lists };
    let text = with_research(page, &research).content;
    assert!(
        text.contains("### First steps\n\n- Measure the contrast") && !text.contains("Open questions"),
        "{text}"
    );
}

#[test]
fn a_look_knows_which_notes_are_listed_and_which_are_copies() {
    let look = |stage: &TestVault| Snapshot::take(&stage.vault, &Snapshot::default()).unwrap();
    let mut stage = TestVault::new();
    let empty = look(&stage);
    stage.reflect(&[pnpm()]);
    let one = look(&stage);
    assert!(one.has_same_overviews(&look(&stage)) && !one.has_same_overviews(&empty));
    let own = one.own_notes().count();
    // Another machine wrote the same lesson under an id of its own.
    let other: String =
        stage.read(PNPM).split_inclusive('\n').filter(|line| !line.starts_with("id: ")).collect();
    stage.write("Afterword/Preferences/use-pnpm-never-npm 2.md", &other);
    assert_eq!(look(&stage).own_notes().count(), own, "a copy is none");
}

#[test]
fn an_ampersand_is_escaped_where_it_would_begin_a_character() {
    assert_eq!(escaped_line("research & development", 80), "research & development");
    assert!(escaped_line("a &lt; b", 80).starts_with("a \\&lt;"));
    assert!(escaped_line("a &#60; b", 80).starts_with("a \\&"));
}
