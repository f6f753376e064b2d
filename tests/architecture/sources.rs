//! The source files of the workspace, and what is read of them.

use std::path::{Path, PathBuf};

/// The source files of a package; those of the desktop app lie in a folder of their own beside the others.
pub(crate) fn sources(package: &Path) -> Vec<PathBuf> {
    ["src", "src-tauri"].iter().flat_map(|folder| sources_below(&package.join(folder))).collect()
}

pub(crate) fn sources_below(folder: &Path) -> Vec<PathBuf> {
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

pub(crate) fn parsed(path: &Path) -> syn::File {
    let text = std::fs::read_to_string(path).expect("a source file is text");
    syn::parse_file(&text).expect("a source file is Rust")
}

pub(crate) fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|one| match &one.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string().contains("test"),
        _ => false,
    })
}

/// The folder where the modules below a file lie.
pub(crate) fn module_folder(file: &Path) -> PathBuf {
    let is_folder =
        file.file_name().is_some_and(|name| ["mod.rs", "lib.rs", "main.rs"].iter().any(|one| name == *one));
    if is_folder {
        file.parent().expect("a file lies in a folder").to_owned()
    } else {
        file.with_extension("")
    }
}
