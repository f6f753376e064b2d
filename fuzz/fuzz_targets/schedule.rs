//! When a task is due, in any words: understood or refused, and what is understood comes due in the future.
#![no_main]

use afterword_core::Schedule;
use afterword_core::conversation::schedule::words;
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let now: Timestamp = "2026-03-28T23:30:00Z".parse().expect("a time");
    for zone in ["UTC", "Europe/Berlin", text] {
        for schedule in [words::parse(text, zone, now).ok(), Schedule::cron(text, zone, now).ok()] {
            let Some(schedule) = schedule else { continue };
            let json = serde_json::to_string(&schedule).expect("a schedule can be kept");
            assert_eq!(serde_json::from_str::<Schedule>(&json).expect("and read"), schedule);
            let Ok(times) = schedule.preview(now, 5) else { continue };
            assert!(times.windows(2).all(|two| two[0] < two[1]), "{times:?}");
            if schedule.repeats() {
                assert!(times.iter().all(|time| *time > now), "{times:?}");
            }
        }
    }
});
