//! A type's methods: how many it has, and where they are.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::rooms::packages;
use crate::sources::{module_folder, sources};

/// Methods of a type, written for it and not for a trait.
const MOST_METHODS: usize = 30;

/// Types with methods outside the file they are defined in and the modules below it. None may be added. The tools of the MCP server
/// stand in several files, and `rmcp` has them as methods of the one server.
const SCATTERED: [&str; 1] = ["Server"];

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
