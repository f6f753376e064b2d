//! A vault that remembers what it read tells the same as one that reads everything.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use afterword_vault::{ScanCache, Vault, VaultIndex, VaultPath};

use crate::test_vault::{TestVault, all};

const PNPM: &str = "Afterword/Preferences/use-pnpm-never-npm.md";

/// All that an index says, in an order of its own.
fn describe_index(index: &VaultIndex) -> Vec<String> {
    let notes = index.notes().map(|entry| format!("{} {} {:?}", entry.path, entry.hash, entry.properties));
    let copies = index.copies().iter().map(|copy| format!("{} of {}", copy.entry.path, copy.of));
    let rest = [format!("{:?}", index.problems()), format!("{:?}", index.pending().collect::<Vec<_>>())];
    notes.chain(copies).chain(rest).chain([format!("{:?}", index.tombstones())]).collect()
}

fn with_scan_cache(stage: &TestVault) -> Vault {
    Vault::open(&stage.folder()).unwrap().with_scan_cache(Arc::new(ScanCache::default()))
}

#[test]
fn every_change_is_seen() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let vault = with_scan_cache(&stage);
    let check = |what: &str| {
        assert_eq!(describe_index(&vault.scan().unwrap()), describe_index(&stage.scan()), "{what}");
    };
    check("at first");
    check("nothing changed");
    let text = stage.read(PNPM);
    stage.write(PNPM, &text.replace("pnpm", "PNPM"));
    check("changed, no longer than before");
    stage.write("Afterword/Preferences/new.md", &text);
    check("a second note with one id");
    stage.write("Afterword/Preferences/use-pnpm-never-npm.sync-conflict-20260301-101010-ABCDEFG.md", &text);
    check("a conflict copy");
    fs::remove_file(stage.path("Afterword/Preferences/new.md")).unwrap();
    check("gone");
    fs::create_dir_all(stage.path("Elsewhere")).unwrap();
    fs::rename(stage.path(PNPM), stage.path("Elsewhere/moved.md")).unwrap();
    check("moved");
    stage.write("Elsewhere/moved.md", "");
    check("emptied by a sync tool");
    stage.write("Elsewhere/moved.md", &text);
    check("back");
    stage.write("Afterword/Preferences/broken.md", "---\ntitle: [\n---\n");
    check("broken");
    stage.write("Elsewhere/own.md", "# A note of the person's own\n");
    check("a note of the person's own");
    stage.write("Elsewhere/own.md", &text);
    check("which became one of ours");
}

#[test]
fn what_did_not_change_is_not_read_again() {
    let mut stage = TestVault::new();
    stage.reflect(&all());
    let vault = with_scan_cache(&stage);
    let path = VaultPath::parse(PNPM).unwrap();
    let clock = Instant::now();
    // A file is read once more as long as another change could have the same time.
    loop {
        let (one, other) = (vault.scan().unwrap(), vault.scan().unwrap());
        if std::ptr::eq(one.at(&path).unwrap(), other.at(&path).unwrap()) {
            break;
        }
        assert!(clock.elapsed() < Duration::from_secs(60), "it is read over and over");
        std::thread::sleep(Duration::from_millis(100));
    }
    stage.write(PNPM, &stage.read(PNPM).replace("pnpm", "PNPM"));
    assert_eq!(describe_index(&vault.scan().unwrap()), describe_index(&stage.scan()));
}
