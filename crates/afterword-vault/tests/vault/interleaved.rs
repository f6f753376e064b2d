//! No byte of a person's is lost, whatever comes between whatever: their saves, this program's writes, conflict copies,
//! kills.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use afterword_core::{Confidence, Kind};
use afterword_vault::{ConflictOutcome, EmptyHistory, Lesson, Snapshot, Vault, find_conflicts, plan};

use crate::test_vault::{LATER, SESSION, candidate, lesson_of, now, user_evidence};

/// Where the child finds the vault it is to write to.
const VAULT: &str = "AFTERWORD_TEST_INTERLEAVED_VAULT";
/// How many interleavings are tried; set it to 1000 for the full proof.
const HOW_MANY: &str = "AFTERWORD_TEST_INTERLEAVINGS";
/// What a person and a sync tool do in one interleaving.
const STEPS: usize = 30;

/// A small generator of random numbers: the same seed gives the same steps (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }
}

/// Six lessons, each with one more piece of evidence a round.
fn lessons(round: usize) -> Vec<Lesson> {
    let lesson = |number: usize| {
        let piece = |round: usize| {
            user_evidence(
                &format!("{number:08}-{round:04}-4bbb-8ccc-000000000001"),
                round as u64 + 1,
                &format!("said {number} in {round}"),
            )
        };
        let kind = [Kind::Preference, Kind::Fix, Kind::Idea][number % 3];
        let evidence = (0..=round.min(9)).map(piece).collect();
        lesson_of(
            candidate(kind, Confidence::High, &format!("Lesson number {number}."), evidence),
            if number < 3 { SESSION } else { LATER },
        )
    };
    (0..6).map(lesson).collect()
}

fn work(vault: &Vault, round: usize, seen: &mut Snapshot) {
    let index = vault.scan().unwrap();
    vault.apply(&plan(&index, &lessons(round), &EmptyHistory, &now()));
    if let Ok(after) = Snapshot::take(vault, seen) {
        *seen = after;
    }
    for conflict in find_conflicts(&vault.scan().unwrap(), &|from, to| seen.changed_between(from, to)) {
        conflict.merge(vault, &now()).unwrap();
    }
}

#[test]
#[ignore = "the process that the test below kills"]
fn child() {
    let vault = Vault::open(Path::new(&std::env::var(VAULT).unwrap())).unwrap();
    let mut seen = Snapshot::default();
    for round in 0.. {
        work(&vault, round, &mut seen);
    }
}

fn start(root: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "interleaved::child", "--ignored"])
        .env(VAULT, root)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The files of the vault, those that hide among them if asked for.
fn files(folder: &Path, hidden: bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path, hidden));
        } else if hidden || (!name.starts_with('.') && name.ends_with(".md")) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The program, held in whatever it is doing until this is dropped: what an editor puts in the place of what came between its
/// last look and its write is lost with any program.
struct Held<'a>(#[cfg_attr(not(unix), expect(dead_code, reason = "only on Unix is it held"))] &'a Child);

impl<'a> Held<'a> {
    #[cfg(unix)]
    fn new(process: &'a Child) -> Self {
        use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
        let pid = Pid::from_child(process);
        kill_process(pid, Signal::STOP).unwrap();
        // It is left to be waited for: here its state is only looked at.
        let looked = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(pid), looked).unwrap();
        Self(process)
    }

    #[cfg(not(unix))]
    fn new(process: &'a Child) -> Self {
        Self(process)
    }
}

#[cfg(unix)]
impl Drop for Held<'_> {
    fn drop(&mut self) {
        use rustix::process::{Pid, Signal, kill_process};
        kill_process(Pid::from_child(self.0), Signal::CONT).unwrap();
    }
}

/// What a person wrote, each piece a word of its own.
struct Person {
    random: Random,
    words: Vec<String>,
    earlier: BTreeMap<PathBuf, String>,
}

impl Person {
    fn step(&mut self, root: &Path, program: &Child, seed: u64) {
        let notes: Vec<PathBuf> = files(root, false)
            .into_iter()
            .filter(|path| {
                !path.to_string_lossy().contains("_archive")
                    && path.file_name().is_some_and(|name| name != "HEARTBEAT.md")
            })
            .collect();
        if notes.is_empty() {
            return;
        }
        let note = notes[self.random.below(notes.len())].clone();
        let Ok(text) = fs::read_to_string(&note) else { return };
        let word = format!("word{seed}x{}", self.words.len());
        match self.random.below(6) {
            // Saves as Obsidian does (in place), and as most editors do (a new file with the old name).
            0 | 1 => {
                if self.save(
                    program,
                    &note,
                    &text,
                    &format!("{}\nA thought: {word}.\n", text.trim_end()),
                    false,
                ) {
                    self.words.push(word);
                }
            }
            2 => {
                let text_with =
                    text.replacen("\n---\n", &format!("\nmine_{}: {word}\n---\n", self.words.len()), 1);
                if text_with != text && self.save(program, &note, &text, &text_with, true) {
                    self.words.push(word);
                }
            }
            // A sync tool lays a version of another machine's beside it.
            3 => {
                let base = self.earlier.get(&note).cloned().unwrap_or(text);
                let stem = note.file_stem().unwrap().to_string_lossy().into_owned();
                if stem.contains("sync-conflict") {
                    return;
                }
                let copy = note.with_file_name(format!(
                    "{stem}.sync-conflict-20260314-{:06}-ABCDEFG.md",
                    self.words.len()
                ));
                if !copy.exists()
                    && fs::write(&copy, format!("{}\nFrom elsewhere: {word}.\n", base.trim_end())).is_ok()
                {
                    self.words.push(word);
                }
            }
            // Another machine's version that differs in nothing but its line ends.
            4 => {
                let stem = note.file_stem().unwrap().to_string_lossy().into_owned();
                let copy = note.with_file_name(format!("{stem} (conflicted copy {}).md", self.words.len()));
                if !stem.contains("onflict") && !copy.exists() {
                    let _ = fs::write(&copy, text.replace('\n', "\r\n"));
                }
            }
            _ => {
                let to = root.join("Afterword/Workflows").join(note.file_name().unwrap());
                let _held = Held::new(program);
                if note.to_string_lossy().contains("/Fixes/") && !to.exists() {
                    let _ = fs::rename(&note, &to);
                }
            }
        }
        self.earlier.insert(note.clone(), fs::read_to_string(&note).unwrap_or_default());
    }

    /// Saves as a careful editor does: only if the file is still what was opened, which is looked at just before.
    fn save(&self, program: &Child, path: &Path, opened: &str, text: &str, by_rename: bool) -> bool {
        let _held = Held::new(program);
        if fs::read_to_string(path).ok().as_deref() != Some(opened) {
            return false;
        }
        if by_rename {
            let beside = path.with_extension("md.editor~");
            fs::write(&beside, text).is_ok() && fs::rename(&beside, path).is_ok()
        } else {
            fs::write(path, text).is_ok()
        }
    }
}

#[test]
fn no_byte_of_a_persons_is_lost() {
    let how_many: u64 = std::env::var(HOW_MANY).ok().and_then(|count| count.parse().ok()).unwrap_or(12);
    let (mut words, mut kills) = (0, 0);
    for seed in 1..=how_many {
        let folder = tempfile::tempdir().unwrap();
        let (vault, _) = Vault::create(folder.path()).unwrap();
        work(&vault, 0, &mut Snapshot::default());
        let mut person =
            Person { random: Random(seed * 0x9E37_79B9), words: Vec::new(), earlier: BTreeMap::new() };
        let mut process = start(folder.path());
        for step in 0..STEPS {
            let until = Instant::now() + Duration::from_micros(person.random.below(4_000) as u64);
            while Instant::now() < until {
                std::thread::yield_now();
            }
            if step % 10 == 9 {
                process.kill().unwrap();
                kills += usize::from(!process.wait().unwrap().success());
                process = start(folder.path());
            } else {
                person.step(folder.path(), &process, seed);
            }
        }
        process.kill().unwrap();
        process.wait().unwrap();
        vault.sweep(SystemTime::now() + Duration::from_secs(1));
        let mut seen = Snapshot::default();
        for round in 0..3 {
            work(&vault, round, &mut seen);
        }
        let all: String = files(folder.path(), true)
            .iter()
            .map(|path| fs::read_to_string(path).unwrap_or_default())
            .collect();
        for word in &person.words {
            assert!(
                all.contains(&format!("{word}."))
                    || all.contains(&format!("{word}\n"))
                    || all.contains(&format!("{word}\r")),
                "seed {seed}: {word} of {:?} is lost",
                person.words
            );
        }
        let joinable = find_conflicts(&vault.scan().unwrap(), &|_, _| false)
            .iter()
            .filter(|conflict| conflict.merge(&vault, &now()).unwrap() == ConflictOutcome::Done)
            .count();
        assert_eq!(joinable, 0, "seed {seed}: all that can be joined is");
        words += person.words.len();
    }
    println!("{words} words of a person's, {kills} kills, none lost");
    assert!(words > 0 && kills > 0);
}
