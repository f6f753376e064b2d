//! `afterword task` and `afterword connections`

#[cfg(target_os = "linux")]
use afterword_testkit::until;

use crate::env::TestEnv;
#[cfg(target_os = "linux")]
use crate::running::start_agent;

/// Counted from the first time, whatever the month, and shown with the next three before anything is made.
#[test]
fn every_other_day_is_shown_before_it_is_kept() {
    let env = TestEnv::new();
    env.init();
    let every_other_day =
        ["task", "new", "water the plants", "--when", "every other day at 9", "--zone", "UTC"];
    let plan = env.run(&[&every_other_day[..], &["--dry-run"]].concat());
    assert_eq!(plan.code, Some(0), "{}", plan.stderr);
    assert!(plan.stderr.contains("every 2 days at 09:00, counted from "), "{}", plan.stderr);
    let id = env.ok(&[&every_other_day[..], &["--here"]].concat()).trim().to_owned();
    let schedule = &env.json(&["task", "show", &id])["conversation"]["schedule"];
    assert_eq!(
        (&schedule["type"], &schedule["every"], &schedule["unit"]),
        (&"interval".into(), &2.into(), &"days".into())
    );
    let plan = env.json(&["task", "reschedule", &id, "jeden zweiten Tag um 9", "--zone", "UTC", "--dry-run"]);
    let next: Vec<jiff::Timestamp> =
        plan["next"].as_array().unwrap().iter().map(|at| at.as_str().unwrap().parse().unwrap()).collect();
    let hours: Vec<i64> = next.windows(2).map(|two| two[1].duration_since(two[0]).as_hours()).collect();
    assert_eq!(hours, [48, 48], "{plan}");
}

/// A date with its time is that moment to the second, or refused; it is never another.
#[test]
fn date_with_its_time_is_exact_or_refused() {
    let env = TestEnv::new();
    env.init();
    for (when, zone, due) in [
        ("2030-03-05T14:30", "Europe/Berlin", "2030-03-05T13:30:00Z"),
        ("2030-03-05 14:30:15", "UTC", "2030-03-05T14:30:15Z"),
        ("20300305T143000Z", "Europe/Berlin", "2030-03-05T14:30:00Z"),
        ("2030-03-05T14:30:00+02:00", "UTC", "2030-03-05T12:30:00Z"),
    ] {
        let id = env.ok(&["task", "new", "call", "--when", when, "--zone", zone, "--here"]);
        let one = &env.json(&["task", "show", id.trim()])["conversation"];
        assert_eq!((&one["schedule"]["run_at"], &one["next_run_at"]), (&due.into(), &due.into()), "{when}");
    }
    for when in
        ["2030-W10-2T14:30", "2030-064T14:30", "2030-03-05T14.5", "2030-02-30T14:30", "2020-03-05T14:30"]
    {
        let refused = env.run(&["task", "new", "call", "--when", when]);
        assert_eq!(refused.code, Some(1), "{when}: {}", refused.stderr);
    }
    assert_eq!(env.json(&["task", "list"])["conversations"].as_array().unwrap().len(), 4);
}

#[test]
fn task_from_words_to_the_archive() {
    let env = TestEnv::new();
    env.init();
    let plan =
        env.run(&["task", "new", "watch it", "--when", "every weekday at 9", "--zone", "UTC", "--dry-run"]);
    assert_eq!(plan.code, Some(0), "{}", plan.stderr);
    assert!(
        plan.stderr.contains("cron 0 9 * * 1-5") && plan.stderr.contains("nothing was made"),
        "{}",
        plan.stderr
    );
    assert_eq!(env.json(&["task", "list"])["conversations"].as_array().unwrap().len(), 0);

    let id =
        env.ok(&["task", "new", "watch it", "--when", "every weekday at 9", "--allow", "Read", "--here"]);
    let id = id.trim();
    let shown = env.json(&["task", "show", id]);
    let one = &shown["conversation"];
    assert_eq!((&one["status"], &one["allowed_tools"][0]), (&"background".into(), &"Read".into()));
    assert!(one["directory"].as_str().unwrap().ends_with("work"));
    assert_eq!(shown["messages"][0]["content"], "watch it");
    let plan = env.run(&["task", "reschedule", id, "every", "day", "at", "7", "--zone", "UTC", "--dry-run"]);
    assert!(
        plan.stderr.contains("cron 0 7 * * *") && plan.stderr.contains("nothing was changed"),
        "{}",
        plan.stderr
    );
    assert_eq!(env.json(&["task", "show", id])["conversation"]["schedule"]["cron_expression"], "0 9 * * 1-5");
    let changed = env.json(&["task", "reschedule", id, "every day at 7", "--zone", "UTC"]);
    assert_eq!(changed["conversation"]["schedule"]["cron_expression"], "0 7 * * *");
    let limited = env.json(&["task", "limit", id, "--allow", "Bash(git log:*)", "--minutes", "3"]);
    assert_eq!(limited["conversation"]["allowed_tools"], serde_json::json!(["Bash(git log:*)"]));
    assert_eq!(
        (&limited["conversation"]["most_seconds"], &limited["conversation"]["most_usd"]),
        (&180.into(), &0.5.into())
    );
    assert!(limited["messages"][1]["content"].as_str().unwrap().contains("Tools: Bash(git log:*)"));
    assert_eq!(env.run(&["task", "limit", id, "--allow=--debug"]).code, Some(1));
    assert_eq!(env.run(&["task", "limit", id]).code, Some(2), "nothing to change");
    let limited = env.json(&["task", "limit", id, "--no-tools"]);
    assert_eq!(limited["conversation"]["allowed_tools"], serde_json::json!([]));
    assert_eq!(env.json(&["task", "mute", id])["conversation"]["muted"], true);
    assert_eq!(env.json(&["task", "unmute", id])["conversation"]["muted"], false);
    assert_eq!(env.json(&["task", "pause", id])["conversation"]["paused"], true);
    assert_eq!(env.json(&["task", "resume", "watch it"])["conversation"]["status"], "background");
    let before = env.json(&["task", "show", id]);
    let due = env.json(&["task", "run", id]);
    assert_eq!(due["conversation"]["schedule"], before["conversation"]["schedule"]);
    assert_ne!(due["conversation"]["next_run_at"], before["conversation"]["next_run_at"]);
    assert_eq!(env.json(&["task", "runs", id])["runs"].as_array().unwrap().len(), 0);
    let refused = env.run(&["task", "answer", id, "yes"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("is background cannot be answered"), "{}", refused.stderr);
    env.ok(&["task", "archive", id]);
    assert_eq!(env.run(&["task", "say", id, "hello"]).code, Some(1));
    assert_eq!(env.json(&["task", "list", "--all"])["conversations"][0]["status"], "archived");
}

/// An agent's shell is not the person: it makes tasks that read, lowers what runs may do, and raises nothing.
#[test]
fn command_inside_a_session_widens_nothing() {
    let env = TestEnv::new();
    env.init();
    let in_a_session = |arguments: &[&str]| {
        let ran = env.command(arguments).env("CLAUDECODE", "1").output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap())
    };
    let daily = ["task", "new", "watch it", "--when", "every weekday at 9", "--yes"];
    for (more, problem) in [
        (["--allow", "Bash"], "`Bash` is not allowed"),
        (["--usd", "50"], "a run may cost $0.50 at most"),
        (["--minutes", "60"], "a run may take 10 minutes at most"),
    ] {
        let (code, _, stderr) = in_a_session(&[&daily[..], &more].concat());
        assert_eq!(code, Some(1), "{more:?}");
        assert!(stderr.contains(problem) && stderr.contains("outside Claude Code"), "{stderr}");
    }
    assert_eq!(env.json(&["task", "list"])["conversations"], serde_json::json!([]));

    let (code, id, stderr) = in_a_session(&[&daily[..], &["--allow", "Read", "--usd", "0.25"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let id = id.trim();
    for more in [["--allow", "Bash"], ["--allow", "Grep"], ["--usd", "20"], ["--minutes", "60"]] {
        let (code, _, stderr) = in_a_session(&[&["task", "limit", id][..], &more].concat());
        assert_eq!(code, Some(1), "{more:?}");
        assert!(stderr.contains("only you can allow more"), "{stderr}");
    }
    let shown = env.json(&["task", "show", id]);
    assert_eq!(shown["conversation"]["allowed_tools"], serde_json::json!(["Read"]));
    assert_eq!(shown["conversation"]["most_usd"], 0.25);
    assert_eq!(in_a_session(&["task", "limit", id, "--usd", "0.1"]).0, Some(0), "lower is no danger");
    let shown = env.json(&["task", "show", id]);
    let told = shown["messages"][1]["content"].as_str().unwrap();
    assert!(told.starts_with("An agent in your name changed what a run may do."), "{told}");
    env.ok(&["task", "limit", id, "--allow", "Bash", "--usd", "20"]);
}

#[test]
fn what_a_task_asks_for_and_lacks_is_said_before_it_is_made() {
    let env = TestEnv::new();
    env.init();
    env.set("claude.binary", &[env.path("no/such/claude").to_str().unwrap()]);
    env.ok(&["connections", "add", "tracker", "--url", "https://tracker.example.org/mcp"]);
    let words = "read the logs, look into the tracker and my calendar, and run `cargo test --all`";
    let asked = ["task", "new", words, "--when", "every day at 9", "--connection", "papers", "--dry-run"];
    let told = env.run(&asked);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    for part in [
        "asks for   Read ",
        "--allow \"Read\" allows it",
        "asks for   Bash(cargo test --all), which may change something",
        "asks for   the connection tracker",
        "missing    Claude Code was not found",
        "missing    no agent is at work",
        "missing    there is no connection `papers`",
        "missing    nothing it may use reaches your calendar",
        "nothing was made",
    ] {
        assert!(told.stderr.contains(part), "{part}\n{}", told.stderr);
    }
    let given =
        [&asked[..5], &["--allow", "Read", "--allow", "Bash", "--connection", "tracker", "--dry-run"]]
            .concat();
    let needs = env.json(&given)["needs"].clone();
    let tools: Vec<_> =
        needs["tools"].as_array().unwrap().iter().map(|one| one["tool"].as_str().unwrap()).collect();
    assert_eq!(tools, ["Grep", "Glob"], "what was given is not asked for");
    assert_eq!(needs["connections"], serde_json::json!([]));
    // Nothing is allowed by itself.
    let id = env.ok(&["task", "new", words, "--when", "every day at 9"]).trim().to_owned();
    assert_eq!(env.json(&["task", "show", &id])["conversation"]["allowed_tools"], serde_json::json!([]));
}

/// Nothing may be spent on tasks: no reply is bought, and what was said is there.
#[test]
fn message_that_cannot_be_paid_is_an_error_and_is_kept() {
    let env = TestEnv::new();
    env.init();
    env.ok(&["config", "set", "tasks.daily_usd", "0"]);
    let id = env.ok(&["task", "new", "watch it", "--when", "every weekday at 9"]).trim().to_owned();
    let said = env.run(&["task", "say", &id, "how", "is", "it", "going?"]);
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(
        said.stderr.contains("what you said is kept") && said.stderr.contains("`tasks.daily_usd`"),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("`afterword config set tasks.daily_usd N`"), "{}", said.stderr);
    let shown = env.json(&["task", "show", &id]);
    let messages = shown["messages"].as_array().unwrap();
    assert_eq!((&messages[1]["role"], &messages[1]["content"]), (&"user".into(), &"how is it going?".into()));
    assert!(messages[2]["content"].as_str().unwrap().contains("tasks.daily_usd"), "{shown}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let env = TestEnv::new();
    env.init();
    let missing = env.path("no/such/server").to_string_lossy().into_owned();
    for (arguments, expected) in [
        (vec!["task", "new", "x", "--when", "soonish"], "`soonish` is not understood"),
        (vec!["task", "new", "x", "--when", "now", "--allow", "--dangerously-skip-permissions"], "error"),
        (vec!["task", "new", "x", "--when", "now", "--allow=--debug"], "is no tool"),
        (vec!["task", "new", "x", "--when", "now", "--connection", "mail"], "no connection `mail`"),
        (vec!["task", "show", "0192"], "no conversation `0192`"),
        (vec!["connections", "add", "mail", "--url", "http://example.org"], "https://"),
        (vec!["connections", "add", "mail", "--", "no-such-mail-server"], "no program `no-such-mail-server`"),
        (vec!["connections", "add", "mail", "--", missing.as_str()], "there is no program "),
    ] {
        let ran = env.run(&arguments);
        assert_ne!(ran.code, Some(0), "{arguments:?}");
        assert!(ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
    }
    env.ok(&[
        "connections",
        "add",
        "files",
        "--pass-on",
        "TOKEN",
        "--",
        env!("CARGO_BIN_EXE_afterword"),
        "--root",
        "/tmp",
    ]);
    let listed = env.json(&["connections"]);
    assert_eq!(listed["connections"][0]["arguments"][0], "--root");
    env.ok(&["connections", "remove", "files"]);
}

/// A stand-in for Claude Code that runs `body`; its file is made by another process, or a test beside this one could have it
/// open for writing while it is started.
#[cfg(target_os = "linux")]
fn stand_in(env: &TestEnv, body: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    use std::{fs, process};

    let options = "--print --output-format --tools --strict-mcp-config --setting-sources --json-schema --resume --session-id";
    let script = format!(
        "#!/bin/sh\nPATH=/usr/bin:/bin; cd '{}'\nif [ \"$1\" = --help ]; then echo '{options}'; exit 0; fi\n{body}\n",
        env.path("work").display(),
    );
    let (draft, client) = (env.path("work/claude.draft"), env.path("work/claude"));
    fs::write(&draft, script).unwrap();
    fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(process::Command::new("cp").arg(&draft).arg(&client).status().unwrap().success());
    env.ok(&["config", "set", "claude.binary", client.to_str().unwrap()]);
}

/// What talking changed, and what it could not, is said with the reply.
#[test]
#[cfg(target_os = "linux")]
fn what_talking_changed_is_said_with_the_reply() {
    let env = TestEnv::new();
    env.init();
    let answer = |reply: &str, change: serde_json::Value| {
        let structured = serde_json::json!({"reply": reply, "changes": [change]});
        let line = serde_json::json!({"type": "result", "subtype": "success", "session_id": "s-1",
            "total_cost_usd": 0.01, "structured_output": structured});
        stand_in(&env, &format!("cat > prompt\ncat <<'LINE'\n{line}\nLINE"));
    };
    let id = env.ok(&["task", "new", "watch it", "--when", "every day at 9"]).trim().to_owned();
    answer("Hourly from now on.", serde_json::json!({"do": "reschedule", "when": "every hour"}));
    let said = env.ok(&["task", "say", &id, "check every hour instead"]);
    assert!(said.contains("Hourly from now on.") && said.contains("Changed: it runs"), "{said}");
    assert!(said.contains(&format!("`afterword task undo {id}` takes it back")), "{said}");

    answer("You may spend nine dollars now.", serde_json::json!({"do": "limit", "usd": 9}));
    let said = env.json(&["task", "say", &id, "you may spend more"]);
    assert_eq!(said["reply"], "You may spend nine dollars now.");
    let shown = env.json(&["task", "show", &id]);
    let mut asked = shown["messages"].as_array().unwrap().iter().filter(|one| one["role"] == "user");
    assert_eq!(asked.next_back().unwrap()["content"], "you may spend more", "an option is no word");
    let told = said["changes"][0].as_str().unwrap();
    assert!(told.starts_with("Not changed: ") && told.contains("only you can allow more"), "{said}");

    // A model that only says so has changed nothing, and the person is told.
    let before = env.json(&["task", "show", &id])["conversation"]["schedule"].clone();
    let structured = serde_json::json!({"reply": "From now on every two hours."});
    let line = serde_json::json!({"type": "result", "subtype": "success", "session_id": "s-1",
        "total_cost_usd": 0.01, "structured_output": structured});
    stand_in(&env, &format!("cat > prompt\ncat <<'LINE'\n{line}\nLINE"));
    let said = env.ok(&["task", "say", &id, "check every two hours instead"]);
    assert!(said.contains("From now on every two hours.") && said.contains("Nothing was changed."), "{said}");
    assert!(said.contains(&format!("`afterword task reschedule {id} WHEN`")), "{said}");
    assert_eq!(env.json(&["task", "show", &id])["conversation"]["schedule"], before);
    let said = env.ok(&["task", "say", &id, "how is it going?"]);
    assert!(!said.contains("Nothing was changed"), "{said}");
}

/// What a task asks or reports is in `status` and marked in the list until the person looked.
#[test]
#[cfg(target_os = "linux")]
fn task_with_something_to_say_is_in_status_and_in_the_list() {
    let env = TestEnv::new();
    env.init();
    let quiet = env.ok(&["status"]);
    assert!(!quiet.contains("tasks "), "{quiet}");
    let answer = |structured: &str| {
        let line = format!(
            r#"{{"type":"result","subtype":"success","session_id":"s-3","total_cost_usd":0.01,"structured_output":{structured}}}"#
        );
        stand_in(&env, &format!("cat > prompt\ncat <<'LINE'\n{line}\nLINE"));
    };
    answer(r#"{"complete":true,"message":"The build is green."}"#);
    let agent = start_agent(&env);
    let reported = env.ok(&["task", "new", "look at the build", "--when", "now"]).trim().to_owned();
    let tasks = || env.json(&["status"])["tasks"].clone();
    until("it reports", || tasks()["reported"] == 1);
    answer(
        r#"{"needs_input":true,"message":"Ready.","question":{"type":"confirmation","prompt":"Send it?"}}"#,
    );
    env.ok(&["task", "new", "send the report", "--when", "now"]);
    until("it asks", || tasks()["asking"] == 1);
    let status = env.ok(&["status"]);
    assert!(status.contains("tasks     1 task asks you, 1 task has news"), "{status}");
    let listed = env.ok(&["task", "list"]);
    assert!(listed.lines().any(|line| line.contains("look at the build  1 new report")), "{listed}");
    env.ok(&["task", "show", &reported]);
    assert!(!env.ok(&["task", "list"]).contains("new report"), "seen by now");
    assert_eq!(tasks()["reported"], 0);
    agent.kill();
}

/// A job that failed and is tried again says when and why, in `jobs`, in `jobs show` and in `status`.
#[test]
#[cfg(target_os = "linux")]
fn job_that_is_tried_again_says_when() {
    let env = TestEnv::new();
    env.init();
    stand_in(&env, "cat > prompt; echo 'out of order' >&2; exit 3");
    let id = env.ok(&["task", "new", "watch it", "--when", "every day at 9"]).trim().to_owned();
    env.ok(&["task", "say", &id, "how is it going?"]);
    let job = env.json(&["jobs"])["jobs"][0]["job_id"].as_str().unwrap().to_owned();
    let shown = env.ok(&["jobs", "show", &job]);
    assert!(shown.contains("attempts  1 of 3\nnext      waits until "), "{shown}");
    assert!(shown.contains(" UTC, in ") && shown.contains("out of order"), "{shown}");
    let listed = env.ok(&["jobs"]);
    assert!(listed.contains("  waits until ") && listed.contains("out of order"), "{listed}");
    let status = env.ok(&["status"]);
    assert!(
        status.contains("queue     1 waiting, 0 running\n          conversation-run waits until "),
        "{status}"
    );
    assert!(status.contains("out of order"), "{status}");
}

/// The agent is killed with SIGKILL while the client runs: the run is taken up again, its client is ended, and the
/// conversation says so. The client is a stand-in that never answers the first time.
#[test]
#[cfg(target_os = "linux")]
fn run_that_was_killed_is_taken_up_again() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    use std::{fs, thread};

    let env = TestEnv::new();
    env.init();
    let script = format!(
        "#!/bin/sh\nPATH=/usr/bin:/bin; cd '{}'\n\
         if [ \"$1\" = --help ]; then echo '--print --output-format --tools --strict-mcp-config --setting-sources --json-schema --resume --session-id'; exit 0; fi\n\
         cat > prompt\n\
         if [ ! -e begun ]; then echo $$ > begun.new; mv begun.new begun; sleep 600; fi\n\
         echo '{}'\n",
        env.path("work").display(),
        r#"{"type":"result","subtype":"success","session_id":"s-2","total_cost_usd":0.01,"structured_output":{"complete":true,"message":"It is done."}}"#
    );
    let client = env.path("work/claude");
    fs::write(&client, script).unwrap();
    fs::set_permissions(&client, fs::Permissions::from_mode(0o755)).unwrap();
    env.ok(&["config", "set", "claude.binary", client.to_str().unwrap()]);
    let id = env.ok(&["task", "new", "do it", "--when", "now"]).trim().to_owned();
    let until = |what: &str, is_so: &dyn Fn() -> bool| {
        let clock = Instant::now();
        while !is_so() {
            assert!(clock.elapsed() < Duration::from_secs(180), "{what}");
            thread::sleep(Duration::from_millis(50));
        }
    };
    let start = || env.command(&["run"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut agent = start();
    until("the client runs", &|| env.path("work/begun").exists());
    let process = fs::read_to_string(env.path("work/begun")).unwrap().trim().to_owned();
    until("its process is noted", &|| {
        let database = rusqlite::Connection::open(env.path("afterword/state/afterword.db")).unwrap();
        let noted = "SELECT count(*) FROM conversation_runs WHERE process IS NOT NULL";
        database.query_row(noted, (), |row| row.get::<_, u32>(0)).is_ok_and(|count| count == 1)
    });
    assert_eq!(env.json(&["task", "show", &id])["conversation"]["running"], true);
    agent.kill().unwrap();
    agent.wait().unwrap();
    assert_eq!(env.json(&["task", "show", &id])["conversation"]["running"], false, "nothing runs any more");
    let jobs = env.ok(&["jobs"]);
    assert!(jobs.contains("cut off") && !jobs.contains("running"), "{jobs}");
    assert_eq!(env.json(&["jobs"])["jobs"][0]["cut_off"], true);
    let status = env.ok(&["status"]);
    assert!(status.contains("queue     0 waiting, 0 running, 1 cut off"), "{status}");

    let mut agent = start();
    until("it is done", &|| !env.json(&["task", "show", &id])["conversation"]["finished_at"].is_null());
    agent.kill().unwrap();
    agent.wait().unwrap();
    let shown = env.json(&["task", "show", &id]);
    let outcomes: Vec<_> =
        shown["runs"].as_array().unwrap().iter().map(|run| run["outcome"].clone()).collect();
    assert_eq!(outcomes, ["completed", "cut-off"]);
    let said = shown["messages"].to_string();
    assert!(said.contains("is taken up again") && !said.contains("Z was cut off"), "{said}");
    assert!(said.contains("It is done."), "{said}");
    until("the first client is gone", &|| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    });
}
