//! The words that users read: one for each thing, none of those that were given up, and in the guide those of the window.

use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;

/// What no text for users says, and what it says instead.
const GIVEN_UP: [(&str, &str); 12] = [
    ("call off", "cancel"),
    ("calls off", "cancels"),
    ("called off", "cancelled"),
    ("put off", "postponed; of a review: later"),
    ("puts off", "postpones"),
    ("for your word", "to review"),
    ("lessons that count", "active lessons"),
    ("what it rests on", "evidence"),
    ("barely seen", "low confidence"),
    ("weak signal", "low confidence"),
    ("join claude code", "connect Claude Code"),
    ("begin the talk", "start chat"),
];

/// The rooms whose strings reach users. Of their comments only those on arguments do.
const ROOMS: [&str; 8] = [
    "crates/afterword-app/src",
    "crates/afterword-claude-code/src",
    "crates/afterword-cli/src",
    "crates/afterword-core/src/conversation",
    "crates/afterword-daemon/src",
    "crates/afterword-mcp/src",
    "crates/afterword-vault/src",
    "src-tauri",
];
const ARGUMENTS: &str = "crates/afterword-cli/src/arguments.rs";

#[test]
fn words_given_up_stand_in_no_string_and_on_no_page_of_the_guide() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for path in ROOMS.iter().flat_map(|room| files_below(&root.join(room), "rs")) {
        let is_test = path.components().any(|part| part.as_os_str() == "tests")
            || path.file_name().is_some_and(|name| name.to_string_lossy().ends_with("tests.rs"));
        if is_test {
            continue;
        }
        let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
        let mut strings = Strings { with_comments: path.ends_with(ARGUMENTS), texts: Vec::new() };
        strings.visit_file(&file);
        assert!(!strings.with_comments || strings.texts.len() > 100, "the arguments have their help");
        strings.texts.iter().for_each(|text| look(&path, text, &mut found));
    }
    let mut pages = files_below(&root.join("docs/guide"), "md");
    assert!(pages.len() > 5, "the guide is there");
    pages.extend(files_below(&root.join("vault-template"), "md"));
    pages.extend(files_below(&root.join("plugin"), "md"));
    pages.extend(files_below(&root.join("ui/src/words/en"), "ts"));
    pages.push(root.join("README.md"));
    for page in pages {
        look(&page, &fs::read_to_string(&page).unwrap(), &mut found);
    }
    assert!(found.is_empty(), "words that were given up:\n{}", found.join("\n"));
}

/// What the guide calls by a label is called so in the window.
#[test]
fn labels_that_the_guide_names_stand_in_the_window() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let catalogue = files_below(&root.join("ui/src/words/en"), "ts");
    let catalogue: String = catalogue.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let labels: Vec<&str> = catalogue.split('"').skip(1).step_by(2).filter(|text| !text.is_empty()).collect();
    assert!(labels.len() > 300, "the window has words");
    let is_known = |label: &str| labels.iter().any(|known| known.contains(label.trim_end_matches('.')));
    let begins_known = |rest: &str| labels.iter().any(|known| known.len() > 3 && rest.starts_with(known));
    let mut missing = Vec::new();
    // The reference is made of the program's own words.
    let pages = fs::read_dir(root.join("docs/guide")).unwrap().map(|entry| entry.unwrap().path());
    for page in pages.filter(|page| page.is_file()) {
        let text = fs::read_to_string(&page).unwrap();
        for line in text.lines().filter(|line| !line.starts_with("    ")) {
            let prose: String = line.split('`').step_by(2).collect();
            let emphasised = prose.split('*').skip(1).step_by(2);
            let labels = emphasised.filter(|one| one.starts_with(char::is_uppercase) && !is_known(one));
            let settings = prose.split("Settings, ").skip(1);
            let settings =
                settings.filter(|rest| rest.starts_with(char::is_uppercase) && !begins_known(rest));
            missing.extend(labels.chain(settings).map(|label| format!("{}: {label}", page.display())));
        }
    }
    assert!(missing.is_empty(), "labels that the window does not have:\n{}", missing.join("\n"));
}

fn look(path: &Path, text: &str, found: &mut Vec<String>) {
    let lower = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    for (old, new) in GIVEN_UP.iter().filter(|(old, _)| lower.contains(old)) {
        found.push(format!("{}: `{old}`, say {new}", path.display()));
    }
}

/// The strings of a source file, without its tests.
struct Strings {
    with_comments: bool,
    texts: Vec<String>,
}

impl<'a> Visit<'a> for Strings {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if module.ident != "tests" {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        if self.with_comments || !attribute.path().is_ident("doc") {
            syn::visit::visit_attribute(self, attribute);
            if let syn::Meta::List(list) = &attribute.meta {
                self.texts.push(list.tokens.to_string());
            }
        }
    }

    fn visit_lit_str(&mut self, text: &'a syn::LitStr) {
        self.texts.push(text.value());
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        self.texts.push(called.tokens.to_string());
    }
}

fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|one| one == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}
