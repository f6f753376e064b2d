//! A shell line as the simple commands it would run, and the files it would write.
//!
//! What is only text (quoted arguments, comments, bodies of here-documents) is no command. A line that cannot be read has
//! no commands: a check fails open. No regular expressions, and the work is bounded by the line's length.

use std::iter::Peekable;
use std::str::Chars;

/// Longest line that is read, in bytes.
const LONGEST_LINE: usize = 64 * 1024;
/// So deep substitutions and `sh -c` are followed.
const DEEPEST: usize = 8;
/// Words before which a command begins.
const KEYWORDS: [&str; 9] = ["if", "then", "elif", "else", "while", "until", "do", "!", "{"];
/// Programs that run the command after their own options, with the options that take a value.
const RUNNERS: [(&str, &[&str]); 14] = [
    ("sudo", &["-u", "-g", "-h", "-p", "-C"]),
    ("doas", &["-u", "-C"]),
    ("env", &["-u", "-C"]),
    ("nohup", &[]),
    ("setsid", &[]),
    ("time", &["-f", "-o"]),
    ("timeout", &["-s", "-k"]),
    ("nice", &["-n"]),
    ("ionice", &["-c", "-n", "-p"]),
    ("command", &[]),
    ("exec", &["-a"]),
    ("builtin", &[]),
    ("stdbuf", &["-i", "-o", "-e"]),
    ("xargs", &["-n", "-P", "-I", "-L", "-d"]),
];
/// Shells that take a script with `-c`.
const SHELLS: [&str; 7] = ["sh", "bash", "zsh", "dash", "ksh", "fish", "su"];

/// A command without assignments and redirections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SimpleCommand {
    /// The program and its arguments, quotes removed.
    pub words: Vec<String>,
    /// The files that its output is redirected to.
    pub redirects: Vec<String>,
}

/// The simple commands of `line`, in their order. A command that another one runs (`sudo`, `xargs`, `sh -c`) stands for
/// itself, too. `None` where the line is too long, too deep, or a quotation or substitution has no end.
pub fn commands(line: &str) -> Option<Vec<SimpleCommand>> {
    let mut found = Vec::new();
    read(line, 0, &mut found)?;
    Some(found)
}

/// The name of a program, without the folder it is in.
pub(super) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

fn read(line: &str, depth: usize, found: &mut Vec<SimpleCommand>) -> Option<()> {
    if line.len() > LONGEST_LINE || depth > DEEPEST {
        return None;
    }
    Reader { rest: line.chars().peekable(), found, depth }.list(false)
}

struct Reader<'a, 'f> {
    rest: Peekable<Chars<'a>>,
    found: &'f mut Vec<SimpleCommand>,
    depth: usize,
}

impl Reader<'_, '_> {
    /// Reads commands to the end, or to the parenthesis that closes a substitution.
    fn list(&mut self, inside: bool) -> Option<()> {
        let (mut command, mut word, mut open) = (SimpleCommand::default(), None::<String>, 0_usize);
        let (mut next_word, mut documents) = (Role::Word, Vec::new());
        loop {
            let next = self.rest.next();
            let ends_word = next.is_none_or(|one| one.is_whitespace() || ";&|()<>".contains(one));
            if ends_word && let Some(whole) = word.take() {
                let descriptor = matches!(next, Some('<' | '>')) && whole.bytes().all(|b| b.is_ascii_digit());
                match std::mem::replace(&mut next_word, Role::Word) {
                    Role::Word if descriptor => {}
                    Role::Word => command.words.push(whole),
                    Role::Redirect => command.redirects.push(whole),
                    Role::Skipped => {}
                }
            }
            match next {
                None => {
                    self.end(&mut command)?;
                    return (!inside).then_some(());
                }
                Some('\n') => {
                    self.end(&mut command)?;
                    documents.drain(..).for_each(|end: (String, bool)| self.document(&end));
                }
                Some('&') if self.rest.peek() == Some(&'>') => {}
                Some(';' | '&' | '|') => self.end(&mut command)?,
                Some('(') if command.words.is_empty() && self.rest.next_if_eq(&'(').is_some() => {
                    self.arithmetic()?;
                }
                Some('(') => {
                    self.end(&mut command)?;
                    open += 1;
                }
                // A pattern of `case`.
                Some(')') if open == 0 && !inside => command = SimpleCommand::default(),
                Some(')') => {
                    self.end(&mut command)?;
                    if open == 0 && inside {
                        return Some(());
                    }
                    open = open.saturating_sub(1);
                }
                Some('<') if self.rest.next_if_eq(&'<').is_some() => {
                    if self.rest.next_if_eq(&'<').is_some() {
                        next_word = Role::Skipped;
                    } else {
                        let tabs = self.rest.next_if_eq(&'-').is_some();
                        documents.push((self.delimiter(), tabs));
                    }
                }
                Some(sign @ ('<' | '>')) => {
                    if self.rest.next_if_eq(&'(').is_some() {
                        self.parse_nested()?;
                    } else {
                        next_word = self.redirection(sign);
                    }
                }
                Some('\\') if self.rest.next_if_eq(&'\n').is_some() => {}
                Some(one) if one.is_whitespace() => {}
                Some('#') if word.is_none() => while self.rest.next_if(|one| *one != '\n').is_some() {},
                Some(one) => self.part(one, word.get_or_insert_default())?,
            }
        }
    }

    /// Reads the rest of a redirection that begins with `sign`; gives what the word behind it is.
    fn redirection(&mut self, sign: char) -> Role {
        let mut is_file = sign == '>';
        while let Some(more) = self.rest.next_if(|one| *one == sign || "&|".contains(*one)) {
            is_file &= more != '&';
        }
        if is_file { Role::Redirect } else { Role::Skipped }
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
            return if self.rest.next_if_eq(&'(').is_some() {
                self.arithmetic()
            } else {
                self.parse_nested()
            };
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

    fn parse_nested(&mut self) -> Option<()> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        self.list(true)?;
        self.depth -= 1;
        Some(())
    }

    /// Passes over arithmetic, of which two parentheses were read.
    fn arithmetic(&mut self) -> Option<()> {
        let mut open = 2_usize;
        while open > 0 {
            match self.rest.next()? {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
        }
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
    fn end(&mut self, command: &mut SimpleCommand) -> Option<()> {
        let SimpleCommand { words, redirects } = std::mem::take(command);
        let mut words = &words[..];
        while let Some((first, rest)) = words.split_first() {
            let name = base_name(first);
            if KEYWORDS.contains(&first.as_str()) || is_assignment(first) {
                words = rest;
            } else if let Some((_, valued)) = RUNNERS.iter().find(|(runner, _)| *runner == name) {
                self.found.push(SimpleCommand { words: words.to_vec(), redirects: Vec::new() });
                words = rest;
                while let Some(option) = words.first().filter(|word| word.starts_with('-')) {
                    let count = if valued.contains(&option.as_str()) { 2 } else { 1 };
                    words = words.get(count..).unwrap_or_default();
                }
                if name == "timeout" {
                    words = words.get(1..).unwrap_or_default();
                }
            } else {
                break;
            }
        }
        if let Some((first, rest)) = words.split_first() {
            let name = base_name(first);
            if SHELLS.contains(&name) {
                let is_script =
                    |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
                if let Some(script) = rest.iter().position(is_script).and_then(|at| rest.get(at + 1)) {
                    read(script, self.depth + 1, self.found)?;
                }
            } else if first == "eval" {
                read(&rest.join(" "), self.depth + 1, self.found)?;
            } else if name == "find" {
                let mut after =
                    rest.split(|word| matches!(word.as_str(), "-exec" | "-execdir" | "-ok")).skip(1);
                self.found.extend(after.by_ref().map(|words| {
                    let words = words.split(|word| word == ";" || word == "+").next().unwrap_or_default();
                    SimpleCommand { words: words.to_vec(), redirects: Vec::new() }
                }));
            }
        }
        if !words.is_empty() || !redirects.is_empty() {
            self.found.push(SimpleCommand { words: words.to_vec(), redirects });
        }
        Some(())
    }
}

/// What the next word of a line is.
enum Role {
    Word,
    Redirect,
    Skipped,
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

    fn programs(line: &str) -> Vec<String> {
        let all = commands(line).unwrap_or_default();
        all.into_iter().filter_map(|one| one.words.first().map(|first| base_name(first).to_owned())).collect()
    }

    #[test]
    fn commands_are_seen_wherever_they_run() {
        let lines = [
            "npm i",
            "cd x && npm i",
            "cd x && \\\n  npm i",
            "true; npm i | cat",
            "CI=1 npm i",
            "sudo -u me npm i",
            "timeout -k 5 60 npm i",
            "bash -lc \"cd x && npm i\"",
            "echo $(npm i)",
            "echo \"`npm i`\"",
            "(cd x; npm i)",
            "if true; then npm i; fi",
            "for x in a b; do npm i; done",
            "/usr/bin/npm i",
            "npm i 2>&1",
            "cat <<E\nx\nE\nnpm i",
            "eval npm i",
            "find . -name x -exec npm i {} \\;",
            "echo $((1 << 2))\nnpm i",
            "(( a = 1 << 2 ))\nnpm i",
            "ls | xargs -n 1 npm i",
            "git commit -m \"$(cat <<'E'\nit's\nE\n)\" && npm i",
        ];
        for line in lines {
            assert!(programs(line).contains(&"npm".to_owned()), "{line}: {:?}", programs(line));
        }
    }

    #[test]
    fn text_is_no_command() {
        let lines = [
            "echo \"never use npm\"",
            "git commit -m 'npm; npm'",
            "git commit -m \"$(cat <<'E'\nnpm i\n\nnpm i && npm\nE\n)\"",
            "# npm i",
            "ls # ; npm",
            "cat <<'E'\nnpm i\nE",
            "cat <<-E\n\tnpm i\n\tE\n",
            "grep npm package.json",
            "pnpm i",
            "cat > npm",
            "npm 'unclosed",
            "case $x in pnpm) true;; npm) true;; esac",
            "for x in npm; do true; done",
            "",
        ];
        for line in lines {
            assert!(!programs(line).contains(&"npm".to_owned()), "{line}: {:?}", programs(line));
        }
    }

    #[test]
    fn output_goes_to_files() {
        let files = |line: &str| {
            commands(line).unwrap().into_iter().flat_map(|one| one.redirects).collect::<Vec<_>>()
        };
        assert_eq!(files("echo x > a 2>&1"), ["a"]);
        assert_eq!(files("cat <<E >> 'b c'\nx > y\nE"), ["b c"]);
        assert_eq!(files("make &> log; > d"), ["log", "d"]);
        assert_eq!(files("echo '> no' 2>&1 < in"), [""; 0]);
    }

    #[test]
    fn runners_count_too() {
        assert_eq!(programs("sudo npm i"), ["sudo", "npm"]);
    }

    #[test]
    fn hostile_lines_end_without_commands() {
        for line in ["$(".repeat(30_000), "\"".repeat(60_001), "npm ".repeat(1 << 20), "$((".repeat(20_000)] {
            assert_eq!(commands(&line), None);
        }
    }
}
