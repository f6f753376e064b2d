//! The parts of a session that took place in directories the user excludes: nothing of them is mined, sent, shown or filed.
//!
//! A session may go from one directory to another, and each entry names the one it was written in. Owns which lines of a
//! transcript are passed over; a session that begins in an excluded directory is not looked at at all ([`crate::session_location`]).

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use afterword_core::ProjectKey;
use afterword_transcript::event::{EntryLocation, Event};
use afterword_transcript::{Directories, NamedDirectory, Report, Scan};

use crate::config::Exclusions;
use crate::redaction::Redaction;
use crate::repository::without_worktree;
use crate::session_location::SessionLocation;
use crate::{App, Error};

/// Lines of one transcript that are passed over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ExcludedLines {
    /// In the order of their starts, counted from 1.
    stretches: Vec<Range<u64>>,
}

impl ExcludedLines {
    /// Whether a line is passed over.
    pub(crate) fn contains_line(&self, line: u64) -> bool {
        let after = self.stretches.partition_point(|stretch| stretch.start <= line);
        after.checked_sub(1).is_some_and(|before| self.stretches[before].contains(&line))
    }

    /// Whether an event is passed over: it stands on such a line, or repeats what does.
    pub(crate) fn contains(&self, event: &Event) -> bool {
        let repeats = match event {
            Event::Repeat(repeat) => self.contains_line(repeat.of),
            Event::Undelivered(undelivered) => return self.contains_line(undelivered.of),
            _ => false,
        };
        repeats || self.contains_line(place_of(event).line)
    }

    /// The session was in no excluded directory so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.stretches.iter().all(|stretch| stretch.end == u64::MAX)
    }

    /// Reads which lines were written in a directory that is excluded. What was written after this look is passed over, too:
    /// nobody knows yet where.
    fn of(reader: impl Read, exclusions: &Exclusions) -> std::io::Result<Self> {
        let (mut stretches, mut since) = (Vec::new(), None);
        let mut known: HashMap<String, bool> = HashMap::new();
        let mut directories = Directories::new(reader);
        for named in directories.by_ref() {
            let NamedDirectory { line, begins_line, directory } = named?;
            let is_excluded = *known.entry(directory).or_insert_with_key(|cwd| {
                [cwd.as_str(), &without_worktree(cwd)]
                    .iter()
                    .any(|directory| exclusions.covers(&ProjectKey::from_cwd(directory)))
            });
            match (is_excluded, since) {
                (true, None) => since = Some(line),
                (false, Some(start)) => {
                    // In front of an entry that does not begin its line stands what was written where it is excluded.
                    stretches.push(start..if begins_line { line } else { line + 1 });
                    since = None;
                }
                _ => {}
            }
        }
        let number = directories.lines_read();
        stretches.extend(since.map(|start| start..number + 1));
        stretches.push(number + 1..u64::MAX);
        Ok(Self { stretches })
    }
}

/// The user excludes the project or the directory of a session.
pub(crate) fn is_excluded(app: &App, place: &SessionLocation) -> bool {
    [&place.directory, &place.project].into_iter().any(|key| app.config.exclude.covers(key))
}

/// Afterword began the session itself, to ask a model.
pub(crate) fn is_own_work(app: &App, place: &SessionLocation) -> bool {
    Path::new(place.directory.as_str()).starts_with(app.paths.engine_workplace())
}

/// The session is nobody's to see: it is excluded, or Afterword's own.
pub(crate) fn is_excluded_or_own(app: &App, place: &SessionLocation) -> bool {
    is_excluded(app, place) || is_own_work(app, place)
}

/// The lines of a transcript that were written in directories the user excludes; none where nothing is excluded, and
/// then the file is not read.
pub(crate) fn excluded_lines(app: &App, transcript: &Path) -> Result<ExcludedLines, Error> {
    if app.config.exclude.is_empty() {
        return Ok(ExcludedLines::default());
    }
    let error = |source| Error::Io { path: transcript.to_owned(), action: "read the transcript", source };
    let file = File::open(transcript).map_err(error)?;
    ExcludedLines::of(file, &app.config.exclude).map_err(error)
}

/// Reads a session without what was said and done in excluded directories. What is cut short in its events is without secrets
/// before; the rest is for who looks at them.
pub fn scan(
    app: &App,
    transcript: &Path,
    redaction: &Redaction,
    sink: &mut dyn FnMut(Event),
) -> Result<Report, Error> {
    scan_without(&excluded_lines(app, transcript)?, transcript, redaction, sink)
}

/// The same where it is known which lines are passed over.
pub(crate) fn scan_without(
    excluded: &ExcludedLines,
    transcript: &Path,
    redaction: &Redaction,
    sink: &mut dyn FnMut(Event),
) -> Result<Report, Error> {
    let cleaning = |text: &str| redaction.redact_before_cut(text);
    let report = Scan::new(transcript).redact_with(&cleaning).run(&mut |event| {
        if !excluded.contains(&event) {
            sink(event);
        }
    })?;
    Ok(excluded.without_title(report))
}

/// Reads a session without its secrets, also those that only words further down call so, and gathers with `gather` what its events
/// are read for (`Redaction::read_with_all_known`).
///
/// # Errors
/// As [`scan`].
pub fn scan_redacted<T: Default>(
    app: &App,
    transcript: &Path,
    redaction: &Redaction,
    mut gather: impl FnMut(&mut T, Event),
) -> Result<T, Error> {
    let read = |_| {
        let (known, mut gathered) = (redaction.known_values(), T::default());
        scan(app, transcript, redaction, &mut |event| gather(&mut gathered, redaction.event(event).0))?;
        Ok((gathered, known))
    };
    Ok(redaction.read_with_all_known(read)?.0)
}

/// Reads a session for the values in it that are secret, so that they are known wherever they stand.
pub(crate) fn learn_secrets(app: &App, transcript: &Path, redaction: &Redaction) -> Result<(), Error> {
    scan(app, transcript, redaction, &mut |event| drop(redaction.event(event))).map(drop)
}

impl ExcludedLines {
    /// A report without the session's title where it may be about what is passed over.
    pub(crate) fn without_title(&self, mut report: Report) -> Report {
        if !self.is_empty() {
            report.title = None;
        }
        report
    }
}

/// Where an event stands.
pub(crate) fn place_of(event: &Event) -> &EntryLocation {
    match event {
        Event::User(utterance) => &utterance.place,
        Event::Repeat(repeat) => &repeat.place,
        Event::Rewind(rewind) => &rewind.place,
        Event::Undelivered(undelivered) => &undelivered.place,
        Event::Call(call) => &call.place,
        Event::Outcome(outcome) => &outcome.place,
        Event::Agent { place, .. } | Event::Interrupt { place, .. } | Event::Compaction { place } => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excluded(text: &str) -> Vec<u64> {
        let exclusions = Exclusions::new(&["/secret".to_owned()]).unwrap();
        let lines = ExcludedLines::of(text.as_bytes(), &exclusions).unwrap();
        (1..=8).filter(|line| lines.contains_line(*line)).collect()
    }

    #[test]
    fn line_belongs_to_the_directory_named_last() {
        let (open, secret) = ("{\"cwd\":\"/open\"}\n", "{\"cwd\":\"/secret/plan\",\"x\":1}\n");
        let none = "{\"type\":\"queue-operation\"}\n";
        assert_eq!(excluded(&[open, none, secret, none, open, none].concat()), [3, 4, 7, 8]);
        assert_eq!(excluded(&[none, open, open, open, open, open, open, open].concat()), [0u64; 0]);
        assert_eq!(excluded(&[open, secret, secret].concat()), [2, 3, 4, 5, 6, 7, 8]);
        let worktree = "{\"cwd\":\"/secret/.worktrees/x\"}\n";
        assert_eq!(excluded(&[open, worktree, open, open, open, open, open, open].concat()), [2]);
        let deep = "{\"message\":{\"cwd\":\"/secret\"}}\n";
        assert_eq!(excluded(&[open, deep, open, open, open, open, open, open].concat()), [0u64; 0]);
    }

    #[test]
    fn line_of_which_one_entry_is_excluded_is_passed_over() {
        let (open, secret) = ("{\"cwd\":\"/open\"}", "{\"cwd\":\"/secret\"}");
        let none = "{\"type\":\"queue-operation\"}";
        let check = |lines: &[String], expected: &[u64]| {
            let rest = vec![open.to_owned(); 8 - lines.len()];
            assert_eq!(excluded(&([lines, &rest].concat().join("\n") + "\n")), expected, "{lines:?}");
        };
        check(&[open.into(), format!("{open}{secret}"), none.into()], &[2, 3]);
        check(&[open.into(), format!("{secret}{open}"), none.into()], &[2]);
        check(&[secret.into(), format!("{none}{open}"), none.into()], &[1, 2]);
        check(&[secret.into(), format!("{open}{secret}"), none.into()], &[1, 2, 3]);
        check(&[open.into(), format!("{secret}{open}{secret}"), none.into()], &[2, 3]);
        check(&[open.into(), format!("{open}{open}"), none.into()], &[]);
    }

    #[test]
    fn line_that_is_not_whole_yet_is_passed_over() {
        let open = "{\"cwd\":\"/open\"}\n";
        assert_eq!(excluded(&format!("{}{{\"cwd\":\"/sec", open.repeat(6))), [7, 8]);
        assert_eq!(excluded(&format!("{}{{\"cwd\":\"/open\"}}", open.repeat(6))), [8]);
    }
}
