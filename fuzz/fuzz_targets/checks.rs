//! A check, and a shell line that it is asked about: read or refused, printed as it was read, and never a panic.
#![no_main]

use std::path::{Path, PathBuf};

use afterword_app::checks::check::{Call, Check};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|input: (&str, &str, &str)| {
    let (line, pattern, text) = input;
    let bases = [PathBuf::from("/w")];
    let lines = [
        line.to_owned(),
        format!("never run `{pattern}`"),
        format!("never write to `{pattern}`"),
        format!("never write `{pattern}`"),
    ];
    for line in lines {
        let Ok(check) = Check::parse(&line) else { continue };
        // Printed it may be too long to be read.
        if let Ok(again) = Check::parse(&check.to_string()) {
            assert_eq!(again, check);
        }
        for (tool, input) in [
            ("Bash", json!({"command": text})),
            ("Write", json!({"file_path": text, "content": text})),
            ("Edit", json!({"file_path": "/w/a", "new_string": text, "old_string": line})),
        ] {
            let call = Call { tool, input: &input, cwd: Path::new("/w"), bases: &bases, home: None };
            let _ = check.objection(&call);
        }
    }
});
