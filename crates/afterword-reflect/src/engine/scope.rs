//! Whether a person's own words say that something holds beyond the project at hand.

use std::sync::LazyLock;

use serde::Deserialize;

/// The phrases, of every language (`languages/scope.toml`).
static PHRASES: LazyLock<Vec<String>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Phrases {
        everywhere: Vec<String>,
    }
    let phrases: Phrases = toml::from_str(include_str!("../../languages/scope.toml"))
        .expect("a test reads the file that is compiled in");
    phrases.everywhere
});

/// Whether words say that what they ask for holds in every project.
pub fn says_everywhere(words: &str) -> bool {
    let words = words.to_lowercase();
    let spaced: Vec<&str> =
        words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let spaced = format!(" {} ", spaced.join(" "));
    PHRASES.iter().any(|phrase| {
        let has_blanks = phrase.chars().all(|c| c < '\u{3000}');
        if has_blanks { spaced.contains(&format!(" {phrase} ")) } else { words.contains(phrase.as_str()) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_scope_are_whole_words_and_of_every_language() {
        for words in [
            "Use pnpm in all my projects, please.",
            "Tabs. Everywhere!",
            "Das gilt in allen Projekten",
            "en todos mis proyectos usa pnpm",
            "dans tous mes projets",
            "em todos os projetos",
            "Так во всех проектах",
            "所有项目都用 pnpm",
            "すべてのプロジェクトで pnpm を使って",
            "모든 프로젝트에서 pnpm",
        ] {
            assert!(says_everywhere(words), "{words}");
        }
        for words in ["use pnpm in this project", "the projects page", "all projections are cached", ""] {
            assert!(!says_everywhere(words), "{words}");
        }
    }
}
