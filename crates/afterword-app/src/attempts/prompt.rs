//! Attempts as a model reads them before it tries again.

use std::fmt::Write as _;

use afterword_store::Attempt;
use afterword_vault::plain;

/// Characters of one line.
const LONGEST: usize = 400;

/// The attempts under a heading, each with its outcome, what worked, what did not, and what to try next; empty where there
/// are none. Every text is one line, so that none can pass for a heading.
pub fn prompt(attempts: &[Attempt]) -> String {
    if attempts.is_empty() {
        return String::new();
    }
    let line = |text: &str| plain::one_line(text, LONGEST);
    let mut text = "## Previous Lessons Learned\n".to_owned();
    for attempt in attempts {
        let _ = write!(
            text,
            "\n### Attempt {} ({})\nTask: {}\n",
            attempt.number,
            attempt.outcome.as_str(),
            line(&attempt.task)
        );
        for (heading, list) in
            [("What worked:", &attempt.worked), ("What did not work:", &attempt.did_not_work)]
        {
            if !list.is_empty() {
                let _ = writeln!(text, "{heading}");
            }
            for one in list {
                let _ = writeln!(text, "  - {}", line(one));
            }
        }
        let _ = writeln!(text, "Next strategy: {}", line(&attempt.next_strategy));
    }
    text
}
