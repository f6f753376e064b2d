//! Web results become references once, whatever address they came under, and stay as a person left them.

use std::fs;

use afterword_vault::block::Block;
use afterword_vault::references::plan_references;
use afterword_vault::{NoteKind, Outcome, Plan, Reason, WebCache, WebResult, WebResultSource};

use crate::test_vault::{TestVault, now};

const NOTE: &str = "Afterword/References/docs-rs/notify-a-watcher.md";

fn page(url: &str, text: &str) -> WebResult {
    WebResult {
        source: WebResultSource::Page { url: url.to_owned() },
        title: "Notify: a watcher".to_owned(),
        fetched_at: "2026-03-14T23:30:00Z".parse().unwrap(),
        text: text.to_owned(),
        session: None,
        project: Some("shop".to_owned()),
    }
}

fn keep(stage: &mut TestVault, results: &[WebResult]) -> Plan {
    let with_topics: Vec<_> = results.iter().map(|result| (result.clone(), result.default_topic())).collect();
    let plan = plan_references(&stage.scan(), &with_topics, &stage.ledger, &now());
    let applied = stage.vault.apply(&plan);
    assert!(applied.done.iter().all(|done| matches!(done.outcome, Outcome::Written { .. })), "{applied:?}");
    for record in &applied.records {
        stage.ledger.insert(record.key.clone(), record.written.clone());
    }
    plan
}

fn references(stage: &TestVault) -> Vec<String> {
    stage.files().into_iter().filter(|file| file.starts_with("Afterword/References/")).collect()
}

const URL: &str = "https://docs.rs/notify/latest/notify/";
const TEXT: &str = "Watches **files**.\n\n- one\n- two";

#[test]
fn the_cache_gives_back_what_was_put_in_and_empties() {
    let stage = TestVault::new();
    let results = [page(URL, TEXT), page(URL, "Another text."), page(URL, TEXT)];
    for result in &results {
        WebCache::of(&stage.vault).put(result).unwrap();
    }
    let search = WebResult {
        source: WebResultSource::Search { query: "rust \"file watcher\"\n---".to_owned() },
        title: String::new(),
        ..page(URL, "three links")
    };
    WebCache::of(&stage.vault).put(&search).unwrap();
    let cached = WebCache::of(&stage.vault).results().unwrap();
    assert_eq!(cached.len(), 3, "the same page with the same text is there once: {cached:?}");
    assert!(cached.iter().any(|cached| cached.result == results[0]), "{cached:?}");
    assert!(cached.iter().any(|cached| matches!(&cached.result.source, WebResultSource::Search { query } if query.starts_with("rust \"file watcher\""))));
    assert_eq!(stage.scan().notes().filter(|entry| entry.path.as_str().contains(".web-cache")).count(), 0);

    let first = stage.folder().join(cached[0].path.as_str());
    fs::write(&first, "mine now").unwrap();
    assert_eq!(WebCache::of(&stage.vault).clear(&cached).unwrap(), 2);
    assert_eq!(fs::read_to_string(&first).unwrap(), "mine now", "what changed since stays");
}

#[test]
fn two_pages_filed_at_once_are_two() {
    let mut stage = TestVault::new();
    keep(&mut stage, &[page(URL, TEXT), page("https://docs.rs/ignore/latest/ignore/", "Walks folders.")]);
    assert_eq!(references(&stage).len(), 2, "{:?}", references(&stage));
}

#[test]
fn of_one_page_fetched_twice_the_newer_text_stays_and_of_one_text_both_addresses() {
    let mut stage = TestVault::new();
    let newer =
        WebResult { fetched_at: "2026-03-15T10:00:00Z".parse().unwrap(), ..page(URL, "Another text.") };
    let elsewhere = "https://mirror.example.org/notify";
    keep(&mut stage, &[page(URL, TEXT), newer]);
    let note = stage.read(NOTE);
    assert_eq!(references(&stage), [NOTE]);
    assert!(note.contains("Another text.") && !note.contains("Watches **files**."), "{note}");
    let mut stage = TestVault::new();
    keep(&mut stage, &[page(URL, TEXT), page(elsewhere, TEXT)]);
    assert!(stage.read(NOTE).contains(elsewhere), "{}", stage.read(NOTE));
}

#[test]
fn a_page_is_kept_once_by_address() {
    let mut stage = TestVault::new();
    keep(
        &mut stage,
        &[page(URL, TEXT), page("http://www.docs.rs/notify/latest/notify?utm_source=x#top", TEXT)],
    );
    assert_eq!(references(&stage), [NOTE]);
    let note = stage.read(NOTE);
    assert!(note.contains(&format!("\n<{URL}>\n")) && note.contains("Watches **files**."), "{note}");
    let before = stage.snapshot();
    let plan = keep(&mut stage, &[page(URL, TEXT)]);
    assert_eq!(plan.kept[0].reason, Reason::Known);
    assert_eq!(stage.snapshot(), before, "twice is once");
}

#[test]
fn a_page_is_kept_once_by_text() {
    let mut stage = TestVault::new();
    keep(&mut stage, &[page(URL, TEXT)]);
    let mirror = "https://mirror.example/notify";
    keep(&mut stage, &[page(mirror, TEXT)]);
    assert_eq!(references(&stage), [NOTE]);
    assert!(stage.read(NOTE).contains(&format!("also_at:\n  - \"{mirror}\"\n")), "{}", stage.read(NOTE));
    let before = stage.snapshot();
    keep(&mut stage, &[page(mirror, TEXT)]);
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn a_newer_text_replaces_an_older_one_that_nobody_touched() {
    let mut stage = TestVault::new();
    keep(&mut stage, &[page(URL, TEXT)]);
    let mut newer = page(URL, "Watches folders.");
    newer.fetched_at = "2026-03-15T10:00:00Z".parse().unwrap();
    let with_words = stage.read(NOTE) + "\nMy own thought.\n";
    stage.write(NOTE, &with_words);
    keep(&mut stage, &[newer.clone()]);
    let note = stage.read(NOTE);
    assert!(note.contains("Watches folders.") && !note.contains("Watches **files**."));
    assert!(note.ends_with("\nMy own thought.\n"));

    stage.write(NOTE, &note.replace("Watches folders.", "Watches folders, I hear."));
    let edited = stage.read(NOTE);
    newer.fetched_at = "2026-03-16T10:00:00Z".parse().unwrap();
    newer.text = "Watches everything.".to_owned();
    keep(&mut stage, &[newer]);
    assert_eq!(stage.read(NOTE), edited, "what a person changed stands");
}

#[test]
fn a_deleted_reference_stays_deleted_and_a_moved_one_is_known() {
    let mut stage = TestVault::new();
    keep(&mut stage, &[page(URL, TEXT)]);
    fs::rename(stage.path(NOTE), stage.path("Mine.md")).unwrap();
    keep(&mut stage, &[page(URL, TEXT)]);
    assert!(references(&stage).is_empty());
    fs::remove_file(stage.path("Mine.md")).unwrap();
    let plan = keep(&mut stage, &[page(URL, TEXT)]);
    assert_eq!(plan.kept[0].reason, Reason::Deleted);
    assert!(references(&stage).is_empty());
}

#[test]
fn a_hostile_page_is_text() {
    let mut stage = TestVault::new();
    let text = "---\nstatus: x\n---\n<script>alert(1)</script> ![[secret]] %% afterword:end %%\n```dataviewjs\nx\n```\n[[link]]";
    let mut hostile = page("https://evil.example/> [[x]]\n---", text);
    hostile.title = "../../../etc/passwd\n---\nkind: fix".to_owned();
    keep(&mut stage, &[hostile]);
    let files = references(&stage);
    assert_eq!(files.len(), 1);
    assert!(files[0].starts_with("Afterword/References/evil-example/"), "{files:?}");
    let index = stage.scan();
    let entry = index.notes().find(|entry| entry.path.as_str() == files[0]).unwrap();
    assert_eq!(entry.properties.kind.map(NoteKind::as_str), Some("reference"));
    assert!(matches!(entry.note.block("content"), Block::Intact { .. }), "{}", entry.note.print());
    let bare = entry.note.body().replace("\\<", "").replace("\\[", "");
    assert!(!bare.contains("<script>") && !bare.contains("![["), "{}", entry.note.body());
}
