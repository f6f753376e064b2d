//! Transcripts of any bytes: nothing panics, bounds hold, and however the bytes arrive the events are the same.
#![no_main]

use std::io::{self, Read};

use afterword_transcript::event::{
    EntryLocation, Event, MAX_AGENT_TEXT, MAX_ERROR, MAX_TOOL_INPUT, MAX_UTTERANCE,
};
use afterword_transcript::{Report, scan_stream};
use libfuzzer_sys::fuzz_target;

const CAP: usize = 4096;

/// Hands out a few bytes at a time.
struct Trickle<'b>(&'b [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.len().min(self.1).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn read(source: impl Read) -> (Vec<Event>, Report) {
    let mut events = Vec::new();
    let report = scan_stream(source, CAP, &mut |event| events.push(event)).expect("memory can be read");
    (events, report)
}

fn place(event: &Event) -> &EntryLocation {
    match event {
        Event::User(said) => &said.place,
        Event::Repeat(repeat) => &repeat.place,
        Event::Agent { place, .. } | Event::Interrupt { place, .. } | Event::Compaction { place } => place,
        Event::Call(call) => &call.place,
        Event::Outcome(outcome) => &outcome.place,
        Event::Rewind(rewind) => &rewind.place,
        Event::Undelivered(undelivered) => &undelivered.place,
    }
}

fuzz_target!(|bytes: &[u8]| {
    let (events, report) = read(bytes);
    let breaks = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    assert_eq!(report.bytes, bytes.len() as u64);
    assert!(report.mark.offset <= report.bytes && report.mark.breaks <= breaks);
    let mut last = 0;
    for event in &events {
        let line = place(event).line;
        assert!(line >= last && line <= breaks + 1, "events are in file order");
        last = line;
        match event {
            Event::User(said) => {
                assert!(!said.text.trim().is_empty() && said.text.len() <= MAX_UTTERANCE);
                let mut end = 0;
                for range in &said.pasted {
                    assert!(end <= range.start && said.text.get(range.clone()).is_some());
                    end = range.end;
                }
            }
            Event::Agent { text, .. } => assert!(text.len() <= MAX_AGENT_TEXT),
            Event::Call(call) => {
                assert!(call.input.len() <= MAX_TOOL_INPUT && call.before.len() <= MAX_TOOL_INPUT)
            }
            Event::Outcome(outcome) => assert!(outcome.error.len() <= MAX_ERROR),
            Event::Repeat(repeat) => assert!(repeat.of <= line),
            Event::Rewind(rewind) => assert!(rewind.from <= line),
            Event::Undelivered(undelivered) => assert!(undelivered.of <= line),
            Event::Interrupt { .. } | Event::Compaction { .. } => {}
        }
    }
    assert_eq!(read(Trickle(bytes, 1 + bytes.len() % 7)), (events, report.clone()));

    // Reading on from where the first reading stopped loses nothing and repeats nothing. A byte order mark counts only at the
    // start of a file, which the rest is not.
    let rest = &bytes[report.mark.offset as usize..];
    if report.mark.offset == 0 || !rest.starts_with("\u{feff}".as_bytes()) {
        assert_eq!(read(rest).1.entries, 0, "what was left is no entry");
    }

    // A line that serde_json takes for one object is one entry.
    if let [line] = bytes.split(|byte| *byte == b'\n').collect::<Vec<_>>()[..]
        && line.len() < CAP
        && serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(line).is_ok()
    {
        assert_eq!((report.entries, report.skipped.total, report.pending), (1, 0, None));
    }
});
