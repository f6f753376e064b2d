//! How long benchmarks take of the processor: on a machine with other load the wall clock does not tell.

use std::time::{Duration, Instant};

/// Time that this thread has had of a processor.
#[cfg(unix)]
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Where that is not known, the wall clock stands in.
#[cfg(not(unix))]
pub fn cpu_time() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}

/// Does something, and says how long it took by the wall clock and of the processor.
pub fn time_and_cpu<T>(work: impl FnOnce() -> T) -> (T, Duration, Duration) {
    let (start, before) = (Instant::now(), cpu_time());
    let result = work();
    (result, start.elapsed(), cpu_time() - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn working_takes_time_of_the_processor_and_waiting_does_not() {
        let turns = |count: u64| (0..count).map(std::hint::black_box).sum::<u64>();
        let (_, wall, cpu) = time_and_cpu(|| turns(3_000_000));
        assert!(cpu > Duration::ZERO && cpu <= wall + Duration::from_millis(20), "{cpu:?} of {wall:?}");
        let rest = Duration::from_millis(50);
        let (_, wall, cpu) = time_and_cpu(|| std::thread::park_timeout(rest));
        assert!(cpu < rest && (cpu < wall || cfg!(not(unix))), "{cpu:?} of {wall:?}");
    }
}
