//! `afterword stats`: whether it works, and "not known yet" where nothing was written down.

use std::fs;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::env::TestEnv;
use afterword_testkit::transcript::{answered, typed, with_a_rule};

const FIRST: &str = "0f0e0d0c-1111-4222-8333-000000000001";
const GIVEN: &str = "0f0e0d0c-1111-4222-8333-000000000002";
const RESUMED: &str = "0f0e0d0c-1111-4222-8333-000000000003";
const UNHEARD: &str = "0f0e0d0c-1111-4222-8333-000000000004";

fn days_ago(days: i64) -> Timestamp {
    Timestamp::now() - SignedDuration::from_hours(24 * days)
}

/// A session that says the rule once more, begun after the rule was learned: in another year than any test runs.
fn says_again(env: &TestEnv, id: &str, number: usize) {
    let rule = "No. From now on never edit a migration that is merged, always add a new migration file.";
    let lines = [
        typed(id, number, "add a column for the customer's note"),
        answered(id, number + 1, "I added it to the migration from last week."),
        typed(id, number + 2, rule),
        answered(id, number + 3, "Understood. It is a new migration now."),
    ];
    env.session(id, &lines.map(|line| line.replace("2026-03-01T", "2097-03-01T")));
}

/// A session starts in the shop, and asks for lessons.
fn starts(env: &TestEnv, session: &str, source: &str) {
    let told = json!({
        "session_id": session, "transcript_path": format!("/c/{session}.jsonl"), "cwd": "/home/ada/shop",
        "hook_event_name": "SessionStart", "source": source,
    });
    env.hook("SessionStart", told.to_string().as_bytes());
}

/// What a hook of that time left word of.
fn write_injection_record(env: &TestEnv, session: &str, at: Timestamp, lesson: Option<&str>) {
    let folder = env.path("afterword/state/given");
    fs::create_dir_all(&folder).unwrap();
    let lessons: Vec<Value> = lesson
        .iter()
        .map(|id| json!({"note": id, "path": "a.md", "title": "a", "shown": true, "reason": "learned in this project"}))
        .collect();
    let given = json!({
        "session": session, "project": "shop", "moment": "startup", "at": at, "tokens": 10 * lessons.len(),
        "silence": "", "lessons": lessons,
    });
    fs::write(folder.join(format!("{:014}-1.json", at.as_millisecond())), given.to_string()).unwrap();
}

/// A note of the person's own that counts, of so many days ago.
fn note(env: &TestEnv, number: usize, name: &str, days: i64, more: &str) -> String {
    let id = format!("0197d2a0-0000-7000-8000-{number:012}");
    let created = days_ago(days).to_zoned(jiff::tz::TimeZone::UTC).date();
    let text = format!(
        "---\ntitle: {name}\nkind: preference\nstatus: active\nproject: shop\ncreated: {created}\nid: {id}\n{more}---\n\n{name}.\n"
    );
    let folder = env.path("vault/Afterword/Preferences");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.md")), text).unwrap();
    id
}

#[test]
fn nothing_is_known_before_anything_happened() {
    let env = TestEnv::new();
    env.init();
    let told = env.ok(&["stats"]);
    assert_eq!(told.matches("not known yet").count(), 5, "{told}");
    let stats = env.json(&["stats"]);
    for figure in ["repeated", "given", "never_given", "never_used"] {
        assert_eq!(stats[figure], Value::Null, "{figure}");
    }
    assert_eq!(stats["checks"]["since"], Value::Null);
}

#[test]
fn wish_said_again_is_counted_by_what_its_session_had_been_given() {
    let env = TestEnv::new();
    env.init();
    env.session(FIRST, &with_a_rule(FIRST));
    env.ok(&["reflect", "--all"]);
    assert_eq!(env.json(&["stats"])["repeated"], Value::Null, "the session was before the lesson");
    for (session, source, number) in
        [(GIVEN, Some("startup"), 20), (RESUMED, Some("resume"), 30), (UNHEARD, None, 40)]
    {
        if let Some(source) = source {
            starts(&env, session, source);
        }
        says_again(&env, session, number);
    }
    env.ok(&["reflect", "--all"]);
    let stats = env.json(&["stats"]);
    let expected = json!({"wishes": 3, "given": 1, "not_given": 1, "unknown": 1, "sessions": 3});
    assert_eq!(stats["repeated"], expected);
    let given = &stats["given"];
    assert_eq!((&given["sessions"], &given["with_nothing"]), (&json!(1), &json!(1)));
    let bytes = given["bytes"]["most"].as_u64().unwrap();
    assert!(bytes > 100 && given["bytes"]["average"] == bytes, "{given}");
    let told = env.ok(&["stats"]);
    let expected =
        "3 wishes that were known, in 3 sessions: 1 had been given in time, 1 not, 1 not known yet";
    assert!(told.contains(expected), "{told}");
    assert!(told.contains(&format!("to 1 session, nothing to 1: {bytes} bytes a session")), "{told}");
}

#[test]
fn lessons_nobody_needs_are_named_with_the_command_that_puts_them_away() {
    let env = TestEnv::new();
    env.init();
    env.session(FIRST, &with_a_rule(FIRST));
    env.ok(&["reflect", "--all"]);
    let old = note(&env, 1, "old", 200, "");
    let needed = note(&env, 2, "needed", 200, "");
    let [of_use, said_again] = [note(&env, 3, "of use", 200, ""), note(&env, 4, "said again", 200, "")];
    note(&env, 5, "new", 10, "");
    note(&env, 6, "always", 200, "always_load: true\n");
    note(&env, 7, "elsewhere", 200, "");
    let elsewhere = env.path("vault/Afterword/Preferences/elsewhere.md");
    fs::write(&elsewhere, fs::read_to_string(&elsewhere).unwrap().replace("project: shop", "project: blog"))
        .unwrap();
    write_injection_record(&env, "early", days_ago(150), Some(&old));
    assert_eq!(env.json(&["stats", "--days", "160"])["never_given"], Value::Null, "not known for so long");
    for (hours, id) in [&needed, &of_use, &said_again].into_iter().enumerate() {
        write_injection_record(
            &env,
            &format!("late-{hours}"),
            days_ago(3) + SignedDuration::from_hours(hours as i64),
            Some(id),
        );
    }
    let stats = env.json(&["stats"]);
    let titles = |stats: &Value, list: &str| -> Vec<String> {
        let list = stats[list].as_array().unwrap().iter();
        list.map(|one| one["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles(&stats, "never_given"), ["old"]);
    assert_eq!(stats["never_used"], Value::Null, "nobody ever said of a lesson that it was of use");
    assert_eq!(stats["given"]["bytes"], Value::Null, "what an earlier version left has no bytes");
    env.ok(&["feedback", &of_use, "helped"]);
    env.ok(&["feedback", &said_again, "ignored"]);
    assert_eq!(titles(&env.json(&["stats"]), "never_used"), ["needed"]);

    let ran = env.run(&["stats"]);
    assert!(ran.stdout.contains("Not given for 90 days: 1 lesson"), "{ran}");
    assert!(ran.stderr.contains(&format!("afterword review archive {old}")), "{ran}");
    assert!(ran.stdout.contains("last given ") && ran.stdout.contains("bytes are not known yet"), "{ran}");
    env.ok(&["review", "archive", &old, &needed]);
    let stats = env.json(&["stats"]);
    assert_eq!((titles(&stats, "never_given").len(), titles(&stats, "never_used").len()), (0, 0));
    assert_eq!(stats["lessons"]["active"], 6);
    env.ok(&["review", "archive", "--back", &old]);
    assert_eq!(titles(&env.json(&["stats"]), "never_given"), ["old"]);
    let unknown = env.run(&["review", "archive", "nowhere"]);
    assert!(unknown.code == Some(1) && unknown.stderr.contains("nowhere"), "{unknown}");
}

#[test]
fn checks_that_held_are_counted_as_far_as_the_log_goes_back() {
    let env = TestEnv::new();
    env.init();
    let state = env.path("afterword/state");
    fs::create_dir_all(&state).unwrap();
    let note = "0197d2a0-0000-7000-8000-000000000001";
    let at = days_ago(5);
    let line = |what: &str, session: &str| {
        json!({"at": at, "what": what, "session": session, "note": note}).to_string() + "\n"
    };
    let log = [
        line("stopped", "one"),
        line("stopped", "one"),
        line("nothing was stopped: x", "two"),
        line("stopped", "two"),
    ];
    fs::write(state.join("checks.log"), log.concat()).unwrap();
    let bound = json!({"version": 1, "notes": [], "lifted": [{"note": note, "session": "two"}], "ended": []});
    fs::write(state.join("checks.json"), bound.to_string()).unwrap();
    let checks = env.json(&["stats"])["checks"].clone();
    let counted = (&checks["binding"], &checks["held"], &checks["sessions"], &checks["lifted"]);
    assert_eq!(counted, (&json!(0), &json!(3), &json!(2), &json!(1)));
    assert!(env.ok(&["stats"]).contains("0 lessons bind; held 3 times in 2 sessions, lifted in 1, since "));
}

#[test]
fn lesson_that_was_given_and_said_again_twice_comes_with_what_else_can_be_done() {
    let env = TestEnv::new();
    env.init();
    env.session(FIRST, &with_a_rule(FIRST));
    env.ok(&["reflect", "--all"]);
    for (session, number) in [(GIVEN, 20), (RESUMED, 30)] {
        assert_eq!(env.json(&["stats"])["said_again"], json!([]), "{session}");
        starts(&env, session, "startup");
        says_again(&env, session, number);
        env.ok(&["reflect", "--all"]);
    }
    let again = env.json(&["stats"])["said_again"][0].clone();
    assert_eq!(again["sessions"], 2, "{again}");
    let id = again["id"].as_str().unwrap();
    assert_eq!(env.json(&["status"])["said_again"][0]["id"], id);
    for told in [env.ok(&["stats"]), env.ok(&["status"])] {
        assert!(told.contains("never edit a migration") || told.contains("Never edit a migration"), "{told}");
        assert!(told.contains(&format!("afterword bind {id}")), "{told}");
        assert!(
            told.contains(&format!("afterword export --note {id} --as claude-md --to CLAUDE.md")),
            "{told}"
        );
    }
    let file = env.path("CLAUDE.md");
    fs::write(&file, "# Mine\n").unwrap();
    let to = file.to_str().unwrap().to_owned();
    env.ok(&["export", "--note", id, "--as", "claude-md", "--to", &to, "--yes"]);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Mine\n") && text.contains("edit a migration that is merged"), "{text}");
}
