//! What the agent does again and again, and when: the one scheduler, fed with the time.
//!
//! What is to be done for one session is in [`crate::session`]; this is what is done whatever the sessions do. It waits
//! for nothing and does nothing itself. Start at [`Scheduler`].

use std::time::Duration;

use jiff::Timestamp;

use crate::job::saturating_add;

/// Something that is done again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MaintenanceTask {
    /// Every transcript is looked at again: what a watcher tells is a hint, this is the truth.
    Rescan,
    /// The clients of open sessions are looked for.
    Clients,
    /// Jobs whose worker is gone are taken back.
    TakeBack,
    /// What is no longer needed is removed.
    Collect,
}

impl MaintenanceTask {
    /// Every task, in the order they are done when several are due.
    pub const ALL: [Self; 4] = [Self::Rescan, Self::Clients, Self::TakeBack, Self::Collect];

    fn index(self) -> usize {
        match self {
            Self::Rescan => 0,
            Self::Clients => 1,
            Self::TakeBack => 2,
            Self::Collect => 3,
        }
    }
}

/// How often each task is done; `None` for one that there is no reason to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intervals {
    every: [Option<Duration>; 4],
}

impl Intervals {
    /// The time between two rescans while the system tells of changes.
    pub const RESCAN_WATCHED: Duration = Duration::from_secs(600);

    /// The usual intervals: clients twice a minute, so that a crash is known within one, while any session is open;
    /// leases twice a minute, while any job runs; the rest seldom.
    pub fn new(rescan: Duration, open_sessions: bool, running_jobs: bool) -> Self {
        let half_a_minute = Duration::from_secs(30);
        Self {
            every: [
                Some(rescan),
                open_sessions.then_some(half_a_minute),
                running_jobs.then_some(half_a_minute),
                Some(Duration::from_secs(3600)),
            ],
        }
    }
}

/// When each task was done last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scheduler {
    done: [Option<Timestamp>; 4],
}

impl Scheduler {
    /// The tasks that are due. One never done is due at once; so is one done in the future, by a clock set wrong.
    pub fn due(&self, intervals: &Intervals, now: Timestamp) -> Vec<MaintenanceTask> {
        MaintenanceTask::ALL
            .into_iter()
            .filter(|task| self.due_at(*task, intervals, now).is_some_and(|at| at <= now))
            .collect()
    }

    /// When the next task is due; `None` when there is none.
    pub fn next(&self, intervals: &Intervals, now: Timestamp) -> Option<Timestamp> {
        MaintenanceTask::ALL.into_iter().filter_map(|task| self.due_at(task, intervals, now)).min()
    }

    /// Notes that a task was done.
    pub fn mark_done(&mut self, task: MaintenanceTask, now: Timestamp) {
        self.done[task.index()] = Some(now);
    }

    /// Makes a task due at once.
    pub fn make_due(&mut self, task: MaintenanceTask) {
        self.done[task.index()] = None;
    }

    fn due_at(&self, task: MaintenanceTask, intervals: &Intervals, now: Timestamp) -> Option<Timestamp> {
        let every = intervals.every[task.index()]?;
        Some(match self.done[task.index()] {
            Some(done) if done <= now => saturating_add(done, every),
            _ => now,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-03-01T{text}Z").parse().unwrap()
    }

    #[test]
    fn everything_is_done_at_the_start_and_then_each_in_its_rhythm() {
        let intervals = Intervals::new(Intervals::RESCAN_WATCHED, true, false);
        let mut scheduler = Scheduler::default();
        let now = at("10:00:00");
        assert_eq!(
            scheduler.due(&intervals, now),
            [MaintenanceTask::Rescan, MaintenanceTask::Clients, MaintenanceTask::Collect]
        );
        for task in MaintenanceTask::ALL {
            scheduler.mark_done(task, now);
        }
        assert_eq!(scheduler.due(&intervals, at("10:00:29")), []);
        assert_eq!(scheduler.next(&intervals, at("10:00:29")), Some(at("10:00:30")));
        assert_eq!(scheduler.due(&intervals, at("10:00:30")), [MaintenanceTask::Clients]);
        scheduler.mark_done(MaintenanceTask::Clients, at("10:09:59"));
        assert_eq!(scheduler.due(&intervals, at("10:10:00")), [MaintenanceTask::Rescan]);
        scheduler.make_due(MaintenanceTask::Collect);
        assert_eq!(scheduler.due(&intervals, at("10:09:59")), [MaintenanceTask::Collect]);
    }

    #[test]
    fn nothing_open_and_nothing_running_means_nothing_to_look_for() {
        let intervals = Intervals::new(Intervals::RESCAN_WATCHED, false, false);
        let mut scheduler = Scheduler::default();
        for task in [MaintenanceTask::Rescan, MaintenanceTask::Collect] {
            scheduler.mark_done(task, at("10:00:00"));
        }
        assert_eq!(scheduler.next(&intervals, at("10:00:00")), Some(at("10:10:00")));
    }

    #[test]
    fn clock_set_back_stops_nothing() {
        let intervals = Intervals::new(Intervals::RESCAN_WATCHED, false, false);
        let mut scheduler = Scheduler::default();
        scheduler.mark_done(MaintenanceTask::Rescan, at("23:00:00"));
        scheduler.mark_done(MaintenanceTask::Collect, at("10:00:00"));
        assert_eq!(scheduler.due(&intervals, at("10:00:01")), [MaintenanceTask::Rescan]);
    }
}
