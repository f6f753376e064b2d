//! `afterword config`

use std::fs;

use insta::assert_snapshot;

use crate::env::TestEnv;

#[test]
fn defaults_are_shown_without_a_file() {
    assert_snapshot!(TestEnv::new().run(&["config", "show"]), @r#"
    exit 0
    ----- stdout -----
    vault.path                 (not set)
    claude.config_dir          (not set)
    claude.other_dirs          []  (default)
    claude.binary              (not set)
    review.mode                "interactive"  (default)
    review.per_week            5  (default)
    review.inbox_days          90  (default)
    engine.name                "builtin"  (default)
    engine.model               (not set)
    engine.address             "http://127.0.0.1:11434/v1"  (default)
    engine.anthropic_address   "https://api.anthropic.com"  (default)
    engine.answer_tokens       0  (default)
    engine.limit_minutes       5  (default)
    engine.usd_per_million_in  (not set)
    engine.usd_per_million_out (not set)
    budget.daily_usd           5.0  (default)
    budget.per_project_usd     0  (default)
    budget.per_job_usd         0.25  (default)
    ideas.research             false  (default)
    reflection.idle_minutes    (not set)
    heartbeat.enabled          true  (default)
    heartbeat.idle_minutes     4  (default)
    heartbeat.continue_minutes 30  (default)
    recovery.unknown_minutes   60  (default)
    recovery.keep_days         30  (default)
    log.level                  "info"  (default)
    tasks.daily_usd            5.0  (default)
    recall.token_budget        600  (default)
    recall.on_prompt           false  (default)
    recall.model               "built-in"  (default)
    attempts.judge_sessions    true  (default)
    attempts.most_per_session  20  (default)
    attempts.most_per_project  100  (default)
    attempts.past_lessons      3  (default)
    privacy.exclude            []  (default)
    privacy.redact_extra       []  (default)
    archive.sessions           false  (default)
    archive.limit_mb           2000  (default)
    projects.folders           []  (default)
    notices.completed          true  (default)
    notices.failed             true  (default)
    notices.review             true  (default)
    notices.waiting            true  (default)
    notices.reported           true  (default)
    notices.left_open          true  (default)
    notices.quiet_hours        ""  (default)
    updates.check              false  (default)
    updates.address            (not set)
    window.appearance          "system"  (default)
    window.language            "system"  (default)
    ----- stderr -----
    "#);
}

#[test]
fn value_comes_back_as_it_was_set() {
    let env = TestEnv::new();
    env.ok(&["config", "set", "review.mode", "silent"]);
    assert_eq!(env.ok(&["config", "get", "review.mode"]), "silent\n");
    env.ok(&["config", "set", "privacy.exclude", "/home/ada/clients/**", "secret-*"]);
    assert_eq!(env.ok(&["config", "get", "privacy.exclude"]), "/home/ada/clients/**\nsecret-*\n");
    assert_eq!(env.ok(&["config", "get", "vault.path"]), "");
    env.ok(&["config", "set", "review.mode"]);
    assert_eq!(env.ok(&["config", "get", "review.mode"]), "interactive\n");
}

#[test]
fn set_value_stands_below_its_explanation_and_comments_stay() {
    let env = TestEnv::new();
    env.ok(&["config", "set", "review.mode", "silent"]);
    let file = env.path("afterword/config.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("# mode = \"interactive\"\nmode = \"silent\"\n"), "{text}");
    fs::write(&file, text.replace("mode = \"silent\"", "mode = \"silent\"   # my own words")).unwrap();
    env.ok(&["config", "set", "review.mode", "interactive"]);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("mode = \"interactive\"   # my own words"), "{text}");
}

#[cfg(unix)]
#[test]
fn file_is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let env = TestEnv::new();
    env.ok(&["config", "set", "review.mode", "silent"]);
    let mode = |path: &str| fs::metadata(env.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("afterword"), mode("afterword/config.toml")), (0o700, 0o600));
}

#[test]
fn unknown_key_in_the_file_is_named_with_its_line() {
    let env = TestEnv::new();
    fs::create_dir(env.path("afterword")).unwrap();
    fs::write(env.path("afterword/config.toml"), "# mine\n[vault]\npth = \"/x\"\n").unwrap();
    assert_snapshot!(env.run(&["config", "show"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: [ROOT]/afterword/config.toml:3: `vault.pth` does not exist
    hint: did you mean `vault.path`?
    ");
    assert_eq!(env.run(&["reflect", "--all"]).code, Some(1));
}

#[test]
fn bad_value_in_the_file_is_named_with_its_line() {
    let env = TestEnv::new();
    fs::create_dir(env.path("afterword")).unwrap();
    let check = |text: &str, expected: &str| {
        fs::write(env.path("afterword/config.toml"), text).unwrap();
        let ran = env.run(&["config", "show"]);
        assert_eq!(ran.code, Some(1), "{text}");
        assert_eq!(
            ran.stderr.lines().next().unwrap(),
            format!("error: [ROOT]/afterword/config.toml:{expected}")
        );
    };
    check(
        "\n\n[review]\nmode = \"loud\"",
        "4: `review.mode` must be \"interactive\" or \"silent\", not \"loud\"",
    );
    check("[review]\nmode = 3", "2: `review.mode` must be a text in quotes, not an integer");
    check("vault.path = \"notes\"", "1: `vault.path` must be an absolute path, not \"notes\"");
    check("vault = \"/x\"", "1: `vault` is a section, not a setting");
    check("[vault.path]\na = 1", "1: `vault.path` is a setting, not a section");
    check(
        "[privacy]\nexclude = \"/x\"",
        "2: `privacy.exclude` must be a list of texts in quotes, like [\"one\", \"two\"]",
    );
    check(
        "[privacy]\n\nexclude = [\"a[\"]",
        "3: `privacy.exclude` cannot use the pattern \"a[\": unclosed character class; missing ']'",
    );
}

#[test]
fn refused_value_leaves_the_file_as_it_was() {
    let env = TestEnv::new();
    env.ok(&["config", "set", "review.mode", "silent"]);
    let before = fs::read_to_string(env.path("afterword/config.toml")).unwrap();
    assert_snapshot!(env.run(&["config", "set", "review.mode", "loud"]), @r#"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: `review.mode`: must be "interactive" or "silent", not "loud"
    "#);
    assert_snapshot!(env.run(&["config", "set", "review.mod", "silent"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: there is no setting `review.mod`
    hint: did you mean `review.mode`?
    ");
    assert_snapshot!(env.run(&["config", "set", "privacy.redact_extra", "("]), @r#"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: `privacy.redact_extra`: cannot use the pattern "(": unclosed group
    "#);
    assert_eq!(fs::read_to_string(env.path("afterword/config.toml")).unwrap(), before);
}

#[test]
fn value_that_would_not_work_is_refused() {
    let env = TestEnv::new();
    env.init();
    fs::create_dir(env.path("empty")).unwrap();
    let before = fs::read_to_string(env.path("afterword/config.toml")).unwrap();
    let empty = env.path("empty").to_str().unwrap().to_owned();
    let nowhere = env.path("nowhere").to_str().unwrap().to_owned();
    for (key, value, why) in [
        ("vault.path", &empty, "error: no vault is set up in [ROOT]/empty"),
        ("vault.path", &nowhere, "then `afterword init --vault DIR`"),
        ("claude.config_dir", &nowhere, "`claude.config_dir`: there is no such folder"),
        ("claude.binary", &nowhere, "`claude.binary`: there is no such file"),
        ("engine.address", &"http://models.example.org/v1".to_owned(), "use https:// here"),
        ("updates.address", &"http://example.org/latest.json".to_owned(), "use https:// here"),
        ("recall.model", &nowhere, "`recall.model`: "),
    ] {
        let ran = env.run(&["config", "set", key, value]);
        assert_eq!(ran.code, Some(1), "{key} {value}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    assert_eq!(fs::read_to_string(env.path("afterword/config.toml")).unwrap(), before);
}

#[test]
fn value_that_the_file_must_not_hold_is_mended_by_setting_another() {
    let env = TestEnv::new();
    fs::create_dir(env.path("afterword")).unwrap();
    fs::write(env.path("afterword/config.toml"), "[review]\nmode = \"loud\"\n").unwrap();
    assert_eq!(env.run(&["config", "get", "review.mode"]).code, Some(1));
    env.ok(&["config", "set", "review.mode", "silent"]);
    assert_eq!(env.ok(&["config", "get", "review.mode"]), "silent\n");
}

#[test]
fn path_is_told_also_where_the_file_is_broken() {
    let env = TestEnv::new();
    fs::create_dir(env.path("afterword")).unwrap();
    fs::write(env.path("afterword/config.toml"), "not [ toml").unwrap();
    assert_eq!(env.ok(&["config", "path"]), "[ROOT]/afterword/config.toml\n");
    assert_snapshot!(env.run(&["config", "show"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: [ROOT]/afterword/config.toml:1: not valid TOML: key with no value, expected `=`
    hint: correct that line in an editor, or move the file away: every setting has a default
    ");
}

#[cfg(target_os = "linux")]
#[test]
fn engine_that_is_set_is_looked_at_and_a_test_question_is_named() {
    let provider = afterword_testkit::provider::Provider::answering(|_, _| (500, "", String::new()));
    let env = TestEnv::new();
    env.init();
    let set = |key: &str, value: &str| env.run(&["config", "set", key, value]).stderr;
    let unnamed = set("engine.name", "openai-compatible");
    assert!(unnamed.contains("cannot be asked: no model is set"), "{unnamed}");
    assert!(unnamed.contains("the built-in engine goes on meanwhile"), "{unnamed}");
    let absent = set("engine.address", "http://127.0.0.1:9/v1") + &set("engine.model", "small");
    assert!(absent.contains("cannot be asked: http://127.0.0.1:9/v1: not reached"), "{absent}");
    let there = set("engine.address", &format!("{}/v1", provider.address));
    assert!(there.contains("`afterword engine try` asks openai-compatible one test question"), "{there}");
    assert_eq!(provider.received().len(), 0, "nobody is asked unasked");
    let built_in = set("engine.name", "builtin");
    assert!(!built_in.contains("engine try"), "{built_in}");
}
