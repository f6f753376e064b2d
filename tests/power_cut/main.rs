//! The power fails after what was acknowledged, again and again: nothing of it is lost.
//!
//! Afterword works on a file system that forgets what was not flushed (`disk.rs`, `mount.rs`). Commands are run on it, with and
//! without an agent beside them; the power fails right after one has ended, or in the middle of the next. Then the machine
//! starts again with what was left, and everything that was said to be done is looked for. `AFTERWORD_CUTS=1000` cuts more
//! often, `AFTERWORD_SEED` repeats a run. Where no file system can be mounted that is said, and nothing is tested.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test binary")]

mod disk;
mod facts;
mod machine;
mod mount;

use std::fs;

use disk::{Chance, Loss};
use facts::{Answer, Facts};
use machine::{Machine, session_id};
use serde_json::json;

/// A machine is used for so many cuts; then its sessions are looked at by an agent, and a new one begins.
const CUTS_OF_A_MACHINE: u64 = 25;
/// Commands make up to so many changes and flushes, mostly.
const STEPS: u64 = 120;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn nothing_acknowledged_is_lost_when_the_power_fails() {
    let cuts = number("AFTERWORD_CUTS").unwrap_or(50);
    let time = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos();
    let seed = number("AFTERWORD_SEED").unwrap_or_else(|| u64::try_from(time & 0xffff_ffff).unwrap() | 1);
    println!("{cuts} cuts, AFTERWORD_SEED={seed}");
    let (mut done, mut acknowledged) = (0, 0);
    let mut lost = Vec::new();
    for part in 0..cuts.div_ceil(CUTS_OF_A_MACHINE) {
        // Each machine has numbers of its own, so that one can be repeated without those before it.
        let seed = seed.wrapping_mul(2).wrapping_add(1).wrapping_add(part << 33);
        let machine = match Machine::new(seed) {
            Ok(machine) => machine,
            Err(error) => {
                println!("skipped: no file system can be mounted here: {error}");
                return;
            }
        };
        let mut story =
            Story { machine, facts: Facts::default(), chance: Chance(seed), next: 0, acknowledged: 0 };
        for _ in 0..CUTS_OF_A_MACHINE.min(cuts - done) {
            let what = story.until_the_next_cut();
            let missing = story.facts.missing(&story.machine);
            if !missing.is_empty() {
                println!("after {what}: {missing:#?}");
                lost.push((what, missing));
                // What was lost once would be missed after every further cut.
                done += 1;
                break;
            }
            done += 1;
        }
        acknowledged += story.acknowledged;
        if lost.is_empty() {
            story.every_session_is_reflected_in_the_end();
        }
    }
    println!("{done} cuts, {acknowledged} acknowledged, {} with losses", lost.len());
    assert!(lost.is_empty(), "{} of {done} cuts lost what was acknowledged: {lost:#?}", lost.len());
}

struct Story {
    machine: Machine,
    facts: Facts,
    chance: Chance,
    next: usize,
    acknowledged: u64,
}

impl Story {
    /// Does one thing or several, and lets the power fail at the end or in the middle. Says what was done last, and how the
    /// power failed.
    fn until_the_next_cut(&mut self) -> String {
        let loss = if self.chance.below(2) == 0 { Loss::Everything } else { Loss::Some };
        if self.facts.has_vault && self.chance.below(2) == 0 {
            self.machine.start_agent();
        }
        let whole = self.chance.below(3);
        for _ in 0..whole {
            self.act();
        }
        let sudden = self.chance.below(2) == 0;
        if sudden {
            let steps = 1 + self.chance.below(STEPS);
            self.machine.mount.fail_in(steps, loss);
        }
        let what = self.act();
        let agent = if self.machine.has_agent() { ", the agent at work" } else { "" };
        let when = if sudden && self.machine.mount.has_failed() { "in the middle" } else { "at its end" };
        self.machine.mount.fail(loss);
        self.machine.kill_agent();
        self.machine.mount.start_again();
        format!("{what}{agent}; the power failed {when}, losing {loss:?}")
    }

    /// Does something and remembers it, if the power was there until the end. What it changes is nobody's knowledge before.
    fn act(&mut self) -> String {
        if !self.facts.has_vault {
            self.machine.ok(&["init", "--vault", self.machine.vault().to_str().unwrap()]);
            let acknowledged = self.is_acknowledged();
            self.facts.has_vault = acknowledged;
            return "init".to_owned();
        }
        self.next += 1;
        let number = self.next;
        match self.chance.below(12) {
            0 if self.machine.has_agent() => self.agent_reflects(number),
            0..=2 => self.reflect(number),
            3 => self.forget(),
            4 => self.import(number),
            5 => self.task(number),
            6 => self.say(number),
            7 => self.connect(number),
            8 => self.set(number),
            9 => self.hooks(number),
            _ => self.review(number),
        }
    }

    /// Whether the power has not failed yet: what a command said before that must stay.
    fn is_acknowledged(&mut self) -> bool {
        let acknowledged = !self.machine.mount.has_failed();
        self.acknowledged += u64::from(acknowledged);
        acknowledged
    }

    fn reflect(&mut self, number: usize) -> String {
        let id = self.machine.write_session(number);
        self.machine.ok(&["reflect", &id]);
        if self.is_acknowledged() {
            self.facts.reflected.insert(number);
        }
        format!("reflect {number}")
    }

    fn agent_reflects(&mut self, number: usize) -> String {
        let id = self.machine.write_session(number);
        self.machine.wait_for_job(&id);
        if self.is_acknowledged() {
            self.facts.reflected.insert(number);
        }
        format!("the agent's reflection of {number}")
    }

    fn forget(&mut self) -> String {
        let Some(number) = self.facts.reflected.first().copied() else {
            return "nothing to forget".to_owned();
        };
        // Claude Code may delete a session at any time; one that is there would be reflected again.
        fs::remove_file(self.machine.transcript(number)).unwrap();
        self.facts.reflected.remove(&number);
        self.machine.ok(&["forget", "session", &session_id(number)]);
        if self.is_acknowledged() {
            self.facts.forgotten.insert(number);
        }
        format!("forget {number}")
    }

    fn import(&mut self, number: usize) -> String {
        let rule = format!("Always run linter zi{number}x before a commit");
        self.machine.write_work("CLAUDE.md", &format!("# Rules\n\n- {rule}.\n"));
        self.machine.ok(&["import", "--yes", "claude-md", "CLAUDE.md"]);
        if self.is_acknowledged() {
            self.facts.imported.insert(rule);
        }
        format!("import {number}")
    }

    fn task(&mut self, number: usize) -> String {
        let words = format!("watch zt{number}");
        let id = self.machine.ok(&["task", "new", &words, "--when", "every weekday at 9", "--yes"]);
        if self.is_acknowledged() {
            self.facts.tasks.insert(id.trim().to_owned(), vec![words]);
        }
        format!("task new {number}")
    }

    fn say(&mut self, number: usize) -> String {
        let Some(id) = self.facts.tasks.keys().next().cloned() else { return self.task(number) };
        let words = format!("look at zw{number} too");
        self.machine.ok(&["task", "say", "--no-wait", &id, &words]);
        if self.is_acknowledged() {
            self.facts.tasks.get_mut(&id).unwrap().push(words);
        }
        format!("task say {number}")
    }

    fn connect(&mut self, number: usize) -> String {
        let name = format!("files-{number}");
        self.machine.ok(&["connections", "add", &name, "--", "/bin/true"]);
        if self.is_acknowledged() {
            self.facts.connections.insert(name);
        }
        format!("connections add {number}")
    }

    fn set(&mut self, number: usize) -> String {
        self.facts.idle_minutes = None;
        self.machine.ok(&["config", "set", "reflection.idle_minutes", &number.to_string()]);
        if self.is_acknowledged() {
            self.facts.idle_minutes = Some(number);
        }
        format!("config set {number}")
    }

    /// Hooks do not wait for the disk. What they say is known from the transcript as well, and found in the end.
    fn hooks(&mut self, number: usize) -> String {
        let id = self.machine.write_session(number);
        let path = self.machine.transcript(number);
        for event in ["SessionStart", "SessionEnd"] {
            let input = json!({"session_id": id, "transcript_path": path, "cwd": "/w", "hook_event_name": event, "source": "startup", "reason": "other"});
            self.machine.hook(event, &input);
        }
        format!("hooks of {number}")
    }

    fn review(&mut self, number: usize) -> String {
        let id = self.machine.write_note(number);
        let text = format!("zp{number}x");
        let written = Answer::Unknown { text: text.clone() };
        if self.is_acknowledged() {
            self.facts.notes.insert(id.clone(), written);
        }
        match self.chance.below(4) {
            0 => {
                self.facts.notes.remove(&id);
                let reason = format!("zr{number}");
                self.machine.ok(&["review", "reject", &id, "--reason", &reason]);
                if self.is_acknowledged() {
                    self.facts.rejected.insert(id, reason);
                }
                format!("review reject {number}")
            }
            1 => {
                let body = format!("In my words, {text} ze{number}x.");
                self.machine.ok(&[
                    "review",
                    "edit",
                    &id,
                    "--title",
                    &format!("Mine {text}"),
                    "--body",
                    &body,
                ]);
                if self.is_acknowledged() {
                    self.facts.notes.insert(id, Answer::Approved { text: body });
                }
                format!("review edit {number}")
            }
            choice => {
                self.machine.ok(&["review", "approve", &id]);
                if self.is_acknowledged() {
                    self.facts.notes.insert(id.clone(), Answer::Approved { text });
                }
                if choice == 2 {
                    return format!("review approve {number}");
                }
                self.machine.ok(&["feedback", &id, "helped", "--reason", "it did"]);
                if self.is_acknowledged() {
                    self.facts.helped.insert(id);
                }
                format!("feedback {number}")
            }
        }
    }

    /// Whatever was lost of markers and other hints: an agent finds every session, and reflects each once.
    fn every_session_is_reflected_in_the_end(&mut self) {
        self.machine.ok(&["reflect", "--all"]);
        let transcripts = (1..=self.next).filter(|number| self.machine.transcript(*number).exists());
        self.facts.reflected = transcripts.collect();
        let missing = self.facts.missing(&self.machine);
        assert!(missing.is_empty(), "in the end: {missing:#?}");
    }
}
