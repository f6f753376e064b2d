//! A place to measure in: a home of its own with a vault, and the built program run in it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use afterword_app::{ConfigFile, Environment, Paths, init};

pub(crate) struct BenchHome {
    root: tempfile::TempDir,
}

impl BenchHome {
    pub(crate) fn new() -> Self {
        let place = Self { root: tempfile::tempdir().unwrap() };
        init::init(&place.environment(), Some(&place.path("vault"))).unwrap();
        place.set("heartbeat.enabled", "false");
        fs::create_dir_all(place.path("claude/projects")).unwrap();
        place
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    pub(crate) fn environment(&self) -> Environment {
        Environment {
            afterword_home: Some(self.path("afterword")),
            claude_config_dir: Some(self.path("claude")),
            home: Some(self.path("home")),
            working_directory: self.root.path().to_owned(),
        }
    }

    pub(crate) fn set(&self, key: &str, value: &str) {
        let paths = Paths::new(&self.environment()).unwrap();
        ConfigFile::new(&paths.config_file, None).set(key, &[value.to_owned()]).unwrap();
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
fn processor_ms(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split_whitespace().collect();
    (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()) * 10
}

fn memory_kb(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
