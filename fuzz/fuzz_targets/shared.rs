//! Two versions of a note, as two machines and a sync tool leave them: they are joined or left to the person, and what a
//! person decides can always be done.
#![no_main]

use std::fs;

use afterword_vault::{Vault, VaultIndex, VersionChoice, find_conflicts};
use libfuzzer_sys::fuzz_target;

const ID: &str = "0192f000-0000-7000-8000-000000000001";

fn note(text: &str) -> String {
    format!(
        "---\nid: {ID}\nkey: \"00000000000000000000000000000001\"\ntitle: A\nkind: fix\nstatus: active\n---\n\n{text}"
    )
}

fuzz_target!(|text: &str| {
    let (one, two) = text.split_once('\u{1e}').unwrap_or((text, ""));
    let now = "2026-03-28T23:30:00Z[UTC]".parse().expect("a time");
    for (one, two) in [(one.to_owned(), two.to_owned()), (note(one), note(two))] {
        for choice in [None, Some(VersionChoice::Here), Some(VersionChoice::There), Some(VersionChoice::Both)]
        {
            let home = tempfile::tempdir().expect("a folder");
            let (vault, _) = Vault::create(home.path()).expect("a vault");
            let folder = home.path().join("Afterword/Fixes");
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join("a.md"), &one).expect("a note");
            fs::write(folder.join("a.sync-conflict-20260314-101112-ABCDEFG.md"), &two)
                .expect("its other version");
            let index: VaultIndex = vault.scan().expect("a vault of any notes is read");
            for conflict in find_conflicts(&index, &|_, _| false) {
                let _ = match choice {
                    None => conflict.merge(&vault, &now).expect("nothing is in the way"),
                    Some(choice) => conflict.decide(&vault, choice, &now).expect("nothing is in the way"),
                };
            }
            vault.scan().expect("it is read afterwards, too");
        }
    }
});
