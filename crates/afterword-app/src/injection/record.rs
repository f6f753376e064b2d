//! What sessions were given, on its way into the database: a file a time, left by the hook, taken in later.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::time::SystemTime;

use afterword_core::SessionId;
use afterword_platform::files::{create_private_directory, open_regular_file, place_new_file};
use afterword_store::{InjectedLesson, Injection, Store};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{InjectionRequest, once, records, wording};
use crate::{App, Error};

/// Files that wait at most; an agent takes them in with every reflection, and older ones than these are of no use.
const MOST_WAITING: usize = 1_000;
/// The largest file that is read, in bytes.
const LARGEST: u64 = 256 * 1024;

/// What a session was given, or why it was given nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InjectionRecord {
    /// The session.
    pub session: SessionId,
    /// Its project's name; empty where nothing was learned there.
    pub project: String,
    /// How it started, or `prompt`.
    pub moment: String,
    /// When.
    pub at: Timestamp,
    /// What it reads; empty where it is given nothing. Not kept.
    #[serde(skip)]
    pub text: String,
    /// Tokens of that, estimated.
    pub tokens: usize,
    /// Bytes of that; none in what an earlier version left.
    #[serde(default)]
    pub bytes: Option<usize>,
    /// Why it was given nothing; empty where it was given something.
    pub silence: String,
    /// The lessons thought of, in their order.
    pub lessons: Vec<ConsideredLesson>,
}

/// A lesson that was thought of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsideredLesson {
    /// Its note's id; empty where it has none.
    pub note: String,
    /// Its note, below the vault's root.
    pub path: String,
    /// Its title.
    pub title: String,
    /// It was given.
    pub shown: bool,
    /// Why it was given, or not.
    pub reason: String,
}

impl InjectionRecord {
    pub(super) fn new(request: &InjectionRequest, at: Timestamp) -> Self {
        Self {
            session: request.session.clone(),
            project: String::new(),
            moment: request.moment.clone(),
            at,
            text: String::new(),
            tokens: 0,
            bytes: Some(0),
            silence: String::new(),
            lessons: Vec::new(),
        }
    }

    /// Adds a line that is of no note.
    pub(super) fn add_line(&mut self, line: &str) {
        self.replace_text(wording::with_line(&self.text, line));
    }

    /// Adds what somebody else may have worded, as a quotation apart from what is to be gone by.
    pub(super) fn add_quotation(&mut self, text: &str) {
        self.replace_text(wording::with_quotations(
            &self.text,
            wording::UNFINISHED_WORK_PREAMBLE,
            &[text.to_owned()],
        ));
    }

    fn replace_text(&mut self, text: String) {
        self.text = text;
        (self.tokens, self.bytes) = (wording::tokens_of(&self.text), Some(self.text.len()));
        self.silence.clear();
    }
}

/// Leaves word of what a session was given; waits neither for the database nor for the disk.
///
/// # Errors
/// [`Error::Io`].
pub fn write_injection_record(app: &App, given: &InjectionRecord) -> Result<(), Error> {
    let folder = records(app);
    let error = |action| {
        let path = folder.clone();
        move |source| Error::Io { path, action, source }
    };
    create_private_directory(&folder).map_err(error("make the directory"))?;
    let name = format!("{:014}-{}.json", given.at.as_millisecond(), std::process::id());
    let text = serde_json::to_vec(given).map_err(|e| error("write what a session was given")(e.into()))?;
    place_new_file(&folder.join(name), &text).map_err(error("write what a session was given"))?;
    if given.moment != "prompt" {
        trim_records(app, MOST_WAITING);
    }
    Ok(())
}

/// Removes the oldest files beyond a number, and what a hook that was killed left half written.
fn trim_records(app: &App, most: usize) {
    let Ok(entries) = fs::read_dir(records(app)) else { return };
    // Names begin with the time; those not renamed yet begin with a dot and come first.
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    if names.len() <= most {
        return;
    }
    names.sort();
    for name in &names[..names.len() - most] {
        // What another hook removed meanwhile is gone, which is all that was wanted.
        let _ = fs::remove_file(records(app).join(name));
    }
}

/// Takes into the database what hooks left word of. Says how many; a file that makes no sense goes.
///
/// # Errors
/// [`Error::Store`]; then the files stay.
pub fn absorb_records(app: &App, store: &Store) -> Result<usize, Error> {
    let Ok(entries) = fs::read_dir(records(app)) else { return Ok(0) };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let now = SystemTime::now();
    files.iter().for_each(|path| once::remove_outdated_mark(path, now));
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.retain(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")));
    files.sort();
    let mut taken = 0;
    for path in files {
        let mut text = Vec::new();
        let read = open_regular_file(&path).and_then(|file| file.take(LARGEST).read_to_end(&mut text));
        if let Some(given) = read.ok().and_then(|_| serde_json::from_slice::<InjectionRecord>(&text).ok()) {
            store.in_transaction(|store| store.injections().add(&injection(given)))?;
            taken += 1;
        }
        // What cannot be removed is taken in again, which changes nothing.
        let _ = fs::remove_file(&path);
    }
    Ok(taken)
}

fn injection(given: InjectionRecord) -> Injection {
    let lessons = given.lessons.into_iter().map(|one| InjectedLesson {
        note: one.note,
        path: one.path,
        title: one.title,
        shown: one.shown,
        reason: one.reason,
    });
    Injection {
        session: given.session,
        project: given.project,
        moment: given.moment,
        at: given.at,
        tokens: given.tokens as u64,
        bytes: given.bytes.map(|bytes| bytes as u64),
        silence: given.silence,
        lessons: lessons.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_app::TestApp;

    #[test]
    fn records_that_nobody_takes_in_stay_few() {
        let TestApp { app, sandbox: _sandbox, .. } = TestApp::new();
        fs::create_dir_all(records(&app)).unwrap();
        for number in 0..MOST_WAITING + 20 {
            fs::write(records(&app).join(format!("{number:014}-1.json")), "{}").unwrap();
        }
        fs::write(records(&app).join(".half.json"), "{").unwrap();
        let request = InjectionRequest {
            session: SessionId::parse("one").unwrap(),
            cwd: None,
            moment: "startup".to_owned(),
            transcript: None,
        };
        write_injection_record(
            &app,
            &InjectionRecord::new(&request, "2026-03-01T10:00:00Z".parse().unwrap()),
        )
        .unwrap();
        let names: Vec<_> =
            fs::read_dir(records(&app)).unwrap().flatten().map(|one| one.file_name()).collect();
        assert_eq!(names.len(), MOST_WAITING);
        assert!(names.iter().any(|name| name.to_string_lossy().starts_with("01772")), "the new one is kept");
        assert!(!names.iter().any(|name| name.to_string_lossy().starts_with('.')));
    }
}
