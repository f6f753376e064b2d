//! What a model answers in a task's run, and how a schedule or a reply was kept: any JSON.
#![no_main]

use afterword_core::Schedule;
use afterword_core::conversation::WorkerReply;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let _ = WorkerReply::parse(&value);
    let _ = serde_json::from_value::<Schedule>(value);
});
