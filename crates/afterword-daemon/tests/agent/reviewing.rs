//! Answers to what waits, and taking them back.

use std::fs;
#[cfg(target_os = "linux")]
use std::time::Duration;

#[cfg(target_os = "linux")]
use afterword_app::indexing;
use afterword_app::lesson_history::LessonStep;
use afterword_app::review::{Answer, EditedWords, QueueFilter, ReviewItem};
use afterword_app::{ErrorKind, lesson_history, review};
use afterword_core::LessonScope;

use afterword_testkit::{Sandbox, now};

/// A home whose samples were reflected, with what waits for review.
fn reflected() -> (Sandbox, Vec<ReviewItem>) {
    let host = Sandbox::new();
    host.samples();
    host.reflect();
    let queue = review::review_queue(&host.app(), &QueueFilter::default(), &now()).unwrap();
    assert!(queue.len() > 3, "the samples hold lessons that wait");
    (host, queue)
}

fn read(host: &Sandbox, path: &str) -> String {
    fs::read_to_string(host.path("vault").join(path)).unwrap()
}

fn write(host: &Sandbox, path: &str, text: &str) {
    fs::write(host.path("vault").join(path), text).unwrap();
}

fn waiting_count(host: &Sandbox) -> usize {
    review::review_queue(&host.app(), &QueueFilter::default(), &now()).unwrap().len()
}

/// The vault's lessons with their bytes; overviews are made anew and do not count.
fn vault(host: &Sandbox) -> Vec<(String, String)> {
    host.lessons()
}

#[test]
fn what_waits_says_what_it_rests_on_and_what_led_to_it() {
    let (host, queue) = reflected();
    for item in &queue {
        assert!(!item.body.is_empty() && !item.rationale.is_empty() && !item.evidence.is_empty(), "{item:?}");
        assert!(!item.body.contains("%% afterword") && !item.body.contains("## Evidence"), "{}", item.body);
        assert_eq!(item.evidence[0].turns, [], "a list is short");
    }
    let shown = review::review_item(&host.app(), &queue[0].id.to_string(), &now()).unwrap();
    let evidence = &shown.evidence[0];
    let own: Vec<_> = evidence.turns.iter().filter(|turn| turn.is_evidence).collect();
    assert!(evidence.turns.len() > 1 && !own.is_empty(), "{evidence:?}");
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let quote = letters(&evidence.quote);
    assert!(own.iter().any(|turn| letters(&turn.text).contains(&quote)), "{evidence:?}");
    fs::remove_dir_all(host.path("claude")).unwrap();
    let shown = review::review_item(&host.app(), &queue[0].id.to_string(), &now()).unwrap();
    assert_eq!((shown.evidence[0].transcript.clone(), shown.evidence[0].turns.len()), (None, 0));
}

/// Bytes that this process has read. Each test is a process of its own.
#[cfg(target_os = "linux")]
fn bytes_read() -> u64 {
    let counts = fs::read_to_string("/proc/self/io").unwrap();
    counts.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_reads_the_vault_once() {
    let (host, queue) = reflected();
    let (notes, filler) = (60, "Said in passing, long ago.\n".repeat(1600));
    for number in 0..notes {
        let text = format!(
            "---\ntitle: Own rule {number}\nkind: preference\nstatus: active\nid: 0192f000-0000-7000-8000-{number:012}\n---\n\n\
             Mine.\n\n## Evidence\n\n{filler}"
        );
        write(&host, &format!("Afterword/Preferences/own-{number}.md"), &text);
    }
    indexing::refresh_index(&host.app()).unwrap();
    // A file that was just written is read again: its time does not tell yet whether it changed since.
    std::thread::sleep(Duration::from_millis(2_100));
    let before = bytes_read();
    review::approve(&host.app(), &queue[0].id.to_string(), &now()).unwrap();
    let read = bytes_read() - before;
    let vault = (notes * filler.len()) as u64;
    // The databases and the index are read beside it.
    assert!((vault..2 * vault + (1 << 20)).contains(&read), "{read} bytes of a vault of {vault}");
}

#[test]
fn what_is_shown_of_a_lesson_says_nothing_twice() {
    let (host, queue) = reflected();
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let mut shorter = 0;
    for item in &queue {
        let shown = review::review_item(&host.app(), &item.id.to_string(), &now()).unwrap();
        let besides = shown.body_without_evidence();
        shorter += usize::from(besides.len() < shown.body.len());
        assert!(!besides.contains("**Before that, the agent:**"), "{besides}");
        let page = afterword_app::lessons::lesson(&host.app(), &item.id.to_string()).unwrap();
        assert!(
            !page.html.contains("Before that, the agent:"),
            "its own page says it once, too: {}",
            page.html
        );
        let quotes: Vec<_> = shown.evidence.iter().map(|piece| letters(&piece.quote)).collect();
        for paragraph in besides.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
            assert!(!quotes.iter().any(|quote| quote.contains(&letters(paragraph))), "{paragraph}");
        }
    }
    assert!(shorter > 1, "most notes quote their evidence in their text");
}

#[test]
fn approved_lesson_moves_to_its_folder_and_undo_gives_back_every_byte() {
    let (host, queue) = reflected();
    let (item, before) = (&queue[0], vault(&host));
    let decision = review::approve(&host.app(), &item.id.to_string(), &now()).unwrap();
    assert_eq!(decision.verdict.as_str(), "approve");
    assert!(!decision.path.contains("/_review/") && !decision.path.contains("/_inbox/"), "{decision:?}");
    assert!(!host.path("vault").join(&item.path).exists());
    let text = read(&host, &decision.path);
    assert!(text.contains("\nstatus: active\n") && text.contains("\nreview: approve\n"), "{text}");
    assert_eq!(waiting_count(&host), queue.len() - 1);
    let again = review::approve(&host.app(), &item.id.to_string(), &now()).unwrap_err();
    assert_eq!(again.kind(), ErrorKind::Conflict, "{again}");

    let undone = review::undo_decision(&host.app(), None, &now()).unwrap();
    assert_eq!((undone.id, undone.path.as_deref()), (decision.id, Some(item.path.as_str())));
    assert_eq!(vault(&host), before);
    assert_eq!(waiting_count(&host), queue.len());
    assert_eq!(
        review::undo_decision(&host.app(), Some(decision.id), &now()).unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn edited_lesson_has_the_persons_words_and_no_secret() {
    let (host, queue) = reflected();
    let (item, before) = (&queue[0], vault(&host));
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let words = EditedWords {
        title: Some("Say it in my words".into()),
        body: Some(format!("My *own* words.\n\n## Evidence\n\nas I see it, key {}", &secret[..40])),
    };
    let decision = review::edit(&host.app(), &item.id.to_string(), &words, &now()).unwrap();
    assert_eq!((decision.verdict.as_str(), decision.title.as_str()), ("edit", "Say it in my words"));
    assert!(decision.path.ends_with("/say-it-in-my-words.md"), "{}", decision.path);
    let text = read(&host, &decision.path);
    assert!(text.contains("\nMy *own* words.\n\n## Evidence\n\nas I see it, key [redacted"), "{text}");
    assert!(text.contains("%% afterword:begin evidence") && !text.contains(&secret[..40]), "{text}");
    let shown = review::review_item(&host.app(), &decision.path, &now()).unwrap();
    assert_eq!(shown.evidence.len(), item.evidence.len(), "the evidence is still understood");
    assert!(shown.body.starts_with("My *own* words."), "{}", shown.body);
    review::undo_decision(&host.app(), Some(decision.id), &now()).unwrap();
    assert_eq!(vault(&host), before);
}

#[test]
fn rejected_lesson_is_archived_stays_away_and_can_be_taken_back() {
    let (host, queue) = reflected();
    let (item, before) = (&queue[0], vault(&host));
    let decision =
        review::reject(&host.app(), &item.id.to_string(), "a joke", LessonScope::Project, &now()).unwrap();
    assert!(decision.path.starts_with("Afterword/_archive/"), "{}", decision.path);
    let text = read(&host, &decision.path);
    assert!(text.contains("\nstatus: archived\n") && text.contains("\nreview: reject\n"), "{text}");
    let rejections = review::rejections(&host.app()).unwrap();
    assert_eq!(rejections.len(), 1);
    assert_eq!((rejections[0].reason.as_str(), &rejections[0].project), ("a joke", &item.project));

    let archived = vault(&host);
    fs::remove_dir_all(host.paths().state).unwrap();
    host.reflect();
    assert_eq!(vault(&host), archived, "it is known by the note, whatever the database knows");
    assert_eq!(review::rejections(&host.app()).unwrap().len(), 1);
    assert!(review::rejections(&host.app()).unwrap()[0].id.is_some(), "the reflection has taken it up");

    // The text it had is not known any more, so its properties are put back.
    let undone = review::undo_decision(&host.app(), None, &now()).unwrap();
    assert_eq!(undone.path.as_deref(), Some(item.path.as_str()));
    assert_eq!(review::rejections(&host.app()).unwrap(), []);
    let (_, old) = before.iter().find(|(name, _)| item.path.ends_with(name.as_str())).unwrap();
    let text = read(&host, &item.path);
    assert_eq!(text.replace("review_reason:\n", ""), *old);
}

#[test]
fn undoing_a_rejection_gives_back_every_byte() {
    let (host, queue) = reflected();
    let before = vault(&host);
    for item in &queue {
        review::reject(&host.app(), &item.id.to_string(), "no", LessonScope::Everywhere, &now()).unwrap();
    }
    assert_eq!(waiting_count(&host), 0);
    assert!(review::rejections(&host.app()).unwrap().iter().all(|one| one.project.is_none()));
    for _ in &queue {
        review::undo_decision(&host.app(), None, &now()).unwrap();
    }
    assert_eq!(vault(&host), before);
    assert_eq!(review::rejections(&host.app()).unwrap(), []);
}

#[test]
fn superseding_retires_the_old_lesson_and_undo_brings_it_back() {
    let (host, queue) = reflected();
    let old = review::approve(&host.app(), &queue[0].id.to_string(), &now()).unwrap();
    let before = vault(&host);
    let none = EditedWords::default();
    let waits =
        review::supersede(&host.app(), &queue[1].id.to_string(), &queue[2].id.to_string(), &none, &now());
    assert_eq!(waits.unwrap_err().kind(), ErrorKind::Conflict, "what waits itself cannot be superseded");
    let decision =
        review::supersede(&host.app(), &queue[1].id.to_string(), &old.path, &none, &now()).unwrap();
    assert_eq!(decision.superseded, Some(old.note));
    let (new, retired) = (read(&host, &decision.path), read(&host, &old.path));
    let link = |path: &str| format!("[[{}]]", path.trim_end_matches(".md"));
    assert!(new.contains(&format!("supersedes:\n  - \"{}\"", link(&old.path))), "{new}");
    assert!(retired.contains("status: superseded"), "{retired}");
    assert!(retired.contains(&format!("superseded_by:\n  - \"{}\"", link(&decision.path))), "{retired}");
    assert!(review::take_up_reviews(&host.app(), &now()).unwrap().is_empty());
    review::undo_decision(&host.app(), Some(decision.id), &now()).unwrap();
    assert_eq!(vault(&host), before);
}

#[test]
fn answers_given_in_an_editor_are_carried_out_once() {
    let (host, queue) = reflected();
    let answer = |item: &ReviewItem, word: &str| {
        let text = read(&host, &item.path);
        assert!(text.contains("\nreview:\n"), "{text}");
        write(&host, &item.path, &text.replace("\nreview:\n", &format!("\nreview: {word} # mine\n")));
    };
    answer(&queue[0], "yes");
    answer(&queue[1], "no");
    assert_eq!(waiting_count(&host), queue.len() - 2, "the answer counts at once");
    let taken = review::take_up_reviews(&host.app(), &now()).unwrap();
    let verdicts: Vec<_> = taken.decisions.iter().map(|one| one.verdict.as_str()).collect();
    assert_eq!((verdicts.len(), taken.problems.len()), (2, 0));
    let place = |verdict: &str| verdicts.iter().position(|one| *one == verdict).unwrap();
    let (approved, rejected) = (&taken.decisions[place("approve")], taken.decisions[place("reject")].clone());
    assert!(verdicts.contains(&"approve") && verdicts.contains(&"reject"), "{verdicts:?}");
    for decision in &taken.decisions {
        assert!(read(&host, &decision.path).contains("# mine\n"), "the person's comment stays");
        assert!(!decision.path.contains("/_review/") && !decision.path.contains("/_inbox/"));
    }
    let undone = review::undo_decision(&host.app(), Some(approved.id), &now()).unwrap();
    assert!(
        review::take_up_reviews(&host.app(), &now()).unwrap().is_empty(),
        "an answer taken back is not taken up again"
    );
    assert_eq!(waiting_count(&host), queue.len() - 1);
    review::approve(&host.app(), undone.path.as_deref().unwrap(), &now()).unwrap();
    let after = vault(&host);
    assert!(review::take_up_reviews(&host.app(), &now()).unwrap().is_empty());
    assert_eq!(vault(&host), after);

    // The rejection is taken back in the editor, too.
    let text = read(&host, &rejected.path);
    write(&host, &rejected.path, &text.replace("review: reject", "review: approve"));
    let taken = review::take_up_reviews(&host.app(), &now()).unwrap();
    assert_eq!(taken.undone, [rejected.id]);
    assert!(read(&host, &taken.decisions[0].path).contains("status: active"));
    assert_eq!(review::rejections(&host.app()).unwrap(), []);
    assert!(review::take_up_reviews(&host.app(), &now()).unwrap().is_empty());
}

#[test]
fn death_between_the_steps_of_an_answer_is_mended() {
    let (host, queue) = reflected();
    // What a kill leaves after the note was written and before it was moved, and after it was moved and before the
    // database heard of it.
    let active = |text: &str| {
        text.replace("status: inbox", "status: active").replace("\nreview:\n", "\nreview: approve\n")
    };
    write(&host, &queue[0].path, &active(&read(&host, &queue[0].path)));
    let moved = "Afterword/Preferences/moved.md";
    write(&host, moved, &active(&read(&host, &queue[1].path)));
    fs::remove_file(host.path("vault").join(&queue[1].path)).unwrap();
    let taken = review::take_up_reviews(&host.app(), &now()).unwrap();
    assert_eq!(taken.decisions.len(), 2);
    assert!(!host.path("vault").join(&queue[0].path).exists());
    assert!(host.path("vault").join(moved).exists());
    assert!(review::take_up_reviews(&host.app(), &now()).unwrap().is_empty());
}

#[test]
fn answer_that_cannot_be_carried_out_changes_nothing() {
    let (host, queue) = reflected();
    for name in ["Preferences", "Workflows", "Fixes", "_archive"] {
        let folder = host.path("vault/Afterword").join(name);
        if folder.exists() {
            fs::rename(&folder, host.path(&format!("aside-{name}"))).unwrap();
        }
        fs::write(folder, "a file").unwrap();
    }
    let kept =
        |host: &Sandbox| vault(host).into_iter().filter(|(_, text)| text != "a file").collect::<Vec<_>>();
    let before = kept(&host);
    let note = queue[0].id.to_string();
    assert!(review::approve(&host.app(), &note, &now()).is_err());
    assert!(review::reject(&host.app(), &note, "no", LessonScope::Project, &now()).is_err());
    assert_eq!(kept(&host), before);
    assert_eq!(waiting_count(&host), queue.len());
}

#[test]
fn what_a_person_changed_after_the_answer_is_kept_when_it_is_undone() {
    let (host, queue) = reflected();
    let decision = review::approve(&host.app(), &queue[0].id.to_string(), &now()).unwrap();
    let text = read(&host, &decision.path);
    write(&host, &decision.path, &text.replace("\n## Evidence", "\nAnd one more thing.\n\n## Evidence"));
    let undone = review::undo_decision(&host.app(), None, &now()).unwrap();
    assert!(undone.kept_changes);
    let text = read(&host, &queue[0].path);
    assert!(text.contains("And one more thing.") && text.contains("status: inbox"), "{text}");
    assert_eq!(waiting_count(&host), queue.len());
}

#[test]
fn note_a_person_keeps_elsewhere_stays_there() {
    let (host, queue) = reflected();
    let own = "My lessons/kept.md";
    fs::create_dir_all(host.path("vault/My lessons")).unwrap();
    fs::rename(host.path("vault").join(&queue[0].path), host.path("vault").join(own)).unwrap();
    assert_eq!(review::approve(&host.app(), "kept", &now()).unwrap().path, own);
    assert_eq!(review::undo_decision(&host.app(), None, &now()).unwrap().path.as_deref(), Some(own));
    assert_eq!(review::reject(&host.app(), "kept", "", LessonScope::Project, &now()).unwrap().path, own);
}

#[test]
fn an_answer_to_many_is_taken_back_as_one_with_every_byte_and_what_cannot_be_is_said() {
    let (host, queue) = reflected();
    assert_eq!(review::last_answer(&host.app()).unwrap_err().kind(), ErrorKind::NotFound);
    let before = vault(&host);
    let notes: Vec<_> = queue.iter().map(|item| item.id.to_string()).collect();
    let first = review::answer_without_follow_up(&host.app(), &notes[..1], &Answer::Skip, &now()).unwrap();
    let later = now().checked_add(jiff::ToSpan::minute(1)).unwrap();
    let decided = review::answer_all(&host.app(), &notes, &Answer::approve(), &later).unwrap();
    let mut ids: Vec<_> = decided.into_iter().map(|decision| decision.unwrap().id).rev().collect();
    assert_eq!(review::last_answer(&host.app()).unwrap(), ids);
    // One note is in two of them: it was put off, and then approved.
    ids.push(first[0].as_ref().unwrap().id);
    ids.insert(1, i64::MAX);
    let undone = review::undo_without_follow_up(&host.app(), &ids, &later).unwrap();
    let failed: Vec<_> = undone.iter().filter_map(|undone| undone.as_ref().err()).collect();
    assert!(failed.len() == 1 && undone[1].is_err(), "{failed:?}");
    assert_eq!(vault(&host), before);
    assert_eq!(waiting_count(&host), queue.len());
    assert_eq!(review::last_answer(&host.app()).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn what_nobody_will_answer_is_archived_at_once_and_comes_back_with_one_undo() {
    let (host, queue) = reflected();
    let before = vault(&host);
    let notes: Vec<_> = queue.iter().map(|item| item.id.to_string()).collect();
    let decided = review::answer_all(&host.app(), &notes, &Answer::Archive, &now()).unwrap();
    for decision in decided {
        let decision = decision.unwrap();
        assert!(decision.verdict.as_str() == "archive" && decision.path.starts_with("Afterword/_archive/"));
        let text = read(&host, &decision.path);
        assert!(text.contains("\nstatus: archived\n") && text.contains("you archived it"), "{text}");
    }
    assert_eq!(waiting_count(&host), 0);
    assert_eq!(review::rejections(&host.app()).unwrap(), [], "it is no rejection");
    host.reflect();
    assert_eq!(waiting_count(&host), 0, "its own session does not bring it back");
    let ids = review::last_answer(&host.app()).unwrap();
    let undone = review::undo_without_follow_up(&host.app(), &ids, &now()).unwrap();
    assert!(undone.len() == queue.len() && undone.iter().all(Result::is_ok), "{undone:?}");
    assert_eq!(vault(&host), before);
}

#[test]
fn active_lesson_is_put_in_other_words_and_deleted_and_its_life_is_told() {
    let (host, queue) = reflected();
    let id = queue[0].id.to_string();
    review::approve(&host.app(), &id, &now()).unwrap();
    let active = vault(&host);
    let minute = |many: i64| now().checked_add(jiff::ToSpan::minutes(many)).unwrap();

    let words = EditedWords { title: Some("In other words".into()), body: Some("All new.".into()) };
    let edited = review::edit(&host.app(), &id, &words, &minute(1)).unwrap();
    assert_eq!(edited.verdict.as_str(), "edit");
    let text = read(&host, &edited.path);
    assert!(text.contains("In other words") && text.contains("\nstatus: active\n"), "{text}");
    write(&host, &edited.path, &text.replace("All new.", "All new, and mine."));
    let kept = review::undo_decision(&host.app(), Some(edited.id), &minute(2)).unwrap();
    let text = read(&host, kept.path.as_deref().unwrap());
    assert!(kept.kept_changes && text.contains("and mine") && text.contains("\nstatus: active\n"), "{text}");

    let again = review::edit(&host.app(), &id, &words, &minute(3)).unwrap();
    review::undo_decision(&host.app(), Some(again.id), &minute(4)).unwrap();
    let deleted = review::reject(&host.app(), &id, "no longer so", LessonScope::Project, &minute(5)).unwrap();
    assert!(deleted.path.starts_with("Afterword/_archive/"), "{}", deleted.path);

    let steps = lesson_history::lesson_history(&host.app(), &id, &now()).unwrap();
    let own = steps.iter().filter(|step| step.what != LessonStep::Repeated);
    let told: Vec<_> = own.map(|step| (step.what, step.undone, step.reason.as_str())).collect();
    assert_eq!(
        told,
        [
            (LessonStep::Learned, false, ""),
            (LessonStep::Approved, false, ""),
            (LessonStep::Edited, true, ""),
            (LessonStep::Edited, true, ""),
            (LessonStep::Rejected, false, "no longer so"),
        ]
    );
    assert!(steps[0].session.is_some(), "{steps:?}");
    review::undo_decision(&host.app(), None, &minute(6)).unwrap();
    assert_eq!(vault(&host).len(), active.len());
}

#[test]
fn many_active_lessons_are_archived_and_brought_back_with_one_look_at_the_vault() {
    let (host, queue) = reflected();
    let ids: Vec<_> = queue.iter().map(|item| item.id.to_string()).collect();
    review::answer_all(&host.app(), &ids, &Answer::approve(), &now()).unwrap();
    let active = vault(&host);
    let archived =
        |host: &Sandbox| vault(host).iter().filter(|(_, text)| text.contains("\nstatus: archived\n")).count();
    review::archive_lessons(&host.app(), &ids, true, &now()).unwrap();
    assert_eq!(archived(&host), ids.len());
    review::archive_lessons(&host.app(), &ids, false, &now()).unwrap();
    assert_eq!((archived(&host), vault(&host).len()), (0, active.len()));
    let wrong = [ids[0].clone(), "no such note".into(), ids[1].clone()];
    assert!(review::archive_lessons(&host.app(), &wrong, true, &now()).is_err());
    assert_eq!(archived(&host), 1, "what was done before stays");
}

#[test]
fn model_puts_no_active_lesson_in_other_words() {
    let (host, queue) = reflected();
    let id = queue[0].id.to_string();
    review::approve(&host.app(), &id, &now()).unwrap();
    let words = EditedWords { title: Some(queue[0].title.clone()), body: None };
    assert!(review::edit(&host.app().for_model(), &id, &words, &now()).is_err());
}

#[test]
fn what_is_answered_alone_is_found_and_listed_once_the_rest_has_followed() {
    let (host, queue) = reflected();
    let notes: Vec<_> = queue.iter().map(|item| item.id.to_string()).collect();
    review::answer_without_follow_up(&host.app(), &notes, &Answer::approve(), &now()).unwrap();
    assert_eq!(waiting_count(&host), 0);
    let overviews = || {
        let all = fs::read_dir(host.path("vault/Afterword/Projects")).unwrap();
        all.map(|overview| fs::read_to_string(overview.unwrap().path()).unwrap()).collect::<String>()
    };
    assert!(overviews().contains("Waiting for your answer"), "the overviews are as they were");
    review::follow_up(&host.app(), &now()).unwrap();
    assert!(!overviews().contains("Waiting for your answer"), "{}", overviews());
}

#[test]
fn many_are_answered_at_once_and_each_stands_for_itself() {
    let (host, queue) = reflected();
    let mut notes: Vec<_> = queue.iter().map(|item| item.id.to_string()).collect();
    notes.insert(1, "no such note".into());
    let skipped = review::answer_all(&host.app(), &notes[..1], &Answer::Skip, &now()).unwrap();
    assert_eq!(skipped[0].as_ref().unwrap().verdict.as_str(), "skip");
    let last = review::review_queue(&host.app(), &QueueFilter::default(), &now()).unwrap().pop().unwrap();
    assert_eq!((last.id, last.skipped_at), (queue[0].id, Some(now().timestamp())));
    let decided = review::answer_all(&host.app(), &notes, &Answer::approve(), &now()).unwrap();
    let (done, failed): (Vec<_>, Vec<_>) = decided.into_iter().partition(Result::is_ok);
    assert_eq!((done.len(), failed.len()), (queue.len(), 1));
    assert_eq!(waiting_count(&host), 0);
    let overviews = fs::read_dir(host.path("vault/Afterword/Projects")).unwrap();
    for overview in overviews {
        let text = fs::read_to_string(overview.unwrap().path()).unwrap();
        assert!(!text.contains("Waiting for your answer"), "{text}");
    }
}

#[test]
fn bad_names_have_a_clear_error() {
    let (host, _) = reflected();
    let long = "x".repeat(100_000);
    for name in ["", "..", "../../etc/passwd", "\u{0}", "\u{202e}", "0", long.as_str(), "Afterword/Ideas.md"]
    {
        let error = review::approve(&host.app(), name, &now()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Invalid), "{name:?}: {error}");
    }
    assert_eq!(
        review::undo_decision(&host.app(), Some(i64::MAX), &now()).unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn words_given_with_a_lesson_that_takes_the_place_of_another_hold_no_secret() {
    let (host, queue) = reflected();
    let old = review::approve(&host.app(), &queue[0].id.to_string(), &now()).unwrap();
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let words = EditedWords {
        title: Some(format!("Push with {}", &secret[..40])),
        body: Some(format!("The key is {}.", &secret[..40])),
    };
    let decision =
        review::supersede(&host.app(), &queue[1].id.to_string(), &old.note.to_string(), &words, &now())
            .unwrap();
    let text = read(&host, &decision.path);
    assert!(text.contains("[redacted") && !text.contains(&secret[..40]), "{text}");
    assert!(!decision.title.contains(&secret[..40]), "{}", decision.title);
    assert!(!vault(&host).iter().any(|(_, text)| text.contains(&secret[..40])));
}
