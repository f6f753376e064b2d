//! What came of a session in sentences that help without it: what worked, what did not, what to begin with.

use super::Ended;
use super::memory::Memory;

/// Sentences of each sort.
const MOST: usize = 5;

/// What brought failing checks to pass, and what the person praised.
pub(super) fn worked(memory: &Memory) -> Vec<String> {
    let mut worked = Vec::new();
    for check in memory.checks.iter().filter(|check| check.passed_last && check.failures > 0) {
        let after = if check.mended_in.is_empty() {
            String::new()
        } else {
            format!(" after a change of {}", check.mended_in.join(", "))
        };
        let was = if check.error.is_empty() {
            String::new()
        } else {
            format!(", which had failed with: {}", check.error)
        };
        worked.push(format!("`{}` passes{after}{was}", check.name));
    }
    if worked.is_empty() {
        let passing =
            memory.checks.iter().filter(|check| check.passed_last).map(|check| format!("`{}`", check.name));
        let passing: Vec<String> = passing.take(4).collect();
        if !passing.is_empty() {
            worked.push(format!("{} passed", passing.join(", ")));
        }
    }
    if let Some(last) =
        memory.reaction.as_ref().filter(|last| last.pleased && last.words.split_whitespace().count() > 2)
    {
        worked.push(format!("the person said: \"{}\"", short(&last.words)));
    }
    worked.truncate(MOST);
    worked
}

/// Checks that failed when they ran last, and what the person objected to.
pub(super) fn did_not_work(memory: &Memory) -> Vec<String> {
    let mut failed = Vec::new();
    for check in memory.open_checks() {
        let error = if check.error.is_empty() { String::new() } else { format!(": {}", check.error) };
        let times = if check.failures > 1 { format!(" ({} times)", check.failures) } else { String::new() };
        failed.push(format!("`{}` failed{times}{error}", check.name));
    }
    failed.extend(memory.objections.iter().map(|words| format!("the person objected: \"{}\"", short(words))));
    if let Some(reverted) = &memory.reverted {
        failed.push(format!("a change was thrown away with `{}`", short(&reverted.what)));
    }
    failed.truncate(MOST);
    failed
}

/// What to begin with next time.
pub(super) fn next(memory: &Memory, ended: Ended) -> String {
    if ended == Ended::Success {
        return "Continue with this approach".to_owned();
    }
    let open = memory.open_checks().max_by_key(|check| check.at);
    let objected = memory.reaction.as_ref().filter(|last| last.displeased);
    match (open, objected) {
        (Some(check), _) if !check.error.is_empty() => {
            format!("Begin with what `{}` said last: {}", check.name, check.error)
        }
        (Some(check), _) => format!("Begin with `{}`, which failed last", check.name),
        (None, Some(last)) => format!("Begin with what was objected to last: \"{}\"", short(&last.words)),
        (None, None) if memory.checks.is_empty() => {
            "Check the result by a test or a build, which was not done".to_owned()
        }
        (None, None) => "Ask what is left to do: the checks pass, but the end was not agreed on".to_owned(),
    }
}

fn short(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
