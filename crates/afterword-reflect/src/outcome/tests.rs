//! Sessions reduced to their events, and how they ended.

use afterword_transcript::event::{
    Authorship, EntryLocation, Origin, ToolCall, ToolOutcome, ToolStatus, Utterance,
};

use super::*;

/// Events in a row, each on a line of its own.
#[derive(Default)]
struct Session {
    judge: OutcomeJudge,
    line: u64,
}

impl Session {
    /// One in which something was asked for.
    fn new() -> Self {
        Self::default().says("please parse the orders file")
    }

    fn place(&mut self) -> EntryLocation {
        self.line += 1;
        EntryLocation { line: self.line, uuid: String::new(), time: None, sidechain: false }
    }

    fn says(self, text: &str) -> Self {
        self.says_as(Origin::Prompt, text)
    }

    fn says_as(mut self, origin: Origin, text: &str) -> Self {
        let place = self.place();
        let (also, pasted) = (Vec::new(), Vec::new());
        let authorship = Authorship::Person;
        let said =
            Utterance { place, also, origin, authorship, text: text.to_owned(), attachment: false, pasted };
        self.judge.push(&Event::User(said));
        self
    }

    fn does(mut self, tool: &str, what: &str, status: ToolStatus, error: &str) -> Self {
        let place = self.place();
        let id = format!("call-{}", place.line);
        self.judge.push(&Event::Call(ToolCall {
            place,
            id: id.clone(),
            name: tool.to_owned(),
            summary: what.to_owned(),
            input: what.to_owned(),
            before: String::new(),
        }));
        let place = self.place();
        let error = error.to_owned();
        self.judge.push(&Event::Outcome(ToolOutcome {
            place,
            call: id,
            status,
            error,
            user_modified: false,
        }));
        self
    }

    fn edits(self, file: &str) -> Self {
        self.does("Edit", file, ToolStatus::Ok, "")
    }

    fn passes(self, command: &str) -> Self {
        self.does("Bash", command, ToolStatus::Ok, "")
    }

    fn fails(self, command: &str, error: &str) -> Self {
        self.does("Bash", command, ToolStatus::Failed, error)
    }

    fn interrupted(mut self) -> Self {
        let place = self.place();
        self.judge.push(&Event::Interrupt { place, during_tool: false });
        self
    }

    fn ended(self) -> Option<Ended> {
        self.judge.finish().map(|outcome| outcome.ended)
    }
}

const TEST: &str = "cargo test";

#[test]
fn checks_tell_how_it_ended() {
    use Ended::{Failure, Partial, Success};
    let check = |session: Session, expected: Option<Ended>| assert_eq!(session.ended(), expected);
    check(Session::new().edits("a.rs").passes(TEST), Some(Success));
    check(Session::new().edits("a.rs").fails(TEST, "assertion failed"), Some(Failure));
    check(Session::new().edits("a.rs").fails(TEST, "x").edits("a.rs").passes(TEST), Some(Success));
    check(Session::new().edits("a.rs").passes(TEST).edits("a.rs"), Some(Partial));
    check(Session::new().edits("a.rs").passes("cargo build").fails("cargo test -p a", "x"), Some(Failure));
    check(Session::new().fails(TEST, "x").edits("a.rs").passes("git commit -m done"), Some(Partial));
    check(Session::new().edits("a.rs").fails("mise run test:ui", "x").passes("mise run test"), Some(Success));
    let more = Session::new().edits("a.rs").passes(TEST).says("now write the plan for the next phase");
    check(more.passes("ls").passes("ls").passes("ls").passes("ls"), Some(Partial));
}

#[test]
fn nothing_is_judged_where_nothing_tells() {
    assert_eq!(Session::new().ended(), None, "nothing was done");
    assert_eq!(Session::new().edits("a.rs").ended(), None, "nothing went wrong, and that says nothing");
    assert_eq!(Session::new().passes("ls").says("and what is in it?").ended(), None);
    assert_eq!(Session::default().edits("a.rs").passes(TEST).ended(), None, "nobody asked for anything");
}

#[test]
fn the_persons_last_words_count_most() {
    let worked = || Session::new().edits("a.rs").passes(TEST);
    assert_eq!(worked().says("it still fails with the same error").ended(), Some(Ended::Failure));
    assert_eq!(worked().says("that doesn't work").edits("a.rs").passes(TEST).ended(), Some(Ended::Success));
    assert_eq!(Session::new().edits("a.rs").says("perfect, thanks!").ended(), Some(Ended::Success));
    let failing = || Session::new().edits("a.rs").fails(TEST, "x");
    assert_eq!(
        failing().says("great, commit this").ended(),
        Some(Ended::Partial),
        "against what the test says"
    );
    assert_eq!(worked().says("why would it fail when it is empty?").ended(), Some(Ended::Success));
    let rejected = Origin::Rejection { call: "c".to_owned() };
    let outcome = worked().says_as(rejected, "use the csv crate for that instead").judge.finish().unwrap();
    assert_eq!(outcome.did_not_work, ["the person objected: \"use the csv crate for that instead\""]);
}

#[test]
fn work_that_is_thrown_away_or_stopped_failed() {
    let reverted = Session::new().edits("a.rs").passes("git reset --hard HEAD");
    assert_eq!(reverted.ended(), Some(Ended::Failure));
    let again = Session::new().edits("a.rs").passes("git checkout -- a.rs").edits("a.rs").passes(TEST);
    assert_eq!(again.ended(), Some(Ended::Success), "something was put in its place");
    assert_eq!(Session::new().edits("a.rs").interrupted().ended(), Some(Ended::Failure));
    let stopped = Session::new().edits("a.rs").passes(TEST).does("Bash", "rm x", ToolStatus::Rejected, "");
    assert_eq!(stopped.ended(), Some(Ended::Partial));
}

#[test]
fn task_is_the_first_prompt_that_says_something() {
    let check = |prompts: &[&str], expected: &str| {
        let session = prompts.iter().fold(Session::default(), |session, prompt| session.says(prompt));
        let outcome = session.edits("a.rs").passes(TEST).judge.finish().unwrap();
        assert_eq!(outcome.task, expected, "{prompts:?}");
    };
    check(&["yes, please continue", "parse the orders file"], "parse the orders file");
    check(
        &["ok", "Sounds good, go ahead!", "/compact and go on", "add a column for prices"],
        "add a column for prices",
    );
    check(&["/review the parser for errors", "then fix them all"], "/review the parser for errors");
    check(&["go on with the parser"], "go on with the parser");
    check(&["yes go on please"], "Go on with a.rs");
    check(
        &[
            "Hi!\nWe have orders as CSV files.\nParse them into rows and keep the header.\n\n- quoted fields stay whole",
        ],
        "We have orders as CSV files. Parse them into rows and keep the header. quoted fields stay whole",
    );
    let long = format!("Add a column for prices. {}", "It is shown in the list of orders, too. ".repeat(9));
    let asked = "Add a column for prices. It is shown in the list of orders, too. It is shown in the list of orders, too. \
                 It is shown in the list of orders, too. It is shown in the list of orders, too.";
    check(&[&long], asked);
    let resumed =
        Session::default().says("please go on").edits("a.rs").passes(TEST).says("no, that is wrong again");
    let outcome = resumed.judge.finish().unwrap();
    assert!(outcome.task_is_thin, "a title that the client gave says more");
    assert_eq!(outcome.task, "Go on with a.rs", "an objection does not say what it was about");
    assert!(outcome.did_not_work.iter().any(|one| one.contains("wrong again")), "{outcome:?}");
}

#[test]
fn session_that_only_goes_on_is_called_by_what_it_went_on_with() {
    let task = |session: Session| session.judge.finish().unwrap().task;
    let on = || Session::default().says("please go on");
    assert_eq!(
        task(on().edits("/w/src/orders.rs").edits("/w/src/csv.rs").passes(TEST)),
        "Go on with orders.rs and csv.rs"
    );
    let many = ["/w/a.rs", "/w/b.rs", "/w/a.rs", "/w/c.rs", "/w/d.rs"]
        .iter()
        .fold(on(), |session, file| session.edits(file));
    assert_eq!(task(many.passes(TEST)), "Go on with a.rs, b.rs and c.rs");
    assert_eq!(task(on().passes("cargo test -p orders")), "Go on with `cargo test`");
    let later = on().edits("/w/a.rs").passes(TEST).says("that works, now add a column for prices");
    assert_eq!(task(later), "that works, now add a column for prices");
}

#[test]
fn outcome_is_told_in_sentences_with_reasons() {
    let session = Session::new()
        .edits("/w/src/orders.rs")
        .fails("cargo test -p orders", "Exit code 101\nrunning 3 tests\nerror: quoted field is cut")
        .edits("/w/src/csv.rs")
        .passes("cargo test -p orders");
    let outcome = session.judge.finish().unwrap();
    assert_eq!(outcome.task, "please parse the orders file");
    assert_eq!(
        outcome.worked,
        ["`cargo test` passes after a change of csv.rs, which had failed with: error: quoted field is cut"]
    );
    assert_eq!((outcome.next.as_str(), outcome.did_not_work.len()), ("Continue with this approach", 0));
    assert_eq!(outcome.signs.len(), 1);
    assert_eq!((outcome.signs[0].weight, outcome.signs[0].line), (weight::PASSED, 9));
    let failed = Session::new().edits("a.rs").fails("pytest", "E   assert 1 == 2").judge.finish().unwrap();
    assert_eq!(failed.did_not_work, ["`pytest` failed: E   assert 1 == 2"]);
    assert_eq!(failed.next, "Begin with what `pytest` said last: E   assert 1 == 2");
}

#[test]
fn memory_does_not_grow_with_the_session() {
    let mut session = Session::new();
    for number in 0..5_000 {
        session = session
            .says(&format!("no, that is wrong again, number {number}"))
            .fails(&format!("make test-{number}"), &"error ".repeat(200));
    }
    let outcome = session.judge.finish().unwrap();
    assert_eq!(outcome.ended, Ended::Failure);
    assert!(outcome.did_not_work.len() <= 5 && outcome.did_not_work.iter().all(|text| text.len() < 500));
}
