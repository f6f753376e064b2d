//! Redacts texts: reads a JSON string a line and prints each without its secrets, as a JSON string.
//!
//! Measures redaction on published positives of other scanners: `cargo run -p afterword-reflect --example redact`.

use std::io::{self, BufRead, Write};

use afterword_reflect::redact::Redactor;

fn main() -> io::Result<()> {
    let redactor = Redactor::default();
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut out, &redactor.redact(&text).text)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
