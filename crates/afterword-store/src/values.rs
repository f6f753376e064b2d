//! How values of the domain stand in SQL: times as milliseconds since 1970 (UTC), counts as integers.

use jiff::Timestamp;
use rusqlite::types::{FromSqlError, Type};

pub(crate) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

pub(crate) fn time(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    to_time(row.get(column)?, column)
}

pub(crate) fn maybe_time(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    row.get::<_, Option<i64>>(column)?.map(|value| to_time(value, column)).transpose()
}

fn to_time(value: i64, column: usize) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(value).map_err(|_| {
        rusqlite::Error::FromSqlConversionFailure(
            column,
            Type::Integer,
            Box::new(FromSqlError::OutOfRange(value)),
        )
    })
}

/// A count as SQLite can hold it; nothing counted here comes near the limit.
pub(crate) fn count(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(crate) fn read_count(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}

/// A text column as `parse` understands it.
pub(crate) fn parse_column<T>(
    row: &rusqlite::Row<'_>,
    name: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let text: String = row.get(name)?;
    parse(&text).ok_or_else(|| {
        let column = row.as_ref().column_index(name).unwrap_or_default();
        let message = format!("`{text}` is not expected in `{name}`");
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, message.into())
    })
}

/// A value of the domain as JSON text. None of ours has keys that are no text, so it cannot fail.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// A JSON column as a value of the domain.
pub(crate) fn parsed_json<T: serde::de::DeserializeOwned>(
    row: &rusqlite::Row<'_>,
    name: &str,
) -> rusqlite::Result<T> {
    let text: String = row.get(name)?;
    serde_json::from_str(&text).map_err(|error| {
        let column = row.as_ref().column_index(name).unwrap_or_default();
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
    })
}

/// A JSON column that may be empty.
pub(crate) fn maybe_json<T: serde::de::DeserializeOwned>(
    row: &rusqlite::Row<'_>,
    name: &str,
) -> rusqlite::Result<Option<T>> {
    match row.get::<_, Option<String>>(name)? {
        Some(_) => parsed_json(row, name).map(Some),
        None => Ok(None),
    }
}
