//! Links that open a note in Obsidian from anywhere (obsidian.md/help, "Obsidian URI").

use std::path::Path;

/// A link that opens a file in Obsidian, in whatever vault it lies: `obsidian://open?path=…`, percent-encoded.
///
/// `None` for a path that is not absolute or not Unicode, which no link can name.
pub fn obsidian_uri(file: &Path) -> Option<String> {
    let path = file.is_absolute().then(|| file.to_str())??;
    let mut link = String::from("obsidian://open?path=");
    for byte in path.bytes() {
        // What RFC 3986 calls unreserved stands for itself.
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            link.push(char::from(byte));
        } else {
            link.push_str(&format!("%{byte:02X}"));
        }
    }
    Some(link)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn every_character_survives_a_link() {
        let link = obsidian_uri(Path::new("/home/ana/My vault/ä & b#1?.md")).unwrap();
        assert_eq!(link, "obsidian://open?path=%2Fhome%2Fana%2FMy%20vault%2F%C3%A4%20%26%20b%231%3F.md");
        assert_eq!(obsidian_uri(Path::new("relative.md")), None);
    }
}
