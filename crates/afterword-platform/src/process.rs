//! Which process a session's client is, and whether it is still there.
//!
//! A number alone does not name a process, as numbers are used again; with the start time it does. Start times are the
//! system's own and only compared, never shown. It owns no child processes. Start at [`ProcessIdentity`].

use afterword_core::WorkerId;
use serde::{Deserialize, Serialize};

/// How the names of those begin that take over the processes of parents that have ended: inits of machines and of their users'
/// sessions, of containers, of WSL, and supervisors.
const REAPERS: [&str; 15] = [
    "systemd",
    "init",
    "launchd",
    "openrc-init",
    "runit",
    "runsv",
    "s6-",
    "tini",
    "dumb-init",
    "docker-init",
    "catatonit",
    "conmon",
    "containerd-shim",
    "SessionLeader",
    "Relay(",
];

/// A process: its number, and when it started in the system's own terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProcessIdentity {
    /// Its number.
    pub pid: u32,
    /// When and where it started, as text that means something only to this module.
    pub started: String,
}

/// Whether a process is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Liveness {
    /// It runs.
    Alive,
    /// It does not run any more.
    Gone,
    /// It cannot be seen from here: it belongs to another container, or its start was never learned.
    Unknown,
}

/// A running process as the system lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningProcess {
    /// Which it is.
    pub identity: ProcessIdentity,
    /// The number of the one that started it.
    pub parent: Option<u32>,
    /// Its program's short name; Linux cuts it at 15 bytes.
    pub name: String,
}

impl ProcessIdentity {
    /// This process. `None` where the system does not tell.
    pub fn of_this() -> Option<Self> {
        find_process(std::process::id()).map(|running| running.identity)
    }

    /// Whether it is still there; costs some microseconds.
    pub fn liveness(&self) -> Liveness {
        system::liveness(self)
    }
}

/// The process that has this number now. `None` where there is none, or one that has ended and waits to be collected.
pub fn find_process(pid: u32) -> Option<RunningProcess> {
    system::find_process(pid)
}

/// The processes above this one, the nearest first; at most `most`. Those that started it, and where one of them has ended, on Unix
/// whoever takes its children over.
pub fn ancestors(most: usize) -> Vec<RunningProcess> {
    let mut found: Vec<RunningProcess> = Vec::new();
    let Some(mut below) = find_process(std::process::id()) else { return found };
    while found.len() < most
        && let Some(parent) = below.parent.filter(|parent| *parent != 0 && *parent != below.identity.pid)
        && let Some(above) = find_process(parent)
        && !is_younger(&above, &below)
    {
        found.push(above.clone());
        below = above;
    }
    found
}

/// Nobody is younger than what it started: on Windows the number of a parent that has ended may be another process's.
fn is_younger(one: &RunningProcess, other: &RunningProcess) -> bool {
    let started_ms = |process: &RunningProcess| system::started_ms(&process.identity);
    matches!((started_ms(one), started_ms(other)), (Some(one), Some(other)) if one > other)
}

impl RunningProcess {
    /// Whether it is the first process of a machine or a container, which takes over the processes whose parent has ended.
    pub fn is_first(&self) -> bool {
        cfg!(unix) && self.identity.pid == 1
    }

    /// Whether it is known by name to take over the processes whose parent has ended. Windows has no such processes.
    pub fn is_reaper(&self) -> bool {
        cfg!(unix) && REAPERS.iter().any(|reaper| self.name.starts_with(reaper))
    }
}

/// Whether somebody still holds the other end of this process's standard output. `None` where it is neither a pipe nor a socket, or
/// the system does not tell.
///
/// A process's files are closed before its children are given to another: whoever started this one with such an output, and kept its
/// other end to itself, is its parent for as long as the answer is yes.
pub fn is_output_open() -> Option<bool> {
    #[cfg(unix)]
    let answer = is_other_end_open(std::io::stdout());
    #[cfg(not(unix))]
    let answer = None;
    answer
}

#[cfg(unix)]
fn is_other_end_open(file: impl std::os::fd::AsFd) -> Option<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::FileType;
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&file).ok()?.st_mode);
    if !matches!(kind, FileType::Fifo | FileType::Socket) {
        return None;
    }
    let mut asked = [PollFd::new(&file, PollFlags::OUT)];
    poll(&mut asked, Some(&Timespec::default())).ok()?;
    Some(!asked[0].revents().intersects(PollFlags::HUP | PollFlags::ERR))
}

/// Ends a process and everything that it started, itself first, so that it starts no more.
///
/// # Errors
/// [`std::io::Error`]: the system does not list its processes.
#[cfg(not(unix))]
pub fn end_with_descendants(pid: u32) -> std::io::Result<()> {
    system::end_with_descendants(pid)
}

/// This process as a worker on jobs.
pub fn worker() -> WorkerId {
    let this = ProcessIdentity::of_this();
    let started_ms = this.and_then(|this| system::started_ms(&this)).unwrap_or(0);
    WorkerId { process: std::process::id(), started_ms }
}

/// Whether a worker's process is still there.
pub fn is_working(worker: &WorkerId) -> bool {
    let now = find_process(worker.process).and_then(|now| system::started_ms(&now.identity));
    now.is_some_and(|started_ms| started_ms == worker.started_ms)
}

#[cfg(target_os = "linux")]
mod system {
    //! From `/proc` (proc_pid_stat(5)): nothing to link, and a few microseconds in a hook's life.

    use std::fs;

    use super::{Liveness, ProcessIdentity, RunningProcess};

    /// Boot, pid namespace and start in clock ticks since boot. Another boot means the process is gone; another
    /// namespace that its number says nothing here.
    struct Start<'a> {
        boot: &'a str,
        namespace: &'a str,
        ticks: &'a str,
    }

    impl<'a> Start<'a> {
        fn parse(text: &'a str) -> Option<Self> {
            let mut parts = text.split('/');
            let start = Self { boot: parts.next()?, namespace: parts.next()?, ticks: parts.next()? };
            parts.next().is_none().then_some(start)
        }
    }

    pub(super) fn find_process(pid: u32) -> Option<RunningProcess> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name may hold blanks and parentheses; it ends at the last one.
        let (head, fields) = stat.rsplit_once(") ")?;
        let name = head.split_once('(')?.1.to_owned();
        let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
        // Fields 3 (state), 4 (parent) and 22 (start time), counted from 1 with the number and the name.
        let (state, parent, ticks) = (*fields.first()?, *fields.get(1)?, *fields.get(19)?);
        if matches!(state, "Z" | "X" | "x") {
            return None;
        }
        let started = format!("{}/{}/{ticks}", boot_id()?, namespace()?);
        Some(RunningProcess { identity: ProcessIdentity { pid, started }, parent: parent.parse().ok(), name })
    }

    pub(super) fn liveness(identity: &ProcessIdentity) -> Liveness {
        let (Some(then), Some(boot), Some(namespace)) =
            (Start::parse(&identity.started), boot_id(), namespace())
        else {
            return Liveness::Unknown;
        };
        if then.boot != boot {
            return Liveness::Gone;
        }
        if then.namespace != namespace {
            return Liveness::Unknown;
        }
        let now = find_process(identity.pid);
        let same = now.as_ref().and_then(|now| Start::parse(&now.identity.started));
        if same.is_some_and(|now| now.ticks == then.ticks) { Liveness::Alive } else { Liveness::Gone }
    }

    /// Since the system's start, in the clock ticks of every Linux in use: a hundred a second.
    pub(super) fn started_ms(identity: &ProcessIdentity) -> Option<i64> {
        Start::parse(&identity.started)?.ticks.parse::<i64>().ok()?.checked_mul(10)
    }

    fn boot_id() -> Option<String> {
        let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        Some(id.trim().to_owned()).filter(|id| !id.contains('/'))
    }

    fn namespace() -> Option<String> {
        let link = fs::read_link("/proc/self/ns/pid").ok()?;
        Some(link.to_str()?.to_owned()).filter(|link| !link.contains('/'))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    //! From the system's process table, through a crate that knows it on macOS and Windows without `unsafe` here.

    use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

    use super::{Liveness, ProcessIdentity, RunningProcess};

    pub(super) fn find_process(pid: u32) -> Option<RunningProcess> {
        let mut system = System::new().ok()?;
        let (number, what) = (Pid::from_u32(pid), ProcessRefreshKind::nothing());
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[number]), true, what);
        let process = system.process(number)?;
        if matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead) {
            return None;
        }
        Some(RunningProcess {
            // Seconds since 1970.
            identity: ProcessIdentity { pid, started: process.start_time().to_string() },
            parent: process.parent().map(Pid::as_u32),
            name: process.name().to_string_lossy().into_owned(),
        })
    }

    #[cfg(not(unix))]
    pub(super) fn end_with_descendants(pid: u32) -> std::io::Result<()> {
        let mut system = System::new().map_err(std::io::Error::other)?;
        system.refresh_processes_specifics(ProcessesToUpdate::All, true, ProcessRefreshKind::nothing());
        let mut ended: Vec<_> = system.process(Pid::from_u32(pid)).into_iter().collect();
        let mut next = 0;
        while let Some(&process) = ended.get(next) {
            next += 1;
            process.kill();
            // Who started a process is known by a number, which a later process may have: that one is younger.
            let is_child = |other: &&sysinfo::Process| {
                other.parent() == Some(process.pid()) && other.start_time() >= process.start_time()
            };
            let children: Vec<_> = system.processes().values().filter(is_child).collect();
            let new = |child: &&sysinfo::Process| ended.iter().all(|known| known.pid() != child.pid());
            let children: Vec<_> = children.into_iter().filter(new).collect();
            ended.extend(children);
        }
        Ok(())
    }

    /// Since 1970.
    pub(super) fn started_ms(identity: &ProcessIdentity) -> Option<i64> {
        identity.started.parse::<i64>().ok()?.checked_mul(1000)
    }

    pub(super) fn liveness(identity: &ProcessIdentity) -> Liveness {
        if identity.started.parse::<u64>().is_err() {
            return Liveness::Unknown;
        }
        match find_process(identity.pid) {
            Some(now) if now.identity.started == identity.started => Liveness::Alive,
            _ => Liveness::Gone,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn this_process_is_alive_under_its_own_start_only() {
        let this = ProcessIdentity::of_this().unwrap();
        assert_eq!(this.liveness(), Liveness::Alive);
        let mut digits = this.started.clone();
        let last = if digits.pop() == Some('1') { '2' } else { '1' };
        digits.push(last);
        let earlier = ProcessIdentity { started: digits, ..this.clone() };
        assert_eq!(earlier.liveness(), Liveness::Gone, "its number was used again");
        let foreign = ProcessIdentity { started: "x".to_owned(), ..this };
        assert_eq!(foreign.liveness(), Liveness::Unknown);
    }

    #[test]
    fn killed_child_is_gone_even_before_it_is_collected() {
        let mut child = started("waits", std::path::Path::new(""));
        let identity = find_process(child.id()).unwrap().identity;
        assert_eq!(identity.liveness(), Liveness::Alive);
        child.kill().unwrap();
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while identity.liveness() == Liveness::Alive {
            assert!(std::time::Instant::now() < deadline, "a killed process stays alive");
            std::thread::yield_now();
        }
        assert_eq!(identity.liveness(), Liveness::Gone);
        child.wait().unwrap();
        assert_eq!(identity.liveness(), Liveness::Gone);
    }

    #[test]
    fn worker_of_this_process_works_and_one_with_its_number_alone_does_not() {
        let this = worker();
        assert!(is_working(&this));
        assert!(!is_working(&WorkerId { started_ms: this.started_ms - 10, ..this }));
    }

    /// A test of this module, run in a process of its own.
    fn started(test: &str, pid_file: &std::path::Path) -> std::process::Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", &format!("process::tests::{test}"), "--test-threads=1"])
            .env("PID_FILE", pid_file)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    }

    #[cfg(not(unix))]
    #[test]
    fn what_a_process_started_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let pid_file = folder.path().join("pid");
        let mut parent = started("starts_another", &pid_file);
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
        let below = loop {
            let number = std::fs::read_to_string(&pid_file).ok().and_then(|text| text.parse().ok());
            if let Some(running) = number.and_then(find_process) {
                break running.identity;
            }
            assert!(std::time::Instant::now() < deadline, "nothing was started");
            std::thread::yield_now();
        };
        end_with_descendants(parent.id()).unwrap();
        parent.wait().unwrap();
        while below.liveness() == Liveness::Alive {
            assert!(std::time::Instant::now() < deadline, "what it started lives on");
            std::thread::yield_now();
        }
    }

    #[test]
    #[ignore = "what a test above starts and ends"]
    fn starts_another() {
        let pid_file = std::path::PathBuf::from(std::env::var_os("PID_FILE").unwrap());
        let mut child = started("waits", &pid_file);
        let draft = pid_file.with_extension("draft");
        std::fs::write(&draft, child.id().to_string()).unwrap();
        std::fs::rename(draft, pid_file).unwrap();
        child.wait().unwrap();
    }

    #[test]
    #[ignore = "what the tests above start and kill"]
    fn waits() {
        let _ = std::io::stdin().read_line(&mut String::new());
    }

    #[test]
    fn started_by_somebody() {
        let above = ancestors(64);
        let this = find_process(std::process::id()).unwrap();
        assert_eq!(above.first().map(|one| one.identity.pid), this.parent.filter(|pid| *pid != 0));
        assert!(ancestors(1).len() <= 1);
        assert!(above.windows(2).all(|pair| !is_younger(&pair[1], &pair[0])), "{above:?}");
    }

    #[cfg(unix)]
    #[test]
    fn process_that_takes_children_over_is_known() {
        let this = find_process(std::process::id()).unwrap();
        let named = |pid: u32, name: &str| RunningProcess {
            identity: ProcessIdentity { pid, ..this.identity.clone() },
            name: name.to_owned(),
            ..this.clone()
        };
        for name in ["systemd", "systemd-userdb", "launchd", "init", "tini", "containerd-shim", "Relay(9)"] {
            assert!(named(4711, name).is_reaper(), "{name}");
        }
        assert!(named(1, "node").is_first() && !named(1, "node").is_reaper());
        for name in ["claude", "node", "tmux: server", "gnome-terminal-", "zsh"] {
            assert!(!named(4711, name).is_reaper(), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn other_end_of_an_output_is_open_until_nobody_holds_it() {
        use std::os::unix::net::UnixStream;
        let (reader, writer) = std::io::pipe().unwrap();
        assert_eq!(is_other_end_open(&writer), Some(true));
        drop(reader);
        assert_eq!(is_other_end_open(&writer), Some(false));
        let (one, other) = UnixStream::pair().unwrap();
        assert_eq!(is_other_end_open(&one), Some(true));
        other.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(is_other_end_open(&one), Some(true), "it may still read");
        drop(other);
        assert_eq!(is_other_end_open(&one), Some(false));
        assert_eq!(is_other_end_open(tempfile::tempfile().unwrap()), None);
        assert_eq!(is_other_end_open(std::fs::File::open("/dev/null").unwrap()), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_boot_is_gone_and_another_container_is_unknown() {
        let this = ProcessIdentity::of_this().unwrap();
        let parts: Vec<&str> = this.started.split('/').collect();
        let with = |started: String| ProcessIdentity { started, ..this.clone() }.liveness();
        assert_eq!(with(format!("other-boot/{}/{}", parts[1], parts[2])), Liveness::Gone);
        assert_eq!(with(format!("{}/pid:[1]/{}", parts[0], parts[2])), Liveness::Unknown);
    }
}
