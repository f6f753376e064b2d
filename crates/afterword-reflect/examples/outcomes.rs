//! Prints how sessions ended and why: `cargo run -p afterword-reflect --example outcomes -- FILE…`

#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use std::path::Path;

use afterword_reflect::outcome::OutcomeJudge;

fn main() -> Result<(), afterword_transcript::TranscriptError> {
    for path in std::env::args().skip(1) {
        let mut judge = OutcomeJudge::default();
        afterword_transcript::scan(Path::new(&path), None, &mut |event| judge.push(&event))?;
        println!("\n{path}");
        let Some(outcome) = judge.finish() else {
            println!("  no outcome");
            continue;
        };
        println!("  {:?}: {}", outcome.ended, outcome.task);
        for sign in &outcome.signs {
            println!("  {:+} line {}: {}", sign.weight, sign.line, sign.what);
        }
        for (mark, texts) in [("+", &outcome.worked), ("-", &outcome.did_not_work)] {
            texts.iter().for_each(|text| println!("  {mark} {text}"));
        }
        println!("  next: {}", outcome.next);
    }
    Ok(())
}
