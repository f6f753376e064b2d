//! Processes that end with their test, and waiting for what they do.

use std::process::Child;
use std::time::{Duration, Instant};

/// Far longer than anything takes; a machine under load is no failure.
const PATIENCE: Duration = Duration::from_secs(180);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// A process that is killed when the test is over with it.
#[derive(Debug)]
pub struct ChildGuard(pub Child);

impl ChildGuard {
    /// Dies without a word.
    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // One that has ended by itself cannot be killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Looks again until something is found.
#[track_caller]
pub fn until_some<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "{what}: not within three minutes");
        std::thread::sleep(PAUSE);
    }
}

/// Asks again until the answer is yes.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    until_some(what, || is_so().then_some(()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_until_it_is_there() {
        let mut looks = 0;
        let found = until_some("the third look", || {
            looks += 1;
            (looks == 3).then_some("there")
        });
        assert_eq!((found, looks), ("there", 3));
    }

    #[cfg(unix)]
    #[test]
    fn a_process_ends_with_its_owner() {
        let child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let id = child.id();
        drop(ChildGuard(child));
        let is_there = std::process::Command::new("kill").args(["-0", &id.to_string()]).output().unwrap();
        assert!(!is_there.status.success());
    }
}
