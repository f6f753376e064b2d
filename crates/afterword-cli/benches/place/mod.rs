//! A place to measure in: a home of its own with a vault, and the built program run in it.

use std::fs;
use std::ops::Deref;
use std::process::{Command, Stdio};
use std::time::Duration;

use afterword_testkit::Sandbox;

/// A sandbox, and the built program to run in it.
pub(crate) struct BenchHome {
    sandbox: Sandbox,
}

impl Deref for BenchHome {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl BenchHome {
    pub(crate) fn new() -> Self {
        let home = Self { sandbox: Sandbox::new() };
        home.set("heartbeat.enabled", &["false"]);
        fs::create_dir_all(home.path("claude/projects")).unwrap();
        home
    }

    /// The program, with nowhere to read from or write to.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterword"));
        command
            .args(arguments)
            .env("AFTERWORD_HOME", self.path("afterword"))
            .env("CLAUDE_CONFIG_DIR", self.path("claude"))
            .env("HOME", self.path("home"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

pub(crate) fn print_times(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!("{what}: median {:?}, 99th {:?}, worst {:?} ({} times)", at(50), at(99), at(100), times.len());
}

/// What a process that is left alone costs for so many seconds: processor time, and memory before and after.
pub(crate) fn idle(what: &str, pid: u32, seconds: u64) {
    let (before, started) = (processor_ms(pid), memory_kb(pid));
    std::thread::sleep(Duration::from_secs(seconds));
    let (after, ended) = (processor_ms(pid), memory_kb(pid));
    println!(
        "idle for {seconds} s with {what}: {} ms of processor time; {} MB resident at first, {} MB at the end",
        after - before,
        started / 1024,
        ended / 1024
    );
}

/// How long an idle agent is watched, in seconds.
pub(crate) fn idle_seconds() -> u64 {
    std::env::var("AFTERWORD_IDLE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// User and system time of a process, from `/proc/PID/stat`, at a hundred ticks a second.
pub(crate) fn processor_ms(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split_whitespace().collect();
    (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()) * 10
}

fn memory_kb(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
