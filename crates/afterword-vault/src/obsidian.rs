//! Links that open a note in Obsidian from anywhere (obsidian.md/help, "Obsidian URI").

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// All but what RFC 3986 calls unreserved, which stands for itself.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A link that opens a file in Obsidian, in whatever vault it lies: `obsidian://open?path=…`, percent-encoded.
///
/// `None` for a path that is not absolute or not Unicode, which no link can name.
pub fn obsidian_uri(file: &Path) -> Option<String> {
    let path = file.is_absolute().then(|| file.to_str())??;
    Some(format!("obsidian://open?path={}", utf8_percent_encode(path, RESERVED)))
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
