//! `afterword find`, `afterword sessions export | restore | archive`

use std::fs;

use crate::env::TestEnv;

/// Two sample sessions.
fn env() -> (TestEnv, String) {
    let env = TestEnv::new();
    let folder =
        fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/sessions/transcripts")).unwrap();
    let mut names: Vec<String> = folder
        .flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().strip_suffix(".jsonl").map(str::to_owned))
        .collect();
    names.sort();
    for name in &names[1..3] {
        env.sample(name);
    }
    let id = env.sample(&names[0]);
    (env, id)
}

/// The first words of the person in a session, as they stand in its document.
fn first_words(env: &TestEnv, id: &str) -> String {
    let document = env.ok(&["sessions", "export", id]);
    let quoted = document.lines().find_map(|line| line.strip_prefix("> ")).unwrap();
    quoted.split(|c: char| !c.is_alphanumeric() && c != ' ').next().unwrap().trim().to_owned()
}

#[test]
fn session_is_found_without_a_vault_and_without_an_agent() {
    let (env, id) = env();
    let words = first_words(&env, &id);
    assert!(words.len() > 5, "{words}");
    let phrase = format!("\"{words}\"");
    let found = env.json(&["find", &phrase]);
    assert_eq!(found["version"], 1);
    let results = found["results"].as_array().unwrap();
    assert!(results.iter().any(|one| one["session_id"] == id.as_str()), "{found}");
    let line = &results[0]["lines"][0];
    assert!(
        line["line"].as_u64().unwrap() > 0 && line["snippet"].as_str().unwrap().contains(&words[..4]),
        "{line}"
    );
    let shown = env.ok(&["find", &phrase, "--limit", "1"]);
    assert!(shown.contains(&words), "{shown}");
    let nothing = env.run(&["find", "zzzqqq xyzzy"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (Some(0), ""));
    assert!(nothing.stderr.contains("nothing found in 3 transcripts"), "{}", nothing.stderr);
    assert_eq!(env.json(&["find", &phrase, "--project", "no such"])["results"].as_array().unwrap().len(), 0);
    assert_eq!(env.run(&["find", " "]).code, Some(2));
}

#[test]
fn hostile_queries_have_a_clear_answer() {
    let (env, _) = env();
    for query in
        ["\" OR * NEAR(", "'; DROP TABLE file; --", "\u{1f389}", "\u{202e}مرحبا", "--", "{person} : x", "\""]
    {
        let ran = env.run(&["find", "--json", "--", query]);
        assert_eq!(ran.code, Some(0), "{query}: {}", ran.stderr);
    }
}

#[test]
fn session_is_written_down_to_a_new_file_only() {
    let (env, id) = env();
    let to = env.path("work/session.html");
    let name = to.to_str().unwrap();
    env.ok(&["sessions", "export", &id, "--format", "html", "--output", name]);
    let page = fs::read_to_string(&to).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains(&id), "{}", &page[..200]);
    let ran = env.run(&["sessions", "export", &id, "--output", name]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&to).unwrap(), page);
    let folder = env.ok(&["sessions", "export", &id, "--output", env.path("work").to_str().unwrap()]);
    assert!(folder.trim_end().ends_with(".md"), "{folder}");
}

#[test]
fn session_that_was_deleted_is_restored_byte_for_byte() {
    let (env, id) = env();
    let list = env.json(&["sessions"]);
    let of = |one: &&serde_json::Value| one["session_id"] == id.as_str();
    let path = list["sessions"].as_array().unwrap().iter().find(of).unwrap()["transcript"]
        .as_str()
        .unwrap()
        .to_owned();
    let whole = fs::read(&path).unwrap();
    let ran = env.run(&["sessions", "restore", &id]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("archive.sessions true"), "{}", ran.stderr);
    env.ok(&["config", "set", "archive.sessions", "true"]);
    let archive = env.json(&["sessions", "archive"]);
    assert_eq!((&archive["sessions"], &archive["wanted"]), (&3.into(), &true.into()), "{archive}");
    fs::remove_file(&path).unwrap();
    let words = first_words(&env, &id);
    let found = env.json(&["find", &format!("\"{words}\"")]);
    assert!(found["results"].as_array().unwrap().iter().any(|one| one["place"] == "archive"), "{found}");
    env.ok(&["sessions", "restore", &id[..8]]);
    assert_eq!(fs::read(&path).unwrap(), whole);
}
