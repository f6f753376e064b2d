//! What a heartbeat looks for without a model, as the person ticked it in `HEARTBEAT.md`.

/// The heading over the ticks; what stands from there on is no prompt.
const HEADING: &str = "## Checks";

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Checks {
    /// Calls that failed and were not made again with success.
    pub(super) errors: bool,
    /// Questions nobody answered.
    pub(super) questions: bool,
    /// Changes that are not committed.
    pub(super) uncommitted: bool,
}

impl Checks {
    const ALL: Self = Self { errors: true, questions: true, uncommitted: true };

    /// Takes a heartbeat's file apart: the prompt, and the checks. What is not named there is looked for.
    pub(super) fn of(text: &str) -> (&str, Self) {
        let start = text.lines().find(|line| line.trim_end() == HEADING);
        let Some(at) = start.map(|line| line.as_ptr() as usize - text.as_ptr() as usize) else {
            return (text, Self::ALL);
        };
        let mut checks = Self::ALL;
        for line in text[at..].lines().map(str::trim) {
            let Some(what) = line.strip_prefix("- [ ]").or_else(|| line.strip_prefix("* [ ]")) else {
                continue;
            };
            let what = what.to_lowercase();
            if what.contains("error") {
                checks.errors = false;
            } else if what.contains("question") {
                checks.questions = false;
            } else if what.contains("commit") {
                checks.uncommitted = false;
            }
        }
        (&text[..at], checks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ticked_is_not_looked_for() {
        let all = "Look around.\n\n## Checks\n\n- [x] errors that nothing resolved\n- [x] questions without an answer\n";
        assert_eq!(Checks::of(all), ("Look around.\n\n", Checks::ALL));
        let some =
            all.replace("- [x] questions", "- [ ] questions") + "- [ ] changes that are not committed\r\n";
        let (prompt, checks) = Checks::of(&some);
        assert_eq!(prompt, "Look around.\n\n");
        assert_eq!(checks, Checks { errors: true, questions: false, uncommitted: false });
        assert_eq!(Checks::of("Only words."), ("Only words.", Checks::ALL));
        assert_eq!(Checks::of(""), ("", Checks::ALL));
    }
}
