//! Prints a transcript's events, one a line, and its report: `cargo run --example events -- FILE`.

use std::path::Path;

use afterword_transcript::event::Event;

#[expect(clippy::print_stdout, reason = "printing is what it is for")]
fn main() -> Result<(), afterword_transcript::TranscriptError> {
    for path in std::env::args().skip(1) {
        let session = afterword_transcript::read_session(Path::new(&path))?;
        for event in &session.events {
            match event {
                Event::User(said) => {
                    let also: Vec<_> = said.also.iter().map(|place| place.line).collect();
                    println!(
                        "{:5} USER {:?} {:?} also {also:?} pasted {:?}\n      {:?}",
                        said.place.line, said.authorship, said.origin, said.pasted, said.text
                    );
                }
                Event::Agent { place, text } => println!("{:5} AGENT {text:.200?}", place.line),
                Event::Call(call) => println!("{:5} CALL {} {:?}", call.place.line, call.name, call.summary),
                Event::Outcome(outcome) => {
                    println!("{:5} OUTCOME {:?} {:.300?}", outcome.place.line, outcome.status, outcome.error);
                }
                other => println!("{other:?}"),
            }
        }
        println!("{:#?}", session.report);
    }
    Ok(())
}
