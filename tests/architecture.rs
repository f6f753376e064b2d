//! The shape of the workspace: which room may know which, where a foreign crate lives, how long a file may be.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use syn::visit::Visit;

/// Arrows point to the left: a room knows only rooms of a lower rank, never one of its own.
const RANKS: [(&str, u8); 14] = [
    ("afterword-core", 0),
    ("afterword-platform", 1),
    ("afterword-claude-code", 2),
    ("afterword-transcript", 2),
    ("afterword-vault", 2),
    ("afterword-store", 2),
    ("afterword-sign-in", 2),
    ("afterword-recall", 3),
    ("afterword-reflect", 4),
    ("afterword-app", 5),
    ("afterword-daemon", 6),
    ("afterword-mcp", 7),
    ("afterword-cli", 8),
    ("afterword-desktop", 7),
];

/// Rooms that hold no part of the program: what is tested from outside.
const OUTSIDE: [&str; 2] = ["afterword-tests", "afterword-fuzz"];

/// A foreign crate and the only rooms that may use it.
const HOMES: [(&str, &[&str]); 19] = [
    ("dunce", &["afterword-platform"]),
    ("ureq", &["afterword-reflect", "afterword-sign-in"]),
    ("keyring-core", &["afterword-platform"]),
    ("rusqlite", &["afterword-store"]),
    ("rusqlite_migration", &["afterword-store"]),
    ("gray_matter", &["afterword-vault"]),
    ("pulldown-cmark", &["afterword-vault"]),
    ("process-wrap", &["afterword-claude-code"]),
    ("jsonc-parser", &["afterword-claude-code"]),
    ("clap", &["afterword-cli"]),
    ("clap_complete", &["afterword-cli"]),
    ("clap_mangen", &["afterword-cli"]),
    ("indicatif", &["afterword-cli"]),
    ("rmcp", &["afterword-mcp", "afterword-sign-in"]),
    ("tauri", &["afterword-desktop"]),
    ("zstd", &["afterword-app"]),
    ("notify", &["afterword-daemon"]),
    ("notify-rust", &["afterword-cli"]),
    ("tracing-subscriber", &["afterword-app"]),
];

/// Methods of a type, written for it and not for a trait.
const MOST_METHODS: usize = 30;
/// Types with methods outside the file they are defined in and the modules below it. None may be added. The tools of the MCP server
/// stand in several files, and `rmcp` has them as methods of the one server.
const SCATTERED: [&str; 1] = ["Server"];

/// Lines of a source file before its tests.
const LONGEST_FILE: usize = 600;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `None` is an ordinary dependency; the others are `dev` and `build`.
    kind: Option<String>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    assert!(metadata.packages.len() > 5, "the workspace has rooms");
    assert!(
        metadata.packages.iter().any(|package| package.name == "afterword-desktop"),
        "the shell is one of them"
    );
    metadata.packages
}

fn used(package: &Package) -> impl Iterator<Item = &str> {
    package.dependencies.iter().filter(|one| one.kind.as_deref() != Some("dev")).map(|one| one.name.as_str())
}

#[test]
fn rooms_know_only_what_lies_below_them() {
    let ranks = BTreeMap::from(RANKS);
    for package in packages().iter().filter(|package| !OUTSIDE.contains(&package.name.as_str())) {
        let own =
            ranks.get(package.name.as_str()).unwrap_or_else(|| panic!("{} has no rank here", package.name));
        for other in used(package).filter(|name| name.starts_with("afterword-")) {
            let rank = ranks.get(other).unwrap_or_else(|| panic!("{other} has no rank here"));
            assert!(rank < own, "{} must not know {other}", package.name);
        }
    }
}

#[test]
fn a_foreign_crate_has_one_home() {
    for package in packages().iter().filter(|package| !OUTSIDE.contains(&package.name.as_str())) {
        for (foreign, homes) in HOMES {
            let at_home = homes.contains(&package.name.as_str());
            assert!(
                at_home || used(package).all(|name| name != foreign),
                "{} must not use {foreign}",
                package.name
            );
        }
    }
}

#[test]
fn files_are_short_enough_to_be_read() {
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        for file in sources(folder) {
            let text = std::fs::read_to_string(&file).expect("a source file is text");
            let lines = text.lines().take_while(|line| *line != "mod tests {").count();
            let is_test = file.file_name().is_some_and(|name| name.to_string_lossy().ends_with("tests.rs"));
            assert!(
                is_test || lines <= LONGEST_FILE,
                "{} has {lines} lines before its tests",
                file.display()
            );
        }
    }
}

#[test]
fn a_type_has_its_methods_at_home_and_not_too_many() {
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        let mut homes: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        let mut methods: BTreeMap<(String, PathBuf), usize> = BTreeMap::new();
        for path in sources(folder) {
            let text = std::fs::read_to_string(&path).expect("a source file is text");
            let file = syn::parse_file(&text).expect("a source file is Rust");
            for item in &file.items {
                let name = match item {
                    syn::Item::Struct(item) => item.ident.to_string(),
                    syn::Item::Enum(item) => item.ident.to_string(),
                    syn::Item::Impl(item) if item.trait_.is_none() => {
                        let syn::Type::Path(of) = &*item.self_ty else { continue };
                        let name = of.path.segments.last().expect("a type has a name").ident.to_string();
                        let own = item.items.iter().filter(|one| matches!(one, syn::ImplItem::Fn(_))).count();
                        *methods.entry((name, path.clone())).or_default() += own;
                        continue;
                    }
                    _ => continue,
                };
                homes.entry(name).or_default().push(path.clone());
            }
        }
        let mut counted: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for ((name, path), own) in &methods {
            let home = homes[name].iter().find(|home| path == *home || path.starts_with(module_folder(home)));
            let home = home.or_else(|| SCATTERED.contains(&name.as_str()).then(|| &homes[name][0]));
            let home = home.unwrap_or_else(|| {
                panic!("{} has methods of {name}, which is defined elsewhere", path.display())
            });
            let all = counted.entry(home.join(name)).or_default();
            *all += own;
            assert!(
                *all <= MOST_METHODS,
                "{name} of {} has more than {MOST_METHODS} methods",
                home.display()
            );
        }
    }
}

/// Modules that import each other in a circle: two may, where one thing is told in two files.
const LARGEST_CIRCLE: usize = 2;

#[test]
fn modules_of_a_room_import_each_other_one_way() {
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        let roots = ["src/lib.rs", "src/main.rs", "src-tauri/lib.rs"].map(|file| folder.join(file));
        let Some(root) = roots.into_iter().find(|file| file.is_file()) else { continue };
        let imports = imports(&root);
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            imports.keys().map(|from| (from.as_str(), reached(&imports, from))).collect();
        for (from, known) in &reached {
            let back = |to: &&&str| reached.get(**to).is_some_and(|known| known.contains(from));
            let circle: Vec<&str> = known.iter().filter(back).copied().collect();
            assert!(
                circle.len() <= LARGEST_CIRCLE,
                "{}: these modules import each other in a circle: {}",
                package.name,
                circle.join(", ")
            );
        }
    }
}

/// Files that import each other in a larger circle: the rules of the built-in engine ask one another. None may be added.
const CIRCLES: [(&str, &str); 1] = [("afterword-reflect", "builtin")];

#[test]
fn files_of_a_room_import_each_other_one_way() {
    let mut circles = BTreeSet::new();
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        let roots = ["src/lib.rs", "src/main.rs", "src-tauri/lib.rs"].map(|file| folder.join(file));
        let Some(root) = roots.into_iter().find(|file| file.is_file()) else { continue };
        let mut modules = BTreeMap::new();
        read_modules(&root, Vec::new(), &mut modules);
        let imports: BTreeMap<String, BTreeSet<String>> =
            modules.keys().map(|path| (path.join("::"), imported(path, &modules))).collect();
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            imports.keys().map(|from| (from.as_str(), reached(&imports, from))).collect();
        for (from, known) in &reached {
            let is_let_off = CIRCLES
                .iter()
                .any(|(room, module)| *room == package.name && from.starts_with(&format!("{module}::")));
            let back = |to: &&&str| reached.get(**to).is_some_and(|known| known.contains(from));
            let circle: Vec<&str> = known.iter().filter(back).copied().collect();
            if !is_let_off && circle.len() > LARGEST_CIRCLE {
                circles.insert(format!("{}: {}", package.name, circle.join(", ")));
            }
        }
    }
    let circles: Vec<String> = circles.into_iter().collect();
    assert!(circles.is_empty(), "files that import each other in a circle:\n{}", circles.join("\n"));
}

/// A module by its path from the crate's root, and what it imports.
type Modules = BTreeMap<Vec<String>, Module>;

/// What a file imports by `crate::`, `super::` and `self::`, and the names it has of others.
struct Module {
    paths: Vec<Vec<String>>,
    names: BTreeMap<String, Vec<String>>,
}

fn read_modules(file: &Path, path: Vec<String>, modules: &mut Modules) {
    let parsed = parsed(file);
    let mut relative = RelativePaths::default();
    relative.visit_file(&parsed);
    let mut names = BTreeMap::new();
    for item in &parsed.items {
        match item {
            syn::Item::Use(item) => {
                for leaf in leaves(&item.tree).into_iter().filter(|leaf| leaf.len() > 1) {
                    names.insert(leaf[leaf.len() - 1].clone(), leaf);
                }
            }
            syn::Item::Mod(module) if module.content.is_none() && !is_test(&module.attrs) => {
                let name = module.ident.to_string();
                let folder = module_folder(file);
                let files = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
                let found = files.into_iter().find(|file| file.is_file());
                let below = path.iter().cloned().chain([name]).collect();
                found.into_iter().for_each(|file| read_modules(&file, Vec::clone(&below), modules));
            }
            _ => {}
        }
    }
    modules.insert(path, Module { paths: relative.0, names });
}

/// The other modules that a module imports from, those below it aside: it is made of them.
fn imported(from: &[String], modules: &Modules) -> BTreeSet<String> {
    let paths = modules[from].paths.iter().filter(|path| path[0] != "self");
    let found = paths.map(|path| module_of(path, from, modules, 8));
    found.filter(|found| !found.starts_with(from)).map(|found| found.join("::")).collect()
}

/// The module where what a path names is defined, seen from the module it stands in.
fn module_of(path: &[String], from: &[String], modules: &Modules, hops: usize) -> Vec<String> {
    let mut at = from.to_vec();
    for segment in path {
        match segment.as_str() {
            "crate" => at.clear(),
            "super" => drop(at.pop()),
            "self" => {}
            name => {
                let below: Vec<String> = at.iter().cloned().chain([name.to_owned()]).collect();
                if modules.contains_key(&below) {
                    at = below;
                    continue;
                }
                return match modules[&at].names.get(name) {
                    // A name that is had of another module is imported from there.
                    Some(path) if hops > 0 => module_of(path, &at, modules, hops - 1),
                    _ => at,
                };
            }
        }
    }
    at
}

/// The paths that begin within the crate.
#[derive(Default)]
struct RelativePaths(Vec<Vec<String>>);

impl RelativePaths {
    fn push(&mut self, path: Vec<String>) {
        if ["crate", "super", "self"].contains(&path[0].as_str()) && path.len() > 1 {
            self.0.push(path);
        }
    }
}

impl<'a> Visit<'a> for RelativePaths {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        leaves(&item.tree).into_iter().for_each(|leaf| self.push(leaf));
    }

    /// `pub(super)` imports nothing.
    fn visit_vis_restricted(&mut self, _: &'a syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.push(path.segments.iter().map(|one| one.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        let tokens = called.tokens.to_string();
        for begin in ["crate :: ", "super :: "] {
            for (at, _) in tokens.match_indices(begin) {
                let path = tokens[at..].split(" :: ").map(str::trim);
                let is_name = |part: &&str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
                let mut names: Vec<String> = path.clone().take_while(is_name).map(str::to_owned).collect();
                // The last part has what follows the path behind it.
                let last = path.clone().nth(names.len()).unwrap_or_default();
                names.extend(
                    last.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().map(str::to_owned),
                );
                self.push(names);
            }
        }
    }
}

/// Everything that a module imports, itself or through others.
fn reached<'a>(imports: &'a BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&'a str> = imports[from].iter().map(String::as_str).collect();
    while let Some(one) = open.pop() {
        if found.insert(one) {
            open.extend(imports.get(one).into_iter().flatten().map(String::as_str));
        }
    }
    found
}

/// Which modules of the first level import which: by their own name, or by a name that the crate's root has of them. Tests
/// import what they please.
fn imports(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let file = parsed(root);
    let mut named = BTreeMap::new();
    for item in &file.items {
        match item {
            syn::Item::Mod(module) if !is_test(&module.attrs) => {
                named.insert(module.ident.to_string(), module.ident.to_string());
            }
            syn::Item::Use(item) => {
                for path in leaves(&item.tree) {
                    if let [module, .., name] = &*path {
                        named.insert(name.clone(), module.clone());
                    }
                }
            }
            _ => {}
        }
    }
    let mut imports = BTreeMap::new();
    for item in &file.items {
        let syn::Item::Mod(module) = item else { continue };
        if module.content.is_some() || is_test(&module.attrs) {
            continue;
        }
        let name = module.ident.to_string();
        let mut paths = Paths::default();
        visit_module(&module_folder(root), &name, &mut paths);
        let others = paths.0.iter().filter_map(|one| named.get(one)).filter(|other| **other != name);
        imports.insert(name.clone(), others.cloned().collect());
    }
    imports
}

/// Reads a module and those below it.
fn visit_module(folder: &Path, name: &str, paths: &mut Paths) {
    let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
    let Some(path) = files.into_iter().find(|file| file.is_file()) else { return };
    let file = parsed(&path);
    paths.visit_file(&file);
    for item in &file.items {
        if let syn::Item::Mod(module) = item
            && module.content.is_none()
            && !is_test(&module.attrs)
        {
            visit_module(&module_folder(&path), &module.ident.to_string(), paths);
        }
    }
}

fn parsed(path: &Path) -> syn::File {
    let text = std::fs::read_to_string(path).expect("a source file is text");
    syn::parse_file(&text).expect("a source file is Rust")
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|one| match &one.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string().contains("test"),
        _ => false,
    })
}

/// What follows `crate::` in a module: the first name of each path.
#[derive(Default)]
struct Paths(BTreeSet<String>);

impl<'a> Visit<'a> for Paths {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let paths = leaves(&item.tree).into_iter().filter(|path| path[0] == "crate");
        self.0.extend(paths.filter_map(|path| path.get(1).cloned()));
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.segments[0].ident == "crate" {
            self.0.extend(path.segments.get(1).map(|one| one.ident.to_string()));
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        let tokens = called.tokens.to_string();
        let behind = tokens.split("crate :: ").skip(1);
        self.0.extend(behind.filter_map(|rest| rest.split(' ').next()).map(str::to_owned));
    }
}

/// The paths of a `use`, each to its end.
fn leaves(tree: &syn::UseTree) -> Vec<Vec<String>> {
    match tree {
        syn::UseTree::Path(path) => {
            let mut found = leaves(&path.tree);
            found.iter_mut().for_each(|one| one.insert(0, path.ident.to_string()));
            found
        }
        syn::UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        syn::UseTree::Rename(rename) => vec![vec![rename.ident.to_string()]],
        syn::UseTree::Glob(_) => vec![vec!["*".to_owned()]],
        syn::UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// The folder where the modules below a file lie.
fn module_folder(file: &Path) -> PathBuf {
    let is_folder =
        file.file_name().is_some_and(|name| ["mod.rs", "lib.rs", "main.rs"].iter().any(|one| name == *one));
    if is_folder {
        file.parent().expect("a file lies in a folder").to_owned()
    } else {
        file.with_extension("")
    }
}

/// `cargo fuzz` ends at once where the folder of seeds it is given is not there.
#[test]
fn every_fuzz_target_has_seeds_and_is_run_every_night() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let workflow = std::fs::read_to_string(fuzz.join("../.github/workflows/fuzz.yml")).unwrap();
    let run = workflow.lines().find_map(|line| line.trim().strip_prefix("target: [")).unwrap();
    let run: BTreeSet<&str> = run.trim_end_matches(']').split(", ").collect();
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(fuzz.join(folder)).unwrap().flatten();
        let full = entries.filter(|entry| {
            entry.path().is_file() || std::fs::read_dir(entry.path()).unwrap().next().is_some()
        });
        full.map(|entry| entry.file_name().to_string_lossy().trim_end_matches(".rs").to_owned()).collect()
    };
    let targets = names("fuzz_targets");
    assert_eq!(names("seeds"), targets);
    assert_eq!(run, targets.iter().map(String::as_str).collect());
}

#[test]
fn every_source_file_says_what_it_is() {
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        for file in sources(folder) {
            let text = std::fs::read_to_string(&file).expect("a source file is text");
            assert!(text.starts_with("//!"), "{} does not start with what it owns", file.display());
        }
    }
}

/// A result that is dropped has its reason beside it: on its line, or in the comment above. Writing to a text or to a terminal that may be
/// gone needs none.
#[test]
fn dropped_results_say_why() {
    let is_test = |path: &Path| {
        let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
        parts.into_iter().any(|part| part == "tests" || part.ends_with("tests.rs"))
    };
    let mut bare = Vec::new();
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        let below = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_owned();
        for path in sources(folder).iter().filter(|path| !is_test(&below(path))) {
            let text = std::fs::read_to_string(path).expect("a source file is text");
            let mut dropped = Dropped::default();
            dropped.visit_file(&syn::parse_file(&text).expect("a source file is Rust"));
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            for line in dropped.0 {
                let above = lines[..line - 1].iter().rev().find(|line| !line.starts_with("let _ ="));
                let is_explained =
                    lines[line - 1].contains("//") || above.is_some_and(|line| line.starts_with("//"));
                if !is_explained {
                    bare.push(format!("{}:{line}", path.display()));
                }
            }
        }
    }
    assert!(bare.is_empty(), "`let _ =` without a reason:\n{}", bare.join("\n"));
}

/// Whatever changes the vault holds the lock and tells the database, and one file does both.
#[test]
fn the_vault_is_changed_by_its_session_alone() {
    let app = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/afterword-app/src");
    let session = app.join("vault_session.rs");
    for path in sources_below(&app).iter().filter(|path| **path != session) {
        let mut calls = VaultChanges::default();
        calls.visit_file(&parsed(path));
        assert!(
            calls.0.is_empty(),
            "{} changes the vault past `VaultSession`: {:?}",
            path.display(),
            calls.0
        );
    }
    let mut calls = VaultChanges::default();
    calls.visit_file(&parsed(&session));
    assert!(calls.0.len() > 5, "the session changes the vault, {:?}", calls.0);
}

/// Calls by which a vault, or what the database holds of it, is changed.
#[derive(Default)]
struct VaultChanges(Vec<String>);

impl<'a> Visit<'a> for VaultChanges {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let name = call.method.to_string();
        // Of the vault itself, as it is called everywhere: `vault`, or the field of that name.
        let is_vaults = match &*call.receiver {
            syn::Expr::Path(path) => path.path.is_ident("vault"),
            syn::Expr::Field(field) => matches!(&field.member, syn::Member::Named(name) if name == "vault"),
            _ => false,
        };
        let is_change = ["apply", "revise", "remove_untouched"].contains(&name.as_str());
        let is_conflicts = matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("conflict"));
        let is_settled = is_conflicts && ["settle", "decide"].contains(&name.as_str());
        let is_record = match &*call.receiver {
            syn::Expr::MethodCall(inner) => {
                inner.method == "written_notes" && ["put", "revised"].contains(&name.as_str())
            }
            _ => false,
        };
        if (is_vaults && is_change) || is_settled || is_record {
            self.0.push(name);
        }
        syn::visit::visit_expr_method_call(self, call);
    }
}

/// The lines where `let _ =` drops what something gave.
#[derive(Default)]
struct Dropped(Vec<usize>);

impl<'a> Visit<'a> for Dropped {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if !is_test(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        let writes = |called: &syn::Macro| ["write", "writeln"].iter().any(|name| called.path.is_ident(name));
        let is_dropped = match &local.init {
            Some(init) => !matches!(&*init.expr, syn::Expr::Macro(one) if writes(&one.mac)),
            None => false,
        };
        if is_dropped && matches!(local.pat, syn::Pat::Wild(_)) {
            self.0.push(local.let_token.span.start().line);
        }
        syn::visit::visit_local(self, local);
    }
}

/// The source files of a package; those of the desktop app lie in a folder of their own beside the others.
fn sources(package: &Path) -> Vec<PathBuf> {
    ["src", "src-tauri"].iter().flat_map(|folder| sources_below(&package.join(folder))).collect()
}

fn sources_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}
