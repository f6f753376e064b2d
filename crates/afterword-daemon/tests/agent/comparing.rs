//! What was learned beside what is known: the same again, the opposite, and what was rejected.

use std::fs;

use afterword_app::review::{self, QueueFilter};
use afterword_core::LessonScope;

use afterword_testkit::transcript::{answered, typed, with_rule};
use afterword_testkit::{Sandbox, now};

const ONE: &str = "0f0e0d0c-1111-4222-8333-444455556661";
const OTHER: &str = "0f0e0d0c-1111-4222-8333-444455556662";

const RULE: &str = "No. From now on never edit a migration that is merged, always add a new migration file.";
const AGAIN: &str =
    "No! From now on never touch a merged migration, always create a new migration file instead.";
const AGAINST: &str =
    "No. From now on always edit a migration that is merged, never add a new migration file.";
const UNLIKE: &str = "No. From now on always answer in German, never in English.";

fn in_project(lines: Vec<String>, project: &str) -> Vec<String> {
    lines.into_iter().map(|line| line.replace("/home/ada/shop", project)).collect()
}

fn only_note(host: &Sandbox) -> (String, String) {
    let mut lessons = host.lessons();
    assert_eq!(lessons.len(), 1, "{:?}", host.names());
    lessons.remove(0)
}

#[test]
fn same_lesson_in_other_words_strengthens_the_note_and_keeps_the_persons_text() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, RULE));
    host.reflect();
    let (name, text) = only_note(&host);
    let mine = text.replace("\n## Evidence", "\nMy own thought.\n\n## Evidence");
    fs::write(host.path("vault/Afterword").join(&name), &mine).unwrap();

    host.session(OTHER, &with_rule(OTHER, 11, AGAIN));
    let reflection = host.reflect();
    let (_, grown) = only_note(&host);
    assert!(grown.contains("My own thought.") && grown.contains("create a new migration file"), "{grown}");
    assert!(grown.contains(&format!("{OTHER}/00000000-0000-4000-8000-000000000013")), "{grown}");
    let compared = &reflection.compared[0];
    assert_eq!((compared.verdict.as_str(), compared.note_path.ends_with(&name)), ("same", true));
    assert!(compared.closeness > 0.75 && compared.closeness < 1.0, "{compared:?}");
    assert_eq!(host.reflect().compared, [], "nothing is compared twice");
}

#[test]
fn same_words_in_another_session_are_one_more_telling() {
    let host = Sandbox::new();
    for (at, id) in [ONE, OTHER, "0f0e0d0c-1111-4222-8333-444455556663"].into_iter().enumerate() {
        host.session(id, &with_rule(id, 10 * at + 1, RULE));
        host.reflect();
        let (_, text) = only_note(&host);
        assert_eq!(text.matches("> From now on never edit").count(), at + 1, "{text}");
        assert!(text.contains(&format!("{id}/0000")), "{text}");
    }
}

#[test]
fn two_sessions_of_one_run_that_say_the_same_make_one_note() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, RULE));
    host.session(OTHER, &with_rule(OTHER, 11, AGAIN));
    host.reflect();
    let (_, text) = only_note(&host);
    assert!(text.contains(&format!("{ONE}/")) && text.contains(&format!("{OTHER}/")), "{text}");
    let before = host.lessons();
    fs::remove_dir_all(host.paths().state).unwrap();
    host.reflect();
    assert_eq!(host.lessons(), before, "also when nothing is remembered");
}

#[test]
fn other_lesson_and_other_project_have_notes_of_their_own() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, RULE));
    host.session(OTHER, &with_rule(OTHER, 11, UNLIKE));
    host.session("third", &in_project(with_rule("third", 21, AGAIN), "/home/ada/blog"));
    let reflection = host.reflect();
    assert_eq!((host.lessons().len(), reflection.compared.len()), (3, 0), "{:?}", host.names());
}

#[test]
fn opposite_lesson_is_put_up_for_review_and_takes_the_place_once_it_is_approved() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, RULE));
    host.reflect();
    let (old, _) = only_note(&host);
    host.session(OTHER, &with_rule(OTHER, 11, AGAINST));
    let reflection = host.reflect();
    assert_eq!(reflection.compared[0].verdict.as_str(), "contradicts");
    let queue = review::review_queue(&host.app(), &QueueFilter::default(), &now()).unwrap();
    assert_eq!(queue.len(), 1, "{:?}", host.names());
    let similar = &queue[0].similar[0];
    assert!(similar.contradicts && similar.path.ends_with(&old), "{similar:?}");
    review::approve(&host.app(), &queue[0].id.to_string(), &now()).unwrap();
    let text = fs::read_to_string(host.path("vault/Afterword").join(&old)).unwrap();
    assert!(text.contains("status: superseded"), "{text}");
    // Once more: it is known now, and the old one does not count.
    host.session("third", &with_rule("third", 21, AGAINST));
    host.reflect();
    assert_eq!(host.lessons().len(), 2);
}

const SHORT: &str = "From now on never write lines longer than 90 characters in this repository.";
const LONG: &str = "From now on never write lines longer than 120 characters in this repository.";

/// The two notes about the length of lines: what became of the one with 90, and of the one with 120.
#[track_caller]
fn lengths(host: &Sandbox) -> (String, String) {
    let lessons = host.lessons();
    let of = |length: &str| {
        let found = lessons.iter().find(|(name, _)| name.contains(length));
        found.unwrap_or_else(|| panic!("{length}: {:?}", host.names())).1.clone()
    };
    (of("than-90"), of("than-120"))
}

#[test]
fn changed_rule_takes_the_place_of_the_older_one_in_whichever_order_they_are_read() {
    for newer_first in [false, true] {
        let host = Sandbox::new();
        let (older, newer) = (with_rule(ONE, 1, SHORT), with_rule(OTHER, 11, LONG));
        if newer_first {
            host.session(OTHER, &newer);
            host.reflect();
            host.session(ONE, &older);
        } else {
            host.session(ONE, &older);
            host.reflect();
            host.session(OTHER, &newer);
        }
        host.reflect();
        let (short, long) = lengths(&host);
        assert!(short.contains("status: superseded") && short.contains("superseded_by:"), "{short}");
        assert!(long.contains("status: active") && long.contains("supersedes:"), "{long}");

        let undone = review::undo_decision(&host.app(), None, &now()).unwrap();
        assert_eq!(undone.verdict.as_str(), "supersede");
        let (short, long) = lengths(&host);
        assert!(short.contains("status: active") && !long.contains("supersedes:"), "{short}\n{long}");
        host.reflect();
        assert!(lengths(&host).0.contains("status: active"), "what was taken back is not done again");
    }
}

/// Rules, what was said later, and words of the one that is left.
const CHANGES: [(&str, &str, &str); 3] = [
    (
        "From now on always put the invoices of a customer into the folder archive.",
        "From now on put the invoices of a customer into the bucket ledger, no longer into the folder archive.",
        "bucket ledger",
    ),
    (
        "Never more than 12 columns in a report of this project, always.",
        "From now on a report of this project may have 18 columns.",
        "18 columns",
    ),
    (
        "Never open a second browser window, ask me first.",
        "From now on you may open a second browser window whenever you like.",
        "whenever you like",
    ),
];

/// A host whose sessions said one thing and then another, read one after the other in either order.
fn reflected_in_turn(older: &str, newer: &str, newer_first: bool) -> Sandbox {
    let host = Sandbox::new();
    let mut sessions = [(ONE, with_rule(ONE, 1, older)), (OTHER, with_rule(OTHER, 11, newer))];
    if newer_first {
        sessions.reverse();
    }
    for (id, lines) in sessions {
        host.session(id, &lines);
        host.reflect();
    }
    host
}

#[test]
fn newest_first_ends_where_oldest_first_does() {
    for (older, newer, left) in CHANGES {
        let states = [false, true].map(|newer_first| {
            let host = reflected_in_turn(older, newer, newer_first);
            let status =
                |text: &str| text.lines().find(|line| line.starts_with("status: ")).unwrap().to_owned();
            let mut notes: Vec<_> =
                host.lessons().into_iter().map(|(name, text)| (name, status(&text))).collect();
            notes.sort();
            let counting: Vec<_> =
                host.lessons().into_iter().filter(|(_, text)| text.contains("status: active")).collect();
            assert_eq!(counting.len(), 1, "{newer_first}: {notes:?}");
            assert!(counting[0].1.contains(left), "{newer_first}: {}", counting[0].1);
            notes
        });
        assert_eq!(states[0], states[1]);
    }
}

#[test]
fn sessions_of_one_run_are_weighed_by_when_they_were_said() {
    // A transcript that was copied is newer than what it tells.
    for names in [[ONE, OTHER], [OTHER, ONE]] {
        let host = Sandbox::new();
        let [first, second] = names;
        let passing =
            "the crane docs moved house, our manuals are markdown these days, so convert that page too";
        host.session(first, &with_rule(first, 1, "Always write the manuals of this project in rst."));
        host.session(second, &with_rule(second, 11, passing));
        let older = host.path("claude/projects/-home-ada-shop").join(format!("{first}.jsonl"));
        let file = fs::OpenOptions::new().append(true).open(older).unwrap();
        file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(60)).unwrap();
        host.reflect();
        let ended: Vec<_> =
            host.lessons().into_iter().filter(|(_, text)| text.contains("status: superseded")).collect();
        assert_eq!(ended.len(), 1, "{:?}", host.lessons());
        assert!(ended[0].1.contains("in rst"));
    }
}

#[test]
fn number_of_another_thing_ends_no_rule() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, "Never more than 12 columns in a report of this project, always."));
    host.reflect();
    host.session(
        OTHER,
        &with_rule(OTHER, 11, "Never more than 40 pages in a report of this project, always."),
    );
    host.reflect();
    assert_eq!(host.lessons().len(), 2, "{:?}", host.names());
    assert!(host.lessons().iter().all(|(_, text)| text.contains("status: active")), "{:?}", host.lessons());
}

#[test]
fn rules_of_one_message_and_of_two_projects_end_none() {
    let host = Sandbox::new();
    let both = format!("{SHORT} {}", LONG.replace("lines", "doc comment lines"));
    host.session(ONE, &with_rule(ONE, 1, &both));
    host.session("elsewhere", &in_project(with_rule("elsewhere", 21, LONG), "/home/ada/blog"));
    host.reflect();
    assert!(host.lessons().iter().all(|(_, text)| text.contains("status: active")), "{:?}", host.lessons());
}

#[test]
fn rejected_lesson_is_kept_away_in_its_scope_whatever_its_words() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, RULE));
    host.reflect();
    let (name, _) = only_note(&host);
    let rejected = review::reject(&host.app(), &name, "only that once", LessonScope::Project, &now());
    let rejected = rejected.or_else(|_| {
        let path = format!("Afterword/{name}");
        review::reject(&host.app(), &path, "only that once", LessonScope::Project, &now())
    });
    let decision = rejected.unwrap();

    host.session(OTHER, &with_rule(OTHER, 11, AGAIN));
    let reflection = host.reflect();
    assert_eq!((host.lessons().len(), reflection.count_rejected()), (1, 1));
    let why = &reflection.compared[0];
    assert!(why.reason.contains("only that once") && why.closeness >= 0.65, "{why:?}");
    assert_eq!(why.note, Some(decision.note));
    host.session("against", &with_rule("against", 31, AGAINST));
    host.session("elsewhere", &in_project(with_rule("elsewhere", 21, AGAIN), "/home/ada/blog"));
    let reflection = host.reflect();
    assert_eq!((host.lessons().len(), reflection.count_rejected()), (3, 0), "{:?}", host.names());

    review::undo_decision(&host.app(), Some(decision.id), &now()).unwrap();
    host.reflect();
    let text = fs::read_to_string(host.path("vault/Afterword").join(&name)).unwrap();
    assert!(text.contains("create a new migration file"), "what was kept away is evidence now: {text}");
}

#[test]
fn rejection_that_holds_everywhere_holds_in_every_project() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, RULE));
    host.reflect();
    let path = format!("Afterword/{}", only_note(&host).0);
    review::reject(&host.app(), &path, "", LessonScope::Everywhere, &now()).unwrap();
    fs::remove_dir_all(host.paths().state).unwrap();
    fs::remove_file(host.path("claude/projects/-home-ada-shop").join(format!("{ONE}.jsonl"))).unwrap();
    host.session("elsewhere", &in_project(with_rule("elsewhere", 21, AGAIN), "/home/ada/blog"));
    let reflection = host.reflect();
    assert_eq!(
        (host.lessons().len(), reflection.count_rejected()),
        (1, 1),
        "the note tells it, on any machine"
    );
}

/// The rule that `older` states, and what `newer`, said in another session, makes of it.
#[track_caller]
fn changed_by(older: &str, newer: &str) -> (String, String) {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, older));
    host.session(OTHER, &with_rule(OTHER, 11, newer));
    host.reflect();
    let lessons = host.lessons();
    let status = |text: &str| text.lines().find(|line| line.starts_with("status:")).unwrap_or("").to_owned();
    let of_one = lessons.iter().find(|(_, text)| text.contains(&format!("session: {ONE}")));
    let of_other = lessons.iter().find(|(_, text)| text.contains(&format!("session: {OTHER}")));
    let old = of_one.map(|(_, text)| status(text)).unwrap_or_default();
    (old, of_other.map(|(_, text)| status(text)).unwrap_or_default())
}

#[test]
fn remark_in_passing_changes_a_rule_and_an_errand_does_not() {
    let rule = "From now on container images are always pushed to quay in this repository.";
    let remark = "The deploy job is red again. Quay is gone, container images are pushed to harbor these days, so fix the login step too.";
    let (old, new) = changed_by(rule, remark);
    assert_eq!((old.as_str(), new.as_str()), ("status: superseded", "status: active"));
    let errand = "The push to quay failed again, look at the log of the deploy job and fix the login step.";
    let (old, _) = changed_by(rule, errand);
    assert_eq!(old, "status: active");
}

#[test]
fn wish_that_waits_counts_once_it_is_said_outright() {
    let host = Sandbox::new();
    let weak = "hm, I would rather see the results table sorted by date";
    host.session(ONE, &with_rule(ONE, 1, weak));
    host.reflect();
    let waiting = host.names();
    host.session(
        OTHER,
        &with_rule(OTHER, 11, "From now on I want to see the results table sorted by date, always."),
    );
    host.reflect();
    let (name, text) = only_note(&host);
    assert!(waiting.iter().all(|waited| waited.starts_with('_')), "{waiting:?}");
    assert!(name.starts_with("Preferences/") && text.contains("status: active"), "{name} {text}");
    assert!(text.contains(&format!("{ONE}/")) && text.contains(&format!("{OTHER}/")), "{text}");
}

#[test]
fn short_request_counts_in_the_third_session() {
    let host = Sandbox::new();
    let requests =
        ["with a changelog entry please", "and the changelog entry?", "changelog entry is missing"];
    let sessions = [ONE, OTHER, "0f0e0d0c-1111-4222-8333-444455556663"];
    let mut names = Vec::new();
    for (at, (id, request)) in sessions.iter().zip(requests).enumerate() {
        host.session(id, &with_rule(id, 10 * at + 1, request));
        host.reflect();
        names.push(host.names());
    }
    assert_eq!(names[0], Vec::<String>::new());
    assert!(names[1].len() == 1 && names[1][0].starts_with("_inbox/"), "{names:?}");
    let (name, text) = only_note(&host);
    assert!(name.starts_with("Workflows/") && text.contains("status: active"), "{name} {text}");
    assert!(text.contains("Asked for in 3 sessions of this project."), "{text}");
    for (id, request) in sessions.iter().zip(requests) {
        assert!(text.contains(&format!("  - \"{id}/")), "{id}: {text}");
        assert!(text.contains(&format!("> {request}\n")), "{request}: {text}");
    }
}

/// A pattern that the person never put as a rule.
#[test]
fn what_is_asked_for_three_times_in_a_session_waits_for_review() {
    let host = Sandbox::new();
    let requests = [
        "use the staging database for the import script",
        "the import script, use the staging database for it",
        "for the import script use the staging database",
    ];
    let turn =
        |(at, words): (usize, &&str)| [typed(ONE, 2 * at + 1, words), answered(ONE, 2 * at + 2, "Done.")];
    let lines: Vec<String> = requests.iter().enumerate().flat_map(turn).collect();
    host.session(ONE, &lines);
    host.reflect();
    let (name, text) = only_note(&host);
    assert!(name.starts_with("_review/") && text.contains("kind: workflow"), "{name} {text}");
    assert!(text.contains("Asked for 3 times in this session."), "{text}");
}

/// The notes after each of three sessions that ask for something.
fn asked_in_three_sessions(host: &Sandbox, requests: [&str; 3]) -> Vec<Vec<String>> {
    let sessions = [ONE, OTHER, "0f0e0d0c-1111-4222-8333-444455556663"];
    let of_each = sessions.iter().zip(requests).enumerate().map(|(at, (id, request))| {
        host.session(id, &with_rule(id, 10 * at + 1, request));
        host.reflect();
        host.names()
    });
    of_each.collect()
}

#[test]
fn order_that_belongs_to_every_change_is_a_lesson_in_the_second_session_however_it_is_worded() {
    let host = Sandbox::new();
    let requests = [
        "could you write a test for the discount of zero too?",
        "does the new column have tests?",
        "great. And add one more unit test for the rounding, so that it stays that way",
    ];
    let names = asked_in_three_sessions(&host, requests);
    assert_eq!(names[0], Vec::<String>::new());
    assert!(names[1].len() == 1 && names[1][0].starts_with("Workflows/"), "{names:?}");
    let (name, text) = only_note(&host);
    assert!(name == names[1][0] && text.contains("status: active"), "{name} {text}");
    assert!(text.contains("title: \"Add tests for what you change\""), "{text}");
    for (id, request) in [ONE, OTHER].iter().zip(requests) {
        assert!(text.contains(&format!("  - \"{id}/")), "{id}: {text}");
        assert!(text.contains(&format!("> {request}\n")), "{request}: {text}");
    }
}

#[test]
fn order_that_is_refused_or_given_once_teaches_nothing() {
    let host = Sandbox::new();
    let requests =
        ["don't add tests for this yet", "add a test for the rounding", "no tests for that one, please"];
    let names = asked_in_three_sessions(&host, requests);
    assert!(!names.iter().flatten().any(|name| name.contains("add-tests")), "{names:?}");
}

#[test]
fn rule_that_is_turned_around_takes_the_place_of_what_it_turns_around() {
    for (older, newer) in [
        ("always answer in German", "always answer in English"),
        ("comments are always in German here", "comments are always in English here"),
        ("We always use spaces over tabs in this project", "We always use tabs over spaces in this project"),
        ("never use yarn here, always use bun", "never use bun here, always use yarn"),
        ("use npm, not pnpm, always", "use pnpm, not npm, always"),
    ] {
        for newer_first in [false, true] {
            let host = reflected_in_turn(older, newer, newer_first);
            let lessons = host.lessons();
            let of = |id: &str| {
                let session = format!("session: {id}");
                let found = lessons.iter().find(|(_, text)| text.contains(&session));
                found.unwrap_or_else(|| panic!("{newer}: {lessons:?}")).1.clone()
            };
            let (old, new) = (of(ONE), of(OTHER));
            assert!(old.contains("status: superseded"), "{newer}, {newer_first}: {old}");
            assert!(new.contains("status: active"), "{newer}, {newer_first}: {new}");
            assert!(!new.contains(&format!("  - \"{ONE}/")), "its opposite is no evidence of it: {new}");
        }
    }
}

#[test]
fn another_thing_for_the_same_purpose_that_is_not_of_a_kind_is_asked_about() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, "we label the crates with chalk in this project"));
    host.session(OTHER, &with_rule(OTHER, 11, "we label the crates with Ada in this project"));
    let reflection = host.reflect();
    assert_eq!(reflection.compared[0].verdict.as_str(), "contradicts");
    let queue = review::review_queue(&host.app(), &QueueFilter::default(), &now()).unwrap();
    assert!(queue.iter().any(|item| item.similar.iter().any(|one| one.contradicts)), "{queue:?}");
}

/// One rule each, in one form.
const FOUR: [&str; 4] = [
    "Never use make in this repository, always use just instead",
    "Never use go in this repository, always use rust instead",
    "Never use at in this repository, always use cron instead",
    "Never use rest in this repository, always use grpc instead",
];

#[test]
fn rules_of_one_form_about_different_things_are_as_many_notes() {
    let together = Sandbox::new();
    let lines = FOUR.iter().enumerate().flat_map(|(at, rule)| with_rule(ONE, 10 * at + 1, rule));
    together.session(ONE, &lines.collect::<Vec<_>>());
    together.reflect();
    let apart = Sandbox::new();
    for (at, rule) in FOUR.iter().enumerate() {
        let id = format!("0f0e0d0c-1111-4222-8333-44445555667{at}");
        apart.session(&id, &with_rule(&id, 10 * at + 1, rule));
        apart.reflect();
    }
    for host in [together, apart] {
        let mut lessons = host.lessons();
        lessons.retain(|(name, _)| name.starts_with("Preferences/"));
        assert_eq!(lessons.len(), FOUR.len(), "{:?}", host.names());
        assert!(lessons.iter().all(|(_, text)| text.contains("status: active")), "{lessons:?}");
    }
}

#[test]
fn rejected_rule_keeps_its_reversal_from_nobody() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, "always answer in German"));
    host.reflect();
    let path = format!("Afterword/{}", only_note(&host).0);
    review::reject(&host.app(), &path, "no", LessonScope::Project, &now()).unwrap();
    host.session(OTHER, &with_rule(OTHER, 11, "always answer in English"));
    let reflection = host.reflect();
    assert_eq!((host.lessons().len(), reflection.count_rejected()), (2, 0), "{:?}", host.names());
}

#[test]
fn rule_that_is_only_taken_back_ends_and_leaves_no_lesson() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, "always run prettier before committing"));
    host.reflect();
    host.session(OTHER, &with_rule(OTHER, 11, "forget what I said about prettier"));
    host.reflect();
    let (_, text) = only_note(&host);
    assert!(text.contains("status: archived") && text.contains("you took it back: "), "{text}");
    let undone = review::undo_decision(&host.app(), None, &now()).unwrap();
    let (_, text) = only_note(&host);
    assert!(text.contains("status: active") && !text.contains("took it back"), "{undone:?} {text}");
    host.session(
        OTHER,
        &[with_rule(OTHER, 11, "forget what I said about prettier"), with_rule(OTHER, 31, "thanks")].concat(),
    );
    host.reflect();
    assert!(only_note(&host).1.contains("status: active"), "what was undone is not done again");
}

#[test]
fn words_that_take_back_what_nobody_said_are_no_lesson() {
    let host = Sandbox::new();
    host.session(ONE, &with_rule(ONE, 1, "from now on, forget what I said about prettier"));
    host.session(OTHER, &with_rule(OTHER, 11, "forget the rule about prettier"));
    host.reflect();
    assert!(!host.names().iter().any(|name| name.contains("forget")), "{:?}", host.names());
}

#[test]
fn what_takes_the_place_of_a_rule_is_called_by_the_words_that_say_what_holds() {
    let older = "Ne touche jamais au fichier secrets.yml sans mon accord.";
    let newer = "Tu peux maintenant changer secrets.yml toi-même, plus besoin de mon accord.";
    let host = reflected_in_turn(older, newer, false);
    let counting: Vec<_> =
        host.lessons().into_iter().filter(|(_, text)| text.contains("status: active")).collect();
    assert_eq!(counting.len(), 1, "{:?}", host.lessons());
    let title = counting[0].1.lines().find(|line| line.starts_with("title: ")).unwrap().to_owned();
    assert!(title.contains("lus besoin de mon accord"), "{title}");
}
