//! Claude Code's own names stand in its room.

use syn::visit::Visit;

use crate::rooms::packages;
use crate::sources::{is_test, sources};

/// Variables of the environment, events of hooks, files and settings, as the client names them. `Stop` is a word like others.
const NAMES: [&str; 13] = [
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_PROJECT_DIR",
    "PreToolUse",
    "PostToolUse",
    "SessionEnd",
    "SessionStart",
    "UserPromptSubmit",
    ".claude",
    ".claude.json",
    "settings.json",
    "settings.local.json",
    "cleanupPeriodDays",
    "disableAllHooks",
];

/// Where Claude Code has its directory, what it sets and what it calls things is known in one room; the others ask there.
#[test]
fn names_of_the_client_stand_in_one_room() {
    let mut seen = Vec::new();
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        let is_looked_at = |path: &std::path::PathBuf| {
            let name = path.to_string_lossy().replace('\\', "/");
            let is_its_home = name.contains("/afterword-claude-code/src/");
            let is_of_tests = ["/tests/", "/benches/", "/fuzz/", "/afterword-testkit/"]
                .iter()
                .any(|part| name.contains(part))
                || name.ends_with("tests.rs");
            !is_its_home && !is_of_tests
        };
        for path in sources(folder).into_iter().filter(is_looked_at) {
            let mut texts = Texts::default();
            texts.visit_file(&crate::sources::parsed(&path));
            seen.extend(texts.0.into_iter().map(|(text, line)| format!("{}:{line}: {text}", path.display())));
        }
    }
    assert!(seen.is_empty(), "these names belong into afterword-claude-code:\n{}", seen.join("\n"));
}

/// The texts that are such a name and nothing else, with their lines.
#[derive(Default)]
struct Texts(Vec<(String, usize)>);

impl<'a> Visit<'a> for Texts {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_lit_str(&mut self, text: &'a syn::LitStr) {
        if NAMES.contains(&text.value().as_str()) {
            self.0.push((text.value(), text.span().start().line));
        }
    }
}
