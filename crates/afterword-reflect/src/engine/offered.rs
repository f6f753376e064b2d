//! Which of the options an agent offered in prose a short answer picks, in full.

use std::sync::OnceLock;

use regex::Regex;

/// The option that an answer like "2", "C)" or "the second" picks; `None` where none is picked.
pub(super) fn picked_option(asked: &str, answer: &str) -> Option<String> {
    let label = label(answer)?;
    let line = line();
    let mut options = asked.lines().filter_map(|text| {
        let found = line.captures(text)?;
        let label = found.get(1).or(found.get(2))?.as_str().to_lowercase();
        Some((label, found[3].replace("**", "").trim().to_owned()))
    });
    // What was offered last counts.
    options.by_ref().filter(|(known, _)| *known == label).last().map(|(_, words)| words)
}

/// How many points of a list an answer has.
pub(super) fn points(answer: &str) -> usize {
    answer.lines().filter(|text| line().is_match(text)).count()
}

fn line() -> &'static Regex {
    static LINE: OnceLock<Regex> = OnceLock::new();
    LINE.get_or_init(|| {
        Regex::new(r"(?i)^[\s|>*#-]*(?:(?:option|approach)\s+([a-e]|[1-9])\**\s*[:.)–—-]|([a-e]|[1-9])\s*[.):])[\s:.)*–—-]*(\S.*)$")
            .expect("the pattern is checked by the test of this module")
    })
}

fn label(answer: &str) -> Option<String> {
    static LABEL: OnceLock<Regex> = OnceLock::new();
    let label = LABEL.get_or_init(|| {
        Regex::new(r"(?i)^\W*(?:(?:ok(?:ay)?|yes|yeah|let'?s|go|do|with|i'?d|take|the|i|think|prefer|use)\W+)*(?:(?:option|approach|number|variant)\s*)?(?:([a-e]|[1-9])(?:[.):,;!]|\s*$|\s+(?:please|sounds|is|but|and|with)\b)|(first|second|third|fourth)\b)")
            .expect("the pattern is checked by the test of this module")
    });
    let found = label.captures(answer.trim())?;
    if let Some(word) = found.get(2) {
        let order = ["first", "second", "third", "fourth"];
        let at = order.iter().position(|name| name.eq_ignore_ascii_case(word.as_str()))?;
        return Some((at + 1).to_string());
    }
    Some(found[1].to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_option_behind_a_short_answer() {
        let asked = "Where do the keys go?\n\n1. One file for all of them\n2. **A file for each key**, named after it\n\nWhich?";
        let check = |answer: &str, expected: Option<&str>| {
            assert_eq!(picked_option(asked, answer).as_deref(), expected, "{answer}");
        };
        check("2", Some("A file for each key, named after it"));
        check(
            "2. and name it after the key, so that nobody has to look it up",
            Some("A file for each key, named after it"),
        );
        check("ok, 1.", Some("One file for all of them"));
        check("the second", Some("A file for each key, named after it"));
        check("3", None);
        check("a file of its own for each", None);
        check("do it", None);
        let lettered = "**A)** Keep both\n**B)** Drop the old one\nOption C: ask each time";
        assert_eq!(picked_option(lettered, "C)").as_deref(), Some("ask each time"));
        assert_eq!(picked_option(lettered, "B please").as_deref(), Some("Drop the old one"));
        let reasoned = format!(
            "{lettered}\n\nOption C seems best because it is safe.\n**Option C** because nothing is lost."
        );
        assert_eq!(picked_option(&reasoned, "C.").as_deref(), Some("ask each time"));
        assert_eq!([points("1. yes\n2. no, the file"), points("B) fine"), points("as you like")], [2, 1, 0]);
    }
}
