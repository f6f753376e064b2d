//! `score [--bin PATH] [--set DIR] [--only ID,ID] [--misses] [--floor NAME=VALUE]…`: the figures of a built `afterword`.
//!
//! Exit 0 when everything was scored and nothing lies below its floor, 1 when something does, 2 when it could not score.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints its result")]

use std::path::PathBuf;
use std::process::ExitCode;

use afterword_scoring::{Figures, Floors, Scored, Set, Unscored, Verdict, run};

struct Arguments {
    binary: PathBuf,
    set: PathBuf,
    only: Vec<String>,
    misses: bool,
    floors: Floors,
}

fn main() -> ExitCode {
    let given = match parse_arguments(std::env::args().skip(1)) {
        Ok(given) => given,
        Err(wrong) => {
            eprintln!("score: {wrong}");
            return ExitCode::from(2);
        }
    };
    match score(&given) {
        Ok(below) if below.is_empty() => ExitCode::SUCCESS,
        Ok(below) => {
            below.iter().for_each(|line| eprintln!("score: {line}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("score: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse_arguments(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut given = Arguments {
        binary: "target/release/afterword".into(),
        set: "tests/sessions".into(),
        only: Vec::new(),
        misses: false,
        floors: Floors::new(),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--bin" => given.binary = value()?.into(),
            "--set" => given.set = value()?.into(),
            "--only" => given.only = value()?.split(',').map(str::to_owned).collect(),
            "--misses" => given.misses = true,
            "--floor" => {
                let text = value()?;
                let (name, floor) = text.split_once('=').ok_or("a floor is NAME=VALUE")?;
                given
                    .floors
                    .insert(name.to_owned(), floor.parse().map_err(|_| format!("{floor} is no number"))?);
            }
            _ => return Err(format!("unknown argument {word}; see tests/scoring/main.rs")),
        }
    }
    Ok(given)
}

fn score(given: &Arguments) -> Result<Vec<String>, Unscored> {
    let set = Set::read(&given.set)?;
    let scored = run(&given.binary, &set, &given.only)?;
    if given.misses {
        scored.iter().for_each(misses);
    }
    let figures = Figures::of(&scored);
    println!("{figures}");
    Ok(figures.below(&given.floors))
}

fn misses(scored: &Scored) {
    for found in &scored.found {
        if !matches!(found.verdict, Verdict::Match | Verdict::Optional) {
            let candidate = &found.candidate;
            let lines: Vec<u64> = candidate.evidence.iter().take(4).map(|evidence| evidence.line).collect();
            println!(
                "{} {:?} {} {} {lines:?} {}",
                scored.session, found.verdict, candidate.confidence, candidate.kind, candidate.title
            );
        }
    }
    for label in &scored.missed {
        println!("{} missed {} {} [{}] {}", scored.session, label.tier, label.kind, label.line, label.gist);
    }
}
