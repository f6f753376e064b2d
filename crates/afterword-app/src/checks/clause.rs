//! The words of a lesson, clause by clause: which commands and paths they name.

/// Commands that are known by their name where it is not between backticks.
const TOOLS: [&str; 96] = [
    "ansible",
    "apt",
    "apt-get",
    "awk",
    "bash",
    "biome",
    "black",
    "brew",
    "bun",
    "bunx",
    "bundle",
    "cargo",
    "cat",
    "cmake",
    "composer",
    "conda",
    "curl",
    "deno",
    "docker",
    "docker-compose",
    "dotnet",
    "egrep",
    "esbuild",
    "eslint",
    "fd",
    "find",
    "flake8",
    "flyctl",
    "gh",
    "git",
    "gofmt",
    "gradle",
    "gradlew",
    "grep",
    "gulp",
    "helm",
    "heroku",
    "isort",
    "jest",
    "jq",
    "just",
    "kubectl",
    "lerna",
    "make",
    "mocha",
    "mvn",
    "mypy",
    "nano",
    "nix",
    "node",
    "nodemon",
    "nox",
    "npm",
    "npx",
    "nvm",
    "nx",
    "parcel",
    "perl",
    "php",
    "phpunit",
    "pip",
    "pip3",
    "pipenv",
    "pipx",
    "pm2",
    "pnpm",
    "pnpx",
    "podman",
    "poetry",
    "prettier",
    "psql",
    "pylint",
    "pyright",
    "pytest",
    "python",
    "python2",
    "python3",
    "rake",
    "rg",
    "rm",
    "rollup",
    "rspec",
    "ruff",
    "sed",
    "sudo",
    "terraform",
    "tofu",
    "tox",
    "ts-node",
    "tsc",
    "turbo",
    "uv",
    "vim",
    "vite",
    "vitest",
    "wget",
];
/// More of them, whose names are common words or rare.
const MORE_TOOLS: [&str; 8] =
    ["webpack", "yarn", "yapf", "virtualenv", "xcodebuild", "scp", "rsync", "nosetests"];
/// Words that make a rule hold only now and then.
const CONDITIONS: [&str; 12] = [
    " unless ",
    " until ",
    " without ",
    " if ",
    " when ",
    " while ",
    " except ",
    " other than ",
    " only ",
    " more than ",
    " by default",
    " in production ",
];
/// A part of a sentence: lower-case words, and what stands between backticks as it is.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    /// Its words.
    pub(super) words: Vec<Word>,
}

/// A word of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Word {
    /// In lower case, unless it is an option or a path.
    Plain(String),
    /// What stands between backticks.
    Quoted(String),
}

/// The sentences of a line. Ends inside backticks, numbers and names of files are none.
pub(super) fn clauses(line: &str) -> Vec<Clause> {
    let mut all = Vec::new();
    let mut words = Vec::new();
    for (at, part) in line.replace('’', "'").split('`').enumerate() {
        if at % 2 == 1 {
            if !part.trim().is_empty() {
                words.push(Word::Quoted(part.trim().to_owned()));
            }
            continue;
        }
        for word in part.split_whitespace() {
            let bare =
                word.trim_matches(['(', ')', '"', '*', '_', ',', ';', ':', '!', '?']).trim_end_matches('.');
            let bare = bare.trim_matches(['\'', '"']);
            if !bare.is_empty() {
                let is_as_it_is = bare.starts_with('-') || looks_like_path(bare);
                words.push(Word::Plain(if is_as_it_is { bare.to_owned() } else { bare.to_lowercase() }));
            }
            if word.ends_with(['.', ';', '!', '?']) || word == "-" || word == "—" {
                all.push(Clause { words: std::mem::take(&mut words) });
            }
        }
    }
    all.push(Clause { words });
    all.retain(|clause| !clause.words.is_empty());
    all
}

impl Clause {
    /// Where a phrase of one or more words ends, for the first time from `from` on.
    pub(super) fn after(&self, phrase: &str, from: usize) -> Option<usize> {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        let ends = (from..self.words.len()).map(|start| start + wanted.len());
        ends.into_iter().filter(|end| *end <= self.words.len()).find(|end| {
            self.words[end - wanted.len()..*end].iter().zip(&wanted).all(|(word, wanted)| word.is(wanted))
        })
    }

    /// Where any of the phrases ends: the one that ends first.
    pub(super) fn after_any(&self, phrases: &[&str], from: usize) -> Option<usize> {
        phrases.iter().filter_map(|phrase| self.after(phrase, from)).min()
    }

    /// Where one of the phrases ends that begins exactly at `at`: the longest.
    pub(super) fn at_any(&self, phrases: &[&str], at: usize) -> Option<usize> {
        let ends = phrases.iter().filter_map(|phrase| {
            let length = phrase.split(' ').count();
            self.after(phrase, at).filter(|end| *end == at + length)
        });
        ends.max()
    }

    /// Its plain words in one text, blanks around it.
    pub(super) fn text(&self) -> String {
        let words = self.words.iter().map(|word| match word {
            Word::Plain(word) => word.as_str(),
            Word::Quoted(_) => "`",
        });
        format!(" {} ", words.collect::<Vec<_>>().join(" "))
    }

    pub(super) fn is_conditional(&self) -> bool {
        let text = self.text();
        CONDITIONS.iter().any(|condition| text.contains(condition))
    }

    /// The command that begins at `at`, and where it ends.
    pub(super) fn command(&self, at: usize) -> Option<(String, usize)> {
        let at = at
            + usize::from(
                matches!(self.words.get(at), Some(Word::Plain(word)) if word == "the" || word == "plain"),
            );
        match self.words.get(at)? {
            Word::Quoted(text) => {
                let first = text.split_whitespace().next()?;
                let known =
                    is_tool(first) || first.starts_with("./") || first.contains("/") && text.contains(' ');
                (known && !text.contains(['(', '{', '<', '|', ';', '&'])).then(|| (text.clone(), at + 1))
            }
            Word::Plain(word) if is_tool(word) => {
                let mut all = vec![word.clone()];
                let mut end = at + 1;
                while let Some(Word::Plain(next)) = self.words.get(end)
                    && (next.starts_with('-') && next.len() > 1
                        || is_subcommand(word, next) && !all.iter().any(|word| word.starts_with('-')))
                {
                    all.push(next.clone());
                    end += 1;
                }
                // A flag between backticks belongs to the command before it.
                if let Some(Word::Quoted(next)) = self.words.get(end)
                    && next.starts_with('-')
                {
                    all.push(next.clone());
                    end += 1;
                }
                Some((all.join(" "), end))
            }
            Word::Plain(_) => None,
        }
    }

    /// The commands from `at` on: `npm`, `npm or yarn`, `npm, npx`.
    pub(super) fn commands(&self, at: usize) -> Vec<String> {
        let mut all = Vec::new();
        let mut at = at;
        while let Some((command, end)) = self.command(at) {
            all.push(command);
            at = end;
            if let Some(Word::Plain(word)) = self.words.get(at)
                && matches!(word.as_str(), "or" | "and" | "nor")
            {
                at += 1;
            }
        }
        all
    }

    /// What seem to be paths from `at` on.
    pub(super) fn paths(&self, at: usize) -> Vec<String> {
        let paths = self.words[at.min(self.words.len())..].iter().filter_map(|word| match word {
            Word::Quoted(text)
                if !text.contains([' ', '(', ';', '<', '=']) && (looks_like_path(text) || is_name(text)) =>
            {
                Some(text)
            }
            Word::Plain(text) if looks_like_path(text) => Some(text),
            _ => None,
        });
        paths.cloned().collect()
    }
}

impl Word {
    pub(super) fn is(&self, wanted: &str) -> bool {
        matches!(self, Self::Plain(word) if word == wanted)
    }
}

fn is_tool(word: &str) -> bool {
    TOOLS.contains(&word) || MORE_TOOLS.contains(&word)
}

/// Words that follow a tool's name and belong to the command.
fn is_subcommand(tool: &str, word: &str) -> bool {
    let all: &[&str] = match tool {
        "git" => &[
            "push",
            "commit",
            "stash",
            "rebase",
            "reset",
            "checkout",
            "clean",
            "merge",
            "pull",
            "add",
            "tag",
            "cherry-pick",
            "filter-branch",
            "restore",
            "switch",
            "rm",
            "worktree",
            "gc",
            "bisect",
        ],
        "npm" | "pnpm" | "yarn" | "bun" => {
            &["install", "ci", "publish", "run", "test", "audit", "update", "link", "add"]
        }
        "cargo" => &[
            "test", "build", "run", "publish", "update", "clean", "install", "fmt", "clippy", "check",
            "nextest",
        ],
        "docker" | "podman" => &["compose", "system", "prune", "push", "build", "run", "rm"],
        "kubectl" => &["apply", "delete", "edit", "exec", "patch", "scale"],
        "terraform" | "tofu" => &["apply", "destroy", "import", "state", "plan"],
        "pip" | "pip3" | "conda" | "brew" | "apt" | "apt-get" | "poetry" => {
            &["install", "uninstall", "freeze", "upgrade"]
        }
        "gh" => &["pr", "merge", "release", "repo", "create", "delete"],
        "helm" => &["install", "upgrade", "uninstall", "delete"],
        "make" | "just" => &["deploy", "release", "clean", "publish", "install"],
        _ => &[],
    };
    all.contains(&word)
}

pub(super) fn looks_like_path(text: &str) -> bool {
    let has_end = text.rsplit_once('.').is_some_and(|(_, end)| {
        (1..=8).contains(&end.len())
            && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !end.starts_with(|one: char| one.is_ascii_digit())
    });
    let is_address = text.contains("://") || text.starts_with('@') || text.starts_with('-');
    let is_path = text.contains('/') && text.bytes().any(|byte| byte.is_ascii_alphanumeric());
    let abbreviation = ["e.g", "i.e", "etc"].contains(&text)
        || text.starts_with("and/")
        || text.eq_ignore_ascii_case("node.js");
    !is_address && !abbreviation && (is_path || has_end || (text.starts_with('.') && text.len() > 3))
}

/// A folder's or a file's bare name.
fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-*".contains(&byte))
}
