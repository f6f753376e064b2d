//! What fails leaves a trace.

use std::path::Path;

use syn::visit::Visit;

use crate::rooms::packages;
use crate::sources::{is_test, sources};

/// A result that is dropped has its reason beside it: on its line, or in the comment above. Writing to a text or to a terminal that may be
/// gone needs none.
#[test]
fn dropped_results_say_why() {
    let is_of_tests = |path: &Path| {
        let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
        parts.into_iter().any(|part| part == "tests" || part.ends_with("tests.rs"))
    };
    let mut bare = Vec::new();
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        let below = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_owned();
        for path in sources(folder).iter().filter(|path| !is_of_tests(&below(path))) {
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
