//! The private parts of JSON Web Keys: `d`, the primes of RSA, and the `k` of a symmetric key.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::finding::Finding;

/// How far from `kty` the other members of one key stand.
const AROUND: usize = 4_000;

static PRIVATE_PART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"["'](?:d|p|q|dp|dq|qi|k|r|t|oth)\\{0,3}["']\s*:\s*\\{0,3}["'](?<value>[A-Za-z0-9_-]{16,})"#)
        .expect("a fixed pattern")
});

/// Adds the private parts of the key whose type stands here, and tells how far it was read.
pub(super) fn at(text: &str, kty: &Range<usize>, findings: &mut Vec<Finding>) -> usize {
    let least = text.floor_char_boundary(kty.start.saturating_sub(AROUND));
    let most = text.ceil_char_boundary(text.len().min(kty.end + AROUND));
    let start = text[least..kty.start].rfind(['{', '[']).map_or(least, |at| least + at);
    let end = text[kty.end..most].find('}').map_or(most, |at| kty.end + at);
    for captures in PRIVATE_PART.captures_iter(&text[start..end]) {
        if let Some(value) = captures.name("value") {
            findings.push(Finding::new("private-key", start + value.start()..start + value.end()));
        }
    }
    end
}
