//! The queue under several processes: no job is lost and none is done twice, also when workers are killed.
//!
//! A trigger in the database writes down every change of a job's status in the order SQLite made them; the rules are
//! checked on that record, not on what the queue says of itself.

#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

mod due;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use afterword_core::job::saturating_add;
use afterword_core::{JobType, QueueRules, UserId, WorkerId};
use afterword_store::{Claim, DuplicatePolicy, EnqueueOutcome, Jobs, NewJob, QueueError, Store, StoreError};
use jiff::Timestamp;
use rusqlite::Connection;

const WORKERS: usize = 8;
const JOBS: usize = 10_000;
const USERS: usize = 40;

/// Milliseconds since 1970 that the workers take for the time.
const NOW: i64 = 1_772_359_200_000;

fn now() -> Timestamp {
    Timestamp::from_millisecond(NOW).unwrap()
}

/// When what failed at [`now`] for the first time is due again.
fn after_the_first_wait() -> Timestamp {
    saturating_add(now(), Duration::from_secs(60))
}

#[test]
fn eight_processes_do_ten_thousand_jobs_once_each() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("afterword.db");
    fill(&path, JOBS);
    let (sender, lines) = channel();
    let workers: Vec<_> =
        (0..WORKERS).map(|_| Worker::start(&path, now(), WORKERS, None, sender.clone())).collect();
    drop(sender);
    let said: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    workers.into_iter().for_each(Worker::must_end_well);

    for word in ["start", "done"] {
        let ids: Vec<&str> = said.iter().filter_map(|line| line.strip_prefix(word)).collect();
        let distinct: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!((ids.len(), distinct.len()), (JOBS, JOBS), "{word}");
    }
    let record = Record::read(&path);
    record.keeps_the_rules(WORKERS, None);
    assert_eq!(record.count("running", "completed"), JOBS);
    assert_eq!(record.count("running", "queued"), 0);
}

#[test]
fn killed_workers_lose_no_job_and_none_is_done_twice() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("afterword.db");
    fill(&path, JOBS);
    let store = Store::open(&path).unwrap();
    let (sender, lines) = channel();
    let mut workers: HashMap<u32, Worker> = HashMap::new();
    let mut kills = kill_plan().into_iter();
    for _ in 0..WORKERS {
        let worker = Worker::start(&path, now(), WORKERS, kills.next(), sender.clone());
        workers.insert(worker.child.id(), worker);
    }
    // Some are killed while they hold a job, others wherever they are when one of their lines arrives.
    let (mut killed, mut held, mut taken_back, mut done, mut dead) = (0, 0, 0, Vec::new(), BTreeSet::new());
    while !workers.is_empty() {
        let (process, line) = lines.recv().unwrap();
        if let Some(id) = line.strip_prefix("done") {
            done.push(id.to_owned());
        }
        if dead.contains(&process) {
            continue;
        }
        let worker = workers.get_mut(&process).unwrap();
        worker.lines += 1;
        if line == "end" {
            workers.remove(&process).unwrap().must_end_well();
        } else if worker.is_to_be_killed(&line) {
            let mut worker = workers.remove(&process).unwrap();
            worker.child.kill().unwrap();
            worker.child.wait().unwrap();
            dead.insert(process);
            killed += 1;
            held += usize::from(line == "holding");
            taken_back +=
                store.jobs().claims().reclaim_from(WorkerId::new(process, now()), now()).unwrap().len();
            let next = Worker::start(&path, now(), WORKERS, kills.next(), sender.clone());
            workers.insert(next.child.id(), next);
        }
    }
    // One that the others hardly let to the database may reach the end before its time.
    assert!(killed >= kill_plan().len() / 2 && held > 0, "{killed} were killed, {held} of them at a job");
    assert!(taken_back >= held, "{held} held a job: {taken_back}");

    // What the killed ones had is due a minute later.
    let boundary = Record::read(&path).moves.len();
    let late: Vec<_> = (0..WORKERS)
        .map(|_| Worker::start(&path, after_the_first_wait(), WORKERS, None, sender.clone()))
        .collect();
    drop(sender);
    done.extend(lines.into_iter().filter_map(|(_, line)| Some(line.strip_prefix("done")?.to_owned())));
    late.into_iter().for_each(Worker::must_end_well);

    let record = Record::read(&path);
    record.keeps_the_rules(WORKERS, Some(boundary));
    assert_eq!(record.count("running", "completed"), JOBS, "none lost");
    assert_eq!(record.count("running", "queued"), taken_back);
    assert_eq!(record.count("queued", "running"), JOBS + taken_back);
    let distinct: BTreeSet<&String> = done.iter().collect();
    assert_eq!(distinct.len(), done.len(), "none done twice");
    assert!(done.len() >= JOBS - killed, "only a killed one may not have come to say so");
}

#[test]
fn five_at_once_with_eight_workers() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("afterword.db");
    fill(&path, 300);
    let (sender, lines) = channel();
    let start = |_| Worker::start(&path, now(), 5, None, sender.clone());
    let workers: Vec<_> = (0..WORKERS).map(start).collect();
    drop(sender);
    assert_eq!(lines.into_iter().filter(|(_, line)| line.starts_with("done")).count(), 300);
    workers.into_iter().for_each(Worker::must_end_well);
    Record::read(&path).keeps_the_rules(5, None);
}

/// How each of the workers that are to be killed meets its end.
fn kill_plan() -> Vec<Kill> {
    (0..24)
        .map(|n| if n % 2 == 0 { Kill::Holding(7 + n * 5) } else { Kill::AfterLine(20 + n * 13) })
        .collect()
}

#[derive(Clone, Copy)]
enum Kill {
    /// While it holds a job, after so many done.
    Holding(usize),
    /// Wherever it is when its so many-th line arrives, as likely as not within a transaction.
    AfterLine(usize),
}

struct Worker {
    child: Child,
    kill: Option<Kill>,
    lines: usize,
}

impl Worker {
    fn start(
        path: &Path,
        now: Timestamp,
        at_once: usize,
        kill: Option<Kill>,
        lines: Sender<(u32, String)>,
    ) -> Self {
        let hold = match kill {
            Some(Kill::Holding(after)) => after,
            _ => usize::MAX,
        };
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", "working_process"])
            .env("AFTERWORD_QUEUE_TEST", path)
            .env("AFTERWORD_QUEUE_NOW", now.as_millisecond().to_string())
            .env("AFTERWORD_QUEUE_AT_ONCE", at_once.to_string())
            .env("AFTERWORD_QUEUE_HOLD", hold.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (process, output) = (child.id(), child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Some((_, line)) = line.split_once('>') {
                    let _ = lines.send((process, line.to_owned()));
                }
            }
            let _ = lines.send((process, "end".to_owned()));
        });
        Self { child, kill, lines: 0 }
    }

    fn is_to_be_killed(&self, line: &str) -> bool {
        match self.kill {
            Some(Kill::Holding(_)) => line == "holding",
            Some(Kill::AfterLine(most)) => self.lines >= most,
            None => false,
        }
    }

    fn must_end_well(mut self) {
        assert!(self.child.wait().unwrap().success());
    }
}

/// Run by the other tests, in processes of its own.
#[test]
#[ignore = "a part of other tests"]
fn working_process() {
    let variable = |name: &str| std::env::var(name).expect("set by the test that starts this process");
    let path = PathBuf::from(variable("AFTERWORD_QUEUE_TEST"));
    let store = patiently(|| Store::open(&path));
    let now = Timestamp::from_millisecond(variable("AFTERWORD_QUEUE_NOW").parse().unwrap()).unwrap();
    let at_once = variable("AFTERWORD_QUEUE_AT_ONCE").parse().unwrap();
    let jobs = store.jobs().with_rules(QueueRules { at_once, ..QueueRules::default() });
    let hold: usize = variable("AFTERWORD_QUEUE_HOLD").parse().unwrap();
    let worker = WorkerId::new(std::process::id(), self::now());
    let mut done = 0;
    while let Some(claim) = next(&jobs, worker, now) {
        say(&format!("start{}", claim.job.id));
        if done == hold {
            say("holding");
            std::io::stdin().read_line(&mut String::new()).unwrap();
        }
        patiently(|| jobs.claims().complete(&claim, "{}", now));
        say(&format!("done{}", claim.job.id));
        done += 1;
    }
}

/// Asks again while other processes keep the database longer than the busy timeout, as a worker does: on a loaded machine
/// one of eight that write all the time can be passed over that long. Nothing was done when the database was busy.
fn patiently<T, E: Into<QueueError>>(mut ask: impl FnMut() -> Result<T, E>) -> T {
    for _ in 0..24 {
        match ask().map_err(Into::into) {
            Err(QueueError::Store(StoreError::Busy { .. })) => {}
            answer => return answer.unwrap(),
        }
    }
    panic!("the database was busy for two minutes");
}

/// The next job; none when none is left that is due.
fn next(jobs: &Jobs<'_>, worker: WorkerId, now: Timestamp) -> Option<Claim> {
    loop {
        if let Some(claim) = patiently(|| jobs.claims().claim(worker, now)) {
            return Some(claim);
        }
        if patiently(|| jobs.next_due()).is_none_or(|due| due > now) {
            return None;
        }
        // As many run as may; a real worker would wait to be woken.
        std::thread::yield_now();
    }
}

fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    writeln!(output, ">{line}").unwrap();
    output.flush().unwrap();
}

/// A database with jobs of all types and several users, and the trigger that watches them.
fn fill(path: &Path, jobs: usize) {
    let store = Store::open(path).unwrap();
    let watch = "CREATE TABLE moves (
            n INTEGER PRIMARY KEY, seq INTEGER, user_id TEXT, type TEXT, was TEXT, became TEXT);
        CREATE TRIGGER watch AFTER UPDATE ON jobs WHEN old.status <> new.status BEGIN
            INSERT INTO moves (seq, user_id, type, was, became)
            VALUES (new.seq, new.user_id, new.type, old.status, new.status);
        END;";
    Connection::open(path).unwrap().execute_batch(watch).unwrap();
    let filled: Result<(), QueueError> = store.in_transaction(|store| {
        for n in 0..jobs {
            let job = NewJob {
                user: UserId::parse(&format!("user-{}", n % USERS)).unwrap(),
                job_type: if n % 3 == 0 { JobType::ALL[n / 3 % 4] } else { JobType::Reflection },
                subject: Some(format!("session-{n}")),
                payload: "{}".into(),
                forced: false,
                not_before: now(),
                on_duplicate: DuplicatePolicy::QueueBehind,
            };
            assert!(matches!(store.jobs().enqueue(&job, now())?, EnqueueOutcome::Queued(_)));
        }
        Ok(())
    });
    filled.unwrap();
}

struct Move {
    seq: i64,
    user: String,
    reflection: bool,
    was: String,
    became: String,
}

/// Every change of a job's status, in order.
struct Record {
    moves: Vec<Move>,
}

impl Record {
    fn read(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        let mut statement =
            connection.prepare("SELECT seq, user_id, type, was, became FROM moves ORDER BY n").unwrap();
        let moves = statement.query_map((), |row| {
            Ok(Move {
                seq: row.get(0)?,
                user: row.get(1)?,
                reflection: row.get::<_, String>(2)? == "reflection",
                was: row.get(3)?,
                became: row.get(4)?,
            })
        });
        Self { moves: moves.unwrap().collect::<Result<_, _>>().unwrap() }
    }

    fn count(&self, was: &str, became: &str) -> usize {
        self.moves.iter().filter(|step| (step.was.as_str(), step.became.as_str()) == (was, became)).count()
    }

    /// At most `at_once` at once, one reflection a user, each user's jobs in the order they were queued. At `boundary` the
    /// workers' clock passed the time of those put back before it.
    fn keeps_the_rules(&self, at_once: usize, boundary: Option<usize>) {
        // A user's waiting jobs, with whether each is a reflection.
        let mut waiting: HashMap<&str, BTreeMap<i64, bool>> = HashMap::new();
        for step in &self.moves {
            waiting.entry(&step.user).or_default().insert(step.seq, step.reflection);
        }
        let (mut running, mut reflecting, mut put_back) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for (n, step) in self.moves.iter().enumerate() {
            if boundary == Some(n) {
                for again in put_back.drain(..) {
                    let again: &Move = again;
                    waiting.entry(&again.user).or_default().insert(again.seq, again.reflection);
                }
            }
            let user = step.user.as_str();
            if step.became == "running" {
                let own = waiting.get_mut(user).unwrap();
                let earlier = own
                    .range(..step.seq)
                    .find(|(_, reflection)| !(**reflection && reflecting.contains(user)));
                assert_eq!(earlier, None, "job {} of {user} went before", step.seq);
                assert!(own.remove(&step.seq).is_some(), "job {} was not due", step.seq);
                assert!(running.insert(step.seq), "job {} runs already", step.seq);
                assert!(running.len() <= at_once, "{running:?} run at once");
                assert!(!step.reflection || reflecting.insert(user), "two reflections of {user}");
            } else {
                assert!(running.remove(&step.seq), "job {} did not run", step.seq);
                assert!(!step.reflection || reflecting.remove(user));
                if step.became == "queued" {
                    put_back.push(step);
                }
            }
        }
        assert!(running.is_empty());
    }
}
