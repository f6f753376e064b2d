//! Somebody else's program reads the state while the agent works, opening the database and closing it again and again: it takes
//! nothing from the agent.

#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use afterword_testkit::until;

use crate::env::TestEnv;
use crate::killed::{check, session};
use crate::running::start_agent;

const SESSIONS: usize = 20;
const REFLECTED: &str = "SELECT count(*) FROM session_timeline WHERE what = 'reflected'";

/// A program with an SQLite of its own.
struct Reader {
    program: &'static str,
    arguments: &'static [&'static str],
    database: PathBuf,
}

impl Reader {
    /// The first of those that are here.
    fn of(database: PathBuf) -> Option<Self> {
        const SCRIPT: &str = "import sqlite3, sys; database = sqlite3.connect(sys.argv[1], timeout=60); \
                              print(database.execute(sys.argv[2]).fetchone()[0]); database.close()";
        let known: [(_, &[&str], &[&str]); 2] = [
            ("sqlite3", &["-cmd", ".timeout 60000"], &["-version"]),
            ("python3", &["-c", SCRIPT], &["-c", "import sqlite3"]),
        ];
        let (program, arguments, _) = known.into_iter().find(|(program, _, trial)| {
            Command::new(program).args(*trial).output().is_ok_and(|output| output.status.success())
        })?;
        Some(Self { program, arguments, database })
    }

    /// Opens the database, asks, and closes it.
    fn read(&self, question: &str) -> String {
        let mut command = Command::new(self.program);
        let output = command.args(self.arguments).arg(&self.database).arg(question).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

/// Files that were deleted under a process that has them open. SQLite closes its log before it deletes it, and deletes it only
/// where nobody else has the database open.
#[cfg(target_os = "linux")]
fn deleted_logs(pid: u32) -> Vec<PathBuf> {
    let open = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten();
    let names = open.filter_map(|entry| std::fs::read_link(entry.path()).ok());
    names.filter(|name| name.to_string_lossy().ends_with(".db-wal (deleted)")).collect()
}

#[cfg(not(target_os = "linux"))]
fn deleted_logs(_: u32) -> Vec<PathBuf> {
    Vec::new()
}

#[test]
fn program_that_reads_the_state_again_and_again_takes_nothing_from_the_agent_at_work() {
    let env = TestEnv::new();
    let database = env.path("afterword/state/afterword.db");
    let Some(reader) = Reader::of(database.clone()) else {
        println!("skipped: there is neither sqlite3 nor a python3 with its module here");
        return;
    };
    env.init();
    env.ok(&["config", "set", "heartbeat.enabled", "false"]);
    let running = start_agent(&env);
    until("at work", || env.json(&["status"])["agent"]["state"] == "watching");
    let log = PathBuf::from(format!("{}-wal", database.display()));
    let number_of = |path: &Path| path.metadata().unwrap().ino();
    let at_first = number_of(&log);
    let sessions: Vec<_> = (0..SESSIONS).map(|number| session(&env, number)).collect();
    for (done, session) in sessions.iter().enumerate() {
        session.write();
        until("reflected", || {
            let reflected = reader.read(REFLECTED);
            assert_eq!(reader.read("PRAGMA quick_check"), "ok", "also of jobs that wait and run");
            assert_eq!(deleted_logs(running.0.id()), Vec::<PathBuf>::new());
            assert_eq!(number_of(&log), at_first, "the log of a database in use was deleted");
            reflected == (done + 1).to_string()
        });
    }
    until("queue is empty", || {
        let queue = env.json(&["status"])["queue"].clone();
        queue["pending"] == 0 && queue["running"] == 0
    });
    let doctor = env.json(&["doctor"])["checks"].clone();
    let unwell: Vec<_> = doctor.as_array().unwrap().iter().filter(|check| check["verdict"] != "ok").collect();
    assert!(unwell.is_empty(), "{unwell:#?}");
    running.kill();

    assert_eq!(reader.read("PRAGMA integrity_check"), "ok");
    check(&sessions, env.vault(), |arguments| env.json(arguments));
    assert_eq!(reader.read("SELECT count(*) FROM jobs WHERE status <> 'completed'"), "0");
    assert_eq!(reader.read(REFLECTED), SESSIONS.to_string());
}

#[test]
fn agent_goes_on_where_its_database_is_moved_aside() {
    let env = TestEnv::new();
    let database = env.path("afterword/state/afterword.db");
    env.init();
    env.ok(&["config", "set", "heartbeat.enabled", "false"]);
    let mut running = start_agent(&env);
    let waiting = || env.json(&["status"])["sessions"]["waiting"]["count"].clone();
    for number in 0..6 {
        until("at work", || env.json(&["status"])["agent"]["state"] == "watching");
        if number > 0 {
            std::fs::rename(&database, env.path(&format!("afterword/state/aside-{number}.db"))).unwrap();
        }
        session(&env, number).write();
        until("all are reflected in the database that is there", || database.exists() && waiting() == 0);
        assert_eq!(running.0.try_wait().unwrap(), None, "the agent is at work");
    }
    running.kill();
    for number in 0..6 {
        let found = env.json(&["search", &format!("zq{number}x"), "--limit", "1"]).to_string();
        assert!(found.contains(&format!("zq{number}x")), "{found}");
    }
}
