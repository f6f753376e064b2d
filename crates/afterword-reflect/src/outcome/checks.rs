//! Which commands check the work: tests, builds, linters, type checkers. What they say of it counts, unlike what any other
//! command says.

/// Programs that check whatever they are told.
const ALWAYS: [&str; 38] = [
    "pytest",
    "tox",
    "nox",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "playwright",
    "cypress",
    "tsc",
    "vue-tsc",
    "svelte-check",
    "eslint",
    "biome",
    "ruff",
    "mypy",
    "pyright",
    "flake8",
    "pylint",
    "rspec",
    "phpunit",
    "phpstan",
    "xcodebuild",
    "ctest",
    "ninja",
    "gotestsum",
    "golangci-lint",
    "staticcheck",
    "shellcheck",
    "stylelint",
    "rubocop",
    "ktlint",
    "swiftlint",
    "unittest",
    "nosetests",
    "trunk",
    "clippy-driver",
    "karma",
];
/// Programs that check with some of their commands, each with how those begin.
const WITH: [(&str, &[&str]); 22] = [
    ("cargo", &["test", "t", "nextest", "build", "b", "check", "c", "clippy"]),
    ("npm", &["test", "t"]),
    ("pnpm", &["test", "t", "build", "lint", "typecheck", "check"]),
    ("yarn", &["test", "build", "lint", "typecheck", "check"]),
    ("bun", &["test", "build"]),
    ("deno", &["test", "check", "lint"]),
    ("go", &["test", "build", "vet"]),
    ("mvn", &["test", "verify", "package", "compile", "install"]),
    ("mvnw", &["test", "verify", "package", "compile", "install"]),
    ("gradle", &["test", "build", "check", "assemble", "compile"]),
    ("gradlew", &["test", "build", "check", "assemble", "compile"]),
    ("dotnet", &["test", "build"]),
    ("swift", &["test", "build"]),
    ("bazel", &["test", "build"]),
    ("mix", &["test", "compile", "credo", "dialyzer"]),
    ("rails", &["test"]),
    ("rake", &["test", "spec"]),
    ("cmake", &["--build"]),
    ("docker", &["build"]),
    ("terraform", &["validate", "plan"]),
    ("turbo", &["test", "build", "lint", "typecheck"]),
    ("nx", &["test", "build", "lint"]),
];
/// Programs that run a task by its name: it checks where the name says so.
const RUNNERS: [&str; 10] = ["make", "just", "task", "mise", "npm", "pnpm", "yarn", "bun", "composer", "poe"];
/// What such names hold.
const TASKS: [&str; 9] =
    ["test", "check", "build", "lint", "typecheck", "type-check", "tsc", "verify", "compile"];
/// What stands before a program and only starts it.
const STARTERS: [&str; 14] = [
    "sudo", "time", "timeout", "nice", "env", "npx", "bunx", "uv", "poetry", "pipenv", "bundle", "exec",
    "run", "rtk",
];

/// The checks in a shell command, each by a name that is the same however it is called: `cargo test`, `pytest`.
pub(super) fn of(command: &str) -> Vec<String> {
    let mut checks: Vec<String> = Vec::new();
    for part in command.split(['|', ';', '&', '\n']) {
        if let Some(check) = of_one(part).filter(|check| !checks.contains(check)) {
            checks.push(check);
        }
    }
    checks
}

fn of_one(part: &str) -> Option<String> {
    let mut words = part
        .split_whitespace()
        .filter(|word| !word.contains('=') || word.starts_with('-'))
        .skip_while(|word| STARTERS.contains(word) || word.chars().all(|c| c.is_ascii_digit() || c == 's'))
        .peekable();
    let mut program = words.next()?.rsplit(['/', '\\']).next().unwrap_or_default();
    if matches!(program, "python" | "python3") && words.next_if_eq(&"-m").is_some() {
        program = words.next()?;
    }
    if matches!(program, "pnpm" | "yarn") && words.next_if_eq(&"exec").is_some() {
        program = words.next()?;
    }
    let program = program.trim_end_matches(".exe").trim_end_matches(".sh");
    if ALWAYS.contains(&program) {
        return Some(program.to_owned());
    }
    let mut arguments = words
        .filter(|word| (!word.starts_with('-') && !word.starts_with('+')) || *word == "--build")
        .peekable();
    let runs_script = RUNNERS.contains(&program) && arguments.next_if(|word| *word == "run").is_some();
    let first = arguments.next();
    let known = WITH.iter().find(|(name, _)| *name == program);
    let checks = |word: &str| match known {
        Some((_, commands)) if !runs_script => {
            commands.iter().any(|one| word == *one || word.starts_with(&format!("{one}:")))
        }
        _ => RUNNERS.contains(&program) && TASKS.iter().any(|task| word.contains(task)),
    };
    match first {
        Some(word) if checks(word) => Some(format!("{program} {word}")),
        Some(_) => None,
        None => (program == "make").then(|| program.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_known_however_they_are_called() {
        let check = |command: &str, expected: &[&str]| assert_eq!(of(command), expected, "{command}");
        check("cargo test -p shop --lib 2>&1 | tail -20", &["cargo test"]);
        check("cd /w && RUST_LOG=debug timeout 60 cargo +nightly clippy --all-targets", &["cargo clippy"]);
        check("npm run build && npm test", &["npm build", "npm test"]);
        check("pnpm exec tsc --noEmit", &["tsc"]);
        check("uv run pytest -x tests/", &["pytest"]);
        check("python -m pytest", &["pytest"]);
        check("./gradlew build --info", &["gradlew build"]);
        check("make", &["make"]);
        check("make -j4 test-unit", &["make test-unit"]);
        check("go test ./...", &["go test"]);
        check("npx vitest run", &["vitest"]);
        check("yarn test:unit", &["yarn test:unit"]);
        check("git commit -m 'run cargo test'", &[]);
        check("cat test.log | grep pytest", &[]);
        check("cargo run -- test", &[]);
        check("npm install jest", &[]);
        check("", &[]);
    }
}
