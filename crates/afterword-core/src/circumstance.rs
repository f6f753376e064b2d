//! What the built-in engine writes below a lesson beside what it says: what led to it and what came of it.

/// How paragraphs begin that hold what the agent said around the person's words.
const SURROUNDINGS: [&str; 2] = ["**Before that, the agent:**", "**The agent's answer:**"];
/// How other paragraphs of circumstance begin.
const OTHERS: [&str; 5] = [
    "**Asked for:**",
    "**Chosen of what the agent offered:**",
    "**Rejected:**",
    "**Changed after it:**",
    "The change that followed ran without an error.",
];

/// Whether a paragraph of a lesson's text tells of its circumstances, in words that may be the agent's.
pub fn is_circumstance(paragraph: &str) -> bool {
    is_surrounding(paragraph) || begins_with(paragraph, &OTHERS)
}

/// Whether a paragraph of a lesson's text holds what the agent said around the person's words: lessons of one exchange have it in common.
pub fn is_surrounding(paragraph: &str) -> bool {
    begins_with(paragraph, &SURROUNDINGS)
}

fn begins_with(paragraph: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| paragraph.trim_start().starts_with(beginning))
}
