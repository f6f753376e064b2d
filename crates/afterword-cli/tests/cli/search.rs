//! `afterword search` and `afterword index`

use std::fs;

use crate::env::TestEnv;

const ID: &str = "0192f000-0000-7000-8000-00000000000";

fn note(env: &TestEnv, number: usize, kind: &str, status: &str, project: &str, text: &str) {
    let folder = env.path("vault/Afterword/Fixes");
    fs::create_dir_all(&folder).unwrap();
    let front =
        format!("id: {ID}{number}\nkind: {kind}\ntitle: Note {number}\nstatus: {status}\nproject: {project}");
    fs::write(folder.join(format!("note-{number}.md")), format!("---\n{front}\n---\n\n{text}\n")).unwrap();
}

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.init();
    note(&env, 1, "fix", "active", "ada/engine", "Raise readTimeout for large uploads.");
    note(&env, 2, "preference", "active", "ada/shop", "Wait for the ready line, never for a fixed time.");
    note(&env, 3, "fix", "archived", "ada/engine", "Uploads fail behind the old proxy.");
    env
}

fn search_paths(env: &TestEnv, arguments: &[&str]) -> Vec<String> {
    let ran = env.run(&[&["search", "--json"], arguments].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&value["version"], &value["mode"]), (&1.into(), &"hybrid".into()));
    let paths = value["results"].as_array().unwrap().iter();
    paths.map(|one| one["path"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn finds_notes_as_they_are_now() {
    let env = env();
    assert_eq!(search_paths(&env, &["timeout of an upload", "--limit", "1"]), ["note-1.md"]);
    note(&env, 4, "fix", "active", "ada/engine", "The parser chokes on E0502.");
    assert_eq!(
        search_paths(&env, &["E0502", "--limit", "1"]),
        ["note-4.md"],
        "written since the index was made"
    );
    fs::remove_file(env.path("vault/Afterword/Fixes/note-4.md")).unwrap();
    assert!(!search_paths(&env, &["E0502"]).contains(&"note-4.md".to_owned()));
}

#[test]
fn filters_by_project_kind_and_status() {
    let env = env();
    assert_eq!(search_paths(&env, &["upload", "--project", "shop"]), ["note-2.md"]);
    assert_eq!(search_paths(&env, &["upload", "--kind", "preference"]), ["note-2.md"]);
    assert_eq!(search_paths(&env, &["upload", "--status", "archived"]), ["note-3.md"]);
    assert!(
        !search_paths(&env, &["upload"]).contains(&"note-3.md".to_owned()),
        "the archived one is not offered"
    );
    assert!(search_paths(&env, &["upload", "--project", "no such"]).is_empty());
}

#[test]
fn index_can_be_broken_or_deleted_at_any_time() {
    let env = env();
    let ran = env.run(&["index", "rebuild", "--json"]);
    assert_eq!(
        (ran.code, ran.stdout.contains("\"notes\":3")),
        (Some(0), true),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let status = env.json(&["index", "status"]);
    assert_eq!((&status["current"], &status["model_fits"]), (&true.into(), &true.into()));
    let index = status["path"].as_str().unwrap();
    fs::write(index, "broken ".repeat(1000)).unwrap();
    assert_eq!(search_paths(&env, &["readTimeout", "--limit", "1"]), ["note-1.md"]);
    fs::remove_file(index).unwrap();
    assert_eq!(search_paths(&env, &["readTimeout", "--limit", "1"]), ["note-1.md"]);
}

#[test]
fn hostile_queries_have_a_clear_answer() {
    let env = env();
    let long = "upload ".repeat(14_000);
    for query in
        ["\" OR * NEAR(", "'; DROP TABLE note; --", "\u{1f389}", "\u{202e}مرحبا", "--", long.as_str()]
    {
        for limit in ["0", "1000000000"] {
            let ran = env.run(&["search", "--json", "--limit", limit, "--", query]);
            assert_eq!(ran.code, Some(0), "{limit} {}", ran.stderr);
            assert!(limit != "0" || ran.stdout.contains("\"results\":[]"));
        }
    }
    for query in ["", "  "] {
        let ran = env.run(&["search", query]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains("QUERY: is empty"), "{}", ran.stderr);
    }
    assert_eq!(env.run(&["search", "x", "--kind", "unknown"]).code, Some(2));
    assert_eq!(env.run(&["search", "x", "--limit", "-1"]).code, Some(2));
}

#[test]
fn without_a_vault_it_says_how_to_get_one() {
    let ran = TestEnv::new().run(&["search", "anything"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("afterword init"), "{}", ran.stderr);
}
