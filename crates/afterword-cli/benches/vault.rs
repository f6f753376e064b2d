//! A running agent on a large vault, measured from outside: how soon it is open, how soon an edit is found, what it costs
//! when nothing happens, and how it takes a storm of changes.
//!
//! `cargo bench -p afterword-cli --bench vault -- 50000`; `AFTERWORD_IDLE_SECONDS` changes how long it is watched idle (60).
//! The measure to hold it against is in the first line: reading every note once.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

mod place;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use afterword_app::searching::SearchRequest;
use afterword_app::{App, indexing, searching};
use afterword_testkit::ChildGuard;

use rusqlite::{Connection, OpenFlags};

use crate::place::{BenchHome, print_times};

/// Notes that change at once in the storm, and how many of them are looked for afterwards.
const STORM: usize = 10_000;
const LOOKED_FOR: usize = 50;
/// How long the agent is left alone before the next thing is timed: what it still follows up is done then.
const REST: Duration = Duration::from_secs(10);
/// Edits that are timed one by one.
const EDITS: usize = 30;

fn main() {
    let count: usize = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(50_000);
    let place = BenchHome::new();
    let notes: Vec<PathBuf> = (0..count).map(|number| note(&place, number)).collect();
    let clock = Instant::now();
    let bytes: usize = notes.iter().map(|note| fs::read(note).unwrap().len()).sum();
    println!("{count} notes of {} bytes each; reading them all takes {:?}", bytes / count, clock.elapsed());
    let app = App::new(place.environment()).unwrap();

    let clock = Instant::now();
    let running = start(&place);
    for number in (0..count).step_by((count / LOOKED_FOR).max(1)) {
        until_found(&app, &format!("thing{number}"));
    }
    until(|| in_index(&app) == count, "every note is in the index");
    println!("first start: every note is found after {:?}", clock.elapsed());
    until(|| is_kept(&app), "what was seen is kept for the next start");
    std::thread::sleep(REST);
    drop(running);

    // A person edits while the agent starts: once that is found, the vault is open.
    let clock = Instant::now();
    let running = start(&place);
    edit(&notes[0], "openingedit");
    until_found(&app, "openingedit");
    println!("next start: an edit is found after {:?}", clock.elapsed());
    assert!(is_found(&app, "openingedit"));

    std::thread::sleep(REST);
    let time = |number: usize| {
        let unique = format!("timededit{number}x");
        let clock = Instant::now();
        edit(&notes[(number + 1) * 37 % count], &unique);
        until_found(&app, &unique);
        clock.elapsed()
    };
    print_times("from an edit to its being found", (0..EDITS).map(time).collect());
    std::thread::sleep(REST);
    place::idle(&format!("{count} notes"), running.0.id(), place::idle_seconds());

    let storm = STORM.min(count);
    let clock = Instant::now();
    for (number, path) in notes[..storm].iter().enumerate() {
        edit(path, &format!("stormword{number}x"));
    }
    let written = clock.elapsed();
    for number in (0..storm).step_by((storm / LOOKED_FOR).max(1)) {
        until_found(&app, &format!("stormword{number}x"));
    }
    println!("a storm of {storm} changes, written in {written:?}, is found after {:?}", clock.elapsed());
    assert_eq!(in_index(&app), count, "no note is lost or doubled");
}

/// The agent, until it is dropped; killed, as a machine that is turned off.
fn start(place: &BenchHome) -> ChildGuard {
    ChildGuard(place.command(&["run"]).spawn().unwrap())
}

fn in_index(app: &App) -> usize {
    indexing::index_status(app).unwrap().notes
}

/// Whether the agent kept what it saw of the vault.
fn is_kept(app: &App) -> bool {
    let cache = app.paths().search_index().with_file_name("");
    let is_it = |entry: fs::DirEntry| entry.file_name().to_string_lossy().starts_with("seen-");
    fs::read_dir(cache).unwrap().flatten().any(is_it)
}

fn until(holds: impl Fn() -> bool, what: &str) {
    let deadline = Instant::now() + Duration::from_secs(600);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}: not in time");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn edit(path: &Path, word: &str) {
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text.replacen("\n## Evidence", &format!("\nMy own {word}.\n\n## Evidence"), 1)).unwrap();
}

/// Waits until the index has a note with the word. It is asked directly: ranking fifty thousand notes that are much alike over and
/// over would be most of what is measured.
fn until_found(app: &App, word: &str) {
    let has_it = || {
        let index =
            Connection::open_with_flags(app.paths().search_index(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        index.query_row("SELECT count(*) FROM words WHERE words MATCH ?1", [word], |row| row.get::<_, u32>(0))
    };
    // While the agent writes the index for the first time there is none to ask.
    until(|| has_it().unwrap_or(0) > 0, word);
}

/// Whether a search finds the note with the word: that the index has it is of use to nobody else.
fn is_found(app: &App, word: &str) -> bool {
    let request = SearchRequest { query: word.to_owned(), limit: 1000, ..SearchRequest::default() };
    searching::search_indexed(app, &request).unwrap().hits.iter().any(|hit| hit.snippet.contains(word))
}

fn note(place: &BenchHome, number: usize) -> PathBuf {
    let folder = place.path(&format!("vault/Afterword/Fixes/group-{}", number / 500));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("do-thing-{number}-first.md"));
    let text = format!(
        "---\ntitle: \"Do thing{number} before the other one\"\nkind: fix\nstatus: active\nconfidence: high\n\
         project: project-{}\ntags:\n  - afterword\ncreated: 2026-03-14\nupdated: 2026-03-14\nalways_load: false\n\
         signal: standing-rule\nsession: 6f3a91c2-1111-4222-8333-444455556666\nid: 01900000-0000-7000-8000-{number:012x}\n\
         key: {number:032x}\n---\n\nThe order matters here, because the second step reads what thing{number} wrote.\n\n\
         ## Evidence\n\n%% afterword:begin evidence 0000000000000000 %%\n\nWhy: standing rule, high confidence.\n\n\
         > always do thing{number} before the other one, it broke last time\n\n\
         User · 2026-03-14 · session `6f3a91c2` · line {number}\n\n%% afterword:end %%\n",
        number % 40
    );
    fs::write(&path, text).unwrap();
    path
}
