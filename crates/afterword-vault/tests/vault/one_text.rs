//! The text of one note, read without looking at anything else of the vault.

use afterword_vault::Vault;
use afterword_vault::path::VaultPath;

use crate::test_vault::TestVault;

#[test]
fn text_is_read_of_a_small_file_of_its_own_and_of_nothing_else() {
    let stage = TestVault::new();
    stage.write("Notes/one.md", "seven b");
    stage.write("Notes/bytes.md", "");
    std::fs::write(stage.path("Notes/bytes.md"), [0xff, 0xfe]).unwrap();
    std::fs::create_dir(stage.path("Notes/folder.md")).unwrap();
    let read = |name: &str, most| {
        let path = VaultPath::parse(&format!("Notes/{name}.md")).unwrap();
        Vault::text_at(&stage.folder(), &path, most).unwrap()
    };
    assert_eq!(read("one", 7).as_deref(), Some("seven b"));
    assert_eq!(read("one", 6), None, "it is larger than what was asked for");
    for nothing in ["none", "folder", "bytes"] {
        assert_eq!(read(nothing, 100), None, "{nothing}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("one.md", stage.path("Notes/link.md")).unwrap();
        assert_eq!(read("link", 100), None);
    }
}
