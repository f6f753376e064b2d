//! Modules and files of a room import each other one way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;

use crate::rooms::{Package, packages};
use crate::sources::{is_test, module_folder, parsed};

/// Modules that import each other in a circle: two may, where one thing is told in two files.
const LARGEST_CIRCLE: usize = 2;

#[test]
fn modules_of_a_room_import_each_other_one_way() {
    for package in packages() {
        let Some(root) = root(&package) else { continue };
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

#[test]
fn files_of_a_room_import_each_other_one_way() {
    let mut circles = BTreeSet::new();
    for package in packages() {
        let Some(root) = root(&package) else { continue };
        let mut modules = BTreeMap::new();
        read_modules(&root, Vec::new(), &mut modules);
        let imports: BTreeMap<String, BTreeSet<String>> =
            modules.keys().map(|path| (path.join("::"), imported(path, &modules))).collect();
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            imports.keys().map(|from| (from.as_str(), reached(&imports, from))).collect();
        for (from, known) in &reached {
            let back = |to: &&&str| reached.get(**to).is_some_and(|known| known.contains(from));
            let circle: Vec<&str> = known.iter().filter(back).copied().collect();
            if circle.len() > LARGEST_CIRCLE {
                circles.insert(format!("{}: {}", package.name, circle.join(", ")));
            }
        }
    }
    let circles: Vec<String> = circles.into_iter().collect();
    assert!(circles.is_empty(), "files that import each other in a circle:\n{}", circles.join("\n"));
}

/// The file where a room's modules begin.
fn root(package: &Package) -> Option<PathBuf> {
    let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
    let roots = ["src/lib.rs", "src/main.rs", "src-tauri/lib.rs"].map(|file| folder.join(file));
    roots.into_iter().find(|file| file.is_file())
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
