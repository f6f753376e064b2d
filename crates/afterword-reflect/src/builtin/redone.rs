//! What the agent had done one way and did another way once the person had spoken: the import that went, the flag that was taken out
//! again. A rule that asked for what went is the one that their words change.

use std::collections::BTreeSet;

use afterword_transcript::event::ToolCall;

use super::moment::{Moment, is_edit};
use super::words::{file_name, head};

/// Most pieces of work that are kept between two utterances, the last ones.
pub(super) const MOST: usize = 6;
/// Longest part kept of each, in bytes.
const LONGEST: usize = 600;
/// Letters of a word that says something, at least.
const SHORTEST: usize = 3;

/// A change of a file, or a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The file's name without its ending, or the program.
    target: String,
    /// The new text with the file's name, or the command; bounded.
    text: String,
    /// The text it replaced; bounded, empty for a command.
    replaced: String,
    /// The text is a whole command, and not where one moves something to.
    is_command: bool,
}

impl Work {
    /// That of a call which changes a file or runs a command.
    pub(super) fn of(call: &ToolCall) -> Option<Self> {
        let bounded = |text: &str| head(text, LONGEST).to_owned();
        if is_edit(&call.name) {
            let name = file_name(&call.summary).trim();
            let target = name.split('.').next().unwrap_or(name).to_lowercase();
            let text = format!("{name} {}", bounded(&call.input));
            return Some(Self { target, text, replaced: bounded(&call.before), is_command: false });
        }
        let program = (call.name == "Bash").then(|| call.input.split_whitespace().next()).flatten()?;
        let (target, text) = (program.to_lowercase(), bounded(&call.input));
        Some(match moved(&text) {
            Some((replaced, text)) => Self { target, text, replaced, is_command: false },
            None => Self { target, text, replaced: String::new(), is_command: true },
        })
    }

    /// The command, where it is one.
    pub(super) fn command(&self) -> Option<&str> {
        self.is_command.then_some(self.text.as_str())
    }
}

/// From where and to where a command moves something.
fn moved(command: &str) -> Option<(String, String)> {
    let moves = command.strip_prefix("git mv ").or_else(|| command.strip_prefix("mv "))?;
    let moves = moves.split(['&', ';', '|', '\n']).next()?.trim();
    let (from, to) = moves.rsplit_once(' ')?;
    Some((from.to_owned(), to.to_owned()))
}

/// The words that went from the agent's work once the person had spoken, and those that came.
#[derive(Debug, Default)]
pub(super) struct Redone {
    /// In order.
    pub(super) gone: Vec<String>,
    came: BTreeSet<String>,
}

impl Redone {
    /// Those of a message.
    pub(super) fn after(moment: &Moment) -> Self {
        let (before, after) = (&moment.lead.work, &moment.follow.work);
        let texts =
            |work: &[Work]| -> BTreeSet<String> { work.iter().flat_map(|one| words(&one.text)).collect() };
        let redone = before.iter().filter(|one| after.iter().any(|other| other.target == one.target));
        let mut gone: BTreeSet<String> = redone.flat_map(|one| words(&one.text)).collect();
        gone.extend(after.iter().flat_map(|one| words(&one.replaced)));
        // What the person refused was to be done.
        let refused = moment.rejected.as_ref().and_then(Work::of);
        gone.extend(refused.iter().flat_map(|one| words(&one.text)));
        let (had, has) = (texts(before), texts(after));
        Self {
            gone: gone.difference(&has).cloned().collect(),
            came: has.difference(&had).filter(|word| !gone.contains(*word)).cloned().collect(),
        }
    }

    /// Whether words name something that came.
    pub(super) fn came_as(&self, said: &str) -> bool {
        words(said).iter().any(|word| self.came.contains(word))
    }
}

/// The words of code or prose, in lower case: "DateTime" is two.
fn words(text: &str) -> Vec<String> {
    const CODE: [&str; 48] = [
        "import",
        "from",
        "const",
        "return",
        "function",
        "class",
        "null",
        "none",
        "true",
        "false",
        "self",
        "this",
        "def",
        "let",
        "var",
        "pub",
        "use",
        "mod",
        "export",
        "default",
        "async",
        "await",
        "int",
        "void",
        "string",
        "str",
        "new",
        "type",
        "struct",
        "enum",
        "interface",
        "public",
        "private",
        "static",
        "the",
        "and",
        "for",
        "with",
        "not",
        "home",
        "dev",
        "src",
        "lib",
        "test",
        "tests",
        "file",
        "git",
        "add",
    ];
    let mut apart = String::with_capacity(text.len() + 16);
    let mut before = ' ';
    for c in text.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            apart.push(' ');
        }
        apart.push(c);
        before = c;
    }
    let lower = apart.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| {
        word.chars().count() >= SHORTEST && word.chars().any(char::is_alphabetic) && !CODE.contains(word)
    });
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_moved_goes_from_its_place() {
        let moved = |command| moved(command).map(|(from, to)| format!("{from} > {to}"));
        assert_eq!(moved("git mv kiln/a.jpg raku/ && ls"), Some("kiln/a.jpg > raku/".to_owned()));
        assert_eq!(moved("mvn test"), None);
    }

    #[test]
    fn the_parts_of_a_name_are_words() {
        let found = words("import { GlazeKiln } from 'raku'; heat_up(2)");
        assert_eq!(found, ["glaze", "kiln", "raku", "heat"]);
    }
}
