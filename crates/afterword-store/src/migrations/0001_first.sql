-- One row a transcript file (a session's own, and one for each of its sub-agents). `size` and `mtime_ns` are those at
-- the time it was dealt with: a file that still has them is not opened again. `vault` is the root of the vault that its
-- notes went to: another vault starts with nothing reflected.
CREATE TABLE sessions (
    path TEXT PRIMARY KEY NOT NULL,
    session_id TEXT NOT NULL,
    sidechain INTEGER NOT NULL CHECK (sidechain IN (0, 1)),
    project TEXT,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('reflected', 'excluded', 'own')),
    dealt_with_at INTEGER NOT NULL,
    engine TEXT NOT NULL,
    engine_version TEXT NOT NULL,
    vault TEXT NOT NULL,
    first_entry_at INTEGER,
    last_entry_at INTEGER,
    entries INTEGER NOT NULL,
    skipped_lines INTEGER NOT NULL,
    candidates INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_session ON sessions (session_id);
CREATE INDEX sessions_by_project ON sessions (project, last_entry_at);

-- What people call a project; given once, so that two folders of one name never change places.
CREATE TABLE projects (
    project TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE
) STRICT, WITHOUT ROWID;

-- Which note carries which lesson, as the vault left it: tells the user's edits from our own writes, and notes the
-- user deleted from those never written. `vault` is the vault's root: another vault starts with nothing written.
CREATE TABLE written_notes (
    vault TEXT NOT NULL,
    content_key TEXT NOT NULL,
    note_id TEXT NOT NULL,
    path TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    session_id TEXT,
    written_at INTEGER NOT NULL,
    PRIMARY KEY (vault, content_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX written_notes_by_note ON written_notes (note_id);
CREATE INDEX written_notes_by_session ON written_notes (session_id);

-- Seen once or twice, too weak for a lesson; the same topic a third time is a pattern.
-- `anchor` is the entry's uuid, or session and line where it has none: a forked session repeats uuids, not patterns.
CREATE TABLE observations (
    id INTEGER PRIMARY KEY,
    project TEXT NOT NULL,
    session_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    topic TEXT NOT NULL,
    quote TEXT NOT NULL,
    uuid TEXT NOT NULL,
    line INTEGER NOT NULL,
    anchor TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    UNIQUE (project, kind, topic, anchor)
) STRICT;
CREATE INDEX observations_by_session ON observations (session_id);

-- Reflections done: what `doctor` and `status` judge health by.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    trigger TEXT NOT NULL,
    engine TEXT NOT NULL,
    sessions INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    candidates INTEGER NOT NULL,
    notes_created INTEGER NOT NULL,
    notes_changed INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_start ON runs (started_at);

-- Entry types, client versions and the like seen in transcripts, so that a new one is noticed.
CREATE TABLE census (
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    known INTEGER NOT NULL CHECK (known IN (0, 1)),
    first_seen_at INTEGER NOT NULL,
    first_seen_in TEXT NOT NULL,
    PRIMARY KEY (field, value)
) STRICT, WITHOUT ROWID;
