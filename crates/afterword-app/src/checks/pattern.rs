//! Patterns over commands, paths and text. No regular expressions: every match takes time in proportion to what it reads,
//! times the pattern's length at most.

use std::path::{Component, Path, PathBuf};

use memchr::memmem;

use super::command::{SimpleCommand, base_name};
use crate::spelling::without_dots;

/// Options before a subcommand that take a value, by program.
const VALUED: [(&str, &[&str]); 10] = [
    ("git", &["-C", "-c", "--git-dir", "--work-tree", "--namespace"]),
    ("docker", &["-H", "-c", "-l", "--host", "--context", "--log-level", "-f", "--file", "-p"]),
    ("kubectl", &["-n", "--namespace", "--context", "--cluster", "--kubeconfig", "-s"]),
    ("helm", &["-n", "--namespace", "--kube-context", "--kubeconfig"]),
    ("npm", &["--prefix", "-w", "--workspace", "-C"]),
    ("pnpm", &["-C", "--dir", "-F", "--filter"]),
    ("yarn", &["--cwd"]),
    ("make", &["-C", "-f", "-j"]),
    ("just", &["-f", "-d", "--justfile", "--working-directory"]),
    ("uv", &["--directory", "--project"]),
];
/// Programs whose arguments are only text.
const SPEAKERS: [&str; 10] = ["echo", "printf", "grep", "rg", "git", "cat", "ls", "which", "type", "man"];

/// Whether a command is what `pattern` describes: the program by its name, the words without a dash in their order (the
/// first of them as the first of the command's own), and every option, wherever it stands. `*` stands for any characters
/// within one word.
pub fn command_matches(pattern: &str, command: &SimpleCommand) -> bool {
    words_match(pattern, &command.words)
}

/// As [`command_matches`], also where another program runs the command (`uv run pytest`).
pub fn command_contains(pattern: &str, command: &SimpleCommand) -> bool {
    let words = &command.words;
    let speaks = words.first().is_some_and(|first| SPEAKERS.contains(&base_name(first)));
    let starts = if speaks { 0..1 } else { 0..words.len() };
    starts.into_iter().any(|start| words.get(start..).is_some_and(|words| words_match(pattern, words)))
}

fn words_match(pattern: &str, words: &[String]) -> bool {
    let mut wanted = pattern.split_whitespace();
    let (Some(program), Some((first, arguments))) = (wanted.next(), words.split_first()) else {
        return false;
    };
    if !is_program(program, first) {
        return false;
    }
    let (options, names): (Vec<_>, Vec<_>) = wanted.partition(|word| word.starts_with('-'));
    if !options.iter().all(|option| has_option(option, arguments)) {
        return false;
    }
    let Some((subcommand, others)) = names.split_first() else { return true };
    let after = past_options(base_name(first), arguments);
    let starts = [after, &arguments[arguments.len() - after.len()..]];
    starts.iter().any(|arguments| {
        let mut rest = arguments.iter();
        let begins = match rest.next() {
            Some(word) if glob(subcommand, word) => true,
            // What stands for a value of any kind is looked for behind, too.
            _ if subcommand.contains(['*', '/', '.']) => rest.any(|word| glob(subcommand, word)),
            _ => false,
        };
        begins && others.iter().all(|wanted| rest.any(|word| glob(wanted, word)))
    })
}

/// A program by its name; by its place where the pattern has one.
fn is_program(pattern: &str, word: &str) -> bool {
    if pattern.contains('/') {
        let (pattern, word) = (pattern.trim_start_matches("./"), word.trim_start_matches("./"));
        return glob(pattern, word) || word.ends_with(&format!("/{pattern}"));
    }
    glob(pattern, base_name(word).trim_end_matches(".exe"))
}

/// The arguments from the first that is no option on.
fn past_options<'a>(program: &str, arguments: &'a [String]) -> &'a [String] {
    let valued = VALUED.iter().find(|(name, _)| *name == program).map_or(&[][..], |(_, valued)| valued);
    let mut rest = arguments;
    while let Some(option) = rest.first().filter(|word| word.starts_with(['-', '+'])) {
        rest = rest.get(if valued.contains(&option.as_str()) { 2 } else { 1 }..).unwrap_or_default();
    }
    rest
}

/// `--name` also as `--name=value`; letters behind one dash also apart and in another order.
fn has_option(option: &str, arguments: &[String]) -> bool {
    if arguments.iter().any(|word| glob(option, word)) {
        return true;
    }
    if option.starts_with("--") {
        let valued = |word: &String| word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='));
        return arguments.iter().any(valued);
    }
    let letters = |word: &str| {
        let letters = word.strip_prefix('-')?.to_owned();
        (!letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphabetic())).then_some(letters)
    };
    let Some(wanted) = letters(option) else { return false };
    let has: String =
        arguments.iter().filter_map(|word| letters(word)).filter(|word| word.len() <= 6).collect();
    wanted.chars().all(|letter| has.contains(letter))
}

/// Whether `text` as a whole is what `pattern` describes; `*` stands for any characters.
pub fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            p += 1;
            t += 1;
        } else if let Some((at, from)) = star {
            star = Some((at, from + 1));
            p = at + 1;
            t = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

/// Whether a file is what `pattern` describes, as in `.gitignore`: without a slash inside it is a file's or a folder's name
/// anywhere, else a path below one of `bases`; `*` stays within one name, `**` stands for any folders, and a folder stands
/// for all that is in it. `file` is absolute.
pub fn path_matches(pattern: &str, file: &Path, bases: &[PathBuf], home: Option<&Path>) -> bool {
    let file = without_dots(file);
    let trimmed = pattern.trim_start_matches("./").trim_end_matches('/');
    let parts = |path: &Path| -> Vec<String> {
        let names = path.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        names.collect()
    };
    let wanted: Vec<&str> = trimmed.split('/').filter(|part| !part.is_empty()).collect();
    if wanted.is_empty() {
        return false;
    }
    if let Some(rest) = trimmed.strip_prefix("~/") {
        let wanted: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
        let below = home.and_then(|home| file.strip_prefix(home).ok());
        return below.is_some_and(|below| parts_match(&wanted, &parts(below)));
    }
    if trimmed.starts_with('/') {
        return parts_match(&wanted, &parts(&file));
    }
    let mut below = bases.iter().filter_map(|base| file.strip_prefix(without_dots(base)).ok());
    if !trimmed.contains('/') {
        let anywhere = [&["**"], &wanted[..]].concat();
        // The folders above the project are none of its names.
        let own = below.max_by_key(|path| path.components().count());
        return parts_match(&anywhere, &parts(own.unwrap_or(&file)));
    }
    below.any(|below| parts_match(&wanted, &parts(below)))
        || (wanted.first() == Some(&"**") && parts_match(&wanted, &parts(&file)))
}

/// Whether the pattern's parts are all of the path's, or the first of them.
fn parts_match(wanted: &[&str], parts: &[String]) -> bool {
    if wanted.is_empty() {
        return false;
    }
    // `reached[n]`: the pattern so far can stand for the first n names.
    let mut reached = vec![false; parts.len() + 1];
    reached[0] = true;
    for part in wanted {
        let mut next = vec![false; parts.len() + 1];
        if *part == "**" {
            let mut any = false;
            for (at, is_reached) in reached.iter().enumerate() {
                any |= is_reached;
                next[at] = any;
            }
        } else {
            for (at, name) in parts.iter().enumerate() {
                next[at + 1] = reached[at] && glob(part, name);
            }
        }
        reached = next;
    }
    reached.iter().enumerate().any(|(at, is_reached)| *is_reached && at > 0)
}

/// How often a text has what `pattern` describes; `*` stands for any characters of one line, and what begins or ends with a
/// letter stands there as a word.
pub fn occurrences(pattern: &str, text: &str) -> usize {
    let parts: Vec<&str> = pattern.split('*').filter(|part| !part.is_empty()).collect();
    let Some((first, rest)) = parts.split_first() else { return 0 };
    let in_line = |line: &str| {
        let (mut count, mut from) = (0, 0);
        while let Some(start) = memmem::find(&line.as_bytes()[from..], first.as_bytes()) {
            let start = from + start;
            let mut end = start + first.len();
            for part in rest {
                match memmem::find(&line.as_bytes()[end..], part.as_bytes()) {
                    Some(at) => end += at + part.len(),
                    None => return count,
                }
            }
            let is_open = |at: usize, before: bool| {
                let (inner, outer) = if before {
                    (line[at..].chars().next(), line[..at].chars().next_back())
                } else {
                    (line[..at].chars().next_back(), line[at..].chars().next())
                };
                let is_word = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || one == '_');
                is_word(inner) && is_word(outer)
            };
            let starts = pattern.starts_with('*') || !is_open(start, true);
            let ends = pattern.ends_with('*') || !is_open(end, false);
            count += usize::from(starts && ends);
            from = end;
        }
        count
    };
    text.lines().map(in_line).sum()
}

#[cfg(test)]
mod tests {
    use super::super::command::commands;
    use super::*;

    fn runs(pattern: &str, line: &str) -> bool {
        commands(line).unwrap().iter().any(|one| command_matches(pattern, one))
    }

    #[test]
    fn words_come_in_their_order_and_options_anywhere() {
        assert!(runs("git push --force*", "git -C x push origin --force-with-lease"));
        assert!(!runs("git push --force*", "git push && ls --force"));
        assert!(!runs("git push main", "git stash push -m main"));
        assert!(runs("git push main", "git -c a=b push -u origin main"));
        assert!(!runs("git push main", "git push origin maintenance"));
        assert!(runs("git push *:main", "git push origin HEAD:main"));
        assert!(runs("rm -rf", "rm -f -r x") && runs("rm -rf", "rm -fr x") && !runs("rm -rf", "rm -r x"));
        assert!(runs("kubectl delete", "kubectl -n prod delete pod x"));
        assert!(runs("deploy --env", "deploy --env=prod") && !runs("deploy --env", "deploy --envy"));
        assert!(runs("./scripts/go.sh", "scripts/go.sh") && !runs("./scripts/go.sh", "other/go.sh"));
        assert!(!runs("git commit -n", "git commit -m nine"));
    }

    #[test]
    fn paths_are_matched_as_in_gitignore() {
        let base = [PathBuf::from("/w/shop")];
        let check =
            |pattern: &str, file: &str| path_matches(pattern, Path::new(file), &base, Some(Path::new("/h")));
        assert!(
            check("migrations", "/w/shop/db/migrations/1.sql")
                && check("migrations/", "/w/shop/migrations/1")
        );
        assert!(check("*.lock", "/w/shop/a/Cargo.lock") && !check("*.lock", "/w/shop/lock"));
        assert!(check("src/gen", "/w/shop/src/gen/a/b.rs") && !check("src/gen", "/w/shop/a/src/gen/b.rs"));
        assert!(check("**/gen/*.rs", "/w/shop/a/gen/b.rs") && !check("src/*.rs", "/w/shop/src/a/b.rs"));
        assert!(check("src/**", "/w/shop/src/a/b.rs") && !check("src/**", "/w/other/src/a.rs"));
        assert!(
            check("src/gen", "/w/shop/src/x/../gen/b.rs") && !check("src/gen/**", "/w/shop/src/gen/../b.rs")
        );
        assert!(
            check("/etc", "/etc/hosts") && check("~/.ssh", "/h/.ssh/id") && !check("~/.ssh", "/w/.ssh/id")
        );
        assert!(!check("w", "/w/shop/a") && !check("", "/w/shop/a"));
        assert!(!check(&("**/a/".repeat(60) + "x"), &format!("/w/shop/{}", "a/b/".repeat(900))));
    }

    #[test]
    fn text_is_matched_by_words_and_lines() {
        assert_eq!(occurrences("console.log(", "a; console.log(1); console.log(2)"), 2);
        assert_eq!(occurrences("var", "variable var_x x.var"), 1);
        assert_eq!(occurrences("fn *unwrap()", "fn a() { b.unwrap() }\nc.unwrap()"), 1);
        assert_eq!(occurrences("a*b", "a\nb"), 0);
        assert_eq!(occurrences("é*ü", "xéyü"), 0);
        assert_eq!(occurrences("*a*a*a*a*b", &"a".repeat(1 << 20)), 0);
        assert!(!glob(&"*a".repeat(200), &"a".repeat(199)));
    }
}
