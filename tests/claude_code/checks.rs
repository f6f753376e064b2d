//! Lessons that bind: what they keep the real client from, and that the reason reaches the model.

use std::fs;

use afterword_testkit::messages_api::Reply;
use serde_json::{Value, json};

use crate::machine::Machine;

const ID: &str = "0192f000-0000-7000-8000-000000000001";

/// A machine on which a lesson binds, with the hooks for it.
fn machine(title: &str, check: &str) -> Option<Machine> {
    let machine = Machine::new()?;
    let folder = machine.vault().join("Afterword/Preferences");
    fs::create_dir_all(&folder).unwrap();
    let text = format!("---\ntitle: {title}\nkind: preference\nstatus: active\nid: {ID}\n---\n\nIt is so.\n");
    fs::write(folder.join("rule.md"), text).unwrap();
    let given: &[&str] = if check.is_empty() { &[] } else { &["--as", check] };
    machine.ok(&[&["bind", ID, "--yes"], given].concat());
    machine.install();
    Some(machine)
}

fn bash(line: &str) -> Reply {
    Reply::tool("Bash", json!({"command": line, "description": "Work"}))
}

/// The results of tools that the model was told in a request.
fn results(request: &Value) -> String {
    let messages = request["messages"].as_array().unwrap().iter();
    let blocks = messages.filter_map(|message| message["content"].as_array()).flatten();
    blocks.filter(|block| block["type"] == "tool_result").map(Value::to_string).collect()
}

#[test]
fn command_that_a_lesson_forbids_is_not_run_and_the_model_learns_why() {
    let Some(machine) = machine("Use pnpm, not npm", "") else { return };
    let shop = machine.project("shop");
    machine.stub.script([
        bash("cd . && touch ran-before && npm install"),
        bash("echo 'never use npm' && touch ran-after"),
        Reply::Text("Done.".to_owned()),
    ]);
    let result = machine.say(&shop, "Install the packages.", &["--allowedTools", "Bash"]);
    assert_eq!(result["result"], "Done.");
    let asked = machine.stub.conversation_requests();
    let told = results(&asked[1]);
    for part in ["Use pnpm, not npm", "run `pnpm`", "afterword unbind", "\"is_error\":true"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!shop.join("ran-before").exists(), "nothing of the line was run");
    assert!(shop.join("ran-after").exists(), "what only speaks of it was run");
    machine.ok(&["unbind", ID, "--once"]);
    let session = result["session_id"].as_str().unwrap();
    machine.stub.script([bash("touch ran-lifted; npm --version || true")]);
    machine.say(&shop, "Once more.", &["--allowedTools", "Bash", "--resume", session]);
    assert!(shop.join("ran-lifted").exists(), "lifted for this session");
}

#[test]
fn file_that_a_lesson_protects_is_not_written() {
    let Some(machine) = machine("Migrations stay as they are", "never write to `migrations/**`") else {
        return;
    };
    let shop = machine.project("shop");
    let write =
        |name: &str| Reply::tool("Write", json!({"file_path": shop.join(name), "content": "select 1;\n"}));
    machine.stub.script([write("migrations/1.sql"), write("queries/1.sql")]);
    machine.say(&shop, "Write the query.", &["--allowedTools", "Write"]);
    assert!(!shop.join("migrations/1.sql").exists());
    assert!(shop.join("queries/1.sql").exists());
}

#[test]
fn turn_without_the_tests_is_sent_on_once() {
    let Some(machine) =
        machine("Run the tests before you say done", "after changing `*.sql`, run `make test`")
    else {
        return;
    };
    let shop = machine.project("shop");
    fs::write(shop.join("Makefile"), "test:\n\t@touch tested\n").unwrap();
    let write = Reply::tool("Write", json!({"file_path": shop.join("a.sql"), "content": "select 1;\n"}));
    let arguments = ["--allowedTools", "Write", "Bash"];
    // It says done, is sent on, runs the tests, and ends.
    machine.stub.script([
        write,
        Reply::Text("Done.".to_owned()),
        bash("make test"),
        Reply::Text("Really done.".to_owned()),
    ]);
    let result = machine.say(&shop, "Write the query.", &arguments);
    assert_eq!(result["result"], "Really done.");
    assert!(shop.join("tested").exists());
    let asked = machine.stub.conversation_requests();
    assert!(asked[2]["messages"].to_string().contains("`make test` did not run"), "{}", asked[2]["messages"]);
    // Nothing was changed: it ends at once.
    machine.stub.script([bash("ls"), Reply::Text("Looked.".to_owned())]);
    assert_eq!(machine.say(&shop, "Look around.", &arguments)["result"], "Looked.");
    // It will not run them: it is sent on once, and then let go.
    let before = machine.stub.conversation_requests().len();
    let write = Reply::tool("Write", json!({"file_path": shop.join("b.sql"), "content": "select 2;\n"}));
    machine.stub.script([write, Reply::Text("Done.".to_owned()), Reply::Text("No.".to_owned())]);
    assert_eq!(machine.say(&shop, "Write another.", &arguments)["result"], "No.");
    assert_eq!(machine.stub.conversation_requests().len(), before + 3);
}

#[test]
fn what_binds_cannot_be_read_and_the_session_goes_on() {
    let Some(machine) = machine("Use pnpm, not npm", "") else { return };
    let shop = machine.project("shop");
    fs::write(machine.state().join("checks.json"), "{").unwrap();
    machine.stub.script([bash("touch ran; npm --version || true")]);
    assert_eq!(machine.say(&shop, "Install.", &["--allowedTools", "Bash"])["result"], "Done.");
    assert!(shop.join("ran").exists());
    assert!(fs::read_to_string(machine.state().join("checks.log")).unwrap().contains("nothing was asked"));
}

/// Fifty rules as people word them, and a line that breaks each.
const RULES: [(&str, &str); 50] = [
    ("Use pnpm, not npm", "cd . && npm install"),
    ("Use rg instead of grep", "true; grep -rn x ."),
    ("Use podman, never docker", "docker build ."),
    ("Use vitest rather than jest", "jest src"),
    ("Use bun, not node", "node a.js"),
    ("Use ruff instead of flake8", "flake8 src"),
    ("Use biome, not eslint", "eslint ."),
    ("Use fd instead of find", "find . -name x"),
    ("Use uv, not poetry", "poetry add x"),
    ("Use tofu instead of terraform", "terraform plan"),
    ("Use just, not make", "make -j4 all"),
    ("Use `pyright`, never `mypy`", "mypy src"),
    ("Use mocha rather than nox", "nox -s tests"),
    ("Never use npx", "CI=1 npx create x"),
    ("Never use sudo", "sudo true"),
    ("Never use curl", "x=$(curl -s http://127.0.0.1:9)"),
    ("Don't use wget", "wget http://127.0.0.1:9"),
    ("Don't run brew", "brew upgrade"),
    ("Do not use heroku", "heroku logs"),
    ("Avoid using nano", "nano a"),
    ("Never use conda", "conda install x"),
    ("Never run git push", "git push origin x"),
    ("Never force push", "git push -f"),
    ("Never amend commits", "git commit --amend --no-edit"),
    ("Never run git stash", "git stash push"),
    ("Never run git reset --hard", "git reset --hard HEAD~1"),
    ("Don't use git add -A", "git add -A ."),
    ("Never commit with --no-verify", "git commit -nm x"),
    ("Never run git rebase", "git rebase main"),
    ("Never run git clean", "git clean -fd"),
    ("Never run git bisect", "git bisect start"),
    ("Never use rm -rf", "rm -f -r nothing-here"),
    ("Never run kubectl delete", "kubectl -n x delete pod a"),
    ("Never run kubectl apply", "kubectl apply -f a.yml"),
    ("Never run helm uninstall", "helm uninstall x"),
    ("Never run cargo publish", "cargo publish --dry-run"),
    ("Never run cargo clean", "cargo clean -p x"),
    ("Never run gh release", "gh release create v1"),
    ("Never run `yarn publish`", "yarn publish"),
    ("Never run `./deploy.sh`", "bash -c './deploy.sh prod'"),
    ("Never run pip install", "pip install x"),
    ("Never run apt-get install", "apt-get install x"),
    ("Never edit `migrations/`", "echo x > migrations/1.sql"),
    ("Don't touch .env", "echo A=1 >> .env"),
    ("Do not modify package-lock.json", "touch package-lock.json"),
    ("Never change anything in vendor/", "cp a vendor/b"),
    ("Don't edit `*.pb.go`", "sed -i s/a/b/ api/a.pb.go"),
    ("Never overwrite `CHANGELOG.md`", "echo x | tee CHANGELOG.md"),
    ("Don't edit `Cargo.lock`", "mv a Cargo.lock"),
    ("Never write to `dist/**`", "cd dist && echo x > a.js"),
];

#[test]
fn fifty_rules_bind_at_once() {
    let Some(machine) = Machine::new() else { return };
    let folder = machine.vault().join("Afterword/Preferences");
    fs::create_dir_all(&folder).unwrap();
    for (number, (title, _)) in RULES.iter().enumerate() {
        let id = format!("0192f000-0000-7000-8000-{number:012}");
        let text = format!(
            "---\ntitle: \"{title}\"\nkind: preference\nstatus: active\nid: {id}\n---\n\nIt is so.\n"
        );
        fs::write(folder.join(format!("rule-{number}.md")), text).unwrap();
        machine.ok(&["bind", &id, "--yes"]);
    }
    machine.install();
    // What breaks a rule, and a line that only speaks of it.
    let lines =
        RULES.iter().flat_map(|(_, line)| [bash(line), bash(&format!("echo \"{}\"", line.replace('$', "")))]);
    machine.stub.script(lines);
    machine.say(&machine.project("shop"), "Try them all.", &["--allowedTools", "Bash"]);
    let asked = machine.stub.conversation_requests();
    let told = asked.last().unwrap()["messages"].as_array().unwrap().clone();
    let results: Vec<Value> = told
        .iter()
        .filter_map(|message| message["content"].as_array())
        .flatten()
        .filter(|block| block["type"] == "tool_result")
        .cloned()
        .collect();
    assert_eq!(results.len(), 2 * RULES.len());
    let is_stopped = |result: &Value| result.to_string().contains("This lesson binds");
    let (mut violated, mut blocked) = (Vec::new(), Vec::new());
    for ((title, line), pair) in RULES.iter().zip(results.chunks(2)) {
        if !is_stopped(&pair[0]) {
            violated.push((title, line));
        }
        if is_stopped(&pair[1]) {
            blocked.push((title, line));
        }
    }
    println!(
        "violated {} of {}, falsely blocked {} of {}",
        violated.len(),
        RULES.len(),
        blocked.len(),
        RULES.len()
    );
    assert!(violated.len() * 20 <= RULES.len() && blocked.is_empty(), "{violated:?} {blocked:?}");
}
