//! The filtered view of a session: what people said, what the agent said and did, and how it went.
//!
//! This is the only form in which the rest of the program sees a transcript. Every text is bounded (see the
//! constants), so that memory depends on the number of events alone, and a consumer that takes events one at a
//! time needs none for the file's size.

use jiff::Timestamp;

/// Longest text kept of one utterance, in bytes; longer ones keep their head and tail (people write below a paste).
pub const MAX_UTTERANCE: usize = 16 * 1024;
/// Longest text kept of one assistant message, in bytes; head and tail.
pub const MAX_AGENT_TEXT: usize = 8 * 1024;
/// Longest tool input kept (command, path, old and new text heads), in bytes.
pub const MAX_TOOL_INPUT: usize = 1024;
/// Longest head of a tool's error kept, in bytes.
pub const MAX_ERROR: usize = 1024;

/// Where in the transcript something stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryLocation {
    /// Line in the file, counted from 1.
    pub line: u64,
    /// The entry's uuid; empty where it has none.
    pub uuid: String,
    /// When the entry was written.
    pub time: Option<Timestamp>,
    /// Said or done by a sub-agent, not in the main conversation.
    pub sidechain: bool,
}

/// One thing that happened in a session, in file order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Words of the person, at first sight.
    User(Utterance),
    /// Words of the person that have been said before in this file: a queued message delivered, one edited, a
    /// prompt typed again after a hook or the person stopped it. They belong to an earlier utterance;
    /// [`Utterance::merge_repeat`] adds them there, and [`crate::read_session`] has done so.
    Repeat(Repeat),
    /// Visible text of the agent (thinking is not kept).
    Agent {
        /// Where.
        place: EntryLocation,
        /// The text, bounded.
        text: String,
    },
    /// The agent called a tool.
    Call(ToolCall),
    /// A tool answered.
    Outcome(ToolOutcome),
    /// The person pressed escape.
    Interrupt {
        /// Where.
        place: EntryLocation,
        /// It stopped a tool call, not the agent's talk.
        during_tool: bool,
    },
    /// The client compacted the conversation here.
    Compaction {
        /// Where.
        place: EntryLocation,
    },
    /// The person went back to an earlier place of the conversation and typed on from there.
    Rewind(Rewind),
    /// A message that waited in the queue was not given to the agent.
    Undelivered(Undelivered),
}

/// What became of a queued message that the agent never got.
///
/// An utterance is handed out as soon as it is queued, so this comes later: where it was taken back, or at the end of
/// what there is to read. In the queue nothing says who sent a message; its delivery does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undelivered {
    /// The line of the utterance (`place.line`).
    pub of: u64,
    /// Where the file says so.
    pub place: EntryLocation,
    /// The person took it back before it was sent: it was not said. Else nothing proves that it is theirs.
    pub taken_back: bool,
}

/// A part of the conversation the person took back: what was said in it does not count as said.
///
/// A file is only ever added to, so what is taken back stands in it still. The event comes right after the words
/// typed instead. Commands that ran in that part did run: their [`ToolCall`]s and [`ToolOutcome`]s stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewind {
    /// Where the words typed instead stand.
    pub place: EntryLocation,
    /// The first line taken back.
    pub from: u64,
}

impl Rewind {
    /// Whether words were taken back. What decides is where they stand last: a message may be queued long before it
    /// is delivered, and words sent again unchanged are said after all.
    #[must_use]
    pub fn withdraws(&self, utterance: &Utterance) -> bool {
        self.covers(utterance.also.last().unwrap_or(&utterance.place))
    }

    /// Whether a place is in the part taken back.
    #[must_use]
    pub fn covers(&self, place: &EntryLocation) -> bool {
        !place.sidechain && (self.from..self.place.line).contains(&place.line)
    }
}

/// Words of the person, with every wrapper a machine put around them removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Utterance {
    /// Where they stand; when the same words arrived twice (queued, then delivered) the first place.
    pub place: EntryLocation,
    /// Further places of the same words (deliveries, repeats by editing a queued message).
    pub also: Vec<EntryLocation>,
    /// How the words arrived.
    pub origin: Origin,
    /// Whether the transcript proves that the person wrote them.
    pub authorship: Authorship,
    /// The words, bounded.
    pub text: String,
    /// An image or document came with them.
    pub attachment: bool,
    /// The words seem to be (or hold) pasted material: logs, reviews, code; the byte ranges of `text` so judged.
    pub pasted: Vec<std::ops::Range<usize>>,
}

/// Whether the transcript proves who wrote words that stand in the person's name.
///
/// `docs/decisions/0013-whose-words.md` has every way words arrive and what decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authorship {
    /// The client wrote them where only the person's words can stand.
    Person,
    /// Somebody else could have put them there: a tool server that answers with the client's own sentence of
    /// rejection, a program that answers for the person, a prompt the client suggested. Nothing may be saved on
    /// such words unasked.
    Doubtful,
}

impl Utterance {
    /// Takes in a repeat of these words: its place, its origin, and the text as it was last edited.
    pub fn merge_repeat(&mut self, repeat: Repeat) {
        self.also.push(repeat.place);
        self.origin = repeat.origin;
        self.authorship = repeat.authorship;
        self.attachment |= repeat.attachment;
        if let Some((text, pasted)) = repeat.edited {
            (self.text, self.pasted) = (text, pasted);
        }
    }
}

/// Words of the person that arrived again.
///
/// A file is read in one pass, and a queued message may be delivered hundreds of lines later; so an utterance is
/// handed out at once and what follows of it comes as this. Only the last 64 utterances are remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The line of the utterance this repeats (`place.line`).
    pub of: u64,
    /// Where the words stand again.
    pub place: EntryLocation,
    /// How the words arrived, knowing both places: a message queued while nothing ran was simply typed; one taken
    /// back and then given as a reason is that reason; one that was run was a shell command.
    pub origin: Origin,
    /// Who wrote the words, knowing both places: a queued message's delivery says who sent it.
    pub authorship: Authorship,
    /// The text and its pasted ranges as they stand here, where the person has changed them.
    pub edited: Option<(String, Vec<std::ops::Range<usize>>)>,
    /// An image or document came with them.
    pub attachment: bool,
}

/// How words of the person arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Typed at the prompt.
    Prompt,
    /// Typed while the agent was working (`queue-operation` or `queued_command`).
    Queued,
    /// The reason given when rejecting a tool call: with it, or in the first words typed after it.
    Rejection {
        /// The rejected call's id (`tool_use_id`).
        call: String,
    },
    /// A plan sent back (ExitPlanMode rejected) with words.
    PlanFeedback {
        /// The rejected call's id.
        call: String,
    },
    /// An answer to AskUserQuestion: `text` is the answer, one utterance a question.
    Answer {
        /// The question asked.
        question: String,
        /// The options offered: label and description.
        options: Vec<(String, String)>,
        /// The answer is the person's own words, not one of the options.
        free_text: bool,
    },
    /// Arguments typed after a slash command.
    CommandArguments {
        /// The command with its slash.
        command: String,
    },
    /// Typed in `!` mode: a shell command of the person's own, never the words of a rule. One typed while the agent
    /// was working is queued without a mark and first seen as [`Origin::Queued`]; its [`Repeat`] has this origin.
    Shell,
}

/// A tool call reduced to what identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Where.
    pub place: EntryLocation,
    /// `tool_use` id.
    pub id: String,
    /// Tool name (`Bash`, `Edit`, `mcp__server__tool`).
    pub name: String,
    /// One line that says what it does: the command, the path, the pattern, the URL.
    pub summary: String,
    /// What it would change or run, bounded: the command; for edits the new text's head; for a plan the plan's head; for
    /// AskUserQuestion the questions.
    pub input: String,
    /// For edits, the head of the text to be replaced; empty otherwise.
    pub before: String,
}

/// How a tool call went. The result's content is stripped; of an error the head is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutcome {
    /// Where.
    pub place: EntryLocation,
    /// The call's id.
    pub call: String,
    /// How it went.
    pub status: ToolStatus,
    /// First lines of the error (`Failed`), ANSI codes removed; for a command the end of its output too, since
    /// that is where test runners put their verdict. Empty otherwise.
    pub error: String,
    /// The person changed the edit before accepting it (`toolUseResult.userModified`).
    pub user_modified: bool,
}

/// How a tool call went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolStatus {
    /// It worked.
    Ok,
    /// It failed, by `is_error`, a non-zero exit, or an error in what it printed that the client did not mark.
    Failed,
    /// The person did not let it run.
    Rejected,
    /// Stopped by the person while it ran.
    Interrupted,
    /// A plan the person approved (ExitPlanMode accepted).
    PlanApproved,
}
