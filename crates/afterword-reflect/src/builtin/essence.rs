//! What a lesson's body says, without the circumstances that this engine writes beside it.
//!
//! What the agent had said before and answered after helps a person who reads the note. For comparing lessons it is noise
//! that makes every two of them alike.

use afterword_core::is_circumstance;

/// Labels before what the lesson says.
const LABELS: [&str; 3] = ["**Problem:**", "**Cause:**", "**Fix:**"];

/// The body without paragraphs of circumstance and without the labels of the others; whatever a person wrote stays.
pub fn essence(body: &str) -> String {
    let kept = body.split("\n\n").filter(|paragraph| !is_circumstance(paragraph)).map(|paragraph| {
        let label = LABELS.iter().find_map(|label| paragraph.trim_start().strip_prefix(label));
        label.unwrap_or(paragraph).trim()
    });
    kept.filter(|paragraph| !paragraph.is_empty()).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_engine_wrote_beside_the_lesson_goes() {
        let body = "> Use tabs.\n\n**Before that, the agent:** “I used blanks.”\n\n**The agent's answer:** “Understood.”\n\n\
            **My view:** tabs are shorter.\n";
        assert_eq!(essence(body), "> Use tabs.\n\n**My view:** tabs are shorter.");
        let fix = "**Problem:** It fails.\n\n**Cause:** No key.\n\nThe change that followed ran without an error.\n";
        assert_eq!(essence(fix), "It fails.\n\nNo key.");
        assert_eq!(essence(""), "");
    }
}
