//! The checks that a lesson's own words ask for.
//!
//! Only what is said plainly is proposed: a tool to be used in another's place, a command, a file or a text never to be
//! used, a command to run before work counts as done. A rule with a condition (`unless`, `when`, `without asking`) cannot be
//! checked and proposes nothing; the person may still give a check by hand.

use super::check::{Check, MOST_CHECKS};
use super::clause::{Clause, Word, clauses, looks_like_path};

/// Clauses of a lesson that are looked at.
const MOST_CLAUSES: usize = 40;
/// Words between a tool and the one it takes the place of.
const INSTEAD: [&str; 6] = ["not", "never", "instead of", "rather than", "over", "and not"];
/// Words that forbid what follows.
const FORBIDS: [&str; 9] =
    ["never", "don't", "dont", "do not", "must not", "avoid", "stop", "no longer", "should not"];
/// Verbs for running something.
const RUNS: [&str; 17] = [
    "use",
    "using",
    "run",
    "running",
    "call",
    "calling",
    "invoke",
    "invoking",
    "execute",
    "executing",
    "reach for",
    "do",
    "issue",
    "add",
    "pass",
    "install with",
    "type",
];
/// Verbs for changing a file.
const CHANGES: [&str; 20] = [
    "edit",
    "editing",
    "hand-edit",
    "touch",
    "touching",
    "modify",
    "modifying",
    "change",
    "changing",
    "write to",
    "writing to",
    "write in",
    "write into",
    "overwrite",
    "overwriting",
    "delete",
    "alter",
    "rewrite",
    "create files in",
    "put files in",
];
/// Moments at the end of work, at which a command is to be run.
const END_MOMENTS: [&str; 33] = [
    " before you say",
    " before saying",
    " before claiming",
    " before calling",
    " before finishing",
    " before you finish",
    " before reporting",
    " before declaring",
    " before commit",
    " before every commit",
    " before each commit",
    " before you commit",
    " before pushing",
    " before handing",
    " when done",
    " when you are done",
    " when you're done",
    " once you are done",
    " after every change",
    " after each change",
    " after changes",
    " after changing",
    " after editing",
    " after any change",
    " after you change",
    " after touching",
    " after every edit",
    " before marking",
    " before telling",
    " before it is done",
    " before work is done",
    " before stopping",
    " before ending",
];
/// Verbs for writing text.
const WRITES: [&str; 8] = ["write", "writing", "leave", "commit", "use", "using", "add", "put"];
/// Words that name a language, and its files.
const LANGUAGES: [(&str, &[&str]); 12] = [
    ("typescript", &["*.ts", "*.tsx"]),
    ("javascript", &["*.js", "*.jsx"]),
    ("python", &["*.py"]),
    ("rust", &["*.rs"]),
    ("golang", &["*.go"]),
    ("ruby", &["*.rb"]),
    ("java", &["*.java"]),
    ("kotlin", &["*.kt"]),
    ("swift", &["*.swift"]),
    ("css", &["*.css", "*.scss"]),
    ("sql", &["*.sql"]),
    ("yaml", &["*.yml", "*.yaml"]),
];

/// The checks that a lesson asks for; none where it says nothing that can be checked. `test_command` is what its project runs
/// its tests with.
pub fn propose(title: &str, words: &str, test_command: Option<&str>) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for clause in clauses(title).into_iter().chain(words.lines().flat_map(clauses)).take(MOST_CLAUSES) {
        let found = at_end(&clause, test_command)
            .or_else(|| in_place(&clause))
            .or_else(|| git_rule(&clause))
            .or_else(|| forbidden(&clause));
        // Read again, so that nothing is proposed that could not be read from a note.
        for check in found.into_iter().flatten().filter_map(|check| Check::parse(&check.to_string()).ok()) {
            if !checks.contains(&check) && !checks.iter().any(|known| covers(known, &check)) {
                checks.push(check);
            }
        }
    }
    checks.truncate(MOST_CHECKS);
    checks
}

/// Whether a check already forbids what another does.
fn covers(known: &Check, new: &Check) -> bool {
    match (known, new) {
        (Check::Run { never: known, .. }, Check::Run { never: new, .. })
        | (Check::Path { never: known, .. }, Check::Path { never: new, .. }) => {
            new.iter().all(|one| known.contains(one))
        }
        (Check::Turn { .. }, Check::Turn { .. }) => true,
        _ => false,
    }
}

fn run(never: Vec<String>, instead: Option<String>) -> Vec<Check> {
    vec![Check::Run { never, instead, except: Vec::new() }]
}

/// `Use X, not Y`, `X instead of Y`.
fn in_place(clause: &Clause) -> Option<Vec<Check>> {
    let after = clause.after_any(&INSTEAD, 1)?;
    if clause.is_conditional() {
        return None;
    }
    let phrase = INSTEAD
        .iter()
        .filter(|phrase| clause.after(phrase, 1) == Some(after))
        .map(|one| one.split(' ').count());
    let before = after - phrase.max()?;
    let verbs = clause.at_any(&RUNS, after).unwrap_or(after);
    let never = clause.commands(verbs);
    let instead = (0..before).rev().find_map(|at| {
        let tools_before = clause.command(at).filter(|(_, end)| *end <= before)?;
        Some(tools_before.0)
    });
    if never.is_empty() {
        return texts(clause, verbs);
    }
    // `Use npm run test instead of npm test`: what is wanted must not be stopped.
    let is_own = instead
        .as_ref()
        .is_some_and(|instead| never.iter().any(|one| format!("{instead} ").starts_with(&format!("{one} "))));
    if is_own {
        let (never, instead) = (never, instead?);
        return Some(vec![Check::Run { never, except: vec![instead.clone()], instead: Some(instead) }]);
    }
    Some(run(never, instead))
}

/// What is said of git without a command.
fn git_rule(clause: &Clause) -> Option<Vec<Check>> {
    let text = clause.text().replace("force-push", "force push").replace("force pushing", "force push");
    let forbids = clause.after_any(&FORBIDS, 0).is_some() || text.contains(" no force push ");
    let is_fixed = |never: &[&str]| Some(run(never.iter().map(|one| (*one).to_owned()).collect(), None));
    let skips_hooks = clause.words.contains(&Word::Quoted("--no-verify".to_owned()))
        || text.contains(" --no-verify ")
        || text.contains(" skip hooks ")
        || text.contains(" skip the hooks ")
        || text.contains(" skip git hooks ")
        || text.contains(" skip pre-commit hooks ");
    let is_moment = text.contains(" when committing ") || text.contains(" when pushing ");
    if !forbids || clause.is_conditional() && !(skips_hooks && is_moment) {
        return None;
    }
    if skips_hooks {
        return is_fixed(&["git commit --no-verify", "git commit -n", "git push --no-verify"]);
    }
    if text.contains(" force push ") {
        return is_fixed(&["git push --force*", "git push -f", "git push +*"]);
    }
    if text.contains(" amend ") || text.contains(" amend commits ") {
        return is_fixed(&["git commit --amend"]);
    }
    if text.contains(" rebase ") && !text.contains("git rebase") {
        return is_fixed(&["git rebase", "git pull --rebase"]);
    }
    if text.contains(" push ") {
        let mut branches = clause.words.iter().filter_map(|word| match word {
            Word::Plain(word) | Word::Quoted(word)
                if ["main", "master", "develop", "production", "release", "trunk"]
                    .contains(&word.as_str()) =>
            {
                Some(word.as_str())
            }
            _ => None,
        });
        let never: Vec<String> = branches
            .by_ref()
            .take(3)
            .flat_map(|branch| [format!("git push {branch}"), format!("git push *:{branch}")])
            .collect();
        return (!never.is_empty()).then(|| run(never, None));
    }
    None
}

/// `Never run X`, `don't edit X`, `never write X`.
fn forbidden(clause: &Clause) -> Option<Vec<Check>> {
    let mut after = clause.after_any(&FORBIDS, 0)?;
    if clause
        .words
        .get(after)
        .is_some_and(|word| word.is("ever") || word.is("directly") || word.is("manually"))
    {
        after += 1;
    }
    if clause.is_conditional() {
        return None;
    }
    if let Some(verb) = clause.at_any(&CHANGES, after) {
        let paths = clause.paths(verb);
        if !paths.is_empty() {
            return Some(vec![Check::Path {
                never: paths.into_iter().take(8).collect(),
                except: Vec::new(),
            }]);
        }
    }
    let verb = clause.at_any(&RUNS, after).unwrap_or(after);
    let never = clause.commands(verb);
    if !never.is_empty() {
        let instead = clause.after_any(&["use", "run", "prefer"], verb).and_then(|at| clause.command(at));
        let instead = instead.map(|(command, _)| command).filter(|instead| !never.contains(instead));
        return Some(run(never, instead));
    }
    texts(clause, clause.at_any(&WRITES, after)?)
}

/// Code that is not to be written, between backticks.
fn texts(clause: &Clause, at: usize) -> Option<Vec<Check>> {
    let looks_like_code = |text: &&String| {
        !text.contains('*')
            && text.contains(['(', '!', '.', ':', '@', '=', '<', '#', '{', '_'])
            && !text.starts_with('-')
            && text.len() > 3
    };
    let mut never: Vec<String> = Vec::new();
    for word in clause.words.get(at..)? {
        match word {
            Word::Quoted(text)
                if looks_like_code(&text) && !(looks_like_path(text) && text.contains('/')) =>
            {
                // `unwrap()` is meant with whatever stands between the parentheses; a call's beginning says enough.
                never.push(text.strip_suffix("()").map_or_else(|| text.clone(), |name| format!("{name}(")));
            }
            Word::Quoted(_) => return None,
            Word::Plain(word) if ["or", "and", "nor", "any", "a", "the"].contains(&word.as_str()) => {}
            Word::Plain(_) => break,
        }
    }
    let text = clause.text();
    let within = LANGUAGES.iter().filter(|(name, _)| text.contains(&format!(" {name} ")));
    let mut within: Vec<String> =
        within.flat_map(|(_, files)| files.iter().map(|file| (*file).to_owned())).collect();
    within.truncate(4);
    if within.is_empty() {
        // A lesson may speak of it, and so may a document.
        let rust =
            never.iter().all(|text| text.contains("!(") || text.contains("unwrap(") || text.contains("::"));
        let script = never.iter().all(|text| text.starts_with("console.") || text.contains("@ts-"));
        if rust {
            within.push("*.rs".to_owned());
        } else if script {
            within.extend(["*.ts", "*.tsx", "*.js", "*.jsx", "*.mjs"].map(str::to_owned));
        }
    }
    let outside = [" outside tests ", " outside of tests "].iter().any(|words| text.contains(words));
    let except = if outside { vec!["**/*test*".to_owned(), "**/tests/**".to_owned()] } else { Vec::new() };
    (!never.is_empty()).then(|| vec![Check::Text { never, within, except }])
}

/// `Run X before you say done`, `after changing P run X`.
fn at_end(clause: &Clause, test_command: Option<&str>) -> Option<Vec<Check>> {
    let text = clause.text();
    let is_moment = END_MOMENTS.iter().any(|moment| text.contains(moment));
    if !is_moment || clause.after_any(&FORBIDS[1..], 0).is_some() {
        return None;
    }
    let begins = clause.after_any(&["run", "rerun", "re-run", "execute", "running"], 0)?;
    let (command, _) = match clause.command(begins) {
        Some(found) => found,
        None if text.contains(" tests ") || text.contains(" test suite ") => {
            (test_command?.to_owned(), begins)
        }
        None => return None,
    };
    let changed = changed_paths(clause, &command);
    Some(vec![Check::Turn { changed, run: vec![command] }])
}

/// The files after whose change the command is to be run: those that are named, those of a language that is named, or all.
fn changed_paths(clause: &Clause, command: &str) -> Vec<String> {
    let text = clause.text();
    let changing = clause.after_any(&["changing", "editing", "touching", "change", "changes"], 0);
    let before_run = |path: &String| !command.split_whitespace().any(|word| word == path);
    let mut changed: Vec<String> = changing
        .map(|at| clause.paths(at))
        .unwrap_or_default()
        .into_iter()
        .filter(before_run)
        .take(8)
        .collect();
    if changed.is_empty() {
        let named = LANGUAGES.iter().filter(|(name, _)| text.contains(&format!(" {name} ")));
        changed.extend(named.flat_map(|(_, files)| files.iter().map(|file| (*file).to_owned())).take(8));
    }
    if changed.is_empty() {
        changed.push("**".to_owned());
    }
    changed
}
