//! `afterword reference`: the pages of the guide are those that the program writes.

use std::fs;
use std::path::Path;

use crate::env::TestEnv;

/// With `UPDATE=1` in the environment the pages in the repository are written anew.
#[test]
fn pages_in_the_guide_are_those_of_this_program() {
    let env = TestEnv::new();
    let made = env.path("made");
    env.ok(&["reference", "guide", made.to_str().unwrap()]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/reference");
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    for name in ["commands.md", "settings.md", "tools.md"] {
        let text = fs::read_to_string(made.join(name)).unwrap();
        if update {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(name), &text).unwrap();
        }
        let current = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            current == text,
            "docs/guide/reference/{name} is not current: UPDATE=1 cargo test -p afterword-cli reference"
        );
    }
}

#[test]
fn a_package_gets_a_manual_page_a_command_and_completions() {
    let env = TestEnv::new();
    let made = env.path("made");
    env.ok(&["reference", "package", made.to_str().unwrap()]);
    let page = fs::read_to_string(made.join("man/afterword-reflect.1")).unwrap();
    assert!(page.contains(".TH afterword-reflect 1") && page.contains("dry\\-run"), "{page}");
    assert!(made.join("man/afterword.1").is_file());
    assert!(!made.join("man/afterword-reference.1").exists(), "it is no command for users");
    for script in ["afterword.bash", "_afterword", "afterword.fish"] {
        assert!(fs::metadata(made.join("completions").join(script)).unwrap().len() > 1000, "{script}");
    }
}
