//! What makes two mined lessons the same lesson: the words they rest on.
//!
//! Titles and bodies change with the engine and its version; the entry the user wrote and the words in it do not.
//! So the key is made of those, and mining a session again gives the keys it gave before.

use crate::{ContentKey, Evidence, Kind, ProjectKey};

/// Makes the key of a lesson of `kind` that rests on `evidence`.
///
/// The entry's uuid identifies the message wherever the transcript is copied or forked to; the quoted words tell
/// apart two rules given in one message. Where the entry has no uuid (queued messages) the project's name stands in
/// for it, not its path, so that two machines agree. Case, punctuation and spacing of the words do not count.
/// Returns 32 hexadecimal digits.
pub fn content_key(kind: Kind, project: Option<&ProjectKey>, evidence: &Evidence) -> ContentKey {
    let uuid = evidence.uuid.trim().to_lowercase();
    let (scheme, place) = if uuid.is_empty() {
        ("words", project.map(|key| key.name().to_lowercase()).unwrap_or_default())
    } else {
        ("entry", uuid)
    };
    ContentKey(key_of(&[kind.as_str(), scheme, &place, &normalised_words(&evidence.quote)]))
}

/// The quote's words in lower case with single spaces between them; everything but letters and digits separates.
pub fn normalised_words(quote: &str) -> String {
    let lower = quote.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn key_of(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().as_str()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;

    fn evidence(uuid: &str, quote: &str) -> Evidence {
        Evidence { uuid: uuid.to_owned(), line: 1, role: Role::User, quote: quote.to_owned() }
    }

    #[test]
    fn the_same_words_in_the_same_entry_give_the_same_key() {
        let first = content_key(Kind::Preference, None, &evidence("A1-b2", "Always use pnpm, never npm."));
        let mut again = evidence("a1-B2", "  always use PNPM — never npm ");
        again.line = 99;
        assert_eq!(first, content_key(Kind::Preference, Some(&ProjectKey::from_cwd("/x")), &again));
        assert_eq!(first.0.len(), 32);
    }

    #[test]
    fn two_rules_of_one_message_and_two_kinds_stay_apart() {
        let one = content_key(Kind::Preference, None, &evidence("a", "always use pnpm"));
        assert_ne!(one, content_key(Kind::Preference, None, &evidence("a", "never push to main")));
        assert_ne!(one, content_key(Kind::Workflow, None, &evidence("a", "always use pnpm")));
    }

    #[test]
    fn without_an_entry_id_the_project_tells_apart_and_its_place_on_disk_does_not() {
        let quote = evidence("", "always use pnpm");
        let key = |cwd: &str| content_key(Kind::Preference, Some(&ProjectKey::from_cwd(cwd)), &quote);
        assert_eq!(key("/home/ana/shop"), key("C:\\Users\\ana\\shop"));
        assert_ne!(key("/home/ana/shop"), key("/home/ana/blog"));
    }

    #[test]
    fn parts_cannot_run_into_each_other() {
        assert_ne!(key_of(&["ab", "c"]), key_of(&["a", "bc"]));
    }
}
