//! Other programs are started where nobody sees it.

use syn::visit::Visit;

use crate::rooms::packages;
use crate::sources::{is_test, sources};

/// An editor and a terminal are to be seen, and the app's own program has no console.
const SEEN: [&str; 3] = ["review/edit.rs", "tray/window.rs", "src-tauri/terminal.rs"];

/// On Windows a program without a console, as the desktop app is, opens a console window for each that it starts by `Command::new`.
#[test]
fn programs_are_started_without_a_window() {
    let mut seen = Vec::new();
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        let is_looked_at = |path: &std::path::PathBuf| {
            let name = path.to_string_lossy().replace('\\', "/");
            let is_its_home = name.ends_with("afterword-platform/src/command.rs");
            let is_of_tests =
                name.contains("/tests/") || name.ends_with("tests.rs") || name.contains("afterword-testkit/");
            !is_its_home && !is_of_tests && !SEEN.iter().any(|end| name.ends_with(end))
        };
        for path in sources(folder).into_iter().filter(is_looked_at) {
            let mut started = Started::default();
            started.visit_file(&crate::sources::parsed(&path));
            seen.extend(started.0.into_iter().map(|line| format!("{}:{line}", path.display())));
        }
    }
    assert!(seen.is_empty(), "`Command::new` instead of `background_command`:\n{}", seen.join("\n"));
}

/// The lines where a command is made.
#[derive(Default)]
struct Started(Vec<usize>);

impl<'a> Visit<'a> for Started {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let is_of_a_process = match &names[..] {
            [.., before, command, new] => command == "Command" && new == "new" && before != "clap",
            [command, new] => command == "Command" && new == "new",
            _ => false,
        };
        if is_of_a_process && let Some(first) = path.path.segments.first() {
            self.0.push(first.ident.span().start().line);
        }
        syn::visit::visit_expr_path(self, path);
    }
}
