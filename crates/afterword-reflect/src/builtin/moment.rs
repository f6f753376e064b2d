//! A moment: what a person said, with what led to it and what came of it.
//!
//! [`Moments`] takes events one at a time and keeps only bounded texts, so that a session of any size can be read.

use afterword_transcript::event::{
    Authorship, EntryLocation, Event, Origin, Repeat, ToolCall, ToolStatus, Undelivered, Utterance,
};

use super::issue::issue_title;
use super::redone::{self, Work};
use super::words::{PLAN, file_name, head, own_words, tail};

/// Longest part kept of what the agent said before, in bytes from its end (where the question stands).
const BEFORE: usize = 4000;
/// Longest part kept of what the agent answered, in bytes from its start (where it takes a stand).
const REPLY: usize = 600;
/// Longest part kept of the person's own words, in bytes.
const WORDS: usize = 2400;

/// Most issues kept of what the agent did between two utterances.
const FILED: usize = 8;

/// Words of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentText {
    /// Where.
    pub place: EntryLocation,
    /// The words, bounded.
    pub text: String,
}

/// What the agent did between two utterances.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Activity {
    /// Tool calls.
    pub calls: u32,
    /// Those that change files.
    pub edits: u32,
    /// Calls that failed.
    pub failures: u32,
    /// The first call changed a file.
    pub edits_first: bool,
    /// The person interrupted.
    pub interrupted: bool,
    /// Files changed, by their last path component; the first few.
    pub files: Vec<String>,
    /// Issues filed, by their titles; the first few.
    pub filed: Vec<String>,
    /// What was written and run; the last few.
    pub work: Vec<Work>,
}

/// What a person said, with what led to it and what came of it.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The words as they came.
    pub utterance: Utterance,
    /// What of them is the person's own: pasted logs, code and reviews left out. Bounded.
    pub own: String,
    /// How many utterances came before it.
    pub index: usize,
    /// How many events came before it.
    pub ordinal: u64,
    /// The agent's last words before.
    pub before: Option<AgentText>,
    /// The agent's first words after.
    pub reply: Option<AgentText>,
    /// What the agent did since the utterance before.
    pub lead: Activity,
    /// What the agent did until the next utterance.
    pub follow: Activity,
    /// How many words the next utterance has.
    pub next_words: Option<usize>,
    /// The call the person rejected with these words.
    pub rejected: Option<ToolCall>,
}

/// Assembles moments from events.
#[derive(Debug, Default)]
pub struct Moments {
    done: Vec<Moment>,
    open: Vec<Moment>,
    before: Option<AgentText>,
    activity: Activity,
    calls: std::collections::VecDeque<ToolCall>,
    count: usize,
    ordinal: u64,
}

impl Moments {
    /// Takes the next event of the session.
    pub fn push(&mut self, event: &Event) {
        self.ordinal += 1;
        match event {
            Event::User(utterance) => self.person(utterance),
            Event::Repeat(repeat) => self.repeat(repeat),
            Event::Agent { place, text } if !place.sidechain => self.agent(place, text),
            Event::Call(call) if !call.place.sidechain => self.call(call),
            Event::Outcome(outcome) if outcome.status == ToolStatus::Failed && !outcome.place.sidechain => {
                self.activity.failures += 1;
            }
            Event::Interrupt { .. } => self.activity.interrupted = true,
            Event::Rewind(rewind) => {
                self.done.retain(|moment| !rewind.withdraws(&moment.utterance));
                self.open.retain(|moment| !rewind.withdraws(&moment.utterance));
                self.before.take_if(|said| rewind.covers(&said.place));
            }
            Event::Undelivered(undelivered) => self.undelivered(undelivered),
            _ => {}
        }
    }

    /// All moments of the session, in order.
    pub fn finish(mut self) -> Vec<Moment> {
        if let Some(last) = self.open.last_mut() {
            last.follow = std::mem::take(&mut self.activity);
        }
        self.done.append(&mut self.open);
        // A command typed in `!` mode says nothing to the agent. Which of the queued ones were commands is known only now.
        self.done.retain(|moment| moment.utterance.origin != Origin::Shell);
        // Nor does who carries out a plan: its words are the agent's.
        self.done.retain(|moment| moment.own != PLAN);
        self.done
    }

    fn person(&mut self, utterance: &Utterance) {
        let own = own_words(&utterance.text, &utterance.pasted);
        let activity = std::mem::take(&mut self.activity);
        if let Some(last) = self.open.last_mut() {
            last.follow.clone_from(&activity);
            last.next_words = Some(own.split_whitespace().count());
        }
        // Utterances in a row share the answer that follows the last of them.
        if self.open.last().is_some_and(|last| last.reply.is_some()) {
            self.done.append(&mut self.open);
        }
        let rejected = match &utterance.origin {
            Origin::Rejection { call } | Origin::PlanFeedback { call } => {
                self.calls.iter().rev().find(|known| known.id == *call).cloned()
            }
            _ => None,
        };
        let mut utterance = utterance.clone();
        if utterance.text.len() > 2 * WORDS {
            utterance.text = head(&utterance.text, 2 * WORDS).to_owned();
        }
        self.open.push(Moment {
            own: if own.len() > WORDS {
                format!("{}\n{}", head(&own, WORDS / 2), tail(&own, WORDS / 2))
            } else {
                own
            },
            utterance,
            index: self.count,
            ordinal: self.ordinal,
            before: self.before.clone(),
            reply: None,
            lead: activity,
            follow: Activity::default(),
            next_words: None,
            rejected,
        });
        self.count += 1;
    }

    fn repeat(&mut self, repeat: &Repeat) {
        let known = self.open.iter_mut().chain(self.done.iter_mut().rev().take(64));
        if let Some(moment) = known.into_iter().find(|moment| moment.utterance.place.line == repeat.of) {
            moment.utterance.merge_repeat(repeat.clone());
            if repeat.edited.is_some() {
                moment.own = own_words(&moment.utterance.text, &moment.utterance.pasted);
            }
        }
    }

    fn undelivered(&mut self, undelivered: &Undelivered) {
        let is_it = |moment: &Moment| moment.utterance.place.line == undelivered.of;
        if undelivered.taken_back {
            self.done.retain(|moment| !is_it(moment));
            self.open.retain(|moment| !is_it(moment));
        } else if let Some(moment) = self.open.iter_mut().chain(&mut self.done).find(|moment| is_it(moment)) {
            moment.utterance.authorship = Authorship::Doubtful;
        }
    }

    fn agent(&mut self, place: &EntryLocation, text: &str) {
        for moment in self.open.iter_mut().filter(|moment| moment.reply.is_none()) {
            moment.reply = Some(AgentText { place: place.clone(), text: head(text, REPLY).to_owned() });
        }
        self.before = Some(AgentText { place: place.clone(), text: tail(text, BEFORE).to_owned() });
    }

    fn call(&mut self, call: &ToolCall) {
        let edits = is_edit(&call.name);
        let activity = &mut self.activity;
        activity.edits_first |= edits && activity.calls == 0;
        activity.calls += 1;
        activity.edits += u32::from(edits);
        if edits && activity.files.len() < 4 {
            let name = file_name(&call.summary).trim().to_owned();
            if !name.is_empty() && name.len() < 80 && !activity.files.contains(&name) {
                activity.files.push(name);
            }
        }
        if activity.filed.len() < FILED
            && let Some(title) = issue_title(call)
            && !activity.filed.contains(&title)
        {
            activity.filed.push(title);
        }
        if let Some(work) = Work::of(call) {
            if activity.work.len() == redone::MOST {
                activity.work.remove(0);
            }
            activity.work.push(work);
        }
        if self.calls.len() == 8 {
            self.calls.pop_front();
        }
        self.calls.push_back(call.clone());
    }
}

/// Whether a tool changes files.
pub fn is_edit(tool: &str) -> bool {
    matches!(tool, "Edit" | "Write" | "MultiEdit" | "NotebookEdit" | "Update")
}
