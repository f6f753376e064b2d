//! What the built-in engine writes below a lesson beside what it says: what led to it and what came of it.

/// How paragraphs of circumstance begin.
const BEGINNINGS: [&str; 6] = [
    "**Before that, the agent:**",
    "**The agent's answer:**",
    "**Chosen of what the agent offered:**",
    "**Rejected:**",
    "**Changed after it:**",
    "The change that followed ran without an error.",
];

/// Whether a paragraph of a lesson's text tells of its circumstances, in words that may be the agent's.
pub fn is_circumstance(paragraph: &str) -> bool {
    BEGINNINGS.iter().any(|beginning| paragraph.trim_start().starts_with(beginning))
}
