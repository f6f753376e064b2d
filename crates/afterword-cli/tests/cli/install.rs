//! `afterword install claude-code`, `afterword uninstall claude-code`

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::env::TestEnv;

const SETTINGS: &str = "claude/settings.json";
const SERVERS: &str = "claude/.claude.json";
const EVENTS: [&str; 4] = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];

/// Settings as people and programs leave them.
const LAYOUTS: [(&str, &str); 12] = [
    ("two blanks", "{\n  \"model\": \"opus\",\n  \"env\": {\n    \"A\": \"1\"\n  }\n}\n"),
    ("four blanks", "{\n    \"model\": \"opus\",\n    \"permissions\": {\n        \"allow\": []\n    }\n}\n"),
    ("tabs", "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n"),
    ("no last line break", "{\n  \"model\": \"opus\"\n}"),
    ("two last line breaks", "{\n  \"model\": \"opus\"\n}\n\n"),
    ("Windows line breaks", "{\r\n  \"model\": \"opus\",\r\n  \"n\": 1.50e+3\r\n}\r\n"),
    ("byte order mark", "\u{feff}{\n  \"model\": \"opus\"\n}\n"),
    ("one line", "{\"model\":\"opus\",\"path\":\"C:\\\\x\",\"u\":\"\\u00e9é\"}"),
    ("empty object", "{ }"),
    ("empty hooks", "{\n  \"hooks\": {},\n  \"z\": null,\n  \"a\": true\n}\n"),
    ("empty event", "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"),
    (
        "other people's hooks",
        "{\n  \"hooks\": {\n    \"SessionEnd\": [\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"bye\" } ] }\n    ],\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"/opt/afterword hook Stop\"}\n        ]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
    ),
];

fn env_with(file: &str, text: &str) -> TestEnv {
    let env = TestEnv::new();
    let path = env.path(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    env
}

fn text(env: &TestEnv, file: &str) -> String {
    fs::read_to_string(env.path(file)).unwrap()
}

fn value(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap()
}

fn install(env: &TestEnv) {
    env.ok(&["install", "claude-code", "--yes"]);
}

fn uninstall(env: &TestEnv) {
    env.ok(&["uninstall", "claude-code", "--yes"]);
}

/// The settings without the hooks that run this program.
fn without_ours(mut settings: Value) -> Value {
    let program = env!("CARGO_BIN_EXE_afterword");
    let hooks = settings["hooks"].as_object_mut().unwrap();
    for groups in hooks.values_mut() {
        for group in groups.as_array_mut().unwrap() {
            group["hooks"].as_array_mut().unwrap().retain(|hook| hook["command"] != program);
        }
        groups.as_array_mut().unwrap().retain(|group| group["hooks"] != json!([]));
    }
    settings
}

#[test]
fn every_layout_keeps_its_values_and_is_restored_to_the_byte() {
    for (layout, before) in LAYOUTS {
        let env = env_with(SETTINGS, before);
        install(&env);
        let after = text(&env, SETTINGS);
        let settings = value(&after);
        for event in EVENTS {
            let ours = settings["hooks"][event].as_array().unwrap().last().unwrap()["hooks"][0].clone();
            assert_eq!(ours["command"], env!("CARGO_BIN_EXE_afterword"), "{layout}");
            assert_eq!(ours["args"][1], event, "{layout}");
        }
        for (name, was) in value(before).as_object().unwrap() {
            let stays = if name == "hooks" {
                without_ours(settings.clone())["hooks"].clone()
            } else {
                settings[name].clone()
            };
            for (inner, was) in was.as_object().into_iter().flatten() {
                assert_eq!(&stays[inner], was, "{layout}: {name}.{inner}");
            }
            assert!(was.is_object() || &stays == was, "{layout}: {name}");
        }
        assert_eq!(after.starts_with('\u{feff}'), before.starts_with('\u{feff}'), "{layout}");
        assert_eq!(after.contains("\r\n"), before.contains("\r\n"), "{layout}");
        assert_eq!(
            after.matches('\n').count(),
            after.matches(if before.contains("\r\n") { "\r\n" } else { "\n" }).count()
        );
        assert_eq!(after.ends_with('\n'), before.ends_with('\n'), "{layout}");
        install(&env);
        assert_eq!(text(&env, SETTINGS), after, "{layout}: a second time");
        uninstall(&env);
        assert_eq!(text(&env, SETTINGS), before, "{layout}: restored");
    }
}

#[test]
fn lines_of_the_file_stay_as_they_are() {
    for (layout, before) in LAYOUTS.iter().filter(|(_, text)| text.lines().count() > 2) {
        let env = env_with(SETTINGS, before);
        install(&env);
        let after = text(&env, SETTINGS);
        let mut lines = after.lines();
        for line in before.lines() {
            // An opened list and a comma are all that may come to a line.
            let same = |new: &str| {
                new == line
                    || new == format!("{line},")
                    || line.replace("{}", "{").replace("[]", "[").trim_end_matches(',') == new
            };
            assert!(lines.any(same), "{layout}: `{line}` in\n{after}");
        }
    }
}

#[test]
fn what_the_user_changed_in_between_stays() {
    for (layout, before) in
        LAYOUTS.iter().filter(|(_, text)| text.contains("opus") && text.lines().count() > 2)
    {
        let env = env_with(SETTINGS, before);
        install(&env);
        fs::write(env.path(SETTINGS), text(&env, SETTINGS).replace("opus", "sonnet")).unwrap();
        uninstall(&env);
        assert_eq!(text(&env, SETTINGS), before.replace("opus", "sonnet"), "{layout}");
    }
}

#[test]
fn files_that_were_not_there_are_gone_again() {
    let env = TestEnv::new();
    install(&env);
    assert_eq!(value(&text(&env, SERVERS))["mcpServers"]["afterword"]["args"], json!(["mcp"]));
    uninstall(&env);
    assert!(!env.path(SETTINGS).exists());
    assert!(!env.path(SERVERS).exists());
}

#[test]
fn hooks_of_an_older_place_are_moved_and_doubled_ones_made_one() {
    let old = json!({"hooks": {"Stop": [
        {"hooks": [{"type": "command", "command": "/old/afterword", "args": ["hook", "Stop"]}, {"type": "command", "command": "mine"}]},
        {"hooks": [{"type": "command", "command": "C:\\apps\\afterword.exe", "args": ["hook", "Stop"]}]},
    ]}});
    let env = env_with(SETTINGS, &serde_json::to_string_pretty(&old).unwrap());
    install(&env);
    let stop = value(&text(&env, SETTINGS))["hooks"]["Stop"].clone();
    assert_eq!(stop.as_array().unwrap().len(), 1, "{stop}");
    assert_eq!(stop[0]["hooks"][0]["command"], env!("CARGO_BIN_EXE_afterword"));
    assert_eq!(stop[0]["hooks"][1]["command"], "mine");
    uninstall(&env);
    let left = value(&text(&env, SETTINGS));
    assert_eq!(left, json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}));
}

#[test]
fn hook_that_an_earlier_version_asked_for_is_taken_out() {
    let of =
        |program: &str, event: &str| json!({"type": "command", "command": program, "args": ["hook", event]});
    let mine = json!({"hooks": [{"type": "command", "command": "mine"}]});
    let old = json!({"hooks": {
        "PreCompact": [{"hooks": [of("/old/afterword", "PreCompact")]}, mine],
        "PostCompact": [{"hooks": [of("/old/afterword", "PostCompact")]}],
        "PreToolUse": [{"matcher": "Bash", "hooks": [of("/old/afterword", "PreToolUse")]}],
    }});
    let env = env_with(SETTINGS, &serde_json::to_string_pretty(&old).unwrap());
    install(&env);
    let hooks = value(&text(&env, SETTINGS))["hooks"].clone();
    assert_eq!(hooks["PreCompact"], json!([mine]));
    assert_eq!(hooks.get("PostCompact"), None, "{hooks}");
    assert_eq!(hooks["PreToolUse"], old["hooks"]["PreToolUse"], "left where it is");
    assert!(EVENTS.iter().all(|event| hooks[event][0]["hooks"][0]["args"][1] == **event), "{hooks}");
}

#[test]
fn shows_the_difference_and_changes_nothing_without_a_yes() {
    let env = env_with(SETTINGS, "{\n  \"model\": \"opus\"\n}\n");
    let ran = env.run(&["install", "claude-code"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(text(&env, SETTINGS), "{\n  \"model\": \"opus\"\n}\n");
    assert!(ran.stderr.contains("Nothing was changed."), "{}", ran.stderr);
    let dry = env.run(&["install", "claude-code", "--dry-run"]);
    assert_eq!((dry.code, &dry.stdout), (Some(0), &ran.stdout));
    assert!(!env.path("afterword").exists(), "nothing is written to the state either");
    let program = env!("CARGO_BIN_EXE_afterword").replace('\\', "/");
    let shown = dry.stdout.replace(&program, "[PROGRAM]").replace("\\\\", "/");
    let shown: Vec<_> = shown.lines().filter(|line| !line.contains("timeout")).collect();
    assert_snapshot!(shown[..14].join("\n"), @r#"
    [ROOT]/claude/settings.json
      {
    -   "model": "opus"
    +   "model": "opus",
    +   "hooks": {
    +     "SessionStart": [
    +       {
    +         "hooks": [
    +           {
    +             "type": "command",
    +             "command": "[PROGRAM]",
    +             "args": ["hook", "SessionStart", "--home", "[ROOT]/afterword"],
    +           }
    +         ]
    "#);
}

#[test]
fn file_that_cannot_be_read_is_refused_with_its_line() {
    let refused = |bytes: &[u8], line: &str| {
        let env = env_with(SETTINGS, "");
        fs::write(env.path(SETTINGS), bytes).unwrap();
        let ran = env.run(&["install", "claude-code", "--yes"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("claude/settings.json:{line}: ")), "{}", ran.stderr);
        env.run(&["uninstall", "claude-code", "--yes"]);
        assert_eq!(fs::read(env.path(SETTINGS)).unwrap(), bytes);
        assert!(!env.path(SERVERS).exists(), "nothing else is changed either");
    };
    refused(b"{\n  \"model\": \"opus\",\n}\n", "3");
    refused(b"{\n  // mine\n  \"model\": \"opus\"\n}\n", "2");
    refused(b"[]", "1");
    refused(b"{\n\n \"a\": \"\xff\"}", "3");
    refused(b"{\n \"hooks\": []\n}", "2");
    refused(b"{\n \"hooks\": {\n \"Stop\": {}}}", "3");
    refused(b"{\n \"hooks\": {},\n \"hooks\": {}}", "2");
    refused("[".repeat(100_000).as_bytes(), "1");
}

#[test]
fn other_servers_and_the_clients_own_settings_stay() {
    let before = "{\n  \"numStartups\": 7,\n  \"mcpServers\": {\n    \"github\": {\n      \"type\": \"http\",\n      \"url\": \"https://example.org\"\n    }\n  },\n  \"projects\": {}\n}";
    let env = env_with(SERVERS, before);
    install(&env);
    let after = value(&text(&env, SERVERS));
    assert_eq!(after["mcpServers"]["github"]["url"], "https://example.org");
    assert_eq!(
        after["mcpServers"]["afterword"]["env"]["AFTERWORD_HOME"],
        env.path("afterword").to_str().unwrap()
    );
    // The client rewrites the file all the time.
    let rewritten = text(&env, SERVERS).replace("\"numStartups\": 7", "\"numStartups\": 8");
    fs::write(env.path(SERVERS), rewritten).unwrap();
    uninstall(&env);
    assert_eq!(text(&env, SERVERS), before.replace("\"numStartups\": 7", "\"numStartups\": 8"));
}

#[test]
fn server_of_that_name_that_is_not_ours_is_not_taken_out() {
    let before = "{\"mcpServers\": {\"afterword\": {\"command\": \"other\", \"args\": [\"serve\"]}}}";
    let env = env_with(SERVERS, before);
    uninstall(&env);
    assert_eq!(text(&env, SERVERS), before);
}

#[test]
fn a_project_has_its_own_settings_that_nobody_shares() {
    let env = TestEnv::new();
    let project = env.path("work").canonicalize().unwrap();
    env.ok(&["install", "claude-code", "--scope", "project", "--yes"]);
    assert!(value(&text(&env, "work/.claude/settings.local.json"))["hooks"]["Stop"].is_array());
    assert!(!env.path("work/.claude/settings.json").exists() && !env.path("work/.mcp.json").exists());
    let servers = value(&text(&env, SERVERS));
    assert_eq!(servers["mcpServers"], Value::Null);
    let key = project.to_str().unwrap().trim_start_matches(r"\\?\").replace('\\', "/");
    assert_eq!(servers["projects"][key]["mcpServers"]["afterword"]["args"], json!(["mcp"]), "{servers}");
    install(&env);
    env.ok(&["uninstall", "claude-code", "--scope", "project", "--yes"]);
    assert!(!env.path("work/.claude").exists(), "the directory was made for it");
    let servers = value(&text(&env, SERVERS));
    assert_eq!(servers["mcpServers"]["afterword"]["args"], json!(["mcp"]), "the other scope stays");
    uninstall(&env);
}

#[test]
fn directory_that_is_somebody_elses_stays() {
    let project = |args: &str, env: &TestEnv| {
        env.ok(&[args, "claude-code", "--scope", "project", "--yes"]);
    };
    let env = TestEnv::new();
    fs::create_dir(env.path("work/.claude")).unwrap();
    project("install", &env);
    project("uninstall", &env);
    assert!(env.path("work/.claude").is_dir(), "it was there before, empty as it is");

    let env = TestEnv::new();
    project("install", &env);
    fs::write(env.path("work/.claude/notes.md"), "mine").unwrap();
    project("install", &env);
    project("uninstall", &env);
    assert_eq!(text(&env, "work/.claude/notes.md"), "mine");
}

#[test]
fn difference_keeps_the_indentation_of_tabs() {
    let env = env_with(SETTINGS, "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n");
    let shown = env.ok(&["install", "claude-code", "--dry-run"]);
    assert!(shown.contains("\n          \"A\": \"1\"\n"), "{shown}");
    assert!(shown.contains("\n+     \"hooks\": {\n+         \"SessionStart\": [\n"), "{shown}");
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_modes_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let env = TestEnv::new();
    fs::create_dir_all(env.path("dotfiles")).unwrap();
    fs::create_dir_all(env.path("claude")).unwrap();
    let real = env.path("dotfiles/claude.json");
    fs::write(&real, "{}\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("../dotfiles/claude.json", env.path(SETTINGS)).unwrap();
    install(&env);
    assert!(fs::symlink_metadata(env.path(SETTINGS)).unwrap().is_symlink());
    assert!(value(&fs::read_to_string(&real).unwrap())["hooks"].is_object());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::metadata(env.path(SERVERS)).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(
        fs::metadata(env.path("afterword/state/installed.json")).unwrap().permissions().mode() & 0o777,
        0o600
    );
    uninstall(&env);
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
    assert!(fs::symlink_metadata(env.path(SETTINGS)).unwrap().is_symlink());
}

#[test]
fn record_keeps_no_setting_of_the_user() {
    let env = env_with(SETTINGS, "{\n  \"env\": {\n    \"TOKEN\": \"hunter2\"\n  }\n}\n");
    install(&env);
    assert!(!text(&env, "afterword/state/installed.json").contains("hunter2"));
}

/// As in an AppImage: the folder of the program is gone when it ends.
#[cfg(unix)]
#[test]
fn program_in_a_mounted_image_is_copied_to_where_it_stays() {
    let env = TestEnv::new();
    let mount = env.path(".mount_AfterwXYZ");
    let program = mount.join("usr/bin/afterword");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_afterword"), &program).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(&program);
        command.args(arguments).env_clear().env("APPDIR", &mount).current_dir(env.path("work"));
        let places = [("HOME", "home"), ("AFTERWORD_HOME", "afterword"), ("CLAUDE_CONFIG_DIR", "claude")];
        command.envs(places.map(|(name, place)| (name, env.path(place))));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let copy = env.path("afterword/state/bin/afterword");
    run(&["install", "claude-code", "--dry-run"]);
    assert!(!copy.exists(), "a dry run makes nothing");
    run(&["install", "claude-code", "--yes"]);
    let settings = text(&env, "claude/settings.json");
    assert!(settings.contains(copy.to_str().unwrap()), "{settings}");
    assert!(!settings.contains(".mount_"), "{settings}");
    fs::remove_dir_all(&mount).unwrap();
    let output = std::process::Command::new(&copy).arg("--version").output().unwrap();
    assert!(output.status.success(), "the copy runs without the image");
}

/// A pipe is never read to its end: whoever waits for that waits for ever.
#[cfg(unix)]
#[test]
fn pipe_in_the_place_of_a_foreign_file_is_refused() {
    for name in ["settings.json", ".claude.json"] {
        let env = TestEnv::new();
        fs::create_dir_all(env.path("claude")).unwrap();
        let pipe = env.path(&format!("claude/{name}"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = env.run(&["install", "claude-code", "--yes"]);
        assert_eq!(refused.code, Some(1), "{refused}");
        assert!(refused.stderr.contains(&format!("{name}: cannot read the settings")), "{refused}");
        let told = env.run(&["doctor"]);
        assert!(told.stdout.contains("hooks"), "{told}");
    }
}
