//! `afterword init`

use std::fs;

use insta::assert_snapshot;

use crate::env::TestEnv;

#[test]
fn makes_a_vault_and_the_settings_and_does_it_once() {
    let env = TestEnv::new();
    let vault = env.path("vault");
    assert_snapshot!(env.run(&["init", "--vault", vault.to_str().unwrap()]), @r"
    exit 0
    ----- stdout -----
    Vault     [ROOT]/vault
    Settings  [ROOT]/afterword/config.toml
    ----- stderr -----

    Next: afterword reflect --all
    ");
    let (settings, files) = (fs::read_to_string(env.path("afterword/config.toml")).unwrap(), env.vault());
    assert_snapshot!(env.run(&["init"]), @r"
    exit 0
    ----- stdout -----
    Vault     [ROOT]/vault  (was there)
    Settings  [ROOT]/afterword/config.toml  (was there)
    ----- stderr -----

    Next: afterword reflect --all
    ");
    assert_eq!(fs::read_to_string(env.path("afterword/config.toml")).unwrap(), settings);
    assert_eq!(env.vault(), files);
}

#[test]
fn folder_with_notes_in_it_keeps_them() {
    let env = TestEnv::new();
    fs::create_dir_all(env.path("vault/Afterword")).unwrap();
    fs::write(env.path("vault/mine.md"), "mine").unwrap();
    fs::write(env.path("vault/Afterword/Ideas.md"), "my own ideas").unwrap();
    env.init();
    assert_eq!(fs::read_to_string(env.path("vault/mine.md")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(env.path("vault/Afterword/Ideas.md")).unwrap(), "my own ideas");
}

#[test]
fn another_vault_is_not_taken_by_accident() {
    let env = TestEnv::new();
    env.init();
    let other = env.path("other");
    assert_snapshot!(env.run(&["init", "--vault", other.to_str().unwrap()]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: a vault is set up already: [ROOT]/vault
    hint: to set up another one, run `afterword config set vault.path`, which forgets where the one before is, then `afterword init --vault DIR`
    ");
    assert!(!other.exists());
}

#[test]
fn vault_that_was_moved_is_named_again() {
    let env = TestEnv::new();
    env.init();
    let (vault, moved) = (env.path("vault"), env.path("moved"));
    fs::rename(&vault, &moved).unwrap();
    let hint = env.run(&["reflect", "--all"]).stderr;
    assert!(hint.contains("where the vault was moved, run `afterword init --vault DIR`"), "{hint}");
    let nowhere = env.run(&["init", "--vault", env.path("nowhere").to_str().unwrap()]);
    assert_eq!(
        nowhere.code,
        Some(1),
        "a folder without a vault in it is not the one that was moved: {nowhere}"
    );
    assert_snapshot!(env.run(&["init", "--vault", moved.to_str().unwrap()]), @r"
    exit 0
    ----- stdout -----
    Vault     [ROOT]/moved  (was there)
    Settings  [ROOT]/afterword/config.toml  (was there)
    ----- stderr -----

    Next: afterword reflect --all
    ");
    assert_eq!(env.ok(&["config", "get", "vault.path"]), "[ROOT]/moved\n");
    assert!(!vault.exists(), "no empty vault is left in the old place");
}

#[test]
fn file_is_no_vault() {
    let env = TestEnv::new();
    fs::write(env.path("work/notes"), "x").unwrap();
    assert_snapshot!(env.run(&["init", "--vault", "notes"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: [ROOT]/work/notes: not a folder
    ");
    assert!(!env.path("afterword/config.toml").exists());
}

#[test]
fn relative_folder_is_taken_from_the_working_directory() {
    let env = TestEnv::new();
    env.ok(&["init", "--vault", "notes"]);
    assert_eq!(env.ok(&["config", "get", "vault.path"]), "[ROOT]/work/notes\n");
}
