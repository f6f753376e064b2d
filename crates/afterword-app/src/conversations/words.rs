//! From plain words to a schedule, shown before it is kept.

use afterword_core::conversation::Schedule;
use afterword_core::conversation::schedule::{find_time_zone, words};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use crate::Error;
use crate::error::ConversationsError;

/// A schedule as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedSchedule {
    /// The schedule.
    pub schedule: Schedule,
    /// It in words.
    pub text: String,
    /// Its next times, the first one being when the work is due first.
    pub next: Vec<Timestamp>,
    /// The time zone it was read in.
    pub zone: String,
}

impl PlannedSchedule {
    /// The next times as RFC 3339 writes them, by the clock of the zone they were read in.
    pub fn next_in_zone(&self) -> Vec<String> {
        let zone = find_time_zone(&self.zone).unwrap_or(TimeZone::UTC);
        let written = |at: &Timestamp| at.display_with_offset(zone.to_offset(*at)).to_string();
        self.next.iter().map(written).collect()
    }
}

/// Reads a schedule in plain words. Times are meant in the time zone called `zone`, or that of `now`.
///
/// # Errors
/// [`ConversationsError::BadSchedule`] for what is not understood or cannot be kept.
pub fn plan_schedule(text: &str, zone: Option<&str>, now: &Zoned) -> Result<PlannedSchedule, Error> {
    let zone = zone.or_else(|| now.time_zone().iana_name()).unwrap_or("UTC");
    let refused = |source| ConversationsError::BadSchedule { words: text.to_owned(), source };
    let clock = find_time_zone(zone).map_err(|error| refused(error.into()))?;
    let schedule = words::parse(text, zone, now.timestamp()).map_err(refused)?;
    let next = schedule.preview(now.timestamp(), 3).map_err(|error| refused(error.into()))?;
    let zone = schedule.time_zone().unwrap_or(zone).to_owned();
    Ok(PlannedSchedule { text: schedule.describe(&clock), schedule, next, zone })
}
