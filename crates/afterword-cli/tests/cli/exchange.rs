//! `afterword export`, `afterword import` and `afterword vault`

use std::fs;

use crate::env::TestEnv;

const ID: &str = "0192f000-0000-7000-8000-00000000000";

fn env() -> TestEnv {
    let env = TestEnv::new();
    env.init();
    let note = |folder: &str, number: u32, front: &str, text: &str| {
        let text = format!("---\nid: {ID}{number}\nkey: \"{number:032}\"\n{front}\n---\n\n{text}\n");
        fs::write(env.path(&format!("vault/Afterword/{folder}/note-{number}.md")), text).unwrap();
    };
    note(
        "Preferences",
        1,
        "title: Use pnpm\nkind: preference\nstatus: active\nproject: shop",
        "Use pnpm. Never npm.",
    );
    note(
        "Fixes",
        2,
        "title: Raise the timeout\nkind: fix\nstatus: active",
        "Uploads time out behind the proxy.",
    );
    note("_inbox", 3, "title: Perhaps\nkind: fix\nstatus: inbox", "It waits.");
    env
}

#[test]
fn export_prints_and_writes_only_its_own_block() {
    let env = env();
    let json: serde_json::Value = serde_json::from_str(&env.ok(&["export", "--as", "json"])).unwrap();
    let titles: Vec<_> =
        json["lessons"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert_eq!((&json["version"], titles), (&1.into(), vec!["Use pnpm", "Raise the timeout"]));
    assert!(env.ok(&["export"]).contains("### Use pnpm (shop)\n\nUse pnpm. Never npm.\n"));
    let other = env.ok(&["export", "--as", "claude-md", "--project", "elsewhere"]);
    assert_eq!(
        other,
        "## Fixes and workarounds\n\n- Raise the timeout. Uploads time out behind the proxy.\n"
    );

    let file = env.path("work/CLAUDE.md");
    fs::write(&file, "# Mine\n").unwrap();
    let write = ["export", "--as", "claude-md", "--to", "CLAUDE.md"];
    let shown = env.run(&[&write[..], &["--dry-run"]].concat());
    assert_eq!(shown.code, Some(0));
    assert!(shown.stdout.contains("+ - Use pnpm. Never npm."), "{}", shown.stdout);
    assert_eq!(fs::read_to_string(&file).unwrap(), "# Mine\n");
    assert_eq!(env.run(&write).code, Some(1), "nobody was there to agree");
    env.ok(&[&write[..], &["--yes"]].concat());
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.starts_with("# Mine\n\n<!-- afterword:begin "), "{written}");
    env.ok(&[&write[..], &["--yes"]].concat());
    assert_eq!(fs::read_to_string(&file).unwrap(), written, "twice is once");

    fs::write(&file, written.replace("Never npm", "Hardly ever npm")).unwrap();
    let ran = env.run(&[&write[..], &["--yes"]].concat());
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("was changed"), "{}", ran.stderr);
    assert!(fs::read_to_string(&file).unwrap().contains("Hardly ever npm"));

    env.ok(&["export", "--as", "rules", "--to", ".claude/rules", "--yes"]);
    let rules = fs::read_to_string(env.path("work/.claude/rules/afterword-fixes.md")).unwrap();
    assert!(rules.contains("# Fixes and workarounds\n\n- Raise the timeout"), "{rules}");
    assert!(!env.path("work/.claude/rules/afterword-workflows.md").exists(), "no file for nothing");
}

#[test]
fn import_shows_its_plan_and_doubles_nothing() {
    let env = env();
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4)).chars().take(40).collect::<String>();
    let rules = format!(
        "# Rules\n\n- Always run the linter before a commit.\n- The deploy token is {secret} for now.\n"
    );
    fs::write(env.path("work/CLAUDE.md"), rules).unwrap();
    let import = ["import", "claude-md", "CLAUDE.md"];
    let dry = env.run(&["import", "--dry-run", "claude-md", "CLAUDE.md"]);
    assert_eq!(dry.code, Some(0), "{}", dry.stderr);
    assert!(
        dry.stdout.contains("Always run the linter") && dry.stdout.contains("2 to save"),
        "{}",
        dry.stdout
    );
    assert_eq!(env.run(&import).code, Some(1), "nobody was there to agree");
    let agreed = ["--json", "import", "--yes", "claude-md", "CLAUDE.md"];
    let view: serde_json::Value = serde_json::from_str(&env.ok(&agreed)).unwrap();
    assert_eq!((&view["written"], view["new"].as_array().unwrap().len()), (&true.into(), 2));
    let again: serde_json::Value = serde_json::from_str(&env.ok(&agreed)).unwrap();
    assert_eq!((again["new"].as_array().unwrap().len(), &again["known"]), (0, &2.into()));
    let written: Vec<String> = view["new"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| note["path"].as_str().unwrap().to_owned())
        .collect();
    for path in &written {
        assert!(!fs::read_to_string(env.path(&format!("vault/{path}"))).unwrap().contains(&secret));
    }
    fs::remove_file(env.path(&format!("vault/{}", written[0]))).unwrap();
    let deleted: serde_json::Value = serde_json::from_str(&env.ok(&agreed)).unwrap();
    assert_eq!(
        (deleted["new"].as_array().unwrap().len(), &deleted["deleted"]),
        (0, &1.into()),
        "what was deleted stays so"
    );

    let memory = env.path("claude/projects/-home-ada-shop/memory");
    fs::create_dir_all(&memory).unwrap();
    fs::write(
        memory.join("MEMORY.md"),
        "- [Testing](testing.md) — how\n- The staging database is rebuilt every night.\n",
    )
    .unwrap();
    fs::write(
        memory.join("testing.md"),
        "---\nname: How tests run\ntype: project\n---\n\nTests need the fake clock.\n",
    )
    .unwrap();
    let view: serde_json::Value =
        serde_json::from_str(&env.ok(&["--json", "import", "--yes", "claude-memory"])).unwrap();
    let new = view["new"].as_array().unwrap();
    assert_eq!(new.len(), 2, "{view}");
    assert!(new.iter().all(
        |note| note["waits"] == true && note["path"].as_str().unwrap().starts_with("Afterword/_review/")
    ));
}

#[test]
fn two_versions_are_listed_and_decided() {
    let env = env();
    let folder = env.path("vault/Afterword/Preferences");
    let text = fs::read_to_string(folder.join("note-1.md")).unwrap();
    fs::write(folder.join("note-1 2.md"), text.replace("Never npm.", "Never yarn.")).unwrap();
    let listed = env.ok(&["vault", "conflicts"]);
    assert!(
        listed.contains("Never npm.") && listed.contains("Never yarn.") && listed.contains("iCloud"),
        "{listed}"
    );
    let undecided = env.run(&["vault", "decide", "note-1.md"]);
    assert_eq!(undecided.code, Some(1));
    assert!(undecided.stderr.contains("--there"), "{}", undecided.stderr);
    env.ok(&["vault", "decide", "note-1.md", "--there"]);
    assert!(fs::read_to_string(folder.join("note-1.md")).unwrap().contains("Never yarn."));
    assert!(!folder.join("note-1 2.md").exists());
    let view: serde_json::Value = serde_json::from_str(&env.ok(&["--json", "vault", "conflicts"])).unwrap();
    assert_eq!(view["conflicts"].as_array().unwrap().len(), 0);
}

#[test]
fn a_month_is_written_and_a_note_is_linked() {
    let env = env();
    let printed = env.ok(&["vault", "month", "2026-03"]);
    assert!(
        printed.starts_with("Afterword/Reviews/2026-03.md\nobsidian://open?path=")
            && printed.contains("vault%"),
        "{printed}"
    );
    let note = fs::read_to_string(env.path("vault/Afterword/Reviews/2026-03.md")).unwrap();
    assert!(
        note.contains("title: \"Review of 2026-03\"") && note.contains("0 lessons were learned this month."),
        "{note}"
    );
    let link = env.ok(&["vault", "link", "note-2.md"]);
    assert!(link.contains(if cfg!(windows) { "Fixes%5Cnote-2.md" } else { "Fixes%2Fnote-2.md" }), "{link}");
    let wrong = env.run(&["vault", "month", "March"]);
    assert_eq!(wrong.code, Some(2));
}

#[test]
fn import_that_could_not_write_says_so() {
    let env = env();
    fs::write(
        env.path("work/CLAUDE.md"),
        "- Always run the linter before a commit.\n- Never squash merges.\n",
    )
    .unwrap();
    // Something is where the folder of what would be written is.
    let planned = env.json(&["import", "--dry-run", "claude-md", "CLAUDE.md"]);
    let path = planned["new"][0]["path"].as_str().unwrap().to_owned();
    let folder = env.path("vault").join(&path).parent().unwrap().to_owned();
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "a file").unwrap();
    let ran = env.run(&["import", "--yes", "claude-md", "CLAUDE.md"]);
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stderr.contains(&path) && ran.stderr.contains("could not be written"), "{ran}");
    assert!(!ran.stdout.contains("Imported.") && !ran.stderr.contains("Imported."), "{ran}");
    let ran = env.run(&["--json", "import", "--yes", "claude-md", "CLAUDE.md"]);
    let view: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (ran.code, &view["written"], view["refused"].as_array().unwrap().is_empty()),
        (Some(1), &false.into(), false)
    );
    fs::remove_file(&folder).unwrap();
    env.ok(&["import", "--yes", "claude-md", "CLAUDE.md"]);
}

#[test]
fn one_note_is_added_to_what_was_exported_before_and_a_workflow_is_drafted_as_a_skill() {
    let env = TestEnv::new();
    env.init();
    let note = |name: &str, kind: &str, folder: &str, number: usize| {
        let id = format!("0197d2a0-0000-7000-8000-{number:012}");
        let text = format!(
            "---\ntitle: {name}\nkind: {kind}\nstatus: active\nid: {id}\n---\n\n1. First.\n2. Then.\n"
        );
        let folder = env.path("vault/Afterword").join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.md")), text).unwrap();
        id
    };
    let tabs = note("Use tabs", "preference", "Preferences", 1);
    let lines = note("Short lines", "preference", "Preferences", 2);
    let release = note("Cut a release", "workflow", "Workflows", 3);
    let file = env.path("CLAUDE.md");
    let to = file.to_str().unwrap().to_owned();
    for id in [&tabs, &lines, &tabs] {
        env.ok(&["export", "--note", id, "--as", "claude-md", "--to", &to, "--yes"]);
    }
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!((text.matches("Use tabs").count(), text.matches("Short lines").count()), (1, 1), "{text}");

    let skills = env.path("skills");
    let to = skills.to_str().unwrap().to_owned();
    let planned = env.ok(&["export", "--note", &release, "--as", "skill", "--to", &to, "--dry-run"]);
    assert!(!skills.exists(), "a plan changes nothing: {planned}");
    env.ok(&["export", "--note", &release, "--as", "skill", "--to", &to, "--yes"]);
    let skill = skills.join("cut-a-release/SKILL.md");
    let text = std::fs::read_to_string(&skill).unwrap();
    assert!(
        text.starts_with("---\nname: cut-a-release\ndescription: ") && text.contains("2. Then."),
        "{text}"
    );
    std::fs::write(&skill, "mine now\n").unwrap();
    env.command(&["export", "--note", &release, "--as", "skill", "--to", &to, "--yes"]).output().unwrap();
    assert_eq!(std::fs::read_to_string(&skill).unwrap(), "mine now\n", "it is the person's once it is there");

    let chinese = ["发布之前先跑测试", "改完接口要更新文档"]
        .map(|title| note(title, "workflow", "Workflows", title.len()));
    for id in &chinese {
        env.ok(&["export", "--note", id, "--as", "skill", "--to", &to, "--yes"]);
    }
    std::fs::remove_dir_all(skill.parent().unwrap()).unwrap();
    env.ok(&["export", "--as", "skill", "--to", &to, "--yes"]);
    assert_eq!(
        std::fs::read_dir(&skills).unwrap().count(),
        3,
        "a folder each, whichever were exported together"
    );
}
