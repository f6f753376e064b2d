//! The vault is changed in one way.

use std::path::Path;

use syn::visit::Visit;

use crate::sources::{is_test, parsed, sources_below};

/// Whatever changes the vault holds the lock and tells the database, and one file does both.
#[test]
fn the_vault_is_changed_by_its_session_alone() {
    let app = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/afterword-app/src");
    let session = app.join("vault_session.rs");
    let desktop = sources_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../src-tauri"));
    // The vault's own room is what the session calls.
    let rooms = sources_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates"));
    let rooms = rooms.iter().chain(&desktop).filter(|path| {
        let is_tested = path.components().any(|part| part.as_os_str() == "tests")
            || path.file_name().is_some_and(|name| name.to_string_lossy().ends_with("tests.rs"));
        let is_own = path.components().any(|part| part.as_os_str() == "afterword-vault");
        **path != session && !is_tested && !is_own
    });
    for path in rooms {
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
        let is_settled = is_conflicts && ["merge", "decide"].contains(&name.as_str());
        let is_record = match &*call.receiver {
            syn::Expr::MethodCall(inner) => {
                inner.method == "written_notes" && ["put", "record_revision"].contains(&name.as_str())
            }
            _ => false,
        };
        if (is_vaults && is_change) || is_settled || is_record {
            self.0.push(name);
        }
        syn::visit::visit_expr_method_call(self, call);
    }
}
