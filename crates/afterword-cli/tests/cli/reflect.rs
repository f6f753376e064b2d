//! `afterword reflect`

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::env::TestEnv;
use afterword_testkit::transcript::{answered, typed, with_a_rule};

const ID: &str = "0f0e0d0c-1111-4222-8333-444455556666";

fn notes(env: &TestEnv) -> Vec<(String, String)> {
    env.vault().into_iter().filter(|(_, text)| text.contains("\nkey: ")).collect()
}

#[test]
fn dry_run_prints_the_contract_and_writes_nothing() {
    let env = TestEnv::new();
    let path = env.session(ID, &with_a_rule(ID));
    let text = env.ok(&["reflect", path.to_str().unwrap(), "--dry-run", "--json"]);
    assert!(!env.path("afterword").exists(), "a dry run needs no state");

    let keys = |prefix: &str| text.starts_with(prefix);
    assert!(
        keys("{\"version\":1,\"session_id\":\"0f0e0d0c-1111-4222-8333-444455556666\",\"transcript\":"),
        "{text}"
    );
    let order = [
        "\"version\"",
        "\"session_id\"",
        "\"transcript\"",
        "\"project\"",
        "\"engine\"",
        "\"entries\"",
        "\"skipped_lines\"",
        "\"candidates\"",
    ];
    let places: Vec<_> = order.iter().map(|key| text.find(key).unwrap()).collect();
    assert!(places.is_sorted(), "{text}");

    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["project"], "/home/ada/shop");
    assert_eq!(value["engine"], "builtin");
    assert_eq!((&value["entries"], &value["skipped_lines"]), (&Value::from(4), &Value::from(0)));
    let rule = &value["candidates"][0];
    let fields: Vec<_> = rule.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["body", "confidence", "evidence", "kind", "rationale", "signal", "title"]);
    assert!(["preference", "workflow"].contains(&rule["kind"].as_str().unwrap()), "{rule}");
    assert_eq!(rule["evidence"][0]["line"], 3);
    assert_eq!(rule["evidence"][0]["uuid"], "00000000-0000-4000-8000-000000000003");
    assert_eq!(rule["evidence"][0]["role"], "user");
    let quote = rule["evidence"][0]["quote"].as_str().unwrap();
    assert!(with_a_rule(ID)[2].contains(quote), "word for word: {quote}");
}

#[test]
fn session_is_found_by_id_and_by_the_start_of_its_id() {
    let env = TestEnv::new();
    env.session(ID, &with_a_rule(ID));
    env.session("0f0e0000-1111-4222-8333-444455556666", &with_a_rule(ID));
    for argument in [ID, "0f0e0d"] {
        assert_eq!(env.json(&["reflect", argument, "--dry-run"])["session_id"], ID);
    }
    assert_snapshot!(env.run(&["reflect", "0f0e", "--dry-run"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: `0f0e` is the start of 2 sessions
    hint: give more of the id; it fits 0f0e0000-1111-4222-8333-444455556666, 0f0e0d0c-1111-4222-8333-444455556666
    ");
    assert_snapshot!(env.run(&["reflect", "ffff", "--dry-run"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: no session starts with `ffff`
    hint: `afterword sessions` lists them
    ");
}

#[test]
fn what_is_no_transcript_is_said_to_be_none() {
    let env = TestEnv::new();
    fs::create_dir(env.path("work/folder")).unwrap();
    fs::write(env.path("work/prose.jsonl"), "just\nwords\n").unwrap();
    fs::write(env.path("work/empty.jsonl"), "").unwrap();
    assert_snapshot!(env.run(&["reflect", "folder", "--dry-run"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: [ROOT]/work/folder: a folder, not a transcript
    ");
    assert_snapshot!(env.run(&["reflect", "missing.jsonl", "--dry-run"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: [ROOT]/work/missing.jsonl: there is no such file
    ");
    assert_snapshot!(env.run(&["reflect", "prose.jsonl", "--dry-run"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: [ROOT]/work/prose.jsonl: no entry of a Claude Code session in it
    ");
    assert_snapshot!(env.run(&["reflect", "empty.jsonl", "--dry-run"]), @r"
    exit 0
    ----- stdout -----
    unknown project empty 0 entries

    1 session read: nothing found
    ----- stderr -----
    ");
}

#[cfg(unix)]
#[test]
fn socket_is_no_transcript() {
    let env = TestEnv::new();
    let _socket = std::os::unix::net::UnixListener::bind(env.path("work/s.jsonl")).unwrap();
    assert_snapshot!(env.run(&["reflect", "s.jsonl", "--dry-run"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: [ROOT]/work/s.jsonl: not a regular file
    ");
}

#[test]
fn usage_errors_exit_with_2() {
    let env = TestEnv::new();
    assert_snapshot!(env.run(&["reflect"]), @r"
    exit 2
    ----- stdout -----
    ----- stderr -----
    error: the following required arguments were not provided:
      <SESSION|PATH|--all|--since <TIME>>

    Usage: afterword reflect <SESSION|PATH|--all|--since <TIME>>

    For more information, try '--help'.
    ");
    assert_snapshot!(env.run(&["reflect", "--all", "--since", "yesterday"]), @r"
    exit 2
    ----- stdout -----
    ----- stderr -----
    error: --since: `yesterday` is no time; write `7d`, `12h`, `2w` or a day like `2026-03-01`
    ");
    assert_eq!(env.run(&["reflect", ID, "--all"]).code, Some(2));
}

#[test]
fn without_a_vault_nothing_is_read() {
    let env = TestEnv::new();
    env.session(ID, &with_a_rule(ID));
    assert_snapshot!(env.run(&["reflect", "--all"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: no vault is set up
    hint: choose one with `afterword init --vault DIR`, or look first with `--dry-run`
    ");
    assert_snapshot!(env.run(&["reflect", "--all", "--engine", "oracle"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: there is no engine `oracle`
    hint: the engines that exist are `builtin`, `claude-code`, `anthropic`, `openai-compatible`
    ");
}

#[test]
fn writes_notes_once_and_adds_only_what_is_new() {
    let env = TestEnv::new();
    env.init();
    let path = env.session(ID, &with_a_rule(ID));
    let ran = env.run(&["reflect", "--all"]);
    assert_eq!(ran.code, Some(0), "{ran}");
    let first = notes(&env);
    assert!(!first.is_empty(), "{ran}");
    for (name, text) in &first {
        assert!(name.starts_with("Afterword/") && text.starts_with("---\n"), "{name}");
    }
    assert!(first.iter().any(|(_, text)| text.contains("never edit a migration that is merged")));

    assert_snapshot!(env.run(&["reflect", "--all"]), @r"
    exit 0
    ----- stdout -----
    0 sessions read: 1 unchanged
    ----- stderr -----
    ");
    // Asked for by name it is read again, and still nothing changes.
    env.ok(&["reflect", ID]);
    assert_eq!(notes(&env), first);

    env.append(
        &path,
        &[
            answered(ID, 5, "I stored the discounted total as a float."),
            typed(ID, 6, "No. From now on never store money as a float, always as integer cents."),
            answered(ID, 7, "Understood. I changed the column to integer cents."),
        ],
    );
    env.ok(&["reflect", "--all"]);
    let second = notes(&env);
    let all: String = second.iter().map(|(_, text)| text.as_str()).collect();
    assert!(all.contains("always as integer cents"), "{all}");
    // A new note, or a piece of evidence more; what was there stays.
    for (name, text) in first.iter().filter(|(name, _)| !name.contains("/Projects/")) {
        let now = second.iter().find(|(other, _)| other == name).map(|(_, text)| text).unwrap();
        let own = |text: &str| {
            text.split("## Evidence").next().unwrap().split_once("\n---\n").unwrap().1.to_owned()
        };
        assert_eq!(own(now), own(text), "{name}");
    }
}

#[test]
fn note_that_was_edited_or_deleted_is_respected() {
    let env = TestEnv::new();
    env.init();
    let path = env.session(ID, &with_a_rule(ID));
    env.ok(&["reflect", "--all"]);
    let lesson = |env: &TestEnv| {
        let mut found = notes(env).into_iter().map(|(name, _)| name);
        found.find(|name| !name.contains("/Projects/"))
    };
    let file = env.path("vault").join(lesson(&env).unwrap());
    let edited = fs::read_to_string(&file).unwrap() + "\nMy own words.\n";
    fs::write(&file, &edited).unwrap();
    env.append(&path, &[typed(ID, 5, "ok, thanks")]);
    env.ok(&["reflect", "--all"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), edited);

    fs::remove_file(&file).unwrap();
    env.append(&path, &[typed(ID, 6, "and push it please")]);
    env.ok(&["reflect", "--all"]);
    assert!(!file.exists(), "a note the user deleted stays deleted");
    assert_eq!(lesson(&env), None);
}

#[test]
fn fork_repeats_no_lesson() {
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    env.ok(&["reflect", "--all"]);
    let before = notes(&env);
    // A fork has the earlier entries with their uuids, under its own session id.
    let fork = "99999999-1111-4222-8333-444455556666";
    env.session(fork, &with_a_rule(fork));
    env.ok(&["reflect", "--all"]);
    assert_eq!(notes(&env), before);
}

#[test]
fn excluded_project_is_not_read() {
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    env.ok(&["config", "set", "privacy.exclude", "/home/ada/*"]);
    assert_snapshot!(env.run(&["reflect", "--all"]), @r"
    exit 0
    ----- stdout -----
    0 sessions read: 1 excluded
    ----- stderr -----
    ");
    assert_snapshot!(env.run(&["reflect", "--all"]), @r"
    exit 0
    ----- stdout -----
    0 sessions read: 1 excluded
    ----- stderr -----
    ");
    assert_snapshot!(env.run(&["reflect", ID]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: [ROOT]/claude/projects/-home-ada-shop/0f0e0d0c-1111-4222-8333-444455556666.jsonl: its project is excluded by `privacy.exclude` (/home/ada/shop)
    hint: change `privacy.exclude` with `afterword config set`
    ");
    assert_eq!(notes(&env), []);
    env.ok(&["config", "set", "privacy.exclude"]);
    env.ok(&["reflect", "--all"]);
    assert_ne!(notes(&env), []);
}

#[test]
fn bad_lines_are_named_and_the_rest_is_read() {
    let env = TestEnv::new();
    let mut lines = with_a_rule(ID);
    lines.insert(1, "{broken\n".to_owned());
    env.session(ID, &lines);
    let ran = env.run(&["reflect", ID, "--dry-run"]);
    assert_eq!(ran.code, Some(0));
    let warning = "warning: [ROOT]/claude/projects/-home-ada-shop/0f0e0d0c-1111-4222-8333-444455556666.jsonl:2: skipped";
    assert!(ran.stderr.starts_with(warning), "{}", ran.stderr);
    assert_eq!(env.json(&["reflect", ID, "--dry-run"])["skipped_lines"], 1);
}

#[cfg(unix)]
#[test]
fn one_bad_transcript_does_not_stop_the_others() {
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    env.session("11111111-1111-4222-8333-444455556666", &["no transcript at all\n".to_owned()]);
    let ran = env.run(&["reflect", "--all"]);
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stderr.contains("11111111-1111-4222-8333-444455556666.jsonl: no entry"), "{ran}");
    assert_ne!(notes(&env), []);
}

#[test]
fn vault_that_is_gone_is_not_made_again() {
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    fs::remove_dir_all(env.path("vault")).unwrap();
    assert_snapshot!(env.run(&["reflect", "--all"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: no Afterword folder in [ROOT]/vault
    hint: bring back the disk it is on; where the vault was moved, run `afterword init --vault DIR`; `afterword init` begins an empty one there
    ");
    assert!(!env.path("vault").exists());
    env.ok(&["init"]);
    env.ok(&["reflect", "--all"]);
    assert_ne!(notes(&env), []);
}

#[test]
fn moved_vault_is_recognised_and_a_new_one_is_filled() {
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    env.ok(&["reflect", "--all"]);
    let before = notes(&env);

    fs::rename(env.path("vault"), env.path("moved")).unwrap();
    env.ok(&["config", "set", "vault.path", env.path("moved").to_str().unwrap()]);
    let again = env.json(&["reflect", "--all"]);
    assert_eq!((&again["unchanged"], again["notes"].as_array().unwrap().len()), (&Value::from(1), 0));

    env.ok(&["config", "set", "vault.path"]);
    env.ok(&["init", "--vault", env.path("vault").to_str().unwrap()]);
    env.ok(&["reflect", "--all"]);
    let names = |notes: &[(String, String)]| notes.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&notes(&env)), names(&before));
}

#[test]
fn sessions_of_the_real_client_become_notes() {
    let env = TestEnv::new();
    env.init();
    for name in ["shop-cart", "shop-checkout", "shop-checkout-fork", "homelab-backup", "puzzle-evening"] {
        env.sample(name);
    }
    let told = env.json(&["reflect", "--all"]);
    assert_eq!(told["sessions"].as_array().unwrap().len(), 5);
    assert_eq!(told["failed"], Value::Array(Vec::new()));
    let text: String = notes(&env).into_iter().map(|(_, text)| text).collect();
    for secret in ["correct-horse-9f2kq7", "ghp_madeUpTokenThatWorksNowhere012345678"] {
        assert!(!text.contains(secret));
    }
    let keys: Vec<_> = text.lines().filter(|line| line.starts_with("key: ")).collect();
    let mut once = keys.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(keys.len(), once.len(), "no lesson twice");
    for note in told["notes"].as_array().unwrap() {
        assert!(env.path("vault").join(note["path"].as_str().unwrap()).exists(), "{note}");
    }
}

#[test]
fn two_at_once_write_every_note_once() {
    let env = TestEnv::new();
    env.init();
    for name in ["shop-cart", "shop-checkout", "tally-report", "invoices-vat"] {
        env.sample(name);
    }
    let running: Vec<_> = (0..4)
        .map(|_| {
            let mut command = env.command(&["reflect", "--all", "--json"]);
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for one in running {
        let output = one.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let together = notes(&env);
    let alone = TestEnv::new();
    alone.init();
    for name in ["shop-cart", "shop-checkout", "tally-report", "invoices-vat"] {
        alone.sample(name);
    }
    alone.ok(&["reflect", "--all"]);
    let names = |notes: &[(String, String)]| notes.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&together), names(&notes(&alone)));
}

#[test]
fn transcript_from_elsewhere_is_looked_at_and_written_only_when_that_is_said() {
    let env = TestEnv::new();
    env.init();
    fs::create_dir_all(env.path("claude/projects")).unwrap();
    fs::write(env.path("work/other.jsonl"), with_a_rule(ID).concat()).unwrap();
    assert_eq!(env.json(&["reflect", "other.jsonl", "--dry-run"])["session_id"], ID);
    env.ok(&["inspect", "other.jsonl"]);
    assert_snapshot!(env.run(&["reflect", "other.jsonl"]), @r"
    exit 1
    ----- stdout -----
    ----- stderr -----
    error: [ROOT]/work/other.jsonl: no transcript of Claude Code's own folder, so nothing of it is written
    hint: look at it with `--dry-run` or `afterword inspect PATH`; `afterword reflect PATH --foreign` takes what it holds for your own sessions' words
    ");
    assert!(notes(&env).is_empty());
    env.ok(&["reflect", "other.jsonl", "--foreign"]);
    assert!(!notes(&env).is_empty());
    assert_eq!(env.run(&["reflect", "--all", "--foreign"]).code, Some(2));
}

#[test]
fn again_shows_a_plan_and_apply_carries_it_out() {
    let env = TestEnv::new();
    env.init();
    let path = env.session(ID, &with_a_rule(ID));
    env.ok(&["reflect", "--all"]);
    let note = |env: &TestEnv| {
        notes(env).into_iter().filter(|(_, text)| text.contains("migration")).collect::<Vec<_>>()
    };
    let before = note(&env);

    // What an earlier engine took for a rule is none to today's: other words of the same length in the same entry.
    let rule = "No. From now on never edit a migration that is merged, always add a new migration file.";
    let words = "thanks, that looks fine";
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(rule));
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, text.replace(rule, &format!("{words:<width$}", width = rule.len()))).unwrap();
    fs::File::options().append(true).open(&path).unwrap().set_modified(modified).unwrap();

    assert_snapshot!(env.run(&["reflect", "--again", "--all"]), @r"
    exit 0
    ----- stdout -----
    Plan for the notes in [ROOT]/vault
      Withdraw (1)
        - From now on never edit a migration that is merged, always add a new migration file
          Afterword/Preferences/from-now-on-never-edit-a-migration-that-is-merged-always-add.md to Afterword/_archive/from-now-on-never-edit-a-migration-that-is-merged-always-add.md

    1 session read again: 1 to withdraw
    ----- stderr -----
    hint: nothing was written; the same with `--apply` does it
    ");
    assert_eq!(note(&env), before, "a plan writes nothing");
    let plan = env.json(&["reflect", "--again", ID]);
    assert_eq!((&plan["version"], &plan["applied"]), (&Value::from(1), &Value::from(false)));
    assert_eq!(plan["withdraw"].as_array().unwrap().len(), 1, "{plan}");
    assert_eq!(note(&env), before);

    // What could not be carried out is said, and is still to be done.
    let archive = env.path("vault/Afterword/_archive");
    assert!(!archive.exists());
    fs::write(&archive, "a file").unwrap();
    let ran = env.run(&["reflect", "--again", ID, "--apply"]);
    assert!(ran.code == Some(1) && ran.stdout.contains("1 not written"), "{ran}");
    assert_eq!(note(&env), before);
    fs::remove_file(&archive).unwrap();

    let done = env.json(&["reflect", "--again", ID, "--apply"]);
    assert_eq!(done["applied"], true);
    let to = done["withdraw"][0]["to"].as_str().unwrap();
    assert!(
        note(&env).iter().any(|(path, text)| to.ends_with(path) && text.contains("status: archived")),
        "{to}"
    );
    assert_snapshot!(env.run(&["reflect", "--again", "--all"]), @r"
    exit 0
    ----- stdout -----
    1 session read again: nothing to change
    ----- stderr -----
    ");
    assert_eq!(env.run(&["reflect", "--all", "--apply"]).code, Some(2), "only what was shown is applied");
}

#[cfg(target_os = "linux")]
#[test]
fn price_of_many_sessions_is_said_before_a_model_is_asked() {
    let provider = afterword_testkit::provider::Provider::answering(|_, _| {
        (400, "", r#"{"error":{"message":"no such model"}}"#.to_owned())
    });
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    for (key, value) in [
        ("engine.name", "openai-compatible"),
        ("engine.address", &format!("{}/v1", provider.address)),
        ("engine.model", "small"),
        ("engine.usd_per_million_in", "10"),
        ("engine.usd_per_million_out", "10"),
    ] {
        env.ok(&["config", "set", key, value]);
    }
    let ran = env.run(&["reflect", "--all"]);
    let price =
        ran.stderr.find("openai-compatible is asked about 1 session: about $0.").unwrap_or(usize::MAX);
    let refusal = ran.stderr.find("no such model").unwrap();
    assert!(price < refusal, "{}", ran.stderr);
    assert!(ran.stderr.contains("never more than $5.00 a day"), "{}", ran.stderr);
    let quiet = env.run(&["reflect", "--all", "--dry-run"]);
    assert!(!quiet.stderr.contains("is asked about"), "{}", quiet.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_model_left_out_is_said_with_the_reason() {
    use afterword_testkit::provider::{Provider, completion, lessons};

    let provider = Provider::answering(|_, _| {
        let verdict = serde_json::json!({"n": 1, "verdict": "drop", "with": 0, "why": "it was for that day"});
        (200, "", completion("stop", &lessons(&[verdict], &[]).to_string()))
    });
    let env = TestEnv::new();
    env.init();
    env.session(ID, &with_a_rule(ID));
    let address = format!("{}/v1", provider.address);
    for (key, value) in
        [("engine.name", "openai-compatible"), ("engine.address", &address), ("engine.model", "small")]
    {
        env.ok(&["config", "set", key, value]);
    }
    let told = env.ok(&["reflect", ID]);
    assert!(
        told.contains("left out: ") && told.contains("the model dropped it: it was for that day"),
        "{told}"
    );
    let left_out = &env.json(&["reflect", ID])["sessions"][0]["left_out"];
    assert_eq!(left_out[0]["why"], "the model dropped it: it was for that day", "{left_out}");
}
