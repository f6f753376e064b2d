//! Whether a server's context had room for a question and its answer.
//!
//! Servers on this machine begin with a short context. Some refuse what does not fit; others cut its beginning off, where the
//! instructions stand, and answer what is left without a word. Only the tokens they say they read tell.

use super::Question;

/// No tokenizer makes fewer tokens of a long text than one for so many characters.
const CHARACTERS_A_TOKEN: u64 = 6;
/// Contexts are powers of two from here on. Whoever read exactly as many tokens read what fitted.
const LEAST_CONTEXT: u64 = 2_048;
/// Tokens that begin and end an answer, which not every server counts.
const MARKS: u64 = 16;

/// What a server says it read of a question; zero where it does not say.
pub(super) fn beginning_is_missing(question: &Question<'_>, read: u64) -> Option<String> {
    let characters = (question.system.chars().count() + question.prompt.chars().count()) as u64;
    let is_full = read >= LEAST_CONTEXT && read.is_power_of_two();
    let is_cut = read > 0 && (read * CHARACTERS_A_TOKEN < characters || is_full);
    is_cut.then(|| format!("of some {} tokens it read only {read}", characters / 4))
}

/// Whether an answer ended for want of room before it was as long as it may be.
pub(super) fn answer_had_no_room(written: u64, allowed: u32) -> Option<String> {
    let is_early = written + MARKS < u64::from(allowed);
    is_early.then(|| format!("no room was left after {written} tokens of the answer"))
}

/// Whether a server's complaint is about its context.
pub(super) fn is_refused(complaint: &str) -> bool {
    let complaint = complaint.to_lowercase();
    complaint.contains("context") && ["size", "length", "window"].iter().any(|word| complaint.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_is_told_from_what_was_read_whole() {
        let check = |characters: usize, read: u64, expected: bool| {
            let prompt = "x".repeat(characters);
            let question =
                Question { system: "", prompt: &prompt, schema: "{}", most_tokens: 5_000, most_usd: None };
            assert_eq!(beginning_is_missing(&question, read).is_some(), expected, "{characters}, {read}");
        };
        // As Ollama 0.33 reported a question of 159,062 characters that met a context of 32,768 tokens, and older ones one of
        // 7,268 tokens that met 4,096.
        check(159_062, 16_386, true);
        check(29_000, 4_096, true);
        check(18_000, 2_050, true);
        check(18_000, 4_100, false);
        check(40_000, 8_900, false);
        // Nobody said how much was read.
        check(18_000, 0, false);
    }

    #[test]
    fn complaints_about_the_context_are_recognised() {
        let check =
            |complaint: &str, expected: bool| assert_eq!(is_refused(complaint), expected, "{complaint}");
        check(
            "request (2039 tokens) exceeds the available context size (1024 tokens), try increasing it",
            true,
        );
        check(
            "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
            true,
        );
        check("response_format is not supported", false);
        check("no such model", false);
    }
}
