//! The part of a text that shows why it was found.

/// Characters of a snippet.
const LONGEST: usize = 200;

/// The text around the first of the words, or its beginning, on one line.
pub(crate) fn snippet(body: &str, words: &[String]) -> String {
    let line = body.split_whitespace().collect::<Vec<_>>().join(" ");
    let characters: Vec<char> = line.chars().collect();
    if characters.len() <= LONGEST {
        return line;
    }
    let lower: Vec<char> = characters.iter().map(|c| c.to_lowercase().next().unwrap_or(*c)).collect();
    let starts_at = |word: &String| {
        let word: Vec<char> = word.chars().collect();
        (0..lower.len())
            .find(|&at| lower[at..].starts_with(&word) && (at == 0 || !lower[at - 1].is_alphanumeric()))
    };
    let first = words.iter().filter_map(starts_at).min().unwrap_or(0);
    // Some words before the hit say what it belongs to.
    let mut start = first.saturating_sub(LONGEST / 4).min(characters.len() - LONGEST);
    while start > 0 && characters[start - 1] != ' ' {
        start -= 1;
    }
    let end = (start + LONGEST).min(characters.len());
    let cut: String = characters[start..end].iter().collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if end < characters.len() { "…" } else { "" };
    format!("{before}{}{after}", cut.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippet_shows_the_first_hit() {
        assert_eq!(snippet("short\n text", &[]), "short text");
        let long = format!("{} the needle lies here {}", "hay ".repeat(100), "straw ".repeat(100));
        let found = snippet(&long, &["needle".to_owned()]);
        assert!(
            found.contains("the needle lies") && found.starts_with('…') && found.ends_with('…'),
            "{found}"
        );
        assert!(snippet(&long, &["absent".to_owned()]).starts_with("hay hay"));
        let emoji = snippet(&"\u{1f389}é".repeat(500), &["é".to_owned()]);
        assert!(emoji.chars().count() <= LONGEST + 2);
    }
}
