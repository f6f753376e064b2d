//! A type's methods: how many it has, and where they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::rooms::packages;
use crate::sources::{module_folder, sources};

/// Methods of a type, written for it and not for a trait.
const MOST_METHODS: usize = 30;

/// Types with methods outside the file they are defined in, and why. None may be added.
const SCATTERED: [(&str, &str); 7] = [
    ("Server", "`rmcp` has the tools of a server as methods of one type, and they stand in several files"),
    ("Sandbox", "its use cases are there with a feature alone"),
    ("SearchIndex", "the reads and writes of one database file are too long for one source file"),
    ("SessionIndex", "the reads and writes of one database file are too long for one source file"),
    ("Jobs", "the statements of one table are too long for one source file"),
    ("Claims", "the statements of one table are too long for one source file"),
    (
        "Comparing",
        "what is new, what says it again and what changes it are steps of one comparison with one state",
    ),
];

#[test]
fn a_type_has_its_methods_in_its_file_and_not_too_many() {
    let mut scattered: BTreeSet<String> = BTreeSet::new();
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
            let home = homes[name].iter().find(|home| path == *home);
            // Of those that are scattered the files are below the type's own, but for the server's.
            let below = || homes[name].iter().find(|home| path.starts_with(module_folder(home)));
            let home = home.unwrap_or_else(|| {
                let is_known = SCATTERED.iter().any(|(one, _)| one == name);
                assert!(is_known, "{} has methods of {name}, which is defined elsewhere", path.display());
                scattered.insert(name.clone());
                below().unwrap_or(&homes[name][0])
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
    let known: BTreeSet<String> = SCATTERED.iter().map(|(one, _)| (*one).to_owned()).collect();
    assert_eq!(scattered, known, "a type that is not scattered any more is no exception");
}
