//! The index's tables. A change raises [`VERSION`]; there are no migrations, the index is made anew.

/// The schema's number.
pub(super) const VERSION: i64 = 7;

/// The words of a note are indexed without a second copy of its text (`content=''`); stems are Porter's, and accents
/// do not count.
pub(super) const TABLES: &str = "
CREATE TABLE make (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE note (
  slot INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  status TEXT NOT NULL,
  outcome TEXT NOT NULL,
  project TEXT NOT NULL,
  session TEXT NOT NULL,
  tags TEXT NOT NULL,
  always_load INTEGER NOT NULL,
  may_supersede TEXT NOT NULL,
  base REAL NOT NULL,
  bonus REAL NOT NULL DEFAULT 0,
  weight REAL NOT NULL,
  tokens BLOB NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE project (path TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX note_hash ON note (path, hash);
CREATE INDEX note_by_id ON note (id);
CREATE INDEX note_by_weight ON note (status, project, weight DESC, path);
CREATE INDEX note_by_load ON note (project) WHERE always_load = 1;
CREATE INDEX note_by_older ON note (may_supersede) WHERE may_supersede <> '';
CREATE INDEX note_by_session ON note (session) WHERE session <> '';
CREATE TABLE label (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE facets (block INTEGER PRIMARY KEY, rows BLOB NOT NULL) STRICT;
CREATE TABLE tagged (tag TEXT NOT NULL, slot INTEGER NOT NULL, PRIMARY KEY (tag, slot)) STRICT, WITHOUT ROWID;
CREATE INDEX tagged_by_slot ON tagged (slot);
CREATE TABLE vectors (block INTEGER PRIMARY KEY, rows BLOB NOT NULL) STRICT;
CREATE TABLE next (slot INTEGER PRIMARY KEY, tokens BLOB NOT NULL, vector BLOB NOT NULL) STRICT;
CREATE VIRTUAL TABLE words USING fts5(
  title, body, tags, project, parts,
  content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
";
