//! Sessions that take several calls: what was paid for is kept, and what the money cannot be enough for is not begun.

use afterword_app::queue::ReflectionOrder;
use afterword_app::{NoProgress, Target, Trigger, engine_preview, queue, reflect};
use afterword_core::{SessionId, UserId};
use afterword_daemon::work::{WorkEnd, Worker};
use jiff::ToSpan;

use afterword_testkit::provider::{Provider, completion, lessons, preference};
use afterword_testkit::transcript::{typed, with_a_rule};
use afterword_testkit::{Sandbox, all_changed, now};

const LONG: &str = "0a0a0d0c-1111-4222-8333-444455556666";
const SHORT: &str = "0b0b0d0c-1111-4222-8333-444455556666";

/// A session that is asked about in two parts, with a rule at its beginning and one at its end.
fn long_session() -> Vec<String> {
    let mut lines = with_a_rule(LONG);
    lines.extend((5..35).map(|number| {
        let words = "this is how the old names are spelled ".repeat(30);
        typed(LONG, number, &format!("message {number} of many: {words}"))
    }));
    lines.push(typed(LONG, 40, "From now on never log the address of a customer."));
    lines
}

/// Answers with the rule at the beginning in its own words, for 18 cents.
fn dear() -> Provider {
    Provider::answering(|request, _| {
        let title = "Add a migration, never edit a merged one";
        let lesson = preference(title, 3, "never edit a migration that is merged");
        let found = if request.contains("No. From now on never edit") { vec![lesson] } else { Vec::new() };
        let said = completion("stop", &lessons(&[], &found).to_string());
        let said = said.replace("\"prompt_tokens\":null", "\"prompt_tokens\":14000");
        (200, "", said.replace("\"completion_tokens\":1000", "\"completion_tokens\":4000"))
    })
}

fn host(provider: &Provider) -> Sandbox {
    let host = Sandbox::asking(provider);
    host.set("engine.usd_per_million_in", &["10"]);
    host.set("engine.usd_per_million_out", &["10"]);
    host.session(LONG, &long_session());
    host
}

fn most_for_all(host: &Sandbox) -> (usize, f64) {
    let target = Target::Changed { since: None };
    let estimate = engine_preview::estimate(&host.app(), &target, None, &mut NoProgress).unwrap();
    (estimate.calls, estimate.most_usd.unwrap())
}

#[test]
fn part_that_was_paid_for_is_kept_where_the_next_is_too_dear() {
    let provider = dear();
    let host = host(&provider);
    assert_eq!(most_for_all(&host).0, 2);
    host.set("budget.per_job_usd", &["0.25"]);
    let app = host.app();
    let order = ReflectionOrder::new(SessionId::parse(LONG).unwrap(), Trigger::SessionEnd);
    queue::queue(&app).unwrap().reflect(&order, &UserId::default(), now().timestamp()).unwrap();
    let worked = Worker::new(&app).unwrap().work_once(&now()).unwrap().unwrap();
    assert!(matches!(worked.end, WorkEnd::Completed(_)), "{:?}", worked.end);
    assert_eq!(provider.received().len(), 1);
    let notes = host.lessons();
    let has = |words: &str| notes.iter().any(|(_, text)| text.contains(words));
    assert!(has("title: \"Add a migration, never edit a merged one\""), "{notes:#?}");
    assert!(has("never log the address"), "what the model was not asked about stays: {notes:#?}");
    let log = host.job_log(worked.job.id);
    assert!(log.contains("part 2 of 2: budget.per_job_usd leaves no room"), "{log}");
    let tomorrow = now().checked_add(1.day()).unwrap();
    assert!(Worker::new(&app).unwrap().work_once(&tomorrow).unwrap().is_none());
    reflect::reflect(&app, &all_changed(None), &tomorrow, &mut NoProgress).unwrap();
    assert_eq!(provider.received().len(), 1, "it is not paid for again");
}

#[test]
fn long_session_waits_for_a_day_with_money_for_all_of_it() {
    let provider = dear();
    let host = host(&provider);
    let (_, most) = most_for_all(&host);
    host.set("budget.per_job_usd", &["0"]);
    host.set("budget.daily_usd", &[&format!("{:.3}", most + 0.1)]);
    host.session(SHORT, &with_a_rule(SHORT));
    let one = afterword_app::ReflectRequest { target: Target::One(SHORT.to_owned()), ..all_changed(None) };
    reflect::reflect(&host.app(), &one, &now(), &mut NoProgress).unwrap();
    assert_eq!(provider.received().len(), 1);
    let refused = reflect::reflect(&host.app(), &all_changed(None), &now(), &mut NoProgress).unwrap();
    let [failure] = &refused.failures[..] else { panic!("{:?}", refused.failures) };
    assert!(failure.error.to_string().contains("budget.daily_usd leaves no room"), "{}", failure.error);
    assert_eq!(provider.received().len(), 1, "nothing of it was begun");
    let tomorrow = now().checked_add(1.day()).unwrap();
    let read = reflect::reflect(&host.app(), &all_changed(None), &tomorrow, &mut NoProgress).unwrap();
    assert!(read.failures.is_empty(), "{:?}", read.failures);
    assert_eq!(provider.received().len(), 3);
}
