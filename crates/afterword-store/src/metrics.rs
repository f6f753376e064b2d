//! Table `metrics`: counters, one a day and project. Nothing in it leaves the machine.

use afterword_core::ProjectKey;
use jiff::civil::Date;
use rusqlite::params;

use crate::values::{count, read_count};
use crate::{Store, StoreError};

/// A counter's name, given by the program (`search.count`, `cost.microdollars`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metric(pub &'static str);

/// Reads and writes of the table.
#[derive(Debug, Clone, Copy)]
pub struct Metrics<'a> {
    pub(crate) store: &'a Store,
}

impl Metrics<'_> {
    /// Adds to a counter. The day is the user's own, as a daily budget goes by it.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn add(
        &self,
        metric: Metric,
        day: Date,
        project: Option<&ProjectKey>,
        amount: u64,
    ) -> Result<(), StoreError> {
        let wrap = |e| self.store.error("count", e);
        // The sum stops at the largest integer; adding past it would make SQLite turn to floating point.
        let sql = "INSERT INTO metrics (name, day, project, amount) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (name, day, project)
            DO UPDATE SET amount = amount + min(excluded.amount, 9223372036854775807 - amount)";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let project = project.map_or("", ProjectKey::as_str);
        let done = statement.execute(params![metric.0, day.to_string(), project, count(amount)]);
        done.map(drop).map_err(wrap)
    }

    /// What a counter came to from `first` to `last`, both included: in one project, or in all together.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn total(
        &self,
        metric: Metric,
        (first, last): (Date, Date),
        project: Option<&ProjectKey>,
    ) -> Result<u64, StoreError> {
        let days = self.by_day(metric, (first, last), project)?;
        Ok(days.iter().fold(0, |sum, (_, amount)| sum.saturating_add(*amount)))
    }

    /// The same day by day; days on which nothing was counted are left out.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn by_day(
        &self,
        metric: Metric,
        (first, last): (Date, Date),
        project: Option<&ProjectKey>,
    ) -> Result<Vec<(Date, u64)>, StoreError> {
        let wrap = |e| self.store.error("read the counters", e);
        let sql = "SELECT day, amount FROM metrics WHERE name = ?1 AND day BETWEEN ?2 AND ?3
            AND (?4 IS NULL OR project = ?4) ORDER BY day, project";
        let mut statement = self.store.connection.prepare_cached(sql).map_err(wrap)?;
        let values = params![metric.0, first.to_string(), last.to_string(), project.map(ProjectKey::as_str)];
        let rows = statement.query_map(values, |row| {
            let day: String = row.get(0)?;
            let day = day.parse::<Date>().map_err(|e| {
                rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(e))
            })?;
            Ok((day, read_count(row, 1)?))
        });
        let mut days: Vec<(Date, u64)> = Vec::new();
        for row in rows.map_err(wrap)? {
            let (day, amount) = row.map_err(wrap)?;
            match days.last_mut() {
                Some((same, sum)) if *same == day => *sum = sum.saturating_add(amount),
                _ => days.push((day, amount)),
            }
        }
        Ok(days)
    }

    /// Deletes what was counted for a project. Says how many rows.
    ///
    /// # Errors
    /// [`StoreError`]: the database is locked, damaged, full or can only be read.
    pub fn forget_project(&self, project: &ProjectKey) -> Result<usize, StoreError> {
        let wrap = |e| self.store.error("forget a project's counters", e);
        self.store
            .connection
            .execute("DELETE FROM metrics WHERE project = ?1", [project.as_str()])
            .map_err(wrap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const COST: Metric = Metric("cost.microdollars");

    #[test]
    fn counted_by_day_and_project() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let (metrics, engine) = (store.metrics(), ProjectKey::from_cwd("/home/ada/engine"));
        let (monday, tuesday) = (date(2026, 3, 2), date(2026, 3, 3));
        metrics.add(COST, monday, Some(&engine), 100).unwrap();
        metrics.add(COST, monday, Some(&engine), 20).unwrap();
        metrics.add(COST, monday, None, 3).unwrap();
        metrics.add(COST, tuesday, Some(&engine), 5).unwrap();
        metrics.add(Metric("search.count"), monday, None, 1000).unwrap();

        let week = (date(2026, 3, 1), date(2026, 3, 7));
        assert_eq!(metrics.by_day(COST, week, None).unwrap(), [(monday, 123), (tuesday, 5)]);
        assert_eq!(metrics.total(COST, week, Some(&engine)).unwrap(), 125);
        assert_eq!(metrics.total(COST, (tuesday, tuesday), None).unwrap(), 5);
        assert_eq!(metrics.forget_project(&engine).unwrap(), 2);
        assert_eq!(metrics.total(COST, week, None).unwrap(), 3);
    }

    #[test]
    fn counter_stops_at_its_largest() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(&home.path().join("afterword.db")).unwrap();
        let day = date(2026, 3, 2);
        for amount in [u64::MAX, 7, u64::MAX] {
            store.metrics().add(COST, day, None, amount).unwrap();
        }
        assert_eq!(store.metrics().total(COST, (day, day), None).unwrap(), i64::MAX.unsigned_abs());
    }
}
