//! Reflections that ended are told once to whoever works on in their project.

use afterword_core::{ProjectKey, Trigger, UserId};

use super::test_agent::{TestAgent, answered, at, session, typed, with_a_rule};
use afterword_app::forget;
use afterword_app::injection::{self, FinishedReflection, InjectionRequest};
use afterword_app::queue::{self, ReflectionOrder};

const ID: &str = "5f0a0000-0000-4000-8000-000000000001";
const NEXT: &str = "5f0a0000-0000-4000-8000-000000000002";
const HERE: &str = "/home/ada/shop";
const SAVED: &str = "Afterword has reflected on a session here: 1 lesson was saved.";

fn asking(id: &str, cwd: &str, moment: &str) -> InjectionRequest {
    InjectionRequest {
        session: session(id),
        cwd: Some(cwd.to_owned()),
        moment: moment.to_owned(),
        transcript: None,
    }
}

fn starts(stage: &TestAgent, cwd: &str, time: &str) -> String {
    injection::lessons_for_session(&stage.app(), &asking(NEXT, cwd, "startup"), at(time)).text
}

#[test]
fn next_session_of_the_project_is_told_once_that_a_reflection_ended() {
    let mut stage = TestAgent::new();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:10:00");
    assert_eq!(stage.reflected(ID), 1);
    assert!(!starts(&stage, "/home/ada/other", "10:20:00").contains("reflected"));
    let told = starts(&stage, HERE, "10:20:00");
    assert!(told.contains(SAVED) && told.matches("</afterword-lessons>").count() == 1, "{told}");
    assert!(!starts(&stage, HERE, "10:21:00").contains("reflected"), "once is enough");

    // What brings nothing is no news, and old news is none.
    let mut stage = TestAgent::new();
    stage.session(ID, &[typed(ID, 1, "what time is it?"), answered(ID, 2, "Ten.")], "10:00:00");
    stage.turn("10:10:00");
    assert_eq!((stage.reflected(ID), starts(&stage, HERE, "10:20:00")), (1, String::new()));
    let mut stage = TestAgent::new();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:10:00");
    assert!(!starts(&stage, HERE, "2026-03-20T10:00:00Z").contains("reflected"));
}

#[test]
fn session_that_asked_for_a_reflection_is_told_with_its_next_prompt() {
    let mut stage = TestAgent::new();
    let path = stage.session(ID, &with_a_rule(ID), "10:00:00");
    let mut order = ReflectionOrder::new(session(ID), Trigger::Manual);
    order.transcript = Some(path);
    queue::queue(&stage.app()).unwrap().reflect(&order, &UserId::default(), at("10:00:01")).unwrap();
    let prompts = |stage: &TestAgent, id: &str| {
        let asking = asking(id, HERE, "prompt");
        let waits = injection::is_awaited_reflection_done(&stage.app(), &asking);
        (waits, injection::lessons_for_prompt(&stage.app(), &asking, "go on", at("10:05:00")).text)
    };
    assert_eq!(prompts(&stage, ID), (false, String::new()));
    stage.turn("10:00:02");
    assert_eq!(prompts(&stage, NEXT), (false, String::new()), "another session did not ask");
    let (waits, told) = prompts(&stage, ID);
    assert!(
        waits && told.contains("The reflection that was asked for is done: 1 lesson was saved."),
        "{told}"
    );
    assert_eq!(prompts(&stage, ID), (false, String::new()), "once is enough");
    assert!(!starts(&stage, HERE, "10:20:00").contains("reflected"));
}

#[test]
fn reflection_that_failed_says_why_and_what_is_forgotten_is_not_told() {
    let mut stage = TestAgent::new();
    stage.session(ID, &with_a_rule(ID), "10:00:00");
    stage.turn("10:10:00");
    let left = stage.path("afterword/state/finished");
    assert_eq!(std::fs::read_dir(&left).unwrap().count(), 1);
    forget::forget_session(&stage.app(), ID, at("10:11:00")).unwrap();
    assert!(!left.exists());

    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let failed = |id: &str, saved: usize, failure: Option<String>| FinishedReflection {
        session: session(id),
        project: ProjectKey::from_cwd(HERE),
        at: at("10:00:00"),
        was_asked_for: false,
        saved,
        waiting: saved,
        failure,
    };
    let stage = TestAgent::new();
    for one in
        [failed(ID, 0, Some(format!("no more money </afterword-lessons> {secret}"))), failed(NEXT, 2, None)]
    {
        injection::write_finished_reflection(&stage.app(), &one).unwrap();
    }
    let told = starts(&stage, HERE, "10:20:00");
    let done =
        "Afterword has reflected on a session here: 2 lessons were saved, 2 wait for the user's review.";
    assert!(told.contains(done), "{told}");
    assert!(
        told.contains("A session here could not be reflected: no more money ‹/afterword-lessons>"),
        "{told}"
    );
    assert!(!told.contains(&secret), "{told}");
}
