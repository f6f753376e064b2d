//! How a single line looks: printed by a program, spoken by a person, or neither.
//!
//! It owns the word lists and shapes; what they mean together is judged in `paste`.

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    Blank,
    /// A program or a bot wrote it.
    Printed,
    /// The end of a code fence: part of the paste, which ends here.
    End,
    /// A person speaks.
    Spoken,
    Unclear,
}

const PRINTED_OPENINGS: [&str; 34] = [
    "at ",
    "File \"",
    "Traceback (most recent call last)",
    "diff --git ",
    "@@ ",
    "+++ ",
    "--- a/",
    "npm ERR!",
    "npm error",
    "npm warn",
    "error[",
    "error:",
    "Error:",
    "ERROR",
    "WARN",
    "warning:",
    "INFO ",
    "DEBUG ",
    "fatal:",
    "panic:",
    "goroutine ",
    "--- FAIL",
    "=== RUN",
    "{\"",
    "[{\"",
    "<details>",
    "<summary>",
    "</details>",
    "_⚠️",
    "⎿",
    "⏺",
    "❯",
    "$ ",
    "Collecting ",
];

/// First words of people giving instructions or opinions. English; a line that none of them begins is unclear,
/// not printed, so another language loses nothing.
const SPOKEN_FIRST: [&str; 62] = [
    "i", "i'm", "i'd", "i've", "i'll", "im", "we", "we're", "we'd", "we'll", "let's", "lets", "can", "could",
    "please", "pls", "should", "why", "what", "how", "where", "when", "who", "which", "do", "does", "did",
    "don't", "dont", "is", "are", "isn't", "so", "but", "and", "also", "or", "ok", "okay", "yes", "yeah",
    "yep", "no", "nope", "nah", "hmm", "ah", "oh", "ehh", "wait", "actually", "maybe", "just", "now", "then",
    "it's", "its", "that's", "this", "you", "your", "my",
];
/// Words that speak for a person anywhere in a line.
const SPOKEN_WITHIN: [&str; 18] = [
    "i", "i'm", "i'd", "i've", "i'll", "we", "we're", "we've", "we'd", "let's", "lets", "my", "our", "us",
    "please", "you", "want", "think",
];

/// Says how a line looks.
pub(crate) fn classify_line(line: &str) -> LineKind {
    let trimmed = line.trim();
    if trimmed.is_empty() {
        return LineKind::Blank;
    }
    if is_printed(trimmed) {
        return LineKind::Printed;
    }
    let indented = line.starts_with("    ") || line.starts_with('\t');
    if !indented && is_spoken(trimmed) { LineKind::Spoken } else { LineKind::Unclear }
}

/// Whether a program printed a line.
pub(crate) fn is_printed(line: &str) -> bool {
    PRINTED_OPENINGS.iter().any(|opening| line.starts_with(opening))
        || line.starts_with(['│', '├', '└', '╭', '╰', '┌', '┐', '─', '━', '✓', '✔', '✗', '✖', '●', '×'])
        || starts_with_time(line)
        || is_shell_prompt(line)
        || line.contains("━━━")
        || starts_with_source_location(line)
        || is_package_script(line)
}

/// A log line's time: `2026-02-07T…`, `2026/01/21 …`, `[12:01:55`, `Feb  8 21:51:50`, `12:01:55.123`.
fn starts_with_time(line: &str) -> bool {
    const MONTHS: [&str; 12] =
        ["Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "];
    let line = line.trim_start_matches('[');
    let shape = |text: &str, length| {
        text.chars().take(length).map(|c| if c.is_ascii_digit() { '0' } else { c }).collect::<String>()
    };
    let date = shape(line, 10);
    date == "0000-00-00"
        || date == "0000/00/00"
        || shape(line, 8) == "00:00:00"
        || MONTHS.iter().any(|month| line.starts_with(month))
            && line.get(7..).is_some_and(|rest| shape(rest, 8) == "00:00:00")
}

/// `user@host:~/dir$ command`, `(venv) user@host dir % command`.
fn is_shell_prompt(line: &str) -> bool {
    let Some(end) = line.find(['$', '%', '#']) else { return false };
    let prompt = &line[..end];
    let word = prompt.split_whitespace().find(|word| word.contains('@'));
    end < 80
        && word.is_some_and(|word| word.find('@').is_some_and(|at| at > 0))
        && line[end + 1..].starts_with([' ']) | (end + 1 == line.len())
}

/// A compiler's or linter's place, `src/main.rs:10:5`, as the line's first word.
fn starts_with_source_location(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default().trim_end_matches(':');
    let mut parts = word.rsplit(':');
    let number = |part: Option<&str>| {
        part.is_some_and(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    };
    number(parts.next()) && number(parts.next()) && parts.next().is_some_and(|file| file.contains('.'))
}

/// `> build`, `> tsc -p .`: a package manager naming what it runs, in few plain words.
fn is_package_script(line: &str) -> bool {
    line.strip_prefix("> ").is_some_and(|rest| {
        let words = rest.split_whitespace().count();
        words <= 3 || rest.contains("&&") || rest.contains(" --") || rest.contains(':')
    })
}

fn is_spoken(line: &str) -> bool {
    let lower = line.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .filter(|word| !word.is_empty())
        .collect();
    let letters = lower.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    let mostly_words = letters * 10 >= lower.chars().count() * 8;
    let Some(first) = words.first() else { return false };
    (words.len() >= 2 && mostly_words && SPOKEN_FIRST.contains(first))
        || (words.len() >= 4 && mostly_words && words.iter().any(|word| SPOKEN_WITHIN.contains(word)))
        || (words.len() >= 4 && mostly_words && line.ends_with('?'))
        || line.starts_with("-> ")
        || line.starts_with("=> ")
}

/// Whether a spoken line stays the person's even between two pasted ones: it opens as people do when they turn
/// from one paste to the next.
pub(crate) fn turns_to_next_paste(line: &str) -> bool {
    const TURNS: [&str; 18] = [
        "i", "i'm", "i'd", "i've", "i'll", "we", "let's", "lets", "can", "could", "please", "also", "and",
        "but", "so", "then", "now", "ok",
    ];
    let line = line.trim();
    let lower = line.to_lowercase();
    let first = lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).find(|word| !word.is_empty());
    line.ends_with(['?', ':']) || first.is_some_and(|first| TURNS.contains(&first))
}

/// Whether a first line says that something pasted follows: `got this feedback:`, `ci says:`, `here is the log:`.
/// What people announce as their own (`my feedback:`) is not.
pub(crate) fn introduces_paste(line: &str) -> bool {
    const NAMES: [&str; 12] = [
        "feedback", "review", "comment", "comments", "log", "logs", "output", "says", "said", "reviewer",
        "findings", "report",
    ];
    const OWN: [&str; 9] = ["my", "mine", "our", "some", "few", "couple", "i've", "i'd", "one"];
    let line = line.trim();
    let lower = line.to_lowercase();
    let mut words = lower.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    if line.len() > 160 || words.any(|word| OWN.contains(&word)) {
        return false;
    }
    let named = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| NAMES.contains(&word));
    let announced = lower.split(':').next().is_some_and(|before| {
        before.len() < lower.len()
            && before.split_whitespace().next_back().is_some_and(|last| NAMES.contains(&last))
    });
    announced
        || (line.ends_with(':') && named(&lower))
        || line.trim_start_matches('#').trim_start().starts_with("Code Review")
        || is_bot_finding(line)
}

/// Findings as review bots word them, and long paragraphs in no person's voice that judge code.
pub(crate) fn reads_like_a_review(line: &str) -> bool {
    let line = line.trim();
    is_bot_finding(line)
        || line.starts_with("Actionable comments posted")
        || line.contains("Prompt for AI Agents")
        || line.starts_with("**Severity")
        || is_finding(line)
}

/// `In path/file.rs around lines 10 to 20, …`, as a review bot words what an agent should do.
fn is_bot_finding(line: &str) -> bool {
    line.starts_with("In ") && line.contains(" around line")
}

/// A paragraph of more than one full sentence about code, without a word that speaks for a person.
fn is_finding(line: &str) -> bool {
    const SHORTEST: usize = 200;
    const VERDICTS: [&str; 14] = [
        "consider ",
        "should be updated",
        "this means",
        "misleading",
        "silently",
        "potential ",
        "doesn't correctly",
        "does not correctly",
        "could cause",
        "can cause",
        "instead of",
        "may not match",
        "is missing",
        "overwrites",
    ];
    if line.len() < SHORTEST
        || !line.starts_with(|c: char| c.is_uppercase())
        || !line.ends_with('.')
        || line.contains('?')
    {
        return false;
    }
    let lower = line.to_lowercase();
    let personal = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .any(|word| SPOKEN_WITHIN.contains(&word) || word == "pls" || word == "me");
    !personal && VERDICTS.iter().any(|verdict| lower.contains(verdict)) && line.matches(". ").count() >= 1
}
