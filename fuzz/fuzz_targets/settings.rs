//! Claude Code's settings, changed in place: refused, or what is not ours keeps its bytes and comes back by itself.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use afterword_app::install::{Direction, Scope, plan};
use afterword_app::{App, Environment};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

static HOME: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("afterword-fuzz-{}", std::process::id())));

fuzz_target!(|bytes: &[u8]| {
    let claude = HOME.join("claude");
    fs::create_dir_all(&claude).expect("a folder");
    let environment = Environment {
        afterword_home: Some(HOME.join("afterword")),
        claude_config_dir: Some(claude.clone()),
        home: Some(HOME.clone()),
        working_directory: HOME.clone(),
    };
    let app = App::new(environment).expect("a home");
    let program = Path::new("/usr/bin/afterword");
    for file in ["settings.json", ".claude.json"] {
        for other in ["settings.json", ".claude.json"] {
            let _ = fs::remove_file(claude.join(other));
        }
        let path = claude.join(file);
        fs::write(&path, bytes).expect("a file");
        let Ok(planned) = plan(&app, Direction::Install, &Scope::User, program) else { continue };
        for change in planned.changes().iter().filter(|change| change.path == path) {
            let after = change.after.as_deref().expect("nothing is removed");
            let read = |text: &str| serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}'));
            let new = read(after).expect("it stays JSON");
            // What was there stays there, apart from what we add to.
            if let Some(Ok(Value::Object(old))) = change.before.as_deref().map(read) {
                for (name, value) in
                    old.iter().filter(|(name, _)| !["hooks", "mcpServers"].contains(&name.as_str()))
                {
                    assert_eq!(new.get(name), Some(value));
                }
            }
            // Installing again changes nothing.
            fs::write(&path, after).expect("a file");
            let again =
                plan(&app, Direction::Install, &Scope::User, program).expect("it could be read before");
            let same = again.changes().iter().find(|again| again.path == path);
            assert!(same.is_none_or(|same| same.after.as_deref() == Some(after)));
            plan(&app, Direction::Uninstall, &Scope::User, program).expect("it can be taken out");
        }
    }
});
