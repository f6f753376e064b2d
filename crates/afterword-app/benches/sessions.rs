//! How fast sessions are indexed, searched and copied, and how much room that takes:
//! `cargo bench -p afterword-app --bench sessions -- 1000 DIR`
//!
//! The first argument is how many megabytes of transcripts there are (1000), the second a folder with `*.jsonl` to take them from (the
//! samples of this repository). They are taken again and again under other ids until there are enough. Queries are one to three
//! words that stand in the index, frequent ones more often, as a person types them: each word, and the last of them growing.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark tells what it measured")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use afterword_app::pause::NoPause;
use afterword_app::session_search::FindRequest;
use afterword_app::{App, ConfigFile, Environment, Paths, archive, session_search};
use afterword_testkit::{copy_sessions, samples, time_and_cpu};
use jiff::Timestamp;

const QUERIES: usize = 1000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let megabytes: u64 = arguments.first().and_then(|word| word.parse().ok()).unwrap_or(1000);
    let from = arguments.get(1).map_or_else(samples, PathBuf::from);
    let home = tempfile::tempdir().unwrap();
    let environment = Environment {
        afterword_home: Some(home.path().join("afterword")),
        claude_config_dir: Some(home.path().join("claude")),
        home: Some(home.path().to_owned()),
        working_directory: home.path().to_owned(),
    };
    let (bytes, words) =
        fill(&home.path().join("claude/projects/-home-ada-shop"), &from, megabytes * 1_000_000);
    let app = App::new(environment.clone()).unwrap();
    let (done, wall, cpu) =
        time_and_cpu(|| session_search::index_sessions(&app, &mut NoPause).unwrap().unwrap());
    assert!(done.problems.is_empty(), "{:?}", done.problems);
    let status = session_search::session_index_status(&app).unwrap().unwrap();
    println!("{} files, {} MB, {} rows", status.files, bytes / 1_000_000, status.rows);
    rate("indexed", bytes, wall, cpu);
    println!(
        "  index: {} MB, {:.1} % of the transcripts",
        status.bytes / 1_000_000,
        share(status.bytes, bytes)
    );
    let clock = Instant::now();
    session_search::index_sessions(&app, &mut NoPause).unwrap().unwrap();
    println!("  nothing changed: looked at in {:?}", clock.elapsed());
    search(&app, &words);

    let paths = Paths::new(&environment).unwrap();
    ConfigFile::new(&paths.config_file, None).set("archive.sessions", &["true".to_owned()]).unwrap();
    let app = App::new(environment).unwrap();
    let (_, wall, cpu) = time_and_cpu(|| archive::archive_sessions(&app, &mut NoPause).unwrap().unwrap());
    rate("copied", bytes, wall, cpu);
    let status = archive::archive_status(&app).unwrap();
    println!(
        "  copies: {} MB, {:.1} % of the transcripts",
        status.compressed / 1_000_000,
        share(status.compressed, status.bytes)
    );
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

fn rate(what: &str, bytes: u64, wall: Duration, cpu: Duration) {
    let a_minute = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64() * 60.0;
    println!(
        "  {what} in {wall:?}: {:.0} MB a minute; of the processor {:.0} MB a minute",
        a_minute(wall),
        a_minute(cpu)
    );
}

fn search(app: &App, words: &[String]) {
    let mut state = 88_172_645_463_325_252_u64;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        words[(state >> 11) as usize % words.len()].as_str()
    };
    for length in 1..=3 {
        let mut times = Vec::new();
        let (mut empty, mut cpu) = (0, Duration::ZERO);
        for number in 0..QUERIES {
            let typed = (0..length).map(|_| word()).collect::<Vec<_>>().join(" ");
            let query: String = typed.chars().take(typed.chars().count() - number % 2).collect();
            let request =
                FindRequest { query, limit: 20, lines: 3, is_typing: true, ..FindRequest::default() };
            let (found, took, had) =
                time_and_cpu(|| session_search::find(app, &request, Timestamp::now()).unwrap());
            times.push(took);
            cpu += had;
            empty += usize::from(found.sessions.is_empty());
        }
        times.sort();
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!(
            "  {length} words: p50 {:?}, p99 {:?}, worst {:?}; processor {:?} each; {empty} of {QUERIES} found nothing",
            at(50),
            at(99),
            at(100),
            cpu / u32::try_from(QUERIES).unwrap()
        );
    }
}

/// Puts sessions into a folder; gives their bytes, and words of them as often as they stand there.
fn fill(folder: &Path, from: &Path, wanted: u64) -> (u64, Vec<String>) {
    let copied = copy_sessions(from, folder, wanted);
    let mut words = Vec::new();
    for file in &copied.files[..copied.different] {
        for event in afterword_transcript::read_session(file).unwrap().events {
            if let afterword_transcript::event::Event::User(said) = event {
                let text = said.text.split(|c: char| !c.is_alphanumeric());
                words.extend(text.filter(|word| word.chars().count() > 3).map(str::to_lowercase));
            }
        }
    }
    (copied.bytes, words)
}
