//! Against labelled real sessions, where `AFTERWORD_BENCHMARK` names a folder that has them; nothing otherwise.
//!
//! What people noted as a session's lessons must be there after filtering: the entry as an event, and where the
//! person said it, their words word for word and not taken for a paste.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use afterword_transcript::event::{Event, Utterance};
use serde_json::Value;

fn folder() -> Option<PathBuf> {
    std::env::var_os("AFTERWORD_BENCHMARK").map(PathBuf::from)
}

fn labels(folder: &Path) -> BTreeMap<String, Vec<Value>> {
    let mut by_session: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in std::fs::read_to_string(folder.join("labels.jsonl")).expect("the folder has labels").lines() {
        let label: Value = serde_json::from_str(line).expect("labels are JSON");
        by_session
            .entry(label["session"].as_str().expect("a label names its session").to_owned())
            .or_default()
            .push(label);
    }
    by_session
}

fn lines_of(event: &Event) -> Vec<u64> {
    match event {
        Event::User(said) => std::iter::once(&said.place).chain(&said.also).map(|place| place.line).collect(),
        Event::Agent { place, .. } | Event::Interrupt { place, .. } | Event::Compaction { place } => {
            vec![place.line]
        }
        Event::Call(call) => vec![call.place.line],
        Event::Outcome(outcome) => vec![outcome.place.line],
        Event::Repeat(repeat) => vec![repeat.place.line],
        Event::Rewind(rewind) => vec![rewind.place.line],
        Event::Undelivered(one) => vec![one.place.line],
    }
}

fn squash(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the quote stands in the utterance, outside of its pasted ranges.
fn holds(said: &Utterance, quote: &str) -> (bool, bool) {
    let mut own = String::new();
    let mut from = 0;
    for range in &said.pasted {
        own.push_str(&said.text[from..range.start]);
        from = range.end;
    }
    own.push_str(&said.text[from..]);
    (squash(&said.text).contains(quote), squash(&own).contains(quote))
}

#[test]
fn labelled_words_survive_the_filter() {
    let Some(folder) = folder() else { return };
    let (mut events_missing, mut quotes, mut quotes_missing, mut taken_for_paste) =
        (Vec::new(), 0, Vec::new(), Vec::new());
    let mut total = 0;
    for (session, labels) in labels(&folder) {
        let path = folder.join("transcripts").join(format!("{session}.jsonl"));
        let events = afterword_transcript::read_session(&path).unwrap().events;
        for label in labels {
            total += 1;
            let line = label["line"].as_u64().unwrap();
            let quote = squash(label["quote"].as_str().unwrap());
            let here: Vec<&Event> = events.iter().filter(|event| lines_of(event).contains(&line)).collect();
            let what = format!("{session}:{line} {quote:?}");
            if here.is_empty() {
                events_missing.push(what);
                continue;
            }
            let said: Vec<&Utterance> = here
                .iter()
                .filter_map(|event| if let Event::User(said) = event { Some(said) } else { None })
                .collect();
            if said.is_empty() || quote.is_empty() {
                continue;
            }
            quotes += 1;
            let found: Vec<(bool, bool)> = said.iter().map(|said| holds(said, &quote)).collect();
            if !found.iter().any(|(anywhere, _)| *anywhere) {
                quotes_missing.push(what);
            } else if !found.iter().any(|(_, own)| *own) {
                taken_for_paste.push(what);
            }
        }
    }
    eprintln!("{total} labels, {} without an event: {events_missing:#?}", events_missing.len());
    eprintln!("{quotes} quotes of the person, {} not found: {quotes_missing:#?}", quotes_missing.len());
    eprintln!("{} taken for a paste: {taken_for_paste:#?}", taken_for_paste.len());
    assert!(events_missing.len() * 100 <= total, "labelled entries lost");
    assert!(quotes_missing.len() * 50 <= quotes, "labelled words lost");
    assert!(taken_for_paste.len() * 50 <= quotes, "labelled words taken for pasted ones");
}
