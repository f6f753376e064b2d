//! The index's tables. A change raises [`VERSION`]; there are no migrations, the index is made anew.
//! So does another model inside the program: its vectors are not those of the one before.

/// The schema's number.
pub(super) const VERSION: i64 = 3;

/// Words are indexed without a second copy of the text (`content=''`), in three columns, so that a search can be held to what
/// the person said. Full positions are kept: people look for phrases. Vectors have a table of their own, as a search reads all of
/// them and nothing else.
pub(super) const TABLES: &str = "
CREATE TABLE make (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE file (
  number INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  session TEXT NOT NULL,
  agent TEXT NOT NULL,
  project TEXT NOT NULL,
  directory TEXT NOT NULL,
  title TEXT NOT NULL,
  first_words TEXT NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  head BLOB NOT NULL,
  rows INTEGER NOT NULL
) STRICT;
CREATE INDEX file_by_session ON file (session);
CREATE TABLE block (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  file INTEGER NOT NULL REFERENCES file (number) ON DELETE CASCADE,
  texts BLOB NOT NULL
) STRICT;
CREATE INDEX block_by_file ON block (file);
CREATE TABLE meaning (
  block INTEGER PRIMARY KEY REFERENCES block (number) ON DELETE CASCADE,
  rows BLOB NOT NULL
) STRICT;
CREATE VIRTUAL TABLE words USING fts5(
  person, agent, tools,
  content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
";
