-- Where each session stands, as the agent saw it last: what a restart goes on from and other processes show. One row a
-- transcript, as two folders may hold a session of one id. `failures` counts the jobs that failed one after the other.
CREATE TABLE followed_sessions (
    transcript TEXT PRIMARY KEY NOT NULL,
    session_id TEXT NOT NULL,
    project TEXT,
    state TEXT NOT NULL CHECK (
        state IN ('active', 'idle', 'ended', 'crashed', 'reflecting', 'reflected', 'failed')),
    since INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    ended_at INTEGER,
    failed_at INTEGER,
    failures INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX followed_sessions_by_session ON followed_sessions (session_id);

-- What happened to a session, in its order: every state it came to, and what its client and the heartbeat told. A line
-- `reflected` is written in the transaction that keeps the reflection.
CREATE TABLE session_timeline (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    what TEXT NOT NULL CHECK (
        what IN ('active', 'idle', 'ended', 'crashed', 'reflecting', 'reflected', 'failed',
            'began', 'compacted', 'heartbeat')),
    detail TEXT
) STRICT;
CREATE INDEX session_timeline_by_session ON session_timeline (session_id, at);
CREATE INDEX session_timeline_by_time ON session_timeline (at);
