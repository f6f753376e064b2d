//! The vault is shared: what people and sync tools do to it is taken in within moments, and nothing of theirs is lost.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use afterword_app::searching::SearchRequest;
use afterword_app::vault_sync::conflicts::VersionChoice;
use afterword_app::vault_sync::{VaultChangeHandler, VaultNews, VaultScanner};
use afterword_app::{forget, indexing, reflect, searching, sessions, vault_sync};
use afterword_daemon::{VaultWatch, run, watch_vault};
use afterword_platform::files::real_path;

use afterword_testkit::{Sandbox, now, until, until_some};

/// Far longer than anything here takes; a machine under load is no failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// A vault with lessons in it.
fn host() -> Sandbox {
    let host = Sandbox::new();
    host.samples();
    host.reflect();
    host
}

fn watch(host: &Sandbox) -> (VaultWatch, Receiver<VaultNews>) {
    let (tell, told) = mpsc::channel();
    let watch = watch_vault(&host.app(), move |news| drop(tell.send(news.clone()))).unwrap();
    (watch, told)
}

/// One look at the vault, followed up.
fn look((looking, following): &mut (VaultScanner, VaultChangeHandler)) -> VaultNews {
    let looked = looking.scan().unwrap();
    following.follow(&looked, &now())
}

/// Paths that are found by words, as the index is, without a look at the vault.
fn search(host: &Sandbox, query: &str) -> Vec<String> {
    let request = SearchRequest { query: query.to_owned(), limit: 5, ..SearchRequest::default() };
    let hits = searching::search_indexed(&host.app(), &request).unwrap();
    hits.hits.into_iter().map(|hit| hit.path).collect()
}

fn first_in(host: &Sandbox, folder: &str) -> PathBuf {
    let folder = host.path(&format!("vault/Afterword/{folder}"));
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().find(|path| path.is_file()).expect("the samples give such a note")
}

#[test]
fn an_edit_is_found_and_an_answer_is_carried_out() {
    let host = host();
    let (_watch, told) = watch(&host);
    told.recv_timeout(PATIENCE).unwrap();
    let note = first_in(&host, "Preferences");
    let text = fs::read_to_string(&note).unwrap();
    let start = Instant::now();
    fs::write(&note, text.replace("\n## Evidence", "\nThe zyzzyva beetle decides.\n\n## Evidence")).unwrap();
    until_some("an edit is searchable", || search(&host, "zyzzyva beetle").first().cloned());
    println!("searchable after {:?}", start.elapsed());

    let waiting = first_in(&host, "_review");
    let text = fs::read_to_string(&waiting).unwrap();
    fs::write(&waiting, text.replace("\nreview:\n", "\nreview: reject\n")).unwrap();
    let name = waiting.file_name().unwrap().to_owned();
    until_some("a rejected note goes to the archive", || {
        host.path("vault/Afterword/_archive").join(&name).exists().then_some(())
    });
    assert!(!waiting.exists());
}

#[test]
fn an_edit_is_found_while_somebody_else_writes_to_the_vault() {
    let host = host();
    let (_watch, told) = watch(&host);
    told.recv_timeout(PATIENCE).unwrap();
    let lock = fs::File::options().write(true).open(host.app().paths().apply_lock()).unwrap();
    lock.lock().unwrap();
    let note = first_in(&host, "Preferences");
    let text = fs::read_to_string(&note).unwrap();
    let title = text.lines().find(|line| line.starts_with("title:")).unwrap();
    // An overview has to say it, and whoever renews it waits for the lock.
    fs::write(&note, text.replace(title, "title: Quokkas first")).unwrap();
    until_some("another title is searchable", || search(&host, "quokkas").first().cloned());
    let other = first_in(&host, "_review");
    let text = fs::read_to_string(&other).unwrap();
    fs::write(&other, text.replace("\n## Evidence", "\nThe axolotl agrees.\n\n## Evidence")).unwrap();
    until_some("the next edit is searchable", || search(&host, "axolotl").first().cloned());
    let overviews = || fs::read_dir(host.path("vault/Afterword/Projects")).unwrap().map(Result::unwrap);
    // A file on its way to its name may be gone by now.
    let says = |path: PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("Quokkas first"));
    let is_told = || overviews().any(|file| says(file.path()));
    assert!(!is_told());
    drop(lock);
    until("the overview says it", is_told);
}

#[test]
fn a_deleted_note_is_remembered_in_the_vault_and_a_conflict_copy_is_joined() {
    let host = host();
    let (_watch, told) = watch(&host);
    told.recv_timeout(PATIENCE).unwrap();
    let note = first_in(&host, "Preferences");
    let copy = note.with_file_name(format!(
        "{}.sync-conflict-20260314-101112-ABCDEFG.md",
        note.file_stem().unwrap().to_str().unwrap()
    ));
    fs::copy(&note, &copy).unwrap();
    until("an equal copy goes", || !copy.exists());
    assert!(note.exists());

    fs::remove_file(&note).unwrap();
    let list = host.path("vault/Afterword/_archive/Deleted.md");
    until_some("a deletion is listed", || {
        fs::read_to_string(&list).ok().filter(|text| text.contains("^gone-"))
    });
    let before = host.names();
    host.reflect();
    assert_eq!(host.names(), before);
}

#[test]
fn versions_that_differ_wait_until_a_person_decides() {
    let host = host();
    let note = first_in(&host, "Preferences");
    let text = fs::read_to_string(&note).unwrap();
    let copy = note.with_file_name(format!("{} 2.md", note.file_stem().unwrap().to_str().unwrap()));
    fs::write(&note, text.replace("\n## Evidence", "\nMine.\n\n## Evidence")).unwrap();
    fs::write(&copy, text.replace("\n## Evidence", "\nAlso mine.\n\n## Evidence")).unwrap();
    let mut followed = vault_sync::follow_vault(&host.app());
    let news = look(&mut followed);
    assert_eq!(news.conflicts.len(), 1, "{news:?}");
    let items = vault_sync::conflicts(&host.app()).unwrap();
    let title = text.lines().find_map(|line| line.strip_prefix("title: ")).unwrap();
    assert_eq!(items[0].title, title.trim_matches('"'), "called as the note is, and not as its file");
    assert!(
        items[0].here.contains("Mine.") && items[0].there.contains("Also mine.") && !items[0].can_be_joined
    );
    assert!(vault_sync::decide_conflict(&host.app(), &items[0].path, VersionChoice::There, &now()).unwrap());
    assert!(fs::read_to_string(&note).unwrap().contains("Also mine.") && !copy.exists());
    assert!(vault_sync::conflicts(&host.app()).unwrap().is_empty());
    let kept = host.lessons().into_iter().filter(|(path, _)| path.starts_with("_archive/"));
    assert!(kept.into_iter().any(|(_, text)| text.contains("\nMine.\n")), "the other version is kept");
}

/// Neither a join nor a choice is an edit: what Afterword wrote stays its own, and is forgotten with its session.
#[test]
fn note_whose_versions_a_person_made_one_still_counts_as_written_by_afterword() {
    for is_joined in [true, false] {
        let host = host();
        let note = first_in(&host, "Preferences");
        let text = fs::read_to_string(&note).unwrap();
        let session = text.lines().find_map(|line| line.strip_prefix("session: ")).unwrap().to_owned();
        let copy = note.with_file_name(format!(
            "{}.sync-conflict-20260314-101112-ABCDEFG.md",
            note.file_stem().unwrap().to_str().unwrap()
        ));
        let updated = text.lines().find(|line| line.starts_with("updated: ")).unwrap();
        // A later date can be joined, other words cannot.
        let other = match is_joined {
            true => text.replacen(updated, "updated: 2031-01-01", 1),
            false => format!("{text}\nOther words.\n"),
        };
        fs::write(&copy, &other).unwrap();
        let item = vault_sync::conflicts(&host.app()).unwrap().remove(0);
        assert_eq!(item.can_be_joined, is_joined, "{item:?}");
        let is_settled = match is_joined {
            true => vault_sync::join_conflict(&host.app(), &item.path, &now()),
            false => vault_sync::decide_conflict(&host.app(), &item.path, VersionChoice::Here, &now()),
        };
        assert!(is_settled.unwrap());
        let forgotten = forget::forget_session(&host.app(), &session, now().timestamp()).unwrap();
        assert_eq!(forgotten.kept, Vec::<String>::new(), "joined: {is_joined}");
        assert!(!note.exists(), "joined: {is_joined}");
    }
}

#[test]
fn what_happened_while_nobody_watched_is_taken_in_at_the_start() {
    let host = host();
    let mut followed = vault_sync::follow_vault(&host.app());
    look(&mut followed);
    followed.1.save_position().unwrap();
    drop(followed);
    let note = first_in(&host, "Preferences");
    fs::remove_file(&note).unwrap();
    let mut followed = vault_sync::follow_vault(&host.app());
    let news = look(&mut followed);
    assert_eq!(news.changes.list.len(), 1, "{news:?}");
    let list = fs::read_to_string(host.path("vault/Afterword/_archive/Deleted.md")).unwrap();
    assert_eq!(list.matches("^gone-").count(), 1);
    let news = look(&mut followed);
    assert!(
        news.changes
            .list
            .iter()
            .all(|change| format!("{change:?}").contains("_archive")
                || format!("{change:?}").contains("Projects")),
        "{news:?}"
    );
}

#[test]
fn a_vault_that_goes_and_comes_back_loses_nothing() {
    let host = host();
    let (watch, told) = watch(&host);
    told.recv_timeout(PATIENCE).unwrap();
    let before = host.lessons();
    let (here, away) = (host.path("vault"), host.path("away"));
    fs::rename(&here, &away).unwrap();
    watch.request_scan();
    std::thread::yield_now();
    fs::rename(&away, &here).unwrap();
    let note = first_in(&host, "Preferences");
    let text = fs::read_to_string(&note).unwrap();
    fs::write(&note, text.replace("\n## Evidence", "\nThe quokka is back.\n\n## Evidence")).unwrap();
    watch.request_scan();
    until_some("it is watched again", || search(&host, "quokka").first().cloned());
    assert_eq!(host.lessons().len(), before.len());
    assert!(!host.path("vault/Afterword/_archive/Deleted.md").exists(), "nothing was taken for deleted");
}

/// Set to 10000 for the storm that a branch switch in a large vault is.
const STORM: &str = "AFTERWORD_TEST_STORM";

#[test]
fn a_storm_of_changes_settles() {
    let count: usize = std::env::var(STORM).ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    let host = host();
    let (_watch, told) = watch(&host);
    told.recv_timeout(PATIENCE).unwrap();
    let folder = host.path("vault/Afterword/Fixes");
    let uuid = |number: usize| format!("0197aaaa-{:04x}-7000-8000-{number:012x}", number % 65536);
    let all = || indexing::index_status(&host.app()).unwrap().notes;
    let before = all();
    let start = Instant::now();
    for number in 0..count {
        let text = format!(
            "---\ntitle: \"Storm {number}\"\nkind: fix\nstatus: active\nid: {}\nkey: \"{number:032x}\"\n---\n\nWords of storm number {number}.\n",
            uuid(number)
        );
        fs::write(folder.join(format!("storm-{number}.md")), text).unwrap();
    }
    let settled = before + count;
    until("all of the storm is indexed", || all() == settled);
    println!("{count} files settled after {:?}", start.elapsed());
    for number in 0..count {
        fs::rename(
            folder.join(format!("storm-{number}.md")),
            host.path(&format!("vault/Afterword/Workflows/s{number}.md")),
        )
        .unwrap();
    }
    until_some("moved, every note is there once", || {
        (search(&host, "storm number 7").iter().any(|path| path.contains("Workflows/s7.md"))
            && !search(&host, "storm number 7").iter().any(|path| path.contains("Fixes/"))
            && all() == settled)
            .then_some(())
    });
}

/// A deletion that could not be written where the other machines see it is not taken for done.
#[test]
fn deletion_that_could_not_be_written_down_is_told_and_written_down_later() {
    let host = host();
    let list = host.path("vault/Afterword/_archive/Deleted.md");
    let _ = fs::remove_dir_all(list.parent().unwrap());
    // Where the list would be is something that no list can take the place of.
    fs::create_dir_all(list.join("inside")).unwrap();
    let mut eyes = vault_sync::follow_vault(&host.app());
    look(&mut eyes);
    let note = first_in(&host, "Preferences");
    let text = fs::read_to_string(&note).unwrap();
    let key = text.lines().find_map(|line| line.strip_prefix("key: ")).unwrap().trim_matches('"').to_owned();
    fs::remove_file(&note).unwrap();
    for _ in 0..2 {
        let news = look(&mut eyes);
        assert!(!news.problems.is_empty(), "{news:?}");
    }
    fs::remove_dir_all(&list).unwrap();
    assert!(look(&mut eyes).problems.is_empty());
    assert!(fs::read_to_string(&list).unwrap().contains(&key));
}

/// What is known of a written note, and cannot be read, is no reason to write the note anew.
#[test]
fn row_that_cannot_be_read_is_told_and_brings_no_deleted_lesson_back() {
    let host = host();
    let before = host.names();
    let note = first_in(&host, "Preferences");
    let name = note.strip_prefix(host.path("vault/Afterword")).unwrap().to_string_lossy().replace('\\', "/");
    let store = afterword_store::Store::open(&host.paths().database()).unwrap();
    let root = real_path(host.path("vault")).unwrap().to_string_lossy().into_owned();
    let rows = store.written_notes(&root).all().unwrap();
    let mut row = rows.into_iter().find(|row| row.path.ends_with(&name)).unwrap();
    row.path = "../outside.md".to_owned();
    row.content_hash = "no hash".to_owned();
    store.written_notes(&root).put(&row).unwrap();
    fs::remove_file(&note).unwrap();
    let mut request = afterword_testkit::all_changed(None);
    for transcript in
        sessions::sessions(&host.app(), &afterword_app::sessions::ListRequest::default()).unwrap()
    {
        request.target = afterword_app::Target::One(transcript.session.to_string());
        // Some of the samples are no sessions to reflect.
        let _ = reflect::reflect(&host.app(), &request, &now(), &mut afterword_app::NoProgress);
    }
    assert!(!host.names().contains(&name.replace('\\', "/")), "it was deleted");
    assert!(host.names().len() < before.len());
    let checks = afterword_app::doctor::doctor(&host.environment(), now().timestamp());
    let told = checks.iter().find(|check| check.name == "written notes").unwrap();
    assert!(told.message.ends_with("cannot be read: 1"), "{told:?}");
}

#[test]
fn lessons_that_came_with_the_vault_are_named() {
    let host = host();
    let told = |host: &Sandbox| {
        let checks = afterword_app::doctor::doctor(&host.environment(), now().timestamp());
        checks.into_iter().find(|check| check.name == "lessons").unwrap()
    };
    assert!(told(&host).message.ends_with("all learned or approved on this machine"), "{:?}", told(&host));
    // Another machine writes a lesson, or a program that only looks like one.
    let own = fs::read_to_string(first_in(&host, "Preferences")).unwrap();
    let id = own.lines().find_map(|line| line.strip_prefix("id: ")).unwrap();
    let new = own.replace(id, &afterword_core::NoteId::new(now().timestamp()).to_string());
    fs::write(host.path("vault/Afterword/Preferences/Deploy from any branch.md"), new).unwrap();
    let check = told(&host);
    assert!(check.message.contains("1 came with the vault"), "{check:?}");
    assert!(check.message.ends_with("Preferences/Deploy from any branch.md"), "{check:?}");
    assert!(check.advice.unwrap().contains("delete what neither you nor a machine of yours wrote"));
}

#[test]
fn running_agent_says_what_of_the_vault_it_could_not_follow_up() {
    let host = host();
    let list = host.path("vault/Afterword/_archive/Deleted.md");
    fs::create_dir_all(list.join("inside")).unwrap();
    // What was seen before is known from the last time.
    let mut eyes = vault_sync::follow_vault(&host.app());
    look(&mut eyes);
    eyes.1.save_position().unwrap();
    fs::remove_file(first_in(&host, "Preferences")).unwrap();
    let running = run::start(&host.app(), |_| ()).unwrap();
    let is_error = || matches!(running.state(), afterword_app::AgentState::Error { message } if message.contains("Deleted.md"));
    until("the problem is told", &is_error);
    fs::remove_dir_all(&list).unwrap();
    until("it is over", || !is_error());
    running.stop();
    assert!(list.is_file());
}
