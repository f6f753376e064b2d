//! A session is given something once a moment, however many hooks run at it: the plugin's and those of `install` both
//! start one where both are there.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use afterword_platform::files::{create_private_directory, open_private_file};
use jiff::{SignedDuration, Timestamp};

use super::{InjectionRequest, records};
use crate::App;

/// The hooks of one moment start within this time of each other.
const SAME_MOMENT: SignedDuration = SignedDuration::from_secs(10);
/// A mark is of no use after this time.
const OUTDATED: Duration = Duration::from_secs(60);
/// The end of a mark's name.
const MARK: &str = ".moment";

/// Says whether this hook is the first of its moment, which is the one that gives; `prompt` tells one prompt from the next.
/// Where no mark can be left it is: better twice than never.
pub fn is_first_at_moment(app: &App, request: &InjectionRequest, prompt: &str, now: Timestamp) -> bool {
    let moment = [request.session.as_str(), &request.moment, prompt].join("\n");
    let name = format!(".{}{MARK}", blake3::hash(moment.as_bytes()).to_hex());
    let folder = records(app);
    let file = create_private_directory(&folder).and_then(|()| open_private_file(&folder.join(name)));
    let Ok(mut file) = file else { return true };
    match file.try_lock() {
        Ok(()) => {}
        // The other one is at it just now.
        Err(fs::TryLockError::WouldBlock) => return false,
        Err(fs::TryLockError::Error(_)) => return true,
    }
    let before = read_mark(&mut file);
    if before.is_some_and(|before| now.duration_since(before).abs() < SAME_MOMENT) {
        return false;
    }
    // What cannot be marked is given twice.
    let _ = file.rewind().and_then(|()| file.set_len(0)).and_then(|()| write!(file, "{now}"));
    true
}

fn read_mark(file: &mut File) -> Option<Timestamp> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.parse().ok()
}

/// Removes the mark at `path`, if it is one and no hook needs it any more.
pub(super) fn remove_outdated_mark(path: &Path, now: SystemTime) {
    let is_mark = path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(MARK));
    let age = || path.metadata().ok()?.modified().ok().map(|at| now.duration_since(at).unwrap_or_default());
    if is_mark && age().is_some_and(|age| age > OUTDATED) {
        // It is tried again with the next.
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use afterword_core::SessionId;

    use super::*;
    use crate::test_app::TestApp;

    #[test]
    fn one_hook_of_a_moment_gives() {
        let TestApp { app, sandbox: _sandbox, .. } = TestApp::new();
        let request = |session: &str, moment: &str| InjectionRequest {
            session: SessionId::parse(session).unwrap(),
            cwd: None,
            moment: moment.to_owned(),
            transcript: None,
        };
        let at = |second: i64| {
            let begun: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
            begun + SignedDuration::from_secs(second)
        };
        let first = |session, moment, prompt, second| {
            is_first_at_moment(&app, &request(session, moment), prompt, at(second))
        };
        assert!(first("one", "startup", "", 0));
        assert!(!first("one", "startup", "", 1), "the other hook");
        assert!(first("two", "startup", "", 1), "another session");
        assert!(first("one", "prompt", "fix it", 2));
        assert!(!first("one", "prompt", "fix it", 2));
        assert!(first("one", "prompt", "and the tests", 3), "another prompt");
        assert!(first("one", "compact", "", 5));
        assert!(first("one", "compact", "", 500), "a later moment of the same kind");
        assert!(!first("one", "compact", "", 501));

        let marks = || fs::read_dir(records(&app)).unwrap().count();
        let soon = SystemTime::now();
        let all = |now| {
            let marks: Vec<_> = fs::read_dir(records(&app)).unwrap().flatten().collect();
            marks.iter().for_each(|mark| remove_outdated_mark(&mark.path(), now));
        };
        all(soon);
        assert_eq!(marks(), 5);
        all(soon + OUTDATED * 2);
        assert_eq!(marks(), 0);
    }
}
