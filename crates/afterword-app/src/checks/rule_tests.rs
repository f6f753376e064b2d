//! Rules as people word them, what each must stop and what it must let by. `$` is a shell line, `>` a file with the text that is
//! written to it; `@` is a turn that must not, or may, end: files that were changed and commands that ran, with `!` where one failed.

use std::path::{Path, PathBuf};

use afterword_transcript::event::{EntryLocation, Event, ToolCall, ToolOutcome, ToolStatus};
use serde_json::json;

use super::agent_turn::AgentTurn;
use super::check::{Call, Check};
use super::propose::propose;

type Rule = (&'static str, &'static [&'static str], &'static [&'static str]);

const RULES: [Rule; 60] = [
    (
        "Use pnpm, not npm",
        &["$ npm install", "$ cd web && npm run build", "$ CI=1 npm test"],
        &["$ pnpm install", "$ git commit -m 'drop npm'", "$ rg npm ."],
    ),
    (
        "Always use yarn instead of npm in this repository",
        &["$ npm i left-pad", "$ sudo npm i -g x"],
        &["$ yarn add left-pad", "$ echo 'npm i'"],
    ),
    (
        "Use `uv`, never `pip` or `pip3`",
        &["$ pip install requests", "$ pip3 install x"],
        &["$ uv pip install requests", "$ uv add requests"],
    ),
    (
        "Run tests with `uv run pytest` rather than `pytest`",
        &["$ pytest -q", "$ cd api; pytest"],
        &["$ uv run pytest -q", "$ cat pytest.ini"],
    ),
    (
        "Prefer ripgrep: use rg instead of grep",
        &["$ grep -rn todo src", "$ cat a | grep b"],
        &["$ rg todo", "$ git grep todo"],
    ),
    (
        "Use bun, not node, to run scripts",
        &["$ node scripts/a.js"],
        &["$ bun scripts/a.js", "$ ls node_modules"],
    ),
    (
        "Use podman instead of docker here",
        &["$ docker build .", "$ docker compose up"],
        &["$ podman build .", "$ cat docker-compose.yml"],
    ),
    (
        "Use `npm run test:unit` instead of `npm test`",
        &["$ npm test", "$ npm test -- a"],
        &["$ npm run test:unit", "$ npm install"],
    ),
    (
        "Use `cargo nextest run` rather than `cargo test`",
        &["$ cargo test -p a"],
        &["$ cargo nextest run", "$ cargo build"],
    ),
    ("Use vitest, not jest", &["$ jest src", "$ cd a && jest"], &["$ vitest run", "$ cat jest.config.js"]),
    ("Never use npx", &["$ npx create-app x"], &["$ npm x", "$ pnpm exec tsc"]),
    ("Don't use sudo", &["$ sudo rm x", "$ cd a && sudo make install"], &["$ make install", "$ man sudo"]),
    (
        "Never run git push --force",
        &["$ git push --force", "$ git push origin x --force", "$ cd a && git push --force"],
        &["$ git push", "$ git push origin x"],
    ),
    (
        "Never force push",
        &["$ git push -f", "$ git push --force-with-lease", "$ git push origin +x"],
        &["$ git push origin x", "$ git fetch -f"],
    ),
    (
        "Never push to main",
        &["$ git push origin main", "$ git push -u origin HEAD:main"],
        &["$ git push origin fix/main-menu", "$ git pull origin main", "$ git checkout main"],
    ),
    (
        "Do not push directly to master or develop",
        &["$ git push origin master", "$ git push origin develop"],
        &["$ git push origin topic", "$ git log master"],
    ),
    (
        "Never commit with --no-verify",
        &["$ git commit --no-verify -m a", "$ git commit -nm a"],
        &["$ git commit -m a", "$ git commit -am 'no --no-verify'"],
    ),
    ("Don't skip the hooks when committing", &["$ git commit -n -m x"], &["$ git commit -m x"]),
    (
        "Never amend commits",
        &["$ git commit --amend", "$ git commit -a --amend --no-edit"],
        &["$ git commit -m amend", "$ git log"],
    ),
    (
        "Never run `git stash`",
        &["$ git stash", "$ git stash push -m a"],
        &["$ git status", "$ git log --grep stash"],
    ),
    (
        "Don't use git add -A, add the files by name",
        &["$ git add -A", "$ git add -A ."],
        &["$ git add src/a.rs", "$ git add -p"],
    ),
    (
        "Never run git reset --hard",
        &["$ git reset --hard HEAD~1"],
        &["$ git reset HEAD a", "$ git reset --soft HEAD~1"],
    ),
    ("Do not run git rebase", &["$ git rebase main", "$ git rebase -i HEAD~3"], &["$ git merge main"]),
    (
        "Never use rm -rf",
        &["$ rm -rf build", "$ rm -r -f a", "$ find . -name x -exec rm -rf {} +"],
        &["$ rm a", "$ rm -r a", "$ echo rm -rf"],
    ),
    (
        "Never run terraform apply",
        &["$ terraform apply", "$ cd infra && terraform apply -auto-approve"],
        &["$ terraform plan", "$ terraform plan -out apply"],
    ),
    (
        "Never run kubectl delete",
        &["$ kubectl delete pod a", "$ kubectl -n x delete pod a"],
        &["$ kubectl get pods", "$ kubectl describe pod delete-me"],
    ),
    (
        "Don't run `docker system prune`",
        &["$ docker system prune -af"],
        &["$ docker ps", "$ docker image prune"],
    ),
    (
        "Never publish: do not run npm publish",
        &["$ npm publish", "$ npm publish --tag next"],
        &["$ npm install", "$ npm run publish-docs"],
    ),
    ("Avoid using curl, use `xh`", &["$ curl http://a", "$ x=$(curl -s a)"], &["$ xh a", "$ apt show curl"]),
    (
        "Never call `python` directly, use `uv run`",
        &["$ python a.py", "$ cd x && python -m b"],
        &["$ uv run python a.py", "$ which python"],
    ),
    ("Do not use `sed` to edit files", &["$ sed -i s/a/b/ x"], &["$ awk 1 x", "$ echo sed"]),
    (
        "Never run `./scripts/deploy.sh`",
        &["$ ./scripts/deploy.sh prod", "$ scripts/deploy.sh"],
        &["$ cat scripts/deploy.sh", "$ ./scripts/build.sh"],
    ),
    ("Never run `make deploy`", &["$ make deploy", "$ make -C a deploy"], &["$ make", "$ make deploy-docs"]),
    ("Don't run brew upgrade", &["$ brew upgrade", "$ brew upgrade jq"], &["$ brew install jq"]),
    ("Don't use heroku", &["$ heroku logs -t"], &["$ fly logs"]),
    (
        "Never edit `migrations/`",
        &["> migrations/1.sql", "> db/migrations/2.sql", "$ sed -i s/a/b/ migrations/1.sql"],
        &["> src/a.sql", "$ ls migrations"],
    ),
    (
        "Never edit files in `src/generated`",
        &["> src/generated/a.ts", "$ echo x > src/generated/b.ts"],
        &["> src/a.ts", "> docs/src/generated.md"],
    ),
    ("Don't touch .env", &["> .env", "$ echo A=1 >> .env"], &["> .env.example", "$ cat .env"]),
    (
        "Do not modify package-lock.json by hand",
        &["> package-lock.json", "> web/package-lock.json"],
        &["> package.json", "$ npm install"],
    ),
    ("Never change anything in vendor/", &["> vendor/a/b.go", "$ rm vendor/a.go"], &["> src/vendors.go"]),
    ("Don't edit `*.pb.go`", &["> api/a.pb.go"], &["> api/a.go", "> api/a.proto"]),
    (
        "Never write to `/etc`",
        &["> /etc/hosts", "$ echo a | tee /etc/a"],
        &["> etc/hosts", "$ cat /etc/hosts"],
    ),
    ("Never overwrite `CHANGELOG.md`", &["> CHANGELOG.md"], &["> README.md", "$ head CHANGELOG.md"]),
    ("Don't modify `Cargo.lock` manually", &["> Cargo.lock"], &["> Cargo.toml", "$ cargo update"]),
    (
        "Never edit `schema.prisma` or `db/schema.rb`",
        &["> prisma/schema.prisma", "> db/schema.rb"],
        &["> db/seeds.rb"],
    ),
    ("Don't touch `.github/workflows`", &["> .github/workflows/ci.yml"], &["> .github/CODEOWNERS"]),
    (
        "Never leave `console.log` in the code",
        &["> a.ts: console.log(1)", "> b.jsx: x; console.log(y)"],
        &["> a.ts: logger.info(1)", "> a.md: console.log is banned"],
    ),
    (
        "Don't use `unwrap()` in Rust code",
        &["> a.rs: a.unwrap()", "> b.rs: x().unwrap();"],
        &["> a.rs: a.unwrap_or(1)", "> a.md: a.unwrap()"],
    ),
    ("Never write `dbg!(`", &["> a.rs: dbg!(x)"], &["> a.rs: debug!(x)"]),
    (
        "Never use `@ts-ignore`",
        &["> a.ts: // @ts-ignore"],
        &["> a.ts: // @ts-expect-error", "> b.md: @ts-ignore"],
    ),
    ("Don't use `eval(` in Python", &["> a.py: eval(x)"], &["> a.py: literal_eval(x)", "> a.sh: eval(x)"]),
    (
        "Never use `time.sleep(` in Python tests",
        &["> test_a.py: time.sleep(1)"],
        &["> a.py: asyncio.sleep(1)"],
    ),
    ("Never write `import *` or `SELECT *` in Python", &["> a.py: from a import *"], &["> a.py: import a"]),
    (
        "Run `cargo test` before you say done",
        &["@ a.rs", "@ a.rs, cargo test!", "@ cargo test, a.rs"],
        &["@ a.rs, cargo test", "@ cargo build", "@ a.rs, cargo test!, cargo test -p a"],
    ),
    (
        "Always run the tests before saying you are finished",
        &["@ a.rs"],
        &["@ a.rs, cargo test 2>&1 | tail -5", "@ ls"],
    ),
    (
        "After changing `src/**`, run `pnpm test`",
        &["@ src/a.ts"],
        &["@ README.md", "@ src/a.ts, cd x && pnpm test"],
    ),
    (
        "Run `just check` before every commit",
        &["@ a.rs, git commit -m 'just check'"],
        &["@ a.rs, just check"],
    ),
    (
        "Run prettier after changing CSS files",
        &["@ a.css"],
        &["@ a.rs", "@ a.css, pnpm exec prettier --write a.css"],
    ),
    ("When done, run `make lint`", &["@ a.py", "@ a.py, make lint!"], &["@ a.py, make lint", "@ make build"]),
    (
        "Execute `pytest -q` after each change in Python",
        &["@ a.py", "@ a.py, pytest"],
        &["@ a.md", "@ a.py, uv run pytest -q tests"],
    ),
];

/// What is no rule for a check: nothing may be proposed.
const NO_RULES: [&str; 16] = [
    "Prefer small commits with a clear message",
    "Never push without asking me first",
    "Don't run `cargo test` while the server is running",
    "Use tabs, not spaces",
    "Never guess at a cause before you have seen the log",
    "Don't use npm unless the lockfile is npm's",
    "The proxy cuts uploads of more than a minute",
    "Answer in German, not in English",
    "Write the reason rather than the story in comments",
    "Use `const`, not `var`",
    "Don't touch the production database",
    "Avoid abbreviations in names",
    "Never say that it works before it was run",
    "The cache lives in `~/.cache/app`, not in `/tmp`",
    "Deploys run from CI, never from a laptop",
    "Don't commit to main",
];

fn is_stopped(checks: &[Check], action: &str) -> bool {
    let (cwd, bases) = (Path::new("/w/shop"), [PathBuf::from("/w/shop")]);
    let (sign, rest) = action.split_at(2);
    if sign == "@ " {
        let turn = turn(rest, cwd);
        return checks.iter().any(|check| turn.objection(check, &bases, None).is_some());
    }
    let (tool, input) = if sign == "$ " {
        ("Bash", json!({"command": rest}))
    } else {
        let (file, text) = rest.split_once(": ").unwrap_or((rest, "x"));
        ("Write", json!({"file_path": cwd.join(file), "content": text}))
    };
    let call = Call { tool, input: &input, cwd, bases: &bases, home: None };
    checks.iter().any(|check| check.objection(&call).is_some())
}

fn turn(steps: &str, cwd: &Path) -> AgentTurn {
    let mut turn = AgentTurn::default();
    for (number, step) in steps.split(", ").enumerate() {
        let is_file = !step.contains(' ') && step.contains('.');
        let place = EntryLocation { line: number as u64, uuid: String::new(), time: None, sidechain: false };
        let (name, status) = (if is_file { "Edit" } else { "Bash" }, step.ends_with('!'));
        let text = step.trim_end_matches('!').to_owned();
        let call = ToolCall {
            place: place.clone(),
            id: number.to_string(),
            name: name.to_owned(),
            summary: text.clone(),
            input: text,
            before: String::new(),
        };
        turn.add(&Event::Call(call), cwd, None);
        let status = if status { ToolStatus::Failed } else { ToolStatus::Ok };
        let (call, error) = (number.to_string(), String::new());
        turn.add(
            &Event::Outcome(ToolOutcome { place, call, status, error, user_modified: false }),
            cwd,
            None,
        );
    }
    turn
}

#[test]
fn rules_as_people_word_them_stop_what_they_are_about_and_nothing_else() {
    let (mut violated, mut must, mut blocked, mut may) = (Vec::new(), 0, Vec::new(), 0);
    for (rule, stopped, let_by) in RULES {
        let checks = propose(rule, "", Some("cargo test"));
        let lines: Vec<_> = checks.iter().map(Check::to_string).collect();
        must += stopped.len();
        may += let_by.len();
        violated.extend(
            stopped.iter().filter(|one| !is_stopped(&checks, one)).map(|one| (rule, *one, lines.clone())),
        );
        blocked.extend(
            let_by.iter().filter(|one| is_stopped(&checks, one)).map(|one| (rule, *one, lines.clone())),
        );
    }
    // A star stands for any characters, so that text with one of its own cannot be checked.
    let known = ["> a.py: from a import *"];
    assert_eq!(violated.iter().map(|one| one.1).collect::<Vec<_>>(), known, "of {must}: {violated:#?}");
    assert!(blocked.is_empty(), "{} of {may}: {blocked:#?}", blocked.len());
}

#[test]
fn what_cannot_be_checked_proposes_nothing() {
    let proposed: Vec<_> = NO_RULES
        .iter()
        .map(|rule| {
            (*rule, propose(rule, "", Some("cargo test")).iter().map(Check::to_string).collect::<Vec<_>>())
        })
        .filter(|(_, checks)| !checks.is_empty())
        .collect();
    assert!(proposed.is_empty(), "{proposed:#?}");
}
