//! `afterword sessions`

use std::fs;
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;

use crate::env::TestEnv;
use afterword_testkit::transcript::{typed, with_a_rule};

const ONE: &str = "0f0e0d0c-1111-4222-8333-444455556666";
const TWO: &str = "aaaaaaaa-1111-4222-8333-444455556666";

fn written_at(path: &std::path::Path, second: u64) {
    let file = fs::OpenOptions::new().append(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(second)).unwrap();
}

#[test]
fn lists_where_each_session_stands_the_latest_first() {
    let env = TestEnv::new();
    assert_snapshot!(env.run(&["sessions"]), @r"
    exit 0
    ----- stdout -----
    ----- stderr -----
    no sessions found
    ");
    env.init();
    let one = env.session(ONE, &with_a_rule(ONE));
    let two = env.session(TWO, &with_a_rule(TWO));
    written_at(&one, 1_772_000_000);
    written_at(&two, 1_772_000_060);
    assert_snapshot!(env.run(&["sessions"]), @r"
    exit 0
    ----- stdout -----
    aaaaaaaa-1111-4222-8333-444455556666  2026-02-25 06:14    1.57 kB  new        shop
    0f0e0d0c-1111-4222-8333-444455556666  2026-02-25 06:13    1.57 kB  new        shop
    ----- stderr -----
    ");
    env.ok(&["reflect", ONE]);
    env.ok(&["reflect", TWO]);
    env.append(&two, &[typed(TWO, 9, "one more thing")]);
    written_at(&two, 1_772_000_120);
    assert_snapshot!(env.run(&["sessions"]), @r"
    exit 0
    ----- stdout -----
    aaaaaaaa-1111-4222-8333-444455556666  2026-02-25 06:15    1.88 kB  grown      shop
    0f0e0d0c-1111-4222-8333-444455556666  2026-02-25 06:13    1.57 kB  reflected  shop
    ----- stderr -----
    ");
}

#[test]
fn list_is_cut_down_by_project_and_time() {
    let env = TestEnv::new();
    let one = env.session(ONE, &with_a_rule(ONE));
    written_at(&one, 1_000_000_000);
    env.sample("homelab-backup");
    let listed = |arguments: &[&str]| {
        let value = env.json(&[&["sessions"], arguments].concat());
        let sessions = value["sessions"].as_array().unwrap().clone();
        sessions
            .into_iter()
            .map(|session| session["project"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(listed(&[]).len(), 2);
    assert_eq!(listed(&["--project", "shop"]), ["/home/ada/shop"]);
    assert_eq!(listed(&["--project", "/home/ada"]), ["/home/ada/shop"]);
    assert_eq!(listed(&["--project", "hop"]), Vec::<String>::new());
    assert!(listed(&["--since", "1d"])[0].contains("homelab"));
    assert_eq!(listed(&["--since", "2001-01-01"]).len(), 2);
}

/// macOS gives a folder's name as it is on the disk, where an accent may be a character of its own; who types it types one.
#[test]
fn names_with_accents_are_found_in_either_form() {
    let (typed_name, on_disk) = ("b\u{fc}ro", "bu\u{308}ro");
    let env = TestEnv::new();
    env.init();
    let lines = with_a_rule(ONE)
        .into_iter()
        .map(|line| line.replace("/home/ada/shop", &format!("/home/ada/{on_disk}")));
    env.session(ONE, &lines.collect::<Vec<_>>());
    let listed = env.json(&["sessions", "--project", typed_name]);
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1, "{listed}");
    let note = env.path(&format!("vault/Afterword/Preferences/{on_disk}.md"));
    fs::write(note, "---\ntitle: Keys\nkind: preference\nstatus: active\n---\n\nHang them up.\n").unwrap();
    let link = env.ok(&["vault", "link", typed_name]);
    assert!(link.contains("bu%CC%88ro.md"), "{link}");
}
