//! Every command that the guide names, typed as it stands there on a machine with sample sessions. The quick start is done line by line
//! in `quick_start.rs`; the reference is made of the commands themselves.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::env::TestEnv;

/// A sample session, and its project's folder.
const SAMPLE: &str = "shop-cart";
const PROJECT: &str = "/home/sam/shop";

/// How a command ends where nobody answers and nothing else is set up.
enum Ends {
    /// It asks first; with `--yes` it is done.
    Asks,
    /// It needs what this machine has not: it says so in these words, and changes nothing.
    Says(&'static str),
    /// It is not typed here, for this reason.
    Untyped(&'static str),
}
use Ends::{Asks, Says, Untyped};

const NO_CLIENT: Ends = Says("Claude Code was not found");
const NO_KEYRING: Ends =
    Untyped("it asks the keyring of the person who runs the tests; keys.rs has one of its own");
const NO_SERVICE: Ends = Untyped(
    "it changes what the person's session starts; install_service.rs has a service manager of its own",
);
const NO_SERVER: Ends = Untyped("it asks a server on the internet; sign_in.rs has one of its own");
const NO_REPOSITORY: Ends = Untyped("its folders are repositories; projects.rs has such");
const SENDS_NOTHING: Ends = Says("the built-in engine sends nothing");
const STAYS: Ends = Untyped("it stays until it is stopped; running.rs does so");

/// Commands that do not simply succeed. Every other one does.
const EXCEPTIONS: &[(&str, Ends)] = &[
    ("afterword run", STAYS),
    ("afterword mcp", Untyped("it serves a client on stdin; mcp.rs is one")),
    ("afterword review", Untyped("it asks key by key; review.rs answers on a terminal")),
    ("afterword hook EVENT", Untyped("hook.rs calls it as Claude Code does")),
    ("afterword install service", NO_SERVICE),
    ("afterword uninstall service", NO_SERVICE),
    ("afterword install claude-code", Asks),
    ("afterword install claude-code --scope project", Asks),
    ("afterword uninstall claude-code", Asks),
    ("afterword bind NOTE", Asks),
    ("afterword export --note NOTE --as claude-md --to CLAUDE.md", Asks),
    ("afterword unbind NOTE --once", Says("It has not stopped anything yet")),
    ("afterword why", Says("no session has asked for lessons yet")),
    (
        "afterword attempts store TASK --outcome failure --failed TEXT --next TEXT",
        Says("no session of this directory is known"),
    ),
    (
        r"afterword config set claude.other_dirs '\\wsl.localhost\Ubuntu\home\ada\.claude'",
        Says("must be an absolute path"),
    ),
    ("afterword config set claude.other_dirs /mnt/c/Users/ada/.claude", Says("there is no such folder")),
    ("afterword config set recall.model ~/models/potion-retrieval-32M", Says("No such file or directory")),
    ("afterword engine use claude-code", NO_CLIENT),
    ("afterword engine try", SENDS_NOTHING),
    ("afterword ideas research IDEA", SENDS_NOTHING),
    ("afterword ideas research IDEA --background", NO_CLIENT),
    ("afterword polish", SENDS_NOTHING),
    ("afterword polish --dry-run", SENDS_NOTHING),
    ("afterword preview SESSION", SENDS_NOTHING),
    ("afterword config set-key anthropic", NO_KEYRING),
    ("afterword connections secret maps", NO_KEYRING),
    ("afterword config keys", NO_KEYRING),
    ("afterword config delete-key anthropic", NO_KEYRING),
    ("afterword config delete-key ENGINE", NO_KEYRING),
    ("afterword connections connect search", NO_SERVER),
    ("afterword connections disconnect search", NO_SERVER),
    ("afterword connections connect crm --client-secret", NO_SERVER),
    ("afterword task undo 0192", Says("nothing")),
    ("afterword task answer 0192 yes", Says("cannot be answered")),
    (
        "afterword connections add tracker --pass-on TRACKER_TOKEN -- tracker-mcp",
        Says("there is no program `tracker-mcp`"),
    ),
    ("afterword projects join shop shop-server", NO_REPOSITORY),
    ("afterword projects split shop ~/code/shop/api", NO_REPOSITORY),
    ("afterword projects split shop ~/code/blog --as blog", NO_REPOSITORY),
];

/// A command of a page, as it stands there.
struct Named {
    text: String,
    /// In a block it is to be typed; in a sentence it may be only its name.
    is_block: bool,
}

/// The commands of a page, each once.
fn commands(text: &str) -> Vec<Named> {
    let (mut found, mut words, mut is_fenced, mut is_after_blank) = (Vec::new(), String::new(), false, true);
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        let is_block = is_fenced || (line.starts_with("    ") && is_after_blank);
        match line.trim() {
            _ if is_fence => {}
            line if is_block => found.push(Named { text: line.to_owned(), is_block: true }),
            line => words.extend([line, "\n"]),
        }
        is_after_blank = line.trim().is_empty() || line.starts_with('#') || is_block;
    }
    let inline = words.split("\n\n").flat_map(|part| part.split('`').skip(1).step_by(2));
    let inline = inline.map(|code| code.split_whitespace().collect::<Vec<_>>().join(" ").replace("\\|", "|"));
    found.extend(inline.map(|text| Named { text, is_block: false }));
    let mut known = BTreeSet::new();
    found.retain_mut(|one| {
        one.text = without_comment(&one.text).replace('…', "");
        (one.text.starts_with("afterword ") || one.text == "afterword") && known.insert(one.text.clone())
    });
    found
}

fn without_comment(line: &str) -> &str {
    line.split(" #").next().unwrap_or(line).trim()
}

/// Each way to read `pause|resume`.
fn alternatives(command: &str) -> Vec<String> {
    let several = command.split(' ').find(|word| word.contains('|') && !word.contains(['"', '\'']));
    match several {
        Some(word) => word.split('|').map(|one| command.replacen(word, one, 1)).collect(),
        None => vec![command.to_owned()],
    }
}

/// What a page's commands are typed on: notes, sessions, a task, a project, all of them real.
struct Machine {
    env: TestEnv,
    session: String,
    notes: usize,
}

impl Machine {
    fn new() -> Self {
        let env = TestEnv::new();
        let session = env.sample(SAMPLE);
        env.sample("homelab-backup");
        for folder in [
            "papers",
            "code/shop/api",
            "code/shop-server",
            "code/blog",
            ".claude",
            ".claude-work",
            ".claude-client",
        ] {
            fs::create_dir_all(env.path("home").join(folder)).unwrap();
        }
        let machine = Self { env, session, notes: 0 };
        machine.done("afterword init --vault ~/vault");
        machine.done("afterword reflect --all");
        machine
    }

    fn shell(&self, line: &str) -> (bool, String) {
        let program = Path::new(env!("CARGO_BIN_EXE_afterword")).parent().unwrap();
        let output = std::process::Command::new("sh")
            .args(["-c", line])
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
            .env("HOME", self.env.path("home"))
            .env("AFTERWORD_HOME", self.env.path("afterword"))
            .env("CLAUDE_CONFIG_DIR", self.env.path("claude"))
            .env("TRACKER_TOKEN", "none")
            .current_dir(self.env.path("work"))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let printed =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.success(), printed.concat())
    }

    /// Runs what has to succeed.
    fn done(&self, line: &str) -> String {
        let (is_done, printed) = self.shell(line);
        assert!(is_done, "{line}: {printed}");
        printed
    }

    fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.done(&format!("{line} --json"))).unwrap()
    }

    /// A note of its own for a command: one to review, or one that counts.
    fn note(&mut self, waits: bool) -> (String, PathBuf) {
        self.notes += 1;
        let id = format!("0192f000-0000-7000-8000-{:012}", self.notes);
        let (folder, status) = if waits { ("_review", "inbox\nreview:") } else { ("Preferences", "active") };
        let path = self.env.path(&format!("home/vault/Afterword/{folder}/use-pnpm-{}.md", self.notes));
        let text = format!(
            "---\ntitle: Use pnpm, not npm\nkind: preference\nstatus: {status}\nid: {id}\nkey: own-{}\n---\n\nIt is so.\n",
            self.notes
        );
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        (id, path)
    }

    fn task(&self) -> String {
        let (_, printed) =
            self.shell("afterword task new 'look after the build' --when 'every day at 9' --json");
        let made: Value = serde_json::from_str(printed.lines().next().unwrap_or_default()).expect(&printed);
        made["conversation"]["id"].as_str().expect(&printed).to_owned()
    }

    /// A job that waits, or one that is over.
    fn job(&self, is_over: bool) -> String {
        self.done(&format!("afterword task run {}", self.task()));
        let listed = self.json("afterword jobs");
        let id = listed["jobs"][0]["job_id"].as_str().unwrap_or_else(|| panic!("{listed}")).to_owned();
        if is_over {
            self.done(&format!("afterword jobs cancel {id}"));
        }
        id
    }

    fn idea(&self) -> String {
        let listed = self.json("afterword ideas list");
        listed["ideas"][0]["id"].as_str().unwrap_or_else(|| panic!("{listed}")).to_owned()
    }

    /// A command with what its placeholders stand for, where something has to be there before it.
    fn filled(&mut self, command: &str) -> String {
        let mut filled = command.replace("SESSION", &self.session).replace("[2026-03]", "2026-03");
        if filled.contains("NOTE") {
            let (id, path) = self.note(command.contains(" review "));
            if command.contains("vault decide") {
                let copy = path.with_extension("sync-conflict-20260314-101112-ABCDEFG.md");
                let text = fs::read_to_string(&path).unwrap();
                fs::write(copy, text.replace("It is so.", "It is otherwise.")).unwrap();
                filled = filled.replace("NOTE", path.file_name().unwrap().to_str().unwrap());
            }
            if command.contains("unbind") {
                self.done(&format!("afterword bind {id} --yes"));
            }
            filled = filled.replace("NOTE", &id);
        }
        if command.contains("review undo") {
            let (id, _) = self.note(true);
            self.done(&format!("afterword review approve {id}"));
        }
        if command.contains(" 0192") {
            let task = self.task();
            if command.contains("task resume") {
                self.done(&format!("afterword task pause {task}"));
            }
            filled = filled.replace("0192", &task);
        }
        if command.contains(" jobs ") && command.ends_with(['D', 'B']) {
            let job = self.job(command.contains("retry"));
            filled = filled.replace("JOB", &job).replace(" ID", &format!(" {job}"));
        }
        if command.contains("IDEA") {
            filled = filled.replace("IDEA", &self.idea());
        }
        if command.contains("sessions restore") {
            self.done("afterword config set archive.sessions true");
            self.done("afterword sessions archive");
        }
        filled = filled.replace("forget session ID", &format!("forget session {}", self.session));
        for (placeholder, value) in [
            ("TASK", "'add an export'"),
            ("TEXT", "'it broke the tests'"),
            ("NUMBER", "1"),
            ("MODEL", "qwen3:8b"),
            ("DIR", "~/vault"),
            ("budget.daily_usd N", "budget.daily_usd 2"),
            ("project PATH", &format!("project {PROJECT}")),
            ("claude.binary PATH", "claude.binary /bin/true"),
        ] {
            filled = filled.replace(placeholder, value);
        }
        filled
    }
}

/// What is wrong with a command as the guide names it.
#[expect(clippy::print_stdout, reason = "what is not typed is seen in the test's output")]
fn wrong(
    machine: &mut Machine,
    named: &Named,
    command: &str,
    met: &mut BTreeSet<&'static str>,
) -> Option<String> {
    let exception = EXCEPTIONS.iter().find(|(text, _)| *text == command);
    if let Some((text, _)) = exception {
        met.insert(*text);
    }
    let ends = exception.map(|(_, ends)| ends);
    if let Some(Untyped(why)) = ends {
        println!("not typed: {command}: {why}");
        return None;
    }
    let mut typed = machine.filled(command);
    if matches!(ends, Some(Asks)) {
        typed.push_str(" --yes");
    }
    let (is_done, printed) = machine.shell(&typed);
    if typed.starts_with("afterword config set engine.name") {
        // Each command stands for itself: those below are not the chosen engine's.
        machine.done("afterword config set engine.name");
    }
    let is_name = !named.is_block && printed.contains("Usage: ");
    let is_as_expected = match ends {
        Some(Says(words)) => !is_done && printed.contains(words),
        _ => is_done || is_name,
    };
    (!is_as_expected).then(|| format!("`{command}` ({typed}): {printed}"))
}

#[test]
fn commands_of_the_guide_do_what_they_are_named_for() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide");
    let mut pages: Vec<PathBuf> = fs::read_dir(guide).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|end| end == "md") && !page.ends_with("quick-start.md"));
    pages.sort();
    let (mut problems, mut met, mut typed) = (Vec::new(), BTreeSet::new(), 0);
    for page in &pages {
        let commands = commands(&fs::read_to_string(page).unwrap());
        if commands.is_empty() {
            continue;
        }
        let mut machine = Machine::new();
        for named in &commands {
            for command in alternatives(&named.text) {
                typed += 1;
                let problem = wrong(&mut machine, named, &command, &mut met);
                problems.extend(problem.map(|problem| format!("{}: {problem}", page.display())));
            }
        }
    }
    let unused = EXCEPTIONS.iter().map(|(text, _)| *text).filter(|text| !met.contains(text));
    problems.extend(unused.map(|text| format!("`{text}` stands nowhere in the guide")));
    assert!(problems.is_empty(), "{} of {typed}:\n{}", problems.len(), problems.join("\n"));
    assert!(typed > 100, "only {typed} commands");
}
