//! A shell line as the simple commands it would run, and patterns over them.
//!
//! What is only text (quoted arguments, comments, bodies of here-documents) is no command. Where a line cannot be read,
//! nothing is forbidden: a check fails open. No regular expressions, and the work is bounded by the line's length.

use std::iter::Peekable;
use std::str::Chars;

/// Longest line that is read, in bytes.
const LONGEST_LINE: usize = 64 * 1024;
/// So deep substitutions and `sh -c` are followed.
const DEEPEST: usize = 8;
/// Words before which a command begins.
const KEYWORDS: [&str; 9] = ["if", "then", "elif", "else", "while", "until", "do", "!", "{"];
/// Programs that run the command after their own options, with the options that take a value.
const RUNNERS: [(&str, &[&str]); 10] = [
    ("sudo", &["-u", "-g", "-h", "-p", "-C"]),
    ("env", &["-u", "-C"]),
    ("nohup", &[]),
    ("time", &["-f", "-o"]),
    ("nice", &["-n"]),
    ("command", &[]),
    ("exec", &["-a"]),
    ("builtin", &[]),
    ("stdbuf", &["-i", "-o", "-e"]),
    ("xargs", &["-n", "-P", "-I", "-L", "-d"]),
];
/// Shells that take a script with `-c`.
const SHELLS: [&str; 5] = ["sh", "bash", "zsh", "dash", "ksh"];

/// The simple commands of `line`, each as its words, without assignments, redirections and programs that only run others.
/// `None` where the line is too long, too deep, or a quotation or substitution has no end.
pub fn commands(line: &str) -> Option<Vec<Vec<String>>> {
    let mut found = Vec::new();
    read(line, 0, &mut found)?;
    Some(found)
}

/// Whether a command of `line` matches `pattern`: the program by its name, then the pattern's words in their order,
/// with other words allowed between. `*` stands for any characters within one word.
pub fn forbidden(pattern: &str, line: &str) -> bool {
    let pattern: Vec<_> = pattern.split_whitespace().collect();
    let Some((program, arguments)) = pattern.split_first() else { return false };
    commands(line).is_some_and(|commands| {
        commands.iter().any(|words| {
            let mut words = words.iter();
            words.next().is_some_and(|first| glob(program, base_name(first)))
                && arguments.iter().all(|wanted| words.any(|word| glob(wanted, word)))
        })
    })
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

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

fn read(line: &str, depth: usize, found: &mut Vec<Vec<String>>) -> Option<()> {
    if line.len() > LONGEST_LINE || depth > DEEPEST {
        return None;
    }
    Reader { rest: line.chars().peekable(), found, depth }.list(false)
}

struct Reader<'a, 'f> {
    rest: Peekable<Chars<'a>>,
    found: &'f mut Vec<Vec<String>>,
    depth: usize,
}

impl Reader<'_, '_> {
    /// Reads commands to the end, or to the parenthesis that closes a substitution.
    fn list(&mut self, inside: bool) -> Option<()> {
        let (mut words, mut word, mut open) = (Vec::new(), None::<String>, 0_usize);
        let (mut skip_word, mut documents) = (false, Vec::new());
        loop {
            let next = self.rest.next();
            let ends_word = next.is_none_or(|one| one.is_whitespace() || ";&|()<>".contains(one));
            if ends_word && let Some(whole) = word.take() {
                let descriptor = matches!(next, Some('<' | '>')) && whole.bytes().all(|b| b.is_ascii_digit());
                if skip_word {
                    skip_word = false;
                } else if !descriptor {
                    words.push(whole);
                }
            }
            match next {
                None => {
                    self.end(&mut words)?;
                    return (!inside).then_some(());
                }
                Some('\n') => {
                    self.end(&mut words)?;
                    documents.drain(..).for_each(|end: (String, bool)| self.document(&end));
                }
                Some('&') if self.rest.peek() == Some(&'>') => {}
                Some(';' | '&' | '|') => self.end(&mut words)?,
                Some('(') => {
                    self.end(&mut words)?;
                    open += 1;
                }
                Some(')') => {
                    self.end(&mut words)?;
                    if open == 0 && inside {
                        return Some(());
                    }
                    open = open.saturating_sub(1);
                }
                Some('<') if self.rest.next_if_eq(&'<').is_some() => {
                    if self.rest.next_if_eq(&'<').is_some() {
                        skip_word = true;
                    } else {
                        let tabs = self.rest.next_if_eq(&'-').is_some();
                        documents.push((self.delimiter(), tabs));
                    }
                }
                Some(sign @ ('<' | '>')) => {
                    if self.rest.next_if_eq(&'(').is_some() {
                        self.nested()?;
                    } else {
                        while self.rest.next_if(|one| *one == sign || "&|".contains(*one)).is_some() {}
                        skip_word = true;
                    }
                }
                Some(one) if one.is_whitespace() => {}
                Some('#') if word.is_none() => while self.rest.next_if(|one| *one != '\n').is_some() {},
                Some(one) => self.part(one, word.get_or_insert_default())?,
            }
        }
    }

    /// Adds to a word what begins with `one`.
    fn part(&mut self, one: char, word: &mut String) -> Option<()> {
        match one {
            '\\' => word.extend(self.rest.next().filter(|next| *next != '\n')),
            '\'' => loop {
                match self.rest.next()? {
                    '\'' => break,
                    other => word.push(other),
                }
            },
            '"' => loop {
                match self.rest.next()? {
                    '"' => break,
                    '\\' => word.push(self.rest.next()?),
                    other => self.substitution(other, word)?,
                }
            },
            other => self.substitution(other, word)?,
        }
        Some(())
    }

    fn substitution(&mut self, one: char, word: &mut String) -> Option<()> {
        if one == '$' && self.rest.next_if_eq(&'(').is_some() {
            word.push_str("$()");
            return self.nested();
        }
        if one != '`' {
            word.push(one);
            return Some(());
        }
        let mut script = String::new();
        loop {
            match self.rest.next()? {
                '`' => break,
                '\\' => script.push(self.rest.next()?),
                other => script.push(other),
            }
        }
        word.push_str("$()");
        read(&script, self.depth + 1, self.found)
    }

    fn nested(&mut self) -> Option<()> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        self.list(true)?;
        self.depth -= 1;
        Some(())
    }

    fn delimiter(&mut self) -> String {
        while self.rest.next_if(|one| *one == ' ' || *one == '\t').is_some() {}
        let mut end = String::new();
        while let Some(one) = self.rest.next_if(|one| !one.is_whitespace() && !";&|()<>".contains(*one)) {
            if !"'\"\\".contains(one) {
                end.push(one);
            }
        }
        end
    }

    /// Passes over the body of a here-document.
    fn document(&mut self, (end, tabs): &(String, bool)) {
        while self.rest.peek().is_some() {
            let line: String = self.rest.by_ref().take_while(|one| *one != '\n').collect();
            if (if *tabs { line.trim_start_matches('\t') } else { &line }) == end {
                break;
            }
        }
    }

    /// Takes the command that ends here.
    fn end(&mut self, words: &mut Vec<String>) -> Option<()> {
        let mut words = &std::mem::take(words)[..];
        while let Some((first, rest)) = words.split_first() {
            let name = base_name(first);
            if KEYWORDS.contains(&first.as_str()) || is_assignment(first) {
                words = rest;
            } else if let Some((_, valued)) = RUNNERS.iter().find(|(runner, _)| *runner == name) {
                words = rest;
                while let Some(option) = words.first().filter(|word| word.starts_with('-')) {
                    let count = if valued.contains(&option.as_str()) { 2 } else { 1 };
                    words = words.get(count..).unwrap_or_default();
                }
            } else {
                break;
            }
        }
        let Some((first, rest)) = words.split_first() else { return Some(()) };
        if SHELLS.contains(&base_name(first)) {
            let is_script =
                |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
            if let Some(script) = rest.iter().position(is_script).and_then(|at| rest.get(at + 1)) {
                read(script, self.depth + 1, self.found)?;
            }
        } else if first == "eval" {
            read(&rest.join(" "), self.depth + 1, self.found)?;
        }
        self.found.push(words.to_vec());
        Some(())
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|one: char| one.is_ascii_digit())
            && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_forbidden_wherever_they_run() {
        let lines = [
            "npm i",
            "cd x && npm i",
            "true; npm i | cat",
            "CI=1 npm i",
            "sudo -u me npm i",
            "bash -lc \"cd x && npm i\"",
            "echo $(npm i)",
            "echo \"`npm i`\"",
            "(cd x; npm i)",
            "if true; then npm i; fi",
            "/usr/bin/npm i",
            "npm i 2>&1",
            "cat <<E\nx\nE\nnpm i",
            "eval npm i",
        ];
        for line in lines {
            assert!(forbidden("npm", line), "{line}");
        }
    }

    #[test]
    fn text_is_no_command() {
        let lines = [
            "echo \"never use npm\"",
            "git commit -m 'npm; npm'",
            "# npm i",
            "ls # ; npm",
            "cat <<'E'\nnpm i\nE",
            "cat <<-E\n\tnpm i\n\tE\n",
            "grep npm package.json",
            "pnpm i",
            "cat > npm",
            "npm 'unclosed",
            "",
        ];
        for line in lines {
            assert!(!forbidden("npm", line), "{line}");
        }
    }

    #[test]
    fn words_of_a_pattern_come_in_their_order() {
        assert!(forbidden("git push --force*", "git -C x push origin --force-with-lease"));
        assert!(!forbidden("git push --force*", "git push && ls --force"));
        assert!(!forbidden("git push --force*", "git commit -m 'git push --force'"));
    }

    #[test]
    fn hostile_lines_end_and_forbid_nothing() {
        for line in ["$(".repeat(30_000), "\"".repeat(60_001), "npm ".repeat(1 << 20)] {
            assert!(!forbidden("npm", &line));
        }
        assert!(!glob(&"*a".repeat(200), &"a".repeat(199)));
    }
}
