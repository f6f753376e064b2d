//! File names made of titles, and paths that cannot leave the vault.

use afterword_vault::VaultPath;
use afterword_vault::path::slug;
use proptest::prelude::*;

#[test]
fn titles_become_names() {
    let cases = [
        ("Use pnpm, never npm.", "use-pnpm-never-npm"),
        ("Don't mock the database", "dont-mock-the-database"),
        ("Größe prüfen — façade, naïve Œuvre", "grosse-prufen-facade-naive-oeuvre"),
        ("Łódź, Þór & smørrebrød", "lodz-thor-smorrebrod"),
        ("日本語のテスト", "日本語のテスト"),
        ("Всегда pnpm", "всегда-pnpm"),
        ("देवनागरी लिपि", "देवनागरी-लिपि"),
        ("../../etc/passwd", "etc-passwd"),
        ("C:\\Windows\\system32", "c-windows-system32"),
        ("a[b]#c^d|e\\f:g*h?i\"j<k>l", "a-b-c-d-e-f-g-h-i-j-k-l"),
        ("🚀🚀", "untitled"),
        ("", "untitled"),
        ("...", "untitled"),
        ("CON", "con-note"),
        ("nul", "nul-note"),
        ("COM1", "com1-note"),
        ("LPT9.", "lpt9-note"),
        ("com10", "com10"),
        ("\u{202e}fdp.exe\u{0}", "fdp-exe"),
        ("\u{301}\u{302}", "untitled"),
        ("ﬁle ½ ②", "file-1-2-2"),
    ];
    for (title, expected) in cases {
        assert_eq!(slug(title), expected, "{title:?}");
    }
}

#[test]
fn long_titles_end_at_a_word() {
    let long = "Always run the whole test suite against a real database before opening a pull request";
    let name = slug(long);
    assert!(name.chars().count() <= 60);
    assert!(long.to_lowercase().replace(' ', "-").starts_with(&format!("{name}-")), "{name}");
    assert_eq!(slug(&"x".repeat(500)).chars().count(), 60);
    assert!(slug(&"語".repeat(500)).len() <= 200);
}

#[test]
fn only_paths_that_lead_down_are_paths() {
    for path in ["a", "a/b.md", "Afterword/_inbox/x.md", "ä/日本.md", ".web-cache/x", "a..b/c...md"] {
        assert_eq!(VaultPath::parse(path).unwrap().as_str(), path);
    }
    for path in ["", "/", "/a", "a/", "a//b", "..", "a/../b", "./a", "a/.", "a\0b"] {
        assert_eq!(VaultPath::parse(path), None, "{path:?}");
    }
}

#[test]
#[cfg(windows)]
fn windows_forms_of_absolute_paths_are_not_paths() {
    for path in ["C:", "C:\\x", "a\\..\\b", "\\\\server\\share", "a:stream"] {
        assert_eq!(VaultPath::parse(path), None, "{path:?}");
    }
}

#[test]
fn links_leave_out_the_extension_and_names_that_would_end_them() {
    let target = |path: &str| VaultPath::parse(path).unwrap().link_target().map(str::to_owned);
    assert_eq!(target("Afterword/Fixes/x.md").as_deref(), Some("Afterword/Fixes/x"));
    for path in ["a/x]].md", "a#b.md", "a^b.md", "a|b.md", "picture.png"] {
        assert_eq!(target(path), None, "{path}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_title_becomes_a_name_that_every_system_takes(title in any::<String>()) {
        let name = slug(&title);
        prop_assert!(!name.is_empty() && name.chars().count() <= 66 && name.len() <= 206, "{name}");
        prop_assert!(!name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|', '#', '^', '[', ']', '.', ' ']), "{name}");
        prop_assert!(!name.starts_with('-') && !name.ends_with('-'), "{name}");
        prop_assert!(!name.chars().any(char::is_control), "{name:?}");
        let device = ["con", "prn", "aux", "nul", "com1", "lpt1"].contains(&name.to_lowercase().as_str());
        prop_assert!(!device);
        let path = VaultPath::parse(&format!("Afterword/Fixes/{name}.md"));
        prop_assert!(path.is_some_and(|path| path.link_target().is_some()));
        prop_assert_eq!(slug(&name), name, "a name is its own name");
    }
}
