//! How fast transcripts are found, parsed and filtered, beside ccusage and ripgrep on the same files in one run.
//!
//! `AFTERWORD_BENCHMARK=DIR [CCUSAGE=BINARY] cargo bench -p afterword-transcript --bench scan [-- MEGABYTES]`, where
//! DIR/transcripts holds sessions. They are copied into a temporary configuration directory until it has that many
//! megabytes (1000 by default). CPU time is user and system of the child process and its children, the least of
//! five runs, from `/proc`; so this runs on Linux only.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run should say so and stop")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use afterword_claude_code::discover;
use afterword_transcript::{Mark, Scan, scan};

const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["scan", home] => child_scan(Path::new(home)),
        ["one", file] => child_one(Path::new(file)),
        [] => compare(1000),
        [megabytes] => compare(megabytes.parse().unwrap()),
        _ => panic!("usage: scan [MEGABYTES]"),
    }
}

/// What is measured: everything found, parsed and filtered.
fn child_scan(home: &Path) {
    let (mut events, mut entries, mut bytes) = (0_u64, 0, 0);
    for file in discover(&home.join("projects")).transcripts {
        let report = scan(&file.path, None, &mut |_| events += 1).unwrap();
        entries += report.entries;
        bytes += report.bytes;
    }
    println!("{bytes} bytes, {entries} entries, {events} events");
}

fn child_one(file: &Path) {
    let mut events = 0_u64;
    let report = Scan::new(file).run(&mut |_| events += 1).unwrap();
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!(
        "{} bytes, {} entries, {} repeated, {events} events, {peak}",
        report.bytes, report.entries, report.repeated
    );
}

fn compare(megabytes: u64) {
    let Some(source) = std::env::var_os("AFTERWORD_BENCHMARK").map(PathBuf::from) else {
        println!("AFTERWORD_BENCHMARK names no folder with transcripts; nothing to measure");
        return;
    };
    let home = std::env::temp_dir().join(format!("afterword-bench-{}", std::process::id()));
    let bytes = fill(&source.join("transcripts"), &home, megabytes * 1_000_000);
    println!("{:.1} MB in {} files", mega(bytes), discover(&home.join("projects")).transcripts.len());
    let this = std::env::current_exe().unwrap();
    let ccusage = std::env::var_os("CCUSAGE").map_or_else(|| PathBuf::from("ccusage"), PathBuf::from);
    let contenders = [
        ("find, parse, filter", command(&this, &["scan", home.to_str().unwrap()])),
        (
            "rg -c '\"type\":\"user\"'",
            command(Path::new("rg"), &["-c", "\"type\":\"user\"", home.to_str().unwrap()]),
        ),
        ("ccusage daily --json --offline", {
            let mut command = command(&ccusage, &["daily", "--json", "--offline"]);
            command.env("CLAUDE_CONFIG_DIR", &home);
            command
        }),
    ];
    let mut times = Vec::new();
    for (name, mut command) in contenders {
        let least = (0..ROUNDS).filter_map(|_| cpu_of(&mut command)).min();
        match least {
            None => println!("{name:32} could not be run"),
            Some(least) => println!(
                "{name:32} {:6.2} s CPU  {:7.0} MB/s",
                least.as_secs_f64(),
                mega(bytes) / least.as_secs_f64()
            ),
        }
        times.push(least);
    }
    if let [Some(ours), rg, ccusage] = times[..] {
        for (name, other, wanted) in [("rg", rg, "at most 2.00"), ("ccusage", ccusage, "at most 0.33")] {
            if let Some(other) = other {
                println!("ratio to {name}: {:.2} ({wanted})", ours.as_secs_f64() / other.as_secs_f64());
            }
        }
    }
    rescan(&home);
    one_large(&home, bytes, &this);
    fs::remove_dir_all(&home).unwrap();
}

fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Copies sessions into `home` until it has `wanted` bytes.
fn fill(source: &Path, home: &Path, wanted: u64) -> u64 {
    let mut files: Vec<PathBuf> = fs::read_dir(source).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut bytes = 0;
    for (round, file) in (0_u32..).flat_map(|round| files.iter().map(move |file| (round, file))) {
        if bytes >= wanted {
            break;
        }
        let folder = home.join("projects").join(format!("-bench-{round}"));
        fs::create_dir_all(&folder).unwrap();
        bytes += fs::copy(file, folder.join(file.file_name().unwrap())).unwrap();
    }
    bytes
}

fn command(program: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// CPU time of one run, `None` if the program cannot be started or fails.
fn cpu_of(command: &mut Command) -> Option<Duration> {
    let before = children_ticks();
    command.status().ok().filter(std::process::ExitStatus::success)?;
    // The kernel counts in hundredths of a second.
    Some(Duration::from_millis((children_ticks() - before) * 10))
}

/// User and system time of waited-for children (fields 16 and 17 of `/proc/self/stat`).
fn children_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    fields.split_whitespace().skip(13).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

/// An unchanged rescan of 10,000 transcripts: found by name, told unchanged by size and time.
fn rescan(home: &Path) {
    let folder = home.join("many");
    for index in 0..10_000 {
        let project = folder.join("projects").join(format!("-p-{}", index / 50));
        fs::create_dir_all(&project).unwrap();
        fs::write(project.join(format!("{index}.jsonl")), "{\"type\":\"summary\",\"summary\":\"s\"}\n")
            .unwrap();
    }
    let projects = folder.join("projects");
    let marks: Vec<(PathBuf, Mark)> = discover(&projects)
        .transcripts
        .into_iter()
        .map(|file| {
            let mark = scan(&file.path, None, &mut |_| {}).unwrap().mark;
            (file.path, mark)
        })
        .collect();
    let start = Instant::now();
    let found = discover(&projects);
    let unchanged = found
        .transcripts
        .iter()
        .zip(&marks)
        .filter(|(file, (path, mark))| file.path == *path && mark.matches(file.size, file.modified))
        .count();
    println!(
        "unchanged rescan of {unchanged} transcripts: {:.3} s (at most 0.5)",
        start.elapsed().as_secs_f64()
    );
}

/// One session of the same size: its entries get new uuids, so that none is a repeat.
fn one_large(home: &Path, bytes: u64, this: &Path) {
    let large = home.join("large.jsonl");
    let mut out = std::io::BufWriter::new(fs::File::create(&large).unwrap());
    for (index, file) in discover(&home.join("projects")).transcripts.iter().enumerate() {
        let text = fs::read_to_string(&file.path).unwrap();
        out.write_all(text.replace("\"uuid\":\"", &format!("\"uuid\":\"{index}-")).as_bytes()).unwrap();
        out.write_all(b"\n").unwrap();
    }
    out.flush().unwrap();
    drop(out);
    let mut command = Command::new(this);
    let output = command.args(["one", large.to_str().unwrap()]).output().unwrap();
    print!("one session of {:.0} MB: {}", mega(bytes), String::from_utf8_lossy(&output.stdout));
}
