//! `afterword projects`, with real folders, clones and worktrees, and the sessions that follow.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::env::TestEnv;
use afterword_testkit::transcript::{answered, typed, with_a_rule};

const SHOP: &str = "0f0e0d0c-1111-4222-8333-000000000001";
const STORE: &str = "0f0e0d0c-1111-4222-8333-000000000002";
const LATER: &str = "0f0e0d0c-1111-4222-8333-000000000003";
const PART: &str = "0f0e0d0c-1111-4222-8333-000000000004";
const MIGRATION: &str = "never edit a migration";
const CENTS: &str = "always as integer cents";

/// A folder that exists, as sessions have it.
fn folder(env: &TestEnv, name: &str) -> String {
    let path = env.path(name);
    fs::create_dir_all(&path).unwrap();
    path.canonicalize().unwrap().to_str().unwrap().to_owned()
}

fn git(directory: &str, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]).args(arguments);
    command.current_dir(directory).env("HOME", directory).env("GIT_CONFIG_NOSYSTEM", "1");
    assert!(command.output().unwrap().status.success(), "{arguments:?}");
}

/// A repository that was cloned from an address.
fn repository(env: &TestEnv, name: &str, address: &str) -> String {
    let folder = folder(env, name);
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["commit", "--quiet", "--allow-empty", "-m", "start"]);
    git(&folder, &["remote", "add", "origin", address]);
    folder
}

fn session(env: &TestEnv, id: &str, cwd: &str, lines: &[String]) -> PathBuf {
    let cwd = serde_json::to_string(cwd).unwrap();
    let lines: Vec<String> = lines.iter().map(|line| line.replace("\"/home/ada/shop\"", &cwd)).collect();
    env.session(id, &lines)
}

/// A session with entries from this number on: those of one number are the same entries, of a forked session.
fn teaches(id: &str, from: usize, rule: &str) -> Vec<String> {
    vec![
        typed(id, from, "add it to the orders table"),
        answered(id, from + 1, "I added it."),
        typed(id, from + 2, &format!("No. From now on {rule}.")),
        answered(id, from + 3, "Understood. It is mended now."),
    ]
}

fn about_cents(id: &str) -> Vec<String> {
    teaches(id, 10, &format!("never store money as a float, {CENTS}"))
}

/// What the hook gives a session that starts in a directory.
fn starts(env: &TestEnv, cwd: &str) -> String {
    let mut command = env.command(&["hook", "SessionStart"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // A session begins once.
    static BEGUN: AtomicUsize = AtomicUsize::new(0);
    let id = format!("next-{}", BEGUN.fetch_add(1, Ordering::Relaxed));
    let told = json!({
        "session_id": id, "transcript_path": format!("/c/{id}.jsonl"), "cwd": cwd,
        "hook_event_name": "SessionStart", "source": "startup",
    });
    child.stdin.take().unwrap().write_all(told.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

fn listed(env: &TestEnv) -> Vec<Value> {
    env.json(&["projects"])["projects"].as_array().unwrap().clone()
}

fn project<'a>(listed: &'a [Value], name: &str) -> &'a Value {
    let found = listed.iter().find(|one| one["name"] == name);
    found.unwrap_or_else(|| panic!("no `{name}` in {listed:?}"))
}

fn names(env: &TestEnv) -> Vec<String> {
    let mut names: Vec<String> =
        listed(env).iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// The project in the front matter of the note that says this.
fn project_of(env: &TestEnv, words: &str) -> String {
    let notes = env.vault().into_iter().filter(|(path, _)| path.contains("Afterword/Preferences/"));
    let note = notes.map(|(_, text)| text).find(|text| text.contains(words)).unwrap();
    let line = note.lines().find(|line| line.starts_with("project:")).unwrap();
    line.trim_start_matches("project:").trim().trim_matches('"').to_owned()
}

/// Two repositories, each with a session that taught something.
fn two_projects() -> (TestEnv, String, String) {
    let env = TestEnv::new();
    env.init();
    let shop = repository(&env, "code/shop", "git@example.org:ada/shop.git");
    let store = repository(&env, "code/store", "git@example.org:ada/store.git");
    session(&env, SHOP, &shop, &with_a_rule(SHOP));
    session(&env, STORE, &store, &about_cents(STORE));
    env.ok(&["reflect", "--all"]);
    (env, shop, store)
}

#[test]
fn projects_are_listed_with_what_counts_as_them() {
    let (env, shop, _) = two_projects();
    let listed = listed(&env);
    let one = project(&listed, "shop");
    assert_eq!(one["folders"], json!([shop]));
    assert_eq!((&one["sessions"], &one["lessons"], &one["in_settings"]), (&json!(1), &json!(1), &json!([])));
    assert!(one["last_active"].is_string(), "{one}");
    let told = env.ok(&["projects"]);
    assert!(told.contains("1 session, 1 lesson") && told.contains("[ROOT]/code/store"), "{told}");
}

#[test]
fn session_in_the_joined_folder_is_given_the_lessons_of_the_other() {
    let (env, shop, store) = two_projects();
    assert!(!starts(&env, &store).contains(MIGRATION));
    let told = env.ok(&["projects", "join", "shop", "store", "--yes"]);
    assert!(told.contains("1 folder, 1 session, 1 note"), "{told}");
    for folder in [&store, &shop] {
        let given = starts(&env, folder);
        assert!(given.contains(MIGRATION) && given.contains(CENTS), "{given}");
    }
    assert_eq!((project_of(&env, CENTS), project_of(&env, MIGRATION)), ("shop".into(), "shop".into()));
    let found = env.json(&["search", "money as float", "--project", "shop"]);
    assert!(found.to_string().contains(CENTS), "{found}");
    assert_eq!(names(&env), ["shop"]);
    let listed = listed(&env);
    let one = project(&listed, "shop");
    assert_eq!(
        (&one["sessions"], &one["lessons"], &one["in_settings"]),
        (&json!(2), &json!(2), &json!([shop, store]))
    );
    assert_eq!(env.json(&["sessions", "--project", "shop"])["sessions"].as_array().unwrap().len(), 2);

    // What is learned there from now on is the other's, too.
    let dates = teaches(LATER, 20, "always write dates as ISO 8601, never as words");
    session(&env, LATER, &format!("{store}/src"), &dates);
    env.ok(&["reflect", "--all"]);
    assert_eq!(project_of(&env, "ISO 8601"), "shop");
    assert!(starts(&env, &shop).contains("ISO 8601"));
}

/// Why a command is not to be run in a directory; empty where it may.
fn objection(env: &TestEnv, cwd: &str, line: &str) -> String {
    let mut child =
        env.command(&["hook", "PreToolUse"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // A session begins once.
    static BEGUN: AtomicUsize = AtomicUsize::new(0);
    let id = format!("next-{}", BEGUN.fetch_add(1, Ordering::Relaxed));
    let told = json!({
        "session_id": id, "transcript_path": format!("/c/{id}.jsonl"), "cwd": cwd, "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": line},
    });
    child.stdin.take().unwrap().write_all(told.to_string().as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn what_binds_in_a_project_binds_in_what_was_joined_and_not_in_what_was_split() {
    let (env, shop, store) = two_projects();
    let found = env.json(&["search", "merged migration", "--project", "shop"]);
    let id = found["results"][0]["id"].as_str().unwrap().to_owned();
    env.ok(&["bind", &id, "--as", "never run `npm`, run `pnpm`", "--yes"]);
    let api = folder(&env, "code/shop/api");
    let stops = |folder: &str| objection(&env, folder, "npm install").contains("deny");
    assert!(stops(&shop) && stops(&api) && !stops(&store));
    env.ok(&["projects", "join", "shop", "store", "--yes"]);
    env.ok(&["projects", "split", "shop", &api, "--yes"]);
    assert!(stops(&shop) && stops(&store) && !stops(&api));
    env.ok(&["projects", "undo"]);
    assert!(stops(&api) && stops(&store));
    env.ok(&["projects", "undo"]);
    assert!(stops(&shop) && !stops(&store));
}

#[test]
fn joining_survives_the_loss_of_the_database_and_clones_follow() {
    let (env, shop, store) = two_projects();
    env.ok(&["projects", "join", "shop", "store", "--yes"]);
    let clone = repository(&env, "elsewhere/copy", "https://example.org/ada/store");
    let worktree = env.path("elsewhere/tree");
    git(&store, &["worktree", "add", "--quiet", worktree.to_str().unwrap()]);
    let worktree = worktree.canonicalize().unwrap();
    for file in fs::read_dir(env.path("afterword/state")).unwrap() {
        let path = file.unwrap().path();
        if path.file_name().unwrap().to_str().unwrap().starts_with("afterword.db") {
            fs::remove_file(path).unwrap();
        }
    }
    env.ok(&["reflect", "--all"]);
    env.ok(&["index", "rebuild"]);
    assert_eq!(names(&env), ["shop"]);
    for folder in [store.as_str(), &shop, &clone, worktree.to_str().unwrap()] {
        assert!(starts(&env, folder).contains(MIGRATION), "{folder}");
    }
}

#[test]
fn joining_is_taken_back_and_nothing_changes_unasked() {
    let (env, shop, store) = two_projects();
    let before = env.vault();
    let told = env.ok(&["projects", "join", "shop", "store", "--dry-run"]);
    assert!(told.contains("store counts as shop from now on") && told.contains(CENTS), "{told}");
    let unasked = env.run(&["projects", "join", "shop", "store"]);
    assert_eq!(unasked.code, Some(1), "{unasked}");
    assert!(unasked.stderr.contains("give `--yes`"), "{unasked}");
    assert_eq!((env.vault(), names(&env).len()), (before.clone(), 2));

    // By folders, and in any case of letters.
    env.ok(&["projects", "join", "SHOP", &store, "--yes"]);
    assert_ne!(env.vault(), before);
    let told = env.ok(&["projects", "undo"]);
    assert!(told.contains("`store` is not joined to `shop` any more; 1 note changed back"), "{told}");
    assert_eq!(names(&env), ["shop", "store"]);
    assert_eq!(env.ok(&["config", "get", "projects.folders"]).trim(), "");
    let lessons = |files: Vec<(String, String)>| {
        files.into_iter().filter(|(path, _)| path.contains("/Preferences/")).collect::<Vec<_>>()
    };
    assert_eq!(lessons(env.vault()), lessons(before));
    assert!(!starts(&env, &store).contains(MIGRATION) && starts(&env, &shop).contains(MIGRATION));
    let again = env.run(&["projects", "undo"]);
    assert!(again.code == Some(1) && again.stderr.contains("could be taken back"), "{again}");
}

#[test]
fn clone_taken_for_the_same_becomes_a_project_of_its_own() {
    let env = TestEnv::new();
    env.init();
    let shop = repository(&env, "code/shop", "git@example.org:ada/template.git");
    let blog = repository(&env, "code/blog", "https://example.org/ada/template");
    session(&env, SHOP, &shop, &with_a_rule(SHOP));
    env.ok(&["reflect", "--all"]);
    session(&env, STORE, &blog, &about_cents(STORE));
    env.ok(&["reflect", "--all"]);
    assert_eq!(names(&env), ["shop"]);
    assert!(starts(&env, &blog).contains(MIGRATION));

    env.ok(&["projects", "split", "shop", &blog, "--yes"]);
    assert_eq!(names(&env), ["blog", "shop"]);
    assert_eq!((project_of(&env, CENTS), project_of(&env, MIGRATION)), ("blog".into(), "shop".into()));
    let (here, there) = (starts(&env, &blog), starts(&env, &shop));
    assert!(here.contains(CENTS) && !here.contains(MIGRATION), "{here}");
    assert!(there.contains(MIGRATION) && !there.contains(CENTS), "{there}");
    // A third clone is the first one's, as git says: the person set only the second apart.
    let third = repository(&env, "code/third", "https://example.org/ada/template");
    assert!(starts(&env, &third).contains(MIGRATION));
    session(&env, LATER, &blog, &teaches(LATER, 20, "always name a column in the singular"));
    env.ok(&["reflect", "--all"]);
    assert_eq!(names(&env), ["blog", "shop"]);
}

#[test]
fn part_of_a_repository_and_a_worktree_are_split_off() {
    let (env, shop, _) = two_projects();
    let api = folder(&env, "code/shop/api");
    let worktree = env.path("elsewhere/redesign");
    git(&shop, &["worktree", "add", "--quiet", worktree.to_str().unwrap()]);
    let worktree = worktree.canonicalize().unwrap().to_str().unwrap().to_owned();
    session(&env, LATER, &worktree, &teaches(LATER, 20, "always name a column in the singular"));
    env.ok(&["reflect", "--all"]);
    assert!(starts(&env, &api).contains(MIGRATION));
    env.ok(&["projects", "split", "shop", &api, "--as", "the api", "--yes"]);
    assert_eq!(starts(&env, &format!("{api}/src")), "");
    session(&env, PART, &format!("{api}/src"), &teaches(PART, 30, "never answer a request without an id"));
    env.ok(&["reflect", "--all"]);
    assert!(starts(&env, &api).contains("without an id"), "what is learned in a part is the part's");

    env.ok(&["projects", "split", "shop", &worktree, "--yes"]);
    let given = starts(&env, &worktree);
    assert!(given.contains("in the singular") && !given.contains(MIGRATION), "{given}");
    assert_eq!(names(&env), ["redesign", "shop", "store", "the api"]);
    for one in listed(&env) {
        assert_eq!((&one["sessions"], &one["lessons"]), (&json!(1), &json!(1)), "{one}");
    }
}

#[test]
fn what_cannot_be_says_what_there_is() {
    let (env, shop, store) = two_projects();
    let inside = |folder: &str| Path::new(&shop).join(folder).to_str().unwrap().to_owned();
    let check = |arguments: &[&str], expected: &str| {
        let ran = env.run(&[&["projects"], arguments, &["--yes"]].concat());
        assert!(ran.code == Some(1) && ran.stderr.contains(expected), "{arguments:?}\n{ran}");
    };
    check(&["join", "shop", "x"], "there is no project `x`; there are ");
    check(&["join", "nowhere", "shop"], "shop");
    check(&["join", "shop", &shop], "`shop` is one project already");
    check(&["split", "shop", &store], "counts as `store`, not as `shop`");
    check(&["split", "shop", &shop], "has no other folder");
    check(&["split", "shop", "/nowhere/at/all"], "is no folder of `shop`; its folders are [ROOT]/code/shop");
    check(&["split", "shop", &inside("api"), "--as", "Store"], "there is a project `Store` already");
    check(&["split", "shop", &inside("api"), "--as", "a = b"], "can be no project's name");
    let refused = env.run(&["config", "set", "projects.folders", "shop = shop"]);
    assert!(refused.code == Some(1) && refused.stderr.contains("absolute"), "{refused}");
}
