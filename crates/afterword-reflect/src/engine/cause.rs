//! Where an agent tells what was wrong: the sentences that name a cause or what solved it.

use std::sync::OnceLock;

use regex::Regex;

use super::line::{LEFT_OUT, bounded};

/// The stretch of a text that names a cause, with what stands around it, at most so many bytes; `None` where none is named.
pub(super) fn cause_excerpt(text: &str, most: usize) -> Option<String> {
    static CAUSE: OnceLock<Regex> = OnceLock::new();
    let cause = CAUSE.get_or_init(|| {
        Regex::new(
            r"(?i)\b(?:root cause|the (?:real |actual |core |underlying )?(?:issue|problem|bug|culprit|cause|reason|error) (?:is|was|here|seems|comes)|caused by|turns out|found (?:it|the (?:issue|problem|bug|cause))|that(?:'s| is| was) (?:why|because)|this (?:is|was) (?:why|because)|this (?:happens|happened|fails|failed) (?:because|when)|(?:fails?|failing|failed|breaks?|broken|crash(?:es|ed)?|hangs?) (?:because|since|due to)|the fix (?:is|was)|fixed by|workaround|that explains|now (?:it )?works|i see (?:the|what)|here'?s (?:the|what) (?:problem|issue|happen))",
        )
        .expect("the pattern is checked by the test of this module")
    });
    let text = text.trim();
    let found = cause.find(text)?;
    if text.len() <= most {
        return Some(text.to_owned());
    }
    let start = text.floor_char_boundary(found.start().saturating_sub(most / 4));
    let before = if start > 0 { format!("{LEFT_OUT} ") } else { String::new() };
    Some(format!("{before}{}", bounded_head(&text[start..], most)))
}

fn bounded_head(text: &str, most: usize) -> String {
    if text.len() <= most {
        bounded(text, most)
    } else {
        format!("{} {LEFT_OUT}", &text[..text.floor_char_boundary(most)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_shown_where_it_stands() {
        let long = format!(
            "{}The root cause is that the port was taken. {}",
            "So. ".repeat(200),
            "More. ".repeat(200)
        );
        let shown = cause_excerpt(&long, 200).unwrap();
        assert!(shown.contains("The root cause is that the port was taken.") && shown.len() < 230, "{shown}");
        assert!(shown.starts_with(LEFT_OUT) && shown.ends_with(LEFT_OUT));
        assert_eq!(cause_excerpt("Reading the file now.", 200), None);
        assert_eq!(
            cause_excerpt("Turns out the cache was stale.", 200).as_deref(),
            Some("Turns out the cache was stale.")
        );
    }
}
