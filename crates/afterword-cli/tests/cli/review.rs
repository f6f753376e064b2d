//! `afterword review`

use std::fs;

use crate::env::TestEnv;

/// A home whose reflected sample holds lessons that wait.
fn env() -> TestEnv {
    let env = TestEnv::new();
    env.init();
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sessions/transcripts");
    for sample in fs::read_dir(samples).unwrap() {
        let path = sample.unwrap().path();
        if path.is_file() {
            env.sample(path.file_stem().unwrap().to_str().unwrap());
        }
    }
    env.ok(&["reflect", "--all"]);
    env
}

fn queue(env: &TestEnv) -> Vec<serde_json::Value> {
    env.json(&["review", "list"])["items"].as_array().unwrap().clone()
}

fn text<'v>(value: &'v serde_json::Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} in {value}"))
}

#[test]
fn every_answer_has_a_command() {
    let env = env();
    let nothing = env.run(&["review", "undo"]);
    assert_eq!(nothing.code, Some(1));
    assert!(nothing.stderr.contains("there is no answer to take back"), "{}", nothing.stderr);
    let items = queue(&env);
    assert!(items.len() > 4);
    let id = |at: usize| text(&items[at], "id").to_owned();
    let shown = env.json(&["review", "show", &id(0)]);
    assert!(shown["item"]["evidence"][0]["turns"].as_array().unwrap().len() > 1);
    assert!(env.ok(&["review", "show", &id(0)]).contains("> "), "the evidence is marked");

    let kept = env.json(&["review", "approve", &id(0), &id(1)]);
    assert_eq!(kept["decisions"].as_array().unwrap().len(), 2);
    let edited = env.json(&["review", "edit", &id(2), "--title", "My title", "--body", "My text."]);
    assert_eq!(text(&edited["decisions"][0], "verdict"), "edit");
    let old = text(&kept["decisions"][0], "path").to_owned();
    let replaced = env.json(&["review", "supersede", &id(3), &old]);
    assert_eq!(replaced["decisions"][0]["superseded"], kept["decisions"][0]["note"]);
    env.ok(&["review", "reject", &id(4), "--reason", "not what I meant", "--everywhere"]);
    assert!(env.ok(&["review", "rejections"]).contains("not what I meant"));
    assert_eq!(env.json(&["review", "rejections"])["rejections"][0]["project"], serde_json::Value::Null);
    assert_eq!(queue(&env).len(), items.len() - 5);
    let answers = env.json(&["review", "answers"]);
    let verdicts: Vec<_> =
        answers["answers"].as_array().unwrap().iter().map(|one| text(one, "verdict")).collect();
    assert_eq!(verdicts, ["reject", "supersede", "edit", "approve", "approve"]);
    let superseded = env.ok(&["review", "answers", "--only", "supersede"]);
    assert!(superseded.lines().count() == 1 && superseded.contains(" in place of "), "{superseded}");
    assert_eq!(text(&env.json(&["review", "undo"])["undone"], "verdict"), "reject");
    assert_eq!(queue(&env).len(), items.len() - 4);
    env.ok(&["review", "skip", &id(4)]);
    assert_eq!(text(queue(&env).last().unwrap(), "id"), id(4));
}

#[test]
fn without_a_terminal_the_queue_is_listed() {
    let env = env();
    assert_eq!(env.ok(&["review"]), env.ok(&["review", "list"]));
    assert_eq!(env.json(&["review"])["items"].as_array().unwrap().len(), queue(&env).len());
    assert_eq!(env.json(&["review", "list", "--limit", "0"])["items"].as_array().unwrap().len(), 0);
    let inbox = env.json(&["review", "list", "--place", "inbox"])["items"].as_array().unwrap().len();
    let review = env.json(&["review", "list", "--place", "review"])["items"].as_array().unwrap().len();
    assert_eq!(inbox + review, queue(&env).len());
}

#[test]
fn one_bad_name_among_good_ones_stops_none() {
    let env = env();
    let id = text(&queue(&env)[0], "id").to_owned();
    let ran = env.run(&["review", "approve", "nobody", &id]);
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stdout.starts_with("kept ("), "{ran}");
    assert!(ran.stderr.contains("there is no note `nobody`"), "{ran}");
    assert_eq!(env.run(&["review", "approve"]).code, Some(2));
    assert_eq!(env.run(&["review", "undo", "x"]).code, Some(2));
    assert_eq!(env.run(&["review", "undo", "99"]).code, Some(1));
    env.ok(&["review", "undo"]);
    let nothing = env.run(&["review", "undo"]);
    assert!(nothing.stderr.contains("there is no answer to take back"), "{nothing}");
}

/// On a terminal: a key an answer, with a real pseudo-terminal under the real program.
#[cfg(unix)]
mod on_a_terminal {
    use std::fs::{File, OpenOptions};
    use std::io::{Read, Write};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant};

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    use super::*;

    struct Terminal {
        keyboard: File,
        screen: Receiver<Vec<u8>>,
        seen: String,
    }

    impl Terminal {
        /// Waits until a text shows, then presses keys.
        fn press(&mut self, keys: &str, once: &str) {
            let deadline = Instant::now() + Duration::from_secs(180);
            while !self.seen.contains(once) {
                let left = deadline.saturating_duration_since(Instant::now());
                let bytes = self.screen.recv_timeout(left);
                let bytes = bytes.unwrap_or_else(|_| panic!("`{once}` never showed:\n{}", self.seen));
                self.seen.push_str(&String::from_utf8_lossy(&bytes));
            }
            self.seen.clear();
            self.keyboard.write_all(keys.as_bytes()).unwrap();
        }
    }

    #[test]
    fn a_key_is_an_answer() {
        let env = env();
        let before = queue(&env);
        let editor = env.path("editor.sh");
        fs::write(&editor, "printf 'In my words\\n\\nAll mine.\\n' > \"$1\"\n").unwrap();

        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let slave = || OpenOptions::new().read(true).write(true).open(&name).unwrap();
        let mut child = env
            .command(&["review"])
            .env("EDITOR", format!("sh {}", editor.display()))
            .stdin(slave())
            .stdout(slave())
            .stderr(slave())
            .spawn()
            .unwrap();
        let keyboard = File::from(master);
        let (mut reader, (send, screen)) = (keyboard.try_clone().unwrap(), channel());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Reading fails once the last end of the terminal is closed.
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 || send.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut terminal = Terminal { keyboard, screen, seen: String::new() };
        terminal.press("a", "q quit");
        terminal.press("u", "q quit");
        terminal.press("v", "q quit");
        terminal.press("e", "q quit");
        terminal.press("r", "q quit");
        terminal.press("never said\n", "why,");
        terminal.press("?", "q quit");
        terminal.press("s", "q quit");
        terminal.press("q", "q quit");
        terminal.press("", "left");
        assert!(child.wait().unwrap().success());

        let after = queue(&env);
        assert_eq!(after.len(), before.len() - 2);
        let vault = env.vault();
        let edited = vault.iter().find(|(path, _)| path.ends_with("/in-my-words.md")).unwrap();
        assert!(
            edited.1.contains("\nAll mine.\n") && edited.1.contains("title: \"In my words\""),
            "{}",
            edited.1
        );
        assert!(env.ok(&["review", "rejections"]).contains("never said"));
        assert!(after.last().unwrap()["skipped_at"].is_string());
    }
}
