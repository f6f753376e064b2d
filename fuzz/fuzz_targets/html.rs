//! A note as a page: no markup of the source comes through, whatever it is.
#![no_main]

use afterword_vault::html::render_html;
use afterword_vault::{markdown, plain};
use libfuzzer_sys::fuzz_target;

/// Every tag the program makes itself is one of these; none runs anything.
fn check(page: &str) {
    for (at, _) in page.match_indices('<') {
        let tag = page[at + 1..].trim_start_matches('/');
        let name: String = tag.chars().take_while(char::is_ascii_alphanumeric).collect();
        assert!(!name.is_empty(), "a bare `<`");
        let name = name.to_ascii_lowercase();
        let runs = [
            "script", "iframe", "object", "embed", "style", "link", "meta", "base", "form", "svg", "math",
            "img",
        ];
        assert!(!runs.contains(&name.as_str()), "<{name}>");
        let inside = tag.split('>').next().unwrap_or_default().to_ascii_lowercase();
        assert!(!inside.contains(" on"), "{inside}");
        assert!(!inside.contains("=\"javascript:") && !inside.contains("=\"data:"), "{inside}");
    }
}

fuzz_target!(|text: &str| {
    check(&render_html(text));
    let _ = markdown::plain_text(text);
    assert!(!plain::one_line(text, 80).contains('\n'));
    assert!(!markdown::escaped_line(text, 80).contains('\n'));
});
