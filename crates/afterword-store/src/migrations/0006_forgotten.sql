-- Sessions that a person wants forgotten: nothing derived from them is kept, and they are not read again by themselves.
CREATE TABLE forgotten_sessions (
    session_id TEXT PRIMARY KEY NOT NULL,
    forgotten_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
