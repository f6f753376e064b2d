//! What is remembered of a session while its events pass: the task, the last run of each check, what became of the files, and
//! what the person said to it.

use std::collections::HashMap;

use afterword_core::listing::join_with_and;
use afterword_transcript::event::{Authorship, Event, Origin, ToolCall, ToolOutcome, ToolStatus, Utterance};

use super::checks;
use crate::builtin::language::{Language, normalise};
use crate::builtin::moment::is_edit;
use crate::builtin::phrase::{flat, title};
use crate::builtin::words::{head, own_words, sentences, tail};

/// Checks remembered by name.
const MOST_CHECKS: usize = 32;
/// Calls that wait for their outcome.
const MOST_CALLS: usize = 256;
/// Objections remembered, the first ones.
const MOST_OBJECTIONS: usize = 8;
/// Bytes of a text kept.
const LONGEST: usize = 400;
/// Changed files remembered by name: enough to say what was worked on.
const MOST_CHANGED: usize = 3;
/// Bytes of what was asked for; longer sentences are cut at a clause.
const TASK: usize = 200;
/// Bytes of a person's words that are asked what they say of the work: later ones are about something else.
const REACTION: usize = 240;

/// One check over the session.
#[derive(Debug, Clone, Default)]
pub(super) struct Check {
    pub(super) name: String,
    pub(super) runs: u32,
    pub(super) failures: u32,
    pub(super) passed_last: bool,
    /// When it ran last.
    pub(super) at: u64,
    pub(super) line: u64,
    /// The telling line of its last failure.
    pub(super) error: String,
    /// Files changed between its last failure and its success.
    pub(super) mended_in: Vec<String>,
}

/// What a person said of the work.
#[derive(Debug, Clone)]
pub(super) struct Reaction {
    pub(super) pleased: bool,
    pub(super) displeased: bool,
    pub(super) words: String,
    pub(super) at: u64,
    pub(super) line: u64,
}

/// Something that happened, and when.
#[derive(Debug, Clone, Default)]
pub(super) struct TimedEvent {
    pub(super) what: String,
    pub(super) at: u64,
    pub(super) line: u64,
}

/// Words that ask for nothing new.
const GOING_ON: [&str; 48] = [
    "a", "again", "ahead", "all", "and", "as", "back", "can", "carry", "continue", "cool", "do", "fine",
    "from", "go", "going", "good", "great", "i", "is", "it", "just", "keep", "left", "let", "now", "off",
    "ok", "okay", "on", "perfect", "please", "proceed", "resume", "so", "sounds", "start", "sure", "thank",
    "thanks", "that", "the", "then", "we", "where", "yep", "yes", "you",
];

/// Whether a prompt says no more than to go on: "yes, please continue", "/compact and go on". A command's name is no word.
fn goes_on(text: &str) -> bool {
    let text = match text.strip_prefix('/') {
        Some(command) => command.split_once(char::is_whitespace).map_or("", |(_, rest)| rest),
        None => text,
    };
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.all(|word| GOING_ON.contains(&word.to_lowercase().as_str()))
}

/// What a prompt asks for, in whole sentences: from the first that says something on, as far as they are short.
fn asked_for(own: &str) -> String {
    let all = sentences(own);
    let says = |one: &&str| one.split_whitespace().count() >= 3 && !goes_on(one);
    let from = all.iter().position(|one| says(&one.trim())).unwrap_or(0);
    let mut task = String::new();
    for sentence in all.iter().skip(from).map(|one| flat(one)).filter(|one| !one.is_empty()) {
        if !task.is_empty() && task.len() + sentence.len() >= TASK {
            break;
        }
        task.push_str(if task.is_empty() { "" } else { " " });
        task.push_str(&sentence);
    }
    if task.len() > TASK { title(&task) } else { task }
}

#[derive(Debug, Default)]
pub(super) struct Memory {
    now: u64,
    task: Option<String>,
    /// It only told the agent to go on, as a resumed session begins; the next prompt that says more takes its place.
    pub(super) task_is_thin: bool,
    calls: HashMap<String, ToolCall>,
    pub(super) checks: Vec<Check>,
    pub(super) edits: u32,
    pub(super) last_edit: u64,
    commands: u32,
    files_since_check: Vec<String>,
    /// The first files that were changed.
    changed: Vec<String>,
    pub(super) committed: Option<TimedEvent>,
    pub(super) reverted: Option<TimedEvent>,
    pub(super) stopped: Option<TimedEvent>,
    pub(super) failed: Option<TimedEvent>,
    /// The last thing an agent or a tool did.
    pub(super) last_act: u64,
    pub(super) reaction: Option<Reaction>,
    pub(super) objections: Vec<String>,
    /// What the agent called since the person spoke last.
    pub(super) calls_since: u32,
}

impl Memory {
    pub(super) fn push(&mut self, event: &Event) {
        self.now += 1;
        match event {
            Event::User(utterance)
                if !utterance.place.sidechain && utterance.authorship == Authorship::Person =>
            {
                self.add_utterance(utterance);
            }
            Event::Call(call) if !call.place.sidechain => self.call(call),
            Event::Outcome(outcome) if !outcome.place.sidechain => self.outcome(outcome),
            Event::Interrupt { place, .. } if !place.sidechain => {
                let what = "the person stopped the agent".to_owned();
                self.stopped = Some(TimedEvent { what, at: self.now, line: place.line });
            }
            Event::Agent { place, .. } if !place.sidechain => self.last_act = self.now,
            _ => {}
        }
    }

    /// What the person wanted. Where they only told the agent to go on, what it went on with.
    pub(super) fn task(&self) -> Option<String> {
        let went_on = self.task_is_thin.then(|| self.went_on_with()).flatten();
        went_on.or_else(|| self.task.clone())
    }

    /// What the work was about, by what it changed, or else by what it ran.
    fn went_on_with(&self) -> Option<String> {
        let checks = self.checks.iter().take(MOST_CHANGED).map(|check| format!("`{}`", check.name));
        let names = if self.changed.is_empty() { checks.collect() } else { self.changed.clone() };
        (!names.is_empty()).then(|| format!("Go on with {}", join_with_and(names)))
    }

    /// Whether anything was done that can end well or badly.
    pub(super) fn has_worked(&self) -> bool {
        self.edits > 0 || self.commands > 0
    }

    /// Checks that failed when they ran last, and were not made up for by a wider one of the same sort that passed later:
    /// `mise test` says more than `mise test:ui`.
    pub(super) fn open_checks(&self) -> impl Iterator<Item = &Check> {
        let stem = |name: &str| name.split([':', '-']).next().unwrap_or_default().to_owned();
        let made_up_for = move |check: &Check| {
            let later = self.checks.iter().filter(|one| one.passed_last && one.at > check.at);
            later.clone().any(|one| stem(&one.name) == stem(&check.name))
                || later.count() > 0 && self.committed.as_ref().is_some_and(|commit| commit.at > check.at)
        };
        self.checks.iter().filter(move |check| !check.passed_last && !made_up_for(check))
    }

    fn add_utterance(&mut self, utterance: &Utterance) {
        let own = own_words(&utterance.text, &utterance.pasted);
        let asks =
            matches!(utterance.origin, Origin::Prompt | Origin::Queued | Origin::CommandArguments { .. });
        if asks && own.split_whitespace().count() >= 3 && (self.task.is_none() || self.task_is_thin) {
            let thin = goes_on(&own);
            // An objection to the work says what is wrong with it, and not what it was about.
            let objects = self.has_worked() && reaction(&own).1;
            if self.task.is_none() || !thin && !objects {
                self.task = Some(asked_for(&own));
                self.task_is_thin = thin;
            }
            // What comes after work is said of it, too.
            if !self.has_worked() {
                return;
            }
        }
        let refused = matches!(utterance.origin, Origin::Rejection { .. } | Origin::PlanFeedback { .. });
        let (pleased, displeased) = reaction(&own);
        if self.has_worked() && matches!(utterance.origin, Origin::Prompt | Origin::Queued) {
            let words = head(own.trim(), LONGEST).to_owned();
            let (at, line) = (self.now, utterance.place.line);
            self.calls_since = 0;
            self.reaction = Some(Reaction { pleased, displeased, words, at, line });
        }
        if (refused || displeased)
            && self.objections.len() < MOST_OBJECTIONS
            && own.split_whitespace().count() >= 3
        {
            self.objections.push(head(own.trim(), LONGEST).to_owned());
        }
    }

    fn call(&mut self, call: &ToolCall) {
        self.calls_since += 1;
        self.last_act = self.now;
        if self.calls.len() >= MOST_CALLS {
            self.calls.clear();
        }
        if call.name == "Bash" || call.name == "PowerShell" || is_edit(&call.name) {
            self.calls.insert(call.id.clone(), call.clone());
        }
    }

    fn outcome(&mut self, outcome: &ToolOutcome) {
        let Some(call) = self.calls.remove(&outcome.call) else { return };
        self.last_act = self.now;
        let happened =
            |what: &str| TimedEvent { what: what.to_owned(), at: self.now, line: outcome.place.line };
        match outcome.status {
            ToolStatus::Rejected | ToolStatus::Interrupted => {
                self.stopped = Some(happened("the person did not let it run"));
                return;
            }
            ToolStatus::Ok | ToolStatus::Failed | ToolStatus::PlanApproved => {}
        }
        let ok = outcome.status != ToolStatus::Failed;
        if is_edit(&call.name) {
            if ok {
                self.edits += 1;
                self.last_edit = self.now;
                self.file(&call);
            }
            return;
        }
        self.commands += 1;
        let command = if call.input.is_empty() { &call.summary } else { &call.input };
        if ok && commits(command) {
            self.committed = Some(happened("the work was committed"));
        }
        if ok && throws_away(command) {
            self.reverted = Some(happened(head(command, 120)));
        }
        let checks = checks::of(command);
        self.failed = (!ok && checks.is_empty())
            .then(|| TimedEvent { what: informative_line(&outcome.error), ..happened("") });
        for name in checks {
            self.check(name, ok, outcome);
        }
    }

    fn check(&mut self, name: String, ok: bool, outcome: &ToolOutcome) {
        let known = self.checks.iter().position(|check| check.name == name);
        let index = match known {
            Some(index) => index,
            None if self.checks.len() == MOST_CHECKS => return,
            None => {
                self.checks.push(Check { name, passed_last: true, ..Check::default() });
                self.checks.len() - 1
            }
        };
        let Some(check) = self.checks.get_mut(index) else { return };
        if ok && !check.passed_last {
            check.mended_in = std::mem::take(&mut self.files_since_check);
        }
        if !ok {
            check.failures += 1;
            check.error = informative_line(&outcome.error);
            check.mended_in.clear();
            self.files_since_check.clear();
        }
        check.runs += 1;
        (check.passed_last, check.at, check.line) = (ok, self.now, outcome.place.line);
    }

    fn file(&mut self, call: &ToolCall) {
        let name = call.summary.rsplit(['/', '\\']).next().unwrap_or_default().trim();
        if name.is_empty() || name.len() >= 80 {
            return;
        }
        for (files, most) in [(&mut self.files_since_check, 4), (&mut self.changed, MOST_CHANGED)] {
            if files.len() < most && files.iter().all(|file| file != name) {
                files.push(name.to_owned());
            }
        }
    }
}

/// Whether a person's words say that the work is good, and that it is not.
fn reaction(own: &str) -> (bool, bool) {
    let families = &Language::english().outcome;
    let text = normalise(head(own.trim(), REACTION));
    let present = families.present(&text);
    let has = |name: &str| families.names().zip(&present).any(|(known, there)| *there && known == name);
    let displeased = has("outcome.displeased") && !has("outcome.displeased_unless");
    (has("outcome.pleased") && !displeased, displeased)
}

fn commits(command: &str) -> bool {
    ["git commit", "gh pr create", "gh pr merge", "git push", "jj describe", "git merge"]
        .iter()
        .any(|sign| command.contains(sign))
}

fn throws_away(command: &str) -> bool {
    let signs = [
        "git revert",
        "git reset --hard",
        "git checkout -- ",
        "git checkout HEAD -- ",
        "git restore ",
        "git stash drop",
    ];
    signs.iter().any(|sign| command.contains(sign)) && !command.contains("--staged")
}

/// The line of an error that says most: the first that names one, else the last that is not blank.
fn informative_line(error: &str) -> String {
    let says = |line: &&str| {
        let line = line.trim_start().to_lowercase();
        ["error", "fail", "panicked", "assert", "exception", "cannot", "not found", "undefined", "expected"]
            .iter()
            .any(|sign| line.contains(sign))
    };
    let mut lines = error.lines().map(str::trim).filter(|line| line.chars().any(char::is_alphabetic));
    let exit = |line: &&str| !line.starts_with("Exit code");
    let found = lines.clone().filter(exit).find(says).or_else(|| lines.rfind(exit));
    tail(head(found.unwrap_or_default(), 200), 200).to_owned()
}
